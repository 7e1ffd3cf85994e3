"""A seat at a table: its view, kept up to date, and everything that it can do."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable, Iterable
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidStatus, WebSocketException

from astragal.client.http import TIMEOUT, connected
from astragal.client.merging import merged
from astragal.client.refused import Refused, refused
from astragal.games import SuggestedScript
from astragal.table.commands.commands import (
    AnswerQuestion,
    AnyCommand,
    DraftAnswers,
    ReadyAnswer,
    ReleaseDice,
)
from astragal.table.export import CampaignExport
from astragal.table.fairness import Evidence
from astragal.table.log.state import OpenQuestion
from astragal.table.review import Review
from astragal.table.solving_process import ScriptAdvice
from astragal.table.story.pictures import SessionPictures
from astragal.table.views.types import CardView, EntryView, Foresight, TableUpdate, TableView
from astragal.web.messages import (
    Ack,
    BeginChecked,
    BeginToCheck,
    Bye,
    CommandRefused,
    EditToCheck,
    Empty,
    ErrorDetails,
    LinkInfo,
    NewLink,
    Pong,
    Present,
    RevokedLinks,
)

T = TypeVar("T")

SHORTEST_PAUSE = 0.05
LONGEST_PAUSE = 2.0
"""Seconds between attempts to reconnect."""
NO_SEAT = (401, 403, 404)
SEAT_CLOSED = 4401
MAX_MESSAGE_SIZE = 16 * 1024 * 1024

_messages = msgspec.json.Decoder(
    TableView | TableUpdate | Foresight | CardView | Ack | CommandRefused | Present | Pong | Bye
)


class SeatClosed(Exception):
    """The link no longer opens the seat, or the seat was closed here."""


class Asked(msgspec.Struct, frozen=True):
    """A question for this seat, and the procedure that asks it."""

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
        """How many times the connection was made."""
        self._view: TableView | None = None
        self._socket_url = f"ws{url.removeprefix('http')}/ws/{quote(campaign, safe='')}"
        self._headers = {"Authorization": f"Bearer {token}"}
        base = f"{url}/api/t/{quote(campaign, safe='')}"
        self._http = connected(base, self._headers)
        self._socket: ClientConnection | None = None
        self._sent: dict[str, _Sent] = {}
        self._listeners: set[asyncio.Queue[TableView | TableUpdate | None]] = set()
        self._changed = asyncio.Condition()
        self._running: asyncio.Task[None] | None = None
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

    async def open(self, timeout: float = TIMEOUT) -> None:
        """Connect, and wait for the first view."""
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        try:
            await self.wait_until(lambda _: True, timeout=timeout)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Close the connections."""
        if self._running is not None:
            self._running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._running
        await self._finish(SeatClosed("The seat was closed here."))
        await self._http.aclose()

    # --- Looking ---------------------------------------------------------------------------

    @property
    def view(self) -> TableView:
        """The table as this seat sees it at the moment."""
        if self._view is None:
            raise SeatClosed("There is no view yet. Open the seat first.")
        return self._view

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The questions that wait for this seat."""
        return tuple(
            Asked(procedure.id, question)
            for procedure in self.view.open
            for question in procedure.questions
        )

    async def updates(self) -> AsyncIterator[TableView | TableUpdate]:
        """Every update from now on; a whole view after a lost connection."""
        listener: asyncio.Queue[TableView | TableUpdate | None] = asyncio.Queue()
        self._listeners.add(listener)
        try:
            while self._end is None and (new := await listener.get()) is not None:
                yield new
        finally:
            self._listeners.discard(listener)

    async def wait_until(
        self, predicate: Callable[[TableView], object], timeout: float = TIMEOUT
    ) -> TableView:
        """Wait until the view satisfies the predicate; that view."""

        def is_satisfied() -> bool:
            return self._end is not None or (self._view is not None and bool(predicate(self._view)))

        async with asyncio.timeout(timeout), self._changed:
            await self._changed.wait_for(is_satisfied)
        if self._view is not None and predicate(self._view):
            return self._view
        raise self._end or SeatClosed("The seat is closed.")

    # --- Doing -----------------------------------------------------------------------------

    async def do(self, command: AnyCommand, mark: str = "", timeout: float = TIMEOUT) -> int:
        """Carry out a command; the number of its entry, or :class:`Refused`.

        After a lost connection it is sent again with the same mark, and counts once.
        """
        if self._end is not None:
            raise self._end
        mark = mark or secrets.token_hex(8)
        waiting = asyncio.get_running_loop().create_future()
        self._sent[mark] = _Sent(command, waiting)
        try:
            await self._send({"mark": mark, "command": command})
            return await asyncio.wait_for(waiting, timeout)
        finally:
            self._sent.pop(mark, None)

    async def answer(self, asked: Asked, value: Any, timeout: float = TIMEOUT) -> int:
        """Answer a question that waits for this seat."""
        question = asked.question
        return await self.do(AnswerQuestion(asked.procedure, question.step, value), timeout=timeout)

    async def draft(self, procedure: str, answers: Iterable[ReadyAnswer]) -> int:
        """Change one's own lines of a card."""
        return await self.do(DraftAnswers(procedure, tuple(answers)))

    async def release(
        self, procedure: str, answers: Iterable[ReadyAnswer] = (), *, stays: bool = False
    ) -> int:
        """Be ready: all is answered and rolled as soon as nothing is missing.

        If that ``stays``, one's dice need no further release for the rest of the procedure.
        """
        return await self.do(ReleaseDice(procedure, tuple(answers), stays=stays))

    async def foresee(self, procedure: str) -> Foresight:
        """The odds of an open procedure."""
        return await self._ask("GET", f"/odds/{quote(procedure, safe='')}", Foresight)

    async def card(self, procedure: str) -> CardView:
        """The card of an open procedure: all that is asked before the next dice."""
        return await self._ask("GET", f"/card/{quote(procedure, safe='')}", CardView)

    async def suggest(self, procedure: str, step: int) -> tuple[SuggestedScript, ...]:
        """Scripts for the question that is open at this step, if the game has any."""
        path = f"/scripts/{quote(procedure, safe='')}?step={step}"
        return await self._ask("GET", path, tuple[SuggestedScript, ...])

    async def advise(self, procedure: str, step: int) -> ScriptAdvice:
        """Advice on a script of a duel; without scripts while the duel is being solved."""
        path = f"/advice/{quote(procedure, safe='')}?step={step}"
        return await self._ask("GET", path, ScriptAdvice)

    async def review(self) -> Review:
        """What decisions were worth, the most costly first."""
        return await self._ask("GET", "/review", Review)

    # --- Over HTTP -------------------------------------------------------------------------

    async def see(self) -> TableView:
        """The view, fetched over HTTP."""
        return await self._ask("GET", "/view", TableView)

    async def older(self, before: int, limit: int = 60) -> tuple[EntryView, ...]:
        """Earlier entries of the log."""
        return await self._ask("GET", f"/log?before={before}&limit={limit}", tuple[EntryView, ...])

    async def chain(self, after: int) -> tuple[str, ...]:
        """The digests of all entries after one, to follow the log's hash chain."""
        return await self._ask("GET", f"/chain?after={after}", tuple[str, ...])

    async def check_edit(self, character: str, path: str, value: Any) -> None:
        """Raise :class:`Refused` if an edit of a sheet would not be accepted."""
        await self._ask("POST", "/check-edit", Empty, EditToCheck(character, path, value))

    async def check_begin(self, procedure: str, **arguments: Any) -> ErrorDetails | None:
        """Why a procedure could not be begun with these arguments, as far as this seat may know."""
        begin = BeginToCheck(procedure, arguments)
        return (await self._ask("POST", "/check-begin", BeginChecked, begin)).refused

    async def links(self) -> tuple[LinkInfo, ...]:
        """For the GM: the seats that have a link."""
        return await self._ask("GET", "/links", tuple[LinkInfo, ...])

    async def new_link(self, seat: str) -> NewLink:
        """For the GM: a new link to a seat."""
        return await self._ask("POST", f"/links/{quote(seat, safe='')}", NewLink)

    async def revoke(self, seat: str) -> None:
        """For the GM: revoke the links of a seat."""
        await self._ask("DELETE", f"/links/{quote(seat, safe='')}", RevokedLinks)

    async def export(self) -> CampaignExport:
        """For the GM: the whole campaign."""
        return await self._ask("GET", "/export.json", CampaignExport)

    async def evidence(self) -> Evidence:
        """The dice that this seat saw."""
        return await self._ask("GET", "/evidence.json", Evidence)

    async def markdown(self) -> str:
        """The log as a story."""
        return (await self._request("GET", "/log.md")).decode()

    async def story(self) -> str:
        """The story with its pictures, as Markdown."""
        return (await self._request("GET", "/story.md")).decode()

    async def pictures(self, session: int) -> SessionPictures:
        """A session in pictures."""
        return await self._ask("GET", f"/pictures/{session}", SessionPictures)

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

    async def _run(self) -> None:
        """Connect, and reconnect after every loss, until the seat is closed."""
        pause = SHORTEST_PAUSE
        while self._end is None:
            try:
                async with connect(
                    self._socket_url,
                    additional_headers=self._headers,
                    compression=None,
                    max_size=MAX_MESSAGE_SIZE,
                    proxy=None,
                    open_timeout=TIMEOUT,
                ) as socket:
                    pause = SHORTEST_PAUSE
                    self._socket = socket
                    self.connections += 1
                    await self._listen(socket)
                    if socket.close_code == SEAT_CLOSED:
                        await self._finish(
                            SeatClosed(socket.close_reason or "The seat was closed.")
                        )
            except InvalidStatus as error:
                if error.response.status_code in NO_SEAT:
                    answer = refused(error.response.status_code, bytes(error.response.body or b""))
                    await self._finish(answer)
            except (OSError, WebSocketException, InvalidHandshake, TimeoutError):
                pass
            except Exception as error:
                # Reconnecting would lead to the same answer.
                await self._finish(SeatClosed(f"The server's answer cannot be read: {error}"))
            finally:
                self._socket = None
            if self._end is None:
                await asyncio.sleep(pause)
                pause = min(LONGEST_PAUSE, 2 * pause)

    async def _listen(self, socket: ClientConnection) -> None:
        async for raw in socket:
            message = _messages.decode(raw)
            match message:
                case TableView() | TableUpdate():
                    await self._update(message)
                case Ack(mark=mark, seq=seq):
                    if (sent := self._sent.get(mark)) and not sent.answer.done():
                        sent.answer.set_result(seq)
                case CommandRefused(mark=mark, error=details):
                    if (sent := self._sent.get(mark)) and not sent.answer.done():
                        sent.answer.set_exception(Refused(0, details))
                case Foresight():
                    self.odds[message.procedure] = message
                case Present(seats=seats):
                    self.present = seats
                    await self._notify(None)

    async def _update(self, message: TableView | TableUpdate) -> None:
        if isinstance(message, TableView):
            self._view = message
            for mark, sent in list(self._sent.items()):
                await self._send({"mark": mark, "command": sent.command})
        elif self._view is not None:
            self._view = merged(self._view, message)
        await self._notify(message)

    async def _notify(self, message: TableView | TableUpdate | None) -> None:
        if message is not None:
            for listener in self._listeners:
                listener.put_nowait(message)
        async with self._changed:
            self._changed.notify_all()

    async def _send(self, message: dict[str, Any]) -> None:
        """Send, if connected; otherwise it is sent with the next view."""
        if self._socket is not None and self._view is not None:
            with contextlib.suppress(OSError, WebSocketException):
                await self._socket.send(msgspec.json.encode(message).decode())

    async def _finish(self, end: BaseException) -> None:
        """Nothing more will come: everything that waits is told why."""
        self._end = self._end or end
        for sent in self._sent.values():
            if not sent.answer.done():
                sent.answer.set_exception(Refused(0, ErrorDetails(str(end))))
        for listener in self._listeners:
            listener.put_nowait(None)
        async with self._changed:
            self._changed.notify_all()
