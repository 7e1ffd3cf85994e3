"""Handing out tests: asking for one, reviewing a session, and correcting a log.

Tests are marked automatically (``advancement/log``), but everybody keeps an eye on them
(advancement.award.both_remember): here is what the group does about tests that were forgotten,
miscounted or asked for, and how it says that a scene of repeated rolls is one series.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Number,
    Option,
    PickSeveral,
    Play,
    Step,
    Text,
    ask,
    choose,
    confirm,
    consent,
    note,
    path_of,
)

from ..sheet.editions import edition
from ..sheet.parts import AbilityLog, Difficulty, Learning
from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated
from ..tests.intent import may_be_tested
from .log import advance, begin_series, end_series, mark
from .new_skills import aptitude, learning_of, open_what_is_learned
from .requirements import advances_as, check_has_log, requirement

# --- Asking for a test ---------------------------------------------------------------------


class AskForTest(Arguments, frozen=True):
    """Which ability a player would like to test, and in which situation.

    The class of the test follows from the situation: no ``difficulty`` can be asked for.
    """

    character: str
    ability: str
    situation: str
    difficulty: Difficulty | None = None


class TestReply(Enum):
    """What the GM says when a player asks for a test."""

    NOW = "now"
    LATER = "later"
    NO = "no"
    PRACTICE = "practice"


class TestRequestOutcome(Outcome, frozen=True):
    """Whether and when there is a test."""

    moment: TestReply
    ability: str


def ask_for_test(arguments: AskForTest, table: BurningTable) -> Play[TestRequestOutcome]:
    """A player asks for a test; the GM says now, later or no.

    advancement.award.gm_may_hold. Only an act in a fitting situation earns a test, anything else
    is practice (advancement.award.applicable_situation); the class follows from the situation
    and cannot be asked for (advancement.award.no_class_on_request).
    """
    sheet = table.character(arguments.character)
    rated = sheet.ability(arguments.ability)
    if arguments.difficulty is not None:
        wish = f"A {arguments.difficulty.value} test of {rated.name} cannot be asked for"
        what = f"{wish}: the class follows from the situation"
        raise NotAllowed(what, "advancement.award.no_class_on_request")
    hold = "advancement.award.gm_may_hold"
    fitting = "advancement.award.applicable_situation"
    options = (
        Option(key="now", label="Now", rule=fitting),
        Option(key="later", label="Later", rule=hold),
        Option(key="no", label="No", rule=hold),
        Option(key="practice", label="This is only practice", rule=fitting),
    )
    said = yield from choose(
        GM,
        "moment",
        f"{sheet.name} asks for a test of {rated.name}: {arguments.situation}. When?",
        options,
        default="now",
        because=hold,
    )
    label = next(option.label for option in options if option.key == said)
    yield from note(f"{rated.name} test: {label}.", hold)
    return TestRequestOutcome(TestReply(said), rated.name)


# --- After the session ---------------------------------------------------------------------


class ReviewTests(Arguments, frozen=True):
    """Whose logs to review; empty means every player's character."""

    characters: tuple[str, ...] = ()


class ReviewOutcome(Outcome, frozen=True):
    """How many forgotten tests were added."""

    found: int


def review_tests(arguments: ReviewTests, table: BurningTable) -> Play[ReviewOutcome]:
    """Review the session: what each log has, and which tests were forgotten.

    advancement.award.both_remember. A forgotten test is classed by its dice and obstacle like
    any other.
    """
    names = arguments.characters or tuple(
        name for name, sheet in table.characters.items() if not sheet.npc
    )
    found = 0
    for name in names:
        yield from _tell_logs(table, name)
        sheet = table.character(name, "characters")
        rated = [each for each in sheet.abilities() if may_be_tested(each)]
        rule = "advancement.award.both_remember"
        options = tuple(Option(key=r.name, label=str(r), rule=rule) for r in rated)
        forgotten = yield from ask(
            sheet.seat(name),
            "forgotten",
            f"Which tests of {sheet.name} are missing from the log?",
            PickSeveral(options=options, default=()),
            because=rule,
        )
        for ability in forgotten:
            table, logged = yield from _forgotten(table, name, sheet.ability(ability))
            found += logged
    return ReviewOutcome(found)


def _forgotten(
    table: BurningTable, character: str, tested: Rated
) -> Step[tuple[BurningTable, bool]]:
    """The GM says whether it was a test, and what it was rolled with and against."""
    sheet = table.character(character)
    fitting = yield from consent(
        GM,
        "fitting",
        f"{sheet.name}, {tested.name}: did this happen in a fitting situation?",
        because="advancement.award.applicable_situation",
    )
    if not fitting:
        return table, False
    rule = "advancement.class.dice_against_obstacle"
    dice = yield from ask(
        GM,
        "dice",
        f"{sheet.name}, {tested.name}: dice rolled, without artha",
        Number(least=1, most=60, default=max(1, tested.exponent)),
        because=rule,
    )
    obstacle = yield from ask(
        GM,
        "obstacle",
        f"{sheet.name}, {tested.name}: obstacle",
        Number(least=1, most=20),
        because=rule,
    )
    passed = yield from confirm(
        GM,
        "passed",
        f"{sheet.name}, {tested.name}: was the test passed?",
        default=True,
        because="advancement.earn.pass_or_fail",
    )
    table, earned = yield from mark(table, character, tested, dice, obstacle, passed=passed)
    return table, earned is not None


def _tell_logs(table: BurningTable, character: str) -> Step[None]:
    """Every log with something in it, beside what the ability needs to rise."""
    sheet = table.character(character, "characters")
    for rated in sheet.abilities():
        log = rated.ability.log
        if log == AbilityLog():
            continue
        has = f"{log.routine} routine, {log.difficult} difficult, {log.challenging} challenging"
        advances = advances_as(rated, edition(table.options))
        needed = requirement(advances, rated.rating.exponent)
        text = f"{sheet.name}, {rated}: {has}" + (f" (needs {needed})" if needed else "")
        yield from note(f"{text}.", "advancement.required.concept")
    for name, learning in sheet.learning.items():
        opens = aptitude(sheet, learning.roots, table.options)
        tests = f"{learning.tests} of {opens.total} tests (Aptitude {opens})"
        text = f"{sheet.name} is learning {name}: {tests}."
        yield from note(text, "advancement.aptitude.single_root")


# --- Correcting a log ----------------------------------------------------------------------


class CorrectLog(Arguments, frozen=True):
    """How many tests to add to a log, or with a minus how many to remove.

    A skill that is still being learned takes no ``difficulty``.
    """

    character: str
    ability: str
    tests: int
    difficulty: Difficulty | None = None


class CorrectionOutcome(Outcome, frozen=True):
    """How many tests of that class the log has after the correction."""

    ability: str
    tests: int


def correct_log(arguments: CorrectLog, table: BurningTable) -> Play[CorrectionOutcome]:
    """The GM corrects a log, openly and with a reason (advancement.award.both_remember).

    If that fills the log, the ability advances.
    """
    sheet = table.character(arguments.character)
    _, learning = learning_of(sheet, arguments.ability)
    rated = sheet.find(arguments.ability)
    if rated is None and learning is not None:
        return (yield from _correct_learning(arguments, learning, table))
    rated = sheet.ability(arguments.ability)
    check_has_log(rated)
    if arguments.difficulty is None:
        expected = f"one of {', '.join(each.value for each in Difficulty)}"
        raise BadInput("difficulty", None, expected, "advancement.class.three")
    kind = arguments.difficulty.value
    after = _corrected(getattr(rated.ability.log, kind), arguments.tests)
    yield from _say_why(f"{sheet.name}, {rated.name}: {arguments.tests:+d} {kind}")
    path, rule = f"{rated.path}.log.{kind}", "advancement.award.both_remember"
    table = yield from table.amend(arguments.character, path, after, because=rule)
    yield from advance(table, arguments.character, rated.name)
    return CorrectionOutcome(rated.name, after)


def _correct_learning(
    arguments: CorrectLog, learning: Learning, table: BurningTable
) -> Step[CorrectionOutcome]:
    sheet = table.character(arguments.character)
    name, _ = learning_of(sheet, arguments.ability)
    rule = "advancement.award.both_remember"
    if arguments.difficulty is not None:
        expected = f"nothing: {name} is not open yet, and its tests have no class"
        raise BadInput("difficulty", arguments.difficulty.value, expected, rule)
    tests = _corrected(learning.tests, arguments.tests)
    yield from _say_why(f"{sheet.name}, tests toward {name}: {arguments.tests:+d}")
    path, after = path_of("learning", name), msgspec.structs.replace(learning, tests=tests)
    table = yield from table.amend(arguments.character, path, after, because=rule)
    yield from open_what_is_learned(table, arguments.character)
    return CorrectionOutcome(name, tests)


def _corrected(before: int, tests: int) -> int:
    if not tests or before + tests < 0:
        expected = f"a number other than 0, and not below {-before}: {before} are logged"
        raise BadInput("tests", tests, expected, "advancement.award.both_remember")
    return before + tests


def _say_why(what: str) -> Step[None]:
    rule = "advancement.award.both_remember"
    prompt = f"{what}. Why?"
    reason = yield from ask(GM, "reason", prompt, Text(default=""), because=rule)
    yield from note(f"{what}. {reason}".rstrip(), rule)


# --- A scene of repeated rolls -------------------------------------------------------------


class BeginSeries(Arguments, frozen=True):
    """A name for a scene of repeated rolls, and who is in it."""

    title: str
    characters: tuple[str, ...]


class EndSeries(Arguments, frozen=True):
    """The name of the series that ends."""

    title: str


class SeriesState(Outcome, frozen=True):
    """A series that began or ended."""

    title: str
    open: bool


def series_begins(arguments: BeginSeries, table: BurningTable) -> Play[SeriesState]:
    """From now on each ability of these characters earns one test (advancement.series.one_test)."""
    title, names = arguments.title.strip(), arguments.characters
    if not names or len(set(names)) < len(names):
        expected, rule = "everyone in it, each once", "advancement.series.one_test"
        raise BadInput("characters", list(names), expected, rule)
    yield from begin_series(table, title, names)
    return SeriesState(title, True)


def series_ends(arguments: EndSeries, table: BurningTable) -> Play[SeriesState]:
    """The one test of each ability is logged, unless it has been already."""
    yield from end_series(table, arguments.title)
    return SeriesState(arguments.title, False)


PROCEDURES = (
    Procedure("ask_for_test", "Ask for a test", AskForTest, ask_for_test),
    Procedure("review_tests", "Review the session's tests", ReviewTests, review_tests),
    Procedure("correct_log", "Correct a log", CorrectLog, correct_log, gm_only=True),
    Procedure("begin_series", "Begin a series of rolls", BeginSeries, series_begins, gm_only=True),
    Procedure(
        "end_series",
        "End a series of rolls",
        EndSeries,
        series_ends,
        gm_only=True,
        touches_all=True,
    ),
)
