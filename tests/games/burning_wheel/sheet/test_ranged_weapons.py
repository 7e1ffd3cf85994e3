"""What is shot or thrown: figures from the printed tables, and the group's readings."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.sheet.ranged_weapons import (
    bomb_va,
    gun_va,
    heads,
    is_reloaded,
    ranged,
    shooting_actions,
)
from astragal.rules import Options


def options(**chosen: str) -> Options:
    return Options.of("burning_wheel", chosen)


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
