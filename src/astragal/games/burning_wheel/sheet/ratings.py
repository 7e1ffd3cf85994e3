"""A shade and a number, written as the game writes them: B4, G5, W3.

Beside an ability that is its rating; on the grayscale it is the step of a wound or a
tolerance.
"""

from __future__ import annotations

import re
from functools import lru_cache, total_ordering
from typing import Any

from astragal.dice import Shade
from astragal.errors import BadInput, check_between

HIGHEST_EXPONENT = 10
"""The top of the scale (tests.exponent.scale, tests.amb.exponent_cap)."""

STEPS = 16
"""The steps of each shade of the grayscale (injury.ptgs.scale), and so the most that the Mortal
Wound, which is one of them, can be (shades.ptgs.mortal_max)."""


class Rating:
    """The rating of an ability: its shade letter and its exponent (tests.shade.every_ability).

    >>> Rating.parse("G5").shade, Rating.parse("G5").exponent
    (<Shade.GRAY: 'gray'>, 5)
    >>> str(Rating(Shade.BLACK, 3))
    'B3'
    """

    __slots__ = ("exponent", "shade")

    shade: Shade
    exponent: int

    def __init__(self, shade: Shade, exponent: int) -> None:
        """Take a shade and an exponent from 0 (an ability that is lost or not yet there).

        It ends at 16 here, for the sake of the Mortal Wound; that every other ability ends at
        10 is for the sheet to say, which knows what is what.
        """
        check_between("exponent", exponent, 0, STEPS, "tests.exponent.scale")
        object.__setattr__(self, "shade", shade)
        object.__setattr__(self, "exponent", exponent)

    @classmethod
    def parse(cls, text: object) -> Rating:
        """Read a rating as it is written on a sheet."""
        match = re.fullmatch(r"\s*([BGWbgw])\s*(\d+)\s*", text) if isinstance(text, str) else None
        if match is None or int(match[2]) > STEPS:
            expected = f"a shade and an exponent up to {HIGHEST_EXPONENT}, as in B4 or G5"
            raise BadInput("rating", text, expected, "tests.shade.every_ability")
        return cls(Shade.parse(match[1].upper()), int(match[2]))

    def raised(self, by: int = 1) -> Rating:
        """The same shade with another exponent, within the scale of abilities."""
        exponent = self.exponent + by
        if exponent > HIGHEST_EXPONENT:
            raise BadInput("exponent", exponent, f"0 to {HIGHEST_EXPONENT}", "tests.exponent.scale")
        return Rating(self.shade, exponent)

    def __setattr__(self, name: str, value: object) -> None:
        """A rating never changes; an ability gets another one."""
        raise AttributeError("a rating never changes: make another one")

    def __reduce__(self) -> tuple[type[Rating], tuple[Shade, int]]:
        """How it is sent to another process: made there again, and checked."""
        return Rating, (self.shade, self.exponent)

    def __eq__(self, other: object) -> bool:
        """Equal when shade and exponent are."""
        return isinstance(other, Rating) and (self.shade, self.exponent) == (
            other.shade,
            other.exponent,
        )

    def __hash__(self) -> int:
        """By shade and exponent."""
        return hash((self.shade, self.exponent))

    def __str__(self) -> str:
        """As it is written on a sheet."""
        return f"{self.shade.letter}{self.exponent}"

    def __repr__(self) -> str:
        """As it is written in code."""
        return f"Rating.parse({str(self)!r})"


_SHADES = tuple(Shade)


@total_ordering
class Coordinate:
    """A step of the grayscale: B1 to B16, then G1 to G16, then W1 to W16 (injury.ptgs.scale).

    Any gray step is to the right of every black one, any white one to the right of those.
    ``place`` counts them from the left, from 1.

    >>> Coordinate.parse("B16") < Coordinate.parse("G1"), str(Coordinate(48))
    (True, 'W16')
    """

    __slots__ = ("place",)

    place: int

    def __init__(self, place: int) -> None:
        """Take a place on the whole scale."""
        if not 1 <= place <= STEPS * len(Shade):
            expected = "a step of the grayscale, B1 to W16"
            raise BadInput("grayscale", place, expected, "injury.ptgs.scale")
        object.__setattr__(self, "place", place)

    @classmethod
    def of(cls, shade: Shade, number: int) -> Coordinate:
        """A step by its shade and its number there."""
        return cls(STEPS * _SHADES.index(shade) + number)

    @classmethod
    def parse(cls, text: object, place: str = "grayscale") -> Coordinate:
        """Read a step as it is written.

        >>> str(Coordinate.parse("b 7"))
        'B7'
        """
        match = (
            re.fullmatch(r"\s*([BGWbgw])\s*(\d{1,3})\s*", text) if isinstance(text, str) else None
        )
        if match is None or not 1 <= int(match[2]) <= STEPS:
            expected = f"a shade and a step from 1 to {STEPS}, as in B7 or G3"
            raise BadInput(place, text, expected, "injury.ptgs.scale")
        return cls.of(Shade.parse(match[1].upper()), int(match[2]))

    @property
    def shade(self) -> Shade:
        """The part of the scale it is in."""
        return _SHADES[(self.place - 1) // STEPS]

    @property
    def number(self) -> int:
        """Its number in that part."""
        return (self.place - 1) % STEPS + 1

    def __setattr__(self, name: str, value: object) -> None:
        """A step never changes."""
        raise AttributeError("a step never changes: make another one")

    def __reduce__(self) -> tuple[type[Coordinate], tuple[int]]:
        """How it is sent to another process: made there again, and checked."""
        return Coordinate, (self.place,)

    def __eq__(self, other: object) -> bool:
        """Equal when the place is."""
        return isinstance(other, Coordinate) and self.place == other.place

    def __lt__(self, other: Coordinate) -> bool:
        """Farther to the left on the scale."""
        return self.place < other.place

    def __hash__(self) -> int:
        """By its place on the scale."""
        return hash(self.place)

    def __str__(self) -> str:
        """As it is written on a sheet."""
        return f"{self.shade.letter}{self.number}"

    def __repr__(self) -> str:
        """As it is written in code."""
        return f"Coordinate.parse({str(self)!r})"


def read_hook(kind: type, raw: Any) -> Any:
    """Teach the decoder to read what the game writes in its own way."""
    return _remembered(kind, raw) if isinstance(raw, str) else _read(kind, raw)


def _read(kind: type, raw: Any) -> Any:
    if kind is Rating:
        return Rating.parse(raw)
    if kind is Coordinate:
        return Coordinate.parse(raw)
    raise NotImplementedError(kind)


_remembered = lru_cache(maxsize=1024)(_read)
"""The same few ratings are on every sheet."""


def write_hook(value: Any) -> Any:
    """Teach the encoder to write it again."""
    if isinstance(value, Rating | Coordinate):
        return str(value)
    raise NotImplementedError(type(value))
