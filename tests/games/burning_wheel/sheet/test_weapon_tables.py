"""Weapons as things: figures from the printed tables, fittings, and the group's readings."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.sheet.weapon_lengths import length_dice
from astragal.games.burning_wheel.sheet.weapon_tables import (
    MeleeWeapon,
    Weapon,
    bomb_va,
    gun_va,
    heads,
    is_found,
    is_reloaded,
    melee_lines,
    ranged,
    shooting_actions,
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


# --- At a distance -------------------------------------------------------------------------


@pytest.mark.rules("weapons.missile.fixed_ims", "weapons.missile.va", "weapons.dof.no_add")
@pytest.mark.parametrize(
    ("weapon", "numbers", "va", "bands", "dice", "paces"),
    [
        ("hunting bow", (4, 7, 10), 1, ("1-2", "3-4", "5-6"), (1, 2), 100),
        ("great bow", (4, 8, 12), 2, ("1-2", "3-4", "5-6"), (2, 4), 300),
        ("crossbow", (4, 8, 11), 2, ("1-2", "3-4", "5-6"), (2, 3), 125),
        ("heavy crossbow", (5, 9, 13), 3, ("1-2", "3-4", "5-6"), (2, 4), 300),
        ("pistol", (4, 8, 11), 3, ("1-4", "5", "6"), (1, 1), 10),
        ("arquebus", (4, 8, 12), 3, ("1-4", "5", "6"), (1, 2), 50),
    ],
)
def test_a_missile_weapon_has_fixed_numbers(
    weapon: str,
    numbers: tuple[int, ...],
    va: int,
    bands: tuple[str, ...],
    dice: tuple[int, int],
    paces: int,
) -> None:
    shot = ranged(weapon, options())
    assert (shot.numbers, shot.va, shot.bands) == (numbers, va, bands)
    assert (shot.dice, shot.paces, shot.power) == (dice, paces, None)
    assert not hasattr(shot, "add")


@pytest.mark.parametrize(("choice", "va"), [("va_2", 2), ("va_3", 3), ("va_4", 4)])
def test_the_va_of_the_heavy_crossbow_is_a_reading(choice: str, va: int) -> None:
    assert ranged("heavy crossbow", options(weapons_heavy_crossbow_va=choice)).va == va
    assert ranged("crossbow", options(weapons_heavy_crossbow_va=choice)).va == 2


@pytest.mark.rules("weapons.thrown.power")
@pytest.mark.parametrize(
    ("weapon", "power", "va", "bands", "paces"),
    [
        ("palm-sized rock", 0, 0, ("1-3", "4-5", "6"), 50),
        ("throwing knife", 1, 0, ("1-2", "3-5", "6"), 10),
        ("javelin", 2, 1, ("1-2", "3-4", "5-6"), 50),
        ("thrown axe", 3, 0, ("1-4", "5", "6"), 12),
        ("shuriken", 1, 0, ("1-2", "3-5", "6"), 20),
    ],
)
def test_a_thrown_weapon_has_its_own_power_and_bands(
    weapon: str, power: int, va: int, bands: tuple[str, ...], paces: int
) -> None:
    thrown = ranged(weapon, options())
    assert (thrown.power, thrown.va, thrown.bands, thrown.paces) == (power, va, bands, paces)
    assert thrown.thrown


def test_what_has_no_line_of_its_own_is_thrown_by_the_general_bands() -> None:
    chair = ranged("chair", options())
    assert (chair.power, chair.bands, chair.paces) == (2, ("1-3", "4-5", "6"), 0)
    with pytest.raises(BadInput, match="bare fist"):
        ranged("bare fist", options())


@pytest.mark.rules("weapons.gun.va_by_range")
def test_a_gun_pierces_less_from_farther_away() -> None:
    assert [gun_va(at) for at in ("close", "optimal", "extreme")] == [4, 3, 1]


@pytest.mark.rules("weapons.bomb.va")
def test_a_bomb_pierces_most_where_it_lies_best() -> None:
    assert [bomb_va(at) for at in ("optimal", "lunging", "extreme")] == [4, 2, 2]


@pytest.mark.rules("weapons.head.arrows_for_bows")
def test_arrowheads_are_for_bows_and_bolt_heads_for_crossbows() -> None:
    assert next(iter(heads("great bow"))) == "hunting head"
    assert "barbed tip" in heads("hunting bow")
    assert next(iter(heads("heavy crossbow"))) == "helmeted"
    assert "barbed tip" not in heads("crossbow")
    assert not heads("pistol")
    assert not heads("javelin")


def test_crossbows_and_guns_are_loaded_and_bows_nocked() -> None:
    assert [is_reloaded(name) for name in ("crossbow", "pistol", "great bow", "javelin")] == [
        True,
        True,
        False,
        False,
    ]
    row = shooting_actions("great bow")
    assert row is not None
    assert (row["total_listed"], row["total_to_shot"]) == (7, 8)
