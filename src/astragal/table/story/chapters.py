"""The entries of a log as chapters: headings, paragraphs, what people said.

A procedure is told where it ends. What is still open is told at the very end, as far as it came.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import msgspec

from astragal.play import GM
from astragal.table.log.items import Item
from astragal.table.story.tale import Tale, tale_of
from astragal.table.views.types import EntryView

SCENE_MARK = "Scene: "
"""A message of the GM's that begins like this is the heading of a scene."""

TOLD = frozenset({"ruled", "threw", "handed_out"})
"""Kinds of entries that are told by their own line."""


class SessionHeading(msgspec.Struct, frozen=True):
    """A session begins."""

    number: int
    at: str


class SceneHeading(msgspec.Struct, frozen=True):
    """A scene begins, or ends; ``title`` says what of it is known."""

    title: str


class Paragraph(msgspec.Struct, frozen=True):
    """A procedure, or something that was done beside them."""

    tale: Tale
    at: str
    is_open: bool = False


class SpokenLine(msgspec.Struct, frozen=True):
    """What somebody said."""

    line: str
    private: bool


class SessionClosing(msgspec.Struct, frozen=True):
    """A session is over."""

    number: int


StoryPart: TypeAlias = SessionHeading | SceneHeading | Paragraph | SpokenLine | SessionClosing


class _Open(msgspec.Struct):
    text: str
    items: list[Item]
    at: str


def chapters(entries: Iterable[EntryView]) -> Iterator[StoryPart]:
    """The parts of a story."""
    open_now: dict[str, _Open] = {}
    number = 0
    for entry in entries:
        if entry.undone:
            continue
        match entry.kind:
            case "session_began":
                number = entry.session
                yield SessionHeading(number, entry.at)
            case "session_ended":
                yield SessionClosing(entry.session or number)
            case "said":
                said = entry.text.partition(": ")[2]
                if entry.seat == GM and said.startswith(SCENE_MARK) and not entry.private:
                    yield SceneHeading(said.removeprefix(SCENE_MARK).strip())
                else:
                    yield SpokenLine(entry.text, entry.private)
            case "began" | "answered" | "withdrawn":
                yield from _played(entry, open_now)
            case kind if kind in TOLD:
                yield Paragraph(Tale(entry.text.rstrip("."), ""), entry.at)
    for left in open_now.values():
        yield Paragraph(tale_of(left.text, left.items), left.at, is_open=True)


def _played(entry: EntryView, open_now: dict[str, _Open]) -> Iterator[StoryPart]:
    """A step of a procedure; its paragraph when it is over."""
    if entry.kind == "withdrawn":
        open_now.pop(entry.procedure, None)
        return
    if entry.kind == "began":
        open_now[entry.procedure] = _Open(entry.text, [], entry.at)
    going = open_now.get(entry.procedure)
    if going is None:  # it began where this seat could not see it
        return
    going.items += entry.items
    if entry.over:
        del open_now[entry.procedure]
        yield Paragraph(tale_of(going.text, going.items), entry.at)
