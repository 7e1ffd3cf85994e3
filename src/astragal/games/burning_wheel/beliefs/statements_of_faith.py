"""Beliefs that state a faith: which they are, and what is lost with them.

A section of the chapter on Faith. Anybody may hold such a Belief; who has Faith must.
"""

from __future__ import annotations

from astragal.games.burning_wheel.sheet.faiths import FAITH
from astragal.games.burning_wheel.sheet.parts import Belief
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.sheet import Sheet
from astragal.play import GM, Noted, Step, consent, tell


def stated_faith(sheet: Sheet) -> str:
    """The faith that one of the Beliefs states; none without such a Belief.

    faith.belief.required.
    """
    return next((belief.faith for belief in sheet.beliefs if belief.faith), "")


def lacks_statement(sheet: Sheet) -> bool:
    """Whether somebody has Faith and no Belief that states it (faith.belief.required)."""
    return FAITH in sheet.attributes and not sheet.faith_lost and not stated_faith(sheet)


def reworded(old: Belief, text: str, name: str) -> Step[Belief]:
    """A Belief in new words; the GM says whether it still states the same faith.

    faith.amb.lost_belief.
    """
    if not old.faith:
        return Belief(text)
    same = yield from consent(
        GM,
        "same_faith",
        f"Does {name}'s Belief still state {old.faith}? {text}",
        because="faith.amb.lost_belief",
    )
    return Belief(text, faith=old.faith if same else "")


def lose_with(old: Belief, character: str, table: BurningTable) -> Step[BurningTable]:
    """Who loses or changes the Belief that states it loses Faith (faith.belief.loss).

    It cannot be used from then on; its exponent stays on record (faith.amb.lost_belief).
    """
    sheet = table.character(character)
    if not old.faith or not lacks_statement(sheet):
        return table
    rule = "faith.belief.loss"
    yield from tell(Noted(f"{sheet.name} loses {FAITH} with that Belief.", rule))
    return (yield from table.amend(character, "faith_lost", True, because=rule))
