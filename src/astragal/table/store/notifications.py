"""Hearing from PostgreSQL what other workers have appended, for as long as it takes.

The connection that listens may be lost and made again. Whatever was said meanwhile is lost
with it, so after each new beginning the listener is told to look everywhere.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]
import msgspec

from astragal.table.store.interface import EVERYWHERE

CHANNEL: Final = "astragal"

MOST_BYTES = 7_500
"""PostgreSQL carries less than 8,000 in one message."""
_HEARTBEAT = 15.0
_PATIENCE = 10.0
_SHORTEST_PAUSE = 0.05
_LONGEST_PAUSE = 2.0


Connect = Callable[[], Awaitable[Any]]
"""Makes a connection to the database."""


class Message(msgspec.Struct, frozen=True, array_like=True):
    """Who has appended, and the last entry of each campaign."""

    origin: str
    ends: list[tuple[str, int]]


_decoder = msgspec.json.Decoder(Message)


def payloads(origin: str, ends: Mapping[str, int]) -> Iterator[str]:
    """What to tell the others, in as few messages as it takes."""
    part: list[tuple[str, int]] = []
    size = 0
    for campaign, seq in ends.items():
        cost = len(msgspec.json.encode(campaign)) + 20
        if part and size + cost > MOST_BYTES:
            yield msgspec.json.encode(Message(origin, part)).decode()
            part, size = [], 0
        part.append((campaign, seq))
        size += cost
    yield msgspec.json.encode(Message(origin, part)).decode()


class NewsQueue:
    """What was heard and not yet told on: of each campaign the latest."""

    def __init__(self, origin: str) -> None:
        """Name whose messages are no news."""
        self._origin = origin
        self._news: dict[str, int] = {}
        self._something = asyncio.Event()
        self._over = False

    def hear(self, _connection: object, _process: int, _channel: str, payload: str) -> None:
        """Take a message in; one that cannot be read could have said anything."""
        try:
            message = _decoder.decode(payload)
        except msgspec.DecodeError:
            self.everywhere()
            return
        if message.origin != self._origin:
            self._news |= dict(message.ends)
            self._something.set()

    def everywhere(self) -> None:
        """Something may have been missed."""
        self._news |= [EVERYWHERE]
        self._something.set()

    def end(self) -> None:
        """There is nothing more to come."""
        self._over = True
        self._something.set()

    async def next(self) -> tuple[str, int] | None:
        """The next campaign that has changed; None when all is over."""
        while not self._news and not self._over:
            self._something.clear()
            await self._something.wait()
        if self._over:
            return None
        campaign = next(iter(self._news))
        return campaign, self._news.pop(campaign)


@asynccontextmanager
async def listen(connect: Connect, heard: NewsQueue) -> AsyncIterator[None]:
    """Listen in the background."""
    task = asyncio.create_task(_keep_listening(connect, heard))
    task.add_done_callback(lambda _: heard.end())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _keep_listening(connect: Connect, heard: NewsQueue) -> None:
    pause = _SHORTEST_PAUSE
    while True:
        try:
            connection = await connect()
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            pause = min(2 * pause, _LONGEST_PAUSE)
        else:
            pause = _SHORTEST_PAUSE
            await _listen_once(connection, heard)
        await asyncio.sleep(pause)


async def _listen_once(connection: Any, heard: NewsQueue) -> None:
    """Listen until the connection is lost; one that only seems to stand is found out."""
    lost = asyncio.Event()
    connection.add_termination_listener(lambda _: lost.set())
    try:
        await connection.add_listener(CHANNEL, heard.hear)
        heard.everywhere()
        while not lost.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(lost.wait(), _HEARTBEAT)
                continue
            await connection.fetchval("SELECT 1", timeout=_PATIENCE)
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
        pass
    finally:
        connection.terminate()
