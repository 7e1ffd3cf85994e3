"""What a seat may see of what has happened, built from nothing, event by event.

A fact told to some is for them alone, and a secret answer is for the seat that gave it. The others
see that an answer was given, not what it was. The record of a session has everything: it is
never shown while secrets are in it.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from astragal.play.effects import Ask, Seat, Tell
from astragal.play.live import DecisionEvent, Session, SessionEvent


class SealedEvent(msgspec.Struct, frozen=True):
    """It happened: a seat decided something that is nobody else's to know."""

    seat: Seat
    key: str


VisibleEvent = SessionEvent | SealedEvent


def seen_by(events: Iterable[SessionEvent], seat: Seat) -> tuple[VisibleEvent, ...]:
    """The events as one seat may know them."""
    return tuple(seen for event in events if (seen := _seen(event, seat)) is not None)


def asked_of(session: Session[object], seat: Seat) -> tuple[Ask, ...]:
    """The open questions that are put to one seat."""
    return tuple(ask for ask in session.waiting if ask.seat == seat)


def _seen(event: SessionEvent, seat: Seat) -> VisibleEvent | None:
    if isinstance(event, Tell) and event.audience and seat not in event.audience:
        return None
    if isinstance(event, DecisionEvent) and event.ask.secret and event.ask.seat != seat:
        return SealedEvent(event.ask.seat, event.ask.key)
    return event
