"""Bleeding: clocks that run with the campaign's calendar, and all that time does to wounds.

A clock starts with the wound (injury.bleed.clock_start) and runs whenever game time passes,
also for the incapacitated (injury.zero.bleeding_goes_on). It stops while a healer is at work, and
for some hours when the bleeding has been stopped. Dice come back and wounds close in the same
passage of time, each at its moment.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import msgspec

from astragal.dice import Shade
from astragal.play import Step, call, note
from astragal.rules import Options, catalogue

from ..conditions.wounds import AWAKE, dies, note_condition, plain_name, set_wound, state_of
from ..sheet.parts import Wound, WoundLevel
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from ..steel.dice_and_hesitation import Cause, SteelTest
from ..steel.steel import nerves_tried
from .healing_tables import die_comes_back, spoiled_midi, wound_closes
from .will_to_live import felled

# --- The clock -----------------------------------------------------------------------------


class Clock(msgspec.Struct, frozen=True):
    """A row of injury.table.bleeding: what a wound becomes, and what its time is made of."""

    becomes: WoundLevel | None
    stops: bool
    ability: str
    times: Fraction
    unit: int
    gray: int
    white: int


_UNITS = {"hour": 3600, "minute": 60}


@cache
def clock_of(level: WoundLevel) -> Clock | None:
    """The clock of a level; superficial and light wounds have none.

    injury.bleed.superficial_light_none, injury.amb.which_wounds_bleed. Twice Forte hours until a
    Midi wound is Severe (injury.bleed.midi), where it stops (injury.bleed.midi_stops); Forte
    hours until a Severe one is Traumatic (injury.bleed.severe); half of that until a Traumatic
    one is Mortal (injury.bleed.traumatic); and Health minutes until death (injury.bleed.mortal).
    """
    for row in catalogue().table("injury.table.bleeding").records():
        if row["wound"] != level.value:
            continue
        becomes = row.text("becomes")
        return Clock(
            becomes=None if becomes == "death" else WoundLevel(becomes),
            stops=bool(row["then_stops"]),
            ability=row.text("ability"),
            times=Fraction(row.number("times"), row.number("divided_by")),
            unit=_UNITS[row.text("unit_code")],
            gray=row.number("multiplier_gray_forte"),
            white=row.number("multiplier_white_forte"),
        )
    return None


def bleeding_time(level: WoundLevel, sheet: Sheet, options: Options) -> int | None:
    """How long one wound bleeds until it worsens, in seconds; None if it does not bleed.

    By the exponent on the sheet, whatever wounds take off it (injury.bleed.unmodified_forte);
    halves of an hour count (injury.amb.half_forte_rounding). A gray Forte doubles, a white one
    triples the time (shades.forte.bleeding_gray, shades.forte.bleeding_white), also the minutes
    of a Mortal Wound, unless the table's house rule says no (injury.amb.forte_shade_mortal).
    None, too, where the ability is not on the sheet: the GM keeps that clock.
    """
    clock = clock_of(level)
    rated = None if clock is None else sheet.find(clock.ability)
    if clock is None or rated is None:
        return None
    time = rated.rating.exponent * clock.times * clock.unit
    forte = sheet.find("Forte")
    mortal_too = options["injury_forte_shade_and_mortal"] == "multiplied"
    if forte is not None and (level is not WoundLevel.MORTAL or mortal_too):
        shades = {Shade.BLACK: 1, Shade.GRAY: clock.gray, Shade.WHITE: clock.white}
        time *= shades[forte.rating.shade]
    return round(time)


def may_bleed(wound: Wound) -> bool:
    """Whether a wound bleeds unless it is staunched: not treated, not clotted, and bad enough."""
    return clock_of(wound.level) is not None and not wound.treated and not wound.clotted


def is_bleeding(wound: Wound, now: int) -> bool:
    """Whether the clock of a wound runs at a moment."""
    return may_bleed(wound) and wound.held <= now


def speed(wounds: tuple[Wound, ...], level: WoundLevel, now: int) -> int:
    """How fast wounds of a level bleed: as many times as there are of them.

    injury.bleed.cumulative; those of other levels have clocks of their own
    (injury.amb.bleeding_mixed_wounds).
    """
    return sum(wound.level is level and is_bleeding(wound, now) for wound in wounds)


def time_left(sheet: Sheet, index: int, now: int, options: Options) -> int | None:
    """The seconds until a wound worsens, if nothing changes; None if its clock does not run."""
    wound = sheet.wounds[index]
    time = bleeding_time(wound.level, sheet, options)
    if time is None or not is_bleeding(wound, now):
        return None
    return max(0, -(-(time - wound.bled) // speed(sheet.wounds, wound.level, now)))


# --- Time passes ---------------------------------------------------------------------------


def time_for_wounds(table: BurningTable, start: int, end: int) -> Step[BurningTable]:
    """Run every clock from one moment to another, event by event, for everyone.

    For the incapacitated, too (injury.zero.bleeding_goes_on).
    """
    for character in table.characters:
        now = start
        while True:
            sheet = table.character(character)
            if sheet.dead or not sheet.wounds:
                break
            until = min((at for at in _due(sheet, now, table.options) if at <= end), default=None)
            moment = end if until is None else until
            table = yield from _bleeds(table, character, now, moment)
            if until is None:
                break
            now = moment
            table = yield from _happens(table, character, now)
    return table


def _due(sheet: Sheet, now: int, options: Options) -> list[int]:
    """The moments at which something will happen to a wound, if nothing happens before."""
    found = []
    for at, wound in enumerate(sheet.wounds):
        left = time_left(sheet, at, now, options)
        found += [] if left is None else [now + left]
        found += [wound.held] if may_bleed(wound) and wound.held > now else []
        found += wound.returns[:1]
        found += [wound.closes] if wound.closes else []
    return found


def _bleeds(table: BurningTable, character: str, now: int, moment: int) -> Step[BurningTable]:
    """Add the time that has passed to each clock that runs."""
    wounds = table.character(character).wounds
    for at, wound in enumerate(wounds):
        if moment > now and is_bleeding(wound, now):
            bled = wound.bled + (moment - now) * speed(wounds, wound.level, now)
            because = "injury.bleed.clock_start"
            table = yield from set_wound(table, character, at, because=because, bled=bled)
    return table


def _happens(table: BurningTable, character: str, now: int) -> Step[BurningTable]:
    """The first thing that is due at a moment; the caller comes back for the next.

    All clocks that have run out worsen together, before their new levels are counted.
    """
    sheet = table.character(character)
    for at, wound in enumerate(sheet.wounds):
        if wound.returns and wound.returns[0] <= now:
            because = "injury.treatment.both_succeed"
            left = wound.returns[1:]
            table = yield from set_wound(table, character, at, because=because, returns=left)
            return (yield from die_comes_back(table, character, at))
        if wound.closes and wound.closes <= now:
            return (yield from wound_closes(table, character, at))
    run_out = [at for at in range(len(sheet.wounds)) if _has_run_out(sheet, at, now, table.options)]
    for at in run_out:
        if not table.character(character).dead:
            table = yield from worsen(table, character, at)
    if run_out:
        return table
    for at, wound in enumerate(sheet.wounds):
        if may_bleed(wound) and wound.held == now and wound.staunched:
            table = yield from _flows_again(table, character, at, now)
    return (yield from _released(table, character, now))


def _released(table: BurningTable, character: str, now: int) -> Step[BurningTable]:
    """Clear the marks of wounds that were staunched until this moment."""
    for at, wound in enumerate(table.character(character).wounds):
        if wound.held and wound.held <= now:
            because = "injury.staunch.renew"
            table = yield from set_wound(table, character, at, because=because, held=0)
    return table


def _has_run_out(sheet: Sheet, index: int, now: int, options: Options) -> bool:
    return time_left(sheet, index, now, options) == 0


def worsen(table: BurningTable, character: str, index: int) -> Step[BurningTable]:
    """A wound has bled to the next level: one wound still, with the penalty of the new level.

    injury.bleed.progress_replaces_penalty. At Mortal it counts as a Mortal Wound in every way
    (injury.bleed.to_mortal); a Mortal Wound that bleeds out kills (injury.bleed.mortal).
    """
    before = table.character(character)
    wound = before.wounds[index]
    clock = clock_of(wound.level)
    assert clock is not None
    if clock.becomes is None:
        rule = "injury.bleed.mortal"
        return (yield from dies(table, character, because=rule, how="the wound was not treated"))
    because = "injury.bleed.progress_replaces_penalty"
    worse = msgspec.structs.replace(
        wound,
        level=clock.becomes,
        bled=0,
        clotted=clock.stops,
        tested=False,
        returned=0,
        returns=(),
        closes=0,
    )
    table = yield from table.amend(character, f"wounds.{index}", worse, because=because)
    text = f"{before.name}'s {plain_name(wound)} has bled and is now {clock.becomes.value}."
    yield from note(text, because)
    table = yield from note_condition(before, character, table)
    if clock.becomes is WoundLevel.MORTAL:
        return (yield from felled(table, character, index))
    if table.options["injury_steel_when_bleeding_worsens"] == "yes":
        table = yield from _pain_anew(table, character)
    return table


def _pain_anew(table: BurningTable, character: str) -> Step[BurningTable]:
    """Another Steel test, where the table plays that (injury.amb.steel_on_bleeding_or_mortal)."""
    sheet = table.character(character)
    awake = state_of(table, character) in AWAKE
    if not awake or sheet.find("Steel") is None:
        return table
    rule = "injury.amb.steel_on_bleeding_or_mortal"
    test = SteelTest(character, Cause.PAIN, "a bleeding wound", forced_by=rule)
    _, table = yield from call(nerves_tried, test, table)
    return table


def _flows_again(table: BurningTable, character: str, index: int, now: int) -> Step[BurningTable]:
    """A staunched wound bleeds again (injury.staunch.renew).

    After the last time that it could be staunched a Midi wound counts as badly treated, at some
    tables (injury.staunch.treatment_still_needed, injury.amb.staunch_never_treated).
    """
    sheet = table.character(character)
    wound = sheet.wounds[index]
    rule = "injury.staunch.treatment_still_needed"
    loses = table.options["injury_staunched_never_treated"] == "midi_loses_one_die"
    if loses and wound.level is WoundLevel.MIDI and wound.staunched >= most_staunchings(sheet):
        yield from note(f"{sheet.name}'s Midi wound was never treated.", rule)
        return (yield from spoiled_midi(table, character, index, now))
    yield from note(f"{sheet.name}'s {plain_name(wound)} bleeds again.", "injury.staunch.renew")
    return table


def most_staunchings(sheet: Sheet) -> int:
    """How often bleeding can be stopped, wound by wound: Health times (injury.staunch.limit)."""
    return sheet.ability("Health", "attributes.Health").rating.exponent
