"""Connections before anybody has asked for anything: how many, how fast, and for how long.

uvicorn parses whatever has arrived in one go, and waits for ever for the rest of a request. Here
a socket's frames are taken a few at a time, so that every other table gets its turn in between;
what is not sent or not read in time is closed by a timer.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, Protocol, cast

import h11
from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from astragal.web.rate_limits import Buckets, network_of
from astragal.web.settings import Settings

SLICE = 512
"""Bytes of a socket that are parsed at a time: at most 85 frames."""
FRAMES_IN_A_TURN = 16
"""After this many frames of one socket, everybody else has a turn."""
ABUSED = 1008
TOO_FAST = "Too many messages. Wait a moment and reload the page."

_REFUSED = (
    b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nretry-after: 10\r\n"
    b"connection: close\r\ncontent-length: %d\r\n\r\n%b"
)
_REFUSAL = b'{"error":{"line":"Too many connections from this address. Close some and try again."}}'


class Connections:
    """How many connections each address has open."""

    def __init__(self, settings: Settings) -> None:
        """Count for a server with these settings."""
        self._most = settings.limits.connections
        # Behind a proxy every connection comes from the proxy.
        self._counts = not settings.public_url
        self._open: Counter[str] = Counter()

    def opened(self, client: tuple[str, int] | None) -> bool:
        """One more from this address; false if these are too many."""
        if client is None or not self._counts:
            return True
        address = network_of(client[0])
        self._open[address] += 1
        return self._open[address] <= self._most

    def closed(self, client: tuple[str, int] | None) -> None:
        """One less."""
        if client is None or not self._counts:
            return
        address = network_of(client[0])
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]


class _App(Protocol):
    settings: Settings
    connections: Connections


class _Deadline:
    """A connection that is closed unless something happens in time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def start(self, transport: asyncio.Transport) -> None:
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._seconds, transport.abort)

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _EndsUnread(asyncio.Protocol):
    """A connection that is closed when the other side does not read in time what it is sent."""

    transport: asyncio.Transport
    _stuck: _Deadline

    @override
    def pause_writing(self) -> None:
        super().pause_writing()
        self._stuck.start(self.transport)

    @override
    def resume_writing(self) -> None:
        super().resume_writing()
        self._stuck.cancel()


class HttpConnection(_EndsUnread, H11Protocol):
    """An HTTP connection: one of a few from its address, whose requests arrive in time."""

    def __init__(self, config: Any, *given: Any, **named: Any) -> None:
        """Take the limits of the application that is served."""
        super().__init__(config, *given, **named)
        app = cast(_App, config.app)
        self._connections = app.connections
        self._head = _Deadline(app.settings.limits.head_seconds)
        self._stuck = _Deadline(app.settings.limits.stuck_seconds)
        self._is_counted = False
        self._is_refused = False

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._is_counted = True
        if self._connections.opened(self.client):
            self._head.start(transport)
            return
        self._is_refused = True
        transport.write(_REFUSED % (len(_REFUSAL), _REFUSAL))
        transport.close()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def _leave(self) -> None:
        self._head.cancel()
        self._stuck.cancel()
        if self._is_counted:
            self._is_counted = False
            self._connections.closed(self.client)

    @override
    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        super().data_received(data)
        # The state in which the other side has not sent a whole head yet.
        if self._is_counted and self.conn.their_state is h11.IDLE:
            self._head.start(self.transport)
        else:
            self._head.cancel()

    @override
    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._leave()
        super().handle_websocket_upgrade(event)


class SocketConnection(_EndsUnread, WebSocketsSansIOProtocol):
    """A WebSocket's connection: a few frames in a turn, and not too many of them.

    uvicorn has no public way to take frames a few at a time, nor to count them, so this overrides
    methods that are its own. While a message waits to be taken (``read_paused``), nothing is
    parsed, and the system keeps what is sent meanwhile.
    """

    def __init__(self, config: Any, *given: Any, **named: Any) -> None:
        """Take the limits of the application that is served."""
        super().__init__(config, *given, **named)
        app = cast(_App, config.app)
        self._connections = app.connections
        self._frames = Buckets(app.settings.rates.frames)
        self._stuck = _Deadline(app.settings.limits.stuck_seconds)
        self._unread = memoryview(b"")
        self._in_this_turn = 0
        self._is_scheduled = False
        self._is_ended = False

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._connections.opened(self.client)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._stuck.cancel()
        self._connections.closed(self.client)
        super().connection_lost(exc)

    # --- A few frames in a turn ------------------------------------------------------------

    @override
    def data_received(self, data: bytes) -> None:
        if self._is_ended:
            return
        self._unread = memoryview(bytes(self._unread) + data if self._unread else data)
        if not self._is_scheduled:
            self._parse()

    def _parse(self) -> None:
        """Parse what has arrived until there is a message to handle, or others are waiting."""
        self._is_scheduled = False
        self._in_this_turn = 0
        if self.disconnected:
            return
        while self._unread and not self.read_paused and self._in_this_turn < FRAMES_IN_A_TURN:
            some, self._unread = bytes(self._unread[:SLICE]), self._unread[SLICE:]
            super().data_received(some)
            if self.conn.parser_exc is not None:  # it is being closed; what follows means nothing
                self._end()
            if self._is_ended:
                return
        if self._unread and not self.read_paused:
            self._parse_later()
        elif not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def _parse_later(self) -> None:
        self._is_scheduled = True
        if not self.transport.is_closing():
            self.transport.pause_reading()
        self.loop.call_soon(self._parse)

    @override
    async def receive(self) -> Any:
        message = await super().receive()
        if self._unread and not (self.read_paused or self._is_scheduled):
            self._parse_later()
        return message

    @override
    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.close" and self._unread and not self._is_scheduled:
            self._parse_later()  # the other side's own farewell may be in it

    # --- Not too many ----------------------------------------------------------------------

    def _count(self) -> bool:
        """Count a frame; end the connection if there are too many."""
        self._in_this_turn += 1
        if self._is_ended or self._frames.takes(""):
            return not self._is_ended
        self._end()
        if not self.close_sent and not self.transport.is_closing():
            self.conn.fail(ABUSED, TOO_FAST)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.queue.put_nowait({"type": "websocket.disconnect", "code": ABUSED})
        self.transport.close()
        return False

    def _end(self) -> None:
        self._is_ended = True
        self._unread = memoryview(b"")

    @override
    def handle_text(self, event: Frame) -> None:
        if self._count():
            super().handle_text(event)

    @override
    def handle_bytes(self, event: Frame) -> None:
        if self._count():
            super().handle_bytes(event)

    @override
    def handle_cont(self, event: Frame) -> None:
        if self._count():
            super().handle_cont(event)

    @override
    def handle_ping(self) -> None:
        if self._count():
            super().handle_ping()

    @override
    def handle_pong(self, event: Frame) -> None:
        if self._count():
            super().handle_pong(event)
