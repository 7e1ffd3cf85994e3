"""Shrugging it off by a test of Health: Clearing the Cobwebs and Gritting Your Teeth.

By artha the same takes no test and less time: ``artha/bearing_pain``.
"""

from __future__ import annotations

from astragal.errors import NotAllowed
from astragal.games.game import Arguments, Procedure
from astragal.play import Line, Play, Seat, Step, call, choose, then
from astragal.rules import catalogue

from ..conditions.borne_pain import (
    PainMethod,
    PainOutcome,
    bear,
    bearable,
    check_gritted,
    check_superficials,
    endured,
    try_to_rise,
)
from ..conditions.wounds import check_wounded, name_of, set_wound
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from .health_tests import health_test


class ClearCobwebs(Arguments, frozen=True):
    """Who clears the cobwebs."""

    character: str
    helpers: tuple[str, ...] = ()


class GritTeeth(Arguments, frozen=True):
    """Who grits their teeth against which wound, counted from 1."""

    character: str
    wound: int = 1
    helpers: tuple[str, ...] = ()


def which_wound(sheet: Sheet, seat: Seat, method: PainMethod) -> Step[int]:
    """The wound to bear a die of in a conflict, counted from 1; asked where there are several."""
    hurting = bearable(sheet, method)
    chosen = next(iter(hurting))
    if len(hurting) > 1:
        chosen = yield from choose(
            seat,
            "wound",
            f"Grit Your Teeth ({sheet.name}): which wound?",
            hurting,
            default=chosen,
            because="injury.grit.one_die_each_wound",
        )
    return int(chosen)


def _to_clear(character: str, table: BurningTable) -> tuple[int, ...]:
    """The wounds that clearing the cobwebs is for, or a refusal."""
    sheet = table.character(character)
    hurting = check_superficials(sheet, "injury.cobwebs.not_after_three")
    _check_not_tried(sheet, hurting)
    return hurting


def clear_the_cobwebs(arguments: ClearCobwebs, table: BurningTable) -> Play[PainOutcome]:
    """Shrug off Superficial wounds by a Health test."""
    outcome, _ = yield from call(cobwebs, arguments, table)
    return outcome


def cobwebs(arguments: ClearCobwebs, table: BurningTable) -> Play[tuple[PainOutcome, BurningTable]]:
    """An Ob 2 Health test lifts the obstacle of Superficial wounds (injury.cobwebs.test).

    One test for each wound and scene: after a failure only a new wound allows another
    (injury.amb.shrug_retries).
    """
    character = arguments.character
    hurting = _to_clear(character, table)
    task = "clear the cobwebs"
    base = Line(_obstacle(PainMethod.COBWEBS), "clearing the cobwebs", "injury.cobwebs.test")
    test, table = yield from call(health_test, character, task, base, (), arguments.helpers, table)
    return then(cleared, character, hurting, test.passed, table)


def cleared(
    character: str, hurting: tuple[int, ...], passed: bool, table: BurningTable
) -> Play[tuple[PainOutcome, BurningTable]]:
    """The obstacle is lifted, or it stays."""
    if passed:
        table = yield from bear(table, character, hurting, because="injury.cobwebs.test")
    else:
        table = yield from _tried(table, character, hurting)
    return (yield from endured(character, PainMethod.COBWEBS, table, passed=passed)), table


def grit_teeth(arguments: GritTeeth, table: BurningTable) -> Play[PainOutcome]:
    """Shrug off a die of a wound by a Health test."""
    outcome, _ = yield from call(gritting, arguments, table)
    return outcome


def gritting(arguments: GritTeeth, table: BurningTable) -> Play[tuple[PainOutcome, BurningTable]]:
    """An Ob 4 Health test lifts one die of one wound, of any level (injury.grit.test).

    It is how an incapacitated character may stagger up again, once (injury.grit.incapacitated).
    """
    character = arguments.character
    sheet = table.character(character)
    at = check_gritted(sheet, arguments.wound, "injury.grit.one_die_each_wound")
    _check_not_tried(sheet, (at,))
    table = yield from try_to_rise(table, character)
    task = f"grit teeth against the {name_of(sheet.wounds[at])}"
    base = Line(_obstacle(PainMethod.GRITTING), "gritting teeth", "injury.grit.test")
    test, table = yield from call(health_test, character, task, base, (), arguments.helpers, table)
    return then(gritted, character, at, test.passed, table)


def gritted(
    character: str, at: int, passed: bool, table: BurningTable
) -> Play[tuple[PainOutcome, BurningTable]]:
    """One die of the penalty is lifted, or it stays."""
    if passed:
        table = yield from bear(table, character, (at,), because="injury.grit.test")
    else:
        table = yield from _tried(table, character, (at,))
    return (yield from endured(character, PainMethod.GRITTING, table, passed=passed)), table


def _obstacle(method: PainMethod) -> int:
    return catalogue().table("injury.table.shrug_off").number("health_ob", method=method.value)


def _check_not_tried(sheet: Sheet, indexes: tuple[int, ...]) -> None:
    if all(sheet.wounds[at].tried for at in indexes):
        what = f"{sheet.name} has tried that in this scene; only a new wound allows another try"
        raise NotAllowed(what, "injury.amb.shrug_retries")


def _tried(table: BurningTable, character: str, indexes: tuple[int, ...]) -> Step[BurningTable]:
    for at in indexes:
        rule = "injury.amb.shrug_retries"
        table = yield from set_wound(table, character, at, because=rule, tried=True)
    return table


PROCEDURES = (
    Procedure(
        "clear_the_cobwebs",
        "Clearing the Cobwebs (Health)",
        ClearCobwebs,
        clear_the_cobwebs,
        check=_to_clear,
    ),
    Procedure(
        "grit_teeth", "Gritting Your Teeth (Health)", GritTeeth, grit_teeth, check=check_wounded
    ),
)
