"""Weird random events: who is struck."""

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


@pytest.mark.rules("die_of_fate.event.needs_player_cause")
@pytest.mark.parametrize("cause", ["", "duke"])
def test_what_no_player_caused_gets_no_die(cause: str):
    at = table({}, None, mara={"player": "anna"}, duke={"npc": True})
    with pytest.raises(NotAllowed, match=r"die_of_fate\.event\.needs_player_cause"):
        play("weird_event", {"event": "hail", "caused_by": cause, "exposed": ["mara"]}, at, {}, [])
