"""JSON from outside: of a bounded size and depth, strictly of its type, refused with its place."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Hashable
from functools import cache
from typing import Any, TypeVar, cast

import msgspec
from litestar import Request

from astragal.web.errors import HttpError, Malformed

T = TypeVar("T")

BODY = "body"
"""Under this name a route declares the type of its body, for the OpenAPI document."""

MAX_SIZE = 64 * 1024
MAX_SHEET_SIZE = 1024 * 1024
"""Characters exported from other programs have much besides the character."""
MAX_IMPORT_SIZE = 36 * 1024 * 1024
"""Of a log 20 MB, and all the images that a campaign can have, in base 64."""
IMPORT_PATIENCE = 10
"""How many times as long as another body an imported campaign may take to arrive."""
MAX_DEPTH = 60
"""How deep a value may be nested; no sheet, script or answer comes near it."""

AnyRequest = Request[Any, Any, Any]

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_NO_BRACKETS = re.compile(rb"[^\[\]{}]+")
_PLACE = re.compile(r"^(.*?) - at `(?:key in )?\$?\.?(.*)`$", re.DOTALL)


async def read_json_bytes(request: AnyRequest, patience: float = 1) -> bytes:
    """The body of a request that has to be JSON, not yet parsed, if it is sent in time."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HttpError(415, "Send the body as JSON, with Content-Type: application/json.")
    return await read_bytes(request, patience)


async def read_bytes(request: AnyRequest, patience: float = 1) -> bytes:
    """The body of a request, if it is sent in time."""
    seconds = request.app.state.settings.limits.body_seconds * patience
    try:
        body: bytes = await asyncio.wait_for(request.body(), seconds)
    except TimeoutError:
        raise HttpError(408, "The request took too long to arrive. Send it again.") from None
    return body


async def read_body(request: AnyRequest, kind: type[T]) -> T:
    """The JSON body of a request, strictly of that type."""
    return parse_json(await read_json_bytes(request), kind)


def parse_json(raw: bytes | str, kind: type[T], place: str = "body") -> T:
    """The value in some JSON, or a refusal that names the place in it."""
    if is_too_deep(raw if isinstance(raw, bytes) else raw.encode(errors="replace")):
        raise Malformed(place, "a deeply nested value", f"at most {MAX_DEPTH} levels")
    try:
        value: T = _decoder(cast(Hashable, kind)).decode(raw)
    except msgspec.ValidationError as error:
        raise _malformed(str(error), place) from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Malformed(place, "something else", f"JSON ({error})") from None
    return value


@cache
def _decoder(kind: Hashable) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(cast(Any, kind))


def is_too_deep(raw: bytes) -> bool:
    """Whether brackets are nested too deeply; nothing is built to find out.

    >>> is_too_deep(b"[" * 61), is_too_deep(b'["' + b"[" * 61), is_too_deep(b"[]" * 61)
    (True, False, False)
    """
    if raw.count(b"[") + raw.count(b"{") <= MAX_DEPTH:
        return False
    depth = 0
    for bracket in _NO_BRACKETS.sub(b"", _STRING.sub(b"", raw)):
        depth += 1 if bracket in b"[{" else -1
        if depth > MAX_DEPTH:
            return True
    return False


def _malformed(message: str, place: str) -> Malformed:
    """A message of msgspec as a place and what is expected there."""
    found = _PLACE.match(message)
    said, where = (found[1], found[2]) if found else (message, "")
    if unknown := re.match(r"Object contains unknown field `(.*)`", said, re.DOTALL):
        field = unknown[1] if unknown[1].isprintable() else ascii(unknown[1])
        return Malformed(_joined(where, field), unknown[1], "no field of that name")
    if missing := re.match(r"Object missing required field `(.*)`", said):
        return Malformed(_joined(where, missing[1]), "nothing", "a value")
    if strange := re.match(r"Invalid (?:enum )?value '?(.*?)'?$", said, re.DOTALL):
        return Malformed(where or place, strange[1], "one of the values that are known there")
    expected, _, got = said.removeprefix("Expected ").partition(", got ")
    return Malformed(where or place, got.strip("`") or "something else", expected or said)


def _joined(where: str, field: str) -> str:
    return f"{where}.{field}" if where else field
