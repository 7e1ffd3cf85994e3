"""What happened in a procedure, as the log keeps it and the page shows it: plain data.

The log has to be readable for years, also by a version whose procedures have changed since.
So a step of a procedure is kept with everything that came of it: what was told, rolled,
decided and changed. Each item says who may see it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from astragal.play import CardPair, FollowUp, Picture, Seat


class NamedTally(msgspec.Struct, frozen=True, gc=False):
    """A number with its reasons: a tally under the name it has in the fact (dice, obstacle)."""

    name: str
    total: int
    lines: tuple[tuple[int, str, str], ...]
    """Amount, label and rule of each line."""


class ToldItem(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag="told", tag_field="item"
):
    """A fact, in its sentence; ``kind`` is its name in the game."""

    sentence: str
    kind: str
    rule: str = ""
    numbers: tuple[NamedTally, ...] = ()
    cards: tuple[tuple[str, str], ...] = ()
    """Of a conflict the cards that are turned over: whose, and what they say."""
    bars: tuple[tuple[str, int, int], ...] = ()
    """Of a conflict how sides stand: whose, how much there is now, how much there was at first."""
    audience: tuple[Seat, ...] = ()
    role: str = ""
    """What it is in the story (:data:`astragal.play.Role`); entries of older logs have none."""
    headline: str = ""
    """A few words to stand above it: whose dice, which volley."""
    pattern: str = ""
    """The sentence with ``{name}`` in the place of each of the numbers."""
    picture: Picture | None = None
    """Of a conflict between several: where everybody is."""
    meetings: tuple[CardPair, ...] = ()
    """Of such a conflict the cards that meet, two by two."""
    follow_up: FollowUp | None = None
    """What people usually begin next."""


class DieFace(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One die: its face, its sides, whether it is a success, and which die brought it.

    ``success`` is None where faces are added up instead; ``of`` is the place (from 0) of the die
    whose six gave this one.
    """

    face: int
    sides: int
    success: bool | None = None
    of: int | None = None


class RolledItem(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag="rolled", tag_field="item"
):
    """Dice were thrown: by whom, what for, their faces, and the result.

    ``index`` is the number of the throw in its ``session``, from which its faces can be derived
    again; ``throws`` are sides and count of each handful in turn; ``typed`` says that somebody
    threw real dice and typed in their faces. What a seat throws in secret is numbered in a
    ``stream`` of its own; ``mixed`` contributions of players went into it.
    """

    label: str
    owner: Seat
    notation: str
    faces: tuple[DieFace, ...]
    comes_to: str
    index: int
    throws: tuple[tuple[int, int], ...]
    typed: bool = False
    session: int = 0
    audience: tuple[Seat, ...] = ()
    stream: str = ""
    mixed: int = 0


class DecidedItem(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag="decided", tag_field="item"
):
    """A seat decided: the question's key and prompt, the answer as it was given and in words."""

    seat: Seat
    key: str
    prompt: str
    answer: Any
    words: str
    rule: str = ""
    usual: bool = False
    """Whether it was the default: nothing special."""
    by: Seat = ""
    """Who answered instead, where the GM did."""
    reason: str = ""
    """Why, where somebody said why."""
    audience: tuple[Seat, ...] = ()


class SealedItem(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag="sealed", tag_field="item"
):
    """A seat decided something that nobody else may know."""

    seat: Seat
    audience: tuple[Seat, ...] = ()


class ChangedItem(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag="changed", tag_field="item"
):
    """A sheet or the scene changed; the values are plain data.

    ``known`` is what all but the GM see of it, of the whole field from one value to another,
    where not all that is in the scene is known to them.
    """

    target: str
    path: str
    before: Any
    after: Any
    rule: str = ""
    audience: tuple[Seat, ...] = ()
    known: tuple[Any, Any] | None = None
    more: bool = False
    """Whether ``after`` came to the end of a list, whatever was in it; that is not repeated."""


Item: TypeAlias = ToldItem | RolledItem | DecidedItem | SealedItem | ChangedItem
"""Anything that can happen; an empty ``audience`` means everyone."""
