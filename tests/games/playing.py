"""What the tests of every game need: one procedure played with given faces and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from astragal.dice import Rolled
from astragal.play import Change, Roll, Scripted, Session, Then, rolled_from


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


def changes_of(session: Session[Any]) -> list[Change]:
    """What a session changed."""
    return [event for event in session.events if isinstance(event, Change)]
