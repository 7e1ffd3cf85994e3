"""A sheet as a file that people can keep, edit and import: TOML or JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def as_json(plain: Mapping[str, Any]) -> bytes:
    """Plain data as JSON, indented for people."""
    return msgspec.json.format(msgspec.json.encode(plain), indent=2) + b"\n"


def as_toml(plain: Mapping[str, Any]) -> str:
    """Plain data as TOML; what is empty (None) is left out.

    >>> print(as_toml({"name": "Mara", "artha": {"fate": 2}, "traits": [{"name": "Sly"}]}))
    name = "Mara"
    <BLANKLINE>
    [artha]
    fate = 2
    <BLANKLINE>
    [[traits]]
    name = "Sly"
    <BLANKLINE>
    """
    return "\n".join(_table(plain, ())) + "\n"


def _table(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """The plain values of a table first, then the tables in it."""
    inner = {key: value for key, value in table.items() if _is_table(value) or _are_tables(value)}
    for key, value in table.items():
        if key not in inner and value is not None:
            yield f"{_key(key)} = {_value(value)}"
    for key, value in inner.items():
        below = (*path, key)
        name = ".".join(map(_key, below))
        if isinstance(value, Mapping):
            yield f"\n[{name}]"
            yield from _table(value, below)
        else:
            for each in value:
                yield f"\n[[{name}]]"
                yield from _table(each, below)


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping)


def _are_tables(value: object) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(map(_is_table, value))


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            return _text(value)
        case Mapping():
            pairs = (f"{_key(k)} = {_value(v)}" for k, v in value.items() if v is not None)
            return f"{{ {', '.join(pairs)} }}" if value else "{}"
        case Sequence():
            return f"[{', '.join(_value(each) for each in value if each is not None)}]"
    return _text(str(value))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    """A basic string: JSON's escapes are TOML's, but for the one control character it leaves."""
    return msgspec.json.encode(text).decode().replace("\x7f", "\\u007f")
