"""Skill dice that are divided between two halves: a Counterstrike, or a Block and Strike.

A section of the chapter on shields (``armor/shields``), which Fight! uses as well.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from astragal.dice import Pool, Shaded
from astragal.play import Option, Split, Step, Tally, ask, call, choose, tell, unheard

from ..advancement.requirements import difficulty
from ..artha import on_a_roll as artha
from ..artha.on_a_roll import NOTHING
from ..artha.spending import pay
from ..sheet.facts import DiceDivided
from ..sheet.parts import Difficulty
from ..sheet.scene import BurningTable
from ..tests.attempts import Attempt
from ..tests.conclusions import after_test


def divide(
    attempt: Attempt, halves: tuple[str, str], rule: str, whose: str
) -> Step[tuple[int, int]]:
    """Divide the skill dice between two halves, before anyone rolls; at least one in each.

    armor.amb.block_and_strike_minimum, armor.amb.block_and_strike_allocation_time. It is told
    first where they are from, if from more than one source, as each half is so many dice of the
    skill.
    """
    dice = attempt.pool.dice.total
    one, other = halves
    if len(attempt.all_dice.lines) > 1 and not (yield from unheard()):
        yield from tell(DiceDivided(whose, attempt.all_dice))
    split = yield from ask(
        attempt.seat,
        "split",
        f"Divide {dice}D between {one} and {other}",
        Split(
            amount=dice,
            pools=tuple(Option(key=half, label=half.capitalize(), rule=rule) for half in halves),
            least=1,
            default=(dice - dice // 2, dice // 2),
        ),
        because=rule,
    )
    return split[0], split[1]


COUNTERSTRIKE = ("defence", "riposte")
"""The halves of a Counterstrike."""


def divide_counterstrike(attempt: Attempt, rule: str, whose: str) -> Step[int]:
    """How many dice of a Counterstrike defend; a single die is in one half or in the other.

    fight.counterstrike.one_die.
    """
    total = attempt.pool.dice.total
    if total > 1:
        defending, _ = yield from divide(attempt, COUNTERSTRIKE, rule, whose)
        return defending
    rule = "fight.counterstrike.one_die"
    half = yield from choose(
        attempt.seat,
        "one_die",
        "One die: defence or riposte?",
        tuple(Option(each, each.capitalize(), rule) for each in COUNTERSTRIKE),
        default="defence",
        because=rule,
    )
    return total if half == "defence" else 0


def part_of(attempt: Attempt, dice: int, rule: str, *, first: bool) -> Attempt:
    """One part of divided dice, as it is logged: dice of artha do not count, and go to the first.

    What was spent is paid for once.
    """
    bought = sum(line.amount for line in attempt.boost) if first else 0
    part = msgspec.structs.replace(
        attempt,
        dice=Tally.of(max(0, dice - bought), source_of(attempt), rule),
        gear_dice=Shaded(),
        boost=attempt.boost if bought and dice > bought else (),
    )
    if first:
        return part
    return msgspec.structs.replace(part, spent=NOTHING, borne=NOTHING)


def source_of(attempt: Attempt) -> str:
    """What divided dice are of: the ability that is rolled, which may stand in for another."""
    return next((line.label for line in attempt.dice), attempt.agreed.name)


def throw_second_half(
    attempt: Attempt,
    pool: Pool,
    label: str,
    first: artha.ThrownDice | None,
    enough: int | None,
) -> Step[artha.ThrownDice]:
    """Throw the other half of divided dice, with what is left of the hand after the ``first``.

    What went into both is paid for together. A trait is called on once
    (beliefs.trait.call_on.once_per_session).
    """
    hand, spent = attempt.hand, attempt.spent
    called: tuple[str, ...] = ()
    if first is not None:
        spent, called = first.spent, first.called
        hand = msgspec.structs.replace(hand, artha=hand.artha - (spent - attempt.spent))
        for trait in called:
            hand = artha.without(hand, trait)
    thrown = yield from call(artha.throw, pool, label, attempt.seat, hand, spent, enough)
    return msgspec.structs.replace(thrown, called=called + thrown.called)


# --- The log -----------------------------------------------------------------------------------


class Half(NamedTuple):
    """One part of divided dice as a test of its own: its dice, and what it was up against."""

    attempt: Attempt
    obstacle: int
    base: int


def log_halves(
    whole: Attempt,
    halves: tuple[Half, ...],
    thrown: artha.ThrownDice,
    table: BurningTable,
    *,
    passed: bool,
) -> Step[BurningTable]:
    """Pay for what was spent on both, and log the harder test of the two.

    advancement.series.one_test, advancement.series.highest_obstacle.
    """
    agreed, order = whole.agreed, list(Difficulty)
    if not halves:  # nothing but the dice of a shield was thrown
        return (yield from pay(table, agreed.character, agreed.tested, thrown, whole.borne))

    def hard(half: Half) -> tuple[int, int]:
        dice = half.attempt.dice.total
        return order.index(difficulty(dice, half.obstacle)) if dice else -1, half.obstacle

    attempt, obstacle, base = max(halves, key=hard)
    attempt = msgspec.structs.replace(attempt, spent=whole.spent, borne=whole.borne)
    table, _ = yield from after_test(attempt, thrown, obstacle, table, passed=passed, base=base)
    return table
