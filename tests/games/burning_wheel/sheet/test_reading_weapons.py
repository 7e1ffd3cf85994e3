"""Weapons as they stand on a sheet."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from games.burning_wheel.playing import sheet


def test_a_weapon_may_be_written_in_one_word() -> None:
    written = sheet(weapons=["superior sword", "dirk", {"weapon": "spear", "name": "Old Oak"}])
    kinds = [(each.weapon, each.quality, each.called) for each in written.weapons]
    assert kinds == [
        ("sword", "superior", "superior sword"),
        ("dirk", "", "dirk"),
        ("spear", "", "Old Oak"),
    ]


@pytest.mark.parametrize(
    ("weapon", "complaint"),
    [
        ("lightsaber", r"weapons\[0\]\.weapon: found 'lightsaber'"),
        ("superior dirk", r"weapons\[0\]\.quality: found 'superior'"),
        ({"weapon": "sword", "shade": "X"}, r"weapons\[0\]\.shade: found 'X'"),
        ({"weapon": "sword", "balance": 9}, r"weapons\[0\]\.balance: found 9, expected 0 to 5"),
        ({"weapon": "sword", "speed": "quick"}, r"weapons\[0\]\.speed.*fast, slow, unwieldy"),
        ({"weapon": "sword", "length": "endless"}, r"weapons\[0\]\.length.*longest"),
        ({"weapon": "mallet", "size": "huge"}, r"weapons\[0\]\.size"),
    ],
)
def test_a_weapon_that_does_not_fit_is_refused(weapon: Any, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        sheet(weapons=[weapon])


@pytest.mark.rules("weapons.gear.one_pommel")
@pytest.mark.parametrize(
    "weapon",
    [
        {"weapon": "sword", "pommel": "golden pommel"},
        {"weapon": "bare fist", "pommel": "spiked pommel"},
        {"weapon": "hunting bow", "pommel": "spiked pommel"},
    ],
)
def test_a_pommel_is_one_of_two_on_something_with_a_hilt(weapon: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=r"pommel.*weapons\.gear\.one_pommel"):
        sheet(weapons=[weapon])
    with pytest.raises(BadInput):  # and there is room for one only
        sheet(weapons=[{"weapon": "sword", "pommel": ["spiked pommel", "weighted pommel"]}])


@pytest.mark.rules("weapons.gear.beak_mount")
def test_a_beak_on_a_sword_is_refused() -> None:
    with pytest.raises(BadInput, match=r"weapons\[0\]\.beak.*weapons\.gear\.beak_mount"):
        sheet(weapons=[{"weapon": "sword", "beak": True}])
    assert sheet(weapons=[{"weapon": "polearm", "beak": True}]).weapons[0].beak


def test_two_weapons_have_two_names() -> None:
    with pytest.raises(BadInput, match=r"weapons\[1\]\.name"):
        sheet(weapons=["dirk", "dirk"])
    assert len(sheet(weapons=["dirk", {"weapon": "dirk", "name": "the other"}]).weapons) == 2
