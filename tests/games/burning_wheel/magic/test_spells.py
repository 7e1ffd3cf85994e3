"""Spell records: how sheets write them, what the book says, and codes beside words."""

from __future__ import annotations

import re
from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.sheet.spells import facets, known_spells, units
from astragal.rules import Record, catalogue
from games.burning_wheel.playing import play, sheet
from games.burning_wheel.spellcasting import LIGHT, at_table, wizard


def spell(value: Any) -> Any:
    return sheet(**wizard(value)).spells[0]


@pytest.mark.rules("sorcery.facet.list", "sorcery.facet.resource_points")
def test_a_record_has_eight_facets_and_a_cost():
    said = play("look_up_spells", {"entry": "arcane kind"}, at_table(), rolls=[]).outcome.entries
    ((name, text),) = said
    assert name == "Arcane Kindness"
    assert [part.split(" ")[0] for part in text.split("; ")] == [
        "Element",
        "Impetus",
        "Origin",
        "Duration",
        "Area",
        "Obstacle",
        "Actions",
        "Effect",
        "Resource",
    ]
    for facet in ("Element Anima", "Impetus Enhance", "Origin Personal", "Duration Sustained"):
        assert facet in text.split("; ")
    for facet in ("Area of Effect Caster", "Obstacle 4^", "Actions 10", "Resource Points 16"):
        assert facet in text.split("; ")


def test_the_whole_list_of_the_book_can_be_looked_up():
    said = play("look_up_spells", {}, at_table(), rolls=[]).outcome.entries
    assert len(said) == len(catalogue().table("sorcery.table.known_spells").rows) == 27
    with pytest.raises(BadInput, match="Arcane Kindness"):
        play("look_up_spells", {"entry": "Fireball"}, at_table())


def test_a_name_is_a_spell_of_the_book_and_what_is_said_goes_first():
    plain = spell("magesense")
    assert (plain.name, plain.obstacle, plain.unit) == ("Magesense", (4,), "10s of Paces")
    own = spell({"name": "Magesense", "obstacle": 6, "area": "Presence"})
    assert (own.obstacle, own.area, own.unit, own.duration) == ((6,), "Presence", "", "Sustained")


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ({"obstacle": "2-4"}, {"obstacle": (2, 3, 4)}),
        ({"obstacle": [2, 5]}, {"obstacle": (2, 5)}),
        ({"obstacle": "caster's Will"}, {"caster_stat": "Will", "obstacle": ()}),
        ({"obstacle": "target's Forte"}, {"target_stat": "Forte"}),
        ({"obstacle": "target's Will^"}, {"target_stat": "Will", "up": True}),
        ({"obstacle": "2, 4,7"}, {"obstacle": (2, 4, 7)}),
        ({"obstacle": "4^"}, {"obstacle": (4,), "up": True}),
        ({"obstacle": "5", "up": True}, {"obstacle": (5,), "up": True}),
        ({"actions": "12"}, {"actions": 12, "times_obstacle": False}),
        ({"actions": "x3"}, {"actions": 3, "times_obstacle": True}),
        ({"area": "Miles"}, {"area": "Measured Area", "unit": "Miles"}),
        ({"duration": "Hours"}, {"duration": "Elapsed Time", "time_unit": "hours"}),
    ],
)
def test_shorthand_is_written_out(written: dict[str, Any], found: dict[str, Any]):
    read = spell({"name": "Mine", **written})
    assert {name: getattr(read, name) for name in found} == found


@pytest.mark.parametrize(
    ("field", "value", "rule"),
    [
        pytest.param(
            "element",
            "Void",
            "sorcery.element.definition",
            marks=pytest.mark.rules("sorcery.element.definition"),
        ),
        pytest.param(
            "impetus",
            "Transmute",
            "sorcery.impetus.definition",
            marks=pytest.mark.rules("sorcery.impetus.definition"),
        ),
        pytest.param(
            "origin",
            "Anywhere",
            "sorcery.origin.definition",
            marks=pytest.mark.rules("sorcery.origin.definition"),
        ),
        pytest.param(
            "duration",
            "Eternal",
            "sorcery.duration.kinds",
            marks=pytest.mark.rules("sorcery.duration.kinds"),
        ),
        pytest.param(
            "area", "World", "sorcery.area.kinds", marks=pytest.mark.rules("sorcery.area.kinds")
        ),
        ("unit", "Leagues", "sorcery.area.kinds"),
        ("time_unit", "weeks", "sorcery.duration.kinds"),
        ("obstacle", 0, "sorcery.facet.list"),
        ("obstacle", 21, "sorcery.facet.list"),
        ("per", 0, "sorcery.facet.list"),
    ],
)
def test_a_facet_that_is_not_there_is_refused(field: str, value: Any, rule: str):
    with pytest.raises(BadInput) as refused:
        spell({**LIGHT, field: value})
    assert refused.value.rule == rule
    assert "spells[0]" in refused.value.place


@pytest.mark.rules("sorcery.spell.turn_aside_the_blade", "sorcery.effect.record_allocation")
def test_a_spell_in_effect_does_what_its_record_says():
    """Of the book, or of the sheet; what is written beside the name goes first."""
    light = {**LIGHT, "duration": "Sustained", "does": "bonus_dice", "abilities": ["Sing"]}
    written = [
        {"name": "turn aside the blade", "effect": 2},
        {"name": "Magesense", "obstacle": 5, "does": "none"},
        "Glow",
        {"name": "Flame", "obstacle": 3, "lasts": "Permanent"},
    ]
    turning, sensing, glow, flame = sheet(**wizard(light), active_spells=written).active_spells
    assert (turning.does.value, turning.obstacle, turning.sustained) == ("attack_obstacle", 4, True)
    assert (sensing.does.value, sensing.obstacle) == ("none", 5)
    assert (glow.does.value, glow.abilities, glow.obstacle) == ("bonus_dice", ("Sing",), 3)
    assert (flame.does.value, flame.lasts) == ("none", "Permanent")
    with pytest.raises(BadInput, match="lasts"):
        sheet(**wizard({**LIGHT, "duration": "minutes"}), active_spells=["Glow"])
    with pytest.raises(BadInput, match="active_spells"):
        sheet(**wizard(), active_spells=["Binding"])  # the book gives neither number nor duration


@pytest.mark.rules("sorcery.duration.kinds", "sorcery.area.kinds")
@pytest.mark.parametrize(
    ("of", "measure", "known"),
    [
        ({"duration": "Elapsed Time"}, "time_unit", "hours"),
        ({"area": "Measured Area"}, "unit", "Paces"),
    ],
)
def test_what_is_measured_has_a_measure_of_the_list(of: dict[str, str], measure: str, known: str):
    assert getattr(spell({**LIGHT, **of, measure: known}), measure) == known
    for wrong in ("fortnights", ""):
        with pytest.raises(BadInput, match=known):
            spell({**LIGHT, **of, measure: wrong})


def test_an_obstacle_is_of_one_kind():
    with pytest.raises(BadInput, match="one of them"):
        spell({**LIGHT, "caster_stat": "Will"})
    with pytest.raises(BadInput, match="a unique name"):
        sheet(**wizard(LIGHT, LIGHT))
    with pytest.raises(BadInput):
        spell({"name": "Mine", "obstacle": "hard"})


@pytest.mark.rules("sorcery.element.definition", "sorcery.impetus.definition")
def test_there_are_eight_elements_six_impeti_and_three_origins():
    table = catalogue().table
    assert set(facets("element")) == set(table("sorcery.table.elements").column("element"))
    assert set(facets("impetus")) == set(table("sorcery.table.impeti").column("impetus"))
    assert len(facets("element")), len(facets("impetus")) == (8, 6)
    assert facets("origin") == ("Personal", "Presence", "Sight")
    assert len(facets("duration")) == 4


# --- Codes beside words --------------------------------------------------------------------


def in_words(word: str) -> str:
    """The facet that a cell names, without what the catalogue says about it."""
    return re.sub(r" \((inferred|base 1 pace)\)", "", word)


@pytest.mark.parametrize(
    "row", catalogue().table("sorcery.table.known_spells").records(), ids=lambda row: row["spell"]
)
def test_the_codes_of_a_spell_say_what_its_words_say(row: Record):
    found = known_spells()[row.text("spell").casefold()]
    same = found.name == "Breath of Fire"  # one spell with Firebreath, which says more
    for facet in ("element", "origin", "duration"):
        word = in_words(row.text(facet))
        assert getattr(found, facet) == ("" if word == "?" else word)
    impetus = in_words(row.text("impetus"))
    assert found.impetus == ("" if " or " in impetus or impetus == "?" else impetus)
    area = in_words(row.text("area"))
    if area in units():
        assert (found.area, found.unit) == ("Measured Area", area)
    elif not same:
        assert found.area == {"?": "", "Caster/Single Target": "Caster"}.get(area, area)
    obstacle = row.text("obstacle")
    assert found.obstacle == ((int(obstacle),) if obstacle.isdigit() else ())
    actions = re.match(r"(x?)(\d+)", row.text("actions"))
    assert found.actions == (int(actions[2]) if actions else 0)
    assert found.times_obstacle == bool(actions and actions[1])
    assert found.up == row.text("up").startswith("yes") or same
    effect = row.text("effect")
    named = {"Power =": "damage", "Steel test": "steel", "shield dice": "shield"}
    named |= {"bonus dice": "bonus_dice", "+1 Ob per success": "attack_obstacle"}
    named |= {"extends sight": "sight"}
    does = next((code for words, code in named.items() if words in effect), "none")
    assert found.does.value == ("damage" if same else does)
    assert found.half_will == ("half Will" in effect)
    assert found.per == (2 if "per two successes" in effect else 1)
    assert set(found.abilities) == (
        set(effect.partition(" on ")[2].split(", ")) if does == "bonus_dice" else set()
    )


def test_the_codes_of_positioning_say_what_its_words_say():
    for row in catalogue().table("sorcery.table.positioning").records():
        digits = re.match(r"\d+", row.text("range_and_cover_dice"))
        assert row.texts("dice_codes") == ((digits[0],) if digits else ())
        length = row.text("fight_length").partition(" (")[0].partition(";")[0].casefold()
        code = {
            "longest except against missile weapons": "longest_but_missiles",
            "longest always": "longest",
        }.get(length, length)
        assert row["length_code"] == ("none" if length.startswith("see ") else code)


def test_the_codes_of_may_nots_say_what_their_words_say():
    for row in catalogue().table("sorcery.table.may_nots_and_interrupts").records():
        words = row.text("threatens_sustained_spells")
        assert row["threatens_code"] == ("yes" if words.startswith("yes") else "no")
        words = row.text("interrupts_casting")
        assert row["interrupts_code"] == ("yes" if words.startswith("yes") else "gm")


def test_the_steps_of_learning_are_those_that_are_played():
    rows = catalogue().table("sorcery.table.learning_steps").column("step")
    assert [str(step)[2:] for step in rows] == ["First Reading", "Practicals", "Second Reading"]
