"""A whole slot of a volley: matching, several fighters at once, the log, and the wounds."""

from __future__ import annotations

import msgspec
import pytest

from astragal.games.burning_wheel.armor.block_and_strike import Stance
from astragal.games.burning_wheel.armor.hits import IncomingHit
from astragal.games.burning_wheel.conflicts.fight.harm import Harm, apply_harm
from astragal.games.burning_wheel.conflicts.fight.moment import play_moment
from astragal.games.burning_wheel.conflicts.fight.state import FightDeed, Lock, Posture, Preparation
from astragal.games.burning_wheel.weapons.damage import Damage, Stage
from games.burning_wheel.in_a_fight import run
from games.burning_wheel.meeting import BOTH, came, dice, meet, moment, ring, sheet, with_state

# --- All at once -----------------------------------------------------------------------------


@pytest.mark.rules("fight.simultaneous.same_slot", "fight.simultaneous.both_can_succeed")
@pytest.mark.rules("fight.roll.after_all_announced", "fight.sequence.5_match")
def test_both_may_fall_in_the_same_moment():
    brittle = sheet(tolerances=["B1", "B2", "B3", "B4", "B5", "B6"])
    after = moment(ring(ann=brittle, bob=brittle), "ann strike bob", "bob strike ann", rolls=[4, 4])
    assert after.who("ann").out == "dying"
    assert after.who("bob").out == "dying"
    # Every die was thrown before anything came about.
    told = after.told.splitlines()
    first_hit = next(at for at, line in enumerate(told) if "hits" in line and "Mark" in line)
    assert sum("rolls 4D" in line for line in told[:first_hit]) == 2


@pytest.mark.rules("fight.simultaneous.both_can_succeed", "fight.amb.push_vs_push_nd")
def test_two_pushes_are_rolled_apart_and_both_may_go_down():
    after = moment(ring(), "ann push bob", "bob push ann", rolls=[4, 0, 0, 4])
    assert dice(after.played) == [4, 4, 4, 4]
    downs = [after.who(name).posture for name in ("ann", "bob")]
    assert downs == [Posture.DOWN, Posture.DOWN]


@pytest.mark.rules("fight.simultaneous.defenses_not_rolled")
def test_two_defences_roll_nothing():
    assert moment(ring(), "ann block", "bob avoid").played.rolls == []


@pytest.mark.rules("fight.simultaneous.match_by_number", "fight.simultaneous.unmatched_action")
def test_only_what_is_in_the_same_slot_is_met():
    alone = moment(ring(), "ann strike bob", rolls=[0])
    assert len(alone.played.rolls) == 1
    pushed = moment(ring(), "ann push bob", rolls=[0, 0])
    assert len(pushed.played.rolls) == 2  # Natural Defenses alone


@pytest.mark.rules("fight.nd.none_when_hesitating")
def test_a_hesitating_fighter_has_no_natural_defenses():
    at = with_state(ring(), "bob", hesitates=2)
    assert len(moment(at, "ann push bob", rolls=[1]).played.rolls) == 1


def test_a_slot_that_was_given_up_counts_as_hesitation():
    deeds = (
        FightDeed("ann", "push", "push", "bob"),
        FightDeed("bob", "hesitating", "stand_and_drool"),
    )
    after = run(play_moment, ring(), deeds, rolls=[1])
    assert len(after.played.rolls) == 1


@pytest.mark.rules("fight.amb.aggressive_avoid_scripted", "fight.stance.aggressive_defense")
def test_an_avoid_in_aggressive_stance_is_stand_and_drool():
    at = with_state(
        ring(), "bob", stance=Stance.AGGRESSIVE, ready=Preparation(nocked=True, drawn=1)
    )
    after = moment(at, "ann push bob", "bob avoid", rolls=[1])
    assert len(after.played.rolls) == 1  # no Avoid, and no Natural Defenses either
    assert after.who("bob").stance is Stance.NEUTRAL
    assert after.who("bob").ready == Preparation()


# --- Several ---------------------------------------------------------------------------------


@pytest.mark.rules("fight.amb.many_fighters")
@pytest.mark.parametrize(
    ("choice", "answers", "wounds"),
    [
        ("one_roll_divided", {"divide_defence": (2, 0)}, 1),
        ("one_roll_divided", {"divide_defence": (1, 1)}, 2),
        ("one_roll_against_each", {}, 0),
    ],
)
def test_one_defence_is_divided_among_attackers_or_counts_against_each(choice, answers, wounds):
    at = ring(options={"fight_defence_against_many": choice}, cid=BOTH)
    after = moment(
        at, "bob strike ann", "cid strike ann", "ann block", rolls=[2, 2, 2], answers=answers
    )
    assert dice(after.played) == [4, 4, 4]
    assert len(after.fight.sheet("ann").wounds) == wounds


@pytest.mark.rules("fight.amb.many_fighters")
def test_by_default_the_defender_stops_what_he_can():
    # One success does not stop Bob, but Cid.
    at = ring(cid=BOTH)
    after = moment(at, "bob strike ann", "cid strike ann", "ann block", rolls=[2, 1, 1])
    assert [wound.source for wound in after.fight.sheet("ann").wounds] == ["Bob's sword"]


@pytest.mark.rules("fight.amb.many_fighters", "fight.nd.avoid_adds")
def test_what_natural_defenses_have_taken_needs_no_success_of_the_avoid():
    """Pushes of 3 and 2, Natural Defenses of 1 against each: two and one are left to foil."""
    at = ring(cid=BOTH)
    after = moment(at, "bob push ann", "cid push ann", "ann avoid", rolls=[3, 2, 1, 1, 3])
    assert after.played.asks["divide_defence"].question.default == (2, 1)
    assert after.who("ann").posture is Posture.STANDING
    assert after.who("ann").hindrances == ()


@pytest.mark.rules("fight.feint.success")
def test_who_is_taken_in_by_a_feint_has_no_defence_against_others_either():
    at = ring(cid=BOTH)
    after = moment(at, "bob feint ann", "cid strike ann", "ann block", rolls=[0, 1])
    assert dice(after.played) == [4, 4]
    assert len(after.fight.sheet("ann").wounds) == 1
    pushed = moment(at, "bob feint ann", "cid push ann", "ann counterstrike", rolls=[0, 1])
    assert len(pushed.who("ann").hindrances) == 1  # hesitating: no Natural Defenses


@pytest.mark.rules("fight.counterstrike.riposte_pool", "fight.amb.many_fighters")
def test_a_riposte_is_for_one_of_the_attackers():
    after = moment(
        ring(cid=BOTH),
        "bob strike ann",
        "cid strike ann",
        "ann counterstrike",
        rolls=[0, 0, 1, 2],
        answers={"riposte_target": "cid"},
    )
    assert len(after.fight.sheet("cid").wounds) == 1
    assert after.fight.sheet("bob").wounds == ()


@pytest.mark.rules("fight.strike.target_at_roll")
def test_a_strike_may_choose_its_victim_just_before_the_roll():
    at = ring(cid=BOTH)
    after = moment(at, "ann strike", rolls=[1], answers={"target": "cid"})
    assert len(after.fight.sheet("cid").wounds) == 1
    # Who is out of reach is not offered.
    far = at.moved("ann", "bob", 4)
    assert "target" not in moment(far, "ann strike", rolls=[0]).played.asked


# --- Harm ------------------------------------------------------------------------------------


def harm(to: str, by: str, number: int) -> Harm:
    damage = Damage("torso", Stage.MARK, "B", number, 0)
    return Harm(IncomingHit(to, damage, to), by)


@pytest.mark.rules("fight.xref.pain_interrupts", "fight.stance.lost")
def test_a_wound_calls_for_steel_and_hesitation_is_counted_in_actions():
    at = with_state(ring(), "bob", stance=Stance.DEFENSIVE, ready=Preparation(sets=1))
    after = run(apply_harm, at, (harm("bob", "ann", 5),), rolls=[1])  # Light; Ob 6 of Will 4
    bob = after.who("bob")
    assert bob.hesitates == 5
    assert bob.stance is Stance.NEUTRAL
    assert bob.ready == Preparation()
    assert after.fight.table.scene.hesitating == ()  # counted here and nowhere else


@pytest.mark.rules("fight.sequence.6_apply", "fight.stance.lost")
def test_who_is_incapacitated_is_out_and_holds_nobody():
    at = msgspec.structs.replace(ring(gap=-1), locks=(Lock("bob", "ann", 2),))
    after = run(apply_harm, at, (harm("bob", "ann", 10),))
    assert after.who("bob").out == "dying"
    assert after.fight.locks == ()
    assert [each.character for each in after.fight.standing] == ["ann"]


@pytest.mark.rules("fight.detailed.results_after_all_rolls")
def test_all_hits_of_a_moment_land_also_on_one_who_is_down_already():
    after = run(apply_harm, ring(), (harm("bob", "ann", 10), harm("bob", "ann", 4)))
    assert len(after.fight.sheet("bob").wounds) == 2


# --- The log ---------------------------------------------------------------------------------


@pytest.mark.rules("fight.xref.one_test_per_fight")
def test_rolls_are_logged_in_a_fight_and_not_in_a_rehearsal():
    fought = moment(ring(), "ann strike bob", rolls=[1])
    assert any("skills.Sword" in path for path in fought.played.changed)
    rehearsed = moment(ring(series=""), "ann strike bob", rolls=[1])
    assert not any("skills.Sword" in path for path in rehearsed.played.changed)
    assert meet("strike", "no_action", [1]).changed == {}


def test_artha_for_several_rolls_of_a_moment_comes_from_one_hand():
    # One point of persona, two rolls: it cannot go into both.
    rich = {**BOTH, "artha": {"persona": 1}}
    after = moment(
        ring(bob=rich),
        "ann beat_and_bind bob",
        "bob block",
        rolls=[0, 1, 1],
        answers={"bob/boon": 1},
    )
    assert after.fight.sheet("bob").artha.persona == 0
    assert sorted(dice(after.played)) == [4, 4, 5]


@pytest.mark.rules("fight.advantage.situational")
def test_the_gm_may_see_a_strong_position():
    struck = meet("strike", "no_action", [1], {"gm_advantage": 2})
    assert dice(struck) == [6]
    assert came(struck) == [("hit", "incidental")]


@pytest.mark.parametrize("card", ["counterstrike", "block_and_strike ann"])
def test_artha_on_divided_dice_is_paid_for_once(card):
    rich = {**BOTH, "artha": {"persona": 3}, "shield": {"kind": "buckler"}}
    # Bob's five dice in two parts, the shield's two, and Ann's Strike.
    rolls = [0, [4, 4], 0, 0] if card == "counterstrike" else [0, 0, [4, 4], 0]
    after = moment(
        ring(bob=rich), "ann strike bob", f"bob {card}", rolls=rolls, answers={"bob/boon": 1}
    )
    assert sum(sum(count for _, count in each.items()) for each in thrown(after)) == 4 + 5 + 2
    assert after.fight.sheet("bob").artha.persona == 2


def thrown(after):
    """The dice of every roll, those of things among them."""
    rolls = [each.expression for each in after.played.rolls]
    return [getattr(each, "pool", each).dice for each in rolls]


@pytest.mark.parametrize("series", ["the fight", ""])
def test_artha_is_paid_for_in_a_rehearsal_too(series):
    """One point of fate: with it one six is rolled on, and there is none for the next Strike."""
    lucky = {**BOTH, "artha": {"fate": 1}}
    after = moment(
        ring(ann=lucky, series=series),
        "ann strike bob",
        rolls=[[6, 1, 1, 1], 0],
        answers={"ann/after_roll": "luck"},
    )
    assert after.fight.sheet("ann").artha.fate == 0


@pytest.mark.rules("beliefs.trait.call_on.once_per_session")
@pytest.mark.parametrize("series", ["the fight", ""])
def test_a_trait_that_was_called_on_is_marked_in_a_rehearsal_too(series):
    calm = {**BOTH, "traits": [{"name": "Calm", "kind": "call_on", "abilities": ["Sword"]}]}
    after = moment(
        ring(ann=calm, series=series),
        "ann strike bob",
        rolls=[0, 1],
        answers={"ann/after_roll": "call_on:Calm"},
    )
    (trait,) = after.fight.sheet("ann").traits
    assert trait.called_this_session


@pytest.mark.rules("weapons.amb.allocation_time")
def test_successes_that_artha_brings_are_divided_when_they_come():
    """Ob 1, two sixes of a Strike and an Avoid of two: without artha it is one short of a hit.

    The two successes of a point of fate make that good, and one is left to aim with.
    """
    lucky = {**BOTH, "artha": {"fate": 1}}
    after = moment(
        ring(ann=lucky),
        "ann strike bob",
        "bob avoid",
        rolls=[2, [6, 6, 1, 1], [4, 4]],
        answers={"ann/after_roll": "luck", "ann/aim#2": "legs"},
    )
    assert "Incidental, B4 to the legs" in after.told


@pytest.mark.rules("advancement.versus.opponents_successes", "fight.nd.versus_subtract")
@pytest.mark.parametrize(
    ("push", "strike", "power", "sword"),
    [(4, 1, "difficult", "routine"), (1, 4, "routine", "difficult")],
)
def test_natural_defenses_and_a_block_are_each_logged_against_what_they_meet(
    push, strike, power, sword
):
    """Four dice each: Natural Defenses against Bob's Push, the Block against Cid's Strike alone."""
    at = ring(cid=sheet())
    deeds = ("bob push ann", "cid strike ann", "ann block")
    changed = moment(at, *deeds, rolls=[push, strike, 0, 4]).played.changed
    assert f"ann.stats.Power.log.{power}" in changed
    assert f"ann.skills.Sword.log.{sword}" in changed
