"""HTTP by hand: a request and its answer, at a fraction of what a whole client costs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from table.stores import PATIENCE

NO_BODY = (204, 304)


class Line:
    """One connection to a server, opened again whenever the server has closed it."""

    def __init__(self, port: int) -> None:
        """A line to a port of this machine; it is opened with the first request."""
        self._port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def request(
        self, method: str, address: str, headers: Mapping[str, str], content: bytes
    ) -> tuple[int, bytes]:
        """The status of the answer, and what it says.

        A line that was open already may have been closed for having been quiet: then once more.
        """
        was_open = self._reader is not None
        asked = method, address, headers, content
        try:
            return await asyncio.wait_for(self._request(*asked), PATIENCE)
        except (asyncio.IncompleteReadError, ConnectionError) as lost:
            if not was_open or getattr(lost, "partial", b""):
                raise
        await self.close()
        return await asyncio.wait_for(self._request(*asked), PATIENCE)

    async def _request(
        self, method: str, address: str, headers: Mapping[str, str], content: bytes
    ) -> tuple[int, bytes]:
        if self._reader is None or self._writer is None or self._reader.at_eof():
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        said = {"Host": f"127.0.0.1:{self._port}", "Content-Length": str(len(content)), **headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in said.items())
        self._writer.write(f"{method} {address} HTTP/1.1\r\n{lines}\r\n".encode() + content)
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        status = int(head.split(b" ", 2)[1])
        body = b"" if status in NO_BODY or method == "HEAD" else await self._body(head)
        if b"\r\nconnection: close" in head:
            await self.close()
        return status, body

    async def _body(self, head: bytes) -> bytes:
        assert self._reader is not None
        if b"\r\ntransfer-encoding: chunked" in head:
            found = b""
            while size := int(await self._reader.readline(), 16):
                found += await self._reader.readexactly(size)
                await self._reader.readexactly(2)
            await self._reader.readexactly(2)
            return found
        _, _, rest = head.partition(b"\r\ncontent-length:")
        return await self._reader.readexactly(int(rest.split(b"\r\n", 1)[0]))

    async def close(self) -> None:
        """Hang up."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None
