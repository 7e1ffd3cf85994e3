"""A server inside a test, a table with people at it, and their requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import httpx
import msgspec
from litestar.utils.signature import ParsedSignature

from astragal.client import Client, SeatClient
from astragal.client.http import tls
from astragal.table.commands.commands import BeginDiceSession, ChangeSeat
from astragal.table.foresight import odds_process
from astragal.table.log.state import Role
from astragal.web.app import Astragal, opened
from astragal.web.server import Server, bind, config_for
from astragal.web.settings import Settings
from table.stores import PATIENCE, eventually
from unlimited import UNLIMITED

_read = ParsedSignature.from_fn
_known: dict[Callable[..., Any], ParsedSignature] = {}


def _read_once(handler: Callable[..., Any], names: dict[str, Any]) -> ParsedSignature:
    """The types of a handler: a server reads them all at its start, and each test starts one."""
    if handler not in _known:
        _known[handler] = _read(handler, names)
    return _known[handler]


ParsedSignature.from_fn = _read_once  # type: ignore[method-assign, assignment]

KEY = "a-creation-key-of-the-tests"
odds_process.SECONDS = PATIENCE  # on a busy machine they take long


class RunningServer(msgspec.Struct):
    """A running server: its address, and its inside."""

    url: str
    app: Astragal
    uvicorn: Server

    @property
    def origin(self) -> str:
        return self.url

    def client(self) -> Client:
        return Client(self.url, KEY)

    def http(self, **options: Any) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.url, timeout=PATIENCE, verify=tls(), **options)

    @property
    def socket_url(self) -> str:
        return f"ws{self.url.removeprefix('http')}"


class PromptServer(Server):
    """The server, which looks every few moments whether it is to stop."""

    async def main_loop(self) -> None:
        for tick in count():
            if await self.on_tick(tick):
                return
            await asyncio.sleep(0.01)


@asynccontextmanager
async def serving(database: str, **settings: Any) -> AsyncIterator[RunningServer]:
    """A server on this database, until the block ends."""
    listening = bind("127.0.0.1", 0, exactly=True)
    port = listening.getsockname()[1]
    chosen = Settings(database=database, port=port, **{"rates": UNLIMITED, "key": KEY, **settings})
    async with opened(chosen) as app:
        server = PromptServer(config_for(app, chosen), app)
        running = asyncio.create_task(server.serve(sockets=[listening]))
        await eventually(lambda: server.started)
        try:
            yield RunningServer(f"http://127.0.0.1:{port}", app, server)
        finally:
            server.should_exit = True
            await running


class People(msgspec.Struct):
    """A campaign and the tokens of those at it."""

    campaign: str
    gm: str
    anna: str
    watcher: str


async def a_table(server: RunningServer, game: str = "burning_wheel") -> People:
    """A demo with a player and a spectator at it."""
    tables = server.app.tables
    campaign, gm = await tables.create(game, "", name="Gus", demo=True)
    await tables.do(campaign, "gm", BeginDiceSession())
    await tables.do(campaign, "gm", ChangeSeat("anna", "Anna"))
    await tables.do(campaign, "gm", ChangeSeat("walt", "Walt", Role.SPECTATOR))
    anna = await tables.new_link(campaign, "anna")
    walt = await tables.new_link(campaign, "walt")
    return People(campaign, gm, anna, walt)


@asynccontextmanager
async def sitting(
    server: RunningServer, people: People, *names: str
) -> AsyncIterator[list[SeatClient]]:
    """Open seats of a table."""
    seats = [SeatClient(server.url, people.campaign, getattr(people, name)) for name in names]
    try:
        for seat in seats:
            await seat.open(PATIENCE)
        yield seats
    finally:
        for seat in seats:
            await seat.close()


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(test())
