"""Rider and mount as one target: what is open, what it costs to move a blow, whom a shot hits."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.games.burning_wheel.conditions.mounted import elevation
from astragal.games.burning_wheel.conflicts.fight.state import Preparation
from astragal.games.burning_wheel.weapons.blows import divide, reachable
from astragal.games.burning_wheel.weapons.locations import (
    area_of,
    areas,
    mount_areas,
    move_cost,
    moving_rule,
)
from astragal.rules import catalogue
from games.burning_wheel.in_a_fight import do
from games.burning_wheel.on_horseback import (
    BOWMAN,
    HORSE,
    KNIGHT,
    RIDER,
    WOLF,
    mounted_fight,
    volley,
)

COSTS = catalogue().table("riding.table.hit_location_costs")
RIDERS = tuple("rider_head" if area == "head" else area for area in areas())
TOUGH = {**RIDER, "tolerances": ["B3", "B12", "B13", "B14", "B15", "B16"]}
STURDY = {**HORSE, "tolerances": ["B3", "B12", "B13", "B14", "B15", "B16"]}


def cost(shift: str) -> int:
    return COSTS.number("successes", shift=shift)


@pytest.mark.rules(
    "riding.location.rider_to_mount", "riding.location.rider_head", "riding.location.along_mount"
)
def test_what_it_costs_to_move_a_blow_between_rider_and_mount():
    for here in RIDERS:
        assert move_cost(here, "mount_torso") == cost("melee: rider to mount") == 1
        if here != "rider_head":
            assert move_cost(here, "rider_head") == cost("melee: to the rider's head") == 2
    along = cost("melee: along the length of the mount")
    for here in mount_areas():
        for there in mount_areas():
            assert move_cost(here, there) == (0 if here == there else along)
        for there in RIDERS:
            expected = 2 if there == "rider_head" else 1  # riding.amb.mount_to_rider_cost
            assert move_cost(here, there) == expected
    assert move_cost("torso", "mount_legs") == 3  # to the mount, and along it


@pytest.mark.rules(
    "riding.location.rider_to_mount", "riding.location.rider_head", "riding.location.along_mount"
)
@pytest.mark.parametrize(
    ("here", "there", "rule"),
    [
        ("torso", "mount_torso", "rider_to_mount"),
        ("mount_torso", "arms", "rider_to_mount"),
        ("mount_head", "mount_legs", "along_mount"),
        ("torso", "rider_head", "rider_head"),
        ("mount_legs", "rider_head", "rider_head"),
    ],
)
def test_each_place_says_by_which_rule_a_blow_gets_there(here: str, there: str, rule: str):
    assert moving_rule(here, there) == f"riding.location.{rule}"


@pytest.mark.rules("riding.location.along_mount")
def test_from_the_head_of_a_horse_to_its_haunches():
    assert divide("mount_head", "mount_legs", 3).damage == 1
    keys = {option.key for option in reachable("mount_head", 1, mount_areas())}
    assert keys == {"mount_head"}
    assert area_of("mount_legs") == "legs"


def struck(
    answers: dict[str, Any], successes: int = 3, bob_rides: bool = False, **more: Any
) -> Any:
    """Bob strikes at Ann in the saddle."""
    at = mounted_fight(TOUGH, STURDY, bobs=STURDY if bob_rides else None, bob=TOUGH, **more)
    return volley(
        at,
        ("stay", "assess:longer"),
        ("stay", "strike"),
        answers=answers,
        dice={"Bob, Strike": successes},
    )


@pytest.mark.rules("riding.location.one_target")
def test_the_rider_declares_himself_or_the_mount():
    assert "Bob hits Ann. Mark" in struck({}).told
    horse = struck({"ann/open": "mount_head"})
    assert "Ann leaves the mount's head open." in horse.told
    assert "Bob hits Horse. Mark" in horse.told
    assert "to the head" in horse.told
    asked = struck({}).played.asks["open"]
    offered = [option.key for option in asked.question.options]  # type: ignore[attr-defined]
    assert offered == [*RIDERS, *mount_areas()]
    assert asked.kind == "offered"


@pytest.mark.rules("riding.location.rider_to_mount")
def test_a_blow_is_moved_to_the_mount_for_one_success():
    moved = struck({"bob/aim": "mount_torso"}, successes=2)
    assert "Bob hits Horse. Incidental" in moved.told
    assert not moved.fight.sheet("ann").wounds
    assert moved.fight.sheet("horse").wounds


@pytest.mark.rules("riding.location.rider_head")
def test_the_head_of_a_rider_costs_two():
    one = struck({}, successes=2).played.asks["aim"]
    assert "rider_head" not in {option.key for option in one.question.options}  # type: ignore[attr-defined]
    moved = struck({"bob/aim": "rider_head"}, successes=3)
    assert "Bob hits Ann. Incidental, B4 to the head" in moved.told


@pytest.mark.rules("riding.location.no_legs")
def test_who_is_on_foot_cannot_offer_the_legs_to_a_rider():
    at = mounted_fight(KNIGHT, bob=TOUGH)
    done = volley(at, ("stay", "strike"), ("stay", "assess:longer"), dice={"Ann, Strike": 3})
    offered = [option.key for option in done.played.asks["open"].question.options]  # type: ignore[attr-defined]
    assert offered == ["torso", "arms", "head"]
    riding = struck({}, bob_rides=True).played.asks["open"]
    assert "legs" in {option.key for option in riding.question.options}  # type: ignore[attr-defined]


# --- Shots ---------------------------------------------------------------------------------

ARCHER = {**TOUGH, "skills": {"Bow": "B4"}, "weapons": ["hunting bow"]}


def shot(
    ann: dict[str, Any] = TOUGH,
    by: str = "bob",
    target: str = "ann",
    rolls: tuple[Any, ...] = (4, [1]),
    **answers: Any,
) -> Any:
    who = {"ann": ann, "bob": ARCHER} if by == "bob" else {"ann": ann, "bob": TOUGH}
    at = mounted_fight(who["ann"], STURDY, bob=who["bob"])
    ready = Preparation(nocked=True, drawn=4, target=target)
    at = at.change(by, ready=ready)
    return do(at, "release", by=by, target=target, answers=answers, rolls=list(rolls))


@pytest.mark.rules("riding.shoot.choose_target", "riding.shoot.location")
@pytest.mark.parametrize("victim", ["ann", "horse"])
def test_the_shooter_aims_at_rider_or_mount(victim: str):
    done = shot(shoot_at=victim)
    (harm,) = done.given
    assert harm.hit.character == victim
    assert harm.hit.damage.location == "torso"


@pytest.mark.rules("riding.shoot.location")
@pytest.mark.parametrize("victim", ["ann", "horse"])
@pytest.mark.parametrize(("area", "moved"), [("legs", 1), ("head", 2)])
def test_moving_a_shot_costs_what_it_always_does(victim: str, area: str, moved: int):
    done = shot(shoot_at=victim, aim=area)
    cost_of = next(
        option.cost
        for option in done.played.asks["aim"].question.options  # type: ignore[attr-defined]
        if option.key == area
    )
    assert cost_of.startswith(str(moved))
    assert done.given[0].hit.damage.location == area


@pytest.mark.rules("armor.shield_missile.fight_roll", "sorcery.spell.turn_aside_the_blade")
def test_what_protects_the_rider_does_not_protect_the_mount():
    """A shield of 3D that shows 3 adds 2 to the Ob of 1, and the spell 2."""
    spell = {"name": "Turn Aside the Blade", "obstacle": 4, "lasts": "Sustained"}
    guarded = {
        **TOUGH,
        "shield": {"kind": "target"},
        "active_spells": [spell | {"does": "attack_obstacle", "effect": 2}],
    }
    at_mount = shot(guarded, shoot_at="horse")
    assert "raise_shield" not in at_mount.played.asked
    assert "against Ob 1 = 1 base obstacle\n" in at_mount.told
    at_rider = shot(guarded, rolls=(3, 4), shoot_at="ann")
    assert "against Ob 5" in at_rider.told


def shot_in_volley(
    ann: tuple[str, ...], victim: str, horse: tuple[str, ...] = ("maintain",), beast: Any = STURDY
) -> str:
    """Bob shoots at one of the two in a volley in which they do this."""
    ready = Preparation(nocked=True, drawn=4, target="ann")
    at = mounted_fight(KNIGHT, beast, bob=ARCHER, gap=3).change("bob", ready=ready)
    return volley(at, ann, ("stay", "release"), horse, answers={"shoot_at": victim}).told


@pytest.mark.rules("riding.avoid.command_mount", "fight.release.target_avoiding")
@pytest.mark.parametrize("victim", ["ann", "horse"])
def test_an_avoid_of_the_mount_makes_shots_at_both_harder(victim: str):
    harder = "1 moving target + 1 the target Avoids"
    assert harder in shot_in_volley(("withdraw", "assess:longer", "order:avoid"), victim)
    assert "Avoids" not in shot_in_volley(("withdraw", "order:push"), victim)
    wolf = {**WOLF, "tolerances": STURDY["tolerances"]}
    own = shot_in_volley(("maintain", "assess:longer"), victim, ("maintain", "avoid"), wolf)
    assert "1 the target Avoids" in own


@pytest.mark.rules("riding.avoid.rider", "fight.release.target_avoiding")
@pytest.mark.parametrize(("victim", "harder"), [("ann", True), ("horse", False)])
def test_ducking_is_no_help_to_a_mount_that_is_shot_at(victim: str, harder: bool):
    assert ("the target Avoids" in shot_in_volley(("maintain", "avoid"), victim)) is harder


@pytest.mark.rules("riding.bowman.elevation")
@pytest.mark.parametrize(("training", "dice"), [("bowman", 5), ("knight", 4)])
def test_a_mounted_bowman_shoots_down_at_those_on_foot(training: str, dice: int):
    who = BOWMAN if training == "bowman" else KNIGHT
    done = shot({**who, "weapons": ["hunting bow"]}, by="ann", target="bob")
    assert f"rolls {dice}D = 4 Bow" in done.told


@pytest.mark.rules("riding.bowman.elevation")
def test_not_at_another_rider():
    at = mounted_fight(BOWMAN, bobs=HORSE).table
    assert elevation(at, "ann", "bob") == ()
    assert [line.amount for line in elevation(mounted_fight(BOWMAN).table, "ann", "bob")] == [1]
