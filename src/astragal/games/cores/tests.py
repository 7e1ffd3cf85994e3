"""Tests: two dice and what is added to them, against a number that the GM sets.

Read this one first. Up to the roll all tests go the same way
(:mod:`~astragal.games.cores.attempts`), and so does the roll with its spending
(:mod:`~astragal.games.cores.spending`). Opposed, crucial and Angst tests have modules of
their own.
"""

from __future__ import annotations

from astragal.games.game import Outcome, Procedure
from astragal.play import GM, Number, Play, Step, Tally, ask, call, tell, then
from astragal.rules import catalogue

from .angst import AngstOutcome, after_tap
from .attempts import Attempt, CoreDeclaration, is_able, prepare, settle_core, unable, with_task
from .facts import TestAnnounced, TestCame
from .scene import CoresTable, check_can_act
from .sheet import CoreName
from .spending import Throw, pay, throw


class TestOutcome(Outcome, frozen=True):
    """How a test came out; without a total it failed without a roll (cores.amb.d0_core)."""

    passed: bool
    total: int | None
    margin: int
    dn: Tally
    core: CoreName
    dice: str = ""
    modifiers: Tally = Tally()
    story_spent: int = 0
    life_spent: int = 0
    purge: AngstOutcome | None = None


class OrdinaryTest(CoreDeclaration, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A character tests a Core against a Difficulty Number."""


def ordinary_test(arguments: OrdinaryTest, table: CoresTable) -> Play[TestOutcome]:
    """One character tests a Core against a DN (cores.test.sequence)."""
    arguments = yield from with_task(arguments, table)
    core = yield from settle_core(arguments, table)
    dn = yield from set_dn(arguments, core, table)
    if not is_able(arguments.character, core, table):
        yield from unable(arguments.character, core, table)
        return TestOutcome(False, None, 0, dn, core)
    attempt, table = yield from prepare(arguments, core, table)
    return then(roll_ordinary, attempt, dn, table)


def set_dn(declared: CoreDeclaration, core: CoreName, table: CoresTable) -> Step[Tally]:
    """The GM fixes the DN before anything is rolled (cores.test.dn_first).

    It is within the named bands, 3 to 17 (cores.amb.dn_outside_bands).
    """
    bands = catalogue().table("cores.table.difficulty").records()
    named = tuple(
        (dn, str(band["name"]))
        for band in bands
        for dn in range(band.number("dn_low"), band.number("dn_high") + 1)
    )
    name = table.character(declared.character).name
    dn = yield from ask(
        GM,
        "dn",
        "Difficulty Number",
        Number(least=named[0][0], most=named[-1][0], names=named),
        because="cores.test.dn_first",
    )
    tally = Tally.of(dn, dict(named)[dn], "cores.test.dn_first")
    yield from tell(TestAnnounced(name, declared.task, str(core), tally))
    return tally


def roll_ordinary(attempt: Attempt, dn: Tally, table: CoresTable) -> Play[TestOutcome]:
    """Base Die and Core Die, rolled and added together (cores.test.roll)."""
    thrown = yield from call(throw, attempt.cast(dn.total))
    return then(finish_ordinary, attempt, dn, thrown, table)


def finish_ordinary(
    attempt: Attempt, dn: Tally, thrown: Throw, table: CoresTable
) -> Play[TestOutcome]:
    """Pay, compare, and let a character who tapped Angst positively try to purge it."""
    table = yield from pay(attempt.character, thrown, table)
    passed = yield from compare(attempt, dn.total, thrown)
    purge, _ = yield from after_tap(attempt, table)
    return outcome_of(attempt, dn, thrown, passed=passed, purge=purge)


def compare(attempt: Attempt, dn: int, thrown: Throw) -> Step[bool]:
    """The DN or more is a success, less is a failure (cores.test.success, cores.test.failure).

    The sheet's own line on success breaks off; it is read as the opposite of the next one
    (cores.amb.truncated_success).
    """
    passed = thrown.total >= dn
    yield from tell(TestCame(attempt.name, thrown.total, dn, passed))
    return passed


def outcome_of(
    attempt: Attempt, dn: Tally, thrown: Throw, *, passed: bool, purge: AngstOutcome | None
) -> TestOutcome:
    """The outcome of a test that was rolled."""
    return TestOutcome(
        passed=passed,
        total=thrown.total,
        margin=thrown.total - dn.total,
        dn=dn,
        core=attempt.core,
        dice=attempt.dice.notation,
        modifiers=attempt.modifiers,
        story_spent=thrown.story,
        life_spent=thrown.life,
        purge=purge,
    )


PROCEDURES = (
    Procedure("test", "Test", OrdinaryTest, ordinary_test, frequent=1, check=check_can_act),
)
