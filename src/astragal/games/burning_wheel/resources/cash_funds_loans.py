"""Cash, goods, titles and loans: what adds dice to Resources beside the exponent.

A part of the chapter on Resources (``resources/resources_test``), where these
dice are used and lost; paying debts back is in
``resources/maintenance``.
"""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.resources.resources_test import (
    MOST_OBSTACLE,
    Mercy,
    Spending,
    Spent,
    spend,
)
from astragal.games.burning_wheel.resources.tax import wealth_of, with_resources
from astragal.games.burning_wheel.sheet.editions import edition
from astragal.games.burning_wheel.sheet.parts import Debt, Fund, Loan
from astragal.games.burning_wheel.sheet.ratings import HIGHEST_EXPONENT, Rating
from astragal.games.burning_wheel.sheet.reading import MOST_FUND, MOST_WEALTH
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Line,
    Noted,
    Number,
    Option,
    Play,
    Step,
    Tally,
    ask,
    call,
    choose,
    confirm,
    tell,
)

# --- Home turf -----------------------------------------------------------------------------


class SettleHome(Arguments, frozen=True):
    """Where somebody's Resources are at home."""

    character: str
    home: str


class Settled(Outcome, frozen=True):
    """Whether player and GM agreed."""

    agreed: bool


def settle_home(arguments: SettleHome, table: BurningTable) -> Play[Settled]:
    """Player and GM settle the home turf once, before play (resources.home.agreed_before_play)."""
    rule = "resources.home.agreed_before_play"
    home = arguments.home.strip()
    if not home:
        raise BadInput("home", arguments.home, "a place or a region", rule)
    name = table.character(arguments.character).name
    settled = wealth_of(table, arguments.character).home
    if settled:
        raise NotAllowed(f"the Resources of {name} are at home already: {settled}", rule)
    prompt = f"Are the Resources of {name} at home here? {home}"
    agreed = yield from confirm(GM, "agree_home", prompt, default=True, because=rule)
    if agreed:
        table = yield from with_resources(table, arguments.character)
        yield from table.amend(arguments.character, "resources.home", home, because=rule)
    return Settled(agreed)


# --- Letters of credit ---------------------------------------------------------------------


class WriteLetter(Arguments, frozen=True):
    """Who promises help with a purchase, and to whom."""

    helper: str
    holder: str


class Letter(Outcome, frozen=True):
    """Whether a letter was written."""

    written: bool


def write_letter(arguments: WriteLetter, table: BurningTable) -> Play[Letter]:
    """Help with Resources given beforehand, for use where the helper is not.

    resources.help.need_not_be_present.
    """
    rule = "resources.help.need_not_be_present"
    helper = table.character(arguments.helper, "helper")
    holder = table.character(arguments.holder, "holder")
    if arguments.helper == arguments.holder:
        raise BadInput("holder", arguments.holder, "somebody other than the helper", rule)
    if arguments.helper in wealth_of(table, arguments.holder).letters:
        raise NotAllowed(f"{holder.name} holds a letter of {helper.name} already", rule)
    writes = yield from confirm(
        helper.seat(arguments.helper),
        "write",
        f"{helper.name}: stand surety in writing for {holder.name}, and be Taxed too if it fails?",
        default=True,
        because="resources.help.all_taxed",
    )
    if writes:
        table = yield from with_resources(table, arguments.holder)
        letters = (*wealth_of(table, arguments.holder).letters, arguments.helper)
        yield from table.amend(arguments.holder, "resources.letters", letters, because=rule)
    return Letter(writes)


# --- Cash and funds ------------------------------------------------------------------------


class ReceiveCash(Arguments, frozen=True):
    """Who is paid or rewarded in cash, and for what."""

    character: str
    reason: str


class ReceiveFund(Arguments, frozen=True):
    """Who comes into lasting wealth, and what it is."""

    character: str
    fund: str


class Received(Outcome, frozen=True):
    """How many dice it is worth."""

    dice: int


def receive_cash(arguments: ReceiveCash, table: BurningTable) -> Play[Received]:
    """A substantial amount of cash is worth dice, how many is for the GM (resources.cash.bonus)."""
    rule = "resources.cash.bonus"
    name = table.character(arguments.character).name
    dice = yield from ask(
        GM,
        "cash_dice",
        f"How many dice is this worth to {name}? {arguments.reason}",
        Number(least=0, most=10),
        because=rule,
    )
    if dice:
        table = yield from with_resources(table, arguments.character)
        held = wealth_of(table, arguments.character).cash + dice
        if held > MOST_WEALTH:
            raise BadInput("cash_dice", dice, f"at most {MOST_WEALTH} dice of cash in all", rule)
        yield from table.amend(arguments.character, "resources.cash", held, because=rule)
    return Received(dice)


def receive_fund(arguments: ReceiveFund, table: BurningTable) -> Play[Received]:
    """Property, goods or a great sum: a lasting bonus of 1 to 10 dice (resources.fund.bonus)."""
    rule = "resources.fund.bonus"
    if not arguments.fund.strip():
        raise BadInput("fund", arguments.fund, "what the wealth consists in", rule)
    name = table.character(arguments.character).name
    dice = yield from ask(
        GM,
        "fund_dice",
        f"How many lasting dice is this worth to {name}? {arguments.fund}",
        Number(least=1, most=MOST_FUND),
        because=rule,
    )
    table = yield from with_resources(table, arguments.character)
    funds = (*wealth_of(table, arguments.character).funds, Fund(arguments.fund.strip(), dice))
    yield from table.amend(arguments.character, "resources.funds", funds, because=rule)
    return Received(dice)


# --- Titles --------------------------------------------------------------------------------


class Rank(Arguments, frozen=True):
    """Whose rank, and which."""

    character: str
    rank: str


class Raised(Outcome, frozen=True):
    """Resources after a change of rank, and whether that changed them."""

    resources: Rating
    changed: bool


def grant_title(arguments: Rank, table: BurningTable) -> Play[Raised]:
    """A rise in station may raise Resources by 1 (resources.title.bonus).

    Whether it does is for the GM alone, and it may do nothing, above all for the wealthy
    (resources.title.gm_decides). In the later edition it advances Resources for good
    (gold.resources.titles, gold.diff.titles).
    """
    rule = "resources.title.gm_decides"
    rank = arguments.rank.strip()
    wealth = wealth_of(table, arguments.character)
    if not rank or rank in wealth.titles:
        raise BadInput("rank", arguments.rank, "a rank that does not count already", rule)
    raises = False
    if wealth.rating.exponent < HIGHEST_EXPONENT:
        name = table.character(arguments.character).name
        prompt = f"Does {name} have more Resources as {rank} ({wealth.rating} so far)?"
        raises = yield from confirm(GM, "title_bonus", prompt, default=False, because=rule)
    if not raises:
        return Raised(wealth.rating, False)
    table = yield from with_resources(table, arguments.character)
    if edition(table.options).titles_advance:
        return (yield from _advance(arguments.character, table))
    return (yield from _with_titles(arguments.character, (*wealth.titles, rank), table))


def _advance(character: str, table: BurningTable) -> Step[Raised]:
    """Resources rise by a title, and stay so."""
    rating = wealth_of(table, character).rating.raised()
    rule = "gold.resources.titles"
    yield from table.amend(character, "resources.rating", rating, because=rule)
    return Raised(rating, True)


def lose_title(arguments: Rank, table: BurningTable) -> Play[Raised]:
    """The increase lasts as long as the rank (resources.title.kept_while_held)."""
    wealth = wealth_of(table, arguments.character)
    if arguments.rank not in wealth.titles:
        held = ", ".join(wealth.titles) or "none"
        expected = f"a rank that raised Resources: {held}"
        rule = "resources.title.kept_while_held"
        raise BadInput("rank", arguments.rank, expected, rule)
    titles = tuple(title for title in wealth.titles if title != arguments.rank)
    return (yield from _with_titles(arguments.character, titles, table))


def _with_titles(character: str, titles: tuple[str, ...], table: BurningTable) -> Step[Raised]:
    """Store the ranks that count, each worth a point of the underlying exponent.

    resources.amb.title_exponent_or_bonus.
    """
    wealth = wealth_of(table, character)
    change = len(titles) - len(wealth.titles)
    rule = "resources.title.bonus" if change > 0 else "resources.title.kept_while_held"
    exponent = max(0, wealth.rating.exponent + change)
    rating = Rating(wealth.rating.shade, exponent)
    table = yield from table.amend(character, "resources.titles", titles, because=rule)
    table = yield from table.amend(character, "resources.rating", rating, because=rule)
    taxed = min(wealth.taxed, exponent)
    yield from table.amend(character, "resources.taxed", taxed, because=rule)
    return Raised(rating, rating != wealth.rating)


# --- Loans ---------------------------------------------------------------------------------


class Lend(Arguments, frozen=True):
    """Who lends how many dice to whom, good for how many tests.

    In the later edition the dice are the lender's own, of his cash or of a ``fund``.
    """

    lender: str
    borrower: str
    dice: int
    tests: int = 1
    helpers: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    fund: str = ""


class Lent(Outcome, frozen=True):
    """Whether the dice were lent, what is owed for them, and the lender's test."""

    lent: bool
    passed: bool
    debt: int = 0
    test: Spent | None = None


def loan_obstacle(dice: int, tests: int) -> Tally:
    """Twice the dice, and a point more for every test after the first.

    resources.loan.test, resources.loan.multiple_tests.

    >>> print(loan_obstacle(dice=2, tests=3))
    6 = 4 for 2 dice + 2 for 2 more tests
    """
    obstacle = Tally.of(2 * dice, f"for {dice} dice", "resources.loan.test")
    if tests > 1:
        more = f"for {tests - 1} more tests"
        obstacle += Line(tests - 1, more, "resources.loan.multiple_tests")
    return obstacle


def lend(arguments: Lend, table: BurningTable) -> Play[Lent]:
    """Lend Resources dice by passing a test of one's own (resources.loan.test).

    A lender who is nobody's character is the GM's (resources.amb.loan_terms_to_npc). In the
    later edition it takes no test (gold.diff.loan_terms).
    """
    lender = table.character(arguments.lender, "lender")
    borrower = table.character(arguments.borrower, "borrower")
    rule = "resources.loan.test"
    if arguments.lender == arguments.borrower:
        raise BadInput("borrower", arguments.borrower, "somebody other than the lender", rule)
    price = loan_obstacle(arguments.dice, arguments.tests)
    if arguments.dice < 1 or price.total > MOST_OBSTACLE:
        raise BadInput("dice", arguments.dice, f"1 or more, up to Ob {MOST_OBSTACLE}", rule)
    if arguments.tests < 1:
        expected, rule = "1 test or more", "resources.loan.multiple_tests"
        raise BadInput("tests", arguments.tests, expected, rule)
    if edition(table.options).loans_are_handed_over:
        return (yield from _hand_over(arguments, table))
    owes, interest = yield from _terms(arguments, table)
    agreed = yield from confirm(
        borrower.seat(arguments.borrower),
        "accept_loan",
        f"Accept {arguments.dice}D from {lender.name}, "
        f"{'to be paid back' if owes else 'as a gift'}?",
        default=True,
        because="resources.debt.lender_decides",
    )
    if not agreed:
        return Lent(lent=False, passed=False)
    intent = f"lend {arguments.dice}D to {borrower.name}"
    spending = Spending(
        character=arguments.lender,
        intent=intent,
        task="opens his purse",
        price=price,
        helpers=arguments.helpers,
        letters=arguments.letters,
        mercy=Mercy.LENDER,
    )
    test, table = yield from call(spend, spending, table)
    if not test.acquired:
        yield from tell(Noted("The loan is called off.", "resources.loan.failure_choice"))
        return Lent(lent=False, passed=False, test=test)
    # Once lent they are the borrower's, and the lender's no more (resources.loan.success,
    # resources.loan.lender_shielded).
    table = yield from with_resources(table, arguments.borrower)
    loan = Loan(arguments.lender, arguments.dice, arguments.tests)
    loans = (*wealth_of(table, arguments.borrower).loans, loan)
    because = "resources.loan.success"
    table = yield from table.amend(arguments.borrower, "resources.loans", loans, because=because)
    debt = 0
    if owes:  # the obstacle of the lending test (resources.debt.size)
        debt = test.obstacle.total + interest
        debts = (*wealth_of(table, arguments.borrower).debts, Debt(arguments.lender, debt))
        because = "resources.debt.size"
        yield from table.amend(arguments.borrower, "resources.debts", debts, because=because)
    return Lent(lent=True, passed=test.passed, debt=debt, test=test)


def _hand_over(arguments: Lend, table: BurningTable) -> Step[Lent]:
    """Cash or dice of a fund change hands, as many as are lent (gold.resources.dice_loan)."""
    rule, lender = "gold.resources.dice_loan", arguments.lender
    wealth = wealth_of(table, lender)
    funds = {fund.name: fund.dice for fund in wealth.funds}
    if arguments.fund and arguments.fund not in funds:
        expected = f"a fund of the lender: {', '.join(funds) or 'none'}"
        raise BadInput("fund", arguments.fund, expected, rule)
    held = funds[arguments.fund] if arguments.fund else wealth.cash
    if arguments.dice > held:
        raise BadInput("dice", arguments.dice, f"at most the {held} dice that there are", rule)
    if arguments.fund:
        funds[arguments.fund] -= arguments.dice
        left = tuple(Fund(name, dice) for name, dice in funds.items() if dice)
        table = yield from table.amend(lender, "resources.funds", left, because=rule)
    else:
        table = yield from table.add(lender, "resources.cash", -arguments.dice, because=rule)
    table = yield from with_resources(table, arguments.borrower)
    loan = Loan(lender, arguments.dice, arguments.tests)
    loans = (*wealth_of(table, arguments.borrower).loans, loan)
    yield from table.amend(arguments.borrower, "resources.loans", loans, because=rule)
    return Lent(lent=True, passed=True)


def _terms(arguments: Lend, table: BurningTable) -> Step[tuple[bool, int]]:
    """Whether the loan is a gift or must be paid back, and with what interest.

    resources.debt.lender_decides, resources.amb.debt_interest.
    """
    seat = table.character(arguments.lender).seat(arguments.lender)
    rule = "resources.debt.lender_decides"
    options = (
        Option(key="debt", label="It must be paid back", rule=rule),
        Option(key="gift", label="It is a gift", rule=rule),
    )
    chosen = yield from choose(
        seat, "terms", "Must the loan be paid back?", options, default="debt", because=rule
    )
    if chosen == "gift" or table.options["resources_debt_interest"] == "none":
        return chosen == "debt", 0
    interest = yield from ask(
        seat,
        "interest",
        "How much interest is owed on top?",
        Number(least=0, most=MOST_OBSTACLE, default=0),
        because="resources.amb.debt_interest",
    )
    return True, interest


PROCEDURES = (
    Procedure("settle_home", "Settle where Resources are at home", SettleHome, settle_home),
    Procedure("write_letter", "Promise help with a purchase in writing", WriteLetter, write_letter),
    Procedure("receive_cash", "Cash on hand", ReceiveCash, receive_cash, gm_only=True),
    Procedure(
        "receive_fund", "Property, goods, funds and caches", ReceiveFund, receive_fund, gm_only=True
    ),
    Procedure("grant_title", "A rise in rank", Rank, grant_title, gm_only=True),
    Procedure("lose_title", "A rank is lost", Rank, lose_title, gm_only=True),
    Procedure("lend", "Lend Resources dice", Lend, lend),
)
