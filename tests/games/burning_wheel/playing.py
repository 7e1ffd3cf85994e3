"""How the tests of the Burning Wheel play: a table, a procedure, answers, dice.

Faces are given as lists; a number stands for so many successes. What is not answered takes
its default, and texts that must be said are said somehow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from astragal.dice import Rolled, Seeded
from astragal.games.burning_wheel import GAME, BurningTable, Sheet
from astragal.play import (
    Answer,
    Answerer,
    Ask,
    Change,
    DecisionEvent,
    Noted,
    Roll,
    RollEvent,
    Scripted,
    Session,
    SessionEvent,
    Tell,
    Text,
    defaults,
    rolled_from,
)

AnyRolls = Sequence[Sequence[int] | int]


def sheet(name: str = "Rich", **raw: Any) -> Sheet:
    read: Sheet = GAME.read_sheet({"name": name, **raw}, name)
    return read


def table(
    scene: Mapping[str, Any] | None = None,
    options: Mapping[str, str] | None = None,
    **characters: Mapping[str, Any],
) -> BurningTable:
    sheets = {key: sheet(**{"name": key.title(), **raw}) for key, raw in characters.items()}
    return GAME.table(sheets, GAME.read(scene or {}, GAME.scene, "scene"), options)


class Played(NamedTuple):
    """What came of it."""

    outcome: Any
    events: tuple[SessionEvent, ...]
    table: BurningTable

    @property
    def asked(self) -> list[str]:
        return [event.ask.key for event in self.events if isinstance(event, DecisionEvent)]

    @property
    def asks(self) -> dict[str, Ask]:
        return {
            event.ask.key: event.ask for event in self.events if isinstance(event, DecisionEvent)
        }

    @property
    def seats(self) -> dict[str, str]:
        return {key: ask.seat for key, ask in self.asks.items()}

    @property
    def told(self) -> str:
        return "\n".join(e.fact.sentence() for e in self.events if isinstance(e, Tell))

    def behind(self, words: str) -> list[str]:
        """The rules behind all that is told in these words."""
        return [
            event.fact.rule
            for event in self.events
            if isinstance(event, Tell)
            and isinstance(event.fact, Noted)
            and words in event.fact.text
        ]

    @property
    def changed(self) -> dict[str, Any]:
        return {
            f"{event.target}.{event.path}": event.after
            for event in self.events
            if isinstance(event, Change)
        }

    @property
    def rolls(self) -> list[Roll]:
        return [event.roll for event in self.events if isinstance(event, RollEvent)]

    def before_the_dice(self, key: str) -> bool:
        """Whether the question was asked before any dice were thrown."""
        for event in self.events:
            if isinstance(event, RollEvent):
                return False
            if isinstance(event, DecisionEvent) and event.ask.key == key:
                return True
        return False


class Dice:
    """Scripted dice; none may be left and none may be missing."""

    def __init__(self, rolls: AnyRolls) -> None:
        self.left = list(rolls)

    def __call__(self, effect: Roll) -> Rolled[Any]:
        assert self.left, f"{effect.label} is rolled, but no dice were expected"
        entry = self.left.pop(0)
        if isinstance(entry, int):
            return rolled_from(effect, effect.expression.faces_for(entry))  # type: ignore[attr-defined]
        return rolled_from(effect, entry)


def somehow(ask: Ask) -> Answer:
    if ask.question.default is None and isinstance(ask.question, Text):
        return "somehow"
    return defaults(ask)


def play(
    procedure: str,
    arguments: Mapping[str, Any],
    at: BurningTable,
    answers: Mapping[str, Any] | None = None,
    rolls: AnyRolls | None = None,
    otherwise: Answerer = somehow,
) -> Played:
    the_procedure = GAME.procedure(procedure)
    typed = GAME.read(arguments, the_procedure.arguments, "arguments")
    scripted = Scripted(answers or {}, otherwise)
    dice = None if rolls is None else Dice(rolls)
    seeded = Seeded("seed")
    session = Session(
        the_procedure.start(typed, at), dice or (lambda roll: roll.expression.sample(seeded))
    )
    while session.waiting:
        ask = session.waiting[0]
        session.answer(ask.seat, scripted(ask))
    assert not scripted.unused, f"never asked: {scripted.unused}"
    assert dice is None or not dice.left, f"never rolled: {dice.left}"
    changes = [event for event in session.events if isinstance(event, Change)]
    return Played(session.result, tuple(session.events), at.changed(*changes))


def declare(character: str, ability: str, **more: Any) -> dict[str, Any]:
    plain = {"intent": "get in", "task": "tries the door"}
    return {"character": character, "ability": ability, **plain, **more}


def a_test(
    at: BurningTable,
    ability: str,
    obstacle: int,
    rolls: AnyRolls | None = None,
    answers: Mapping[str, Any] | None = None,
    **more: Any,
) -> Played:
    """A standard test by the first character at the table."""
    arguments = declare(next(iter(at.characters)), ability, **more)
    said = {"obstacle": obstacle, "on_failure": "it goes wrong", **(answers or {})}
    return play("standard_test", arguments, at, said, rolls)
