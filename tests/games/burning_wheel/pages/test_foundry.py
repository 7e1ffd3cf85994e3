"""An actor of Foundry as a sheet: read by hand from the file, with all that has no place listed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from astragal.games.burning_wheel import GAME, Sheet
from astragal.games.burning_wheel.pages.foundry import from_foundry

ACTOR: dict[str, Any] = json.loads(Path(__file__).with_name("actor.json").read_text())


def read(actor: dict[str, Any] = ACTOR) -> tuple[Sheet, tuple[str, ...]]:
    imported = from_foundry(actor)
    assert imported is not None
    return GAME.read_sheet(imported.sheet, "actor"), imported.unread


def test_abilities_with_their_shades_logs_and_artha():
    sheet, _ = read()
    assert {name: str(each.rating) for name, each in sheet.stats.items()} == {
        "Will": "B5",
        "Perception": "B4",
        "Agility": "G5",
        "Speed": "B4",
        "Power": "B4",
        "Forte": "B4",
    }
    assert (sheet.stats["Will"].log.difficult, sheet.stats["Will"].spent.persona) == (1, 1)
    assert sheet.attributes["Health"].log.routine == 2
    assert str(sheet.attributes["Faith"].rating) == "B4"
    assert (sheet.artha.fate, sheet.artha.persona) == (3, 2)


def test_ability_without_an_exponent_was_never_filled_in():
    sheet, _ = read()
    assert sheet.resources is None


def test_skills_are_named_by_their_items_and_have_their_roots():
    sheet, _ = read()
    assert sheet.skills["Sword"].roots == ("Agility",)
    assert sheet.skills["Sword"].category == "Martial"
    assert sheet.skills["Mounted Combat"].roots == ("Agility", "Speed")
    assert sheet.learning["Cooking"].tests == 2
    assert sheet.training == ("Armor Training",)


def test_wounds_are_counted_as_texts_and_begin_where_their_level_does():
    sheet, _ = read()
    assert sheet.tolerances is not None
    assert str(sheet.tolerances.midi) == "B7"
    assert [(wound.level.value, [str(at) for at in wound.at]) for wound in sheet.wounds] == [
        ("Light", ["B5"]),
        ("Superficial", []),
    ]


def test_people_traits_and_things():
    sheet, _ = read()
    assert [trait.kind.value for trait in sheet.traits] == ["die", "call_on"]
    assert sheet.traits[0].dice == {"Steel": 1}
    assert sheet.traits[1].abilities == ("Intimidation",)
    assert (sheet.relationships[0].name, sheet.relationships[0].note) == ("Brand", "his serjeant")
    assert sheet.reputations[0].infamous
    assert [weapon.weapon for weapon in sheet.weapons] == ["dagger"]
    assert [gear.name for gear in sheet.gear] == ["Lantern", "Moonblade"]


def test_what_has_no_place_is_listed():
    _, unread = read()
    assert unread == (
        "Text of the trait Hardened: Seen too much.",
        "Weapon: Moonblade (it is among the gear; its numbers are not)",
        "Property: Old Keep",
        "Homeland: the Marches",
    )


def test_any_field_that_is_not_known_is_listed():
    actor = {**ACTOR, "system": {**ACTOR["system"], "luck": {"points": 3, "spent": 0}}}
    _, unread = read(actor)
    assert "Luck: points: 3" in unread


def test_older_exports_and_the_gms_characters():
    system = {
        "will": {"exp": 3},
        "reflexes": 4,
        "hesitation": 7,
        "ptgs": {
            f"{each}Thresh": at
            for each, at in zip(
                ("su", "li", "mi", "se", "tr", "mo"), (3, 5, 7, 8, 9, 10), strict=True
            )
        },
    }
    actor = {"name": "Guard", "type": "npc", "data": system, "items": []}
    sheet, unread = read(actor)
    assert (str(sheet.attributes["Reflexes"].rating), sheet.npc) == ("B4", True)
    assert sheet.tolerances is not None
    assert str(sheet.tolerances.mortal) == "B10"
    assert unread == ()


def test_other_files_are_no_actors():
    assert from_foundry({"name": "Mara", "stats": {}}) is None
    assert from_foundry({"name": "A map", "type": "scene", "system": {}, "items": []}) is None
