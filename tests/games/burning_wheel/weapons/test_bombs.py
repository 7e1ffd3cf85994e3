"""Bombs in Fight!: landing them, and running away from them."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.sheet.scene import BombBystander, BurningTable, FightMoment
from astragal.games.burning_wheel.weapons.bombs import withdrawn
from games.burning_wheel.playing import Played, play, table

LIT = {
    "bomber": "a",
    "bomb": {"weapon": "iron-cased bomb"},
    "lit": {"exchange": 1, "volley": 1, "action": 1},
    "due": {"exchange": 2, "volley": 1, "action": 1},
}


def fight(skills: Any = None, bomb: Any = None, options: Any = None, **b: Any) -> BurningTable:
    return table(
        {"bombs": [bomb or LIT]},
        options,
        a={"stats": {"Agility": "B5"}, "skills": {"Throwing": "B6"} if skills is None else skills},
        b={"player": "ben", "stats": {"Speed": "B5", "Power": "B4"}, **b},
        c={"stats": {"Speed": "B4"}},
    )


def throw(at: BurningTable, successes: int, answers: Any = None, **more: Any) -> Played:
    arguments = {"character": "a", "target": "b", **more}
    return play("throw_bomb", arguments, at, answers, [successes])


# --- Throwing ------------------------------------------------------------------------------


@pytest.mark.rules("weapons.bomb.fight.throw_ob")
def test_throwing_needs_two_and_agility_four() -> None:
    skilled = throw(fight(), 2)
    assert skilled.outcome.obstacle.total == 2
    assert skilled.outcome.passed
    assert not throw(fight(), 1).outcome.passed
    clumsy = throw(fight(skills={}), 3)
    assert "5D = 5 Agility" in clumsy.told
    assert (clumsy.outcome.obstacle.total, clumsy.outcome.passed) == (4, False)
    assert throw(fight(skills={}), 4).outcome.passed


@pytest.mark.rules("weapons.bomb.fight.position_win")
def test_whoever_wins_his_position_puts_it_at_optimal_range() -> None:
    played = throw(fight(), 2, positioning="won")
    assert played.outcome.distance == "optimal"
    (bomb,) = played.table.scene.bombs
    assert bomb.thrown
    assert bomb.near == (BombBystander("b", "optimal"),)


@pytest.mark.rules("weapons.bomb.fight.position_loss", "weapons.bomb.fight.position_loss_hit")
@pytest.mark.parametrize("positioning", ["lost", "tied"])
def test_whoever_does_not_throws_harder_and_shorter(positioning: str) -> None:
    played = throw(fight(), 4, positioning=positioning)
    assert played.outcome.obstacle.total == 4
    assert played.outcome.distance == "lunging"
    assert not throw(fight(), 3, positioning=positioning).outcome.passed


@pytest.mark.rules("weapons.bomb.fight.throw_acquire")
def test_without_aim_it_is_two_harder() -> None:
    assert throw(fight(), 4, acquired=False).outcome.obstacle.total == 4
    everything = throw(fight(skills={}), 5, acquired=False, positioning="lost")
    assert everything.outcome.obstacle.total == 8  # only the base was doubled


@pytest.mark.rules("weapons.bomb.fight.throw_penalties")
def test_light_weather_and_movement_count() -> None:
    answers = {"hindrances": ["dim_light_lantern", "target_closing_or_withdrawing"]}
    played = throw(fight(), 4, answers)
    assert played.outcome.obstacle.total == 4
    assert played.seats["hindrances"] == "gm"


@pytest.mark.rules("weapons.bomb.fight.throw_extras")
@pytest.mark.parametrize(("successes", "bonus"), [(2, 0), (3, 1), (4, 2), (5, 2), (6, 3)])
def test_extra_successes_are_for_the_die_of_fate(successes: int, bonus: int) -> None:
    played = throw(fight(), successes)
    assert played.outcome.bonus == bonus
    assert played.table.scene.bombs[0].bonus == bonus
    assert "aim" not in played.asked


def test_a_miss_harms_nobody_but_those_the_gm_names() -> None:
    played = throw(fight(), 1)
    assert (played.outcome.distance, played.outcome.near, played.outcome.bonus) == ("", (), 0)
    unlucky = throw(fight(), 1, {"at_lunging": ["c"]})
    assert unlucky.outcome.near == (BombBystander("c", "lunging"),)
    crowd = throw(fight(), 2, {"at_optimal": ["c"], "at_lunging": ["a"]})
    assert crowd.table.scene.bombs[0].near == (
        BombBystander("b", "optimal"),
        BombBystander("c", "optimal"),
        BombBystander("a", "lunging"),
    )


@pytest.mark.rules("weapons.bomb.delivering")
def test_artillery_or_inconspicuous_deliver_it_at_the_gms_obstacle() -> None:
    for skill in ("Artillery", "Inconspicuous"):
        at = fight(skills={skill: "B4"})
        played = throw(at, 3, {"obstacle": 3}, skill=skill, acquired=False)
        assert (played.outcome.obstacle.total, played.outcome.distance) == (3, "optimal")
        assert f"4D = 4 {skill}" in played.told
        for wrong in (0, 21):
            with pytest.raises(BadInput, match=f"obstacle: found {wrong}, expected .* 1 to 20"):
                throw(at, 3, {"obstacle": wrong}, skill=skill)
    later = fight(skills={"Artillery": "B4"}, options={"edition": "gold"})
    with pytest.raises(BadInput, match="obstacle: found 11"):  # gold.tests.obstacle_range
        throw(later, 3, {"obstacle": 11}, skill="Artillery")
    with pytest.raises(BadInput, match=r"skill: found 'Cooking'.*weapons\.bomb\.delivering"):
        throw(fight(), 1, skill="Cooking")


@pytest.mark.rules("gold.tests.obstacle_range", "weapons.bomb.delivering")
def test_in_the_later_edition_no_obstacle_of_the_gms_is_beyond_ten() -> None:
    at = table({"bombs": [LIT]}, {"edition": "gold"}, a={"skills": {"Artillery": "B4"}}, b={}, c={})
    assert throw(at, 1, {"obstacle": 10}, skill="Artillery").outcome.obstacle.total == 10
    with pytest.raises(BadInput, match=r"obstacle: found 11, expected .* 1 to 10"):
        throw(at, 1, {"obstacle": 11}, skill="Artillery")


def test_only_a_lit_bomb_in_the_hand_is_thrown() -> None:
    thrown = throw(fight(), 2)
    with pytest.raises(NotAllowed, match="has no lit bomb"):
        throw(thrown.table, 2)
    with pytest.raises(BadInput, match="positioning: found 'drawn'"):
        throw(fight(), 2, positioning="drawn")
    with pytest.raises(BadInput, match="target: found 'z'"):
        throw(fight(), 2, target="z")


# --- SpeedRoll away! -----------------------------------------------------------------------------


def lying(distance: str, **more: Any) -> dict[str, Any]:
    near = [{"character": "b", "distance": distance}]
    return {**LIT, "thrown": True, "target": "b", "near": near, **more}


def flee(bomb: dict[str, Any], rolls: list[Any], weapon: str = "", **now: int) -> Played:
    at = fight(bomb=bomb, weapons=["spear", "sword", "dirk"])
    moment = {"exchange": 1, "volley": 2, "action": 1, **now}
    arguments = {"character": "b", "bomber": "a", "weapon": weapon, "now": moment}
    return play("flee_bomb", arguments, at, None, rolls)


@pytest.mark.rules("weapons.bomb.fight.flee_test")
def test_the_bomb_rolls_its_length_against_speed() -> None:
    played = flee(lying("lunging"), [3, 2], "dirk")
    speed, bomb = played.rolls
    assert "5D = 5 Speed" in played.told
    assert bomb.expression.dice.total == 2  # type: ignore[attr-defined]
    assert speed.owner == "ben"
    assert flee(lying("lunging"), [3, 1], "sword").rolls[1].expression.dice.total == 1  # type: ignore[attr-defined]
    assert len(flee(lying("lunging"), [3], "spear").rolls) == 1  # none is longer
    assert (
        played.table.characters["b"].stats["Speed"].log
        != fight().characters["b"].stats["Speed"].log
    )


@pytest.mark.rules("weapons.bomb.fight.flee_lunging")
def test_from_lunging_distance_one_withdrawal_is_enough() -> None:
    clear = flee(lying("lunging"), [2, 1], "sword")
    assert clear.outcome.passed
    assert clear.table.scene.bombs[0].near == ()
    still = flee(lying("lunging"), [1, 1], "sword")  # a tie leaves the distance as it was
    assert (still.outcome.passed, still.outcome.distance) == (False, "lunging")


@pytest.mark.rules("weapons.bomb.fight.flee_optimal")
def test_from_optimal_distance_it_takes_two() -> None:
    once = flee(lying("optimal"), [2, 1], "sword")
    assert (once.outcome.passed, once.outcome.distance) == (False, "lunging")
    assert once.table.scene.bombs[0].near == (BombBystander("b", "lunging"),)
    twice = flee(lying("optimal"), [3, 1], "sword")  # won by two
    assert twice.outcome.passed
    assert [withdrawn("optimal", margin) for margin in (-1, 0, 1, 2, 3)] == [
        "optimal",
        "optimal",
        "lunging",
        "",
        "",
    ]


@pytest.mark.rules("weapons.bomb.fight.flee_when")
def test_there_must_be_a_volley_to_spare() -> None:
    # It goes off in volley 1 of exchange 2.
    assert flee(lying("lunging"), [2, 0], "sword", volley=1).outcome.passed
    assert flee(lying("lunging"), [2, 0], "sword", volley=2).outcome.passed
    for late in ({"volley": 3}, {"exchange": 2, "volley": 1}):
        with pytest.raises(NotAllowed, match=r"no time.*weapons\.bomb\.fight\.flee_when"):
            flee(lying("lunging"), [], "sword", **late)
    with pytest.raises(NotAllowed, match="not been thrown yet"):
        flee({**lying("lunging"), "thrown": False}, [], "sword")


def test_only_those_near_it_need_run() -> None:
    with pytest.raises(BadInput, match="a character near the bomb: nobody"):
        flee({**lying("lunging"), "near": []}, [])
    at = table(a={"stats": {"Speed": "B4"}})
    moment = {"exchange": 1, "volley": 1, "action": 1}
    with pytest.raises(NotAllowed, match="A has lit no bomb"):
        play("flee_bomb", {"character": "a", "bomber": "a", "now": moment}, at)
    assert FightMoment(1, 2, 3) < FightMoment(2, 1, 1)
