"""Readied actions: they wait for something, and what comes after them waits with them."""

from __future__ import annotations

import pytest

from astragal.games.burning_wheel.conflicts.fight.forfeits import plan_for
from astragal.games.burning_wheel.conflicts.fight.readied import (
    cards_after,
    go_on_after,
    set_action,
    wait_on,
)
from astragal.games.burning_wheel.conflicts.fight.script import VolleyPlan
from astragal.games.burning_wheel.conflicts.fight.state import Positioning, ReadiedAction
from games.burning_wheel import in_a_fight
from games.burning_wheel.fighting import fight, fighter, ring
from games.burning_wheel.in_a_fight import run

STAY = Positioning.STAY
BLOCKS = ("stay", "block", "stay", "block", "stay", "block")
WAITS = ("stay", "set_condition", "stay", "strike", "stay", "push")


def plan(*volleys: tuple[str, ...]) -> tuple[VolleyPlan, ...]:
    return tuple(VolleyPlan(STAY, tuple((card,) for card in cards)) for cards in volleys)


@pytest.mark.rules("fight.condition.set", "fight.condition.trigger", "fight.condition.script_after")
def test_the_next_card_waits_for_what_its_player_names():
    scripts = (("ann", plan(("set_condition", "strike"), ("push",), ("block",))),)
    at = in_a_fight.fight()
    answers = {"trigger": "a zombie comes near Thomas"}
    waits = run(set_action, at, "ann", scripts, 1, 1, answers=answers)
    assert waits.who().waits == ReadiedAction("a zombie comes near Thomas", "strike")
    assert "Ann waits: a zombie comes near Thomas." in waits.told
    assert waits.played.asks["trigger"].question.required  # there is always a trigger
    assert cards_after(plan_for(scripts, "ann"), 1, 1) == ("strike", "push", "block")
    nothing = (("ann", plan((), (), ("set_condition",))),)
    assert run(set_action, at, "ann", nothing, 3, 1).who().waits is None


@pytest.mark.rules("fight.condition.limit", "fight.amb.set_condition_hesitation")
def test_will_says_how_long_somebody_can_wait():
    """With Will B4 somebody is ready for four actions, and hesitates in the fifth."""
    at = in_a_fight.fight().change("ann", waits=ReadiedAction("a cry", "strike", waited=2))
    third = run(wait_on, at, "ann")
    assert third.who().waits.waited == 3
    assert not third.who().hesitates
    fourth = run(wait_on, third.fight, "ann")
    assert fourth.who().waits is None
    assert fourth.who().hesitates == 1


@pytest.mark.rules("fight.condition.limit")
def test_with_will_of_one_the_second_action_after_the_set_is_lost():
    """Ann sets in the first volley, waits in the second, and hesitates in the third."""
    at = ring(ann=fighter(Will="B1"))
    played = fight({"ann": [WAITS], "bob": [BLOCKS]}, None, {}, at)
    assert "Volley 2. Ann: Let them come; waits" in played.told
    assert "Volley 3. Ann: hesitates" in played.told


@pytest.mark.rules("fight.condition.play_rest", "fight.condition.script_after")
def test_only_the_volleys_that_are_left_are_played_from_what_comes_after():
    scripts = (("ann", plan(("set_condition", "strike"), ("push", "lock"), ("block", "avoid"))),)
    after = go_on_after("ann", scripts, 2, 2, "strike")
    assert [volley.cards for volley in plan_for(after, "ann")][2] == ("push", "lock")
    early = go_on_after("ann", scripts, 1, 2, "strike")
    assert [volley.cards for volley in plan_for(early, "ann")][1:] == [
        ("push", "lock"),
        ("block", "avoid"),
    ]
    # In the first of two actions: the second of that volley is the first of what comes after.
    between = go_on_after("ann", scripts, 2, 1, "strike")
    assert [volley.cards for volley in plan_for(between, "ann")] == [
        ("set_condition", "strike"),
        ("push", "push"),
        ("lock", "block"),
    ]


def test_after_an_action_set_earlier_the_new_script_is_what_comes_after():
    scripts = (("ann", plan(("block",), ("push", "lock"), ("avoid",))),)
    assert go_on_after("ann", scripts, 1, 1, "strike") == scripts


@pytest.mark.rules("fight.condition.set", "fight.condition.while_waiting")
def test_whoever_waits_positions_and_does_nothing_else_until_it_happens():
    said = {"ann/triggered#2": True}
    played = fight({"ann": [WAITS], "bob": [BLOCKS]}, None, said)
    assert "Volley 2. Ann: Let them come; waits" in played.told
    assert "Volley 3. Ann: Let them come; waits" in played.told
    assert "Ann acts: Strike." in played.told
    assert [roll.label for roll in played.rolls if "Ann, Strike" in roll.label]
    never = fight({"ann": [WAITS], "bob": [BLOCKS]})
    assert "Ann acts" not in never.told


@pytest.mark.rules("fight.condition.play_rest")
def test_what_was_scripted_after_it_is_played_in_the_next_volley():
    at = ring(ann=fighter(Reflexes="B4"))
    waits = ("stay", "set_condition", "strike", "stay", "push", "stay", "lock")
    played = fight({"ann": [waits], "bob": [BLOCKS]}, None, {"ann/triggered#1": True}, at)
    assert "Volley 2. Ann: Let them come; Push" in played.told
    assert "Volley 3. Ann: Let them come; Lock" in played.told
