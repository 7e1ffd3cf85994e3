"""Changing a script between volleys."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.fight.forfeits import (
    check_forfeit,
    kept_rules,
    may_change,
    offer_forfeits,
)
from astragal.games.burning_wheel.conflicts.fight.script import VolleyPlan, cards_of
from astragal.games.burning_wheel.conflicts.fight.state import (
    Positioning,
    ReadiedAction,
)
from astragal.play import CardRule, DecisionEvent
from games.burning_wheel import in_a_fight
from games.burning_wheel.fighting import fight, fighter, ring

DROOL = "stand_and_drool"
CLOSE, MAINTAIN, WITHDRAW, STAY = Positioning
BLOCKS = ("stay", "block", "stay", "block", "stay", "block")
SCRIPT = ("stay", "block", "maintain", "avoid", "stay", "push")


def plan(*volleys: tuple[Positioning, tuple[str, ...]]) -> tuple[VolleyPlan, ...]:
    return tuple(VolleyPlan(moves, tuple((card,) for card in cards)) for moves, cards in volleys)


OLD = plan((MAINTAIN, ("avoid", "strike")), (CLOSE, ("push",)))


def refusal(*new: tuple[Positioning, tuple[str, ...]]) -> str:
    try:
        check_forfeit(OLD, plan(*new))
    except BadInput as refused:
        return str(refused)
    return ""


@pytest.mark.rules("fight.forfeit.cost", "fight.forfeit.where")
def test_each_change_costs_an_action_anywhere_in_what_is_left():
    assert not refusal((MAINTAIN, ("avoid", "strike")), (CLOSE, ("push",)))
    unpaid = refusal((MAINTAIN, ("block", "strike")), (CLOSE, ("push",)))
    assert unpaid.endswith("one for each change [fight.forfeit.cost]")
    assert "1 more action given up" in unpaid
    assert "3 more actions given up" in refusal((MAINTAIN, ("block", "feint")), (CLOSE, ("lock",)))
    assert not refusal((MAINTAIN, ("block", "strike")), (CLOSE, (DROOL,)))
    assert not refusal((MAINTAIN, (DROOL, "strike")), (CLOSE, ("lock",)))
    one_more = refusal((MAINTAIN, ("block", "feint")), (CLOSE, (DROOL,)))
    assert "1 more action given up" in one_more


@pytest.mark.rules("fight.forfeit.voluntary_hesitate")
def test_to_stand_and_drool_is_free():
    assert not refusal((MAINTAIN, (DROOL, DROOL)), (CLOSE, (DROOL,)))


@pytest.mark.rules(
    "fight.forfeit.tandem_changed", "fight.forfeit.same_volley", "fight.amb.forfeit_only_position"
)
def test_positioning_goes_with_the_action_that_is_changed():
    assert not refusal((WITHDRAW, ("block", "strike")), (CLOSE, (DROOL,)))
    assert not refusal((WITHDRAW, ("block", DROOL)), (CLOSE, ("push",))), "one volley for both"
    assert not refusal((WITHDRAW, ("avoid", "strike")), (CLOSE, (DROOL,))), "positioning alone"
    assert refusal((WITHDRAW, ("avoid", "strike")), (CLOSE, ("push",))), "but not for nothing"


@pytest.mark.rules(
    "fight.forfeit.not_volley_one", "fight.forfeit.after_volley_one", "fight.forfeit.stuck"
)
def test_when_something_can_be_changed():
    at = in_a_fight.fight()
    two = plan((STAY, ("block",)), (STAY, ("block",)), (STAY, ("block", "avoid")))
    one = plan((STAY, ("block",)), (STAY, ("block",)), (STAY, ("block",)))
    assert [may_change(at, "ann", two, volley) for volley in (1, 2, 3)] == [False, True, True]
    assert [may_change(at, "ann", one, volley) for volley in (1, 2, 3)] == [False, True, False]
    # Of three actions that are left one is lost anyway, of two there is then no other to give up.
    late = at.change("ann", hesitates=1)
    assert [may_change(late, "ann", two, volley) for volley in (2, 3)] == [True, False]
    assert not may_change(at.change("ann", hesitates=2), "ann", two, 2)
    struck = plan((STAY, ("block",)), (STAY, ("block",)), (STAY, ("block", DROOL)))
    assert not may_change(at, "ann", struck, 3), "what a bid has cost pays for nothing"
    assert not may_change(at.change("ann", waits=ReadiedAction("a cry", "strike")), "ann", two, 2)


@pytest.mark.rules("fight.forfeit.not_announced", "fight.forfeit.gm_call_closes")
def test_the_question_comes_in_secret_before_the_volley_is_announced():
    played = fight({"ann": [SCRIPT], "bob": [BLOCKS]})
    kinds = [
        event.fact.sentence().split(".")[0] if hasattr(event, "fact") else event.ask.key
        for event in played.events
        if getattr(getattr(event, "fact", None), "volley", None) is not None
        or getattr(getattr(event, "ask", None), "key", "") == "forfeit"
    ]
    shown = [each for each in kinds if each.startswith(("Volley", "forfeit"))]
    assert shown == ["Volley 1", "forfeit", "forfeit", "Volley 2", "Volley 3"], "Reflexes 3: stuck"
    asked = played.asks["forfeit"]
    assert asked.secret
    assert asked.question.default == SCRIPT[2:] or asked.question.default == BLOCKS[2:]


@pytest.mark.rules("fight.sequence.7_second_volley", "fight.forfeit.cost")
def test_a_changed_action_is_played_and_the_lost_one_is_not():
    said = {"ann/forfeit": ["maintain", "feint", "stay", DROOL]}
    played = fight({"ann": [SCRIPT], "bob": [BLOCKS]}, None, said)
    assert "Volley 2. Ann: Maintain; Feint" in played.told
    assert "Volley 3. Ann: hesitates" in played.told
    with pytest.raises(BadInput, match="given up as Stand and Drool"):
        fight(
            {"ann": [SCRIPT], "bob": [BLOCKS]},
            None,
            {"ann/forfeit": ["maintain", "feint", "stay", "push"]},
        )


@pytest.mark.rules("fight.sequence.8_third_volley", "fight.forfeit.after_volley_one")
def test_with_two_actions_in_the_third_volley_it_may_still_be_changed():
    at = ring(ann=fighter(Reflexes="B4"))
    four = ("stay", "block", "stay", "block", "stay", "block", "avoid")
    said = {"ann/forfeit#2": ["stay", DROOL, "push"]}
    played = fight({"ann": [four], "bob": [BLOCKS]}, None, said, at)
    assert "Volley 3. Ann: Let them come; Stand and Drool, Push" in played.told


@pytest.mark.rules("fight.forfeit.no_position_if_only", "fight.forfeit.tandem_lost")
def test_the_sole_action_of_a_volley_takes_the_positioning_with_it():
    script = ("stay", "block", "close", "avoid", "stay", "push")
    closing = ("stay", "block", "withdraw", "block", "stay", "block")
    said = {"ann/forfeit": ["close", DROOL, "stay", "push"]}
    played = fight({"ann": [script], "bob": [closing]}, None, said)
    rolled = [roll.label for roll in played.rolls if "positioning" in roll.label]
    assert rolled == [
        "Ann, first positioning, Speed",
        "Bob, first positioning, Speed",
        "Bob, positioning, Speed",
    ], "Ann does not position in volley 2"


@pytest.mark.rules("fight.amb.forfeit_nd")
@pytest.mark.parametrize(("played", "defends"), [("none", False), ("kept", True)])
def test_a_forfeited_slot_has_natural_defenses_or_none(played, defends):
    at = ring({"fight_forfeited_slot_natural_defenses": played})
    pushing = ("stay", "block", "stay", "push", "stay", "block")
    said = {"ann/forfeit": ["stay", DROOL, "stay", "push"]}
    fought = fight({"ann": [SCRIPT], "bob": [pushing]}, None, said, at)
    assert any("Ann, Natural" in roll.label for roll in fought.rolls) is defends


@pytest.mark.rules("fight.forfeit.oh_option")
@pytest.mark.parametrize("reaction", ["keep", "avoid", "block"])
def test_by_the_optional_rule_a_late_defence_costs_a_later_action(reaction):
    scripts = {
        "ann": [("stay", "feint", "stay", "block", "stay", "push")],
        "bob": [("stay", "strike", "stay", "block", "stay", "block")],
    }
    fought = fight(scripts, None, {"ann/react#1": reaction}, react=True)
    labels = [roll.label for roll in fought.rolls]
    assert ("Ann, Avoid" in labels) is (reaction == "avoid")
    assert ("Ann, Block" in labels) is (reaction == "block")
    assert ("Volley 3. Ann: hesitates" in fought.told) is (reaction != "keep")
    assert "react" not in fight(scripts).asked


def limits(*left: str, before: str = "block") -> dict[str, CardRule]:
    """The rules for the rest of a script, by the first card that they limit."""
    whole = plan((STAY, (before,)), (WITHDRAW, left))
    there = in_a_fight.fight()
    cards = cards_of(there, "ann")
    return {rule.cards[0]: rule for rule in kept_rules(there, "ann", whole, 2, cards)}


def test_what_is_left_can_always_be_kept():
    """A Great Strike whose Set was lost is kept in the script, and lost when it comes."""
    assert "great_strike" not in limits("great_strike", "retrieve")
    kept = limits("great_strike_set", "great_strike")["great_strike"]
    assert kept.rule == "fight.great_strike.two_actions"


@pytest.mark.rules("fight.xref.weapon_speed")
def test_a_slow_weapon_does_not_strike_again_after_a_change():
    assert limits("block", "avoid")["strike"].carried == 0
    slow = limits("block", "avoid", before="strike")["strike"]
    assert (slow.rule, slow.carried) == ("weapons.speed.slow", 1)
    assert not slow.allows("stay", (), (), "strike")


@pytest.mark.rules("fight.forfeit.oh_option", "fight.avoid.penalty_other_actions")
def test_a_late_avoid_makes_the_other_actions_of_the_volley_harder():
    quick = fighter(Reflexes="B6")
    mine = ("stay", "feint", "strike", "stay", "block", "block", "stay", "block", "block")
    other = ("stay", "strike", "stay", "block", "stay", "block")
    said = {"ann/react#1": "avoid"}
    fought = fight(
        {"ann": [mine], "bob": [other]}, [2, 1, 0, 0, 0], said, ring(ann=quick), react=True
    )
    assert (
        "Ann, Strike, rolls 4D = 4 Sword against Ob 2 = 1 base obstacle + 1 Avoids" in fought.told
    )


@pytest.mark.rules("fight.forfeit.after_volley_one", "fight.hesitation.to_actions")
def test_who_hesitates_may_change_what_comes_after_it():
    """Ann's Charge fails and costs her the next action; of the three after it two can be traded."""
    quick = fighter(Reflexes="B5")
    scripts = {
        "ann": [("close", "charge_tackle", "stay", "push", "block", "stay", "strike", "feint")],
        "bob": [("maintain", "block", "stay", "block", "stay", "block")],
    }
    asked = ("stay", DROOL, "block", "stay", "strike", "feint")
    new = ["stay", DROOL, "avoid", "stay", "strike", DROOL]
    played = fight(scripts, [2, 1, 1, 3, 0, 0], {"ann/forfeit#1": new}, ring(ann=quick))
    assert played.asks["forfeit"].question.default in (asked, BLOCKS[2:])
    assert "Volley 2. Ann: hesitates, Avoid; Bob:" in played.told
    assert "Volley 3. Ann: Let them come; Strike, Stand and Drool; Bob:" in played.told


@pytest.mark.rules("fight.forfeit.where", "fight.hesitation.to_actions")
def test_actions_that_hesitation_takes_pay_for_nothing_in_later_volleys_either():
    """Four of the six that are left are lost: all of volley 2, and the first of volley 3."""
    nine = {"attributes": {**in_a_fight.FIGHTER["attributes"], "Reflexes": "B9"}}
    at = in_a_fight.fight(ann=nine).change("ann", hesitates=4)
    three = ("block", "push", "feint")
    left = plan((STAY, three), (STAY, three), (STAY, three))
    scripts = (("ann", left), ("bob", plan((STAY, ()), (STAY, ()), (STAY, ()))))
    asked = in_a_fight.run(offer_forfeits, at, scripts, 2).played.asks["forfeit"].question
    assert asked.default == ("stay", *[DROOL] * 3, "stay", DROOL, "push", "feint")


@pytest.mark.rules("fight.forfeit.oh_option")
def test_a_late_defence_is_offered_only_to_whom_something_comes_at():
    """Bob strikes in the first volley, Ann in the second; without the rule for it both are asked
    in both.
    """
    scripts = {
        "ann": [("stay", "physical_act", "stay", "strike", "stay", "push")],
        "bob": [("stay", "strike", "stay", "physical_act", "stay", "push")],
    }
    fought = fight(scripts, None, {}, react=True)
    asked = [
        event.ask.seat
        for event in fought.events
        if isinstance(event, DecisionEvent) and event.ask.key == "react"
    ]
    assert asked == ["ann", "bob"]
    quiet = {"ann": [BLOCKS], "bob": [("stay", "physical_act", "stay", "block", "stay", "block")]}
    assert "react" not in fight(quiet, None, {}, react=True).asked


@pytest.mark.rules("extended_example.forfeit.position_only")
def test_a_forfeit_may_buy_another_positioning_and_keep_the_action():
    """Slehr gives up his spell: the Avoid stays, and Maintain becomes Withdraw."""
    at = ring(ann=fighter(Reflexes="B4"))
    four = ("stay", "block", "maintain", "avoid", "push", "stay", "block")
    said = {"ann/forfeit": ["withdraw", "avoid", DROOL, "stay", "block"]}
    played = fight({"ann": [four], "bob": [BLOCKS]}, None, said, at)
    assert "Volley 2. Ann: Withdraw; Avoid, Stand and Drool" in played.told
    unpaid = {"ann/forfeit": ["withdraw", "avoid", "push", "stay", "block"]}
    with pytest.raises(BadInput, match=r"one for each change \[fight.forfeit.cost\]"):
        fight({"ann": [four], "bob": [BLOCKS]}, None, unpaid, at)


@pytest.mark.rules("extended_example.forfeit.gm_too")
def test_the_gm_forfeits_for_npcs_by_the_same_rules():
    at = ring(bob=fighter(npc=True, Reflexes="B4"))
    four = ["stay", "block", "stay", "block", "maintain", "lock", "push"]
    said = {
        "gm/script#1": four,
        "gm/bids_and_forfeits": "ask",
        "gm/forfeit#2": ["withdraw", "avoid", DROOL],
    }
    played = fight({"ann": [BLOCKS]}, None, said, at)
    assert "Bob: Withdraw; Avoid, Stand and Drool" in played.told
    unpaid = {**said, "gm/forfeit#2": ["withdraw", "avoid", "push"]}
    with pytest.raises(BadInput, match="given up as Stand and Drool"):
        fight({"ann": [BLOCKS]}, None, unpaid, at)
