"""Shades where blood flows: Power, shattering, weapons, armor, and crossing the shades."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.dice import Seeded, Shade
from astragal.errors import BadInput
from astragal.games.burning_wheel.injury.bleeding import bleeding_time
from astragal.games.burning_wheel.sheet.parts import WoundLevel
from astragal.games.burning_wheel.sheet.ratings import Coordinate, Rating
from astragal.games.burning_wheel.weapons.shaded_damage import (
    LAST,
    add_bonus,
    armed_power,
    armor_may_test,
    armor_shade,
    damage_shade,
    fists,
    is_mortal,
    may_add_bonus,
    mortal_wound,
    ones_damage,
    parse_damage,
    roll_over,
    shatters,
    unarmed_power,
)
from astragal.play import Ask, Play, Scripted, defaults, run, then
from astragal.rules import Options, catalogue
from games.burning_wheel.playing import play, sheet, table

PLAIN = Options.of("burning_wheel")
B, G, W = Shade.BLACK, Shade.GRAY, Shade.WHITE


def rating(text: str) -> Rating:
    return Rating.parse(text)


# --- Forte ---------------------------------------------------------------------------------


@pytest.mark.rules("shades.forte.bleeding_gray", "shades.forte.bleeding_white")
@pytest.mark.parametrize(("forte", "expected"), [("B5", 7), ("G5", 14), ("W5", 21), ("G1", 14)])
def test_lighter_forte_lengthens_bleeding_times(forte: str, expected: int):
    he = sheet(stats={"Forte": forte}, attributes={"Health": "B7"})
    assert bleeding_time(WoundLevel.MORTAL, he, PLAIN) == expected * 60


@pytest.mark.rules("shades.forte.bleeding_gray", "shades.forte.bleeding_white")
def test_nothing_lengthens_the_minutes_of_a_mortal_wound_where_forte_is_not_known():
    he = sheet(attributes={"Health": "B7"})
    assert bleeding_time(WoundLevel.MORTAL, he, PLAIN) == 7 * 60


# --- Power ---------------------------------------------------------------------------------


@pytest.mark.rules("shades.power.unarmed_gray", "shades.power.unarmed_white")
@pytest.mark.parametrize(
    ("power", "mark", "incidental", "superb"),
    [("B5", 5, 3, 7), ("G5", 7, 4, 10), ("W5", 8, 4, 12), ("G1", 3, 2, 4)],
)
def test_lighter_power_adds_to_bare_hands(power: str, mark: int, incidental: int, superb: int):
    """shades.amb.power_bonus_place: before the three numbers are worked out."""
    tally = unarmed_power(rating(power))
    assert tally.total == mark
    row = catalogue().table("weapons.table.ims_by_mark").where(mark=tally.total)
    assert (row["incidental"], row["superb"]) == (incidental, superb)
    assert tally.lines[0].amount == rating(power).exponent  # what counts against armor


GRAY_FISTS = {"name": "Fists of Iron", "kind": "die", "fists": "G"}


@pytest.mark.rules("shades.power.damage_stays_black")
def test_unarmed_damage_is_black_whatever_power_unless_a_trait_lightens_it():
    for power in ("B5", "G5", "W5"):
        assert fists(sheet(stats={"Power": power})) is B
    assert fists(sheet(stats={"Power": "B3"}, traits=[GRAY_FISTS])) is G
    both = [{**GRAY_FISTS, "fists": "W", "name": "Talons"}, GRAY_FISTS]
    assert fists(sheet(traits=both)) is W
    assert fists(sheet(traits=[{**GRAY_FISTS, "kind": "character"}])) is B
    with pytest.raises(BadInput, match=r"^Rich.traits\[0\].fists: found 'X', expected B, G or W"):
        sheet(traits=[{**GRAY_FISTS, "fists": "X"}])


@pytest.mark.rules("shades.power.trait_replaces_bonus")
@pytest.mark.parametrize("power", ["G5", "W5"])
@pytest.mark.parametrize("unarmed", [G, W])
def test_such_a_trait_takes_the_place_of_the_bonus(power: str, unarmed: Shade):
    """shades.amb.white_fist_trait."""
    assert unarmed_power(rating(power), unarmed).total == 5
    assert unarmed_power(rating(power), B).total > 5


@pytest.mark.rules("shades.power.weapon_bonus")
@pytest.mark.parametrize(
    ("power", "weapon", "with_it"),
    [
        ("B5", B, 5),
        ("G5", B, 7),
        ("W5", B, 8),
        ("G5", G, 5),  # shades.amb.shatter_thrown_and_gray
        ("W5", W, 5),
    ],
)
def test_the_bonus_goes_into_a_mundane_weapon_if_one_likes(power: str, weapon: Shade, with_it: int):
    assert armed_power(rating(power), weapon, with_bonus=False).total == 5
    assert armed_power(rating(power), weapon, with_bonus=True).total == with_it
    assert may_add_bonus(rating(power), weapon) is (with_it > 5)


def asked(power: str, weapon: Shade, answers: dict[str, Any]) -> tuple[bool, list[Ask]]:
    asks: list[Ask] = []
    scripted = Scripted(answers, defaults)

    def it() -> Play[bool]:
        return (yield from add_bonus("rich", rating(power), weapon, "sword"))

    def answer(ask: Ask) -> Any:
        asks.append(ask)
        return scripted(ask)

    return run(then(it), Seeded("any"), answer), asks


@pytest.mark.rules("shades.power.weapon_bonus")
def test_it_is_the_players_choice_and_asked_only_where_there_is_one():
    assert asked("G5", B, {})[0] is False
    chosen, asks = asked("W5", B, {"power_bonus": True})
    assert chosen
    assert [(ask.seat, ask.key) for ask in asks] == [("rich", "power_bonus")]
    assert "+3" in asks[0].prompt
    for power, weapon in (("B5", B), ("G5", G), ("W5", W)):
        assert asked(power, weapon, {}) == (False, [])


@pytest.mark.rules("shades.power.weapon_shatters", "shades.power.weapon_shatters_defended")
@pytest.mark.parametrize(("successes", "defended"), list(product(range(4), repeat=2)))
def test_the_weapon_shatters_when_no_success_is_left(successes: int, defended: int):
    """shades.amb.shatter_conditions: missing with one left does not shatter it."""
    left = max(0, successes - defended)
    assert shatters(successes, defended, with_bonus=True) is (left == 0)
    assert not shatters(successes, defended, with_bonus=False)


# --- Weapons -------------------------------------------------------------------------------


@pytest.mark.rules("shades.weapon.damage_shade", "shades.weapon.only_way")
def test_the_weapons_shade_decides_and_not_the_wielders_power():
    for power, weapon in product(("B4", "G4", "W4"), Shade):
        assert damage_shade(weapon, sheet(stats={"Power": power})) is weapon
        assert damage_shade(None, sheet(stats={"Power": power})) is B
    assert damage_shade(None, sheet(traits=[GRAY_FISTS])) is G
    assert damage_shade(B, sheet(traits=[GRAY_FISTS])) is B


@pytest.mark.rules("shades.weapon.only_way", "shades.weapon.damage_shade")
@given(st.integers(1, 60))
def test_black_damage_is_gray_only_past_sixteen(number: int):
    assert (roll_over(B, number).shade is B) is (number <= 16)
    for shade in (G, W):
        assert roll_over(shade, number).shade is not B


# --- Armor ---------------------------------------------------------------------------------


@pytest.mark.rules("shades.armor.default_black")
@pytest.mark.parametrize(
    ("name", "black", "gray"),
    [
        ("full platemail", B, B),
        ("Dwarven Mail", G, G),
        (" dwarven  MASK ", G, G),
        ("Dwarven Masks", G, G),
        ("Dwarven-made chainmail", B, G),
        ("Dwarven hammer", B, B),
    ],
)
def test_armor_is_black_but_for_dwarven_mail_and_masks(name: str, black: Shade, gray: Shade):
    """shades.amb.dwarven_armor_shade."""
    assert armor_shade(name, PLAIN.but(shades_dwarven_made_chainmail="black")) is black
    assert armor_shade(name, PLAIN.but(shades_dwarven_made_chainmail="gray")) is gray
    assert armor_shade(name, PLAIN) is black


@pytest.mark.rules("shades.armor.which_weapons")
@pytest.mark.parametrize(("armor", "weapon"), list(product(Shade, repeat=2)))
def test_armor_is_tested_against_its_own_shade_and_darker(armor: Shade, weapon: Shade):
    order = list(Shade)
    lighter = order.index(weapon) - order.index(armor)
    assert armor_may_test(armor, weapon) is (lighter <= 0)
    assert ones_damage(armor, weapon) is (lighter == 0)


@pytest.mark.rules("shades.armor.which_weapons")
def test_a_black_weapons_hit_that_rolled_over_is_still_a_black_weapons():
    """shades.amb.rolled_over_damage_and_armor."""
    hit = play("mark_hit", {"damage": "B18", "armor": "chainmail"}, table(), None, [])
    assert (hit.outcome.marked, hit.outcome.armor_test) == ("G2", True)
    gray = play("mark_hit", {"damage": "G2", "armor": "chainmail"}, table(), None, [])
    assert (gray.outcome.marked, gray.outcome.armor_test) == ("G2", False)
    known = {"damage": "G2", "armor": "mail of the saint", "armor_shade": "W"}
    saved = play("mark_hit", known, table(), None, [])
    assert (saved.outcome.armor_test, saved.outcome.ones_damage) == (True, False)
    with pytest.raises(BadInput, match=r"^armor_shade: found 'X'"):
        play("mark_hit", {**known, "armor_shade": "X"}, table())


# --- Crossing the shades -------------------------------------------------------------------


@pytest.mark.rules("shades.ptgs.roll_over", "shades.ptgs.cap")
def test_damage_rolls_over_as_the_table_says():
    for computed, marked in catalogue().table("shades.table.roll_over").rows:
        written = re.fullmatch(r"([BGW]\d+)( and above)?", str(computed))
        assert written is not None
        shade, number = parse_damage(written[1])
        assert str(roll_over(shade, number)) == marked
        if written[2]:
            assert str(roll_over(shade, number + 40)) == marked


@pytest.mark.rules("shades.ptgs.roll_over", "shades.ptgs.cap")
@given(st.sampled_from(Shade), st.integers(1, 100))
def test_rolling_over_is_taking_sixteen_off_as_often_as_it_goes(shade: Shade, number: int):
    """shades.amb.two_shade_jump."""
    at, left = list(Shade).index(shade), number
    while left > 16 and at < 2:
        at, left = at + 1, left - 16
    assert str(roll_over(shade, number)) == f"{'BGW'[at]}{min(left, 16)}"


@pytest.mark.rules("shades.ptgs.cap")
def test_w16_is_the_last_step_and_nothing_goes_round():
    assert str(LAST) == "W16"
    assert roll_over(W, 17) == roll_over(W, 99) == roll_over(B, 100) == LAST
    steps = [Coordinate(place) for place in range(1, 49)]
    assert steps == sorted(steps)
    assert [str(step) for step in (steps[0], steps[15], steps[16], steps[32])] == [
        "B1",
        "B16",
        "G1",
        "W1",
    ]
    for place in (0, 49, -3):
        with pytest.raises(BadInput, match="B1 to W16"):
            Coordinate(place)


@pytest.mark.rules("shades.ptgs.mortal_max")
@pytest.mark.parametrize("text", ["W17", "B17", "G99"])
def test_no_mortal_wound_lies_beyond_the_end_of_its_shade(text: str):
    with pytest.raises(BadInput, match=f"Rich.attributes.Mortal Wound.rating: found '{text}'"):
        sheet(attributes={"Mortal Wound": text})
    placed = ["B2", "B4", "B6", "B8", "B9"]
    with pytest.raises(BadInput, match=f"Rich.tolerances.mortal: found '{text}'"):
        sheet(tolerances=[*placed, text])
    assert mortal_wound(sheet(attributes={"Mortal Wound": "W16"})) == LAST
    assert str(mortal_wound(sheet(attributes={"Mortal Wound": "B14"}))) == "B14"
    assert str(mortal_wound(sheet(tolerances=[*placed, "G3"]))) == "G3"
    assert mortal_wound(sheet()) == LAST


@pytest.mark.rules("shades.ptgs.w16_mortal")
@given(st.integers(1, 48), st.integers(1, 48))
def test_a_hit_at_the_mortal_wound_or_beyond_is_mortal_and_w16_always_is(hit: int, limit: int):
    assert is_mortal(Coordinate(hit), Coordinate(limit)) is (hit >= limit)
    assert is_mortal(LAST, Coordinate(limit))


@pytest.mark.rules("shades.ptgs.w16_mortal")
def test_a_w16_is_mortal_for_everyone_and_less_by_the_sheet():
    at = table(knight={"attributes": {"Mortal Wound": "B10"}}, ghost={})
    for damage, who, mortal in (
        ("B9", "knight", False),
        ("B10", "knight", True),
        ("G1", "knight", True),
        ("W15", "ghost", False),
        ("W16", "ghost", True),
        ("G40", "ghost", True),
        ("W40", "", True),
        ("W15", "", False),
    ):
        found = play("mark_hit", {"damage": damage, "character": who}, at, None, [])
        assert found.outcome.mortal is mortal, damage


@pytest.mark.rules("shades.ptgs.roll_over")
@pytest.mark.parametrize("text", ["", "18", "X4", "B0", "B101", "B-1", "B1.5", "B 1000"])
def test_what_is_no_damage_is_refused(text: str):
    with pytest.raises(BadInput, match=r"^damage: found .*such as B18.*shades\.ptgs\.roll_over"):
        play("mark_hit", {"damage": text}, table())
    assert parse_damage(" g 20 ") == (G, 20)
