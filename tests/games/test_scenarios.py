"""Scenarios: what they expect is looked at, and what does not fit is placed."""

from __future__ import annotations

import re

import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput
from astragal.games.scenarios import parse_scenario
from astragal.play import RollEvent, Tell

STEP = {
    "procedure": "standard_test",
    "arguments": {"character": "ann", "intent": "in", "task": "climbs", "ability": "Climbing"},
    "answers": {"obstacle": 2, "on_failure": "she falls"},
    "rolls": [{"successes": 2}],
}


def nobody(name: str):
    raise BadInput("sheet", name, "a sheet that there is")


def played(*steps, **fields):
    raw = {
        "game": "burning_wheel",
        "characters": {"ann": {"name": "Ann", "skills": {"Climbing": "B4"}}},
        "step": [{**STEP, **step} for step in steps],
        **fields,
    }
    return list(parse_scenario(raw, nobody, "it").play(Seeded(1)))


def test_a_step_that_comes_out_as_expected_has_no_differences():
    (result,) = played({"expect": {"outcome": {"passed": True, "successes": 2}}})
    assert result.differences == ()


@pytest.mark.parametrize(
    ("expect", "difference"),
    [
        ({"outcome": {"passed": False}}, "outcome.passed: expected False, got True"),
        ({"outcome": {"dice": 9}}, "outcome.dice: expected 9, got 4"),
        ({"outcome": {"pased": True}}, "outcome.pased: expected True, but there is no such field"),
        ({"told": ["she flies"]}, "told: nothing said 'she flies'"),
        ({"asked": ["forks"]}, "asked: 'forks' was never asked"),
        ({"not_asked": ["obstacle"]}, "not_asked: 'obstacle' was asked"),
        ({"changes": [{"path": "artha.fate", "after": 9}]}, "but it did not change"),
        ({"no_other_changes": True}, "changes: did not expect ann.skills.Climbing.log"),
        ({"refused": "tests.let_it_ride.one_roll"}, "but it was allowed"),
    ],
)
def test_whatever_differs_is_named(expect, difference):
    (result,) = played({"expect": expect})
    assert any(difference in found for found in result.differences)


AGAIN = {"rolls": [], "answers": {}}
ONE_ROLL = "tests.let_it_ride.one_roll"


def test_a_refusal_that_is_expected_changes_nothing_and_is_not_the_end():
    _, again, later = played(
        {},
        {**AGAIN, "expect": {"refused": ONE_ROLL}},
        {**AGAIN, "expect": {"refused": ONE_ROLL, "asked": ["conditions_changed"]}},
    )
    assert again.refusal is not None
    assert again.differences == ()
    assert later.refusal is not None


@pytest.mark.parametrize(
    "expect", [{"outcome": {"passed": True}}, {"told": ["she flies"]}, {"asked": ["obstacle"]}]
)
def test_beside_a_refusal_the_other_expectations_must_hold_too(expect):
    _, again = played({}, {**AGAIN, "expect": {"refused": ONE_ROLL, **expect}})
    assert again.refusal is not None
    assert len(again.differences) == 1


def test_a_refusal_by_another_rule_is_no_fulfilment():
    _, again = played({}, {**AGAIN, "expect": {"refused": "tests.help.related"}})
    (difference,) = again.differences
    assert difference.startswith("refused: expected tests.help.related, but: Let it Ride")
    assert difference.endswith(f"[{ONE_ROLL}]")
    assert not again.is_refused_as_expected


OTHER = {"arguments": {**STEP["arguments"], "intent": "out"}}


def test_a_refusal_that_was_not_expected_is_a_difference_and_the_next_step_is_played():
    first, again, other = played({}, {**AGAIN, "expect": {"outcome": {"passed": True}}}, OTHER)
    (difference,) = again.differences
    assert difference.startswith("refused: Let it Ride: Ann already rolled Climbing")
    assert again.outcome is None
    told = [event.fact.sentence() for event in again.events if isinstance(event, Tell)]
    assert told == ["Ann's intent: in. Task: climbs (Climbing B4)."]
    assert first.differences == other.differences == ()
    assert other.outcome.passed


def test_after_a_refused_step_the_next_begins_where_that_one_began():
    ann = {"name": "Ann", "skills": {"Climbing": "B4"}, "artha": {"fate": 1}}
    wrong = {"answers": {**STEP["answers"], "after_roll": "luk"}, "rolls": [[6, 2, 2, 2]]}
    refused, other = played(wrong, {}, characters={"ann": ann})
    assert [ask.key for ask in refused.asked][-1] == "after_roll"
    (rolled,) = [event for event in refused.events if isinstance(event, RollEvent)]
    assert rolled.rolled.faces == (6, 2, 2, 2)
    assert refused.changes == ()
    (marked,) = [each for each in other.changes if each.path == "skills.Climbing.log.routine"]
    assert (marked.before, marked.after) == (0, 1)


def test_an_answer_that_does_not_fit_is_refused_by_the_rule_of_its_question():
    answers = {"obstacle": 99, "on_failure": "she falls"}
    expect = {"refused": "tests.obstacle.gm_assigns", "asked": ["obstacle"]}
    (result,) = played({"answers": answers, "expect": expect})
    assert result.differences == ()
    assert result.refusal.rule == "tests.obstacle.gm_assigns"


def test_an_answer_that_is_missing_is_never_the_refusal_that_was_expected():
    (result,) = played({"answers": {}, "expect": {"refused": "tests.obstacle.gm_assigns"}})
    (difference,) = result.differences
    assert "found nothing, expected an answer from the GM" in difference


ASKED = (
    "gm/task_says_how",
    "gm/fits",
    "gm/at_stake",
    "gm/obstacle",
    "gm/on_success",
    "gm/on_failure",
)


def asked_of(result):
    return [f"{ask.seat}/{ask.key}" for ask in result.asked]


def test_the_questions_of_a_step_can_be_expected_in_order_and_number():
    (plain,) = played({})
    every = asked_of(plain)
    keys = [key.partition("/")[2] for key in every]
    assert [key for key in every if key in ASKED] == list(ASKED)
    for expect in (
        {"asked_exactly": every},
        {"asked_exactly": keys},
        {"asked_in_order": ["fits", "obstacle#1", "on_failure"]},
        {"asked": ["gm/obstacle"], "not_asked": ["obstacle#2", "ann/obstacle"]},
    ):
        (result,) = played({"expect": expect})
        assert result.differences == (), expect


@pytest.mark.parametrize(
    ("expect", "difference"),
    [
        (
            {"asked_in_order": ["obstacle", "fits"]},
            "asked_in_order: 'fits' was not asked after 'obstacle'",
        ),
        (
            {"asked_in_order": ["obstacle", "obstacle"]},
            "asked_in_order: 'obstacle' was not asked after 'obstacle'",
        ),
        ({"asked": ["obstacle#2"]}, "asked: 'obstacle#2' was never asked"),
        ({"asked": ["ann/obstacle"]}, "asked: 'ann/obstacle' was never asked"),
        ({"not_asked": ["gm/obstacle#1"]}, "not_asked: 'gm/obstacle#1' was asked"),
        (
            {"asked_exactly": []},
            "asked_exactly: question 1: did not expect 'gm/task_says_how'",
        ),
        (
            {"asked_exactly": ["task_says_how", "obstacle"]},
            "asked_exactly: question 2: expected 'obstacle', got 'gm/fits'",
        ),
    ],
)
def test_other_questions_than_expected_are_named(expect, difference):
    (result,) = played({"expect": expect})
    assert result.differences == (difference,)


def test_one_question_too_few_is_named():
    (plain,) = played({})
    (result,) = played({"expect": {"asked_exactly": [*asked_of(plain), "luck"]}})
    (difference,) = result.differences
    assert difference.endswith("expected 'luck', but it was not asked")


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (
            {"answers": {"obstacle": "3"}},
            r"^refused: answers\.obstacle: found '3', expected a whole number, 1 to 20 "
            r"\[tests\.obstacle\.gm_assigns\]$",
        ),
        (
            {"answers": {}},
            r"^answers\.obstacle: found nothing, expected an answer from the GM to: Obstacle "
            r"\(a whole number, 1 to 20\)",
        ),
        (
            {"answers": {"obstacel": 2}},
            r"^answers\.obstacle: found nothing, .*; 'obstacel' is written, but not asked$",
        ),
        (
            {"answers": {**STEP["answers"], "on_sucess": "x"}},
            r"^answers: found 'on_sucess', expected a question asked here; nearest: on_success$",
        ),
        (
            {"answers": {**STEP["answers"], "gm/on_failur#2": "x"}},
            r"^answers: found 'gm/on_failur#2', .* asked here; nearest: gm/on_failure$",
        ),
        (
            {"answers": {**STEP["answers"], "xyz": "x"}},
            r"^answers: found 'xyz', expected one of the questions asked here: .*at_stake, ",
        ),
        (
            {"rolls": [{"successes": "2"}]},
            r"^rolls: roll 1 \(Ann, Climbing\): found '2', expected a whole number of",
        ),
        ({"rolls": [{"successes": 1.5}]}, "found 1.5, expected a whole number of successes"),
        ({"rolls": [{"successes": True}]}, "found True, expected a whole number of successes"),
        ({"rolls": [{"successes": 10**30}]}, "as many as 4 dice can show"),
        ({"rolls": [[1, 1, 1, True]]}, "found True, expected a face of a d6"),
        ({"rolls": [[1, 1, 1, 1], [1]]}, r"^rolls: roll 2: found \[1\], expected no more entries"),
        ({"rolls": []}, r"^rolls: roll 1 \(Ann, Climbing\): found nothing, expected faces of 4B"),
    ],
)
def test_a_script_that_does_not_fit_is_a_difference(step, message):
    script, after = played({**step, "expect": {"refused": ""}}, OTHER)
    (difference,) = script.differences
    assert re.search(message, difference), difference
    assert after.differences == ()


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"rolls": 3}, r"^it, step 2, rolls: found 3, expected a list"),
        ({"answrs": {}}, r"^it, step 2, answrs: found 'answrs'"),
        ({"arguments": {}}, r"^it, step 2, arguments\.character"),
        ({"rules": ["tests.x"]}, r"^it, step 2, rules\[0\]: found 'tests\.x'"),
        (
            {"rules": ["cores.explode.once"]},
            r"^it, step 2, rules\[0\]: found 'cores\.explode\.once', expected an entry of The",
        ),
        ({"expect": {"refused": "tests.x"}}, r"^it, step 2, expect\.refused: found 'tests\.x'"),
    ],
)
def test_a_file_that_is_not_valid_is_refused_and_its_steps_are_counted_from_1(step, message):
    with pytest.raises(BadInput, match=message):
        played({}, step)


def test_a_sheet_that_cannot_be_had_is_placed():
    with pytest.raises(BadInput, match=r"^it\.characters\.ben \(sheet\): found 'ben\.toml'"):
        played({}, characters={"ben": "ben.toml"})


def test_a_scenario_has_steps():
    with pytest.raises(BadInput, match=r"^it\.step: found \[\], expected at least one"):
        played()
