"""Pages: what stands on them is what stands on the sheet, can be edited, and says its rule."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput
from astragal.games import games
from astragal.games.forms import Field, form_of
from astragal.games.game import Game, Table
from astragal.games.page import Page, Pen, Row, Section, present
from astragal.games.ready import ready_sheet, ready_sheets
from astragal.play import Change, apply, value_at
from astragal.play.changes import split_path
from astragal.rules import catalogue
from test_examples import EXAMPLES, SCENARIOS, scenario

BURNING = games()["burning_wheel"]

RICHER: dict[str, dict[str, Any]] = {
    "burning_wheel": {
        "name": "Hild",
        "age": 40,
        "identity": "the Widow",
        "tolerances": "B4",
        "wounds": [{"level": "Light", "at": "B5", "source": "a fall"}, "Superficial"],
        "scars": ["a crooked nose"],
        "stats": {
            "Will": {"rating": "B4", "log": {"difficult": 2}, "spent": {"fate": 3, "deeds": 1}},
            "Power": "B5",
            "Forte": "G4",
            "Agility": "B4",
        },
        "caps": {"Power": 6},
        "attributes": {"Steel": "B0", "Reflexes": "B4", "Grief": "B3"},
        "skills": {"Mace": {"rating": "B3", "log": {"routine": 1}}, "Dr. Lore": "B2"},
        "beliefs": [{"text": "I will.", "spent": {"fate": 1}, "pending": "I might."}],
        "instincts": ["Never."],
        "traits": [
            {"name": "Quick", "kind": "die", "dice": {"Speed": 1}, "hesitation": -1},
            {"name": "Sly", "kind": "call_on", "situation": "in the dark"},
        ],
        "lifepaths": ["Village Born"],
        "resources": {
            "rating": "B4",
            "taxed": 1,
            "home": "the town",
            "cash": 2,
            "funds": [{"name": "a mill", "dice": 2}],
            "titles": ["Reeve"],
            "loans": [{"lender": "Orrin", "dice": 1}],
            "debts": [{"lender": "Orrin", "owed": 3}],
            "letters": ["tam"],
            "repaid": 1,
            "lifestyle": 3,
            "fallen": 1,
            "job": {"skill": "Mace", "restores": 1, "until": 30},
        },
        "circles": "B2",
        "relationships": ["Young Bess"],
        "contacts": [{"name": "Ilse", "sought": "an abbess", "obstacle": 3}],
        "reputations": [{"name": "the Shield", "dice": 2, "infamous": True, "scope": "the port"}],
        "affiliations": [{"name": "the guild", "dice": 1, "lost": 1}],
        "gear": [{"name": "picks", "dice": {"Mace": 1}, "tools": ["Mace"], "hinders": ["noise"]}],
        "weapons": ["superior sword", "spear"],
        "armor": {"suit": "leather"},
        "shield": "heater",
        "learning": {"Bow": {"roots": ["Agility"], "tests": 2}},
        "training": ["Shield Training"],
        "practice": [{"ability": "Mace", "difficulty": "routine", "days": 12}],
        "spells": ["Magesense", {"name": "Shards", "stage": "practicals", "practicals": 2}],
        "active_spells": [
            {"name": "Magesense", "obstacle": 4, "lasts": "Sustained", "does": "sight"},
        ],
        "forte_tax": [{"seconds": 7200}],
        "distractions": ["hurt"],
    },
    "cores": {
        "name": "Max",
        "core": {
            "physical": {"die": "d8", "lowered": 1, "lowered_deadly": 1},
            "mental": "d6",
            "social": "d6",
            "resolve": "d6",
        },
        "comforts": ["tea"],
        "comforts_used": ["tea"],
        "relationships": {"St. Clair": "B-"},
        "angst": {"Fear": 2},
        "rocks": {"A.I.": "really mental"},
    },
    "signs": {
        "name": "Ulf",
        "scores": "D8 D6 D6 D4",
        "signs": {"St. Elm": "D8: Fire, Water"},
        "boons": [{"name": "luck", "until": "dawn", "other_rolls": True}],
    },
    "percentile": {
        "name": "Eve",
        "characteristics": {"Ag": 40, "S": 30},
        "skills": {"Dodge": "Ag +10", "Lift": "S -20"},
        "raises": [{"characteristic": "S", "amount": 10, "why": "frenzy"}],
    },
}


def everybody() -> Iterator[tuple[Game, str, Any]]:
    for game in games().values():
        for name, raw in {**ready_sheets(game), "richer": RICHER[game.name]}.items():
            yield game, name, game.read_sheet(raw, name)


SHEETS = list(everybody())
every_sheet = pytest.mark.parametrize(
    ("game", "name", "sheet"), SHEETS, ids=[f"{game.name}-{name}" for game, name, _ in SHEETS]
)


def page_of(game: Game, name: str, sheet: Any) -> Page:
    return game.page(sheet, name, game.table({name: sheet}))


def every_row(page: Page) -> list[Row]:
    return [*page.badges, *(row for section in page.sections for row in section.rows)]


def written(game: Game, sheet: Any) -> Any:
    """A sheet as plain data that has been in a file, and is to be changed."""
    return json.loads(json.dumps(game.write(sheet)))


def put(plain: Any, path: str, value: Any) -> None:
    """Set a value in plain data, at a path; one past the end of a list is a new entry."""
    *way, last = split_path(path)
    for part in way:
        plain = plain[int(part)] if isinstance(plain, list) else plain[part]
    if isinstance(plain, dict):
        plain[last] = value
    elif int(last) == len(plain):
        plain.append(value)
    else:
        plain[int(last)] = value


@every_sheet
def test_every_path_leads_to_the_value_that_the_row_shows(game: Game, name: str, sheet: Any):
    edited = [row for row in every_row(page_of(game, name, sheet)) if row.path]
    assert len(edited) >= 3
    for row in edited:
        assert row.raw is not None, row.path
        assert row.raw == game.write(value_at(sheet, row.path)), row.path
        if row.kind == "choice":
            assert row.raw in row.choices, row.path
        if row.kind == "number":
            assert isinstance(row.raw, int)


@pytest.mark.slow
@every_sheet
def test_writing_back_what_stands_there_changes_nothing(game: Game, name: str, sheet: Any):
    for row in every_row(page_of(game, name, sheet)):
        if row.path:
            plain = written(game, sheet)
            put(plain, row.path, row.raw)
            assert game.read_sheet(plain, name) == sheet, row.path


@every_sheet
def test_what_can_be_taken_away_is_an_entry_of_the_sheet(game: Game, name: str, sheet: Any):
    for row in every_row(page_of(game, name, sheet)):
        if row.entry:
            there = value_at(sheet, row.entry)
            assert there is not None, row.entry
            without = apply(sheet, Change(name, row.entry, there, None, ""))
            assert without != sheet
            game.read_sheet(game.write(without), name)


@every_sheet
def test_a_new_entry_may_look_like_the_example(game: Game, name: str, sheet: Any):
    for section in page_of(game, name, sheet).sections:
        if not section.add or (name == "richer" and section.add == "wounds"):
            continue
        plain = written(game, sheet)
        group = value_at(sheet, section.add)
        if isinstance(group, dict):
            key, value = section.example
            put(plain, f"{section.add}.{key}", value)
        else:
            put(plain, f"{section.add}.{len(group)}", section.example)
        longer = game.read_sheet(plain, name)
        assert len(value_at(longer, section.add)) == len(group) + 1, section.title


@every_sheet
def test_every_rule_on_a_page_is_in_the_catalogue(game: Game, name: str, sheet: Any):
    page = page_of(game, name, sheet)
    rules = [row.rule for row in every_row(page)]
    rules += [option.rule for options in page.choices.values() for option in options]
    assert any(rules)
    for rule in filter(None, rules):
        assert catalogue().resolves(rule), rule


@every_sheet
def test_a_page_is_named_after_its_sheet_and_no_section_comes_twice(
    game: Game, name: str, sheet: Any
):
    page = page_of(game, name, sheet)
    assert (page.name, page.concept) == (sheet.name, sheet.concept)
    titles = [section.title for section in page.sections]
    assert len(set(titles)) == len(titles)
    assert not any(section.secret for section in page.sections)


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_forms_ask_for_nothing_that_no_page_has(game: Game):
    def wanted(fields: tuple[Field, ...]) -> Iterator[str]:
        for field in fields:
            if field.what and field.kind != "seat":
                yield field.what
            yield from wanted(field.fields)

    offered = {
        what
        for other, name, sheet in SHEETS
        if other is game
        for what in page_of(game, name, sheet).choices
    }
    asked = {what for name in game.procedures for what in wanted(form_of(game, name).fields)}
    assert asked <= offered


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_the_scene_page_of_an_empty_table_is_for_all(game: Game):
    table: Table = game.table({})
    assert not any(section.secret for section in game.scene_page(table))


def test_what_has_a_slash_in_its_name_is_shown_but_not_edited():
    sheet = BURNING.read_sheet({"name": "Ann", "skills": {"Read/Write": "B3", "Sums": "B2"}}, "ann")
    rows = {row.label: row for row in every_row(page_of(BURNING, "ann", sheet))}
    assert (rows["Read/Write"].value, rows["Read/Write"].path) == ("B3", "")
    assert rows["Sums"].path == "skills.Sums.rating"
    signs = games()["signs"]
    ysolde = {**ready_sheet(signs, "ysolde"), "signs": {"Raven/Crow": "D8: Rooftops, Lockpicks"}}
    page = page_of(signs, "ysolde", signs.read_sheet(ysolde, "ysolde"))
    tags = next(row for row in every_row(page) if row.label == "Tags of Raven/Crow")
    assert (tags.value, tags.path) == ("Rooftops, Lockpicks", "")


def test_a_pen_refuses_a_path_that_leads_nowhere():
    sheet = BURNING.read_sheet({"name": "Ann"}, "ann")
    with pytest.raises((AttributeError, BadInput)):
        Pen(sheet).row("Luck", "luck")


def test_a_section_without_anything_is_left_out():
    empty, addable = Section("Empty", "list"), Section("Gear", "list", add="gear")
    assert present(empty, addable) == (addable,)


# --- Whatever play leaves behind ------------------------------------------------------------


def check_table(game: Game, table: Table) -> None:
    """Every page of a table can be drawn, edited and explained."""
    for section in game.scene_page(table):
        for row in section.rows:
            assert not row.rule or catalogue().resolves(row.rule), row
    for name, sheet in table.characters.items():
        page = game.page(sheet, name, table)
        assert msgspec.json.decode(msgspec.json.encode(page), type=Page).name == sheet.name
        for row in every_row(page):
            assert not row.rule or catalogue().resolves(row.rule), row
            if row.path:
                assert row.raw == game.write(value_at(sheet, row.path)), row
            if row.entry:
                assert value_at(sheet, row.entry) is not None, row


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", SCENARIOS, ids=[str(path.relative_to(EXAMPLES)) for path in SCENARIOS]
)
def test_pages_can_be_drawn_before_during_and_after_every_scenario(path: Path):
    the_scenario = scenario(path)
    table = the_scenario.table
    check_table(the_scenario.game, table)
    for result in the_scenario.play(Seeded(path.stem)):
        if result.refusal is None and result.changes:
            table = table.changed(*result.changes)
            check_table(the_scenario.game, table)
