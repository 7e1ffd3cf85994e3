"""Tests of Health for bearing pain and for recovering from wounds.

Wounds neither lower Health nor raise its obstacle (injury.recovery.health_unwounded), and artha
may be spent (injury.recovery.artha).
"""

from __future__ import annotations

from astragal.play import Line, Play, Tally, tell, then

from ..artha.aristeia import lightened
from ..artha.complications import what_pays
from ..sheet.facts import TestCame
from ..sheet.scene import BurningTable
from ..tests.attempts import Attempt, TestResult, prepare, result_of, throw_attempt
from ..tests.conclusions import after_test
from ..tests.intent import Agreement, Context, Declaration
from ..tests.partial_records import complete
from ..tests.results import turn_aside


class HealthResult(TestResult, frozen=True, kw_only=True):
    """How a test of Health came out, and what came instead of certain death, if anything did."""

    averted: str = ""


def health_test(
    character: str,
    task: str,
    base: Line,
    bonus: tuple[Line, ...],
    helpers: tuple[str, ...],
    table: BurningTable,
    extras_count: bool = False,
    death: str = "",
) -> Play[tuple[HealthResult, BurningTable]]:
    """Health against an obstacle that the rules set; the table after it.

    ``bonus`` are dice from elsewhere. Where ``extras_count``, a roll that has passed can still
    be bettered, and so Luck is offered for it. ``death`` is what failure brings, where that is
    certain death. Wounds do not count against it
    (injury.recovery.health_unwounded), and artha may be spent (injury.recovery.artha).
    """
    table = yield from complete(table, (character,), ("Health",))
    sheet = table.character(character)
    health = lightened(table, character, sheet.ability("Health", "attributes.Health"))
    agreed = Agreement(character, task, task, health)
    declaration = Declaration(
        character=character, intent=task, task=task, ability=health.name, helpers=helpers
    )
    context = Context(dice=bonus, called_for=True, laid_down=True)
    attempt = yield from prepare(declaration, agreed, 0, context, table)
    obstacle = Tally((base,)) + attempt.penalties
    return then(roll_health, attempt, obstacle, extras_count, table, death)


def roll_health(
    attempt: Attempt, obstacle: Tally, extras_count: bool, table: BurningTable, death: str = ""
) -> Play[tuple[HealthResult, BurningTable]]:
    """Throw the dice, compare, and log the test.

    Certain ``death`` may be bought off (gold.result.cheat_death).
    """
    name = table.character(attempt.agreed.character).name
    thrown = yield from throw_attempt(attempt, obstacle, table, decides=not extras_count)
    result = result_of(attempt, thrown, obstacle)
    verdict = f"failed, {-result.margin} short"
    if result.passed:
        verdict = f"success, {result.margin} extra" if result.margin else "success, exactly"
    task = attempt.agreed.task
    text = f"{task[:1].upper()}{task[1:]}: {verdict}."
    yield from tell(TestCame(name, thrown.successes, text, result.passed))
    averted = ""
    if death and not result.passed:
        averted, thrown = yield from turn_aside(attempt, death, thrown, table, deadly=True)
    if averted:
        table = yield from what_pays(attempt.agreed.character, averted, table)
    table, earned = yield from after_test(
        attempt, thrown, obstacle.total, table, passed=result.passed
    )
    result = result_of(attempt, thrown, obstacle, earned)
    return HealthResult.of(result, averted=averted), table
