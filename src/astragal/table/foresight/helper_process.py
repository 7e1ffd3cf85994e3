"""A process of its own for long work, so that it never holds up the table.

One question at a time, each within a time limit: what takes too long is broken off by ending the
process, and the next question gets a new one.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from astragal.errors import Refusal

Result = TypeVar("Result")

STARTS_WITHIN = 30.0
"""The other process may take longer to begin with, while the machine is busy."""


class HelperProcess:
    """Asks the other process, and starts it (again) when there is none."""

    def __init__(self, seconds: float) -> None:
        """Give each question this many seconds."""
        self._seconds = seconds
        self._lock = asyncio.Lock()
        self._process: Any = None
        self._pipe: Connection | None = None

    def target(self) -> Callable[[Connection], None]:
        """What runs there: it says first that it is there, and then answers questions."""
        raise NotImplementedError

    async def in_turn(self, ask: Callable[[], Result]) -> Result:
        """Ask in another thread, after everybody who asked before."""
        async with self._lock:
            asked = asyncio.create_task(asyncio.to_thread(ask))
            try:
                return await asyncio.shield(asked)
            finally:
                # The caller may be gone by now; until the answer is in, the pipe is not free,
                # or the next one to ask would be told what was meant for somebody else.
                await asyncio.wait({asked})

    async def answered(self, question: tuple[Any, ...]) -> bytes:
        """The answer to a question; a refusal of the other process, or that it takes too long."""
        return await self.in_turn(lambda: self._answer_to(question))

    def _answer_to(self, question: tuple[Any, ...]) -> bytes:
        try:
            pipe = self.started()
            pipe.send(question)
            if pipe.poll(self._seconds):
                said = pipe.recv()
                if isinstance(said, bytes):
                    return said
                raise Refusal(said)
        except (EOFError, OSError):
            pass
        self.close()
        raise Refusal("This takes too long to work out. Try again later.")

    def started(self) -> Connection:
        """The pipe to the other process."""
        if self._process is None or not self._process.is_alive() or self._pipe is None:
            self.close()
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=self.target(), args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
            if not self._pipe.poll(max(STARTS_WITHIN, self._seconds)):
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
