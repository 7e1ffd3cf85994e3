"""The page itself: the lobby, the table, and the files that they are made of."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from astragal.web.authentication import address_of, doorkeeper_of
from astragal.web.errors import Declined
from astragal.web.reading import AnyRequest
from astragal.web.security import KEY_COOKIE, set_cookie

KINDS = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
}
WORTH_PACKING = 1000


class Sent(msgspec.Struct, frozen=True):
    """A file as it is sent: plain and packed, and a tag by which a browser knows it again."""

    stamp: tuple[int, int]
    kind: str
    plain: bytes
    packed: bytes
    tag: str


class Files:
    """The files of the page, kept in memory until they change."""

    def __init__(self, folder: Path) -> None:
        """Serve what lies in this folder, and nothing else."""
        self._folder = folder.resolve()
        self._kept: dict[Path, Sent] = {}

    def file(self, name: str) -> Sent:
        """A file by its path below the folder."""
        try:
            path = (self._folder / name).resolve()
            if path.suffix not in KINDS or not path.is_relative_to(self._folder):
                raise Declined(404, "there is nothing at this address")
            stat = path.stat()
            stamp = (stat.st_mtime_ns, stat.st_size)
            kept = self._kept.get(path)  # one file may be asked for by many names
            if kept is None or kept.stamp != stamp:
                plain = path.read_bytes()
                packed = gzip.compress(plain, 9, mtime=0) if len(plain) > WORTH_PACKING else b""
                tag = f'"{hashlib.sha256(plain).hexdigest()[:20]}"'
                kept = self._kept[path] = Sent(stamp, KINDS[path.suffix], plain, packed, tag)
        except (OSError, ValueError):
            raise Declined(404, "there is nothing at this address") from None
        return kept


def _sent(request: AnyRequest, name: str) -> Response[bytes]:
    """A file, packed if the browser likes; nothing but a nod if it has it already."""
    sent = request.app.state.files.file(name)
    headers = {"ETag": sent.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if sent.tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers, media_type=sent.kind)
    if sent.packed and "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(sent.packed, headers=headers, media_type=sent.kind)
    return Response(sent.plain, headers=headers, media_type=sent.kind)


@get("/", include_in_schema=False)
async def lobby(request: AnyRequest) -> Response[Any]:
    """The lobby; opened by the printed address, it takes the key out of the address."""
    key = request.query_params.get("key")
    if key is None:
        return _sent(request, "lobby.html")
    if doorkeeper_of(request).is_key(key, address_of(request)):
        secure = request.app.state.settings.is_secure or request.scope["scheme"] == "https"
        request.scope["state"]["cookies"] = [set_cookie(KEY_COOKIE, key, "/api", secure=secure)]
    return Response(b"", status_code=303, headers={"Location": "/", "Cache-Control": "no-store"})


@get(["/t/{campaign:str}", "/join/{token:str}"], include_in_schema=False)
async def table_page(request: AnyRequest) -> Response[bytes]:
    """The table; the page itself finds out who is looking."""
    return _sent(request, "index.html")


@get("/page/{name:path}", include_in_schema=False)
async def page_file(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """A part of the page."""
    return _sent(request, str(name).lstrip("/"))


@get("/favicon.ico", include_in_schema=False)
async def favicon(request: AnyRequest) -> Response[bytes]:
    """What browsers ask for by themselves."""
    return _sent(request, "icon.svg")


ROUTES = [lobby, table_page, page_file, favicon]
