"""Learning a spell: First Reading, Practicals, Second Reading (sorcery.learn.three_steps)."""

from __future__ import annotations

import msgspec

from astragal.dice import OpenEnded
from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Procedure
from astragal.play import Play, Step, Tally, note, tell, then
from astragal.rules import Options

from ...artha.aristeia import lightened
from ...sheet.calendar import DAY, days_in, today
from ...sheet.durations import say_duration
from ...sheet.facts import TestCame
from ...sheet.scene import BurningTable
from ...sheet.sheet import Rated, Sheet
from ...sheet.spells import Spell, SpellStage, known_spells
from ...tests.attempts import Attempt, TestResult, full_obstacle, prepare, result_of, throw_attempt
from ...tests.circumstances import allocate, time_taken
from ...tests.conclusions import after_test
from ...tests.intent import Agreement, Context, Declaration
from ...tests.results import out_of_time
from .obstacle import basic_obstacle
from .practicals import practicals_needed

WEEK = 7 * DAY


class ReadSpell(Arguments, frozen=True):
    """Who reads which spell, from which ``writing`` or under which ``teacher``.

    ``teacher`` is another sorcerer who knows the spell, ``helpers`` who help with the reading.
    """

    character: str
    spell: str
    writing: str = ""
    teacher: str = ""
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()


class ReadingOutcome(TestResult, frozen=True, kw_only=True):
    """How a reading came out: how long it took, and how far the spell is learned.

    ``second`` says that it was the Second Reading, ``practicals`` how many a spell takes.
    """

    second: bool = False
    seconds: int = 0
    quickly: int = 0
    stage: str = ""
    practicals: int = 0
    complication: str = ""


def _sorcery_of(character: str, table: BurningTable) -> Rated:
    """The Sorcery of somebody who can read spells, or a refusal."""
    sheet = table.character(character)
    skill = sheet.find("Sorcery")
    if skill is None or not skill.exponent:
        what = f"{sheet.name} must be taught Sorcery before reading a spell"
        raise NotAllowed(what, "sorcery.learn.skill_must_be_taught")
    return skill


def read_spell(arguments: ReadSpell, table: BurningTable) -> Play[ReadingOutcome]:
    """Read a spell for the first or the second time (sorcery.learn.three_steps).

    It takes a written copy or a sorcerer who teaches it (sorcery.learn.precondition). Anybody with
    the skill may; it must have been taught (sorcery.learn.skill_must_be_taught).
    """
    sheet = table.character(arguments.character)
    skill = _sorcery_of(arguments.character, table)
    spell, table = yield from _spell(arguments, sheet, table)
    second = _which_reading(spell, sheet, table.options)
    base = yield from basic_obstacle(spell, sheet)
    whole = base * WEEK if second else days_in(base, today(table), table) * DAY
    task = f"reads {spell.name}"
    declared = Declaration(
        character=arguments.character,
        intent=task,
        task=task,
        ability=skill.name,
        helpers=arguments.helpers,
        gear=arguments.gear,
    )
    tested = lightened(table, arguments.character, skill)
    agreed = Agreement(arguments.character, task, task, tested)
    context = Context(called_for=True, laid_down=True, may_ask_help=True)
    # The skill alone (sorcery.learn.first_reading.test), as an ordinary test: FoRKs, help and
    # careful work, and not open-ended (sorcery.learn.first_reading.test_type).
    attempt = yield from prepare(declared, agreed, whole, context, table)
    attempt = msgspec.structs.replace(attempt, open_ended=OpenEnded.NO)
    return then(roll_reading, attempt, spell.name, base, whole, second, table)


def _spell(
    arguments: ReadSpell, sheet: Sheet, table: BurningTable
) -> Step[tuple[Spell, BurningTable]]:
    """The spell that is read: on the sheet, the teacher's, or one of the book."""
    rule = "sorcery.learn.precondition"
    name = arguments.spell.strip().casefold()
    taught: Spell | None = None
    if arguments.teacher:
        teacher = table.character(arguments.teacher, "teacher")
        taught = next((s for s in teacher.spells if s.name.casefold() == name), None)
        if taught is None or taught.stage is not SpellStage.MASTERED:
            expected = f"a sorcerer who has mastered {arguments.spell}"
            raise BadInput("teacher", arguments.teacher, expected, rule)
    elif not arguments.writing.strip():
        what = f"{sheet.name} needs a written copy of {arguments.spell}, or a sorcerer to teach it"
        raise NotAllowed(what, rule)
    own = next((s for s in sheet.spells if s.name.casefold() == name), None)
    if own is not None:
        return own, table
    found = taught or known_spells().get(name)
    if found is None:
        expected = "a spell on the sheet, of the teacher or of the book"
        raise BadInput("spell", arguments.spell, expected, rule)
    new = msgspec.structs.replace(found, stage=SpellStage.UNREAD, practicals=0)
    spells = (*sheet.spells, new)
    table = yield from table.amend(arguments.character, "spells", spells, because=rule)
    return new, table


def _which_reading(spell: Spell, sheet: Sheet, options: Options) -> bool:
    """Whether it is the Second Reading, which comes after the Practicals."""
    if spell.stage is SpellStage.MASTERED:
        what = f"{sheet.name} has already mastered {spell.name}"
        raise NotAllowed(what, "sorcery.learn.second_reading.success")
    if spell.stage is SpellStage.UNREAD:
        return False
    needed = practicals_needed(sheet, options)
    if spell.practicals < needed:
        what = f"{sheet.name} needs {needed - spell.practicals} more Practicals of {spell.name}"
        raise NotAllowed(what, "sorcery.learn.three_steps")
    return True


def roll_reading(
    attempt: Attempt, name: str, base: int, whole: int, second: bool, table: BurningTable
) -> Play[ReadingOutcome]:
    """Roll a reading, and let extra successes shorten it by a tenth each.

    sorcery.learn.first_reading.time: months, sorcery.learn.second_reading.test: weeks. A failed one
    takes its full time and may be tried again (sorcery.amb.reading_retry); with careful work time
    has then run out (tests.method.carefully_failure). It is a test of Sorcery,
    by the dice rolled (sorcery.advance.readings, sorcery.advance.spell_above_skill,
    sorcery.amb.careful_reading_challenging).
    """
    rule = "sorcery.learn.second_reading.test" if second else "sorcery.learn.first_reading.test"
    obstacle = full_obstacle(Tally.of(base, name, rule), attempt)
    thrown = yield from throw_attempt(attempt, obstacle, table)
    result = result_of(attempt, thrown, obstacle)
    character = attempt.agreed.character
    sheet = table.character(character)
    verdict = f"Understands {name}." if result.passed else f"Fails to understand {name}."
    yield from tell(TestCame(sheet.name, thrown.successes, verdict, result.passed))
    quickly, complication = 0, ""
    if attempt.careful and not result.passed:
        complication, thrown = yield from out_of_time(attempt, thrown, table)
    if result.passed:
        _, quickly = yield from allocate(attempt.seat, result.margin)
    seconds = time_taken(whole, careful=attempt.takes_longer, quickly=quickly)
    rule = "sorcery.learn.first_reading.time"
    yield from note(f"It takes {say_duration(seconds)}.", rule)
    table, earned = yield from after_test(
        attempt, thrown, obstacle.total, table, passed=result.passed
    )
    table, stage = yield from _learned(table, character, name, second, passed=result.passed)
    return ReadingOutcome.of(
        result_of(attempt, thrown, obstacle, earned),
        second=second,
        seconds=seconds,
        quickly=quickly,
        complication=complication,
        stage=stage.value,
        practicals=practicals_needed(sheet, table.options),
    )


def _learned(
    table: BurningTable, character: str, name: str, second: bool, *, passed: bool
) -> Step[tuple[BurningTable, SpellStage]]:
    """How far a spell is learned after a reading.

    The first opens Practicals (sorcery.learn.first_reading.success), the second masters the spell
    (sorcery.learn.second_reading.success). A failed first one leaves it unread
    (sorcery.learn.first_reading.failure), a failed second one asks for a whole new set of
    Practicals (sorcery.learn.second_reading.failure).
    """
    at, spell = next(
        (at, each) for at, each in enumerate(table.character(character).spells) if each.name == name
    )
    if passed:
        stage = SpellStage.MASTERED if second else SpellStage.PRACTICALS
        which = "second" if second else "first"
        rule = f"sorcery.learn.{which}_reading.success"
        return (yield from table.amend(character, f"spells.{at}.stage", stage, because=rule)), stage
    if second:
        rule = "sorcery.learn.second_reading.failure"
        table = yield from table.amend(character, f"spells.{at}.practicals", 0, because=rule)
    return table, spell.stage


PROCEDURES = (Procedure("read_spell", "Read a spell", ReadSpell, read_spell, check=_sorcery_of),)
