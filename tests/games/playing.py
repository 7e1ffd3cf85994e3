"""What the tests of every game need: one procedure played with given faces and answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from astragal.dice import Rolled
from astragal.games.game import Table
from astragal.play import (
    Ask,
    Change,
    DecisionEvent,
    Roll,
    RollEvent,
    Scripted,
    Session,
    SessionEvent,
    Tell,
    Then,
    rolled_from,
)


class Played(NamedTuple):
    """One procedure played to its end."""

    outcome: Any
    table: Table[Any, Any]
    events: tuple[SessionEvent, ...]
    session: Session[Any]

    @property
    def asked(self) -> list[Ask]:
        return [event.ask for event in self.events if isinstance(event, DecisionEvent)]

    @property
    def keys(self) -> list[str]:
        return [ask.key for ask in self.asked]

    @property
    def told(self) -> str:
        return "\n".join(e.fact.sentence() for e in self.events if isinstance(e, Tell))

    @property
    def rolled(self) -> list[str]:
        return [e.roll.expression.notation for e in self.events if isinstance(e, RollEvent)]

    @property
    def changes(self) -> list[Change]:
        return [event for event in self.events if isinstance(event, Change)]

    def question(self, key: str) -> Any:
        return next(ask.question for ask in self.asked if ask.key == key)

    def seat(self, key: str) -> str:
        return next(ask.seat for ask in self.asked if ask.key == key)


def play_through(
    start: Then[Any], rolls: Sequence[Sequence[int]], answers: Mapping[str, Any] | None
) -> Session[Any]:
    """A session played to its end; every face and every answer must be called for."""
    faces = list(rolls)

    def thrower(effect: Roll) -> Rolled[Any]:
        assert faces, f"no faces left for {effect.label} ({effect.expression.notation})"
        return rolled_from(effect, faces.pop(0))

    scripted = Scripted(answers or {})
    session: Session[Any] = Session(start, thrower)
    while session.waiting:
        ask = session.waiting[0]
        session.answer(ask.seat, scripted(ask))
    assert not faces, f"faces that nobody rolled: {faces}"
    assert not scripted.unused, f"answers that nobody asked for: {scripted.unused}"
    return session


def cards(events: Iterable[SessionEvent]) -> list[dict[str, list[tuple[str, str]]]]:
    """The lines of each card, up to every roll and after the last: seat and key, by their kind."""
    found: list[dict[str, list[tuple[str, str]]]] = [{}]
    for event in events:
        if isinstance(event, RollEvent):
            found.append({})
        elif isinstance(event, DecisionEvent):
            found[-1].setdefault(event.ask.kind, []).append((event.ask.seat, event.ask.key))
    return found


def changes_of(session: Session[Any]) -> list[Change]:
    """What a session changed."""
    return [event for event in session.events if isinstance(event, Change)]
