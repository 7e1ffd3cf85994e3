"""What a change of a sheet or of the scene says in sentences."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.games import game_named
from astragal.table.log.change_words import change_sentences

RAISED = {"characteristic": "S", "amount": 10, "why": "a potion", "lasts": "scene"}


@pytest.mark.parametrize(
    ("path", "before", "after", "said"),
    [
        ("purse.coins", 2, 3, ["purse, coins goes from 2 to 3"]),
        ("dead", False, True, ["dead: yes"]),
        ("concept", "", "a thief", ["concept: a thief added"]),
        ("concept", "a thief", "a king", ["concept: a king instead of a thief"]),
        ("skills/Climbing", None, {"name": "Climbing"}, ["skills, Climbing: Climbing added"]),
        ("gear.0", "rope", None, ["gear: rope removed"]),
        ("gear", ["rope"], ["rope", "lamp"], ["gear: lamp added"]),
        ("gear", ["rope", "oil"], ["lamp"], ["gear: rope, oil removed and lamp added"]),
        ("gear", ["rope", "oil"], ["oil", "rope"], ["gear: in another order"]),
        ("purse", {"coins": 1}, {"coins": 2}, ["purse, coins goes from 1 to 2"]),
    ],
)
def test_change_without_words_of_its_own_is_told_plainly(
    path: str, before: Any, after: Any, said: list[str]
):
    assert change_sentences(path, before, after, {}) == said


BLESSED = {"prayer": "blessing", "ability": "Sword", "dice": 1}
WOUND = {"level": "Severe", "fresh": True, "failed": [], "returns": [], "treated": False}


@pytest.mark.parametrize(
    ("path", "before", "after", "said"),
    [
        ("artha.fate", 2, 1, ["Fate goes from 2 to 1"]),
        (
            "artha",
            {"fate": 4, "persona": 2},
            {"fate": 4, "persona": 4},
            ["Persona goes from 2 to 4"],
        ),
        ("skills.Sword.log.routine", 2, 3, ["Sword: routine tests logged: 3"]),
        ("skills.Sword.rating", "B4", "B5", ["Sword goes from B4 to B5"]),
        ("circles.spent.persona", 0, 1, ["Circles: Persona toward epiphany: 1"]),
        (
            "learning.Knives",
            None,
            {"roots": ["Agility"], "tests": 1},
            ["Knives: tests toward learning it: 1"],
        ),
        ("learning.Knives.tests", 1, 2, ["Knives: tests toward learning it: 2"]),
        ("resources.taxed", 0, 2, ["Resources are taxed by 2D"]),
        ("resources.taxed", 2, 0, ["Resources are no longer taxed"]),
        ("wounds", [], [WOUND], ["a Severe wound"]),
        ("wounds.0.returns", [], [3628800], []),
        ("wounds.0.closes", 0, 3628800, ["the wound will have healed on day 43"]),
        ("wounds.0", WOUND, {**WOUND, "fresh": False, "treated": True}, ["the wound is treated"]),
        ("forte_tax", [], [{"seconds": 21600}], ["a die of Forte is lost to Tax"]),
        ("forte_tax.0", {"seconds": 21600}, {"seconds": 7200}, []),
        ("attributes", {}, {"Steel": {"rating": "B4", "log": {}}}, ["Steel is B4"]),
        ("skills.Sword", {"rating": "B4", "log": {}}, None, ["Sword is removed"]),
        ("beliefs.1.spent.persona", 0, 1, ["a Belief is marked with Persona: 1"]),
        ("instincts.0.spent.fate", 1, 2, ["an Instinct is marked with Fate: 2"]),
        ("active_spells", [], [{"name": "Breath of Wind"}], ["Breath of Wind is in effect"]),
        ("active_spells", [{"name": "Breath of Wind"}], [], ["Breath of Wind has ended"]),
        ("prayers", [], [BLESSED], ["answered prayer: blessing on Sword"]),
    ],
)
def test_burning_wheel_tells_changes_in_its_own_words(
    path: str, before: Any, after: Any, said: list[str]
):
    words = game_named("burning_wheel").sheet_words
    assert change_sentences(path, before, after, words) == said


@pytest.mark.parametrize(
    ("game", "path", "before", "after", "said"),
    [
        ("cores", "angst.Shame", None, 1, ["Angst: Shame is now 1"]),
        ("cores", "angst.Shame", 1, 0, ["Angst: no Shame is left"]),
        ("cores", "comforts_used", [], ["baking"], ["Comfort used today: baking"]),
        ("cores", "comforts_used", ["baking"], [], ["Comfort ready again: baking"]),
        ("cores", "story_points", 1, 0, ["Story Points go from 1 to 0"]),
        ("cores", "life_experience.left", 2, 0, ["Life Experience goes from 2 to 0"]),
        ("cores", "core.physical.lowered", 0, 2, ["physical: die types lost: 2"]),
        ("cores", "core.physical.hours", 0, 24, []),
        ("signs", "boons", [], [{"name": "a map"}], ["a Boon: a map"]),
        ("signs", "banes", [{"name": "a fever"}], [], ["no longer a Bane: a fever"]),
        ("percentile", "raises", [], [RAISED], ["S +10: a potion"]),
        ("percentile", "raises", [RAISED], [], ["S +10 ends: a potion"]),
        ("percentile", "characteristics.Inf", 30, 33, ["Inf goes from 30 to 33"]),
    ],
)
def test_smaller_games_tell_changes_in_their_own_words(
    game: str, path: str, before: Any, after: Any, said: list[str]
):
    assert change_sentences(path, before, after, game_named(game).sheet_words) == said
