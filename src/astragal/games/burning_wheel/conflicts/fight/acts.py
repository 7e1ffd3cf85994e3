"""What the longer actions of a fight share: counting them, losing them, a test in between.

A section of the chapter on Fight! (``conflicts/fight/fight``). Everything is broken into actions
(fight.action.break_into_actions). What takes several is scripted with as many cards, and comes
about with the last of them; doing anything else in between means to begin again.
"""

from __future__ import annotations

from functools import cache

import msgspec

from astragal.play import GM, Line, Number, Step, Tally, ask, note, tell
from astragal.rules import catalogue

from ...sheet.editions import edition
from ...sheet.facts import TestCame
from ...tests.attempts import TestResult, full_obstacle, result_of, throw_attempt
from ...tests.conclusions import after_test, pay_for
from .gathering import RollKind, attempt_for
from .state import NOT_READY, Fight, FightDeed

MOST_ACTIONS = 60
"""Nothing on the list takes longer; a larger number is a typing error."""


@cache
def listed_cost(action: str) -> int:
    """How many actions something on the list takes (``fight.table.action_costs``).

    >>> listed_cost("Draw weapon"), listed_cost("Intimidate")
    (2, 2)
    """
    return catalogue().table("fight.table.action_costs").number("actions", action=action)


def broken_off(fight: Fight, deed: FightDeed) -> Fight:
    """Who does something else breaks off a longer act, and lets down what was raised to shoot.

    A nocked arrow stays where it is (fight.nock.prep).
    """
    ready = fight.fighter(deed.character).ready
    if ready == NOT_READY:
        return fight
    kept = msgspec.structs.replace(ready, drawn=0, target="", aimed=0, sets=0)
    if ready.act.partition(":")[0] != deed.card.partition(":")[0]:
        kept = msgspec.structs.replace(kept, act="", done=0)
    return fight if kept == ready else fight.change(deed.character, ready=kept)


def spend(fight: Fight, character: str, act: str, cost: int) -> tuple[Fight, int]:
    """One action more is spent on a longer act; the fight, and how many it still takes."""
    ready = fight.fighter(character).ready
    done = ready.done + 1 if ready.act == act else 1
    left = max(0, cost - done)
    now = msgspec.structs.replace(ready, act=act if left else "", done=done if left else 0)
    return fight.change(character, ready=now), left


def lost(fight: Fight, character: str, why: str, rule: str) -> Step[Fight]:
    """An action that cannot be carried out is lost."""
    yield from note(f"{fight.name(character)}: {why}; the action is lost.", rule)
    return fight


def roll_in_fight(
    fight: Fight,
    character: str,
    ability: str,
    base: Line,
    *,
    action: str,
    task: str,
    target: str = "",
    dice: tuple[Line, ...] = (),
) -> Step[tuple[TestResult, Fight]]:
    """A test in the middle of a fight, against an obstacle of its own."""
    attempt = yield from attempt_for(
        fight,
        character,
        ability,
        RollKind.OTHER,
        action=action,
        target=target,
        task=task,
        dice=dice,
    )
    obstacle = full_obstacle(Tally((base,)), attempt)
    thrown = yield from throw_attempt(attempt, obstacle, fight.table)
    result = result_of(attempt, thrown, obstacle)
    verdict = "Success." if result.passed else "Failure."
    yield from tell(TestCame(fight.name(character), thrown.successes, verdict, result.passed))
    if not fight.series:  # a rehearsal: paid for, but not logged
        table = yield from pay_for(attempt, thrown, fight.table)
        return result, fight.at(table)
    table, _ = yield from after_test(
        attempt, thrown, obstacle.total, fight.table, passed=result.passed, base=base.amount
    )
    return result, fight.at(table)


def gm_obstacle(
    fight: Fight, character: str, what: str, default: int | None, rule: str
) -> Step[Line]:
    """The obstacle of a test, as the GM sets it (gold.tests.obstacle_range)."""
    most = edition(fight.table.options).highest_base_obstacle
    base = yield from ask(
        GM,
        "obstacle",
        f"{fight.name(character)}, {what}: obstacle",
        Number(least=1, most=most, default=default),
        because=rule,
    )
    return Line(base, "base obstacle", rule)
