"""Victory and its price, defeat and its shock."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.play import DecisionEvent, RollEvent
from games.burning_wheel.dueling import SPEAKER, argue, hall, speaker
from games.burning_wheel.playing import Played

POINTS, AVOIDS = ("point",) * 3, ("avoid",) * 3


def win(
    loss: int = 0, over: int = 0, steel: int = 5, answers: Any = None, at: Any = None, **more: Any
) -> Played:
    """Ann wins; she loses so many points on the way, and Bob ends so far below zero."""
    rolls = [5, min(loss, 5), 5 + over, max(0, loss - 5), steel]
    at = at or hall(ann=speaker("Oratory B9", will="B5"))  # bodies 14 and 10
    return argue([POINTS], [POINTS], rolls, answers, at, **more)


@pytest.mark.rules(
    "duel_of_wits.win.condition", "duel_of_wits.win.terms_bind_all", "duel_of_wits.lose.abide"
)
def test_the_winners_terms_hold_and_the_loser_goes_along_for_now():
    duel = win()
    assert (duel.outcome.winner, duel.outcome.terms) == ("ann", "the bridge is built")
    assert (
        "Ann wins the duel with 14 of 14 left; Bob ends at 0 of 10. "
        "Terms: the bridge is built. Ann owes no concession."
    ) in duel.told
    assert "Bob abides by it for now: I hold my tongue." in duel.told


@pytest.mark.rules("duel_of_wits.win.audience_convinced")
def test_the_onlookers_are_convinced_whatever_the_loser_thinks():
    duel = win(onlookers=["the prince", "the court"])
    assert "Ann convinces the prince and the court, whatever Bob thinks." in duel.told


@pytest.mark.rules("duel_of_wits.lose.steel_test", "duel_of_wits.lose.steel_obstacle")
@pytest.mark.parametrize(("over", "obstacle"), [(0, 5), (3, 8)])
def test_the_loser_tests_steel_at_once_and_points_below_zero_make_it_harder(over, obstacle):
    duel = win(over=over, steel=4)
    assert duel.outcome.bodies[1] == -over
    assert duel.outcome.heartbeats == obstacle - 4  # hesitation is 10 - Will 5
    assert (f"+ {over} below zero" in duel.told) is bool(over)
    assert duel.rolls[-1].label == "Bob, Steel"
    assert duel.table.scene.hesitating[0].heartbeats == obstacle - 4
    told = [i for i, e in enumerate(duel.events) if isinstance(e, RollEvent)][-1]
    assert told < next(
        i
        for i, e in enumerate(duel.events)
        if isinstance(e, DecisionEvent) and e.ask.key == "persuaded"
    )


@pytest.mark.rules("duel_of_wits.lose.steel_test")
@pytest.mark.parametrize("edition", ["revised", "gold"])
def test_every_defeat_is_a_shock_of_its_own_even_in_the_same_matter(edition):
    first = win(at=hall(ann=speaker("Oratory B9"), options={"edition": edition}))
    again = win(answers={"conditions_changed": "a flood"}, at=first.table)
    assert again.rolls[-1].label == "Bob, Steel"


@pytest.mark.rules("duel_of_wits.lose.hesitation_window")
@pytest.mark.parametrize("choice", ["nothing", "gloat", "final_blow", "attack"])
def test_while_the_loser_hesitates_the_winner_may_do_as_he_likes(choice):
    duel = win(steel=2, answers={"window": choice})
    assert duel.outcome.window == choice
    assert duel.seats["window"] == "ann"
    assert ("Ann, while Bob hesitates: " in duel.told) is (choice != "nothing")
    assert "window" not in win(steel=5).asked  # nobody hesitates, nobody waits


@pytest.mark.parametrize(("choice", "tested"), [("no", ["Bob"]), ("yes", ["Bob", "Cyd"])])
def test_the_losers_helpers_test_steel_only_where_the_table_has_it_so(choice, tested):
    at = hall(
        ann=speaker("Oratory B9"),
        cyd=SPEAKER,
        options={"duel_of_wits_losing_helpers_test_steel": choice},
    )
    rolls = [5, 0, 5, 0, *([5] * len(tested))]
    duel = argue([POINTS], [POINTS], rolls, at=at, side_b={"helpers": ["cyd"]})
    assert [r.label.partition(",")[0] for r in duel.rolls if "Steel" in r.label] == tested


# --- Compromise ------------------------------------------------------------------------------


@pytest.mark.rules(
    "duel_of_wits.compromise.required_on_any_loss",
    "duel_of_wits.compromise.unconditional",
    "duel_of_wits.compromise.minor",
    "duel_of_wits.compromise.fair",
    "duel_of_wits.compromise.major",
)
@pytest.mark.parametrize(
    ("loss", "size"),
    [
        (0, "none"),
        (1, "very_minor"),
        (6, "very_minor"),
        (7, "a_genuine_concession"),
        (8, "major"),
        (10, "major"),
    ],
)
def test_what_the_winner_lost_of_fourteen_says_what_is_owed(loss, size):
    duel = win(loss)
    assert duel.outcome.bodies[0] == 14 - loss
    assert duel.outcome.concession == size
    assert ("concession" in duel.asked) is (loss > 0)


@pytest.mark.rules("duel_of_wits.compromise.fair", "duel_of_wits.compromise.major")
@pytest.mark.parametrize(
    ("loss", "size"), [(6, "very_minor"), (7, "a_genuine_concession"), (8, "major")]
)
def test_half_of_an_odd_body_is_rounded_up(loss, size):
    """Of fifteen, eight left is half; seven is below it."""
    duel = win(loss, at=hall(ann=speaker("Oratory B9", will="B6")))
    assert duel.outcome.started[0] == 15
    assert duel.outcome.concession == size


def test_the_size_is_a_suggestion_and_the_gm_may_change_it():
    assert win(1, answers={"concession_size": "major"}).outcome.concession == "major"


@pytest.mark.rules("duel_of_wits.compromise.agreed_by_players")
def test_the_players_settle_what_is_granted_and_the_winner_keeps_the_heart_of_it():
    answers = {
        "concession#1": "nothing much", "accept_concession#1": "another",
        "concession#2": "a toll for ten years",
    }  # fmt: skip
    duel = win(8, answers=answers)
    assert duel.outcome.compromise == "a toll for ten years"
    assert duel.outcome.terms == "the bridge is built"
    assert (duel.seats["concession"], duel.seats["accept_concession"]) == ("ann", "bob")


@pytest.mark.parametrize(
    ("loss", "answers", "told"),
    [
        (1, {"concession": "a toll"}, "with 13 of 14 left; Bob ends at -2 of 10. Terms: the "
         "bridge is built. Ann owes a very minor concession: a toll."),
        (7, {"concession": "a toll"}, "Ann owes a genuine concession: a toll."),
        (8, {"concession": "a toll"}, "Ann owes a major concession: a toll."),
        (8, {"accept_concession": "none"}, "Ann owes a major concession, but none was agreed on."),
    ],
)  # fmt: skip
def test_the_end_says_who_won_by_how_much_and_at_which_price(loss, answers, told):
    assert told in win(loss, over=2, answers=answers).told


@pytest.mark.parametrize(
    ("choice", "answers", "may"),
    [
        ("major_concessions", {"accept_concession": "none", "escalate": "war"}, True),
        ("major_concessions", {}, False),
        ("gm_each_time", {"near_result": True, "escalate": "war"}, True),
        ("gm_each_time", {"accept_concession": "none"}, False),
    ],
)
def test_a_near_result_may_be_escalated_but_still_has_its_winner(choice, answers, may):
    at = hall(ann=speaker("Oratory B9"), options={"duel_of_wits_near_result": choice})
    duel = win(8, answers=answers, at=at)
    assert ("escalate" in duel.asked) is may
    assert duel.outcome.winner == "ann"
    assert duel.outcome.escalated == ("war" if may else "")


# --- Ties ------------------------------------------------------------------------------------


def tie(answers: Any = None, rolls: Any = (5, 5, 5, 5), at: Any = None) -> Played:
    return argue([POINTS], [POINTS], list(rolls), answers, at)


@pytest.mark.rules("duel_of_wits.tie.condition", "duel_of_wits.tie.options")
def test_after_a_tie_nobody_has_won_and_it_is_put_off_or_settled_in_the_middle():
    duel = tie()
    assert (duel.outcome.settled, duel.outcome.winner, duel.outcome.compromise) == ("tie", None, "")
    assert not any("Steel" in roll.label for roll in duel.rolls)
    assert duel.table.scene.rides == ()  # a new duel is allowed
    assert "A tie (Ann 0, Bob 0): nobody wins the duel. It is left for another time." in duel.told
    one = tie({"ann/after_tie": "compromise"})
    assert "offer" not in one.asked  # it takes both


AGREE = {
    "after_tie": "compromise",
    "ann/offer": "a ferry",
    "bob/offer": "a ford",
    "neutral_offer": "a rope",
}


@pytest.mark.rules("duel_of_wits.tie.offers", "duel_of_wits.tie.no_original_terms")
def test_both_make_a_new_offer_somebody_neutral_a_third_and_the_players_pick():
    duel = tie({**AGREE, "middle_ground": "bob"})
    assert duel.outcome.compromise == "a ford"
    assert "nobody wins the duel. Compromise: a ford." in duel.told
    assert [option.label for option in duel.asks["middle_ground"].question.options] == [
        "a ferry", "a ford", "a rope", "None of these",
    ]  # fmt: skip
    again = {**AGREE, "ann/offer#1": "The bridge is  built", "ann/offer#2": "a ferry"}
    del again["ann/offer"]
    refused = tie(again)
    assert refused.asked.count("offer") == 3  # the first terms are out of reach, for either side
    assert refused.outcome.compromise == "a rope"
    third = {**AGREE, "neutral_offer#1": "no  Bridge", "neutral_offer#2": "a rope"}
    del third["neutral_offer"]
    neutral = tie(third)
    assert neutral.asked.count("neutral_offer") == 2  # not even from a third party
    assert neutral.outcome.compromise == "a rope"


@pytest.mark.rules("duel_of_wits.tie.margin_below_zero")
def test_the_side_driven_down_less_may_be_let_shape_the_compromise_and_still_nobody_wins():
    rolls, at = (5, 5, 5, 6), hall(bob=speaker("Oratory B6", will="B4"))
    duel = tie({**AGREE, "margin_shapes": True, "middle_ground": "bob"}, rolls, at)
    assert duel.outcome.bodies == (-1, 0)
    picked = [
        e.ask.seat
        for e in duel.events
        if isinstance(e, DecisionEvent) and e.ask.key == "middle_ground"
    ]
    assert picked == ["bob"]
    assert duel.outcome.winner is None
    both = tie({**AGREE, "middle_ground": "bob"}, rolls, at)
    assert [
        e.ask.seat
        for e in both.events
        if isinstance(e, DecisionEvent) and e.ask.key == "middle_ground"
    ] == ["ann", "bob"]


@pytest.mark.rules("duel_of_wits.tie.escalate")
@pytest.mark.parametrize("act", ["duel_of_arms", "war", "excommunication", "exile", "rash_act"])
def test_without_a_compromise_either_side_may_escalate_which_wins_nothing(act):
    answers = {**AGREE, "ann/middle_ground": "ann", "bob/middle_ground": "bob", "bob/escalate": act}
    duel = tie(answers)
    assert (duel.outcome.escalated, duel.outcome.winner, duel.outcome.settled) == (act, None, "tie")
    assert "nobody wins the duel. No compromise is reached." in duel.told
    assert "That does not win the argument." in duel.told
    assert "escalate" not in tie({**AGREE, "middle_ground": "neutral"}).asked


# --- Honour ----------------------------------------------------------------------------------


@pytest.mark.rules(
    "duel_of_wits.honor.challenge",
    "duel_of_wits.honor.winner_choice",
    "duel_of_wits.honor.fought_with_fight",
)
@pytest.mark.parametrize("answer", ["refuse", "accept", "champion"])
def test_a_loser_may_demand_satisfaction_and_the_winner_chooses(answer):
    duel = win(answers={"demand_satisfaction": "first_blood", "satisfaction": answer})
    assert (duel.seats["demand_satisfaction"], duel.seats["satisfaction"]) == ("bob", "ann")
    assert duel.outcome.satisfaction == answer
    assert ("go on with a Fight!" in duel.told) is (answer != "refuse")
    assert ("loses no standing" in duel.told) is (answer == "refuse")
    assert not any("reputations" in path for path in duel.changed)
    assert duel.outcome.winner == "ann"


def test_whoever_lets_it_be_challenges_nobody():
    assert win().outcome.satisfaction == ""
    assert "satisfaction" not in win().asked


@pytest.mark.rules("gold.result.helpers_share", "tests.amb.primary_risk")
@pytest.mark.parametrize(
    ("options", "shared"),
    [
        ({}, False),
        ({"tests_helpers_share_failure": "always"}, True),
        ({"edition": "gold"}, True),
    ],
)
def test_the_losers_helpers_share_the_defeat_where_they_share_every_failure(options, shared):
    at = hall(ann=speaker("Oratory B9"), options=options, cat=SPEAKER, dan=SPEAKER)
    sides = {"side_a": {"helpers": ["dan"]}, "side_b": {"helpers": ["cat"]}}
    duel = win(answers={"body_method": "big_deal"}, at=at, **sides)
    assert ("The failure is shared by Cat." in duel.told) is shared
    assert "shared by Dan" not in duel.told
