from __future__ import annotations

from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice import (
    Die,
    Each,
    Exploded,
    ExplodeOnce,
    HalfDie,
    Keep,
    Percentile,
    Recorded,
    Sum,
    TypedIn,
    Which,
    parse,
)
from astragal.errors import BadInput
from dice.oracles import chances, eaches, every_throw, keeps, sums


def cases(expression) -> int:
    """How many face tuples there are, roughly: what enumeration would cost."""
    match expression:
        case Die(sides):
            return sides
        case ExplodeOnce(die):
            return 2 * die.sides
        case HalfDie():
            return 10
        case Percentile():
            return 100
        case Each(parts):
            return prod(map(cases, parts))
        case Keep(dice):
            return cases(dice)
        case Sum(parts, _, _, minus):
            return prod(map(cases, (*parts, *minus)))
    raise AssertionError(expression)


@pytest.mark.slow
@pytest.mark.rules("signs.roll.two_dice", "percentile.dice.fixed_modifier", "percentile.dice.d10")
@settings(max_examples=60, deadline=None)
@given(st.one_of(eaches, sums, keeps).filter(lambda e: cases(e) <= 3000))
def test_every_throw_is_counted(expression):
    thrown, unfinished = every_throw(expression, 40)
    assert (thrown, unfinished) == (chances(expression.distribution()), 0)


@pytest.mark.parametrize("notation", ["d8-d6!", "d10-(d8, d6)kh1", "d6!-d4!-(d4, d4)kl1"])
def test_lopsided_dice_are_taken_off_the_right_way_round(notation):
    thrown, unfinished = every_throw(parse(notation), 9)
    assert (thrown, unfinished) == (chances(parse(notation).distribution()), 0)


@pytest.mark.rules("signs.roll.two_dice")
def test_each_keeps_values_apart():
    two = Each((Die(8), ExplodeOnce(Die(6))))
    rolled = two.sample(Recorded([7, 6, 2]))
    assert (rolled.value, rolled.faces) == ((7, Exploded(6, 2)), (7, 6, 2))


@pytest.mark.rules("cores.explode.once", "cores.dice.bonus", "cores.dice.penalty")
@pytest.mark.parametrize(
    ("notation", "faces", "total"),
    [
        ("d6+d10+d4", [3, 9, 3], 15),
        ("d6+d10", [2, 6], 8),
        ("d6!+d6", [6, 6, 3], 15),
        ("d6!+d8", [6, 5, 2], 13),
        ("d6+d8-d4", [4, 5, 4], 5),
    ],
)
def test_tests_of_cores_add_up(notation, faces, total):
    assert parse(notation).sample(Recorded(faces)).value == total


@pytest.mark.rules(
    "percentile.dice.d5", "percentile.dice.fixed_modifier", "percentile.dice.floor_zero"
)
def test_d5_dice_are_halved_one_by_one_and_the_floor_comes_last():
    assert parse("2d5").sample(Recorded([7, 10])).value == 9
    assert parse("1d5-3 floor 0").sample(Recorded([2])).value == 0
    assert parse("1d5-3").sample(Recorded([2])).value == -2


@pytest.mark.parametrize(("which", "total"), [(Which.HIGHEST, 13), (Which.LOWEST, 6)])
def test_keep_adds_the_best_or_the_worst(which, total):
    keep = Keep(Each((Die(8), Die(6), Die(10))), which, 2)
    assert keep.sample(Recorded([8, 1, 5])).value == total


def test_neighbouring_dice_of_one_size_are_thrown_together():
    asked = []

    def prompt(sides, count):
        asked.append((sides, count))
        return [1] * count

    parse("3d10+2d5+d8-d8").sample(TypedIn(prompt))
    assert asked == [(10, 3), (10, 2), (8, 2)]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Each(()),
        lambda: Sum(()),
        lambda: Sum((Die(6),) * 101),
        lambda: Keep(Each((Die(6),)), Which.HIGHEST, 0),
        lambda: Keep(Each((Die(6),)), Which.LOWEST, 2),
        lambda: Each((Die(12),) * 8).distribution(),
    ],
)
def test_what_nobody_can_mean_is_refused(make):
    with pytest.raises(BadInput):
        make()
