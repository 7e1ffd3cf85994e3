"""The sheet: shorthand, and what does not fit."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from astragal.dice import Die
from astragal.errors import BadInput
from astragal.games.signs import GAME
from astragal.games.signs.sheet import SCORES, Bane, Boon, Sign
from games.signs.playing import rules_test, table_of


def read(**raw: Any) -> Any:
    return GAME.read_sheet({"name": "Ana", "scores": "D6 D6 D6 D6", **raw}, "ana")


@pytest.mark.rules("signs.roll.scores")
def test_there_are_four_scores_and_each_is_a_die():
    sheet = read(scores="D4 d8 D10 D12")
    assert SCORES == ("Skill", "Think", "Social", "Rune")
    assert [sheet.score(name)[1].sides for name in SCORES] == [4, 8, 10, 12]
    assert read(scores={"skill": 4, "Think": "d8", "SOCIAL": "D10", "Rune": 12}) == sheet
    table = table_of(ana={"scores": "D4 D8 D10 D12"})
    for name, die in zip(SCORES, ("d4", "d8", "d10", "d12"), strict=True):
        played = rules_test(table, [[1, 1]], score=name, goal=name)
        assert played.rolled == [f"({die}, d4)"]


@pytest.mark.rules("signs.roll.tag_die")
def test_a_tag_brings_the_die_of_its_sign():
    sheet = read(signs={"Raven": "d8: Rooftops, Lockpicks", "Salt": {"die": 12, "tags": ["Sea"]}})
    assert sheet.signs == {
        "Raven": Sign("D8", ("Rooftops", "Lockpicks")),
        "Salt": Sign("D12", ("Sea",)),
    }
    assert sheet.tag("lockpicks") == ("Lockpicks", "Raven", Die(8))
    table = table_of(ana={"signs": {"Raven": "D8: Rooftops", "Salt": "D12: Sea"}})
    assert rules_test(table, [[1, 1]], tags=["Rooftops"]).rolled == ["(d6, d8)"]
    assert rules_test(table, [[1, 1]], tags=["sea"]).rolled == ["(d6, d12)"]


@pytest.mark.rules("signs.roll.tag_agreed")
def test_one_tag_gives_one_die_the_best_that_is_agreed_on():
    """signs.amb.two_tags."""
    table = table_of(ana={"signs": {"Raven": "D8: Rooftops", "Salt": "D12: Sea"}})
    both = rules_test(table, [[1, 1]], tags=["Rooftops", "Sea"])
    assert both.rolled == ["(d6, d12)"]
    assert [ask.seat for ask in both.asked if ask.key == "helpful"] == ["gm"]
    lesser = rules_test(table, [[1, 1]], {"helpful": ["Rooftops"]}, tags=["Rooftops", "Sea"])
    assert lesser.rolled == ["(d6, d8)"]
    neither = rules_test(table, [[1, 1]], {"helpful": []}, tags=["Rooftops", "Sea"])
    assert neither.rolled == ["(d6, d4)"]


def test_boons_and_banes_may_be_just_names():
    sheet = read(boons=["a map", {"name": "luck", "until": "dawn"}], banes=["cold"])
    assert sheet.boons == (Boon("a map"), Boon("luck", until="dawn"))
    assert sheet.banes == (Bane("cold"),)


def test_a_sheet_goes_to_a_file_and_comes_back():
    sheet = read(signs={"Raven": "D8: Rooftops"}, boons=["a map"], banes=["cold"], player="anna")
    assert GAME.read_sheet(msgspec.json.decode(msgspec.json.encode(sheet)), "ana") == sheet
    assert hash(read()) == hash(read())


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"scores": "D6 D6 D6"}, "four dice, for Skill, Think, Social, Rune"),
        ({"scores": {"Skill": "D6"}}, "a die for Think, Social and Rune: one of D4"),
        ({"scores": {"Luck": "D6"}}, r"ana\.scores\.Luck: .*one of Skill, Think, Social, Rune"),
        ({"scores": "D6 D6 D6 D20"}, r"ana\.scores\.Rune: found 'D20'"),
        ({"signs": {"Raven": "D7: Rooftops"}}, r"ana\.signs\.Raven\.die: found 'D7'"),
        ({"signs": {"Raven": "D8: Sea", "Salt": "D6: sea"}}, "a Tag with a name of its own"),
        ({"signs": {"Raven": "D8: None"}}, "a Tag with a name of its own"),
        ({"signs": {"Raven": 8}}, r"ana\.signs\.Raven"),
        ({"boons": ["a map", "A map"]}, r"ana\.boons: .*without repeats"),
        ({"banes": ["none"]}, r"ana\.banes: .*not 'none'"),
        ({"npc": True, "boons": ["a map"]}, "only player characters have Boons and Banes"),
        ({"level": 3}, r"ana\.level: found .level."),
        ({"boons": [{"name": "a map", "uses": 2}]}, "uses"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(raw: dict[str, Any], message: str):
    with pytest.raises(BadInput, match=message) as refused:
        read(**raw)
    assert "\n" not in str(refused.value)


def test_a_gm_character_needs_only_what_comes_into_play():
    guard = GAME.read_sheet({"name": "Guard", "npc": True, "scores": {"Skill": "D8"}}, "guard")
    assert guard.seat("guard") == "gm"
    with pytest.raises(BadInput, match="an Exploration Score of Guard: Skill"):
        guard.score("Think")


def test_whose_character_it_is():
    assert read(player="anna").seat("ana") == "anna"
    assert read().seat("ana") == "ana"
