"""Bombs in Range and Cover."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.sheet.ranged_weapons import ranged
from astragal.games.burning_wheel.weapons.bombs_at_range import cover_left, range_dice
from astragal.games.burning_wheel.weapons.damage import Stage
from astragal.rules import Options
from games.burning_wheel.playing import Played, play, table


def lob(rolls: list[Any], answers: Any = None, **more: Any) -> Played:
    at = table(
        a={
            "stats": {"Agility": "B4", "Power": "B4"},
            "skills": {"Throwing": "B6"},
            "weapons": ["iron-cased bomb"],
        },
        b={"player": "ben"},
    )
    arguments = {"character": "a", "target": "b", **more}
    return play("lob_bomb", arguments, at, answers, rolls)


@pytest.mark.rules("weapons.bomb.rc.range_weapon")
def test_a_bomb_is_a_weapon_of_one_die_and_ten_paces() -> None:
    bomb = ranged("iron-cased bomb", Options.of("burning_wheel", {}))
    assert (bomb.dice, bomb.paces) == ((1, 1), 10)
    assert range_dice(2).amount == range_dice(4).amount == 1
    assert lob([2, [3]], paces=10).outcome.passed
    with pytest.raises(BadInput, match="paces: found 11, expected at most 10 paces"):
        lob([], range="extreme", paces=11)


@pytest.mark.rules("weapons.bomb.rc.vs_one_die_weapon")
def test_against_another_weapon_of_one_die_it_has_two() -> None:
    assert range_dice(1).amount == 2


@pytest.mark.rules("weapons.bomb.rc.negates_cover")
def test_a_bomb_cancels_a_die_of_cover() -> None:
    assert [cover_left(dice) for dice in (0, 1, 2, 3)] == [0, 0, 1, 2]


@pytest.mark.rules("weapons.bomb.rc.obstacle", "weapons.bomb.rc.simplified")
@pytest.mark.parametrize(
    ("at", "cover", "obstacle"),
    [
        ("optimal", "open", 2),
        ("optimal", "dense", 4),
        ("extreme", "reasonable", 4),
    ],
)
def test_it_is_thrown_against_range_and_cover_without_fuse_or_distance(
    at: str, cover: str, obstacle: int
) -> None:
    played = lob([obstacle, [4]], range=at, cover=cover)
    assert played.outcome.obstacle.total == obstacle
    assert played.outcome.damage is not None
    assert {"flame", "hindrances", "at_optimal", "aim"}.isdisjoint(played.asked)
    assert len(played.rolls) == 2  # the throw and the Die of Fate: no misfire die, no explosion
    assert played.table.characters["a"].weapons == ()
    assert lob([obstacle - 1], range=at, cover=cover).outcome.damage is None


@pytest.mark.rules("weapons.bomb.dof_penalty", "weapons.bomb.va")
def test_extreme_range_takes_one_off_and_not_two() -> None:
    near, far = lob([2, [3]]).outcome, lob([3, [3]], range="extreme").outcome
    assert (near.fate.total, near.damage.stage, near.damage.va) == (3, Stage.MARK, 4)
    assert (far.fate.total, far.damage.stage, far.damage.va) == (2, Stage.INCIDENTAL, 2)
    assert lob([4, [3]]).outcome.fate.total == 5


@pytest.mark.rules("weapons.bomb.rc.in_hand")
@pytest.mark.parametrize("positioning", ["lost", "tied"])
def test_out_of_position_it_may_go_off_in_the_hand(positioning: str) -> None:
    played = lob([[1], [5]], positioning=positioning)
    assert not played.outcome.passed
    assert played.outcome.damage is None  # the opponent is unharmed
    hit = played.outcome.backfire
    assert (hit.number, hit.va, hit.location) == (9, 4, "torso")
    assert played.table.characters["a"].weapons == ()
    for face in (2, 6):
        assert lob([[face], 2, [3]], positioning=positioning).outcome.passed
    assert len(lob([2, [3]], positioning="won").rolls) == 2


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(BadInput, match="positioning"):
        lob([], positioning="drawn")
    with pytest.raises(BadInput, match="range: found 'close'"):
        lob([], range="close")
