"""The pages of the three smaller games, and their scenes."""

from __future__ import annotations

from typing import Any

from astragal.games import games
from astragal.games.page import Mark, Page, Row
from astragal.games.ready import ready_sheet, ready_sheets


def drawn(game: str, sheet: dict[str, Any], scene: dict[str, Any] | None = None) -> Page:
    the_game = games()[game]
    read = the_game.read_sheet(sheet, "me")
    there = the_game.read(scene or {}, the_game.scene, "scene")
    return the_game.page(read, "me", the_game.table({"me": read}, there))


def rows(page: Page, title: str) -> dict[str, Row]:
    return {
        row.label: row
        for section in page.sections
        if section.title == title
        for row in section.rows
    }


def scene_of(game: str, sheets: tuple[str, ...], scene: dict[str, Any]) -> dict[str, list[Row]]:
    the_game = games()[game]
    read = {name: the_game.read_sheet(ready_sheet(the_game, name), name) for name in sheets}
    table = the_game.table(read, the_game.read(scene, the_game.scene, "scene"))
    return {section.title: list(section.rows) for section in the_game.scene_page(table)}


CORES = {"physical": {"die": "d8", "lowered": 1}, "mental": "d6", "social": "d6", "resolve": "d6"}


def test_a_core_shows_the_die_now_and_the_full_one():
    cores = rows(drawn("cores", {"name": "Max", "core": CORES}), "Cores")
    assert (cores["Physical"].value, cores["Physical"].raw) == ("d6 of d8", "d8")
    assert cores["Physical"].note == "steps lost: 1 lowered"
    assert cores["Mental"].value == "d6"


def test_points_angst_and_relationships_of_the_game_of_cores():
    sheet = {
        "name": "Max",
        "core": CORES,
        "story_points": 2,
        "life_experience": {"full": 3, "left": 1},
        "angst": {"Fear": 2, "Guilt": 1},
        "relationships": {"Jo": "A", "Hale": "F"},
        "rocks": {"Skating": "really physical"},
        "comforts": ["tea"],
        "comforts_used": ["tea"],
    }
    page = drawn("cores", sheet, {"out": ["me"]})
    assert [(badge.label, badge.value) for badge in page.badges] == [
        ("Story Points", "2"),
        ("Angst", "3"),
        ("Lowered", "Physical d6"),
        ("Out of the scene", ""),
    ]
    assert rows(page, "Points")["Story Points"].award
    assert rows(page, "Points")["Life Experience"].marks == (Mark("left", 1, 3),)
    grades = rows(page, "Relationships")
    assert int(grades["Jo"].note) > 0 > int(grades["Hale"].note)
    assert rows(page, "Rocks")["Skating"].value == "really, Physical"
    tea = rows(page, "Comforts")["tea"]
    assert (tea.value, tea.entry) == ("used today", "")
    dead = drawn("cores", sheet | {"dead": True}, {"out": ["me"]})
    assert [badge.label for badge in dead.badges][-1] == "Dead"
    taps = [option.key for option in page.choices["tap"]]
    assert taps == ["positive:Fear", "negative:Fear", "positive:Guilt", "negative:Guilt"]


def test_a_core_that_falls_and_rises_again_looks_as_it_stands_each_time():
    def physical(lowered: int) -> tuple[str, str]:
        core = {**CORES, "physical": {"die": "d8", "lowered": lowered}}
        page = drawn("cores", {"name": "Max", "core": core})
        return rows(page, "Cores")["Physical"].value, page.choices["ability"][0].label

    assert [physical(lowered) for lowered in (0, 1, 2, 0)] == [
        ("d8", "Physical d8"),
        ("d6 of d8", "Physical d6"),
        ("d4 of d8", "Physical d4"),
        ("d8", "Physical d8"),
    ]


def test_the_scene_of_the_game_of_cores():
    scene = scene_of("cores", ("robin", "jo"), {"absent": ["jo"], "tapped": ["robin"]})
    assert [(row.label, row.value) for row in scene["Not in the scene"]] == [("Absent", "Jo")]
    assert [row.value for row in scene["Used in this scene"]] == ["Robin"]


def test_signs_tags_boons_and_offers():
    sheet = {
        "name": "Ulf",
        "scores": "D8 D6 D6 D4",
        "signs": {"Raven": "D10: Rooftops, Keys"},
        "boons": [{"name": "luck", "condition": "at sea", "until": "dawn"}],
    }
    offer = {"helper": "me", "tag": "Keys", "character": "me", "goal": "in"}
    page = drawn("signs", sheet, {"offers": [offer]})
    assert rows(page, "Exploration Scores")["Skill"].value == "D8"
    signs = rows(page, "Signs")
    assert (signs["Raven"].value, signs["Raven"].note) == ("D10: Rooftops, Keys", "")
    assert list(signs["Tags of Raven"].raw) == ["Rooftops", "Keys"]
    assert rows(page, "Boons")["luck"].note == "at sea, until dawn"
    assert [badge.label for badge in page.badges] == ["Boons", "Helps"]
    assert [option.key for option in page.choices["tag"]] == ["Rooftops", "Keys"]


def test_an_npc_of_the_game_of_signs_has_no_place_for_boons():
    page = drawn("signs", games()["signs"].sketch("guard, skill d8"))
    assert not {"Boons", "Banes"} & {section.title for section in page.sections}


def test_the_scene_of_the_game_of_signs():
    attempts = [
        {"character": "bram", "goal": "lift it", "successes": 0, "passed": False, "scene": 1}
    ]
    scene = scene_of("signs", ("bram",), {"number": 2, "title": "The crypt", "attempts": attempts})
    assert [(row.label, row.value) for row in scene["Scene"]] == [("Scene 2", "The crypt")]
    (tried,) = scene["Tried"]
    assert (tried.label, tried.value, tried.note) == ("Bram: lift it", "failed", "in Scene 1")


def test_characteristics_show_what_raises_them_and_their_bonus():
    sheet = {
        "name": "Eve",
        "evil": True,
        "characteristics": {"S": 34, "Inf": 40},
        "skills": {"Lift": "S +10", "Swim": "S -20"},
        "raises": [{"characteristic": "S", "amount": 10, "why": "frenzy"}],
    }
    page = drawn("percentile", sheet, {"places": {"me": "the cellar"}})
    strength = rows(page, "Characteristics")["Strength (S)"]
    assert (strength.value, strength.raw) == ("44", 34)
    assert strength.note.startswith("SB 4")
    assert "frenzy" in strength.note
    assert "Infamy (Inf)" in rows(page, "Characteristics")
    skills = rows(page, "Skills")
    assert (skills["Lift"].value, skills["Swim"].value) == ("44 trained +10", "44 untrained (-20)")
    assert [(badge.label, badge.value) for badge in page.badges] == [
        ("At", "the cellar"),
        ("S", "+10"),
    ]
    assert [option.key for option in page.choices["raise"]] == ["frenzy"]
    assert "raise" not in drawn("percentile", {**sheet, "raises": []}).choices


def test_the_scene_of_the_d100_game():
    task = {
        "title": "the book",
        "character": "ilse",
        "skill": "Old Ciphers",
        "measure": "degrees",
        "needed": 5,
        "each": 2,
        "unit": "hours",
        "progress": 3,
        "tests": 2,
    }
    scene = scene_of("percentile", ("ilse",), {"tasks": [task], "places": {"ilse": "the inn"}})
    assert [(row.label, row.value) for row in scene["Places"]] == [("Ilse Brandt", "the inn")]
    (shown,) = scene["Extended tests"]
    assert shown.marks == (Mark("progress", 3, 5),)
    assert shown.note == "Old Ciphers, 4 hours so far"
    assert [row.label for row in scene["Skills in this campaign"]] == ["Dodge", "Scrutiny"]


def test_the_same_characteristic_looks_as_it_stands_on_each_sheet():
    def shown(short: str, raised: int = 0, *, evil: bool = False) -> tuple[str, str, str]:
        raises = [{"characteristic": short, "amount": raised, "why": "fury"}] if raised else []
        sheet = {"name": "Eve", "characteristics": {short: 35}, "raises": raises, "evil": evil}
        page = drawn("percentile", sheet)
        ((label, row),) = rows(page, "Characteristics").items()
        return label, row.note, page.choices["ability"][0].label

    assert [shown("S"), shown("S", 10), shown("S")] == [
        ("Strength (S)", "SB 3", "Strength 35"),
        ("Strength (S)", "SB 4, 45 = 35 Strength + 10 fury", "Strength 45"),
        ("Strength (S)", "SB 3", "Strength 35"),
    ]
    assert shown("Inf") == ("Influence (Inf)", "InfB 3", "Influence 35")
    assert shown("Inf", evil=True) == ("Infamy (Inf)", "InfB 3", "Infamy 35")


def test_what_nobody_can_begin_in_a_small_game_says_why():
    calm = drawn("cores", {"name": "Max", "core": CORES})
    assert calm.cannot == {
        "purge_angst": "Max has no Angst to purge.",
        "story_purge": "Max needs 2 Story Points for this and has 0.",
    }
    dead = drawn("cores", {"name": "Max", "core": CORES, "dead": True})
    assert dead.cannot["test"] == "Max is dead."
    sheet = ready_sheet(games()["signs"], next(iter(ready_sheets(games()["signs"]))))
    assert drawn("signs", sheet).cannot == {}
    other = drawn("signs", {**sheet, "npc": True, "boons": [], "banes": []})
    assert "Only player characters" in other.cannot["grant_boon"]
