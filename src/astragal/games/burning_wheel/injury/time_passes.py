"""Game time passes for everyone: the calendar moves on, wounds bleed and heal, hesitation ends.

A test says how long it took, but several characters act at the same time, so the GM lets time
pass for all of them at once.
"""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.games.burning_wheel.conditions.hesitation import time_for_hesitation
from astragal.games.burning_wheel.injury.bleeding import time_for_wounds
from astragal.games.burning_wheel.sheet.calendar import DAY, HOURS, parse_time, spend_days, today
from astragal.games.burning_wheel.sheet.durations import say_duration
from astragal.games.burning_wheel.sheet.parts import Stretch, Use
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import Noted, Play, Step, tell


class BusyTime(Arguments, frozen=True):
    """What keeps a character from practice meanwhile, and for how many hours a day."""

    character: str
    doing: str
    hours: int = HOURS


class LetTimePass(Arguments, frozen=True):
    """How much time passes, what happens meanwhile, and who is busy."""

    time: str
    what: str = ""
    busy: tuple[BusyTime, ...] = ()


class PassageOfTime(Outcome, frozen=True):
    """The time that has passed, and the date after it."""

    seconds: int
    days: int
    day: int
    hour: int


def let_time_pass(arguments: LetTimePass, table: BurningTable) -> Play[PassageOfTime]:
    """Time passes for everyone (tests.time.meanwhile).

    Hours spent on adventures, healing or anything else are not free for practice
    (advancement.practice.exclusive_time).
    """
    before = today(table)
    seconds = parse_time(arguments.time, before, table)
    if not seconds:
        expected = "a length of time, such as 2 hours, 3 days or 6 months"
        raise BadInput("time", arguments.time, expected, "tests.time.stated_before_roll")
    for index, busy in enumerate(arguments.busy):
        place = f"busy[{index}]"
        table.character(busy.character, f"{place}.character")
        if not 1 <= busy.hours <= HOURS:
            raise BadInput(f"{place}.hours", busy.hours, f"1 to {HOURS} hours a day")
    table = yield from pass_time(table, seconds, arguments.what)
    days = today(table) - before
    for index, busy in enumerate(arguments.busy):
        if days:
            stretch = Stretch(before, days, busy.hours, Use.OTHER, busy.doing)
            table = yield from spend_days(table, busy.character, stretch, f"busy[{index}]")
    return PassageOfTime(seconds, days, today(table), table.scene.calendar.hour)


def pass_time(table: BurningTable, seconds: int, what: str = "") -> Step[BurningTable]:
    """Move the calendar on; for procedures that take game time."""
    calendar = table.scene.calendar
    days, rest = divmod(calendar.seconds + seconds, DAY)
    because = "tests.time.meanwhile"
    table = yield from table.add(SCENE, "calendar.day", days, because=because)
    table = yield from table.amend(SCENE, "calendar.seconds", rest, because=because)
    after = table.scene.calendar
    doing = f" ({what})" if what else ""
    text = f"{say_duration(seconds)} later{doing}: day {after.day}, hour {after.hour}."
    yield from tell(Noted(text, because))
    table = yield from time_for_hesitation(table, seconds)
    # Meanwhile wounds bleed and heal (injury.bleed.clock_start).
    return (yield from time_for_wounds(table, calendar.moment, after.moment))


PROCEDURES = (
    Procedure(
        "let_time_pass",
        "Let time pass",
        LetTimePass,
        let_time_pass,
        gm_only=True,
        touches_all=True,
        frequent=13,
    ),
)
