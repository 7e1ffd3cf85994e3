"""The tables of weapons, armor and shields, read a second time from the printed lists.

Each line is written as it is printed there; a dash is none. Notes: 1 for two hands, 2 for what may
Great Strike.
"""

from __future__ import annotations

import pytest

from astragal.games.burning_wheel.sheet.armor_tables import Shield, shield_dice
from astragal.rules import catalogue

MELEE = {
    "basic": """
        bare fist | - 2 fast - shortest
        club or staff 12 | 2 2 fast - long
        stone 2 | 1 2 slow - shortest
    """,
    "poor": """
        spear 12 | 1 2 fast - longest
        sword | 3 2 slow - long
        axe 12 | 4 2 unwieldy 1 long
        knife or shiv | 0 1 fast - shortest
    """,
    "run of the mill": """
        hatchet | 3 2 slow - short
        small sword | 2 2 fast - short
        spear 12 | 2 2 fast 1 longest
        sword 2 | 3 2 slow - long
        light axe 2 | 3 2 slow 1 long
        footman's axe 12 | 4 2 slow 1 long
        hammer 12 | 4 2 unwieldy 2 long
        dirk | 1 1 fast - shortest
        mace 2 | 2 2 slow 2 short
        polearm, axe strike 12 | 4 2 unwieldy 1 longer
        polearm, thrust 12 | 2 2 fast - longer
    """,
    "superior": """
        spear 12 | 2 2 fast 2 longest
        sword 2 | 3 2 slow 1 long
        sweet axe 12 | 4 2 slow 2 long
        hammer 12 | 3 2 slow 2 long
        dagger | 1 1 fast 1 shortest
        great mace 12 | 2 2 slow 3 long
        polearm, axe strike 12 | 4 2 slow 2 longer
        polearm, thrust 12 | 2 2 fast 1 longer
    """,
}
"""The Power of the superior axe strike is a reading (weapons.amb.superior_polearm_axe)."""


def number(printed: str) -> int:
    return 0 if printed == "-" else int(printed)


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


@pytest.mark.rules(
    "weapons.melee.note_two_handed", "weapons.melee.note_great_strike", "weapons.melee.weapon_power"
)
def test_melee_weapons() -> None:
    expected = []
    for quality, text in MELEE.items():
        for line in lines(text):
            named, _, printed = line.partition(" | ")
            name = named.rstrip(" 12")
            power, add, speed, va, length = printed.split()
            notes = named.removeprefix(name)
            row = (number(power), int(add), speed, number(va), length, "1" in notes, "2" in notes)
            expected.append((quality, name, *row))
    assert list(catalogue().table("weapons.table.melee_weapons").rows) == expected


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (
            "found_weapons",
            """
            bedknob | 1 2 fast -
            spike or nail | 1 2 fast -
            bottle | 1 2 fast -
            mallet | 2 2 slow -
            broomhandle | 1 2 fast -
            lantern | 2 2 slow -
            chair | 2 2 unwieldy -
            pick | 4 2 unwieldy 1
            branch | 2 2 slow -
            """,
        ),
        (
            "weapon_gear",
            """
            hilt or pommel | 1 2 slow -
            spiked pommel | 1 2 slow 1
            weighted pommel | 2 2 slow -
            beak | 2 2 unwieldy 3
            """,
        ),
    ],
)
def test_what_comes_to_hand_and_what_is_fitted(table: str, text: str) -> None:
    """Of what comes to hand only the pick has a VA, by the text above the list."""
    expected = []
    for line in lines(text):
        name, _, printed = line.partition(" | ")
        power, add, speed, va = printed.split()
        expected.append((name, int(power), int(add), speed, number(va)))
    found = catalogue().table(f"weapons.table.{table}").rows
    assert [row[:5] for row in found] == expected


@pytest.mark.parametrize(
    ("weapon", "optimal", "extreme", "paces"),
    [
        ("hunting bow", 1, 2, 100),
        ("great bow", 2, 4, 300),
        ("crossbow", 2, 3, 125),
        ("heavy crossbow", 2, 4, 300),
        ("pistol", 1, 1, 10),
        ("arquebus", 1, 2, 50),
    ],
)
def test_missile_ranges(weapon: str, optimal: int, extreme: int, paces: int) -> None:
    row = catalogue().table("weapons.table.missile_ranges").where(weapon=weapon)
    assert (row["optimal_dice"], row["extreme_dice"]) == (optimal, extreme)
    assert row["max_range_paces"] == paces


@pytest.mark.parametrize(
    ("weapon", "power", "bands", "va", "paces"),
    [
        ("palm-sized rock", 0, "1-3 4-5 6", 0, 50),
        ("large rock or brick", 1, "1-3 4-5 6", 0, 24),
        ("throwing knife", 1, "1-2 3-5 6", 0, 10),  # printed as 12 in one of three places
        ("darts, barbs, spikes", 0, "1-2 3-5 6", 0, 8),
        ("shuriken", 1, "1-2 3-5 6", 0, 20),
        ("javelin", 2, "1-2 3-4 5-6", 1, 50),
        ("thrown hatchet", 2, "1-4 5 6", 0, 12),
        ("thrown axe", 3, "1-4 5 6", 0, 12),
        ("roden knives", 1, "1-2 3-4 5-6", 1, 10),  # as throwing knives
    ],
)
def test_thrown_weapons(weapon: str, power: int, bands: str, va: int, paces: int) -> None:
    row = catalogue().table("weapons.table.thrown_weapons").where(weapon=weapon)
    assert (row["power"], row["va"], row["max_range_paces"]) == (power, va, paces)
    assert [row[f"dof_{stage}"] for stage in ("incidental", "mark", "superb")] == bands.split()
    assert (row["optimal_dice"], row["extreme_dice"]) == (1, 1)


@pytest.mark.rules("armor.shield.dice")
@pytest.mark.parametrize(
    ("kind", "dice"),
    [("parrying_blade", 1), ("buckler", 2), ("target", 3), ("heater", 4), ("great_shield", 5)],
)
def test_shields(kind: str, dice: int) -> None:
    assert shield_dice(Shield(kind)).total == dice


@pytest.mark.parametrize(
    ("kind", "dice", "perception"),
    [
        ("leather", 1, 0),
        ("plated_leather", 3, 1),
        ("chainmail", 4, 2),
        ("plated_mail", 5, 2),  # armor.amb.helmet_equivalents
        ("full_plate", 6, 3),
    ],
)
def test_armor(kind: str, dice: int, perception: int) -> None:
    """One more die at the chest; half pieces have half the dice, rounded up."""
    row = catalogue().table("armor.table.armor_dice").where(armor_type=kind)
    assert (row["dice"], row["torso_dice"], row["half_piece_dice"]) == (
        dice,
        dice + 1,
        -(-dice // 2),
    )
    helmet = catalogue().table("armor.table.clumsy_helmet").where(headgear_of_type=kind)
    assert (helmet["dice"], helmet["perception_ob"]) == (dice, perception)
