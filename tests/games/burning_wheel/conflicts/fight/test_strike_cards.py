"""Strikes with what there is beside the weapon in hand: shield, fist, and the other hand."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.fight.gathering import RollKind, spent
from astragal.games.burning_wheel.conflicts.fight.moment import play_moment
from astragal.games.burning_wheel.conflicts.fight.other_actions import carry_out, cost_of
from astragal.games.burning_wheel.conflicts.fight.script import cards_of, script_for
from astragal.games.burning_wheel.conflicts.fight.state import FightDeed, Hindrance, HindranceUntil
from astragal.games.burning_wheel.conflicts.fight.strike_cards import slow_strike, strike_rules
from astragal.play import Line
from games.burning_wheel.fighting import fight, fighter, ring, sides
from games.burning_wheel.in_a_fight import FIGHTER, run
from games.burning_wheel.in_a_fight import fight as at_swords
from games.burning_wheel.meeting import BOTH, came, dice, meet, moment, sheet
from games.burning_wheel.meeting import ring as in_the_ring
from games.burning_wheel.playing import play, table

BUCKLER = {"kind": "buckler"}
TWO = {**FIGHTER, "weapons": [{"weapon": "sword"}, {"weapon": "hatchet"}]}
"""A sword and a hatchet, both slow."""


def strikes(at, character: str = "ann") -> list[str]:
    """The cards of Strikes that somebody has."""
    return [card.key for card in cards_of(at, character) if card.key.startswith("strike")]


def two_handed(**more):
    """Ann with a hatchet in the other hand."""
    return at_swords(ann={**TWO, **more}).change("ann", other_hand="hatchet")


# --- What there is ---------------------------------------------------------------------------


@pytest.mark.rules("fight.strike.ability", "armor.shield.role", "weapons.amb.other_hand")
def test_fists_shield_and_other_hand_have_cards_of_their_own():
    plain = ["strike", "strike:hilt_or_pommel", "strike:bare_fist"]
    assert strikes(at_swords()) == plain
    assert strikes(at_swords(ann={"shield": BUCKLER})) == [*plain[:2], "strike:shield", plain[2]]
    assert strikes(two_handed()) == [*plain[:2], "strike:hatchet", plain[2]]
    assert strikes(at_swords(ann={"weapons": []})) == ["strike"]
    assert strikes(at_swords(ann={"weapons": [], "shield": BUCKLER})) == ["strike", "strike:shield"]


def test_bare_hands_beside_a_weapon_are_folded_away_with_the_other_cards():
    cards = {card.key: card.note for card in script_for(two_handed(), "ann").cards}
    assert cards["strike:bare_fist"] == ""
    assert cards["strike"].endswith("a blow")
    assert cards["strike:hatchet"] == "a blow"


@pytest.mark.rules("armor.amb.shield_weapon_skill")
@pytest.mark.parametrize(
    "sheet",
    [
        {"weapons": [{"weapon": "spear"}], "shield": BUCKLER},
        {"shield": {**BUCKLER, "lost": 2}},
    ],
)
def test_no_shield_strikes_beside_a_weapon_for_two_hands_or_when_it_is_destroyed(sheet):
    assert "strike:shield" not in strikes(at_swords(ann=sheet))


@pytest.mark.rules("weapons.speed.slow_filler", "weapons.speed.slow")
def test_two_slow_weapons_strike_in_turn_and_neither_twice_in_a_row():
    at = two_handed(attributes={**FIGHTER["attributes"], "Reflexes": "B3"})
    question = script_for(at, "ann")
    for cards, allowed in (
        (("strike", "strike:hatchet", "strike"), True),
        (("strike", "strike:bare_fist", "strike:bare_fist"), True),
        (("strike:hatchet", "strike:hatchet", "block"), False),
    ):
        script = [part for card in cards for part in ("stay", card)]
        if allowed:
            question.check(tuple(script), "script")
        else:
            with pytest.raises(BadInput, match="the hatchet is slow"):
                question.check(tuple(script), "script")
    shielded = at_swords(ann={"shield": BUCKLER})
    slow = [rule.cards for rule in strike_rules(shielded, "ann", set(strikes(shielded)))]
    assert ("strike:shield",) in slow


# --- What they do ----------------------------------------------------------------------------


@pytest.mark.rules("armor.shield.as_weapon", "armor.anti_shield.inside_bash")
def test_a_shield_strikes_on_the_inside_with_the_better_of_two_skills():
    """Sword B5 and not Brawling B4; Ob 1 + 1, two extra for Add 2: Mark, Power 4 + 2."""
    ann = sheet(skills={"Sword": "B5"}, shield=BUCKLER)
    struck = meet("strike", "no_action", [4], ann=ann, ann_way="shield", distance="inside")
    assert (
        "rolls 5D = 5 Sword against Ob 2 = 1 base obstacle + 1 shield on the inside" in struck.told
    )
    assert (came(struck), struck.outcome.effects[0].damage) == ([("hit", "mark")], "B6")
    wrestler = sheet(skills={"Sword": "B2"}, shield=BUCKLER)
    struck = meet("strike", "no_action", [1], ann=wrestler, ann_way="shield")
    assert "rolls 4D = 4 Brawling against Ob 1" in struck.told


@pytest.mark.rules("fight.strike.ability", "fight.distance.inside.weapon_penalty")
def test_a_fist_beside_a_sword_is_no_sword():
    """On the inside it is not in the way; two extra successes: Mark, plain Power."""
    struck = meet("strike", "no_action", [3], ann_way="bare fist", distance="inside")
    assert "rolls 4D = 4 Brawling against Ob 1 = 1 base obstacle\n" in struck.told
    assert struck.outcome.effects[0].damage == "B4"
    blocked = meet("strike", "block", [1, 0], ann_way="bare fist", weapons=("sword", ""))
    assert "bare hands" not in blocked.told, "an armed Strike would be harder to Block"


@pytest.mark.rules("fight.position.weapon_used_must_act", "fight.length.five_classes")
def test_the_shortest_of_what_strikes_is_what_one_positions_with():
    """A sword beside a hatchet is short, and a long sword has the die against it."""
    ann = {**fighter(), "weapons": TWO["weapons"], "skills": {"Sword": "B4", "Axe": "B4"}}
    scripts = {
        "ann": [("maintain", "strike:hatchet", "maintain", "strike", "stay", "block")],
        "bob": [("maintain", "block", "maintain", "block", "stay", "block")],
    }
    armed = sides("ann", "bob")
    armed[0]["fighters"][0]["other_hand"] = "hatchet"
    rolls = [2, 1, 1, 1, 0, 0, 1, 1, 0, 0]
    said = fight(scripts, rolls, {}, ring(ann=ann), sides=armed).told.split("Volley ")
    assert "Bob, positioning, rolls 5D = 4 Speed + 1 long weapon" in said[1]
    assert "Ann, Strike, rolls 4D = 4 Axe against Ob 2 = 1 base obstacle + 1 lunging" in said[1]
    assert "Bob, positioning, rolls 4D = 4 Speed\n" in said[2]


@pytest.mark.rules("fight.beat.win_by_two")
def test_what_beats_a_sword_aside_does_not_touch_the_other_hand():
    line = Line(1, "beaten aside", "fight.beat.win_by_two")
    hindered = (Hindrance(HindranceUntil.WEAPON, line),)
    at = two_handed().change("ann", hindrances=hindered)
    assert spent(at, "ann", RollKind.ATTACK, "strike", "hatchet").fighter("ann").hindrances
    assert not spent(at, "ann", RollKind.ATTACK, "strike").fighter("ann").hindrances
    beaten = in_the_ring(ann=sheet(shield=BUCKLER)).change("ann", hindrances=hindered)
    assert "beaten aside" in moment(beaten, "ann strike bob", rolls=[0]).told
    bash = FightDeed("ann", "strike", "strike:shield", "bob", "shield")
    assert "beaten aside" not in run(play_moment, beaten, (bash,), rolls=[0]).told


@pytest.mark.rules("fight.draw.readied")
def test_the_weapon_in_the_other_hand_is_drawn_in_one_action():
    at = two_handed()
    assert cost_of("draw_weapon:hatchet", at, "ann") == 1
    after = run_card(at, "draw_weapon:hatchet")
    assert (after.fighter("ann").weapon, after.fighter("ann").other_hand) == ("hatchet", "")


@pytest.mark.rules("weapons.speed.slow", "weapons.speed.slow_filler")
@pytest.mark.parametrize(
    ("card", "with_what"),
    [
        ("strike", "sword, sword"),
        ("great_strike", "sword, sword"),
        ("block_and_strike", "sword, sword"),
        ("strike:hilt_or_pommel", "sword, hilt or pommel"),
        ("strike:hatchet", "hatchet, hatchet"),
        ("strike:bare_fist", ""),
        ("counterstrike", ""),
        ("feint", ""),
        ("push", ""),
        ("order:bite", ""),
    ],
)
def test_what_counts_as_a_strike_with_a_slow_weapon(card, with_what):
    assert slow_strike(two_handed(), "ann", card) == with_what


@pytest.mark.rules("weapons.speed.slow", "fight.xref.weapon_speed")
@pytest.mark.parametrize(
    ("weapon", "between", "lost", "reading"),
    [
        ("sword", [], 1, "none"),
        ("dirk", [], 0, "none"),
        ("sword", ["push"], 0, "none"),
        ("sword", ["stand_and_drool"], 0, "none"),
        ("sword", ["stand_and_drool"], 0, "kept"),
    ],
)
def test_a_slow_weapon_that_was_drawn_after_the_script_strikes_every_other_action(
    weapon, between, lost, reading
):
    """The script was written with bare hands, which are fast; the rest is stood and drooled."""
    options = {"fight_forfeited_slot_natural_defenses": reading}
    at = ring(options, ann=fighter(weapon, Reflexes="B6"))
    cards = [f"draw_weapon:{weapon}", "strike", *between, "strike"]
    cards += ["stand_and_drool"] * (6 - len(cards))
    script = ["close", *cards[:2], "stay", *cards[2:4], "stay", *cards[4:]]
    hand = {"character": "ann", "weapon": "bare fist", "readied": [weapon]}
    both = [{"fighters": [hand]}, {"fighters": [{"character": "bob", "weapon": "bare fist"}]}]
    played = fight({"ann": [script]}, None, None, at, sides=both)
    why = "Ann: a second Strike in a row, and the sword is slow; the action is lost."
    assert played.told.count(why) == lost
    # In the next exchange the speed is that of what is in hand, whatever went before.
    assert played.told.count("Ann, Strike, rolls") == 2 - lost


@pytest.mark.rules("weapons.amb.slow_between_exchanges")
def test_a_slow_weapon_may_strike_at_the_end_of_an_exchange_and_at_the_beginning_of_the_next():
    script = ("stay", "strike", "stay", "block", "stay", "strike")
    calm = ("stay", "push", "stay", "block", "stay", "push")
    # The first test; Strike and Push with the Natural Defenses, four times, all for nothing.
    rolls = [2, 1, *[0, 0, 0] * 4]
    played = fight({"ann": [script, script], "bob": [calm, calm]}, rolls)
    assert "a second Strike in a row" not in played.told
    assert played.told.count("Ann, Strike, rolls") == 4


def run_card(at, card: str):
    """The fight after Ann has done something that is no maneuver."""
    return run(carry_out, at, FightDeed("ann", "non_martial", card)).fight


@pytest.mark.rules("weapons.amb.other_hand")
@pytest.mark.parametrize(
    ("sheet", "other"),
    [
        ({"shield": BUCKLER}, "hatchet"),
        ({}, "sword"),
        ({}, "bare fist"),
        ({"weapons": [{"weapon": "sword"}, {"weapon": "spear"}]}, "spear"),
        ({"weapons": [{"weapon": "spear"}, {"weapon": "dirk"}]}, "dirk"),
        ({"weapons": [{"weapon": "sword"}, {"weapon": "hunting bow"}]}, "hunting bow"),
    ],
)
def test_the_other_hand_holds_another_weapon_for_one_hand(sheet, other):
    at = ring(ann={**fighter(), "weapons": TWO["weapons"], **sheet})
    armed = sides("ann", "bob")
    armed[0]["fighters"][0]["other_hand"] = other
    with pytest.raises(BadInput, match="for one hand"):
        fight({}, None, {}, at, sides=armed)


# --- Around a shield -------------------------------------------------------------------------


@pytest.mark.rules("armor.anti_shield.articulated", "armor.amb.articulated_block")
def test_a_flail_goes_round_a_shield_and_its_haft_does_not():
    flail = sheet(weapons=[{"weapon": "mace", "name": "flail"}])
    bearer = {**BOTH, "shield": {"kind": "heater"}}
    weapons = ("flail", "sword")
    for way, expected in (("", [4, 4]), ("hilt or pommel", [4, 8])):
        struck = meet(
            "strike", "block", [1, 1], ann=flail, bob=bearer, weapons=weapons, ann_way=way
        )
        assert dice(struck) == expected
    struck = meet("great_strike", "block", [1], ann=flail, bob=bearer, weapons=weapons)
    assert dice(struck) == [4], "no Block at all"
    mace = sheet(weapons=[{"weapon": "mace"}])
    struck = meet("great_strike", "block", [1, 1], ann=mace, bob=bearer, weapons=("mace", "sword"))
    assert len(dice(struck)) == 2


# --- Outside a script ------------------------------------------------------------------------


@pytest.mark.rules("armor.shield.as_weapon")
def test_a_shield_strikes_outside_a_script_too():
    """Power 5 + 2: B4/B7/B10; Ob 1, two extra successes: Mark."""
    odo = {"stats": {"Power": "B5", "Agility": "B4"}, "skills": {"Brawling": "B4"}}
    at = table(None, None, odo={**odo, "shield": BUCKLER})
    struck = play("strike", {"character": "odo", "weapon": "shield"}, at, {}, [3]).outcome
    assert (struck.ims, struck.damage.number, struck.damage.va) == ("B4/B7/B10", 7, 0)
    script = [{"action": action, "weapon": "shield"} for action in ("Strike", "Strike")]
    with pytest.raises(Exception, match="slow"):
        play("strike_script", {"character": "odo", "actions": script}, at)
    bare = table(None, None, odo=odo)
    with pytest.raises(BadInput, match="a weapon that Odo has"):
        play("strike", {"character": "odo", "weapon": "shield"}, bare)
