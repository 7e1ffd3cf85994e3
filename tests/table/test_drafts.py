"""Characters in the making: every fault at once, each with its place and rule, in every game."""

from __future__ import annotations

import json

import pytest

from astragal.errors import BadInput
from astragal.games import games
from astragal.games.ready import ready_paths
from astragal.table.drafts import checked, started
from astragal.table.log.state import Restorable

EMPTY = Restorable()
BURNING = games()["burning_wheel"]


def test_all_faults_are_found_at_once():
    values = {"name": "Hild", "stats.Will": "44", "stats.Power": "x", "weapons": ["lightsaber"]}
    draft = checked(BURNING, EMPTY, values, {})
    assert [(fault.path, fault.rule) for fault in draft.faults] == [
        ("stats.Will.rating", "tests.shade.every_ability"),
        ("stats.Power.rating", "tests.shade.every_ability"),
        ("weapons[0].weapon", ""),
    ]


def test_a_name_is_the_only_thing_that_a_draft_needs():
    assert [fault.path for fault in checked(BURNING, EMPTY, {}, {}).faults] == ["name"]
    assert checked(BURNING, EMPTY, {"name": "Hild"}, {}).faults == ()


@pytest.mark.parametrize(
    ("game", "ready"),
    [(name, each) for name, game in games().items() for each in ready_paths(game)],
)
def test_ready_sheets_are_drafts_without_faults_that_survive_being_sent(game: str, ready: str):
    played = games()[game]
    draft = started(played, EMPTY, ready=ready)
    assert draft.faults == ()
    assert draft.values["name"]
    sent = json.loads(json.dumps([draft.values, draft.base]))
    again = checked(played, EMPTY, *sent)
    assert again.faults == ()
    assert played.read_sheet(again.sheet, "x") == played.read_sheet(draft.sheet, "x")


def test_file_is_read_and_what_cannot_be_is_listed():
    text = (
        'name = "Hild"\nhome = "a mill"\nbeliefs = ["I will."]\n[stats]\nWill = "B4"\nLuck = "B9"'
    )
    draft = started(BURNING, EMPTY, file=text)
    assert draft.values["stats.Will"] == "B4"
    assert draft.values["beliefs"] == ["I will."]
    assert [each.partition(":")[0] for each in draft.unread] == ["home", "stats.Luck"]
    assert draft.faults == ()


def test_file_that_is_no_sheet_is_refused():
    with pytest.raises(BadInput, match="a sheet in TOML or JSON"):
        started(BURNING, EMPTY, file="no sheet at all")


@pytest.mark.parametrize("game", games())
def test_form_of_each_game_asks_for_name_and_concept_first(game: str):
    parts = started(games()[game], EMPTY).parts
    assert [field.path for field in parts[0].fields] == ["name", "concept"]
    assert len(parts) > 2


def test_sheet_that_lacks_something_shows_what_it_has():
    text = 'name = "Kim"\ncomforts = ["tea"]\nstory_points = 2\nangst = { Envy = 1 }'
    draft = started(games()["cores"], EMPTY, file=text)
    assert draft.values == {"name": "Kim", "comforts": ["tea"], "story_points": 2}
    assert [fault.path for fault in draft.faults] == ["core"]
    assert any(each.startswith("angst") for each in draft.unread)


@pytest.mark.parametrize(
    ("values", "base"),
    [
        ({"stats.Will": [4]}, {}),
        ({"skills": "Sword"}, {}),
        ({"luck": "4"}, {}),
        ({}, {"stats": 5}),
        ({}, {"name": "Kim", "luck": 4}),
    ],
)
def test_what_no_form_would_send_is_refused(values: dict[str, object], base: dict[str, object]):
    with pytest.raises(BadInput):
        checked(BURNING, EMPTY, values, base)
