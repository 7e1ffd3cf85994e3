"""Shooting through something: whether it goes, how hard it is, and what the die makes of it."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.materials.materials import material_named, materials
from astragal.games.burning_wheel.materials.shooting_through import (
    ShootThrough,
    cover_penalty,
    fate_penalty,
    goes_through,
    shoot_through,
)
from astragal.games.burning_wheel.sheet.scene import MaterialSection
from astragal.games.burning_wheel.weapons.damage import Ims
from astragal.play import exact, then
from games.burning_wheel.in_a_fight import FIGHTER as FOOT
from games.burning_wheel.on_horseback import BOWMAN, KNIGHT, ridden
from games.burning_wheel.playing import AnyRolls, Played, play, table

ARCHER: dict[str, Any] = {
    "stats": {"Power": "B4", "Agility": "B4"},
    "skills": {"Bow": "B6", "Crossbow": "B6", "Throwing": "B6", "Firearms": "B6"},
    "weapons": ["hunting bow", "great bow", "crossbow", "javelin", "pistol"],
}
"""Hunting bow B7 VA 1, great bow B8 VA 2, crossbow B8 VA 2, javelin B6 VA 1, pistol B8."""


def shoot(
    material: str,
    weapon: str,
    rolls: AnyRolls,
    answers: dict[str, Any] | None = None,
    options: dict[str, str] | None = None,
    **more: Any,
) -> Played:
    here = table(options=options, archer=ARCHER)
    arguments = {"character": "archer", "weapon": weapon, "material": material, **more}
    return play("shoot_through", arguments, here, answers, rolls)


@pytest.mark.rules("materials.shoot.requirement")
@pytest.mark.parametrize(
    ("mark", "passes"),
    [
        (4, {"pottery", "copper sheet"}),
        (7, {"pottery", "copper sheet", "cloth", "glass window", "thin wall"}),
        (
            8,
            {
                "pottery",
                "copper sheet",
                "cloth",
                "glass window",
                "thin wall",
                "heavy door",
                "brick wall",
            },
        ),
    ],
)
def test_a_mark_that_equals_breach_goes_through(mark: int, passes: set[str]):
    numbers = Ims(0, mark, 0)
    assert {name for name, made in materials().items() if goes_through(numbers, made)} == passes


@pytest.mark.rules("materials.shoot.requirement")
def test_what_cannot_go_through_is_not_even_shot():
    held = shoot("brick wall", "hunting bow", [])
    assert (held.outcome.through, held.outcome.shot) == (False, None)
    assert not held.changed
    assert shoot("brick wall", "great bow", [0]).outcome.through


@pytest.mark.rules("materials.shoot.ob_partial", "materials.shoot.ob_unseen")
def test_hidden_parts_are_at_two_and_the_unseen_at_three():
    partial, unseen = (cover_penalty(unseen=each) for each in (False, True))
    assert (partial.amount, partial.rule) == (2, "materials.shoot.ob_partial")
    assert (unseen.amount, unseen.rule) == (3, "materials.shoot.ob_unseen")
    assert shoot("cloth", "great bow", [0]).outcome.shot.obstacle.total == 3
    assert shoot("cloth", "great bow", [0], unseen=True).outcome.shot.obstacle.total == 4


def test_the_penalty_stands_for_all_cover():
    """materials.amb.shoot_ob_stack: Fight!'s own rows for cover are not offered beside it."""
    played = shoot("cloth", "great bow", [0])
    offered = {o.key for o in played.asks["hindrances"].question.options}  # type: ignore[attr-defined]
    assert not any("cover" in key for key in offered)
    assert "smoke_or_haze" in offered
    # in Range and Cover the base is that of open ground: 2 at optimal range
    far = shoot("cloth", "great bow", [0], range="optimal")
    open_ground = play(
        "shoot", {"character": "archer", "weapon": "great bow"}, table(archer=ARCHER), rolls=[0]
    )
    assert far.outcome.shot.obstacle.total == open_ground.outcome.obstacle.total + 2


@pytest.mark.rules("materials.shoot.normal_roll")
def test_otherwise_it_is_a_shot_like_any_other():
    """Penalties, the snapshot, the head, the log and the empty crossbow."""
    played = shoot(
        "cloth",
        "crossbow",
        [2],
        {"hindrances": ["smoke_or_haze"]},
        acquired=False,
    )
    assert played.outcome.shot.obstacle.total == 1 + 2 + 2 + 2
    assert not played.outcome.passed
    assert played.changed["archer.weapons.2.loaded"] is False
    assert sum(played.changed[key] for key in played.changed if "log" in key) == 1
    with pytest.raises(NotAllowed, match="not loaded"):
        play(
            "shoot_through",
            {"character": "archer", "weapon": "crossbow", "material": "cloth"},
            played.table,
        )
    fisted = shoot("cloth", "crossbow", [4, [2]], head="fisted bolt")
    assert (fisted.outcome.mark, fisted.outcome.shot.obstacle.total) == ("B9", 4)
    assert fisted.outcome.shot.fate.total == 3
    assert not shoot("heavy door", "crossbow", [], head="spear tip").outcome.through  # B7


@pytest.mark.rules("materials.shoot.dof_penalty")
def test_strength_is_taken_off_the_die():
    """A javelin (VA 1) through a thin wall (Strength 1), and through bricks (3) by a strong arm."""
    assert shoot("thin wall", "javelin", [3, [3]]).outcome.shot.fate.total == 3
    strong = {**ARCHER, "stats": {"Power": "B6", "Agility": "B4"}}
    here = table(archer=strong)
    arguments = {"character": "archer", "weapon": "javelin", "material": "brick wall"}
    for face, stage in ((6, "mark"), (5, "mark"), (4, "incidental"), (3, "incidental")):
        played = play("shoot_through", arguments, here, rolls=[3, [face]])
        assert played.outcome.penalty.total == -2  # 3 - 1
        assert played.outcome.shot.fate.total == face - 2
        assert played.outcome.shot.damage.stage.value == stage


@pytest.mark.rules("materials.shoot.va_offsets")
@pytest.mark.parametrize(
    ("material", "va", "penalty"),
    [
        ("heavy door", 2, 0),
        ("heavy door", 1, -1),
        ("heavy door", 0, -2),
        ("brick wall", 2, -1),
        ("granite wall", 1, -4),
        ("thin wall", 4, 0),
        ("cloth", 0, 0),
    ],
)
def test_va_comes_off_strength_and_never_helps_beyond(material: str, va: int, penalty: int):
    """materials.amb.va_above_strength."""
    assert fate_penalty(material_named(material), va).total == penalty


def test_va_still_counts_in_full_against_armor():
    """materials.amb.va_above_strength."""
    assert shoot("heavy door", "crossbow", [3, [4]]).outcome.shot.damage.va == 2


def test_the_crossbow_is_that_of_the_appendix():
    """materials.amb.crossbow_incidental: B4, B8 and B11."""
    numbers = [
        shoot("heavy door", "crossbow", [3, [face]]).outcome.shot.damage.number
        for face in (1, 3, 6)
    ]
    assert numbers == [4, 8, 11]


@pytest.mark.rules("materials.shoot.dof_zero")
def test_nothing_left_of_the_die_is_a_hit_without_damage():
    none = shoot("brick wall", "great bow", [3, [1]])  # 1 - (3 - 2)
    assert none.outcome.passed
    assert none.outcome.shot.fate.total == 0
    assert none.outcome.shot.damage is None
    assert "taken all the force" in none.told
    assert "B4" not in none.told
    some = shoot("brick wall", "great bow", [3, [2]])
    assert some.outcome.shot.damage.number == 4


def test_the_zero_is_that_of_the_whole():
    """materials.amb.dof_total: die, bonus for extra successes and penalty together."""
    bonus = shoot("brick wall", "great bow", [6, [1]])  # twice Ob 3: +2
    assert bonus.outcome.shot.fate.total == 2
    assert bonus.outcome.shot.damage is not None


def test_the_hole_counts_as_the_group_has_it():
    """materials_missile_hole_counts: no, yes."""
    small = shoot("glass window", "great bow", [0], options={"materials_missile_hole_counts": "no"})
    assert small.outcome.breaches == 0
    assert not small.table.scene.sections
    large = shoot("thin wall", "great bow", [0], options={"materials_missile_hole_counts": "yes"})
    assert large.table.scene.sections == (MaterialSection("thin wall", "thin wall", breaches=1),)
    gone = shoot("glass window", "great bow", [0], options={"materials_missile_hole_counts": "yes"})
    arguments = {"character": "archer", "weapon": "great bow", "section": "glass window"}
    with pytest.raises(NotAllowed):
        play("shoot_through", arguments, gone.table)


def test_only_what_is_hidden_is_hit():
    legs = shoot("thin wall", "great bow", [3, [4]], hidden=("legs", "arms"))
    assert legs.outcome.shot.damage.location == "legs"
    aimed = shoot("thin wall", "great bow", [5, [4]], {"aim": "head"}, unseen=False)
    assert aimed.outcome.shot.damage.location == "head"
    whole = shoot(
        "thin wall", "great bow", [6, [4]], {"aim": "head"}, hidden=("legs",), unseen=True
    )
    assert whole.outcome.shot.damage.location == "head"  # nothing of him is in the open


def test_a_gun_may_misfire():
    jammed = shoot("heavy door", "pistol", [[1], [5]])
    assert jammed.outcome.shot.misfire.value == "jam"
    fired = shoot("heavy door", "pistol", [[2], 3, [5]])
    assert fired.outcome.shot.damage.number == 8


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ({"range": "far"}, "range"),
        ({"hidden": ["elbow"]}, "hidden[0]"),
        ({"material": "butter"}, "material"),
        ({"weapon": "sword"}, "weapon"),
        ({"head": "spoon"}, "head"),
    ],
)
def test_bad_shots_are_refused_by_the_place(arguments: dict[str, Any], place: str):
    sound = {"character": "archer", "weapon": "great bow", "material": "cloth"}
    with pytest.raises(BadInput) as refused:
        play("shoot_through", {**sound, **arguments}, table(archer=ARCHER))
    assert refused.value.place == place


def test_odds_of_a_shot_through_bricks():
    """6D against Ob 3, then by hand: 1 on the die is nothing unless the successes help it."""
    walked = exact(
        then(
            shoot_through,
            ShootThrough("archer", weapon="great bow", material="brick wall"),
            table(archer=ARCHER),
        )
    )
    ways = [1, 6, 15, 20, 15, 6, 1]  # of 64
    hits, barely = sum(ways[3:]), ways[3]
    found = walked.map(lambda o: (o.passed, o.shot.damage is not None)).weights
    total = sum(found.values())
    assert found[(False, False)] * 64 == (64 - hits) * total
    # exactly three successes: no bonus, so a 1 is 0; with more than three there is +1 at least
    assert found[(True, False)] * 64 * 6 == barely * total


@pytest.mark.parametrize(
    ("left", "complaint"),
    [
        ({"heartbeats": 2, "reaction": "stand_and_drool"}, "hesitates for"),
        ({"heartbeats": 0, "reaction": "", "dropped": "crossbow"}, "has dropped crossbow"),
    ],
)
@pytest.mark.parametrize("procedure", ["shoot_through", "break_through", "hack"])
def test_nobody_attacks_while_hesitating_or_with_what_was_dropped(
    procedure: str, left: dict[str, Any], complaint: str
):
    armed = {**ARCHER, "weapons": ["crossbow", "sword"]}
    weapon = "crossbow" if procedure == "shoot_through" else "sword"
    dropped = {"dropped": weapon} if "dropped" in left else {}
    here = table({"hesitating": [{"character": "archer", **left, **dropped}]}, archer=armed)
    arguments = {"character": "archer", "weapon": weapon, "material": "cloth"}
    with pytest.raises(NotAllowed, match=complaint.replace("crossbow", weapon)):
        play(procedure, arguments, here)


@pytest.mark.rules("materials.shoot.requirement")
def test_a_bomb_is_not_shot_through_anything():
    here = table(archer={**ARCHER, "weapons": ["iron-cased bomb"]})
    arguments = {"character": "archer", "weapon": "iron-cased bomb", "material": "cloth"}
    with pytest.raises(BadInput, match="not a bomb") as refused:
        play("shoot_through", arguments, here)
    assert (refused.value.place, refused.value.rule) == ("weapon", "materials.shoot.requirement")


@pytest.mark.rules("materials.shoot.normal_roll", "materials.break.ob_penalty")
@pytest.mark.parametrize(
    ("through", "plain", "weapon", "wall"),
    [("shoot_through", "shoot", "hunting bow", 2), ("break_through", "strike", "sword", 2)],
)
def test_what_the_saddle_does_counts_through_a_wall_as_well(through, plain, weapon, wall):
    """The dice from above, and what a horse that closes in adds, but for the wall itself."""
    rider = BOWMAN if plain == "shoot" else KNIGHT
    at = ridden({**rider, "weapons": [weapon]}, bob=FOOT)
    said = {"mount_moves": "closing"}
    arguments = {"character": "ann", "target": "bob", "weapon": weapon}
    near = {"range": "close"} if plain == "shoot" else {}
    one = play(plain, {**arguments, **near}, at, said, [0])
    cloth = {"material": "cloth", **({"unseen": False} if plain == "shoot" else {})}
    other = play(through, {**arguments, **cloth}, at, said, [0])
    hit = other.outcome.shot if plain == "shoot" else other.outcome.strike
    assert hit.dice.total == one.outcome.dice.total
    assert hit.obstacle.total == one.outcome.obstacle.total + wall
    assert "+ 1 from the saddle" in other.told or "weight from the saddle" in other.told
    assert other.seats["mount_moves"] == "gm"
