"""The wire under a socket: uvicorn's own protocol, with a short way for messages that are ready.

Most of what a table sends is the same few hundred bytes to everybody at it. Such a message needs
no task, no queue and no state: a frame is written, and the loop sends what was written in one go.
"""

from __future__ import annotations

from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

LINE: Final = "astragal.line"
"""The name under which a connection's scope has its line."""

_TEXT: Final = 0x81
"""A whole message of text, in one frame."""


class Line(WebSocketsSansIOProtocol):
    """One connection, to which ready messages can be handed without waiting."""

    async def run_asgi(self) -> None:
        """Tell the application of the short way."""
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions[LINE] = self
        await super().run_asgi()

    async def send(self, message: Any) -> None:
        """Send what the application has to say; a refusal, too, ends the opening of a socket."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True

    def take(self, ready: bytes) -> bool:
        """Write a message at once, if the other end keeps up; whether that was done."""
        if not self.writable.is_set() or self.disconnected or self.close_sent:
            return False
        size = len(ready)
        if size < 126:
            head = bytes((_TEXT, size))
        elif size < 65536:
            head = bytes((_TEXT, 126, size >> 8, size & 255))
        else:
            head = bytes((_TEXT, 127)) + size.to_bytes(8, "big")
        self.transport.write(head + ready)
        return True
