"""Reflexes in Fight!: how many maneuvers an action has, and in which order they happen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TypeVar

from astragal.dice import Shade
from astragal.rules import Options

from ...sheet.ratings import Rating

M = TypeVar("M")


def maneuvers(reflexes: Rating, options: Options) -> int:
    """How many maneuvers there are in each action that the exponent gives.

    Two with gray Reflexes (shades.reflexes.double_actions), and as many with white, or three
    (shades.amb.reflexes_white).
    """
    if reflexes.shade is Shade.WHITE and options["shades_white_reflexes"] == "three_maneuvers":
        return 3
    return 1 if reflexes.shade is Shade.BLACK else 2


def in_order(*fighters: Sequence[Sequence[M]]) -> tuple[tuple[M | None, ...], ...]:
    """The maneuvers of several fighters, action by action, in the order in which they happen.

    All of an action come one after the other, before the opponents' next
    (shades.reflexes.before_next): the first against the first, the second against the second;
    None stands for a fighter who has no further maneuver in it and answers, if he can, with
    Natural Defenses alone (shades.amb.reflexes_pair_matching).

    >>> in_order([["Strike", "Block"], ["Charge", "Strike"]], [["Avoid"], ["Push"]])
    (('Strike', 'Avoid'), ('Block', None), ('Charge', 'Push'), ('Strike', None))
    """
    return tuple(
        match for actions in zip_longest(*fighters, fillvalue=()) for match in zip_longest(*actions)
    )
