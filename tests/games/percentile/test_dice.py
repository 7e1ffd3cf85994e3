"""d10, d5 and d100 rolls against icepool, plain enumeration and the catalogue's table."""

from __future__ import annotations

from itertools import product

import icepool
import pytest

from astragal.errors import BadInput
from astragal.games.percentile.dice import d5, parse_dice
from astragal.rules import catalogue
from games.percentile.playing import a_test, d100, odds, play, table_of

TABLE = table_of()
TEN = icepool.d(10)
FIVE = TEN.map(lambda face: icepool.Die([(face + 1) // 2]))


def totals(text: str, **said: str) -> dict[int, int]:
    found = odds(TABLE, "roll_dice", dice=text, **said).map(lambda outcome: outcome.total)
    return dict(found.reduced().weights)


def reduced(die: icepool.Die) -> dict[int, int]:
    return dict(die.simplify().items())


@pytest.mark.rules("percentile.dice.d10", "percentile.dice.d5", "percentile.dice.fixed_modifier")
@pytest.mark.parametrize("count", [1, 2, 3, 5])
@pytest.mark.parametrize("plus", [-4, 0, 5])
def test_sums_are_icepools(count: int, plus: int):
    written = f"{plus:+d}" if plus else ""
    for sides, die in ((10, TEN), (5, FIVE)):
        oracle = (count @ die + plus).map(lambda total: max(0, total))
        assert totals(f"{count}d{sides}{written}") == reduced(oracle)


@pytest.mark.rules("percentile.dice.floor_zero")
def test_a_result_below_zero_counts_as_zero_unless_a_rule_says_otherwise():
    assert totals("1d5-3") == {0: 3, 1: 1, 2: 1}
    assert totals("1d5-3", below_zero="cold water") == {-2: 1, -1: 1, 0: 1, 1: 1, 2: 1}


@pytest.mark.rules("percentile.dice.d5")
def test_a_d5_is_the_catalogues_table():
    for face, result in catalogue().table("percentile.table.d5").rows:
        assert d5(face) == result
        assert play(TABLE, "roll_dice", [[face]], dice="d5").outcome.total == result
    faces = list(product(range(1, 11), repeat=2))
    for pair in faces:
        rolled = play(TABLE, "roll_dice", [pair], dice="2d5").outcome.total
        assert rolled == sum(-(-face // 2) for face in pair)


@pytest.mark.rules("percentile.dice.d10")
def test_with_no_number_there_is_one_die():
    assert totals("d10") == totals("1d10") == dict.fromkeys(range(1, 11), 1)
    assert min(totals("3d10")) == 3
    assert max(totals("3d10")) == 30


@pytest.mark.rules("percentile.dice.d100")
def test_every_pair_of_digits_is_read_as_it_is_written():
    for tens, ones in product(range(10), repeat=2):
        wanted = int(f"{tens}{ones}") or 100
        read = play(TABLE, "read_dice", dice="d100", digits=[tens, ones]).outcome
        rolled = play(TABLE, "roll_dice", [(tens or 10, ones or 10)], dice="d100").outcome
        assert read.total == rolled.total == wanted


@pytest.mark.rules("percentile.dice.d100")
def test_which_die_is_which_is_said_before_the_roll():
    played = play(TABLE, "roll_dice", d100(7), dice="d100", tens="red", ones="blue")
    first = next(
        event for event in played.events if hasattr(event, "fact") or hasattr(event, "roll")
    )
    assert first.fact.sentence() == "Red gives the tens digit, blue the ones digit."
    for tens, ones in (("red", "red"), (" ", "blue"), ("red", "")):
        with pytest.raises(BadInput, match="a different die"):
            play(TABLE, "roll_dice", d100(7), dice="d100", tens=tens, ones=ones)


def test_a_printed_zero_is_ten_in_d10_and_d5_rolls():
    assert play(TABLE, "read_dice", dice="2d10+1", digits=[0, 3]).outcome.total == 14
    assert play(TABLE, "read_dice", dice="2d10+1", digits=[10, 3]).outcome.total == 14
    assert play(TABLE, "read_dice", dice="1d5", digits=[0]).outcome.total == 5


@pytest.mark.rules("percentile.dice.only_d10")
def test_only_ten_sided_dice_are_used():
    for text in ("d6", "2d20", "d8+1", "d10+d5", "3", "", "d100d10", "0d10", "2d100", "101d10"):
        with pytest.raises(BadInput):
            parse_dice(text)
    with pytest.raises(BadInput) as refused:
        play(TABLE, "roll_dice", [[3]], dice="d6")
    assert refused.value.rule == "percentile.dice.only_d10"
    for sides in ("d10", "2d5", "d100"):
        for roll in play(TABLE, "roll_dice", [[1, 1][: 1 + (sides != "d10")]], dice=sides).rolls:
            with pytest.raises(ValueError):
                roll.expression.sample(_Sides(11))
            roll.expression.sample(_Sides(10))


class _Sides:
    """A source that only throws dice of one size."""

    def __init__(self, sides: int) -> None:
        self._sides = sides

    def dice(self, sides: int, count: int) -> list[int]:
        if sides != self._sides:
            raise ValueError(f"a d{sides}")
        return [1] * count


# --- Re-rolls ---------------------------------------------------------------------------------


@pytest.mark.rules("percentile.dice.reroll")
def test_the_new_result_stands_for_better_or_worse():
    for first, second in ((44, 81), (81, 44)):
        played = a_test(
            table_of(a={"WP": 40}),
            *(first, second),
            ability="WP",
            rerolls=["luck"],
            answers={"reroll": "luck"},
        )
        assert played.outcome.rolled == second


@pytest.mark.rules("percentile.dice.reroll")
def test_a_reroll_is_rerolled_only_by_a_second_special_rule():
    table = table_of(a={"WP": 40})
    once = a_test(table, 90, 80, ability="WP", rerolls=["luck"], answers={"reroll": "luck"})
    assert once.keys.count("reroll") == 1
    answers = {"reroll#1": "luck", "reroll#2": "fate"}
    twice = a_test(table, 90, 80, 70, ability="WP", rerolls=["luck", "fate"], answers=answers)
    assert twice.outcome.rolled == 70
    offered = [o.key for a in twice.asked if a.key == "reroll" for o in a.question.options]
    assert offered == ["keep", "luck", "fate", "keep", "fate"]


@pytest.mark.rules("percentile.dice.reroll")
def test_only_what_the_gm_accepts_as_a_special_rule_allows_one():
    played = a_test(
        table_of(a={"WP": 40}),
        *(90,),
        ability="WP",
        rerolls=["begging"],
        answers={"allow_rerolls": []},
    )
    assert "reroll" not in played.keys
    assert "reroll" not in a_test(table_of(a={"WP": 40}), 90, ability="WP").keys


def test_a_damage_roll_can_be_rerolled_too():
    table = table_of(a={"WP": 40})
    played = play(
        *(table, "roll_dice", [[1, 2], [9, 9]], {"reroll": "fury"}),
        dice="2d10+3",
        character="a",
        rerolls=["fury"],
    )
    assert played.outcome.total == 21
    assert {roll.owner for roll in played.rolls} == {"a"}


# --- Rounding and multiplying -------------------------------------------------------------------


@pytest.mark.rules("percentile.math.round_up")
def test_any_fraction_goes_up():
    for value in range(60):
        for by in range(1, 12):
            whole, rest = divmod(value, by)
            result = play(TABLE, "divide", value=value, by=by).outcome.result
            assert result == whole + (1 if rest else 0)
    nearest = {"rounding": "nearest", "says": "a rule"}
    assert play(TABLE, "divide", value=9, by=4, **nearest).outcome.result == 2
    assert play(TABLE, "divide", value=9, by=2, **nearest).outcome.result == 5


@pytest.mark.rules("percentile.math.multipliers")
def test_several_multipliers_become_one_in_any_order():
    for multipliers in product(range(1, 5), repeat=3):
        played = play(TABLE, "multiply", value=7, multipliers=list(multipliers)).outcome
        assert played.multiplier.total == sum(multipliers) - 2
        assert played.result == 7 * (sum(multipliers) - 2)
    assert play(TABLE, "multiply", value=7, multipliers=[3]).outcome.result == 21
    with pytest.raises(BadInput, match="multipliers"):
        play(TABLE, "multiply", value=7, multipliers=[])
    with pytest.raises(BadInput, match=r"multipliers\[1\]"):
        play(TABLE, "multiply", value=7, multipliers=[2, 0])
