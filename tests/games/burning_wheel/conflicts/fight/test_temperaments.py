"""Sorcerers cast, priests pray, riders give orders and bows are shot when nobody scripts by hand.

What a temperament writes is always allowed: a scripter that finds nothing falls back on nothing but
Blocks, which shows as a script without any other card.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice

import msgspec
import pytest

from astragal.dice import Seeded
from astragal.games.burning_wheel.conflicts.fight.card_runs import runs_in
from astragal.games.burning_wheel.conflicts.fight.distance import INSIDE_GAP
from astragal.games.burning_wheel.conflicts.fight.fight import (
    ArmedFighter,
    FightSide,
    StartFight,
    fight_on,
)
from astragal.games.burning_wheel.conflicts.fight.policies import answers_of, simulate
from astragal.games.burning_wheel.conflicts.fight.script import ask_script
from astragal.games.burning_wheel.conflicts.fight.scripters import by_temperament, suggested
from astragal.games.burning_wheel.conflicts.fight.state import Preparation
from astragal.games.burning_wheel.conflicts.fight.temperaments import TEMPERAMENTS
from astragal.play import Tell, live, then
from games.burning_wheel.conflicts.fight.test_casting import FEAR, SHARDS, WARD, mage
from games.burning_wheel.conflicts.fight.test_prayers import CHURCH, PRIEST
from games.burning_wheel.fighting import fighter
from games.burning_wheel.in_a_fight import FIGHTER, fight
from games.burning_wheel.on_horseback import (
    BOWMAN,
    HORSE,
    KNIGHT,
    LANCER,
    WOLF,
    mounted_fight,
    ridden,
)
from games.burning_wheel.playing import table

MOVES = ("close", "maintain", "withdraw", "stay")
LONG_SPELL = {**SHARDS, "name": "Long Shards", "actions": 9, "does": "damage"}
FAR = 6

every_temperament = pytest.mark.parametrize("name", TEMPERAMENTS)


def scripts(at, name, many=60, seed="a"):
    """Scripts of somebody of that temperament, each of them accepted."""
    ask = ask_script(at, "ann")
    scripter = by_temperament(name, Seeded(seed))
    return [ask.question.check(scripter(ask)) for _ in range(many)]


def acts(script):
    return [card for card in script if card not in MOVES]


def used(at, name, many=60):
    return Counter(card for script in scripts(at, name, many) for card in acts(script))


def volleys(at, script):
    return ask_script(at, "ann").question.volleys(script)


# --- Spells ----------------------------------------------------------------------------------


@every_temperament
def test_a_sorcerer_casts_what_he_knows_with_all_its_actions_while_he_stands(name):
    at = fight(ann={**mage(SHARDS, FEAR, WARD), "attributes": FIGHTER["attributes"]})
    cast = used(at, name)
    assert {"incant:shards", "incant:the_fear", "incant:turn_aside_the_blade"} <= set(cast)
    assert "incant" not in cast
    for script in scripts(at, name):
        assert acts(script).count("incant:shards") in (0, 2)
        first = script.index("incant:shards") if "incant:shards" in script else 0
        together = [card for card in script[first:] if card not in MOVES][:2]
        assert not first or together == ["incant:shards"] * 2
        for move, *cards in volleys(at, script):
            assert move == "maintain" or not any(card.startswith("incant") for card in cards)


def test_spells_of_no_use_in_a_fight_those_that_last_and_touches_out_of_reach_are_not_cast():
    light = {"name": "Mage Light"}
    sight = {"name": "Magesense", "actions": 1, "obstacle": 1}
    touch = {**SHARDS, "name": "Withering Touch", "origin": "Personal", "does": "damage"}
    touch["obstacle"] = 2
    lasting = [{"name": WARD["name"], "obstacle": 3, "lasts": "Sustained"}]
    sorcerer = {**mage(light, sight, WARD, touch), "active_spells": lasting}
    far, near = (fight(ann=sorcerer, gap=gap) for gap in (FAR, INSIDE_GAP))
    assert used(far, "careful").keys().isdisjoint({"incant:withering_touch"})
    cast = {card for card in used(near, "careful") if card.startswith("incant")}
    assert cast == {"incant:withering_touch"}


def test_a_spell_longer_than_an_exchange_is_begun_out_of_reach_and_gone_on_with():
    sorcerer = mage(LONG_SPELL | {"obstacle": 2})
    near, far = (fight(ann=sorcerer, gap=gap) for gap in (2, FAR))
    assert not any(card.startswith("incant") for card in used(near, "sly"))
    begun = [script for script in scripts(far, "sly") if "incant:long_shards" in script]
    assert begun
    assert all(set(acts(script)) == {"incant:long_shards"} for script in begun)


@every_temperament
def test_a_fight_of_a_sorcerer_ends_and_spells_are_cast_in_it(name):
    at = table(ann=mage(SHARDS, FEAR, WARD), bob=fighter())
    assert ended(at, name)
    assert "Ann is casting Shards: 1 action to go." in told(at, name)


# --- Prayers ---------------------------------------------------------------------------------


@every_temperament
def test_a_priest_prays_now_and_then_and_the_fight_ends(name):
    at = table(CHURCH, ann=PRIEST, bob=fighter())
    assert ended(at, name)
    said = told(at, name)
    prayers = said.count("Ann prays for")
    assert 3 < prayers < said.count("Volley") / 2


# --- Shots -----------------------------------------------------------------------------------


def archer(weapon, **more):
    return {**fighter(weapon), "attributes": FIGHTER["attributes"], **more}


@every_temperament
def test_a_bow_is_nocked_drawn_and_shot_and_gone_on_with_in_the_next_exchange(name):
    at = fight(ann=archer("hunting bow"), gap=FAR)
    begun = [script for script in scripts(at, name) if "nock_arrow" in script]
    assert begun
    for script in begun:
        assert acts(script) == ["nock_arrow"] * 3 + ["draw_bow"]
        assert all(move == "maintain" for move, *_ in volleys(at, script))
    half = at.change("ann", ready=Preparation(nocked=True, drawn=1))
    for script in scripts(half, name):
        assert acts(script)[:2] == ["draw_bow", "release"]
    near = fight(ann=archer("hunting bow"))
    assert "nock_arrow" not in used(near, name)


@every_temperament
def test_a_loaded_crossbow_is_shot_but_not_on_the_inside(name):
    loaded = archer("crossbow", weapons=[{"weapon": "crossbow", "loaded": True}])
    for script in scripts(fight(ann=loaded), name):
        assert acts(script)[:2] == ["acquire_target", "release"]
    assert "release" not in used(fight(ann=loaded, gap=INSIDE_GAP), name)


@every_temperament
def test_what_is_for_throwing_is_thrown_and_a_sword_is_not(name):
    thrown = used(fight(ann=archer("javelin")), name)
    assert 0 < thrown["throw_object"] <= 60
    assert not any(card.startswith("throw_object") for card in used(fight(), name))


@every_temperament
@pytest.mark.parametrize("weapon", ["hunting bow", "crossbow", "javelin"])
def test_a_fight_with_missiles_ends(name, weapon):
    assert ended(table(ann=archer(weapon), bob=fighter()), name)


# --- Riders ----------------------------------------------------------------------------------


@every_temperament
@pytest.mark.parametrize("beast", [HORSE, WOLF], ids=["horse", "wolf"])
@pytest.mark.parametrize("gap", [INSIDE_GAP, 0, 2, FAR])
def test_a_rider_gives_the_orders_of_his_temperament(name, beast, gap):
    given = {card for card in used(mounted_fight(horse=beast, gap=gap), name) if ":" in card}
    wanted = {order for order in TEMPERAMENTS[name].orders if order in given}
    assert {card for card in given if card.startswith("order")} == wanted
    assert len(wanted) >= 2


@every_temperament
def test_a_frightened_mount_is_steadied_first(name):
    at = mounted_fight().change("horse", hesitates=3)
    assert all(acts(script)[0] == "steady_mount" for script in scripts(at, name))


@every_temperament
@pytest.mark.parametrize("rider", [KNIGHT, LANCER, BOWMAN], ids=["knight", "lancer", "bowman"])
def test_a_fight_of_a_rider_ends(name, rider):
    assert ended(ridden(ann=rider, bob=FIGHTER), name)


# --- All of them -----------------------------------------------------------------------------

ARMED = {
    "sorcerer": mage(SHARDS, FEAR, WARD, LONG_SPELL | {"obstacle": 2}),
    "archer": archer("great bow"),
    "thrower": archer("throwing knife"),
}


@pytest.mark.parametrize("who", ARMED)
@pytest.mark.parametrize("gap", [INSIDE_GAP, 0, 2, FAR])
@pytest.mark.parametrize("reflexes", [1, 3, 6])
def test_no_script_has_to_be_one_of_nothing_but_blocks(who, gap, reflexes):
    sheet = ARMED[who]
    at = fight(ann={**sheet, "attributes": {**sheet["attributes"], "Reflexes": f"B{reflexes}"}})
    at = msgspec.structs.replace(at, gaps=(msgspec.structs.replace(at.gaps[0], gap=gap),))
    for name in TEMPERAMENTS:
        written = scripts(at, name, 30)
        assert sum(set(acts(script)) == {"block"} for script in written) < 15
    for _, script in suggested(ask_script(at, "ann").question, Seeded("a")):
        assert ask_script(at, "ann").question.check(script) == script


def test_those_with_blades_alone_have_no_such_cards_in_their_situation():
    at = fight()
    assert not runs_in(ask_script(at, "ann").question.situation)


# --- Whole fights ----------------------------------------------------------------------------


def start():
    sides = tuple(FightSide((ArmedFighter(name),)) for name in ("ann", "bob"))
    return StartFight(sides, "nothing", rehearsal=True)


def scripters(name):
    chance = Seeded(f"fights/{name}")
    return {"ann": by_temperament(name, chance), "bob": by_temperament("careful", chance)}, chance


def ended(at, name, many=6):
    """Whether that many fights come to an end."""
    policies, chance = scripters(name)
    outcomes = list(islice(simulate(start(), at, policies, chance), many))
    return all(outcome.exchanges <= 41 for outcome in outcomes)


def told(at, name, many=6):
    """What is told in that many fights, in which every die is thrown."""
    policies, chance = scripters(name)
    played = (live(then(fight_on, start(), at), chance, answers_of(policies)) for _ in range(many))
    facts = [e.fact for each in played for e in each.events if isinstance(e, Tell)]
    return "\n".join(fact.sentence() for fact in facts)
