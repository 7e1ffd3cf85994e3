"""What a page draws of a conflict between several: where everybody is, and what meets what.

Plain data that knows no game: a page draws it once, for every conflict that tells it.
"""

from __future__ import annotations

import msgspec


class Figure(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Somebody in the picture.

    ``holds`` is what is in hand, and ``reach`` how far that goes, from 0; ``pose`` is
    ``standing``, ``kneeling`` or ``down``. ``left`` of ``full`` is drawn as a bar. ``marks`` are a
    few words each on the state; ``out`` says why somebody no longer takes part.
    """

    key: str
    name: str
    side: int
    left: int
    full: int
    holds: str = ""
    reach: int = 0
    pose: str = "standing"
    marks: tuple[str, ...] = ()
    out: str = ""


class Span(msgspec.Struct, frozen=True, gc=False):
    """Two figures, and how far apart they are: what is that long reaches from one to the other.

    A negative ``gap`` is nearer than anything in hand is for. ``one_at`` and ``other_at`` say what
    it is to each of them.
    """

    one: str
    other: str
    gap: int
    one_at: str
    other_at: str


class Picture(msgspec.Struct, frozen=True, gc=False):
    """Where everybody is."""

    figures: tuple[Figure, ...]
    spans: tuple[Span, ...] = ()


class CardPair(msgspec.Struct, frozen=True, gc=False):
    """Two cards that meet, each with whose it is, and what they do to each other."""

    one: str
    one_card: str
    other: str
    other_card: str
    effect: str
