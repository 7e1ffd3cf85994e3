"""Tax: what a failed Resources test takes, and from where.

A part of the chapter on Resources (``resources/resources_test``), which says
when it falls due.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.dice import Shade
from astragal.play import Step, note
from astragal.rules import Record, catalogue

from ..sheet.editions import edition
from ..sheet.parts import Difficulty, Loan, Resources
from ..sheet.ratings import Rating
from ..sheet.scene import BurningTable

# --- The ability ---------------------------------------------------------------------------


def with_resources(table: BurningTable, character: str) -> Step[BurningTable]:
    """Every character has Resources, if only at exponent 0 (resources.ability.every_character)."""
    if table.character(character).resources is not None:
        return table
    nothing = Resources(Rating(Shade.BLACK, 0))
    because = "resources.ability.every_character"
    return (yield from table.amend(character, "resources", nothing, because=because))


def wealth_of(table: BurningTable, character: str) -> Resources:
    """The Resources of a character who is known to have some."""
    wealth = table.character(character).resources
    return Resources(Rating(Shade.BLACK, 0)) if wealth is None else wealth


def name_of(table: BurningTable, who: str) -> str:
    """What somebody is called, also a lender who is not at the table."""
    return table.characters[who].name if who in table.characters else who


# --- How much -------------------------------------------------------------------------------


class Ending(Enum):
    """How a failed Resources test may end.

    The values are the rows of ``resources.table.failure_outcomes``.
    """

    PLAIN = "purchase test failed, no Gift offered"
    GIFT = "purchase test failed, Gift offered and accepted"
    CUT_LOSSES = "purchase test failed, Gift offered and declined (cut losses)"
    WALKED_AWAY = "haggled price, walk away before the roll"
    HAGGLED = "haggled price, test failed"
    LOAN_OFF = "lending test failed, loan called off (cut losses)"
    LOAN_GIVEN = "lending test failed, Tax accepted"

    @property
    def obtained(self) -> bool:
        """Whether the thing is acquired, or the loan made, in spite of the failure."""
        return self._row("gets_it") in ("yes", "loan given")

    @property
    def tax(self) -> str:
        """How much Tax it brings: full, 1D, or none."""
        return self._row("tax")

    def _row(self, column: str) -> str:
        table = catalogue().table("resources.table.failure_outcomes")
        return str(table.value(column, situation=self.value))


def full_tax(failed: Difficulty, short: int) -> int:
    """The dice that a failure takes: one, two, or as many as were missing.

    resources.tax.routine, resources.tax.difficult, resources.tax.challenging.

    >>> [full_tax(each, short=4) for each in Difficulty]
    [1, 2, 4]
    """
    row = _tax(failed)
    return short if row["or_margin_of_failure"] else row.number("tax_dice")


def cut_losses_tax(failed: Difficulty) -> int:
    """A single die, whatever the test was (resources.cut_losses.effect)."""
    return _tax(failed).number("cutting_losses_dice")


def _tax(failed: Difficulty) -> Record:
    table = catalogue().table("resources.table.tax")
    return table.where(failed_test_is=failed.value.capitalize())


# --- From where -----------------------------------------------------------------------------


def take_tax(
    table: BurningTable, character: str, tax: int, drawn_on: tuple[int, ...] = (), fund: str = ""
) -> Step[BurningTable]:
    """Take dice: borrowed ones first, then those of funds, then the character's own.

    resources.amb.tax_order_fund_and_loan. Borrowed dice are lost first (resources.loan.lost_first)
    and cannot be recovered (resources.loan.not_recoverable); so it is with funds
    (resources.fund.taxed_first, resources.fund.lost_permanently). The lender has no part in it
    (resources.loan.lender_shielded). Where only one fund is used on a test, only that ``fund``
    is Taxed (gold.diff.single_fund), and all of it may be, however few of its dice were put in
    (gold.amb.fund_dice_put_in).
    """
    wealth, whole = wealth_of(table, character), tax
    loans, tax = _from_loans(wealth.loans, drawn_on, tax)
    if tax < whole:
        yield from note(f"Lost to tax: {whole - tax}D borrowed.", "resources.loan.lost_first")
    kept = len(loans) == len(wealth.loans)
    because = "resources.loan.lost_first" if kept else "resources.loan.not_recoverable"
    table = yield from table.amend(character, "resources.loans", loans, because=because)
    one_only = edition(table.options).one_fund_a_test
    funds = []
    for each in wealth.funds:
        taken = min(tax, each.dice) if not one_only or each.name == fund else 0
        tax -= taken
        left = each.dice - taken
        if taken:
            text = f"Lost for good: {taken}D of {each.name} ({left}D left)."
            yield from note(text, "resources.fund.taxed_first")
        if left:
            funds.append(msgspec.structs.replace(each, dice=left))
    because = "resources.fund.lost_permanently"
    table = yield from table.amend(character, "resources.funds", tuple(funds), because=because)
    return (yield from _tax_own(table, character, tax))


def _from_loans(
    loans: tuple[Loan, ...], drawn_on: tuple[int, ...], tax: int
) -> tuple[tuple[Loan, ...], int]:
    """The loans after a test: one test fewer for those drawn on, and less the Tax they absorb.

    Dice that would expire anyway absorb it too (resources.amb.tax_order_fund_and_loan); what is
    left may be used on the remaining tests (resources.amb.loan_multi_use).
    """
    after = list(loans)
    for at in sorted(range(len(loans)), key=lambda at: at not in drawn_on):
        taken = min(tax, loans[at].dice)
        tax -= taken
        tests = loans[at].tests - (at in drawn_on)
        after[at] = msgspec.structs.replace(loans[at], dice=loans[at].dice - taken, tests=tests)
    return tuple(loan for loan in after if loan.dice and loan.tests), tax


def _tax_own(table: BurningTable, character: str, tax: int) -> Step[BurningTable]:
    """Dice of one's own are gone for the time being (resources.tax.definition).

    They do not come back on their own (resources.tax.no_natural_recovery). Tax beyond what is
    there is ignored. Resources that fall to 0 lose a die for good (resources.depletion.trigger),
    and what can be restored is then the rest (resources.amb.depletion_bookkeeping).
    """
    wealth = wealth_of(table, character)
    held = wealth.left
    taken = min(tax, held)
    if not taken:
        return table
    sheet = table.character(character)
    text = f"{sheet.name}'s Resources are taxed {taken}D ({held - taken}D left)."
    yield from note(text, "resources.tax.definition")
    if taken < held:
        because = "resources.tax.definition"
        return (yield from table.add(character, "resources.taxed", taken, because=because))
    because = "resources.depletion.trigger"
    lower = wealth.rating.raised(-1)
    table = yield from table.amend(character, "resources.rating", lower, because=because)
    table = yield from table.amend(character, "resources.taxed", lower.exponent, because=because)
    text = f"{sheet.name} is ruined: Resources drop to {lower}"
    yield from note(f"{text}{', all of it taxed' if lower.exponent else ''}.", because)
    return table
