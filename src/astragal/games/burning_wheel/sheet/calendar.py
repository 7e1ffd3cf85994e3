"""Game time: the campaign's calendar, and what each character's days went into.

No clock runs here. A test says how long it took, but several characters act at the same time,
so the GM lets time pass for all of them at once; everything that counts days (practice,
instruction, recovery, lifestyle) looks at the calendar afterwards. Each sheet keeps account of
the days its character has spent, so that no hour is used twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from astragal.errors import BadInput, NotAllowed
from astragal.play import Step

from .durations import parse_duration
from .parts import Stretch, Use
from .scene import BurningTable
from .sheet import Sheet

DAY = 86400
"""Seconds in a day."""

HOURS = 24
"""Hours in a day."""

MONTH = 30
"""Days in a month, unless the group counts real months (advancement.amb.practice_segments)."""

YEAR = 12
"""Months in a year."""

LONGEST = 100 * YEAR * MONTH
"""A century, in days; more at once is a typing error."""


def today(table: BurningTable) -> int:
    """The number of whole days since the campaign began.

    >>> from astragal.games.burning_wheel import GAME
    >>> today(GAME.table({}))
    0
    """
    return table.scene.calendar.day


def days_in(months: int, since: int, table: BurningTable) -> int:
    """The days in a number of months, counted from a day of the campaign.

    A month is thirty days and a year twelve of those; or, where the group counts calendar
    months, it ends on the same day of a later month (or on its last, if it has no such day)
    (advancement.amb.practice_segments).
    """
    if table.options["advancement_calendar"] == "month_of_30_days":
        return months * MONTH
    lengths = table.scene.calendar.months
    month, day = date_of(since, table)
    goal = month - 1 + months
    whole = sum(lengths[each % len(lengths)] for each in range(month - 1, goal))
    return whole - day + min(day, lengths[goal % len(lengths)])


def date_of(day: int, table: BurningTable) -> tuple[int, int]:
    """The month and the day of the month, by the lengths of the campaign's months."""
    calendar = table.scene.calendar
    month = calendar.began[0] - 1
    left = day + calendar.began[1] - 1
    lengths = calendar.months
    left %= sum(lengths)
    while left >= lengths[month % len(lengths)]:
        left -= lengths[month % len(lengths)]
        month += 1
    return month % len(lengths) + 1, left + 1


def parse_time(text: str, since: int, table: BurningTable, place: str = "time") -> int:
    """Read a length of time in seconds, months and years by the campaign's calendar."""
    rest, months = [], 0
    for part in re.split(r"\s*,\s*|\s+and\s+(?!a half$)", text.strip().casefold()):
        match = re.fullmatch(r"(an?|\d+)\s+(month|year)s?", part)
        if match is None:
            rest.append(part)
            continue
        count = int(match[1]) if match[1].isdigit() else 1
        months += count * (YEAR if match[2] == "year" else 1)
    if months * MONTH > LONGEST:
        raise BadInput(place, text, "at most a century", "tests.time.stated_before_roll")
    seconds = parse_duration(", ".join(rest), place) + days_in(months, since, table) * DAY
    if seconds > LONGEST * DAY:
        raise BadInput(place, text, "at most a century", "tests.time.stated_before_roll")
    return seconds


# --- What days go into ---------------------------------------------------------------------


def spend_days(
    table: BurningTable, character: str, stretch: Stretch, place: str = "days"
) -> Step[BurningTable]:
    """Enter on a sheet what the character's days went into; no hour is spent twice.

    advancement.practice.exclusive_time; instruction leaves no free time at all
    (advancement.instruction.all_free_time).
    """
    sheet = table.character(character)
    last = stretch.first + stretch.days
    if not 0 <= stretch.first < last <= today(table):
        expected = f"days that have passed: it is day {today(table)}"
        found = f"{stretch.days} days from day {stretch.first}"
        raise BadInput(place, found, expected, "advancement.practice.at_end_of_cycle")
    for day, spent in _together(sheet, stretch):
        others = [each for each in spent if _all_free_time(each.use, stretch.use)]
        if others:
            doing = others[0].doing or others[0].use.value
            what = f"{sheet.name} has no time for {stretch.use.value} on day {day}: {doing}"
            raise NotAllowed(what, "advancement.instruction.all_free_time")
        hours = sum(each.hours for each in spent)
        if hours + stretch.hours > HOURS:
            free = f"at most {HOURS - hours} hours on day {day}: the others are spent"
            found = f"{stretch.hours} hours a day"
            raise BadInput(place, found, free, "advancement.practice.exclusive_time")
    because = "advancement.practice.exclusive_time"
    return (yield from table.amend(character, "days", (*sheet.days, stretch), because=because))


def _all_free_time(one: Use, other: Use) -> bool:
    """Whether instruction leaves no room beside it: not for practice, nor for another teacher."""
    return Use.INSTRUCTION in (one, other) and Use.OTHER not in (one, other)


def hours_spent(sheet: Sheet, stretch: Stretch, use: Use) -> int:
    """The hours already spent so on the fullest day of a stretch."""
    return max(
        (sum(e.hours for e in spent if e.use is use) for _, spent in _together(sheet, stretch)),
        default=0,
    )


def first_free_day(sheet: Sheet) -> int:
    """The first day after all those that the sheet accounts for."""
    return max((each.first + each.days for each in sheet.days), default=0)


def _together(sheet: Sheet, stretch: Stretch) -> Iterator[tuple[int, list[Stretch]]]:
    """Where anything else begins within a stretch: the day, and all that fills it."""
    last = stretch.first + stretch.days
    within = [e for e in sheet.days if e.first < last and stretch.first < e.first + e.days]
    for day in sorted({max(each.first, stretch.first) for each in within}):
        yield day, [each for each in within if each.first <= day < each.first + each.days]
