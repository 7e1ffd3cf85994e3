"""A sheet or a scene as a page shows it: sections of rows, the same few shapes for every game.

A game says what stands on its sheet and where; the browser, the printer and any other reader
draw these shapes once. A row that has a ``path`` can be edited in place: the path is that of a
:class:`~astragal.play.Change`, and ``raw`` the plain value that stands there now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Literal

import msgspec

from astragal.play import Option, path_of

RowKind = Literal["text", "long", "number", "yes_no", "choice", "list"]
"""How a value is edited: a line, a paragraph, a whole number, a switch, a choice, lines."""

Layout = Literal["ratings", "texts", "list", "counters", "track"]
"""How a section is drawn: abilities in columns, paragraphs, a plain list, counts with marks,
steps on a scale."""

Shown = Literal["always", "edit", "phone"]
"""When a section is drawn: always, only while one edits, only where there is one column."""

Ties = Literal["", "people", "groups", "texts"]
"""Whom a section ties the character to: people or groups, one in each row by its label, or
whoever its texts name."""

HANDY = 8
"""How many abilities stand on top on a phone."""


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that is collected: ``have`` of ``need`` (0: no end to it).

    What is ``aside`` is told with the notes of its row, not drawn in its line.
    """

    label: str
    have: int
    need: int = 0
    aside: bool = False


class Tap(msgspec.Struct, frozen=True, omit_defaults=True):
    """What tapping a row begins: a procedure for this character, with these further arguments."""

    procedure: str
    arguments: dict[str, str] = {}
    gm_only: bool = False
    """Whether only the GM begins it."""


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a section."""

    label: str
    value: str = ""
    path: str = ""
    kind: RowKind = "text"
    raw: Any = None
    choices: tuple[str, ...] = ()
    note: str = ""
    rule: str = ""
    marks: tuple[Mark, ...] = ()
    award: bool = False
    """Whether the GM hands it out by the point (artha, Story Points)."""
    entry: str = ""
    """The path of the whole entry, where the row is one that can be taken away."""
    tap: Tap | None = None
    """The test of what the row is about."""
    quiet: bool = False
    """Whether it is as usual or empty, and of interest only to those who edit it."""
    bare: str = ""
    """What is edited, where the value says more than that."""


class ScaleStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """One place on a track: its label, what begins there, and what is marked on it."""

    label: str
    names: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()


class Section(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of the page under one heading.

    ``add`` is the path of the list or mapping that a new entry goes into; ``example`` is what a
    new entry may look like, as plain data (for a mapping with its key: ``["Sword", "B3"]``).
    ``secret`` is for the GM alone; ``rule`` is what the section as a whole is about.
    """

    title: str
    layout: Layout
    rows: tuple[Row, ...] = ()
    steps: tuple[ScaleStep, ...] = ()
    note: str = ""
    add: str = ""
    example: Any = None
    secret: bool = False
    rule: str = ""
    shown: Shown = "always"
    ties: Ties = ""


class Page(msgspec.Struct, frozen=True, omit_defaults=True):
    """A whole sheet: who it is, the few things one wants at a glance, and the sections.

    ``choices`` is what a form may name from this sheet, by what it is: under ``ability`` all that
    can be tested, under ``gear`` what is carried (see :mod:`astragal.games.forms`). Where the
    character can do hardly anything, ``barred`` says why, and ``still`` names the procedures that
    can be begun all the same. ``cannot`` has the reason for each single one that cannot.
    """

    name: str
    concept: str = ""
    badges: tuple[Row, ...] = ()
    sections: tuple[Section, ...] = ()
    barred: str = ""
    still: tuple[str, ...] = ()
    cannot: dict[str, str] = {}
    choices: dict[str, tuple[Option, ...]] = {}


class Pen(msgspec.Struct, frozen=True):
    """Writes the rows of one sheet, each with the plain value that stands at its path."""

    sheet: Any
    write_hook: Callable[[Any], Any] | None = None

    def row(
        self,
        label: str,
        *path: str | int,
        value: str | None = None,
        kind: RowKind = "text",
        choices: tuple[str, ...] = (),
        note: str = "",
        rule: str = "",
        marks: tuple[Mark, ...] = (),
        award: bool = False,
        entry: int | None = None,
        tap: Tap | None = None,
        quiet: bool = False,
        bare: str = "",
    ) -> Row:
        """A row for what stands at a path; the first ``entry`` parts of it name a whole entry.

        Unless it is said, that is the part of a list to which the path leads, if it leads to one.
        What has a slash in its name cannot be named by a path, and so not be edited in place.
        """
        raw = self._plain(_at(self.sheet, path))
        shown = _said(raw) if value is None else value
        where = written(*path)
        if not where:
            return Row(label, shown, note=note, rule=rule, marks=marks, tap=tap, quiet=quiet)
        if entry is None:
            entry = next((at for at, part in enumerate(path, 1) if isinstance(part, int)), 0)
        whole = written(*path[:entry]) if entry else ""
        drawn = (marks, award, whole, tap, quiet, bare)
        return Row(label, shown, where, kind, raw, choices, note, rule, *drawn)

    def number(self, label: str, *path: str | int, **more: Any) -> Row:
        """A row for a whole number."""
        return self.row(label, *path, kind="number", **more)

    def lines(self, *path: str | int, rule: str = "") -> tuple[Row, ...]:
        """A row for each text of a list."""
        texts = _at(self.sheet, path)
        return tuple(
            self.row(text, *path, at, value="", rule=rule) for at, text in enumerate(texts)
        )

    def _plain(self, value: Any) -> Any:
        if type(value) in _PLAIN:
            return value
        return msgspec.to_builtins(value, enc_hook=self.write_hook, str_keys=True)


_PLAIN = frozenset({str, int, bool, type(None)})


@lru_cache(maxsize=8192)
def written(*path: str | int) -> str:
    """A path as it is written; nothing where a name in it has a slash of its own.

    >>> written("skills", "Sword", "rating"), written("skills", "Either/Or", "rating")
    ('skills.Sword.rating', '')
    """
    return "" if any("/" in str(part) for part in path) else path_of(*path)


def _at(here: Any, path: tuple[str | int, ...]) -> Any:
    """What stands at the end of a path that need not be written, and so may have slashes."""
    for part in path:
        if isinstance(here, msgspec.Struct):
            here = getattr(here, str(part))
        elif isinstance(here, dict):
            here = here.get(part)
        else:
            here = here[int(part)]
    return here


def _said(raw: Any) -> str:
    """A plain value as it is shown."""
    if isinstance(raw, bool):
        return "yes" if raw else "no"
    if isinstance(raw, list | tuple):
        return ", ".join(map(str, raw))
    return "" if raw is None else str(raw)


def present(*sections: Section) -> tuple[Section, ...]:
    """The sections that have anything on them, or to which something can be added."""
    return tuple(each for each in sections if each.rows or each.steps or each.add or each.note)


def who(pen: Pen) -> Section:
    """Name and concept, which the head of a page shows: a section for those who edit them."""
    rows = (pen.row("Name", "name"), pen.row("Concept", "concept"))
    return Section("Character", "list", rows, shown="edit")


def handy(rows: Iterable[Row]) -> Section:
    """The abilities that were tested most, for a phone; the better ones of those tested as often.

    >>> [row.label for row in handy((Row("Will", "B4"), Row("Sword", "B3", tap=Tap("test")))).rows]
    ['Sword']
    """
    tested = [row for row in rows if row.tap is not None and not row.tap.gm_only]

    def used(row: Row) -> tuple[int, int]:
        rated = re.search(r"\d{1,3}", row.value)
        return sum(mark.have for mark in row.marks), int(rated[0]) if rated else 0

    first = sorted(tested, key=used, reverse=True)[:HANDY]
    return Section("Most used", "ratings", tuple(first), shown="phone")
