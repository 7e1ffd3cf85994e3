"""Two pools against each other, exactly, also when both are open-ended.

Who wins a tie is a rule of the game and left to it (tests.versus.*).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import msgspec

from astragal.dice.chains import stretch, terms
from astragal.dice.count import OpenEnded
from astragal.dice.flat import CACHED, flat_successes
from astragal.dice.harsh import harsh_tails, sum_of_powers
from astragal.dice.pool import Pool


class Versus(msgspec.Struct, frozen=True):
    """The chances of the first pool to have more, as many, or fewer successes."""

    win: Fraction
    tie: Fraction
    lose: Fraction


@lru_cache(CACHED)
def beats(one: Pool, other: Pool) -> Versus:
    """Compare the successes of two pools.

    >>> from astragal.dice import Shade
    >>> beats(Pool.of(1), Pool.of(1, Shade.GRAY))
    Versus(win=Fraction(1, 6), tie=Fraction(1, 2), lose=Fraction(1, 3))
    """
    # Beyond 0 successes, the chance of k and of k or more in an open-ended pool of N dice
    # are each a polynomial in k, of degree N - 1 at most, over q ** k. So their product
    # is one of degree N + M - 2 over (q r) ** k, and the infinite sum has a closed form.
    finite = [pool.dice.total for pool in (one, other) if _is_finite(pool)]
    points = one.dice.total + other.dice.total
    last = min(finite) if finite else points
    mine, whole = _tails(one, last + 1)
    theirs, whole_of_theirs = _tails(other, last + 1)
    exactly = [mine[k] - mine[k + 1] for k in range(last + 1)]
    not_win = [chance * theirs[k] for k, chance in enumerate(exactly)]
    lose = [chance * theirs[k + 1] for k, chance in enumerate(exactly)]
    if finite:
        # Beyond the most that a flat pool can show, one factor of each product is 0.
        not_winning, losing = Fraction(sum(not_win)), Fraction(sum(lose))
    else:
        q = stretch(one.open_ended) * stretch(other.open_ended)
        not_winning, losing = _sum_up(not_win, q), _sum_up(lose, q)
    cases = whole * whole_of_theirs
    return Versus(1 - not_winning / cases, (not_winning - losing) / cases, losing / cases)


def _sum_up(values: list[int], q: int) -> Fraction:
    """Sum all values, of which those from 1 on follow the law told above."""
    polynomial = [value * q**k for k, value in enumerate(values[1:])]
    return values[0] + sum_of_powers(polynomial, q)


def _is_finite(pool: Pool) -> bool:
    return pool.open_ended is OpenEnded.NO or not pool.dice


def _tails(pool: Pool, last: int) -> tuple[list[int], int]:
    """The chances of 0, 1, ..., last successes or more, over one denominator."""
    if _is_finite(pool):
        flat = flat_successes(pool.dice, None)
        tails = [flat.total]
        for k in range(last):
            tails.append(tails[-1] - flat.weights.get(k, 0))
        return tails, flat.total
    if pool.open_ended is OpenEnded.HARSH_ONES:
        return harsh_tails(pool.dice, last)
    q = stretch(pool.open_ended)
    whole = q ** (pool.dice.total + last)
    tails, scale = [whole], q**last
    for _, term in zip(range(last), terms(pool.dice, pool.open_ended), strict=False):
        tails.append(tails[-1] - term * scale)
        scale //= q
    return tails, whole
