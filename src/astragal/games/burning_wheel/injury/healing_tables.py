"""How wounds heal: what recovery takes, how long, when dice come back, and what is lost.

The chapter's tables, and what a moment of healing does to a sheet. The tests are in
``injury/recovery`` and ``injury/treatment``; the passage of time is in ``injury/bleeding``.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import msgspec

from astragal.dice import Die, Sum
from astragal.errors import BadInput
from astragal.play import GM, Number, Play, Step, ask, call, choose, note, path_of, roll
from astragal.rules import Options, catalogue

from ..conditions.wounds import drop_wounds, lesser, note_condition, plain_name, set_wound
from ..sheet.parts import WoundLevel
from ..sheet.ratings import Rating
from ..sheet.scene import BurningTable
from ..sheet.shades import derived, move_last_tolerance
from ..sheet.sheet import Sheet, dice_of, parents

HOUR = 3600
DAY = 86400
WEEK = 7 * DAY


class Recovery(msgspec.Struct, frozen=True):
    """A row of injury.table.recovery: the obstacle of the Health test, and the time after it.

    ``returns`` are the parts of that time after which a die comes back, the last at its end;
    ``hours``, less Forte, is how long a lesser wound hurts when its test fails.
    """

    obstacle: int
    needs_treatment: bool
    least: int = 0
    most: int = 0
    unit: str = ""
    returns: tuple[Fraction, ...] = ()
    hours: int = 0


@cache
def recovery_of(level: WoundLevel) -> Recovery:
    """What recovering from a level of wound takes.

    injury.recovery.superficial, injury.recovery.light, injury.recovery.midi_test,
    injury.recovery.severe_test, injury.recovery.traumatic_test, injury.recovery.mortal_test, and
    the times injury.recovery.midi_time, injury.recovery.severe_time,
    injury.recovery.traumatic_time.

    >>> recovery_of(WoundLevel.SEVERE).returns
    (Fraction(1, 2), Fraction(1, 1))
    """
    row = catalogue().table("injury.table.recovery").where(wound=level.value)
    obstacle, needed = row.number("health_ob"), bool(row["treatment_required"])
    if hours := row.number("failed_hours_less_forte"):
        return Recovery(obstacle, needed, hours=hours)
    parts = row.number("dice_return_in_parts")
    return Recovery(
        obstacle,
        needed,
        least=row.number("time_least"),
        most=row.number("time_most"),
        unit=row.text("unit_code"),
        returns=tuple(Fraction(part, parts) for part in range(1, parts + 1)),
    )


# --- How long ------------------------------------------------------------------------------


def failed_hours(level: WoundLevel, sheet: Sheet) -> int:
    """How long a lesser wound still hurts when its test has failed, in seconds.

    injury.recovery.superficial, injury.recovery.light: 10 or 24 hours, less the written Forte
    (injury.amb.light_failed_time).
    """
    forte = sheet.find("Forte")
    exponent = 0 if forte is None else forte.rating.exponent
    return max(0, recovery_of(level).hours - exponent) * HOUR


def time_needed(level: WoundLevel, name: str, options: Options) -> Step[int]:
    """The weeks or months that a wound needs, set or rolled (injury.recovery.time_set_by).

    injury.amb.random_time_dice: also where the table rolls, the GM may set a single case.
    """
    needs = recovery_of(level)
    rule = "injury.recovery.time_set_by"
    units = f"{needs.unit}s"
    prompt = f"{name}'s {level.value} wound: recovery time in {units}"
    number = Number(least=needs.least, most=needs.most)
    if options["injury_recovery_time"] != "gm_sets":
        prompt += f" ({needs.least} to {needs.most}; 0: roll)"
        number = Number(least=0, most=needs.most, names=((0, "Roll"),), default=0)
    set_to: int = yield from ask(GM, "recovery_time", prompt, number, because=rule, kind="aside")
    if not set_to:
        label = f"{name}, {units} of recovery"
        return (yield from call(rolled_time, needs.least, needs.most, label))
    if set_to < needs.least:
        expected = f"{needs.least} to {needs.most} {units}, or 0 to roll"
        raise BadInput("recovery_time", set_to, expected, rule)
    return set_to


def rolled_time(least: int, most: int, label: str) -> Play[int]:
    """A whole die for each of the least number where the most is six times that; else half a die.

    injury.amb.random_time_dice: 2D6 weeks, half of 1D6 months, two of those, 4D6 months.
    """
    if most == 6 * least:
        return (yield from roll(Sum((Die(6),) * least), label, GM))
    total = 0
    for _ in range(least):
        face = yield from roll(Die(6), label, GM)
        total += (face + 1) // 2
    return total


def shortened(seconds: int, extra: int) -> int:
    """A tenth less for each extra success of the Health test, up to nine tenths.

    injury.recovery.time_reduction, and so the first stage of a Mortal Wound
    (injury.recovery.mortal_stage_one).

    >>> shortened(1000, 2), shortened(1000, 20)
    (800, 100)
    """
    return round(Fraction(seconds) * (10 - min(extra, MOST_CUT)) / 10)


MOST_CUT = 9
"""Tenths that can be saved (injury.recovery.time_reduction)."""


def moments(level: WoundLevel, start: int, seconds: int, back: int) -> tuple[int, ...]:
    """When ``back`` dice come back, by the schedule of the level, counted from ``start``.

    >>> moments(WoundLevel.TRAUMATIC, 0, 900, 3)
    (300, 600, 900)
    """
    return tuple(start + round(seconds * part) for part in recovery_of(level).returns[:back])


def half_back(level: WoundLevel, options: Options) -> int:
    """The dice that come back when recovery has failed: half of them.

    injury.fail.recovery_greater_half; rounded down, or up at some tables
    (injury.amb.half_dice_rounding).
    """
    dice = dice_of(level)
    return (dice + 1) // 2 if options["injury_half_dice_recovered"] == "rounded_up" else dice // 2


# --- For good ------------------------------------------------------------------------------


def fitting_stat(character: str, why: str, table: BurningTable) -> Step[str]:
    """The one stat that fits the wound; the GM picks it (injury.amb.fitting_stat).

    The highest, if it makes no difference; empty for a sheet that has no stats to lose from.
    """
    sheet = table.character(character)
    rule = "injury.amb.fitting_stat"
    ratings = {name: stat.rating for name, stat in sheet.stats.items() if stat.rating.exponent}
    if not ratings:
        return ""
    return (
        yield from choose(
            GM,
            "fitting_stat",
            f"{why} Which of {sheet.name}'s stats fits the wound?",
            {name: f"{name} {rating}" for name, rating in ratings.items()},
            default=max(ratings, key=lambda name: ratings[name].exponent),
            because=rule,
        )
    )


def lose_for_good(
    table: BurningTable, character: str, stat: str, dice: int, *, because: str
) -> Step[BurningTable]:
    """Take dice off a stat for good; at zero the character falls into a coma.

    injury.fail.comatose. Attributes built on the stat stay as they are, or follow it, as the
    table plays it (injury.amb.fitting_stat).
    """
    before = table.character(character)
    if not stat or not dice:
        return table
    rating = before.stats[stat].rating
    left = Rating(rating.shade, max(0, rating.exponent - dice))
    path = path_of("stats", stat, "rating")
    table = yield from table.amend(character, path, left, because=because)
    yield from note(f"{before.name} permanently loses {dice} {stat} (now {left}).", because)
    if table.options["injury_attributes_after_permanent_loss"] == "recomputed":
        table = yield from _follow(before, character, stat, table)
    if not left.exponent:
        rule = "injury.fail.comatose"
        table = yield from table.amend(character, "comatose", True, because=rule)
    return (yield from note_condition(before, character, table))


def _follow(before: Sheet, character: str, stat: str, table: BurningTable) -> Step[BurningTable]:
    for name, attribute in before.attributes.items():
        if name not in FOLLOWING or stat not in parents(name):
            continue
        was = derived(before, name, table.options)
        now = derived(table.character(character), name, table.options)
        if was is None or now is None:
            continue
        exponent = max(0, attribute.rating.exponent + now.average - was.average)
        rating = Rating(attribute.rating.shade, exponent)
        path = path_of("attributes", name, "rating")
        because = "injury.amb.fitting_stat"
        table = yield from table.amend(character, path, rating, because=because)
        if name == "Mortal Wound":
            table = yield from move_last_tolerance(table, before, character, because=because)
    return table


FOLLOWING = ("Health", "Reflexes", "Mortal Wound")
"""The attributes that are an average of stats."""


# --- When the time comes -------------------------------------------------------------------


def die_comes_back(table: BurningTable, character: str, index: int) -> Step[BurningTable]:
    """One die of a wound is recovered (injury.recovery.immediate_effect).

    An incapacitated character may try to get up again (injury.amb.shrug_retries).
    """
    before = table.character(character)
    wound = before.wounds[index]
    because = "injury.recovery.immediate_effect"
    table = yield from set_wound(
        table, character, index, because=because, returned=wound.returned + 1
    )
    table = yield from table.amend(
        character, "staggered", False, because="injury.grit.incapacitated"
    )
    yield from note(f"{before.name} recovers 1D of the {plain_name(wound)}.", because)
    return (yield from note_condition(before, character, table))


def wound_closes(table: BurningTable, character: str, index: int) -> Step[BurningTable]:
    """A wound's time is over: it is healed, or a stage of it is.

    All dice that can come back have done so (injury.treatment.both_succeed); the others are lost
    from their stat now (injury.fail.recovery_greater_half).
    """
    before = table.character(character)
    wound = before.wounds[index]
    if wound.course or wound.level is WoundLevel.MORTAL:
        table = yield from _next_stage(table, character, index)
    else:
        because = "injury.treatment.both_succeed"
        table = yield from drop_wounds(table, character, (index,), because=because)
        yield from note(f"{before.name} has recovered from the {plain_name(wound)}.", because)
    table = yield from table.amend(
        character, "staggered", False, because="injury.grit.incapacitated"
    )
    table = yield from note_condition(before, character, table)
    because = "injury.fail.recovery_greater_half"
    return (yield from lose_for_good(table, character, wound.stat, wound.lost, because=because))


def _next_stage(table: BurningTable, character: str, index: int) -> Step[BurningTable]:
    """From a Mortal Wound down to a Superficial one, stage by stage.

    injury.recovery.mortal_stages. The next Health test is due
    (injury.recovery.mortal_later_stages); it needs no fresh treatment
    (injury.amb.mortal_stage_treatment).
    """
    sheet = table.character(character)
    wound = sheet.wounds[index]
    down = lesser(wound.level)
    because = "injury.recovery.mortal_stages"
    if down is None:
        table = yield from drop_wounds(table, character, (index,), because=because)
        yield from note(f"{sheet.name} has recovered completely.", because)
        return table
    stage = msgspec.structs.replace(
        wound,
        level=down,
        course=True,
        fresh=False,
        tested=False,
        borne=False,
        tried=False,
        bonus=0,
        failed=(),
        returned=0,
        returns=(),
        closes=0,
        lost=0,
        stat="",
    )
    table = yield from table.amend(character, f"wounds.{index}", stage, because=because)
    yield from note(f"{sheet.name} heals: the wound now counts as {down.value}.", because)
    return table


def spoiled_midi(table: BurningTable, character: str, index: int, now: int) -> Step[BurningTable]:
    """A Midi wound badly treated: one die is lost for good at once, the other heals with time.

    injury.fail.treatment_midi. It closes in the full time without a Health test, and stops
    bleeding unless the table's house rule says no (injury.amb.failed_midi_treatment).
    """
    rule = "injury.fail.treatment_midi"
    sheet = table.character(character)
    stat = yield from fitting_stat(character, "The treatment failed: 1D is lost for good.", table)
    weeks = yield from time_needed(WoundLevel.MIDI, sheet.name, table.options)
    ends = now + weeks * WEEK
    clotted = table.options["injury_failed_midi_still_bleeds"] == "no"
    table = yield from set_wound(
        table,
        character,
        index,
        because=rule,
        returned=1,
        tested=True,
        clotted=clotted,
        returns=(ends,),
        closes=ends,
    )
    table = yield from lose_for_good(table, character, stat, 1, because=rule)
    return (yield from note_condition(sheet, character, table))
