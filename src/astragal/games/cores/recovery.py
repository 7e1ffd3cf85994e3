"""Recovery: time passes, and lowered Cores come back (cores.recovery.temporary).

Steps lost to other than deadly tests come back one an hour, those lost to deadly tests one a
week, the former first (cores.amb.mixed_damage_recovery). The dead do not recover.
"""

from __future__ import annotations

import msgspec

from astragal.errors import check_at_least
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, confirm, note, path_of, tell

from .facts import CoreMoved
from .scene import CoresTable, comforts_anew
from .sheet import HOURS_IN_A_WEEK, Core, CoreName, ladder

HOURS_IN_A_DAY = 24
HOURS_IN_A_YEAR = 365 * HOURS_IN_A_DAY


class TimePasses(Arguments, frozen=True):
    """How much time passes in the story; hours, days, weeks and years are added up."""

    hours: int = 0
    days: int = 0
    weeks: int = 0
    years: int = 0

    @property
    def in_hours(self) -> int:
        """All of it in hours."""
        days = self.days + 7 * self.weeks
        return self.hours + HOURS_IN_A_DAY * days + HOURS_IN_A_YEAR * self.years


class CoreRecovery(msgspec.Struct, frozen=True):
    """A Core that came back, in part or wholly."""

    character: str
    core: CoreName
    before: str
    after: str


class TimeOutcome(Outcome, frozen=True):
    """What the time brought."""

    hours: int
    recovered: tuple[CoreRecovery, ...]
    new_day: bool


def time_passes(arguments: TimePasses, table: CoresTable) -> Play[TimeOutcome]:
    """Time passes for everyone at the table."""
    for field in arguments.__struct_fields__:
        check_at_least(field, getattr(arguments, field), 0)
    hours = arguments.in_hours
    recovered = []
    for character, sheet in table.characters.items():
        if sheet.dead:
            continue
        for name in CoreName:
            before = sheet.core[name]
            table = yield from _rest(character, name, hours, table)
            after = table.character(character).core[name]
            if after.now != before.now:
                recovered.append(CoreRecovery(character, name, before.now, after.now))
    new_day = hours >= HOURS_IN_A_DAY
    if not new_day:
        new_day = yield from confirm(
            GM, "new_day", "New day?", default=False, because="cores.angst.comfort_limit"
        )
    if new_day:
        yield from comforts_anew(table)
    return TimeOutcome(hours, tuple(recovered), new_day)


def _rest(character: str, name: CoreName, hours: int, table: CoresTable) -> Step[CoresTable]:
    before = table.character(character).core[name]
    if hours >= HOURS_IN_A_YEAR and before.lasting:
        table = yield from _years_on(character, name, table)
    core = table.character(character).core[name]
    after = rested(core, hours)
    for field, because in (
        ("lowered", "cores.recovery.non_deadly"),
        ("lowered_deadly", "cores.recovery.deadly"),
        ("hours", "cores.recovery.deadly"),
    ):
        path = path_of("core", name.value, field)
        table = yield from table.amend(character, path, getattr(after, field), because=because)
    now = table.character(character).core[name].now
    if now != before.now:
        who = table.character(character).name
        rule = "cores.recovery.temporary"
        yield from tell(CoreMoved(who, str(name), before.now, now, rule))
    return table


def rested(core: Core, hours: int) -> Core:
    """A Core after some hours: never above its own die type (cores.recovery.temporary).

    First one step an hour (cores.recovery.non_deadly), then one a week
    (cores.recovery.deadly); hours short of a week are remembered.

    >>> rested(Core("d10", lowered=1, lowered_deadly=2), 1 + 168 + 5)
    Core(die='d10', lowered=0, lowered_deadly=1, lasting=0, hours=5)
    """
    quick = min(core.lowered, hours)
    spent = core.hours + hours - quick  # nothing is left over while other steps are missing
    slow = min(core.lowered_deadly, spent // HOURS_IN_A_WEEK)
    left = core.lowered_deadly - slow
    return msgspec.structs.replace(
        core,
        lowered=core.lowered - quick,
        lowered_deadly=left,
        hours=spent - slow * HOURS_IN_A_WEEK if left else 0,
    )


def _years_on(character: str, name: CoreName, table: CoresTable) -> Step[CoresTable]:
    """Who was spared may reach d4 after years, and hardly ever more (cores.recovery.spared)."""
    sheet = table.character(character)
    core = sheet.core[name]
    step = "from d0 to d4" if core.now == ladder()[0] else f"above {core.now}, against the odds"
    better = yield from confirm(
        GM,
        "mends",
        f"Years have passed. Does {sheet.name}'s {name} rise {step}?",
        default=False,
        because="cores.recovery.spared",
    )
    if not better:
        return table
    yield from note(f"{sheet.name} has recovered a little.", "cores.recovery.spared")
    path = path_of("core", name.value, "lasting")
    return (yield from table.add(character, path, -1, because="cores.recovery.spared"))


PROCEDURES = (
    Procedure(
        "time_passes", "Time passes", TimePasses, time_passes, gm_only=True, touches_all=True
    ),
)
