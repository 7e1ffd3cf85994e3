"""Small helpers for the tests of the game: a table from a few words, and one step played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from astragal.games.cores import GAME, CoresTable
from astragal.play import (
    Scripted,
    Then,
    exact,
)
from games.playing import Played, changes_of, play_through

CORES = {"physical": "d6", "mental": "d6", "social": "d6", "resolve": "d6"}


def sheet_of(key: str, raw: Mapping[str, Any]) -> Any:
    """A sheet; Cores default to d6 each, and its name to its key."""
    core = {**CORES, **raw.get("core", {})}
    return GAME.read_sheet({"name": key.title(), **raw, "core": core}, key)


def table_of(
    options: Mapping[str, str] | None = None, scene: Mapping[str, Any] | None = None, **sheets: Any
) -> CoresTable:
    read = {key: sheet_of(key, raw) for key, raw in sheets.items()}
    return GAME.table(read, GAME.read(scene or {}, GAME.scene, "scene"), options)


def start(table: CoresTable, name: str, **arguments: Any) -> Then[Any]:
    """A procedure from plain data, as a scenario or a client would begin it."""
    procedure = GAME.procedure(name)
    return procedure.start(GAME.read(arguments, procedure.arguments, "arguments"), table)


def play(
    table: CoresTable,
    name: str,
    rolls: Sequence[Sequence[int]] = (),
    answers: Mapping[str, Any] | None = None,
    **arguments: Any,
) -> Played:
    """Play one procedure with these faces and answers; every face and answer must be needed."""
    session = play_through(start(table, name, **arguments), rolls, answers)
    after = table.changed(*changes_of(session))
    return Played(session.result, after, tuple(session.events), session)


def make_test(
    table: CoresTable,
    rolls: Sequence[Sequence[int]] = (),
    answers: Mapping[str, Any] | None = None,
    **arguments: Any,
) -> Played:
    """A Physical test by ``ann`` against DN 8, unless said otherwise."""
    given = {"character": "ann", "core": "physical"}
    return play(table, "test", rolls, {"dn": 8, **(answers or {})}, **(given | arguments))


def totals(table: CoresTable, answers: Mapping[str, Any] | None = None, **arguments: Any) -> Any:
    """The exact distribution of the total of such a test."""
    given = {"character": "ann", "core": "physical"}
    begun = start(table, "test", **(given | arguments))
    return exact(begun, Scripted({"dn": 8, **(answers or {})})).map(lambda outcome: outcome.total)


def fractions(weights: Mapping[int, int]) -> dict[int, Fraction]:
    """Weights as probabilities, to compare what was counted in different ways."""
    total = sum(weights.values())
    return {value: Fraction(weight, total) for value, weight in weights.items() if weight}
