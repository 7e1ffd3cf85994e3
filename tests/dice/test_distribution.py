from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.dice import Count, Distribution, Shaded, counted
from astragal.errors import BadInput

some = st.dictionaries(st.integers(-5, 5), st.integers(1, 50), min_size=1).map(Distribution.of)


def test_probabilities_are_exact():
    d = Distribution.of({1: 1, 2: 2, 5: 3})
    assert (d.total, len(d), list(d), d.support) == (6, 3, [1, 2, 5], (1, 2, 5))
    assert d.chance(2) == Fraction(1, 3)
    assert d.chance(4) == 0
    assert d.where(lambda v: v % 2 == 1) == Fraction(2, 3)
    assert d.at_least(2) == Fraction(5, 6)
    assert d.at_most(2) == Fraction(1, 2)
    assert d.mean() == Fraction(10, 3)
    assert d.variance() == Fraction(1 + 8 + 75, 6) - Fraction(100, 9)
    assert 5 in d
    assert 4 not in d


def test_weights_cannot_be_changed_through_the_view():
    with pytest.raises(TypeError):
        Distribution.of({1: 1}).weights[1] = 2  # type: ignore[index]


@pytest.mark.parametrize("weights", [{}, {1: 0}, {1: -1, 2: 3}])
def test_weights_must_be_weights(weights):
    with pytest.raises(BadInput):
        Distribution.of(weights)


def test_zero_weights_are_left_out():
    assert list(Distribution.of({1: 1, 2: 0})) == [1]


def test_beyond_is_a_part_of_the_total():
    assert Distribution({1: 1, 2: 3}, beyond=3).beyond == 3
    with pytest.raises(BadInput):
        Distribution({1: 1}, beyond=2)


def test_equality_is_of_probabilities():
    assert Distribution.of({1: 1, 2: 2}) == Distribution.of({1: 3, 2: 6})
    assert Distribution.of({1: 1, 2: 2}) != Distribution.of({1: 2, 2: 1})
    assert Distribution.of({1: 1}) != Distribution.of({1: 1, 2: 1})
    assert Distribution.of({1: 1}) != {1: 1}


def test_values_that_cannot_be_sorted_keep_their_order():
    assert Distribution.of({"b": 1, 1: 2, (): 3}).support == ("b", 1, ())


def test_it_shows_itself_reduced():
    d = counted({Count(0): 4, Count(1): 2}, 6, 2)
    assert str(d).endswith("/ 3, 1 beyond")
    assert repr(Distribution.of({"x": 5})) == "<Distribution {'x': 1} / 1>"
    assert d.reduced().weights == {Count(0): 2, Count(1): 1}
    assert d.reduced().reduced() is not d


@pytest.mark.slow
@given(some, some)
def test_combining_multiplies_and_adds_up(a, b):
    both = a.combine(b, lambda x, y: x + y)
    assert both.mean() == a.mean() + b.mean()
    assert both.variance() == a.variance() + b.variance()
    assert sum(both.weights.values()) == both.total == a.total * b.total


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 9), some), min_size=1))
def test_mixing_is_the_weighted_mean_of_chances(parts):
    whole = sum(weight for weight, _ in parts)
    if not whole:
        with pytest.raises(BadInput):
            Distribution.mix(parts)
        return
    mixed = Distribution.mix(parts)
    assert sum(mixed.weights.values()) == mixed.total
    for value in range(-5, 6):
        expected = sum(weight * part.chance(value) for weight, part in parts) / whole
        assert mixed.chance(value) == expected


def test_a_part_that_comes_several_times_has_all_its_weight():
    coin, die = Distribution.of({0: 1, 1: 1}), Distribution.of({1: 1, 2: 1, 3: 1})
    mixed = Distribution.mix([(1, coin), (2, die), (3, coin)])
    assert mixed == Distribution.of({0: 3, 1: 4, 2: 1, 3: 1})
    assert mixed.total == sum(mixed.weights.values())
    cut = counted({0: 3, 1: 1}, 4, 1)
    thrice = Distribution.mix([(1, cut), (1, coin), (2, cut)])
    assert Fraction(thrice.beyond, thrice.total) == Fraction(3, 16)


def test_mixing_refuses_negative_weights_and_nothing():
    one = Distribution.certain(1)
    for parts in ([], [(0, one)], [(2, one), (-1, one)]):
        with pytest.raises(BadInput):
            Distribution.mix(parts)


@given(some)
def test_mapping_merges_what_becomes_equal(d):
    squared = d.map(lambda v: v * v)
    for value in range(6):
        assert squared.chance(value * value) == d.where(lambda v, n=value: abs(v) == n)


def test_what_lies_beyond_is_carried_along():
    cut = counted({0: 3, 1: 1}, 4, 1)
    whole = Distribution.of({0: 1, 1: 1})
    assert cut.map(lambda v: -v).beyond == 1
    both = cut.combine(cut, lambda a, b: a + b)
    assert Fraction(both.beyond, both.total) == 1 - Fraction(3, 4) ** 2
    mixed = Distribution.mix([(1, cut), (1, whole)])
    assert Fraction(mixed.beyond, mixed.total) == Fraction(1, 8)


def test_counts_sort_by_successes():
    d = Distribution.of({Count(2): 1, Count(0, Shaded(), Shaded(2)): 1, Count(0): 1})
    assert [c.successes for c in d] == [0, 0, 2]


def test_parts_with_what_leads_to_them_are_mixed_by_their_weights():
    """Counted case by case: six equally likely ways, each followed by a coin or a die."""
    coin, die = Distribution.of({0: 1, 1: 1}), Distribution.of(dict.fromkeys(range(3), 1))
    found: Counter[str] = Counter()
    for way, part in [("a", coin), ("b", coin), ("b", coin), ("c", die), ("c", die), ("c", die)]:
        for value, weight in part.weights.items():
            found[f"{way}{min(value, 1)}"] += weight * 6 // part.total
    parts = [({"a": 1, "b": 2}, coin), ({"c": 3}, die)]
    mixed = Distribution.mix_with(parts, lambda value, way: f"{way}{min(value, 1)}")
    assert mixed == Distribution.of(found)
    assert mixed.total == sum(mixed.weights.values())


def test_what_lies_beyond_stays_beyond_when_parts_are_mixed_with_what_leads_to_them():
    cut = Distribution({0: 3, 1: 1}, beyond=1)
    mixed = Distribution.mix_with([({"a": 1}, cut), ({"b": 1}, Distribution.certain(2))], max_of)
    assert Fraction(mixed.beyond, mixed.total) == Fraction(1, 8)


def max_of(value: int, way: str) -> tuple[int, str]:
    return value, way


def test_a_function_of_further_values_merges_what_becomes_equal():
    die = Distribution.of(dict.fromkeys(range(1, 7), 1))
    assert die.map(lambda face, by: face // by, 4) == Distribution.of({0: 3, 1: 3})
    assert die.map(pow, 2).support == (1, 4, 9, 16, 25, 36)
