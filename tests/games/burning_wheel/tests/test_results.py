"""Success and failure: what follows once the dice have fallen."""

from __future__ import annotations

import pytest

from astragal.games.burning_wheel.sheet.facts import TestCame
from astragal.play import Tell
from games.burning_wheel.playing import Played, a_test, declare, play, table

RICH = {"skills": {"Sword": "B6"}}


# --- Success -------------------------------------------------------------------------------


@pytest.mark.rules("tests.success.as_described")
def test_a_success_is_what_the_player_described():
    run = a_test(table(rich=RICH), "Sword", 2, [2], intent="he is beaten", task="disarms him")
    assert "Done: disarms him. Intent achieved: he is beaten." in run.told
    failed = a_test(table(rich=RICH), "Sword", 2, [1], intent="he is beaten", task="disarms him")
    assert "Intent achieved" not in failed.told


@pytest.mark.rules("tests.success.degree_sets_intent", "tests.amb.degree_of_intent")
@pytest.mark.parametrize("extra", range(4))
def test_a_bare_success_brings_all_that_was_announced_and_extra_ones_more(extra: int):
    answers = {"on_success": "they hear you"}
    if extra:
        answers["allocate"] = [extra, 0]
    run = a_test(table(rich=RICH), "Sword", 3, [3 + extra], answers)
    degree = f"{extra} extra" if extra else "exactly"
    assert f"Success, {degree}. They hear you." in run.told
    assert (run.outcome.margin, run.outcome.patiently) == (extra, extra)


@pytest.mark.rules("tests.success.cannot_be_undone")
def test_after_a_success_nobody_but_the_player_decides_anything():
    run = a_test(table(rich=RICH), "Sword", 2, [4], {"allocate": [1, 1]}, time="1 hour")
    keys = run.asked
    after = keys[keys.index("carefully") + 1 :]
    assert after == ["allocate"]
    assert run.seats["allocate"] == "rich"


# --- Failure -------------------------------------------------------------------------------


@pytest.mark.rules("tests.failure.criterion")
@pytest.mark.parametrize("successes", range(3))
def test_fewer_successes_than_the_obstacle_fail(successes: int):
    run = a_test(table(rich=RICH), "Sword", 3, [successes], intent="he is beaten")
    assert not run.outcome.passed
    assert f"Failed, {3 - successes} short. It goes wrong." in run.told
    assert "Intent failed: he is beaten." in run.told


@pytest.mark.rules("tests.failure.intent_over_task")
@pytest.mark.parametrize(
    ("choice", "said"),
    [("task_undone", "Not done: picks it."), ("intent_defeated", "Done: picks it.")],
)
def test_the_gm_chooses_how_the_intent_is_defeated(choice: str, said: str):
    run = a_test(
        table(rich=RICH), "Sword", 3, [2], {"failure": choice}, intent="in time", task="picks it"
    )
    assert run.outcome.failure.value == choice
    assert f"{said} Intent failed: in time." in run.told
    assert run.seats["failure"] == "gm"


def verdicts(run: Played) -> list[bool]:
    facts = [event.fact for event in run.events if isinstance(event, Tell)]
    return [fact.passed for fact in facts if isinstance(fact, TestCame)]


@pytest.mark.rules("tests.standard.pass", "tests.failure.criterion", "tests.open.more_is_more")
def test_what_is_told_of_a_roll_says_whether_it_was_good_enough():
    assert verdicts(a_test(table(rich=RICH), "Sword", 3, [3])) == [True]
    assert verdicts(a_test(table(rich=RICH), "Sword", 3, [2])) == [False]
    for successes, anything in ((1, True), (0, False)):
        run = play("open_test", declare("rich", "Sword"), table(rich=RICH), {}, [successes])
        assert verdicts(run) == [anything]
    at = table(rich=RICH, tam=RICH, foe={"skills": {"Sword": "B6"}})
    sides = {"sides": [declare(each, "Sword") for each in ("rich", "tam", "foe")]}
    assert verdicts(play("versus_test", sides, at, {}, [2, 3, 1])) == [False, True, False]
    assert verdicts(play("versus_test", sides, at, {"defender": "nobody"}, [2, 2, 1])) == [
        False,
        False,
        False,
    ]


# --- Time ----------------------------------------------------------------------------------


@pytest.mark.rules("tests.time.failure_costs_same")
@pytest.mark.parametrize(("careful", "seconds"), [(False, 7200), (True, 10800)])
def test_failing_takes_as_long_as_succeeding(careful: bool, seconds: int):
    answers = {"carefully": careful}
    passed = a_test(table(rich=RICH), "Sword", 3, [3], answers, time="2 hours")
    failed = a_test(
        table(rich=RICH), "Sword", 3, [2], answers | {"time_lost": "full_time"}, time="2 hours"
    )
    assert passed.outcome.seconds == failed.outcome.seconds == seconds


@pytest.mark.rules("tests.time.failure_give_up_early", "tests.amb.time_and_failure")
@pytest.mark.parametrize(
    ("direction", "obstacle", "successes", "noticed"),
    [
        ("body", 3, 2, False),  # one short
        ("body", 3, 1, False),
        ("body", 4, 1, True),  # three short is a wide miss
        ("body", 1, 0, True),  # and so is no success at all
        ("body", 6, 4, False),
        ("summary", 3, 2, True),
        ("summary", 3, 1, True),
        ("summary", 4, 1, False),
        ("summary", 1, 0, False),
    ],
)
def test_which_misses_are_noticed(direction: str, obstacle: int, successes: int, noticed: bool):
    at = table(options={"tests_early_stop": direction}, rich=RICH)
    run = a_test(at, "Sword", obstacle, [successes], time="2 hours")
    assert run.asks["time_lost"].question.default == ("may_stop_early" if noticed else "full_time")
    assert ("stop_early" in run.asked) is noticed
    assert run.outcome.seconds == (0 if noticed else 7200)


@pytest.mark.rules("tests.time.failure_give_up_early", "tests.amb.time_and_failure")
def test_the_gm_may_rule_otherwise_and_the_player_may_go_on():
    at = table(rich=RICH)
    run = a_test(
        at, "Sword", 3, [2], {"time_lost": "may_stop_early", "stop_early": False}, time="2 hours"
    )
    assert run.outcome.seconds == 7200
    assert "It took 2 hours." in run.told
    assert (run.seats["time_lost"], run.seats["stop_early"]) == ("gm", "rich")
    stopped = a_test(at, "Sword", 3, [2], {"time_lost": "may_stop_early"}, time="2 hours")
    assert stopped.outcome.seconds == 0
    assert "gives up early and loses little time." in stopped.told
    assert "It took" not in stopped.told
    assert "time_lost" not in a_test(at, "Sword", 3, [2]).asked


# --- Helpers and risk ----------------------------------------------------------------------


@pytest.mark.rules("tests.amb.primary_risk", "tests.help.one_roller")
@pytest.mark.parametrize(
    ("custom", "stated", "shared"),
    [
        ("only_if_stated", False, ()),
        ("only_if_stated", True, ("friend",)),
        ("always", None, ("friend",)),
    ],
)
def test_who_shares_in_a_failure(custom: str, stated: bool | None, shared: tuple[str, ...]):
    at = table(
        options={"tests_helpers_share_failure": custom},
        rich=RICH,
        friend={"skills": {"Sword": "B3"}},
    )
    answers = {"help": "Sword"} | ({} if stated is None else {"helpers_share": stated})
    run = a_test(at, "Sword", 3, [0], answers, helpers=["friend"])
    assert run.outcome.shared_by == shared
    assert ("The failure is shared by Friend." in run.told) is bool(shared)
    passed = a_test(at, "Sword", 3, [3], {"help": "Sword"}, helpers=["friend"])
    assert passed.outcome.shared_by == ()
