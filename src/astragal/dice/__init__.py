"""Dice: thrown from a source of chance, or counted exactly.

Three ideas carry the package. An `Expression` is what is thrown: a `Pool` of shaded
dice, a `Die`, a `Sum`. A `Chance` is who throws: secure, seeded, recorded, typed in.
A `Distribution` is every outcome with its exact weight.

>>> from astragal.dice import Count, Seeded, parse
>>> pool = parse("4G open")
>>> pool.sample(Seeded("an evening")).value.successes
4
>>> pool.distribution(enough=3).chance(Count(3))
Fraction(500, 729)

The package knows no obstacle, seat or sheet. The closed forms of `flat`, `chains` and
`harsh` stand behind `Pool`; nothing else needs them.
"""

from astragal.dice.chance import Chance, Committed, Recorded, Secure, Seeded, TooFewFaces, TypedIn
from astragal.dice.count import Count, CountWithOnes, OpenEnded
from astragal.dice.die import (
    LADDER,
    Die,
    Exploded,
    ExplodeOnce,
    HalfDie,
    Percentile,
    step,
)
from astragal.dice.distribution import Distribution, counted
from astragal.dice.draw import draw
from astragal.dice.expression import Expression, Rolled, ThrownDie
from astragal.dice.notation import AnyExpression, parse
from astragal.dice.pool import Pool, PoolWithOnes, Successes
from astragal.dice.shades import Shade, Shaded
from astragal.dice.together import Each, Keep, Sum, Which
from astragal.dice.versus import Versus, beats

__all__ = [
    "LADDER",
    "AnyExpression",
    "Chance",
    "Committed",
    "Count",
    "CountWithOnes",
    "Die",
    "Distribution",
    "Each",
    "ExplodeOnce",
    "Exploded",
    "Expression",
    "HalfDie",
    "Keep",
    "OpenEnded",
    "Percentile",
    "Pool",
    "PoolWithOnes",
    "Recorded",
    "Rolled",
    "Secure",
    "Seeded",
    "Shade",
    "Shaded",
    "Successes",
    "Sum",
    "ThrownDie",
    "TooFewFaces",
    "TypedIn",
    "Versus",
    "Which",
    "beats",
    "counted",
    "draw",
    "parse",
    "step",
]
