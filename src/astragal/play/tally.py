"""Numbers that explain themselves.

Dice, obstacles and targets travel as a :class:`Tally`: a base and lines, each
with an amount, a short label and the id of the rule that puts it there. Only at
the moment of the roll is a tally read as a bare ``total``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec


class Line(msgspec.Struct, frozen=True):
    """One reason a number is what it is."""

    amount: int
    label: str
    rule: str

    def __str__(self) -> str:
        """Read as it stands in a tally: ``+1 Brawling FoRK``."""
        return f"{self.amount:+d} {self.label}".rstrip()

    def __neg__(self) -> Line:
        """The same reason, counted the other way."""
        return Line(-self.amount, self.label, self.rule)


class Tally(msgspec.Struct, frozen=True):
    """A number as the sum of its reasons.

    >>> dice = Tally.of(4, "Sword", "tests.exponent.dice_rolled")
    >>> dice += Line(1, "Brawling FoRK", "tests.fork.one_die")
    >>> dice.total
    5
    >>> print(dice)
    5 = 4 Sword + 1 Brawling FoRK
    """

    lines: tuple[Line, ...] = ()

    @classmethod
    def of(cls, amount: int, label: str, rule: str) -> Tally:
        """A tally that so far has nothing but its base."""
        return cls((Line(amount, label, rule),))

    @property
    def total(self) -> int:
        """The bare number."""
        return sum([line.amount for line in self.lines])

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules behind the number, in order, each once."""
        return tuple(dict.fromkeys(line.rule for line in self.lines))

    def __add__(self, more: Line | Tally | Iterable[Line]) -> Tally:
        """The tally with further lines."""
        return Tally(self.lines + _lines(more))

    def __sub__(self, more: Line | Tally | Iterable[Line]) -> Tally:
        """The tally with further lines taken off instead of added."""
        return Tally(self.lines + tuple(-line for line in _lines(more)))

    def __iter__(self) -> Iterator[Line]:
        """The lines, base first."""
        return iter(self.lines)

    def __str__(self) -> str:
        """Read in one breath: ``5 = 4 Sword + 1 Brawling FoRK``."""
        if not self.lines:
            return "0"
        first, *rest = self.lines
        text = f"{first.amount} {first.label}".rstrip()
        for line in rest:
            text += f" {'-' if line.amount < 0 else '+'} {abs(line.amount)} {line.label}".rstrip()
        return f"{self.total} = {text}"


def _lines(more: Line | Tally | Iterable[Line]) -> tuple[Line, ...]:
    if isinstance(more, Line):
        return (more,)
    if isinstance(more, Tally):
        return more.lines
    return tuple(more)
