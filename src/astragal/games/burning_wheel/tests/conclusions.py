"""When the dice have fallen: what was spent is paid for, and the test is logged."""

from __future__ import annotations

import msgspec

from astragal.play import Step, Tally, tell

from ..advancement.log import mark, mark_beginner
from ..artha import on_a_roll as artha
from ..artha.spending import pay
from ..conditions.every_test import conditions_on
from ..conditions.lines import Tester
from ..conditions.prayers import use_up_prayers
from ..sheet.editions import edition
from ..sheet.facts import TestCame
from ..sheet.scene import BurningTable
from .attempts import Attempt, TestResult, result_of
from .gear import wear_out
from .helping import Helper


def pay_for(attempt: Attempt, thrown: artha.ThrownDice, table: BurningTable) -> Step[BurningTable]:
    """Pay for what was spent on a roll: all that comes of it, if the roll is not logged.

    What was spent on pain counts for Health (gold.amb.health_epiphany_double_count).
    """
    agreed = attempt.agreed
    return (
        yield from pay(
            table, agreed.character, agreed.tested, thrown, attempt.borne, attempt.inspired
        )
    )


def after_test(
    attempt: Attempt,
    thrown: artha.ThrownDice,
    obstacle: int,
    table: BurningTable,
    *,
    passed: bool,
    base: int | None = None,
    is_open: bool = False,
) -> Step[tuple[BurningTable, str]]:
    """Pay for what was spent and log the test, for the roller and for everyone who helped.

    All dice rolled count for the class: help (advancement.help.dice_count), FoRKs, which earn
    nothing themselves (advancement.fork.dice_count, advancement.fork.earn_nothing), advantages
    (advancement.bonus.advantage_counts) and gear (advancement.bonus.equipment_counts); only
    those of artha do not (advancement.artha.never_counts). The obstacle is the one rolled
    against, with its penalties (advancement.amb.obstacle_with_modifiers), though Beginner's Luck
    looks at its ``base``. A speech that was acted out is a test like any other
    (advancement.social.roll_and_log).
    """
    agreed = attempt.agreed
    table = yield from pay_for(attempt, thrown, table)
    dice = attempt.dice.total
    if attempt.untrained:
        base = obstacle if base is None else base
        # advancement.amb.helper_of_beginner: the doubling for the skill is the primary's own
        # trouble, those for tools or the saddle are not (gold.tests.tools).
        times = 1 + attempt.tools.lacking + sum(line.amount for line in attempt.doublings)
        obstacle = base * times + attempt.penalties.total
        table, earned = yield from mark_beginner(
            table,
            agreed.character,
            agreed.missing_skill,
            agreed.roots,
            agreed.tested,
            dice,
            base,
            passed=passed,
            is_open=is_open,
        )
    else:
        table, earned = yield from mark(
            table, agreed.character, agreed.tested, dice, obstacle, passed=passed, is_open=is_open
        )
    for helper in attempt.helpers:
        alone = _alone(helper, table)
        table, _ = yield from mark(
            table,
            helper.character,
            helper.helping,
            alone,
            obstacle,
            passed=passed,
            is_open=is_open,
            beside=agreed.character,
        )
    table = yield from wear_out(table, agreed.character, attempt.tools)
    table = yield from use_up_prayers(table, agreed.character, agreed.tested.name)
    return table, earned.value if earned else ""


def conclude_test(
    attempt: Attempt,
    thrown: artha.ThrownDice,
    obstacle: Tally,
    verdict: str,
    table: BurningTable,
    *,
    base: int | None = None,
) -> Step[tuple[TestResult, BurningTable]]:
    """Say how a roll came out against its obstacle, pay for it and log it."""
    result = result_of(attempt, thrown, obstacle)
    name, passed = table.character(attempt.agreed.character).name, result.passed
    yield from tell(TestCame(name, thrown.successes, verdict, passed))
    table, earned = yield from after_test(
        attempt, thrown, obstacle.total, table, passed=passed, base=base
    )
    return msgspec.structs.replace(result, earned=earned), table


def _alone(helper: Helper, table: BurningTable) -> int:
    """The dice that a helper would have had alone: no bonus dice, and none that are lost.

    advancement.help.helper_earns, advancement.help.helper_class. In the later edition the exponent
    itself is compared with the obstacle (gold.adv.helpers).
    """
    if edition(table.options).helpers_log_exponents:
        return helper.helping.exponent
    on_test = conditions_on(Tester(helper.character, helper.helping, table))
    return max(1, helper.helping.exponent - sum(each.lost for each in on_test))
