"""Game time passes for everyone, with all that wounds and spells do meanwhile.

A test says how long it took, but several characters act at the same time, so the GM lets time
pass for all of them at once. The calendar and wounds are in ``injury/time_passes``; here it halts
at every moment at which a spell asks for something.
"""

from __future__ import annotations

from collections.abc import Iterator

from astragal.errors import BadInput, check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Play, Step, call

from ..injury.time_passes import pass_time
from ..sheet.calendar import HOURS, parse_time, spend_days, today
from ..sheet.parts import Stretch, Use
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from .sorcery.sustaining import (
    end_spell,
    end_what_cannot_last,
    retax,
    retax_interval,
    settle_distractions,
)
from .sorcery.tax import time_for_forte


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
        check_between(f"{place}.hours", busy.hours, 1, HOURS, unit="hours a day")
    active = frozenset(busy.character for busy in arguments.busy)
    table = yield from time_with_spells(table, seconds, arguments.what, active)
    days = today(table) - before
    for index, busy in enumerate(arguments.busy):
        if days:
            stretch = Stretch(before, days, busy.hours, Use.OTHER, busy.doing)
            table = yield from spend_days(table, busy.character, stretch, f"busy[{index}]")
    return PassageOfTime(seconds, days, today(table), table.scene.calendar.hour)


def time_with_spells(
    table: BurningTable, seconds: int, what: str = "", active: frozenset[str] = frozenset()
) -> Step[BurningTable]:
    """Let time pass, halting at each moment at which a spell ends, tires or a die returns.

    ``active`` are those who have no rest meanwhile.
    """
    end = table.scene.calendar.moment + seconds
    for character in table.characters:
        table = yield from settle_distractions(character, table)
    while table.scene.calendar.moment < end:
        now = table.scene.calendar.moment
        due = min((moment for moment in _moments(table, active) if moment < end), default=end)
        step = max(1, due - now)
        table = yield from pass_time(table, step, what)
        for character in table.characters:
            table = yield from _happens(table, character, step, active)
    return table


def _rests(table: BurningTable, character: str, active: frozenset[str]) -> bool:
    """Whether lost Forte returns meanwhile: always, or only in rest.

    sorcery.amb.recovery_sequence.
    """
    return character not in active or table.options["sorcery_recovery_needs_rest"] == "no"


def _moments(table: BurningTable, active: frozenset[str]) -> Iterator[int]:
    """The moments ahead at which something happens to a spell or to a taxed caster."""
    now = table.scene.calendar.moment
    for character, sheet in table.characters.items():
        if sheet.dead:
            continue  # nothing returns to the dead, and nothing is asked of them
        if sheet.forte_tax and _rests(table, character, active):
            yield now + sheet.forte_tax[0].seconds
        for spell in sheet.active_spells:
            if spell.sustained:
                yield _due(sheet, spell.taxed, spell.obstacle)
            elif spell.ends:
                yield spell.ends


def _due(sheet: Sheet, taxed: int, obstacle: int) -> int:
    """When a sustained spell asks for the next Tax test (sorcery.sustain.retax_interval)."""
    return taxed + retax_interval(sheet, obstacle)


def _happens(
    table: BurningTable, character: str, step: int, active: frozenset[str]
) -> Step[BurningTable]:
    """What is due for one character at this moment."""
    now = table.scene.calendar.moment
    if _rests(table, character, active):
        table = yield from time_for_forte(table, character, step)
    sheet = table.character(character)
    for spell in sheet.active_spells:
        # Exchanges are over by the time that there is time to pass (fight.exchange.definition).
        if spell.for_exchanges or 0 < spell.ends <= now:
            rule = "sorcery.duration.elapsed_base"
            table = yield from end_spell(table, character, spell.name, rule)
    table = yield from settle_distractions(character, table)
    table = yield from end_what_cannot_last(table, character)
    for spell in sheet.sustained:
        sheet = table.character(character)
        if spell.name not in {each.name for each in sheet.sustained}:
            continue
        if _due(sheet, spell.taxed, spell.obstacle) <= now:
            _, table = yield from call(retax, character, spell.name, table)
    return table


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
