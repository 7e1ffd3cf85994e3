"""The core mechanic: a test, rolled under a target number.

How the target number comes about is in :mod:`~astragal.games.percentile.attempts`; what the roll
comes to, in :mod:`~astragal.games.percentile.degrees`. Series of tests and tests of one character
against another have modules of their own.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.dice import Percentile
from astragal.errors import NotAllowed
from astragal.games.game import Procedure
from astragal.play import GM, Option, Play, Step, Tally, choose, confirm, note, tell, then

from .attempts import Attempt, Declaration, TestedAbility, aim, check_declared, described, tested_by
from .degrees import judged
from .dice import thrown
from .facts import TestAnnounced, TestCame
from .scene import PercentileTable


class CallForRoll(Enum):
    """What the GM called for: a roll, or none because the end is clear."""

    ROLL = "roll"
    SUCCESS = "automatic_success"
    FAILURE = "automatic_failure"


class Test(Declaration, frozen=True):
    """A character tests a characteristic or skill."""


class TestOutcome(msgspec.Struct, frozen=True, cache_hash=True):
    """How a test came out; without a roll it has neither a result nor degrees."""

    passed: bool
    degrees: int = 0
    rolled: int | None = None
    target: Tally | None = None
    called: CallForRoll = CallForRoll.ROLL


def test(arguments: Test, table: PercentileTable) -> Play[TestOutcome]:
    """A character tries something that may fail: one percentile roll (percentile.core.when).

    Skills and characteristics are tested alike (percentile.skill.test, percentile.charactest.test).
    """
    check_declared(arguments, table)
    name = table.character(arguments.character).name
    arguments = yield from described(arguments, table)
    called = yield from call_for_a_roll(name, arguments.task or arguments.ability)
    if called is not CallForRoll.ROLL:
        return TestOutcome(called is CallForRoll.SUCCESS, called=called)
    tested, table = yield from tested_by(arguments, table)
    yield from check_one_test_will_do(tested, table)
    attempt = yield from aim(arguments, tested, table)
    return then(roll_test, attempt)


def call_for_a_roll(name: str, task: str) -> Step[CallForRoll]:
    """Simple tasks succeed and hopeless ones fail without a roll, if the GM says so.

    percentile.auto.success, percentile.auto.failure, percentile.amb.call_for_a_text.
    """
    options = (
        Option(key=CallForRoll.ROLL.value, label="Roll", rule="percentile.core.when"),
        Option(
            key=CallForRoll.SUCCESS.value,
            label="Succeeds without a roll",
            rule="percentile.auto.success",
            note="simple, or failure would have no consequences",
        ),
        Option(
            key=CallForRoll.FAILURE.value,
            label="Fails without a roll",
            rule="percentile.auto.failure",
            note="impossible for the character, even on a roll of 1",
        ),
    )
    called = CallForRoll(
        (
            yield from choose(
                GM,
                "called_for",
                f"Roll? ({name})",
                options,
                default=CallForRoll.ROLL.value,
                because="percentile.auto.success",
                kind="consent",
            )
        )
    )
    if called is not CallForRoll.ROLL:
        verdict = "succeeds" if called is CallForRoll.SUCCESS else "fails"
        rule = (
            "percentile.auto.success"
            if called is CallForRoll.SUCCESS
            else "percentile.auto.failure"
        )
        yield from note(f"{name} {verdict} without a roll ({task}).", rule)
    return called


def check_one_test_will_do(tested: TestedAbility, table: PercentileTable) -> Step[None]:
    """A skill whose description asks for an Extended test is not done with one, as a rule.

    percentile.extended.stated; the GM may let one test do.
    """
    described = None if tested.skill is None else table.scene.find_skill(tested.skill)
    if described is None or not described[1].extended:
        return
    enough = yield from confirm(
        GM,
        "one_test_enough",
        f"{tested.name} usually takes an Extended test. Is one test enough here?",
        default=False,
        because="percentile.extended.stated",
    )
    if not enough:
        raise NotAllowed(
            f"{tested.name} takes an Extended test unless the GM says that one test is enough",
            "percentile.extended.stated",
        )


# --- Step 3: the dice ----------------------------------------------------------------------


def roll_test(attempt: Attempt) -> Play[TestOutcome]:
    """The player of the character makes the one roll; assistants make none.

    percentile.core.when, percentile.assist.one_roller.
    """
    yield from tell(TestAnnounced(attempt.name, attempt.ability, attempt.target, attempt.task))
    target = attempt.target.total
    rolled = yield from thrown(D100, attempt.label, attempt.seat, attempt.rerolls, target)
    result = judged(rolled, target, sign=attempt.sign)
    yield from tell(TestCame(attempt.name, rolled, target, result.passed, result.degrees))
    return TestOutcome(result.passed, result.degrees, rolled, attempt.target)


D100 = Percentile()
"""The one roll of every test (percentile.dice.d100)."""


PROCEDURES = (Procedure("test", "Test", Test, test, frequent=1),)
