"""Bidding actions to go first."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.fight.initiative import most_bid, winner_of
from games.burning_wheel import in_a_fight
from games.burning_wheel.fighting import fight, fighter, ring

BLOCKS = ("stay", "block", "stay", "block", "stay", "block")
STRIKES = ("stay", "strike", "stay", "block", "stay", "block")
FAST = fighter(Reflexes="B4")
FOUR = ("stay", "strike", "stay", "block", "stay", "block", "block")


@pytest.mark.rules("fight.initiative.maximum")
def test_nobody_bids_more_than_reflexes_minus_one():
    at = in_a_fight.fight()
    assert most_bid(at, "ann") == 3
    assert most_bid(at.change("ann", hesitates=1), "ann") == 0
    with pytest.raises(BadInput, match="0 to 2"):
        fight({"ann": [STRIKES], "bob": [BLOCKS]}, answers={"ann/bid": 3})


@pytest.mark.rules(
    "fight.initiative.bid",
    "fight.initiative.cost",
    "fight.initiative.effect",
    "fight.initiative.nd",
    "fight.sequence.2_first_volley",
    "fight.amb.bid_script",
)
def test_the_bidder_acts_before_anybody_and_only_natural_defenses_answer():
    """Bob's Block does not come in time for the quick Strike; nothing else is rolled against it."""
    at = ring(ann=FAST)
    said = {"ann/bid": 1, "quick_action": "after", "ann/struck": ["3.2"]}
    played = fight({"ann": [FOUR], "bob": [BLOCKS]}, [2, 1, 0], said, at)
    assert [roll.label for roll in played.rolls] == [
        "Ann, first positioning, Speed",
        "Bob, first positioning, Speed",
        "Ann, Strike",
    ]
    assert "Ann bids 1 action." in played.told
    assert "Ann goes first." in played.told
    without = fight({"ann": [FOUR], "bob": [BLOCKS]}, [2, 1, 0, 0], {}, at)
    assert "Bob, Block" in [roll.label for roll in without.rolls]


@pytest.mark.rules("fight.initiative.position_choice")
def test_the_quick_action_comes_before_or_after_positioning():
    scripts = {"ann": [("close", *STRIKES[1:])], "bob": [("close", *BLOCKS[1:])]}

    def labels(when: str, rolls: list[int]) -> list[str]:
        said = {"ann/bid": 1, "quick_action": when, "ann/struck": ["3.1"]}
        played = fight(scripts, rolls, said)
        return [roll.label.split(",")[1].strip() for roll in played.rolls[2:5]]

    assert labels("before", [2, 1, 0, 1, 1]) == ["Strike", "positioning", "positioning"]
    assert labels("after", [2, 1, 1, 1, 0]) == ["positioning", "positioning", "Strike"]


@pytest.mark.rules("fight.initiative.counterbid", "fight.initiative.escalate")
@pytest.mark.parametrize(
    ("bids", "winner"),
    [({"ann": 2, "bob": 1}, "ann"), ({"ann": 1, "bob": 1}, ""), ({}, ""), ({"bob": 1}, "bob")],
)
def test_whoever_has_bid_the_most_goes_first(bids, winner):
    assert winner_of(bids) == winner


@pytest.mark.rules("fight.initiative.counterbid", "fight.initiative.escalate")
def test_bids_are_raised_until_nobody_does():
    said = {"ann/bid#1": 1, "bob/bid#1": 1, "ann/bid#2": 2, "bob/bid#2": 1}
    scripts = {"ann": [FOUR], "bob": [("stay", "strike", "stay", "block", "stay", "block")]}
    played = fight(scripts, None, said, ring(ann=FAST))
    assert "Ann bids 2 actions." in played.told
    assert "Bob bids 1 action." in played.told
    most = fight({"ann": [BLOCKS], "bob": [BLOCKS]}, answers={"ann/bid#1": 2, "bob/bid#1": 2})
    assert most.asked.count("bid") == 2  # with Reflexes B3 nobody could bid a third action
    assert "Ann goes first." in played.told
    tied = {"ann/bid#1": 1, "bob/bid#1": 1, "ann/bid#2": 1}
    nobody = fight(scripts, None, tied, ring(ann=FAST))
    assert "goes first" not in nobody.told


@pytest.mark.rules("fight.initiative.slots_lost", "fight.amb.bid_script")
def test_struck_actions_are_stand_and_drool_and_leave_an_even_spread():
    said = {"ann/bid": 1, "ann/struck": ["3.1"], "quick_action": "after"}
    played = fight({"ann": [STRIKES], "bob": [BLOCKS]}, None, said)
    assert "Volley 3. Ann: hesitates; Bob:" in played.told
    with pytest.raises(BadInput, match="actions left in the volleys as 1/1/1"):
        fight(
            {"ann": [FOUR], "bob": [BLOCKS]},
            None,
            {"ann/bid": 1, "ann/struck": ["1.1"]},
            ring(ann=FAST),
        )


@pytest.mark.rules("fight.initiative.effect", "fight.amb.bid_script")
def test_the_quick_action_is_the_first_that_was_not_given_up():
    """Of two actions in the first volley Ann gives up the first, and Strikes before Bob Blocks."""
    script = ("stay", "push", "strike", "stay", "block", "stay", "block")
    said = {"ann/bid": 1, "quick_action": "after", "ann/struck": ["1.1"]}
    blocks = ("stay", "block", "block", "stay", "block", "stay", "block")
    played = fight({"ann": [script], "bob": [blocks]}, [2, 1, 0], said, ring(ann=FAST, bob=FAST))
    assert [roll.label for roll in played.rolls[2:]] == ["Ann, Strike"]


@pytest.mark.rules("fight.initiative.nd", "fight.amb.initiative_charge")
@pytest.mark.parametrize("bids", [0, 1])
def test_no_avoid_comes_in_time_for_a_quick_charge(bids):
    """The positioning test is the Natural Defense, and the scripted Avoid is too late."""
    scripts = {
        "ann": [("close", "charge_tackle", "stay", "block", "stay", "block")],
        "bob": [("maintain", "avoid", "stay", "block", "stay", "block")],
    }
    said = {"ann/bid": 1, "ann/struck": ["3.1"]} if bids else {}
    played = fight(scripts, None, said)
    rolled = [roll.label for roll in played.rolls]
    assert ("Bob, Avoid, Speed" in rolled) is not bool(bids)


@pytest.mark.rules("fight.initiative.bid")
def test_every_bid_that_can_be_made_is_named():
    """Ann has four actions and may bid three; after one she can only raise it."""
    said = {"ann/bid#1": 1, "bob/bid#1": 1, "ann/bid#2": 2, "ann/struck": ["2.1", "3.2"]}
    scripts = {"ann": [FOUR], "bob": [("stay", "strike", "stay", "block", "stay", "block")]}
    played = fight(scripts, None, said | {"bob/bid#2": 1}, ring(ann=FAST))
    names = [
        [name for _, name in event.ask.question.names]
        for event in played.events
        if getattr(getattr(event, "ask", None), "key", "") == "bid" and event.ask.seat == "ann"
    ]
    assert names[:2] == [
        ["No bid", "1 action", "2 actions", "3 actions"],
        ["1 action", "2 actions", "3 actions"],
    ]


@pytest.mark.rules("fight.initiative.effect")
def test_the_quick_action_may_be_in_the_second_volley():
    """Ann gives up her only action of the first volley for the bid, and Strikes first in the next.

    Against a quick Strike Bob has Natural Defenses alone, so that his Block is not rolled.
    """
    script = ("stay", "block", "stay", "strike", "stay", "block")
    said = {"ann/bid": 1, "ann/struck": ["1.1"], "quick_action": "after"}
    blocks = ("stay", "block") * 3
    played = fight({"ann": [script], "bob": [blocks]}, [2, 1, 1], said)
    assert [roll.label for roll in played.rolls[2:]] == ["Ann, Strike"]
    assert "Ann hits Bob" in played.told
