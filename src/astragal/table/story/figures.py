"""What a session comes to in numbers: luck against the odds, artha, tests logged.

Everything is counted from the items that one seat may see, so that nothing else is in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache, reduce
from operator import add
from typing import Any

import msgspec

from astragal.dice import (
    Distribution,
    Each,
    Exploded,
    Expression,
    Pool,
    PoolWithOnes,
    Recorded,
    Successes,
    parse,
)
from astragal.errors import Refusal
from astragal.games.at_table import SessionCounts
from astragal.games.game import SCENE
from astragal.play import Seat
from astragal.play.changes import split_path
from astragal.table.log.change_words import differences
from astragal.table.log.items import ChangedItem, RolledItem
from astragal.table.views.types import EntryView

HALF = Fraction(1, 2)


class Luck(msgspec.Struct, frozen=True):
    """How somebody rolled: what share of all such rolls would have been worse, on average.

    ``successes`` and ``expected`` are for pools, where these are counted.
    """

    seat: Seat
    rolls: int
    rank: Fraction
    successes: int = 0
    expected: Fraction = Fraction(0)


class Flow(msgspec.Struct, frozen=True):
    """What a character earned and spent, by what it is called."""

    character: str
    earned: dict[str, int]
    spent: dict[str, int]


class LoggedTests(msgspec.Struct, frozen=True):
    """How many tests a character logged, by their class."""

    character: str
    tests: dict[str, int]


class SessionFigures(msgspec.Struct, frozen=True):
    """The numbers of a session."""

    number: int
    luck: tuple[Luck, ...] = ()
    flow: tuple[Flow, ...] = ()
    logged: tuple[LoggedTests, ...] = ()


class SessionCounter:
    """Counts one session, entry by entry."""

    def __init__(self, counted: SessionCounts) -> None:
        """``counted`` is what the game wants to have counted."""
        self._counted = counted
        self.begin(0)

    def begin(self, number: int) -> None:
        """A session begins."""
        self.number = number
        self._rolls: dict[Seat, list[RolledItem]] = {}
        self._flow: dict[str, tuple[dict[str, int], dict[str, int]]] = {}
        self._logged: dict[str, dict[str, int]] = {}

    def add(self, entry: EntryView) -> None:
        """One entry; what was undone does not count, nor what was written on a sheet by hand."""
        if entry.kind == "session_began":
            self.begin(entry.session)
        if entry.undone or entry.kind == "edited":
            return
        for item in entry.items:
            if isinstance(item, RolledItem):
                self._rolls.setdefault(item.owner, []).append(item)
            elif isinstance(item, ChangedItem) and item.target != SCENE:
                self._change(item)

    def _change(self, item: ChangedItem) -> None:
        parts = tuple(split_path(item.path))
        for place, before, after in differences(parts, item.before, item.after):
            by = _amount(after) - _amount(before)
            purse = self._counted.purse.get(".".join(place))
            if purse is not None and by:
                earned, spent = self._flow.setdefault(item.target, ({}, {}))
                into = earned if by > 0 else spent
                into[purse] = into.get(purse, 0) + abs(by)
            logged = self._counted.logged.get(".".join(place[-2:]))
            if logged is not None and by > 0:
                tests = self._logged.setdefault(item.target, {})
                tests[logged] = tests.get(logged, 0) + by

    def figures(self) -> SessionFigures:
        """What has been counted since the session began."""
        low = self._counted.low_is_good
        lucks = (luck_of(seat, rolls, low_is_good=low) for seat, rolls in self._rolls.items())
        return SessionFigures(
            self.number,
            tuple(each for each in lucks if each.rolls),
            tuple(Flow(key, earned, spent) for key, (earned, spent) in self._flow.items()),
            tuple(LoggedTests(key, tests) for key, tests in self._logged.items()),
        )


def figures_of(
    entries: Iterable[EntryView], counted: SessionCounts, number: int
) -> SessionFigures | None:
    """The numbers of one session of a whole log; None where there is no such session."""
    counter = SessionCounter(counted)
    is_there = False
    for entry in entries:
        if entry.kind == "session_began" and not entry.undone:
            if is_there:
                break
            is_there = entry.session == number
        if is_there or (entry.kind == "session_began" and entry.session == number):
            counter.add(entry)
    return counter.figures() if is_there else None


def luck_of(seat: Seat, rolls: Iterable[RolledItem], *, low_is_good: bool) -> Luck:
    """How the rolls of somebody compare with all rolls of the same dice.

    A roll has the rank of its result: the share of worse results, and half of those as good.
    """
    ranks, successes, expected = [], 0, Fraction(0)
    for item in rolls:
        known = _known(item.notation)
        if known is None:
            continue
        dice, odds = known
        try:
            came = _worth(dice.sample(Recorded(die.face for die in item.faces)).value)
        except ValueError:
            continue
        worse = 1 - (odds.at_most(came) if low_is_good else odds.at_least(came))
        ranks.append(worse + odds.chance(came) * HALF)
        if isinstance(dice, Successes):
            successes += came
            expected += odds.mean()
    rank = sum(ranks, Fraction(0)) / len(ranks) if ranks else HALF
    return Luck(seat, len(ranks), rank, successes, expected)


@lru_cache(maxsize=512)
def _known(notation: str) -> tuple[Expression[Any], Distribution[int]] | None:
    """The dice, and the exact distribution of what they are worth.

    A pool is worth its successes, other dice what they add up to.
    """
    try:
        dice = parse(notation)
    except Refusal:
        return None
    if isinstance(dice, Pool | Successes | PoolWithOnes):
        pool = dice if isinstance(dice, Pool) else dice.pool
        return Successes(pool), Successes(pool).distribution()
    parts = dice.parts if isinstance(dice, Each) else (dice,)
    each: list[Distribution[Any]] = [part.distribution().map(_worth) for part in parts]
    if not all(isinstance(value, int) for found in each for value in found):
        return None
    return dice, reduce(lambda one, other: one.combine(other, add), each)


def _worth(value: Any) -> Any:
    if isinstance(value, tuple):
        return sum(map(_worth, value))
    return value.total if isinstance(value, Exploded) else value


def _amount(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
