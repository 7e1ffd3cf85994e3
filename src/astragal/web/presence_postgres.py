"""Presence across the processes that share a PostgreSQL database, and links that were ended.

Entries of the log reach every process through the store. What is not in the log goes through a
channel of PostgreSQL's own (NOTIFY): people see each other, and the sockets of a revoked seat are
closed at once. What could not be sent is kept until it was; while the line is lost, each process
asks the database every few seconds which of its links have ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import secrets
import time
from collections.abc import Iterator
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
RECHECK = 5.0
"""Seconds between two looks at the links of all sockets, whatever others report."""
MOST_BYTES = 7_000
"""PostgreSQL carries less than 8,000 in one message."""
ALL_SEATS = "*"


class PresenceMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one process sends to the others: who is at a table there, or whose links have ended.

    ``adds`` is for seats that come on top of those sent just before; ``asks`` is for everything to
    be sent again; ``stopping`` is a process's last message.
    """

    process: str
    campaign: str = ""
    seats: Seats = ()
    ended: str = ""
    asks: bool = False
    stopping: bool = False
    adds: bool = False


_decode = msgspec.json.Decoder(PresenceMessage).decode
_encode = msgspec.json.Encoder().encode


class PostgresPresence:
    """Sends the presence of this process to the others, and takes theirs in."""

    def __init__(self, database: str, presence: Presence) -> None:
        """Connect this process's presence with that of the others."""
        self._database = re.sub(r"^postgres(ql)?(\+\w+)?:", "postgresql:", database)
        self._presence = presence
        self._name = secrets.token_hex(8)
        self._changed: set[str] = set()
        """The campaigns whose presence here has to be sent."""
        self._ended: dict[tuple[str, str], None] = {}
        """The links that were ended here, in order, until the others have been told."""
        self._is_stopping = False
        self._something = asyncio.Event()
        self._last_heard: dict[str, float] = {}
        self._checks: set[asyncio.Task[None]] = set()
        self._running: asyncio.Task[None] | None = None
        self._rechecking: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to listen and to send."""
        self._presence.on_change = self._note_change
        self._presence.on_links_ended = self._note_end
        self._running = asyncio.create_task(self._run())
        self._rechecking = asyncio.create_task(self._recheck())

    def _note_change(self, campaign: str, _: Seats) -> None:
        self._changed.add(campaign)
        self._something.set()

    def _note_end(self, campaign: str, seat: str) -> None:
        self._ended[campaign, seat if len(seat) < MOST_BYTES // 2 else ALL_SEATS] = None
        self._something.set()

    async def close(self) -> None:
        """Tell the others, if there is time for it, and stop."""
        if self._running is None or self._rechecking is None:
            return
        self._is_stopping = True
        self._something.set()
        self._rechecking.cancel()
        _, pending = await asyncio.wait({self._running}, timeout=0.5)
        for task in (*pending, *self._checks):
            task.cancel()
        await asyncio.gather(*pending, *self._checks, self._rechecking, return_exceptions=True)

    async def _run(self) -> None:
        """Stay connected until the last message is sent."""
        import asyncpg  # type: ignore[import-untyped]

        lost = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError)
        while True:
            try:
                connection = await asyncpg.connect(self._database, timeout=10, command_timeout=10)
                try:
                    await connection.add_listener(CHANNEL, self._receive)
                    await self._send_all(connection)
                    return
                finally:
                    with contextlib.suppress(*lost):
                        await connection.close(timeout=1)
            except lost as error:
                log.warning("The connection to other servers is lost (%s).", type(error).__name__)
            if self._is_stopping:
                return
            await asyncio.sleep(RECONNECT_PAUSE)

    async def _send_all(self, connection: Any) -> None:
        """Send what there is to send, until this process stops; what was not sent is kept."""
        self._changed.update(self._presence.here())
        await self._send(connection, PresenceMessage(self._name, asks=True))
        self._check_links()
        while True:
            for campaign, seat in list(self._ended):
                await self._send(connection, PresenceMessage(self._name, campaign, ended=seat))
                del self._ended[campaign, seat]
            for campaign in list(self._changed):
                self._changed.discard(campaign)
                try:
                    for message in self._parts(campaign):
                        await self._send(connection, message)
                except BaseException:
                    self._changed.add(campaign)
                    raise
            if self._is_stopping:
                await self._send(connection, PresenceMessage(self._name, stopping=True))
                return
            if self._changed or self._ended:
                continue
            self._something.clear()
            try:
                await asyncio.wait_for(self._something.wait(), HEARTBEAT)
            except TimeoutError:
                await self._send(connection, PresenceMessage(self._name))
            self._forget_silent()

    def _parts(self, campaign: str) -> Iterator[PresenceMessage]:
        """Who is at a table in this process, in as many messages as it takes."""
        part: list[str] = []
        size, adds = 0, False
        for seat in self._presence.here().get(campaign, ()):
            cost = len(_encode(seat)) + 1
            if cost > MOST_BYTES:
                continue
            if size + cost > MOST_BYTES:
                yield PresenceMessage(self._name, campaign, tuple(part), adds=adds)
                part, size, adds = [], 0, True
            part.append(seat)
            size += cost
        yield PresenceMessage(self._name, campaign, tuple(part), adds=adds)

    async def _send(self, connection: Any, message: PresenceMessage) -> None:
        await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, _encode(message).decode())

    def _receive(self, _connection: object, _process: int, _channel: str, payload: str) -> None:
        try:
            message = _decode(payload)
        except msgspec.DecodeError:
            log.warning("A message from another process could not be read.")
            return
        if message.process == self._name:
            return
        self._last_heard[message.process] = time.monotonic()
        if message.stopping:
            self._presence.forget_process(message.process)
            del self._last_heard[message.process]
        elif message.asks:
            self._changed.update(self._presence.here())
            self._something.set()
        elif message.ended:
            seat = "" if message.ended == ALL_SEATS else message.ended
            self._check_links(message.campaign, seat)
        elif message.campaign:
            before = self._presence.elsewhere(message.process, message.campaign)
            seats = tuple(sorted({*before, *message.seats})) if message.adds else message.seats
            self._presence.set_elsewhere(message.process, message.campaign, seats)

    async def _recheck(self) -> None:
        """Close sockets whose link has ended, even if nobody could say so."""
        while True:
            await asyncio.sleep(RECHECK)
            try:
                await self._presence.check_links()
            except Exception as error:
                log.warning("Links could not be checked (%s).", type(error).__name__)

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
