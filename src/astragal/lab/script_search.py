"""The best of many candidates, found by trying them out: those that do badly are dropped early.

Every candidate is tried in the same numbered plays, so that luck is the same for all of them; after
each round the worse half is dropped, and those that are left are tried as often as all were before
(successive halving). What comes out is good, never proved to be the best.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

C = TypeVar("C")


class FoundBest(NamedTuple, Generic[C]):
    """The candidate that did best, what it was worth on average, and how many plays that took."""

    candidate: C
    worth: float
    plays: int


def best_by_halving(
    candidates: Sequence[C],
    worth: Callable[[C, int], float],
    samples: int,
    is_late: Callable[[], bool] = lambda: False,
) -> FoundBest[C]:
    """Try candidates in about so many plays, until one is left or it ``is_late``.

    ``worth`` is what a candidate gets in a play with a number.

    >>> best_by_halving([1, 5, 3, 2], lambda candidate, number: candidate, 16)
    FoundBest(candidate=5, worth=5.0, plays=16)
    """
    rounds = max(1, (len(candidates) - 1).bit_length())
    alive = list(range(len(candidates)))
    sums = [0.0] * len(candidates)
    number = plays = 0
    late = False
    while len(alive) > 1 and not late:
        for _ in range(max(1, samples // (rounds * len(alive)))):
            for at in alive:
                sums[at] += worth(candidates[at], number)
            number += 1
            plays += len(alive)
            late = is_late()
            if late:
                break
        # The sort is stable: of those that did equally well the earlier stay.
        alive = sorted(alive, key=lambda at: -sums[at])[: -(-len(alive) // 2)]
    best = alive[0]
    return FoundBest(candidates[best], sums[best] / max(number, 1), plays)
