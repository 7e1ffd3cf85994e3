"""The page itself: the lobby, the table, and the files that they are made of."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from astragal.web.authentication import address_of, authentication_of
from astragal.web.errors import NOT_FOUND, HttpError
from astragal.web.joined_scripts import joined
from astragal.web.request_bodies import AnyRequest
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
COMPRESSED_ABOVE = 1000
PACKED = (".js", ".css")
"""What is sent without comments and indentation."""
START = Path("js", "start.js")
"""The script of every page; it loads all others."""


_COMMENTS = re.compile(r"^[ \t]*(?:/\*.*?\*/[ \t]*|//[^\n]*)\n", re.DOTALL | re.MULTILINE)
_INDENTED = re.compile(r"^[ \t]+|\n(?=\n)", re.MULTILINE)


def packed(text: str) -> str:
    r"""A script or a style sheet as it is sent: without comment lines, indentation and empty lines.

    No string of the page spans lines, so nothing that counts begins a line.

    >>> packed("/** Why. */\n// And how.\nif (a) {\n  b(); // c\n\n}\n")
    'if (a) {\nb(); // c\n}\n'
    """
    return _INDENTED.sub("", _COMMENTS.sub("", text)).lstrip("\n")


class CachedFile(msgspec.Struct, frozen=True):
    """A file as it is sent: plain and compressed, with its ETag."""

    stamp: tuple[tuple[int, int], ...]
    kind: str
    plain: bytes
    compressed: bytes
    tag: str


class StaticFiles:
    """The files of the page, kept in memory until they change."""

    def __init__(self, folder: Path, *, joins_scripts: bool = True) -> None:
        """Serve the files of this folder, with all scripts as one or each by itself."""
        self._folder = folder.resolve()
        self._start = self._folder / START if joins_scripts else None
        self._cached: dict[Path, CachedFile] = {}

    def file(self, name: str) -> CachedFile:
        """A file by its path below the folder."""
        try:
            path = (self._folder / name).resolve()
            if path.suffix not in KINDS or not path.is_relative_to(self._folder):
                raise HttpError(404, NOT_FOUND)
            sources = self._scripts(path) if path == self._start else (path,)
            stamp = tuple((stat.st_mtime_ns, stat.st_size) for stat in map(Path.stat, sources))
            cached = self._cached.get(path)  # one file can be requested by many names
            if cached is None or cached.stamp != stamp:
                plain = self._content(path, sources)
                is_large = len(plain) > COMPRESSED_ABOVE
                compressed = gzip.compress(plain, 9, mtime=0) if is_large else b""
                tag = f'"{hashlib.sha256(plain).hexdigest()[:20]}"'
                kind = KINDS[path.suffix]
                cached = self._cached[path] = CachedFile(stamp, kind, plain, compressed, tag)
        except (OSError, ValueError):
            raise HttpError(404, NOT_FOUND) from None
        return cached

    def _scripts(self, start: Path) -> tuple[Path, ...]:
        """What is sent in place of the script that begins: all scripts of its folder."""
        others = (each for each in start.parent.glob("*.js") if not each.is_symlink())
        return start, *sorted(each for each in others if each != start)

    def _content(self, path: Path, sources: Sequence[Path]) -> bytes:
        if path.suffix not in PACKED:
            return path.read_bytes()
        texts = {each.stem: packed(each.read_text(encoding="utf-8")) for each in sources}
        text = texts.pop(path.stem)
        return (joined(texts) if path == self._start else text).encode()


def _sent(request: AnyRequest, name: str) -> Response[bytes]:
    """A file, compressed if the browser accepts that; status 304 if the browser has it."""
    file: CachedFile = request.app.state.files.file(name)
    headers = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers, media_type=file.kind)
    if file.compressed and "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(file.compressed, headers=headers, media_type=file.kind)
    return Response(file.plain, headers=headers, media_type=file.kind)


@get("/", include_in_schema=False)
async def lobby(request: AnyRequest) -> Response[Any]:
    """The lobby; the creation key of a printed address becomes a cookie."""
    key = request.query_params.get("key")
    if key is None:
        return _sent(request, "lobby.html")
    if authentication_of(request).is_key(key, address_of(request)):
        secure = request.app.state.settings.is_secure or request.scope["scheme"] == "https"
        request.scope["state"]["cookies"] = [set_cookie(KEY_COOKIE, key, "/api", secure=secure)]
    return Response(b"", status_code=303, headers={"Location": "/", "Cache-Control": "no-store"})


@get(["/t/{campaign:str}", "/join/{token:str}"], include_in_schema=False)
async def table_page(request: AnyRequest) -> Response[bytes]:
    """The table; the page itself asks whose seat it is."""
    return _sent(request, "index.html")


@get("/watch/{game:str}/{name:str}", include_in_schema=False)
async def watch_page(request: AnyRequest) -> Response[bytes]:
    """A scenario to watch; the page itself asks for its moments."""
    return _sent(request, "watch.html")


@get("/page/{name:path}", include_in_schema=False)
async def page_file(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """A part of the page."""
    return _sent(request, str(name).lstrip("/"))


@get("/favicon.ico", include_in_schema=False)
async def favicon(request: AnyRequest) -> Response[bytes]:
    """The icon that browsers request without being told to."""
    return _sent(request, "icon.svg")


ROUTES = [lobby, table_page, watch_page, page_file, favicon]
