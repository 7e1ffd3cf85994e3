"""Lengths of game time (tests.time.stated_before_roll)."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.sheet.durations import parse_duration, say_duration


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("instantaneous", 0),
        ("", 0),
        ("a moment", 0),
        ("90 seconds", 90),
        ("half an hour", 1800),
        ("an hour and a half", 5400),
        ("1.5 hours", 5400),
        ("2 Hours", 7200),
        ("1 week and 2 days", 9 * 86400),
        ("1 day, 2 hours and 3 minutes", 86400 + 7200 + 180),
        ("2 months", 60 * 86400),
        ("a season", 91 * 86400),
        ("a year", 365 * 86400),
    ],
)
def test_time_is_read_as_people_say_it(said: str, seconds: int):
    assert parse_duration(said) == seconds


@pytest.mark.rules("tests.time.stated_before_roll")
@pytest.mark.parametrize("said", ["soon", "2 moons", "hours", "-2 hours", "2"])
def test_what_is_no_time_is_refused(said: str):
    with pytest.raises(BadInput, match=r"time: found .*tests\.time\.stated_before_roll"):
        parse_duration(said)


@pytest.mark.parametrize(
    "seconds", [0, 1, 59, 60, 5400, 9720, 86400, 30 * 86400, 91 * 86400, 10**8]
)
def test_what_is_said_can_be_read_again(seconds: int):
    assert parse_duration(say_duration(seconds)) == seconds
