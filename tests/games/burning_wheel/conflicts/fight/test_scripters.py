"""Scripts without a person: what a temperament writes is always allowed, and looks like it."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.fight.distance import INSIDE_GAP
from astragal.games.burning_wheel.conflicts.fight.script import ask_script, situation_of
from astragal.games.burning_wheel.conflicts.fight.scripters import (
    at_random,
    by_heart,
    by_temperament,
)
from astragal.games.burning_wheel.conflicts.fight.state import FallenWeapon, Lock, Posture
from astragal.games.burning_wheel.conflicts.fight.temperaments import TEMPERAMENTS
from astragal.games.burning_wheel.sheet.weapons_carried import armed_with
from games.burning_wheel.in_a_fight import FIGHTER, fight

MOVES = {"close", "maintain", "withdraw", "stay"}


def armed(weapon, reflexes=4):
    attributes = {**FIGHTER["attributes"], "Reflexes": f"B{reflexes}"}
    skills = {"Sword": "B4", "Axe": "B4", "Polearm": "B4", "Brawling": "B4"}
    return fight(ann={"weapons": [{"weapon": weapon}], "attributes": attributes, "skills": skills})


def scripts(scripter, at, many=60):
    ask = ask_script(at, "ann")
    return [ask.question.check(scripter(ask)) for _ in range(many)]


def cards(written):
    return Counter(card for script in written for card in script if card not in MOVES)


@pytest.mark.parametrize("name", [*TEMPERAMENTS, "random"])
@pytest.mark.parametrize("weapon", ["sword", "polearm", "dagger", "footman's axe"])
@pytest.mark.parametrize("reflexes", [1, 3, 4, 6])
def test_every_script_is_allowed_by_the_rules_of_its_question(name, weapon, reflexes):
    chance = Seeded("any")
    scripter = at_random(chance) if name == "random" else by_temperament(name, chance)
    for script in scripts(scripter, armed(weapon, reflexes), 30):
        assert sum(card in MOVES for card in script) == 3
        assert len(script) == 3 + reflexes


def test_fierce_fighters_attack_and_careful_ones_defend():
    attacks = ("strike", "great_strike", "push", "charge_tackle", "feint", "lock")
    defences = ("avoid", "block", "counterstrike")

    def share(name):
        count = cards(scripts(by_temperament(name, Seeded("a")), armed("sword"), 200))
        attacking = sum(count[card] for card in attacks)
        return attacking / (attacking + sum(count[card] for card in defences))

    assert share("fierce") > 0.7
    assert share("careful") < 0.5
    sly = cards(scripts(by_temperament("sly", Seeded("a")), armed("sword"), 200))
    fierce = cards(scripts(by_temperament("fierce", Seeded("a")), armed("sword"), 200))
    assert sly["feint"] > fierce["feint"]


def test_who_is_down_gets_up_first_and_who_is_held_tries_to_get_free():
    down = armed("sword").change("ann", posture=Posture.DOWN)
    for script in scripts(by_temperament("careful", Seeded("a")), down, 20):
        acts = [card for card in script if card not in MOVES]
        assert acts[:2] == ["get_up", "get_up"]
    held = fight(locks=(Lock("bob", "ann", 2),))
    for script in scripts(by_temperament("fierce", Seeded("a")), held, 20):
        assert next(card for card in script if card not in MOVES) == "escape_lock"
        assert "withdraw" not in script


SWORD = FIGHTER["weapons"][0]["weapon"]
AT_A_DISADVANTAGE = {
    "down": lambda at, who: at.change(who, posture=Posture.DOWN),
    "half up": lambda at, who: at.change(who, posture=Posture.KNEELING),
    "hesitating": lambda at, who: at.change(who, hesitates=1, reaction="stand_and_drool"),
    "held": lambda at, who: msgspec.structs.replace(
        at, locks=(Lock("ann" if who == "bob" else "bob", who, 1),)
    ),
    "disarmed": lambda at, who: msgspec.structs.replace(
        at.change(who, weapon=""),
        fallen=(FallenWeapon(who, armed_with(at.sheet(who), SWORD)),),
    ),
}


@pytest.mark.parametrize("how", AT_A_DISADVANTAGE)
def test_the_sly_strike_whoever_is_at_a_disadvantage(how):
    def acts(at):
        return set(cards(scripts(by_temperament("sly", Seeded("o")), at)))

    blows = {"strike", "great_strike", "great_strike_set", "counterstrike"}
    assert acts(AT_A_DISADVANTAGE[how](fight(), "bob")) == blows
    own = AT_A_DISADVANTAGE[how](fight(), "ann")  # his own is no opening
    assert "opening" not in situation_of(own, "ann")
    assert acts(fight()) > blows
    near = AT_A_DISADVANTAGE[how](fight(gap=INSIDE_GAP), "bob")
    assert acts(near) == {"strike:hilt_or_pommel", "lock"}


@pytest.mark.parametrize("name", TEMPERAMENTS)
def test_only_who_is_down_gets_up(name):
    for posture, ups in ((Posture.STANDING, False), (Posture.DOWN, True)):
        at = fight().change("ann", posture=posture)
        acts = set(cards(scripts(by_temperament(name, Seeded("o")), at)))
        assert ("get_up" in acts) is ups
        assert ("down" in situation_of(at, "ann")) is ups


def test_bare_hands_that_were_never_armed_are_no_opening():
    assert "opening" not in situation_of(fight(bob={"weapons": []}), "ann")


@pytest.mark.parametrize("name", TEMPERAMENTS)
@pytest.mark.parametrize("gap", [INSIDE_GAP, 0, 2, 3, 6])
def test_at_every_distance_and_held_or_not_there_is_something_to_script(name, gap):
    scripter = by_temperament(name, Seeded("d"))
    for weapons in ([{"weapon": "sword"}], [{"weapon": "dagger"}], []):
        at = fight(ann={"weapons": weapons}, gap=gap)
        assert len(scripts(scripter, at, 10)) == 10
        held = fight(ann={"weapons": weapons}, gap=gap, locks=(Lock("bob", "ann", 1),))
        assert len(scripts(scripter, held, 10)) == 10


def test_a_sword_leaves_the_inside_and_a_dagger_seeks_it():
    def closing(weapon, gap):
        at = fight(ann={"weapons": [{"weapon": weapon}]}, gap=gap)
        moves = Counter(
            card
            for script in scripts(by_temperament("fierce", Seeded("m")), at, 100)
            for card in script
            if card in MOVES
        )
        return moves["close"], moves["withdraw"]

    sword_in, sword_out = closing("sword", INSIDE_GAP)
    assert sword_out > sword_in
    dagger_in, dagger_out = closing("dagger", 0)
    assert dagger_in > 100 > dagger_out == 0


def test_the_same_seed_writes_the_same_scripts():
    twice = [scripts(by_temperament("sly", Seeded("s")), armed("sword")) for _ in range(2)]
    assert twice[0] == twice[1]
    assert len(set(twice[0])) > 20


SCRIPT = ("close", "strike", "block", "maintain", "push", "maintain", "strike")


def test_a_script_by_heart_is_cut_when_there_are_fewer_actions():
    scripter = by_heart(SCRIPT)
    assert scripts(scripter, armed("sword"), 2) == [SCRIPT, SCRIPT]
    (shorter,) = scripts(scripter, armed("sword", 3), 1)
    assert shorter == ("close", "strike", "maintain", "push", "maintain", "strike")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (("close", "strike", "strike", "maintain", "block", "maintain", "avoid"), "slow"),
        (("strike", "block", "avoid", "push"), "cards"),
        (("close", "shout", "block", "maintain", "strike", "maintain", "avoid"), "one of"),
    ],
)
def test_a_script_by_heart_has_to_be_allowed_at_first(script, message):
    with pytest.raises(BadInput, match=message):
        scripts(by_heart(script), armed("sword"), 1)


def test_an_unknown_temperament_is_refused():
    with pytest.raises(BadInput, match="one of fierce, careful, sly"):
        by_temperament("brave", Seeded("a"))
