"""What a page draws of a conflict: where everybody is, what meets what, and what may come next.

Plain data that knows no game: a page draws it once, for every conflict that tells it.
"""

from __future__ import annotations

from typing import Any

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


class Lane(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One of two sides on a line of distances.

    ``reaches`` has an entry for each distance, from near to far: what that distance is to this
    side, and how well the side can act at it (0 not at all, 1 hardly, 2 well). ``cover`` is drawn
    in front of it, from 0 to 2; ``marks`` are a few words each on its state.
    """

    name: str
    reaches: tuple[tuple[str, int], ...]
    holds: str = ""
    cover: int = 0
    marks: tuple[str, ...] = ()


class DistanceLine(msgspec.Struct, frozen=True, gc=False):
    """Two sides that come nearer or draw apart: ``here`` is the distance that they are at."""

    lanes: tuple[Lane, Lane]
    here: int


class Picture(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Where everybody is: each two by their distance, or both sides on one line."""

    figures: tuple[Figure, ...]
    spans: tuple[Span, ...] = ()
    line: DistanceLine | None = None


class CardPair(msgspec.Struct, frozen=True, gc=False):
    """Two cards that meet, each with whose it is, and what they do to each other."""

    one: str
    one_card: str
    other: str
    other_card: str
    effect: str


class WheelRing(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One ring of a wheel: its places, clockwise, and the one that is chosen, if any."""

    name: str
    places: tuple[str, ...]
    chosen: str = ""


class Wheel(msgspec.Struct, frozen=True, gc=False):
    """Rings within rings, the innermost first, with the rule that has them."""

    rings: tuple[WheelRing, ...]
    rule: str = ""


class FollowUp(msgspec.Struct, frozen=True, gc=False):
    """What people usually begin next: a procedure with its arguments, ready to be started."""

    label: str
    procedure: str
    arguments: dict[str, Any]
