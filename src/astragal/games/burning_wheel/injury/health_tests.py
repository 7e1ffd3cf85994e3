"""Tests of Health for bearing pain and for recovering from wounds.

Wounds neither lower Health nor raise its obstacle (injury.recovery.health_unwounded), and artha
may be spent (injury.recovery.artha).
"""

from __future__ import annotations

from astragal.play import Line, Play, Tally, tell, then

from ..artha.aristeia import lightened
from ..sheet.facts import TestCame
from ..sheet.scene import BurningTable
from ..tests.attempts import Attempt, TestResult, prepare, result_of, throw_attempt
from ..tests.conclusions import after_test
from ..tests.intent import Agreement, Context, Declaration
from ..tests.partial_records import complete


def health_test(
    character: str,
    task: str,
    base: Line,
    bonus: tuple[Line, ...],
    helpers: tuple[str, ...],
    table: BurningTable,
    extras_count: bool = False,
) -> Play[tuple[TestResult, BurningTable]]:
    """Health against an obstacle that the rules set; the table after it.

    ``bonus`` are dice from elsewhere. Where ``extras_count``, a roll that has passed can still
    be bettered, and so Luck is offered for it. Wounds do not count against it
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
    return then(roll_health, attempt, obstacle, extras_count, table)


def roll_health(
    attempt: Attempt, obstacle: Tally, extras_count: bool, table: BurningTable
) -> Play[tuple[TestResult, BurningTable]]:
    """Throw the dice, compare, and log the test."""
    name = table.character(attempt.agreed.character).name
    thrown = yield from throw_attempt(attempt, obstacle, table, decides=not extras_count)
    result = result_of(attempt, thrown, obstacle)
    verdict = f"failed, {-result.margin} short"
    if result.passed:
        verdict = f"success, {result.margin} extra" if result.margin else "success, exactly"
    task = attempt.agreed.task
    text = f"{task[:1].upper()}{task[1:]}: {verdict}."
    yield from tell(TestCame(name, thrown.successes, text, result.passed))
    table, earned = yield from after_test(
        attempt, thrown, obstacle.total, table, passed=result.passed
    )
    return result_of(attempt, thrown, obstacle, earned), table
