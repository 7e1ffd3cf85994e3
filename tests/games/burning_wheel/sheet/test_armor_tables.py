"""Armor and shields on the sheet: locations, types, dice, and what a sheet may not say."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.sheet.armor_tables import (
    LOCATIONS,
    armor_types,
    piece_dice,
    shield_dice,
    shield_kinds,
)
from games.burning_wheel.playing import sheet

SIX = ("head", "right_arm", "left_arm", "torso", "left_leg", "right_leg")


def dice_of(armor: Any) -> dict[str, int]:
    return {where: piece_dice(piece).total for where, piece in sheet(armor=armor).armor.items()}


@pytest.mark.rules("armor.location.six", "armor.location.own_dice", "armor.location.any_subset")
def test_each_of_the_six_locations_has_its_own_dice_or_none():
    assert LOCATIONS == SIX
    assert set(dice_of("chainmail")) == set(SIX)
    assert dice_of({"head": "pot helm"}) == {"head": 3}
    assert dice_of({"head": "pot helm", "left_leg": "leather"}) == {"head": 3, "left_leg": 1}
    assert dice_of({"suit": "leather", "head": "none"}).keys() == set(SIX) - {"head"}
    assert dice_of({}) == {}


@pytest.mark.rules(
    "armor.type.five",
    "armor.dice.leather",
    "armor.dice.plated_leather",
    "armor.dice.chainmail",
    "armor.dice.plated_mail",
    "armor.dice.full_plate",
    "armor.dice.chest_bonus",
)
@pytest.mark.parametrize(
    ("name", "dice", "torso"),
    [
        ("leather", 1, 2),
        ("quilting", 1, 2),
        ("plated leather", 3, 4),
        ("reinforced leather", 3, 4),
        ("chainmail", 4, 5),
        ("plated mail", 5, 6),
        ("plated chain", 5, 6),
        ("full plate", 6, 7),
    ],
)
def test_the_type_sets_the_dice_and_the_torso_has_one_more(name: str, dice: int, torso: int):
    assert dice_of(name) == {where: torso if where == "torso" else dice for where in SIX}


def test_there_are_five_types_and_no_other():
    assert armor_types() == ("leather", "plated_leather", "chainmail", "plated_mail", "full_plate")
    with pytest.raises(BadInput, match=r"armor\.suit.*'scales'.*\[armor\.type\.five\]"):
        sheet(armor="scales")


@pytest.mark.rules("armor.dice.headgear_by_type", "armor.dice.headgear_is_separate_piece")
@pytest.mark.parametrize(
    ("headgear", "dice"),
    [
        ("skull cap", 1),
        ("hood", 1),
        ("light helmet", 3),
        ("pot helm", 3),
        ("spangenhelm", 4),
        ("sallet", 4),
        ("bascinet without grille", 4),
        ("bascinet with visor", 5),
        ("bascinet with grille", 5),
        ("bascinet", 5),
        ("great helm", 6),
    ],
)
def test_headgear_has_the_dice_of_its_type_whatever_the_body_wears(headgear: str, dice: int):
    mixed = dice_of({"body": "leather", "head": headgear})
    assert mixed["head"] == dice
    assert mixed["torso"] == 2
    with pytest.raises(BadInput):  # and it goes on the head, nowhere else
        sheet(armor={"torso": headgear})


@pytest.mark.rules("armor.half.dice", "armor.half.where")
@pytest.mark.parametrize(
    ("name", "dice"),
    [("leather", 1), ("plated leather", 2), ("chainmail", 2), ("plated mail", 3), ("plate", 3)],
)
def test_half_a_piece_has_half_the_dice_rounded_up_on_limbs_only(name: str, dice: int):
    halves = dice_of({"arms": f"half {name}", "legs": f"half-{name}"})
    assert halves == {where: dice for where in SIX if where not in ("head", "torso")}
    for where in ("head", "torso"):
        with pytest.raises(BadInput, match=r"armor\.half\.where"):
            sheet(armor={where: {"type": name, "half": True}})


@pytest.mark.rules("armor.shield.dice")
def test_shields_have_one_to_five_dice():
    assert [shield_dice(sheet(shield=kind).shield).total for kind in shield_kinds()] == [  # type: ignore[arg-type]
        1,
        2,
        3,
        4,
        5,
    ]
    assert shield_kinds() == ("parrying_blade", "buckler", "target", "heater", "great_shield")
    kite = sheet(shield="kite shield").shield
    assert kite is not None
    assert (kite.kind, kite.called) == ("great_shield", "kite shield")


def test_lost_dice_are_gone_but_there_are_never_fewer_than_none():
    torn = sheet(armor={"left_arm": {"type": "chainmail", "lost": 3}}).armor["left_arm"]
    assert piece_dice(torn).total == 1
    stripped = {"type": "chainmail", "lost": 3, "stripped": True}
    assert piece_dice(sheet(armor={"left_arm": stripped}).armor["left_arm"]).total == 0


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"armor": {"tail": "leather"}}, r"armor\.tail.*armor\.location\.six"),
        (
            {"armor": {"head": {"type": "leather", "lost": 2}}},
            r"armor\.head\.lost: found 2.*0 to 1",
        ),
        ({"armor": {"head": {"type": "leather", "lost": -1}}}, r"armor\.head\.lost"),
        ({"armor": {"head": {"type": "leather", "quality": "fine"}}}, r"quality: found 'fine'"),
        ({"armor": {"head": {"type": "leather", "shade": "X"}}}, r"armor\.head\.shade"),
        ({"armor": {"left_leg": {"type": "mail", "half": True, "stripped": True}}}, "stripped"),
        ({"armor": {"head": {"type": "mail", "location": "torso"}}}, r"head\.location"),
        ({"armor": 3}, "armor"),
        ({"packed": [{"location": "knee", "type": "leather"}]}, r"packed\[0\]\.location"),
        ({"shield": "pavise"}, r"shield\.kind: found 'pavise'.*armor\.shield\.dice"),
        ({"shield": {"kind": "target", "lost": 4}}, r"shield\.lost: found 4, expected 0 to 3"),
        ({"shield": {"kind": "target", "freed": -1}}, r"shield\.freed"),
    ],
)
def test_a_sheet_that_says_what_cannot_be_is_refused(raw: dict[str, Any], message: str):
    with pytest.raises(BadInput, match=message):
        sheet(**raw)
