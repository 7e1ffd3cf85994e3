"""The nerve of mounts in a fight, and riders who fall."""

from __future__ import annotations

import pytest

from astragal.games.burning_wheel.armor.hits import IncomingHit
from astragal.games.burning_wheel.conflicts.fight.harm import Harm, apply_harm
from astragal.games.burning_wheel.conflicts.fight.mount_nerves import (
    mounts_recover,
    mounts_tested,
)
from astragal.games.burning_wheel.conflicts.fight.other_actions import carry_out
from astragal.games.burning_wheel.conflicts.fight.state import Fight, FightDeed, Posture
from astragal.games.burning_wheel.weapons.damage import Damage, Stage
from games.burning_wheel.in_a_fight import FIGHTER
from games.burning_wheel.on_horseback import HORSE, KNIGHT, RIDER, act, labels, mounted_fight
from games.burning_wheel.playing import play

GREEN = {**HORSE, "training": ["Rider Training"]}
"""A horse that has never seen a fight: Will 3, so hesitation 7; Steel 5."""


@pytest.mark.rules("riding.untrained.mount_steel")
def test_a_mount_without_training_tests_steel_as_each_exchange_begins():
    done = act(mounts_tested, mounted_fight(horse=GREEN), dice={"Horse, Steel": 5})
    assert labels(done) == ["Horse, Steel"]
    assert "against Ob 7" in done.told
    assert done.who("horse").hesitates == 2
    assert labels(act(mounts_tested, mounted_fight())) == []


WILD = {**HORSE, "training": ["Mounted Combat Training"]}
"""It knows fighting, but nobody has ever ridden it."""


@pytest.mark.rules("riding.test.untrained_beast", "riding.steel.rear_or_buck")
@pytest.mark.parametrize(("riding", "stays"), [(2, True), (1, False)])
def test_a_beast_that_was_never_broken_throws_its_rider_in_a_fight(riding: int, stays: bool):
    done = act(mounts_tested, mounted_fight(RIDER, WILD), dice={"Ann, Riding": riding})
    assert "Horse tries to throw its rider." in done.told
    assert "against Ob 2" in done.told
    assert (done.fight.mount("ann") == "horse") is stays
    assert done.who().posture is (Posture.STANDING if stays else Posture.DOWN)
    assert len(done.given) == (0 if stays else 1)
    if stays:  # once
        again = act(mounts_tested, done.fight)
        assert "throw" not in again.told
    spared = act(mounts_tested, mounted_fight(RIDER, WILD), answers={"throws_rider": False})
    assert labels(spared) == []


@pytest.mark.rules("riding.untrained.mount_steel")
def test_it_does_so_again_in_the_next_exchange():
    at = mounted_fight(horse=GREEN).table
    sides = [{"fighters": [{"character": "ann"}]}, {"fighters": [{"character": "bob"}]}]
    stay = ["stay", "block", "block", "stay", "block", "stay", "block"]
    give_up = ["stay", "give_up", "block", "stay", "block", "stay", "block"]
    done = play(
        "fight",
        {"sides": sides},
        at,
        {"ann/script#1": stay, "bob/script": stay, "ann/script#2": give_up},
    )
    tested = [roll.label for roll in done.rolls if roll.label == "Horse, Steel"]
    assert len(tested) == 2


@pytest.mark.rules("riding.steel.mount_reacts", "riding.steel.rear_or_buck")
@pytest.mark.parametrize(
    ("reaction", "dice", "stays"),
    [
        ("rear", {"Ann, Riding": 2}, True),
        ("rear", {"Ann, Riding": 1}, False),
        ("roll", {"Ann, Riding": 4}, True),
        ("roll", {"Ann, Riding": 3}, False),
        ("shy", {}, True),
        ("bolt", {}, True),
    ],
)
def test_what_a_frightened_mount_means_for_the_rider(
    reaction: str, dice: dict[str, int], stays: bool
):
    at = mounted_fight(horse=GREEN)
    done = act(mounts_tested, at, answers={"mount_reaction": reaction}, dice=dice)
    assert bool(done.fight.mount("ann")) is stays
    assert (done.who("ann").posture is Posture.DOWN) is not stays
    assert done.fight.table.scene.riders == (() if not stays else at.table.scene.riders)
    assert ("Ann, Riding" in labels(done)) is (reaction in ("rear", "roll"))


@pytest.mark.rules("riding.combat.last_order")
def test_a_steel_test_makes_it_forget_its_order():
    at = mounted_fight(horse=GREEN).change("horse", order="order:push")
    passed = act(mounts_tested, at, dice={"Horse, Steel": 5}, answers={})
    assert passed.who("horse").order == ""
    calm = mounted_fight().change("horse", order="order:push")
    assert act(mounts_tested, calm).who("horse").order == "order:push"


def shaken(reaction: str = "run_screaming") -> Fight:
    return mounted_fight().change("horse", hesitates=3, reaction=reaction)


@pytest.mark.rules("riding.steel.rider_chooses", "riding.steel.change_in_progress")
def test_an_action_and_a_riding_test_change_the_reaction():
    deed = FightDeed("ann", "non_martial", "steady_mount")
    done = act(carry_out, shaken(), deed, answers={"rider_chooses": "shy"}, dice={"Ann, Riding": 3})
    assert (done.who("horse").reaction, done.who("horse").hesitates) == ("stand_and_drool", 3)
    failed = act(carry_out, shaken(), deed, dice={"Ann, Riding": 2})
    assert failed.who("horse").reaction == "run_screaming"
    calm = act(carry_out, mounted_fight(), deed)
    assert "no mount that hesitates; the action is lost" in calm.told


def test_a_mount_recovers_as_its_own_actions_go_by():
    once = act(mounts_recover, shaken()).fight  # two actions in the first volley
    assert once.fighter("horse").hesitates == 1
    twice = act(mounts_recover, once)
    assert not twice.who("horse").is_hesitating
    assert "Horse recovers." in twice.told


@pytest.mark.rules("riding.lance.unhorse_one_pace")
def test_an_action_brings_one_back_into_the_saddle():
    at = mounted_fight(seat={"half_out": True})
    done = act(carry_out, at, FightDeed("ann", "non_martial", "reseat"))
    assert not done.fight.table.scene.riders[0].half_out


# --- Wounds --------------------------------------------------------------------------------


def hit(victim: str, number: int) -> Harm:
    damage = Damage("torso", Stage.MARK, "B", number, 0)
    return Harm(IncomingHit(victim, damage, "bob"), "bob")


@pytest.mark.rules("riding.steel.mount_reacts", "riding.steel.mount_reactions")
def test_a_wounded_mount_may_roll_under_its_rider():
    at = mounted_fight()
    done = act(apply_harm, at, (hit("horse", 7),), answers={"mount_reaction": "roll"})
    assert done.fight.mount("ann") == ""
    assert done.who("horse").out == "riderless"
    assert "Ann is thrown from the saddle." in done.told


@pytest.mark.rules("riding.test.when", "riding.roll.stay_mounted")
@pytest.mark.parametrize(("riding", "posture"), [(4, Posture.STANDING), (3, Posture.DOWN)])
def test_a_mount_that_is_felled_takes_its_rider_along(riding: int, posture: Posture):
    done = act(apply_harm, mounted_fight(), (hit("horse", 12),), dice={"Ann, Riding": riding})
    assert done.who("horse").out
    assert done.who("ann").posture is posture
    assert done.fight.table.scene.riders == ()


def test_a_horse_whose_rider_is_felled_is_gone():
    frail = {**KNIGHT, "tolerances": FIGHTER["tolerances"]}
    done = act(apply_harm, mounted_fight(frail), (hit("ann", 10),))
    assert done.who("ann").out
    assert done.who("horse").out == "riderless"
    assert done.fight.table.scene.riders == ()


def test_an_untrained_rider_is_tested_like_any_other():
    assert labels(act(mounts_tested, mounted_fight(RIDER, GREEN), dice={"Steel": 5})) == [
        "Horse, Steel"
    ]
