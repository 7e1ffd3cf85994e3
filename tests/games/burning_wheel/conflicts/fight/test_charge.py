"""Charge and Tackle: a Close and an action in one."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.games.burning_wheel.armor.block_and_strike import Stance
from astragal.games.burning_wheel.conditions.hesitation import STAND
from astragal.games.burning_wheel.conflicts.fight.hesitation import drop_weapon
from astragal.games.burning_wheel.conflicts.fight.positioning import position
from astragal.games.burning_wheel.conflicts.fight.state import (
    Hindrance,
    HindranceUntil,
    Positioning,
    Posture,
)
from astragal.play import Line
from games.burning_wheel.fighting import fight as whole_fight
from games.burning_wheel.fighting import fighter, ring, sides
from games.burning_wheel.in_a_fight import FIGHTER, fight, run

CLOSE, MAINTAIN, WITHDRAW, STAY = Positioning


def charging(at, card: str = "charge_tackle", bob=MAINTAIN, answered: tuple[str, ...] = ()):
    """Ann charges Bob, who has announced something."""
    at = at.change("ann", moves=CLOSE, announced=(card,), targets=("bob",), charges=True)
    return at.change("bob", moves=bob, announced=answered, avoids="avoid" in answered)


@pytest.mark.rules("fight.charge.is_close", "fight.charge.dice", "fight.charge.no_moving_quickly")
def test_a_charge_is_power_and_a_die_with_all_positioning_dice():
    fast = {**FIGHTER, "attributes": {**FIGHTER["attributes"], "Reflexes": "B5"}}
    at = charging(fight(gap=3, ann={**fast, "weapons": [{"weapon": "spear"}]}))
    charged = run(position, at, rolls=[1, 2], answers={"against_charge": "Speed"})
    dice = "rolls 7D = 4 Power + 1 Charge + 1 higher Reflexes + 1 longest weapon"
    assert f"Ann, positioning, {dice}" in charged.told


@pytest.mark.rules("fight.charge.closed_before")
def test_having_closed_before_adds_a_die():
    at = charging(fight(gap=3)).change("ann", moved=CLOSE)
    assert (
        "rolls 6D = 4 Power + 1 Charge + 1 Closed last volley"
        in run(position, at, rolls=[1, 2]).told
    )


@pytest.mark.rules("fight.charge.win_by_one", "fight.charge.end_position")
def test_won_by_one_the_target_is_off_balance_and_the_charger_at_optimal():
    after = run(position, charging(fight(gap=3)), rolls=[3, 2])
    assert after.fight.gap("ann", "bob") == 2
    (hindrance,) = after.who("bob").hindrances
    assert (hindrance.until, hindrance.line.amount) == (HindranceUntil.ACTION, 1)
    assert after.who("bob").posture is Posture.STANDING


@pytest.mark.rules("fight.charge.win_by_one", "fight.avoid.penalty_other_actions")
@pytest.mark.parametrize("what", ["off balance", "Avoids in this volley"])
def test_a_charge_is_an_action_for_what_makes_actions_harder(what):
    at = charging(fight(gap=3))
    if what == "off balance":
        line = Line(1, what, "fight.charge.win_by_one")
        at = at.change("ann", hindrances=(Hindrance(HindranceUntil.ACTION, line),))
    else:
        at = at.change("ann", announced=("charge_tackle", "avoid"), avoids=True)
    after = run(position, at, rolls=[4, 2])
    assert f"1 {what}" in after.told
    assert "Ann's charge succeeds by 1." in after.told, "4 - 1 against 2"
    resisting = charging(fight(gap=3)).change("bob", announced=("strike", "avoid"), avoids=True)
    assert "succeeds by 2" in run(position, resisting, rolls=[4, 2]).told, "his test is no action"


@pytest.mark.rules("fight.charge.win_by_two")
@pytest.mark.parametrize("rolled", [4, 5])
def test_won_by_two_or_more_the_target_is_down(rolled):
    after = run(position, charging(fight(gap=3)), rolls=[rolled, 2])
    assert after.who("bob").posture is Posture.DOWN
    assert after.who("ann").posture is Posture.STANDING
    assert not after.who("bob").hindrances


@pytest.mark.rules(
    "fight.charge.failure",
    "fight.nd.tie_foils",
    "fight.nd.versus_subtract",
    "fight.amb.charge_close_when_foiled",
)
@pytest.mark.parametrize("resisted", [3, 4])
def test_as_many_successes_foil_it_and_the_next_action_is_lost(resisted):
    after = run(position, charging(fight(gap=3)), rolls=[3, resisted])
    assert after.fight.gap("ann", "bob") == 3
    assert after.who().hesitates == 1
    assert after.who("bob").hindrances == ()


@pytest.mark.rules("sorcery.spell.turn_aside_the_blade")
def test_a_spell_of_the_target_hinders_a_charge_and_a_spell_of_the_charger_nothing():
    """Won by two, less 2 for the spell: foiled; by three only just won."""
    spell = {"name": "Turn Aside the Blade", "obstacle": 4, "lasts": "Sustained"}
    warded = {**FIGHTER, "active_spells": [spell | {"does": "attack_obstacle", "effect": 2}]}
    foiled = run(position, charging(fight(gap=3, bob=warded)), rolls=[4, 2])
    assert foiled.who().hesitates == 1
    won = run(position, charging(fight(gap=3, bob=warded)), rolls=[5, 2])
    assert [each.line.amount for each in won.who("bob").hindrances] == [1]
    caster = run(position, charging(fight(gap=3, ann=warded)), rolls=[4, 2])
    assert caster.who("bob").posture is Posture.DOWN


@pytest.mark.rules("fight.charge.tackle_inside")
def test_a_tackle_ends_inside_with_both_on_the_ground():
    at = charging(fight(gap=2), "tackle")
    down = run(position, at, rolls=[4, 2])
    assert down.fight.gap("ann", "bob") == -1
    assert down.who().posture is down.who("bob").posture is Posture.DOWN
    by_one = run(position, at, rolls=[3, 2])
    assert by_one.fight.gap("ann", "bob") == -1
    assert by_one.who().posture is Posture.STANDING


@pytest.mark.rules("fight.charge.more_than_one_distance", "fight.amb.outside_charge")
def test_a_tackle_from_lunging_is_harder():
    after = run(position, charging(fight(gap=3), "tackle"), rolls=[4, 2])
    assert after.who().hesitates == 1, "4 - 2 against 2: foiled"
    harder = run(position, charging(fight(gap=3), "tackle"), rolls=[5, 2])
    assert "Ann's tackle succeeds by 1." in harder.told, "5 - 2 against 2"
    near = run(position, charging(fight(gap=2), "tackle"), rolls=[4, 2])
    assert not near.who().hesitates


@pytest.mark.rules("fight.amb.outside_charge", "fight.distance.outside.forbidden")
@pytest.mark.parametrize(("played", "gap"), [("forbidden", 3), ("plus_2_ob", 2)])
def test_from_outside_it_is_no_charge_or_a_harder_one(played, gap):
    at = charging(fight({"fight_charge_from_outside": played}, gap=4))
    rolls = [5, 2] if played == "plus_2_ob" else [3, 2]
    after = run(position, at, rolls=rolls)
    assert after.fight.gap("ann", "bob") == gap
    assert ("too far away to charge" in after.told) is (played == "forbidden")


@pytest.mark.rules(
    "fight.charge.natural_defense",
    "fight.nd.charge_is_positioning",
    "fight.charge.maintain_power",
    "fight.amb.charge_maintain_garbled",
)
@pytest.mark.parametrize(("moves", "ability"), [(MAINTAIN, "Power"), (CLOSE, "Speed")])
def test_who_maintains_may_resist_with_power(moves, ability):
    strong = {**FIGHTER, "stats": {**FIGHTER["stats"], "Power": "B6"}}
    at = charging(fight(gap=3, bob=strong), bob=moves)
    after = run(position, at, rolls=[1, 2])
    dice = 6 if ability == "Power" else 4
    assert f"Bob, positioning, rolls {dice}D = {dice} {ability}" in after.told
    assert ("against_charge" in after.played.asked) is (moves is MAINTAIN)


@pytest.mark.rules("fight.charge.avoid_adds")
@pytest.mark.parametrize(("answered", "foiled"), [(("avoid",), True), (("strike", "avoid"), False)])
def test_an_avoid_helps_if_it_is_the_first_action(answered, foiled):
    at = charging(fight(gap=3), answered=answered)
    rolls = [4, 2, 2] if foiled else [4, 2]
    after = run(position, at, rolls=rolls)
    assert bool(after.who().hesitates) is foiled


@pytest.mark.rules("fight.charge.avoid_adds", "fight.initiative.nd")
@pytest.mark.parametrize(("is_quick", "foiled"), [(True, False), (False, True)])
def test_an_avoid_comes_too_late_only_for_the_quick_action_itself(is_quick, foiled):
    """Whoever won the bidding has charged first of all, or charges in a later volley."""
    at = charging(fight(gap=3, quick="ann", is_quick_volley=is_quick), answered=("avoid",))
    after = run(position, at, rolls=[4, 2, 2] if foiled else [4, 2])
    assert bool(after.who().hesitates) is foiled


@pytest.mark.rules("fight.charge.avoid_adds", "fight.nd.none_when_hesitating")
def test_an_avoid_after_an_action_that_is_lost_does_not_help():
    """Whoever still hesitates reads out only the second action, which is an Avoid."""
    at = charging(fight(gap=3), answered=("avoid",)).change("bob", hesitates=1, reaction=STAND)
    assert run(position, at, rolls=[1]).who("bob").hindrances


@pytest.mark.rules("fight.amb.let_come_charge", "fight.nd.none_when_hesitating")
def test_who_does_not_position_or_hesitates_has_no_natural_defense():
    waiting = run(position, charging(fight(gap=3), bob=STAY), rolls=[1])
    assert waiting.who("bob").hindrances
    drools = charging(fight(gap=3)).change("bob", hesitates=2, reaction=STAND)
    assert run(position, drools, rolls=[2]).who("bob").posture is Posture.DOWN


@pytest.mark.rules("fight.amb.mutual_charge")
@pytest.mark.parametrize(
    ("rolls", "lost", "down"), [([4, 2], ["bob"], ["bob"]), ([3, 3], ["ann", "bob"], [])]
)
def test_of_two_who_charge_each_other_the_better_succeeds(rolls, lost, down):
    at = charging(fight(gap=3), bob=CLOSE, answered=("charge_tackle",))
    at = at.change("bob", targets=("ann",), charges=True)
    after = run(position, at, rolls=rolls)
    assert [who for who in ("ann", "bob") if after.who(who).hesitates] == lost
    assert [who for who in ("ann", "bob") if after.who(who).posture is Posture.DOWN] == down


@pytest.mark.rules(
    "fight.charge.drops_stance", "fight.stance.lost", "fight.amb.stance_dice_and_charge"
)
def test_charging_ends_a_stance_and_has_no_dice_of_it():
    at = charging(fight(gap=3)).change("ann", stance=Stance.AGGRESSIVE, steps=True)
    after = run(position, at, rolls=[3, 2])
    assert after.who().stance is Stance.NEUTRAL
    assert "rolls 5D = 4 Power + 1 Charge" in after.told


@pytest.mark.rules("fight.amb.target_choice", "fight.charge.is_close")
@pytest.mark.parametrize("target", ["bob", "cid"])
def test_one_of_several_opponents_is_charged(target):
    """Four successes against one: the target is down, and nobody else is."""
    held = ("maintain", "block", "stay", "block", "stay", "block")
    scripts = {
        "ann": [("close", "charge_tackle", "stay", "block", "stay", "block")],
        "bob": [held],
        "cid": [held],
    }
    rolls = [2, 1, 1, 4, 1, 1]
    played = whole_fight(
        scripts, rolls, {"ann/target": target}, ring(cid=fighter()), sides=sides("ann", "bob cid")
    )
    assert f"Ann's charge succeeds by 3. {target.capitalize()} goes down." in played.told


@pytest.mark.rules("fight.amb.target_choice")
def test_threats_and_aim_are_for_one_of_several_opponents_and_asked_once():
    """Two actions of Intimidation are one threat; a bow is drawn at whoever is named."""
    loud = fighter(Reflexes="B6", skills={**FIGHTER["skills"], "Intimidation": "B4"})
    threat = (
        "stay",
        "intimidate",
        "intimidate",
        "stay",
        "block",
        "block",
        "stay",
        "block",
        "block",
    )
    blocks = ("stay", "block", "stay", "block", "stay", "block")
    played = whole_fight(
        {"ann": [threat], "bob": [blocks], "cid": [blocks]},
        [2, 1, 1, 4, 4],
        {"ann/target": "cid", "obstacle": 2},
        ring(ann=loud, cid=fighter()),
        sides=sides("ann", "bob cid"),
    )
    assert "Cid, Steel" in " ".join(roll.label for roll in played.rolls)


@pytest.mark.rules("fight.disarm.retrieve_needs_position", "fight.charge.natural_defense")
@pytest.mark.parametrize(("rolls", "reached"), [([2, 3], True), ([2, 2], False)])
def test_who_outmaneuvers_a_charge_has_won_the_positioning_test(rolls, reached):
    at = drop_weapon(charging(fight(gap=3)), "bob")
    (fallen,) = run(position, at, rolls=rolls).fight.fallen
    assert fallen.reached is reached


@pytest.mark.rules("fight.avoid.defends_all", "fight.amb.many_fighters")
@pytest.mark.parametrize(
    ("option", "cat"), [("one_roll_divided", "succeeds by 1"), ("one_roll_against_each", "fails")]
)
def test_one_avoid_against_two_charges_is_rolled_once(option, cat):
    """Charges 3 and 3 against 1 and an Avoid of 3: two foil the first, one is left for the other.

    In full it foils both.
    """
    at = ring({"fight_defence_against_many": option}, cat=fighter())
    charge = ("close", "charge_tackle", "stay", "block", "stay", "block")
    scripts = {
        "ann": [charge],
        "cat": [charge],
        "bob": [("maintain", "avoid", "stay", "block", "stay", "block")],
    }
    rolls = [2, 2, 1, 3, 3, 1, 3]
    played = whole_fight(scripts, rolls, {}, at, sides=sides("ann cat", "bob"))
    assert [roll.label for roll in played.rolls].count("Bob, Avoid, Speed") == 1
    assert "Ann's charge fails" in played.told
    assert f"Cat's charge {cat}" in played.told


def charge_and_strike(option: str, rolls: list[Any], answers: Any = None, cat: str = "strike"):
    """Ann charges Bob, who Avoids, and Cat begins with a Strike at him."""
    at = ring({"fight_defence_against_many": option}, cat=fighter())
    scripts = {
        "ann": [("close", "charge_tackle", "stay", "block", "stay", "block")],
        "cat": [("stay", cat, "stay", "block", "stay", "block")],
        "bob": [("maintain", "avoid", "stay", "block", "stay", "block")],
    }
    return whole_fight(scripts, [2, 2, 1, *rolls], answers or {}, at, sides=sides("ann cat", "bob"))


@pytest.mark.rules("fight.avoid.defends_all", "fight.amb.many_fighters")
def test_an_avoid_against_a_charge_and_a_strike_is_one_roll():
    """The Charge is 3 against 1: two of the Avoid's four foil it, and two are left.

    Cat's Strike of 2 is one over its Ob 1: what is left stops it.
    """
    played = charge_and_strike("one_roll_divided", [3, 1, 4, 2])
    assert [roll.label for roll in played.rolls].count("Bob, Avoid, Speed") == 1
    asked = played.asks["divide_defence"].question
    assert [option.key for option in asked.pools] == ["ann", "kept"]
    assert asked.default == (2, 2)
    assert "Ann's charge fails" in played.told
    assert "Bob, Avoid: 2 successes left from the Charge." in played.told
    assert "Bob takes" not in played.told


@pytest.mark.rules("fight.amb.many_fighters")
def test_what_is_kept_for_the_strike_does_not_foil_the_charge():
    answers = {"bob/divide_defence": (0, 4)}
    said = charge_and_strike("one_roll_divided", [3, 1, 4, 4], answers).told
    assert "Ann's charge succeeds by 2. Bob goes down." in said
    assert "Bob takes" not in said


@pytest.mark.rules("fight.amb.many_fighters")
def test_in_full_the_one_roll_counts_against_the_charge_and_the_strike():
    played = charge_and_strike("one_roll_against_each", [3, 1, 2, 2])
    assert "divide_defence" not in played.asked
    assert [roll.label for roll in played.rolls].count("Bob, Avoid, Speed") == 1
    assert "Ann's charge fails" in played.told
    assert "Bob takes" not in played.told


@pytest.mark.rules("fight.charge.avoid_adds")
def test_nothing_is_divided_where_nobody_else_attacks():
    played = charge_and_strike("one_roll_divided", [3, 1, 4], cat="block")
    assert "divide_defence" not in played.asked
    assert "Ann's charge fails" in played.told


@pytest.mark.rules("fight.charge.is_close", "fight.position.lose")
@pytest.mark.parametrize(
    ("moves", "rolls", "gap"),
    [(WITHDRAW, [2, 3], 4), (CLOSE, [2, 3], 2), (MAINTAIN, [2, 3], 3), (WITHDRAW, [2, 2], 3)],
)
def test_who_wins_against_a_charge_has_his_way_with_the_distance(moves, rolls, gap):
    """A Charge is a positioning test: from lunging Bob gets away, or comes nearer himself."""
    after = run(position, charging(fight(gap=3), bob=moves), rolls=rolls)
    assert after.fight.gap("ann", "bob") == gap
    assert after.who().hesitates == 1


@pytest.mark.rules("fight.amb.charge_close_when_foiled")
def test_a_charge_that_only_the_avoid_foils_leaves_the_distance_as_it_is():
    at = charging(fight(gap=3), bob=WITHDRAW, answered=("avoid",))
    after = run(position, at, rolls=[3, 2, 4])
    assert after.fight.gap("ann", "bob") == 3
    assert after.who().hesitates == 1


@pytest.mark.rules("fight.charge.end_position", "fight.charge.is_close")
@pytest.mark.parametrize(("gap", "after"), [(0, 0), (4, 4), (5, 4), (-1, 4)])
def test_a_charge_never_ends_farther_away_than_at_the_optimal_distance_it_began_from(gap, after):
    """With a spear every gap up to four is optimal; from the inside it ends at arm's length."""
    at = charging(fight(gap=gap, ann={**FIGHTER, "weapons": [{"weapon": "spear"}]}))
    assert run(position, at, rolls=[3, 2]).fight.gap("ann", "bob") == after


@pytest.mark.rules("advancement.versus.opponents_successes", "fight.charge.avoid_adds")
def test_an_avoid_against_a_charge_is_logged_against_its_successes():
    """Bob hesitates to position, and Avoids a Charge of four with four dice: Difficult."""
    at = charging(fight(gap=3), bob=STAY, answered=("avoid",))
    assert "bob.stats.Speed.log.difficult" in run(position, at, rolls=[4, 4]).played.changed
    assert "bob.stats.Speed.log.routine" in run(position, at, rolls=[1, 4]).played.changed


@pytest.mark.rules("advancement.versus.opponents_successes", "fight.charge.avoid_adds")
def test_a_charge_is_logged_against_positioning_and_avoid_together():
    """Five dice against two of the positioning test and two of the Avoid are Difficult."""
    at = charging(fight(gap=3), answered=("avoid",))
    assert "ann.stats.Power.log.difficult" in run(position, at, rolls=[4, 2, 2]).played.changed
    assert "ann.stats.Power.log.routine" in run(position, at, rolls=[4, 2, 0]).played.changed
