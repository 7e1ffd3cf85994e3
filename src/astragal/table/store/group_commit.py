"""Group commit: everything that waits to be appended shares one transaction and one sync.

A disk can make perhaps a few hundred transactions durable in a second, however small they are.
So whatever arrives while one transaction is on its way to the disk goes into the next.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from astragal.table.store.interface import StoreDown, StoreError

MOST_ROWS = 512
MOST_CHARACTERS = 8_000_000
STOPPED = "The store was stopped."


class LogRow(NamedTuple):
    """An entry on its way into the log; ``title`` is the campaign's new one, if it has one."""

    campaign: str
    seq: int
    at: str
    seat: str
    mark: str
    event: str
    title: str | None = None


AppendResult = StoreError | None
"""Why a row did not get in, or nothing."""

Write = Callable[[Sequence[LogRow]], Awaitable[Sequence[AppendResult]]]
"""Writes rows in one transaction and says of each whether it got in."""


class GroupCommit:
    """One writer for many appenders."""

    def __init__(self, write: Write) -> None:
        """Say how rows are written."""
        self._write = write
        self._waiting: deque[tuple[LogRow, asyncio.Future[None]]] = deque()
        self._writer: asyncio.Task[None] | None = None
        self._closed = False

    async def append(self, row: LogRow) -> None:
        """Return when the row is durable, or raise why it is not there."""
        if self._closed:
            raise StoreDown("The store is closed.")
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((row, done))
        if self._writer is None:
            self._writer = asyncio.create_task(self._write_all())
        await done

    async def close(self) -> None:
        """Write what waits, and take no more."""
        self._closed = True
        if self._writer is not None:
            await self._writer

    async def _write_all(self) -> None:
        try:
            # Others that are about to append in this turn of the loop come along.
            await asyncio.sleep(0)
            while self._waiting:
                await self._write_some()
        finally:
            self._writer = None
            for _, done in self._waiting:  # only if the loop is being torn down
                _fail(done, StoreDown(STOPPED))
            self._waiting.clear()

    async def _write_some(self) -> None:
        group = self._next_group()
        if not group:
            return
        try:
            verdicts = await self._write([row for row, _ in group])
        except StoreDown as down:
            for _, done in group:
                own = type(down)(str(down))  # each its own: one raised twice grows a tangled trace
                own.__cause__ = down
                _fail(done, own)
        except BaseException as error:
            for _, done in group:
                _fail(
                    done,
                    error if isinstance(error, Exception) else StoreDown(STOPPED),
                )
            if not isinstance(error, Exception):
                raise
        else:
            for (_, done), verdict in zip(group, verdicts, strict=True):
                if verdict is not None:
                    _fail(done, verdict)
                elif not done.done():
                    done.set_result(None)

    def _next_group(self) -> list[tuple[LogRow, asyncio.Future[None]]]:
        group: list[tuple[LogRow, asyncio.Future[None]]] = []
        size = 0
        while self._waiting and len(group) < MOST_ROWS and size < MOST_CHARACTERS:
            row, done = self._waiting.popleft()
            if not done.done():  # an appender that has given up need not be served
                group.append((row, done))
                size += len(row.event)
        return group


def _fail(done: asyncio.Future[None], error: Exception) -> None:
    if not done.done():
        done.set_exception(error)
