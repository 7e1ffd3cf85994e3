from __future__ import annotations

from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice import Count, CountWithOnes, Pool, Shaded
from astragal.dice.flat import binomial_row, polynomial_product
from dice.oracles import chances, every_throw

small = st.builds(Shaded, *[st.integers(0, 2)] * 3).filter(lambda dice: dice.total <= 5)


@given(st.integers(0, 12), st.integers(0, 6), st.integers(0, 6))
def test_a_binomial_row_is_the_binomial_theorem(n, failing, succeeding):
    row = [comb(n, k) * failing ** (n - k) * succeeding**k for k in range(n + 1)]
    assert binomial_row(n, failing, succeeding) == row


@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=9),
    st.lists(st.integers(-9, 9), min_size=1, max_size=9),
)
def test_a_polynomial_product_multiplies_values(a, b):
    def value(coefficients):
        return sum(c * 1000**k for k, c in enumerate(coefficients))

    assert value(polynomial_product(a, b)) == value(a) * value(b)


@pytest.mark.slow
@pytest.mark.rules(
    "tests.dice.judged_singly", "tests.dice.count_successes", "tests.shade.difficulty_number"
)
@settings(max_examples=25, deadline=None)
@given(small)
def test_every_throw_of_a_flat_pool_is_counted(dice):
    for expression in (Pool(dice), Pool(dice).successes(), Pool(dice).with_ones()):
        thrown, unfinished = every_throw(expression, dice.total)
        assert not unfinished
        assert thrown == chances(expression.distribution())
        assert expression.distribution().beyond == 0


@settings(deadline=None)
@given(small, st.integers(0, 7))
def test_more_than_enough_is_one_class(dice, enough):
    def cut(count):
        return count if count.successes < enough else Count(enough)

    def cut_but_ones(count):
        if count.successes < enough:
            return count
        return CountWithOnes(enough, Shaded(), Shaded(), count.ones)

    pool = Pool(dice)
    assert pool.distribution(enough=enough) == pool.distribution().map(cut)
    ones = pool.with_ones()
    assert ones.distribution(enough=enough) == ones.distribution().map(cut_but_ones)
    successes = pool.successes()
    assert successes.distribution(enough=enough) == successes.distribution().map(
        lambda k: min(k, enough)
    )


@pytest.mark.rules("artha.luck.open_end", "artha.saving_grace.effect")
def test_sixes_and_traitors_are_told_by_shade_for_luck_and_rerolls():
    one_of_each = Pool(Shaded(1, 1, 1)).distribution()
    # black: 3 traitor faces, 2 successes, a six; gray 2, 3, 1; white 1, 4, 1
    assert one_of_each.weights[Count(0, Shaded(), Shaded(1, 1, 1))] == 3 * 2 * 1
    assert one_of_each.weights[Count(2, Shaded(gray=1), Shaded(black=1))] == 3 * 1 * 4
    assert one_of_each.weights[Count(3, Shaded(1, 1, 1), Shaded())] == 1
    assert one_of_each.total == 216
