"""Attack rolls: rolled as Tests are, and no Tests."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games import game_named
from games.signs.playing import Played, play, rules_test, table_of

ANA = {"scores": "D8 D6 D6 D6", "signs": {"Stag": "D12: Spear"}}
BO = {"signs": {"Owl": "D6: Lookout"}}


def attack(table: Any, rolls: Any, answers: Any = None, **more: Any) -> Played:
    given = {"character": "ana", "score": "Skill", "target": "the troll", "tags": ["Spear"]}
    return play(table, "attack_roll", rolls, answers, **(given | more))


@pytest.mark.rules("signs.attack.like_tests")
@pytest.mark.parametrize(
    ("aids", "hinders", "rolls", "dice", "successes"),
    [
        (0, 0, [[6, 11]], ["(d8, d12)"], 3),
        (1, 0, [[1, 6], [7]], ["(d8, d12)", "d8"], 2),
        (2, 0, [[1, 1], [11], [6]], ["(d8, d12)", "d12", "d8"], 3),
        (0, 1, [[10]], ["d12"], 2),
        (0, 2, [[6]], ["d6"], 1),
        (1, 1, [[5, 5]], ["(d8, d12)"], 0),
    ],
)
def test_dice_successes_and_modifiers_are_those_of_a_test(
    aids: int, hinders: int, rolls: list[list[int]], dice: list[str], successes: int
):
    table = table_of(ana=ANA)
    played = attack(
        table,
        rolls,
        advantages=["high ground", "surprise"][:aids],
        disadvantages=["mud", "smoke"][:hinders],
    )
    assert played.rolled == dice
    assert played.outcome.successes == successes
    assert played.table == table  # and nothing is kept of it


@pytest.mark.rules("signs.attack.like_tests", "signs.success.downgrade")
def test_fewer_successes_may_be_taken():
    assert attack(table_of(ana=ANA), [[6, 11]], {"take": 1}).outcome.successes == 1


@pytest.mark.rules("signs.attack.repeat")
def test_the_same_target_can_be_attacked_again_and_again():
    table = table_of(ana=ANA)
    for _ in range(3):
        table = attack(table, [[1, 1]]).table
    assert table.scene.attempts == ()
    # Not even a Test with that very goal is in the way, or put in the way.
    table = rules_test(table, [[1, 1]], goal="the troll").table
    assert attack(table, [[6, 1]]).outcome.successes == 1


@pytest.mark.rules("signs.attack.like_tests")
def test_those_who_make_no_tests_still_attack():
    table = table_of(ana=ANA, troll={"npc": True, "scores": {"Skill": "D10"}})
    played = attack(table, [[10, 1]], character="troll", tags=[], target="Ana")
    assert played.outcome.successes == 2


@pytest.mark.rules("signs.boon_bane.tests_only")
def test_boons_and_banes_do_not_go_for_attacks():
    table = table_of(
        {"signs_help_and_boons_on_attacks": "no"},
        ana={**ANA, "boons": ["a map"], "banes": ["cold"]},
    )
    played = attack(table, [[1, 1]])
    assert played.rolled == ["(d8, d12)"]
    assert not {"boon", "boon_after", "roll_or_fail"} & set(played.keys)
    assert played.table == table


@pytest.mark.rules("signs.boon_bane.other_rolls")
def test_but_for_those_that_the_gm_gave_for_other_rolls_as_well():
    boons = ["a map", {"name": "a blessed spear", "other_rolls": True}]
    banes = ["cold", {"name": "blinded", "other_rolls": True}]
    table = table_of(ana={**ANA, "boons": boons, "banes": banes})
    played = attack(table, [[1]])
    assert (played.outcome.modifiers.total, played.outcome.banes_used) == (-1, ("blinded",))
    assert [option.key for option in played.question("boon").options] == ["none", "a blessed spear"]
    assert [bane.name for bane in played.table.character("ana").banes] == ["cold"]
    used = attack(table, [[1, 1]], {"boon": "a blessed spear"})
    assert used.outcome.modifiers.total == 0
    assert [boon.name for boon in used.table.character("ana").boons] == ["a map"]
    # They go for Tests all the same.
    tested = rules_test(table, [[1]])
    assert tested.outcome.banes_used == ("cold", "blinded")


def test_a_table_may_let_help_boons_and_banes_go_for_attacks():
    """signs.amb.attack_modifiers."""
    ana = {**ANA, "boons": ["a map"], "banes": ["cold"]}
    no = table_of({"signs_help_and_boons_on_attacks": "no"}, ana=ana, bo=BO)
    with pytest.raises(NotAllowed, match=r"signs\.amb\.attack_modifiers"):
        attack(no, [], helpers=["bo"])
    yes = table_of({"signs_help_and_boons_on_attacks": "yes"}, ana=ana, bo=BO)
    answers = {"help": "Lookout", "boon": "a map"}
    played = attack(yes, [[1, 1], [1]], answers, helpers=["bo"])
    assert [line.amount for line in played.outcome.modifiers] == [-1, 1, 1]
    assert (played.outcome.boon_used, played.outcome.banes_used) == ("a map", ("cold",))
    assert played.table.character("ana").boons == played.table.character("ana").banes == ()
    # Help that was declared ahead is for a Test.
    offer = {"helper": "bo", "tag": "Lookout", "character": "ana", "goal": "the troll"}
    offered = play(played.table, "offer_help", **offer).table
    assert attack(offered, [[1, 1]]).outcome.modifiers.total == 0
    # The one attempt does not come with them.
    assert attack(played.table, [[1, 1]]).outcome.successes == 0


def test_an_attack_has_a_target():
    with pytest.raises(BadInput, match="target: found ' '"):
        attack(table_of(ana=ANA), [], target=" ")


@pytest.mark.parametrize(
    ("target", "called"), [("bo", "Bo"), ("the troll", "the troll"), (" a wolf ", "a wolf")]
)
def test_whoever_is_attacked_is_called_by_name(target: str, called: str):
    table = table_of(ana=ANA, bo=BO)
    assert f"Ana attacks {called} with Skill." in attack(table, [[6, 11]], target=target).told
    game = game_named("signs")
    said = {"character": "ana", "score": "Skill", "target": target}
    about = game.at_table.about(game.procedure("attack_roll"), said, {"ana": "Ana", "bo": "Bo"})
    assert about == f"Ana's Skill against {called}"
