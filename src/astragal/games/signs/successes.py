"""Dice and Successes: which dice there are, and what a face is worth.

All of it is read from the catalogue: ``signs.table.successes`` says what each face counts and
``signs.table.maximum`` which dice there are (signs.amb.die_sizes) and what each can give. What
a number of Successes means for a goal is in :mod:`~astragal.games.signs.verdicts`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from astragal.dice import Die
from astragal.errors import check_one_of
from astragal.rules import catalogue


@cache
def die_names() -> tuple[str, ...]:
    """The dice of the game, from the smallest to the largest (signs.amb.die_sizes).

    >>> die_names()
    ('D4', 'D6', 'D8', 'D10', 'D12')
    """
    return tuple(str(name) for name in catalogue().table("signs.table.maximum").column("die"))


def die_named(name: str, place: str = "die") -> Die:
    """The die of that name, or a refusal that lists the dice there are."""
    check_one_of(place, name, die_names(), "signs.amb.die_sizes")
    return Die(int(name.removeprefix("D")))


def name_of(die: Die) -> str:
    """The die as the game writes it: D8."""
    return f"D{die.sides}"


@cache
def successes_on(face: int) -> int:
    """What one die is worth by the face it shows.

    Up to 5 it is worth nothing (signs.success.below), from 6 one Success (signs.success.six),
    from 10 two (signs.success.ten); so a D4 never gives any (signs.success.d4).

    >>> [successes_on(face) for face in (4, 5, 6, 9, 10, 12)]
    [0, 0, 1, 1, 2, 2]
    """
    return catalogue().table("signs.table.successes").in_band(face, "face").number("successes")


@cache
def most_successes(die: Die) -> int:
    """The most Successes that a die can give (signs.success.d4, signs.success.ten)."""
    return int(
        str(catalogue().table("signs.table.maximum").value("most_successes", die=name_of(die)))
    )


@cache
def chances(die: Die) -> tuple[Fraction, Fraction]:
    """How likely a die shows exactly one Success, and how likely two.

    >>> chances(Die(12))
    (Fraction(1, 3), Fraction(1, 4))
    """
    row = catalogue().table("signs.table.maximum").where(die=name_of(die))
    return Fraction(str(row["chance_of_one"])), Fraction(str(row["chance_of_two"]))


def counted(successes: int) -> str:
    """A number of Successes in words: ``no Success``, ``1 Success``, ``2 Successes``."""
    return {0: "no Success", 1: "1 Success"}.get(successes, f"{successes} Successes")
