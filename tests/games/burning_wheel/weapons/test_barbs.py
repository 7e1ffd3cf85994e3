"""Barbed arrows."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.weapons.damage import Stage
from games.burning_wheel.playing import Played, play, table

HEALER = {"stats": {"Perception": "B4"}, "skills": {"Field Dressing": "B5", "Surgery": "B5"}}


def remove(rolls: list[Any], answers: Any = None, **more: Any) -> Played:
    at = table(healer=HEALER, victim={})
    arguments = {"character": "healer", "victim": "victim", "weapon": "great bow", **more}
    return play("remove_barb", arguments, at, answers, rolls)


@pytest.mark.rules("weapons.head.barbed_removal")
@pytest.mark.parametrize(("skill", "obstacle"), [("Field Dressing", 4), ("Surgery", 3)])
def test_a_barb_comes_out_by_field_dressing_or_surgery(skill: str, obstacle: int) -> None:
    assert remove([obstacle], skill=skill).outcome.passed
    assert f"against Ob {obstacle}" in remove([obstacle], skill=skill).told
    assert not remove([obstacle - 1], skill=skill).outcome.passed


@pytest.mark.rules("weapons.head.barbed_damage")
@pytest.mark.parametrize(("weapon", "mark"), [("great bow", 8), ("hunting bow", 7)])
def test_torn_out_it_costs_another_wound_of_the_mark(weapon: str, mark: int) -> None:
    pulled = remove([], weapon=weapon, location="legs").outcome
    assert (pulled.wound.stage, pulled.wound.number) == (Stage.MARK, mark)
    assert (pulled.wound.shade, pulled.wound.location, pulled.wound.va) == ("B", "legs", 0)
    failed = remove([2], skill="Surgery", weapon=weapon).outcome
    assert failed.wound.number == mark
    assert remove([3], skill="Surgery", weapon=weapon).outcome.wound is None


def test_only_arrows_have_barbs() -> None:
    with pytest.raises(BadInput, match="weapon: found 'crossbow'"):
        remove([], weapon="crossbow")
    with pytest.raises(BadInput, match="skill: found 'Cooking'"):
        remove([], skill="Cooking")
    with pytest.raises(BadInput, match="location: found 'nose'"):
        remove([], location="nose")


@pytest.mark.rules("gold.tests.tools", "weapons.head.barbed_removal")
def test_in_the_later_edition_it_may_take_tools_to_cut_a_barb_out() -> None:
    at = table(options={"edition": "gold"}, healer=HEALER, victim={})
    said = {"character": "healer", "victim": "victim", "weapon": "great bow", "skill": "Surgery"}
    bare = play("remove_barb", said, at, {"wants_tools": True}, [5])
    assert "against Ob 6 = 3 base obstacle + 3 no tools" in bare.told
    assert bare.seats["wants_tools"] == "gm"
    assert not bare.outcome.passed
    assert play("remove_barb", said, at, None, [3]).outcome.passed
