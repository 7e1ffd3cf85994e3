"""A process of its own that works out odds, so that a long walk never holds up the table.

One at a time, each within a time limit: what takes too long is broken off by ending the
process, and the next question gets a new one.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Mapping
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from astragal.games import games
from astragal.play import Seat
from astragal.table.foresight.odds import work_out
from astragal.table.log.state import OpenProcedure
from astragal.table.views.types import Foresight

SECONDS = 2.0
"""Nobody waits longer than this for odds."""

STARTS_WITHIN = 30.0
"""The other process may take longer to begin with, while the machine is busy."""


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


class OddsProcess:
    """Asks the other process, and starts it (again) when there is none."""

    def __init__(self, seconds: float | None = None) -> None:
        """Give each question this many seconds, or as many as usual."""
        self._seconds = SECONDS if seconds is None else seconds
        self._lock = asyncio.Lock()
        self._process: Any = None
        self._pipe: Connection | None = None

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
        async with self._lock:
            asked = asyncio.create_task(asyncio.to_thread(self._ask, question, procedure))
            try:
                return await asyncio.shield(asked)
            finally:
                # The caller may be gone by now; until the answer is in, the pipe is not free,
                # or the next one to ask would be told what was meant for somebody else.
                await asyncio.wait({asked})

    def _ask(self, question: tuple[str, bytes, Seat, bytes], procedure: OpenProcedure) -> Foresight:
        found = Foresight(
            procedure=procedure.id, step=procedure.taken, why_not="This takes too long to work out"
        )
        try:
            pipe = self._started()
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

    def _started(self) -> Connection:
        if self._process is None or not self._process.is_alive() or self._pipe is None:
            self.close()
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
            if not self._pipe.poll(STARTS_WITHIN):
                raise OSError("the other process does not start")
            self._pipe.recv()
        return self._pipe

    def close(self) -> None:
        """End the other process."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None and self._process.is_alive():
            self._process.kill()
        self._process = self._pipe = None
