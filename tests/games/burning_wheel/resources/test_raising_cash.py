"""Making cash and funds, in the later edition only."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.resources.raising_cash import cash_obstacle, fund_obstacle
from astragal.games.burning_wheel.sheet.parts import Fund
from games.burning_wheel.editions_beside import at_table, both
from games.burning_wheel.playing import play


def merchant(edition="gold", options=None, **wealth):
    return at_table(edition, options, rich={"resources": {"rating": "B5", **wealth}})


def cash(at, dice=2, rolls=(4,), answers=None):
    return play("make_cash", {"character": "rich", "dice": dice}, at, answers, rolls)


def fund(at, dice=2, rolls=(5,), answers=None, name="a mill"):
    arguments = {"character": "rich", "dice": dice, "fund": name}
    return play("make_fund", arguments, at, answers, rolls)


@pytest.mark.rules("gold.resources.make_cash")
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_cash_costs_twice_its_dice(dice):
    assert cash_obstacle(dice).total == 2 * dice
    played = cash(merchant(cash=1), dice, [2 * dice] if dice < 3 else [[6] * 5])
    assert played.outcome.test.obstacle.total == 2 * dice
    passed = dice < 3  # 5 dice
    assert played.outcome.passed is passed
    held = played.table.character("rich").resources.cash
    assert held == (1 + dice if passed else 1)


@pytest.mark.rules("gold.resources.make_fund")
@pytest.mark.parametrize("dice", [1, 2])
def test_a_fund_costs_twice_its_dice_and_one_more(dice):
    assert fund_obstacle(dice).total == 2 * dice + 1
    played = fund(merchant(), dice, [2 * dice + 1])
    assert played.outcome.test.obstacle.total == 2 * dice + 1
    assert played.table.character("rich").resources.funds == (Fund("a mill", dice),)
    failed = fund(merchant(), dice, [2 * dice])
    assert not failed.outcome.passed
    assert failed.table.character("rich").resources.funds == ()


@pytest.mark.rules("gold.resources.dice_linked", "gold.resources.ob_linked_failed")
@pytest.mark.parametrize(("successes", "dice", "obstacle"), [(3, 6, 5), (2, 5, 5), (1, 5, 6)])
def test_a_wise_may_be_tested_before_wealth_is_set_aside(successes, dice, obstacle):
    """Resources B5, and 2D cost Ob 5; the Wise is at Ob 2."""
    rich = {"resources": "B5", "skills": {"Market-wise": "B4"}}
    wise = {"ability": "Market-wise", "task": "knows who buys"}
    arguments = {"character": "rich", "dice": 2, "fund": "a mill", "linked": wise}
    at = at_table("gold", rich=rich)
    played = play("make_fund", arguments, at, {"linked_obstacle": 2}, [successes, 5])
    assert (played.outcome.test.dice.total, played.outcome.test.obstacle.total) == (dice, obstacle)
    assert played.outcome.linked.margin == successes - 2
    money = {"character": "rich", "dice": 2, "linked": wise}
    made = play("make_cash", money, at, {"linked_obstacle": 2}, [successes, 5])
    assert (made.outcome.test.dice.total, made.outcome.test.obstacle.total) == (dice, obstacle - 1)
    assert made.outcome.linked.margin == successes - 2


@pytest.mark.rules("gold.diff.make_cash", "gold.diff.make_fund")
@both(revised=False, gold=True)
def test_no_test_makes_money_in_the_revised_edition(edition, expected):
    if expected:
        assert cash(merchant(edition)).outcome.passed
        assert fund(merchant(edition)).outcome.passed
        return
    with pytest.raises(NotAllowed, match=r"gold\.diff\.make_cash"):
        cash(merchant(edition))
    with pytest.raises(NotAllowed, match=r"gold\.diff\.make_fund"):
        fund(merchant(edition))


def test_it_is_a_test_of_resources_like_any_other():
    failed = cash(merchant(), 2, [3])  # 5D against Ob 4: difficult
    assert failed.outcome.test.tax == 2
    after = failed.table.character("rich").resources
    assert (after.taxed, after.log.difficult) == (2, 0)
    passed = cash(merchant(), 2, [4])
    assert passed.table.character("rich").resources.log.difficult == 1


@pytest.mark.parametrize("option", ["allowed", "forbidden"])
def test_whether_money_may_be_made_of_money(option):
    at = merchant(
        options={"gold_money_from_cash_and_funds": option},
        cash=1,
        funds=[{"name": "a farm", "dice": 2}],
    )
    said = {"cash": 1, "fund": "a farm"} if option == "allowed" else {}
    played = fund(at, 2, [5], said)
    assert played.outcome.test.dice.total == (5 + 1 + 2 if option == "allowed" else 5)
    assert ("cash" in played.asked) is (option == "allowed")


def test_bad_wishes_change_nothing():
    with pytest.raises(BadInput, match="dice: found 0"):
        cash(merchant(), 0)
    with pytest.raises(BadInput, match="dice: found 11"):
        fund(merchant(), 11)
    with pytest.raises(BadInput, match="fund: found ' '"):
        fund(merchant(), name=" ")
    with pytest.raises(BadInput, match="fund: found 'a mill'"):
        fund(merchant(funds=[{"name": "a mill", "dice": 1}]))
