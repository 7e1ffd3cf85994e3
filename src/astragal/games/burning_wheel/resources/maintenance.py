"""Lifestyles, obligation and maintenance: what a lifestyle costs, and paying debts.

A part of the chapter on Resources (``resources/resources_test``); finding work
is in ``resources/jobs``. Time passes
on the campaign's calendar (``sheet/calendar``); ``maintenance`` then
looks which jobs are done and which cycles have come to an end.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Line,
    Number,
    Play,
    Step,
    Tally,
    Text,
    ask,
    call,
    confirm,
    confirm_aside,
    note,
    then,
)
from astragal.rules import catalogue

from ..conditions.wounds import AWAKE, state_of
from ..sheet.calendar import DAY, YEAR, days_in, today
from ..sheet.durations import parse_duration
from ..sheet.parts import Debt
from ..sheet.scene import BurningTable
from ..tests.results import StandardOutcome
from .linked_skill import LinkedSkill, LinkedTo, linked_first
from .resources_test import ResourcesOutcome, Spending, spend
from .tax import name_of, wealth_of

# --- The cycle -----------------------------------------------------------------------------

MONTHS = {"half_year": YEAR // 2, "year": YEAR, "month": 1}
"""The usual cycles in months (resources.cycle.typical_lengths); tax collectors have their own."""

LONGEST_CYCLE = 10 * 365
"""In days; no tax collector stays away longer."""


def cycle_days(table: BurningTable, since: int) -> int:
    """How many days the cycle has that begins on a day (resources.cycle.set_at_start).

    It is the time between two maintenance tests, and the time a job takes. The group chooses it
    for the campaign (resources.amb.cycle_who_sets).
    """
    reading = table.options["resources_cycle"]
    if reading != "tax_collectors":
        return days_in(MONTHS[reading], since, table)
    if not table.scene.tax_collectors:
        what = "Set the Resources cycle first: how often the tax collectors come"
        raise NotAllowed(what, "resources.cycle.set_at_start")
    return table.scene.tax_collectors


class SettleCycle(Arguments, frozen=True):
    """How often the tax collectors come."""

    every: str


class CycleLength(Outcome, frozen=True):
    """The length of the cycle."""

    days: int


def settle_cycle(arguments: SettleCycle, table: BurningTable) -> Play[CycleLength]:
    """Settle the tax collectors' schedule, once and before play (resources.cycle.set_at_start)."""
    rule = "resources.cycle.set_at_start"
    if table.options["resources_cycle"] != "tax_collectors":
        said = table.options["resources_cycle"].replace("_", " ")
        what = f"The house rules already set the Resources cycle: {said}"
        raise NotAllowed(what, rule)
    if table.scene.tax_collectors:
        what = f"The Resources cycle is already set: {table.scene.tax_collectors} days"
        raise NotAllowed(what, rule)
    days = parse_duration(arguments.every, "every") // DAY
    if not 1 <= days <= LONGEST_CYCLE:
        raise BadInput("every", arguments.every, "one day to ten years", rule)
    yield from table.amend(SCENE, "tax_collectors", days, because=rule)
    yield from note(f"A Resources cycle is {days} days.", rule)
    return CycleLength(days)


# --- Lifestyle -----------------------------------------------------------------------------


class Upkeep(Arguments, frozen=True):
    """Whose lifestyle is to be paid for, what is tested beforehand, and who helps with it."""

    character: str
    linked: LinkedSkill | None = None
    helpers: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()


class UpkeepOutcome(Outcome, frozen=True):
    """How a maintenance test came out, and the debts after it.

    ``linked`` is the test that was made beforehand.
    """

    character: str
    passed: bool
    kept: bool
    test: ResourcesOutcome | None = None
    consequence: str = ""
    debts: tuple[Debt, ...] = ()
    linked: StandardOutcome | None = None


def lifestyles(obstacle: int) -> str:
    """The lifestyles that an obstacle stands for.

    >>> lifestyles(6)
    'suitably wealthy baronial court'
    """
    names = catalogue().table("resources.table.lifestyle").value("lifestyles", ob=obstacle)
    assert isinstance(names, tuple)
    return "; ".join(str(name) for name in names)


class SettleLifestyle(Arguments, frozen=True):
    """Whose lifestyle is to be settled."""

    character: str


class Lifestyle(Outcome, frozen=True):
    """A lifestyle, as its obstacle."""

    obstacle: int


def _has_resources(character: str, table: BurningTable) -> None:
    sheet = table.character(character)
    if sheet.resources is None:
        what = f"{sheet.name} has no Resources"
        raise NotAllowed(what, "resources.lifestyle.test_each_cycle")


def settle_lifestyle(arguments: SettleLifestyle, table: BurningTable) -> Play[Lifestyle]:
    """Player and GM choose a lifestyle (resources.amb.lifestyle_failure_effect)."""
    sheet = table.character(arguments.character)
    rule = "resources.lifestyle.test_each_cycle"
    _has_resources(arguments.character, table)
    rows = catalogue().table("resources.table.lifestyle").records()
    names = tuple((row.number("ob"), lifestyles(row.number("ob"))) for row in rows)
    obstacle = yield from ask(
        GM,
        "lifestyle",
        f"Lifestyle of {sheet.name}",
        Number(least=names[0][0], most=names[-1][0], names=names),
        because=rule,
    )
    because = "resources.amb.lifestyle_failure_effect"
    yield from table.amend(arguments.character, "resources.lifestyle", obstacle, because=because)
    return Lifestyle(obstacle)


def lifestyle_test(arguments: Upkeep, table: BurningTable) -> Play[UpkeepOutcome]:
    """The GM calls for a maintenance test before the cycle is over; it is the cycle's one test."""
    _check_due(arguments.character, table)
    kept, _ = yield from call(maintain, arguments, table)
    return kept


def _check_due(character: str, table: BurningTable) -> None:
    """Once every cycle, and only for those with a lifestyle."""
    rule = "resources.lifestyle.test_each_cycle"
    name = table.character(character).name
    wealth = wealth_of(table, character)
    if not wealth.lifestyle:
        raise NotAllowed(f"Settle a lifestyle for {name} first", rule)
    if wealth.maintained:
        raise NotAllowed(f"{name} has already tested for this cycle", rule)


def maintain(arguments: Upkeep, table: BurningTable) -> Play[tuple[UpkeepOutcome, BurningTable]]:
    """Test Resources against the obstacle of a lifestyle.

    resources.lifestyle.test_each_cycle, resources.lifestyle.is_resources_test: a failure is
    taxed. As long as anything is owed the obstacle is higher (resources.lifestyle.debt_penalty),
    by 1 for each debt (resources.debt.lifestyle_ob, resources.amb.debt_penalty_size).
    """
    who = arguments.character
    wealth = wealth_of(table, who)
    lives = wealth.lifestyle - wealth.fallen
    owing = tuple(
        Line(1, f"debt to {name_of(table, debt.lender)}", "resources.lifestyle.debt_penalty")
        for debt in wealth.debts
    )
    # Every cycle is another intent, so that the last one's result does not ride.
    ends_meet = f"make ends meet in the cycle from day {table.scene.cycle_began}"
    to = LinkedTo("the maintenance test", lifestyles(lives), ends_meet)
    link, table = yield from call(linked_first, who, arguments.linked, to, table)
    spending = Spending(
        character=who,
        intent="keep up the lifestyle",
        task=f"pays for a lifestyle: {lifestyles(lives)}",
        price=Tally.of(lives, "lifestyle", "resources.lifestyle.test_each_cycle"),
        helpers=arguments.helpers,
        letters=arguments.letters,
        dice=link.dice,
        obstacle=owing + link.obstacle,
        rides=False,
        obliged=True,
    )
    test, table = yield from call(spend, spending, table)
    because = "resources.lifestyle.test_each_cycle"
    table = yield from table.amend(who, "resources.maintained", True, because=because)
    if test.passed:
        table = yield from pay_debts(table, who, test.margin)
        because = "resources.amb.lifestyle_failure_effect"
        table = yield from table.amend(who, "resources.fallen", 0, because=because)
        debts = wealth_of(table, who).debts
        return UpkeepOutcome(who, True, True, test, "", debts, link.outcome), table
    # The debt runs on as it is (resources.debt.failed_payment, resources.amb.debt_extension).
    consequence = ""
    if not test.acquired:
        consequence, table = yield from _lost(who, lives, table)
    kept = test.acquired
    return UpkeepOutcome(who, False, kept, test, consequence, wealth.debts, link.outcome), table


def _lost(who: str, lives: int, table: BurningTable) -> Step[tuple[str, BurningTable]]:
    """What failing to keep up a lifestyle means: a poorer one for now, or what the GM says.

    resources.amb.lifestyle_failure_effect.
    """
    rule = "resources.amb.lifestyle_failure_effect"
    said = yield from ask(
        GM,
        "consequence",
        "What does failure cost? (empty: lifestyle 1 Ob lower until the next success)",
        Text(default=""),
        because=rule,
    )
    if said or lives == 1:
        return said, table
    table = yield from table.add(who, "resources.fallen", 1, because=rule)
    return f"lifestyle drops to: {lifestyles(lives - 1)}", table


def pay_debts(table: BurningTable, debtor: str, margin: int) -> Step[BurningTable]:
    """A success pays a point of each debt (resources.debt.payment).

    Once a debt is cleared by a roll that did better than it had to, the lender has a die for it
    on the next test (resources.debt.repaid_links_to_lender, resources.amb.debt_repaid_link).
    """
    before = wealth_of(table, debtor).debts
    paid = tuple(msgspec.structs.replace(debt, owed=debt.owed - 1) for debt in before)
    after = tuple(debt for debt in paid if debt.owed)
    because = "resources.debt.payment"
    table = yield from table.amend(debtor, "resources.debts", after, because=because)
    for debt in paid:
        if debt.owed:
            continue
        yield from note(f"The debt to {name_of(table, debt.lender)} is paid off.", because)
        lender = table.characters.get(debt.lender)
        if margin > 0 and lender is not None and lender.resources is not None:
            rows = catalogue().table("resources.table.dice_sources")
            dice = rows.number("dice", source="debt repaid with extra successes (lender)")
            because = "resources.debt.repaid_links_to_lender"
            path = "resources.repaid"
            table = yield from table.add(debt.lender, path, dice, because=because)
    return table


# --- Maintenance ---------------------------------------------------------------------------


class Maintenance(Arguments, frozen=True):
    """Ends jobs and pays for lifestyles, up to today; for everyone if ``upkeep`` is empty."""

    upkeep: tuple[Upkeep, ...] = ()


class MaintenanceOutcome(Outcome, frozen=True):
    """How many cycles have ended, what was tested for them, and which dice jobs brought back."""

    cycles: int
    tests: tuple[UpkeepOutcome, ...] = ()
    restored: tuple[tuple[str, int], ...] = ()


def maintenance(arguments: Maintenance, table: BurningTable) -> Play[MaintenanceOutcome]:
    """Go through all that has fallen due on the calendar since the last time."""
    for at, each in enumerate(arguments.upkeep):
        table.character(each.character, f"upkeep[{at}].character")
    upkeep = arguments.upkeep or tuple(
        Upkeep(name)
        for name, sheet in table.characters.items()
        if sheet.resources is not None and sheet.resources.lifestyle and not sheet.npc
    )
    return (yield from call(next_cycle, upkeep, MaintenanceOutcome(0), table))


def next_cycle(
    upkeep: tuple[Upkeep, ...], so_far: MaintenanceOutcome, table: BurningTable
) -> Play[MaintenanceOutcome]:
    """The end of a cycle: jobs first, so that what they restore counts in the test.

    resources.amb.job_vs_maintenance_order.
    """
    began = table.scene.cycle_began
    ends = began + cycle_days(table, began)
    restored, table = yield from _end_jobs(min(ends, today(table)), table)
    so_far = msgspec.structs.replace(so_far, restored=so_far.restored + restored)
    if ends > today(table):
        return so_far
    tests: tuple[UpkeepOutcome, ...] = ()
    for each in upkeep:
        if not (yield from _is_called(each.character, table)):
            continue
        kept, table = yield from call(maintain, each, table)
        tests += (kept,)
    table = yield from _new_cycle(ends, table)
    so_far = MaintenanceOutcome(so_far.cycles + 1, so_far.tests + tests, so_far.restored)
    return then(next_cycle, upkeep, so_far, table)


def _end_jobs(
    day: int, table: BurningTable
) -> Step[tuple[tuple[tuple[str, int], ...], BurningTable]]:
    """Bring back the dice of all jobs that are done by a day."""
    restored: tuple[tuple[str, int], ...] = ()
    for name, sheet in table.characters.items():
        job = sheet.resources.job if sheet.resources is not None else None
        if job is None or job.until > day:
            continue
        dice = min(job.restores, wealth_of(table, name).taxed)
        because = "resources.job.recover_one"
        table = yield from table.add(name, "resources.taxed", -dice, because=because)
        because = "resources.job.time"
        table = yield from table.amend(name, "resources.job", None, because=because)
        yield from note(f"{sheet.name}'s job ({job.skill}) restores {dice}D of Resources.", because)
        restored += ((name, dice),)
    return restored, table


def _is_called(character: str, table: BurningTable) -> Step[bool]:
    """Whether the test is made: always unless the GM waives it, or only if the GM calls for it.

    resources.amb.lifestyle_mandatory. Only one test is made in a cycle.
    """
    if wealth_of(table, character).maintained:
        return False
    _check_due(character, table)
    name = table.character(character).name
    state = state_of(table, character)
    if state not in AWAKE:
        why = "injury.zero.stat_incapacitated"
        yield from note(f"{name} is {state.value}: no maintenance test.", why)
        return False
    rule = "resources.amb.lifestyle_mandatory"
    if table.options["resources_lifestyle_test"] == "every_cycle":
        prompt = f"The cycle is over. Waive {name}'s maintenance test?"
        waived = yield from confirm_aside(GM, "waive", prompt, because=rule)
        return not waived
    prompt = f"The cycle is over. Call for a maintenance test from {name}?"
    return (yield from confirm(GM, "call_for", prompt, default=False, because=rule))


def _new_cycle(day: int, table: BurningTable) -> Step[BurningTable]:
    """Another cycle: everybody tests anew, and may look for work anew.

    Work that came to nothing is over with its cycle (resources.amb.job_failure_and_retry).
    """
    because = "resources.cycle.set_at_start"
    table = yield from table.amend(SCENE, "cycle_began", day, because=because)
    for name, sheet in table.characters.items():
        if sheet.resources is None:
            continue
        because = "resources.lifestyle.test_each_cycle"
        table = yield from table.amend(name, "resources.maintained", False, because=because)
        because = "resources.amb.job_failure_and_retry"
        table = yield from table.amend(name, "resources.worked", False, because=because)
        job = sheet.resources.job
        if job is not None and not job.restores:
            table = yield from table.amend(name, "resources.job", None, because=because)
    return table


PROCEDURES = (
    Procedure("settle_cycle", "Set the Resources cycle", SettleCycle, settle_cycle, gm_only=True),
    Procedure(
        "settle_lifestyle",
        "Choose a lifestyle",
        SettleLifestyle,
        settle_lifestyle,
        check=_has_resources,
    ),
    Procedure(
        "lifestyle_test", "Lifestyle maintenance test", Upkeep, lifestyle_test, check=_check_due
    ),
    Procedure(
        "maintenance",
        "End of the cycle: jobs and maintenance",
        Maintenance,
        maintenance,
        gm_only=True,
        touches_all=True,
    ),
)
