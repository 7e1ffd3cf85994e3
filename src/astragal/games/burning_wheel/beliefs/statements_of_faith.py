"""Beliefs that state a faith: which they are, and what is lost with them.

A section of the chapter on Faith. Anybody may hold such a Belief; who has Faith must.
"""

from __future__ import annotations

from astragal.play import GM, Step, consent, note

from ..sheet.faiths import FAITH
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet


def stated_faith(sheet: Sheet) -> str:
    """The faith that one of the Beliefs states; none without such a Belief.

    faith.belief.required.
    """
    return next((creed.faith for creed in sheet.creeds if creed.belief), "")


def faith_of(sheet: Sheet, number: int) -> str:
    """The faith that a Belief states, by the number of the Belief, if any."""
    return next((creed.faith for creed in sheet.creeds if creed.belief == number), "")


def lacks_statement(sheet: Sheet) -> bool:
    """Whether somebody has Faith and no Belief that states it (faith.belief.required)."""
    return FAITH in sheet.attributes and not sheet.faith_lost and not stated_faith(sheet)


def after_rewording(
    character: str, number: int, text: str, table: BurningTable
) -> Step[BurningTable]:
    """A Belief has new words; the GM says whether it still states the same faith.

    faith.amb.lost_belief.
    """
    sheet = table.character(character)
    faith = faith_of(sheet, number)
    if not faith:
        return table
    same = yield from consent(
        GM,
        "same_faith",
        f"Does {sheet.name}'s Belief still state {faith}? {text}",
        because="faith.amb.lost_belief",
    )
    return table if same else (yield from stop_believing(character, number, table))


def stop_believing(character: str, number: int, table: BurningTable) -> Step[BurningTable]:
    """Who loses or changes the Belief that states it loses Faith (faith.belief.loss).

    It cannot be used from then on; its exponent stays on record (faith.amb.lost_belief).
    """
    sheet = table.character(character)
    rule = "faith.belief.loss"
    left = tuple(creed for creed in sheet.creeds if creed.belief != number)
    table = yield from table.amend(character, "creeds", left, because=rule)
    if not lacks_statement(table.character(character)):
        return table
    yield from note(f"{sheet.name} loses {FAITH} with that Belief.", rule)
    return (yield from table.amend(character, "faith_lost", True, because=rule))
