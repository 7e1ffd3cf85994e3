"""Crucial tests: whether a character is taken out of the scene (cores.crucial.purpose).

Here are those against a DN; opposed ones are in :mod:`~astragal.games.cores.opposed`. What
failing does is in :mod:`~astragal.games.cores.harm`.
"""

from __future__ import annotations

from astragal.errors import NotAllowed
from astragal.games.game import Outcome, Procedure
from astragal.play import Play, Tally, call, then

from .angst import after_tap
from .attempts import Attempt, CoreDeclaration, is_able, prepare, settle_core, unable, with_task
from .harm import CRUCIAL_CORES, CrucialStakes, Fate, fail_crucial, lighter_from, set_stakes
from .scene import CoresTable, check_can_act
from .spending import Throw, pay, throw
from .tests import TestOutcome, compare, outcome_of, set_dn


class CrucialTest(CoreDeclaration, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A failed crucial test can take the character out of the scene."""


class CrucialOutcome(Outcome, frozen=True):
    """How a crucial test came out, and what became of a character who failed it."""

    test: TestOutcome
    stakes: CrucialStakes
    fate: Fate | None = None


def crucial_test(arguments: CrucialTest, table: CoresTable) -> Play[CrucialOutcome]:
    """A Physical or Resolve test that can take the character out (cores.crucial.cores)."""
    if arguments.core not in CRUCIAL_CORES:
        what = f"A crucial test is Physical or Resolve, not {arguments.core}"
        raise NotAllowed(what, "cores.crucial.cores")
    arguments = yield from with_task(arguments, table)
    core = yield from settle_core(arguments, table, CRUCIAL_CORES)
    stakes = yield from set_stakes((core,))
    dn = yield from set_dn(arguments, core, table)
    if not is_able(arguments.character, core, table):
        yield from unable(arguments.character, core, table)
        fate, _ = yield from fail_crucial(arguments.character, core, 0, stakes, table)
        return CrucialOutcome(TestOutcome(False, None, 0, dn, core), stakes, fate)
    attempt, table = yield from prepare(arguments, core, table)
    return then(roll_crucial, attempt, stakes, dn, table)


def roll_crucial(
    attempt: Attempt, stakes: CrucialStakes, dn: Tally, table: CoresTable
) -> Play[CrucialOutcome]:
    """The roll is that of any test."""
    lighter = lighter_from(stakes, dn.total)
    thrown = yield from call(throw, attempt.cast(dn.total, lighter=lighter))
    return then(finish_crucial, attempt, stakes, dn, thrown, table)


def finish_crucial(
    attempt: Attempt, stakes: CrucialStakes, dn: Tally, thrown: Throw, table: CoresTable
) -> Play[CrucialOutcome]:
    """Who fails is out or worse; those who assisted are not touched.

    cores.crucial.assistants_safe.
    """
    table = yield from pay(attempt.character, thrown, table)
    passed = yield from compare(attempt, dn.total, thrown)
    fate = None
    if not passed:
        short = dn.total - thrown.total
        fate, table = yield from fail_crucial(attempt.character, attempt.core, short, stakes, table)
    purge, _ = yield from after_tap(attempt, table)
    outcome = outcome_of(attempt, dn, thrown, passed=passed, purge=purge)
    return CrucialOutcome(outcome, stakes, fate)


PROCEDURES = (
    Procedure(
        "crucial_test", "Crucial test", CrucialTest, crucial_test, frequent=5, check=check_can_act
    ),
)
