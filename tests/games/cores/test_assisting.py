"""Direct and moral support."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput, NotAllowed
from games.cores.playing import make_test, play, table_of

FRIENDS = {
    "ann": {},
    "ben": {"relationships": {"Ann": "B"}},
    "cleo": {"relationships": {"Ann": "Critical A"}},
    "dan": {"relationships": {"Ann": "D"}},
    "eve": {},
}


@pytest.mark.rules("cores.assist.direct")
@pytest.mark.parametrize(("helpers", "bonus"), [(1, 1), (2, 2), (3, 2), (4, 2)])
def test_direct_support_adds_one_each_up_to_two(helpers: int, bonus: int):
    names = list(FRIENDS)[1 : helpers + 1]
    answers = {f"{name}/support": "direct" for name in names}
    played = make_test(table_of(**FRIENDS), [[3, 3]], answers, helpers=names)
    assert played.outcome.total == 6 + bonus
    assert [ask.seat for ask in played.asked if ask.key == "support"] == names


@pytest.mark.rules("cores.assist.moral", "cores.assist.moral_conditions")
@pytest.mark.parametrize(("helper", "bonus"), [("ben", 1), ("cleo", 2), ("dan", 0), ("eve", 0)])
def test_moral_support_is_the_supporters_own_grade_from_b_upwards(helper: str, bonus: int):
    table = table_of(**FRIENDS | {"ann": {"relationships": {"Ben": "F", "Dan": "A", "Eve": "A"}}})
    played = make_test(table, [[3, 3]], {"support": "moral"}, helpers=[helper])
    assert played.outcome.total == 6 + bonus


@pytest.mark.rules("cores.assist.moral_conditions")
def test_a_relationship_is_with_a_character_by_name_or_by_key():
    for known_as in ("Coach Hale", "coach hale", "COACH"):
        sheets = {"coach": {"name": "Coach Hale"}, "ben": {"relationships": {known_as: "A"}}}
        played = make_test(
            table_of(**sheets), [[3, 3]], {"support": "moral"}, character="coach", helpers=["ben"]
        )
        assert played.outcome.total == 8


@pytest.mark.rules("cores.assist.moral", "cores.assist.moral_conditions")
def test_moral_support_counts_one_only_and_has_to_be_acted_out():
    table = table_of(**FRIENDS)
    both = make_test(table, [[3, 3]], {"support": "moral"}, helpers=["ben", "cleo"])
    assert both.outcome.total == 8  # not 9
    assert both.seat("acted_out") == "gm"
    one = make_test(
        table, [[3, 3]], {"support": "moral", "acted_out": ["ben"]}, helpers=["ben", "cleo"]
    )
    assert one.outcome.total == 7
    silent = make_test(
        table, [[3, 3]], {"support": "moral", "acted_out": []}, helpers=["ben", "cleo"]
    )
    assert silent.outcome.total == 6


def test_both_kinds_count_on_one_test_each_helper_giving_one():
    """cores.amb.direct_and_moral: +4 at most."""
    table = table_of(**FRIENDS)
    answers = {"support": "direct", "cleo/support": "moral"}
    played = make_test(table, [[3, 3]], answers, helpers=["ben", "cleo", "dan", "eve"])
    assert played.outcome.modifiers.total == 4


@pytest.mark.rules("cores.assist.present")
def test_only_who_is_in_the_scene_can_assist():
    table = table_of(**FRIENDS)
    there = play(table, "begin_scene", present=["ann", "ben"]).table
    assert make_test(there, [[3, 3]], {"support": "direct"}, helpers=["ben"]).outcome.total == 7
    gone = table_of(scene={"out": ["ben"]}, **FRIENDS)
    dead = table_of(**FRIENDS | {"ben": {"dead": True}})
    for scene, helper in ((there, "cleo"), (gone, "ben"), (dead, "ben")):
        with pytest.raises(NotAllowed) as refusal:
            make_test(scene, helpers=[helper])
        assert refusal.value.rule == "cores.assist.present"


def test_nobody_helps_who_declines():
    assert make_test(table_of(**FRIENDS), [[3, 3]], helpers=["ben"]).outcome.total == 6


def test_an_opponent_does_not_assist():
    table = table_of(**FRIENDS)
    sides = {"acting": {"character": "ann", "core": "social", "helpers": ["ben"]}}
    sides["opposing"] = {"character": "ben", "core": "resolve"}
    with pytest.raises(BadInput):
        play(table, "opposed_test", [], **sides)
