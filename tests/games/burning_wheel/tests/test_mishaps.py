"""Weird random events and great falls: who is struck, and how badly."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from games.burning_wheel.playing import Played, play, table


def mishap(
    procedure: str,
    arguments: dict[str, Any],
    faces: tuple[int, ...] = (),
    answers: dict[str, Any] | None = None,
    options: dict[str, str] | None = None,
) -> Played:
    at = table({}, options, mara={"player": "anna"}, tam={"player": "ben"})
    return play(procedure, arguments, at, answers, [[face] for face in faces])


@pytest.mark.rules("die_of_fate.event.weird", "die_of_fate.event.per_character")
def test_each_who_is_exposed_has_a_die_of_their_own_thrown_by_the_gm():
    arguments = {"event": "lightning", "caused_by": "tam", "exposed": ["mara", "tam"]}
    for first in range(1, 7):
        for second in range(1, 7):
            session = mishap("weird_event", arguments, (first, second))
            struck = [n for n, face in (("mara", first), ("tam", second)) if face == 1]
            assert list(session.outcome.struck) == struck
    assert [roll.owner for roll in session.rolls] == ["gm", "gm"]


@pytest.mark.parametrize("exposed", [[], ["mara", "mara"], ["nobody"]])
def test_somebody_must_be_exposed_each_once(exposed: list[str]):
    with pytest.raises(BadInput, match="exposed"):
        mishap("weird_event", {"event": "hail", "caused_by": "tam", "exposed": exposed})


@pytest.mark.rules("die_of_fate.fall.roll", "die_of_fate.fall.on_one", "die_of_fate.fall.otherwise")
@pytest.mark.parametrize("reading", ["mortal", "traumatic", "severe"])
def test_a_fall_ends_as_the_table_reads_it(reading: str):
    options = {"die_of_fate_fall_wound": reading}
    fall = {"character": "mara", "height": "the spire"}
    for face in range(2, 7):
        result = mishap("fatal_fall", fall, (face,), options=options).outcome
        assert (result.spared, result.wound) == (False, reading)
    lucky = mishap("fatal_fall", fall, (1,), options=options).outcome
    assert (lucky.spared, lucky.wound) == (True, "")


def test_or_as_the_gm_grades_it():
    options = {"die_of_fate_fall_wound": "gm_each_time"}
    fall = {"character": "mara", "height": "the spire"}
    for wound in ("severe", "traumatic", "mortal"):
        session = mishap("fatal_fall", fall, (2,), {"fall_wound": wound}, options)
        assert session.outcome.wound == wound
    assert mishap("fatal_fall", fall, (2,), {}, options).outcome.wound == "mortal"
    with pytest.raises(BadInput):
        mishap("fatal_fall", fall, (2,), {"fall_wound": "light"}, options)
    with pytest.raises(BadInput):
        mishap("fatal_fall", fall, (1,), {"fall_wound": "mortal"}, options)


def test_a_fall_that_a_test_could_prevent_is_first_that_test():
    with pytest.raises(NotAllowed, match="Roll the test"):
        mishap("fatal_fall", {"character": "mara", "height": "a wall"}, (1,), {"preventable": True})
