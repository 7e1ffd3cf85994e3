"""A new character: numbers as people type them, roots from the list, and what follows."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.pages.creation import CREATION
from astragal.games.burning_wheel.pages.skill_list import book_skills, roots_of, skill_list
from astragal.games.creation import fields_of, sheet_from, values_from
from astragal.games.ready import ready_paths, ready_sheet

STATS = {"Will": "4", "Perception": "5", "Agility": 4, "Speed": "B4", "Power": "3", "Forte": "4"}
EMPTY = GAME.table({})


def finished(**sheet: Any) -> dict[str, Any]:
    return CREATION.finish({"name": "Hild", **sheet}, EMPTY).sheet


def follows(**sheet: Any) -> dict[str, str]:
    made = CREATION.finish({"name": "Hild", **sheet}, EMPTY)
    return {each.path: each.value for each in made.follows}


@pytest.mark.rules(
    "tests.attributes.health", "tests.attributes.reflexes", "injury.amb.tolerance_placement"
)
def test_what_follows_from_the_stats_is_worked_out_by_hand():
    # Health (4 + 4) / 2, Reflexes (5 + 4 + 4) / 3 rounded down, hesitation 10 - 4, the line for
    # the average of Power 3 and Forte 4, which is 3.
    assert follows(stats=STATS) == {
        "hesitation": "6",
        "circles": "B2",
        "attributes.Health": "B4",
        "attributes.Reflexes": "B4",
        "tolerances": "B3, B5, B6, B7, B8, B9",
        "attributes.Mortal Wound": "B9",
    }
    made = finished(stats=STATS)
    assert list(made["attributes"]) == ["Health", "Reflexes", "Mortal Wound"]
    assert GAME.read_sheet(made, "hild").stats["Agility"].rating.exponent == 4


def test_what_was_entered_counts_whatever_follows():
    made = finished(stats=STATS, attributes={"Health": "6"}, circles="5")
    assert made["attributes"]["Health"] == "B6"
    assert made["circles"] == "B5"


def test_the_hesitation_of_a_stat_block_counts_whatever_will_gives():
    assert follows(stats={"Will": "B3"})["hesitation"] == "7"
    printed = {"surprise": 9, "pain": 9}
    assert follows(stats={"Will": "B3"}, hesitation=printed)["hesitation"] == "9"
    assert follows(stats={"Will": "B3"}, hesitation="nine")["hesitation"] == "7"


def test_nothing_follows_from_stats_that_are_none():
    assert follows(stats={"Will": "strong", "Power": "4"}) == {}


def test_skills_have_their_roots_from_the_list_or_from_behind_the_number():
    made = finished(skills={"Sword": "4", "Beer-wise": "2", "Falconry": "3 will and agility"})
    assert made["skills"] == {
        "Sword": {"rating": "B4", "roots": ["Agility"]},
        "Beer-wise": {"rating": "B2", "roots": ["Perception"]},
        "Falconry": {"rating": "B3", "roots": ["Will", "Agility"]},
    }


def test_every_skill_that_the_book_rates_is_on_the_list():
    named = set(book_skills())
    assert {"Nogger", "Trouble-wise", "Stentorious Debate", "Sorcery", "Knots"} <= named
    assert len(named) > 100


def test_the_campaigns_own_skills_are_on_the_list():
    kim = GAME.read_sheet(
        {"name": "Kim", "skills": {"Falconry": {"rating": "B2", "roots": ["Will"]}}}, "kim"
    )
    table = GAME.table({"kim": kim})
    assert roots_of("falconry", EMPTY) == ()
    assert roots_of("falconry", table) == ("Will",)
    assert skill_list(table)["Falconry"] == ("Will",)


@pytest.mark.parametrize("name", ready_paths(GAME))
def test_ready_character_that_nobody_touches_stays_as_it_is(name: str):
    whole = GAME.write(GAME.read_sheet(ready_sheet(GAME, name), name))
    parts = CREATION.parts(EMPTY)
    values = values_from(CREATION, parts, whole)
    assert sheet_from(CREATION, parts, values, whole) == whole


def test_a_changed_rating_keeps_the_other_skills_whole():
    whole = GAME.write(
        GAME.read_sheet(
            {
                "name": "Kim",
                "skills": {"Sword": {"rating": "B3", "log": {"routine": 2}}, "Bow": "B2"},
            },
            "kim",
        )
    )
    parts = CREATION.parts(EMPTY)
    values = values_from(CREATION, parts, whole)
    values["skills"] = {**values["skills"], "Bow": "5"}
    made = CREATION.finish(sheet_from(CREATION, parts, values, whole), EMPTY).sheet
    kim = GAME.read_sheet(made, "kim")
    assert kim.skills["Sword"].log.routine == 2
    assert str(kim.skills["Bow"].rating) == "B5"


def test_every_field_has_a_rule_that_exists():
    from astragal.rules import catalogue

    for field in fields_of(CREATION.parts(EMPTY)):
        assert not field.rule or catalogue().entry(field.rule), field


def test_what_is_unusual_is_remarked_and_not_refused():
    made = CREATION.finish(
        {"name": "Hild", "beliefs": ["I will."], "skills": {"Knots": "2"}}, EMPTY
    )
    said = {each.path: each.text for each in made.remarks}
    assert said["beliefs"] == "1 so far; a new character has 3."
    assert "Knots" in said["skills"]
    assert "Duels of Wits" in said["attributes.Steel"]
    with_steel = CREATION.finish({"name": "Hild", "attributes": {"Steel": "4"}}, EMPTY)
    assert "attributes.Steel" not in {each.path for each in with_steel.remarks}
    GAME.read_sheet(made.sheet, "hild")
