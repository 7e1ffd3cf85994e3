"""The two editions side by side: Resources."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.conditions.wounds import pain
from astragal.games.burning_wheel.resources.tax import full_tax
from astragal.games.burning_wheel.sheet.parts import Difficulty, Fund, WoundLevel
from astragal.play import Change
from astragal.rules import catalogue
from games.burning_wheel.editions_beside import at_table, both, either
from games.burning_wheel.playing import play, sheet


def buyer(edition: str, options: Any = None, **wealth: Any) -> Any:
    hero = {"resources": {"rating": "B4", **wealth}, "skills": {"Haggling": "B4"}}
    seller = {"skills": {"Haggling": "B4"}, "npc": True}
    return at_table(edition, options, rich=hero, seller=seller, tam={"resources": "B4"})


def buy(at, price=3, rolls=(3,), answers=None, **more):
    arguments = {"character": "rich", "item": "a horse", **more}
    return play("purchase", arguments, at, {"price": price, **(answers or {})}, rolls)


# --- Resources -----------------------------------------------------------------------------


@pytest.mark.rules("gold.resources.intent", "gold.resources.task")
@either
def test_a_purchase_names_the_thing_and_how_it_is_looked_for(edition):
    played = buy(buyer(edition), item="a white horse", task="asks at every stable")
    assert "Rich's intent: a white horse. Task: asks at every stable" in played.told
    with pytest.raises(BadInput, match="item"):
        buy(buyer(edition), item=" ")
    with pytest.raises(BadInput, match=r"task: found ' '.*gold\.resources\.task"):
        buy(buyer(edition), task=" ")


@pytest.mark.rules("gold.resources.say_yes", "gold.diff.say_yes")
@both(revised=False, gold=True)
def test_what_lies_within_ones_means_is_had_without_a_roll(edition, expected):
    if not expected:
        assert "at_stake" not in buy(buyer(edition)).asked
        return
    granted = buy(buyer(edition), rolls=[], answers={"at_stake": False})
    assert granted.outcome.acquired
    assert granted.outcome.test is None
    assert [gear.name for gear in granted.table.character("rich").gear] == ["a horse"]
    beyond = buy(buyer(edition), answers={"at_stake": False, "within_reach": False})
    assert beyond.outcome.test is not None  # both must hold
    assert buy(buyer(edition)).outcome.test is not None


@pytest.mark.rules("gold.tests.obstacle_range")
@both(revised=20, gold=10)
def test_how_hard_the_test_linked_to_a_purchase_can_be(edition, expected):
    wise = {"ability": "Haggling", "task": "asks around"}
    played = buy(buyer(edition), rolls=[0, 3], answers={"linked_obstacle": expected}, linked=wise)
    assert played.outcome.test.obstacle.total == 3 + 1
    with pytest.raises(BadInput, match=f"linked_obstacle: found {expected + 1}"):
        buy(buyer(edition), answers={"linked_obstacle": expected + 1}, linked=wise)


@pytest.mark.rules("gold.resources.base_dice")
@either
def test_the_pool_is_what_tax_has_left(edition):
    assert buy(buyer(edition)).outcome.test.dice.total == 4
    assert buy(buyer(edition, taxed=3), rolls=[0]).outcome.test.dice.total == 1


@pytest.mark.rules("gold.resources.haggle", "gold.diff.haggling")
@both(revised=3, gold=1)
def test_haggling_takes_three_rounds_or_one_test(edition, expected):
    arguments = {"character": "rich", "item": "a horse", "seller": "seller"}
    won = [2, 1] * expected
    played = play("haggle", arguments, buyer(edition), {"price": 6}, [*won, 0])
    assert len(played.outcome.rounds) == expected
    assert played.outcome.price == 6 - expected
    assert played.outcome.purchase.test.obstacle.total == 6 - expected
    lost = play("haggle", arguments, buyer(edition), {"price": 6}, [1, 2, 0])
    assert lost.outcome.price == 6  # losing changes nothing
    tied = play("haggle", arguments, buyer(edition), {"price": 6}, [1, 1] * expected + [0])
    assert tied.outcome.price == 6
    assert "some other ability" not in tied.told  # the price stays, and that settles it
    left = play("haggle", arguments, buyer(edition), {"price": 6, "walk_away": True}, won)
    assert left.outcome.walked_away
    assert left.outcome.purchase is None


@pytest.mark.rules("gold.resources.cut_losses", "resources.haggled_price.full_tax")
@both(revised=(True, 2), gold=(False, 1))
def test_a_buyer_who_has_haggled_may_still_cut_losses(edition, expected):
    """Four dice. Ob 3 is difficult: 2D of tax. Whoever refuses the gift is taxed 1D."""
    arguments = {"character": "rich", "item": "a horse", "seller": "seller"}
    said = {"price": 6, "gift": True} | ({"cut_losses": True} if edition == "gold" else {})
    won = [2, 1] * (1 if edition == "gold" else 3)
    test = play("haggle", arguments, buyer(edition), said, [*won, 0]).outcome.purchase.test
    assert (test.acquired, test.tax) == expected


@pytest.mark.rules("gold.tests.obstacle_range")
@both(revised=20, gold=10)
def test_how_high_a_price_can_be(edition, expected):
    assert buy(buyer(edition), expected, [0]).outcome.price == expected
    with pytest.raises(BadInput, match=f"price: found {expected + 1}"):
        buy(buyer(edition), expected + 1, [0])


@pytest.mark.rules("gold.resources.bid", "gold.diff.bidding")
@either
def test_buyers_may_bid_for_the_base_obstacle(edition):
    arguments = {"item": "a horse", "bidders": ["rich", "tam"]}
    said = {"opening": 2, "rich/bid": True, "tam/bid#1": True, "tam/bid#2": False}
    played = play("auction", arguments, buyer(edition), said, [4])
    assert played.outcome.bids == (("rich", 2), ("tam", 3), ("rich", 4))
    assert played.outcome.purchase.test.obstacle.total == 4


@pytest.mark.rules("gold.resources.ob_distance", "gold.diff.distance")
@both(revised=10, gold=3)
def test_how_far_from_home_can_be(edition, expected):
    far = buy(buyer(edition), 2, [0], {"away": expected})
    assert far.outcome.test.obstacle.total == 2 + expected
    with pytest.raises(BadInput, match=f"away: found {expected + 1}"):
        buy(buyer(edition), 2, [0], {"away": expected + 1})


@pytest.mark.rules("gold.resources.ob_bulk", "gold.diff.bulk_multiplier")
@both(revised=(10, 100), gold=(12, 300))
def test_buying_in_bulk(edition, expected):
    for quantity, more in zip(expected, (1, 2), strict=True):
        said = {} if edition == "revised" else {"bulk": more}
        played = buy(buyer(edition), 1, [3], said, quantity=quantity)
        assert played.outcome.test.obstacle.total == 1 + more
        assert played.table.character("rich").gear[0].name == f"a horse (x{quantity})"
    if edition == "revised":
        with pytest.raises(BadInput, match="quantity: found 12"):
            buy(buyer(edition), quantity=12)
    else:
        with pytest.raises(BadInput, match="bulk: found 3"):
            buy(buyer(edition), 1, [3], {"bulk": 3}, quantity=12)
        with pytest.raises(BadInput, match="quantity: found 0"):
            buy(buyer(edition), quantity=0)
        assert buy(buyer(edition)).outcome.test.obstacle.total == 3  # one horse is no bulk


@pytest.mark.rules("gold.resources.dice_cash")
@both(revised=None, gold=3)
def test_cash_goes_by_the_die(edition, expected):
    at = buyer(edition, cash=5)
    if expected is None:  # a parcel of one or two, or all of it
        with pytest.raises(BadInput, match="cash: found '3'"):
            buy(at, answers={"cash": "3"})
        played = buy(at, answers={"cash": "2"})
        assert played.outcome.test.dice.total == 4 + 2
        return
    played = buy(at, rolls=[0], answers={"cash": expected})
    assert played.outcome.test.dice.total == 4 + expected
    assert played.table.character("rich").resources.cash == 2  # gone, though it failed
    with pytest.raises(BadInput, match="cash: found 6"):
        buy(at, answers={"cash": 6})


FUNDS = [{"name": "a mill", "dice": 2}, {"name": "a farm", "dice": 3}]


@pytest.mark.rules("gold.resources.dice_fund", "gold.diff.single_fund")
@both(revised=4 + 2 + 3, gold=4 + 2)
def test_all_funds_help_or_dice_of_one(edition, expected):
    at = buyer(edition, funds=FUNDS)
    said = {"fund": "a farm", "fund_dice": 2} if edition == "gold" else {}
    played = buy(at, 5, [0], said)
    assert played.outcome.test.dice.total == expected
    left = played.table.character("rich").resources
    if edition == "gold":
        # 6D against Ob 5: difficult, so 2D of Tax, which the fund that was used bears first.
        assert left.funds == (Fund("a mill", 2), Fund("a farm", 1))
        assert buy(at).outcome.test.dice.total == 4  # none need be used
        with pytest.raises(BadInput, match="fund_dice: found 4"):
            buy(at, 5, [0], {"fund": "a farm", "fund_dice": 4})
        bare = buy(at, 4, [0]).table.character("rich").resources  # 4D against Ob 4: difficult
        assert (bare.funds[0].dice, bare.funds[1].dice, bare.taxed) == (2, 3, 2)
    else:
        assert sum(fund.dice for fund in left.funds) == 5 - played.outcome.test.tax


@pytest.mark.rules("gold.resources.tax_fund_first")
def test_tax_is_taken_from_the_whole_fund_however_few_of_its_dice_were_put_in():
    """gold.amb.fund_dice_put_in."""
    at = buyer("gold", funds=FUNDS)
    played = buy(at, 5, [0], {"fund": "a farm", "fund_dice": 1})
    assert played.outcome.test.dice.total == 4 + 1
    # 5D against Ob 5: difficult, so 2D of Tax; one die of the fund was put in, and it bears both.
    left = played.table.character("rich").resources
    assert left.funds == (Fund("a mill", 2), Fund("a farm", 1))
    assert left.taxed == 0


@pytest.mark.rules("gold.resources.dice_loan", "gold.diff.loan_terms")
@both(revised=True, gold=False)
def test_lending_takes_a_test_or_only_the_dice(edition, expected):
    hero = {"resources": {"rating": "B4", "cash": 3, "funds": FUNDS}}
    at = at_table(edition, rich=hero, tam={"resources": "B2"})
    arguments = {"lender": "rich", "borrower": "tam", "dice": 2}
    played = play("lend", arguments, at, None, [4] if expected else [])
    assert played.outcome.lent
    assert bool(played.outcome.test) is expected
    assert played.outcome.debt == (4 if expected else 0)
    lender = played.table.character("rich").resources
    assert lender.cash == (3 if expected else 1)
    wants = {"character": "tam", "item": "a horse"}
    bought = play("purchase", wants, played.table, {"price": 3, "borrowed": ["0"]}, [4])
    assert bought.outcome.test.dice.total == 2 + 2
    assert bought.table.character("tam").resources.loans == ()
    if not expected:
        of_fund = play("lend", {**arguments, "fund": "a mill"}, at, None, [])
        assert of_fund.table.character("rich").resources.funds == (Fund("a farm", 3),)
        with pytest.raises(BadInput, match="dice: found 4"):
            play("lend", {**arguments, "dice": 4}, at)
        with pytest.raises(BadInput, match="fund: found 'a ship'"):
            play("lend", {**arguments, "fund": "a ship"}, at)


@pytest.mark.rules("gold.resources.advance_taxed", "gold.diff.taxed_advance")
@either
def test_what_tax_has_left_rises_with_the_exponent(edition):
    log = {"routine": 4, "difficult": 1}
    at = buyer(edition, taxed=2, log=log)  # 2D left
    played = buy(at, 2, [2])  # 2D against Ob 2: difficult, the second
    after = played.table.character("rich")
    assert str(after.resources.rating) == "B5"
    assert after.ability("Resources").exponent == 3


@pytest.mark.rules("gold.resources.titles", "gold.diff.titles")
@both(revised=True, gold=False)
def test_a_title_counts_as_long_as_it_is_held_or_for_good(edition, expected):
    title = {"character": "rich", "rank": "Knight"}
    granted = play("grant_title", title, buyer(edition), {"title_bonus": True})
    assert str(granted.table.character("rich").resources.rating) == "B5"
    reasons = {event.because for event in granted.events if isinstance(event, Change)}
    assert ("gold.resources.titles" in reasons) is not expected
    none = play("grant_title", title, buyer(edition))  # the GM alone decides
    assert str(none.table.character("rich").resources.rating) == "B4"
    assert (granted.outcome.changed, none.outcome.changed) == (True, False)
    if expected:
        lost = play("lose_title", title, granted.table)
        assert str(lost.table.character("rich").resources.rating) == "B4"
    else:
        with pytest.raises(NotAllowed, match=r"gold\.diff\.titles"):
            play("lose_title", title, granted.table)
    for again in ("Knight", "knight"):  # the same title counts once, in either edition
        with pytest.raises(BadInput, match="a rank that does not count yet"):
            play("grant_title", {**title, "rank": again}, granted.table)


@pytest.mark.rules("gold.diff.job_time_rate")
@either
def test_work_restores_a_die_or_saves_a_tenth_of_the_cycle(edition):
    hero = {"resources": {"rating": "B4", "taxed": 3}, "skills": {"Smith": "B6"}}
    job = {"character": "rich", "work": "at the forge", "skill": "Smith"}
    at = at_table(edition, rich=hero)
    # Ob 1 + 3; six successes are two more than it takes.
    dice = play("get_a_job", job, at, {"job_dice": 2}, [6]).outcome
    assert (dice.obstacle.total, dice.restores) == (4, 3)
    keys = play("get_a_job", job, at, {"job_dice": 0}, [6]).asked
    faster = next(key for key in keys if "fast" in key or "speed" in key or "time" in key)
    quick = play("get_a_job", job, at, {"job_dice": 0, faster: 2}, [6]).outcome
    assert quick.restores == 1
    assert quick.days == -(-dice.days * 8 // 10)


# --- Tables that both editions share -------------------------------------------------------


def test_the_guides_tax_and_wounds_are_those_in_force():
    taxes = {
        row["difficulty"]: row["tax_dice"] for row in catalogue().table("gold.table.tax").records()
    }
    for each in Difficulty:
        said = taxes[each.value]
        assert full_tax(each, 4) == (4 if "minus" in said else int(said))
    for row in catalogue().table("gold.table.wounds").records():
        name = row["wound"]
        if name == "one or two superficial":
            cases = [["Superficial"], ["Superficial"] * 2]
        elif name == "three superficial together":
            continue
        else:
            cases = [[name.capitalize()]]
        for wounds in cases:
            dice, obstacle = pain(sheet(wounds=[{"level": level} for level in wounds]))
            assert sum(line.amount for line in dice) == row["dice"], name
            assert sum(line.amount for line in obstacle) == row["obstacle"], name
    merged = sheet(wounds=[{"level": "Light", "merged": True}])
    assert merged.wounds[0].level is WoundLevel.LIGHT
    assert sum(line.amount for line in pain(merged)[0]) == -1


@pytest.mark.rules("gold.resources.dice_loan", "gold.diff.loan_terms")
@both(revised=False, gold=True)
def test_what_is_handed_over_has_no_price_that_could_be_too_high(edition, expected):
    """By the Revised Edition 11 dice, or 10 for two tests, would be beyond Ob 20."""
    at = at_table(
        edition, rich={"resources": {"rating": "B4", "cash": 12}}, tam={"resources": "B2"}
    )
    for dice, tests in ((11, 1), (10, 2)):
        arguments = {"lender": "rich", "borrower": "tam", "dice": dice, "tests": tests}
        if not expected:
            with pytest.raises(BadInput, match="up to Ob 20"):
                play("lend", arguments, at, None, [])
            continue
        lent = play("lend", arguments, at, None, [])
        (loan,) = lent.table.character("tam").resources.loans
        assert (loan.dice, loan.tests) == (dice, tests)
        assert lent.table.character("rich").resources.cash == 12 - dice
    with pytest.raises(BadInput, match="dice: found 0"):
        play("lend", {"lender": "rich", "borrower": "tam", "dice": 0}, at)


@pytest.mark.rules("gold.dice.carefully", "tests.method.carefully_failure")
@either
def test_a_careful_purchase_that_fails_has_run_out_of_time(edition):
    at = buyer(edition, {"tests_careful_on_instantaneous": "gm_may_agree"})
    key = "time_threat" if edition == "gold" else "time_complication"
    said = {"careful_allowed": True, "carefully": True, key: "the fair is over"}
    late = buy(at, 3, [0], said).outcome.test
    assert (late.dice.total, late.complication) == (4 + 1, "the fair is over")
