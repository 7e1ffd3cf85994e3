from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.dice import Count, OpenEnded, Pool, Shade, Shaded
from astragal.dice.harsh import sum_of_powers
from dice.oracles import every_throw

HARSH = OpenEnded.HARSH_ONES
DEPTH = 18
DICE = [Shaded(1), Shaded(gray=1), Shaded(white=1), Shaded(2), Shaded(1, 1), Shaded(1, 1, 1)]


def threat(shade: Shade) -> dict[int, Fraction]:
    """How many successes one threat cancels, to a depth of many ones."""
    chances: dict[int, Fraction] = defaultdict(Fraction)
    for ones in range(DEPTH):
        reached = Fraction(1, 6) ** ones
        for face in range(2, 7):
            chances[ones + (face < shade.difficulty)] += reached / 6
    return chances


def one_die(shade: Shade) -> dict[tuple[int, int], Fraction]:
    """Successes less cancellations, and traitors, of one die."""
    chances: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for sixes in range(DEPTH):
        reached = Fraction(1, 6) ** sixes / 6
        for face in range(2, 6):
            good = face >= shade.difficulty
            chances[sixes + good, 1 - good] += reached
        for cancelled, chance in threat(shade).items():
            chances[sixes - cancelled, 1] += reached * chance
    return chances


def by_the_die(dice: Shaded) -> dict[Count, Fraction]:
    joint: dict[tuple[int, Shaded], Fraction] = {(0, Shaded()): Fraction(1)}
    for shade in dice:
        further: dict[tuple[int, Shaded], Fraction] = defaultdict(Fraction)
        for (net, traitors), chance in joint.items():
            for (more, failed), c in one_die(shade).items():
                further[net + more, traitors + Shaded.of(shade, failed)] += chance * c
        joint = further
    floored: dict[Count, Fraction] = defaultdict(Fraction)
    for (net, traitors), chance in joint.items():
        floored[Count(max(0, net), Shaded(), traitors)] += chance
    return floored


@pytest.mark.slow
@pytest.mark.rules("gold.amb.astrology_ones")
@pytest.mark.parametrize("dice", DICE, ids=str)
def test_chances_are_those_of_single_dice_told_face_by_face(dice):
    # The oracle stops after many ones or sixes, so it can only be a hair too low.
    hair = Fraction(1, 10**12)
    expected = by_the_die(dice)
    found = Pool(dice, HARSH).distribution(enough=6)
    assert found.beyond == 0
    for count in found:
        if count.successes < 6:
            assert 0 <= found.chance(count) - expected[count] < hair
    tail = sum(chance for count, chance in expected.items() if count.successes >= 6)
    assert 0 <= found.chance(Count(6)) - tail < hair


@pytest.mark.rules("gold.amb.astrology_ones")
@pytest.mark.parametrize("dice", DICE[:5], ids=str)
def test_every_throw_has_its_class(dice):
    thrown, unfinished = every_throw(Pool(dice, HARSH), 6)
    found = Pool(dice, HARSH).distribution()
    for count, chance in thrown.items():
        assert chance <= found.chance(count) <= chance + unfinished


@pytest.mark.parametrize("dice", [*DICE, Shaded(6), Shaded(2, 3, 1), Shaded()], ids=str)
def test_all_ways_of_counting_agree(dice):
    pool = Pool(dice, HARSH)
    successes, counts = pool.successes().distribution(), pool.distribution()
    last = max(successes)
    assert sum(successes.weights.values()) == successes.total
    assert counts.map(lambda count: count.successes) == successes
    assert [successes.chance(k) for k in range(last)] == [pool.chance_of(k) for k in range(last)]
    assert successes.chance(last) == pool.at_least(last)
    assert Fraction(successes.beyond, successes.total) == (pool.at_least(last) if dice else 0)
    assert pool.at_least(0) == pool.at_least(-2) == 1
    assert pool.chance_of(-1) == 0
    for enough in (0, 1, 3):
        cut = pool.successes().distribution(enough=enough)
        assert cut == successes.map(lambda k, most=enough: min(k, most))
        assert cut.beyond == 0
    assert pool.distribution(enough=0) == counts.map(lambda count: Count(0))


def test_threats_only_take_away():
    for k in range(1, 12):
        harsh = Pool.of(5, open_ended=HARSH).at_least(k)
        assert harsh < Pool.of(5, open_ended=OpenEnded.SIXES).at_least(k)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=4), st.integers(2, 40))
def test_infinite_sums_are_exact(coefficients, q):
    def p(n):
        return sum(c * n**j for j, c in enumerate(coefficients))

    exact = sum_of_powers([p(n) for n in range(len(coefficients) + 1)], q)
    # s = p(0) + p(1)/q + ... satisfies s = p(0) + (shifted s) / q
    shifted = sum_of_powers([p(n + 1) for n in range(len(coefficients))], q)
    assert exact == p(0) + shifted / q
    assert abs(exact - sum(Fraction(p(n), q**n) for n in range(120))) < Fraction(1, 10**20)
