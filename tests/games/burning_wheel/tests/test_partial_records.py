"""Characters of the GM's with a few numbers, in conflicts that need more of them.

The numbers come from the book: stats of 4 for one-off characters, Reflexes as the average of
Perception, Agility and Speed. For Steel there is only the GM's word.
"""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.rogues.one_line import one_line_character
from games.burning_wheel.dueling import SPEAKER, argue, hall
from games.burning_wheel.fighting import fight, ring
from games.burning_wheel.playing import Played, play, table

BLOCKS = ("stay", "block", "block", "stay", "block", "stay", "block")
STRIKES = ("close", "strike", "stay", "block", "stay", "block")


def played_by_bob(line: str) -> dict[str, Any]:
    """A character of the GM's whom somebody at the table plays for now."""
    return {**one_line_character(line), "player": "bob"}


def steel(line: str, answers: Any = None, rolls: Any = None) -> Played:
    at = table(bob=one_line_character(line))
    arguments = {"character": "bob", "cause": "fear", "source": "a wolf"}
    return play("steel_test", arguments, at, answers or {}, rolls or [6])


@pytest.mark.rules("tests.record.gm_characters", "rogues.oneoff.stats_base")
def test_the_gm_is_asked_for_a_steel_that_is_not_there_and_only_once():
    played = steel("wolfherd, 4s", {"missing_steel": 5}, [3])
    assert played.outcome.obstacle.total == 6  # 10 - Will 4
    assert str(played.table.character("bob").find("Steel").rating) == "B5"
    again = play(
        "steel_test",
        {"character": "bob", "cause": "fear", "source": "another wolf"},
        played.table,
        {},
        [6],
    )
    assert "missing_steel" not in again.asked
    assert "missing_stats" not in again.asked


@pytest.mark.rules("rogues.oneoff.stats_base", "tests.attributes.derived")
def test_a_character_with_nothing_but_a_name_can_fight():
    """Every stat at 4 unless the GM says otherwise; Will 5 was given and stays."""
    bob = played_by_bob("guard, will 5, sword B3, weapon sword")
    at = ring(bob=bob)
    scripts = {"ann": [STRIKES], "bob": [BLOCKS]}
    played = fight(scripts, None, {"gm/missing_steel": 3}, at)
    sheet = played.table.character("bob")
    assert {name: str(each.rating) for name, each in sheet.stats.items()} == {
        "Will": "B5",
        "Perception": "B4",
        "Agility": "B4",
        "Speed": "B4",
        "Power": "B4",
        "Forte": "B4",
    }
    found = {name: str(each.rating) for name, each in sheet.attributes.items()}
    assert found == {"Reflexes": "B4", "Steel": "B3"}
    assert played.asks["missing_stats"].seat == "gm"
    assert played.asks["missing_stats"].kind == "offered"


@pytest.mark.rules("tests.record.gm_characters")
def test_a_sketched_character_can_argue():
    bob = played_by_bob("miller, will 3, haggling B4")
    quiet = ("avoid", "avoid", "avoid")
    arguments = {"gm/missing_steel": 2, "bob/concede": True}
    at = hall(SPEAKER, bob)
    played = argue([quiet], [quiet], None, arguments, at, side_b={"skill": "Haggling"})
    assert str(played.table.character("bob").find("Steel").rating) == "B2"
    assert "missing_stats" not in played.asked  # Will is there, and that is all it takes


@pytest.mark.rules("duel_of_wits.lose.steel_test", "steel.attribute.meaning")
def test_a_character_of_a_player_is_not_filled_in():
    lacking = {**SPEAKER, "attributes": {}}
    with pytest.raises(BadInput, match="a Steel on the sheet of"):
        argue([], [], None, {}, hall(lacking))


def test_what_cannot_be_a_fight_is_refused_before_the_gm_is_asked():
    bob = one_line_character("guard")
    with pytest.raises(BadInput, match="two sides or more"):
        play("fight", {"sides": [{"fighters": [{"character": "bob"}]}]}, ring(bob=bob))
