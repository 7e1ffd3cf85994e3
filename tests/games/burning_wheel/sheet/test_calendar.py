"""Game time: letting it pass, months and dates, and what each character's days went into."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import BurningTable
from astragal.games.burning_wheel.sheet.calendar import (
    DAY,
    date_of,
    days_in,
    first_free_day,
    parse_time,
    today,
)
from games.burning_wheel.playing import play, sheet, table

REAL = {"advancement_calendar": "calendar_months"}


def passed(at: BurningTable, time: str, **more: Any) -> BurningTable:
    return play("let_time_pass", {"time": time, **more}, at).table


def test_time_adds_up_and_is_told():
    run = play("let_time_pass", {"time": "2 days and 20 hours", "what": "the road"}, table())
    assert (run.outcome.days, run.outcome.day, run.outcome.hour) == (2, 2, 20)
    assert "later (the road): day 2, hour 20." in run.told
    later = play("let_time_pass", {"time": "5 hours"}, run.table)
    assert (later.outcome.days, later.outcome.day, later.outcome.hour) == (1, 3, 1)


@given(st.lists(st.integers(1, 400_000), min_size=1, max_size=8))
def test_however_it_is_cut_up_the_same_time_passes(pieces: list[int]):
    at = table()
    for seconds in pieces:
        at = passed(at, f"{seconds} seconds")
    calendar = at.scene.calendar
    assert calendar.day * DAY + calendar.seconds == sum(pieces)
    assert 0 <= calendar.hour < 24


def test_a_month_is_thirty_days_and_a_year_twelve_months():
    at = table(options={"advancement_calendar": "month_of_30_days"})
    assert today(passed(at, "1 month")) == 30
    assert today(passed(at, "a year")) == 360
    assert today(passed(at, "1 year, 2 months and 3 days")) == 360 + 60 + 3
    assert [days_in(months, since, at) for months in (1, 12) for since in (0, 45)] == [
        30,
        30,
        360,
        360,
    ]


@given(st.integers(0, 2000), st.integers(1, 30))
def test_calendar_months_end_on_the_same_day_of_a_later_month(since: int, months: int):
    at = table(options=REAL)
    # An ordinary year of 365 days, as 2023 and 2025 have; counted with the standard library.
    month, day = date_of(since, at)
    plain = date(2023, 1, 1) + timedelta(days=since % 365)
    assert (month, day) == (plain.month, plain.day)
    after = date_of(since + days_in(months, since, at), at)
    goal = (month - 1 + months) % 12 + 1
    longest = 28 if goal == 2 else 30 if goal in (4, 6, 9, 11) else 31
    assert after == (goal, min(day, longest))
    assert 28 * months <= days_in(months, since, at) <= 31 * months


def test_a_campaign_may_have_its_own_months_and_beginning():
    at = table(scene={"calendar": {"months": [10, 20], "began": [2, 5]}}, options=REAL)
    assert date_of(0, at) == (2, 5)
    assert date_of(16, at) == (1, 1)
    assert days_in(1, 0, at) == 20 - 5 + 1 + 4  # to the fifth of the short month
    assert parse_time("1 month", 0, at) == 20 * DAY


@pytest.mark.parametrize(
    "time", ["", "soon", "3 fortnights", "instantaneous", "0 days", "900 years"]
)
def test_bad_times_are_refused(time: str):
    with pytest.raises(BadInput, match=r"^time: found "):
        play("let_time_pass", {"time": time}, table())


# --- What days go into ---------------------------------------------------------------------


@pytest.mark.rules("advancement.practice.exclusive_time")
def test_whoever_is_busy_cannot_practise_in_those_hours():
    raw = {"stats": {"Will": "B5", "Power": "B4"}}
    busy = [{"character": "rich", "doing": "heals", "hours": 20}]
    at = passed(table(rich=raw, tam=raw), "30 days", busy=busy)
    power = {"regimen": [{"ability": "Power", "hours": 8}], "first_day": 0}
    with pytest.raises(BadInput, match=r"at most 4 hours on day 0.*exclusive_time"):
        play("practise", {"character": "rich", **power}, at)
    four = {"regimen": [{"ability": "Power", "hours": 4}], "first_day": 0}
    assert play("practise", {"character": "rich", **four}, at).outcome.days == 30
    assert play("practise", {"character": "tam", **power}, at).outcome.days == 30


@pytest.mark.rules("advancement.practice.exclusive_time")
def test_adventuring_day_and_night_leaves_nothing():
    raw = {"stats": {"Will": "B5", "Power": "B4"}}
    at = passed(table(rich=raw), "30 days", busy=[{"character": "rich", "doing": "adventures"}])
    regimen = [{"ability": "Power", "hours": 2}]
    with pytest.raises(BadInput, match="at most 0 hours on day 29"):
        play("practise", {"character": "rich", "regimen": regimen, "first_day": 29}, at)
    assert first_free_day(at.character("rich")) == 30


@pytest.mark.parametrize(
    ("busy", "message"),
    [
        ({"character": "nobody", "doing": "x"}, r"^busy\[0\].character: found 'nobody'"),
        ({"character": "rich", "doing": "x", "hours": 25}, r"^busy\[0\].hours: found 25"),
        ({"character": "rich", "doing": "x", "hours": 0}, r"^busy\[0\].hours: found 0"),
    ],
)
def test_bad_occupations_are_refused(busy: dict[str, Any], message: str):
    with pytest.raises(BadInput, match=message):
        passed(table(rich={}), "2 days", busy=[busy])


def test_a_sheet_cannot_have_impossible_days():
    with pytest.raises(BadInput, match=r"days\[0\].hours: found 30"):
        sheet(days=[{"first": 0, "days": 1, "hours": 30}])
    with pytest.raises(BadInput, match=r"days\[0\].days: found 0"):
        sheet(days=[{"first": 0, "days": 0, "hours": 3}])


@pytest.mark.rules("advancement.instruction.all_free_time")
def test_two_teachers_at_once_are_one_too_many():
    raw = {"stats": {"Will": "B5"}, "skills": {"Instruction": "B4", "Sword": "B4", "Bow": "B4"}}
    lessons = {"first": 0, "days": 9, "hours": 24, "use": "instruction", "doing": "learns Bow"}
    student = {"stats": {"Will": "B5"}, "skills": {"Sword": "B2"}, "days": [lessons]}
    course = {"instructor": "rich", "student": "tam", "skill": "Sword", "since": 0, "passed": True}
    scene = {"calendar": {"day": 60}, "courses": [course]}
    at = table(scene=scene, rich=raw, tam=student)
    wish = {"instructor": "rich", "student": "tam", "skill": "Sword"}
    with pytest.raises(NotAllowed, match=r"learns Bow.*all_free_time"):
        play("taught", {**wish, "first_day": 5}, at)
    assert play("taught", wish, at).outcome.days == 11
