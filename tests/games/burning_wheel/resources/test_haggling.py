"""Haggling and bidding: who moves the price, how far, and who then has to pay."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.resources.haggling import floor_of
from astragal.games.burning_wheel.sheet.parts import AbilityLog
from astragal.play import Scripted, exact
from games.burning_wheel.playing import Played, play, table

BUYER = {"skills": {"Haggling": "B5", "Cooking": "B3"}, "resources": "B6", "player": "anna"}
SELLER = {"skills": {"Haggling": "B5", "Oratory": "B3"}, "npc": True}
BUYER_WINS, SELLER_WINS, TIE = (3, 1), (1, 3), (2, 2)


def haggles(
    price: int,
    rounds: list[tuple[int, int]],
    answers: dict[str, Any] | None = None,
    resources: list[int] | None = None,
    limit: str = "three",
    **more: Any,
) -> Played:
    """Rounds are (buyer's, seller's) successes; without a Resources roll the buyer walks away."""
    at = table({}, {"resources_haggling_rounds": limit}, buyer=BUYER, seller=SELLER)
    said = {"price": price, **(answers or {})}
    if resources is None:
        said.setdefault("walk_away", True)
    rolls = [successes for pair in rounds for successes in pair] + (resources or [])
    arguments = {"character": "buyer", "seller": "seller", "item": "a ship", **more}
    return play("haggle", arguments, at, said, rolls)


# --- Haggling ------------------------------------------------------------------------------


@pytest.mark.rules("resources.haggle.allowed", "resources.haggle.versus")
def test_a_round_is_haggling_against_haggling_with_forks_on_both_sides():
    answers = {"anna/forks": ["Cooking"], "gm/forks": ["Oratory"]}
    run = haggles(4, [(4, 3)], {**answers, "buyer_wins": "close"})
    assert [roll.label for roll in run.rolls] == ["Buyer, Haggling", "Seller, Haggling"]
    assert [roll.expression.dice.total for roll in run.rolls] == [6, 6]
    (only,) = run.outcome.rounds
    assert (only.winner, only.successes, only.margin) == ("buyer", (4, 3), 1)


@pytest.mark.rules("circles.enmity.social_penalty", "resources.haggle.versus")
@pytest.mark.parametrize(
    ("successes", "winner"), [((3, 1), None), ((4, 1), "buyer"), ((2, 1), "seller")]
)
def test_an_enemy_is_hard_to_haggle_with(successes: tuple[int, int], winner: str | None):
    """Two successes of the buyer's do not count; the seller bears no enmity from anybody."""
    skill = {"Haggling": {"rating": "B5", "category": "Social"}}
    at = table(
        {"enemies": [{"character": "buyer", "name": "Seller"}]},
        {"resources_haggling_rounds": "one"},
        buyer={**BUYER, "skills": skill},
        seller={**SELLER, "skills": skill},
    )
    said = {"price": 4, "walk_away": True}
    arguments = {"character": "buyer", "seller": "seller", "item": "a ship"}
    run = play("haggle", arguments, at, said, list(successes))
    assert run.outcome.rounds[0].winner == winner


@pytest.mark.rules("resources.haggle.buyer_wins", "resources.haggle.continue")
def test_the_buyer_lowers_the_price_and_goes_on_or_closes():
    lowered = haggles(6, [BUYER_WINS] * 3, {"buyer_wins": "lower"})
    assert [each.price for each in lowered.outcome.rounds] == [5, 4, 3]
    closed = haggles(6, [BUYER_WINS], {"anna/buyer_wins": "close"})
    assert (closed.outcome.price, closed.outcome.closed_by) == (6, "buyer")
    assert len(closed.outcome.rounds) == 1


@pytest.mark.rules("resources.haggle.seller_wins", "resources.haggle.continue")
def test_the_seller_raises_the_price_and_goes_on_or_holds_to_it():
    rounds = [BUYER_WINS, BUYER_WINS, SELLER_WINS]
    raised = haggles(6, rounds, {"gm/seller_wins": "raise"})
    assert [each.price for each in raised.outcome.rounds] == [5, 4, 5]
    held = haggles(6, [BUYER_WINS, SELLER_WINS], {"gm/seller_wins": "close"})
    assert (held.outcome.price, held.outcome.closed_by) == (5, "seller")
    assert len(held.outcome.rounds) == 2


@pytest.mark.rules("resources.haggle.ceiling")
def test_the_price_never_rises_above_what_was_asked():
    run = haggles(6, [SELLER_WINS])
    assert "seller_wins" not in run.asked  # there is only one thing to do
    assert (run.outcome.price, run.outcome.closed_by) == (6, "seller")


@pytest.mark.rules("resources.haggle.floor")
@pytest.mark.parametrize(("original", "floor"), [(1, 1), (2, 1), (3, 2), (8, 4), (9, 5)])
def test_the_price_never_falls_below_half(original: int, floor: int):
    assert floor_of(original) == floor
    steps = original - floor
    answers: dict[str, Any] = {"buyer_wins": "lower"} if steps else {}
    run = haggles(original, [BUYER_WINS] * (steps + 1), answers, limit="no_limit")
    assert (run.outcome.price, run.outcome.closed_by) == (floor, "buyer")
    assert run.asked.count("buyer_wins") == steps


def test_a_tie_moves_nothing_but_counts():
    run = haggles(6, [TIE, TIE, BUYER_WINS], {"buyer_wins": "lower"})
    assert [each.price for each in run.outcome.rounds] == [6, 6, 5]
    assert [each.winner for each in run.outcome.rounds] == [None, None, "buyer"]
    assert "defender" not in run.asked


def test_a_call_on_breaks_a_tie():
    trait = {"name": "Glib", "kind": "call_on", "abilities": ["Haggling"]}
    at = table(buyer={**BUYER, "traits": [trait]}, seller=SELLER)
    answers = {"price": 6, "break_tie": "Glib", "buyer_wins": "close", "walk_away": True}
    arguments = {"character": "buyer", "seller": "seller", "item": "a ship"}
    run = play("haggle", arguments, at, answers, [2, 2])
    assert run.outcome.closed_by == "buyer"


@pytest.mark.rules("resources.haggle.three_rounds")
@pytest.mark.parametrize(("limit", "rounds"), [("three", 3), ("one", 1), ("no_limit", 7)])
def test_how_often_they_haggle_is_the_tables_choice(limit: str, rounds: int):
    answers = {"buyer_wins": "lower", "buyer_wins#7": "close"} if limit == "no_limit" else {}
    run = haggles(14, [BUYER_WINS] * rounds, answers, limit=limit)
    assert len(run.outcome.rounds) == rounds
    assert run.outcome.closed_by == ("buyer" if limit == "no_limit" else None)


@pytest.mark.rules("resources.haggle.close_leads_to_test")
def test_a_closed_bargain_leads_to_the_test_at_that_price():
    run = haggles(6, [BUYER_WINS, SELLER_WINS], {"seller_wins": "close"}, [5])
    test = run.outcome.purchase.test
    assert (test.obstacle.total, test.margin) == (5, 0)
    assert run.outcome.acquired
    assert [piece.name for piece in run.table.characters["buyer"].gear] == ["a ship"]


@pytest.mark.rules("resources.haggled_price.walk_away")
def test_the_buyer_may_walk_away_before_the_dice_are_rolled():
    run = haggles(6, [SELLER_WINS])
    assert run.outcome.walked_away
    assert not run.outcome.acquired
    assert run.table.characters["buyer"].resources.taxed == 0
    assert "Buyer, Resources" not in [roll.label for roll in run.rolls]


@pytest.mark.rules("resources.haggled_price.full_tax")
def test_whoever_goes_ahead_pays_full_tax_and_cannot_cut_losses():
    run = haggles(6, [SELLER_WINS], {}, [2])
    # Six dice against Ob 6: difficult, two dice of Tax.
    assert run.outcome.purchase.test.tax == 2
    gift = haggles(6, [SELLER_WINS], {"gift": True}, [2])
    assert gift.outcome.acquired
    assert gift.outcome.purchase.test.tax == 2
    assert "cut_losses" not in gift.asked


def test_what_is_added_later_is_not_bound_by_the_ceiling():
    run = haggles(6, [SELLER_WINS], {"away": 2}, [2])
    assert run.outcome.purchase.test.obstacle.total == 8


def test_a_bargain_is_one_test_of_haggling():
    rounds = [(3, 1), (1, 3), (2, 4)]
    answers = {"buyer_wins": "lower", "seller_wins": "raise"}
    run = haggles(6, rounds, answers)
    buyer = run.table.characters["buyer"].skills["Haggling"].log
    seller = run.table.characters["seller"].skills["Haggling"].log
    # Five dice: against 4 difficult, against 3 routine; the hardest counts, and only that.
    assert (buyer.routine, buyer.difficult, buyer.challenging) == (0, 1, 0)
    assert (seller.routine, seller.difficult, seller.challenging) == (1, 0, 0)
    assert run.table.scene.series == ()
    assert run.table.scene.rides == ()


def duels(answers: dict[str, Any], rolls: list[int]) -> Played:
    """A Duel of Wits over a ship at Ob 9, between bodies of 4 where it comes to that."""
    speaks = {"stats": {"Will": "B4"}, "attributes": {"Steel": "B4"}}
    at = table(buyer={**BUYER, **speaks}, seller={**SELLER, **speaks})
    arguments = {"character": "buyer", "seller": "seller", "item": "a ship"}
    return play(
        "haggle", {**arguments, "method": "duel_of_wits"}, at, {"price": 9, **answers}, rolls
    )


def scripts(buyer: str, seller: str) -> dict[str, Any]:
    bodies = {"body_method": "not_a_big_deal"}
    return bodies | {"anna/script": [buyer] * 3, "gm/script": [seller] * 3}


@pytest.mark.rules("resources.haggle.duel_of_wits")
def test_a_buyer_who_wins_a_duel_of_wits_has_his_price():
    run = duels({"anna/duel_offer": 6, **scripts("point", "feint")}, [5, 4, 6])
    labels = [roll.label for roll in run.rolls]
    assert labels == ["Buyer, Point, Haggling", "Seller, Steel", "Buyer, Resources"]
    assert (run.outcome.price, run.outcome.purchase.test.obstacle.total) == (6, 6)
    assert (run.outcome.closed_by, run.outcome.acquired) == ("buyer", True)
    assert "duel_price" not in run.asked  # nothing was lost on the way, and nothing is conceded


@pytest.mark.rules("resources.haggle.duel_of_wits", "resources.haggle.ceiling")
def test_a_seller_who_wins_a_duel_of_wits_has_what_was_asked():
    run = duels({**scripts("feint", "point"), "walk_away": True}, [5, 4])
    assert (run.outcome.price, run.outcome.closed_by) == (9, "seller")
    offer = run.asks["duel_offer"].question
    assert (offer.least, offer.most, offer.default) == (5, 9, 5)


@pytest.mark.rules("resources.haggle.duel_of_wits")
def test_what_the_winner_concedes_is_a_price_between_the_two():
    answers = {"duel_offer": 6, "concession": "one more, then", "gm/duel_price": 7}
    run = duels({**scripts("point", "point"), **answers}, [5, 2, 4, 6])
    assert (run.outcome.price, run.outcome.closed_by) == (7, "buyer")
    assert "one more, then." in run.asks["duel_price"].prompt
    for price in (5, 10):
        with pytest.raises(BadInput, match="6 to 9"):
            duels({**scripts("point", "point"), **answers, "gm/duel_price": price}, [5, 2, 4])


def test_without_a_winner_the_price_is_what_was_asked():
    tied = duels({**scripts("point", "point"), "walk_away": True}, [5, 5])
    assert (tied.outcome.price, tied.outcome.closed_by) == (9, None)
    refused = duels({"gm/duel": "walk_away"}, [6])
    assert refused.outcome.purchase.test.obstacle.total == 9
    assert refused.table.scene.closed_arguments[0].about == "the price of a ship"


def test_nothing_is_bought_with_drawn_swords():
    run = duels({"anna/duel": "fight"}, [])
    assert (run.outcome.acquired, run.outcome.purchase) == (False, None)
    assert "walk_away" not in run.asked


def test_after_the_duel_the_purchase_goes_on_from_what_it_has_left():
    run = duels({"duel_offer": 6, **scripts("point", "feint")}, [5, 4, 6])
    buyer = run.table.characters["buyer"]
    # Five dice of an open test: a routine one. Six of Resources against Ob 6: a difficult one.
    assert buyer.skills["Haggling"].log == AbilityLog(routine=1)
    assert buyer.resources.log == AbilityLog(difficult=1)
    assert [piece.name for piece in buyer.gear] == ["a ship"]
    assert run.table.scene.series == ()
    assert {ride.intent for ride in run.table.scene.rides} >= {"the price of a ship"}


@pytest.mark.rules("resources.haggle.duel_of_wits")
def test_whoever_cannot_haggle_cannot_fight_over_a_price():
    at = table(buyer={"resources": "B4", "stats": {"Will": "B4"}}, seller=SELLER)
    arguments = {"character": "buyer", "seller": "seller", "item": "x", "method": "duel_of_wits"}
    with pytest.raises(NotAllowed) as refused:
        play("haggle", arguments, at, {"price": 4})
    assert refused.value.rule == "resources.haggle.duel_of_wits"


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({"seller": "nobody"}, "seller"),
        ({"seller": "buyer"}, "seller"),
        ({"method": "x"}, "method"),
    ],
)
def test_what_does_not_fit_is_named(more: dict[str, Any], place: str):
    with pytest.raises(BadInput, match=place):
        haggles(6, [], {}, **more)


def test_what_is_not_to_be_had_is_not_haggled_over():
    at = table(buyer=BUYER, seller=SELLER)
    arguments = {"character": "buyer", "seller": "seller", "item": "a ship"}
    run = play("haggle", arguments, at, {"available": "nowhere"}, [])
    assert not run.outcome.acquired
    assert not run.changed


@settings(max_examples=40, deadline=None)
@given(
    original=st.integers(1, 10),
    rounds=st.lists(st.sampled_from([BUYER_WINS, SELLER_WINS, TIE]), min_size=3, max_size=3),
)
def test_however_they_haggle_the_price_stays_between_half_and_all(
    original: int, rounds: list[tuple[int, int]]
):
    """Both sides always move the price as far as they may; an account of our own goes along."""
    price, played, answers = original, [], {"walk_away": True}
    wins = {"buyer": 0, "seller": 0}
    for pair in rounds:
        played.append(pair)
        if pair == TIE:
            continue
        who = "buyer" if pair == BUYER_WINS else "seller"
        wins[who] += 1
        can = price > math.ceil(original / 2) if who == "buyer" else price < original
        move = {"buyer": "lower", "seller": "raise"}[who]
        if not can:
            break
        answers[f"{who}_wins#{wins[who]}"] = move
        price += -1 if who == "buyer" else 1
    run = haggles(original, played, answers)
    assert run.outcome.price == price
    assert math.ceil(original / 2) <= run.outcome.price <= original


def test_the_odds_of_a_bargain_can_be_walked():
    """One die each and one round: the buyer wins it one time in four."""
    one = {"skills": {"Haggling": "B1"}, "resources": "B1"}
    at = table({}, {"resources_haggling_rounds": "one"}, buyer=one, seller=one)
    procedure = GAME.procedure("haggle")
    raw = {"character": "buyer", "seller": "seller", "item": "x"}
    start = procedure.start(GAME.read(raw, procedure.arguments, "a"), at)
    odds = exact(start, Scripted({"price": 2, "buyer_wins": "lower", "seller_wins": "close"}))
    assert odds.where(lambda bargain: bargain.price == 1) == Fraction(1, 4)
    # Only then can the one die of Resources be enough.
    assert odds.where(lambda bargain: bargain.acquired) == Fraction(1, 8)


# --- Bidding -------------------------------------------------------------------------------


PEOPLE = {"anna": {"resources": "B5"}, "ben": {"resources": "B4"}, "cleo": {"resources": "B3"}}


def bids(answers: dict[str, Any], rolls: list[int], **more: Any) -> Played:
    arguments = {"item": "a horse", "bidders": ["anna", "ben", "cleo"], **more}
    return play("auction", arguments, table(**PEOPLE, odo={"npc": True}), answers, rolls)


@pytest.mark.rules("resources.bid.procedure")
def test_who_sells_does_not_bid():
    with pytest.raises(BadInput, match="expected somebody who does not bid") as refused:
        bids({"opening": 3}, [], seller="ben")
    assert refused.value.rule == "resources.bid.procedure"


@pytest.mark.rules("resources.bid.procedure", "resources.bid.increment")
def test_each_bid_tops_the_last_by_one_and_the_highest_bidder_pays():
    answers = {
        "opening": 3,
        "anna/bid": True,
        "ben/bid": True,
        "ben/bid#2": False,
    }
    run = bids(answers, [5])
    assert run.outcome.bids == (("anna", 3), ("ben", 4), ("anna", 5))
    assert run.outcome.goes_to == "anna"
    assert [roll.label for roll in run.rolls] == ["Anna, Resources"]  # no skill is tested
    assert run.outcome.purchase.test.obstacle.total == 5
    assert run.asked.count("bid") == 5  # cleo passed at once and was not asked again


@pytest.mark.rules("resources.bid.procedure")
def test_the_highest_bidder_must_test_and_is_taxed():
    answers = {"opening": 6, "anna/bid": True, "ben/bid": False, "goods_go_to": "cleo"}
    run = bids(answers, [2])
    assert "walk_away" not in run.asked
    assert run.outcome.goes_to == "cleo"
    assert run.table.characters["anna"].resources.taxed == 4
    assert bids({**answers, "goods_go_to": "nobody"}, [2]).outcome.goes_to is None
    gift = bids({"opening": 6, "anna/bid": True, "gift": True}, [2])
    assert gift.outcome.goes_to == "anna"


def test_the_seller_names_the_opening_bid_and_nobody_need_bid():
    run = bids({"gm/opening": 9}, [], seller="odo")
    assert run.outcome.goes_to is None
    assert not run.changed


def test_bidding_ends_with_the_scale():
    run = bids({"opening": 18, "bid": True}, [0])
    assert [price for _, price in run.outcome.bids] == [18, 19, 20]


@pytest.mark.parametrize("bidders", [[], ["anna"], ["anna", "anna"], ["anna", "nobody"]])
def test_it_takes_two_to_bid(bidders: list[str]):
    with pytest.raises(BadInput, match="bidders"):
        bids({"opening": 3}, [], bidders=bidders)
