"""Scenarios: what they expect is looked at, and what does not fit is placed."""

from __future__ import annotations

import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput, Refusal
from astragal.games.scenarios import parse_scenario

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
    with pytest.raises(Refusal, match=r"step\[1\]: .*let_it_ride"):
        played({}, {**AGAIN, "expect": {"refused": "tests.help.related"}})


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"answers": {"obstacle": "3"}}, r"^step\[0\]\.answers\.obstacle: found '3'"),
        (
            {"answers": {}},
            r"^step\[0\]\.answers\.obstacle: found nothing, expected an answer from the GM",
        ),
        ({"rolls": [{"successes": "2"}]}, r"rolls\[0\].*: found '2', expected a whole number of"),
        ({"rolls": [{"successes": 1.5}]}, "found 1.5, expected a whole number of successes"),
        ({"rolls": [{"successes": True}]}, "found True, expected a whole number of successes"),
        ({"rolls": [{"successes": 10**30}]}, "do not fit 4 dice"),
        ({"rolls": [[1, 1, 1, True]]}, "found True, expected a face of a d6"),
        ({"rolls": [[1, 1, 1, 1], [1]]}, r"rolls\[1\]: found \[1\], expected no more entries"),
        ({"rolls": 3}, r"^it\.step\[0\]\.rolls: found 3, expected a list"),
        ({"arguments": {}}, r"^it\.step\[0\]\.arguments\.character"),
    ],
)
def test_what_does_not_fit_is_placed(step, message):
    with pytest.raises(BadInput, match=message):
        played(step)


def test_a_sheet_that_cannot_be_had_is_placed():
    with pytest.raises(BadInput, match=r"^it\.characters\.ben \(sheet\): found 'ben\.toml'"):
        played({}, characters={"ben": "ben.toml"})


def test_a_scenario_has_steps():
    with pytest.raises(BadInput, match=r"^it\.step: found \[\], expected at least one"):
        played()
