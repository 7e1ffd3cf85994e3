"""Single dice and the ways of reading one: plain, exploding once, d5 and d100.

These are what `cores`, `signs` and `percentile` throw. What a total has to reach and
which dice may be rerolled is left to those games.
"""

from __future__ import annotations

from typing import Final

import msgspec

from astragal.dice.chance import Chance
from astragal.dice.distribution import Distribution, counted
from astragal.dice.expression import Expression, Rolled
from astragal.errors import BadInput

SIZES: Final = (4, 6, 8, 10, 12)
"""The dice there are, by their sides."""


class Die(
    Expression[int], msgspec.Struct, frozen=True, order=True, tag="die", tag_field="kind", gc=False
):
    """One die of 4, 6, 8, 10 or 12 sides; its value is its face."""

    sides: int

    def __post_init__(self) -> None:
        """Refuse dice that no game here has."""
        if self.sides not in SIZES:
            raise BadInput("sides", self.sides, "a die of 4, 6, 8, 10 or 12 sides")

    @property
    def notation(self) -> str:
        """As in "d8"."""
        return f"d{self.sides}"

    def sample(self, chance: Chance) -> Rolled[int]:
        """Throw the die."""
        (face,) = chance.dice(self.sides, 1)
        return Rolled(face, (face,))

    def distribution(self, *, enough: int | None = None) -> Distribution[int]:  # noqa: ARG002
        """Every face once."""
        return counted(dict.fromkeys(range(1, self.sides + 1), 1), self.sides)


LADDER: Final = tuple(Die(sides) for sides in SIZES)
"""The die types from the smallest to the largest (cores.amb.die_ladder)."""


def step(die: Die, steps: int, lowest: Die = LADDER[0], highest: Die = LADDER[-1]) -> Die:
    """The die some steps up (or, below 0, down) the ladder, within its bounds.

    >>> step(Die(6), 1), step(Die(12), 1), step(Die(6), -3)
    (Die(sides=8), Die(sides=12), Die(sides=4))
    """
    low, high = LADDER.index(lowest), LADDER.index(highest)
    return LADDER[min(high, max(low, LADDER.index(die) + steps))]


class Exploded(msgspec.Struct, frozen=True, order=True, gc=False):
    """A die that may have been rolled once more: its face, and the extra one or 0."""

    first: int
    extra: int = 0

    @property
    def total(self) -> int:
        """Both faces added."""
        return self.first + self.extra


class ExplodeOnce(
    Expression[Exploded], msgspec.Struct, frozen=True, tag="explode_once", tag_field="kind"
):
    """A die that is rolled once more on its highest face; the second roll never is.

    The first face is kept and the second added (cores.explode.six, cores.explode.once).
    """

    die: Die

    @property
    def notation(self) -> str:
        """As in "d6!"."""
        return f"{self.die.notation}!"

    def sample(self, chance: Chance) -> Rolled[Exploded]:
        """Throw the die, and once more if it shows its highest face."""
        (first,) = chance.dice(self.die.sides, 1)
        if first < self.die.sides:
            return Rolled(Exploded(first), (first,))
        (extra,) = chance.dice(self.die.sides, 1)
        return Rolled(Exploded(first, extra), (first, extra))

    def distribution(self, *, enough: int | None = None) -> Distribution[Exploded]:  # noqa: ARG002
        """Every face but the highest alone, and the highest with each second face."""
        sides = self.die.sides
        weights = {Exploded(face): sides for face in range(1, sides)}
        weights.update((Exploded(sides, extra), 1) for extra in range(1, sides + 1))
        return counted(weights, sides * sides)


class HalfDie(Expression[int], msgspec.Struct, frozen=True, tag="d5", tag_field="kind"):
    """A d5: a ten-sided die halved, rounded up (percentile.dice.d5).

    The face of the record is that of the ten-sided die.
    """

    @property
    def notation(self) -> str:
        """It is written "d5"."""
        return "d5"

    def sample(self, chance: Chance) -> Rolled[int]:
        """Throw a ten-sided die and halve it."""
        (face,) = chance.dice(10, 1)
        return Rolled(half_up(face), (face,))

    def distribution(self, *, enough: int | None = None) -> Distribution[int]:  # noqa: ARG002
        """1 to 5, each as likely."""
        return counted(dict.fromkeys(range(1, 6), 1), 5)


def half_up(face: int) -> int:
    """Half of a face, rounded up."""
    return (face + 1) // 2


class Percentile(Expression[int], msgspec.Struct, frozen=True, tag="d100", tag_field="kind"):
    """A d100: two ten-sided dice, the first for the tens, the second for the ones.

    A face of 10 is the digit 0, and two zeros are 100 (percentile.dice.d100).

    >>> from astragal.dice import Recorded
    >>> Percentile().sample(Recorded([4, 10])).value, Percentile().sample(Recorded([10, 10])).value
    (40, 100)
    """

    @property
    def notation(self) -> str:
        """It is written "d100"."""
        return "d100"

    def sample(self, chance: Chance) -> Rolled[int]:
        """Throw both dice at once, the tens die first."""
        tens, ones = chance.dice(10, 2)
        return Rolled(tens % 10 * 10 + ones % 10 or 100, (tens, ones))

    def distribution(self, *, enough: int | None = None) -> Distribution[int]:  # noqa: ARG002
        """1 to 100, each as likely."""
        return counted(dict.fromkeys(range(1, 101), 1), 100)
