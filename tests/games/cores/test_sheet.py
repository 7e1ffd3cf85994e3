"""Reading a sheet: shorthand, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.cores import GAME, CoreName
from astragal.games.cores.sheet import Knack, Life, Perk
from games.cores.playing import CORES, sheet_of


def test_shorthand_is_written_out():
    sheet = GAME.read_sheet(
        {
            "name": "Robin",
            "core": {"Physical": "d8", "mental": {"die": "d10", "lowered": 1}, "social": "d4"}
            | {"resolve": "d12"},
            "rocks": {"Skating": "really physical", "Lying": "Social"},
            "sucks": {"Maths": {"core": "mental", "really": True}},
            "perks": ["Lucky"],
            "life_experience": 3,
        },
        "robin",
    )
    assert [sheet.core[name].now for name in CoreName] == ["d8", "d8", "d4", "d12"]
    assert sheet.rocks == {
        "Skating": Knack(CoreName.PHYSICAL, True),
        "Lying": Knack(CoreName.SOCIAL),
    }
    assert sheet.sucks["Maths"].really
    assert sheet.perks == {"Lucky": Perk(system=True)}
    assert sheet.life_experience == Life(3, 3)
    assert GAME.read_sheet(GAME.write(sheet), "robin") == sheet


@pytest.mark.rules("cores.test.cores")
def test_a_sheet_has_all_four_cores_and_no_fifth():
    for name in CORES:
        with pytest.raises(BadInput):
            GAME.read_sheet(
                {"name": "R", "core": {k: v for k, v in CORES.items() if k != name}}, "r"
            )
    with pytest.raises(BadInput):
        GAME.read_sheet({"name": "R", "core": CORES | {"magical": "d6"}}, "r")


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        ({"core": {"social": "d20"}}, "r.core.social.die"),
        ({"core": {"social": "d0"}}, "r.core.social.die"),
        ({"core": {"social": {"die": "d6", "lowered": 3}}}, "r.core.social"),
        ({"core": {"social": {"die": "d6", "lowered": -1}}}, "r.core.social.lowered"),
        ({"core": {"social": {"die": "d6", "hours": 168}}}, "r.core.social.hours"),
        ({"rocks": {"X": "magical"}}, "r.rocks.X.core"),
        ({"relationships": {"Jo": "E"}}, "r.relationships.Jo"),
        ({"relationships": {"Jo": "Critical B"}}, "r.relationships.Jo"),
        ({"angst": {"Fear": -1}}, "r.angst.Fear"),
        ({"angst": {"a/b": 1}}, "r.angst.a/b"),
        ({"story_points": -1}, "r.story_points"),
        ({"story_points": 10**9}, "r.story_points"),
        ({"life_experience": 10**9}, "r.life_experience.full"),
        ({"life_experience": {"full": 1, "left": 2}}, "r.life_experience.left"),
        ({"comforts_used": ["music"]}, "r.comforts_used"),
        ({"rocks": {"none": "social"}}, "r.rocks.none"),
        ({"hit_points": 3}, "r.hit_points"),
    ],
)
def test_what_is_wrong_is_named_by_its_place(raw: dict[str, Any], place: str):
    with pytest.raises(BadInput) as refusal:
        sheet_of("r", raw)
    assert refusal.value.place == place
    assert "\n" not in str(refusal.value)


def test_who_answers_for_a_character():
    assert sheet_of("ann", {}).seat("ann") == "ann"
    assert sheet_of("ann", {"player": "kim"}).seat("ann") == "kim"
    assert sheet_of("ann", {"gmc": True}).seat("ann") == "gm"
