"""Small helpers for the tests of the game: a table from a few words, and one step played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from astragal.dice import Distribution
from astragal.games.percentile import GAME, PercentileTable
from astragal.play import (
    Ask,
    Change,
    DecisionEvent,
    Roll,
    RollEvent,
    Scripted,
    SessionEvent,
    Tell,
    Then,
    exact,
)
from games.playing import changes_of, play_through


def table_of(
    options: Mapping[str, str] | None = None, scene: Mapping[str, Any] | None = None, **sheets: Any
) -> PercentileTable:
    """A table; a sheet's name is its key, and numbers alone are characteristics."""
    read = {}
    for key, raw in sheets.items():
        plain = all(isinstance(value, int) for value in raw.values())
        sheet = {"characteristics": raw} if plain else raw
        read[key] = GAME.read_sheet({"name": key.title(), **sheet}, key)
    return GAME.table(read, GAME.read(scene or {}, GAME.scene, "scene"), options)


def start(table: PercentileTable, name: str, **arguments: Any) -> Then[Any]:
    """A procedure from plain data, as a scenario or a client would begin it."""
    procedure = GAME.procedure(name)
    return procedure.start(GAME.read(arguments, procedure.arguments, "arguments"), table)


class Played(NamedTuple):
    """One step played to its end."""

    outcome: Any
    events: tuple[SessionEvent, ...]
    table: PercentileTable

    @property
    def asked(self) -> list[Ask]:
        return [event.ask for event in self.events if isinstance(event, DecisionEvent)]

    @property
    def keys(self) -> list[str]:
        return [ask.key for ask in self.asked]

    @property
    def rolls(self) -> list[Roll]:
        return [event.roll for event in self.events if isinstance(event, RollEvent)]

    @property
    def told(self) -> str:
        return "\n".join(e.fact.sentence() for e in self.events if isinstance(e, Tell))

    @property
    def changes(self) -> list[Change]:
        return [event for event in self.events if isinstance(event, Change)]


def d100(*results: int) -> list[tuple[int, int]]:
    """The faces of percentile rolls, written down digit by digit; a digit 0 is the face 10."""
    faces = []
    for result in results:
        digits = f"{result % 100:02d}"
        faces.append((int(digits[0]) or 10, int(digits[1]) or 10))
    return faces


def play(
    table: PercentileTable,
    name: str,
    rolls: Sequence[Sequence[int]] = (),
    answers: Mapping[str, Any] | None = None,
    **arguments: Any,
) -> Played:
    """Play one procedure; every roll must be given, and every answer called for."""
    session = play_through(start(table, name, **arguments), rolls, answers)
    after = table.changed(*changes_of(session))
    return Played(session.result, tuple(session.events), after)


def a_test(table: PercentileTable, *results: int, **said: Any) -> Played:
    """A test by the only (or the named) character; ``answers`` may be among what is said."""
    answers = said.pop("answers", None)
    said.setdefault("character", next(iter(table.characters)))
    return play(table, "test", d100(*results), answers, **said)


def odds(
    table: PercentileTable, name: str, answers: Mapping[str, Any] | None = None, **arguments: Any
) -> Distribution[Any]:
    """The exact odds of a procedure."""
    return exact(start(table, name, **arguments), Scripted(answers or {}))
