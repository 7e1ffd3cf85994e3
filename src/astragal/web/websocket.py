"""The table's WebSocket, as plain ASGI.

A socket carries every command and every update of a session, so it does without the framework's
layers. One task reads; another writes what the table has ready for this seat.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

import msgspec

from astragal.errors import BadInput
from astragal.play import GM
from astragal.table.command_handler import NoSeat
from astragal.table.host import Tables
from astragal.web.authentication import GM_ONLY, OTHER_SITE, Authentication
from astragal.web.connections import ABUSED
from astragal.web.errors import NO_SEAT, NOT_FOUND, HttpError, NoSuchSeat, error_answer, log_failure
from astragal.web.messages import Ack, Bye, CommandRefused, ErrorBody, FromSeat, Pong, Present
from astragal.web.odds import OddsRequests
from astragal.web.presence import LINK_ENDED, RESTART, RESTARTING, SEAT_CLOSED, Presence
from astragal.web.rate_limits import Buckets, TooMany, network_of
from astragal.web.request_bodies import MAX_SIZE, parse_json
from astragal.web.security import bearer, cookie, seat_cookie
from astragal.web.settings import Rate

if TYPE_CHECKING:
    from astragal.table.hosted import Subscription
    from astragal.table.store.interface import SeatHolder

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
LogAnswer = Callable[[int], None]
"""Takes the status with which a socket was opened (101) or refused."""

log = logging.getLogger("astragal.web")

COMMAND_TIMEOUT = 2.0
"""Seconds that a command in progress may take when the server stops."""
CLOSE_TIMEOUT = 1.0
"""Seconds in which the last message and the close have to be written."""
MAX_DEVICES = 40
"""Sockets that one seat may have open."""
REFUSALS = Rate(1, 40)
"""How many messages may be refused before the socket is closed."""
TOO_MANY = 4429
TOO_MANY_REFUSED = "Too many messages were refused. Wait a moment and reload the page."

_encode = msgspec.json.Encoder().encode


class Disconnected(Exception):
    """The other end has closed the connection."""


class _OnlyMark(msgspec.Struct):
    """The mark of a message of which nothing else can be read."""

    mark: str = ""


class Sockets:
    """Opens sockets at ``/ws/{campaign}``, for our own pages and for programs with a token."""

    def __init__(
        self,
        tables: Tables,
        authentication: Authentication,
        presence: Presence,
        *,
        is_shared: bool,
    ) -> None:
        """Open them at these tables, which other processes may serve as well."""
        self.tables = tables
        self.is_shared = is_shared
        self.authentication = authentication
        self.presence = presence
        self.odds = OddsRequests(tables)

    async def __call__(
        self, scope: Message, receive: Receive, send: Send, log_answer: LogAnswer
    ) -> None:
        """One connection, from its opening to its end."""
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in scope["headers"]
        }
        client = scope.get("client")
        address = network_of(client[0]) if client else "local"
        await receive()
        try:
            campaign = _campaign(scope["path"])
            self.authentication.sockets.take(address)
            token = self._token(headers, campaign, scope["scheme"])
            if not token:
                raise NoSuchSeat
            holder = await self._at(campaign, token, address)
        except Exception as error:
            await refuse_socket(send, error, log_answer)
            return
        await send({"type": "websocket.accept"})
        log_answer(101)
        await Socket(self, holder, token, receive, _Writer(send)).run()

    def _token(self, headers: dict[str, str], campaign: str, scheme: str) -> str:
        """The token that the request brings, in its header or its cookie."""
        origin = "https" if scheme == "wss" else "http"
        if "origin" in headers and not self.authentication.origins.is_ours(headers, origin):
            raise HttpError(403, OTHER_SITE)
        # A browser always sends an origin; a cookie without one is not from a page.
        if "origin" in headers:
            return bearer(headers) or cookie(headers, seat_cookie(campaign))
        return bearer(headers)

    async def _at(self, campaign: str, token: str, address: str) -> SeatHolder:
        holder = await self.authentication.holder(token, address)
        if holder.campaign != campaign:
            raise NoSuchSeat
        abuses = self.authentication.abuses
        if not abuses.has((campaign, holder.seat)):
            raise TooMany(abuses.wait((campaign, holder.seat)))
        if self.presence.devices(campaign, holder.seat) >= MAX_DEVICES:
            line = f"This seat is already open {MAX_DEVICES} times. Close one of its pages first."
            raise HttpError(429, line)
        return holder


class _Writer:
    """The writing side of a connection: whole messages, and a last one."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.is_closed = False

    async def write(self, ready: bytes) -> None:
        """Send one message, as soon as the other end has room for it."""
        if self.is_closed:
            raise Disconnected
        try:
            await self._send({"type": "websocket.send", "text": ready.decode()})
        except OSError:
            raise Disconnected from None

    async def close(self, why: str, code: int) -> None:
        """Send the reason, and close; nothing is read or written after that."""
        if self.is_closed:
            return
        self.is_closed = True
        with contextlib.suppress(Exception):  # the other end may be gone, or not reading
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await self._send({"type": "websocket.send", "text": _encode(Bye(why)).decode()})
                await self._send({"type": "websocket.close", "code": code, "reason": why[:100]})


class Socket:
    """A seat's open connection."""

    def __init__(
        self, sockets: Sockets, holder: SeatHolder, token: str, receive: Receive, writer: _Writer
    ) -> None:
        """Serve the seat that this token opens."""
        self.campaign = holder.campaign
        self.seat = holder.seat
        self._token = token
        self._sockets = sockets
        self._tables = sockets.tables
        self._receive = receive
        self._writer = writer
        self._seats = sockets.authentication.seats
        self._abuses = sockets.authentication.abuses
        self._holder = holder
        self._key = (holder.campaign, holder.seat)
        self._refusals = Buckets(REFUSALS)
        self._idle: asyncio.Event | None = None
        self._is_busy = False
        self._last_seq = 0
        """The last entry that a command of this socket has led to."""
        self._wanted_odds: tuple[str, dict[str, Any], str | None] | None = None
        self._present: tuple[str, ...] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._odds_task: asyncio.Task[None] | None = None
        self._present_task: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Read until the end, while another task writes what is new."""
        try:
            subscription = await self._tables.subscribe(self.campaign, self.seat)
        except Exception as error:
            status, details, _ = error_answer(error)
            await self.close(details.line, 4000 + status)
            return
        writing = asyncio.create_task(self._write(subscription))
        self._sockets.presence.add(self)
        try:
            while True:
                message = await self._receive()
                if message["type"] == "websocket.disconnect":
                    if message.get("code") == ABUSED:
                        self._abuses.takes(self._key)
                    break
                if self._writer.is_closed or self._idle is not None:
                    break
                self._is_busy = True
                has_waited = await self._handle(message)
                self._rest()
                # However many messages have arrived, others have a turn after each.
                if not has_waited:
                    await asyncio.sleep(0)
        except Disconnected:
            pass
        finally:
            self._writer.is_closed = True
            self._sockets.presence.remove(self)
            subscription.close()
            for task in (writing, *self._tasks):
                task.cancel()

    def _rest(self) -> None:
        self._is_busy = False
        if self._idle is not None:
            self._idle.set()

    async def close(self, why: str, code: int) -> None:
        """Send the reason, and close, once a command in progress has been answered."""
        if self._is_busy and code == RESTARTING:
            self._idle = asyncio.Event()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._idle.wait(), COMMAND_TIMEOUT)
        await self._writer.close(why, code)

    async def check_link(self) -> None:
        """Close, unless the link still opens the seat."""
        try:
            await self._tables.seat_at(self._token)
        except NoSeat:
            await self.close(LINK_ENDED, SEAT_CLOSED)

    # --- Writing ---------------------------------------------------------------------------

    async def _write(self, subscription: Subscription) -> None:
        try:
            while (ready := await subscription.next()) is not None:
                await self._writer.write(ready)
        except Disconnected:
            return
        except Exception:
            log.exception("A table could not be shown.")
        # The table has nothing more for this seat: it was removed, or has to be opened again.
        with contextlib.suppress(Exception):
            await self.check_link()
        await self.close(RESTART, RESTARTING)

    async def _answer(self, ready: bytes) -> None:
        """Write what was asked for, or that a command is done, after what is new for the seat."""
        await asyncio.sleep(0)  # the task that writes what is new has its turn
        await self._writer.write(ready)

    def send_present(self, seats: tuple[str, ...]) -> None:
        """Send who is present; while that is being written, only the latest is kept."""
        self._present = seats
        if self._present_task is None:
            self._present_task = self._start(self._write_present())

    async def _write_present(self) -> None:
        while self._present is not None:
            seats, self._present = self._present, None
            await self._writer.write(_encode(Present(seats)))
        self._present_task = None

    def _start(self, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # a lost connection is noticed by the reader

    # --- Reading ---------------------------------------------------------------------------

    async def _handle(self, message: Message) -> bool:
        """Do what a message asks for; whether all others have had a turn meanwhile."""
        mark = ""
        try:
            self._seats.take(self._key)
            sent = _read(message)
            mark = sent.mark
            if sent.ping is not None:
                await self._writer.write(_encode(Pong(sent.ping)))
            elif sent.command is not None:
                if self._sockets.is_shared:
                    # Another process may have ended the link, and nobody been able to say so.
                    await self._tables.seat_at(self._token)
                size = len(message.get("text") or message.get("bytes") or b"")
                self._sockets.authentication.check_command(self._holder, sent.command, size)
                seq = await self._tables.do(self.campaign, self.seat, sent.command, mark)
                await self._answer(_encode(Ack(mark, seq)))
                # A new entry was waited for. One that is older was only looked up.
                is_new, self._last_seq = seq > self._last_seq, max(seq, self._last_seq)
                return is_new
            elif sent.odds is not None:
                if sent.seen_as is not None and self.seat != GM:
                    raise HttpError(403, GM_ONLY)
                self._want_odds(sent.odds, sent.supposing, sent.seen_as)
            elif sent.card is not None:
                card = await self._tables.card(self.campaign, self.seat, sent.card)
                await self._answer(_encode(card))
            else:
                raise BadInput("message", "nothing", "a command, odds, card or a ping")
        except Disconnected:
            raise
        except Exception as error:
            await self._refuse(mark or _mark_of(message), error)
        return False

    async def _refuse(self, mark: str, error: Exception) -> None:
        status, details, _ = error_answer(error)
        log_failure("A command failed", status, error)
        if status == 401:
            await self.close(NO_SEAT, SEAT_CLOSED)
        elif self._refusals.takes(""):
            await self._writer.write(_encode(CommandRefused(mark, details)))
        else:
            self._abuses.takes(self._key)
            await self.close(TOO_MANY_REFUSED, TOO_MANY)

    def _want_odds(self, procedure: str, supposing: dict[str, Any], seen_as: str | None) -> None:
        """Have odds calculated; meanwhile only the latest request is kept."""
        self._wanted_odds = procedure, supposing, seen_as
        if self._odds_task is None:
            self._odds_task = self._start(self._write_odds())

    async def _write_odds(self) -> None:
        try:
            while self._wanted_odds is not None:
                wanted, self._wanted_odds = self._wanted_odds, None
                try:
                    seen = await self._sockets.odds.in_turn(self.campaign, self.seat, *wanted)
                    await self._writer.write(_encode(seen))
                except Disconnected:
                    return
                except Exception as error:
                    await self._refuse("", error)
        finally:
            self._odds_task = None


def _campaign(path: str) -> str:
    """The campaign in a socket's address."""
    parts = path.split("/")
    if len(parts) != 3 or parts[1] != "ws" or not parts[2]:
        raise HttpError(404, NOT_FOUND)
    return parts[2]


def _read(message: Message) -> FromSeat:
    """A message from a seat, or why it cannot be read."""
    raw = message.get("text")
    if raw is None:
        raw = message.get("bytes") or b""
    if len(raw) > MAX_SIZE:
        raise BadInput("message", f"{len(raw)} characters", f"at most {MAX_SIZE}")
    return parse_json(raw, FromSeat, "message")


def _mark_of(message: Message) -> str:
    """The mark of a message that is refused, so that its sender knows which one it was."""
    raw = message.get("text") or message.get("bytes") or b""
    if len(raw) > MAX_SIZE:
        return ""
    try:
        return parse_json(raw, _OnlyMark).mark[:60]
    except BadInput:
        return ""


async def refuse_socket(send: Send, error: Exception, log_answer: LogAnswer) -> None:
    """Refuse before there is a socket, with an HTTP answer that says why."""
    status, details, headers = error_answer(error)
    log_failure("A socket could not be opened", status, error)
    log_answer(status)
    sent = [(b"content-type", b"application/json")]
    sent += [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "websocket.http.response.start", "status": status, "headers": sent})
    await send({"type": "websocket.http.response.body", "body": _encode(ErrorBody(details))})
