"""Closed forms for pools that are not open-ended: binomial and multinomial.

A die of a shade with t traitor faces shows a 6 on one face, another success on
5 - t faces and a traitor on t faces, independently of all other dice.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from math import comb, gcd
from operator import mul

from astragal.dice.count import NO_DICE, Count, CountWithOnes
from astragal.dice.distribution import Distribution, counted
from astragal.dice.shades import Shade, Shaded

CACHED = 1024
"""How many pools each closed form remembers."""


def binomial_row(count: int, failing: int, succeeding: int) -> list[int]:
    """The coefficients of `(failing + succeeding x) ** count`.

    >>> binomial_row(3, 1, 2)
    [1, 6, 12, 8]
    """
    if not failing:
        return [0] * count + [succeeding**count]
    row = [failing**count]
    weight = row[0]
    for k in range(count):
        weight = weight * (count - k) * succeeding // ((k + 1) * failing)
        row.append(weight)
    return row


def polynomial_product(one: list[int], other: list[int]) -> list[int]:
    """The coefficients of the product of two polynomials.

    >>> polynomial_product([1, 1], [1, 2, 1])
    [1, 3, 3, 1]
    """
    if len(one) > len(other):
        one, other = other, one
    turned = one[::-1]
    last = len(one) - 1
    padded = [0] * last + other + [0] * last
    return [
        sum(map(mul, turned, padded[k : k + len(one)])) for k in range(len(one) + len(other) - 1)
    ]


@lru_cache(CACHED)
def flat_successes(dice: Shaded, enough: int | None) -> Distribution[int]:
    """How many dice reach their difficulty number (tests.dice.count_successes)."""
    row, total = [1], 1
    for shade, count in dice.items():
        if count:
            failing = shade.traitor_faces
            faces = 6 // gcd(6, failing)  # black 1 of 2, gray 1 of 3, white 1 of 6
            shade_row = binomial_row(count, 1, faces - 1)
            row = polynomial_product(row, shade_row) if total > 1 else shade_row
            total *= faces**count
    if enough is not None and enough < len(row):
        row[enough:] = [sum(row[enough:])]
    return counted(dict(enumerate(row)), total)


def _classes(
    shade: Shade, dice: int, *, with_ones: bool, below: int
) -> list[tuple[int, int, int, int, int]]:
    """Every class of one shade's dice: weight, successes, sixes, traitors, ones.

    Ones are told apart only when asked for, and classes of `below` successes or more
    are left out.
    """
    failing = shade.traitor_faces
    classes = []
    for traitors in range(max(0, dice - below + 1), dice + 1):
        successes = dice - traitors
        fallen = comb(dice, traitors)
        splits = binomial_row(traitors, failing - 1, 1) if with_ones else [failing**traitors]
        for sixes, weight in enumerate(binomial_row(successes, 5 - failing, 1)):
            for ones, split in enumerate(splits):
                if split:  # a white traitor is always a one
                    classes.append((fallen * weight * split, successes, sixes, traitors, ones))
    return classes


def _joined(
    dice: Shaded, *, with_ones: bool, below: int
) -> Iterator[tuple[int, int, Shaded, Shaded, int]]:
    """Every class of a mixed pool: weight, successes, sixes, traitors, ones."""
    shaded = every_part(dice)
    by_shade = (
        _classes(shade, count, with_ones=with_ones, below=below) for shade, count in dice.items()
    )
    for black, gray, white in product(*by_shade):
        black_weight, black_successes, black_sixes, black_traitors, black_ones = black
        gray_weight, gray_successes, gray_sixes, gray_traitors, gray_ones = gray
        white_weight, white_successes, white_sixes, white_traitors, white_ones = white
        yield (
            black_weight * gray_weight * white_weight,
            black_successes + gray_successes + white_successes,
            shaded[black_sixes, gray_sixes, white_sixes],
            shaded[black_traitors, gray_traitors, white_traitors],
            black_ones + gray_ones + white_ones,
        )


def every_part(dice: Shaded) -> dict[tuple[int, int, int], Shaded]:
    """Every number of dice by shade that is contained in `dice`, made once for sharing."""
    counts = product(range(dice.black + 1), range(dice.gray + 1), range(dice.white + 1))
    return {key: Shaded(*key) for key in counts}


@lru_cache(CACHED)
def flat_counts(dice: Shaded, enough: int | None) -> Distribution[Count]:
    """Successes, sixes and traitors of a flat pool together."""
    limit = dice.total + 1 if enough is None else enough
    total = 6**dice.total
    weights = {
        Count(successes, sixes, traitors): weight
        for weight, successes, sixes, traitors, _ in _joined(dice, with_ones=False, below=limit)
        if successes < limit
    }
    merged = total - sum(weights.values())
    if merged:
        weights[Count(limit)] = merged
    return counted(weights, total)


@lru_cache(CACHED)
def flat_counts_with_ones(dice: Shaded, enough: int | None) -> Distribution[CountWithOnes]:
    """Successes, sixes, traitors and ones of a flat pool together.

    Enough successes make sixes and traitors indifferent, but ones still count.
    """
    limit = dice.total + 1 if enough is None else enough
    weights: dict[CountWithOnes, int] = {}
    for weight, successes, sixes, traitors, ones in _joined(
        dice, with_ones=True, below=dice.total + 1
    ):
        if successes < limit:
            key = CountWithOnes(successes, sixes, traitors, ones)
        else:
            key = CountWithOnes(limit, NO_DICE, NO_DICE, ones)
        weights[key] = weights.get(key, 0) + weight
    return counted(weights, 6**dice.total)
