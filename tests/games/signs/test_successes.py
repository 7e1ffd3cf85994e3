"""What a face is worth, which dice there are, and what a number of Successes means."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.dice import Die
from astragal.errors import BadInput
from astragal.games.signs.successes import (
    chances,
    counted,
    die_named,
    die_names,
    most_successes,
    successes_on,
)
from astragal.games.signs.verdicts import Verdict, verdict_of
from astragal.rules import catalogue
from games.signs.playing import called_test, rules_test, table_of


@pytest.mark.rules(
    "signs.success.below", "signs.success.six", "signs.success.ten", "signs.success.d4"
)
def test_every_face_of_every_die():
    worth = {1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 1, 7: 1, 8: 1, 9: 1, 10: 2, 11: 2, 12: 2}
    assert {face: successes_on(face) for face in range(1, 13)} == worth
    assert max(successes_on(face) for face in range(1, 5)) == 0


@pytest.mark.rules("signs.success.ten", "signs.success.d4")
def test_the_table_of_maxima_agrees_with_counting_faces():
    for name in die_names():
        die = die_named(name)
        shown = [successes_on(face) for face in range(1, die.sides + 1)]
        assert most_successes(die) == max(shown)
        expected = (Fraction(shown.count(1), die.sides), Fraction(shown.count(2), die.sides))
        assert chances(die) == expected
    only = [name for name in die_names() if most_successes(die_named(name)) == 2]
    assert only == ["D10", "D12"]


def test_the_table_of_faces_names_the_dice_that_can_show_them():
    for row in catalogue().table("signs.table.successes").records():
        highest = int(str(row["face"]).split("-")[0])
        able = [name for name in die_names() if int(name[1:]) >= highest]
        assert str(row["dice_that_can_show_it"]).split() == able


def test_the_dice_there_are():
    assert [die_named(name) for name in die_names()] == [Die(n) for n in (4, 6, 8, 10, 12)]
    with pytest.raises(BadInput, match=r"D20.*D4, D6, D8, D10, D12.*signs\.amb\.die_sizes"):
        die_named("D20")


def test_successes_in_words():
    assert [counted(n) for n in range(3)] == ["no Success", "1 Success", "2 Successes"]


@pytest.mark.rules("signs.success.two_or_more")
def test_two_or_more_are_yes_and_and_nothing_less_is():
    verdicts = [verdict_of(n, complicated=True) for n in range(5)]
    assert verdicts == [Verdict.NO, Verdict.YES_BUT, *[Verdict.YES_AND] * 3]
    assert verdict_of(1, complicated=False) is Verdict.YES


@pytest.mark.rules("signs.roll.two_dice")
def test_dice_are_read_one_by_one_and_never_added():
    """5 and 5 would be 10 if they were added."""
    table = table_of(ana={"scores": "D8 D6 D6 D6", "signs": {"Stag": "D8: Climber"}})
    played = rules_test(table, [[5, 5]], tags=["Climber"])
    assert played.rolled == ["(d8, d8)"]
    assert played.outcome.successes == 0


@pytest.mark.rules("signs.success.downgrade")
@pytest.mark.parametrize(
    ("taken", "verdict"), [(0, "no"), (1, "yes_but"), (2, "yes_and"), (3, "yes_and")]
)
def test_a_player_may_take_fewer_successes_than_rolled(taken: int, verdict: str):
    table = table_of(ana={"scores": "D6 D6 D12 D6", "signs": {"Stag": "D6: Charm"}})
    played = called_test(table, [[11, 6]], {"take": taken}, tags=["Charm"])
    assert (played.outcome.rolled, played.outcome.successes) == (3, taken)
    assert played.outcome.verdict.value == verdict
    assert played.outcome.due == ("" if taken else "the cost")
    assert played.table.scene.attempts[-1].successes == taken


@pytest.mark.rules("signs.success.downgrade")
def test_nobody_can_take_more_than_was_rolled():
    with pytest.raises(BadInput, match="take: found 2, expected a whole number, 0 to 1"):
        rules_test(table_of(ana={}), [[6, 1]], {"take": 2})


@pytest.mark.rules("signs.success.downgrade")
def test_a_player_may_fail_without_rolling_and_no_bane_is_used_up():
    """signs.amb.bane_and_chosen_failure."""
    table = table_of(ana={"banes": ["no sleep"], "boons": ["a map"]})
    played = called_test(table, [], {"roll_or_fail": "fail"})
    assert played.rolled == []
    assert played.outcome.failed_by_choice
    assert (played.outcome.passed, played.outcome.due) == (False, "the cost")
    assert played.table.characters == table.characters
    # The Test was made, so its result stands.
    assert [(a.goal, a.passed) for a in played.table.scene.attempts] == [("the goal", False)]


@pytest.mark.parametrize(
    ("signs_one_success", "verdict"), [("yes_but", "yes_but"), ("plain_yes", "yes")]
)
def test_one_success_in_a_called_test_is_as_the_table_plays_it(
    signs_one_success: str, verdict: str
):
    table = table_of({"signs_one_success": signs_one_success}, ana={})
    played = called_test(table, [[6, 1]])
    assert played.outcome.verdict.value == verdict
    assert ("complication" in played.keys) == (verdict == "yes_but")
    assert bool(played.outcome.complication) == (verdict == "yes_but")


@pytest.mark.parametrize("signs_one_success", ["yes_but", "plain_yes"])
def test_one_success_in_a_rules_test_is_plain_unless_the_rules_list_a_complication(
    signs_one_success: str,
):
    table = table_of({"signs_one_success": signs_one_success}, ana={})
    plain = rules_test(table, [[6, 1]]).outcome
    assert (plain.verdict, plain.complication) == (Verdict.YES, "")
    listed = rules_test(table, [[6, 1]], complication="the rope frays")
    assert listed.outcome.verdict is Verdict.YES_BUT
    assert listed.outcome.complication == "the rope frays"
    assert "complication" not in listed.keys
