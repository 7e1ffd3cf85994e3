"""What is read off a thrown pool, and the ways in which a pool can be open-ended.

These are the words that the sampling code (`pool`) and the closed forms (`flat`,
`chains`, `harsh`) share.
"""

from __future__ import annotations

import enum

import msgspec

from astragal.dice.shades import Shaded

NO_DICE = Shaded()


class OpenEnded(enum.Enum):
    """Which faces bring a further die (tests.open_ended.six_gives_a_die)."""

    __hash__ = object.__hash__  # each kind is there only once, and is looked up all the time

    NO = "no"
    """No face does."""
    SIXES = "sixes"
    """Each 6 stays a success and brings one die, and so on (tests.amb.open_ended_chain)."""
    ONES_AND_SIXES = "ones_and_sixes"
    """Each 1 stays a traitor and brings one die as well (gold.roll.astrology_ones)."""
    HARSH_ONES = "harsh_ones_and_sixes"
    """Each 1 is rolled again, and a traitor there cancels a success (gold.amb.astrology_ones)."""


class Count(msgspec.Struct, frozen=True, order=True, cache_hash=True, gc=False):
    """The dice of a roll, judged one by one (tests.dice.judged_singly)."""

    successes: int
    sixes: Shaded = NO_DICE
    """Dice showing a 6 that may still be rolled on, by shade; each is also a success."""
    traitors: Shaded = NO_DICE
    """Dice that failed, by shade, extra dice included; these a reroll takes up."""


class CountWithOnes(msgspec.Struct, frozen=True, order=True, cache_hash=True, gc=False):
    """A `Count` that also tells how many of the pool's own dice show a 1."""

    successes: int
    sixes: Shaded = NO_DICE
    traitors: Shaded = NO_DICE
    ones: int = 0
    """Dice of the first throw showing a 1; extra dice are never counted here."""
