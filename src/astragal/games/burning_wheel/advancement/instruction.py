"""Learning from another: an instructor, a student, and tests that take days instead of dice.

A course begins with one Instruction test (:func:`instruct`); each taught test is awarded when its
time has passed on the calendar (:func:`taught`). Learning from a written text is in
``tests/instructions``.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Line, Number, Play, Step, Tally, ask, call, note

from ..sheet.calendar import DAY, HOURS, first_free_day, spend_days, today
from ..sheet.parts import AbilityKind, Difficulty, Stretch, Use
from ..sheet.scene import BurningTable, Course
from ..sheet.sheet import Sheet
from ..tests.attempts import prepare
from ..tests.circumstances import time_taken
from ..tests.intent import CALLED_FOR, Declaration, agree, not_rolled_before
from ..tests.results import StandardOutcome
from ..tests.terms import RollTerms
from ..tests.tests import roll_standard
from .log import mark
from .new_skills import learn, learning_of
from .practice import PracticeOutcome, Regimen, begin_learning, keep_regimen, most_hours

INSTRUCTION_OBSTACLE = 2
"""What it takes to teach (advancement.instruction.test)."""

USUAL_HOURS = 8
"""Hours of practice in a day of failed instruction (advancement.amb.instruction_and_practice)."""


class Instruct(Arguments, frozen=True):
    """Who teaches whom which skill."""

    instructor: str
    student: str
    skill: str
    helpers: tuple[str, ...] = ()


class TaughtTest(Arguments, frozen=True):
    """Which course, the obstacle of the taught test, and the first day of the lessons.

    The default is the student's first free day since the course began or the last taught test.
    """

    instructor: str
    student: str
    skill: str
    obstacle: int = 1
    first_day: int | None = None


class TaughtOutcome(Outcome, frozen=True):
    """The days it took, and the class of the test earned, if any."""

    days: int
    earned: str
    practice: PracticeOutcome | None = None


# --- The course ----------------------------------------------------------------------------


def instruct(arguments: Instruct, table: BurningTable) -> Play[StandardOutcome]:
    """Begin a course: the instructor must pass an Ob 2 Instruction test.

    advancement.instruction.test; one test for the whole course, because it rides
    (advancement.amb.instruction_scope).
    """
    instructor = table.character(arguments.instructor, "instructor")
    student = table.character(arguments.student, "student")
    if arguments.instructor == arguments.student:
        expected, rule = "another character", "advancement.instruction.test"
        raise BadInput("student", arguments.student, expected, rule)
    _check_skill(instructor, student, arguments.skill)
    intent = f"teach {student.name} {arguments.skill}"
    declaration = Declaration(
        character=arguments.instructor,
        intent=intent,
        task="gives lessons",
        ability="Instruction",
        helpers=arguments.helpers,
    )
    agreed = yield from agree(declaration, CALLED_FOR, table)
    table = yield from not_rolled_before(agreed, CALLED_FOR, table)
    # advancement.instruction.failed: the time still counts as practice.
    terms = RollTerms(INSTRUCTION_OBSTACLE, intent, "the time counts as practice only", "", 0, 1)
    attempt = yield from prepare(declaration, agreed, terms.seconds, CALLED_FOR, table)
    outcome, table = yield from call(roll_standard, attempt, terms, table)
    quickly = outcome.quickly if table.options["advancement_instruction_quick_work"] == "on" else 0
    course = Course(
        arguments.instructor,
        arguments.student,
        arguments.skill,
        today(table),
        outcome.passed,
        quickly,
    )
    others = tuple(each for each in table.scene.courses if not _same(each, course))
    rule = "advancement.instruction.test"
    yield from table.amend(SCENE, "courses", (*others, course), because=rule)
    return outcome


def _check_skill(instructor: Sheet, student: Sheet, skill: str) -> None:
    """Only skills are taught, by somebody who has them.

    advancement.amb.instruction_scope, advancement.amb.instruction_skill_level.
    """
    has = any(skill.casefold() == name.casefold() for name in instructor.training)
    rated = instructor.find(skill)
    if rated is not None and rated.kind is not AbilityKind.SKILL:
        what = f"{rated.name} cannot be taught: choose a skill"
        raise NotAllowed(what, "advancement.amb.instruction_scope")
    if not has and (rated is None or not rated.exponent):
        expected = f"a skill that {instructor.name} has"
        raise BadInput("skill", skill, expected, "advancement.instruction.max_obstacle")
    if any(skill.casefold() == name.casefold() for name in student.training):
        what = f"{student.name} already has {skill}, which has no exponent to raise"
        raise NotAllowed(what, "advancement.amb.training_exponent")


def _same(one: Course, other: Course) -> bool:
    return (one.instructor, one.student, one.skill.casefold()) == (
        other.instructor,
        other.student,
        other.skill.casefold(),
    )


# --- Taught tests----------------------------------------------------------------------------


def days_for(instructor: Sheet, student: Sheet, obstacle: int) -> Tally:
    """The days for one taught test (advancement.instruction.time).

    Ten less the instructor's Will, ten less the student's, and the obstacle.
    """
    rule = "advancement.instruction.time"
    days = Tally()
    for who in (instructor, student):
        will = who.ability("Will", "stats")
        days += Line(10 - will.exponent, f"{who.name}'s {will}", rule)
    return days + Line(obstacle, "obstacle", rule)


def taught(arguments: TaughtTest, table: BurningTable) -> Play[TaughtOutcome]:
    """The student earns a test without rolling, once its time has passed.

    advancement.instruction.award. A failed course counts as practice only
    (advancement.instruction.failed).
    """
    course = _course(arguments, table)
    instructor = table.character(arguments.instructor)
    student = table.character(arguments.student)
    first = _first_day(arguments, course, student)
    if not course.passed:
        return (yield from _mere_practice(course, first, table))
    obstacle = _offered(instructor, arguments)
    takes = days_for(instructor, student, obstacle)
    days = _shortened(takes, course.quickly)
    if today(table) - first < days:
        passed = today(table) - first
        what = f"The lessons take {days} days; only {passed} have passed since day {first}"
        raise NotAllowed(what, "advancement.instruction.time")
    # advancement.instruction.all_free_time
    doing = f"learns {course.skill} from {instructor.name}"
    stretch = Stretch(first, days, HOURS, Use.INSTRUCTION, doing)
    table = yield from spend_days(table, arguments.student, stretch, "time")
    table = yield from _go_on(table, course, first + days)
    yield from note(
        f"{student.name} completes {days} days of instruction ({takes}).",
        "advancement.instruction.award",
    )
    return (yield from _award(table, course, obstacle, days))


def _course(arguments: TaughtTest, table: BurningTable) -> Course:
    wanted = Course(arguments.instructor, arguments.student, arguments.skill, 0, True)
    for course in table.scene.courses:
        if _same(course, wanted):
            return course
    known = "; ".join(f"{c.instructor} teaches {c.student} {c.skill}" for c in table.scene.courses)
    expected = f"an open course ({known or 'there is none'})"
    raise BadInput("skill", arguments.skill, expected, "advancement.instruction.test")


def _first_day(arguments: TaughtTest, course: Course, student: Sheet) -> int:
    if arguments.first_day is None:
        return max(course.since, first_free_day(student))
    if arguments.first_day < course.since:
        expected = f"day {course.since} or later"
        rule = "advancement.instruction.time"
        raise BadInput("first_day", arguments.first_day, expected, rule)
    return arguments.first_day


def _offered(instructor: Sheet, arguments: TaughtTest) -> int:
    """Any obstacle up to the exponent of the instructor's own skill.

    advancement.instruction.max_obstacle; a Training skill has none, so Ob 1
    (advancement.amb.instruction_skill_level).
    """
    rated = instructor.find(arguments.skill)
    most = 1 if rated is None else rated.exponent
    if not 1 <= arguments.obstacle <= most:
        expected = f"1 to {most}, {instructor.name}'s exponent in {arguments.skill}"
        rule = "advancement.instruction.max_obstacle"
        raise BadInput("obstacle", arguments.obstacle, expected, rule)
    return arguments.obstacle


def _shortened(days: Tally, quickly: int) -> int:
    """The time formula is fixed, unless the group lets quick work shorten it."""
    return ceil(Fraction(time_taken(days.total * DAY, careful=False, quickly=quickly), DAY))


def _award(table: BurningTable, course: Course, obstacle: int, days: int) -> Step[TaughtOutcome]:
    """A test of the offered obstacle on the student's own dice, or one toward a new skill.

    advancement.instruction.award, advancement.instruction.new_skill,
    advancement.amb.instruction_new_skill_obstacle.
    """
    student = table.character(course.student)
    rated = student.find(course.skill)
    if rated is not None and rated.exponent:
        table, earned = yield from mark(
            table, course.student, rated, rated.exponent, obstacle, passed=True
        )
        return TaughtOutcome(days, earned.value if earned else "")
    if rated is not None:  # opened without an exponent: any test lifts it
        yield from mark(table, course.student, rated, 1, 1, passed=True, is_open=True)
        return TaughtOutcome(days, Difficulty.ROUTINE.value)
    table = yield from _begin_learning(table, course)
    _, learning = learning_of(table.character(course.student), course.skill)
    assert learning is not None
    rule = "advancement.instruction.new_skill"
    yield from learn(table, course.student, course.skill, learning, rule)
    return TaughtOutcome(days, "")


def _begin_learning(table: BurningTable, course: Course) -> Step[BurningTable]:
    student = table.character(course.student)
    if learning_of(student, course.skill)[1] is not None:
        return table
    instructor = table.character(course.instructor)
    training = any(course.skill.casefold() == name.casefold() for name in instructor.training)
    return (yield from begin_learning(table, course.student, course.skill, training=training))


def _go_on(table: BurningTable, course: Course, since: int) -> Step[BurningTable]:
    """The next lessons begin where these ended."""
    at = table.scene.courses.index(course)
    rule = "advancement.instruction.award"
    return (yield from table.amend(SCENE, f"courses.{at}.since", since, because=rule))


def _mere_practice(course: Course, first: int, table: BurningTable) -> Step[TaughtOutcome]:
    """The days of a failed course count as practice of the skill.

    advancement.instruction.failed; at eight hours a day, or as many as the GM enters
    (advancement.amb.instruction_and_practice).
    """
    student = table.character(course.student)
    days = today(table) - first
    if days < 1:
        what = f"No day has passed since day {first}: let time pass first"
        raise NotAllowed(what, "advancement.instruction.failed")
    hours = min(USUAL_HOURS, most_hours(student))
    if table.options["advancement_failed_instruction_hours"] == "gm_enters_hours":
        hours = yield from ask(
            GM,
            "instruction_hours",
            f"Failed instruction: hours of practice a day for {student.name}",
            Number(least=1, most=most_hours(student), default=hours),
            because="advancement.amb.instruction_and_practice",
            kind="aside",
        )
    if student.find(course.skill) is None:
        table = yield from _begin_learning(table, course)
    stretch = Stretch(first, days, hours, Use.PRACTICE, "failed instruction")
    table = yield from _go_on(table, course, today(table))
    regimen = (Regimen(course.skill, hours),)
    _, outcome = yield from keep_regimen(table, course.student, regimen, stretch)
    return TaughtOutcome(days, "", outcome)


PROCEDURES = (
    Procedure("instruct", "Instruction: begin a course", Instruct, instruct),
    Procedure("taught", "Instruction: a taught test", TaughtTest, taught),
)
