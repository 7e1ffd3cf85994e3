"""Positioning in the saddle: whose Speed, which dice, and the Riding test of the untrained."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.games.burning_wheel.conflicts.fight.positioning import position
from astragal.games.burning_wheel.conflicts.fight.state import Fight, Positioning
from games.burning_wheel.in_a_fight import FIGHTER
from games.burning_wheel.on_horseback import (
    BOWMAN,
    HORSE,
    KNIGHT,
    RIDER,
    WOLF,
    act,
    labels,
    mounted_fight,
)


def closing(ann: dict[str, Any], horse: dict[str, Any] = HORSE) -> Fight:
    at = mounted_fight(ann, horse, moves=Positioning.CLOSE, gap=4)
    return at.change("bob", moves=Positioning.MAINTAIN)


@pytest.mark.rules(
    "riding.combat.position_mount_speed",
    "riding.combat.position_multiplier",
    "riding.combat.positioning_free",
)
def test_a_knight_positions_with_the_speed_of_the_mount():
    done = act(position, closing(KNIGHT), dice={"Horse": 4})
    # Speed 5, and a die for the multiplier, which is the horse's.
    assert "Horse, positioning, rolls 6D = 5 Speed + 1 Speed multiplier x8" in done.told
    assert not any("Riding" in label for label in labels(done))
    assert done.fight.gap("ann", "bob") < 4


@pytest.mark.rules("riding.combat.position_mount_speed")
def test_or_with_what_it_knows_of_stealth():
    done = act(position, closing(KNIGHT, WOLF), answers={"mount_moves": "Stealthy"})
    assert "= 6 Stealthy" in done.told


@pytest.mark.rules("riding.combat.position_reflexes")
@pytest.mark.parametrize(
    ("own", "beast", "die"), [("B4", "B6", 1), ("B6", "B3", 1), ("B4", "B4", 0)]
)
def test_the_higher_reflexes_of_rider_and_mount_count(own: str, beast: str, die: int):
    ann = {**KNIGHT, "attributes": {**KNIGHT["attributes"], "Reflexes": own}}
    horse = {**HORSE, "attributes": {**HORSE["attributes"], "Reflexes": beast}}
    done = act(position, closing(ann, horse))
    assert ("1 higher Reflexes" in done.told.split("Bob")[0]) is bool(die)


@pytest.mark.rules("riding.test.when", "riding.bowman.avoid_position")
@pytest.mark.parametrize("who", [RIDER, BOWMAN])
@pytest.mark.parametrize(
    ("riding", "said"),
    [
        (4, "rolls 7D = 5 Speed + 1 Speed multiplier x8 + 1 linked test exceeded"),
        (3, "rolls 6D = 5 Speed + 1 Speed multiplier x8"),
        (2, "against Ob 1 = 1 linked test failed"),
    ],
)
def test_all_others_test_riding_first(who: dict[str, Any], riding: int, said: str):
    done = act(position, closing(who), dice={"Ann, Riding": riding})
    assert labels(done)[0] == "Ann, Riding"
    assert said in done.told


@pytest.mark.rules("riding.test.when", "tests.beginner.root_stat")
@pytest.mark.parametrize(("roots", "said"), [([], "5D = 4 Agility"), (["Speed"], "4D = 3 Speed")])
def test_without_the_skill_its_root_is_rolled(roots: list[str], said: str):
    """Bob's sheet says what Riding grows from; if nobody's does, it is Agility."""
    ann = {**FIGHTER, "stats": {**FIGHTER["stats"], "Agility": "B4", "Speed": "B3"}}
    learned = {"Riding": {"rating": "B2", "roots": roots}} if roots else {}
    bob = {**FIGHTER, "skills": {**FIGHTER["skills"], **learned}}
    at = mounted_fight(ann, bob=bob, moves=Positioning.CLOSE)
    done = act(position, at.change("bob", moves=Positioning.MAINTAIN))
    assert f"Ann rolls {said}" in done.told  # and a die for the gear


@pytest.mark.rules("riding.steel.mount_reactions")
def test_a_bolting_mount_withdraws_and_one_that_shies_stays():
    at = closing(RIDER).change("horse", hesitates=3, reaction="run_screaming")
    done = act(position, at, dice={"Horse": 4})
    assert done.who("ann").moves is Positioning.WITHDRAW
    assert "Ann, Riding" not in labels(done)
    shy = closing(RIDER).change("horse", hesitates=3, reaction="stand_and_drool")
    stays = act(position, shy)
    assert stays.who("ann").moves is Positioning.MAINTAIN
    assert not any("Horse" in label for label in labels(stays))


@pytest.mark.rules("riding.combat.tandem_defenses")
def test_a_tackle_from_above_meets_the_rider_and_not_the_mount():
    at = mounted_fight(KNIGHT, moves=Positioning.MAINTAIN, gap=0)
    at = at.change("ann", announced=("order:push",))
    at = at.change(
        "bob", moves=Positioning.CLOSE, charges=True, announced=("tackle",), targets=("ann",)
    )
    mount = act(position, at, answers={"against_charge": "Speed"})
    assert "Horse, positioning, rolls 6D = 5 Speed" in mount.told
    rider = act(position, at, answers={"against_charge": "Speed", "at_the_rider": True})
    assert "Ann, positioning, rolls 4D = 4 Speed" in rider.told
