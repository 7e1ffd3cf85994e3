"""Whatever a fight is narrowed to, the same dice are rolled and the same cards offered."""

from __future__ import annotations

from random import Random

import pytest

from astragal.dice import Seeded
from astragal.games.burning_wheel.armor.block_and_strike import Stance
from astragal.games.burning_wheel.conflicts.fight import getting_ready, mounted_footing, script
from astragal.games.burning_wheel.conflicts.fight.fight import (
    ArmedFighter,
    FightSide,
    StartFight,
    fight_on,
)
from astragal.games.burning_wheel.conflicts.fight.getting_ready import make_ready
from astragal.games.burning_wheel.conflicts.fight.narrowing import (
    for_footing,
    for_roll,
    for_script,
    seen_by,
)
from astragal.games.burning_wheel.conflicts.fight.policies import answers_of
from astragal.games.burning_wheel.conflicts.fight.scripters import at_random
from astragal.games.burning_wheel.conflicts.fight.state import Lock, Positioning
from astragal.play import live, then
from games.burning_wheel import any_fight
from games.burning_wheel.in_a_fight import FIGHTER, fight
from games.burning_wheel.playing import table


def played(seed):
    """Everything that happens in a fight of three with weapons of different lengths."""
    weapons = {"ann": "sword", "bob": "polearm", "cat": "dagger"}
    skills = {"Sword": "B4", "Polearm": "B4", "Knives": "B4", "Brawling": "B4"}
    more = {"skills": {**skills, "Shield Training": "B2"}, "shield": {"kind": "buckler"}}
    sheets = {
        who: {**FIGHTER, **more, "weapons": [{"weapon": weapon}]} for who, weapon in weapons.items()
    }
    sides = (("ann",), ("bob", "cat"))
    start = StartFight(tuple(FightSide(tuple(map(ArmedFighter, side))) for side in sides))
    chance = Seeded(seed)
    answers = answers_of(dict.fromkeys(weapons, at_random(chance)))
    return live(then(fight_on, start, table(**sheets)), Seeded(seed), answers).events


def by_the_whole(monkeypatch):
    """Nothing is narrowed any more."""
    monkeypatch.setattr(getting_ready, "for_roll", lambda fight, *_: fight)
    monkeypatch.setattr(mounted_footing, "for_footing", lambda fight, _: fight)
    monkeypatch.setattr(script, "for_script", lambda fight, _: fight)


@pytest.mark.parametrize("seed", range(6))
def test_a_fight_goes_as_it_would_if_every_roll_and_script_knew_all_of_it(seed, monkeypatch):
    narrowed = played(seed)
    by_the_whole(monkeypatch)
    assert played(seed) == narrowed
    assert len(narrowed) > 50


def everything_in(at, seed):
    """The rolls of a moment, everybody's positioning dice, and what everybody may script."""
    names = [each.character for each in at.standing]
    return (
        any_fight.played(make_ready, at, any_fight.any_deeds(Random(seed), at)),
        *(
            any_fight.played(gather_footing_of, at, name, ability)
            for name in names
            for ability in ("Speed", "Power")
        ),
        *(script.script_for(at, name) for name in names),
    )


def gather_footing_of(at, name, ability):
    """The dice alone: the fight that comes with them is as it was."""
    attempt, after = yield from mounted_footing.gather_mover(at, name, ability, ())
    assert after is at
    return attempt


@pytest.mark.parametrize("first", range(0, 300, 50))
def test_in_any_state_whatever_it_is_worked_out_as_it_would_be_by_the_whole(first, monkeypatch):
    """Wounds, Locks, artha, traits, shields, the fallen, those who hesitate: of all five."""
    states = {seed: any_fight.any_fight(Random(seed)) for seed in range(first, first + 50)}
    narrowed = {seed: everything_in(at, seed) for seed, at in states.items()}
    by_the_whole(monkeypatch)
    for seed, at in states.items():
        for mine, whole in zip(narrowed[seed], everything_in(at, seed), strict=True):
            assert mine == whole, f"state {seed}"
    ready = [found[0][0] for found in narrowed.values() if not isinstance(found[0][0], str)]
    assert sum(len(each.rolls) for moment in ready for each in moment.incoming) > 40


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_fight_of_five_goes_the_same_way_whatever_anybody_does(seed, monkeypatch):
    """Any card, any FoRK, claim, artha and hindrance, for as long as six hundred answers take."""
    narrowed = any_fight.fought(seed, 600)
    by_the_whole(monkeypatch)
    assert any_fight.fought(seed, 600) == narrowed
    assert len(narrowed) > 300


def test_what_only_others_know_of_makes_no_new_roll_of_it():
    calm = fight()
    angry = calm.change("bob", stance=Stance.AGGRESSIVE, moves=Positioning.CLOSE, avoids=True)
    assert for_roll(angry, "ann", "bob") == for_roll(calm, "ann", "bob")
    assert for_roll(angry, "bob", "ann") != for_roll(calm, "bob", "ann")
    assert for_script(angry, "ann") == for_script(calm, "ann")


def test_the_others_wounds_are_their_own():
    hurt = fight(bob={"wounds": [{"level": "Light"}]})
    assert hurt.table != fight().table
    assert seen_by(hurt.table, "ann") == seen_by(fight().table, "ann")
    assert seen_by(hurt.table, "bob") != seen_by(fight().table, "bob")


def test_who_is_held_knows_it_and_the_holder_need_not():
    held = fight(locks=(Lock("bob", "ann", 2),))
    assert for_roll(held, "ann", "bob").lock_on("ann") == 2
    assert for_roll(held, "bob", "ann") == for_roll(fight(), "bob", "ann")


@pytest.mark.parametrize(
    "magic", [{"spell": "sight"}, {"prays": True}, {"wields": "Ward"}, {"carries": "ann"}]
)
def test_where_somebody_rides_casts_or_prays_nothing_is_narrowed(magic):
    at = fight(cat={}).change("cat", **magic)
    assert for_roll(at, "ann", "bob") is at
    assert for_footing(at, "ann") is at
    assert for_script(at, "ann") is at


def test_what_somebody_throws_reaches_as_far_in_a_script_as_it_does():
    """A stone in Bob's hand reaches Ann where his sword does not: she cannot leave."""
    apart = fight(gap=4)
    thrown = apart.change("bob", announced=("throw_object",))
    assert "leave" in {card.key for card in script.script_for(apart, "ann").cards}
    assert "leave" not in {card.key for card in script.script_for(thrown, "ann").cards}


@pytest.mark.parametrize("skills", [("Sword", "Brawling", "Axe"), ("Axe", "Sword", "Brawling")])
def test_forks_are_offered_in_the_order_of_the_sheet(skills):
    """Whatever sheets that are otherwise the same were played with before."""
    at = fight(ann={"skills": dict.fromkeys(skills, "B3")})
    seen = seen_by(at.table, "ann")
    assert tuple(seen.character("ann").skills) == skills
