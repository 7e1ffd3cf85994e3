"""What was wrong with raw data, said our way: the place, the value there, what was expected.

The decoder knows all that but says it in its own words, and does not name the entry of a
mapping at fault; here its message is read again beside the data.
"""

from __future__ import annotations

import difflib
import re
import types
import typing
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

import msgspec

from astragal.errors import BadInput

_ANY_KEY = "..."


def bad_input(message: str, raw: object, kind: Any, place: str) -> BadInput:
    """The decoder's refusal as a :class:`BadInput`."""
    said, _, path = message.partition(" - at `")
    steps = [
        field or index
        for field, index in re.findall(r"\.([^.\[\]`]+)|\[(\d+|\.\.\.)\]", path.rstrip("`"))
    ]
    keys, value = _located(steps, raw, said)
    where = _joined(place, keys)
    if match := re.match(r"Object contains unknown field `(.*)`", said):
        fields = _fields_at(kind, keys)
        near = difflib.get_close_matches(match[1], fields, n=2) or fields
        return BadInput(f"{where}.{match[1]}", match[1], f"a known field: {', '.join(near)}")
    if match := re.match(r"Object missing required field `(.*)`", said):
        return BadInput(f"{where}.{match[1]}", None, "a value (it is required)")
    if match := re.match(r"\w+: found .*?, expected (.*?)(?: \[([\w.]+)\])?$", said):
        # A type of the game's own refused it in our words already.
        return BadInput(where, value, match[1], match[2])
    if re.match(r"Invalid enum value", said):
        return BadInput(where, value, f"one of {', '.join(_enum_at(kind, keys))}")
    expected = re.sub(r", got .*$", "", re.sub(r"^Expected ", "", said)).replace("`", "")
    return BadInput(where, value, _in_words(expected))


def _joined(place: str, keys: list[str]) -> str:
    """A place inside another: fields after dots, positions in brackets, as in step[0].rolls."""
    return place + "".join(f"[{key}]" if key.isdigit() else f".{key}" for key in keys)


def _located(steps: list[str], raw: object, said: str) -> tuple[list[str], Any]:
    """The keys along the path, and the value at its end."""
    if not steps:
        return [], raw
    found = list(_along(steps, raw))
    for keys, value in found:
        if repr(value) in said or f"got `{_type_name(value)}`" in said:
            return keys, value
    return found[0] if found else (steps, None)


def _along(steps: list[str], here: Any) -> Iterator[tuple[list[str], Any]]:
    if not steps:
        yield [], here
        return
    step, rest = steps[0], steps[1:]
    entries: Iterator[tuple[Any, Any]] = iter(())
    if isinstance(here, Mapping):
        entries = iter(here.items() if step == _ANY_KEY else [(step, here.get(step))])
    elif isinstance(here, list | tuple):
        numbered = enumerate(here)
        entries = (pair for pair in numbered if step in (_ANY_KEY, str(pair[0])))
    for key, entry in entries:
        for keys, value in _along(rest, entry):
            yield [str(key), *keys], value


def _type_name(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        return "object"
    return "array" if isinstance(value, list | tuple) else type(value).__name__


def _fields_at(kind: Any, keys: list[str]) -> list[str]:
    """The fields of whatever struct stands at a path of a type."""
    kind = _type_at(kind, keys)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return list(kind.__struct_fields__)
    return []


def _enum_at(kind: Any, keys: list[str]) -> list[str]:
    """The values of whatever enumeration stands at a path of a type."""
    kind = _type_at(kind, keys)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(member.value) for member in kind]
    return ["the allowed values"]


def _type_at(kind: Any, keys: list[str]) -> Any:
    for key in keys:
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            kind = typing.get_type_hints(kind).get(key)
        else:
            arguments = typing.get_args(kind)
            kind = arguments[1] if typing.get_origin(kind) is dict else next(iter(arguments), None)
        if isinstance(kind, types.UnionType):
            kind = next((k for k in typing.get_args(kind) if k is not types.NoneType), None)
    return kind


def _in_words(expected: str) -> str:
    words = {
        "str": "a text",
        "int": "a whole number",
        "bool": "true or false",
        "array": "a list",
        "object": "a table with fields",
        "float": "a number",
    }
    parts = [words.get(part, part) for part in expected.split(" | ") if part != "null"]
    text = " or ".join(parts)
    return text[:1].lower() + text[1:]
