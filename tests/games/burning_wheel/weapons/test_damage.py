"""Three stages of damage, and what weapons come to in somebody's hands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput
from astragal.games.burning_wheel.sheet.ranged_weapons import ranged
from astragal.games.burning_wheel.sheet.weapon_tables import Weapon, balance_dice
from astragal.games.burning_wheel.sheet.weapons_carried import armed_with
from astragal.games.burning_wheel.weapons.damage import (
    Damage,
    Stage,
    balance_for,
    ims,
    needed,
    shot_with,
    stage_of,
    struck_with,
    way_to_strike,
    with_strength,
)
from astragal.rules import Options, catalogue
from games.burning_wheel.playing import play, sheet, table


def options(**chosen: str) -> Options:
    return Options.of("burning_wheel", chosen)


@pytest.mark.rules("weapons.ims.incidental.amount", "weapons.ims.superb.amount")
@given(st.integers(1, 40))
def test_incidental_is_half_and_superb_half_as_much_again(mark: int) -> None:
    numbers = ims(mark)
    assert numbers.incidental == -(-mark // 2)  # rounded up
    assert numbers.superb == mark + mark // 2  # rounded down
    assert numbers.mark == mark


@pytest.mark.rules("weapons.ims.three_stages")
def test_the_table_of_marks_is_what_the_arithmetic_gives() -> None:
    for row in catalogue().table("weapons.table.ims_by_mark").records():
        mark = int(str(row["mark"]))
        assert (row["incidental"], row["superb"]) == (-(-mark // 2), mark * 3 // 2)
    assert [stage.value for stage in Stage] == ["incidental", "mark", "superb"]
    assert str(ims(8, "G")) == "G4/G8/G12"


@pytest.mark.rules(
    "weapons.ims.incidental.need",
    "weapons.ims.mark.need",
    "weapons.ims.superb.need",
    "weapons.ims.superb_is_limit",
)
@pytest.mark.parametrize(
    ("add", "stages"),
    [(1, "IMSSSSSSS"), (2, "IIMMSSSSS")],  # by extra successes, from none
)
def test_the_add_says_how_many_extra_successes_a_stage_takes(add: int, stages: str) -> None:
    found = "".join(stage_of(extra, add).value[0].upper() for extra in range(len(stages)))
    assert found == stages
    assert [needed(stage, add) for stage in Stage] == [0, add, 2 * add]


@pytest.mark.rules("weapons.ims.mark.amount", "weapons.melee.weapon_power")
@pytest.mark.parametrize(
    ("power", "weapon", "numbers"),
    [
        ("B4", "bare fist", "B2/B4/B6"),
        ("B5", "bare fist", "B3/B5/B7"),
        ("B4", "sword", "B4/B7/B10"),
        ("B6", "hammer", "B5/B10/B15"),
        ("B3", "dirk", "B2/B4/B6"),
    ],
)
def test_mark_is_power_and_weapon_power(power: str, weapon: str, numbers: str) -> None:
    who, carried = sheet(stats={"Power": power}), Weapon(weapon)
    assert str(struck_with(who, carried, way_to_strike(carried, "", options()))) == numbers


def test_a_gray_weapon_does_gray_damage_and_gray_fists_hit_harder() -> None:
    who, sword = sheet(stats={"Power": "B4"}), Weapon("sword", shade="G")
    assert str(struck_with(who, sword, way_to_strike(sword, "", options()))) == "G4/G7/G10"
    hero, fist = sheet(stats={"Power": "G4"}), Weapon("bare fist")
    # Gray Power is worth 2 more, but the damage stays black.
    assert str(struck_with(hero, fist, way_to_strike(fist, "", options()))) == "B3/B6/B9"
    club = Weapon("sword")
    line = way_to_strike(club, "", options())
    assert str(struck_with(hero, club, line)) == "B4/B7/B10"
    assert str(struck_with(hero, club, line, with_bonus=True)) == "B5/B9/B13"


@pytest.mark.rules("weapons.ims.missile_fixed_power", "weapons.thrown.power")
def test_strength_counts_for_a_throw_and_not_for_a_shot() -> None:
    weak, strong = sheet(stats={"Power": "B2"}), sheet(stats={"Power": "B8"})
    bow = ranged("great bow", options())
    assert str(shot_with(weak, Weapon("great bow"), bow)) == "B4/B8/B12"
    assert str(shot_with(strong, Weapon("great bow"), bow)) == "B4/B8/B12"
    javelin = ranged("javelin", options())
    assert str(shot_with(weak, Weapon("javelin"), javelin)) == "B2/B4/B6"
    assert str(shot_with(strong, Weapon("javelin"), javelin)) == "B5/B10/B15"


@pytest.mark.rules("weapons.melee.va")
def test_great_strength_goes_through_armor() -> None:
    assert with_strength(1, sheet(stats={"Power": "B6"}).ability("Power")).total == 1
    assert with_strength(1, sheet(stats={"Power": "B7"}).ability("Power")).total == 2
    assert with_strength(3, sheet(stats={"Power": "G4"}).ability("Power")).total == 3


# --- In somebody's hands -------------------------------------------------------------------


@pytest.mark.rules("weapons.found.what")
def test_what_comes_to_hand_need_not_be_carried() -> None:
    who = sheet(weapons=["sword"])
    assert armed_with(who, "").weapon == "bare fist"
    assert armed_with(who, "Chair").weapon == "chair"
    assert armed_with(who, "sword") == who.weapons[0]
    with pytest.raises(BadInput, match="weapon: found 'spear', expected a weapon that Rich has"):
        armed_with(who, "spear")


def test_a_way_of_striking_is_named_or_refused() -> None:
    polearm = Weapon("polearm")
    assert way_to_strike(polearm, "", options()).name == "polearm, axe strike"
    assert way_to_strike(polearm, "thrust", options()).name == "polearm, thrust"
    with pytest.raises(BadInput, match="way: found 'beak'"):
        way_to_strike(polearm, "beak", options())
    with pytest.raises(BadInput, match="a melee weapon"):
        way_to_strike(Weapon("great bow"), "", options())


def test_the_armory_lists_bombs_and_bows_with_what_they_take() -> None:
    at = table(
        a={"stats": {"Power": "B7"}, "weapons": ["iron-cased bomb", "hunting bow", "javelin"]}
    )
    cards = {card.weapon: card for card in play("armory", {"character": "a"}, at).outcome.cards}
    assert (cards["iron-cased bomb"].ims, cards["iron-cased bomb"].actions) == ("B3/B6/B9", 7)
    assert (cards["hunting bow"].actions, cards["hunting bow"].va) == (6, 1)  # no strength in it
    assert (cards["javelin"].va, cards["javelin"].ims) == (2, "B5/B9/B13")  # Power 7 is
    ways = {weapon: cards[weapon].way for weapon in ("iron-cased bomb", "hunting bow", "javelin")}
    assert ways == {"iron-cased bomb": "thrown", "hunting bow": "shot", "javelin": "thrown"}


def test_damage_reads_as_one_sentence() -> None:
    assert str(Damage("torso", Stage.MARK, "B", 8, 1)) == "Mark, B8 to the torso, VA 1"


# --- Balance dice --------------------------------------------------------------------------


@pytest.mark.rules("weapons.balance.who_has_them", "weapons.balance.missile_superior")
def test_who_has_balance_dice() -> None:
    assert balance_dice(Weapon("sword"), options()) == 0
    assert balance_dice(Weapon("sword", balance=2), options()) == 2
    assert balance_dice(Weapon("crossbow", quality="superior"), options()) == 1
    assert balance_dice(Weapon("javelin", quality="superior"), options()) == 1
    assert balance_dice(Weapon("crossbow"), options()) == 0


def test_superior_melee_weapons_have_a_balance_die_where_the_group_says_so() -> None:
    sword = Weapon("sword", quality="superior")
    assert balance_dice(sword, options(weapons_superior_melee_balance="no")) == 0
    assert balance_dice(sword, options(weapons_superior_melee_balance="yes")) == 1
    dirk = Weapon("dirk")
    assert balance_dice(dirk, options(weapons_superior_melee_balance="yes")) == 0


@pytest.mark.rules("weapons.balance.melee_use")
@pytest.mark.parametrize(
    ("maneuver", "helped"),
    [
        ("Strike", True),
        ("Great Strike", True),
        ("Block", True),
        ("Counterstrike", True),
        ("Feint", True),
        ("Disarm", True),
        ("Avoid", False),
        ("positioning", False),
    ],
)
def test_balance_dice_are_for_six_maneuvers(maneuver: str, helped: bool) -> None:
    line = balance_for(Weapon("sword", balance=1), maneuver, options())
    assert (line is not None and line.amount == 1) is helped
