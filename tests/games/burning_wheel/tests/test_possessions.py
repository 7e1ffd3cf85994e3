"""Gear that is lost, found again, and given to somebody else."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from games.burning_wheel.playing import Played, a_test, play, table

MARA: dict[str, Any] = {
    "skills": {"Sword": "B3"},
    "weapons": ["sword", {"weapon": "dagger", "name": "Fang", "balance": 1}],
    "shield": {"kind": "target"},
    "gear": ["Rope", {"name": "Lantern", "removes": ["darkness"]}],
    "artha": {"persona": 1},
}
TAM: dict[str, Any] = {
    "player": "tess",
    "gear": ["Rope"],
    "weapons": [{"weapon": "spear", "name": "Fang"}],
}


def at_sea(**scene: Any) -> Any:
    return table(scene, mara=MARA, tam=TAM)


def lose(thing: str, at: Any = None, **more: Any) -> Played:
    arguments = {"character": "mara", "thing": thing, **more}
    return play("lose_gear", arguments, at or at_sea(), rolls=[])


def has(played: Played, who: str = "mara") -> tuple[list[str], list[str], bool]:
    sheet = played.table.character(who)
    weapons = [each.called for each in sheet.weapons]
    return weapons, [each.name for each in sheet.gear], sheet.shield is not None


@pytest.mark.rules("tests.gear.acquisition")
@pytest.mark.parametrize(
    ("thing", "left"),
    [
        ("sword", (["Fang"], ["Rope", "Lantern"], True)),
        ("FANG", (["sword"], ["Rope", "Lantern"], True)),
        ("Rope", (["sword", "Fang"], ["Lantern"], True)),
        ("target", (["sword", "Fang"], ["Rope", "Lantern"], False)),
    ],
)
def test_what_is_lost_is_off_the_sheet_and_in_the_scene(thing: str, left: Any):
    run = lose(thing, how="washed overboard")
    assert has(run) == left
    (lost,) = run.table.scene.lost
    assert (lost.called.casefold(), lost.owner) == (thing.casefold(), "mara")
    assert "is lost (washed overboard)." in run.told
    assert lose(thing, destroyed=True).table.scene.lost == ()


def test_who_names_something_else_is_told_what_there_is():
    with pytest.raises(BadInput, match=r"that Mara has: sword, Fang, target, Rope, Lantern \["):
        lose("Ladder")
    with pytest.raises(NotAllowed, match="Mara carries nothing"):
        lose("Ladder", table(mara={}))


@pytest.mark.rules("tests.gear.acquisition")
def test_what_was_lost_is_found_again_just_as_it_was():
    lost = lose("Fang", table(mara=MARA, tam={})).table
    found = play("find_gear", {"character": "tam", "thing": "fang"}, lost, rolls=[])
    assert found.seats == {"find": "gm"}
    assert found.table.character("tam").weapons[0].balance == 1
    assert found.table.scene.lost == ()
    refused = play("find_gear", {"character": "tam", "thing": "fang"}, lost, {"find": False}, [])
    assert not refused.changed
    with pytest.raises(BadInput, match="something that was lost: Fang"):
        play("find_gear", {"character": "tam", "thing": "Lantern"}, lost)


@pytest.mark.rules("tests.gear.acquisition")
def test_a_gift_changes_hands_if_it_is_taken():
    gift = {"character": "mara", "thing": "Lantern", "receiver": "tam"}
    run = play("give_gear", gift, at_sea(), rolls=[])
    assert run.seats == {"take_gift": "tess"}
    assert has(run)[1] == ["Rope"]
    assert has(run, "tam")[1] == ["Rope", "Lantern"]
    assert run.table.character("tam").gear[1].removes == ("darkness",)
    assert not play("give_gear", gift, at_sea(), {"take_gift": False}, []).changed


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ({"thing": "Ladder"}, "thing"),
        ({"thing": "Rope"}, "thing"),  # Tam has one of that name
        ({"thing": "Fang"}, "thing"),  # and such a weapon
        ({"thing": "sword", "receiver": "mara"}, "receiver"),
        ({"thing": "sword", "receiver": "nobody"}, "receiver"),
    ],
)
def test_what_cannot_be_given_is_refused(arguments: dict[str, str], place: str):
    with pytest.raises(BadInput) as refused:
        play("give_gear", {"character": "mara", "receiver": "tam", **arguments}, at_sea())
    assert refused.value.place == place


def test_nobody_takes_a_second_shield():
    at = table(mara=MARA, tam={"shield": {"kind": "buckler"}})
    with pytest.raises(BadInput, match="Tam has a shield"):
        play("give_gear", {"character": "mara", "thing": "target", "receiver": "tam"}, at)


@pytest.mark.rules("artha.complication.physical_cost")
@pytest.mark.parametrize(
    ("pays", "left"),
    [
        ("lost: sword", (["Fang"], ["Rope", "Lantern"], True)),
        ("lost: Lantern", (["sword", "Fang"], ["Rope"], True)),
        ("lost: target", (["sword", "Fang"], ["Rope", "Lantern"], False)),
        ("none", (["sword", "Fang"], ["Rope", "Lantern"], True)),
    ],
)
def test_a_complication_may_take_whatever_is_carried(pays: str, left: Any):
    said = {"disaster": True, "complication": "hangs from the ledge", "weapon_pays": pays}
    run = a_test(at_sea(complications=True), "Sword", 3, [0], said)
    assert has(run) == left
    assert run.seats["weapon_pays"] == "gm"
    assert not any(each.broken or each.balance_lost for each in run.table.character("mara").weapons)


@pytest.mark.rules("artha.complication.physical_cost")
def test_a_complication_may_take_gear_from_the_unarmed():
    at = table({"complications": True}, rich={**MARA, "weapons": [], "shield": None})
    said = {"disaster": True, "complication": "swims for it", "weapon_pays": "lost: Rope"}
    run = a_test(at, "Sword", 3, [0], said)
    assert [each.name for each in run.table.character("rich").gear] == ["Lantern"]
