"""Stigmata at the table: the odd signs of a lesser Faith, and the marks of a greater one.

What happens when Faith advances is in ``advancement/growing_faith``.
"""

from __future__ import annotations

from astragal.errors import NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Play, note

from ...advancement.growing_faith import LASTING, agree_on_sign, faith_grows
from ...sheet.faiths import FAITH
from ...sheet.scene import BurningTable
from ...sheet.words import as_sentence


class ShowStigmata(Arguments, frozen=True):
    """Whose Faith shows."""

    character: str


class StigmataOutcome(Outcome, frozen=True):
    """An odd sign that passes, if any, and the lasting marks."""

    sign: str
    marks: tuple[str, ...]


def _faith_of(character: str, table: BurningTable) -> int:
    """The exponent of somebody's Faith, or a refusal."""
    sheet = table.character(character)
    faith = sheet.attributes.get(FAITH)
    if faith is None or not faith.rating.exponent:
        raise NotAllowed(f"{sheet.name} does not have {FAITH}", "faith.stigmata.6_or_less")
    return faith.rating.exponent


def show_stigmata(arguments: ShowStigmata, table: BurningTable) -> Play[StigmataOutcome]:
    """Let Faith show: up to exponent 6 an odd sign now and then (faith.stigmata.6_or_less).

    A character who begins with a higher Faith gets the marks of it here.
    """
    sheet = table.character(arguments.character)
    exponent, sign = _faith_of(arguments.character, table), ""
    if exponent < min(LASTING):
        rule = "faith.stigmata.6_or_less"
        sign = yield from agree_on_sign(sheet, arguments.character, exponent, rule, table)
        yield from note(as_sentence(f"{sheet.name}: {sign}"), rule)
    else:
        table = yield from faith_grows(table, arguments.character)
    marks = tuple(each.mark for each in table.character(arguments.character).stigmata)
    return StigmataOutcome(sign, marks)


PROCEDURES = (Procedure("show_stigmata", "Stigmata", ShowStigmata, show_stigmata, check=_faith_of),)
