"""Shades of dice: which faces are successes, and how many dice there are of each.

The Burning Wheel's abilities are black, gray or white; a roll may mix them. How an
ability changes its shade is left to the game (tests.shade.changing).
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Final

import msgspec

from astragal.errors import BadInput

MOST_DICE: Final = 1000
"""More dice than this in one roll are a slip of the keyboard."""


class Shade(enum.Enum):
    """The shade of an ability or die (tests.shade.every_ability)."""

    __hash__ = object.__hash__  # each is there only once, and is looked up all the time

    BLACK = "black"
    GRAY = "gray"
    WHITE = "white"

    @property
    def letter(self) -> str:
        """B, G or W, as written before an exponent."""
        return self.name[0]

    @property
    def difficulty(self) -> int:
        """The lowest face that is a success (tests.shade.difficulty_number)."""
        return _DIFFICULTY[self]

    @property
    def traitor_faces(self) -> int:
        """How many of the six faces are traitors."""
        return _DIFFICULTY[self] - 1

    def lighter(self) -> Shade:
        """The next lighter shade; there is none beyond white.

        When an ability comes to have it is the game's affair (tests.shade.changing).
        """
        if self is Shade.WHITE:
            raise BadInput("shade", self.value, "black or gray: nothing is lighter than white")
        return Shade.GRAY if self is Shade.BLACK else Shade.WHITE

    @classmethod
    def parse(cls, text: str) -> Shade:
        """Read a shade from its letter or its name.

        >>> Shade.parse("G"), Shade.parse("white")
        (<Shade.GRAY: 'gray'>, <Shade.WHITE: 'white'>)
        """
        for shade in cls:
            if text.strip().lower() in (shade.letter.lower(), shade.value):
                return shade
        raise BadInput("shade", text, "B, G or W (black, gray, white)", "tests.shade.every_ability")


_DIFFICULTY: Final = {Shade.BLACK: 4, Shade.GRAY: 3, Shade.WHITE: 2}


class Shaded(
    msgspec.Struct, frozen=True, order=True, cache_hash=True, gc=False, omit_defaults=True
):
    """A number of dice of each shade; never negative.

    >>> Shaded(black=3) + Shaded.of(Shade.GRAY, 2)
    Shaded(black=3, gray=2, white=0)
    """

    black: int = 0
    gray: int = 0
    white: int = 0

    def __post_init__(self) -> None:
        """Refuse fewer dice than none."""
        if self.black < 0 or self.gray < 0 or self.white < 0:
            for shade, count in self.items():
                if count < 0:
                    raise BadInput(f"dice.{shade.value}", count, "0 or more dice")

    @classmethod
    def of(cls, shade: Shade, count: int) -> Shaded:
        """`count` dice of one shade."""
        return cls(**{shade.value: count})

    @property
    def total(self) -> int:
        """How many dice there are of all shades together."""
        return self.black + self.gray + self.white

    def items(self) -> tuple[tuple[Shade, int], ...]:
        """Each shade with its number of dice, black first, also where there are none."""
        return (Shade.BLACK, self.black), (Shade.GRAY, self.gray), (Shade.WHITE, self.white)

    def __getitem__(self, shade: Shade) -> int:
        return (
            self.black if shade is Shade.BLACK else self.gray if shade is Shade.GRAY else self.white
        )

    def __iter__(self) -> Iterator[Shade]:
        """Die by die the shade of each, in the order in which they are thrown."""
        for shade, count in self.items():
            for _ in range(count):
                yield shade

    def __bool__(self) -> bool:
        return bool(self.black or self.gray or self.white)

    def __add__(self, other: Shaded) -> Shaded:
        if not other:
            return self
        return Shaded(self.black + other.black, self.gray + other.gray, self.white + other.white)

    def __sub__(self, other: Shaded) -> Shaded:
        return Shaded(self.black - other.black, self.gray - other.gray, self.white - other.white)

    def __str__(self) -> str:
        return "+".join(f"{count}{shade.letter}" for shade, count in self.items() if count) or "0B"
