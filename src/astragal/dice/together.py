"""Several dice in one roll: looked at one by one, added up, or the best of them kept.

`Each` keeps every value apart, `Sum` adds and takes off, `Keep` adds only the highest
or the lowest. Whether a die is 6 or more, or a total high enough, is left to the games.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from itertools import groupby
from math import prod
from typing import Any, Final, TypeAlias

import msgspec

from astragal.dice.chance import Chance
from astragal.dice.die import Die, Exploded, ExplodeOnce, HalfDie, Percentile, half_up
from astragal.dice.distribution import Distribution, counted
from astragal.dice.expression import Expression, Rolled
from astragal.dice.flat import polynomial_product
from astragal.errors import BadInput

MOST_TOGETHER: Final = 100
"""More dice than this to be looked at or added are a slip of the keyboard."""

MOST_COMBINED: Final = 10**6
"""More combinations than this of dice kept apart are not listed."""


class Each(Expression[tuple[Any, ...]], msgspec.Struct, frozen=True, tag="each", tag_field="kind"):
    """Dice looked at one by one (signs.roll.two_dice); the value has one entry for each.

    >>> from astragal.dice import Recorded
    >>> Each((Die(8), Die(6))).sample(Recorded([7, 2])).value
    (7, 2)
    """

    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        """Refuse no dice, and more than anyone throws."""
        _check_number("parts", len(self.parts))

    @property
    def notation(self) -> str:
        """As in "(d8, d6)"."""
        return f"({', '.join(part.notation for part in self.parts)})"

    def sample(self, chance: Chance) -> Rolled[tuple[Any, ...]]:
        """Throw part after part; neighbouring dice of one size are thrown together."""
        rolled = _throw(self.parts, chance)
        return Rolled(tuple(r.value for r in rolled), _faces(rolled))

    def distribution(self, *, enough: int | None = None) -> Distribution[tuple[Any, ...]]:  # noqa: ARG002
        """Every combination of values."""
        apart = [_distribution(part) for part in self.parts]
        combined = prod(len(values) for values in apart)
        if combined > MOST_COMBINED:
            raise BadInput(
                "parts", self.notation, f"at most {MOST_COMBINED} combinations, not {combined}"
            )
        joint: Distribution[tuple[Any, ...]] = Distribution.certain(())
        for values in apart:
            joint = joint.combine(values, lambda before, value: (*before, value))
        return joint


class Which(enum.Enum):
    """Which dice of a roll are kept."""

    HIGHEST = "highest"
    LOWEST = "lowest"


class Keep(Expression[int], msgspec.Struct, frozen=True, tag="keep", tag_field="kind"):
    """The sum of the `count` highest or lowest of some dice; the others are dropped.

    >>> from astragal.dice import Recorded
    >>> Keep(Each((Die(8), Die(8))), Which.HIGHEST, 1).sample(Recorded([3, 5])).value
    5
    """

    dice: Each
    which: Which
    count: int

    def __post_init__(self) -> None:
        """Refuse to keep more dice than there are."""
        dice = len(self.dice.parts)
        if not 1 <= self.count <= dice:
            raise BadInput("count", self.count, f"1 to {dice} of {dice} dice kept")

    @property
    def notation(self) -> str:
        """As in "(d8, d6)kh1" for the highest, "kl1" for the lowest."""
        return f"{self.dice.notation}k{self.which.value[0]}{self.count}"

    def sample(self, chance: Chance) -> Rolled[int]:
        """Throw all dice and add those that are kept."""
        rolled = self.dice.sample(chance)
        return Rolled(sum(self._kept(map(number, rolled.value))), rolled.faces)

    def distribution(self, *, enough: int | None = None) -> Distribution[int]:  # noqa: ARG002
        """Die by die, remembering only the dice that are kept so far."""
        kept: Distribution[tuple[int, ...]] = Distribution.certain(())
        for part in self.dice.parts:
            kept = kept.combine(
                _distribution(part), lambda values, value: self._kept((*values, number(value)))
            )
        return kept.map(sum)

    def _kept(self, values: Iterable[int]) -> tuple[int, ...]:
        ordered = sorted(values, reverse=self.which is Which.HIGHEST)
        return tuple(ordered[: self.count])


class Sum(Expression[int], msgspec.Struct, frozen=True, tag="sum", tag_field="kind"):
    """Dice added up, dice taken off, a fixed modifier, and perhaps a floor.

    The modifier goes on the total of the dice (percentile.dice.fixed_modifier), and
    the floor is applied last (percentile.dice.floor_zero).

    >>> from astragal.dice import Recorded
    >>> Sum((ExplodeOnce(Die(6)), Die(8)), minus=(Die(4),)).sample(Recorded([6, 6, 3, 1])).value
    14
    """

    parts: tuple[Addend, ...]
    plus: int = 0
    floor: int | None = None
    minus: tuple[Addend, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a sum without dice, or with more than anyone throws."""
        _check_number("parts", len(self.parts) + len(self.minus))

    @property
    def notation(self) -> str:
        """As in "3d10+5", "d6!+d8-d4", "1d5-3 floor 0"."""
        added, taken = _terms(self.parts), _terms(self.minus)
        text = "+".join(added) + "".join(f"-{term}" for term in taken)
        if self.plus:
            text += f"{self.plus:+d}"
        elif len(added) == 1 and not taken and added[0] == self.parts[0].notation:
            text = f"1{text}"  # a sum of one die, to be told from the die itself
        return text if self.floor is None else f"{text} floor {self.floor}"

    def sample(self, chance: Chance) -> Rolled[int]:
        """Throw the dice to be added, in order, then those to be taken off."""
        die = self.parts[0] if self.parts and not self.minus else None
        if isinstance(die, Die) and self.parts.count(die) == len(self.parts):  # as most are
            shown = chance.dice(die.sides, len(self.parts))
            return Rolled(self._at_floor(self.plus + sum(shown)), tuple(shown))
        rolled = _throw((*self.parts, *self.minus), chance)
        values = [number(r.value) for r in rolled]
        split = len(self.parts)
        total = self.plus + sum(values[:split]) - sum(values[split:])
        return Rolled(self._at_floor(total), _faces(rolled))

    def distribution(self, *, enough: int | None = None) -> Distribution[int]:  # noqa: ARG002
        """Every total."""
        # As polynomials: the coefficient of x ** n is the weight of `least + n`.
        least, cases, total = self.plus, [1], 1
        for part in self.parts:
            low, row, whole = _row(part)
            least, cases, total = least + low, polynomial_product(cases, row), total * whole
        for part in self.minus:
            low, row, whole = _row(part)
            least -= low + len(row) - 1
            cases, total = polynomial_product(cases, row[::-1]), total * whole
        weights: dict[int, int] = {}
        for value, weight in enumerate(cases, start=least):
            if weight:
                value = self._at_floor(value)
                weights[value] = weights.get(value, 0) + weight
        return counted(weights, total)

    def _at_floor(self, total: int) -> int:
        return total if self.floor is None else max(self.floor, total)


Addend: TypeAlias = Die | HalfDie | Percentile | ExplodeOnce | Keep
"""What has a number, and so can be added up."""

Part: TypeAlias = Die | HalfDie | Percentile | ExplodeOnce | Keep | Sum
"""What can stand beside others in an `Each`."""


def _check_number(place: str, dice: int) -> None:
    if not 1 <= dice <= MOST_TOGETHER:
        raise BadInput(place, dice, f"1 to {MOST_TOGETHER} dice")


def number(value: int | Exploded) -> int:
    """The number that a value adds to a sum."""
    return value.total if isinstance(value, Exploded) else value


def _distribution(part: Part) -> Distribution[Any]:
    return part.distribution()


def _row(part: Addend) -> tuple[int, list[int], int]:
    """A distribution of numbers as its least value, its weights in a row, their total."""
    numbers = _distribution(part).map(number)
    least, most = min(numbers.weights), max(numbers.weights)
    return least, [numbers.weights.get(n, 0) for n in range(least, most + 1)], numbers.total


def _throw(parts: tuple[Part, ...], chance: Chance) -> list[Rolled[Any]]:
    """Throw part after part, neighbouring plain dice of one kind in one throw."""
    rolled: list[Rolled[Any]] = []
    for part, run in groupby(parts):
        count = len(list(run))
        if isinstance(part, Die):
            rolled += [Rolled(face, (face,)) for face in chance.dice(part.sides, count)]
        elif isinstance(part, HalfDie):
            rolled += [Rolled(half_up(face), (face,)) for face in chance.dice(10, count)]
        else:
            rolled += [part.sample(chance) for _ in range(count)]
    return rolled


def _faces(rolled: list[Rolled[Any]]) -> tuple[int, ...]:
    return tuple(face for one in rolled for face in one.faces)


def _terms(parts: tuple[Addend, ...]) -> list[str]:
    """The notation of each run of equal parts, as in "3d10"."""
    terms: list[str] = []
    for part, run in groupby(parts):
        count = len(list(run))
        if isinstance(part, Keep):
            terms += [part.notation] * count
        else:
            terms.append(part.notation if count == 1 else f"{count}{part.notation}")
    return terms
