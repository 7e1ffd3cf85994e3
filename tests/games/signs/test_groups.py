"""Group Tests: everyone rolls, Successes are added, nobody helps another member."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.play import Tell, exact
from games.signs.playing import Played, play, start, table_of

STAG = {"scores": "D12 D6 D6 D6", "signs": {"Stag": "D12: Surefooted"}}


def group(table: Any, members: str, rolls: Any, answers: Any = None, **more: Any) -> Played:
    who = [{"character": name, "score": "Skill", **more.get(name, {})} for name in members.split()]
    given = {"goal": "over the pass", "success": "over", "failure": "lost", "members": who}
    return play(table, "group_test", rolls, answers, **given)


@pytest.mark.rules("signs.group.everyone", "signs.group.success")
@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_member_rolls_and_as_many_successes_as_members_are_needed(size: int):
    """All ways in which so many members can show 0, 1 or 2 Successes."""
    keys = ["ana", "bo", "cy", "dee"][:size]
    table = table_of(**dict.fromkeys(keys, STAG))
    face = {0: [5, 4], 1: [6, 4], 2: [12, 4]}
    for shown in product((0, 1, 2), repeat=size):
        played = group(table, " ".join(keys), [face[n] for n in shown])
        assert len(played.rolled) == size
        assert played.outcome.successes == sum(shown)
        assert played.outcome.needed.total == size
        assert played.outcome.passed == (sum(shown) >= size)
        assert played.outcome.reached == ("over" if sum(shown) >= size else "")
        assert played.outcome.due == ("" if sum(shown) >= size else "lost")


def test_the_outcome_that_is_told_is_that_of_the_group():
    played = group(table_of(ana=STAG, bo=STAG), "ana bo", [[6, 4], [5, 4]])
    facts = [event.fact for event in played.events if isinstance(event, Tell)]
    outcomes = [fact.sentence() for fact in facts if fact.role == "outcome"]
    assert outcomes == ["The group has 1 Success, needs 2, and fails: lost."]


@pytest.mark.rules("signs.group.success")
def test_a_group_test_has_no_degrees_and_no_complications():
    """signs.amb.group_yes_and: far more than needed is a plain success."""
    table = table_of(ana=STAG, bo=STAG)
    tags = {"ana": {"tags": ["Surefooted"]}, "bo": {"tags": ["Surefooted"]}}
    played = group(table, "ana bo", [[12, 12], [12, 12]], **tags)
    assert (played.outcome.passed, played.outcome.successes) == (True, 8)
    after = {"further_benefit", "benefit", "complication", "failure_bane"}
    assert not after & set(played.keys)
    assert not after & set(group(table, "ana bo", [[1, 1], [1, 1]]).keys)


@pytest.mark.rules("signs.group.success", "signs.success.downgrade")
def test_a_member_who_chooses_to_fail_still_counts_as_one_of_the_group():
    table = table_of(ana=STAG, bo={**STAG, "banes": ["cold"]}, cy=STAG)
    rolls = [[12, 1], [6, 1]]
    played = group(table, "ana bo cy", rolls, {"bo/roll_or_fail": "fail"})
    assert (played.outcome.successes, played.outcome.needed.total) == (3, 3)
    assert played.outcome.passed
    assert [bane.name for bane in played.table.character("bo").banes] == ["cold"]
    short = group(table, "ana bo cy", [[9, 1], [6, 1]], {"bo/roll_or_fail": "fail"})
    assert not short.outcome.passed


@pytest.mark.rules("signs.group.no_help")
def test_members_cannot_help_one_another():
    table = table_of(ana=STAG, bo=STAG, cy=STAG)
    with pytest.raises(
        NotAllowed,
        match=r"Bo takes part in the group Test and cannot help Ana.*signs\.group\.no_help",
    ):
        group(table, "ana bo", [], ana={"helpers": ["bo"]})
    offer = {"helper": "bo", "tag": "Surefooted", "character": "ana", "goal": "over the pass"}
    offered = play(table, "offer_help", **offer).table
    played = group(offered, "ana bo", [[1, 1], [1, 1]])
    assert "Bo takes part in the group Test and cannot help in it" in played.told
    assert "reroll" not in played.keys
    # Cy does not take part, and can.
    helped = group(
        table, "ana bo", [[1, 1], [6], [6, 1]], {"help": "Surefooted"}, ana={"helpers": ["cy"]}
    )
    assert helped.outcome.successes == 2


@pytest.mark.rules("signs.group.everyone")
def test_a_group_is_two_or_more_each_of_them_once():
    table = table_of(ana=STAG, bo=STAG)
    for members in ("ana", "ana ana"):
        with pytest.raises(
            BadInput, match=r"two or more different characters.*signs\.group\.everyone"
        ):
            group(table, members, [])


@pytest.mark.rules("signs.bane.effect", "signs.boon.effect", "signs.attempt.scene")
def test_they_are_tests_for_boons_banes_and_the_one_attempt():
    table = table_of(ana={**STAG, "banes": ["cold"]}, bo={**STAG, "boons": ["a map"]}, cy=STAG)
    played = group(table, "ana bo", [[1], [1, 1], [6]], {"boon": "a map"})
    assert played.rolled == ["d12", "(d12, d4)", "d12"]
    assert played.table.character("ana").banes == ()
    assert played.table.character("bo").boons == ()
    assert {a.character for a in played.table.scene.attempts} == {"ana", "bo"}
    with pytest.raises(NotAllowed, match=r"signs\.attempt\.scene"):
        group(played.table, "bo cy", [])
    second = table_of(scene={"number": 2}, ana=STAG, bo=STAG)
    again = group(second, "ana bo", [[1, 1], [1, 1]]).table
    with pytest.raises(NotAllowed, match=r"signs\.attempt\.scene"):
        group(again, "ana bo", [])


@pytest.mark.rules("signs.attempt.once")
def test_what_does_not_fit_is_refused_before_anybody_rolls():
    table = table_of(ana=STAG, bo=STAG)
    members = [{"character": name, "score": "Skill"} for name in ("ana", "bo")]
    with pytest.raises(BadInput, match=r"wants to achieve.*signs\.attempt\.once"):
        play(table, "group_test", [], goal=" ", members=members)
    with pytest.raises(BadInput, match="a Tag of Bo: Surefooted"):
        group(table, "ana bo", [], bo={"tags": ["Surefoot"]})


@pytest.mark.rules("signs.group.success")
def test_the_odds_of_a_group_of_four_by_adding_up_four_single_rolls():
    """Each rolls a D12 and a D4: five, four and three of twelve faces are worth 0, 1 and 2."""
    table = table_of(**dict.fromkeys(["ana", "bo", "cy", "dee"], STAG))
    members = [{"character": name, "score": "Skill"} for name in table.characters]
    odds = exact(start(table, "group_test", goal="over", members=members))
    single = {0: 5, 1: 4, 2: 3}  # of the twelve faces of the D12; the D4 gives nothing
    wanted = sum(
        single[a] * single[b] * single[c] * single[d]
        for a, b, c, d in product(single, repeat=4)
        if a + b + c + d >= 4
    )
    assert odds.where(lambda outcome: outcome.passed) * 12**4 == wanted
