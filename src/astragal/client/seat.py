"""A seat at a table: its view, kept up to date, and everything that it may ask for."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidStatus, WebSocketException

from astragal.client.merging import merged
from astragal.client.refused import Refused, refused
from astragal.table.commands.commands import AnswerQuestion, AnyCommand
from astragal.table.export import CampaignExport
from astragal.table.fairness import Evidence
from astragal.table.log.state import OpenQuestion
from astragal.table.views.types import EntryView, Foresight, QuestionsAhead, TableUpdate, TableView
from astragal.web.messages import (
    Ack,
    Bye,
    EditToCheck,
    LinkKept,
    LinkMade,
    NotDone,
    Nothing,
    Pong,
    Present,
    Revoked,
    Wrong,
)

T = TypeVar("T")

SHORTEST = 0.05
LONGEST = 2.0
"""Between attempts to come back, in seconds."""
NO_SEAT = (401, 403, 404)
LEFT = 4401
MOST = 16 * 1024 * 1024

_messages = msgspec.json.Decoder(
    TableView | TableUpdate | Foresight | QuestionsAhead | Ack | NotDone | Present | Pong | Bye
)


class Dismissed(Exception):
    """The seat is no longer open to this link."""


class Asked(msgspec.Struct, frozen=True):
    """A question that waits for this seat, and the procedure that asks it."""

    procedure: str
    question: OpenQuestion


class _Sent(msgspec.Struct):
    """A command that has not been answered yet."""

    command: AnyCommand
    answer: asyncio.Future[int]


class SeatClient:
    """A seat; use it with ``async with``, or ``open`` and ``close`` it."""

    def __init__(self, url: str, campaign: str, token: str) -> None:
        """Take the seat that the token opens."""
        self.campaign = campaign
        self.token = token
        self.present: tuple[str, ...] = ()
        self.odds: dict[str, Foresight] = {}
        self.connections = 0
        """How often the connection was made."""
        self._view: TableView | None = None
        self._socket_url = f"ws{url.removeprefix('http')}/ws/{quote(campaign, safe='')}"
        self._headers = {"Authorization": f"Bearer {token}"}
        base = f"{url}/api/t/{quote(campaign, safe='')}"
        self._http = httpx.AsyncClient(base_url=base, headers=self._headers, timeout=30)
        self._socket: ClientConnection | None = None
        self._sent: dict[str, _Sent] = {}
        self._listeners: set[asyncio.Queue[TableView | TableUpdate | None]] = set()
        self._changed = asyncio.Condition()
        self._staying: asyncio.Task[None] | None = None
        self._end: BaseException | None = None

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def open(self, timeout: float = 10) -> None:
        """Connect, and wait for the first view."""
        if self._staying is None:
            self._staying = asyncio.create_task(self._stay())
        try:
            await self.wait_until(lambda _: True, timeout=timeout)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Leave."""
        if self._staying is not None:
            self._staying.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._staying
        await self._over(Dismissed("the seat was closed here"))
        await self._http.aclose()

    # --- Looking ---------------------------------------------------------------------------

    @property
    def view(self) -> TableView:
        """The table as this seat sees it now."""
        if self._view is None:
            raise Dismissed("there is no view yet: open the seat first")
        return self._view

    @property
    def asked(self) -> tuple[Asked, ...]:
        """What is asked of this seat now."""
        return tuple(
            Asked(procedure.id, question)
            for procedure in self.view.open
            for question in procedure.questions
        )

    async def updates(self) -> AsyncIterator[TableView | TableUpdate]:
        """Everything that is new from now on; a whole view after the line was lost."""
        listener: asyncio.Queue[TableView | TableUpdate | None] = asyncio.Queue()
        self._listeners.add(listener)
        try:
            while self._end is None and (new := await listener.get()) is not None:
                yield new
        finally:
            self._listeners.discard(listener)

    async def wait_until(
        self, predicate: Callable[[TableView], object], timeout: float = 10
    ) -> TableView:
        """Wait until something holds of the view; the view then."""

        def holds() -> bool:
            return self._end is not None or (self._view is not None and bool(predicate(self._view)))

        async with asyncio.timeout(timeout), self._changed:
            await self._changed.wait_for(holds)
        if self._view is not None and predicate(self._view):
            return self._view
        raise self._end or Dismissed("the seat is closed")

    # --- Doing -----------------------------------------------------------------------------

    async def do(self, command: AnyCommand, mark: str = "", timeout: float = 30) -> int:
        """Carry out a command; the number of its entry, or :class:`Refused`.

        If the line is lost meanwhile, it is sent again under the same mark, and counts once.
        """
        if self._end is not None:
            raise self._end
        mark = mark or secrets.token_hex(8)
        waiting = asyncio.get_running_loop().create_future()
        self._sent[mark] = _Sent(command, waiting)
        try:
            await self._say({"mark": mark, "command": command})
            return await asyncio.wait_for(waiting, timeout)
        finally:
            self._sent.pop(mark, None)

    async def answer(self, asked: Asked, value: Any, timeout: float = 30) -> int:
        """Answer a question that waits for this seat."""
        question = asked.question
        return await self.do(AnswerQuestion(asked.procedure, question.step, value), timeout=timeout)

    async def foresee(self, procedure: str) -> Foresight:
        """The odds of an open procedure."""
        return await self._ask("GET", f"/odds/{quote(procedure, safe='')}", Foresight)

    async def ahead(self, procedure: str) -> QuestionsAhead:
        """What an open procedure is going to ask, as far as that can be told."""
        return await self._ask("GET", f"/ahead/{quote(procedure, safe='')}", QuestionsAhead)

    # --- Over HTTP -------------------------------------------------------------------------

    async def see(self) -> TableView:
        """The view, fetched anew."""
        return await self._ask("GET", "/view", TableView)

    async def older(self, before: int, limit: int = 60) -> tuple[EntryView, ...]:
        """Earlier entries of the log."""
        return await self._ask("GET", f"/log?before={before}&limit={limit}", tuple[EntryView, ...])

    async def check_edit(self, character: str, path: str, value: Any) -> None:
        """Refuse, if an edit of a sheet would not hold."""
        await self._ask("POST", "/check-edit", Nothing, EditToCheck(character, path, value))

    async def links(self) -> tuple[LinkKept, ...]:
        """For the GM: the seats that can be opened."""
        return await self._ask("GET", "/links", tuple[LinkKept, ...])

    async def new_link(self, seat: str) -> LinkMade:
        """For the GM: a new link to a seat."""
        return await self._ask("POST", f"/links/{quote(seat, safe='')}", LinkMade)

    async def revoke(self, seat: str) -> None:
        """For the GM: end the links of a seat."""
        await self._ask("DELETE", f"/links/{quote(seat, safe='')}", Revoked)

    async def export(self) -> CampaignExport:
        """For the GM: the whole campaign."""
        return await self._ask("GET", "/export.json", CampaignExport)

    async def evidence(self) -> Evidence:
        """What this seat saw of the dice."""
        return await self._ask("GET", "/evidence.json", Evidence)

    async def markdown(self) -> str:
        """The log as a story."""
        return (await self._request("GET", "/log.md")).decode()

    async def sheet(self, character: str) -> dict[str, Any]:
        """A sheet as plain data."""
        path = f"/characters/{quote(character, safe='')}.json"
        return await self._ask("GET", path, dict[str, Any])

    async def _ask(self, method: str, path: str, kind: type[T], body: Any = None) -> T:
        return msgspec.json.decode(await self._request(method, path, body), type=kind)

    async def _request(self, method: str, path: str, body: Any = None) -> bytes:
        content = None if body is None else msgspec.json.encode(body)
        headers = {} if body is None else {"Content-Type": "application/json"}
        answer = await self._http.request(method, path, content=content, headers=headers)
        if answer.is_error:
            raise refused(answer.status_code, answer.content)
        return answer.content

    # --- The connection --------------------------------------------------------------------

    async def _stay(self) -> None:
        """Be connected, and again whenever the line is lost, until the seat is gone."""
        pause = SHORTEST
        while self._end is None:
            try:
                async with connect(
                    self._socket_url,
                    additional_headers=self._headers,
                    compression=None,
                    max_size=MOST,
                    proxy=None,
                    open_timeout=10,
                ) as socket:
                    pause = SHORTEST
                    self._socket = socket
                    self.connections += 1
                    await self._listen(socket)
                    if socket.close_code == LEFT:
                        await self._over(Dismissed(socket.close_reason or "the seat is gone"))
            except InvalidStatus as error:
                if error.response.status_code in NO_SEAT:
                    words = refused(error.response.status_code, bytes(error.response.body or b""))
                    await self._over(words)
            except (OSError, WebSocketException, InvalidHandshake, TimeoutError):
                pass
            except Exception as error:
                # It would be the same again; and nobody should wait for what cannot be read.
                await self._over(Dismissed(f"what the server says cannot be read: {error}"))
            finally:
                self._socket = None
            if self._end is None:
                await asyncio.sleep(pause)
                pause = min(LONGEST, 2 * pause)

    async def _listen(self, socket: ClientConnection) -> None:
        async for raw in socket:
            message = _messages.decode(raw)
            match message:
                case TableView() | TableUpdate():
                    await self._seen(message)
                case Ack(mark=mark, seq=seq):
                    if (sent := self._sent.get(mark)) and not sent.answer.done():
                        sent.answer.set_result(seq)
                case NotDone(mark=mark, error=wrong):
                    if (sent := self._sent.get(mark)) and not sent.answer.done():
                        sent.answer.set_exception(Refused(0, wrong))
                case Foresight():
                    self.odds[message.procedure] = message
                case Present(seats=seats):
                    self.present = seats
                    await self._tell(None)

    async def _seen(self, message: TableView | TableUpdate) -> None:
        if isinstance(message, TableView):
            self._view = message
            for mark, sent in list(self._sent.items()):
                await self._say({"mark": mark, "command": sent.command})
        elif self._view is not None:
            self._view = merged(self._view, message)
        await self._tell(message)

    async def _tell(self, message: TableView | TableUpdate | None) -> None:
        if message is not None:
            for listener in self._listeners:
                listener.put_nowait(message)
        async with self._changed:
            self._changed.notify_all()

    async def _say(self, message: dict[str, Any]) -> None:
        """Send, if the line stands; if not, it is sent when it stands again."""
        if self._socket is not None and self._view is not None:
            with contextlib.suppress(OSError, WebSocketException):
                await self._socket.send(msgspec.json.encode(message).decode())

    async def _over(self, end: BaseException) -> None:
        """There is nothing more to come; whoever waits hears why."""
        self._end = self._end or end
        for sent in self._sent.values():
            if not sent.answer.done():
                sent.answer.set_exception(Refused(0, Wrong(str(end))))
        for listener in self._listeners:
            listener.put_nowait(None)
        async with self._changed:
            self._changed.notify_all()
