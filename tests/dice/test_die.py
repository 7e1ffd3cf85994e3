from __future__ import annotations

from itertools import product

import pytest

from astragal.dice import LADDER, Die, Exploded, ExplodeOnce, HalfDie, Percentile, Recorded, step
from astragal.errors import BadInput
from dice.oracles import chances, every_throw


@pytest.mark.parametrize("sides", [4, 6, 8, 10, 12])
def test_every_throw_of_a_die_is_counted(sides):
    for expression, most in ((Die(sides), 1), (ExplodeOnce(Die(sides)), 2)):
        thrown, unfinished = every_throw(expression, most)
        assert (thrown, unfinished) == (chances(expression.distribution()), 0)


@pytest.mark.rules("percentile.dice.d5", "percentile.dice.d100", "percentile.dice.only_d10")
@pytest.mark.parametrize(("expression", "most"), [(HalfDie(), 1), (Percentile(), 2)])
def test_every_throw_of_a_d5_and_a_d100_is_counted(expression, most):
    thrown, unfinished = every_throw(expression, most)
    assert (thrown, unfinished) == (chances(expression.distribution()), 0)


@pytest.mark.parametrize("sides", [0, 1, 2, 3, 5, 7, 20, 100, -6])
def test_other_dice_are_refused(sides):
    with pytest.raises(
        BadInput, match=f"sides: found {sides}, expected a die of 4, 6, 8, 10 or 12"
    ):
        Die(sides)


@pytest.mark.rules("cores.explode.six", "cores.explode.once")
def test_an_explosive_die_is_rolled_once_more_and_no_more():
    explosive = ExplodeOnce(Die(6))
    assert explosive.sample(Recorded([6, 6])).value == Exploded(6, 6)
    assert explosive.sample(Recorded([5])).value == Exploded(5)
    totals = explosive.distribution().map(lambda value: value.total)
    assert set(totals) == {1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12}


@pytest.mark.rules("percentile.dice.d5")
def test_a_d5_is_half_a_ten_sided_die_rounded_up():
    halves = [HalfDie().sample(Recorded([face])).value for face in range(1, 11)]
    assert halves == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


@pytest.mark.rules("percentile.dice.d100")
@pytest.mark.parametrize(
    ("faces", "result"), [((1, 10), 10), ((10, 1), 1), ((10, 10), 100), ((9, 9), 99), ((3, 7), 37)]
)
def test_a_d100_reads_tens_and_ones(faces, result):
    assert Percentile().sample(Recorded(faces)).value == result


def test_the_ladder_of_dice_has_two_ends():
    for (i, die), steps in product(enumerate(LADDER), range(-6, 7)):
        assert step(die, steps) == LADDER[max(0, min(4, i + steps))]
    assert step(Die(6), -1, lowest=Die(6)) == Die(6)
    assert step(Die(8), 2, highest=Die(10)) == Die(10)
