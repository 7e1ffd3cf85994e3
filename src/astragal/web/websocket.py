"""The table's WebSocket, as plain ASGI.

A socket carries every command and every update of an evening, so it goes past the framework's
own layer. What is written comes from the table as ready bytes, and goes straight to the wire; a
task writes only what has to wait for a slow reader. Another task reads.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

import msgspec

from astragal.errors import BadInput
from astragal.table.host import NoSeat, Tables
from astragal.web.authentication import FOREIGN, Doorkeeper
from astragal.web.errors import NO_SEAT, Declined, NoSuchSeat, wrong
from astragal.web.lines import LINE, Line
from astragal.web.messages import Ack, Bye, FromSeat, NotDone, Pong, Present, Refused
from astragal.web.odds import Odds
from astragal.web.presence import DISMISSED, LEFT, RESTART, RESTARTING, Company
from astragal.web.rate_limits import Buckets, neighbourhood
from astragal.web.reading import MOST
from astragal.web.request_bodies import parsed
from astragal.web.security import bearer, cookie, seat_cookie
from astragal.web.settings import Rate

if TYPE_CHECKING:
    from astragal.table.hosted import Subscription
    from astragal.table.store.interface import SeatHolder

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

log = logging.getLogger("astragal.web")

INTRODUCTION = 10.0
"""Within so many seconds whoever opens a socket without a cookie has to say who it is."""
UNDER_WAY = 2.0
"""So many seconds a command that is under way may take when the server stops."""
GOODBYE = 1.0
"""So many seconds a socket gets to take its leave."""
MOST_DEVICES = 40
"""So many sockets one seat may have open."""
PATIENCE = Rate(1, 40)
"""How many messages may be refused before the socket is closed."""
TOO_MANY = 4429
TOO_MANY_WORDS = "too many messages that could not be carried out"

_encode = msgspec.json.Encoder().encode


class Gone(Exception):
    """There is nobody at the other end any more."""


class _OnlyMark(msgspec.Struct):
    """The mark of a message of which nothing else can be read."""

    mark: str = ""


class Sockets:
    """Opens sockets: ``/ws/{campaign}``, for pages of ours and for programs with a token."""

    def __init__(self, tables: Tables, doorkeeper: Doorkeeper, company: Company) -> None:
        """Open them at these tables."""
        self.tables = tables
        self.doorkeeper = doorkeeper
        self.company = company
        self.odds = Odds(tables)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """One connection, from its opening to its end."""
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in scope["headers"]
        }
        client = scope.get("client")
        address = neighbourhood(client[0]) if client else "here"
        await receive()
        try:
            campaign = _campaign(scope["path"])
            self.doorkeeper.opened.take(address)
            token = self._token(headers, campaign, scope["scheme"])
            holder = await self._at(campaign, token, address) if token else None
        except Exception as error:
            await _decline(send, error)
            return
        await send({"type": "websocket.accept"})
        visitor = _Visitor(send, scope.get("extensions", {}).get(LINE))
        try:
            if holder is None:
                token = await _introduced(receive)
                holder = await self._at(campaign, token, address)
        except Exception as error:
            status, words, _ = wrong(error)
            await visitor.leave(words.line, 4000 + status)
            return
        await Socket(self, holder, token, receive, visitor).stay()

    def _token(self, headers: dict[str, str], campaign: str, scheme: str) -> str:
        """The token that the request itself brings; none if the first message will."""
        origin = "https" if scheme == "wss" else "http"
        if "origin" in headers and not self.doorkeeper.origins.is_ours(headers, origin):
            raise Declined(403, FOREIGN)
        # A browser always says where it comes from; a cookie without that is not from a page.
        if "origin" in headers:
            return bearer(headers) or cookie(headers, seat_cookie(campaign))
        return bearer(headers)

    async def _at(self, campaign: str, token: str, address: str) -> SeatHolder:
        holder = await self.doorkeeper.holder(token, address)
        if holder.campaign != campaign:
            raise NoSuchSeat
        if self.company.devices(campaign, holder.seat) >= MOST_DEVICES:
            raise Declined(429, f"this seat is open {MOST_DEVICES} times already; close one first")
        return holder


async def _introduced(receive: Receive) -> str:
    """The token in the first message."""
    try:
        message = await asyncio.wait_for(receive(), INTRODUCTION)
    except TimeoutError:
        raise NoSuchSeat from None
    said = _read(message) if message["type"] == "websocket.receive" else FromSeat()
    if said.token is None:
        raise NoSuchSeat
    return said.token


class _Visitor:
    """The writing side of a connection: whole messages, and a last one."""

    def __init__(self, send: Send, line: Line | None) -> None:
        self._send = send
        self._line = line
        self._waiting = 0
        self.is_gone = False

    def take(self, ready: bytes) -> bool:
        """Send one message at once, if that needs no waiting; whether it was sent."""
        if self._line is None or self._waiting or self.is_gone:
            return False
        return self._line.take(ready)

    async def write(self, ready: bytes) -> None:
        """Send one message, as soon as the other end has room for it."""
        if self.is_gone:
            raise Gone
        if self.take(ready):
            return
        self._waiting += 1
        try:
            await self._send({"type": "websocket.send", "text": ready.decode()})
        except OSError:
            raise Gone from None
        finally:
            self._waiting -= 1

    async def leave(self, why: str, code: int) -> None:
        """Say why, and close; nothing is read or written after that."""
        if self.is_gone:
            return
        self.is_gone = True
        with contextlib.suppress(Exception):  # it may be gone already, or not be listening
            async with asyncio.timeout(GOODBYE):
                await self._send({"type": "websocket.send", "text": _encode(Bye(why)).decode()})
                await self._send({"type": "websocket.close", "code": code, "reason": why[:100]})


class Socket:
    """A seat's open connection."""

    def __init__(
        self, sockets: Sockets, holder: SeatHolder, token: str, receive: Receive, visitor: _Visitor
    ) -> None:
        """Sit down at the table."""
        self.campaign = holder.campaign
        self.seat = holder.seat
        self._token = token
        self._sockets = sockets
        self._tables = sockets.tables
        self._receive = receive
        self._visitor = visitor
        self._seats = sockets.doorkeeper.seats
        self._holder = holder
        self._key = (holder.campaign, holder.seat)
        self._patience = Buckets(PATIENCE)
        self._idle: asyncio.Event | None = None
        self._is_busy = False
        self._wanted: tuple[str, dict[str, Any]] | None = None
        self._present: tuple[str, ...] | None = None
        self._errands: set[asyncio.Task[None]] = set()
        self._oracle: asyncio.Task[None] | None = None
        self._teller: asyncio.Task[None] | None = None

    async def stay(self) -> None:
        """Read until the end, while another task writes what is new."""
        try:
            subscription = await self._tables.subscribe(self.campaign, self.seat)
        except Exception as error:
            status, words, _ = wrong(error)
            await self.leave(words.line, 4000 + status)
            return
        subscription.outlet = self._visitor.take
        writer = asyncio.create_task(self._write(subscription))
        self._sockets.company.enter(self)
        try:
            while True:
                message = await self._receive()
                if message["type"] == "websocket.disconnect":
                    break
                if self._visitor.is_gone or self._idle is not None:
                    break
                self._is_busy = True
                await self._hear(message)
                self._rest()
        except Gone:
            pass
        finally:
            self._visitor.is_gone = True
            self._sockets.company.go(self)
            subscription.close()
            for task in (writer, *self._errands):
                task.cancel()

    def _rest(self) -> None:
        self._is_busy = False
        if self._idle is not None:
            self._idle.set()

    async def leave(self, why: str, code: int) -> None:
        """Say why, and close, once a command that is under way has been answered."""
        if self._is_busy and code == RESTARTING:
            self._idle = asyncio.Event()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._idle.wait(), UNDER_WAY)
        await self._visitor.leave(why, code)

    async def show_the_link(self) -> None:
        """Go, unless the link still opens the seat."""
        try:
            await self._tables.seat_at(self._token)
        except NoSeat:
            await self.leave(DISMISSED, LEFT)

    # --- Writing ---------------------------------------------------------------------------

    async def _write(self, subscription: Subscription) -> None:
        try:
            while (ready := await subscription.next()) is not None:
                await self._visitor.write(ready)
        except Gone:
            return
        except Exception:
            log.exception("a table could not be shown")
        # The table has nothing more for this seat: it was taken away, or has to be opened anew.
        with contextlib.suppress(Exception):
            await self.show_the_link()
        await self.leave(RESTART, RESTARTING)

    def hear_who_is_present(self, seats: tuple[str, ...]) -> None:
        """Pass on who is there, when there is time; only the latest matters."""
        self._present = seats
        if self._teller is None:
            self._teller = self._errand(self._tell_present())

    async def _tell_present(self) -> None:
        while self._present is not None:
            seats, self._present = self._present, None
            await self._visitor.write(_encode(Present(seats)))
        self._teller = None

    def _errand(self, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._errands.add(task)
        task.add_done_callback(self._errand_done)
        return task

    def _errand_done(self, task: asyncio.Task[None]) -> None:
        self._errands.discard(task)
        if not task.cancelled():
            task.exception()  # a line that died meanwhile is noticed by the reader

    # --- Reading ---------------------------------------------------------------------------

    async def _hear(self, message: Message) -> None:
        mark = ""
        try:
            said = _read(message)
            mark = said.mark
            if said.ping is not None:
                await self._visitor.write(_encode(Pong(said.ping)))
            elif said.command is not None:
                self._seats.take(self._key)
                self._sockets.doorkeeper.may_do(self._holder, said.command)
                seq = await self._tables.do(self.campaign, self.seat, said.command, mark)
                await self._visitor.write(_encode(Ack(mark, seq)))
            elif said.odds is not None:
                self._seats.take(self._key)
                self._foresee(said.odds, said.supposing)
            elif said.ahead is not None:
                self._seats.take(self._key)
                ahead = await self._tables.ahead(self.campaign, self.seat, said.ahead)
                await self._visitor.write(_encode(ahead))
            elif said.since is None:
                raise BadInput("message", "nothing", "a command, odds, what lies ahead, or a ping")
        except Gone:
            raise
        except Exception as error:
            await self._refuse(mark or _mark_of(message), error)

    async def _refuse(self, mark: str, error: Exception) -> None:
        status, words, _ = wrong(error)
        if status == 500:
            log.error("a command failed", exc_info=error)
        if status == 401:
            await self.leave(NO_SEAT, LEFT)
        elif self._patience.takes(""):
            await self._visitor.write(_encode(NotDone(mark, words)))
        else:
            await self.leave(TOO_MANY_WORDS, TOO_MANY)

    def _foresee(self, procedure: str, supposing: dict[str, Any]) -> None:
        """Have the odds worked out; while that goes on, only the latest wish is remembered."""
        self._wanted = procedure, supposing
        if self._oracle is None:
            self._oracle = self._errand(self._tell_odds())

    async def _tell_odds(self) -> None:
        try:
            while self._wanted is not None:
                (procedure, supposing), self._wanted = self._wanted, None
                try:
                    odds = self._sockets.odds
                    seen = await odds.in_turn(self.campaign, self.seat, procedure, supposing)
                    await self._visitor.write(_encode(seen))
                except Gone:
                    return
                except Exception as error:
                    await self._refuse("", error)
        finally:
            self._oracle = None


def _campaign(path: str) -> str:
    """The campaign in a socket's address."""
    parts = path.split("/")
    if len(parts) != 3 or parts[1] != "ws" or not parts[2]:
        raise Declined(404, "there is nothing at this address")
    return parts[2]


def _read(message: Message) -> FromSeat:
    """What a seat says, or why it cannot be read."""
    raw = message.get("text")
    if raw is None:
        raw = message.get("bytes") or b""
    if len(raw) > MOST:
        raise BadInput("message", f"{len(raw)} characters", f"at most {MOST}")
    return parsed(raw, FromSeat, "message")


def _mark_of(message: Message) -> str:
    """The mark of a message that does not fit, so that whoever sent it knows which one it was."""
    raw = message.get("text") or message.get("bytes") or b""
    if len(raw) > MOST:
        return ""
    try:
        return parsed(raw, _OnlyMark).mark[:60]
    except BadInput:
        return ""


async def _decline(send: Send, error: Exception) -> None:
    """Refuse before there is a socket, with an answer that says why."""
    status, words, headers = wrong(error)
    if status == 500:
        log.error("a socket could not be opened", exc_info=error)
    sent = [(b"content-type", b"application/json")]
    sent += [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "websocket.http.response.start", "status": status, "headers": sent})
    await send({"type": "websocket.http.response.body", "body": _encode(Refused(words))})
