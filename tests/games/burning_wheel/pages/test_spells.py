"""Spells on the sheet's page: what is known, what is kept up, what Tax has taken."""

from __future__ import annotations

from typing import Any

from astragal.games.burning_wheel import GAME
from games.burning_wheel.spellcasting import LIGHT, at_table

WARD = {"name": "Ward", "obstacle": 3, "lasts": "Sustained", "effect": 2}
MIST = {"name": "Mist", "obstacle": 2, "lasts": "Elapsed Time", "duration": 1}


def page(**more: Any) -> Any:
    at = at_table({**LIGHT, "up": True}, {**LIGHT, "name": "Veil", "stage": "unread"}, **more)
    return GAME.page(at.character("han"), "han", at)


def section(shown: Any, title: str) -> Any:
    return next((each for each in shown.sections if each.title == title), None)


def test_known_spells_with_their_facets_and_how_far_they_are_learned():
    rows = {row.label: row for row in section(page(), "Spells").rows}
    assert "Obstacle 3^" in rows["Glow"].note
    assert rows["Glow"].tap.procedure == "cast_spell"
    assert rows["Glow"].tap.arguments == {"spell": "Glow"}
    assert rows["Veil"].value == "not read yet"


def test_a_spell_of_elapsed_time_and_of_a_measured_area_says_in_what_it_is_measured():
    at = at_table({**LIGHT, "duration": "Minutes", "area": "10s of Paces"})
    (note,) = [
        row.note
        for row in section(GAME.page(at.character("han"), "han", at), "Spells").rows
        if row.label == "Glow"
    ]
    assert "Duration minutes; Area of Effect 10s of Paces" in note


def test_obstacle_and_actions_are_edited_in_words():
    rows = {row.label: row for row in section(page(), "Spells").rows}
    shown = rows["Glow: obstacle"]
    assert (shown.value, list(shown.raw), shown.path) == ("3^", [3], "spells.0.obstacle")
    assert rows["Veil: actions"].path == "spells.1.actions"
    plain = GAME.write(at_table(LIGHT, "Mage Light").character("han"))
    one, other = plain["spells"]
    one = {**one, "obstacle": "target's Will", "actions": "x4"}
    plain["spells"] = [one, {**other, "obstacle": "2-5"}]
    glow, mage_light = GAME.read_sheet(plain, "sheet").spells
    assert (glow.obstacle, glow.target_stat) == ((), "Will")
    assert (glow.actions, glow.times_obstacle) == (4, True)
    assert mage_light.obstacle == (2, 3, 4, 5)
    # An empty list of numbers is edited line by line, and goes before the stat that was there.
    plain["spells"] = [{**GAME.write(glow), "obstacle": ["4"]}]
    (glow,) = GAME.read_sheet(plain, "sheet").spells
    assert (glow.obstacle, glow.target_stat) == ((4,), "")


def test_a_sorcerer_without_spells_can_write_one_down():
    at = at_table()
    spells = section(GAME.page(at.character("han"), "han", at), "Spells")
    assert (spells.add, spells.example, spells.rows) == ("spells", "White Fire", ())


def test_will_that_is_free_and_set_aside_is_in_view():
    shown = page(active_spells=[WARD, MIST])
    effect = section(shown, "Spells in effect")
    assert effect.note == "Will: 4D free, 1D set aside"
    assert [(row.label, row.value, row.note) for row in effect.rows] == [
        ("Ward", "Sustained", "Ob 3, effect 2"),
        ("Mist", "Elapsed Time", "Ob 2, duration 1"),
    ]
    badge = next(row for row in shown.badges if row.label == "Sustains")
    assert (badge.value, badge.note, badge.rule) == ("-1D Will", "Ward", "sorcery.sustain.will_die")


def test_tax_and_threats_are_badges_and_dice_say_when_they_return():
    shown = page(forte_tax=[{"seconds": 7200}], active_spells=[WARD], distractions=["hurt"])
    badges = {row.label: row.value for row in shown.badges}
    assert badges["Tax"] == "-1D Forte"
    assert badges["Spells threatened"] == "test Will"
    (die,) = section(shown, "Forte lost to Tax").rows
    assert (die.label, die.value) == ("Die 1", "returns after 2 hours")


def test_somebody_without_magic_sees_nothing_of_it():
    at = at_table()
    shown = GAME.page(at.character("foe"), "foe", at)
    assert {"Spells", "Spells in effect", "Forte lost to Tax"}.isdisjoint(
        each.title for each in shown.sections
    )


def test_forms_offer_the_spells_of_the_sheet():
    choices = page(active_spells=[WARD, MIST]).choices
    assert [option.key for option in choices["spell"]] == ["Glow", "Veil"]
    assert [option.key for option in choices["sustained"]] == ["Ward"]
