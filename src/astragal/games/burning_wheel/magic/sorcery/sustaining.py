"""Sustained spells: the Will die set aside, what threatens them, and the power that still flows.

Ordinary activity is no risk (sorcery.sustain.may). What threatens spells is noted where it happens
(``conditions/spell_tax``); here are the Will tests that follow.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Line, Play, Step, Tally, call, note
from astragal.rules import catalogue

from ...advancement.log import begin_own_series, end_series
from ...conditions.wounds import AWAKE, state_of
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...sheet.spells import SUSTAINED, ActiveSpell
from ...tests.attempts import result_of
from ...tests.conclusions import conclude_test
from ..called_tests import called_attempt, throw_called
from .tax import HOUR, TaxDue, TaxOutcome, recover_later, tax_test

FAILED_TAX, UNCONSCIOUS, SHIELD_DESTROYED = "failed_tax", "unconscious", "shield_destroyed"
ASLEEP = "asleep"
ORDINARY = "ordinary_activity"
"""Fighting, positioning, jumping, playing, speaking, reading, thinking, casting."""


def events(column: str, *codes: str) -> dict[str, str]:
    """The events that threaten spells, or interrupt a casting, with their words."""
    rows = catalogue().table("sorcery.table.may_nots_and_interrupts").records()
    return {row.text("event_code"): row.text("event") for row in rows if row[column] in codes}


# --- Concentration -------------------------------------------------------------------------


class ConcentrationTest(msgspec.Struct, frozen=True):
    """The Will test for one sustained spell, and whether it was kept."""

    spell: str
    dice: int
    obstacle: int
    successes: int
    kept: bool
    earned: str = ""


class Concentration(Outcome, frozen=True):
    """What became of every sustained spell; ``lost`` are those that ended."""

    tests: tuple[ConcentrationTest, ...] = ()
    lost: tuple[str, ...] = ()


def concentrate(
    character: str, event: str, table: BurningTable
) -> Play[tuple[Concentration, BurningTable]]:
    """Test Will for each sustained spell, the oldest first (sorcery.sustain.test_order).

    sorcery.sustain.concentration_test. Sleep and unconsciousness end them all, if the group reads
    it so (sorcery.amb.may_not_unconscious). Of the tests of one event only the hardest is logged
    (sorcery.advance.log_hardest_only).
    """
    before = table.character(character)
    table = yield from table.amend(
        character, "distractions", (), because="sorcery.sustain.concentration_test"
    )
    names = tuple(each.name for each in before.sustained)
    if not names:
        return Concentration(), table
    asleep = event in (UNCONSCIOUS, ASLEEP) or state_of(table, character) not in AWAKE
    drop = table.options["sorcery_spells_of_the_unconscious"] == "all_dropped"
    if before.dead or (asleep and drop):
        for name in names:
            table = yield from end_spell(table, character, name, "sorcery.sustain.may_not")
        return Concentration(lost=names), table
    title = f"{before.name} keeps up spells"
    table, alone = yield from begin_own_series(table, title, character)
    tests: tuple[ConcentrationTest, ...] = ()
    for name in names:
        test, table = yield from call(keep_up, character, name, table)
        tests += (test,)
    if alone:
        table = yield from end_series(table, title)
    lost = tuple(test.spell for test in tests if not test.kept)
    return Concentration(tests, lost), table


def keep_up(
    character: str, name: str, table: BurningTable
) -> Play[tuple[ConcentrationTest, BurningTable]]:
    """Will against the spell's own obstacle, with the dice that are not set aside.

    sorcery.sustain.dice_available: the die of the spell tested for is missing as well; that of one
    lost before is there again (sorcery.amb.freed_die_during_tests). It counts as a test of Will,
    pass or fail, at that obstacle (sorcery.advance.will_from_concentration) and by the dice rolled
    (sorcery.advance.actual_dice).
    """
    sheet = table.character(character)
    spell = next(each for each in sheet.sustained if each.name == name)
    attempt = yield from called_attempt(character, "Will", f"keep up {name}", (), table)
    base = Line(spell.obstacle, name, "sorcery.sustain.concentration_test")
    obstacle = Tally((base,)) + attempt.penalties
    thrown = yield from throw_called(attempt, obstacle, table)
    result = result_of(attempt, thrown, obstacle)
    verdict = f"{name} is kept up." if result.passed else f"{name} is lost."
    result, table = yield from conclude_test(attempt, thrown, obstacle, verdict, table)
    if not result.passed:
        # Neither Tax nor the Failed Casting die (sorcery.sustain.drop_no_backlash).
        rule = "sorcery.sustain.drop_no_backlash"
        table = yield from end_spell(table, character, name, rule)
    test = ConcentrationTest(
        name, attempt.dice.total, obstacle.total, thrown.successes, result.passed, result.earned
    )
    return test, table


def end_spell(table: BurningTable, character: str, name: str, because: str) -> Step[BurningTable]:
    """A spell in effect ends, and its Will die is free again."""
    sheet = table.character(character)
    left = tuple(each for each in sheet.active_spells if each.name != name)
    yield from note(f"{sheet.name}'s {name} ends.", because)
    return (yield from table.amend(character, "active_spells", left, because=because))


def settle_distractions(character: str, table: BurningTable) -> Step[BurningTable]:
    """Make the Will tests that are still due before anything else happens."""
    if table.character(character).distractions:
        event = table.character(character).distractions[-1]
        _, table = yield from call(concentrate, character, event, table)
    return table


# --- The power still flows -----------------------------------------------------------------


def retax_interval(sheet: Sheet, obstacle: int) -> int:
    """The seconds between Tax tests while a spell is sustained; 0 or less where it cannot be.

    sorcery.sustain.retax_interval: Forte less the obstacle, in hours; the Forte that Tax has left,
    whatever wounds do (sorcery.amb.retax_current_forte).
    """
    return (sheet.forte_left - obstacle) * HOUR


def end_what_cannot_last(table: BurningTable, character: str) -> Step[BurningTable]:
    """End sustained spells for which Forte is too low by now (sorcery.sustain.retax_impossible).

    The dead sustain nothing.
    """
    sheet = table.character(character)
    for spell in sheet.sustained:
        if sheet.dead or retax_interval(sheet, spell.obstacle) <= 0:
            rule = "sorcery.sustain.retax_impossible"
            table = yield from end_spell(table, character, spell.name, rule)
    return table


def retax(character: str, name: str, table: BurningTable) -> Play[tuple[TaxOutcome, BurningTable]]:
    """The repeated Tax test of a sustained spell, at its own obstacle.

    sorcery.sustain.retax_obstacle. Failing it threatens every sustained spell, this one too
    (sorcery.sustain.retax_is_may_not).
    """
    at, spell = next(
        (at, each)
        for at, each in enumerate(table.character(character).active_spells)
        if each.name == name
    )
    now = table.scene.calendar.moment
    rule = "sorcery.sustain.retax_interval"
    table = yield from table.amend(character, f"active_spells.{at}.taxed", now, because=rule)
    obstacle = Tally.of(spell.obstacle, name, "sorcery.sustain.retax_obstacle")
    due = TaxDue(character, name, spell.obstacle, obstacle)
    tax, table = yield from call(tax_test, due, table)
    if not tax.passed:
        table = yield from end_what_cannot_last(table, character)
        _, table = yield from call(concentrate, character, FAILED_TAX, table)
        tax, table = yield from call(recover_later, character, tax, table)
    return tax, table


# --- What a group can begin ----------------------------------------------------------------


class KeepSpells(Arguments, frozen=True):
    """Whose spells are threatened, and by which event; without one, by what is noted already."""

    character: str
    event: str = ""


def _sustains(character: str, table: BurningTable) -> None:
    _check_sustains(table.character(character), "sorcery.sustain.may_not")


def _can_drop(character: str, table: BurningTable) -> None:
    _check_sustains(table.character(character), "sorcery.sustain.only_if_listed")


def _check_sustains(sheet: Sheet, rule: str) -> None:
    if not sheet.sustained:
        raise NotAllowed(f"{sheet.name} sustains no spell", rule)


def keep_spells(arguments: KeepSpells, table: BurningTable) -> Play[Concentration]:
    """Test Will for every sustained spell after something that threatens them.

    sorcery.sustain.may_not; ordinary activity does not (sorcery.sustain.may).
    """
    sheet = table.character(arguments.character)
    threats = events("threatens_code", "yes")
    event = arguments.event or next(iter(sheet.distractions), "")
    if event == ORDINARY:
        text = f"Nothing threatens {sheet.name}'s spells: that is ordinary activity."
        yield from note(text, "sorcery.sustain.may")
        return Concentration()
    if event not in threats:
        expected = f"one of {', '.join((*threats, ORDINARY))}"
        raise BadInput("event", arguments.event, expected, "sorcery.sustain.may_not")
    outcome, _ = yield from call(concentrate, arguments.character, event, table)
    return outcome


class DropSpell(Arguments, frozen=True):
    """Who stops sustaining which spell."""

    character: str
    spell: str


class DroppedSpell(Outcome, frozen=True):
    """The actions it took, and the spells that are still sustained."""

    actions: int
    sustained: tuple[str, ...]


def drop_spell(arguments: DropSpell, table: BurningTable) -> Play[DroppedSpell]:
    """Stop sustaining a spell by choice: one action (sorcery.sustain.drop_action).

    An Eldritch Shield that is dropped in time does no harm (sorcery.shield.voluntary_drop).
    """
    spell = sustained_spell(table.character(arguments.character), arguments.spell)
    table = yield from end_spell(
        table, arguments.character, spell.name, "sorcery.sustain.drop_action"
    )
    left = tuple(each.name for each in table.character(arguments.character).sustained)
    return DroppedSpell(1, left)


def sustained_spell(sheet: Sheet, name: str) -> ActiveSpell:
    """A spell that somebody sustains; only what is Sustained can be.

    sorcery.sustain.only_if_listed.
    """
    for spell in sheet.sustained:
        if spell.name.casefold() == name.strip().casefold():
            return spell
    has = ", ".join(each.name for each in sheet.sustained) or "none"
    expected = f"a {SUSTAINED} spell that {sheet.name} keeps up: {has}"
    raise BadInput("spell", name, expected, "sorcery.sustain.only_if_listed")


PROCEDURES = (
    Procedure(
        "keep_spells", "Concentration: keep up spells", KeepSpells, keep_spells, check=_sustains
    ),
    Procedure("drop_spell", "Drop a sustained spell", DropSpell, drop_spell, check=_can_drop),
)
