"""The outermost layer: for each request its name, its host, its limits, its headers, its line."""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from astragal.web.access_log import note_request
from astragal.web.authentication import Doorkeeper
from astragal.web.errors import Declined, wrong
from astragal.web.homes import Place, campaign_in
from astragal.web.messages import Refused
from astragal.web.rate_limits import TooMany, neighbourhood
from astragal.web.security import HEADERS
from astragal.web.websocket import Message, Receive, Send, Sockets

App = Callable[[Any, Any, Any], Awaitable[None]]

UNKNOWN_HOST = "the server does not go by this name; see --public-url"
NOT_HERE = "this table is reached by a connection of its own; send the request again on a new one"
LAST = (b"connection", b"close")


class Outside:
    """The whole application, as the server runs it."""

    def __init__(
        self, inside: App, sockets: Sockets, doorkeeper: Doorkeeper, place: Place | None = None
    ) -> None:
        """Stand before the routes and the sockets; with a place, of what is at home there."""
        self.inside = inside
        self.sockets = sockets
        self._doorkeeper = doorkeeper
        self._place = place

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """One connection."""
        match scope["type"]:
            case "http":
                await self._http(scope, receive, send)
            case "websocket":
                await self._socket(scope, receive, send)
            case _:
                await self.inside(scope, receive, send)

    async def _http(self, scope: Message, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        request_id = secrets.token_hex(8)
        state = scope.setdefault("state", {})
        status = 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = _headers(scope, message, request_id)
                if self._place is not None:
                    headers.append(LAST)  # the next request may be at home elsewhere
                message = {**message, "headers": headers}
            await send(message)

        # Whatever can be got can be asked about; the server below leaves the body out.
        inner = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
        try:
            self._check(scope)
        except (Declined, TooMany) as error:
            state["refused"] = str(error)
            await _refuse(sent, error)
        else:
            await self.inside(inner, receive, sent)
        finally:
            seconds = time.perf_counter() - began
            refused = str(state.get("refused", ""))
            note_request(request_id, scope["method"], scope["path"], status, seconds, refused)

    async def _socket(self, scope: Message, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        status = 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "websocket.accept":
                status = 101
                note_request("", "SOCKET", scope["path"], status, time.perf_counter() - began)
            elif message["type"] == "websocket.http.response.start":
                status = message["status"]
                note_request("", "SOCKET", scope["path"], status, time.perf_counter() - began)
            await send(message)

        try:
            self._check(scope)
        except (Declined, TooMany) as error:
            await receive()
            code, words, _ = wrong(error)
            kind = [(b"content-type", b"application/json")]
            await sent({"type": "websocket.http.response.start", "status": code, "headers": kind})
            body = msgspec.json.encode(Refused(words))
            await sent({"type": "websocket.http.response.body", "body": body})
            return
        # Once it is open there is nothing to look at any more: messages go straight through.
        await self.sockets(scope, receive, sent)

    def _check(self, scope: Message) -> None:
        host = next((value for name, value in scope["headers"] if name == b"host"), b"")
        if not self._doorkeeper.origins.is_our_host(host.decode("latin-1")):
            raise Declined(421, UNKNOWN_HOST)
        if self._place is not None and not self._place.is_home(campaign_in(scope["path"])):
            raise Declined(421, NOT_HERE)
        client = scope.get("client")
        self._doorkeeper.addresses.take(neighbourhood(client[0]) if client else "here")


def _headers(scope: Message, message: Message, request_id: str) -> list[tuple[bytes, bytes]]:
    headers = [*message.get("headers", ()), *HEADERS, (b"x-request-id", request_id.encode())]
    if not any(name.lower() == b"cache-control" for name, _ in headers):
        headers.append((b"cache-control", b"no-store"))
    cookies = scope["state"].get("cookies", ())
    return headers + [(b"set-cookie", each.encode()) for each in cookies]


async def _refuse(send: Send, error: Exception) -> None:
    status, words, extra = wrong(error)
    body = msgspec.json.encode(Refused(words))
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *((name.lower().encode(), value.encode()) for name, value in extra.items()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
