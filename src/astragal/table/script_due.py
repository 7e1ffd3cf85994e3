"""A script that is due in a conflict, for the process that looks for one, and how to replay it."""

from __future__ import annotations

from typing import Any

import msgspec

from astragal.errors import Refusal
from astragal.games import game_named
from astragal.play import Seat, Session
from astragal.table.log.state import OpenProcedure
from astragal.table.running.session import RunningProcedure, record_of


class ScriptToWrite(msgspec.Struct, frozen=True):
    """A script that is due in a conflict, and what its writer may know."""

    game: str
    procedure: OpenProcedure
    """Without the scripts that others have written for this exchange."""
    seat: Seat
    prompt: str
    """Of the question for the script."""
    reads: tuple[str, ...]
    """The characters whose sheets this seat may read."""


def replayed(asked: ScriptToWrite) -> tuple[Session[Any], int | None]:
    """The conflict as it stands, and the place of the question for the script among all asked."""
    start = RunningProcedure(game_named(asked.game), asked.procedure).start()
    session: Session[Any] = Session(start, _no_dice, record_of(asked.procedure.given))
    waiting = [(ask.seat, ask.prompt) for ask in session.waiting]
    sought = (asked.seat, asked.prompt)
    return session, waiting.index(sought) if sought in waiting else None


def _no_dice(_roll: Any) -> Any:
    raise Refusal("The log has no faces for this roll.")
