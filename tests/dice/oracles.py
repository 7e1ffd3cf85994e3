"""Answers that the closed forms did not compute: enumeration, power series, statistics."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any

from hypothesis import strategies as st

from astragal.dice import (
    Die,
    Distribution,
    Each,
    ExplodeOnce,
    Expression,
    HalfDie,
    Keep,
    OpenEnded,
    Percentile,
    Pool,
    Recorded,
    Shade,
    Shaded,
    Sum,
    TooFewFaces,
    Which,
)


def every_throw(expression: Expression[Any], most: int) -> tuple[dict[Any, Fraction], Fraction]:
    """Throw all face tuples of at most `most` dice; the second answer is what needs more."""
    found: dict[Any, Fraction] = defaultdict(Fraction)
    unfinished = Fraction(0)
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        faces, weight = waiting.pop()
        recorded = Recorded(faces)
        try:
            rolled = expression.sample(recorded)
        except TooFewFaces as missing:
            if len(faces) + missing.needed > most:
                unfinished += weight
                continue
            each = weight / missing.sides**missing.needed
            waiting += [
                ((*faces, *more), each)
                for more in product(range(1, missing.sides + 1), repeat=missing.needed)
            ]
        else:
            recorded.finish()
            assert rolled.faces == faces
            found[rolled.value] += weight
    return dict(found), unfinished


def chances(distribution: Distribution[Any]) -> dict[Any, Fraction]:
    assert sum(distribution.weights.values()) == distribution.total
    assert all(weight > 0 for weight in distribution.weights.values())
    return {value: distribution.chance(value) for value in distribution}


def chain_series(shade: Shade, kind: OpenEnded, length: int) -> list[Fraction]:
    """The chances of 0, 1, ... successes of one open-ended die, told face by face."""
    chance = [Fraction(0)] * length
    going_on = Fraction(0)  # what a six, one success ago, hands on
    for k in range(length):
        ends = Fraction(0)
        if k == 0:
            ends += Fraction(sum(1 for f in range(1, 6) if f < shade.difficulty and f != 1), 6)
            if kind is OpenEnded.SIXES:
                ends += Fraction(1, 6)
        if k == 1:
            ends += Fraction(sum(1 for f in range(2, 6) if f >= shade.difficulty), 6)
        here = ends + going_on / 6
        if kind is OpenEnded.ONES_AND_SIXES:
            here = here * 6 / 5  # a one starts the same die afresh: h = ends + h / 6
        chance[k] = here
        going_on = here
    return chance


def pool_series(dice: Shaded, kind: OpenEnded, length: int) -> list[Fraction]:
    """The same for a pool, by plain multiplication of the series of its dice."""
    series = [Fraction(1)] + [Fraction(0)] * (length - 1)
    for shade in dice:
        one = chain_series(shade, kind, length)
        series = [sum(series[i] * one[k - i] for i in range(k + 1)) for k in range(length)]
    return series


def chi_square_limit(freedom: int) -> float:
    """The value that chi-square passes once in 10,000 times (Wilson and Hilferty, 1931)."""
    quantile = 3.719  # of the standard normal, for one in 10,000
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + quantile * sqrt(spread)) ** 3


def chi_square(counts: dict[Any, int], distribution: Distribution[Any]) -> tuple[float, int]:
    """The statistic and its degrees of freedom; classes expected below 8 times are pooled."""
    throws = sum(counts.values())
    statistic, classes = 0.0, 0
    rare_seen, rare_expected = throws, float(throws)
    for value, weight in distribution.weights.items():
        expected = throws * weight / distribution.total
        if expected >= 8:
            statistic += (counts.get(value, 0) - expected) ** 2 / expected
            classes += 1
            rare_seen -= counts.get(value, 0)
            rare_expected -= expected
    if rare_expected > 1:
        statistic += (rare_seen - rare_expected) ** 2 / rare_expected
        classes += 1
    return statistic, classes - 1


# ---------------------------------------------------------------------- strategies

shades = st.sampled_from(Shade)
dice_by_shade = st.builds(Shaded, *[st.integers(0, 3)] * 3)
pools = st.builds(Pool, dice_by_shade, st.sampled_from(OpenEnded))
single_dice = st.sampled_from([Die(n) for n in (4, 6, 8, 10, 12)])
readings = st.one_of(
    single_dice, st.builds(ExplodeOnce, single_dice), st.just(HalfDie()), st.just(Percentile())
)


def _keeps(dice: Each) -> st.SearchStrategy[Keep]:
    return st.builds(Keep, st.just(dice), st.sampled_from(Which), st.integers(1, len(dice.parts)))


keeps = st.lists(readings, min_size=1, max_size=3).map(tuple).map(Each).flatmap(_keeps)
addends = st.one_of(readings, keeps)
sums = st.builds(
    Sum,
    st.lists(addends, min_size=1, max_size=3).map(tuple),
    st.integers(-9, 9),
    st.none() | st.integers(-5, 20),
    st.lists(addends, max_size=2).map(tuple),
) | st.builds(Sum, st.just(()), minus=st.lists(addends, min_size=1, max_size=2).map(tuple))
eaches = st.builds(Each, st.lists(st.one_of(addends, sums), min_size=1, max_size=3).map(tuple))
expressions = st.one_of(
    readings,
    keeps,
    sums,
    eaches,
    pools,
    pools.map(Pool.successes),
    pools.filter(lambda p: p.open_ended in (OpenEnded.NO, OpenEnded.SIXES)).map(Pool.with_ones),
)
