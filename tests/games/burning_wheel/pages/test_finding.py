"""Every procedure has a group, and every word leads to one that exists."""

from __future__ import annotations

from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.pages.finding import GROUPS, WORDS, group


def test_every_procedure_is_in_a_group_of_the_book():
    groups = {name: group(procedure) for name, procedure in GAME.procedures.items()}
    assert set(groups.values()) == set(GROUPS)
    assert groups["steel_test"] == "Tests"
    assert groups["trait_vote"] == "Session"
    assert groups["practise"] == "Growth"
    assert groups["cling_to_life"] == "Harm"


def test_words_belong_to_procedures_that_exist():
    assert set(WORDS) <= set(GAME.procedures)


def test_somebody_who_cannot_act_is_told_why_and_what_is_left():
    sheet = {"name": "Hild", "stats": {"Will": "B4"}}
    table = GAME.table({"hild": GAME.read_sheet({**sheet, "comatose": True}, "hild")})
    page = GAME.page(table.characters["hild"], "hild", table)
    assert "comatose" in page.barred
    assert "take_wound" in page.still
    assert "duel_of_wits" not in page.still
    fit = GAME.table({"hild": GAME.read_sheet(sheet, "hild")})
    assert GAME.page(fit.characters["hild"], "hild", fit).barred == ""


def test_what_somebody_cannot_begin_says_why():
    sheet = {"name": "Hild", "stats": {"Will": "B4"}}
    table = GAME.table({"hild": GAME.read_sheet(sheet, "hild")})
    cannot = GAME.page(table.characters["hild"], "hild", table).cannot
    assert set(cannot) <= set(GAME.procedures)
    assert "does not have Faith" in cannot["pray"]
    assert cannot["recover"] == "Hild is not wounded."
    believer = {
        **sheet,
        "attributes": {"Faith": "B4"},
        "traits": [{"name": "Faithful", "kind": "die"}],
        "beliefs": ["The god of the ford keeps its own."],
        "wounds": [{"level": "Light", "at": ["B6"]}],
    }
    able = GAME.table({"hild": GAME.read_sheet(believer, "hild")})
    assert GAME.page(able.characters["hild"], "hild", able).cannot == {}
