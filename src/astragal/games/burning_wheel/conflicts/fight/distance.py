"""Fighting distances: how far apart two fighters are, seen from each one's weapon.

Two fighters have one gap between them, a whole number, and each weapon makes its own distance of
it: with a weapon of rank *r* (``fight.table.weapon_lengths``) a fighter is at optimal distance at
a gap of *r* or less, lunging at *r* + 1 and outside beyond that
(fight.amb.relative_distance_unstated). Inside is a gap of its own. Exact paces do not matter
(fight.position.no_measured_distance).
"""

from __future__ import annotations

from enum import Enum
from functools import cache

from astragal.rules import catalogue

INSIDE_GAP = -1
"""The gap of two fighters who are inside."""


class Distance(Enum):
    """The four fighting distances, from far to near (fight.distance.four)."""

    OUTSIDE = "outside"
    LUNGING = "lunging"
    OPTIMAL = "optimal"
    INSIDE = "inside"


FAR_TO_NEAR = tuple(Distance)


@cache
def rank(length: str) -> int:
    """How long a weapon is: from 0 for the shortest to 4 for the longest.

    fight.length.five_classes.

    >>> rank("longest"), rank("shortest")
    (4, 0)
    """
    return catalogue().table("fight.table.weapon_lengths").number("rank", length=length)


def distance_at(gap: int, length: str) -> Distance:
    """The fighting distance of a weapon at a gap.

    At optimal for the longer weapon one that is a length shorter is lunging
    (fight.relative.longer_optimal_next_shorter), one that is two or more is outside
    (fight.relative.longer_optimal_two_shorter); at optimal for the shorter weapon every longer
    one is at optimal, too (fight.relative.shorter_optimal); equal lengths are at the same
    distance (fight.relative.same_length).

    >>> distance_at(4, "longer"), distance_at(4, "long"), distance_at(0, "longest")
    (<Distance.LUNGING: 'lunging'>, <Distance.OUTSIDE: 'outside'>, <Distance.OPTIMAL: 'optimal'>)
    """
    # Inside is common to all weapons (fight.relative.inside), and whoever is there, the other is,
    # too (fight.distance.inside.shared).
    if gap == INSIDE_GAP:
        return Distance.INSIDE
    beyond = gap - rank(length)
    if beyond <= 0:
        return Distance.OPTIMAL
    return Distance.LUNGING if beyond == 1 else Distance.OUTSIDE


def gap_for(distance: Distance, length: str) -> int:
    """The gap that puts a weapon at a distance; what it means to the other follows from it.

    fight.position.win.own_weapon.

    >>> distance_at(gap_for(Distance.LUNGING, "long"), "longest")
    <Distance.OPTIMAL: 'optimal'>
    """
    if distance is Distance.INSIDE:
        return INSIDE_GAP
    return rank(length) + {Distance.OPTIMAL: 0, Distance.LUNGING: 1, Distance.OUTSIDE: 2}[distance]


def stepped(distance: Distance, steps: int) -> Distance:
    """A distance so many steps nearer, or farther where they are negative; never past the ends.

    fight.position.win.close, fight.position.win.withdraw. Inside is the nearest: what is won beyond
    that is lost (extended_example.position.inside_is_limit).

    >>> stepped(Distance.LUNGING, 2), stepped(Distance.OPTIMAL, -5)
    (<Distance.INSIDE: 'inside'>, <Distance.OUTSIDE: 'outside'>)
    """
    at = FAR_TO_NEAR.index(distance) + steps
    return FAR_TO_NEAR[max(0, min(at, len(FAR_TO_NEAR) - 1))]
