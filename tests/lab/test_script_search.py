"""The search by halving, against what counting every play of every candidate says."""

from __future__ import annotations

from random import Random

import pytest

from astragal.lab.script_search import best_by_halving


def noisy(candidate: float, number: int) -> float:
    """A play that is mostly luck, the same luck for every candidate."""
    return candidate + Random(number).gauss(0, 3)


def test_the_best_of_many_is_found_through_luck_that_all_share():
    candidates = [0.1 * at for at in range(16)]
    assert best_by_halving(candidates, noisy, 200).candidate == candidates[-1]


def with_luck_of(seed: int):
    return lambda each, number: each + Random(f"{seed}/{each}/{number}").gauss(0, 3)


def test_with_luck_of_their_own_more_plays_find_better_ones():
    candidates = [0.25 * at for at in range(16)]

    def found(samples: int) -> float:
        found = [best_by_halving(candidates, with_luck_of(seed), samples) for seed in range(60)]
        return sum(each.candidate for each in found) / 60

    few, some, many = found(16), found(120), found(1200)
    assert sum(candidates) / 16 < few < some < many <= 3.75


def test_it_takes_no_more_plays_than_it_may_and_drops_half_each_time():
    played: list[int] = []

    def worth(candidate: int, number: int) -> float:
        played.append(candidate)
        return -candidate

    found = best_by_halving(range(8), worth, 240)
    assert (found.candidate, found.worth) == (0, 0)
    assert found.plays == len(played) <= 240
    # 80 plays in each of three rounds: 10 for each of eight, 20 for four, 40 for two.
    assert [played.count(each) for each in range(8)] == [70, 70, 30, 30, 10, 10, 10, 10]


def test_when_it_is_late_the_best_so_far_is_taken():
    found = best_by_halving([1, 2, 3, 4], lambda each, number: each, 4000, lambda: True)
    assert found == (4, 4.0, 4)


@pytest.mark.parametrize("candidates", [["only"], ["one", "other"]])
def test_few_candidates_need_no_rounds(candidates):
    found = best_by_halving(candidates, lambda each, number: float(each == "other"), 10)
    assert found.candidate == candidates[-1]
