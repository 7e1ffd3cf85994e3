"""Weapons as things: figures from the printed tables, fittings, and the group's readings."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.sheet.weapon_lengths import length_dice
from astragal.games.burning_wheel.sheet.weapon_tables import (
    MeleeWeapon,
    Weapon,
    is_found,
    melee_lines,
    takes_a_beak,
    ways,
)
from astragal.rules import Options


def options(**chosen: str) -> Options:
    return Options.of("burning_wheel", chosen)


def way(carried: Weapon, name: str = "", **chosen: str) -> MeleeWeapon:
    found = {each.name: each for each in ways(carried, options(**chosen))}
    return found[name] if name else next(iter(found.values()))


@pytest.mark.rules(
    "weapons.melee.attributes", "weapons.melee.note_two_handed", "weapons.melee.note_great_strike"
)
@pytest.mark.parametrize(
    ("weapon", "quality", "figures"),
    [
        # Power, Add, speed, VA, length, two-handed, Great Strike: as printed in the appendix.
        ("bare fist", "", (0, 2, "fast", 0, "shortest", False, False)),
        ("club or staff", "", (2, 2, "fast", 0, "long", True, True)),
        ("stone", "", (1, 2, "slow", 0, "shortest", False, True)),
        ("sword", "poor", (3, 2, "slow", 0, "long", False, False)),
        ("sword", "", (3, 2, "slow", 0, "long", False, True)),
        ("sword", "superior", (3, 2, "slow", 1, "long", False, True)),
        ("spear", "poor", (1, 2, "fast", 0, "longest", True, True)),
        ("spear", "run of the mill", (2, 2, "fast", 1, "longest", True, True)),
        ("axe", "poor", (4, 2, "unwieldy", 1, "long", True, True)),
        ("hammer", "", (4, 2, "unwieldy", 2, "long", True, True)),
        ("hammer", "superior", (3, 2, "slow", 2, "long", True, True)),
        ("dirk", "", (1, 1, "fast", 0, "shortest", False, False)),
        ("mace", "", (2, 2, "slow", 2, "short", False, True)),
        ("great mace", "superior", (2, 2, "slow", 3, "long", True, True)),
    ],
)
def test_a_weapon_has_the_figures_of_its_line(
    weapon: str, quality: str, figures: tuple[Any, ...]
) -> None:
    line = way(Weapon(weapon, quality=quality))
    found = (line.power, line.add, line.speed, line.va, line.length)
    assert (*found, line.two_handed, line.may_great_strike) == figures
    assert line.takes_a_shield is not line.two_handed


def test_a_polearm_strikes_in_two_ways() -> None:
    axe, thrust = melee_lines("polearm", "superior")
    assert (axe.power, axe.speed, axe.va) == (4, "slow", 2)
    assert (thrust.power, thrust.speed, thrust.va) == (2, "fast", 1)


@pytest.mark.rules("weapons.melee.length_use")
def test_length_is_worth_positioning_dice() -> None:
    # A longer weapon +1D; more than two lengths longer +2D, but not from outside.
    assert length_dice("longest", "shortest", "lunging") == 2
    assert length_dice("longest", "shortest", "outside") == 1
    assert length_dice("longest", "long") == 1
    assert length_dice("short", "longest") == 0
    assert length_dice("short", "longest", "inside") == 1


@pytest.mark.rules("weapons.speed.three_classes")
def test_every_weapon_is_fast_slow_or_unwieldy() -> None:
    found = {way(Weapon(name)).speed for name in ("dirk", "sword", "hammer", "chair", "lantern")}
    assert found == {"fast", "slow", "unwieldy"}


# --- Found weapons -------------------------------------------------------------------------


@pytest.mark.rules("weapons.found.what", "weapons.found.add", "weapons.found.va")
@pytest.mark.parametrize(
    ("found", "power", "speed", "va"),
    [
        ("bedknob", 1, "fast", 0),
        ("spike or nail", 1, "fast", 0),
        ("bottle", 1, "fast", 0),
        ("mallet", 2, "slow", 0),
        ("broomhandle", 1, "fast", 0),
        ("lantern", 2, "slow", 0),
        ("chair", 2, "unwieldy", 0),
        ("pick", 4, "unwieldy", 1),
        ("branch", 2, "slow", 0),
    ],
)
def test_found_weapons_have_add_2_and_only_the_pick_has_va(
    found: str, power: int, speed: str, va: int
) -> None:
    line = way(Weapon(found))
    assert not line.two_handed
    assert is_found(found)
    assert (line.power, line.add, line.speed, line.va) == (power, 2, speed, va)
    assert not line.may_great_strike


def test_found_lengths_are_a_reading_that_the_gm_may_replace() -> None:
    reading = {"weapons_found_lengths": "by_reading"}
    assert way(Weapon("bottle"), **reading).length == "shortest"
    assert way(Weapon("chair"), **reading).length == "short"
    assert way(Weapon("broomhandle", length="long"), **reading).length == "long"
    each = {"weapons_found_lengths": "gm_sets_each"}
    assert way(Weapon("broomhandle", length="long"), **each).length == "long"
    with pytest.raises(BadInput, match=r"weapons\.bottle\.length: found ''.*found_length"):
        way(Weapon("bottle"), **each)
    assert way(Weapon("dirk"), **each).length == "shortest"  # no found weapon


def test_a_heavy_mallet_is_slow_or_unwieldy() -> None:
    heavy = Weapon("mallet", size="heavy")
    assert way(heavy).speed == "slow"
    assert way(heavy, weapons_heavy_mallet="slow").speed == "slow"
    assert way(heavy, weapons_heavy_mallet="unwieldy").speed == "unwieldy"
    assert way(Weapon("mallet"), weapons_heavy_mallet="unwieldy").speed == "slow"


def test_a_small_club_is_long_or_short() -> None:
    small = Weapon("club or staff", size="small")
    as_listed = way(small, weapons_small_club="as_table")
    assert (as_listed.length, as_listed.two_handed) == ("long", True)
    in_one_hand = way(small, weapons_small_club="short_one_handed")
    assert (in_one_hand.length, in_one_hand.two_handed) == ("short", False)
    staff = way(Weapon("club or staff"), weapons_small_club="short_one_handed")
    assert (staff.length, staff.two_handed) == ("long", True)
    one = way(Weapon("club or staff", length="short", two_handed=False))  # the GM's word on one
    assert (one.length, one.two_handed) == ("short", False)


# --- Pommels and beaks ---------------------------------------------------------------------


@pytest.mark.rules("weapons.gear.hilt", "weapons.gear.one_pommel")
@pytest.mark.parametrize(
    ("pommel", "power", "va"),
    [("", 1, 0), ("spiked pommel", 1, 1), ("weighted pommel", 2, 0)],
)
def test_every_weapon_strikes_with_its_one_pommel(pommel: str, power: int, va: int) -> None:
    found = ways(Weapon("sword", pommel=pommel), options())
    assert [each.name for each in found] == ["sword", pommel or "hilt or pommel"]
    hilt = found[1]
    assert (hilt.power, hilt.add, hilt.va, hilt.speed) == (power, 2, va, "slow")
    assert hilt.length == "shortest"


def test_a_fist_has_no_pommel() -> None:
    assert [each.name for each in ways(Weapon("bare fist"), options())] == ["bare fist"]


@pytest.mark.rules("weapons.gear.beak_mount")
def test_a_beak_goes_on_polearms_axes_and_spears() -> None:
    mounted = [name for name in ("polearm", "sweet axe", "spear") if takes_a_beak(name)]
    assert mounted == ["polearm", "sweet axe", "spear"]
    assert not any(takes_a_beak(name) for name in ("sword", "hammer", "mace", "dirk"))
    beak = way(Weapon("spear", beak=True), "beak")
    assert (beak.power, beak.add, beak.speed, beak.va) == (2, 2, "unwieldy", 3)
    assert (beak.length, beak.two_handed) == ("longest", True)
