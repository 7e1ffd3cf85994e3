"""Making a character: what a game asks for, and how what people fill in becomes a sheet.

A game describes its form as data (:class:`CreationPart`). What is filled in has the shape of a
sheet as people write it, so that the game's own reading and checking is all there is. A sheet that
was there before (a pre-made one, one from a file) is the *base*: what the form does not show, or
what was not touched, stays as it is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

FieldKind = Literal["text", "long", "number", "rating", "choice", "lines", "list", "picks"]
"""How a field is filled in.

A line, a paragraph, a whole number, a short rating, one of several; several lines, names with
commas between them, names with a value each.
"""


class SuggestedName(msgspec.Struct, frozen=True, omit_defaults=True):
    """A name that may be entered, and what is worth knowing about it."""

    name: str
    note: str = ""


class CreationField(msgspec.Struct, frozen=True, omit_defaults=True):
    """One field: ``path`` is its place on the sheet; ``count`` is how many lines there are."""

    path: str
    label: str
    kind: FieldKind = "text"
    help: str = ""
    rule: str = ""
    count: int = 0
    choices: tuple[str, ...] = ()
    suggestions: tuple[SuggestedName, ...] = ()
    example: str = ""


class CreationPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """Fields under one heading."""

    title: str
    fields: tuple[CreationField, ...]
    help: str = ""


class DerivedValue(msgspec.Struct, frozen=True):
    """A value that follows from others, and the rule by which it does."""

    path: str
    label: str
    value: str
    rule: str


class Remark(msgspec.Struct, frozen=True):
    """Something unusual that is allowed, at its place."""

    path: str
    text: str
    rule: str


class Finished(msgspec.Struct, frozen=True):
    """A sheet as people write it, what was added to it by the rules, and what is unusual."""

    sheet: dict[str, Any]
    follows: tuple[DerivedValue, ...] = ()
    remarks: tuple[Remark, ...] = ()


class ImportedSheet(msgspec.Struct, frozen=True):
    """A sheet from the file of another program, and what in it was not understood."""

    sheet: dict[str, Any]
    unread: tuple[str, ...] = ()


def _as_it_is(sheet: dict[str, Any], table: Any) -> Finished:  # noqa: ARG001
    return Finished(sheet)


def _plain(sheet: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sheet)


def _nothing(raw: Mapping[str, Any]) -> ImportedSheet | None:  # noqa: ARG001
    return None


def _only_who(table: Any) -> tuple[CreationPart, ...]:  # noqa: ARG001
    return (CreationPart("Who", WHO),)


WHO = (
    CreationField("name", "Name"),
    CreationField("concept", "Concept", help="Who the character is, in a few words."),
)
"""What every game asks first."""


class CharacterCreation(msgspec.Struct, frozen=True):
    """How characters of a game are made."""

    parts: Callable[[Any], tuple[CreationPart, ...]] = _only_who
    """What is asked, by the table: its characters may bring skills of their own."""
    shorthand: Callable[[Mapping[str, Any]], dict[str, Any]] = _plain
    """A sheet in full as people would write it, so that the form can show it."""
    finish: Callable[[dict[str, Any], Any], Finished] = _as_it_is
    """A sheet as it was filled in, with all that follows from it; by the sheet and the table."""
    imports: Callable[[Mapping[str, Any]], ImportedSheet | None] = _nothing
    """A file of another program as a sheet; None where it is no such file."""
    programs: tuple[str, ...] = ()
    """The other programs whose files are read."""


def fields_of(parts: tuple[CreationPart, ...]) -> tuple[CreationField, ...]:
    """All fields of a form."""
    return tuple(field for part in parts for field in part.fields)


def values_from(
    creation: CharacterCreation, parts: tuple[CreationPart, ...], sheet: Any
) -> dict[str, Any]:
    """What the form shows of a sheet in full, by the paths of its fields."""
    short = creation.shorthand(sheet)
    found = {field.path: at_path(short, field.path) for field in fields_of(parts)}
    return {path: value for path, value in found.items() if not _is_empty(value)}


def plain_values(parts: tuple[CreationPart, ...], raw: Mapping[str, Any]) -> dict[str, Any]:
    """What a form can show of a sheet that cannot be read as a whole yet."""
    found = {field.path: at_path(raw, field.path) for field in fields_of(parts)}
    by_path = {field.path: field for field in fields_of(parts)}
    return {
        path: value
        for path, value in found.items()
        if not _is_empty(value) and fits(by_path[path], value)
    }


def fits(field: CreationField, value: Any) -> bool:
    """Whether a value is of the kind that a field is filled in with."""
    if field.kind in ("lines", "list"):
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if field.kind == "picks":
        return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())
    return isinstance(value, str | int) and not isinstance(value, bool)


def sheet_from(
    creation: CharacterCreation,
    parts: tuple[CreationPart, ...],
    values: Mapping[str, Any],
    base: Mapping[str, Any],
) -> dict[str, Any]:
    """What was filled in, upon the sheet that it began with."""
    sheet: dict[str, Any] = dict(base)
    short = creation.shorthand(base) if base else {}
    for field in fields_of(parts):
        said, was = values.get(field.path), at_path(short, field.path)
        if said == was or (_is_empty(said) and _is_empty(was)):
            continue
        whole = at_path(base, field.path)
        if isinstance(said, list) and isinstance(was, list) and isinstance(whole, list):
            said = [whole[was.index(each)] if each in was else each for each in said]
        elif isinstance(said, dict) and isinstance(was, dict) and isinstance(whole, dict):
            said = {
                name: whole[name] if was.get(name) == each else each for name, each in said.items()
            }
        _put(sheet, field.path.split("."), said)
    return sheet


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str | list | tuple | Mapping) and not value)


def at_path(here: Any, path: str) -> Any:
    """What is at a path of plain data; None where nothing is."""
    for part in path.split("."):
        here = here.get(part) if isinstance(here, Mapping) else None
    return here


def _put(here: dict[str, Any], path: list[str], value: Any) -> None:
    """Put a value at a path; an empty one is taken away."""
    first, *rest = path
    if not rest:
        if _is_empty(value):
            here.pop(first, None)
        else:
            here[first] = value
        return
    inner = here.get(first)
    here[first] = dict(inner) if isinstance(inner, Mapping) else {}
    _put(here[first], rest, value)
    if not here[first]:
        del here[first]
