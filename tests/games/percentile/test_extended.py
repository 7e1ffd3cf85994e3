"""Extended tests: what completes one, what it takes, and that it is kept between sittings."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.play import Tell
from games.percentile.playing import d100, odds, play, table_of

SHEET = {"characteristics": {"Int": 45, "S": 30}, "skills": {"Repair": "Int", "Forgery": "Int"}}
TERMS = {"needed": 6}


def work(table, *rolls, answers=None, **said):
    said = {"character": "a", "ability": "Repair", "title": "the engine", **said}
    return play(table, "extended_test", d100(*rolls), {} if answers is None else answers, **said)


@pytest.mark.parametrize(
    ("measure", "needed", "rolls", "steps"),
    [
        # Against 45: 38 has 2 degrees, 71 fails, 12 has 4, 44 has 1.
        ("total_degrees", 6, (38, 71, 12), [2, 2, 6]),
        ("successful_tests", 3, (38, 71, 12, 44), [1, 1, 2, 3]),
        ("successful_tests_in_a_row", 2, (38, 71, 12, 44), [1, 0, 1, 2]),
    ],
)
@pytest.mark.rules("percentile.extended.multiple")
def test_what_completes_a_task(measure, needed, rolls, steps):
    table = table_of({"percentile_extended_measure": measure}, a=SHEET)
    played = work(table, *rolls, answers={"needed": needed})
    assert played.outcome.done
    assert played.outcome.tests == len(rolls)
    said = re.findall(
        r"^the engine: .*?(\d+) of \d+ after", played.told, re.MULTILINE | re.IGNORECASE
    )
    assert [int(progress) for progress in said] == steps


@pytest.mark.rules("percentile.extended.multiple")
def test_a_task_of_the_same_name_is_another_one_for_somebody_else():
    """12 against 45 is 4 degrees for each of them, and neither has the other's."""
    mine = work(table_of(a=SHEET, b=SHEET), 12, answers=TERMS, tests=1)
    theirs = work(mine.table, 12, answers=TERMS, character="b", tests=1)
    assert (theirs.outcome.progress, theirs.outcome.tests) == (4, 1)
    assert [task.character for task in theirs.table.scene.tasks] == ["a", "b"]


@pytest.mark.rules("percentile.extended.multiple")
@pytest.mark.parametrize(("needed", "tests"), [(1, 1), (3, 2), (6, 4), (6, 9)])
def test_the_odds_of_finishing_in_time(needed: int, tests: int):
    """Against 45, by counting: 1, 2, 3, 4, 5 degrees come up 6, 10, 10, 10 and 9 times in 100."""
    degrees = {1: 6, 2: 10, 3: 10, 4: 10, 5: 9, 0: 55}

    @cache
    def done(missing: int, left: int) -> Fraction:
        if missing <= 0:
            return Fraction(1)
        if not left:
            return Fraction(0)
        return sum(
            (Fraction(n, 100) * done(missing - gained, left - 1) for gained, n in degrees.items()),
            Fraction(0),
        )

    found = odds(
        table_of(a=SHEET),
        "extended_test",
        {"needed": needed},
        character="a",
        ability="Repair",
        title="x",
        tests=tests,
    )
    assert found.where(lambda outcome: outcome.done) == done(needed, tests)


@pytest.mark.rules("percentile.extended.time")
def test_the_gm_sets_the_time_of_each_test_and_failures_cost_it_too():
    answers = {"needed": 3, "time_each": 20, "time_unit": "minutes"}
    played = work(table_of(a=SHEET), 99, 98, 20, answers=answers)
    assert played.outcome.time == "60 minutes"
    seats = {ask.key: ask.seat for ask in played.asked}
    assert seats["time_each"] == seats["time_unit"] == seats["needed"] == "gm"


@pytest.mark.rules("percentile.extended.multiple")
def test_an_unfinished_task_is_kept_and_taken_up_again():
    table = table_of(a=SHEET)
    first = work(table, 38, 71, answers={"needed": 6}, tests=2)
    assert not first.outcome.done
    (task,) = first.table.scene.tasks
    assert (task.progress, task.tests) == (2, 2)
    other = work(first.table, 90, answers={"needed": 9}, title="the pump", tests=1)
    assert [task.title for task in other.table.scene.tasks] == ["the engine", "the pump"]
    second = work(other.table, 12, title="The  Engine")
    assert "needed" not in second.keys
    assert (second.outcome.done, second.outcome.tests) == (True, 3)
    assert [task.title for task in second.table.scene.tasks] == ["the pump"]
    with pytest.raises(BadInput, match="with which the task began"):
        work(first.table, 12, ability="Forgery")


def test_a_task_can_be_put_down_between_tests():
    played = work(table_of(a=SHEET), 38, answers={"needed": 6, "go_on": False})
    assert (played.outcome.progress, played.outcome.tests) == (2, 1)


@pytest.mark.parametrize(
    ("does", "rolls", "progress", "lost", "kept"),
    [
        ("nothing", (38, 71), 2, False, 1),
        ("start_over", (38, 71), 0, False, 1),
        ("ends", (38, 71), 2, True, 0),
    ],
)
def test_what_a_failure_does_is_the_gms_to_say(does, rolls, progress, lost, kept):
    answers = {"needed": 9, "on_failure": does}
    played = work(table_of(a=SHEET), *rolls, answers=answers, tests=2)
    assert (played.outcome.progress, played.outcome.lost) == (progress, lost)
    assert len(played.table.scene.tasks) == kept


def test_a_task_that_a_failure_ends_is_not_gone_on_with():
    answers = {"needed": 9, "on_failure": "ends"}
    played = work(table_of(a=SHEET), 38, 71, answers=answers, tests=5)
    assert (played.outcome.tests, played.outcome.lost) == (2, True)
    assert [ask.key for ask in played.asked].count(
        "go_on"
    ) == 1  # after the first test, and not after the last


@pytest.mark.rules("percentile.extended.multiple")
def test_it_is_the_gm_who_requires_it_and_of_skills():
    table = table_of(a=SHEET)
    with pytest.raises(NotAllowed) as refused:
        work(table, answers={"requires": False})
    assert refused.value.rule == "percentile.extended.multiple"
    with pytest.raises(BadInput) as unfit:
        work(table, ability="Strength")
    assert unfit.value.rule == "percentile.extended.multiple"


@pytest.mark.rules("percentile.extended.stated")
def test_a_skills_description_suggests_the_terms():
    described = {"characteristic": "Int", "extended": True, "needed": 2, "each": 3, "unit": "days"}
    table = table_of(None, {"skills": {"Repair": described}}, a=SHEET)
    played = work(table, 38)
    assert "requires" not in played.keys
    assert (played.outcome.needed, played.outcome.time) == (2, "3 days")


def test_bad_numbers_are_refused():
    table = table_of(a=SHEET)
    for said in ({"tests": 0}, {"tests": 31}, {"title": " "}):
        with pytest.raises(BadInput, match=next(iter(said))):
            work(table, **said)
    for said in ({"needed": 0}, {"each": -1}, {"skill": "Agility"}, {"characteristic": "Luck"}):
        given = {"skill": "Repair", "characteristic": "Int", **said}
        with pytest.raises(BadInput, match=next(iter(said))):
            play(table, "describe_skill", **given)


def test_the_last_outcome_says_where_the_task_is_left():
    played = work(table_of(a=SHEET), 60, answers=TERMS, tests=1)
    told = [event.fact for event in played.events if isinstance(event, Tell)]
    assert told[-1].role == "outcome"
    assert told[-1].sentence() == "The engine: not done yet, 0 of 6 after 1 hour."
