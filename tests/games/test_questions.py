"""Which lines the card of a plain test has in the small games, and what each is if untouched.

What is expected is written down by hand: at most one line that the dice wait for, chips to tap,
and nothing after a roll that nobody could want. A question that is added has to be added here.
"""

from __future__ import annotations

import pytest

from games.cores import playing as cores
from games.percentile import playing as percentile
from games.playing import cards
from games.signs import playing as signs

ANN = {
    "rocks": {"Climbing": "physical"},
    "perks": ["Lucky"],
    "relationships": {"Ben": "B"},
    "angst": {"Fear": 1},
    "story_points": 1,
}


def test_a_test_of_a_core_needs_a_difficulty_number():
    table = cores.table_of(ann={**ANN, "story_points": 0}, ben={})
    tapped = {"character": "ann", "core": "physical"}
    before, after = cards(cores.play(table, "test", [[6, 6]], {"dn": 8}, **tapped).events)
    assert before == {
        "needed": [("gm", "dn")],
        "offered": [
            *[("ann", "task"), ("ann", "rock"), ("ann", "perk"), ("ann", "tap")],
            *[("gm", "relationship"), ("gm", "gm_tap")],
        ],
        "consent": [("gm", "core")],
    }
    assert after == {}
    said = {"dn": 8, "rock": "Climbing", "support": "moral"}
    helped, _ = cards(
        cores.play(table, "test", [[6, 6]], said, **tapped, helpers=["ben"], task="jumps").events
    )
    assert helped["consent"] == [("gm", "core"), ("gm", "bears_on"), ("gm", "acted_out")]
    assert ("ben", "support") in helped["offered"]
    assert ("ann", "task") not in helped["offered"]


@pytest.mark.parametrize(
    ("faces", "dn", "kind"),
    [
        ([1, 3], 12, "offered"),  # a Base Die rolled again may show 6 and 6: 15 in all
        ([1, 3], 15, "offered"),
        ([1, 3], 16, "aside"),
        ([6, 1], 15, "aside"),  # 13 with the Base Die, 12 with the Core Die
    ],
)
def test_story_points_are_offered_where_a_reroll_could_do(faces: list[int], dn: int, kind: str):
    table = cores.table_of(ann={"story_points": 1})
    *_, after = cards(cores.make_test(table, [faces], {"dn": dn}).events)
    assert after == {kind: [("ann", "reroll")]}


@pytest.mark.parametrize(("total", "kind"), [(7, "offered"), (6, "offered"), (5, "aside")])
def test_life_experience_is_offered_where_it_could_do(total: int, kind: str):
    table = cores.table_of(ann={"life_experience": 2})
    *_, after = cards(cores.make_test(table, [[1, total - 1]], {"dn": 8}).events)
    assert after == {kind: [("ann", "experience")]}


def test_an_opposed_test_of_cores_needs_nothing():
    table = cores.table_of(ann={}, ben={})
    sides = {name: {"character": who, "core": "physical"} for name, who in SIDES.items()}
    played = cores.play(table, "opposed_test", [[3, 3], [4, 4]], **sides)
    first, *rest = cards(played.events)
    assert first == {
        "offered": [("ann", "task"), ("ben", "task")],
        "consent": [("gm", "core"), ("gm", "core")],
    }
    assert rest == [{}, {}]


SIDES = {"acting": "ann", "opposing": "ben"}


def test_a_percentile_test_needs_nothing():
    table = percentile.table_of(a={"S": 30}, b={"S": 30})
    tapped = {"character": "a", "ability": "S"}
    before, after = cards(percentile.play(table, "test", [[3, 10]], **tapped).events)
    assert before == {
        "offered": [("a", "task"), ("gm", "difficulty"), ("gm", "modifiers")],
        "consent": [("gm", "called_for"), ("gm", "ability")],
    }
    assert after == {}
    helped, _ = cards(percentile.play(table, "test", [[3, 10]], **tapped, assistants=["b"]).events)
    assert helped["offered"] == before["offered"]
    assert helped["consent"] == [*before["consent"], ("b", "assist"), ("gm", "allow_assistance")]


@pytest.mark.parametrize(("rolled", "kind"), [([3, 10], "aside"), ([3, 1], "offered")])
def test_a_reroll_is_offered_after_a_failure(rolled: list[int], kind: str):
    table = percentile.table_of(a={"S": 30})
    played = percentile.play(
        table, "test", [rolled], character="a", ability="S", task="lifts", rerolls=["a charm"]
    )
    *_, after = cards(played.events)
    assert after == {kind: [("a", "reroll")]}


def test_an_opposed_percentile_test_needs_nothing():
    table = percentile.table_of(a={"S": 30}, b={"S": 45})
    sides = [{"character": who, "ability": "S"} for who in ("a", "b")]
    played = percentile.play(table, "opposed_test", [[3, 10], [4, 10]], sides=sides)
    first, *rest = cards(played.events)
    assert first == {
        "offered": [
            *[("a", "task"), ("gm", "difficulty"), ("gm", "modifiers")],
            *[("b", "task"), ("gm", "difficulty"), ("gm", "modifiers")],
        ],
        "consent": [("gm", "ability"), ("gm", "ability")],
        "aside": [("gm", "if_both_fail")],
    }
    assert rest == [{}, {}]


def test_a_rules_test_of_signs_needs_nothing():
    table = signs.table_of(ana={}, bo={})
    tapped = {"character": "ana", "score": "Skill"}
    before, after = cards(signs.play(table, "rules_test", [[6, 1]], **tapped).events)
    assert before == {
        "offered": [
            *[("ana", "goal"), ("gm", "success"), ("gm", "failure")],
            *[("gm", "advantages"), ("gm", "disadvantages")],
        ],
        "aside": [("ana", "roll_or_fail")],
    }
    assert after == {"aside": [("ana", "take")]}
    *_, failed = cards(signs.play(table, "rules_test", [[1, 1]], **tapped).events)
    assert failed == {"offered": [("gm", "failure_bane")]}


def test_a_called_test_of_signs_stands_unless_somebody_objects():
    table = signs.table_of(ana={}, bo={})
    tapped = {"character": "ana", "score": "Skill"}
    before, after = cards(signs.play(table, "called_test", [[6, 1]], **tapped).events)
    assert before == {
        "offered": [
            *[("ana", "goal"), ("ana", "gain"), ("ana", "cost")],
            *[("gm", "advantages"), ("gm", "disadvantages")],
        ],
        "consent": [("gm", "call"), ("gm", "fair"), ("bo", "fair")],
        "aside": [("ana", "roll_or_fail")],
    }
    assert after == {"aside": [("ana", "take")], "offered": [("gm", "complication")]}
