"""The rolls of a volley as they are logged: against what, and whether they succeeded.

A section of the chapter on the Duel of Wits (``conflicts/duel_of_wits/duel``).
"""

from __future__ import annotations

import msgspec

from ...artha.on_a_roll import ThrownDice
from ...tests.attempts import Attempt
from .matrix import Pairing, Rolls


class LoggedRoll(msgspec.Struct, frozen=True):
    """A roll of a volley as it is logged; ``is_open`` where nothing opposed it."""

    attempt: Attempt
    throw: ThrownDice
    against: int
    is_open: bool
    passed: bool


def obstacle_logged(
    pair: Pairing, side: int, other: tuple[int, ...], will: int
) -> tuple[int, bool]:
    """The obstacle that a side's roll is logged with, and whether it is an open test.

    duel_of_wits.amb.advancement: what the ``other`` side rolled where the rolls were compared,
    whatever its penalties took of it (advancement.versus.opponents_successes), its ``will`` for an
    Incite, and an open test where nothing opposed it.
    """
    action, against = pair.actions[side], 0
    if action == "incite":
        against = will
    if pair.is_versus:
        against = max(against, sum(other))
    elif pair.is_opposed and action != "incite":
        # A Rebuttal answers the attack, and an attack is up against the defence alone.
        held = other[:1] if pair.rolls[1 - side] is Rolls.SPLIT else other
        if pair.rolls[side] is Rolls.SPLIT:
            held = other[-1:]
        against = sum(held)
    return against, not (pair.is_versus or pair.is_opposed or action == "incite")


def succeeds(
    pair: Pairing, side: int, lead: int, losses: tuple[int, ...], shaken: tuple[bool, ...]
) -> bool:
    """Whether an action came to what it is for: Perception learns from nothing else.

    advancement.earn.success_only, for those who try an action by Beginner's Luck. An Incite shakes
    the other side, an Avoid lets nothing through, whatever meets an Obfuscate must not be beaten,
    and all else costs the other side points.
    """
    action, rival = pair.actions[side], 1 - side
    if action == "incite":
        return shaken[rival]
    if pair.is_versus:
        return lead > 0 or (lead == 0 and pair.tie_to == action)
    if action == "avoid":
        return not (losses[side] or shaken[side])
    return losses[rival] > 0
