"""Drawing values from an exact distribution, many at once, without throwing any dice.

A caller who only wants to know how often each value comes up in a million throws need not
throw eight million dice: the closed forms know the weight of each value. What is drawn
follows the distribution exactly; there are no faces for a record.
"""

from __future__ import annotations

import struct
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable
from fractions import Fraction
from functools import partial
from itertools import accumulate
from typing import Protocol, TypeVar

from astragal.dice.distribution import Distribution

V = TypeVar("V", bound=Hashable)

_BITS = 32
_AT_ONCE = 1 << 16


class Bytes(Protocol):
    """A stream of uniform bytes: what `Secure` and `Seeded` throw their dice from."""

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        ...


def draw(distribution: Distribution[V], chance: Bytes, times: int) -> Counter[V]:
    """How often each value came up in a number of independent draws.

    Each draw takes 32 bits as the beginning of a number between 0 and 1, written in
    binary. Where they do not yet tell between which two sums of weights it lies, 32 more
    are taken, and so on, so that every value has exactly its chance.

    >>> from astragal.dice import Die, Seeded
    >>> sorted(draw(Die(6).distribution(), Seeded("a bag of stones"), 600).items())
    [(1, 98), (2, 105), (3, 106), (4, 103), (5, 95), (6, 93)]
    """
    values = list(distribution.weights)
    if len(values) == 1:
        return Counter({values[0]: times})
    sums = list(accumulate(distribution.weights.values()))
    total = distribution.total
    bounds = [(upto << _BITS) // total for upto in sums]
    # A number that begins like a bound lies on either side of it, unless the bound is whole.
    unclear = {bound for bound, upto in zip(bounds, sums, strict=True) if (upto << _BITS) % total}
    place = partial(bisect_right, bounds)
    drawn: Counter[int] = Counter()
    for start in range(0, times, _AT_ONCE):
        words = _words(chance, min(_AT_ONCE, times - start))
        if not unclear.isdisjoint(words):
            drawn.update(_settled([w for w in words if w in unclear], sums, total, chance))
            words = tuple(w for w in words if w not in unclear)
        drawn.update(map(place, words))
    return Counter({values[index]: count for index, count in sorted(drawn.items())})


def _settled(words: Iterable[int], sums: list[int], total: int, chance: Bytes) -> Iterable[int]:
    """Read on for the few numbers whose first bits do not tell enough."""
    for word in words:
        number, bits = word, _BITS
        while True:
            low = bisect_right(sums, Fraction(number * total, 1 << bits))
            high = bisect_left(sums, Fraction((number + 1) * total, 1 << bits))
            if low == high:
                yield low
                break
            number = (number << _BITS) | _words(chance, 1)[0]
            bits += _BITS


def _words(chance: Bytes, count: int) -> tuple[int, ...]:
    words: tuple[int, ...] = struct.unpack(f">{count}I", chance.take(4 * count))
    return words
