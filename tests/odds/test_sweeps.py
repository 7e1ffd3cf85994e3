from __future__ import annotations

import csv
import io
from fractions import Fraction

import pytest

from astragal.errors import BadInput
from astragal.odds import Axis, plain, sweep
from odds.by_hand import at_least


def test_every_cell_is_the_chance_of_its_test():
    heard = []
    grid = sweep(
        plain("burning_wheel", dice=1, ob=1, shade="gray"),
        Axis("dice", (1, 2, 3, 12)),
        Axis("ob", (1, 2, 4)),
        progress=lambda done, total: heard.append((done, total)),
    )
    for ob, line in zip((1, 2, 4), grid.cells, strict=True):
        assert list(line) == [at_least(dice, "gray", ob, False) for dice in (1, 2, 3, 12)]
    assert heard[0] == (1, 12)
    assert heard[-1] == (12, 12)
    assert grid.title == "The Burning Wheel: chance by dice and ob (shade gray)"
    assert grid.chances[0][0] == pytest.approx(2 / 3)


def test_one_number_may_vary_alone_and_in_any_game():
    grid = sweep(plain("percentile", value=40), Axis.parse("modifier", "-10..10"))
    assert grid.down is None
    assert len(grid.cells[0]) == 21
    assert grid.cells[0][10] == Fraction(40, 100)
    shades = sweep(plain("burning_wheel", dice=1, ob=1), Axis.parse("shade", "B, gray,W"))
    assert shades.cells[0] == (Fraction(1, 2), Fraction(2, 3), Fraction(5, 6))


def test_a_sweep_as_a_table_of_values():
    grid = sweep(plain("burning_wheel", dice=1, ob=1), Axis("dice", (1, 2)), Axis("ob", (1,)))
    rows = list(csv.DictReader(io.StringIO(grid.to_csv())))
    assert rows == [
        {"ob": "1", "dice": "1", "chance": "0.5", "exact": "1/2"},
        {"ob": "1", "dice": "2", "chance": "0.75", "exact": "3/4"},
    ]


@pytest.mark.parametrize("text", ["", "..", "1..", "5..1", "a..b", "1,,2", ",", "1...3"])
def test_ranges_that_make_no_sense_are_refused(text):
    with pytest.raises(BadInput, match=r"as in 1\.\.8"):
        Axis.parse("dice", text)


def test_sweeps_too_large_to_read_and_sweeps_of_one_number_twice_are_refused():
    with pytest.raises(BadInput, match="at most"):
        Axis.parse("dice", "1..999999")
    many = Axis("dice", tuple(range(1, 200)))
    with pytest.raises(BadInput, match="cells"):
        sweep(plain("burning_wheel", dice=1, ob=1), many, Axis("ob", tuple(range(1, 200))))
    with pytest.raises(BadInput, match="a number other than"):
        sweep(plain("burning_wheel", dice=1, ob=1), Axis("dice", (1,)), Axis("dice", (1,)))
