"""Hearing from PostgreSQL what other workers have appended, for as long as it takes.

Every campaign has a channel of its own, and a worker listens to those of the campaigns that it has
open: being woken for an entry that is of no interest costs a tenth of handling a command. The
connection that listens may be lost and made again. Whatever was said meanwhile is lost
with it, so after each new beginning the listener is told to look everywhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import msgspec

from astragal.table.store.interface import EVERYWHERE

_HEARTBEAT = 15.0
_PATIENCE = 10.0
_SHORTEST_PAUSE = 0.05
_LONGEST_PAUSE = 2.0


_LOST = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)

Connect = Callable[[], Awaitable[Any]]
"""Makes a connection to the database."""


class Message(msgspec.Struct, frozen=True, array_like=True):
    """Who has appended to which campaign, and its last entry."""

    origin: str
    campaign: str
    seq: int


_decoder = msgspec.json.Decoder(Message)


def channel_of(campaign: str) -> str:
    """The channel of a campaign, whose name may be longer than that of a channel.

    >>> channel_of("9f86d081884c7d65")
    'astragal_a228760ba12d3aee'
    """
    return f"astragal_{hashlib.sha256(campaign.encode()).hexdigest()[:16]}"


def payload(origin: str, campaign: str, seq: int) -> str:
    """What to tell the others of a campaign: how far it has come."""
    return msgspec.json.encode(Message(origin, campaign, seq)).decode()


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
            self._news[message.campaign] = message.seq
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


class Listener:
    """Listens to the channels that are wanted, on one connection after the other."""

    def __init__(self, connect: Connect, heard: NewsQueue, wanted: set[str]) -> None:
        """``wanted`` are the channels; who changes them calls :meth:`settle` for each."""
        self.heard = heard
        self._connect = connect
        self._wanted = wanted
        self._connection: Any = None
        self._listened: set[str] = set()
        self._one_at_a_time = asyncio.Lock()

    async def settle(self, channel: str) -> None:
        """Listen to a channel, or no longer, as is wanted by now.

        Where there is no connection, or none any more, the next one does it.
        """
        async with self._one_at_a_time:
            connection = self._connection
            if connection is None or (channel in self._wanted) == (channel in self._listened):
                return
            try:
                await self._settle(connection, channel)
            except _LOST:
                connection.terminate()
            except BaseException:  # given up halfway: nobody knows what it still has to say
                connection.terminate()
                raise

    async def _settle(self, connection: Any, channel: str) -> None:
        if channel in self._wanted:
            await connection.add_listener(channel, self.heard.hear)
            self._listened.add(channel)
        else:
            self._listened.discard(channel)
            await connection.remove_listener(channel, self.heard.hear)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Listen in the background."""
        task = asyncio.create_task(self._keep_listening())
        task.add_done_callback(lambda _: self.heard.end())
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _keep_listening(self) -> None:
        pause = _SHORTEST_PAUSE
        while True:
            try:
                connection = await self._connect()
            except _LOST:
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                pause = _SHORTEST_PAUSE
                await self._listen_once(connection)
            await asyncio.sleep(pause)

    async def _listen_once(self, connection: Any) -> None:
        """Listen until the connection is lost; one that only seems to stand is found out."""
        lost = asyncio.Event()
        connection.add_termination_listener(lambda _: lost.set())
        try:
            async with self._one_at_a_time:
                self._connection, self._listened = connection, set()
                while missing := self._wanted - self._listened:
                    for channel in missing:
                        await self._settle(connection, channel)
            self.heard.everywhere()
            while not lost.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(lost.wait(), _HEARTBEAT)
                    continue
                async with self._one_at_a_time:
                    await connection.fetchval("SELECT 1", timeout=_PATIENCE)
        except _LOST:
            pass
        finally:
            self._connection = None
            connection.terminate()
