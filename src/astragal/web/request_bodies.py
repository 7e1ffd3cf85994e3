"""JSON from outside: of a bounded size and depth, strictly of its type, refused with its place."""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cache
from typing import Any, TypeVar, cast

import msgspec

from astragal.errors import BadInput

T = TypeVar("T")

DEEPEST = 60
"""How deep a value may be nested; no sheet, script or answer comes near it."""

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_NEITHER = re.compile(rb"[^\[\]{}]+")
_PLACE = re.compile(r"^(.*?) - at `(?:key in )?\$?\.?(.*)`$", re.DOTALL)


class Malformed(BadInput):
    """What was sent is not of the documented form, whatever it was meant to say."""


@cache
def _decoder(kind: Hashable) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(cast(Any, kind))


def parsed(raw: bytes | str, kind: type[T], place: str = "body") -> T:
    """The value in some JSON, or a refusal that names the place in it."""
    if is_deep(raw if isinstance(raw, bytes) else raw.encode(errors="replace")):
        raise Malformed(place, "something nested very deeply", f"at most {DEEPEST} levels")
    try:
        value: T = _decoder(cast(Hashable, kind)).decode(raw)
    except msgspec.ValidationError as error:
        raise _misfit(str(error), place) from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Malformed(place, "something else", f"JSON ({error})") from None
    return value


def is_deep(raw: bytes) -> bool:
    """Whether brackets are nested too deeply, without building anything of it.

    >>> is_deep(b"[" * 61), is_deep(b'["' + b"[" * 61), is_deep(b"[]" * 61)
    (True, False, False)
    """
    if raw.count(b"[") + raw.count(b"{") <= DEEPEST:
        return False
    depth = 0
    for bracket in _NEITHER.sub(b"", _STRING.sub(b"", raw)):
        depth += 1 if bracket in b"[{" else -1
        if depth > DEEPEST:
            return True
    return False


def _misfit(message: str, place: str) -> Malformed:
    """The sentence of msgspec as a place and what is expected there."""
    found = _PLACE.match(message)
    said, where = (found[1], found[2]) if found else (message, "")
    if unknown := re.match(r"Object contains unknown field `(.*)`", said, re.DOTALL):
        return Malformed(_joined(where, unknown[1]), unknown[1], "no field of that name")
    if missing := re.match(r"Object missing required field `(.*)`", said):
        return Malformed(_joined(where, missing[1]), "nothing", "a value")
    expected, _, got = said.removeprefix("Expected ").partition(", got ")
    return Malformed(where or place, got.strip("`") or "something else", expected or said)


def _joined(where: str, field: str) -> str:
    return f"{where}.{field}" if where else field
