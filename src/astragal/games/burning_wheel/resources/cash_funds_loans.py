"""Cash, goods, letters and loans: what adds dice to Resources beside the exponent.

A part of the chapter on Resources (``resources/resources_test``), where these
dice are used and lost; paying debts back is in
``resources/maintenance``.
"""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Line, Number, Play, Step, Tally, ask, call, choose, confirm, note

from ..sheet.editions import edition
from ..sheet.parts import Debt, Fund, Loan
from ..sheet.reading import MOST_FUND, MOST_WEALTH
from ..sheet.scene import BurningTable
from ..tests.results import StandardOutcome
from .linked_skill import LinkedSkill, LinkedTo, linked_first
from .resources_test import MOST_OBSTACLE, Mercy, ResourcesOutcome, Spending, spend
from .tax import wealth_of, with_resources

# --- Letters of credit ---------------------------------------------------------------------


class WriteLetter(Arguments, frozen=True):
    """Who promises to help with a Resources test, and to whom."""

    helper: str
    holder: str


class LetterOutcome(Outcome, frozen=True):
    """Whether a letter was written."""

    written: bool


def write_letter(arguments: WriteLetter, table: BurningTable) -> Play[LetterOutcome]:
    """Help with Resources given beforehand, for use where the helper is not.

    resources.help.need_not_be_present. Both are asked, unless one seat plays them both.
    """
    rule = "resources.help.need_not_be_present"
    helper = table.character(arguments.helper, "helper")
    holder = table.character(arguments.holder, "holder")
    if arguments.helper == arguments.holder:
        raise BadInput("holder", arguments.holder, "someone other than the helper", rule)
    if arguments.helper in wealth_of(table, arguments.holder).letters:
        raise NotAllowed(f"{holder.name} already has a letter from {helper.name}", rule)
    writes = yield from confirm(
        helper.seat(arguments.helper),
        "write",
        f"{helper.name}: write {holder.name} a letter of credit? You are taxed too if it fails.",
        default=True,
        because="resources.help.all_taxed",
    )
    reader = holder.seat(arguments.holder)
    if writes and reader != helper.seat(arguments.helper):
        # Nothing is put on somebody's sheet without asking.
        writes = yield from confirm(
            reader,
            "accept",
            f"{holder.name}: accept a letter of credit from {helper.name}?",
            default=True,
            because=rule,
        )
    if writes:
        table = yield from with_resources(table, arguments.holder)
        letters = (*wealth_of(table, arguments.holder).letters, arguments.helper)
        yield from table.amend(arguments.holder, "resources.letters", letters, because=rule)
    return LetterOutcome(writes)


# --- Cash and funds ------------------------------------------------------------------------


class ReceiveCash(Arguments, frozen=True):
    """Who is paid or rewarded in cash, and for what."""

    character: str
    reason: str


class ReceiveFund(Arguments, frozen=True):
    """Who comes into lasting wealth, and what it is: property, goods, a cache of coin."""

    character: str
    fund: str


class NewWealth(Outcome, frozen=True):
    """How many dice it is worth."""

    dice: int


def receive_cash(arguments: ReceiveCash, table: BurningTable) -> Play[NewWealth]:
    """A substantial amount of cash is worth dice, how many is for the GM (resources.cash.bonus)."""
    rule = "resources.cash.bonus"
    name = table.character(arguments.character).name
    dice = yield from ask(
        GM,
        "cash_dice",
        f"Cash dice for {name} ({arguments.reason})",
        Number(least=0, most=10),
        because=rule,
    )
    if dice:
        table = yield from with_resources(table, arguments.character)
        held = wealth_of(table, arguments.character).cash + dice
        if held > MOST_WEALTH:
            raise BadInput("cash_dice", dice, f"at most {MOST_WEALTH} cash dice in all", rule)
        yield from table.amend(arguments.character, "resources.cash", held, because=rule)
    return NewWealth(dice)


def receive_fund(arguments: ReceiveFund, table: BurningTable) -> Play[NewWealth]:
    """Property, goods or a great sum: a lasting bonus of 1 to 10 dice (resources.fund.bonus)."""
    rule = "resources.fund.bonus"
    known = [each.name for each in wealth_of(table, arguments.character).funds]
    if not arguments.fund.strip() or arguments.fund.strip() in known:
        raise BadInput("fund", arguments.fund, "what the new fund consists of", rule)
    name = table.character(arguments.character).name
    dice = yield from ask(
        GM,
        "fund_dice",
        f"Fund dice for {name} ({arguments.fund})",
        Number(least=1, most=MOST_FUND),
        because=rule,
    )
    table = yield from with_resources(table, arguments.character)
    funds = (*wealth_of(table, arguments.character).funds, Fund(arguments.fund.strip(), dice))
    yield from table.amend(arguments.character, "resources.funds", funds, because=rule)
    return NewWealth(dice)


# --- Loans ---------------------------------------------------------------------------------


class Lend(Arguments, frozen=True):
    """Who lends how many dice to whom, good for how many tests.

    In the later edition the dice come from the lender's cash or from a ``fund``.
    """

    lender: str
    borrower: str
    dice: int
    tests: int = 1
    linked: LinkedSkill | None = None
    helpers: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    fund: str = ""


class LoanOutcome(Outcome, frozen=True):
    """Whether the dice were lent, what is owed for them, and the lender's test.

    ``linked`` is the test that was made beforehand.
    """

    lent: bool
    passed: bool
    debt: int = 0
    test: ResourcesOutcome | None = None
    linked: StandardOutcome | None = None


def loan_obstacle(dice: int, tests: int) -> Tally:
    """Twice the dice, and a point more for every test after the first.

    resources.loan.test, resources.loan.multiple_tests.

    >>> print(loan_obstacle(dice=2, tests=3))
    6 = 4 for 2D + 2 for 2 more tests
    """
    obstacle = Tally.of(2 * dice, f"for {dice}D", "resources.loan.test")
    if tests > 1:
        more = "for 1 more test" if tests == 2 else f"for {tests - 1} more tests"
        obstacle += Line(tests - 1, more, "resources.loan.multiple_tests")
    return obstacle


def lend(arguments: Lend, table: BurningTable) -> Play[LoanOutcome]:
    """Lend Resources dice by passing a Resources test (resources.loan.test).

    A lender who is nobody's character is the GM's (resources.amb.loan_terms_to_npc). In the
    later edition it takes no test (gold.diff.loan_terms).
    """
    lender = table.character(arguments.lender, "lender")
    borrower = table.character(arguments.borrower, "borrower")
    rule = "resources.loan.test"
    if arguments.lender == arguments.borrower:
        raise BadInput("borrower", arguments.borrower, "someone other than the lender", rule)
    price = loan_obstacle(arguments.dice, arguments.tests)
    handed_over = edition(table.options).loans_are_handed_over
    if arguments.dice < 1 or (price.total > MOST_OBSTACLE and not handed_over):
        raise BadInput("dice", arguments.dice, f"1 or more, up to Ob {MOST_OBSTACLE}", rule)
    if arguments.tests < 1:
        expected, rule = "1 test or more", "resources.loan.multiple_tests"
        raise BadInput("tests", arguments.tests, expected, rule)
    if handed_over:
        return (yield from _hand_over(arguments, table))
    owes, interest = yield from _terms(arguments, table)
    agreed = yield from confirm(
        borrower.seat(arguments.borrower),
        "accept_loan",
        f"Accept {arguments.dice}D from {lender.name} as a {'loan' if owes else 'gift'}?",
        default=True,
        because="resources.debt.lender_decides",
    )
    if not agreed:
        return LoanOutcome(lent=False, passed=False)
    intent = f"lend {arguments.dice}D to {borrower.name}"
    to = LinkedTo("this loan", intent, "find the money")
    link, table = yield from call(linked_first, arguments.lender, arguments.linked, to, table)
    spending = Spending(
        character=arguments.lender,
        intent=intent,
        task="puts up the money",
        price=price,
        helpers=arguments.helpers,
        letters=arguments.letters,
        dice=link.dice,
        obstacle=link.obstacle,
        mercy=Mercy.LENDER,
    )
    test, table = yield from call(spend, spending, table)
    if not test.acquired:
        yield from note("The loan is called off.", "resources.loan.failure_choice")
        return LoanOutcome(lent=False, passed=False, test=test, linked=link.outcome)
    # Once lent they are the borrower's, and the lender's no more (resources.loan.success,
    # resources.loan.lender_shielded).
    table = yield from _add_loan(arguments, table, because="resources.loan.success")
    debt = 0
    if owes:  # the obstacle of the lending test (resources.debt.size)
        debt = test.obstacle.total + interest
        debts = (*wealth_of(table, arguments.borrower).debts, Debt(arguments.lender, debt))
        because = "resources.debt.size"
        yield from table.amend(arguments.borrower, "resources.debts", debts, because=because)
    return LoanOutcome(lent=True, passed=test.passed, debt=debt, test=test, linked=link.outcome)


def _hand_over(arguments: Lend, table: BurningTable) -> Step[LoanOutcome]:
    """Cash or dice of a fund change hands, as many as are lent (gold.resources.dice_loan)."""
    rule, lender = "gold.resources.dice_loan", arguments.lender
    wealth = wealth_of(table, lender)
    funds = {fund.name: fund.dice for fund in wealth.funds}
    if arguments.fund and arguments.fund not in funds:
        expected = f"a fund of the lender: {', '.join(funds) or 'none'}"
        raise BadInput("fund", arguments.fund, expected, rule)
    held = funds[arguments.fund] if arguments.fund else wealth.cash
    if arguments.dice > held:
        raise BadInput("dice", arguments.dice, f"at most {held}, the lender's dice", rule)
    if arguments.fund:
        funds[arguments.fund] -= arguments.dice
        left = tuple(Fund(name, dice) for name, dice in funds.items() if dice)
        table = yield from table.amend(lender, "resources.funds", left, because=rule)
    else:
        table = yield from table.add(lender, "resources.cash", -arguments.dice, because=rule)
    yield from _add_loan(arguments, table, because=rule)
    return LoanOutcome(lent=True, passed=True)


def _add_loan(arguments: Lend, table: BurningTable, *, because: str) -> Step[BurningTable]:
    """The borrowed dice go on the borrower's sheet."""
    table = yield from with_resources(table, arguments.borrower)
    loan = Loan(arguments.lender, arguments.dice, arguments.tests)
    loans = (*wealth_of(table, arguments.borrower).loans, loan)
    return (yield from table.amend(arguments.borrower, "resources.loans", loans, because=because))


def _terms(arguments: Lend, table: BurningTable) -> Step[tuple[bool, int]]:
    """Whether the loan is a gift or must be paid back, and with what interest.

    resources.debt.lender_decides, resources.amb.debt_interest.
    """
    seat = table.character(arguments.lender).seat(arguments.lender)
    rule = "resources.debt.lender_decides"
    chosen = yield from choose(
        seat,
        "terms",
        "Must the loan be paid back?",
        {"debt": "Yes, it is a debt", "gift": "No, it is a gift"},
        default="debt",
        because=rule,
    )
    if chosen == "gift" or table.options["resources_debt_interest"] == "none":
        return chosen == "debt", 0
    interest = yield from ask(
        seat,
        "interest",
        "Interest (added to the debt)",
        Number(least=0, most=MOST_OBSTACLE, default=0),
        because="resources.amb.debt_interest",
        kind="aside",
    )
    return True, interest


PROCEDURES = (
    Procedure("write_letter", "Write a letter of credit", WriteLetter, write_letter),
    Procedure("receive_cash", "Receive cash", ReceiveCash, receive_cash, gm_only=True),
    Procedure("receive_fund", "Receive a fund", ReceiveFund, receive_fund, gm_only=True),
    Procedure("lend", "Lend Resources dice", Lend, lend),
)
