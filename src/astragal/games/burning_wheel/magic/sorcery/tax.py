"""Tax: what casting costs the caster's Forte, and the Sickness that follows."""

from __future__ import annotations

import msgspec

from astragal.dice import OpenEnded, Shade
from astragal.play import Line, Play, Step, Tally, call, note, then

from ...advancement.log import begin_own_series, end_series
from ...artha.on_a_roll import ThrownDice
from ...conditions.wounds import note_state, state_of
from ...injury.injury import TakeWound, WoundOutcome, wounded
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...sheet.spells import TaxedDie
from ...sheet.words import counted
from ...tests.attempts import Attempt, TestResult, result_of
from ...tests.conclusions import after_test, conclude_test
from ...weapons.shaded_damage import roll_over
from ..called_tests import called_attempt, throw_called, what_counts

HOUR = 3600


class TaxOutcome(TestResult, frozen=True, kw_only=True):
    """How a Tax test came out: dice of Forte ``lost``, and points ``below`` zero.

    ``awake`` says whether the caster is still on their feet, ``wound`` what overtaxing did;
    ``hours`` are those of recovery, die by die.
    """

    lost: int = 0
    below: int = 0
    awake: bool = True
    wound: WoundOutcome | None = None
    hours: tuple[int, ...] = ()


class TaxDue(msgspec.Struct, frozen=True, cache_hash=True):
    """What a Tax test is for: the spell, its own obstacle, and that of the test with its dice."""

    character: str
    spell: str
    own: int
    obstacle: Tally
    bonus: tuple[Line, ...] = ()


def tax_test(due: TaxDue, table: BurningTable) -> Play[tuple[TaxOutcome, BurningTable]]:
    """Test the caster's current Forte against the spell's obstacle (sorcery.tax.test).

    Dice lost to Tax and to wounds are both missing (sorcery.tax.reduced_forte_rolls,
    sorcery.amb.tax_and_wounds); the test is never open-ended (sorcery.tax.not_open_ended). It is
    logged for Forte (sorcery.amb.casting_test_advances_what).
    """
    task = f"Tax of {due.spell}"
    attempt = yield from called_attempt(due.character, "Forte", task, due.bonus, table)
    attempt = msgspec.structs.replace(attempt, open_ended=OpenEnded.NO)
    return then(roll_tax, due, attempt, due.obstacle + attempt.penalties, table)


def roll_tax(
    due: TaxDue, attempt: Attempt, obstacle: Tally, table: BurningTable
) -> Play[tuple[TaxOutcome, BurningTable]]:
    """Throw the dice; how far they fall short is what it costs, so that every success counts."""
    thrown = yield from throw_called(attempt, obstacle, table, decides=False)
    return then(pay_tax, due, attempt, obstacle, thrown, table)


def pay_tax(
    due: TaxDue, attempt: Attempt, obstacle: Tally, thrown: ThrownDice, table: BurningTable
) -> Play[tuple[TaxOutcome, BurningTable]]:
    """Meeting the obstacle costs nothing (sorcery.tax.pass).

    Failing takes as many dice as successes are missing (sorcery.tax.fail).
    """
    result = result_of(attempt, thrown, obstacle)
    verdict = "No Tax." if result.passed else f"Tax: fails by {-result.margin}."
    result, table = yield from conclude_test(attempt, thrown, obstacle, verdict, table)
    tax = TaxOutcome.of(result)
    if tax.passed:
        return tax, table
    return then(lose_forte, due, tax, table)


def lose_forte(
    due: TaxDue, tax: TaxOutcome, table: BurningTable
) -> Play[tuple[TaxOutcome, BurningTable]]:
    """Dice of Forte are lost for the time being (sorcery.tax.fail, sorcery.sickness.temporary).

    At zero the caster falls unconscious (sorcery.tax.zero_unconscious), below it as well
    (sorcery.amb.overtax_unconscious_and_shade); only the dice down to zero have to be recovered.
    """
    character, before = due.character, table.character(due.character)
    was = state_of(table, character)
    lost = min(-tax.margin, before.forte_left)
    below = -tax.margin - lost
    rule = "sorcery.tax.fail"
    dice = (*before.forte_tax, *(TaxedDie(standard_time(before)),) * lost)
    table = yield from table.amend(character, "forte_tax", dice, because=rule)
    left = table.character(character).forte_left
    yield from note(f"{before.name} loses {lost}D of Forte to Tax ({left}D left).", rule)
    yield from note_state(was, character, table)
    tax = msgspec.structs.replace(tax, lost=lost, below=below, awake=left > 0)
    if not below:
        return tax, table
    return then(overtax, due, tax, table)


def overtax(
    due: TaxDue, tax: TaxOutcome, table: BurningTable
) -> Play[tuple[TaxOutcome, BurningTable]]:
    """Each point below zero is damage: the spell's obstacle in pips, added up into one wound.

    sorcery.tax.overtax; a black one (sorcery.amb.overtax_unconscious_and_shade), by the spell's own
    obstacle, whatever haste adds to Tax (sorcery.amb.overtax_obstacle_used).
    """
    name = table.character(due.character).name
    pips = due.own * tax.below
    yield from note(f"{name} is overtaxed by {counted(tax.below, 'point')}.", "sorcery.tax.overtax")
    at = roll_over(Shade.BLACK, pips)
    hurt = TakeWound(due.character, at, source=f"overtaxed by {due.spell}", in_script=True)
    wound, table = yield from call(wounded, hurt, table)
    return msgspec.structs.replace(tax, wound=wound), table


# --- The Sickness --------------------------------------------------------------------------

SLOWEST = 10
"""The hours of recovery from which Health is taken (sorcery.sickness.base_time)."""


def standard_time(sheet: Sheet) -> int:
    """The standard time in which one die returns, in seconds: 10 less Health, in hours.

    sorcery.sickness.base_time, sorcery.sickness.minimum.
    """
    health = sheet.ability("Health", "attributes.Health").rating.exponent
    return max(1, SLOWEST - health) * HOUR


def recover_later(
    character: str, tax: TaxOutcome, table: BurningTable
) -> Play[tuple[TaxOutcome, BurningTable]]:
    """Test Health for the recovery of each die that was lost (sorcery.sickness.per_die).

    However many there are, they are one test for advancement (advancement.series.one_test).
    """
    hours: tuple[int, ...] = ()
    first = len(table.character(character).forte_tax) - tax.lost
    title, alone = f"{table.character(character).name} recovers from Tax", False
    if tax.lost > 1:
        table, alone = yield from begin_own_series(table, title, character)
    for index in range(first, first + tax.lost):
        time, table = yield from call(recovery_test, character, index, table)
        hours += (time,)
    if alone:
        table = yield from end_series(table, title)
    return msgspec.structs.replace(tax, hours=hours), table


def recovery_test(
    character: str, index: int, table: BurningTable
) -> Play[tuple[int, BurningTable]]:
    """An open test of Health: each success takes an hour off (sorcery.sickness.health_test).

    Never less than one hour (sorcery.sickness.minimum).
    """
    attempt = yield from called_attempt(character, "Health", "recovery from Tax", (), table)
    thrown = yield from throw_called(attempt, None, table, decides=False)
    found = what_counts(attempt, thrown)
    table, _ = yield from after_test(attempt, thrown, 1, table, passed=found > 0, is_open=True)
    sheet = table.character(character)
    hours = max(1, standard_time(sheet) // HOUR - found)
    text = f"{sheet.name} recovers a die of Forte in {counted(hours, 'hour')}."
    yield from note(text, "sorcery.sickness.health_test")
    path = f"forte_tax.{index}.seconds"
    rule = "sorcery.sickness.per_die"
    table = yield from table.amend(character, path, hours * HOUR, because=rule)
    return hours, table


def time_for_forte(table: BurningTable, character: str, seconds: int) -> Step[BurningTable]:
    """Let lost dice return, one after the other (sorcery.amb.recovery_sequence)."""
    sheet = table.character(character)
    if not sheet.forte_tax or seconds <= 0:
        return table
    rule = "sorcery.sickness.temporary"
    was = state_of(table, character)
    first, *later = sheet.forte_tax
    left = first.seconds - seconds
    dice = (TaxedDie(left), *later) if left > 0 else tuple(later)
    table = yield from table.amend(character, "forte_tax", dice, because=rule)
    if left <= 0:
        now = table.character(character).forte_left
        yield from note(f"{sheet.name} recovers a die of Forte ({now}D).", rule)
        yield from note_state(was, character, table, rule)
    return table
