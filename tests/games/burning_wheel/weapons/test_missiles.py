"""The numbers of a shot: where it hits, the Die of Fate, and special heads."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.sheet.ranged_weapons import ranged
from astragal.games.burning_wheel.sheet.weapon_tables import Weapon
from astragal.games.burning_wheel.weapons.damage import Stage
from astragal.games.burning_wheel.weapons.missiles import (
    aims,
    check_may_use,
    default_location,
    extreme_penalty,
    head_of,
    numbers_of,
    obstacle_at,
    reach,
    shot_cost,
    stage_by_fate,
    success_bonus,
    va_of,
)
from astragal.rules import Options
from games.burning_wheel.playing import sheet

OPTIONS = Options.of("burning_wheel", {})


# --- Where it hits -------------------------------------------------------------------------


@pytest.mark.rules("weapons.shoot.location_chest", "weapons.shoot.location_hidden")
def test_the_chest_is_hit_or_the_largest_part_that_shows() -> None:
    assert default_location(()) == "torso"
    assert default_location(("head", "legs")) == "torso"
    assert default_location(("torso",)) == "legs"
    assert default_location(("torso", "legs")) == "arms"
    assert default_location(("torso", "legs", "arms")) == "head"
    with pytest.raises(NotAllowed, match="No location of the target"):
        default_location(("torso", "legs", "arms", "head"))
    with pytest.raises(BadInput, match=r"hidden\[0\]: found 'foot'"):
        default_location(("foot",))


@pytest.mark.rules("weapons.shoot.move_limb", "weapons.shoot.move_head")
def test_a_limb_costs_one_and_the_head_two() -> None:
    assert [shot_cost("torso", there) for there in ("arms", "legs", "head")] == [1, 1, 2]
    assert [option.key for option in aims(0, ())] == ["torso"]
    assert {option.key: option.rule for option in aims(2, ())} == {
        "torso": "weapons.shoot.location_chest",
        "arms": "weapons.shoot.move_limb",
        "legs": "weapons.shoot.move_limb",
        "head": "weapons.shoot.move_head",
    }
    assert {option.key for option in aims(1, ())} == {"torso", "arms", "legs"}
    assert {option.key for option in aims(2, ())} == {"torso", "arms", "legs", "head"}


def test_from_elsewhere_costs_are_those_of_a_blow_and_what_is_hidden_stays_hidden() -> None:
    assert {option.key for option in aims(1, ("torso",))} == {"legs", "arms"}
    assert {option.key for option in aims(2, ("torso",))} == {"legs", "arms", "head"}
    assert {option.key for option in aims(9, ("torso", "legs", "arms"))} == {"head"}


# --- The Die of Fate -----------------------------------------------------------------------


@pytest.mark.rules("weapons.dof.plus_one", "weapons.dof.plus_two", "weapons.dof.plus_three")
@pytest.mark.parametrize(
    ("obstacle", "bonuses"),
    [
        # By successes, from the obstacle upwards.
        (1, [0, 2, 3, 3]),
        (2, [0, 1, 2, 2, 3, 3]),
        (3, [0, 1, 1, 2, 2, 2, 3]),
        (5, [0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3]),
    ],
)
def test_extra_successes_add_to_the_die(obstacle: int, bonuses: list[int]) -> None:
    found = [
        sum(line.amount for line in success_bonus(obstacle + extra, 0, obstacle))
        for extra in range(len(bonuses))
    ]
    assert found == bonuses


@pytest.mark.rules("weapons.dof.aimed_successes_excluded")
@given(st.integers(1, 6), st.integers(0, 20), st.integers(0, 2))
def test_what_moved_the_shot_does_not_help_the_die(obstacle: int, extra: int, aim: int) -> None:
    successes = obstacle + aim + extra
    assert success_bonus(successes, aim, obstacle) == success_bonus(obstacle + extra, 0, obstacle)


@pytest.mark.rules("weapons.dof.extreme_range")
def test_extreme_range_takes_one_off() -> None:
    assert [line.amount for line in extreme_penalty("extreme")] == [-1]
    assert extreme_penalty("optimal") == extreme_penalty("close") == ()


@pytest.mark.rules("weapons.dof.decides_stage", "weapons.thrown.dof")
@pytest.mark.parametrize(
    ("weapon", "stages"),
    [
        # By the modified die, from -1 to 9; below 1 and above 6 as 1 and 6.
        ("great bow", "IIIIMMSSSSS"),
        ("throwing knife", "IIIIMMMSSSS"),
        ("palm-sized rock", "IIIIIMMSSSS"),
        ("thrown axe", "IIIIIIMSSSS"),
        ("arquebus", "IIIIIIMSSSS"),
        ("sword", "IIIIIMMSSSS"),  # as any thing that is thrown
    ],
)
def test_the_weapons_own_bands_decide_the_stage(weapon: str, stages: str) -> None:
    bands = ranged(weapon, OPTIONS).bands
    found = "".join(stage_by_fate(bands, result).value[0].upper() for result in range(-1, 10))
    assert found == stages


@given(st.sampled_from(["great bow", "javelin", "pistol", "thrown hatchet"]), st.integers(-5, 15))
def test_a_better_die_is_never_worse(weapon: str, result: int) -> None:
    bands, order = ranged(weapon, OPTIONS).bands, list(Stage)
    one, more = stage_by_fate(bands, result), stage_by_fate(bands, result + 1)
    assert order.index(one) <= order.index(more)


# --- Special heads -------------------------------------------------------------------------


@pytest.mark.rules("weapons.head.modifiers")
@pytest.mark.parametrize(
    ("weapon", "head", "numbers", "va", "dof", "obstacle"),
    [
        # Great bow B4/B8/B12, VA 2; crossbow B4/B8/B11, VA 2.
        ("great bow", "", "B4/B8/B12", 2, 0, 0),
        ("great bow", "hunting head", "B4/B8/B12", 2, 0, 0),
        ("great bow", "bodkin head", "B3/B7/B11", 3, 0, 0),
        ("great bow", "leaf head", "B5/B9/B13", 1, 0, 0),
        ("great bow", "frog crotch", "B5/B9/B13", 1, 1, 1),
        ("great bow", "blunt head", "B3/B7/B11", 1, -1, 0),
        ("great bow", "barbed tip", "B4/B8/B12", 2, 0, 0),
        ("crossbow", "helmeted", "B4/B8/B11", 2, 0, 0),
        ("crossbow", "mallet head", "B4/B8/B11", 2, 1, 0),
        ("crossbow", "fisted bolt", "B5/B9/B12", 2, 1, 1),
        ("crossbow", "spear tip", "B3/B7/B10", 3, 0, 0),
    ],
)
def test_a_head_changes_the_shot(
    weapon: str, head: str, numbers: str, va: int, dof: int, obstacle: int
) -> None:
    carried, shot, who = Weapon(weapon), ranged(weapon, OPTIONS), sheet()
    fitted = head_of(carried, head)
    assert str(numbers_of(who, carried, shot, fitted)) == numbers
    assert va_of(who, shot, fitted, "optimal") == va
    assert sum(line.amount for line in fitted.dof) == dof
    assert sum(line.amount for line in fitted.obstacle) == obstacle


@pytest.mark.rules("weapons.head.arrows_for_bows")
def test_a_head_must_fit_what_shoots_it() -> None:
    with pytest.raises(BadInput, match="head: found 'spear tip', expected one of hunting head"):
        head_of(Weapon("great bow"), "spear tip")
    with pytest.raises(BadInput, match="no head for this weapon"):
        head_of(Weapon("pistol"), "leaf head")
    assert head_of(Weapon("crossbow"), "").name == "helmeted"


def test_va_never_falls_below_nothing() -> None:
    hunting, leaf = ranged("hunting bow", OPTIONS), head_of(Weapon("hunting bow"), "leaf head")
    assert va_of(sheet(), hunting, leaf, "optimal") == 0
    assert va_of(sheet(), msgspec.structs.replace(hunting, va=0), leaf, "optimal") == 0


def test_a_mallet_head_shortens_every_range_by_ten() -> None:
    crossbow = ranged("crossbow", OPTIONS)
    assert reach(crossbow, head_of(Weapon("crossbow"), "")) == (30, 125)
    assert reach(crossbow, head_of(Weapon("crossbow"), "mallet head")) == (20, 115)
    pistol = ranged("pistol", OPTIONS)
    assert reach(pistol, head_of(Weapon("pistol"), "")) == (10, 10)


@pytest.mark.rules("weapons.gun.va_by_range", "weapons.missile.va")
def test_va_by_weapon_and_range() -> None:
    ogre, man = sheet(stats={"Power": "B7"}), sheet(stats={"Power": "B4"})
    none = head_of(Weapon("arquebus"), "")
    gun, bow, spear = (ranged(name, OPTIONS) for name in ("arquebus", "great bow", "javelin"))
    assert [va_of(man, gun, none, at) for at in ("close", "optimal", "extreme")] == [4, 3, 1]
    assert va_of(ogre, bow, none, "optimal") == 2  # strength does nothing for a bow
    assert [va_of(who, spear, none, "optimal") for who in (man, ogre)] == [1, 2]


# --- The obstacle, and who may ------------------------------------------------------------


@pytest.mark.rules("weapons.shoot.range_conflict", "weapons.shoot.fight_no_range")
def test_range_and_cover_set_the_obstacle_and_in_fight_neither_does() -> None:
    covers = ("open", "reasonable", "dense")
    assert [obstacle_at("optimal", cover).amount for cover in covers] == [2, 3, 4]
    assert [obstacle_at("extreme", cover).amount for cover in covers] == [3, 4, 5]
    assert {obstacle_at("close", cover).amount for cover in covers} == {1}


@pytest.mark.rules("weapons.thrown.ninja_only", "weapons.thrown.roden_only")
def test_some_weapons_are_for_some_people() -> None:
    man, roden = sheet(), sheet(body_type="Roden")
    ninja = sheet(lifepaths=["Ninja of the Hidden Valley"])
    check_may_use(roden, "roden knives")
    check_may_use(ninja, "shuriken")
    check_may_use(man, "javelin")
    with pytest.raises(NotAllowed, match=r"weapons\.thrown\.roden_only"):
        check_may_use(man, "roden knives")
    for who in (man, roden):
        with pytest.raises(NotAllowed, match=r"weapons\.thrown\.ninja_only"):
            check_may_use(who, "shuriken")
