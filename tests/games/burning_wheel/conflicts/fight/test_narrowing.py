"""Whatever a fight is narrowed to, the same dice are rolled and the same cards offered."""

from __future__ import annotations

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
from astragal.games.burning_wheel.conflicts.fight.narrowing import for_roll, for_script, seen_by
from astragal.games.burning_wheel.conflicts.fight.policies import answers_of, at_random
from astragal.games.burning_wheel.conflicts.fight.state import Lock, Positioning
from astragal.play import live, then
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


@pytest.mark.parametrize("seed", range(6))
def test_a_fight_goes_as_it_would_if_every_roll_and_script_knew_all_of_it(seed, monkeypatch):
    narrowed = played(seed)
    monkeypatch.setattr(getting_ready, "for_roll", lambda fight, *_: fight)
    monkeypatch.setattr(mounted_footing, "for_footing", lambda fight, _: fight)
    monkeypatch.setattr(script, "for_script", lambda fight, _: fight)
    assert played(seed) == narrowed
    assert len(narrowed) > 50


def test_what_only_others_know_of_makes_no_new_roll_of_it():
    calm = fight()
    angry = calm.change(
        "bob", stance=Stance.AGGRESSIVE, moves=Positioning.CLOSE, announced=("push",)
    )
    assert for_roll(angry, "ann", "bob") == for_roll(calm, "ann", "bob")
    assert for_roll(angry, "bob", "ann") != for_roll(calm, "bob", "ann")
    assert for_script(angry, "ann") == for_script(calm, "ann")


def test_the_others_wounds_are_their_own():
    hurt = fight(bob={"wounds": [{"level": "Light"}]})
    assert hurt.table != fight().table
    assert seen_by(hurt.table, "ann") is seen_by(fight().table, "ann")
    assert seen_by(hurt.table, "bob") != seen_by(fight().table, "bob")


def test_who_is_held_knows_it_and_the_holder_need_not():
    held = fight(locks=(Lock("bob", "ann", 2),))
    assert for_roll(held, "ann", "bob").lock_on("ann") == 2
    assert for_roll(held, "bob", "ann") == for_roll(fight(), "bob", "ann")
