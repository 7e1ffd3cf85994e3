from __future__ import annotations

import pytest

from games.burning_wheel.formulas import AHEAD, formula


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("0", {}, 0),
        ("sB", {"sB": 4}, 4),
        ("max(0, sB - sA)", {"sA": 5, "sB": 2}, 0),
        ("defB + ripB", {"defB": 2, "ripB": 3}, 5),
        ("Will(A) - net", {"WillA": 5, "net": 2}, 3),
        ("sA if sA > sB, else 0", {"sA": 3, "sB": 2}, 3),
        ("sA if sA > sB, else 0", {"sA": 2, "sB": 2}, 0),
        ("ripA if defA + ripA > sB, else 0", {"defA": 2, "ripA": 1, "sB": 2}, 1),
        ("R = S", {"R": 3, "S": 3}, True),
        ("R = S", {"R": 2, "S": 3}, False),
        ("R <= 0", {"R": -2, "S": 3}, True),
        ("0 < R < ceil(S / 2)", {"R": 3, "S": 7}, True),
        ("0 < R < ceil(S / 2)", {"R": 4, "S": 7}, False),
        ("R < S and R > ceil(S / 2)", {"R": 5, "S": 7}, True),
        ("sB >= Will(A)", {"sB": 5, "WillA": 5}, True),
    ],
)
def test_a_formula_is_worked_out(text, values, expected):
    assert formula(text)(values) == expected


@pytest.mark.parametrize(
    ("ahead", "a_leads", "b_leads"), [(0, False, False), (1, True, False), (-1, False, True)]
)
def test_equal_sides_may_be_told_apart(ahead, a_leads, b_leads):
    values = {"sA": 2, "sB": 2, AHEAD: ahead}
    assert formula("sA > sB")(values) is a_leads
    assert formula("sB > sA")(values) is b_leads


def test_unequal_sides_are_never_told_apart_otherwise():
    assert formula("sA > sB")({"sA": 2, "sB": 3, AHEAD: 1}) is False


@pytest.mark.parametrize("text", ["print(1)", "sA ** 2", "__import__('os')", "sA.x", "[1]"])
def test_anything_else_is_not_understood(text):
    with pytest.raises(ValueError, match="no formula"):
        formula(text)
