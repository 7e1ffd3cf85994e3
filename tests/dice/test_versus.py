from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice import OpenEnded, Pool, Shade, Shaded, beats

S = OpenEnded.SIXES
small_pools = st.builds(
    Pool, st.builds(Shaded, *[st.integers(0, 2)] * 3), st.sampled_from(OpenEnded)
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(small_pools, small_pools)
def test_the_three_chances_agree_with_a_long_sum(one, other):
    found = beats(one, other)
    assert found.win + found.tie + found.lose == 1
    last = 60
    tie = sum(one.chance_of(k) * other.chance_of(k) for k in range(last))
    win = sum(one.chance_of(k) * (1 - other.at_least(k)) for k in range(last))
    # What the sum leaves out needs sixty successes of one pool at least.
    hair = one.at_least(last)
    assert 0 <= found.tie - tie <= hair
    assert 0 <= found.win - win <= hair
    turned = beats(other, one)
    assert (turned.win, turned.tie, turned.lose) == (found.lose, found.tie, found.win)


def test_one_open_ended_die_against_another_by_hand():
    # 0 with chance 1/2, k with 5/2 * 6**-k: a tie is 1/4 + 25/4 * (1/36 + 1/36**2 + ...)
    tie = Fraction(1, 4) + Fraction(25, 4) * Fraction(1, 35)
    half = (1 - tie) / 2
    found = beats(Pool.of(1, open_ended=S), Pool.of(1, open_ended=S))
    assert (found.win, found.tie, found.lose) == (half, tie, half)


@pytest.mark.parametrize(("mine", "theirs"), [(5, 5), (1, 7), (7, 1), (0, 3), (3, 0), (0, 0)])
def test_flat_pools_by_plain_summing(mine, theirs):
    one, other = Pool.of(mine, Shade.GRAY), Pool.of(theirs)
    pairs = [(a, b) for a in range(mine + 1) for b in range(theirs + 1)]
    win = sum(one.chance_of(a) * other.chance_of(b) for a, b in pairs if a > b)
    tie = sum(one.chance_of(a) * other.chance_of(b) for a, b in pairs if a == b)
    found = beats(one, other)
    assert (found.win, found.tie) == (win, tie)
