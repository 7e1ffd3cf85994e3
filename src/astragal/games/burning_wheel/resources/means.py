"""What a character brings to a Resources test: cash, borrowed dice, funds and letters of credit.

A part of the chapter on Resources (``resources/resources_test``); where these come from is in
``resources/cash_funds_loans``.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.play import Line, Number, Option, PickSeveral, Seat, Step, ask, choose

from ..sheet.editions import edition
from ..sheet.parts import AbilityKind, Fund
from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated
from ..tests.helping import Helper, help_dice, may_help
from .tax import name_of, take_tax, wealth_of


class Purse(msgspec.Struct, frozen=True):
    """What is used on one test: cash, the loans drawn on, and a fund's dice.

    Where all funds help on every test none is named.
    """

    cash: int = 0
    loans: tuple[int, ...] = ()
    fund: str = ""
    fund_dice: int = 0


# --- What is used --------------------------------------------------------------------------


def open_purse(character: str, table: BurningTable) -> Step[Purse]:
    """Cash and borrowed dice are used where their owner likes.

    Dice that others have lent are added as many as were lent (gold.resources.dice_loan).
    """
    seat = table.character(character).seat(character)
    wealth = wealth_of(table, character)
    played = edition(table.options)
    cash = 0
    if wealth.cash:
        cash = yield from _cash(seat, wealth.cash, by_the_die=played.cash_by_the_die)
    loans = yield from _loans(seat, character, table)
    fund, dice = "", 0
    if played.one_fund_a_test and wealth.funds:
        fund, dice = yield from _one_fund(seat, wealth.funds)
    return Purse(cash, loans, fund, dice)


def _cash(seat: Seat, held: int, *, by_the_die: bool) -> Step[int]:
    """All the cash at once, or a parcel of one or two dice.

    resources.cash.split, resources.amb.cash_all_at_once; in the later edition any number of dice
    (gold.resources.dice_cash).
    """
    prompt = "How much cash do you use? (spent, pass or fail)"
    if by_the_die:
        rule = "gold.resources.dice_cash"
        question = Number(least=0, most=held, default=0)
        return (yield from ask(seat, "cash", prompt, question, because=rule))
    parcels = {"none": (0, "None"), "1": (1, "1D"), "2": (2, "2D"), "all": (held, f"All {held}D")}
    options = tuple(
        Option(key, label, "resources.cash.split")
        for key, (dice, label) in parcels.items()
        if dice <= held
    )
    chosen = yield from choose(
        seat, "cash", prompt, options, default="none", because="resources.cash.one_test"
    )
    return parcels[chosen][0]


def _loans(seat: Seat, character: str, table: BurningTable) -> Step[tuple[int, ...]]:
    """The loans drawn on, by their place on the sheet."""
    loans = wealth_of(table, character).loans
    if not loans:
        return ()
    options = tuple(
        Option(
            key=str(at),
            label=f"{loan.dice}D from {name_of(table, loan.lender)}",
            rule="resources.loan.test",
            note="good for 1 test" if loan.tests == 1 else f"good for {loan.tests} tests",
        )
        for at, loan in enumerate(loans)
    )
    chosen = yield from ask(
        seat,
        "borrowed",
        "Which borrowed dice do you use?",
        PickSeveral(options=options, default=()),
        because="resources.loan.multiple_tests",
    )
    return tuple(int(at) for at in chosen)


def _one_fund(seat: Seat, funds: tuple[Fund, ...]) -> Step[tuple[str, int]]:
    """Some dice of one fund, or all of them; never of two (gold.resources.dice_fund)."""
    rule = "gold.resources.dice_fund"
    options = {fund.name: f"{fund.name}, {fund.dice}D" for fund in funds}
    chosen = yield from choose(
        seat,
        "fund",
        "Which fund do you use? (if the test fails, it is taxed first, permanently)",
        {"none": "None", **options},
        default="none",
        because=rule,
    )
    held = {fund.name: fund.dice for fund in funds}.get(chosen, 0)
    if not held:
        return "", 0
    prompt = f"How many dice of {chosen}?"
    question = Number(least=1, most=held, default=held)
    dice = yield from ask(seat, "fund_dice", prompt, question, because=rule)
    return chosen, dice


# --- The dice it adds ----------------------------------------------------------------------


def wealth_dice(
    purse: Purse, character: str, table: BurningTable, *, own_means: bool
) -> tuple[Line, ...]:
    """The dice that wealth adds; all of them count as rolled.

    resources.amb.bonus_dice_count_for_advancement. A fund helps on every test
    (resources.fund.bonus), or only the one that is used (gold.diff.single_fund); what a debtor
    repaid helps on the next one only.
    """
    wealth = wealth_of(table, character)
    one_only = edition(table.options).one_fund_a_test
    rule = "gold.resources.dice_fund" if one_only else "resources.fund.bonus"
    in_use = {purse.fund: purse.fund_dice}
    if not one_only and not own_means:
        in_use = {fund.name: fund.dice for fund in wealth.funds}
    lines = tuple(
        Line(in_use[fund.name], f"fund: {fund.name}", rule)
        for fund in wealth.funds
        if in_use.get(fund.name)
    )
    for loan in (wealth.loans[at] for at in purse.loans):
        lender = name_of(table, loan.lender)
        lines += (Line(loan.dice, f"loan from {lender}", "resources.loan.test"),)
    if purse.cash:
        lines += (Line(purse.cash, "cash", "resources.cash.bonus"),)
    if wealth.repaid:
        rule = "resources.debt.repaid_links_to_lender"
        lines += (Line(wealth.repaid, "repaid debt", rule),)
    return lines


def letter_writers(
    character: str, letters: tuple[str, ...], helpers: tuple[str, ...], table: BurningTable
) -> tuple[Helper, ...]:
    """Help promised beforehand, by somebody who need not be there.

    resources.help.need_not_be_present.
    """
    sheet, rule = table.character(character), "resources.help.need_not_be_present"
    held = wealth_of(table, character).letters
    writers: tuple[Helper, ...] = ()
    for index, name in enumerate(letters):
        place = f"letters[{index}]"
        if name not in held:
            expected = f"a letter of credit that {sheet.name} has, from {_listed(held)}"
            raise BadInput(place, name, expected, rule)
        if name in letters[:index] or name in helpers:
            raise BadInput(place, name, "each helper once", "tests.amb.helper_count")
        writer = table.character(name, place)
        helping = Rated("Resources", AbilityKind.RESOURCES, wealth_of(table, name))
        if may_help(helping, sheet.ability("Resources"), table.options) is None:
            what = f"{writer.name} has no Resources dice left: leave the letter of credit out"
            raise NotAllowed(what, "tests.amb.helper_wounded_or_zero")
        writers += (Helper(name, helping, "a letter of credit", help_dice(helping).amount),)
    return writers


def letter_dice(writer: Helper, table: BurningTable) -> Line:
    """The dice of a letter of credit: those of help, from somebody who is not there."""
    line = help_dice(writer.helping)
    label = f"letter of credit from {name_of(table, writer.character)}: {writer.helping}"
    return msgspec.structs.replace(line, label=label)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "nobody"


# --- What it uses up -----------------------------------------------------------------------


def pay_out(
    character: str, purse: Purse, letters: tuple[str, ...], tax: int, table: BurningTable
) -> Step[BurningTable]:
    """What a test uses up: cash, pass or fail; letters; a test of each loan; and Tax.

    resources.cash.one_test.
    """
    because = "resources.cash.one_test"
    table = yield from table.add(character, "resources.cash", -purse.cash, because=because)
    because = "resources.debt.repaid_links_to_lender"
    table = yield from table.amend(character, "resources.repaid", 0, because=because)
    held = list(wealth_of(table, character).letters)
    for name in letters:
        held.remove(name)
    because = "resources.help.need_not_be_present"
    table = yield from table.amend(character, "resources.letters", tuple(held), because=because)
    return (yield from take_tax(table, character, tax, purse.loans, purse.fund))
