"""Recovering Resources: get a job.

A part of the chapter on Resources (``resources/resources_test``). What the work
brings is entered when its time is over, by ``maintenance``
(``resources/maintenance``).
"""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.artha import on_a_roll as artha
from astragal.games.burning_wheel.resources.maintenance import cycle_days
from astragal.games.burning_wheel.resources.tax import wealth_of
from astragal.games.burning_wheel.sheet.calendar import DAY, today
from astragal.games.burning_wheel.sheet.facts import AtStake, DiceGathered, TestCame
from astragal.games.burning_wheel.sheet.parts import AbilityKind, Job
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.tests.attempts import Attempt, after_test, full_obstacle, prepare
from astragal.games.burning_wheel.tests.circumstances import LONGEST_CUT, time_taken
from astragal.games.burning_wheel.tests.intent import CALLED_FOR, Agreement, Declaration
from astragal.games.burning_wheel.tests.results import out_of_time
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Line, Number, Play, Step, Tally, ask, call, tell, then


class GetAJob(Arguments, frozen=True):
    """Who works at what, with which skill (resources.job.describe)."""

    character: str
    work: str
    skill: str
    helpers: tuple[str, ...] = ()


class Employed(Outcome, frozen=True):
    """What a job will bring, and when."""

    passed: bool
    successes: int
    margin: int
    restores: int
    days: int
    until: int
    dice: Tally
    obstacle: Tally
    earned: str = ""
    complication: str = ""


def get_a_job(arguments: GetAJob, table: BurningTable) -> Play[Employed]:
    """Earn Taxed dice back by a test of a skill (resources.job.test).

    Taxed dice do not come back otherwise (resources.tax.no_natural_recovery).
    """
    sheet = table.character(arguments.character)
    seat = sheet.seat(arguments.character)
    wealth = wealth_of(table, arguments.character)
    _check_may_work(arguments, table)
    skill = sheet.ability(arguments.skill, "skill")
    if skill.kind is not AbilityKind.SKILL or not skill.exponent:
        skills = ", ".join(a.name for a in sheet.abilities() if a.kind is AbilityKind.SKILL)
        expected = f"a skill of {sheet.name}: {skills or 'none'}"
        raise BadInput("skill", arguments.skill, expected, "resources.job.describe")
    cycle = cycle_days(table, today(table))
    obstacle = Tally.of(1, "a job", "resources.job.test")
    obstacle += Line(wealth.taxed, "Taxed dice", "resources.job.test")
    intent = "earn Taxed dice back"
    agreed = Agreement(arguments.character, intent, arguments.work, skill)
    yield from tell(AtStake("Taxed dice come back", "they remain lost", f"{cycle} days"))
    declaration = Declaration(
        arguments.character, intent, arguments.work, skill.name, arguments.helpers
    )
    # It is a test of a skill, so FoRKs are welcome (resources.job.forks).
    attempt = yield from prepare(declaration, agreed, cycle * DAY, CALLED_FOR, table)
    obstacle = full_obstacle(obstacle, attempt)
    yield from tell(DiceGathered(sheet.name, attempt.all_dice, obstacle))
    label = f"{sheet.name}, {skill.name}"
    every_die_back = obstacle.total + wealth.taxed - 1
    lying = yield from call(
        artha.throw, attempt.pool, label, seat, attempt.hand, attempt.spent, every_die_back
    )
    return then(work, attempt, lying, obstacle, cycle, table)


def _check_may_work(arguments: GetAJob, table: BurningTable) -> None:
    """There must be something to recover, and there is one such test in a cycle.

    resources.amb.job_failure_and_retry.
    """
    if not arguments.work.strip():
        expected = "how the character earns money"
        raise BadInput("work", arguments.work, expected, "resources.job.describe")
    wealth = wealth_of(table, arguments.character)
    name = table.character(arguments.character).name
    if not wealth.taxed:
        # What was lost for good is not Taxed (resources.depletion.recovery), nor is a fund.
        raise NotAllowed(f"{name} has no Taxed dice to recover", "resources.job.test")
    if wealth.job is not None or wealth.worked:
        rule = "resources.amb.job_failure_and_retry"
        raise NotAllowed(f"{name} has a job in this cycle already", rule)


def work(
    attempt: Attempt, lying: artha.Throw, obstacle: Tally, cycle: int, table: BurningTable
) -> Play[Employed]:
    """What the work will bring at the end of its time.

    It counts for the skill, pass or fail, and not for Resources (resources.job.advancement). If
    it fails the dice remain lost through the next cycle (resources.job.failure).
    """
    who = attempt.agreed.character
    name = table.character(who).name
    margin = lying.successes - obstacle.total
    restores = faster = 0
    complication = ""
    if margin >= 0:
        yield from tell(TestCame(name, lying.successes, "The work pays.", True))
        restores, faster = yield from _pay(attempt, margin, wealth_of(table, who).taxed)
    else:
        yield from tell(TestCame(name, lying.successes, "The work brings in nothing.", False))
        if attempt.careful:
            complication, lying = yield from out_of_time(attempt, lying, table)
    table, earned = yield from after_test(attempt, lying, obstacle.total, table, passed=margin >= 0)
    # One cycle of game time (resources.job.time), a tenth less for each success put into speed
    # (resources.job.faster), in either edition (gold.diff.job_time_rate).
    seconds = time_taken(cycle * DAY, careful=attempt.takes_longer, quickly=faster)
    days = -(-seconds // DAY)
    until = today(table) + days
    job = Job(attempt.agreed.name, restores, until)
    because = "resources.job.time"
    table = yield from table.amend(who, "resources.job", job, because=because)
    yield from table.amend(who, "resources.worked", True, because=because)
    return Employed(
        passed=margin >= 0,
        successes=lying.successes,
        margin=margin,
        restores=restores,
        days=days,
        until=until,
        dice=attempt.all_dice,
        obstacle=obstacle,
        earned=earned,
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
            f"{extra} extra successes: how many restore a further die?",
            Number(least=0, most=most, default=most),
            because="resources.job.recover_more",
        )
    most = min(extra - dice, LONGEST_CUT)
    if most:
        faster = yield from ask(
            attempt.seat,
            "job_faster",
            f"{extra - dice} extra successes left: how many save a tenth of the time each?",
            Number(least=0, most=most, default=0),
            because="resources.job.faster",
        )
    return 1 + dice, faster


PROCEDURES = (Procedure("get_a_job", "Work to recover Taxed dice", GetAJob, get_a_job),)
