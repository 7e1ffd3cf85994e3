"""Shots and throws as a table plays them."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.at_table import MEANINGS
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.weapons.damage import Stage
from astragal.play import defaults, exact
from games.burning_wheel.playing import Played, play, table

ARCHER = {
    "stats": {"Power": "B4", "Agility": "B3"},
    "skills": {"Bow": "B5", "Crossbow": "B5", "Throwing": "B5", "Firearms": "B5"},
    "weapons": ["hunting bow", "crossbow", "pistol", "javelin", "sword"],
}


def field(options: dict[str, str] | None = None, **more: Any) -> BurningTable:
    return table(None, options, a={**ARCHER, **more}, b={"player": "ben"})


def shoot(at: BurningTable, rolls: list[Any], answers: Any = None, **more: Any) -> Played:
    arguments = {"character": "a", "target": "b", "weapon": "hunting bow", **more}
    return play("shoot", arguments, at, answers, rolls)


def throw(at: BurningTable, rolls: list[Any], answers: Any = None, **more: Any) -> Played:
    arguments = {"character": "a", "target": "b", "weapon": "javelin", **more}
    return play("throw_weapon", arguments, at, answers, rolls)


# --- To hit --------------------------------------------------------------------------------


@pytest.mark.rules("weapons.shoot.range_conflict")
def test_range_and_cover_set_the_obstacle() -> None:
    far = shoot(field(), [3], range="extreme", cover="reasonable")
    assert far.outcome.obstacle.total == 4
    assert not far.outcome.passed
    assert far.outcome.damage is None
    assert "hindrances" not in far.asked


def test_cover_has_the_words_that_the_form_offers_and_in_older_logs_longer_ones() -> None:
    offered = [option.key for option in MEANINGS["cover"].choices]
    obstacles = [shoot(field(), [0], cover=cover).outcome.obstacle.total for cover in offered]
    assert obstacles == [2, 3, 4]
    older = shoot(field(), [0], cover="dense_cover_or_fortification")
    assert older.outcome.obstacle.total == 4


def test_there_are_three_ranges_and_three_kinds_of_cover() -> None:
    with pytest.raises(BadInput, match="range: found 'far', expected one of close, optimal"):
        shoot(field(), [5], range="far")
    with pytest.raises(BadInput, match="cover: found 'a hat', expected one of open"):
        shoot(field(), [5], cover="a hat")


@pytest.mark.rules("weapons.shoot.fight_no_range")
def test_close_up_distance_does_not_matter() -> None:
    near, far = (shoot(field(), [1, [3]], range="close", paces=paces) for paces in (2, 5000))
    assert near.outcome.obstacle.total == far.outcome.obstacle.total == 1
    assert near.outcome.damage == far.outcome.damage
    with pytest.raises(BadInput, match="paces: found 101, expected at most 100 paces at extreme"):
        shoot(field(), [5], range="extreme", paces=101)
    with pytest.raises(BadInput, match="paces: found 31, expected at most 30 paces at optimal"):
        shoot(field(), [5], paces=31)


@pytest.mark.rules("fight.acquire.snapshot", "fight.draw_bow.snapshot", "weapons.shoot.snapshot")
def test_a_snapshot_costs_two_with_any_weapon() -> None:
    crossbow = {"weapon": "crossbow", "range": "close"}
    assert shoot(field(), [1, [3]], **crossbow).outcome.obstacle.total == 1
    assert shoot(field(), [3, [3]], acquired=False, **crossbow).outcome.obstacle.total == 3
    assert shoot(field(), [1, [3]], range="close").outcome.obstacle.total == 1
    snapshot = shoot(field(), [3, [3]], range="close", acquired=False).outcome
    assert snapshot.obstacle.total == 3
    assert snapshot.fate.total == 3  # three successes just meet it, and add nothing to the die
    hampered = shoot(field(), [3, [3]], {"hindrances": ["smoke_or_haze"]}, range="close")
    assert hampered.outcome.obstacle.total == 3


def test_where_and_how_it_is_shot_must_make_sense() -> None:
    for wrong in ({"range": "far"}, {"cover": "none"}, {"paces": -1}, {"weapon": "sword"}):
        with pytest.raises(BadInput, match=next(iter(wrong))):
            shoot(field(), [], **wrong)
    with pytest.raises(BadInput, match="weapon: found 'hunting bow'"):
        throw(field(), [], weapon="hunting bow")


# --- The hit -------------------------------------------------------------------------------


@pytest.mark.rules("weapons.shoot.location_chest", "weapons.dof.decides_stage")
def test_the_chest_is_hit_and_the_target_has_no_say() -> None:
    played = shoot(field(), [2, [1]])
    assert played.outcome.damage.location == "torso"
    assert (played.outcome.damage.stage, played.outcome.damage.number) == (Stage.INCIDENTAL, 4)
    assert "open" not in played.asked
    assert "ben" not in played.seats.values()
    assert "Die of Fate for the hunting bow: 1-2 incidental" in played.told


@pytest.mark.rules("weapons.shoot.move_limb", "weapons.shoot.move_head")
def test_the_shooter_may_move_the_hit() -> None:
    # Four successes against Ob 2: +2 as it is, +1 with one spent, nothing with two.
    found = {}
    for aim in ("torso", "arms", "legs", "head"):
        outcome = shoot(field(), [4, [3]], {"aim": aim}).outcome
        found[outcome.damage.location] = outcome.fate.total
    assert found == {"torso": 5, "arms": 4, "legs": 4, "head": 3}
    with pytest.raises(BadInput, match="aim: found 'head'"):
        shoot(field(), [3, [3]], {"aim": "head"})


@pytest.mark.rules("weapons.dof.successes_do_not_raise_stage", "weapons.dof.plus_three")
def test_many_successes_only_help_the_die() -> None:
    outcome = shoot(field(skills={"Bow": "B9"}), [9, [1]]).outcome
    # Nine successes at Ob 2, a 1, and no more than +3: a Mark.
    assert (outcome.fate.total, outcome.damage.stage) == (4, Stage.MARK)


@pytest.mark.rules("weapons.dof.extreme_range")
def test_extreme_range_and_extra_successes_combine() -> None:
    outcome = shoot(field(), [4, [3]], range="extreme").outcome  # Ob 3
    assert (outcome.fate.total, outcome.ims) == (3 + 1 - 1, "B4/B7/B10")
    assert shoot(field(), [3, [1]], range="extreme").outcome.damage.stage is Stage.INCIDENTAL


@pytest.mark.rules("weapons.head.modifiers")
def test_a_frog_crotch_is_hard_to_hit_with_and_cuts_deep() -> None:
    outcome = shoot(field(), [3, [2]], head="frog crotch").outcome
    assert outcome.obstacle.total == 3  # 2, and 1 for the head
    assert outcome.fate.total == 3
    assert (outcome.damage.stage, outcome.damage.number, outcome.damage.va) == (Stage.MARK, 8, 0)


@pytest.mark.rules("weapons.thrown.dof", "weapons.thrown.power")
def test_a_throw_takes_strength_and_the_die() -> None:
    outcome = throw(field(), [2, [4]]).outcome
    assert (outcome.damage.stage, outcome.damage.number, outcome.damage.va) == (Stage.MARK, 6, 1)
    thrown_sword = throw(field(), [2, [4]], weapon="sword").outcome  # by the general bands
    assert (thrown_sword.damage.stage, thrown_sword.damage.number) == (Stage.MARK, 7)


def test_a_throw_without_the_skill_is_luck() -> None:
    played = throw(field(skills={}), [3], weapon="javelin")
    assert "3D = 3 Agility" in played.told
    assert played.outcome.obstacle.total == 4


def test_gray_power_in_a_throw() -> None:
    hero = field(stats={"Power": "G4", "Agility": "B4"})
    assert throw(hero, [2, [4]], {"power_bonus": True}).outcome.damage.number == 8
    gone = throw(hero, [0], {"power_bonus": True}).table.characters["a"].weapons
    assert "javelin" not in [each.weapon for each in gone]


# --- Guns ----------------------------------------------------------------------------------


@pytest.mark.rules("weapons.gun.gunpowder_die", "weapons.gun.va_by_range")
@pytest.mark.parametrize("face", [2, 3, 4, 5, 6])
def test_the_gunpowder_die_comes_before_the_shot(face: int) -> None:
    played = shoot(field(), [[face], 2, [5]], weapon="pistol")
    assert played.rolls[0].label.startswith("the gunpowder die")
    assert played.outcome.misfire is None
    assert (played.outcome.damage.number, played.outcome.damage.va) == (8, 3)
    close = shoot(field(), [[face], 1, [4]], weapon="pistol", range="close")
    assert (close.outcome.damage.number, close.outcome.damage.va) == (4, 4)


@pytest.mark.rules("weapons.gun.misfire_on_one", "weapons.gun.jam")
@pytest.mark.parametrize("face", [4, 5, 6])
def test_a_jammed_gun_must_be_reloaded(face: int) -> None:
    jammed = shoot(field(), [[1], [face]], weapon="pistol")
    assert (jammed.outcome.passed, jammed.outcome.backfire) == (False, None)
    assert jammed.outcome.misfire.value == "jam"
    assert jammed.outcome.dice.total == 0  # there was no roll to hit
    with pytest.raises(NotAllowed, match=r"not loaded: reload it first \[weapons\.gun\.jam\]"):
        shoot(jammed.table, [], weapon="pistol")
    loaded = play("reload", {"character": "a", "weapon": "pistol"}, jammed.table)
    assert loaded.outcome.actions == 40
    assert loaded.told == "A reloads the pistol (40 actions)."
    assert shoot(loaded.table, [[2], 0], weapon="pistol").outcome.misfire is None


@pytest.mark.rules("weapons.gun.misfire_on_one", "weapons.gun.backfire")
@pytest.mark.parametrize("face", [1, 2, 3])
@pytest.mark.parametrize(("fate", "number"), [(1, 4), (4, 4), (5, 8), (6, 11)])
def test_a_backfire_hits_the_shooter(face: int, fate: int, number: int) -> None:
    played = shoot(field(), [[1], [face], [fate]], weapon="pistol", range="extreme")
    hit = played.outcome.backfire
    assert played.outcome.damage is None
    assert not played.outcome.passed
    assert (hit.number, hit.va, hit.location) == (number, 4, "torso")
    assert not played.table.characters["a"].weapons[2].loaded


@pytest.mark.parametrize(
    ("choice", "location"), [("torso", "torso"), ("hands", "arms"), ("head", "head")]
)
def test_where_a_backfire_hits_is_a_reading(choice: str, location: str) -> None:
    at = field({"weapons_backfire_location": choice})
    hit = shoot(at, [[1], [1], [6]], weapon="pistol").outcome.backfire
    assert hit.location == location


def test_a_crossbow_is_empty_after_the_shot_and_a_bow_is_not() -> None:
    shot = shoot(field(), [0], weapon="crossbow")
    with pytest.raises(NotAllowed, match="The crossbow is not loaded"):
        shoot(shot.table, [], weapon="crossbow")
    assert (
        play("reload", {"character": "a", "weapon": "crossbow"}, shot.table).outcome.actions == 16
    )
    again = shoot(field(), [0])
    assert shoot(again.table, [0]).outcome.successes == 0
    with pytest.raises(NotAllowed, match="A has no crossbow or gun that is not loaded"):
        play("reload", {"character": "a", "weapon": "crossbow"}, field())
    with pytest.raises(BadInput, match="a gun that is not loaded"):
        play("reload", {"character": "a", "weapon": "hunting bow"}, shot.table)


# --- Odds ----------------------------------------------------------------------------------


def test_the_odds_of_a_shot_are_those_of_brute_force() -> None:
    at = field(skills={"Bow": "B3"})
    procedure = GAME.procedure("shoot")
    raw = {"character": "a", "target": "b", "weapon": "hunting bow"}
    start = procedure.start(GAME.read(raw, procedure.arguments, "arguments"), at)
    began = time.process_time()
    odds = exact(start, defaults)
    assert time.process_time() - began < 1
    found: Counter[int] = Counter()
    for outcome, weight in odds.weights.items():
        found[outcome.damage.number if outcome.damage else 0] += weight
    # Three dice: 1, 3, 3, 1 of eight for 0 to 3 successes; at Ob 2 three of them add 1 to the die.
    expected: Counter[int] = Counter()
    for successes, ways in enumerate((1, 3, 3, 1)):
        for face in range(1, 7):
            if successes < 2:
                expected[0] += ways
            else:
                result = min(6, face + (successes > 2))
                expected[4 if result <= 2 else 7 if result <= 4 else 10] += ways
    total, other = sum(found.values()), sum(expected.values())
    assert {n: w * other for n, w in found.items()} == {n: w * total for n, w in expected.items()}


@pytest.mark.rules("weapons.thrown.power", "armor.va.obstacle_penalty")
@pytest.mark.parametrize(
    ("weapon", "mark", "va"),
    [
        ("spear", 6, 1),
        ("poor spear", 5, 0),
        ("superior spear", 6, 2),
        ("sword", 7, 0),
        ("superior sword", 7, 1),
        ("javelin", 6, 1),  # has a line of its own
    ],
)
def test_what_is_thrown_is_as_good_as_it_is_in_the_hand(weapon: str, mark: int, va: int) -> None:
    """weapons.amb.thrown_dof_general: Power 4 with that of the weapon, of its own quality."""
    hit = throw(field(weapons=[weapon]), [2, [4]], weapon=weapon).outcome.damage
    assert (hit.stage, hit.number, hit.va) == (Stage.MARK, mark, va)


@pytest.mark.rules("weapons.thrown.power", "weapons.thrown.dof")
@pytest.mark.parametrize(
    ("weapon", "mark"), [("hatchet", 6), ("light axe", 7), ("sweet axe", 7), ("thrown axe", 7)]
)
def test_hatchets_and_axes_are_thrown_by_their_own_lines(weapon: str, mark: int) -> None:
    """weapons.amb.thrown_dof_general: a 4 is Incidental, only a 5 is a Mark, and there is no VA."""
    at = field(weapons=[weapon])
    glance = throw(at, [2, [4]], weapon=weapon).outcome.damage
    assert (glance.stage, glance.number, glance.va) == (Stage.INCIDENTAL, (mark + 1) // 2, 0)
    hit = throw(at, [2, [5]], weapon=weapon).outcome.damage
    assert (hit.stage, hit.number, hit.va) == (Stage.MARK, mark, 0)
    with pytest.raises(BadInput, match="at most 12 paces"):
        throw(at, [2], weapon=weapon, paces=13)


@pytest.mark.rules("weapons.thrown.dof")
def test_nobody_throws_bare_fists() -> None:
    here = table(a={"stats": {"Power": "B4", "Agility": "B4"}})
    with pytest.raises(BadInput, match=r"weapons\.thrown\.dof"):
        play("throw_weapon", {"character": "a"}, here)
