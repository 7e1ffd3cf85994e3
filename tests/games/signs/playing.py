"""Small helpers for the tests of the game: a table from a few words, and one step played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from astragal.games.signs import GAME, SignsTable
from astragal.play import (
    Then,
)
from games.playing import Played, changes_of, play_through


def table_of(
    options: Mapping[str, str] | None = None, scene: Mapping[str, Any] | None = None, **sheets: Any
) -> SignsTable:
    """A table; a sheet's scores default to D6 each, and its name to its key."""
    read = {
        key: GAME.read_sheet({"name": key.title(), "scores": "D6 D6 D6 D6", **raw}, key)
        for key, raw in sheets.items()
    }
    return GAME.table(read, GAME.read(scene or {}, GAME.scene, "scene"), options)


def start(table: SignsTable, name: str, /, **arguments: Any) -> Then[Any]:
    """A procedure from plain data, as a scenario or a client would begin it."""
    procedure = GAME.procedure(name)
    return procedure.start(GAME.read(arguments, procedure.arguments, "arguments"), table)


def play(
    table: SignsTable,
    name: str,
    rolls: Sequence[Sequence[int]] = (),
    answers: Mapping[str, Any] | None = None,
    /,
    **arguments: Any,
) -> Played:
    """Play one procedure with these faces and answers; every face and answer must be needed."""
    session = play_through(start(table, name, **arguments), rolls, answers)
    after = table.changed(*changes_of(session))
    return Played(session.result, after, tuple(session.events), session)


def rules_test(
    table: SignsTable,
    rolls: Sequence[Sequence[int]] = (),
    answers: Mapping[str, Any] | None = None,
    **arguments: Any,
) -> Played:
    """A Rules Test by ``ana`` with Skill, unless said otherwise."""
    given = {
        "character": "ana",
        "score": "Skill",
        "goal": "the goal",
        "success": "reached",
        "failure": "missed",
    }
    return play(table, "rules_test", rolls, answers, **(given | arguments))


def called_test(
    table: SignsTable,
    rolls: Sequence[Sequence[int]] = (),
    answers: Mapping[str, Any] | None = None,
    **arguments: Any,
) -> Played:
    """A Called Test by ``ana`` with Social over a fixed wager, unless said otherwise."""
    given = {
        "character": "ana",
        "score": "Social",
        "goal": "the goal",
        "wager": {"gain": "the gain", "cost": "the cost"},
    }
    return play(table, "called_test", rolls, answers, **(given | arguments))
