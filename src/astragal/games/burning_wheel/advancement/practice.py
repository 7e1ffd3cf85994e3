"""Practice: game time turned into tests, without a roll.

A regimen is kept for days that have passed (``sheet/calendar``); what does not fill a cycle is
kept for later. The hours of a day are limited, and none counts twice.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Option, PickSeveral, Play, Step, ask, confirm, note, path_of

from ..sheet.calendar import (
    DAY,
    days_in,
    first_free_day,
    hours_spent,
    parse_time,
    spend_days,
    today,
)
from ..sheet.parts import AbilityKind, Difficulty, PracticeTime, Stretch, Use
from ..sheet.scene import BurningTable, SeriesTest
from ..sheet.sheet import Sheet, stat_names
from ..sheet.skill_roots import book_roots
from ..sheet.words import counted
from ..tests.helping import check_may_be_tried, known_roots
from .log import completes, log_test
from .new_skills import about_skill, is_training, learn, learning_of
from .practice_cycles import MOST_HOURS, PracticeCycle, category_of, cycle_of

HOURS_BY_WILL = 4
"""Hours of practice a day for each point of Will (advancement.practice.max_by_will)."""


class Regimen(Arguments, frozen=True):
    """One ability, the hours a day, and the class of test (by default what the hours allow).

    ``training`` says that a skill not yet known is a Training skill.
    """

    ability: str
    hours: int
    difficulty: Difficulty | None = None
    training: bool = False


class Practice(Arguments, frozen=True):
    """Who practised what, for how long and from which day on.

    By default it is all free days up to today. If an activity was only ``narrated``, the GM says
    which abilities it suits.
    """

    character: str
    regimen: tuple[Regimen, ...]
    time: str = ""
    first_day: int | None = None
    narrated: str = ""


class PracticeOutcome(Outcome, frozen=True):
    """The tests earned by practice, as ``ability: class``, in the order they came.

    ``begun`` are cycles that are not complete: the test, the days stored and those it takes.
    """

    days: int
    earned: tuple[str, ...]
    begun: tuple[tuple[str, int, int], ...] = ()


# --- The limits of a day -------------------------------------------------------------------


def most_hours(sheet: Sheet) -> int:
    """How many hours a day a character can practise, over all abilities together.

    advancement.practice.max_by_will, advancement.practice.max_absolute,
    advancement.amb.practice_cap.
    """
    will = sheet.ability("Will", "stats").exponent
    return min(HOURS_BY_WILL * will, MOST_HOURS)


def _check_hours(sheet: Sheet, regimen: tuple[Regimen, ...], stretch: Stretch) -> None:
    for index, each in enumerate(regimen):
        if each.hours < 1:
            place, rule = f"regimen[{index}].hours", "advancement.practice.cycle_and_hours"
            raise BadInput(place, each.hours, "1 hour or more", rule)
    most = most_hours(sheet)
    hours = stretch.hours + hours_spent(sheet, stretch, Use.PRACTICE)
    if hours > most:
        by_will = most < MOST_HOURS
        rule = f"advancement.practice.{'max_by_will' if by_will else 'max_absolute'}"
        raise BadInput("regimen", hours, f"at most {most} hours of practice a day", rule)


def _aimed_at(regimen: Regimen, cycle: PracticeCycle, place: str) -> Difficulty:
    """The class a day counts for: the one aimed at, or the hardest that its hours allow.

    A day counts if the hours for the class were kept (advancement.amb.practice_segments).
    """
    rule = "advancement.practice.cycle_and_hours"
    if regimen.difficulty is not None:
        needed = cycle.hours[regimen.difficulty]
        if regimen.hours < needed:
            expected = f"{needed} hours a day or more for a {regimen.difficulty.value} test"
            raise BadInput(f"{place}.hours", regimen.hours, expected, rule)
        return regimen.difficulty
    allowed = [each for each in Difficulty if cycle.hours[each] <= regimen.hours]
    if not allowed:
        least = min(cycle.hours.values())
        expected = f"{least} hours a day or more for any test of {regimen.ability}"
        raise BadInput(f"{place}.hours", regimen.hours, expected, rule)
    return allowed[-1]


# --- Keeping a regimen ---------------------------------------------------------------------


def practise(arguments: Practice, table: BurningTable) -> Play[PracticeOutcome]:
    """A character has practised (advancement.practice.purpose): no roll, only game time.

    Activities that were only described count for the abilities they suit
    (advancement.practice.narrated_time); the GM says which.
    """
    regimen = _some(arguments.regimen)
    if arguments.narrated:
        regimen = yield from _suiting(arguments.narrated, regimen)
    stretch = _stretch(arguments, regimen, table)
    _, outcome = yield from keep_regimen(table, arguments.character, regimen, stretch)
    return outcome


def _some(regimen: tuple[Regimen, ...]) -> tuple[Regimen, ...]:
    if not regimen:
        rule = "advancement.practice.cycle_and_hours"
        raise BadInput("regimen", [], "at least one ability, with hours a day", rule)
    return regimen


def _suiting(narrated: str, regimen: tuple[Regimen, ...]) -> Step[tuple[Regimen, ...]]:
    rule = "advancement.practice.narrated_time"
    names = tuple(dict.fromkeys(each.ability for each in regimen))
    options = tuple(Option(name, name, rule) for name in names)
    suited = yield from ask(
        GM,
        "suits",
        f"For which abilities does this count as practice? {narrated}",
        PickSeveral(options=options, default=names),
        because=rule,
        kind="consent",
    )
    return tuple(each for each in regimen if each.ability in suited)


def _stretch(arguments: Practice, regimen: tuple[Regimen, ...], table: BurningTable) -> Stretch:
    """The days that the practice took; they must have passed."""
    sheet = table.character(arguments.character)
    first = first_free_day(sheet) if arguments.first_day is None else arguments.first_day
    days = today(table) - first
    if arguments.time:
        days = parse_time(arguments.time, max(0, first), table) // DAY
    if days < 1:
        expected = f"at least one free day that has passed: today is day {today(table)}"
        found = arguments.time or f"from day {first}"
        raise BadInput("time", found, expected, "advancement.practice.at_end_of_cycle")
    hours = sum(each.hours for each in regimen)
    return Stretch(first, days, hours, Use.PRACTICE, arguments.narrated)


class Aim(msgspec.Struct, frozen=True):
    """What the hours of a regimen go toward: a class of test, and the months of its cycle."""

    ability: str
    difficulty: Difficulty
    months: int

    @property
    def test(self) -> str:
        """The test that a full cycle earns."""
        return f"{self.ability}: {self.difficulty.value}"


def keep_regimen(
    table: BurningTable,
    character: str,
    regimen: tuple[Regimen, ...],
    stretch: Stretch,
    *,
    one_rise: bool = False,
) -> Step[tuple[BurningTable, PracticeOutcome]]:
    """Spend the days, store them for each ability, and log a test for every full cycle.

    Several abilities, or classes of one, fit side by side within the hours of a day
    (advancement.amb.practice_cap). Tests come on the days on which their cycles are complete.
    """
    if not regimen:
        return table, PracticeOutcome(stretch.days, ())
    _check_hours(table.character(character), regimen, stretch)
    aims: list[Aim] = []
    for index, each in enumerate(regimen):
        place = f"regimen[{index}]"
        table = yield from _known(table, character, each)
        cycle, table = yield from cycle_of(table, character, each.ability)
        aim = Aim(_spelled(table, character, each), _aimed_at(each, cycle, place), cycle.months)
        if aim in aims:
            expected, rule = (
                "each ability once for each class",
                "advancement.practice.cycle_and_hours",
            )
            raise BadInput(f"{place}.ability", each.ability, expected, rule)
        aims.append(aim)
    table = yield from spend_days(table, character, stretch, "time")
    complete: list[tuple[int, Aim]] = []
    begun: tuple[tuple[str, int, int], ...] = ()
    for aim in aims:
        table, days, left, length = yield from _store(table, character, aim, stretch)
        complete += [(day, aim) for day in days]
        if left:
            begun += ((aim.test, left, length),)
    earned: tuple[str, ...] = ()
    risen: frozenset[str] = frozenset()
    for _, aim in sorted(complete, key=lambda done: done[0]):
        limit = risen if one_rise else frozenset()
        table, rises = yield from _earn(table, character, aim, limit)
        risen |= {aim.ability} if rises else set()
        earned += (aim.test,)
    return table, PracticeOutcome(stretch.days, earned, begun)


def _spelled(table: BurningTable, character: str, regimen: Regimen) -> str:
    """The name of an ability as the sheet has it."""
    sheet = table.character(character)
    found = sheet.find(regimen.ability)
    return learning_of(sheet, regimen.ability)[0] if found is None else found.name


def _known(table: BurningTable, character: str, regimen: Regimen) -> Step[BurningTable]:
    """Note the roots of a skill that is not known yet, so that it can be learned.

    advancement.amb.practice_new_skill; Sorcery must be taught, by a sorcerer or in writing
    (sorcery.learn.skill_must_be_taught).
    """
    sheet = table.character(character)
    name, learning = learning_of(sheet, regimen.ability)
    if sheet.find(regimen.ability) is not None:
        return table
    sorcery = name.casefold() == SORCERY
    in_writing = sorcery and (yield from _taught_in_writing(table, character))
    if learning is not None and (in_writing or not sorcery):
        return table
    if regimen.ability.casefold() in (each.casefold() for each in sheet.training):
        what = f"{sheet.name} already has {regimen.ability}, which has no exponent to raise"
        raise NotAllowed(what, "advancement.amb.training_exponent")
    if not in_writing:
        check_may_be_tried(name, sheet, table)
    return (yield from begin_learning(table, character, name, training=regimen.training))


SORCERY = "sorcery"
"""The skill that nobody learns without a teacher or a text, in small letters."""


def _taught_in_writing(table: BurningTable, character: str) -> Step[bool]:
    """Whether somebody has understood a text that was made to teach Sorcery, as the GM says.

    sorcery.learn.skill_must_be_taught.
    """
    titles = [
        text.title
        for text in table.scene.instructions
        if text.reader == character and text.understood
    ]
    if not titles:
        return False
    return (
        yield from confirm(
            GM,
            "taught_in_writing",
            f"Was one of these written to teach Sorcery? {'; '.join(titles)}",
            default=False,
            because="sorcery.learn.skill_must_be_taught",
        )
    )


def begin_learning(
    table: BurningTable, character: str, skill: str, *, training: bool
) -> Step[BurningTable]:
    """Note a skill to be learned, with its roots and its category.

    They come from somebody who knows it, or else from the GM (advancement.new_skill.root); the
    roots that the book gives stand unless the GM changes them.
    """
    roots = known_roots(skill, table)
    if not roots:
        rule = "advancement.new_skill.root"
        options = tuple(Option(name, name, rule) for name in stat_names())
        prompt = f"Root stats of {skill}"
        question = PickSeveral(options=options, least=1, default=book_roots(skill) or None)
        roots = yield from ask(GM, "roots", prompt, question, because=rule)
    for root in roots:
        table.character(character).ability(root, "stats")
    category = yield from category_of(table, character, skill)
    learning = msgspec.structs.replace(
        about_skill(skill, roots, table),
        category=category,
        training=training or is_training(skill, table),
    )
    path, rule = path_of("learning", skill), "advancement.amb.practice_new_skill"
    return (yield from table.amend(character, path, learning, because=rule))


def _store(
    table: BurningTable, character: str, aim: Aim, stretch: Stretch
) -> Step[tuple[BurningTable, tuple[int, ...], int, int]]:
    """Add days to those stored, and give the days on which cycles are complete; keep the rest.

    advancement.practice.partial_cycles, advancement.practice.at_end_of_cycle. An advancement
    leaves stored time alone (advancement.amb.practice_after_advance). Also gives how many days are
    stored now, and how many a cycle takes.
    """
    practice = table.character(character).practice
    stored = next((each for each in practice if _is_for(each, aim)), None)
    before = 0 if stored is None else stored.days
    since = stretch.first if stored is None else stored.since
    left = before + stretch.days
    complete: tuple[int, ...] = ()
    while left >= (length := days_in(aim.months, since, table)):
        left -= length
        since = stretch.first + stretch.days - left
        complete += (since,)
    kept = tuple(each for each in practice if not _is_for(each, aim))
    if left:
        kept += (PracticeTime(aim.ability, aim.difficulty, left, since),)
    rule = "advancement.practice.partial_cycles"
    table = yield from table.amend(character, "practice", kept, because=rule)
    name = table.character(character).name
    test = f"{aim.difficulty.value} test"
    come_to = [counted(len(complete), test)] if complete else []
    if left:
        come_to.append(f"{left} of {length} days toward {'another' if complete else f'a {test}'}")
    days = counted(stretch.days, "day")
    text = f"{name} practises {aim.ability} for {days}: {', '.join(come_to)}."
    yield from note(text, rule)
    return table, complete, left, length


def _is_for(stored: PracticeTime, aim: Aim) -> bool:
    same = stored.ability.casefold() == aim.ability.casefold()
    return same and stored.difficulty is aim.difficulty


def _earn(
    table: BurningTable, character: str, aim: Aim, risen: frozenset[str]
) -> Step[tuple[BurningTable, bool]]:
    """One test for one full cycle; it counts as a success (advancement.amb.practice_success_only).

    What has risen once in the time of an absence rises no further
    (advancement.practice.absent_player). Gives the table, and whether the ability rose.
    """
    sheet = table.character(character)
    rated = sheet.find(aim.ability)
    _, learning = learning_of(sheet, aim.ability)
    if rated is None and learning is not None:
        # Any class will do (advancement.amb.practice_new_skill).
        rule = "advancement.amb.practice_new_skill"
        return (yield from learn(table, character, aim.ability, learning, rule)), False
    if rated is None:
        return table, False  # a Training skill that has opened: nothing more to learn
    test = SeriesTest(character, rated.name, aim.difficulty, 1)
    rises = completes(table, test)
    if rises and aim.ability in risen:
        rule = "advancement.practice.absent_player"
        text = (
            f"{rated.name} has advanced once in this absence already: {sheet.name} loses the test."
        )
        yield from note(text, rule)
        return table, False
    if rated.kind is AbilityKind.STAT and aim.difficulty is Difficulty.ROUTINE:
        text = f"A routine test of {rated.name} has no effect: stats need harder tests."
        yield from note(text, "advancement.amb.practice_routine_stats")
    return (yield from log_test(table, test)), rises


# --- Coming back after an absence ----------------------------------------------------------


class Absence(Arguments, frozen=True):
    """A character whose player was away, for how long, and what was practised."""

    character: str
    time: str
    regimen: tuple[Regimen, ...]


def absence(arguments: Absence, table: BurningTable) -> Play[PracticeOutcome]:
    """The GM may give the time of an absence as practice (advancement.practice.absent_player).

    No ability goes up by more than one exponent through it, while practice in play has no such
    limit (advancement.amb.absent_year_scope). The time ends today.
    """
    sheet = table.character(arguments.character)
    rule = "advancement.practice.absent_player"
    days = parse_time(arguments.time, 0, table) // DAY
    if not 1 <= days <= today(table):
        expected = f"at most the {today(table)} days that have passed"
        raise BadInput("time", arguments.time, expected, rule)
    granted = yield from confirm(
        GM,
        "grant_absence",
        f"Give {sheet.name} {days} days of practice for the absence?",
        default=True,
        because=rule,
    )
    if not granted:
        return PracticeOutcome(0, ())
    hours = sum(each.hours for each in _some(arguments.regimen))
    stretch = Stretch(today(table) - days, days, hours, Use.PRACTICE, "away")
    _, outcome = yield from keep_regimen(
        table, arguments.character, arguments.regimen, stretch, one_rise=True
    )
    return outcome


PROCEDURES = (
    Procedure("practise", "Practice", Practice, practise),
    Procedure("absence", "Practice during an absence", Absence, absence),
)
