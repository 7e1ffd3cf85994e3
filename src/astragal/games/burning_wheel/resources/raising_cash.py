"""Turning Resources into cash and funds, by a test (gold.diff.make_cash, gold.diff.make_fund).

A procedure of the later edition only: in the Revised one both are come by in play
(``resources/cash_funds_loans``). It is a Resources test like any other, so a
failure is Taxed and only success is logged (gold.amb.money_failure).
"""

from __future__ import annotations

from astragal.errors import BadInput, check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Line, Play, Step, Tally, call

from ..sheet.editions import GOLD, check_edition
from ..sheet.parts import Fund
from ..sheet.reading import MOST_FUND, MOST_WEALTH
from ..sheet.scene import BurningTable
from ..tests.results import StandardOutcome
from .linked_skill import Link, LinkedSkill, LinkedTo, linked_first
from .resources_test import ResourcesOutcome, Spending, spend
from .tax import wealth_of


class MakeCash(Arguments, frozen=True):
    """Who turns wealth into how many dice of cash, and how; ``linked`` is tested beforehand."""

    character: str
    dice: int
    task: str = "sells what can be sold"
    helpers: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    linked: LinkedSkill | None = None


class MakeFund(Arguments, frozen=True):
    """Who sets up a fund of how many dice, what it consists of, and how.

    ``linked`` is tested beforehand.
    """

    character: str
    fund: str
    dice: int
    task: str = "sets wealth aside"
    helpers: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    linked: LinkedSkill | None = None


class MoneyOutcome(Outcome, frozen=True):
    """Whether the money was made, and the test; ``linked`` is the one made beforehand."""

    passed: bool
    dice: int
    test: ResourcesOutcome
    linked: StandardOutcome | None = None


def cash_obstacle(dice: int) -> Tally:
    """Twice the dice wanted (gold.resources.make_cash).

    >>> cash_obstacle(2).total
    4
    """
    return Tally.of(2 * dice, f"{dice}D cash", "gold.resources.make_cash")


def fund_obstacle(dice: int) -> Tally:
    """Twice the dice of the fund, and one more (gold.resources.make_fund).

    >>> fund_obstacle(3).total
    7
    """
    rule = "gold.resources.make_fund"
    return Tally.of(2 * dice, f"{dice}D fund", rule) + Line(1, "lasting", rule)


def _can_make_cash(_: str, table: BurningTable) -> None:
    """Only the later edition has a test for it (gold.diff.make_cash)."""
    check_edition(GOLD, table.options, "Cash can only be received in play", "gold.diff.make_cash")


def make_cash(arguments: MakeCash, table: BurningTable) -> Play[MoneyOutcome]:
    """Make cash by a Resources test (gold.resources.make_cash)."""
    rule = "gold.resources.make_cash"
    _check_dice(arguments.dice, rule)
    intent = f"{arguments.dice}D of cash"
    price = cash_obstacle(arguments.dice)
    spent, link, table = yield from _tested(arguments, intent, price, table)
    if not spent.acquired:
        return MoneyOutcome(False, 0, spent, link.outcome)
    held = wealth_of(table, arguments.character).cash + arguments.dice
    if held > MOST_WEALTH:
        raise BadInput("dice", arguments.dice, f"at most {MOST_WEALTH} cash dice in all", rule)
    yield from table.amend(arguments.character, "resources.cash", held, because=rule)
    return MoneyOutcome(spent.passed, arguments.dice, spent, link.outcome)


def _can_make_fund(_: str, table: BurningTable) -> None:
    """Only the later edition has a test for it (gold.diff.make_fund)."""
    check_edition(GOLD, table.options, "A fund can only be received in play", "gold.diff.make_fund")


def make_fund(arguments: MakeFund, table: BurningTable) -> Play[MoneyOutcome]:
    """Set up a fund by a Resources test (gold.resources.make_fund)."""
    rule = "gold.resources.make_fund"
    _check_dice(arguments.dice, rule)
    name = arguments.fund.strip()
    known = [each.name for each in wealth_of(table, arguments.character).funds]
    if not name or name in known:
        raise BadInput("fund", arguments.fund, "what the new fund consists of", rule)
    price = fund_obstacle(arguments.dice)
    spent, link, table = yield from _tested(arguments, name, price, table)
    if not spent.acquired:
        return MoneyOutcome(False, 0, spent, link.outcome)
    funds = (*wealth_of(table, arguments.character).funds, Fund(name, arguments.dice))
    yield from table.amend(arguments.character, "resources.funds", funds, because=rule)
    return MoneyOutcome(spent.passed, arguments.dice, spent, link.outcome)


def _check_dice(dice: int, rule: str) -> None:
    check_between("dice", dice, 1, MOST_FUND, rule, unit="dice")


def _tested(
    arguments: MakeCash | MakeFund, intent: str, price: Tally, table: BurningTable
) -> Step[tuple[ResourcesOutcome, Link, BurningTable]]:
    """The test, after one that leads into it (gold.resources.dice_linked).

    Whether cash and other funds may be used on it is the table's custom (gold.amb.money_failure).
    """
    to = LinkedTo("this test", intent, "find the money")
    link, table = yield from call(linked_first, arguments.character, arguments.linked, to, table)
    spending = Spending(
        character=arguments.character,
        intent=intent,
        task=arguments.task,
        price=price,
        helpers=arguments.helpers,
        letters=arguments.letters,
        dice=link.dice,
        obstacle=link.obstacle,
        own_means=table.options["gold_money_from_cash_and_funds"] == "forbidden",
    )
    spent, table = yield from call(spend, spending, table)
    return spent, link, table


PROCEDURES = (
    Procedure("make_cash", "Make cash", MakeCash, make_cash, check=_can_make_cash),
    Procedure("make_fund", "Make a fund", MakeFund, make_fund, check=_can_make_fund),
)
