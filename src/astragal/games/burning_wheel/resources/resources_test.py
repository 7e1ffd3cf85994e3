"""The Resources test: paying for something, and what failure costs.

The test (:func:`spend`) is the same for a purchase (``resources/purchases``), a loan and a way of
life. What cash, funds, loans and letters add to it is in ``resources/means``, what a failure takes
in ``resources/tax``. Haggling and bidding are in ``resources/haggling``, titles and lending in
``resources/cash_funds_loans``, cycles and debts in ``resources/maintenance``, work in
``resources/jobs``.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.play import (
    GM,
    Line,
    Number,
    Option,
    Play,
    Seat,
    Step,
    Tally,
    ask,
    choose,
    confirm,
    note,
    tell,
    then,
)

from ..advancement.log import log_test
from ..advancement.requirements import difficulty
from ..artha import on_a_roll as artha
from ..artha.aristeia import lightened
from ..sheet.editions import edition
from ..sheet.facts import AtStake, IntentDeclared, TestCame
from ..sheet.parts import Difficulty
from ..sheet.scene import BurningTable, Ride, SeriesTest
from ..tests.attempts import Attempt, TestResult, prepare, result_of, throw_attempt
from ..tests.conclusions import after_test
from ..tests.intent import CALLED_FOR, LONGEST_WORDS, Agreement
from ..tests.let_it_ride import check_no_ride, let_it_ride
from ..tests.results import out_of_time
from .means import Purse, letter_dice, letter_writers, open_purse, pay_out, wealth_dice
from .tax import Ending, cut_losses_tax, full_tax, take_tax, wealth_of, with_resources

MOST_OBSTACLE = 20
"""No price is higher; the list ends at 10."""


class Mercy(Enum):
    """What may soften a failure."""

    KINDNESS = "kindness"
    HAGGLED = "haggled"
    LENDER = "lender"


class Spending(msgspec.Struct, frozen=True):
    """What a Resources test is for, and what bears on it from outside.

    ``dice`` and ``obstacle`` are what an earlier test or a debt adds; a result that ``rides`` is
    not rolled again for the same intent. With ``own_means`` neither cash nor funds may be used.
    Who has named no helpers may still ask for help (``asks_help``). Who is ``obliged`` to pay and
    has no dice fails without a roll; nobody else may try.
    """

    character: str
    intent: str
    task: str
    price: Tally
    helpers: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    dice: tuple[Line, ...] = ()
    obstacle: tuple[Line, ...] = ()
    mercy: Mercy = Mercy.KINDNESS
    rides: bool = True
    own_means: bool = False
    asks_help: bool = False
    obliged: bool = False


class ResourcesOutcome(TestResult, frozen=True, kw_only=True):
    """How a Resources test came out; ``left`` are the dice that tax leaves the character."""

    acquired: bool
    difficulty: str = ""
    ending: Ending | None = None
    tax: int = 0
    taxed: tuple[str, ...] = ()
    complication: str = ""
    left: int = 0
    ability: str = "Resources"


# --- The test ------------------------------------------------------------------------------


def spend(spending: Spending, table: BurningTable) -> Play[tuple[ResourcesOutcome, BurningTable]]:
    """Test Resources against an obstacle, as one would any skill (resources.test.standard).

    The intent names what is wanted (gold.resources.intent), the task how it is looked for
    (gold.resources.task); the pool is what Tax has left (gold.resources.base_dice).

    Help, advantages and artha are as usual (resources.test.artha); FoRKs are not
    (resources.test.no_forks, which only tests of skills take), nor do wounds matter.
    """
    if not 1 <= len(spending.intent.strip()) <= LONGEST_WORDS:
        expected = f"what is wanted, in at most {LONGEST_WORDS} characters"
        raise BadInput("item", spending.intent, expected, "resources.test.success")
    table = yield from with_resources(table, spending.character)
    if spending.rides:
        table = yield from check_no_ride(table, spending.character, "Resources", spending.intent)
    sheet = table.character(spending.character)
    if not spending.task.strip():
        expected = "how the character goes about getting it"
        raise BadInput("task", spending.task, expected, "gold.resources.task")
    tested = lightened(table, spending.character, sheet.ability("Resources"))
    yield from tell(IntentDeclared(sheet.name, spending.intent, spending.task, str(tested)))
    away = yield from _away(spending.character, table)
    purse = Purse()
    if not spending.own_means:
        purse = yield from open_purse(spending.character, table)
    writers = letter_writers(spending.character, spending.letters, spending.helpers, table)
    context = msgspec.structs.replace(
        CALLED_FOR,
        dice=spending.dice
        + wealth_dice(purse, spending.character, table, own_means=spending.own_means)
        + tuple(letter_dice(writer, table) for writer in writers),
        obstacle=spending.obstacle + away,
        may_ask_help=spending.asks_help,
    )
    agreed = Agreement(spending.character, spending.intent, spending.task, tested)
    attempt = yield from prepare(agreed.declared(spending.helpers), agreed, 0, context, table)
    attempt = msgspec.structs.replace(attempt, helpers=attempt.helpers + writers)
    if attempt.all_dice.total < 1 and spending.obliged:
        return then(nothing_to_pay_with, spending, attempt, table)
    if attempt.all_dice.total < 1:
        what = f"{sheet.name} has no Resources dice: add some with help, cash, a fund or a Boon"
        raise NotAllowed(what, "resources.amb.zero_dice")
    loss = "they can't afford it, and Resources are taxed"
    yield from tell(AtStake(spending.intent, loss, "some asking around"))
    return then(roll_resources, spending, attempt, purse, table)


def _away(character: str, table: BurningTable) -> Step[tuple[Line, ...]]:
    """Away from home a test is harder, very far away harder still.

    resources.home.away_penalty, resources.home.far_away, resources.amb.home_turf_amount. In the
    later edition by at most three (gold.resources.ob_distance, gold.diff.distance).
    """
    home = wealth_of(table, character).home or "not settled"
    obstacle = yield from ask(
        GM,
        "away",
        f"Distance from home ({home}): added obstacle",
        Number(
            least=0,
            most=edition(table.options).farthest,
            names=((0, "at home"), (1, "away"), (2, "very far away")),
            default=0,
        ),
        because="resources.home.away_penalty",
        kind="aside",
    )
    if not obstacle:
        return ()
    rule = "resources.home.away_penalty" if obstacle == 1 else "resources.home.far_away"
    return (Line(obstacle, "away from home", rule),)


def roll_resources(
    spending: Spending, attempt: Attempt, purse: Purse, table: BurningTable
) -> Play[tuple[ResourcesOutcome, BurningTable]]:
    """Throw the dice: as many successes as the obstacle are enough (resources.test.success)."""
    obstacle = spending.price + attempt.penalties
    thrown = yield from throw_attempt(attempt, obstacle, table)
    follows = afforded if thrown.successes >= obstacle.total else not_afforded
    return then(follows, spending, attempt, purse, thrown, table)


def nothing_to_pay_with(
    spending: Spending, attempt: Attempt, table: BurningTable
) -> Play[tuple[ResourcesOutcome, BurningTable]]:
    """What has to be paid is not paid, and there is nothing that Tax could take.

    resources.amb.zero_dice.
    """
    obstacle = spending.price + attempt.penalties
    name = table.character(spending.character).name
    text = f"{name} has no Resources dice, and fails without a roll: {spending.intent}."
    yield from note(text, "resources.amb.zero_dice")
    return ResourcesOutcome(
        passed=False, margin=-obstacle.total, obstacle=obstacle, acquired=False, ending=Ending.PLAIN
    ), table


def afforded(
    spending: Spending,
    attempt: Attempt,
    purse: Purse,
    thrown: artha.ThrownDice,
    table: BurningTable,
) -> Play[tuple[ResourcesOutcome, BurningTable]]:
    """What was named is acquired, and no dice are lost (resources.test.success)."""
    obstacle = spending.price + attempt.penalties
    name = table.character(spending.character).name
    verdict = f"Can afford it: {spending.intent}."
    yield from tell(TestCame(name, thrown.successes, verdict, True))
    table = yield from pay_out(spending.character, purse, spending.letters, 0, table)
    table, earned = yield from after_test(attempt, thrown, obstacle.total, table, passed=True)
    if not attempt.dice.total:  # nothing but a Boon: as hard as can be (resources.amb.zero_dice)
        hard = SeriesTest(spending.character, "Resources", Difficulty.CHALLENGING, obstacle.total)
        table, earned = (yield from log_test(table, hard)), hard.difficulty.value
    result = result_of(attempt, thrown, obstacle, earned)
    left = wealth_of(table, spending.character).left
    return ResourcesOutcome.of(result, acquired=True, left=left), table


# --- What failure brings ---------------------------------------------------------------


def not_afforded(
    spending: Spending,
    attempt: Attempt,
    purse: Purse,
    thrown: artha.ThrownDice,
    table: BurningTable,
) -> Play[tuple[ResourcesOutcome, BurningTable]]:
    """The thing is not acquired, and Resources are Taxed (resources.test.failure).

    Helpers are Taxed as well (resources.help.all_taxed), by as many dice, whatever the
    player chose (resources.amb.helpers_tax_amount).
    """
    who = spending.character
    obstacle = spending.price + attempt.penalties
    short = obstacle.total - thrown.successes
    name = table.character(who).name
    yield from tell(TestCame(name, thrown.successes, f"Can't afford it ({short} short).", False))
    complication = ""
    if attempt.careful:
        complication, thrown = yield from out_of_time(attempt, thrown, table)
    failed = yield from tax_class(attempt, obstacle.total)
    ending = yield from _how_it_ends(spending, attempt, full_tax(failed, short), table)
    tax = {"full": full_tax(failed, short), "none": 0}.get(ending.tax, cut_losses_tax(failed))
    table, earned = yield from after_test(attempt, thrown, obstacle.total, table, passed=False)
    table = yield from pay_out(who, purse, spending.letters, tax, table)
    helpers = tuple(helper.character for helper in attempt.helpers)
    for helper in helpers:
        table = yield from take_tax(table, helper, tax)
    if spending.rides and not ending.obtained:
        ride = Ride(who, "Resources", spending.intent, thrown.successes, passed=False)
        table = yield from let_it_ride(table, ride)
    outcome = ResourcesOutcome.of(
        result_of(attempt, thrown, obstacle, earned),
        acquired=ending.obtained,
        difficulty=failed.value,
        ending=ending,
        tax=tax,
        taxed=(who, *helpers),
        complication=complication,
        left=wealth_of(table, who).left,
    )
    return outcome, table


def tax_class(attempt: Attempt, obstacle: int) -> Step[Difficulty]:
    """The class of a failed test, by the dice rolled without artha.

    resources.amb.tax_difficulty_dice: on one die against Ob 1 the player has the choice;
    without any dice but a Boon it is challenging (resources.amb.zero_dice).
    """
    dice = attempt.dice.total
    if dice < 1:
        return Difficulty.CHALLENGING
    if (dice, obstacle) != (1, 1):
        return difficulty(dice, obstacle)
    rule = "resources.amb.tax_difficulty_dice"
    classes = (Difficulty.ROUTINE, Difficulty.DIFFICULT)
    chosen = yield from choose(
        attempt.seat,
        "tax_as",
        "1D against Ob 1: routine or difficult?",
        {each.value: f"{each.value.capitalize()} ({full_tax(each, 1)}D tax)" for each in classes},
        default=Difficulty.ROUTINE.value,
        because=rule,
        kind="aside",
    )
    return Difficulty(chosen)


def _how_it_ends(
    spending: Spending, attempt: Attempt, tax: int, table: BurningTable
) -> Step[Ending]:
    """What may be made of a failure: by the lender, or by the GM and then the player."""
    if spending.mercy is Mercy.LENDER:
        return (yield from _lender_chooses(attempt.seat, tax))
    # Each time the GM decides anew, and no player has a right to it
    # (resources.gift.option, resources.gift.case_by_case).
    name = table.character(spending.character).name
    gift = yield from confirm(
        GM,
        "gift",
        f"Gift of Kindness? {name} gets it anyway, for {tax}D tax.",
        default=False,
        because="resources.gift.option",
    )
    if not gift:
        return Ending.HAGGLED if spending.mercy is Mercy.HAGGLED else Ending.PLAIN
    text = f"Gift of Kindness: {spending.intent}, at full tax."
    yield from note(text, "resources.gift.still_taxed")
    if spending.mercy is Mercy.HAGGLED and edition(table.options).haggling_binds:
        # The time to back out was before the roll (resources.haggled_price.full_tax,
        # resources.amb.cut_losses_after_haggling); gold.resources.cut_losses knows no exception.
        return Ending.GIFT
    cut = yield from confirm(
        attempt.seat,
        "cut_losses",
        f"Cut your losses? Yes: go without, 1D tax. No: take it, {tax}D tax.",
        default=False,
        because="resources.cut_losses.choice",
    )
    return Ending.CUT_LOSSES if cut else Ending.GIFT


def _lender_chooses(seat: Seat, tax: int) -> Step[Ending]:
    """Call off the loan for one die, or lend and bear the Tax (resources.loan.failure_choice).

    resources.amb.cut_losses_availability.
    """
    rule = "resources.loan.failure_choice"
    options = (
        Option(key="call_off", label="Withdraw the loan", rule=rule, cost="1D tax"),
        Option(key="lend", label="Lend anyway", rule=rule, cost=f"{tax}D tax"),
    )
    chosen = yield from choose(
        seat,
        "loan_failed",
        "You can't afford this loan. Withdraw it?",
        options,
        default="call_off",
        because=rule,
    )
    return Ending.LOAN_OFF if chosen == "call_off" else Ending.LOAN_GIVEN
