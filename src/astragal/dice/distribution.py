"""Exact distributions: whole-number weights over a finite set of values.

Counting is done in integers and divided last: a probability is born when somebody
asks for one, as a `Fraction`. Floats, percentages and rounding are left to the
caller. An infinite support is cut where the distribution is built; the weight of
the classes that then stand for "this many or more" is kept in `beyond`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Generic, TypeVar, cast

from astragal.errors import BadInput

V = TypeVar("V", bound=Hashable)
W = TypeVar("W", bound=Hashable)
X = TypeVar("X", bound=Hashable)


class Distribution(Generic[V]):
    """How often each value comes up, out of `total` equally likely cases.

    >>> coin = Distribution.of({0: 1, 1: 1})
    >>> two = coin.combine(coin, lambda a, b: a + b)
    >>> print(two)
    {0: 1, 1: 2, 2: 1} / 4
    >>> two.at_least(1)
    Fraction(3, 4)
    """

    __slots__ = ("_weights", "beyond", "total")
    __hash__ = None  # type: ignore[assignment]  # equality is by probability, so no cheap hash

    _weights: dict[V, int]
    total: int
    """The sum of all weights."""
    beyond: int
    """The weight in classes that stand for "this many or more" since the support was cut."""

    def __init__(self, weights: Mapping[V, int], *, beyond: int = 0) -> None:
        """Check and copy the weights; see `of`."""
        kept: dict[V, int] = {}
        for value, weight in weights.items():
            if weight < 0:
                raise BadInput(f"weights[{value!r}]", weight, "a weight of 0 or more")
            if weight:
                kept[value] = weight
        total = sum(kept.values())
        if not total:
            raise BadInput("weights", dict(weights), "at least one weight above 0")
        if not 0 <= beyond <= total:
            raise BadInput("beyond", beyond, f"a part of the total weight, 0 to {total}")
        self._weights, self.total, self.beyond = kept, total, beyond

    # ------------------------------------------------------------------ making one

    @classmethod
    def of(cls, weights: Mapping[V, int]) -> Distribution[V]:
        """The distribution with these whole-number weights."""
        return cls(weights)

    @classmethod
    def certain(cls, value: V) -> Distribution[V]:
        """The distribution in which only `value` ever comes up."""
        return counted({value: 1}, 1)

    @classmethod
    def mix(
        cls, parts: Iterable[tuple[int, Distribution[V]]], *, beyond: int = 0
    ) -> Distribution[V]:
        """One of the parts, each as likely as its weight says.

        `beyond` is how much of the parts' own weight stands for "this many or more".

        >>> sun, either = Distribution.certain("sun"), Distribution.of({"sun": 1, "rain": 1})
        >>> print(Distribution.mix([(1, sun), (2, either)]))
        {'rain': 1, 'sun': 2} / 3
        """
        given = [(weight, part) for weight, part in parts if weight]
        if not given or any(weight < 0 for weight, _ in given):
            raise BadInput("weights", [weight for weight, _ in given], "weights above 0")
        if len({id(part) for _, part in given}) < len(given):
            given = _each_once(given)
        common = math.lcm(*{part.total for _, part in given})
        mixed: dict[V, int] = {}
        get = mixed.get
        parts_weight = 0
        beyond *= common
        for weight, part in given:
            parts_weight += weight
            factor = weight * (common // part.total)
            beyond += part.beyond * factor
            weights = part._weights
            if mixed.keys().isdisjoint(weights):
                mixed.update(zip(weights, [w * factor for w in weights.values()], strict=True))
            else:
                for value, w in weights.items():
                    mixed[value] = get(value, 0) + w * factor
        total = common * parts_weight
        return counted(mixed, total, min(beyond, total))

    @classmethod
    def mix_with(
        cls,
        parts: Iterable[tuple[Mapping[W, int], Distribution[V]]],
        f: Callable[[V, W], X],
        *,
        beyond: int = 0,
    ) -> Distribution[X]:
        """One of the parts, with one of the things that lead to it, each as likely as its weight.

        >>> met = [({"Ann": 1, "Bob": 2}, Distribution.certain("sun"))]
        >>> print(Distribution.mix_with(met, lambda sky, who: f"{who}: {sky}"))
        {'Ann: sun': 1, 'Bob: sun': 2} / 3
        """
        given = list(parts)
        common = math.lcm(*{part.total for _, part in given})
        mixed: dict[X, int] = {}
        get = mixed.get
        parts_weight = 0
        beyond *= common
        for ways, part in given:
            weight = sum(ways.values())
            parts_weight += weight
            factor = common // part.total
            beyond += part.beyond * factor * weight
            for value, w in part._weights.items():
                scaled = w * factor
                for way, times in ways.items():
                    new = f(value, way)
                    mixed[new] = get(new, 0) + scaled * times
        total = common * parts_weight
        return counted(mixed, total, min(beyond, total))

    # ------------------------------------------------------------------ reading one

    @property
    def weights(self) -> Mapping[V, int]:
        """The weight of each value; every weight is above 0."""
        return MappingProxyType(self._weights)

    @property
    def support(self) -> tuple[V, ...]:
        """The values that can come up, sorted where they can be sorted."""
        return tuple(value for value, _ in self.items())

    def items(self) -> list[tuple[V, int]]:
        """Values with their weights, sorted by value where values can be sorted."""
        pairs = list(self._weights.items())
        try:
            pairs.sort(key=lambda pair: cast(Any, pair[0]))
        except TypeError:
            return list(self._weights.items())
        return pairs

    def __iter__(self) -> Iterator[V]:
        return iter(self.support)

    def __len__(self) -> int:
        return len(self._weights)

    def __contains__(self, value: object) -> bool:
        return value in self._weights

    def chance(self, value: V) -> Fraction:
        """The probability of exactly this value."""
        return Fraction(self._weights.get(value, 0), self.total)

    def where(self, predicate: Callable[[V], bool]) -> Fraction:
        """The probability of the values for which `predicate` holds."""
        return Fraction(sum(w for v, w in self._weights.items() if predicate(v)), self.total)

    def at_least(self: Distribution[int], least: int) -> Fraction:
        """The probability of `least` or more."""
        return Fraction(sum(w for v, w in self._weights.items() if v >= least), self.total)

    def at_most(self: Distribution[int], most: int) -> Fraction:
        """The probability of `most` or less."""
        return Fraction(sum(w for v, w in self._weights.items() if v <= most), self.total)

    def mean(self) -> Fraction:
        """The average of a distribution of numbers; a cut class counts as its least value."""
        numbers = cast("Distribution[int]", self)
        return Fraction(sum(v * w for v, w in numbers._weights.items())) / self.total

    def variance(self) -> Fraction:
        """The mean square distance from the mean, for a distribution of numbers."""
        numbers = cast("Distribution[int]", self)
        squares = Fraction(sum(v * v * w for v, w in numbers._weights.items())) / self.total
        return squares - self.mean() ** 2

    # ------------------------------------------------------------------ making another

    def map(self, f: Callable[..., W], *more: Any) -> Distribution[W]:
        """The distribution of `f(value, *more)`; values that become equal are merged."""
        new = [f(value, *more) for value in self._weights]
        mapped = dict(zip(new, self._weights.values(), strict=True))
        if len(mapped) < len(new):  # what lay there already is counted again, one by one
            mapped = {}
            get = mapped.get
            for value, weight in zip(new, self._weights.values(), strict=True):
                mapped[value] = get(value, 0) + weight
        return counted(mapped, self.total, self.beyond)

    def combine(self, other: Distribution[W], f: Callable[[V, W], X]) -> Distribution[X]:
        """The distribution of `f(one, another)` for independent values of the two."""
        combined: dict[X, int] = {}
        get = combined.get
        others = list(other._weights.items())
        for one, weight in self._weights.items():
            for another, w in others:
                new = f(one, another)
                combined[new] = get(new, 0) + weight * w
        total = self.total * other.total
        inside = (self.total - self.beyond) * (other.total - other.beyond)
        return counted(combined, total, total - inside)

    def reduced(self) -> Distribution[V]:
        """The same distribution with the smallest whole-number weights."""
        divisor = math.gcd(self.total, self.beyond, *self._weights.values())
        if divisor == 1:
            return self
        small = {value: weight // divisor for value, weight in self._weights.items()}
        return counted(small, self.total // divisor, self.beyond // divisor)

    # ------------------------------------------------------------------ comparing, showing

    def __eq__(self, other: object) -> bool:
        """Whether all probabilities are the same, however large the weights are."""
        if not isinstance(other, Distribution):
            return NotImplemented
        mine, theirs = self._weights, other._weights
        return mine.keys() == theirs.keys() and all(
            weight * other.total == theirs[value] * self.total for value, weight in mine.items()
        )

    def __str__(self) -> str:
        reduced = self.reduced()
        inside = ", ".join(f"{value!r}: {weight}" for value, weight in reduced.items())
        cut = f", {reduced.beyond} beyond" if reduced.beyond else ""
        return f"{{{inside}}} / {reduced.total}{cut}"

    def __repr__(self) -> str:
        return f"<Distribution {self}>"


def _each_once(parts: list[tuple[int, Distribution[V]]]) -> list[tuple[int, Distribution[V]]]:
    """The parts without repetitions, each with all its weight: many paths lead to the same one."""
    weights: dict[int, int] = {}
    for weight, part in parts:
        weights[id(part)] = weights.get(id(part), 0) + weight
    return [(weights[key], part) for key, part in {id(part): part for _, part in parts}.items()]


def counted(weights: dict[V, int], total: int, beyond: int = 0) -> Distribution[V]:
    """Wrap weights that are known to be positive and to add up to `total`, unchecked.

    This is for the closed forms and the drivers, which make distributions by the
    thousand; the dictionary is kept, not copied.
    """
    made: Distribution[V] = Distribution.__new__(Distribution)
    made._weights, made.total, made.beyond = weights, total, beyond
    return made
