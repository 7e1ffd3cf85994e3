"""Cash, funds, titles and loans: dice beside the exponent, and who loses them."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import BurningTable
from astragal.play import Change
from games.burning_wheel.playing import Played, play, table


def buys(
    at: BurningTable, price: int, rolls: Any, answers: dict[str, Any] | None = None, **more: Any
) -> Played:
    arguments = {"character": "rich", "item": "a thing", **more}
    return play("purchase", arguments, at, {"price": price, **(answers or {})}, rolls)


# --- Cash ----------------------------------------------------------------------------------


@pytest.mark.rules("resources.cash.bonus")
def test_the_gm_says_what_cash_is_worth():
    at = table(rich={"resources": {"rating": "B3", "cash": 1}})
    run = play("receive_cash", {"character": "rich", "reason": "a ransom"}, at, {"gm/cash_dice": 3})
    assert run.table.characters["rich"].resources.cash == 4
    assert run.outcome.dice == 3
    nothing = play("receive_cash", {"character": "rich", "reason": "a tip"}, at, {"cash_dice": 0})
    assert not nothing.changed


def test_sixty_dice_of_cash_are_all_that_a_sheet_takes():
    said = {"character": "rich", "reason": "a ransom"}
    at = table(rich={"resources": {"rating": "B3", "cash": 57}})
    full = play("receive_cash", said, at, {"cash_dice": 3}).table
    assert full.characters["rich"].resources.cash == 60
    with pytest.raises(BadInput, match="cash_dice: found 1, expected at most 60"):
        play("receive_cash", said, full, {"cash_dice": 1})


@pytest.mark.rules("resources.cash.one_test", "resources.cash.bonus")
@pytest.mark.parametrize("successes", [0, 4])
def test_cash_helps_on_one_test_and_is_gone_passed_or_failed(successes: int):
    at = table(rich={"resources": {"rating": "B3", "cash": 2}})
    run = buys(at, 4, [successes], {"cash": "all"})
    assert run.outcome.test.dice.total == 5
    after = run.table.characters["rich"].resources
    assert after.cash == 0
    # Cash absorbs no Tax: five dice against Ob 4 are difficult, two dice of one's own.
    assert after.taxed == (0 if successes else 2)
    assert buys(run.table, 1, [1], item="another").outcome.test.dice.total == 3 - after.taxed


@pytest.mark.rules("resources.cash.split")
def test_much_cash_is_spent_by_ones_and_twos_or_all_at_once():
    at = table(rich={"resources": {"rating": "B3", "cash": 5}})
    run = buys(at, 1, [1], {"cash": "2"})
    assert [option.key for option in run.asks["cash"].question.options] == ["none", "1", "2", "all"]
    assert run.outcome.test.dice.total == 5
    assert run.table.characters["rich"].resources.cash == 3
    run = buys(run.table, 1, [1], {"cash": "1"}, item="b")
    assert run.table.characters["rich"].resources.cash == 2
    assert buys(run.table, 1, [1], item="c").table.characters["rich"].resources.cash == 2
    with pytest.raises(BadInput, match="cash"):
        buys(at, 1, [1], {"cash": "3"})
    only = table(rich={"resources": {"rating": "B3", "cash": 1}})
    with pytest.raises(BadInput, match="cash"):
        buys(only, 1, [1], {"cash": "2"})


# --- Funds ---------------------------------------------------------------------------------


@pytest.mark.rules("resources.fund.bonus")
@pytest.mark.parametrize("dice", [1, 10])
def test_a_fund_adds_its_dice_to_every_test(dice: int):
    at = table(rich={"resources": "B3"})
    run = play("receive_fund", {"character": "rich", "fund": "a mill"}, at, {"gm/fund_dice": dice})
    first = buys(run.table, 2, [2])
    again = buys(first.table, 2, [2], item="another")
    assert first.outcome.test.dice.total == again.outcome.test.dice.total == 3 + dice


@pytest.mark.rules("resources.fund.bonus")
@pytest.mark.parametrize("dice", [0, 11])
def test_a_fund_is_one_to_ten_dice(dice: int):
    at = table(rich={"resources": "B3"})
    with pytest.raises(BadInput, match="fund_dice"):
        play("receive_fund", {"character": "rich", "fund": "a mill"}, at, {"fund_dice": dice})


@pytest.mark.rules("resources.fund.bonus", "gold.resources.dice_fund")
@pytest.mark.parametrize("name", ["a mill", " a mill ", " "])
def test_every_fund_has_a_name_of_its_own(name: str):
    """In the later edition a fund is drawn on by its name, and only one of them."""
    wealth = {"rating": "B3", "funds": [{"name": "a mill", "dice": 1}]}
    with pytest.raises(BadInput, match="fund: found"):
        play("receive_fund", {"character": "rich", "fund": name}, table(rich={"resources": wealth}))


@pytest.mark.rules("resources.fund.taxed_first", "resources.fund.lost_permanently")
def test_tax_takes_the_fund_first_and_no_job_brings_it_back():
    wealth = {"rating": "B3", "funds": [{"name": "a mill", "dice": 1}]}
    at = table(rich={"resources": wealth, "skills": {"Cooking": "B4"}})
    run = buys(at, 4, [0])  # four dice against Ob 4: difficult, two dice of Tax
    after = run.table.characters["rich"].resources
    assert (after.funds, after.taxed) == ((), 1)
    job = {"character": "rich", "work": "cooks", "skill": "Cooking"}
    done = play("get_a_job", job, run.table, {}, [4])
    assert done.outcome.obstacle.total == 2  # 1 and the one die of his own
    assert done.outcome.restores == 1


# --- Titles --------------------------------------------------------------------------------


@pytest.mark.rules(
    "resources.title.bonus", "resources.title.gm_decides", "resources.title.kept_while_held"
)
def test_a_title_is_a_point_of_exponent_while_it_is_held_if_the_gm_says_so():
    at = table(rich={"resources": {"rating": "B3", "taxed": 2}})
    raised = play(
        "grant_title", {"character": "rich", "rank": "lord"}, at, {"gm/title_bonus": True}
    )
    wealth = raised.table.characters["rich"].resources
    assert (str(wealth.rating), wealth.taxed, wealth.titles) == ("B4", 2, ("lord",))
    assert raised.table.characters["rich"].ability("Resources").exponent == 2
    lost = play("lose_title", {"character": "rich", "rank": "lord"}, raised.table)
    wealth = lost.table.characters["rich"].resources
    assert (str(wealth.rating), wealth.taxed, wealth.titles) == ("B3", 2, ())
    nothing = play("grant_title", {"character": "rich", "rank": "lord"}, at)
    assert not nothing.changed


def test_a_lost_title_takes_nothing_below_nothing():
    at = table(rich={"resources": {"rating": "B1", "taxed": 1, "titles": ["lord"]}})
    wealth = play("lose_title", {"character": "rich", "rank": "lord"}, at).table
    after = wealth.characters["rich"].resources
    assert (str(after.rating), after.taxed) == ("B0", 0)
    zero = table(rich={"resources": {"rating": "B0", "titles": ["lord"]}})
    after = play("lose_title", {"character": "rich", "rank": "lord"}, zero).table.characters["rich"]
    assert str(after.resources.rating) == "B0"


def test_the_wealthiest_gain_nothing_by_a_title():
    at = table(rich={"resources": "B10"})
    run = play("grant_title", {"character": "rich", "rank": "king"}, at)
    assert "title_bonus" not in run.asked
    assert not run.changed


@pytest.mark.parametrize(("procedure", "rank"), [("grant_title", ""), ("lose_title", "king")])
def test_a_rank_must_be_one(procedure: str, rank: str):
    with pytest.raises((BadInput, NotAllowed), match="rank"):
        play(procedure, {"character": "rich", "rank": rank}, table(rich={"resources": "B3"}))


def test_who_has_no_rank_that_counts_has_none_to_lose():
    with pytest.raises(NotAllowed, match="has no rank that raised Resources") as refused:
        play("lose_title", {"character": "rich", "rank": "lord"}, table(rich={"resources": "B3"}))
    assert refused.value.rule == "resources.title.kept_while_held"
    lord = table(rich={"resources": {"rating": "B3", "titles": ["lord"]}})
    with pytest.raises(BadInput, match="a rank that raised Resources: lord"):
        play("lose_title", {"character": "rich", "rank": "king"}, lord)


# --- Loans ---------------------------------------------------------------------------------


def lends(
    rolls: Any,
    answers: dict[str, Any] | None = None,
    options: dict[str, str] | None = None,
    **more: Any,
) -> Played:
    at = table(
        {},
        options,
        ada={"resources": "B6", "player": "eva"},
        rich={"resources": "B3", "player": "anna"},
    )
    arguments = {"lender": "ada", "borrower": "rich", "dice": 2, **more}
    return play("lend", arguments, at, answers, rolls)


@pytest.mark.rules("resources.loan.test", "resources.loan.multiple_tests")
@pytest.mark.parametrize(
    ("dice", "tests", "obstacle"), [(1, 1, 2), (2, 1, 4), (2, 2, 5), (3, 4, 9), (1, 6, 7)]
)
def test_a_loan_is_twice_its_dice_and_a_point_for_each_further_test(
    dice: int, tests: int, obstacle: int
):
    run = lends([6], dice=dice, tests=tests)
    assert run.outcome.test.obstacle.total == obstacle
    if obstacle <= 6:
        (loan,) = run.table.characters["rich"].resources.loans
        assert (loan.lender, loan.dice, loan.tests) == ("ada", dice, tests)


@pytest.mark.rules("resources.loan.success")
def test_a_loan_that_succeeds_costs_the_lender_nothing():
    run = lends([4])
    assert run.outcome.lent
    assert run.table.characters["ada"].resources.taxed == 0
    assert len(run.table.characters["rich"].resources.loans) == 1


@pytest.mark.rules("resources.loan.failure_choice")
def test_a_lender_who_fails_may_call_it_off_or_lend_all_the_same():
    off = lends([0], {"eva/loan_failed": "call_off"}, dice=4)
    assert not off.outcome.lent
    assert off.table.characters["ada"].resources.taxed == 1
    assert off.table.characters["rich"].resources.loans == ()
    assert off.table.characters["rich"].resources.debts == ()
    on = lends([3], {"eva/loan_failed": "lend"}, dice=4)  # six dice against Ob 8, five missing
    assert on.outcome.lent
    assert on.table.characters["ada"].resources.taxed == 5
    assert on.table.characters["rich"].resources.loans[0].dice == 4
    assert "gift" not in on.asked


@pytest.mark.rules(
    "resources.loan.lender_shielded", "resources.loan.lost_first", "resources.loan.not_recoverable"
)
def test_the_borrower_loses_the_lent_dice_first_and_the_lender_nothing():
    at = lends([4]).table
    run = buys(at, 6, [3], {"borrowed": ["0"]})  # five dice against Ob 6: three missing
    assert run.outcome.test.dice.total == 5
    assert run.table.characters["ada"].resources.taxed == 0
    after = run.table.characters["rich"].resources
    assert after.loans == ()
    assert after.taxed == 1  # two of the three were Ada's
    (lost,) = (e for e in run.events if isinstance(e, Change) and e.path == "resources.loans")
    assert lost.because == "resources.loan.not_recoverable"


@pytest.mark.rules("resources.loan.multiple_tests")
def test_a_loan_serves_as_many_tests_as_agreed():
    at = lends([6], dice=2, tests=2).table
    first = buys(at, 3, [3], {"borrowed": ["0"]})
    assert first.table.characters["rich"].resources.loans[0].tests == 1
    unused = buys(first.table, 2, [2], item="b")
    assert unused.outcome.test.dice.total == 3
    assert unused.table.characters["rich"].resources.loans[0].tests == 1
    last = buys(unused.table, 2, [2], {"borrowed": ["0"]}, item="c")
    assert last.outcome.test.dice.total == 5
    assert last.table.characters["rich"].resources.loans == ()


def test_what_tax_leaves_of_a_loan_may_still_be_used():
    at = lends([6], dice=2, tests=2).table
    first = buys(at, 3, [0], {"borrowed": ["0"]})  # five dice against Ob 3: routine, one die
    (loan,) = first.table.characters["rich"].resources.loans
    assert (loan.dice, loan.tests) == (1, 1)
    assert buys(first.table, 2, [2], {"borrowed": ["0"]}, item="b").outcome.test.dice.total == 4


# --- Debts ---------------------------------------------------------------------------------


@pytest.mark.rules("resources.debt.lender_decides", "resources.debt.size")
def test_the_lender_says_whether_it_is_owed_and_that_is_the_obstacle():
    debt = lends([6], {"eva/terms": "debt"}, dice=2, tests=3)
    (owed,) = debt.table.characters["rich"].resources.debts
    assert (owed.lender, owed.owed) == ("ada", 6)
    gift = lends([6], {"eva/terms": "gift"}, dice=2, tests=3)
    assert gift.table.characters["rich"].resources.debts == ()
    assert gift.outcome.debt == 0
    away = lends([6], {"away": 2})
    assert away.outcome.debt == 6  # the obstacle as it was rolled against


@pytest.mark.parametrize(
    ("reading", "answers", "owed"),
    [
        ("none", {}, 4),
        ("lender_or_gm_sets", {}, 4),
        ("lender_or_gm_sets", {"eva/interest": 3}, 7),
    ],
)
def test_interest_is_what_the_table_makes_of_it(reading: str, answers: dict[str, int], owed: int):
    run = lends([4], answers, {"resources_debt_interest": reading})
    assert run.outcome.debt == owed
    assert ("interest" in run.asked) == (reading != "none")


def test_nobody_is_lent_to_against_his_will():
    run = lends([], {"anna/accept_loan": False})
    assert not run.outcome.lent
    assert not run.changed


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({"dice": 0}, "dice"),
        ({"dice": 11}, "dice"),
        ({"tests": 0}, "tests"),
        ({"borrower": "ada"}, "borrower"),
        ({"lender": "nobody"}, "lender"),
    ],
)
def test_what_does_not_fit_is_named(more: dict[str, Any], place: str):
    with pytest.raises(BadInput, match=place):
        lends([4], **more)


def test_a_failed_loan_is_not_tried_again_at_once():
    at = lends([0], dice=2).table
    with pytest.raises(NotAllowed):
        play("lend", {"lender": "ada", "borrower": "rich", "dice": 2}, at, {}, [4])
