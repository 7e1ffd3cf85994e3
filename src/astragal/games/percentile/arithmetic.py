"""Rounding and multiplying: fractions go up, and several multipliers become one."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from math import ceil, floor

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Line, Play, Tally, note

from .scene import PercentileTable

LARGEST = 10**6
"""A larger number can only be a typing mistake."""


class Rounding(Enum):
    """Which way a fraction goes; up, unless a rule says otherwise (percentile.math.round_up)."""

    UP = "up"
    DOWN = "down"
    NEAREST = "nearest"


def divided(value: int, by: int, rounding: Rounding = Rounding.UP) -> int:
    """A value divided; any fraction, however small, is rounded up (percentile.math.round_up).

    >>> divided(9, 2), divided(9, 4), divided(9, 3)
    (5, 3, 3)
    """
    exact = Fraction(value, by)
    match rounding:
        case Rounding.UP:
            return ceil(exact)
        case Rounding.DOWN:
            return floor(exact)
        case Rounding.NEAREST:
            return floor(exact + Fraction(1, 2))


def single_multiplier(multipliers: tuple[int, ...]) -> Tally:
    """Several multipliers as one: the first in full, each further one less 1.

    percentile.math.multipliers. Their order makes no difference (percentile.amb.multiplier_order).

    >>> single_multiplier((2, 2)).total, single_multiplier((3, 2)).total
    (3, 4)
    """
    rule = "percentile.math.multipliers"
    lines = [
        Line(each if index == 0 else each - 1, f"from x{each}", rule)
        for index, each in enumerate(multipliers)
    ]
    return Tally(tuple(lines))


class Divide(Arguments, frozen=True):
    """A value to divide; ``says`` names the rule if it is not rounded up."""

    value: int
    by: int
    rounding: Rounding = Rounding.UP
    says: str = ""


class DivisionOutcome(Outcome, frozen=True):
    """What a division came to."""

    result: int


def divide(arguments: Divide, table: PercentileTable) -> Play[DivisionOutcome]:  # noqa: ARG001
    """Divide a value and round the fraction up, unless a rule says otherwise."""
    _check("value", arguments.value, 0)
    _check("by", arguments.by, 1)
    if arguments.rounding is not Rounding.UP and not arguments.says.strip():
        raise NotAllowed(
            "Fractions are rounded up; to round another way, name the rule that says so",
            "percentile.math.round_up",
        )
    result = divided(arguments.value, arguments.by, arguments.rounding)
    whole, rest = divmod(arguments.value, arguments.by)
    text = f"{arguments.value} divided by {arguments.by} is {whole}"
    if rest:
        way = "up" if result > whole else "down"
        mixed = f"{whole} {Fraction(rest, arguments.by)}" if whole else Fraction(rest, arguments.by)
        text = f"{arguments.value} divided by {arguments.by} is {mixed}, rounded {way} to {result}"
    said = f" ({arguments.says.strip()})" if arguments.says.strip() else ""
    yield from note(f"{text}{said}.", "percentile.math.round_up")
    return DivisionOutcome(result)


class Multiply(Arguments, frozen=True):
    """A value and everything that multiplies it."""

    value: int
    multipliers: tuple[int, ...]


class MultiplicationOutcome(Outcome, frozen=True):
    """The one multiplier, and what it makes of the value."""

    multiplier: Tally
    result: int


def multiply(arguments: Multiply, table: PercentileTable) -> Play[MultiplicationOutcome]:  # noqa: ARG001
    """Multiply a value by several multipliers at once (percentile.math.multipliers)."""
    _check("value", arguments.value, 0)
    if not arguments.multipliers:
        raise BadInput("multipliers", [], "at least one multiplier")
    for index, each in enumerate(arguments.multipliers):
        _check(f"multipliers[{index}]", each, 1)
    multiplier = single_multiplier(arguments.multipliers)
    result = arguments.value * multiplier.total
    text = f"{arguments.value} times {multiplier} is {result}."
    yield from note(text, "percentile.math.multipliers")
    return MultiplicationOutcome(multiplier, result)


def _check(place: str, number: int, least: int) -> None:
    if not least <= number <= LARGEST:
        raise BadInput(place, number, f"a whole number, {least} to {LARGEST}")


PROCEDURES = (
    Procedure("divide", "Divide and round", Divide, divide),
    Procedure("multiply", "Multiply", Multiply, multiply),
)
