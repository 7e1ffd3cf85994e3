"""Procedures side by side: who is busy, and two that write into the same scene."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import Refusal
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.log.paths import merged
from table.company import Company, played

TEST = game_named("burning_wheel").demo.suggestions[0]
ALONE = {**TEST.arguments, "helpers": []}
TAMS = {**ALONE, "character": "tam", "ability": "Climbing", "intent": "be on the roof", "gear": []}


@played
async def test_a_character_is_in_one_procedure_at_a_time(at: Company):
    await at.begin("anna", TEST.procedure, **TEST.arguments)
    busy = "(Mara|Tam) is still busy \\(Standard test\\)"
    for seat, command in (
        ("anna", do.BeginProcedure(TEST.procedure, ALONE)),
        ("ben", do.BeginProcedure(TEST.procedure, TAMS)),  # he helps her
        (
            GM,
            do.BeginProcedure(
                "steel_test", {"character": "tam", "cause": "surprise", "source": "x"}
            ),
        ),
        (GM, do.EditSheet("mara", "concept", "somebody")),
        (GM, do.GiveCharacter("tam", "anna")),
        (GM, do.RemoveCharacter("tam")),
        (GM, do.AddCharacter("tam", ready="tam")),
        (GM, do.BeginProcedure("let_time_pass", {"time": "1 day"})),  # touches everybody
    ):
        with pytest.raises(Refusal, match=busy):
            await at.do(seat, command)


@played
async def test_two_results_ride_whichever_ends_first(at: Company):
    one = await at.begin("anna", TEST.procedure, **ALONE)
    two = await at.begin("ben", TEST.procedure, **TAMS)
    await at.play_on(two)
    await at.play_on(one)
    rides = (await at.scene())["rides"]
    assert [(ride["character"], ride["ability"]) for ride in rides] == [
        ("tam", "Climbing"),
        ("mara", "Streetwise"),
    ]


def argument(one: str, other: str) -> dict[str, Any]:
    sides = [
        {"character": key, "skill": "Persuasion", "case": "x", "wins": "y", "loses": "z"}
        for key in (one, other)
    ]
    return {"about": f"{one} and {other}", "sides": sides}


async def an_exchange(at: Company, duel: str, script: list[str]) -> None:
    """Both write the same script, which is played up to the next one."""
    await at.play_on(duel, until="script")
    for _ in range(2):
        await at.answer(duel, GM, script, "script")
    await at.play_on(duel, until="script")


@pytest.mark.slow
@pytest.mark.parametrize("first", ["withdrawn", "played"])
@played
async def test_positions_in_the_scene_may_move_while_a_procedure_goes_on(at: Company, first: str):
    """Two duels, each with its series of tests in one list; the first one leaves it early."""
    for key in ("ann", "bob", "cid", "dee"):
        await at.gm(do.AddCharacter(key, ready="mara"))
    await at.gm(do.UseOwnDice(True))  # and nobody throws a success
    before = await at.scene()
    one = await at.begin(GM, "duel_of_wits", **argument("ann", "bob"))
    two = await at.begin(GM, "duel_of_wits", **argument("cid", "dee"))
    for duel in (one, two):
        await an_exchange(at, duel, ["point", "point", "point"])
    assert [each["characters"] for each in (await at.scene())["series"]] == [
        ["ann", "bob"],
        ["cid", "dee"],
    ]
    if first == "withdrawn":
        await at.gm(do.CancelProcedure(one))
    else:
        await at.play_on(one, answers={"script": ["concede"] * 3})
    assert [each["characters"] for each in (await at.scene())["series"]] == [["cid", "dee"]]
    await an_exchange(at, two, ["point", "avoid", "point"])
    (series,) = (await at.scene())["series"]
    assert {each["character"] for each in series["tests"]} == {"cid", "dee"}
    left = (await at.scene())["closed_arguments"]
    await at.gm(do.CancelProcedure(two))
    after = await at.scene()
    assert after["series"] == before["series"]
    assert after["closed_arguments"] == left


@played
async def test_what_would_change_somebody_who_is_busy_elsewhere_waits(at: Company):
    two = await at.begin("ben", TEST.procedure, **TAMS)
    vote = await at.begin(GM, "vote", question="Go?", choices=["yes", "no"], voters=["anna"])
    await at.answer(vote, "anna", "yes")  # holds nobody, so it goes on beside it
    assert await at.is_open(two)


plain = st.recursive(
    st.none() | st.integers(-9, 9) | st.sampled_from("abc"),
    lambda inner: (
        st.dictionaries(st.sampled_from("xyz"), inner, max_size=3) | st.lists(inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.slow
@given(plain, plain)
def test_a_change_of_what_is_there_is_that_change(before, after):
    assert merged(before, before, after) == after


@pytest.mark.slow
@given(
    st.dictionaries(st.sampled_from("uvw"), plain),
    st.dictionaries(st.sampled_from("xyz"), plain),
    plain,
    plain,
)
def test_two_changes_of_different_entries_are_both_made(left, right, one, two):
    """By hand: each side writes an entry of its own, whichever comes last."""
    before = {**left, **right, "a": "old", "b": "old", "kept": None}
    first = {**before, "a": one}
    second = {**before, "b": two}
    assert merged(first, before, second) == {**before, "a": one, "b": two}
    assert merged(second, before, first) == {**before, "a": one, "b": two}
    gone = {name: value for name, value in before.items() if name != "a"}
    assert merged(second, before, gone) == {**gone, "b": two}
    assert merged(gone, before, second) == {**gone, "b": two}


@pytest.mark.parametrize(
    ("now", "before", "after", "expected"),
    [
        (5, 3, 4, 6),
        (["x"], [], ["y"], ["x", "y"]),
        (["x", "y"], ["x"], [], ["y"]),
        (["x", "y"], ["x"], ["x", "z"], ["x", "y", "z"]),
        ({"deep": {"n": 2}}, {"deep": {"n": 1}}, {"deep": {"n": 4}}, {"deep": {"n": 5}}),
        ("later", "first", "second", "second"),
        (True, False, True, True),
        ({"empty": None, "n": 1}, {"empty": None, "n": 0}, {"empty": None, "n": 0}, None),
    ],
)
def test_what_was_counted_is_counted_on(now, before, after, expected):
    assert merged(now, before, after) == (now if expected is None else expected)


def test_an_entry_of_an_older_version_is_the_one_that_is_taken_away():
    """What a later version added to an entry is at its default, and the old log lacks it."""
    old = [{"location": "head", "lost": 1}, {"location": "torso", "lost": 0}]
    read = [{**each, "natural": False} for each in old]
    assert merged(old, read, read[1:]) == old[1:]
    new = {"location": "arms", "lost": 0, "natural": False}
    assert merged(old, read, [*read, new]) == [*old, new]
    other = [{"location": "head", "lost": 2}]
    assert merged(other, read, read[1:]) == other
