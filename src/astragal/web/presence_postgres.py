"""Presence across the processes that share a PostgreSQL database, and links that were ended.

Entries of the log reach every process through the store. What is not in the log goes through a
channel of PostgreSQL's own (NOTIFY). Only two things depend on it: people see each other, and the
sockets of a revoked seat are closed at once. After a lost connection everything is sent again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import secrets
import time
from typing import Any

import msgspec

from astragal.web.presence import Presence, Seats

log = logging.getLogger("astragal.web")

CHANNEL = "astragal_presence"
HEARTBEAT = 10.0
"""Seconds between two signs of life of a process."""
TIMEOUT = 35.0
"""Seconds of silence after which a process counts as ended."""
RECONNECT_PAUSE = 1.0


class PresenceMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one process sends to the others: who is at a table there, or whose links have ended.

    ``asks`` is for everything to be sent again; ``stopping`` is a process's last message.
    """

    process: str
    campaign: str = ""
    seats: Seats = ()
    ended: str = ""
    asks: bool = False
    stopping: bool = False


_decode = msgspec.json.Decoder(PresenceMessage).decode
_encode = msgspec.json.Encoder().encode


class PostgresPresence:
    """Sends the presence of this process to the others, and takes theirs in."""

    def __init__(self, database: str, presence: Presence) -> None:
        """Connect this process's presence with that of the others."""
        self._database = re.sub(r"^postgres(ql)?(\+\w+)?:", "postgresql:", database)
        self._presence = presence
        self._name = secrets.token_hex(8)
        self._outgoing: asyncio.Queue[PresenceMessage] = asyncio.Queue()
        self._last_heard: dict[str, float] = {}
        self._checks: set[asyncio.Task[None]] = set()
        self._running: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to listen and to send."""
        self._presence.on_change = lambda campaign, seats: self._outgoing.put_nowait(
            PresenceMessage(self._name, campaign, seats)
        )
        self._presence.on_links_ended = lambda campaign, seat: self._outgoing.put_nowait(
            PresenceMessage(self._name, campaign, ended=seat)
        )
        self._running = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Tell the others, if there is time for it, and stop."""
        if self._running is None:
            return
        self._outgoing.put_nowait(PresenceMessage(self._name, stopping=True))
        _, pending = await asyncio.wait({self._running}, timeout=0.5)
        for task in (*pending, *self._checks):
            task.cancel()
        await asyncio.gather(*pending, *self._checks, return_exceptions=True)

    async def _run(self) -> None:
        """Stay connected until the last message is sent."""
        import asyncpg  # type: ignore[import-untyped]

        lost = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError)
        while True:
            with contextlib.suppress(*lost):
                connection = await asyncpg.connect(self._database, timeout=10, command_timeout=10)
                try:
                    await connection.add_listener(CHANNEL, self._receive)
                    if await self._send_all(connection):
                        return
                finally:
                    with contextlib.suppress(*lost):
                        await connection.close(timeout=1)
            await asyncio.sleep(RECONNECT_PAUSE)

    async def _send_all(self, connection: Any) -> bool:
        """Send what there is to send; true once the last message was sent."""
        while not self._outgoing.empty():
            if self._outgoing.get_nowait().stopping:  # the rest is sent again below
                return True
        for message in self._state():
            await self._send(connection, message)
        await self._send(connection, PresenceMessage(self._name, asks=True))
        self._check_links()
        while True:
            message = PresenceMessage(self._name)
            with contextlib.suppress(TimeoutError):
                message = await asyncio.wait_for(self._outgoing.get(), HEARTBEAT)
            await self._send(connection, message)
            self._forget_silent()
            if message.stopping:
                return True

    def _state(self) -> list[PresenceMessage]:
        """Who is present in this process, as messages."""
        here = self._presence.here().items()
        return [PresenceMessage(self._name, campaign, seats) for campaign, seats in here]

    async def _send(self, connection: Any, message: PresenceMessage) -> None:
        await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, _encode(message).decode())

    def _receive(self, _connection: object, _process: int, _channel: str, payload: str) -> None:
        try:
            message = _decode(payload)
        except msgspec.DecodeError:
            log.warning("A message of another process could not be read.")
            return
        if message.process == self._name:
            return
        self._last_heard[message.process] = time.monotonic()
        if message.stopping:
            self._presence.forget_process(message.process)
            del self._last_heard[message.process]
        elif message.asks:
            for each in self._state():
                self._outgoing.put_nowait(each)
        elif message.ended:
            self._check_links(message.campaign, message.ended)
        elif message.campaign:
            self._presence.set_elsewhere(message.process, message.campaign, message.seats)

    def _check_links(self, campaign: str = "", seat: str = "") -> None:
        task = asyncio.create_task(self._presence.check_links(campaign, seat))
        self._checks.add(task)
        task.add_done_callback(self._checked)

    def _checked(self, task: asyncio.Task[None]) -> None:
        self._checks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.warning("Links could not be checked.", exc_info=error)

    def _forget_silent(self) -> None:
        now = time.monotonic()
        for process, heard in list(self._last_heard.items()):
            if now - heard > TIMEOUT:
                del self._last_heard[process]
                self._presence.forget_process(process)
