"""Moving Quietly and Inconspicuous: keeping a search hidden from those who might detect it.

What a search leaves behind for those who would detect it is kept in the scene; detecting it
is in ``circles/detection``.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput
from astragal.games.game import SCENE
from astragal.play import Line, Step, call, note
from astragal.rules import Options, catalogue

from ..sheet.scene import BurningTable, SearchRecord
from ..tests.attempts import agree_and_prepare
from ..tests.intent import Declaration
from ..tests.linked import link_effect, link_of_margin
from ..tests.results import StandardOutcome
from ..tests.terms import RollTerms
from ..tests.tests import roll_standard


def quiet_limits() -> tuple[int, int]:
    """By how much a player may raise the obstacle (circles.amb.quiet_limit).

    >>> quiet_limits()
    (1, 5)
    """
    table = catalogue().table("circles.table.test_dice_and_other_modifiers")
    row = table.where(source="Moving Quietly")
    return row.number("ob_least"), row.number("ob_most")


def quietly(amount: int, *, inconspicuous: bool) -> tuple[Line, ...]:
    """The obstacle raised by choice, before the roll, to keep a search hidden.

    circles.quiet.raise_obstacle. It is one or the other, quietly or inconspicuously
    (circles.amb.quiet_with_inconspicuous).
    """
    if not amount:
        return ()
    least, most = quiet_limits()
    if not least <= amount <= most:
        expected = f"{least} to {most}, or 0 for no secrecy"
        raise BadInput("quietly", amount, expected, "circles.quiet.raise_obstacle")
    if inconspicuous:
        expected = "0 with Inconspicuous: only one of the two can hide a search"
        raise BadInput("quietly", amount, expected, "circles.inconspicuous.alternative")
    return (Line(amount, "moving quietly", "circles.quiet.raise_obstacle"),)


class Secrecy(msgspec.Struct, frozen=True):
    """How well a search is hidden: obstacle for those who would detect it, or dice."""

    obstacle: int = 0
    dice: int = 0


def inconspicuously(
    character: str, sought: str, margin: int, table: BurningTable
) -> Step[tuple[Secrecy, StandardOutcome, BurningTable]]:
    """After Circles, which leads into it, Inconspicuous hides the search.

    circles.inconspicuous.order; also after a failure (circles.amb.inconspicuous_linked_failure).
    """
    table, outcome = yield from _inconspicuous_test(character, sought, margin, table)
    if not outcome.passed:
        because = "circles.inconspicuous.failure"
        yield from note("The search leaves traces.", because, "gm")
        return Secrecy(dice=_detection_dice()), outcome, table
    yield from note("The search is hidden.", "circles.inconspicuous.success", "gm")
    # Each success above the obstacle counts.
    return Secrecy(obstacle=outcome.margin), outcome, table


def _inconspicuous_test(
    character: str, sought: str, margin: int, table: BurningTable
) -> Step[tuple[BurningTable, StandardOutcome]]:
    context = msgspec.structs.replace(link_effect(link_of_margin(margin)), laid_down=True)
    words = f"nobody hears of the search for {sought}"[:400]
    declaration = Declaration(
        character=character,
        intent=words,
        task="asks without being noticed",
        ability="Inconspicuous",
    )
    attempt = yield from agree_and_prepare(declaration, context, table)
    base = inconspicuous_base(table.options)
    terms = RollTerms(base, "the search is hidden", "the search leaves traces", "", 0, 1)
    outcome, table = yield from call(roll_standard, attempt, terms, table)
    return table, outcome


def inconspicuous_base(options: Options) -> int:
    """What the obstacle of Inconspicuous is before disadvantages.

    circles.inconspicuous.obstacle, circles.amb.inconspicuous_obstacle: the rule says 2, the
    summary 1.
    """
    return {"ob_2": 2, "ob_1": 1}[options["circles_inconspicuous_base"]]


def _detection_dice() -> int:
    """What detectors gain by a failed Inconspicuous test (circles.inconspicuous.failure)."""
    table = catalogue().table("circles.table.test_dice_and_other_modifiers")
    return table.number("dice", source="Inconspicuous failed")


def leave_traces(table: BurningTable, made: SearchRecord) -> Step[BurningTable]:
    """Record a search, for those who may detect it and for what may come of it."""
    searches = (*table.scene.searches, made)
    because = "circles.detect.use" if made.about else "circles.ability.use"
    return (yield from table.amend(SCENE, "searches", searches, because=because))
