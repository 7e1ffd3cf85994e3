"""Tests of Health for bearing pain and for recovering from wounds.

Wounds neither lower Health nor raise its obstacle (injury.recovery.health_unwounded), and artha
is welcome (injury.recovery.artha).
"""

from __future__ import annotations

import msgspec

from astragal.games.burning_wheel.artha import on_a_roll as artha
from astragal.games.burning_wheel.sheet.facts import DiceGathered, TestCame
from astragal.games.burning_wheel.sheet.parts import Artha
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.tests.attempts import Attempt, after_test, prepare
from astragal.games.burning_wheel.tests.intent import Agreement, Context, Declaration
from astragal.play import Line, Play, Tally, call, tell, then


class HealthTest(msgspec.Struct, frozen=True):
    """How a Health test came out."""

    passed: bool
    successes: int
    margin: int
    dice: Tally
    obstacle: Tally
    earned: str = ""
    spent: Artha = Artha()


def health_test(
    character: str,
    task: str,
    base: Line,
    bonus: tuple[Line, ...],
    helpers: tuple[str, ...],
    table: BurningTable,
) -> Play[tuple[HealthTest, BurningTable]]:
    """Health against an obstacle that the rules lay down; the table after it.

    ``bonus`` are dice from elsewhere. Wounds do not weigh on it
    (injury.recovery.health_unwounded), and artha may be spent (injury.recovery.artha).
    """
    sheet = table.character(character)
    health = sheet.ability("Health", "attributes.Health")
    agreed = Agreement(character, task, task, health)
    declaration = Declaration(character, task, task, health.name, helpers)
    context = Context(dice=bonus, called_for=True, laid_down=True)
    attempt = yield from prepare(declaration, agreed, 0, context, table)
    obstacle = Tally((base,)) + attempt.penalties
    return then(roll_health, attempt, obstacle, table)


def roll_health(
    attempt: Attempt, obstacle: Tally, table: BurningTable
) -> Play[tuple[HealthTest, BurningTable]]:
    """Throw the dice, compare, and log the test."""
    name = table.character(attempt.agreed.character).name
    yield from tell(DiceGathered(name, attempt.all_dice, obstacle))
    lying = yield from call(
        artha.throw,
        attempt.pool,
        f"{name}, {attempt.agreed.name}",
        attempt.seat,
        attempt.hand,
        attempt.spent,
        obstacle.total,
    )
    margin = lying.successes - obstacle.total
    passed = margin >= 0
    verdict = f"Passed, with {margin} extra." if passed else f"Failed, {-margin} short."
    yield from tell(TestCame(name, lying.successes, f"{attempt.agreed.task}: {verdict}", passed))
    table, earned = yield from after_test(attempt, lying, obstacle.total, table, passed=passed)
    outcome = HealthTest(
        passed=passed,
        successes=lying.successes,
        margin=margin,
        dice=attempt.all_dice,
        obstacle=obstacle,
        earned=earned,
        spent=lying.spent,
    )
    return outcome, table
