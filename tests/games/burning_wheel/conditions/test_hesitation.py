"""Hesitation as it passes: heartbeats, swoons, getting up, and the end of a conflict."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.conditions.hesitation import hesitation_of, out_of_action
from games.burning_wheel.playing import Played, declare, play, table

MOUSE: dict[str, Any] = {
    "stats": {"Will": "B4"},
    "attributes": {"Steel": "B3"},
    "skills": {"Needle": "B3"},
    "gear": ["needle"],
}


def hesitating(heartbeats: int, reaction: str = "stand_and_drool", **more: Any) -> Any:
    options = more.pop("options", {})
    entry = {"character": "mouse", "heartbeats": heartbeats, "reaction": reaction, **more}
    return table(scene={"hesitating": [entry]}, options=options, mouse=MOUSE, rat=MOUSE)


def hurt(at: Any, successes: int, reaction: str = "") -> Played:
    """A pain test of hesitation 6, made while something else may still be going on."""
    arguments = {"character": "mouse", "cause": "pain", "source": "a bite", "wound_dice": 1}
    answers = {"reaction": reaction} if reaction else {}
    return play("steel_test", arguments, at, answers, [successes])


def passing(at: Any, count: int, answers: Any = None) -> Played:
    return play("heartbeats", {"count": count}, at, answers, ())


# --- Out of action -------------------------------------------------------------------------


@pytest.mark.rules("steel.fail.player_chooses_how", "steel.test.fail")
def test_a_hesitating_character_can_do_nothing_else():
    at = hesitating(2)
    with pytest.raises(NotAllowed, match="Mouse hesitates for 2 heartbeats"):
        play("standard_test", declare("mouse", "Needle"), at)
    sides = [declare("rat", "Needle"), declare("mouse", "Needle")]
    with pytest.raises(NotAllowed, match=r"steel.fail.player_chooses_how"):
        play("versus_test", {"sides": sides}, at)
    free = passing(at, 2).table
    run = play("standard_test", declare("mouse", "Needle"), free, {"obstacle": 1}, [1])
    assert run.outcome.passed


@pytest.mark.rules("steel.test.fail")
def test_a_hesitating_character_helps_nobody():
    arguments = declare("rat", "Needle", helpers=["mouse"])
    run = play("standard_test", arguments, hesitating(1), {"obstacle": 1}, [1])
    assert "help" not in run.asked


# --- Heartbeats ----------------------------------------------------------------------------


@pytest.mark.rules("steel.hesitation.heartbeat")
@given(st.integers(1, 20), st.lists(st.integers(1, 7), min_size=1, max_size=8))
def test_hesitation_lasts_one_heartbeat_for_each_point(total: int, steps: list[int]):
    at, gone = hesitating(total), 0
    for step in steps:
        run = passing(at, step)
        at, gone = run.table, gone + step
        assert out_of_action(at, "mouse") is (gone < total)
        left = hesitation_of(at, "mouse")
        assert (left.heartbeats if left else 0) == max(0, total - gone)
    assert (gone >= total) == (at.scene.hesitating == ())


@pytest.mark.rules("steel.hesitation.heartbeat")
@pytest.mark.parametrize("count", [0, -1, 1001])
def test_there_are_no_odd_numbers_of_heartbeats(count: int):
    with pytest.raises(BadInput, match="count: found"):
        passing(hesitating(3), count)


@pytest.mark.rules("steel.fail.swoon_length")
def test_a_swoon_lasts_its_least_time_and_then_as_long_as_the_player_wishes():
    at = hesitating(3, "swoon", prone=True)
    early = passing(at, 2)
    assert "come_round" not in early.asked
    assert early.outcome.still_hesitating == ("mouse",)
    sleeping = passing(early.table, 1, {"come_round": ""})
    assert sleeping.seats["come_round"] == "mouse"
    assert sleeping.outcome.still_hesitating == ("mouse",)
    with pytest.raises(NotAllowed, match="Mouse swoons and cannot act"):
        play("standard_test", declare("mouse", "Needle"), sleeping.table)
    awake = passing(sleeping.table, 5, {"come_round": "with a sneeze"})
    assert awake.outcome.recovered == ("mouse",)
    assert "Mouse comes to: with a sneeze." in awake.told
    assert not out_of_action(awake.table, "mouse")


# --- Game time -----------------------------------------------------------------------------


def later(at: Any, time: str, answers: Any = None) -> Played:
    return play("let_time_pass", {"time": time}, at, answers, ())


@pytest.mark.rules("steel.hesitation.heartbeat")
def test_game_time_ends_hesitation_and_says_so():
    at = hesitating(8)
    run = later(at, "90 days")
    assert run.table.scene.hesitating == ()
    assert "Mouse recovers." in run.told
    assert later(at, "8 seconds").table.scene.hesitating == ()
    still = later(at, "5 seconds")
    assert hesitation_of(still.table, "mouse").heartbeats == 3
    assert "Mouse recovers." not in still.told


@pytest.mark.rules("steel.fail.swoon_length")
def test_a_swoon_is_ended_by_its_player_even_after_days():
    at = hesitating(3, "swoon", prone=True)
    asleep = later(at, "1 day", {"come_round": ""})
    assert out_of_action(asleep.table, "mouse")
    awake = later(asleep.table, "1 day", {"come_round": "with a sneeze"})
    assert "Mouse comes to: with a sneeze." in awake.told
    assert not out_of_action(awake.table, "mouse")


def test_of_the_dead_nobody_says_that_they_recover():
    entry = {"character": "mouse", "heartbeats": 3, "reaction": "swoon"}
    at = table(scene={"hesitating": [entry]}, mouse={**MOUSE, "dead": True})
    run = later(at, "1 day")
    assert run.table.scene.hesitating == ()
    assert "come_round" not in run.asked
    assert "recovers" not in run.told


# --- Overlapping tests ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "remaining", "new", "total"),
    [("longer", 5, 2, 5), ("longer", 2, 5, 5), ("added", 5, 2, 7), ("added", 2, 5, 7)],
)
def test_hesitation_upon_hesitation(choice: str, remaining: int, new: int, total: int):
    """steel.amb.tests_while_hesitating."""
    at = hesitating(remaining, options={"steel_overlapping_hesitation": choice})
    run = hurt(at, 6 - new)
    assert run.outcome.heartbeats == total
    (left,) = run.table.scene.hesitating
    assert left.heartbeats == total


def test_the_reaction_stays_unless_the_new_failure_is_the_longer():
    """steel.amb.changing_reaction."""
    at = hesitating(5, "run_screaming", flees_from="a cat")
    kept = hurt(at, 4)
    assert "reaction" not in kept.asked
    assert kept.outcome.reaction == "run_screaming"
    worse = hurt(at, 0, "swoon")
    assert (worse.outcome.reaction, worse.outcome.heartbeats) == ("swoon", 6)
    steady = hurt(at, 6)
    assert steady.table.scene.hesitating == at.scene.hesitating


# --- Prone ---------------------------------------------------------------------------------


def test_whoever_fell_is_still_on_the_ground_without_the_weapon():
    """steel.amb.prone_afterwards."""
    at = hesitating(1, "fall_prone_and_beg_for_mercy", prone=True, dropped="needle")
    with pytest.raises(NotAllowed, match="cannot act"):
        play("get_up", {"character": "mouse"}, at)
    at = passing(at, 1).table
    (left,) = at.scene.hesitating
    assert (left.prone, left.dropped, left.heartbeats) == (True, "needle", 0)
    with pytest.raises(NotAllowed, match="has dropped needle"):
        play("standard_test", declare("mouse", "Needle", gear=["Needle"]), at)
    far = play("get_up", {"character": "mouse"}, at, {"within_reach": False})
    assert (far.outcome.picked_up, far.table.scene.hesitating[0].prone) == ("", False)
    run = play("get_up", {"character": "mouse"}, at)
    assert (run.outcome.picked_up, run.table.scene.hesitating) == ("needle", ())
    with pytest.raises(NotAllowed, match="Mouse has not fallen prone"):
        play("get_up", {"character": "mouse"}, run.table)


# --- The end of a conflict -----------------------------------------------------------------


@pytest.mark.parametrize(("choice", "left"), [("runs_on", 4), ("ends_with_conflict", 0)])
def test_hesitation_runs_on_after_a_conflict_or_ends_with_it(choice: str, left: int):
    """steel.amb.hesitation_beyond_conflict."""
    at = hesitating(4, options={"steel_hesitation_beyond_conflict": choice})
    run = play("conflict_over", {}, at)
    assert sum(h.heartbeats for h in run.table.scene.hesitating) == left


def test_getting_out_of_range_always_ends_it():
    """steel.amb.run_stops."""
    at = hesitating(4, "run_screaming", flees_from="a cat")
    run = play("conflict_over", {"out_of_range": ["mouse"]}, at)
    assert run.outcome.recovered == ("mouse",)
    with pytest.raises(BadInput, match=r"out_of_range\[0\]: found 'dog'"):
        play("conflict_over", {"out_of_range": ["dog"]}, at)
