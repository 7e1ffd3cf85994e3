"""Extended tests: a long task that takes several skill tests.

The text leaves open how many; here the GM says what the task takes, how long each test is and
what a failure does (percentile.amb.extended_threshold). What has been done of a task is kept in
the scene, so it can be taken up again later, under other circumstances.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed, check_between
from astragal.games.game import SCENE, Procedure
from astragal.play import (
    GM,
    Number,
    Option,
    Play,
    Step,
    ask,
    call,
    choose,
    confirm,
    consent,
    note,
    tell,
    then,
)

from .attempts import Attempt, Declaration, TestedAbility, aim, check_declared, tested_by
from .degrees import TestDegrees, judged
from .dice import thrown
from .facts import TaskCame, TestAnnounced, TestCame
from .scene import MOST, OnFailure, PercentileTable, SkillDescription, Task, Unit
from .tests import D100

MOST_TESTS = 30
"""The most tests made at a time, which keeps the walk over all of them within reach; the task
itself has no limit (percentile.amb.extended_threshold)."""


class ExtendedTest(Declaration, frozen=True):
    """A long task, begun or continued.

    ``title`` is its name, ``tests`` the most tests to make now.
    """

    title: str = ""
    tests: int = 20


class ExtendedOutcome(msgspec.Struct, frozen=True, cache_hash=True):
    """How far a long task has come, and what it has taken."""

    done: bool
    lost: bool
    progress: int
    needed: int
    tests: int
    time: str


class TaskTerms(msgspec.Struct, frozen=True):
    """What the GM sets for a task."""

    needed: int
    each: int
    unit: Unit
    on_failure: OnFailure


def extended_test(arguments: ExtendedTest, table: PercentileTable) -> Play[ExtendedOutcome]:
    """A long and complicated task takes several skill tests (percentile.extended.multiple)."""
    title = arguments.title.strip() or arguments.task.strip()
    if not title:
        raise BadInput("title", arguments.title, "a name for the long task")
    check_between("tests", arguments.tests, 1, MOST_TESTS, unit="tests")
    check_declared(arguments, table)
    tested, table = yield from tested_by(arguments, table)
    if tested.skill is None:
        expected = "a skill: an Extended test is made of skill tests"
        raise BadInput("ability", tested.name, expected, "percentile.extended.multiple")
    under_way = _under_way(title, arguments.character, table)
    if under_way is None:
        task = yield from _begin(title, arguments.character, tested, table)
    elif under_way.skill != tested.skill:
        raise BadInput("ability", tested.skill, f"{under_way.skill}, with which the task began")
    else:
        task = under_way
    attempt = yield from aim(arguments, tested, table)
    yield from tell(TestAnnounced(attempt.name, attempt.ability, attempt.target, title))
    after = yield from call(work, attempt, task, arguments.tests)
    return (yield from _keep(under_way, after, table))


def _under_way(title: str, character: str, table: PercentileTable) -> Task | None:
    wanted = " ".join(title.casefold().split())
    for task in table.scene.tasks:
        if task.character == character and " ".join(task.title.casefold().split()) == wanted:
            return task
    return None


# --- Terms ---------------------------------------------------------------------------------


def _begin(title: str, character: str, tested: TestedAbility, table: PercentileTable) -> Step[Task]:
    """A task begins: the skill's description or the GM says that it takes several tests.

    percentile.extended.stated, percentile.extended.multiple.
    """
    assert tested.skill is not None
    found = table.scene.find_skill(tested.skill)
    described = SkillDescription(tested.characteristic) if found is None else found[1]
    if not described.extended:
        required = yield from consent(
            GM,
            "requires",
            f"Does this take an Extended test of {tested.skill}?",
            because="percentile.extended.multiple",
        )
        if not required:
            raise NotAllowed(
                f"The GM asks for a single test of {tested.skill}, not an Extended test",
                "percentile.extended.multiple",
            )
    measure = table.options["percentile_extended_measure"]
    terms = yield from _terms(measure, described)
    return Task(
        title,
        character,
        tested.skill,
        measure,
        terms.needed,
        terms.each,
        terms.unit,
        terms.on_failure,
    )


MEASURES = {
    "total_degrees": "degrees of success in total",
    "successful_tests": "successful tests",
    "successful_tests_in_a_row": "successful tests in a row",
}
"""What completes a task, by the table's choice (percentile.amb.extended_threshold)."""


def _terms(measure: str, described: SkillDescription) -> Step[TaskTerms]:
    """What it takes, the time of each test, and what a failure does: all three are the GM's.

    A description suggests; the GM sets the time to suit situation and campaign
    (percentile.extended.time, percentile.amb.extended_threshold).
    """
    needed = yield from ask(
        GM,
        "needed",
        f"How many {MEASURES[measure]}?",
        Number(least=1, most=MOST, default=described.needed),
        because="percentile.amb.extended_threshold",
    )
    each = yield from ask(
        GM,
        "time_each",
        "How long does each test take? (The unit comes next.)",
        Number(least=1, most=MOST, default=described.each or 1),
        because="percentile.extended.time",
        kind="aside",
    )
    units = tuple(
        Option(key=unit.value, label=unit.value, rule="percentile.extended.time") for unit in Unit
    )
    suggested = None if described.unit is None else described.unit.value
    unit = yield from choose(
        GM,
        "time_unit",
        f"Unit of time ({each} for each test)",
        units,
        default=suggested or Unit.HOURS.value,
        because="percentile.extended.time",
        kind="aside",
    )
    rule = "percentile.amb.extended_threshold"
    choices = (
        Option(key="nothing", label="It costs time and adds nothing", rule=rule),
        Option(key="start_over", label="The task starts over", rule=rule),
        Option(key="ends", label="The task fails for good", rule=rule),
    )
    on_failure = yield from choose(
        GM,
        "on_failure",
        "What happens when a test fails?",
        choices,
        default="nothing",
        because=rule,
        kind="aside",
    )
    return TaskTerms(needed, each, Unit(unit), OnFailure(on_failure))


# --- The tests -----------------------------------------------------------------------------


def work(attempt: Attempt, task: Task, left: int) -> Play[Task]:
    """Make test after test until the task is done, ended, or put down."""
    result = yield from call(one_test, attempt)
    task = advanced(task, result)
    left -= 1
    if task.done or task.lost or not left:
        return task
    so_far = f"{task.progress} of {task.needed} after {task.time}"
    yield from note(f"{task.title}: {so_far}.", "percentile.extended.time")
    go_on = yield from confirm(
        attempt.seat,
        "go_on",
        f"Continue ({task.progress} of {task.needed} so far)?",
        default=True,
        because="percentile.extended.multiple",
    )
    return then(work, attempt, task, left) if go_on else task


def one_test(attempt: Attempt) -> Play[TestDegrees]:
    """One test of the series; all that matters of it is its result."""
    rolled = yield from thrown(D100, attempt.label, attempt.seat, attempt.rerolls)
    target = attempt.target.total
    result = judged(rolled, target, sign=attempt.sign)
    yield from tell(TestCame(attempt.name, rolled, target, result.passed, result.degrees))
    return result


def advanced(task: Task, result: TestDegrees) -> Task:
    """A task after one more test, which costs its time in any case.

    percentile.amb.extended_threshold: a failure adds nothing; where the tests must succeed in a
    row, or the GM said so, it undoes what there was, or ends the task.
    """
    progress, lost = task.progress, False
    if result.passed:
        progress += result.degrees if task.measure == "total_degrees" else 1
    else:
        lost = task.on_failure is OnFailure.ENDS
        in_a_row = task.measure == "successful_tests_in_a_row"
        if in_a_row or task.on_failure is OnFailure.START_OVER:
            progress = 0
    return msgspec.structs.replace(task, progress=progress, tests=task.tests + 1, lost=lost)


def _keep(before: Task | None, after: Task, table: PercentileTable) -> Step[ExtendedOutcome]:
    """Keep an unfinished task in the scene; a finished or lost one is off the list."""
    over = after.done or after.lost
    others = tuple(task for task in table.scene.tasks if task != before)
    tasks = others if over else (*others, after)
    yield from table.amend(SCENE, "tasks", tasks, because="percentile.extended.multiple")
    verdict = "done" if after.done else "failed for good" if over else "not done yet"
    yield from tell(TaskCame(after.title, verdict, after.progress, after.needed, after.time))
    return ExtendedOutcome(
        done=after.done,
        lost=after.lost,
        progress=after.progress,
        needed=after.needed,
        tests=after.tests,
        time=after.time,
    )


PROCEDURES = (Procedure("extended_test", "Extended test", ExtendedTest, extended_test, frequent=3),)
