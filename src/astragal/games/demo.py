"""A ready campaign for people who would like to see a game before they read anything."""

from __future__ import annotations

from typing import Any

import msgspec


class Cast(msgspec.Struct, frozen=True):
    """A character of a demo: which ready sheet, and who plays it.

    ``seat`` is ``player`` (the next player who sits down) or ``gm``; nobody but the GM sees the
    sheet of a ``hidden`` one.
    """

    ready: str
    seat: str = "player"
    hidden: bool = False


class Suggestion(msgspec.Struct, frozen=True):
    """Something to try at once: what it says on the button, and what it begins."""

    label: str
    procedure: str
    arguments: dict[str, Any]


class Demo(msgspec.Struct, frozen=True):
    """A title, what it is about in two sentences, who is there, and what could happen first."""

    title: str
    premise: str
    characters: dict[str, Cast]
    scene: dict[str, Any] = {}
    suggestions: tuple[Suggestion, ...] = ()
