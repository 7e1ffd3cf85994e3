"""Sheets and scenes as plain data: reading and setting a value by its path.

A path is that of a :class:`~astragal.play.Change`. The log keeps plain data, so that it can be
read by any later version; the game's own types say only whether a part is a field, which can be
empty, or an entry, which is taken away.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from astragal.errors import BadInput
from astragal.play.changes import path_of, split_path
from astragal.play.growing import GrowingList

NEXT = "+"
"""In place of a position: after the last entry of a list, however many there are by then."""


def value_in(plain: Any, path: str, place: str = "path") -> Any:
    """The plain value at a path; None where there is no such entry."""
    here = plain
    parts = split_path(path)
    for at, part in enumerate(parts):
        if isinstance(here, Mapping):
            if part not in here and at < len(parts) - 1:
                raise BadInput(place, path, f"one of {_few(here)} in place of {part!r}")
            here = here.get(part)
        elif isinstance(here, list | tuple):
            if not part.isdecimal() or int(part) > len(here):
                raise BadInput(place, path, f"a position below {len(here)} in place of {part!r}")
            here = here[int(part)] if int(part) < len(here) else None
        else:
            raise BadInput(place, path, f"a path that ends before {part!r}")
    return here


def with_value(kind: type, plain: Any, path: str, value: Any, place: str = "path") -> Any:
    """The plain data of a game's type with one value set; the old data is left as it was.

    None empties a field and takes an entry of a list or a mapping away.
    """
    return _put(kind, plain, split_path(path), value, path, place)


def _put(kind: Any, here: Any, parts: list[str], value: Any, path: str, place: str) -> Any:
    if not parts:
        return value
    part, rest = parts[0], parts[1:]
    if isinstance(here, Mapping):
        entries = _is_mapping(kind)
        if part not in here and (rest or not entries):
            raise BadInput(place, path, f"one of {_few(here)} in place of {part!r}")
        inner = _put(_inside(kind, part), here.get(part), rest, value, path, place)
        if inner is None and entries:
            return {key: entry for key, entry in here.items() if key != part}
        return {**here, part: inner}
    if isinstance(here, list | tuple):
        if not part.isdecimal() or int(part) > len(here) or (rest and int(part) == len(here)):
            raise BadInput(place, path, f"a position below {len(here)} in place of {part!r}")
        at = int(part)
        old = here[at] if at < len(here) else None
        inner = _put(_inside(kind, part), old, rest, value, path, place)
        return [*here[:at], *([] if inner is None else [inner]), *here[at + 1 :]]
    raise BadInput(place, path, f"a path that ends before {part!r}")


def placed(plain: Any, path: str) -> str:
    """A path whose ``+`` is the position after the last entry of the list that is there."""
    *outer, last = split_path(path)
    if last != NEXT or not outer:
        return path
    entries = value_in(plain, path_of(*outer))
    return path_of(*outer, len(entries)) if isinstance(entries, list | tuple) else path


def as_addition(plain: Any, path: str) -> str:
    """A path that names the place after a list's last entry as what it is: one more entry."""
    *outer, last = split_path(path)
    if not outer or not last.isdecimal():
        return path
    entries = value_in(plain, path_of(*outer))
    is_next = isinstance(entries, list | tuple) and int(last) >= len(entries)
    return path_of(*outer, NEXT) if is_next else path


def found_again(plain: Any, path: str, before: Any) -> str | None:
    """The path at which an entry of a list is by now, by what it said; None if that is unclear."""
    parts = split_path(path)
    here = plain
    for at, part in enumerate(parts):
        if isinstance(here, list | tuple):
            outer, inner = parts[:at], parts[at + 1 :]
            said = [_value_or_none(entry, inner) for entry in here]
            if int(part) < len(said) and said[int(part)] == before:
                return path
            same = [number for number, each in enumerate(said) if each == before]
            return path_of(*outer, same[0], *inner) if len(same) == 1 else None
        here = here.get(part) if isinstance(here, Mapping) else None
    return path


def _value_or_none(entry: Any, parts: list[str]) -> Any:
    try:
        return value_in(entry, path_of(*parts)) if parts else entry
    except BadInput:
        return None


def _bare(kind: Any) -> Any:
    """A type without its Optional."""
    if get_origin(kind) in (Union, types.UnionType):
        return next((each for each in get_args(kind) if each is not type(None)), kind)
    return kind


def _is_mapping(kind: Any) -> bool:
    bare = _bare(kind)
    return (get_origin(bare) or bare) in (dict, Mapping, Any)


def is_record(kind: type, field: str) -> bool:
    """Whether a field of a type has fields of its own, and is not a list or a mapping."""
    bare = _bare(_inside(kind, field))
    return isinstance(bare, type) and issubclass(bare, msgspec.Struct)


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _inside(kind: Any, part: str) -> Any:
    """The type of a part of a type; Any where it cannot be told."""
    bare = _bare(kind)
    if isinstance(bare, type) and issubclass(bare, msgspec.Struct):
        return _hints(bare).get(part, Any)
    inner = get_args(bare)
    origin = get_origin(bare)
    if origin is dict and len(inner) == 2:
        return inner[1]
    if origin is tuple and inner:
        fixed = len(inner) == 2 and inner[1] is Ellipsis
        return inner[0] if fixed else inner[min(int(part), len(inner) - 1)]
    return Any


def _few(known: Mapping[str, Any]) -> str:
    names = [str(name) for name in known]
    return ", ".join(names[:12]) + (" ..." if len(names) > 12 else "")


def merged(current: Any, before: Any, after: Any) -> Any:
    """A change that was made for another state, made all the same.

    Two procedures that are played side by side may both write into the scene. What one of them
    added, took away or counted is then added to, taken from or counted onto what the other made
    of it; of two plain values the later holds.
    """
    if current == before:
        return after
    if after == before:
        return current
    if isinstance(current, Mapping) and isinstance(before, Mapping) and isinstance(after, Mapping):
        return _merged_entries(current, before, after)
    if all(isinstance(each, list | tuple) for each in (current, before, after)):
        left = _growing(current)
        if before:
            left = GrowingList(
                each for each in current if not among(each, before) or among(each, after)
            )
        new = [each for each in after if each not in before and not left.has(each)]
        return left.grown(new) if new else left
    if all(type(each) is int for each in (current, before, after)):
        return current + after - before
    return after


def added(current: Any, before: list[Any], after: list[Any]) -> list[Any]:
    """A list with what came to its end, or without what had come (``before``)."""
    if not isinstance(current, list | tuple):  # somebody has taken the list away since
        return after
    entries = _growing(current)
    if after:
        return entries.grown(after)
    left = list(entries)
    for each in reversed(before):
        place = next((at for at in reversed(range(len(left))) if left[at] == each), None)
        if place is not None:
            del left[place]
    return left


def _growing(entries: Any) -> GrowingList:
    return entries if isinstance(entries, GrowingList) else GrowingList(entries)


def among(entry: Any, entries: Iterable[Any]) -> bool:
    """Whether an entry is one of these, which may have fields that an older version lacked."""
    return any(_is_same(entry, each) for each in entries)


def _is_same(entry: Any, other: Any) -> bool:
    if entry and isinstance(entry, Mapping) and isinstance(other, Mapping):
        return all(name in other and _is_same(entry[name], other[name]) for name in entry)
    return bool(entry == other)


def _merged_entries(
    current: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, Any]:
    """Each entry by itself: what one of the two took away is gone, what one added is there."""
    found = {}
    for name in dict.fromkeys((*current, *after)):
        if name not in after:
            if name not in before:
                found[name] = current[name]
        elif name in current:
            found[name] = merged(current[name], before.get(name), after[name])
        elif name not in before or after[name] != before[name]:
            found[name] = after[name]
    return found
