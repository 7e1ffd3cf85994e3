"""Resources: buying things, and the Tax on those who fail to pay.

The test itself (:func:`spend`) is here; it is the same for a purchase
(``resources/purchases``), a loan and a way of life. What a failure takes
is in ``resources/tax``. Haggling and bidding are in
``resources/haggling``, cash, funds, titles, letters and loans in
``resources/cash_funds_loans``, cycles, jobs and debts in
``resources/maintenance``.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.advancement.log import log_test
from astragal.games.burning_wheel.advancement.requirements import difficulty
from astragal.games.burning_wheel.artha import on_a_roll as artha
from astragal.games.burning_wheel.artha.aristeia import lightened
from astragal.games.burning_wheel.resources.tax import (
    Ending,
    cut_losses_tax,
    full_tax,
    name_of,
    take_tax,
    wealth_of,
    with_resources,
)
from astragal.games.burning_wheel.sheet.editions import Edition, edition
from astragal.games.burning_wheel.sheet.facts import AtStake, Declared, DiceGathered, TestCame
from astragal.games.burning_wheel.sheet.parts import Artha, Difficulty, Fund, Kind, Resources
from astragal.games.burning_wheel.sheet.scene import BurningTable, Ride, SeriesTest
from astragal.games.burning_wheel.sheet.sheet import Rated
from astragal.games.burning_wheel.tests.attempts import Attempt, after_test, prepare
from astragal.games.burning_wheel.tests.helping import Helper, help_dice, may_help
from astragal.games.burning_wheel.tests.intent import LONGEST_WORDS, Agreed, Context, Declaration
from astragal.games.burning_wheel.tests.let_it_ride import check_no_ride, let_it_ride
from astragal.play import (
    GM,
    Line,
    Noted,
    Number,
    Option,
    PickSeveral,
    Play,
    Seat,
    Step,
    Tally,
    ask,
    call,
    choose,
    confirm,
    tell,
    then,
)
from astragal.rules import catalogue

MOST_OBSTACLE = 20
"""No price is higher; the list ends at 10."""


class Mercy(Enum):
    """What may soften a failure."""

    KINDNESS = "kindness"
    HAGGLED = "haggled"
    LENDER = "lender"


class Spending(msgspec.Struct, frozen=True):
    """What a test of Resources is for, and what bears on it from outside.

    ``dice`` and ``obstacle`` are what an earlier test or a debt adds; a result that ``rides`` is
    not rolled again for the same intent. With ``own_means`` neither cash nor funds may be used.
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


class Spent(msgspec.Struct, frozen=True):
    """How a test of Resources came out."""

    passed: bool
    acquired: bool
    successes: int
    margin: int
    dice: Tally
    obstacle: Tally
    difficulty: str = ""
    ending: Ending | None = None
    tax: int = 0
    taxed: tuple[str, ...] = ()
    earned: str = ""
    spent: Artha = Artha()
    ability: str = "Resources"


class Purse(msgspec.Struct, frozen=True):
    """What is laid on the table for one test: cash, the loans drawn on, and a fund's dice.

    Where all funds help on every test none is named.
    """

    cash: int = 0
    loans: tuple[int, ...] = ()
    fund: str = ""
    fund_dice: int = 0


# --- The test ------------------------------------------------------------------------------


def spend(spending: Spending, table: BurningTable) -> Play[tuple[Spent, BurningTable]]:
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
        expected = "how the character goes about it"
        raise BadInput("task", spending.task, expected, "gold.resources.task")
    seat = sheet.seat(spending.character)
    tested = lightened(table, spending.character, sheet.ability("Resources"))
    yield from tell(Declared(sheet.name, spending.intent, spending.task, str(tested)))
    away = yield from _away(spending.character, table)
    purse = Purse()
    if not spending.own_means:
        wealth = wealth_of(table, spending.character)
        purse = yield from _open_purse(seat, wealth, edition(table.options))
    writers = _letters(spending, table)
    declaration = Declaration(
        spending.character, spending.intent, spending.task, "Resources", spending.helpers
    )
    context = Context(
        dice=spending.dice
        + _laid_down(purse, spending, table)
        + tuple(help_dice(writer.helping) for writer in writers),
        obstacle=spending.obstacle + away,
        called_for=True,
        laid_down=True,
    )
    agreed = Agreed(spending.character, spending.intent, spending.task, tested)
    attempt = yield from prepare(declaration, agreed, 0, context, table)
    attempt = msgspec.structs.replace(attempt, helpers=attempt.helpers + writers)
    if attempt.all_dice.total < 1:
        what = f"{sheet.name} has no Resources dice, and nothing adds any"
        raise NotAllowed(what, "resources.amb.zero_dice")
    loss = "it is not paid for, and Resources are Taxed"
    yield from tell(AtStake(spending.intent, loss, "some asking around"))
    return then(roll_resources, spending, attempt, purse, table)


def _away(character: str, table: BurningTable) -> Step[tuple[Line, ...]]:
    """Away from home a test is harder, very far away harder still.

    resources.home.away_penalty, resources.home.far_away, resources.amb.home_turf_amount. In the
    later edition by three at the most (gold.resources.ob_distance, gold.diff.distance).
    """
    sheet = table.character(character)
    home = wealth_of(table, character).home
    turf = f"at home: {home}" if home else "on the home turf (none has been settled)"
    obstacle = yield from ask(
        GM,
        "away",
        f"Is {sheet.name} {turf}? If not, what does that add to the obstacle?",
        Number(
            least=0,
            most=edition(table.options).farthest,
            names=((0, "at home"), (1, "away"), (2, "very far")),
            default=0,
        ),
        because="resources.home.away_penalty",
    )
    if not obstacle:
        return ()
    rule = "resources.home.away_penalty" if obstacle == 1 else "resources.home.far_away"
    return (Line(obstacle, "away from home", rule),)


def _open_purse(seat: Seat, wealth: Resources, played: Edition) -> Step[Purse]:
    """Cash and borrowed dice are used where their owner likes.

    Dice that others have lent add themselves, as many as were lent (gold.resources.dice_loan).
    """
    cash = 0
    loans: tuple[int, ...] = ()
    if wealth.cash:
        cash = yield from _cash(seat, wealth.cash, played)
    if wealth.loans:
        options = tuple(
            Option(
                key=str(at),
                label=f"{loan.dice}D lent by {loan.lender}, good for {loan.tests} more",
                rule="resources.loan.test",
            )
            for at, loan in enumerate(wealth.loans)
        )
        chosen = yield from ask(
            seat,
            "borrowed",
            "Which borrowed dice are used on this test?",
            PickSeveral(options=options, default=()),
            because="resources.loan.multiple_tests",
        )
        loans = tuple(int(at) for at in chosen)
    fund, dice = "", 0
    if played.one_fund_a_test and wealth.funds:
        fund, dice = yield from _one_fund(seat, wealth.funds)
    return Purse(cash, loans, fund, dice)


def _one_fund(seat: Seat, funds: tuple[Fund, ...]) -> Step[tuple[str, int]]:
    """Some dice of one fund, or all of them; never of two (gold.resources.dice_fund)."""
    rule = "gold.resources.dice_fund"
    options = tuple(
        Option(key=fund.name, label=f"{fund.name}, {fund.dice}D", rule=rule) for fund in funds
    )
    none = Option(key="none", label="none", rule=rule)
    chosen = yield from choose(
        seat,
        "fund",
        "Which fund is used on this test? If it fails, the fund is Taxed first, for good.",
        (none, *options),
        default="none",
        because=rule,
    )
    held = {fund.name: fund.dice for fund in funds}.get(chosen, 0)
    if not held:
        return "", 0
    dice = yield from ask(
        seat,
        "fund_dice",
        f"How many dice of {chosen}?",
        Number(least=1, most=held, default=held),
        because=rule,
    )
    return chosen, dice


def _cash(seat: Seat, held: int, played: Edition) -> Step[int]:
    """All the cash at once, or a parcel of one or two dice.

    resources.cash.split, resources.amb.cash_all_at_once; in the later edition any number of dice
    (gold.resources.dice_cash).
    """
    if played.cash_by_the_die:
        dice: int = yield from ask(
            seat,
            "cash",
            "How many dice of cash go into this test? They are spent, whatever comes of it.",
            Number(least=0, most=held, default=0),
            because="gold.resources.dice_cash",
        )
        return dice
    parcels = {"none": 0, "1": 1, "2": 2, "all": held}
    options = tuple(
        Option(key=key, label=f"{dice}D of {held}D cash", rule="resources.cash.split")
        for key, dice in parcels.items()
        if dice <= held
    )
    chosen = yield from choose(
        seat,
        "cash",
        "How much cash goes into this test? It is spent, whatever comes of it.",
        options,
        default="none",
        because="resources.cash.one_test",
    )
    return parcels[chosen]


def _laid_down(purse: Purse, spending: Spending, table: BurningTable) -> tuple[Line, ...]:
    """The dice that wealth adds; all of them count as rolled.

    resources.amb.bonus_dice_count_for_advancement. A fund helps on every test
    (resources.fund.bonus), or only the one that is used (gold.diff.single_fund); what a debtor
    repaid helps on the next one only.
    """
    wealth = wealth_of(table, spending.character)
    one_only = edition(table.options).one_fund_a_test
    rule = "gold.resources.dice_fund" if one_only else "resources.fund.bonus"
    in_use = {purse.fund: purse.fund_dice}
    if not one_only and not spending.own_means:
        in_use = {fund.name: fund.dice for fund in wealth.funds}
    lines = tuple(
        Line(in_use[fund.name], f"{_source('fund, property, goods')}: {fund.name}", rule)
        for fund in wealth.funds
        if in_use.get(fund.name)
    )
    lines += tuple(
        Line(
            wealth.loans[at].dice,
            f"{_source('loan')}: {name_of(table, wealth.loans[at].lender)}",
            "resources.loan.test",
        )
        for at in purse.loans
    )
    if purse.cash:
        lines += (Line(purse.cash, _source("cash on hand"), "resources.cash.bonus"),)
    if wealth.repaid:
        label = _source("debt repaid with extra successes (lender)")
        lines += (Line(wealth.repaid, label, "resources.debt.repaid_links_to_lender"),)
    return lines


def _source(name: str) -> str:
    """A source of dice by its name in the catalogue."""
    return str(catalogue().table("resources.table.dice_sources").value("source", source=name))


def _letters(spending: Spending, table: BurningTable) -> tuple[Helper, ...]:
    """Help promised beforehand, by somebody who need not be there.

    resources.help.need_not_be_present.
    """
    sheet, rule = table.character(spending.character), "resources.help.need_not_be_present"
    held = wealth_of(table, spending.character).letters
    writers: tuple[Helper, ...] = ()
    for index, name in enumerate(spending.letters):
        place = f"letters[{index}]"
        if name not in held:
            expected = f"a letter that {sheet.name} holds, from: {', '.join(held) or 'nobody'}"
            raise BadInput(place, name, expected, rule)
        if name in spending.letters[:index] or name in spending.helpers:
            raise BadInput(place, name, "each helper once", "tests.amb.helper_count")
        writer = table.character(name, place)
        helping = Rated("Resources", Kind.RESOURCES, wealth_of(table, name))
        if may_help(helping, sheet.ability("Resources"), table.options) is None:
            what = f"the letter is worth nothing: {writer.name} has no dice left"
            raise NotAllowed(what, "tests.amb.helper_wounded_or_zero")
        writers += (Helper(name, helping, "a letter of credit", help_dice(helping).amount),)
    return writers


def roll_resources(
    spending: Spending, attempt: Attempt, purse: Purse, table: BurningTable
) -> Play[tuple[Spent, BurningTable]]:
    """Throw the dice: as many successes as the obstacle are enough (resources.test.success)."""
    obstacle = spending.price + attempt.penalties
    name = table.character(spending.character).name
    yield from tell(DiceGathered(name, attempt.all_dice, obstacle))
    lying = yield from call(
        artha.throw,
        attempt.pool,
        f"{name}, Resources",
        attempt.seat,
        attempt.hand,
        attempt.spent,
        obstacle.total,
    )
    if lying.successes >= obstacle.total:
        return then(afforded, spending, attempt, purse, lying, table)
    return then(not_afforded, spending, attempt, purse, lying, table)


def afforded(
    spending: Spending, attempt: Attempt, purse: Purse, lying: artha.Throw, table: BurningTable
) -> Play[tuple[Spent, BurningTable]]:
    """What was named is acquired, and no dice are lost (resources.test.success)."""
    obstacle = spending.price + attempt.penalties
    margin = lying.successes - obstacle.total
    name = table.character(spending.character).name
    yield from tell(TestCame(name, lying.successes, f"Paid for: {spending.intent}.", True))
    table = yield from pay_out(spending, purse, 0, table)
    table, earned = yield from after_test(attempt, lying, obstacle.total, table, passed=True)
    if not attempt.dice.total:  # nothing but a Boon: as hard as can be (resources.amb.zero_dice)
        hard = SeriesTest(spending.character, "Resources", Difficulty.CHALLENGING, obstacle.total)
        table, earned = (yield from log_test(table, hard)), hard.difficulty.value
    outcome = Spent(
        passed=True,
        acquired=True,
        successes=lying.successes,
        margin=margin,
        dice=attempt.all_dice,
        obstacle=obstacle,
        earned=earned,
        spent=lying.spent,
    )
    return outcome, table


# --- What failure brings ---------------------------------------------------------------


def not_afforded(
    spending: Spending, attempt: Attempt, purse: Purse, lying: artha.Throw, table: BurningTable
) -> Play[tuple[Spent, BurningTable]]:
    """The thing is not to be had, and Resources are Taxed (resources.test.failure).

    Whoever helped is Taxed as well (resources.help.all_taxed), by as many dice, whatever the
    player chose (resources.amb.helpers_tax_amount).
    """
    obstacle = spending.price + attempt.penalties
    short = obstacle.total - lying.successes
    name = table.character(spending.character).name
    yield from tell(TestCame(name, lying.successes, f"Too dear by {short}.", False))
    failed = yield from tax_class(attempt, obstacle.total)
    ending = yield from _how_it_ends(spending, attempt, full_tax(failed, short), table)
    tax = {"full": full_tax(failed, short), "none": 0}.get(ending.tax, cut_losses_tax(failed))
    table, earned = yield from after_test(attempt, lying, obstacle.total, table, passed=False)
    table = yield from pay_out(spending, purse, tax, table)
    helpers = tuple(helper.character for helper in attempt.helpers)
    for helper in helpers:
        table = yield from take_tax(table, helper, tax)
    if spending.rides and not ending.obtained:
        stands = Ride(
            spending.character, "Resources", spending.intent, lying.successes, passed=False
        )
        table = yield from let_it_ride(table, stands)
    outcome = Spent(
        passed=False,
        acquired=ending.obtained,
        successes=lying.successes,
        margin=-short,
        dice=attempt.all_dice,
        obstacle=obstacle,
        difficulty=failed.value,
        ending=ending,
        tax=tax,
        taxed=(spending.character, *helpers),
        earned=earned,
        spent=lying.spent,
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
    options = tuple(
        Option(key=each.value, label=f"{each.value}, {full_tax(each, 1)}D of Tax", rule=rule)
        for each in (Difficulty.ROUTINE, Difficulty.DIFFICULT)
    )
    chosen = yield from choose(
        attempt.seat,
        "tax_as",
        "One die against Ob 1: was that a routine or a difficult test?",
        options,
        default=Difficulty.ROUTINE.value,
        because=rule,
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
        f"The Gift of Kindness: may {name} have it all the same, for {tax}D of Tax?",
        default=False,
        because="resources.gift.option",
    )
    if not gift:
        return Ending.HAGGLED if spending.mercy is Mercy.HAGGLED else Ending.PLAIN
    text = f"The Gift of Kindness: {spending.intent}, for full Tax."
    yield from tell(Noted(text, "resources.gift.still_taxed"))
    if spending.mercy is Mercy.HAGGLED:
        # The time to back out was before the roll (resources.haggled_price.full_tax,
        # resources.amb.cut_losses_after_haggling).
        return Ending.GIFT
    cut = yield from confirm(
        attempt.seat,
        "cut_losses",
        f"Take it for {tax}D of Tax, or do without and cut your losses at 1D: cut them?",
        default=False,
        because="resources.cut_losses.choice",
    )
    return Ending.CUT_LOSSES if cut else Ending.GIFT


def _lender_chooses(seat: Seat, tax: int) -> Step[Ending]:
    """Call the loan off for one die, or lend and bear the Tax (resources.loan.failure_choice).

    resources.amb.cut_losses_availability.
    """
    rule = "resources.loan.failure_choice"
    options = (
        Option(key="call_off", label="Call the loan off", rule=rule, cost="1D of Tax"),
        Option(key="lend", label="Lend all the same", rule=rule, cost=f"{tax}D of Tax"),
    )
    chosen = yield from choose(
        seat,
        "loan_failed",
        "The loan strains your means. Call it off?",
        options,
        default="call_off",
        because=rule,
    )
    return Ending.LOAN_OFF if chosen == "call_off" else Ending.LOAN_GIVEN


def pay_out(spending: Spending, purse: Purse, tax: int, table: BurningTable) -> Step[BurningTable]:
    """What a test uses up: cash, whatever came of it; letters; a test of each loan; and Tax.

    resources.cash.one_test.
    """
    who = spending.character
    wealth = wealth_of(table, who)
    because = "resources.cash.one_test"
    table = yield from table.add(who, "resources.cash", -purse.cash, because=because)
    because = "resources.debt.repaid_links_to_lender"
    table = yield from table.amend(who, "resources.repaid", 0, because=because)
    letters = list(wealth.letters)
    for name in spending.letters:
        letters.remove(name)
    because = "resources.help.need_not_be_present"
    table = yield from table.amend(who, "resources.letters", tuple(letters), because=because)
    return (yield from take_tax(table, who, tax, purse.loans, purse.fund))
