"""Recovery: the Health test that lets a wound heal, and what follows from it.

Lesser wounds need nothing else (injury.recovery.lesser_alone); from Midi on the wound must have
been treated first (injury.recovery.greater_need_treatment). Dice come back as the calendar moves
on (``injury/bleeding``).
"""

from __future__ import annotations

import msgspec

from astragal.errors import NotAllowed
from astragal.games.game import Arguments, Procedure
from astragal.play import GM, Line, Play, Step, call, choose, consent, note, then

from ..conditions.wounds import (
    Condition,
    check_wounded,
    condition,
    dice_left,
    dies,
    find_wound,
    plain_name,
    set_wound,
)
from ..sheet.calendar import days_in, today
from ..sheet.durations import say_duration
from ..sheet.parts import Trait, Wound, WoundLevel
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet, dice_of
from ..tests.attempts import TestResult
from .healing_tables import (
    DAY,
    WEEK,
    die_comes_back,
    failed_hours,
    fitting_stat,
    half_back,
    lose_for_good,
    moments,
    recovery_of,
    shortened,
    time_needed,
    wound_closes,
)
from .health_tests import HealthResult, health_test

LESSER = (WoundLevel.SUPERFICIAL, WoundLevel.LIGHT)

CAP = 5
"""What a stat is capped at after a Mortal Wound survived the soft way (injury.fail.mortal_soft)."""

LASTING = ("Frail", "Lame", "Missing Limb", "Blind", "Deaf", "Sickly")
"""Such a wound leaves one of these traits (injury.fail.mortal_soft, injury.amb.ocr_names)."""


class Recover(Arguments, frozen=True):
    """Who recovers from which wound, counted from 1."""

    character: str
    wound: int = 1
    helpers: tuple[str, ...] = ()


class RecoveryOutcome(TestResult, frozen=True, kw_only=True):
    """How a recovery test came out.

    ``seconds`` is the time until the wound, or this stage of it, closes; ``lost`` are the dice
    that are lost for good then, and ``stat`` is what loses them; ``averted`` is what came instead
    of certain death.
    """

    level: str
    seconds: int = 0
    lost: int = 0
    stat: str = ""
    trait: str = ""
    condition: str = Condition.FIT.value
    averted: str = ""


def recover(arguments: Recover, table: BurningTable) -> Play[RecoveryOutcome]:
    """Test Health against the obstacle of the wound's level (injury.recovery.superficial).

    Extra successes of the treatment are dice for it (injury.treatment.extra_successes_dice).
    """
    character = arguments.character
    sheet = table.character(character)
    at = arguments.wound - 1
    wound = find_wound(sheet, arguments.wound)
    _check(character, wound, table)
    level = wound.level
    needs = recovery_of(level)
    rule = f"injury.recovery.{level.value.casefold()}{'' if level in LESSER else '_test'}"
    base = Line(needs.obstacle, plain_name(wound), rule)
    bonus: tuple[Line, ...] = ()
    if wound.bonus:
        bonus = (Line(wound.bonus, "treatment", "injury.treatment.extra_successes_dice"),)
    task = f"recover from the {plain_name(wound)}"
    # Extra successes shorten the time that dice need to come back (injury.recovery.time_reduction).
    takes_time = level not in LESSER
    kills = level is WoundLevel.MORTAL and table.options["injury_mortal_variant"] == "hard"
    death = f"{sheet.name} dies of the wound" if kills else ""
    test, table = yield from call(
        health_test, character, task, base, bonus, arguments.helpers, table, takes_time, death
    )
    step = mend if level in LESSER else heal
    return then(step, character, at, test, table)


def _check(character: str, wound: Wound, table: BurningTable) -> None:
    """One test for each wound, after its scene, and after treatment where that is needed.

    Lesser wounds need none (injury.recovery.lesser_alone).
    injury.amb.when_to_test_recovery: lesser wounds are not recovered from inside a conflict.
    injury.fail.treatment_greater_blocks.
    """
    sheet = table.character(character)
    if wound.tested:
        what = f"The Health test for the {plain_name(wound)} has been made; let time pass"
        raise NotAllowed(what, "injury.amb.when_to_test_recovery")
    in_conflict = any(character in series.characters for series in table.scene.series)
    if wound.level in LESSER and (wound.fresh or in_conflict):
        what = f"Wait until the scene is over to recover from the {plain_name(wound)}"
        raise NotAllowed(what, "injury.amb.when_to_test_recovery")
    if wound.level is WoundLevel.MORTAL and not wound.will:
        what = f"{sheet.name} has not claimed the Will to Live: spend 1 persona first"
        raise NotAllowed(what, "injury.recovery.mortal_test")
    if recovery_of(wound.level).needs_treatment and not wound.treated:
        failed = "injury.fail.treatment_greater_blocks"
        rule = failed if wound.failed else "injury.recovery.greater_need_treatment"
        raise NotAllowed(f"The {plain_name(wound)} must be treated first", rule)


def _outcome(
    character: str, test: HealthResult, level: WoundLevel, table: BurningTable, wound: Wound | None
) -> RecoveryOutcome:
    now = table.scene.calendar.moment
    closes = now if wound is None or not wound.closes else wound.closes
    return RecoveryOutcome.of(
        test,
        level=level.value,
        seconds=closes - now,
        averted=test.averted,
        lost=0 if wound is None else wound.lost,
        stat="" if wound is None else wound.stat,
        condition=condition(table.character(character)).value,
    )


# --- Superficial and light -----------------------------------------------------------------


def mend(character: str, at: int, test: HealthResult, table: BurningTable) -> Play[RecoveryOutcome]:
    """The penalty ends at once, or it lasts its hours (injury.recovery.immediate_effect).

    After a treatment that had succeeded a scar is left (injury.fail.recovery_lesser).
    """
    sheet = table.character(character)
    wound = sheet.wounds[at]
    level = wound.level
    hours = failed_hours(level, sheet)
    if not test.passed:
        because = "injury.fail.recovery_lesser"
        if wound.treated and not wound.course:
            scar = wound.source or plain_name(wound)
            scars = (*sheet.scars, scar)
            table = yield from table.amend(character, "scars", scars, because=because)
        if hours:
            closes = table.scene.calendar.moment + hours
            table = yield from set_wound(
                table, character, at, because=because, tested=True, closes=closes
            )
            text = f"The pain of the {plain_name(wound)} lasts another {say_duration(hours)}."
            yield from note(text, f"injury.recovery.{level.value.casefold()}")
            return _outcome(character, test, level, table, table.character(character).wounds[at])
    table = yield from wound_closes(table, character, at)
    return _outcome(character, test, level, table, None)


# --- Midi and worse ------------------------------------------------------------------------


def heal(character: str, at: int, test: HealthResult, table: BurningTable) -> Play[RecoveryOutcome]:
    """Dice come back over weeks or months, all or half (injury.treatment.both_succeed).

    Where certain death was bought off the wound takes its full time (gold.result.cheat_death).
    """
    wound = table.character(character).wounds[at]
    if wound.level is WoundLevel.MORTAL and not test.passed and not test.averted:
        return then(fail_mortal, character, at, test, table)
    table = yield from _set_healing(character, at, test, table)
    return _outcome(character, test, wound.level, table, table.character(character).wounds[at])


def _set_healing(
    character: str, at: int, test: TestResult, table: BurningTable
) -> Step[BurningTable]:
    """How long it takes, when dice come back meanwhile, and which never will.

    On a failure it takes the full time for half of the dice, and the others are lost from a stat
    in the end (injury.fail.recovery_greater_half); the bleeding has stopped all the same
    (injury.fail.recovery_greater_stops_bleeding). The die that came back with the treatment is
    one of the half (injury.amb.first_die_when).
    """
    sheet = table.character(character)
    wound = sheet.wounds[at]
    level = wound.level
    now = table.scene.calendar.moment
    seconds = yield from _how_long(level, sheet.name, table)
    stat, lost = "", 0
    if test.passed:
        seconds = shortened(seconds, test.margin)
    elif level is not WoundLevel.MORTAL:
        lost = dice_of(level) - half_back(level, table.options)
        stat = yield from fitting_stat(character, f"{lost}D will be lost for good.", table)
        lost = lost if stat else 0
    by_stage = table.options["injury_mortal_stage_penalties"] == "by_stage"
    if wound.course and not by_stage and dice_left(wound):
        # Taken literally the stage is a wound of its own, whose first die comes back at once
        # (injury.amb.mortal_stage_penalties).
        table = yield from die_comes_back(table, character, at)
        wound = table.character(character).wounds[at]
    further = max(0, dice_left(wound) - lost)
    if wound.course and by_stage:
        further = 0
    returns = moments(level, now, seconds, further)
    table = yield from set_wound(
        table,
        character,
        at,
        because="injury.treatment.both_succeed",
        tested=True,
        closes=now + seconds,
        returns=returns,
        lost=lost,
        stat=stat,
    )
    text = f"The {plain_name(wound)} heals in {say_duration(seconds)}."
    if len(returns) > 1:  # a single die comes back at the end
        after = [say_duration(moment - now) for moment in returns]
        text += f" Dice come back after {', '.join(after[:-1])} and {after[-1]}."
    if lost:
        text += f" Lost for good then: {lost}D of {stat}."
    yield from note(text, "injury.recovery.time_reduction")
    return table


def _how_long(level: WoundLevel, name: str, table: BurningTable) -> Step[int]:
    count = yield from time_needed(level, name, table.options)
    if recovery_of(level).unit == "week":
        return count * WEEK
    return days_in(count, today(table), table) * DAY


# --- A Mortal Wound that does not heal -----------------------------------------------------


def fail_mortal(
    character: str, at: int, test: HealthResult, table: BurningTable
) -> Play[RecoveryOutcome]:
    """Death, the hard way (injury.fail.mortal_hard); a lasting mark, the soft way.

    injury.fail.mortal_soft, injury.amb.mortal_hard_or_soft: then the course goes on in its full
    time, with one trait, and one stat that can never be above 5 again.
    """
    if table.options["injury_mortal_variant"] == "hard":
        rule = "injury.fail.mortal_hard"
        table = yield from dies(table, character, because=rule, how="the recovery failed")
        return _outcome(character, test, WoundLevel.MORTAL, table, None)
    rule = "injury.fail.mortal_soft"
    sheet = table.character(character)
    trait = yield from _agree_on_trait(character, sheet)
    traits = (*sheet.traits, Trait(trait))
    table = yield from table.amend(character, "traits", traits, because=rule)
    stat = yield from fitting_stat(character, f"One stat will be capped at {CAP}.", table)
    if stat:
        table = yield from table.amend(character, f"caps.{stat}", CAP, because=rule)
        above = sheet.stats[stat].rating.exponent - CAP
        table = yield from lose_for_good(table, character, stat, max(0, above), because=rule)
    table = yield from _set_healing(character, at, test, table)
    outcome = _outcome(
        character, test, WoundLevel.MORTAL, table, table.character(character).wounds[at]
    )
    return msgspec.structs.replace(outcome, trait=trait, stat=stat)


def _agree_on_trait(character: str, sheet: Sheet) -> Step[str]:
    """Player and GM agree on the trait (injury.amb.mortal_hard_or_soft)."""
    rule = "injury.fail.mortal_soft"
    have = {trait.name for trait in sheet.traits}
    options = {trait: trait for trait in LASTING if trait not in have}
    while True:
        trait = yield from choose(
            sheet.seat(character),
            "lasting_trait",
            f"Which trait does the wound leave {sheet.name} with?",
            options,
            because=rule,
        )
        agreed = yield from consent(
            GM,
            "agree_on_trait",
            f"Does {trait} fit the wound?",
            because="injury.amb.mortal_hard_or_soft",
        )
        if agreed:
            return trait


PROCEDURES = (Procedure("recover", "Recovery: Health test", Recover, recover, check=check_wounded),)
