"""Closed forms against icepool and dyce, case by case, as exact fractions."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import product

import dyce
import icepool
import pytest

from astragal.dice import (
    Die,
    Each,
    ExplodeOnce,
    HalfDie,
    Keep,
    OpenEnded,
    Percentile,
    Pool,
    Shade,
    Shaded,
    Sum,
    Which,
)

SIZES = (4, 6, 8, 10, 12)
SHADES = tuple(Shade)

FLAT = [(shade, n) for shade in SHADES for n in (*range(21), 25, 30, 50, 100)]
MIXED = [Shaded(*n) for n in product((0, 1, 3, 6), repeat=3) if sum(map(bool, n)) > 1]
OPEN = [Shaded.of(shade, n) for shade in SHADES for n in (*range(1, 13), 15, 18)]
OPEN_MIXED = [Shaded(*n) for n in product((0, 1, 2, 4), repeat=3) if sum(map(bool, n)) > 1]
SUMS = [(n, sides, plus) for n in (1, 2, 3, 5, 8) for sides in SIZES for plus in (-3, 0, 5)]
KEPT = [
    (n, sides, which, kept)
    for sides in (6, 8, 10)
    for n in range(1, 6)
    for which in Which
    for kept in range(1, n + 1)
]
TESTS = [(core, bonus, penalty) for core in SIZES for bonus in (0, 1) for penalty in (0, 1)]
D5 = [(n, plus, floor) for n in (1, 2, 3) for plus in (-3, -1, 0, 4) for floor in (None, 0)]


def test_the_grid_has_at_least_500_cases():
    grids = (FLAT, FLAT, MIXED, MIXED, OPEN, OPEN, OPEN_MIXED, SUMS, SUMS, KEPT, KEPT, TESTS, D5)
    assert sum(map(len, grids)) >= 500


def by_icepool(die: icepool.Die[int]) -> dict[int, Fraction]:
    return {v: Fraction(q, die.denominator()) for v, q in die.items() if q}


def by_dyce(h: dyce.H) -> dict[int, Fraction]:
    total = sum(count for _, count in h.items())
    return {int(v): Fraction(count, total) for v, count in h.items() if count}


def ours(distribution) -> dict[int, Fraction]:
    return {v: distribution.chance(v) for v in distribution}


def icepool_success(shade: Shade) -> icepool.Die[int]:
    return icepool.d6.map(lambda face: int(face >= shade.difficulty))


def dyce_success(shade: Shade) -> dyce.H:
    return dyce.H({0: shade.difficulty - 1, 1: 7 - shade.difficulty})


# ---------------------------------------------------------------------- flat pools


@pytest.mark.rules("tests.dice.success_black", "tests.shade.difficulty_number")
@pytest.mark.parametrize(("shade", "n"), FLAT)
def test_flat_pool_as_icepool(shade, n):
    expected = by_icepool(n @ icepool_success(shade)) if n else {0: Fraction(1)}
    assert ours(Pool.of(n, shade).successes().distribution()) == expected


@pytest.mark.parametrize(("shade", "n"), FLAT)
def test_flat_pool_as_dyce(shade, n):
    expected = by_dyce(n @ dyce_success(shade)) if n else {0: Fraction(1)}
    assert ours(Pool.of(n, shade).successes().distribution()) == expected


@pytest.mark.parametrize("dice", MIXED, ids=str)
def test_mixed_pool_as_icepool(dice):
    whole = sum((n @ icepool_success(shade) for shade, n in dice.items() if n), icepool.Die([0]))
    assert ours(Pool(dice).successes().distribution()) == by_icepool(whole)


@pytest.mark.parametrize("dice", MIXED, ids=str)
def test_mixed_pool_as_dyce(dice):
    whole = dyce.H({0: 1})
    for shade, n in dice.items():
        if n:
            whole = whole + n @ dyce_success(shade)
    assert ours(Pool(dice).successes().distribution()) == by_dyce(whole)


# ---------------------------------------------------------------------- open-ended pools

DEPTH = 12  # up to so many successes a chain cut after so many sixes is exact


@cache
def icepool_chain(shade: Shade, depth: int = DEPTH) -> icepool.Die[int]:
    faces: list[object] = [int(face >= shade.difficulty) for face in range(1, 6)]
    last = 1 if depth == 0 else icepool_chain(shade, depth - 1) + 1
    return icepool.Die([*faces, last])


@cache
def dyce_chain(shade: Shade, depth: int = DEPTH) -> dyce.H:
    # Weights out of 6 ** (depth + 1), so that the sub-chain can be put in place of the 6.
    if depth == 0:
        return dyce_success(shade)
    deeper = dyce_chain(shade, depth - 1)
    scale = 6**depth
    weights = {0: (shade.difficulty - 1) * scale, 1: (6 - shade.difficulty) * scale}
    for value, count in deeper.items():
        weights[int(value) + 1] = weights.get(int(value) + 1, 0) + count
    return dyce.H(weights)


@pytest.mark.rules("tests.open_ended.six_gives_a_die", "tests.amb.open_ended_chain")
@pytest.mark.parametrize("dice", OPEN + OPEN_MIXED, ids=str)
def test_open_ended_pool_as_icepool(dice):
    whole = sum((n @ icepool_chain(shade) for shade, n in dice.items() if n), icepool.Die([0]))
    expected = by_icepool(whole)
    pool = Pool(dice, OpenEnded.SIXES)
    found = pool.successes().distribution()
    for k in range(DEPTH + 1):
        assert pool.chance_of(k) == found.chance(k) == expected[k]


@pytest.mark.parametrize("dice", OPEN, ids=str)
def test_open_ended_pool_as_dyce(dice):
    ((shade, n),) = [(shade, n) for shade, n in dice.items() if n]
    expected = by_dyce(n @ dyce_chain(shade))
    for k in range(DEPTH + 1):
        assert Pool(dice, OpenEnded.SIXES).chance_of(k) == expected[k]


# ---------------------------------------------------------------------- sums, keeps, readings


@pytest.mark.rules("percentile.dice.d10", "percentile.dice.fixed_modifier")
@pytest.mark.parametrize(("n", "sides", "plus"), SUMS)
def test_sum_as_icepool(n, sides, plus):
    expected = by_icepool(n @ icepool.d(sides) + plus)
    assert ours(Sum((Die(sides),) * n, plus).distribution()) == expected


@pytest.mark.parametrize(("n", "sides", "plus"), SUMS)
def test_sum_as_dyce(n, sides, plus):
    expected = by_dyce(n @ dyce.H(range(1, sides + 1)) + plus)
    assert ours(Sum((Die(sides),) * n, plus).distribution()) == expected


@pytest.mark.parametrize(("n", "sides", "which", "kept"), KEPT)
def test_keep_as_icepool(n, sides, which, kept):
    pool = icepool.d(sides).pool(n)
    best = pool.highest(kept) if which is Which.HIGHEST else pool.lowest(kept)
    keep = Keep(Each((Die(sides),) * n), which, kept)
    assert ours(keep.distribution()) == by_icepool(best.sum())


@pytest.mark.parametrize(("n", "sides", "which", "kept"), KEPT)
def test_keep_as_dyce(n, sides, which, kept):
    some = slice(-kept, None) if which is Which.HIGHEST else slice(kept)
    sums: dict[int, int] = defaultdict(int)
    for faces, count in dyce.P(*[dyce.H(range(1, sides + 1))] * n).rolls_with_counts(some):
        sums[sum(faces)] += count
    keep = Keep(Each((Die(sides),) * n), which, kept)
    assert ours(keep.distribution()) == by_dyce(dyce.H(sums))


@pytest.mark.rules("cores.explode.six", "cores.explode.once", "cores.dice.bonus")
@pytest.mark.parametrize(("core", "bonus", "penalty"), TESTS)
def test_exploding_base_die_as_icepool(core, bonus, penalty):
    expected = icepool.d6.explode(depth=1) + icepool.d(core)
    expected = expected + bonus @ icepool.d4 if bonus else expected
    expected = expected - penalty @ icepool.d4 if penalty else expected
    d4 = (Die(4),)
    test = Sum((ExplodeOnce(Die(6)), Die(core), *d4 * bonus), minus=d4 * penalty)
    assert ours(test.distribution()) == by_icepool(expected)


@pytest.mark.rules("percentile.dice.d5", "percentile.dice.floor_zero")
@pytest.mark.parametrize(("n", "plus", "floor"), D5)
def test_d5_as_icepool(n, plus, floor):
    expected = n @ icepool.d10.map(lambda face: -(-face // 2)) + plus
    if floor is not None:
        expected = expected.map(lambda total: max(floor, total))
    assert ours(Sum((HalfDie(),) * n, plus, floor).distribution()) == by_icepool(expected)


@pytest.mark.rules("percentile.dice.d100")
def test_d100_as_icepool():
    expected = icepool.map(
        lambda tens, ones: tens % 10 * 10 + ones % 10 or 100, icepool.d10, icepool.d10
    )
    assert ours(Percentile().distribution()) == by_icepool(expected) == by_icepool(icepool.d100)
