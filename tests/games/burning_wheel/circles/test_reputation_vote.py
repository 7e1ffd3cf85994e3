"""New and greater reputations, by vote when a scenario ends."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from games.burning_wheel.playing import Played, play, table
from games.burning_wheel.seeking import knight

STERN = {"name": "Stern", "dice": 2}


def three(options: Any = None, **more: Any) -> Any:
    return table(
        options=options,
        knight=knight(player="anna", **more),
        page={"player": "ben"},
        cook={"player": "cleo"},
    )


def vote(at: Any, answers: Any = None, scenario: str = "The siege", **nomination: Any) -> Played:
    nominations = [{"character": "knight", "reputation": "Brave", **nomination}]
    arguments = {
        "scenario": scenario,
        "participants": ["knight", "page", "cook"],
        "nominations": nominations,
    }
    return play("reputation_vote", arguments, at, answers, ())


def fame(at: Any) -> dict[str, int]:
    return {each.name: each.dice for each in at.character("knight").reputations}


@pytest.mark.rules("circles.reputation.new_by_vote")
def test_a_new_reputation_takes_everybodys_vote():
    """circles.amb.new_reputation_default; the owner does not vote, as for a trait."""
    run = vote(three(), dice=2)
    voters = [event.ask.seat for event in run.events if hasattr(event, "ask")]
    assert voters == ["gm", "ben", "cleo"]
    assert fame(run.table) == {"Brave": 2}
    assert "Brave? Granted: 3 for, 0 against." in run.told
    for seat in ("gm", "ben", "cleo"):
        denied = vote(three(), {f"{seat}/vote": "no"})
        assert denied.outcome.rejected == (("knight", "Brave"),)
        assert fame(denied.table) == {}
        assert "Brave? Not granted: 2 for, 1 against." in denied.told
        (count,) = denied.outcome.votes
        assert (count.character, count.motion) == ("knight", "Brave")
        assert (count.yes, count.no, count.abstained) == (2, 1, 0)
    assert fame(vote(three(), {"ben/vote": "abstain"}).table) == {"Brave": 1}


@pytest.mark.rules("circles.reputation.new_by_vote")
def test_the_owner_votes_where_the_table_says_so():
    """beliefs.amb.vote_owner_and_gm."""
    at = three({"beliefs_owner_votes_on_gain": "yes"})
    assert vote(at, {"anna/vote": "no"}).outcome.granted == ()
    assert vote(at).outcome.granted == (("knight", "Brave", 1),)


@pytest.mark.rules("circles.reputation.new_by_vote")
def test_anyone_at_the_table_may_nominate():
    for seat in ("gm", "anna", "ben", "cleo"):
        assert vote(three(), by=seat).outcome.granted
    with pytest.raises(BadInput, match=r"nominations\[0\].by: found 'zoe'"):
        vote(three(), by="zoe")


@pytest.mark.rules("circles.reputation.new_size")
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_a_new_reputation_has_one_to_three_dice(dice: int):
    assert fame(vote(three(), dice=dice).table) == {"Brave": dice}


@pytest.mark.rules("circles.reputation.new_size")
@pytest.mark.parametrize("dice", [0, 4])
def test_no_event_is_worth_more_or_less(dice: int):
    with pytest.raises(
        BadInput, match=r"dice: found .* 3 \(a massive battle that saves the crown\)"
    ):
        vote(three(), dice=dice)


@pytest.mark.rules("circles.reputation.advance")
def test_a_reputation_rises_by_one_die_a_scenario_and_by_unanimous_vote():
    at = three(reputations=[STERN])
    more = {"reputation": "stern", "raises": True}
    run = vote(at, **more)
    assert fame(run.table) == {"Stern": 3}
    assert fame(vote(at, {"cleo/vote": "no"}, **more).table) == {"Stern": 2}
    with pytest.raises(NotAllowed, match="has already risen in this scenario: The siege"):
        vote(run.table, **more)
    assert fame(vote(run.table, scenario="The flood", **more).table) == {"Stern": 4}
    with pytest.raises(BadInput, match=r"dice: found 2, expected 1, the most for one scenario"):
        vote(at, dice=2, **more)
    with pytest.raises(BadInput, match=r"reputation: found 'Meek'"):
        vote(at, reputation="Meek", raises=True)


@pytest.mark.rules("circles.reputation.advance")
def test_one_reputation_is_put_to_the_vote_once():
    nomination = {"character": "knight", "reputation": "Stern", "raises": True}
    arguments = {"scenario": "x", "participants": ["knight"], "nominations": [nomination] * 2}
    with pytest.raises(BadInput, match="each reputation once"):
        play("reputation_vote", arguments, three(reputations=[STERN]))


def test_names_must_be_new_and_scenarios_named():
    with pytest.raises(BadInput, match="a name that is not on the sheet yet"):
        vote(three(reputations=[STERN]), reputation="STERN")
    with pytest.raises(BadInput, match="scenario: found ' '"):
        vote(three(), scenario=" ")
