"""Other processes that serve the same tables: who is present there, and whose links have ended.

Entries of the log reach every process through the store. What is not in the log goes through a
channel of PostgreSQL's own (NOTIFY). Nothing depends on it but what people see of each other,
and that a revoked seat is shown out at once; after the line was lost, all is told again.
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

from astragal.web.presence import Company, Seats

log = logging.getLogger("astragal.web")

CHANNEL = "astragal_company"
HEARTBEAT = 10.0
"""So often a process says that it is still there, in seconds."""
SILENCE = 35.0
"""Who has not been heard for so long is gone."""
PAUSE = 1.0


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one process tells the others: who is at a table there, or whose links have ended.

    ``asks`` is for everything to be told again; ``gone`` says goodbye.
    """

    process: str
    campaign: str = ""
    seats: Seats = ()
    ended: str = ""
    asks: bool = False
    gone: bool = False


_decode = msgspec.json.Decoder(Told).decode
_encode = msgspec.json.Encoder().encode


class Neighbours:
    """The line to the other processes."""

    def __init__(self, database: str, company: Company) -> None:
        """Tell them of this company, and the company of them."""
        self._database = re.sub(r"^postgres(ql)?(\+\w+)?:", "postgresql:", database)
        self._company = company
        self._name = secrets.token_hex(8)
        self._outgoing: asyncio.Queue[Told] = asyncio.Queue()
        self._seen: dict[str, float] = {}
        self._looking: set[asyncio.Task[None]] = set()
        self._staying: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to listen and to tell."""
        self._company.tell_changed = lambda campaign, seats: self._outgoing.put_nowait(
            Told(self._name, campaign, seats)
        )
        self._company.tell_dismissed = lambda campaign, seat: self._outgoing.put_nowait(
            Told(self._name, campaign, ended=seat)
        )
        self._staying = asyncio.create_task(self._stay())

    async def close(self) -> None:
        """Say goodbye, if there is still time for it."""
        if self._staying is None:
            return
        self._outgoing.put_nowait(Told(self._name, gone=True))
        _, pending = await asyncio.wait({self._staying}, timeout=0.5)
        for task in (*pending, *self._looking):
            task.cancel()
        await asyncio.gather(*pending, *self._looking, return_exceptions=True)

    async def _stay(self) -> None:
        """Keep the line, and make it again whenever it is lost, until the goodbye is said."""
        import asyncpg  # type: ignore[import-untyped]

        lost = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError)
        while True:
            with contextlib.suppress(*lost):
                connection = await asyncpg.connect(self._database, timeout=10, command_timeout=10)
                try:
                    await connection.add_listener(CHANNEL, self._hear)
                    if await self._talk(connection):
                        return
                finally:
                    with contextlib.suppress(*lost):
                        await connection.close(timeout=1)
            await asyncio.sleep(PAUSE)

    async def _talk(self, connection: Any) -> bool:
        """Tell what there is to tell; whether the goodbye was among it."""
        while not self._outgoing.empty():
            if self._outgoing.get_nowait().gone:  # all the rest is told anew anyway
                return True
        await self._tell_everything(connection)
        await self._tell(connection, Told(self._name, asks=True))
        self._look()
        while True:
            told = None
            with contextlib.suppress(TimeoutError):
                told = await asyncio.wait_for(self._outgoing.get(), HEARTBEAT)
            await self._tell(connection, told or Told(self._name))
            self._forget_the_silent()
            if told is not None and told.gone:
                return True

    async def _tell_everything(self, connection: Any) -> None:
        for campaign, seats in self._company.here().items():
            await self._tell(connection, Told(self._name, campaign, seats))

    async def _tell(self, connection: Any, told: Told) -> None:
        await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, _encode(told).decode())

    def _hear(self, _connection: object, _process: int, _channel: str, payload: str) -> None:
        try:
            told = _decode(payload)
        except msgspec.DecodeError:
            log.warning("a message of another process could not be read")
            return
        if told.process == self._name:
            return
        self._seen[told.process] = time.monotonic()
        if told.gone:
            self._company.forget(told.process)
            del self._seen[told.process]
        elif told.asks:
            for campaign, seats in self._company.here().items():
                self._outgoing.put_nowait(Told(self._name, campaign, seats))
        elif told.ended:
            self._look(told.campaign, told.ended)
        elif told.campaign:
            self._company.hear(told.process, told.campaign, told.seats)

    def _look(self, campaign: str = "", seat: str = "") -> None:
        task = asyncio.create_task(self._company.look_at_links(campaign, seat))
        self._looking.add(task)
        task.add_done_callback(self._looked)

    def _looked(self, task: asyncio.Task[None]) -> None:
        self._looking.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.warning("links could not be looked at", exc_info=error)

    def _forget_the_silent(self) -> None:
        now = time.monotonic()
        for process, seen in list(self._seen.items()):
            if now - seen > SILENCE:
                del self._seen[process]
                self._company.forget(process)
