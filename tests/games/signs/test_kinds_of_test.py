"""Rules Tests and Called Tests: stakes, wager, benefits, and who makes Tests at all."""

from __future__ import annotations

import pytest

from astragal.errors import NotAllowed
from games.signs.playing import called_test, play, rules_test, table_of

THREE = {"ana": {"player": "anna"}, "bo": {"player": "bert"}, "cy": {"player": "cleo"}}
MORE = {"ana": {"player": "anna", "scores": "D6 D6 D12 D6"}, "bo": {"player": "bert"}}


@pytest.mark.rules("signs.type.rules_test")
def test_a_rules_test_brings_what_was_laid_down_and_nobody_haggles():
    table = table_of(**THREE)
    won = rules_test(table, [[6, 1]], success="the poison is out", failure="a day in bed")
    lost = rules_test(table, [[5, 1]], success="the poison is out", failure="a day in bed")
    assert (won.outcome.reached, won.outcome.due) == ("the poison is out", "")
    assert (lost.outcome.reached, lost.outcome.due) == ("", "a day in bed")
    for played in (won, lost):
        assert not {"call", "gain", "cost", "fair"} & set(played.keys)
        assert played.told.startswith("Rules Test: Ana tests Skill (the goal).")


@pytest.mark.rules("signs.type.rules_test")
@pytest.mark.parametrize(("missing", "faces"), [("success", [6, 1]), ("failure", [1, 1])])
def test_an_outcome_that_is_not_written_down_is_asked_of_the_gm(missing: str, faces: list[int]):
    said = rules_test(table_of(**THREE), [faces], {missing: "the bell rings"}, **{missing: "  "})
    assert said.seat(missing) == "gm"
    assert "the bell rings" in (said.outcome.reached, said.outcome.due)
    aloud = rules_test(table_of(**THREE), [faces], **{missing: ""})
    assert aloud.told.splitlines()[-1].endswith((". Yes.", ". No."))


@pytest.mark.rules("signs.attempt.once")
@pytest.mark.parametrize("kind", ["rules_test", "called_test"])
def test_a_test_begins_with_a_score_and_the_goal_is_asked_for(kind: str):
    bare = {"character": "ana", "score": "Skill"}
    played = play(table_of(**THREE), kind, [[6, 1]], {"goal": "up the wall"}, **bare)
    assert played.seat("goal") == "anna"
    assert "Ana tests Skill (up the wall)." in played.told
    assert played.table.scene.attempts[0].goal == "up the wall"
    aloud = play(table_of(**THREE), kind, [[6, 1]], **bare)
    assert "Ana tests Skill." in aloud.told
    assert not [line for line in aloud.told.splitlines() if "()" in line or ": ." in line]


@pytest.mark.rules("signs.type.called_test")
def test_a_called_test_is_the_gms_to_ask_for():
    table = table_of(**THREE)
    called = called_test(table, [[6, 1]])
    assert (called.asked[0].key, called.asked[0].seat) == ("call", "gm")
    assert called.told.startswith("Called Test: Ana tests Social (the goal).")
    with pytest.raises(NotAllowed, match=r"signs\.type\.called_test"):
        called_test(table, [], {"call": False})


@pytest.mark.rules("signs.type.wager")
def test_the_player_wagers_first_and_everybody_else_must_find_it_fair():
    answers = {"gain": "he talks", "cost": "he hits you"}
    played = called_test(table_of(**THREE), [[6, 1]], answers, wager={})
    wager = [(ask.seat, ask.key) for ask in played.asked if ask.key in ("gain", "cost", "fair")]
    assert wager == [
        ("anna", "gain"),
        ("anna", "cost"),
        ("gm", "fair"),
        ("bert", "fair"),
        ("cleo", "fair"),
    ]
    assert played.outcome.reached == "he talks"


@pytest.mark.rules("signs.type.wager")
@pytest.mark.parametrize(
    ("wager", "told"),
    [
        ({"gain": "he talks"}, "Agreed: he talks on a Success."),
        ({"cost": "he hits you"}, "Agreed: he hits you on a failure."),
        ({}, "Agreed, as said at the table."),
    ],
)
def test_a_part_of_a_wager_may_be_said_at_the_table(wager: dict[str, str], told: str):
    played = called_test(table_of(**THREE), [[6, 1]], wager=wager)
    assert told in played.told
    assert {"gain", "cost"} - set(wager) == {"gain", "cost"} & set(played.keys)


@pytest.mark.rules("signs.type.wager")
def test_the_wager_is_negotiated_until_nobody_has_another_offer():
    """The GM counters, the player counters again, then another player; that offer stands."""
    answers = {
        "gm/fair#1": "counter",
        "gm/counter_gain": "he says where",
        "gm/counter_cost": "he warns the others",
        "anna/fair#1": "counter",
        "anna/counter_gain": "he says where and when",
        "anna/counter_cost": "he warns the others",
        "bert/fair#1": "counter",
        "bert/counter_gain": "he says where and when",
        "bert/counter_cost": "he warns the others, and you are hurt",
    }
    played = called_test(table_of(**THREE), [[5, 1]], answers)
    assert played.outcome.due == "he warns the others, and you are hurt"
    fair = [ask.seat for ask in played.asked if ask.key == "fair"]
    # Whoever made the offer is not asked about it; everyone else is, about every offer.
    assert fair == ["gm", "anna", "gm", "bert", "anna", "gm", "cleo"]
    assert "Agreed: he says where and when on a Success" in played.told
    # They are named as people know them, not by the keys of their seats.
    told = [line for line in played.told.splitlines() if "offers:" in line]
    assert [line.partition(" offers:")[0] for line in told] == ["Ana", "The GM", "Ana", "Bo"]
    asked = [ask.prompt.partition(" offers:")[0] for ask in played.asked if ask.key == "fair"]
    assert asked == ["Ana", "The GM", "Ana", "Ana", "Bo", "Bo", "Bo"]


@pytest.mark.rules("signs.type.called_extra")
@pytest.mark.parametrize(("faces", "offered"), [([9, 4], False), ([10, 4], True)])
def test_more_than_one_success_lets_the_player_ask_for_more(faces: list[int], offered: bool):
    answers = {"benefit": "and his horse"} if offered else {}
    played = called_test(table_of(**MORE), [faces], answers)
    assert ("benefit" in played.keys) == offered
    assert played.outcome.benefit == ("and his horse" if offered else "")
    if offered:
        asked = {ask.key: ask.seat for ask in played.asked}
        assert (asked["benefit"], asked["grant_benefit"]) == ("anna", "gm")


@pytest.mark.rules("signs.type.called_extra")
def test_to_ask_is_not_to_get():
    answers = {"benefit": "and his horse", "grant_benefit": False}
    played = called_test(table_of(**MORE), [[10, 4]], answers)
    assert (played.outcome.benefit, played.outcome.reached) == ("", "the gain")


@pytest.mark.rules("signs.success.two_or_more")
@pytest.mark.parametrize(("faces", "offered"), [([9, 4], False), ([10, 4], True)])
def test_in_a_rules_test_the_gm_may_add_a_benefit_to_two_or_more(faces: list[int], offered: bool):
    answers = {"further_benefit": "extra damage"} if offered else {}
    played = rules_test(table_of(**MORE), [faces], answers, score="Social")
    assert ("further_benefit" in played.keys) == offered
    assert played.outcome.benefit == ("extra damage" if offered else "")
    assert played.outcome.complication == ""


@pytest.mark.rules("signs.bane.impose", "signs.bane.effect")
def test_a_failure_may_bring_a_bane_which_weighs_on_the_next_test():
    """signs.amb.no_success_missing."""
    failed = called_test(table_of(**THREE), [[5, 1]], {"failure_bane": "a black eye"})
    assert failed.outcome.bane == "a black eye"
    assert [bane.name for bane in failed.table.character("ana").banes] == ["a black eye"]
    following = rules_test(failed.table, [[6]], goal="the next thing")
    assert following.outcome.modifiers.total == -1
    assert following.table.character("ana").banes == ()


@pytest.mark.parametrize("said", ["", "none", " None "])
def test_no_bane_for_a_failure_is_said_with_nothing_or_none(said: str):
    failed = called_test(table_of(**THREE), [[5, 1]], {"failure_bane": said})
    assert failed.table.character("ana").banes == ()


def test_who_makes_tests():
    """signs.amb.npc_tests: by default only player characters."""
    guard = {"npc": True, "scores": "D6 D6 D6 D6", "signs": {"Wall": "D8: Watchful"}}
    table = table_of({"signs_others_make_tests": "no"}, ana={}, guard=guard)
    for kind in (rules_test, called_test):
        with pytest.raises(NotAllowed, match=r"signs\.amb\.npc_tests"):
            kind(table, character="guard")
    members = [{"character": name, "score": "Skill"} for name in ("ana", "guard")]
    with pytest.raises(NotAllowed, match=r"signs\.amb\.npc_tests"):
        play(table, "group_test", goal="past", members=members)
    table = table_of({"signs_others_make_tests": "yes"}, ana={}, guard=guard)
    played = rules_test(table, [[6, 8]], character="guard", tags=["Watchful"])
    assert played.outcome.successes == 2
    # The same rules, the GM deciding for them; but no Boons and Banes even so.
    failed = rules_test(table, [[1, 1]], character="guard", goal="another goal")
    assert "failure_bane" not in failed.keys
    assert {ask.seat for ask in failed.asked} == {"gm"}
    with pytest.raises(NotAllowed, match=r"signs\.amb\.npc_tests"):
        play(table, "impose_bane", character="guard", name="cold")
