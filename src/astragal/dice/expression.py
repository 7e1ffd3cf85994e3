"""What every dice expression can do: be thrown, and be counted.

`sample` throws the dice of a source of chance and keeps the faces; `distribution`
counts all outcomes exactly. Both describe the same expression, and the tests hold
them against each other face by face. What the value means in a game (an obstacle,
a margin, a wound) is left to the games.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

if TYPE_CHECKING:
    from astragal.dice.chance import Chance
    from astragal.dice.distribution import Distribution

V = TypeVar("V", bound=Hashable)


class Rolled(msgspec.Struct, Generic[V], frozen=True):
    """One throw of an expression: what it came to, and the faces for the record."""

    value: V
    faces: tuple[int, ...]
    """Flat, in the order thrown: first the dice asked for, then each wave of extra dice."""


class ThrownDie(msgspec.Struct, frozen=True, gc=False):
    """One die of a throw: its face, whether it is a success, and the die that brought it.

    `success` is None where faces are added up instead; `parent` is the place (from 0) among the
    faces of the die for which this one was thrown as an extra die.
    """

    face: int
    success: bool | None = None
    parent: int | None = None


class Expression(Generic[V]):
    """Dice to be thrown for a value of type `V`; immutable, comparable and hashable.

    Concrete expressions are frozen structs with a tag, so that any of them goes to
    JSON and comes back through the union `AnyExpression`.
    """

    __slots__ = ()

    @property
    def notation(self) -> str:
        """The expression in plain notation; `parse` reads it back."""
        raise NotImplementedError

    def sample(self, chance: Chance) -> Rolled[V]:
        """Throw the dice once."""
        raise NotImplementedError

    def distribution(self, *, enough: int | None = None) -> Distribution[V]:
        """Count every outcome exactly.

        `enough` says that results of `enough` or more successes need not be told
        apart; only expressions that count successes take notice of it.
        """
        raise NotImplementedError

    def final_distribution(self, *, enough: int | None = None) -> Distribution[V]:
        """As `distribution`, for dice that nobody will roll on or roll again.

        Values that differ only in what could still be done with the dice may be one; and
        with `enough`, so may all that are not enough.
        """
        return self.distribution(enough=enough)

    def laid_out(self, faces: tuple[int, ...]) -> Iterator[ThrownDie]:
        """The dice of a throw one by one; a plain face each, unless successes are counted."""
        return (ThrownDie(face) for face in faces)
