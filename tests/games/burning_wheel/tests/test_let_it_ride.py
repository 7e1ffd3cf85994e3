"""Let it Ride, and tests that are broken up."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import BurningTable
from games.burning_wheel.playing import Played, a_test, declare, play, table

RICH = {"player": "thor", "skills": {"Stealthy": "B4", "Orienteering": "B4"}}
SNEAK = {"character": "rich", "ability": "Stealthy", "intent": "get in"}


def sneaked(successes: int, obstacle: int = 3, **more) -> BurningTable:
    return a_test(table(rich=RICH), "Stealthy", obstacle, [successes], **more).table


def again(at: BurningTable, answers=None, rolls=(), **more) -> Played:
    return a_test(at, "Stealthy", 1, list(rolls), answers, **more)


@pytest.mark.rules(
    "tests.let_it_ride.one_roll",
    "tests.let_it_ride.failure_stands",
    "tests.let_it_ride.no_split_rolls",
)
@pytest.mark.parametrize("successes", [0, 2, 3, 4])
@pytest.mark.parametrize("intent", ["get in", "  Get   IN "])
def test_neither_a_success_nor_a_failure_is_rolled_again(successes: int, intent: str):
    at = sneaked(successes)
    play("harder_later", {**SNEAK, "obstacle": 1}, at, rolls=[])
    with pytest.raises(NotAllowed) as refused:
        play("standard_test", declare("rich", "stealthy", intent=intent), at, rolls=[])
    assert str(refused.value) == (
        f"Let it Ride: Rich already rolled Stealthy for this intent ({successes} successes). Roll "
        "again only if the GM says what has drastically changed [tests.let_it_ride.one_roll]"
    )


@pytest.mark.rules("tests.let_it_ride.binds_both", "tests.amb.ride_extent")
def test_a_retest_takes_a_drastic_change_said_for_all_to_hear():
    answers = {"conditions_changed": "the alarm bell rings"}
    run = again(sneaked(3), answers, [1])
    assert run.seats["conditions_changed"] == "gm"
    assert (
        "Conditions have changed: the alarm bell rings. Stealthy may be rolled again." in run.told
    )
    assert "3 successes" in run.asks["conditions_changed"].prompt
    assert [ride.successes for ride in run.table.scene.rides] == [1]


@pytest.mark.rules("tests.let_it_ride.not_negotiable", "tests.let_it_ride.binds_both")
def test_the_player_may_refuse_a_retest_that_nothing_calls_for():
    answers = {"conditions_changed": "you reach the foothills", "accept_retest": False}
    with pytest.raises(NotAllowed, match=r"player declines.*tests\.let_it_ride\.not_negotiable"):
        again(sneaked(3), answers)
    accepted = again(sneaked(3), {"conditions_changed": "the alarm"}, [1])
    assert accepted.seats["accept_retest"] == "thor"


@pytest.mark.rules("tests.let_it_ride.one_roll")
def test_another_intent_or_another_character_is_another_test():
    at = sneaked(0)
    assert again(at, rolls=[2], intent="get out").outcome.successes == 2
    both = table(
        scene={"rides": [{**SNEAK, "successes": 0, "passed": False}]}, friend=RICH, rich=RICH
    )
    assert again(both, rolls=[2]).outcome.successes == 2


@pytest.mark.rules("tests.let_it_ride.one_per_ability")
def test_an_undertaking_takes_one_test_of_each_ability_and_each_rides():
    at = sneaked(3)
    run = a_test(at, "Orienteering", 2, [1])
    assert [(ride.ability, ride.successes) for ride in run.table.scene.rides] == [
        ("Stealthy", 3),
        ("Orienteering", 1),
    ]
    for ability in ("Stealthy", "Orienteering"):
        with pytest.raises(NotAllowed, match="one_roll"):
            a_test(run.table, ability, 1, [])


@pytest.mark.rules("tests.let_it_ride.successes_carry", "tests.let_it_ride.harder_later")
@pytest.mark.parametrize("obstacle", range(1, 8))
def test_kept_successes_meet_a_new_obstacle_without_a_roll(obstacle: int):
    run = play("harder_later", {**SNEAK, "obstacle": obstacle}, sneaked(4), rolls=[])
    assert run.outcome.successes == 4
    assert run.outcome.passed is (obstacle <= 4)
    assert run.outcome.margin == 4 - obstacle
    assert run.table.scene.rides[0].passed is (obstacle <= 4)
    assert run.table.scene.rides[0].successes == 4


@pytest.mark.rules("tests.let_it_ride.failure_stands")
def test_no_successes_at_all_ride_too():
    assert sneaked(0).scene.rides[0].successes == 0
    assert not play("harder_later", {**SNEAK, "obstacle": 1}, sneaked(0), rolls=[]).outcome.passed


@pytest.mark.rules("tests.amb.ride_extent")
def test_a_settled_intent_ends_the_ride_for_a_stated_reason():
    at = sneaked(3)
    run = play("settle_intent", SNEAK, at, {"reason": "he is in"})
    assert not run.table.scene.rides
    assert "no longer rides: he is in" in run.told
    assert again(run.table, rolls=[1]).outcome.successes == 1
    assert "Stealthy (get in) no longer rides." in play("settle_intent", SNEAK, at).told


@pytest.mark.rules("tests.let_it_ride.one_roll")
def test_of_intents_that_are_only_said_aloud_the_gm_knows_whether_they_are_the_same():
    bare = {"character": "rich", "ability": "Stealthy"}
    first = play("standard_test", bare, table(rich=RICH), {"obstacle": 1}, [3])
    assert "new_intent" not in first.asked
    other = play("standard_test", bare, first.table, {"obstacle": 1}, [2])
    assert other.asks["new_intent"].kind == "consent"
    assert other.seats["new_intent"] == "gm"
    assert [ride.successes for ride in other.table.scene.rides] == [3, 2]
    with pytest.raises(NotAllowed, match=r"for this intent \(2 successes\).*one_roll"):
        play("standard_test", bare, other.table, {"new_intent": False}, [])
    said = {"new_intent": False, "conditions_changed": "the alarm", "obstacle": 1}
    again = play("standard_test", bare, other.table, said, [1])
    assert [ride.successes for ride in again.table.scene.rides] == [3, 1]
    assert "Stealthy no longer rides." in play("settle_intent", bare, again.table).told
    written = play("standard_test", {**bare, **SNEAK}, first.table, {"obstacle": 1}, [1])
    assert "new_intent" not in written.asked
    with pytest.raises(BadInput, match="rich, Stealthy, said at the table"):
        play("settle_intent", {**SNEAK, "intent": "fly"}, first.table)


def test_a_result_that_does_not_stand_is_refused_with_those_that_do():
    at = sneaked(3)
    for name, more in (
        ("harder_later", {"obstacle": 2}),
        ("settle_intent", {}),
        ("next_portion", {}),
    ):
        with pytest.raises(
            BadInput,
            match=r"intent: found 'fly', expected a result that .*rich, Stealthy, 'get in'",
        ):
            play(name, {**SNEAK, "intent": "fly", **more}, at)
    with pytest.raises(BadInput, match="obstacle: found 0, expected 1 or more"):
        play("harder_later", {**SNEAK, "obstacle": 0}, at)


@pytest.mark.rules("tests.time.break_up_results", "tests.time.break_up_leave_and_return")
def test_one_roll_is_handed_out_in_parts():
    run = a_test(table(rich=RICH), "Stealthy", 2, [3], {"portions": 3}, time="1 month")
    assert len(run.rolls) == 1
    assert run.seats["portions"] == "gm"
    second = play("next_portion", SNEAK, run.table, rolls=[])
    assert (second.outcome.number, second.outcome.of, second.outcome.successes) == (2, 3, 3)
    third = play("next_portion", SNEAK, second.table, rolls=[])
    assert third.outcome.number == 3
    with pytest.raises(NotAllowed, match=r"All 3 stages.*tests\.time\.break_up_results"):
        play("next_portion", SNEAK, third.table, rolls=[])


@pytest.mark.rules("tests.time.break_up_results")
def test_what_takes_no_time_is_not_broken_up():
    assert "portions" not in a_test(table(rich=RICH), "Stealthy", 2, [3]).asked
    with pytest.raises(NotAllowed, match="All 1 stage"):
        play("next_portion", SNEAK, sneaked(3), rolls=[])


@pytest.mark.rules("extended_example.let_it_ride.partial_information")
@pytest.mark.parametrize(("obstacle", "enough"), [(2, True), (3, False)])
def test_the_successes_of_a_failed_test_are_good_for_something_less(obstacle: int, enough: bool):
    failed = sneaked(2)
    run = play("harder_later", {**SNEAK, "obstacle": obstacle}, failed, rolls=[])
    assert run.outcome.passed is enough
    assert not run.changed, "it has failed all the same"
    assert not run.table.scene.rides[0].passed
