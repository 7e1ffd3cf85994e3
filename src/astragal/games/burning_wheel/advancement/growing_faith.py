"""Growing Faith: stigmata, and the step out of the world at exponent 10.

A section of the chapter on Faith; it happens where Faith advances, at once.
"""

from __future__ import annotations

from astragal.play import GM, Step, Text, ask, consent, note
from astragal.rules import catalogue

from ..sheet.faiths import FAITH, Stigma
from ..sheet.ratings import HIGHEST_EXPONENT
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from ..sheet.words import as_sentence

LASTING = {7: "faith.stigmata.7", 8: "faith.stigmata.8", 9: "faith.stigmata.9"}
"""The exponents that bring a mark for good: a bodily one, a feature distorted, an aura."""


def manifestation(exponent: int) -> str:
    """What Faith of an exponent brings about (faith.table.stigmata).

    >>> manifestation(9)
    'aura or halo'
    """
    row = catalogue().table("faith.table.stigmata").in_band(exponent, "faith_exponent")
    return row.text("manifestation")


def faith_grows(table: BurningTable, character: str) -> Step[BurningTable]:
    """What a higher Faith does to the priest, as soon as it is reached."""
    exponent = table.character(character).attributes[FAITH].rating.exponent
    if exponent >= HIGHEST_EXPONENT:
        return (yield from _transcend(table, character))
    return (yield from bear_marks(table, character))


def _transcend(table: BurningTable, character: str) -> Step[BurningTable]:
    """The priest leaves the world for good and is out of play (faith.transcend.10)."""
    rule = "faith.transcend.10"
    name = table.character(character).name
    yield from note(f"{name} leaves the world for good to join the divine.", rule)
    return (yield from table.amend(character, "transcended", True, because=rule))


def bear_marks(table: BurningTable, character: str) -> Step[BurningTable]:
    """The lasting marks that the exponent asks for and the sheet does not have yet.

    faith.stigmata.7, faith.stigmata.8, faith.stigmata.9.
    """
    for exponent, rule in LASTING.items():
        sheet = table.character(character)
        has = {stigma.exponent for stigma in sheet.stigmata}
        if sheet.attributes[FAITH].rating.exponent < exponent or exponent in has:
            continue
        mark = yield from agree_on_sign(sheet, character, exponent, rule, table)
        stigmata = (*sheet.stigmata, Stigma(exponent, mark))
        yield from note(as_sentence(f"{sheet.name}, {FAITH} {exponent}: {mark}"), rule)
        table = yield from table.amend(character, "stigmata", stigmata, because=rule)
    return table


def agree_on_sign(
    sheet: Sheet, character: str, exponent: int, rule: str, table: BurningTable
) -> Step[str]:
    """The player proposes a sign and the GM agrees, or names another.

    faith.stigmata.who_chooses: it fits the game and the god; what was settled before play comes
    first.
    """
    mark = yield from ask(
        sheet.seat(character),
        "stigma",
        f"Sign of {FAITH} {exponent} ({manifestation(exponent)})",
        Text(required=True, default=_settled(sheet, exponent, table) or manifestation(exponent)),
        because=rule,
    )
    because = "faith.stigmata.who_chooses"
    if (yield from consent(GM, "stigma_fits", f"Does this sign fit? {mark}", because=because)):
        return mark
    return (
        yield from ask(
            GM,
            "other_stigma",
            f"Another sign of {FAITH} {exponent}",
            Text(required=True, default=manifestation(exponent)),
            because=because,
        )
    )


def _settled(sheet: Sheet, exponent: int, table: BurningTable) -> str:
    """The sign that was settled for the priest's faith before play (faith.setup.idiom)."""
    stated = {creed.faith for creed in sheet.creeds if creed.belief}
    at = exponent - min(LASTING)
    for religion in table.scene.religions:
        if religion.name in stated and 0 <= at < len(religion.stigmata):
            return religion.stigmata[at]
    return ""
