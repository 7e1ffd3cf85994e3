"""Handing out tests: asking for one, going over a session, putting a log right, series."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import BurningTable
from games.burning_wheel.playing import a_test, declare, play, table

RICH = {
    "stats": {"Agility": "B4", "Perception": "B4"},
    "attributes": {"Reflexes": "B4"},
    "skills": {"Sword": {"rating": "B3", "log": {"routine": 2, "difficult": 2}}},
    "learning": {"Bow": {"roots": ["Agility"], "tests": 5}},
}


def log_of(at: BurningTable, ability: str) -> tuple[int, int, int]:
    log = at.character("rich").ability(ability).ability.log
    return log.routine, log.difficult, log.challenging


# --- Asking for a test ---------------------------------------------------------------------


@pytest.mark.rules("advancement.award.gm_may_hold", "advancement.award.applicable_situation")
@pytest.mark.parametrize("moment", ["now", "later", "no", "practice"])
def test_the_gm_says_whether_and_when_there_is_a_test(moment: str):
    wish = {"character": "rich", "ability": "Sword", "situation": "the king is asleep"}
    run = play("ask_for_test", wish, table(rich=RICH), {"moment": moment})
    assert run.outcome.moment.value == moment
    assert run.seats == {"moment": "gm"}
    assert run.changed == {}


@pytest.mark.rules("advancement.award.gm_may_hold")
def test_the_gm_may_hold_a_test_that_was_begun():
    at, wish = table(rich=RICH), declare("rich", "Sword", intent="get in")
    with pytest.raises(NotAllowed, match=r"not the moment for a test: get in.*gm_may_hold"):
        play("standard_test", wish, at, {"at_stake": "not_now"}, [])


@pytest.mark.rules("advancement.award.no_class_on_request")
@pytest.mark.parametrize("wanted", ["routine", "difficult", "challenging"])
def test_no_class_is_to_be_had_for_the_asking(wanted: str):
    wish = {"character": "rich", "ability": "Sword", "situation": "a dragon", "difficulty": wanted}
    with pytest.raises(NotAllowed, match=r"class follows from the situation.*no_class_on_request"):
        play("ask_for_test", wish, table(rich=RICH))
    with pytest.raises(BadInput, match="difficulty"):  # nor does a test itself have such a field
        a_test(table(rich=RICH), "Sword", 2, [], difficulty=wanted)


# --- After the session ---------------------------------------------------------------------


@pytest.mark.rules("advancement.award.both_remember")
def test_a_review_tells_where_the_logs_stand_and_finds_what_was_forgotten():
    at = table(rich=RICH, orc={"npc": True, "skills": {"Axe": "B4"}})
    said = {"forgotten": ["Sword", "Agility"], "obstacle#1": 2, "obstacle#2": 5}
    run = play("review_tests", {}, at, said)
    assert "Sword B3: 2 routine, 2 difficult, 0 challenging (needs 3 routine" in run.told
    assert "is learning Bow: 5 of 6 tests" in run.told
    assert run.outcome.found == 2
    assert run.seats["forgotten"] == "rich"
    assert run.seats["obstacle"] == "gm"
    assert str(run.table.character("rich").skills["Sword"].rating) == "B4"
    assert log_of(run.table, "Agility") == (0, 0, 1)
    assert run.asked.count("forgotten") == 1  # the GM's characters are not gone over


@pytest.mark.rules("advancement.award.applicable_situation")
def test_what_was_no_fitting_situation_earns_nothing():
    at = table(rich=RICH)
    run = play("review_tests", {}, at, {"forgotten": ["Sword"], "fitting": False})
    assert run.outcome.found == 0
    assert run.changed == {}


@pytest.mark.rules("advancement.class.dice_against_obstacle")
@pytest.mark.parametrize("wrong", ["dice", "obstacle"])
def test_no_test_was_rolled_without_dice_or_against_nothing(wrong: str):
    said = {"forgotten": ["Sword"], "dice": 1, "obstacle": 1}
    with pytest.raises(BadInput, match=f"{wrong}: found 0"):
        play("review_tests", {}, table(rich=RICH), {**said, wrong: 0})
    run = play("review_tests", {}, table(rich=RICH), said)
    assert run.outcome.found == 1
    # One die against Ob 1 is the routine test that was lacking.
    assert str(run.table.character("rich").skills["Sword"].rating) == "B4"


def test_a_forgotten_failure_of_perception_stays_forgotten():
    said = {"forgotten": ["Perception"], "obstacle": 4, "passed": False}
    run = play("review_tests", {"characters": ["rich"]}, table(rich=RICH), said)
    assert run.outcome.found == 0
    assert run.changed == {}


# --- Putting a log right -------------------------------------------------------------------


@pytest.mark.rules("advancement.award.both_remember")
def test_the_gm_puts_a_log_right_with_a_reason():
    wrong = {"character": "rich", "ability": "sword", "difficulty": "difficult", "tests": -1}
    run = play("correct_log", wrong, table(rich=RICH), {"reason": "counted twice"})
    assert log_of(run.table, "Sword") == (2, 1, 0)
    assert run.seats == {"reason": "gm"}
    assert "Rich, Sword: -1 difficult. counted twice" in run.told
    assert run.outcome.tests == 1


@pytest.mark.rules("advancement.award.both_remember", "advancement.advance.immediately")
def test_a_correction_can_fill_a_log():
    right = {"character": "rich", "ability": "Sword", "difficulty": "routine", "tests": 1}
    run = play("correct_log", right, table(rich=RICH))
    assert str(run.table.character("rich").skills["Sword"].rating) == "B4"
    assert log_of(run.table, "Sword") == (0, 0, 0)
    run = play("correct_log", {"character": "rich", "ability": "bow", "tests": 1}, table(rich=RICH))
    assert str(run.table.character("rich").skills["Bow"].rating) == "B2"
    run = play(
        "correct_log", {"character": "rich", "ability": "Bow", "tests": -2}, table(rich=RICH)
    )
    assert run.table.character("rich").learning["Bow"].tests == 3


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"ability": "Sword", "tests": 1}, "difficulty: found nothing, expected one of routine"),
        ({"ability": "Sword", "tests": -3, "difficulty": "routine"}, "tests: found -3, .*below -2"),
        ({"ability": "Sword", "tests": 0, "difficulty": "routine"}, "tests: found 0"),
        ({"ability": "Bow", "tests": 1, "difficulty": "routine"}, "difficulty: found 'routine'"),
        ({"ability": "Bow", "tests": -6}, "tests: found -6"),
        ({"ability": "Cooking", "tests": 1, "difficulty": "routine"}, "ability: found 'Cooking'"),
        ({"ability": "Sword", "tests": 1, "difficulty": "easy"}, "difficulty: found 'easy'"),
    ],
)
def test_bad_corrections_are_refused(wrong: dict[str, Any], message: str):
    with pytest.raises(BadInput, match=message):
        play("correct_log", {"character": "rich", **wrong}, table(rich=RICH))


@pytest.mark.rules("advancement.attribute.reflexes_mortal_wound")
def test_a_marker_has_no_log_to_correct():
    wrong = {"character": "rich", "ability": "Reflexes", "tests": 1, "difficulty": "routine"}
    with pytest.raises(NotAllowed, match="it changes with its stats"):
        play("correct_log", wrong, table(rich=RICH))


# --- A scene of repeated rolls -------------------------------------------------------------


@pytest.mark.rules("advancement.series.one_test", "advancement.series.highest_obstacle")
def test_a_scene_of_repeated_rolls_is_one_test():
    at = table(rich={"skills": {"Stealthy": "B4", "Climbing": "B4"}})
    at = play("begin_series", {"title": "the long night", "characters": ["rich"]}, at).table
    for obstacle in (2, 4, 3):
        run = a_test(at, "Stealthy", obstacle, [0], intent=f"pass guard {obstacle}")
        assert run.outcome.earned == ""
        at = run.table
    at = a_test(at, "Climbing", 1, [0]).table
    assert log_of(at, "Stealthy") == (0, 0, 0)
    at = play("end_series", {"title": "the long night"}, at).table
    assert log_of(at, "Stealthy") == (0, 1, 0)
    assert log_of(at, "Climbing") == (1, 0, 0)


@pytest.mark.rules("advancement.series.needed_test_at_once", "advancement.advance.immediately")
def test_the_new_exponent_is_used_for_the_rest_of_the_series():
    at = table(rich=RICH)  # Sword lacks one routine test
    at = play("begin_series", {"title": "a fight", "characters": ["rich"]}, at).table
    first = a_test(at, "Sword", 1, [0], intent="first blow")
    assert (first.outcome.dice.total, first.outcome.earned) == (3, "routine")
    second = a_test(first.table, "Sword", 9, [0], intent="second blow")
    assert (second.outcome.dice.total, second.outcome.earned) == (4, "")
    at = play("end_series", {"title": "a fight"}, second.table).table
    assert log_of(at, "Sword") == (0, 0, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"title": " ", "characters": ["rich"]}, "title: found ''"),
        (
            {"title": "open", "characters": ["tam"]},
            "title: found 'open', expected a name that no open series has",
        ),
        ({"title": "x", "characters": []}, r"characters: found \[\]"),
        ({"title": "x", "characters": ["tam", "tam"]}, "each once"),
        ({"title": "x", "characters": ["ghost"]}, "characters: found 'ghost'"),
    ],
)
def test_bad_series_are_refused(arguments: dict[str, Any], message: str):
    at = table(scene={"series": [{"title": "open", "characters": ["rich"]}]}, rich={}, tam={})
    with pytest.raises(BadInput, match=message):
        play("begin_series", arguments, at)
    with pytest.raises(BadInput, match="an open series \\(open\\)"):
        play("end_series", {"title": "no such"}, at)
