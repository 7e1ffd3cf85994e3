"""Thrown against the wall: surfaces, numbers, landing, armor and wounds."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.armor.hits import is_hard
from astragal.games.burning_wheel.materials.thrown_against import (
    stage_of_throw,
    strength_of,
    throw_numbers,
)
from astragal.games.burning_wheel.sheet.armor_tables import ArmorPiece, armor_types, normal_piece
from games.burning_wheel.playing import AnyRolls, Played, play, table

VICTIM: dict[str, Any] = {
    "stats": {"Power": "B4", "Forte": "B4", "Will": "B4"},
    "tolerances": ["B3", "B5", "B7", "B9", "B11", "B13"],
}


def throw(
    margin: int,
    surface: str = "heavy door",
    answers: dict[str, Any] | None = None,
    rolls: AnyRolls | None = (),
    power: str = "B5",
    **victim: Any,
) -> Played:
    here = table(zhu={"stats": {"Power": power}}, victim={**VICTIM, **victim})
    arguments = {
        "character": "zhu",
        "target": "victim",
        "successes": 3 + margin,
        "defence": 3,
        "surface": surface,
    }
    return play("throw_against", arguments, here, answers, rolls)


@pytest.mark.parametrize(("armor", "kind"), [("chainmail", "offered"), (None, "aside")])
def test_where_one_lands_is_waited_for_only_if_armor_makes_a_difference(armor: Any, kind: str):
    more = {"armor": armor, "training": ["Armor Training"]} if armor else {}
    assert throw(1, "ground", None, None, **more).asks["landing"].kind == kind


@pytest.mark.rules("materials.throw.what", "materials.stat.strength")
def test_walls_and_grounds_are_weapons():
    assert strength_of("Granite Wall") == 5
    assert strength_of("soft earth or mud") == -3
    assert strength_of("rock or pavement") == 4
    played = throw(1, "ground", {"ground": "rock or pavement"})
    assert played.seats["ground"] == "gm"
    assert played.outcome.mark.total == 5 + 4
    # materials.amb.throw_every_time: without a word it is the ground, of Strength 0
    assert throw(1, "ground").outcome.mark.total == 5
    with pytest.raises(BadInput, match="granite wall"):
        throw(1, "a pillow")


@pytest.mark.rules("materials.throw.successes")
@pytest.mark.parametrize(
    ("margin", "stage"),
    [
        (-2, None),
        (0, None),
        (1, "incidental"),
        (2, "incidental"),
        (3, "mark"),
        (4, "mark"),
        (5, "superb"),
        (9, "superb"),
    ],
)
def test_the_margin_is_a_strike_at_ob_one_with_add_two(margin: int, stage: str | None):
    found = stage_of_throw(margin)
    assert (found.value if found else None) == stage
    played = throw(margin, power="B3") if margin < 0 else throw(margin)
    assert played.outcome.passed == (stage is not None)
    if stage is not None:
        assert played.outcome.suffered.damage.stage.value == stage


@pytest.mark.rules("materials.throw.ims")
@pytest.mark.parametrize(
    ("power", "surface", "numbers"),
    [
        ("B6", "granite wall", "B6/B11/B16"),
        ("B5", "heavy door", "B4/B7/B10"),
        ("B4", "cloth", "B2/B4/B6"),
        ("B5", "soft earth or mud", "B1/B2/B3"),
        ("B3", "soft earth or mud", ""),
        ("B2", "soft earth or mud", ""),
    ],
)
def test_the_numbers_are_power_and_strength(power: str, surface: str, numbers: str):
    """materials.amb.ground_strengths: a Mark of nothing does no damage."""
    played = throw(1, surface, power=power)
    assert played.outcome.ims == numbers
    assert (played.outcome.suffered is None) == (not numbers)


@pytest.mark.rules("materials.throw.ims")
def test_half_rounded_up_and_half_again_rounded_down():
    for mark in range(1, 16):
        found = throw_numbers(mark)
        assert found is not None
        assert (found.incidental, found.mark, found.superb) == (-(-mark // 2), mark, mark * 3 // 2)


@pytest.mark.rules("materials.throw.distance")
@pytest.mark.parametrize("margin", [1, 2, 5])
def test_the_victim_flies_as_many_paces_as_the_margin(margin: int):
    answers = {"placement": "head"} if margin > 1 else {}
    played = throw(margin, answers=answers)  # paces cost nothing, whatever else is bought
    assert played.outcome.paces == margin
    assert throw(0).outcome.paces == 0


@pytest.mark.rules("materials.throw.va", "materials.throw.va_power_seven")
@pytest.mark.parametrize(("power", "va"), [("B1", 1), ("B6", 1), ("B7", 2), ("B9", 2)])
def test_all_throws_have_va(power: str, va: int):
    armor = {"torso": "full plate"}
    played = throw(1, "heavy door", rolls=[7], power=power, armor=armor)
    assert played.outcome.va.total == va
    assert played.outcome.suffered.armor.obstacle.total == 1 + va


# --- Armor -----------------------------------------------------------------------------------


@pytest.mark.rules("materials.throw.hard_armor_only")
@pytest.mark.parametrize(
    ("worn", "location", "hard"),
    [
        ("leather", "torso", False),
        ("quilting", "torso", False),
        ("chainmail", "torso", False),
        ("plated leather", "torso", True),
        ("plated mail", "torso", True),
        ("full plate", "torso", True),
        ("skull cap", "head", False),
        ("hood", "head", False),
        ("chainmail", "head", False),
        ("war hat", "head", True),
        ("sallet", "head", True),
        ("spangenhelm", "head", True),
        ("great helm", "head", True),
    ],
)
def test_only_plates_and_helmets_are_tested(worn: str, location: str, hard: bool):
    """materials.amb.hard_armor."""
    answers = {} if location == "torso" else {"landing": location}
    rolls = [0] if hard else []
    played = throw(1, "heavy door", answers, rolls, armor={location: worn})
    armor = played.outcome.suffered.armor
    assert (armor is not None and armor.tested) == hard
    assert played.outcome.suffered.hurt.level == "Superficial"  # B4, through it or past it


def test_hard_armor_is_what_its_make_says_wherever_it_is_worn():
    for kind, where in product(armor_types(), ("torso", "left_leg", "head")):
        piece = ArmorPiece(**normal_piece(kind, where, where))
        assert is_hard(piece) == (kind in ("plated_leather", "plated_mail", "full_plate"))


def test_armor_that_holds_saves_from_the_wound():
    played = throw(3, "heavy door", rolls=[2], armor={"torso": "full plate"})
    assert played.outcome.suffered.armor.passed
    assert played.outcome.suffered.hurt is None
    assert not played.table.character("victim").wounds


# --- Landing ---------------------------------------------------------------------------------


@pytest.mark.rules("materials.throw.lands_on_back")
def test_the_victim_lands_on_his_back_or_says_where():
    plain = throw(1)
    assert plain.outcome.location == "torso"
    assert plain.seats["landing"] == "victim"
    assert "placement" not in plain.asked  # one success is all there is
    # materials.amb.default_location: his player may name another spot
    assert throw(1, answers={"landing": "legs"}).outcome.location == "legs"


@pytest.mark.rules("materials.throw.placement")
def test_the_thrower_knows_how_the_victim_lands_before_paying_to_change_it():
    run = throw(3, answers={"landing": "legs"})
    assert run.asked.index("landing") < run.asked.index("placement")
    leave, *others = run.asks["placement"].question.options
    assert "legs" in leave.label
    assert "legs" not in [option.key for option in others]  # nobody pays for what is so anyway
    assert (run.outcome.location, run.outcome.to_damage) == ("legs", 3)
    changed = throw(3, answers={"landing": "legs", "placement": "head"})
    assert (changed.outcome.location, changed.outcome.to_damage) == ("head", 2)


@pytest.mark.rules("materials.throw.placement")
def test_one_success_places_the_victim():
    """It is taken from those for damage: a margin of three is an Incidental then."""
    placed = throw(3, answers={"placement": "head"}, rolls=[0], armor={"head": "great helm"})
    assert placed.seats["placement"] == "zhu"
    assert placed.outcome.to_damage == 2
    assert placed.outcome.location == "head"
    assert placed.outcome.suffered.damage.stage.value == "incidental"
    assert placed.outcome.suffered.armor.location == "head"
    assert throw(3).outcome.suffered.damage.stage.value == "mark"


def test_fighting_distances_are_taken_from_damage_too():
    """materials.amb.throw_success_uses: two for each, and one success must be left."""
    far = throw(5, answers={"distances": 2})
    assert far.outcome.to_damage == 1
    assert far.outcome.suffered.damage.stage.value == "incidental"
    with pytest.raises(BadInput):
        throw(4, answers={"distances": 2})
    both = throw(4, answers={"placement": "arms", "distances": 1})
    assert (both.outcome.to_damage, both.outcome.distances) == (1, 1)
    assert "distances" not in throw(2).asked


def test_a_throw_need_not_hurt():
    """materials.amb.throw_every_time: the thrower decides."""
    gentle = throw(5, answers={"use_surface": False})
    assert gentle.outcome.passed
    assert gentle.outcome.suffered is None
    assert not gentle.changed


def test_the_wound_is_marked_and_pain_tests_the_nerves():
    attributes = {"Steel": "B6", "Health": "B4"}
    played = throw(5, "heavy door", rolls=[1], attributes=attributes)  # Superb B10
    assert played.outcome.suffered.hurt.level == "Severe"
    assert str(played.table.character("victim").wounds[0].at[0]) == "B10"
    assert played.outcome.suffered.hurt.steel.tested


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ({"successes": -1}, "successes"),
        ({"defence": 1000}, "defence"),
        ({"target": "nobody"}, "target"),
        ({"target": "zhu"}, "target"),
        ({"surface": "air"}, "surface"),
    ],
)
def test_bad_throws_are_refused_by_the_place(arguments: dict[str, Any], place: str):
    here = table(zhu={"stats": {"Power": "B4"}}, victim=VICTIM)
    sound = {"character": "zhu", "target": "victim", "successes": 3}
    with pytest.raises(BadInput) as refused:
        play("throw_against", {**sound, **arguments}, here)
    assert refused.value.place == place
