"""Closed forms for pools whose ones are rolled again as a threat (gold.amb.astrology_ones).

The reading in full, for the setting that the catalogue calls harsh:

- A 6 on a die of the pool, or on a die that a 6 brought, brings one more die.
- A 1 on such a die is a traitor and is rolled again as a *threat*. A traitor there
  cancels one success; a 1 there is such a traitor and is rolled again in turn. A
  success there gives nothing, not even by a 6.
- The successes of the whole roll never fall below 0.
- A threat is no failed die of the test: rerolls take up the die that showed the 1.

With z marking cancelled successes, a threat has the generating function
(6 - t + (t - 1) z) / (6 - z), and a die of the pool, with everything it brings,
(s x + 5 t / (6 - z)) / (6 - x). So N dice end in traitors as they do without the
threats (T of them, t of 5 each); sixes are negative binomial for N dice, and
cancellations negative binomial for T dice. What is needed is the difference of two
negative binomials, an infinite sum with a rational value.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import comb, lcm

from astragal.dice.chains import horizon, traitor_classes
from astragal.dice.count import NO_DICE, Count, OpenEnded
from astragal.dice.distribution import Distribution, counted
from astragal.dice.flat import CACHED
from astragal.dice.shades import Shaded


def sum_of_powers(values: Sequence[int], q: int) -> Fraction:
    """The infinite sum of p(n) / q**n for the polynomial p with p(0), p(1), ... = values.

    There must be more values than the degree of the polynomial. By repeated
    differences: p(n) is the sum of d_j * C(n, j), and C(n, j) / q**n adds up to
    q / (q - 1) ** (j + 1).

    >>> sum_of_powers([1], 2)  # 1 + 1/2 + 1/4 + ...
    Fraction(2, 1)
    >>> sum_of_powers([0, 1], 3)  # 1/3 + 2/9 + 3/27 + ...
    Fraction(3, 4)
    """
    differences = list(values)
    cases = 0
    while differences:
        cases = cases * (q - 1) + differences[0]
        differences = [b - a for a, b in pairwise(differences)]
    return Fraction(cases * q, (q - 1) ** len(values))


def _going_on(count: int, times: int) -> int:
    """The chance that the chains of `count` dice show this many sixes or more, scaled.

    The scale is 6 ** (count + times - 1): fewer than `count` of that many throws may
    end a chain. `times` may be negative, down to 1 - count.
    """
    throws = count + times - 1
    return sum(comb(throws, j) * 5**j for j in range(min(count, throws + 1)))


def _surplus(count: int, traitors: int, least: int) -> Fraction:
    """The chance of `least` more sixes (of `count` dice) than cancellations (of `traitors`)."""
    scale = 6 ** (count + least - 1)
    if not traitors:
        return Fraction(_going_on(count, least), scale)
    values = [
        comb(traitors - 1 + c, c) * _going_on(count, least + c) for c in range(count + traitors - 1)
    ]
    return sum_of_powers(values, 36) * Fraction(5**traitors, 6**traitors * scale)


def _tails(count: int, limit: int) -> tuple[list[list[int]], int]:
    """For each number of traitors the chances of 0, 1, ..., limit successes or more.

    They are integers over one common denominator.
    """
    # Let u(T, d) be the chance of a surplus of d or more with T traitors. One threatened
    # die more divides the generating function by (6 - z) / 5, which says
    # u(T, d + 1) = 6 u(T, d) - 5 u(T - 1, d): after the first, no infinite sum is needed.
    lowest = 1 - count
    starts = [_surplus(count, traitors, lowest) for traitors in range(count + 1)]
    common = lcm(6 ** (count + limit), *(start.denominator for start in starts))
    width = limit + count
    table = [
        [
            _going_on(count, d) * (common // 6 ** (count + d - 1))
            for d in range(lowest, lowest + width)
        ]
    ]
    for start in starts[1:]:
        below = table[-1]
        row = [start.numerator * (common // start.denominator)]
        for d in range(width - 1):
            row.append(6 * row[-1] - 5 * below[d])
        table.append(row)
    # With T traitors, k successes need a surplus of k - (N - T); d = lowest is column 0.
    # Whatever the surplus, the count is 0 or more.
    return [[common, *row[t : t + limit]] for t, row in enumerate(table)], common


@lru_cache(CACHED)
def harsh_successes(dice: Shaded, enough: int | None) -> Distribution[int]:
    """The successes left over, never below 0."""
    if not dice or enough == 0:
        return counted({0: 1}, 1)
    tails, total = harsh_tails(dice, _limit(dice, enough))
    weights = {k: a - b for k, (a, b) in enumerate(pairwise(tails))}
    weights[len(tails) - 1] = tails[-1]
    return counted(weights, total, tails[-1] if enough is None else 0)


def harsh_tails(dice: Shaded, limit: int) -> tuple[list[int], int]:
    """The chances of 0, 1, ..., limit successes or more, over one denominator."""
    table, common = _tails(dice.total, limit)
    by_traitors = [0] * (dice.total + 1)
    for weight, traitors, _ in traitor_classes(dice):
        by_traitors[traitors] += weight
    tails = [
        sum(weight * row[k] for weight, row in zip(by_traitors, table, strict=True))
        for k in range(limit + 1)
    ]
    return tails, common * 5**dice.total


@lru_cache(CACHED)
def harsh_counts(dice: Shaded, enough: int | None) -> Distribution[Count]:
    """Successes left over and traitors, jointly."""
    if not dice or enough == 0:
        return counted({Count(0): 1}, 1)
    limit = _limit(dice, enough)
    table, common = _tails(dice.total, limit)
    weights: dict[Count, int] = {}
    merged = 0
    for weight, traitors, shaded in traitor_classes(dice):
        row = table[traitors]
        for k in range(limit):
            weights[Count(k, NO_DICE, shaded)] = weight * (row[k] - row[k + 1])
        merged += weight * row[limit]
    weights = {count: weight for count, weight in weights.items() if weight}
    weights[Count(limit)] = merged
    return counted(weights, common * 5**dice.total, merged if enough is None else 0)


def harsh_at_least(dice: Shaded, successes: int) -> Fraction:
    """The chance of this many successes or more after all cancellations."""
    count = dice.total
    if not count or successes <= 0:
        return Fraction(successes <= 0)
    cases = Fraction(0)
    for weight, traitors, _ in traitor_classes(dice):
        cases += weight * _surplus(count, traitors, successes - count + traitors)
    return cases * Fraction(1, 5**count)


def harsh_chance_of(dice: Shaded, successes: int) -> Fraction:
    """The chance of exactly this many successes after all cancellations."""
    if successes < 0:
        return Fraction(0)
    return harsh_at_least(dice, successes) - harsh_at_least(dice, successes + 1)


def _limit(dice: Shaded, enough: int | None) -> int:
    # Threats only ever take away, so the horizon without them is far enough.
    return horizon(dice, OpenEnded.SIXES) if enough is None else enough
