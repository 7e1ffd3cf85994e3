"""Tax: how many dice a failure takes, from where, and what is then left."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice import Recorded
from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME, BurningTable
from astragal.games.burning_wheel.resources.tax import cut_losses_tax, full_tax, take_tax
from astragal.games.burning_wheel.sheet.parts import Difficulty
from astragal.play import Session, Then, by, then
from games.burning_wheel.playing import Played, play, sheet, table


def fails(wealth: Any, price: int, successes: int, answers: dict[str, Any] | None = None) -> Played:
    at = table(rich={"resources": wealth})
    arguments = {"character": "rich", "item": "a thing"}
    return play("purchase", arguments, at, {"price": price, **(answers or {})}, [successes])


# --- How much ------------------------------------------------------------------------------


@pytest.mark.rules(
    "resources.tax.definition",
    "resources.tax.routine",
    "resources.tax.difficult",
    "resources.tax.challenging",
)
@pytest.mark.parametrize(
    ("price", "successes", "difficulty", "tax"),
    [
        # Five dice: routine up to Ob 3, difficult at 4 and 5, challenging from 6 on.
        (3, 0, "routine", 1),
        (3, 2, "routine", 1),
        (4, 3, "difficult", 2),
        (5, 0, "difficult", 2),
        (6, 5, "challenging", 1),
        (6, 2, "challenging", 4),
        (10, 0, "challenging", 5),  # ten were missing, but only five dice were there
    ],
)
def test_tax_goes_by_the_class_of_the_test(price: int, successes: int, difficulty: str, tax: int):
    run = fails("B5", price, successes)
    assert run.outcome.test.difficulty == difficulty
    after = run.table.characters["rich"].resources
    assert f"Rich's Resources are taxed {tax}D ({5 - tax}D left)." in run.told
    assert run.outcome.test.left == 5 - tax
    if tax < 5:
        assert run.outcome.test.tax == tax
        assert (str(after.rating), after.taxed) == ("B5", tax)
    else:
        assert (str(after.rating), after.taxed) == ("B4", 4)


def test_the_dice_rolled_set_the_class_bonus_dice_and_all():
    # Three dice against Ob 4 would be challenging; with two of cash it is difficult.
    run = fails({"rating": "B3", "cash": 2}, 4, 0, {"cash": "all"})
    assert (run.outcome.test.difficulty, run.outcome.test.tax) == ("difficult", 2)
    # Taxed dice are not rolled: B5 with two of them Taxed against Ob 4 is challenging.
    run = fails({"rating": "B5", "taxed": 2}, 4, 3)
    assert (run.outcome.test.difficulty, run.outcome.test.tax) == ("challenging", 1)


@pytest.mark.parametrize(("chosen", "tax"), [({}, 1), ({"tax_as": "difficult"}, 2)])
def test_one_die_against_one_is_what_the_player_says(chosen: dict[str, str], tax: int):
    run = fails("B1", 1, 0, chosen)
    assert run.outcome.test.tax == tax
    assert "Rich is ruined: Resources drop to B0." in run.told  # none is left that could be taxed


@pytest.mark.rules("resources.cut_losses.effect")
def test_losses_are_cut_to_one_die_whatever_the_test_was():
    assert [cut_losses_tax(each) for each in Difficulty] == [1, 1, 1]
    assert [full_tax(each, short) for each in Difficulty for short in (1, 7)] == [1, 1, 2, 2, 1, 7]


# --- From where ----------------------------------------------------------------------------


def taxed(at: BurningTable, tax: int, drawn_on: tuple[int, ...] = ()) -> Any:
    """Resources after so much Tax."""

    def procedure(at: BurningTable) -> Any:
        at = yield from take_tax(at, "rich", tax, drawn_on)
        return at

    start: Then[BurningTable] = then(procedure, at)
    return Session(start, by(Recorded(()))).result.characters["rich"].resources


FULL = {
    "rating": "B3",
    "funds": [{"name": "a mill", "dice": 2}, {"name": "wine", "dice": 1}],
    "loans": [{"lender": "odo", "dice": 1, "tests": 2}, {"lender": "ada", "dice": 2}],
}


@pytest.mark.rules(
    "resources.loan.lost_first",
    "resources.loan.not_recoverable",
    "resources.fund.taxed_first",
    "resources.fund.lost_permanently",
)
@pytest.mark.parametrize(
    ("tax", "loans", "funds", "own"),
    [
        (0, [1, 2], [2, 1], 0),
        (1, [2], [2, 1], 0),
        (3, [], [2, 1], 0),
        (4, [], [1, 1], 0),
        (6, [], [], 0),
        (8, [], [], 2),
    ],
)
def test_borrowed_dice_go_first_then_funds_then_ones_own(
    tax: int, loans: list[int], funds: list[int], own: int
):
    after = taxed(table(rich={"resources": FULL}), tax)
    assert [loan.dice for loan in after.loans] == loans
    assert [fund.dice for fund in after.funds] == funds
    assert after.taxed == own  # only these can be earned back
    assert str(after.rating) == "B3"


FUND_AND_LOAN = {
    "funds": [{"name": "a mill", "dice": 2}],
    "loans": [{"lender": "odo", "dice": 1}],
}


def test_what_loans_and_funds_lose_is_told_with_what_they_have_left():
    run = fails({"rating": "B3", **FUND_AND_LOAN}, 9, 0, {"borrowed": ["0"]})
    assert "Lost to tax: 1D borrowed." in run.told
    assert "Lost for good: 2D of a mill (0D left)." in run.told
    run = fails({"rating": "B3", **FUND_AND_LOAN}, 6, 0, {"borrowed": ["0"]})
    assert "Lost for good: 1D of a mill (1D left)." in run.told
    assert "Rich's Resources are taxed" not in run.told
    assert run.outcome.test.left == 3


def test_a_loan_that_is_drawn_on_absorbs_tax_though_it_would_expire():
    after = taxed(table(rich={"resources": FULL}), 1, drawn_on=(1,))
    # Ada's two dice were good for this test only; they absorb the Tax, and are gone.
    assert [(loan.lender, loan.dice, loan.tests) for loan in after.loans] == [("odo", 1, 2)]
    assert after.taxed == 0
    after = taxed(table(rich={"resources": FULL}), 0, drawn_on=(0,))
    assert [(loan.lender, loan.dice, loan.tests) for loan in after.loans] == [
        ("odo", 1, 1),
        ("ada", 2, 1),
    ]


@pytest.mark.rules("resources.depletion.trigger")
@pytest.mark.parametrize(
    ("rating", "already", "tax", "after"),
    [
        ("B3", 0, 2, ("B3", 2)),
        ("B3", 0, 3, ("B2", 2)),
        ("B3", 1, 2, ("B2", 2)),
        ("B3", 0, 9, ("B2", 2)),
        ("G1", 0, 1, ("G0", 0)),
        ("B3", 3, 2, ("B3", 3)),  # at 0 already: it happens once each time one falls to it
        ("B0", 0, 4, ("B0", 0)),
    ],
)
def test_whoever_falls_to_nothing_loses_a_die_for_good(
    rating: str, already: int, tax: int, after: tuple[str, int]
):
    wealth = taxed(table(rich={"resources": {"rating": rating, "taxed": already}}), tax)
    assert (str(wealth.rating), wealth.taxed) == after


@pytest.mark.rules("resources.depletion.recovery")
def test_what_is_lost_for_good_comes_back_by_advancement_alone():
    at = table(rich={"resources": "B1", "skills": {"Cooking": "B3"}}, friend={"resources": "B4"})
    buy = {"character": "rich", "item": "bread", "helpers": ["friend"]}
    help_ = {"friend/help": "Resources"}
    ruined = play("purchase", buy, at, {"price": 3, **help_}, [0]).table
    assert str(ruined.characters["rich"].resources.rating) == "B0"
    job = {"character": "rich", "work": "cooks", "skill": "Cooking"}
    with pytest.raises(NotAllowed, match="no taxed dice to recover"):
        play("get_a_job", job, ruined)
    again = play("purchase", {**buy, "item": "an egg"}, ruined, {"price": 1, **help_}, [[5]])
    assert str(again.table.characters["rich"].resources.rating) == "B1"


@pytest.mark.rules("resources.tax.temporary")
def test_tax_leaves_the_underlying_exponent_alone():
    after = fails("B5", 4, 0).table.characters["rich"]
    assert after.ability("Resources").exponent == 3
    assert str(after.resources.rating) == "B5"


@pytest.mark.rules("resources.advance.untaxed_exponent")
def test_advancement_goes_by_the_underlying_exponent():
    # B4, two of them Taxed: at exponent 4 a skill needs 4 routine tests and 1 challenging (or
    # 3 difficult) ones; at exponent 2 two routine and one challenging would do.
    log = {"routine": 2, "difficult": 0, "challenging": 1}
    at = table(rich={"resources": {"rating": "B4", "taxed": 2, "log": log}})
    run = play("purchase", {"character": "rich", "item": "x"}, at, {"price": 1}, [1])
    assert run.changed["rich.resources.log.routine"] == 3
    assert str(run.table.characters["rich"].resources.rating) == "B4"
    log = {"routine": 3, "difficult": 0, "challenging": 1}
    at = table(rich={"resources": {"rating": "B4", "taxed": 2, "log": log}})
    run = play("purchase", {"character": "rich", "item": "x"}, at, {"price": 1}, [1])
    after = run.table.characters["rich"].resources
    assert (str(after.rating), after.taxed) == ("B5", 2)


# --- Over time -----------------------------------------------------------------------------


class Ledger:
    """A second, plainer account: three piles and a base."""

    def __init__(self, base: int, loans: list[int], funds: list[int]) -> None:
        self.base, self.held = base, base
        self.loans, self.funds = list(loans), list(funds)

    def take(self, dice: int) -> None:
        for _ in range(dice):
            for pile in (self.loans, self.funds):
                if pile:
                    pile[0] -= 1
                    if not pile[0]:
                        pile.pop(0)
                    break
            else:
                if self.held:
                    self.held -= 1
                    if not self.held:
                        self.base -= 1


@settings(max_examples=60, deadline=None)
@given(
    base=st.integers(0, 6),
    loans=st.lists(st.integers(1, 3), max_size=2),
    funds=st.lists(st.integers(1, 4), max_size=2),
    taxes=st.lists(st.integers(0, 6), max_size=5),
)
def test_a_plain_ledger_comes_to_the_same(
    base: int, loans: list[int], funds: list[int], taxes: list[int]
):
    wealth = {
        "rating": f"B{base}",
        "loans": [{"lender": "odo", "dice": dice, "tests": 3} for dice in loans],
        "funds": [{"name": "a mill", "dice": dice} for dice in funds],
    }
    at, ledger = table(rich={"resources": wealth}), Ledger(base, loans, funds)
    for tax in taxes:
        after = taxed(at, tax)
        ledger.take(tax)
        at = table(rich={"resources": _written(after)})
        assert after.rating.exponent - after.taxed == ledger.held
        assert after.rating.exponent == ledger.base
        assert [loan.dice for loan in after.loans] == ledger.loans
        assert [fund.dice for fund in after.funds] == ledger.funds


def _written(wealth: Any) -> Any:
    return GAME.write(wealth)


# --- The sheet -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wealth", "place"),
    [
        ({"rating": "B2", "taxed": 3}, "resources.taxed"),
        ({"rating": "B2", "taxed": -1}, "resources.taxed"),
        ({"rating": "B2", "cash": -1}, "resources.cash"),
        ({"rating": "B2", "funds": [{"name": "x", "dice": 11}]}, "resources.funds.0..dice"),
        ({"rating": "B2", "funds": [{"name": "x", "dice": 0}]}, "resources.funds.0..dice"),
        ({"rating": "B2", "loans": [{"lender": "o", "dice": 0}]}, "resources.loans.0..dice"),
        ({"rating": "B2", "loans": [{"lender": "o", "dice": 1, "tests": 0}]}, "tests"),
        ({"rating": "B2", "debts": [{"lender": "o", "owed": 0}]}, "resources.debts.0..owed"),
        ({"rating": "B2", "lifestyle": 12}, "resources.lifestyle"),
        ({"rating": "B2", "gold": 1}, "gold"),
        ({"rating": "B11"}, "rating"),
    ],
)
def test_a_sheet_that_cannot_be_is_refused_by_its_place(wealth: dict[str, Any], place: str):
    with pytest.raises(BadInput, match=place):
        sheet(resources=wealth)
