"""The five ways to cast a spell, and what each does to actions, dice and obstacles.

They are figured from the spell's own obstacle, whatever raises that of the casting
(sorcery.amb.method_obstacle_for_cap).
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import BadInput
from astragal.rules import catalogue


class CastingMethod(Enum):
    """How a spell is cast: exactly one of five ways."""

    NORMALLY = "normally"
    HASTILY = "hastily"
    CAREFULLY = "carefully"
    PATIENTLY = "patiently"
    BOTH = "patiently_and_carefully"


class MethodEffect(msgspec.Struct, frozen=True):
    """What a method does: actions in all, dice for casting and Tax, obstacle for both."""

    actions: int
    cast_dice: int = 0
    tax_dice: int = 0
    cast_obstacle: int = 0
    tax_obstacle: int = 0


def method_effect(
    method: CastingMethod, steps: int, actions: int, obstacle: int, skill: int, forte: int
) -> MethodEffect:
    """What each of the five methods does to a spell of these actions and this obstacle.

    sorcery.method.five; figured from the spell's own obstacle, in Practicals too
    (sorcery.learn.practicals.methods). ``steps`` are the bonus dice, or the actions that haste
    takes off; normally there are none (sorcery.method.normally). Unknown actions are 0 and stay so.
    """
    if method is CastingMethod.NORMALLY:
        _check(steps, 0, "no steps when casting normally", "sorcery.method.normally", least=0)
        return MethodEffect(actions)
    if method is CastingMethod.HASTILY:
        return _hastily(steps, actions)
    if method is CastingMethod.CAREFULLY:
        rule = "sorcery.method.carefully_max"
        _check(steps, min(obstacle, skill), "at most the obstacle and the skill", rule)
        return MethodEffect(actions * _multiplier("carefully", steps), cast_dice=steps)
    if method is CastingMethod.PATIENTLY:
        rule = "sorcery.method.patiently_max"
        _check(steps, min(obstacle, forte), "at most the obstacle and Forte", rule)
        return MethodEffect(actions * _multiplier("patiently", steps), tax_dice=steps)
    # Equal dice for both (sorcery.method.both, sorcery.amb.both_unequal).
    rule = "sorcery.method.both_max"
    most = min(obstacle, skill, forte)
    _check(steps, most, "at most the obstacle, the skill and Forte", rule)
    times = _multiplier("patiently_and_carefully", steps)
    return MethodEffect(actions * times, cast_dice=steps, tax_dice=steps)


def fewest_actions(actions: int) -> int:
    """The fewest actions that haste leaves of a spell: half of them, rounded up.

    sorcery.method.hastily_floor, sorcery.amb.hastily_half_rounding.

    >>> [fewest_actions(actions) for actions in (1, 2, 3, 9)]
    [1, 1, 2, 5]
    """
    return actions - actions // 2


def _hastily(steps: int, actions: int) -> MethodEffect:
    """Each action taken off adds to the casting, each after the first to Tax as well.

    sorcery.method.hastily; never below half of the actions (sorcery.method.hastily_floor).
    """
    rule = "sorcery.method.hastily_floor"
    if not actions:
        expected = "a spell whose actions are known: write them on the sheet"
        raise BadInput("method", CastingMethod.HASTILY.value, expected, rule)
    most = actions - fewest_actions(actions)
    _check(steps, most, f"at most half of the {actions} actions", rule)
    rows = catalogue().table("sorcery.table.hastily").all_where(actions_removed=steps)
    cast = rows[0].number("cast_obstacle_added") if rows else steps
    tax = rows[0].number("tax_obstacle_added") if rows else steps - 1
    return MethodEffect(actions - steps, cast_obstacle=cast, tax_obstacle=tax)


def _multiplier(table: str, steps: int) -> int:
    """By how much a method multiplies the actions; the pattern goes on beyond the table.

    sorcery.method.carefully, sorcery.method.patiently: the first row times the steps;
    sorcery.method.both: twice as much for each further step.

    >>> [_multiplier("carefully", n) for n in (1, 3, 8)]
    [2, 6, 16]
    >>> [_multiplier("patiently_and_carefully", n) for n in (1, 2, 4, 7)]
    [5, 10, 40, 320]
    """
    multipliers = catalogue().table(f"sorcery.table.{table}").column("action_multiplier")
    if steps <= len(multipliers):
        return int(str(multipliers[steps - 1]))
    first, last = int(str(multipliers[0])), int(str(multipliers[-1]))
    if table == "patiently_and_carefully":
        return last << (steps - len(multipliers))
    return first * steps


def _check(steps: int, most: int, expected: str, rule: str, *, least: int = 1) -> None:
    if not least <= steps <= most:
        span = f"{least} to {most}" if most > least else str(most) if most >= least else "none"
        raise BadInput("steps", steps, f"{span} ({expected})", rule)
