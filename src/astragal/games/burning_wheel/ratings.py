"""A shade and an exponent, written as the game writes them: B4, G5, W3."""

from __future__ import annotations

import re
from typing import Any

from astragal.dice import Shade
from astragal.errors import BadInput

HIGHEST_EXPONENT = 10
"""The top of the scale (tests.exponent.scale, tests.amb.exponent_cap)."""


class Rating:
    """What stands beside an ability: its shade letter and its exponent (tests.shade.every_ability).

    >>> Rating.parse("G5").shade, Rating.parse("G5").exponent
    (<Shade.GRAY: 'gray'>, 5)
    >>> str(Rating(Shade.BLACK, 3))
    'B3'
    """

    __slots__ = ("exponent", "shade")

    shade: Shade
    exponent: int

    def __init__(self, shade: Shade, exponent: int) -> None:
        """Take a shade and an exponent from 0 (an ability that is lost or not yet there) to 10."""
        if not 0 <= exponent <= HIGHEST_EXPONENT:
            raise BadInput("exponent", exponent, f"0 to {HIGHEST_EXPONENT}", "tests.exponent.scale")
        object.__setattr__(self, "shade", shade)
        object.__setattr__(self, "exponent", exponent)

    @classmethod
    def parse(cls, text: object) -> Rating:
        """Read a rating as it is written on a sheet."""
        match = re.fullmatch(r"\s*([BGWbgw])\s*(\d+)\s*", text) if isinstance(text, str) else None
        if match is None or int(match[2]) > HIGHEST_EXPONENT:
            expected = f"a shade and an exponent up to {HIGHEST_EXPONENT}, as in B4 or G5"
            raise BadInput("rating", text, expected, "tests.shade.every_ability")
        return cls(Shade.parse(match[1].upper()), int(match[2]))

    def raised(self, by: int = 1) -> Rating:
        """The same shade with another exponent."""
        return Rating(self.shade, self.exponent + by)

    def __setattr__(self, name: str, value: object) -> None:
        """A rating never changes; an ability gets another one."""
        raise AttributeError("ratings are values; make another one instead")

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


def read_hook(kind: type, raw: Any) -> Any:
    """Teach the decoder to read what the game writes in its own way."""
    if kind is Rating:
        return Rating.parse(raw)
    raise NotImplementedError(kind)


def write_hook(value: Any) -> Any:
    """Teach the encoder to write it again."""
    if isinstance(value, Rating):
        return str(value)
    raise NotImplementedError(type(value))
