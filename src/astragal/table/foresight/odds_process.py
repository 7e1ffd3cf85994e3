"""A process of its own that works out odds, so that a long walk never holds up the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from astragal.games import games
from astragal.play import Seat
from astragal.table.foresight.helper_process import HelperProcess
from astragal.table.foresight.odds import work_out
from astragal.table.log.state import OpenProcedure
from astragal.table.views.types import Foresight

SECONDS = 2.0
"""Nobody waits longer than this for odds."""


def _serve(pipe: Connection) -> None:
    """Answer questions until the pipe is closed; say first that one is there.

    The games are imported before that: on a busy machine it takes longer than an answer may.
    """
    for game in games().values():
        assert game.procedures
    pipe.send(None)
    while True:
        try:
            question = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            for found in work_out(*question):
                pipe.send(found)
        except Exception as error:
            pipe.send(error.__class__.__name__)
        pipe.send(None)


class OddsProcess(HelperProcess):
    """Asks the other process for odds."""

    def __init__(self, seconds: float | None = None) -> None:
        """Give each question this many seconds, or as many as usual."""
        super().__init__(SECONDS if seconds is None else seconds)

    def target(self) -> Callable[[Connection], None]:
        """Odds are worked out there."""
        return _serve

    async def foresee(
        self, game: str, procedure: OpenProcedure, seat: Seat, supposing: Mapping[str, Any]
    ) -> Foresight:
        """What may come of a procedure, as far as it could be worked out in time."""
        question = (
            game,
            msgspec.json.encode(procedure),
            seat,
            msgspec.json.encode(dict(supposing)),
        )
        return await self.in_turn(lambda: self._ask(question, procedure))

    def _ask(self, question: tuple[str, bytes, Seat, bytes], procedure: OpenProcedure) -> Foresight:
        found = Foresight(
            procedure=procedure.id, step=procedure.taken, why_not="This takes too long to work out"
        )
        try:
            pipe = self.started()
            pipe.send(question)
            while pipe.poll(self._seconds):
                message = pipe.recv()
                if message is None:
                    return found
                if isinstance(message, bytes):
                    found = msgspec.json.decode(message, type=Foresight)
                else:
                    found = msgspec.structs.replace(found, why_not="This cannot be worked out")
        except (EOFError, OSError):
            pass
        self.close()
        return found
