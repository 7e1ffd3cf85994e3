"""Practice: game time turned into tests, without a roll.

A regimen is kept for days that have passed (``sheet/calendar``); what
does not fill a cycle is kept for later. The hours of a day are limited, and none counts twice.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.advancement.log import advances_as, completes, log_test
from astragal.games.burning_wheel.advancement.new_skills import (
    about_skill,
    is_training,
    learn,
    learning_of,
)
from astragal.games.burning_wheel.sheet.calendar import (
    DAY,
    days_in,
    first_free_day,
    hours_spent,
    parse_time,
    spend_days,
    today,
)
from astragal.games.burning_wheel.sheet.parts import (
    AbilityKind,
    Difficulty,
    Learning,
    PracticeTime,
    SkillAbility,
    Stretch,
    Use,
)
from astragal.games.burning_wheel.sheet.scene import BurningTable, SeriesTest
from astragal.games.burning_wheel.sheet.sheet import Sheet, stat_names
from astragal.games.burning_wheel.tests.helping import check_may_be_tried, known_roots
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Noted,
    Number,
    Option,
    PickSeveral,
    Play,
    Step,
    ask,
    choose,
    confirm,
    path_of,
    tell,
)
from astragal.rules import Record, catalogue

HOURS_BY_WILL = 4
"""Hours of practice a day for each point of Will (advancement.practice.max_by_will)."""

MOST_HOURS = 20
"""Nobody practises more in a day, whatever the Will (advancement.practice.max_absolute)."""


class Regimen(Arguments, frozen=True):
    """One ability, the hours a day, and the class of test aimed at (by default what they allow).

    ``training`` says that a skill not yet known is a Training skill.
    """

    ability: str
    hours: int
    difficulty: Difficulty | None = None
    training: bool = False


class Practise(Arguments, frozen=True):
    """Who practised what, for how long and from which day on.

    Without a first day it is the first that the character has not accounted for, without a time
    all days since. What was only ``narrated`` for colour may suit some abilities.
    """

    character: str
    regimen: tuple[Regimen, ...]
    time: str = ""
    first_day: int | None = None
    narrated: str = ""


class Cycle(msgspec.Struct, frozen=True):
    """What one ability must be practised: months for one test, and hours a day by class."""

    months: int
    hours: dict[Difficulty, int]


class PracticeOutcome(Outcome, frozen=True):
    """The tests that practice has brought, as ``ability: class``, in the order they came."""

    days: int
    earned: tuple[str, ...]


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


# --- Cycles --------------------------------------------------------------------------------


def cycle_of(table: BurningTable, character: str, ability: str) -> Step[Cycle]:
    """How long and how many hours a day an ability must be practised.

    advancement.practice.cycle_and_hours: stats and attributes by name, skills by category. What
    the tables leave out cannot be practised, unless the GM says how
    (advancement.amb.practice_missing_abilities).
    """
    sheet = table.character(character)
    rated = sheet.find(ability)
    if rated is None or rated.kind is AbilityKind.SKILL:
        category = yield from _category(table, character, ability)
        rows = catalogue().table("advancement.table.practice_skills")
        return _cycle(rows.where(skill_category=category))
    rows = catalogue().table("advancement.table.practice_stats")
    if found := rows.all_where(stat_or_attribute=rated.name):
        return _cycle(found[0])
    rule = "advancement.amb.practice_missing_abilities"
    marker = advances_as(rated).startswith("recalculated")
    option = table.options["advancement_practice_missing_abilities"]
    if marker or option == "not_practisable":
        raise NotAllowed(f"{rated.name} cannot be practised", rule)
    months = yield from ask(
        GM,
        "cycle_months",
        f"How many months of practice does a test of {rated.name} take?",
        Number(least=1, most=120),
        because=rule,
    )
    hours: dict[Difficulty, int] = {}
    for each in Difficulty:
        least = max(hours.values(), default=1)
        hours[each] = yield from ask(
            GM,
            f"{each.value}_hours",
            f"How many hours a day for a {each.value} test of {rated.name}?",
            Number(least=least, most=MOST_HOURS),
            because=rule,
        )
    return Cycle(months, hours)


def _cycle(row: Record) -> Cycle:
    hours = {each: row.number(f"{each.value}_hours") for each in Difficulty}
    return Cycle(row.number("cycle_months"), hours)


def _category(table: BurningTable, character: str, skill: str) -> Step[str]:
    """The category of a skill, from somebody's sheet; else the GM says it."""
    names = [
        str(name)
        for name in catalogue().table("advancement.table.practice_skills").column("skill_category")
    ]
    sheets = [table.character(character), *table.characters.values()]
    for sheet in sheets:
        found = sheet.find(skill)
        _, learning = learning_of(sheet, skill)
        known = found.ability if found is not None else learning
        written = known.category if isinstance(known, SkillAbility | Learning) else ""
        for name in names:
            if written and written.casefold() in (name.casefold(), *name.casefold().split("/")):
                return name
    rule = "advancement.practice.cycle_and_hours"
    options = tuple(Option(key=name, label=name, rule=rule) for name in names)
    prompt = f"Of which category is {skill}?"
    chosen = yield from choose(GM, "category", prompt, options, because=rule)
    return chosen


def _aimed_at(regimen: Regimen, cycle: Cycle, place: str) -> Difficulty:
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


def practise(arguments: Practise, table: BurningTable) -> Play[PracticeOutcome]:
    """A character has practised (advancement.practice.purpose): no roll, only game time.

    Colourful activities that pushed nothing forward count for the abilities they suit
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
        raise BadInput("regimen", [], "one ability at least, with hours a day", rule)
    return regimen


def _suiting(narrated: str, regimen: tuple[Regimen, ...]) -> Step[tuple[Regimen, ...]]:
    rule = "advancement.practice.narrated_time"
    names = tuple(dict.fromkeys(each.ability for each in regimen))
    options = tuple(Option(key=name, label=name, rule=rule) for name in names)
    suited = yield from ask(
        GM,
        "suits",
        f"Which abilities does this suit as practice? {narrated}",
        PickSeveral(options=options, default=names),
        because=rule,
    )
    return tuple(each for each in regimen if each.ability in suited)


def _stretch(arguments: Practise, regimen: tuple[Regimen, ...], table: BurningTable) -> Stretch:
    """The days that the practice took; they must have passed."""
    sheet = table.character(arguments.character)
    first = first_free_day(sheet) if arguments.first_day is None else arguments.first_day
    days = today(table) - first
    if arguments.time:
        days = parse_time(arguments.time, max(0, first), table) // DAY
    if days < 1:
        expected = f"a day or more that has passed and is not spent: it is day {today(table)}"
        found = arguments.time or f"from day {first}"
        raise BadInput("time", found, expected, "advancement.practice.at_end_of_cycle")
    hours = sum(each.hours for each in regimen)
    return Stretch(first, days, hours, Use.PRACTICE, arguments.narrated)


class Aim(msgspec.Struct, frozen=True):
    """What the hours of a regimen go toward: a class of test, every so many months."""

    ability: str
    difficulty: Difficulty
    months: int


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
        cycle = yield from cycle_of(table, character, each.ability)
        aim = Aim(_spelled(table, character, each), _aimed_at(each, cycle, place), cycle.months)
        if aim in aims:
            expected, rule = "each ability once for a class", "advancement.practice.cycle_and_hours"
            raise BadInput(f"{place}.ability", each.ability, expected, rule)
        aims.append(aim)
    table = yield from spend_days(table, character, stretch, "time")
    complete: list[tuple[int, Aim]] = []
    for aim in aims:
        table, days = yield from _store(table, character, aim, stretch)
        complete += [(day, aim) for day in days]
    earned: tuple[str, ...] = ()
    risen: frozenset[str] = frozenset()
    for _, aim in sorted(complete, key=lambda done: done[0]):
        limit = risen if one_rise else frozenset()
        table, rises = yield from _earn(table, character, aim, limit)
        risen |= {aim.ability} if rises else set()
        earned += (f"{aim.ability}: {aim.difficulty.value}",)
    return table, PracticeOutcome(stretch.days, earned)


def _spelled(table: BurningTable, character: str, regimen: Regimen) -> str:
    """The name of an ability as the sheet has it."""
    sheet = table.character(character)
    found = sheet.find(regimen.ability)
    return learning_of(sheet, regimen.ability)[0] if found is None else found.name


def _known(table: BurningTable, character: str, regimen: Regimen) -> Step[BurningTable]:
    """See to it that a skill not known yet has its roots noted, so that it can be learned.

    advancement.amb.practice_new_skill; Sorcery must be taught
    (sorcery.learn.skill_must_be_taught).
    """
    sheet = table.character(character)
    name, learning = learning_of(sheet, regimen.ability)
    if sheet.find(regimen.ability) is not None:
        return table
    if learning is not None and name.casefold() != "sorcery":
        return table
    if regimen.ability.casefold() in (each.casefold() for each in sheet.training):
        what = f"{sheet.name} has {regimen.ability}, and there is no more to it"
        raise NotAllowed(what, "advancement.amb.training_exponent")
    check_may_be_tried(name, sheet, table)
    return (yield from begin_learning(table, character, name, training=regimen.training))


def begin_learning(
    table: BurningTable, character: str, skill: str, *, training: bool
) -> Step[BurningTable]:
    """Note a skill to be learned, with its roots and its category.

    They come from somebody who knows it; else the GM gives them (advancement.new_skill.root).
    """
    roots = known_roots(skill, table)
    if not roots:
        rule = "advancement.new_skill.root"
        options = tuple(Option(key=name, label=name, rule=rule) for name in stat_names())
        prompt = f"On which stat or stats is {skill} based?"
        question = PickSeveral(options=options, least=1)
        roots = yield from ask(GM, "roots", prompt, question, because=rule)
    for root in roots:
        table.character(character).ability(root, "stats")
    category = yield from _category(table, character, skill)
    learning = msgspec.structs.replace(
        about_skill(skill, roots, table),
        category=category,
        training=training or is_training(skill, table),
    )
    path, rule = path_of("learning", skill), "advancement.amb.practice_new_skill"
    return (yield from table.amend(character, path, learning, because=rule))


def _store(
    table: BurningTable, character: str, aim: Aim, stretch: Stretch
) -> Step[tuple[BurningTable, tuple[int, ...]]]:
    """Add days to those stored, and give the days on which cycles are complete; keep the rest.

    advancement.practice.partial_cycles, advancement.practice.at_end_of_cycle. An advancement
    leaves stored time alone (advancement.amb.practice_after_advance).
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
    return table, complete


def _is_for(stored: PracticeTime, aim: Aim) -> bool:
    same = stored.ability.casefold() == aim.ability.casefold()
    return same and stored.difficulty is aim.difficulty


def _earn(
    table: BurningTable, character: str, aim: Aim, risen: frozenset[str]
) -> Step[tuple[BurningTable, bool]]:
    """One test for one full cycle; it counts as a success (advancement.amb.practice_success_only).

    What has risen already in time granted in one lump rises no further
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
        return table, False  # a Training skill that has opened: there is no more to it
    test = SeriesTest(character, rated.name, aim.difficulty, 1)
    rises = completes(table, test)
    if rises and aim.ability in risen:
        rule = "advancement.practice.absent_player"
        text = f"{sheet.name}: {rated.name} rises no further in one absence; the test is lost."
        yield from tell(Noted(text, rule))
        return table, False
    if rated.kind is AbilityKind.STAT and aim.difficulty is Difficulty.ROUTINE:
        text = f"A routine test of {rated.name} is of no use: stats do not learn from those."
        yield from tell(Noted(text, "advancement.amb.practice_routine_stats"))
    return (yield from log_test(table, test)), rises


# --- Coming back after an absence ----------------------------------------------------------


class Absence(Arguments, frozen=True):
    """A character whose player was away, for how long, and how the time is spread."""

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
        expected = f"days that have passed: it is day {today(table)}"
        raise BadInput("time", arguments.time, expected, rule)
    granted = yield from confirm(
        GM,
        "grant_absence",
        f"Does {sheet.name} get {days} days of practice for the time away?",
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
    Procedure("practise", "A character has practised", Practise, practise),
    Procedure("absence", "A character comes back after an absence", Absence, absence),
)
