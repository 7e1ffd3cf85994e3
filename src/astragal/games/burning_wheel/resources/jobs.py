"""Recovering Resources: get a job.

A part of the chapter on Resources (``resources/resources_test``). What the work
brings is entered when its time is over, by ``maintenance``
(``resources/maintenance``).
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Procedure
from astragal.play import Line, Number, Play, Step, Tally, ask, note, tell, then

from ..artha import on_a_roll as artha
from ..artha.aristeia import lightened
from ..sheet.calendar import DAY, today
from ..sheet.facts import AtStake, TestCame
from ..sheet.parts import AbilityKind, Job
from ..sheet.scene import BurningTable
from ..sheet.words import counted
from ..tests.attempts import Attempt, TestResult, full_obstacle, prepare, result_of, throw_attempt
from ..tests.circumstances import LONGEST_CUT, time_taken
from ..tests.conclusions import after_test
from ..tests.intent import CALLED_FOR, Agreement
from ..tests.results import out_of_time
from .maintenance import cycle_days
from .tax import wealth_of


class GetAJob(Arguments, frozen=True):
    """What work, with which skill (resources.job.describe)."""

    character: str
    work: str
    skill: str
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()
    tools: str = ""


class JobOutcome(TestResult, frozen=True, kw_only=True):
    """What a job will bring, and when."""

    restores: int
    days: int
    until: int
    complication: str = ""


def get_a_job(arguments: GetAJob, table: BurningTable) -> Play[JobOutcome]:
    """Earn Taxed dice back by a skill test (resources.job.test).

    Taxed dice come back in no other way (resources.tax.no_natural_recovery).
    """
    sheet = table.character(arguments.character)
    wealth = wealth_of(table, arguments.character)
    _check_may_work(arguments, table)
    skill = lightened(table, arguments.character, sheet.ability(arguments.skill, "skill"))
    if skill.kind is not AbilityKind.SKILL or not skill.exponent:
        skills = ", ".join(a.name for a in sheet.abilities() if a.kind is AbilityKind.SKILL)
        expected = f"a skill of {sheet.name}: {skills or 'none'}"
        raise BadInput("skill", arguments.skill, expected, "resources.job.describe")
    cycle = cycle_days(table, today(table))
    obstacle = Tally.of(1, "job", "resources.job.test")
    obstacle += Line(wealth.taxed, "taxed dice", "resources.job.test")
    intent = "earn taxed dice back"
    agreed = Agreement(arguments.character, intent, arguments.work, skill)
    yield from tell(AtStake("taxed dice come back", "they stay lost", f"{cycle} days"))
    # It is a skill test, so FoRKs are welcome (resources.job.forks).
    declaration = msgspec.structs.replace(
        agreed.declared(arguments.helpers),
        gear=arguments.gear,
        instructions=arguments.instructions,
        tools=arguments.tools,
    )
    attempt = yield from prepare(declaration, agreed, cycle * DAY, CALLED_FOR, table)
    obstacle = full_obstacle(obstacle, attempt)
    every_die_back = obstacle.total + wealth.taxed - 1
    thrown = yield from throw_attempt(attempt, obstacle, table, enough=every_die_back)
    return then(work, attempt, thrown, obstacle, cycle, table)


def _check_may_work(arguments: GetAJob, table: BurningTable) -> None:
    """There must be something to recover, and there is one such test in a cycle.

    resources.amb.job_failure_and_retry.
    """
    if not arguments.work.strip():
        expected = "how the character earns money"
        raise BadInput("work", arguments.work, expected, "resources.job.describe")
    _may_work(arguments.character, table)


def _may_work(character: str, table: BurningTable) -> None:
    wealth = wealth_of(table, character)
    name = table.character(character).name
    if not wealth.taxed:
        # What was lost for good is not Taxed (resources.depletion.recovery), nor is a fund.
        raise NotAllowed(f"{name} has no taxed dice to recover", "resources.job.test")
    if wealth.job is not None or wealth.worked:
        rule = "resources.amb.job_failure_and_retry"
        raise NotAllowed(f"{name} has already worked this cycle: wait for the next one", rule)


def work(
    attempt: Attempt, thrown: artha.ThrownDice, obstacle: Tally, cycle: int, table: BurningTable
) -> Play[JobOutcome]:
    """What the work will bring at the end of its time.

    It counts for the skill, pass or fail, and not for Resources (resources.job.advancement). If
    it fails the dice remain lost through the next cycle (resources.job.failure).
    """
    who = attempt.agreed.character
    name = table.character(who).name
    margin = result_of(attempt, thrown, obstacle).margin
    passed = margin >= 0
    restores = faster = 0
    complication = ""
    if passed:
        yield from tell(TestCame(name, thrown.successes, "Success: the job pays.", True))
        restores, faster = yield from _pay(attempt, margin, wealth_of(table, who).taxed)
    else:
        yield from tell(TestCame(name, thrown.successes, "Failure: the job pays nothing.", False))
        if attempt.careful:
            complication, thrown = yield from out_of_time(attempt, thrown, table)
    table, earned = yield from after_test(attempt, thrown, obstacle.total, table, passed=passed)
    # One cycle of game time (resources.job.time), a tenth less for each success put into speed
    # (resources.job.faster), in either edition (gold.diff.job_time_rate).
    seconds = time_taken(cycle * DAY, careful=attempt.takes_longer, quickly=faster)
    days = -(-seconds // DAY)
    until = today(table) + days
    job = Job(attempt.agreed.name, restores, until)
    because = "resources.job.time"
    brings = f"{restores}D of Resources" if restores else "nothing"
    yield from note(f"{name} works for {counted(days, 'day')} and earns {brings}.", because)
    table = yield from table.amend(who, "resources.job", job, because=because)
    yield from table.amend(who, "resources.worked", True, because=because)
    return JobOutcome.of(
        result_of(attempt, thrown, obstacle, earned),
        restores=restores,
        days=days,
        until=until,
        complication=complication,
    )


def _pay(attempt: Attempt, extra: int, taxed: int) -> Step[tuple[int, int]]:
    """One die for meeting the obstacle; each extra success restores another, or saves time.

    resources.job.recover_one, resources.job.recover_more, resources.job.faster. No more come
    back than were Taxed (resources.amb.job_extra_successes).
    """
    dice = faster = 0
    most = min(extra, taxed - 1)
    if most:
        dice = yield from ask(
            attempt.seat,
            "job_dice",
            f"Extra successes to restore more dice (of {extra})",
            Number(least=0, most=most, default=most),
            because="resources.job.recover_more",
        )
    most = min(extra - dice, LONGEST_CUT)
    if most:
        faster = yield from ask(
            attempt.seat,
            "job_faster",
            f"Extra successes to work faster, a tenth of the time each (of {extra - dice})",
            Number(least=0, most=most, default=0),
            because="resources.job.faster",
        )
    return 1 + dice, faster


PROCEDURES = (
    Procedure(
        "get_a_job", "Get a job (recover taxed Resources)", GetAJob, get_a_job, check=_may_work
    ),
)
