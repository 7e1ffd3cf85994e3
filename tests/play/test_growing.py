"""Long lists that grow: what the index finds is what a search of all entries finds."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.games.burning_wheel.sheet.rides import Ride, Rides
from astragal.play.growing import STEP, GrowingList, GrowingTuple, words_in

FEW = st.integers(0, 5)
STEPS = st.lists(
    st.tuples(st.sampled_from(["grow", "branch", "take", "look"]), FEW, FEW), max_size=120
)


def ride(number: int, passed: int) -> Ride:
    intent = ("Open the door", " open  THE door", "", "hide", "run", "hide ")[number]
    return Ride("mara", "Stealth" if number % 2 else "stealth", intent, passed, passed > 2)


def searched(rides: Sequence[Ride], wanted: Ride) -> Ride | None:
    """The latest of the same character, ability and words, by going through all."""

    def key(each: Ride) -> tuple[str, str, list[str]]:
        return each.character, each.ability.lower(), each.intent.lower().split()

    return next((each for each in reversed(rides) if key(each) == key(wanted)), None)


@given(STEPS, st.integers(0, 3 * STEP))
def test_what_rides_is_found_as_by_a_search_of_all(steps: list[tuple[str, int, int]], many: int):
    before = [ride(each % 5, each % 4) for each in range(many)]
    plain: list[Ride] = list(before)
    rides, other = Rides(plain), Rides(plain)
    for what, number, passed in steps:
        one = ride(number, passed)
        match what:
            case "grow":
                was = rides
                rides, plain = rides.grown(one), [*plain, one]
                assert rides.grew_from(was)
                assert not rides.grew_from(other)
            case "branch":  # another course of the same evening, which is forgotten
                other = rides.grown(one, one)
                assert other.latest("mara", one.ability, one.intent) == one
            case "take":
                was = rides
                rides, plain = rides.without(one), [each for each in plain if each != one]
                assert rides.shrank_from(was)
                assert rides.taken == (one,) * was.count(one)
            case "look":
                assert rides.latest("mara", one.ability, one.intent) == searched(plain, one)
                assert (one in rides) == (one in plain)
        assert rides == tuple(plain)
        assert not rides.__ne__(tuple(plain))
        assert rides != (*plain, one)
    for number in range(6):
        one = ride(number, 0)
        assert rides.latest("mara", one.ability, one.intent) == searched(plain, one)
        assert (one in rides) == (one in plain)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a", "b"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("xy"), inner),
    max_leaves=4,
)


@pytest.mark.slow
@given(st.lists(PLAIN, max_size=80), st.lists(PLAIN, max_size=60))
def test_plain_entries_are_found_however_the_list_came_about(first: list[Any], more: list[Any]):
    entries, plain = GrowingList(first), list(first)
    for each in more:
        assert entries.has(each) == (each in plain)
        entries, plain = entries.grown([each]), [*plain, each]
        assert entries == plain
        early, late = entries.words()
        assert early | late == frozenset(words_in(plain))


def test_a_tuple_that_goes_to_another_process_is_found_in_there():
    rides = Rides([ride(0, 1)]).grown(ride(3, 2))
    again = pickle.loads(pickle.dumps(rides))
    assert (type(again), again) == (Rides, rides)
    assert again.latest("mara", "STEALTH", "Hide") == ride(3, 2)
    assert hash(GrowingTuple("ab")) == hash(("a", "b"))


def test_a_copy_of_a_list_is_another_list():
    entries = GrowingList(["a"]).grown(["b"])
    for again in (copy.copy(entries), copy.deepcopy(entries), pickle.loads(pickle.dumps(entries))):
        assert (type(again), again) == (GrowingList, entries)
        again.append("c")
        assert again.has("c")
        assert not again.grown(["d"]).grew_from(entries)


def test_lists_that_grew_apart_have_nothing_of_each_other():
    common = GrowingList(range(2 * STEP))
    assert common.has(1)
    one, other = common.grown(["x"]), common.grown(["y"])
    for _ in range(2 * STEP):
        one, other = one.grown(["z"]), other.grown(["z"])
        assert (one.has("x"), one.has("y"), other.has("x"), other.has("y")) == (1, 0, 0, 1)
        assert "y" not in frozenset().union(*one.words())


def read_meanwhile(entries: GrowingList, steps: int) -> tuple[GrowingList, bool]:
    """A list that has grown while another thread read it after so many steps; whether it did."""
    left = steps

    def other_thread(frame: Any, what: str, _value: Any) -> Any:
        nonlocal left
        frame.f_trace_opcodes = True
        left -= what == "opcode"
        if left < 0:
            sys.settrace(None)
            entries.words()
            entries.has("word 0")
        return None if left < 0 else other_thread

    before = sys.gettrace()
    sys.settrace(other_thread)
    try:
        return entries.grown(["more"]), left < 0
    finally:
        sys.settrace(before)


def test_a_list_that_grows_while_another_thread_looks_it_through_loses_nothing():
    """Between any two steps of growing, the list that it grows from may be read to its end."""
    words = [f"word {number}" for number in range(2 * STEP)]
    for steps in count():
        grown, was_read = read_meanwhile(GrowingList(words), steps)
        assert frozenset().union(*grown.words()) == frozenset([*words, "more"])
        assert all(grown.has(each) for each in [*words, "more"])
        if not was_read:
            break
    assert steps > 20
