"""Who is caught by an explosion, and what it does."""

from __future__ import annotations

import time
from typing import Any

import pytest

from astragal.dice import OpenEnded
from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.weapons.damage import Stage
from astragal.play import defaults, exact
from games.burning_wheel.playing import Played, play, table

NOW = {"exchange": 2, "volley": 1, "action": 1}
MAN = {
    "stats": {"Speed": "B4", "Power": "B4"},
    "attributes": {"Reflexes": "B6"},
    "weapons": ["spear"],
}


def burning(**near: str) -> BurningTable:
    """A bomb about to go off, and who is near it at which distance."""
    bomb = {
        "bomber": "a",
        "bomb": {"weapon": "iron-cased bomb"},
        "lit": {"exchange": 1},
        "due": NOW,
        "thrown": bool(near),
        "target": "b",
        "bonus": 2,
        "near": [{"character": who, "distance": where} for who, where in near.items()],
    }
    return table({"bombs": [bomb]}, a={**MAN, "player": "anna"}, b=MAN, c=MAN)


def explode(at: BurningTable, rolls: list[Any], answers: Any = None) -> Played:
    return play("explode", {"bomber": "a", "now": NOW}, at, answers, rolls)


@pytest.mark.rules("weapons.bomb.explosion.test")
def test_an_explosion_rolls_six_open_ended_dice_against_each() -> None:
    played = explode(burning(b="optimal", c="lunging"), [4, 1, 4, 1])
    blasts = [roll.expression for roll in played.rolls if roll.label == "the explosion"]
    assert [(b.dice.total, b.open_ended) for b in blasts] == [(6, OpenEnded.SIXES)] * 2  # type: ignore[attr-defined]
    assert [each.character for each in played.outcome.caught] == ["b", "c"]
    assert played.table.scene.bombs == ()


@pytest.mark.rules("weapons.bomb.explosion.raw_speed")
def test_only_plain_speed_counts() -> None:
    played = explode(burning(b="optimal"), [4, 1])
    # No die for the spear, the higher Reflexes or a multiplier.
    assert "B rolls 4D = 4 Speed\n" in played.told
    assert "forks" not in played.asked


@pytest.mark.rules("weapons.bomb.explosion.character_wins", "weapons.bomb.explosion.bomb_wins")
@pytest.mark.parametrize(("speed", "blast", "caught"), [(3, 2, False), (2, 2, False), (1, 2, True)])
def test_whoever_is_faster_escapes_and_on_a_tie_too(speed: int, blast: int, caught: bool) -> None:
    rolls: list[Any] = [speed, blast] + ([[3]] if caught else [])
    (one,) = explode(burning(c="lunging"), rolls).outcome.caught
    assert one.caught is caught
    assert (one.damage is not None) is caught


@pytest.mark.rules(
    "weapons.bomb.explosion.bomb_wins", "weapons.bomb.va", "weapons.bomb.dof_penalty"
)
@pytest.mark.parametrize(
    ("distance", "face", "stage", "number", "va"),
    [
        ("optimal", 3, Stage.MARK, 6, 4),
        ("optimal", 5, Stage.SUPERB, 9, 4),
        ("lunging", 3, Stage.INCIDENTAL, 3, 2),  # a 3 less 1
        ("lunging", 5, Stage.MARK, 6, 2),
        ("lunging", 1, Stage.INCIDENTAL, 3, 2),
    ],
)
def test_it_hurts_less_from_farther_away(
    distance: str, face: int, stage: Stage, number: int, va: int
) -> None:
    (one,) = explode(burning(c=distance), [0, 1, [face]]).outcome.caught
    assert one.distance == distance
    assert (one.damage.stage, one.damage.number, one.damage.va) == (stage, number, va)
    assert (one.damage.shade, one.damage.location) == ("B", "torso")


@pytest.mark.rules("weapons.bomb.fight.throw_extras")
def test_a_good_throw_is_for_its_target_alone() -> None:
    played = explode(burning(b="optimal", c="optimal"), [0, 1, [3], 0, 1, [3]])
    target, other = played.outcome.caught
    assert (target.damage.stage, other.damage.stage) == (Stage.SUPERB, Stage.MARK)
    assert played.outcome.passed


@pytest.mark.rules("weapons.shoot.location_hidden")
def test_what_is_hidden_is_not_hit() -> None:
    (one,) = explode(burning(c="optimal"), [0, 1, [3]], {"hidden": ["torso"]}).outcome.caught
    assert one.damage.location == "legs"
    three = ["torso", "legs", "arms"]
    (one,) = explode(burning(c="optimal"), [0, 1, [3]], {"hidden": three}).outcome.caught
    assert one.damage.location == "head"
    with pytest.raises(BadInput, match="hidden"):  # something is left to be hit
        explode(burning(c="optimal"), [0, 1, [3]], {"hidden": [*three, "head"]})


def test_whoever_holds_it_is_at_optimal_distance() -> None:
    played = explode(burning(), [0, 1, [5], 0, 1, [5]], {"at_lunging": ["c"]})
    holder, other = played.outcome.caught
    assert (holder.character, holder.distance, holder.damage.number) == ("a", "optimal", 9)
    assert (other.character, other.distance, other.damage.number) == ("c", "lunging", 6)
    assert not played.outcome.passed


def test_it_goes_off_when_it_is_due() -> None:
    at = burning(b="optimal")
    with pytest.raises(NotAllowed, match=r"exchange 2, volley 1.*weapons\.bomb\.fight\.fuse_time"):
        play("explode", {"bomber": "a", "now": {"exchange": 1, "volley": 3}}, at)
    with pytest.raises(NotAllowed, match="B has lit no bomb"):
        play("explode", {"bomber": "b", "now": NOW}, at)


def test_the_odds_of_escaping_take_no_time() -> None:
    procedure = GAME.procedure("explode")
    arguments = GAME.read({"bomber": "a", "now": NOW}, procedure.arguments, "arguments")
    began = time.process_time()
    odds = exact(procedure.start(arguments, burning(b="optimal")), defaults)
    assert time.process_time() - began < 2
    caught = sum(w for outcome, w in odds.weights.items() if outcome.caught[0].caught)
    # Six open-ended dice against four: far better than even for the bomb.
    assert 0.7 < caught / sum(odds.weights.values()) < 0.95
