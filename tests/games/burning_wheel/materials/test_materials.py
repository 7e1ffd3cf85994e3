"""Materials: their statistics, hacking at them, and striking through them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.materials.breaking_through import BreakThrough, break_through
from astragal.games.burning_wheel.materials.hacking import HackResult, hacked, struck_by
from astragal.games.burning_wheel.materials.materials import material_named, materials
from astragal.games.burning_wheel.sheet.ratings import Coordinate
from astragal.games.burning_wheel.sheet.scene import MaterialSection
from astragal.play import exact, then
from astragal.rules import catalogue
from games.burning_wheel.formulas import formula
from games.burning_wheel.playing import Played, play, table

SMITH: dict[str, Any] = {
    "stats": {"Power": "B4", "Agility": "B4"},
    "skills": {"Sword": "B5", "Brawling": "B5", "Hammer": "B5"},
    "weapons": ["sword", "hammer", "dagger", "crossbow", "javelin"],
}
"""Fist B4, dagger B5, javelin B6, sword B7, hammer and crossbow B8."""


def at(step: str) -> Coordinate:
    return Coordinate.parse(step)


def hack(
    material: str, weapon: str = "", /, options: dict[str, str] | None = None, **more: Any
) -> Played:
    here = table(options=options, smith=SMITH)
    arguments = {"character": "smith", "material": material, "weapon": weapon, **more}
    return play("hack", arguments, here, rolls=[])


# --- Statistics ------------------------------------------------------------------------------


@pytest.mark.rules(
    "materials.stat.five",
    "materials.stat.surface",
    "materials.stat.breach",
    "materials.stat.destroyed",
    "materials.stat.integrity",
    "materials.stat.strength",
)
@pytest.mark.parametrize(
    ("name", "surface", "breach", "destroyed", "integrity", "strength"),
    [
        ("Cloth", "B4", "B5", "B10", 3, 0),
        ("glass window", "B3", "B5", "B6", 1, 1),
        ("Heavy  Door", "B5", "B8", "B12", 2, 2),
        ("earthworks", "B3", "B10", "B16", 8, 4),
    ],
)
def test_a_material_has_five_statistics(
    name: str, surface: str, breach: str, destroyed: str, integrity: int, strength: int
):
    found = material_named(name)
    assert [str(found.surface), str(found.breach), str(found.destroyed)] == [
        surface,
        breach,
        destroyed,
    ]
    assert (found.integrity, found.strength) == (integrity, strength)


@pytest.mark.rules("materials.stat.surface")
@pytest.mark.parametrize(
    ("name", "surface", "breach"),
    [
        ("cloth", 4, 5),
        ("pottery", 3, 4),
        ("thin wall", 4, 6),
        ("glass window", 3, 5),
        ("heavy door", 5, 8),
        ("brick wall", 6, 8),
        ("slate flooring", 6, 9),
        ("granite wall", 8, 14),
        ("iron sheet", 7, 12),
        ("copper sheet", 3, 4),
        ("earthworks", 3, 10),
    ],
)
def test_from_surface_to_breach_an_attack_leaves_a_scratch(name: str, surface: int, breach: int):
    made_of = material_named(name)
    assert struck_by(made_of, at(f"B{surface - 1}")).value == "nothing"
    for mark in range(surface, breach):
        assert struck_by(made_of, at(f"B{mark}")).value == "one scratch"
    assert struck_by(made_of, at(f"B{breach}")).value != "one scratch"
    # A shade of its own: the lightest gray Mark is above any black Surface.
    assert struck_by(made_of, at("G1")).value == "destroyed at once"


def test_every_material_gives_way_in_the_same_order():
    assert len(materials()) == 11
    for each in materials().values():
        assert each.surface < each.breach < each.destroyed
        assert each.integrity >= 1


def test_an_unknown_material_is_refused_with_what_is_like_it():
    with pytest.raises(BadInput, match="thin wall") as refused:
        hack("thin wal")
    assert refused.value.place == "material"
    assert refused.value.rule == "materials.stat.five"


@pytest.mark.rules("materials.scope.sections")
def test_a_whole_castle_is_not_hacked_to_pieces():
    here = table(smith=SMITH)
    arguments = {"character": "smith", "section": "the castle", "material": "granite wall"}
    with pytest.raises(NotAllowed) as refused:
        play("hack", arguments, here, {"one_section": False}, rolls=[])
    assert refused.value.rule == "materials.scope.sections"
    played = play("hack", {**arguments, "section": "the cellar window"}, here, rolls=[])
    assert played.seats["one_section"] == "gm"


# --- Hacking at it ---------------------------------------------------------------------------


@pytest.mark.rules(
    "materials.hack.below_surface",
    "materials.hack.scratch",
    "materials.hack.breach",
    "materials.hack.destroyed_outright",
    "materials.hack.like_wounding",
)
@pytest.mark.parametrize(
    ("mark", "expected"),
    [
        ("B1", HackResult.NOTHING),
        ("B4", HackResult.NOTHING),
        ("B5", HackResult.SCRATCH),
        ("B7", HackResult.SCRATCH),
        ("B8", HackResult.BREACH),
        ("B11", HackResult.BREACH),
        ("B12", HackResult.DESTROYED),
        ("G1", HackResult.DESTROYED),
    ],
)
def test_what_an_attack_does_to_a_heavy_door(mark: str, expected: HackResult):
    assert struck_by(material_named("heavy door"), at(mark)) is expected


@pytest.mark.rules("materials.hack.use_mark")
def test_hacking_takes_no_dice_and_does_the_mark():
    played = hack("heavy door", "sword")
    assert not played.rolls
    assert (played.outcome.mark, played.outcome.results) == ("B7", ("one scratch",))
    assert hack("heavy door", "hammer").outcome.results == ("one Breach",)


@pytest.mark.rules("materials.hack.below_surface")
def test_below_the_surface_nothing_happens():
    played = hack("heavy door")  # a fist of B4 against B5
    assert played.outcome.results == ("nothing",)
    assert not played.changed


@pytest.mark.rules("materials.hack.three_scratches")
def test_the_third_scratch_is_a_breach():
    here = table(smith=SMITH)
    arguments = {
        "character": "smith",
        "section": "the gate",
        "material": "heavy door",
        "weapon": "sword",
    }
    seen = []
    for _ in range(6):
        played = play("hack", arguments, here, rolls=[])
        here = played.table
        gate = here.scene.sections[0]
        seen.append((gate.scratches, gate.breaches, gate.destroyed))
        arguments = {"character": "smith", "section": "The Gate", "weapon": "sword"}
    assert seen == [
        (1, 0, False),
        (2, 0, False),
        (0, 1, False),
        (1, 1, False),
        (2, 1, False),
        (0, 2, True),
    ]
    assert len(here.scene.sections) == 1


@pytest.mark.rules("materials.hack.integrity_spent", "materials.stat.integrity")
def test_as_many_breaches_as_its_integrity_destroy_a_section():
    assert not hack("heavy door", "hammer").outcome.destroyed
    both = hack("heavy door", "hammer", attacks=2)
    assert (both.outcome.breaches, both.outcome.destroyed) == (2, True)
    assert hack("brick wall", "hammer").outcome.destroyed  # Integrity 1


@pytest.mark.rules("materials.hack.destroyed_outright", "materials.stat.destroyed")
def test_a_mark_that_reaches_destroyed_wrecks_it_whatever_its_integrity():
    played = hack("glass window", "javelin", shot=True)  # B6 against B6
    assert (played.outcome.breaches, played.outcome.destroyed) == (0, True)
    again = {"character": "smith", "section": "glass window"}
    with pytest.raises(NotAllowed) as refused:
        play("hack", again, played.table, rolls=[])
    assert refused.value.rule == "materials.hack.destroyed_outright"


def test_one_may_hack_until_it_gives_way():
    """materials.amb.time_each_hack: each attack is one action, or takes what the GM says."""
    here = table(smith=SMITH)
    arguments = {"character": "smith", "material": "thin wall", "weapon": "dagger", "attacks": 0}
    played = play("hack", arguments, here, {"time": "10 minutes"}, rolls=[])
    # B5 scratches (B4 to B5): four Breaches of three scratches each
    assert (played.outcome.attacks, played.outcome.breaches) == (12, 4)
    assert played.outcome.seconds == 600
    assert hack("granite wall", attacks=0).outcome.attacks == 1


@pytest.mark.rules("materials.hack.integrity_spent", "materials.stat.integrity")
def test_what_is_known_by_its_material_alone_is_still_the_same_section():
    """A heavy door has Integrity 2: two attacks of one Breach each, named or not."""
    for named in ({}, {"section": "the gate"}):
        first = hack("heavy door", "hammer", **named)
        assert (first.outcome.breaches, first.outcome.destroyed) == (1, False)
        arguments = {"character": "smith", "material": "heavy door", "weapon": "hammer", **named}
        second = play("hack", arguments, first.table, rolls=[])
        assert (second.outcome.breaches, second.outcome.destroyed) == (2, True)
        assert len(second.table.scene.sections) == 1


def test_whatever_raises_the_mark_counts():
    """materials.amb.attack_kinds: a Great Strike and a lighter Power do."""
    assert hack("heavy door", "sword", great_strike=True).outcome.mark == "B8"
    with pytest.raises(NotAllowed) as refused:
        hack("heavy door", "dagger", great_strike=True)
    assert refused.value.rule == "weapons.melee.note_great_strike"
    troll = {"stats": {"Power": "G4", "Agility": "B4"}, "weapons": ["sword"]}
    here = table(troll=troll)
    arguments = {"character": "troll", "weapon": "sword", "material": "brick wall"}
    plain = play("hack", arguments, here, rolls=[])
    strong = play("hack", arguments, here, {"power_bonus": True}, rolls=[])
    assert (plain.outcome.mark, strong.outcome.mark) == ("B7", "B9")
    fist = play("hack", {"character": "troll", "material": "brick wall"}, here, rolls=[])
    assert fist.outcome.mark == "B6"


def test_bare_hands_and_great_strikes():
    """fight_great_strike_unarmed decides, here as in a fight."""
    assert hack("cloth", great_strike=True).outcome.mark == "B5"
    with pytest.raises(NotAllowed) as refused:
        hack(
            "cloth",
            options={"fight_great_strike_unarmed": "marked_weapons_only"},
            great_strike=True,
        )
    assert refused.value.rule == "fight.amb.great_strike_unarmed"
    armed = {"fight_great_strike_unarmed": "marked_weapons_only"}
    assert hack("heavy door", "sword", options=armed, great_strike=True).outcome.mark == "B8"


def test_neither_va_nor_strength_plays_a_part():
    """materials.amb.attack_kinds: hammer and crossbow, VA 2 each, do what their Mark does."""
    assert hack("granite wall", "hammer").outcome.results == ("one scratch",)  # Strength 5, B8
    assert hack("copper sheet", "hammer").outcome.results == ("one Breach",)


def test_missiles_hack_as_the_group_has_it():
    """materials_missiles_hack: gm_each_time, always, never."""
    asked = hack("heavy door", "crossbow", options={"materials_missiles_hack": "gm_each_time"})
    assert asked.seats["missile_hacks"] == "gm"
    assert asked.outcome.results == ("one Breach",)
    assert asked.changed["smith.weapons.3.loaded"] is False
    here = table(smith=SMITH)
    arguments = {"character": "smith", "material": "heavy door", "weapon": "crossbow"}
    with pytest.raises(NotAllowed) as refused:
        play("hack", arguments, here, {"missile_hacks": False}, rolls=[])
    assert refused.value.rule == "materials.amb.attack_kinds"
    always = hack("heavy door", "crossbow", options={"materials_missiles_hack": "always"})
    assert "missile_hacks" not in always.asked
    with pytest.raises(NotAllowed):
        hack("heavy door", "crossbow", options={"materials_missiles_hack": "never"})
    never = hack("heavy door", "sword", options={"materials_missiles_hack": "never"})
    assert never.outcome.results == ("one scratch",)


def test_an_empty_crossbow_does_nothing():
    here = hack("heavy door", "crossbow").table
    with pytest.raises(NotAllowed, match="not loaded"):
        play("hack", {"character": "smith", "material": "heavy door", "weapon": "crossbow"}, here)


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ({"attacks": -1}, "attacks"),
        ({"attacks": 1000}, "attacks"),
        ({"material": ""}, "material"),
        ({"weapon": "a spoon"}, "weapon"),
        ({"character": "nobody"}, "character"),
    ],
)
def test_bad_hacking_is_refused_by_the_place(arguments: dict[str, Any], place: str):
    sound = {"character": "smith", "material": "cloth"}
    with pytest.raises(BadInput) as refused:
        play("hack", {**sound, **arguments}, table(smith=SMITH), rolls=[])
    assert refused.value.place == place


def test_a_section_stays_what_it_is_made_of():
    here = hack("heavy door", "sword", section="the gate").table
    arguments = {"character": "smith", "section": "the gate", "material": "cloth"}
    with pytest.raises(BadInput, match="heavy door"):
        play("hack", arguments, here, rolls=[])


@given(
    name=st.sampled_from(sorted(materials())),
    marks=st.lists(st.integers(1, 20), min_size=1, max_size=40),
)
def test_a_section_wears_out_by_plain_counting(name: str, marks: list[int]):
    """Against a count of all attacks at once; a destroyed section never stands again."""
    made_of = material_named(name)
    surface, breach, destroyed = (
        step.place for step in (made_of.surface, made_of.breach, made_of.destroyed)
    )
    section = MaterialSection(name, name)
    for count, mark in enumerate(marks, 1):
        section, _ = hacked(section, made_of, Coordinate(mark))
        so_far = marks[:count]
        holes = sum(breach <= m < destroyed for m in so_far)
        scratches = sum(surface <= m < breach for m in so_far)
        wrecked = any(m >= destroyed for m in so_far) or holes + scratches // 3 >= made_of.integrity
        assert section.destroyed == wrecked
        assert 0 <= section.scratches < 3
        assert section.breaches <= made_of.integrity
        if wrecked:
            break
        assert (section.breaches, section.scratches) == (holes + scratches // 3, scratches % 3)


# --- Breaking through ------------------------------------------------------------------------


def through(
    material: str,
    successes: int | None,
    weapon: str = "",
    answers: dict[str, Any] | None = None,
    **sheet: Any,
) -> Played:
    here = table(smith={**SMITH, **sheet}, victim={"stats": {"Forte": "B4"}})
    arguments = {
        "character": "smith",
        "target": "victim",
        "weapon": weapon,
        "material": material,
    }
    rolls = [] if successes is None else [successes]
    return play("break_through", arguments, here, answers, rolls)


@pytest.mark.rules("materials.break.requirement")
def test_a_strike_gets_through_only_if_its_mark_reaches_breach():
    held = through("heavy door", None, "sword")  # B7 against B8
    assert (held.outcome.through, held.outcome.strike) == (False, None)
    assert not held.changed
    assert through("heavy door", 3, "hammer").outcome.through  # B8: equal is enough


@pytest.mark.rules("materials.break.ob_penalty")
def test_striking_through_is_harder_by_two_or_more():
    assert through("cloth", 3, "sword").outcome.strike.obstacle.total == 3
    harder = through("cloth", 5, "sword", {"through_obstacle": 4})
    assert harder.outcome.strike.obstacle.total == 5
    assert harder.seats["through_obstacle"] == "gm"
    with pytest.raises(BadInput):
        through("cloth", 3, "sword", {"through_obstacle": 1})
    missed = through("cloth", 2, "sword")
    assert not missed.outcome.passed
    assert missed.outcome.strike.damage is None


@pytest.mark.rules("materials.break.add_strength_to_add", "materials.break.minimum_incidental")
@pytest.mark.parametrize(
    ("successes", "number"),
    [(3, 4), (4, 4), (5, 4), (6, 7), (8, 7), (9, 10)],
)
def test_each_stage_costs_add_and_strength(successes: int, number: int):
    """A sword (Add 2, B4/B7/B10) through a thin wall (Strength 1): 3 for a Mark, 6 for a Superb.

    materials.amb.break_superb_cost.
    """
    skills = {"Sword": {"rating": "B9"}}
    played = through("thin wall", successes, "sword", skills=skills)
    assert played.outcome.strike.damage.number == number
    assert str(played.outcome.add) == "3 = 2 sword + 1 thin wall"


def test_va_takes_nothing_off_strength_in_melee():
    """materials.amb.break_va: a hammer of VA 2 through a heavy door of Strength 2."""
    assert through("heavy door", 3, "hammer").outcome.add.total == 4


def test_the_blow_makes_one_breach_whoever_it_hits():
    """materials.amb.break_damages_wall."""
    missed = through("thin wall", 0, "sword")
    assert missed.outcome.breaches == 1
    assert missed.table.scene.sections == (MaterialSection("thin wall", "thin wall", breaches=1),)
    assert through("glass window", 3, "sword").outcome.destroyed


@pytest.mark.parametrize(("material", "need"), [("cloth", 0), ("thin wall", 1)])
def test_odds_of_striking_through(material: str, need: int):
    """5D of Brawling by hand: a B8 fist needs Ob 3, and 2 + Strength more for a Mark."""
    skills = {"Brawling": "B5"}
    here = table(roy={"stats": {"Power": "B8", "Agility": "B4"}, "skills": skills})
    start = then(break_through, BreakThrough("roy", material=material), here)
    walked = exact(start)
    ways = [1, 5, 10, 10, 5, 1]
    hits = sum(ways[3:])
    marks = sum(ways[5 + need :])
    found = walked.map(lambda o: o.strike.damage.stage.value if o.strike.damage else "miss").weights
    total = sum(found.values())
    assert found["miss"] * 32 == (32 - hits) * total
    assert found.get("mark", 0) * 32 == marks * total


def test_what_a_mark_does_is_coded_as_it_is_worded():
    """The second reader: the table's own comparisons, worked out for every Mark."""
    made_of = material_named("thin wall")
    steps = {
        "Surface": made_of.surface.place,
        "Breach": made_of.breach.place,
        "Destroyed": made_of.destroyed.place,
    }
    for place in range(1, made_of.destroyed.place + 3):
        mark = Coordinate(place)
        (worded,) = (
            row["result"]
            for row in catalogue().table("materials.table.hack_result").records()
            if formula(row.text("mark_compared"))({"Mark": mark.place, **steps})
        )
        assert struck_by(made_of, mark).value == worded
