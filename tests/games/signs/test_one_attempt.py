"""Only one attempt: kept as state, for the Scene and the scenario, character by character."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput, NotAllowed
from games.signs.playing import called_test, play, rules_test, table_of

TWO = {"ana": {}, "bo": {}}


@pytest.mark.rules("signs.attempt.scene", "signs.attempt.once")
@pytest.mark.parametrize("faces", [[6, 1], [1, 1]], ids=["passed", "failed"])
def test_the_same_goal_cannot_be_tried_again_in_the_scene(faces: list[int]):
    """However it is typed, whichever Score or Runic Power is used, and whatever kind of Test."""
    table = rules_test(table_of(**TWO), [faces], goal="Open the door").table
    for score in ("Skill", "Rune"):
        with pytest.raises(NotAllowed, match=r"Ana has already tried this.*signs\.attempt\.scene"):
            rules_test(table, goal=" open  the DOOR ", score=score)
    with pytest.raises(NotAllowed, match=r"signs\.attempt\.scene"):
        called_test(table, goal="open the door")
    assert rules_test(table, [[6, 1]], goal="Open the window").outcome.passed


@pytest.mark.rules("signs.attempt.scene")
def test_of_goals_that_are_only_said_aloud_the_gm_knows_whether_they_are_the_same():
    first = rules_test(table_of(**TWO), [[6, 1]], goal="")
    assert "new_goal" not in first.keys
    other = rules_test(first.table, [[6, 1]], goal="")
    asked = next(ask for ask in other.asked if ask.key == "new_goal")
    assert (asked.seat, asked.kind) == ("gm", "consent")
    assert len(other.table.scene.attempts) == 2
    with pytest.raises(NotAllowed, match=r"signs\.attempt\.scene"):
        rules_test(first.table, [], {"new_goal": False}, goal="")
    assert "new_goal" not in rules_test(first.table, [[6, 1]], goal="", character="bo").keys
    assert "new_goal" not in rules_test(first.table, [[6, 1]], goal="in").keys


@pytest.mark.rules("signs.attempt.once")
def test_a_runic_power_has_one_chance_as_well():
    table = rules_test(table_of(**TWO), [[1, 1]], score="Rune", goal="light the beacon").table
    with pytest.raises(NotAllowed, match=r"signs\.attempt\.scene"):
        rules_test(table, score="Rune", goal="light the beacon")


@pytest.mark.rules("signs.attempt.scene")
def test_the_result_holds_for_the_whole_scene_without_another_roll():
    table = called_test(table_of(**TWO), [[6, 1]], goal="past the dog").table
    again = play(table, "standing_result", goal="Past the dog")
    assert (again.outcome.successes, again.outcome.passed) == (1, True)
    assert again.rolled == []
    assert again.table == table
    assert "The result stands: Ana has 1 Success" in again.told
    with pytest.raises(BadInput, match=r"a goal that was tried in this Scene \(past the dog\)"):
        play(table, "standing_result", goal="past the cat")
    with pytest.raises(BadInput, match="a goal that was tried in this Scene"):
        play(table, "standing_result", goal="past the dog", character="bo")
    later = play(table, "end_scene").table
    with pytest.raises(BadInput, match="there are none"):
        play(later, "standing_result", goal="past the dog")


@pytest.mark.rules("signs.attempt.scene")
def test_in_a_later_scene_the_gm_may_allow_it_if_things_have_changed():
    options = {"signs_second_attempt": "gm_may_allow_in_later_scene"}
    table = rules_test(table_of(options, **TWO), [[1, 1]]).table
    ended = play(table, "end_scene", next="by night")
    assert "Scene 2 begins: by night." in ended.told
    assert (ended.outcome.scene, ended.table.scene.title) == (2, "by night")
    with pytest.raises(NotAllowed, match=r"signs\.amb\.scenario_or_scene"):
        rules_test(ended.table)
    again = rules_test(ended.table, [[6, 1]], {"second_attempt": "the guard was changed"})
    assert again.outcome.passed
    assert [ask.seat for ask in again.asked if ask.key == "second_attempt"] == ["gm"]
    assert "the guard was changed" in again.told
    # And in that Scene it is once more the only attempt.
    with pytest.raises(NotAllowed, match=r"signs\.attempt\.scene"):
        rules_test(again.table)


@pytest.mark.rules("signs.attempt.once")
def test_a_table_may_play_it_as_once_in_the_scenario():
    options = {"signs_second_attempt": "never_in_the_scenario"}
    table = rules_test(table_of(options, **TWO), [[1, 1]]).table
    table = play(table, "end_scene").table
    with pytest.raises(
        NotAllowed, match=r"already tried this in this scenario.*signs\.attempt\.once"
    ):
        rules_test(table)
    # The bar is on the character: in a later Scene somebody else has not tried yet.
    assert rules_test(table, [[6, 1]], character="bo").outcome.passed
    fresh = play(table, "end_scenario").table
    assert (fresh.scene.attempts, fresh.scene.number) == ((), 1)
    assert rules_test(fresh, [[6, 1]]).outcome.passed


@pytest.mark.rules("signs.attempt.scene")
def test_whether_somebody_else_may_try_the_same():
    """signs.amb.attempt_scope."""
    barred = table_of({"signs_another_character_may_try": "no"}, **TWO)
    table = rules_test(barred, [[1, 1]]).table
    with pytest.raises(NotAllowed, match=r"also for other characters.*signs\.amb\.attempt_scope"):
        rules_test(table, character="bo")
    free = table_of({"signs_another_character_may_try": "yes"}, **TWO)
    table = rules_test(free, [[1, 1]]).table
    table = rules_test(table, [[6, 1]], character="bo").table
    with pytest.raises(NotAllowed, match=r"signs\.attempt\.scene"):
        rules_test(table, character="bo")
    assert play(table, "standing_result", goal="the goal", character="ana").outcome.successes == 0
    assert play(table, "standing_result", goal="the goal", character="bo").outcome.successes == 1


@pytest.mark.rules("signs.attempt.once", "signs.attempt.scene")
def test_the_gm_decides_whether_it_is_a_different_action():
    """The same words can be for another door; by default they are for the same one."""
    different = {"different_action": True}
    table = rules_test(table_of(**TWO), [[1, 1]], goal="open the door").table
    again = rules_test(table, [[6, 1]], different, goal="open the door")
    assert again.outcome.passed
    assert [ask.seat for ask in again.asked if ask.key == "different_action"] == ["gm"]
    assert [attempt.passed for attempt in again.table.scene.attempts] == [False, True]
    with pytest.raises(NotAllowed, match=r"signs\.attempt\.scene"):
        rules_test(again.table, goal="open the door")
    # So it is with what another has tried, and with what is barred for the whole scenario.
    assert rules_test(table, [[6, 1]], different, character="bo", goal="open the door").keys
    never = table_of({"signs_second_attempt": "never_in_the_scenario"}, **TWO)
    later = play(rules_test(never, [[1, 1]]).table, "end_scene").table
    assert rules_test(later, [[6, 1]], different).outcome.passed
    # What nobody has tried is not asked about.
    assert "different_action" not in rules_test(table, [[6, 1]], goal="the window").keys


def test_a_refused_test_changes_nothing():
    table = rules_test(table_of(**TWO), [[1, 1]]).table
    before = table
    with pytest.raises(NotAllowed):
        called_test(table, goal="the goal", wager={})
    assert table == before


def test_the_second_attempt_is_asked_for_before_any_wager():
    table = play(rules_test(table_of(**TWO), [[1, 1]]).table, "end_scene").table
    again = called_test(table, [[6, 1]], {"second_attempt": "it rains"})
    assert again.keys.index("second_attempt") < again.keys.index("fair")
