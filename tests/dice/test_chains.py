from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice import Count, OpenEnded, Pool, Shade, Shaded
from dice.oracles import chances, every_throw, pool_series

CHAINS = [OpenEnded.SIXES, OpenEnded.ONES_AND_SIXES]
chains = st.sampled_from(CHAINS)
some_dice = st.builds(Shaded, *[st.integers(0, 3)] * 3)
MANY = [Shaded(18), Shaded(gray=12), Shaded(white=9), Shaded(5, 4, 3), Shaded(0, 1, 17)]


@pytest.mark.slow
@pytest.mark.rules("tests.open_ended.six_gives_a_die", "gold.roll.astrology_ones")
@settings(max_examples=40, deadline=None)
@given(some_dice, chains)
def test_chances_are_those_of_the_power_series(dice, kind):
    length = 12
    series = pool_series(dice, kind, length)
    pool = Pool(dice, kind)
    below = [Fraction(0), *accumulate(series)]
    assert [pool.chance_of(k) for k in range(length)] == series
    assert [pool.at_least(k) for k in range(length)] == [1 - b for b in below[:length]]


@pytest.mark.parametrize("kind", CHAINS)
@pytest.mark.parametrize("dice", MANY, ids=str)
def test_large_pools_too(dice, kind):
    series = pool_series(dice, kind, 30)
    pool = Pool(dice, kind)
    assert [pool.chance_of(k) for k in range(30)] == series
    assert pool.at_least(30) == 1 - sum(series)


@pytest.mark.parametrize("kind", CHAINS)
@pytest.mark.parametrize("dice", [*MANY, Shaded(1), Shaded(white=2), Shaded()], ids=str)
def test_the_distribution_is_cut_where_next_to_nothing_lies_beyond(dice, kind):
    pool = Pool(dice, kind)
    found = pool.successes().distribution()
    last = max(found.weights)
    assert sum(found.weights.values()) == found.total
    assert all(found.chance(k) == pool.chance_of(k) for k in range(last))
    if not dice:
        assert chances(found) == {0: 1}
        assert found.beyond == 0
        return
    assert found.chance(last) == pool.at_least(last) == Fraction(found.beyond, found.total)
    assert pool.at_least(last) < Fraction(1, 10**12) <= pool.at_least(last - 1)


@pytest.mark.parametrize("kind", CHAINS)
@pytest.mark.parametrize("k", [-1, 0, 1, 7, 60, 300])
def test_the_tail_is_exact_however_far(kind, k):
    for dice in (Shaded(3), Shaded(2, 2), Shaded(white=2), Shaded()):
        pool = Pool(dice, kind)
        assert pool.at_least(k) - pool.at_least(k + 1) == pool.chance_of(k)
        if dice:
            assert pool.at_least(k) > 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", CHAINS)
@settings(max_examples=15, deadline=None)
@given(dice=some_dice, enough=st.integers(0, 8))
def test_more_than_enough_is_one_exact_class(kind, dice, enough):
    pool = Pool(dice, kind)
    found = pool.successes().distribution(enough=enough)
    assert found.beyond == 0
    expected = {k: pool.chance_of(k) for k in range(enough)} | {enough: pool.at_least(enough)}
    assert chances(found) == {k: c for k, c in expected.items() if c}
    counts = pool.distribution(enough=enough)
    assert counts.map(lambda count: count.successes) == found
    if dice and enough:
        assert counts.chance(Count(enough)) == pool.at_least(enough)
    if kind is OpenEnded.SIXES:
        assert counts.beyond == 0


@pytest.mark.slow
@pytest.mark.rules(
    "tests.open_ended.six_gives_a_die",
    "tests.amb.open_ended_chain",
    "artha.amb.after_roll_order",
    "gold.roll.astrology_ones",
    "gold.amb.astrology_ones",
)
@pytest.mark.parametrize("kind", CHAINS)
@pytest.mark.parametrize(
    "dice",
    [Shaded(1), Shaded(gray=1), Shaded(white=1), Shaded(2), Shaded(1, 1), Shaded(1, 0, 1)],
    ids=str,
)
def test_every_throw_of_an_open_ended_pool_is_counted(dice, kind):
    # Each die thrown is a success or a traitor, so a class whose numbers add up to no
    # more than the dice thrown here has been met in full.
    most = 6
    thrown, unfinished = every_throw(Pool(dice, kind), most)
    found = Pool(dice, kind).distribution()
    met = {c: p for c, p in chances(found).items() if c.successes + c.traitors.total <= most}
    assert thrown == met
    assert 0 < unfinished == 1 - sum(met.values())


@pytest.mark.parametrize("dice", [Shaded(1), Shaded(2), Shaded(0, 1, 1)], ids=str)
def test_every_throw_of_an_open_ended_pool_with_ones_is_counted(dice):
    most = 6
    expression = Pool(dice, OpenEnded.SIXES).with_ones()
    thrown, _ = every_throw(expression, most)
    found = expression.distribution()
    met = {c: p for c, p in chances(found).items() if c.successes + c.traitors.total <= most}
    assert thrown == met


@pytest.mark.parametrize("enough", [None, 0, 2, 5])
@pytest.mark.parametrize("dice", [Shaded(3), Shaded(1, 2, 1), Shaded()], ids=str)
def test_counting_ones_changes_nothing_else(dice, enough):
    pool = Pool(dice, OpenEnded.SIXES)
    with_ones = pool.with_ones().distribution(enough=enough)
    forgotten = with_ones.map(lambda c: Count(c.successes, c.sixes, c.traitors))
    assert forgotten == pool.distribution(enough=enough)
    assert Fraction(with_ones.beyond, with_ones.total) == Fraction(
        pool.distribution(enough=enough).beyond, pool.distribution(enough=enough).total
    )
    assert with_ones.map(lambda c: c.ones).mean() == Fraction(dice.total, 6)


def test_traitors_without_bound_are_cut_too():
    found = Pool.of(3, open_ended=OpenEnded.ONES_AND_SIXES).distribution(enough=2)
    assert 0 < Fraction(found.beyond, found.total) < Fraction(1, 10**12)
    most = max(c.traitors.black for c in found)
    assert Fraction(found.beyond, found.total) == found.where(lambda c: c.traitors.black == most)


@pytest.mark.rules("gold.roll.astrology_ones")
def test_a_white_die_open_on_ones_goes_on_until_it_succeeds():
    pool = Pool.of(4, Shade.WHITE, open_ended=OpenEnded.ONES_AND_SIXES)
    assert pool.at_least(4) == 1
    assert min(pool.successes().distribution()) == 4


@pytest.mark.rules("tests.open_ended.six_gives_a_die")
def test_figures_worked_out_by_hand():
    one = Pool.of(1, open_ended=OpenEnded.SIXES)
    # a traitor; a 4 or 5, or a 6 and a traitor; then one sixth of that for each further 6
    assert one.chance_of(0) == Fraction(1, 2)
    assert one.chance_of(1) == Fraction(2, 6) + Fraction(1, 6) * Fraction(1, 2)
    assert one.at_least(2) == Fraction(1, 6) * Fraction(1, 2)
    assert one.at_least(3) == Fraction(1, 6) * one.at_least(2)
