"""The outermost layer: for each request its id, its host, its limits, its headers, its log line."""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from astragal.web.access_log import log_request
from astragal.web.authentication import Authentication
from astragal.web.errors import HttpError, error_answer
from astragal.web.messages import ErrorBody
from astragal.web.rate_limits import TooMany, network_of
from astragal.web.security import HEADERS
from astragal.web.websocket import Message, Receive, Send, Sockets, refuse_socket

App = Callable[[Any, Any, Any], Awaitable[None]]

UNKNOWN_HOST = (
    "The server is not known by this host name. Start it with --public-url or --allowed-host."
)


class Middleware:
    """The whole application, as uvicorn runs it."""

    def __init__(self, routes: App, sockets: Sockets, authentication: Authentication) -> None:
        """Wrap the routes and the sockets."""
        self._routes = routes
        self._sockets = sockets
        self._authentication = authentication

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """One connection."""
        match scope["type"]:
            case "http":
                await self._http(scope, receive, send)
            case "websocket":
                await self._websocket(scope, receive, send)
            case _:
                await self._routes(scope, receive, send)

    async def _http(self, scope: Message, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        request_id = secrets.token_hex(8)
        state = scope.setdefault("state", {})
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": _headers(scope, message, request_id)}
            await send(message)

        # HEAD is answered like GET; uvicorn leaves the body out.
        inner = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
        try:
            self._check(scope)
        except (HttpError, TooMany) as error:
            state["refused"] = str(error)
            await _refuse(send_with_headers, error)
        else:
            await self._routes(inner, receive, send_with_headers)
        finally:
            seconds = time.perf_counter() - began
            refused = str(state.get("refused", ""))
            log_request(request_id, scope["method"], scope["path"], status, seconds, refused)

    async def _websocket(self, scope: Message, receive: Receive, send: Send) -> None:
        began = time.perf_counter()

        def log_answer(status: int) -> None:
            log_request("", "SOCKET", scope["path"], status, time.perf_counter() - began)

        try:
            self._check(scope)
        except (HttpError, TooMany) as error:
            await receive()
            await refuse_socket(send, error, log_answer)
        else:
            await self._sockets(scope, receive, send, log_answer)

    def _check(self, scope: Message) -> None:
        host = next((value for name, value in scope["headers"] if name == b"host"), b"")
        if not self._authentication.origins.is_our_host(host.decode("latin-1")):
            raise HttpError(421, UNKNOWN_HOST)
        client = scope.get("client")
        self._authentication.addresses.take(network_of(client[0]) if client else "local")


def _headers(scope: Message, message: Message, request_id: str) -> list[tuple[bytes, bytes]]:
    headers = [*message.get("headers", ()), *HEADERS, (b"x-request-id", request_id.encode())]
    if not any(name.lower() == b"cache-control" for name, _ in headers):
        headers.append((b"cache-control", b"no-store"))
    cookies = scope["state"].get("cookies", ())
    return headers + [(b"set-cookie", each.encode()) for each in cookies]


async def _refuse(send: Send, error: Exception) -> None:
    status, details, extra = error_answer(error)
    body = msgspec.json.encode(ErrorBody(details))
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *((name.lower().encode(), value.encode()) for name, value in extra.items()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
