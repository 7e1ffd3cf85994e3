"""Maneuvers by Reflexes: how many there are in an action, and in which order they come."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.games.burning_wheel.conflicts.fight.reflexes import in_order, maneuvers
from astragal.games.burning_wheel.sheet.ratings import Rating
from astragal.rules import Options

PLAIN = Options.of("burning_wheel")


@pytest.mark.rules("shades.reflexes.double_actions")
@pytest.mark.parametrize(
    ("reflexes_", "choice", "expected"),
    [
        ("B6", "two_maneuvers", 1),
        ("G3", "two_maneuvers", 2),
        ("W3", "two_maneuvers", 2),
        ("B6", "three_maneuvers", 1),
        ("G3", "three_maneuvers", 2),
        ("W3", "three_maneuvers", 3),
    ],
)
def test_lighter_reflexes_bring_a_second_maneuver_in_each_action(
    reflexes_: str, choice: str, expected: int
):
    """shades.amb.reflexes_white."""
    options = PLAIN.but(shades_white_reflexes=choice)
    assert maneuvers(Rating.parse(reflexes_), options) == expected


@pytest.mark.rules("shades.reflexes.before_next")
def test_both_maneuvers_of_an_action_come_before_the_opponents_next():
    """shades.amb.reflexes_pair_matching."""
    gray, black = [["a1", "a2"], ["b1", "b2"]], [["x"], ["y"], ["z"]]
    expected = (("a1", "x"), ("a2", None), ("b1", "y"), ("b2", None), (None, "z"))
    assert in_order(gray, black) == expected
    assert in_order(black, gray) == tuple((two, one) for one, two in expected)
    both = (("a1", "a1"), ("a2", "a2"), ("b1", "b1"), ("b2", "b2"))
    assert in_order(gray, gray) == both
    assert in_order([], black) == ((None, "x"), (None, "y"), (None, "z"))


slots = st.lists(st.lists(st.integers(), min_size=1, max_size=3), max_size=5)


@pytest.mark.rules("shades.reflexes.before_next")
@given(slots, slots)
def test_nothing_is_lost_and_no_action_overtakes_another(mine: Any, theirs: Any):
    matches = in_order(mine, theirs)
    assert [a for a, _ in matches if a is not None] == [m for slot in mine for m in slot]
    assert [b for _, b in matches if b is not None] == [m for slot in theirs for m in slot]
    at = 0
    for index in range(max(len(mine), len(theirs))):
        sizes = [len(side[index]) for side in (mine, theirs) if index < len(side)]
        assert all(a is not None or b is not None for a, b in matches[at : at + max(sizes)])
        at += max(sizes)
    assert at == len(matches)
