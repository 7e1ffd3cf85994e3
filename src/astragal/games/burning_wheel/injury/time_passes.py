"""Game time passes: the calendar moves on, wounds bleed and heal, hesitation ends.

What a group begins is in ``magic/time_passes``, which knows what spells do meanwhile.
"""

from __future__ import annotations

from astragal.games.game import SCENE
from astragal.play import Step, note

from ..conditions.hesitation import time_for_hesitation
from ..sheet.calendar import DAY
from ..sheet.durations import say_duration
from ..sheet.scene import BurningTable
from .bleeding import time_for_wounds


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
    yield from note(text, because)
    table = yield from time_for_hesitation(table, seconds)
    # Meanwhile wounds bleed and heal (injury.bleed.clock_start).
    return (yield from time_for_wounds(table, calendar.moment, after.moment))
