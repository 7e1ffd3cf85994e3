"""What Astragal says when something given to it does not fit.

Every refusal is one line that a person can act on: the place, the value found
there, what was expected, and the rule behind it where there is one. Nothing is
ever half applied: code that raises one of these has changed nothing.
"""

from __future__ import annotations

from collections.abc import Collection


class Refusal(ValueError):
    """Anything Astragal declines to do; the command line ends with status 2."""

    rule: str | None = None


class BadInput(Refusal):
    """A value that a person or a file gave does not fit its place.

    >>> print(BadInput("skills.Sword.rating", "X4", "a shade and an exponent, as in B4"))
    skills.Sword.rating: found 'X4', expected a shade and an exponent, as in B4
    """

    def __init__(self, place: str, value: object, expected: str, rule: str | None = None) -> None:
        """Name the place, the value found there, what belongs there, and the rule."""
        self.place = place
        self.value = value
        self.expected = expected
        self.rule = rule
        because = f" [{rule}]" if rule else ""
        found = "nothing" if value is None else repr(value)
        super().__init__(f"{place}: found {found}, expected {expected}{because}")


def check_one_of(place: str, value: str, known: Collection[str], rule: str | None = None) -> None:
    """Refuse a value that is not among the known ones, and name them.

    >>> check_one_of("range", "near", ("optimal", "extreme"))
    Traceback (most recent call last):
    astragal.errors.BadInput: range: found 'near', expected one of optimal, extreme
    """
    if value not in known:
        raise BadInput(place, value, f"one of {', '.join(known)}", rule)


def check_at_least(place: str, value: int, least: int, rule: str | None = None) -> None:
    """Refuse a number that is too small.

    >>> check_at_least("age", -1, 0)
    Traceback (most recent call last):
    astragal.errors.BadInput: age: found -1, expected 0 or more
    """
    if value < least:
        raise BadInput(place, value, f"{least} or more", rule)


def check_between(
    place: str,
    value: int,
    least: int,
    most: int,
    rule: str | None = None,
    *,
    unit: str = "",
    zero: str = "",
) -> None:
    """Refuse a number that is too small or too large; ``zero`` says what 0 stands for.

    >>> check_between("va", 9, 0, 4, unit="points", zero="none")
    Traceback (most recent call last):
    astragal.errors.BadInput: va: found 9, expected 0 (none) to 4 points
    """
    if not least <= value <= most:
        first = f"{least} ({zero})" if zero else f"{least}"
        raise BadInput(place, value, f"{first} to {most} {unit}".rstrip(), rule)


class NotAllowed(Refusal):
    """The rules forbid what was asked for; the message says which rule, and who may allow it.

    >>> print(NotAllowed("Mara has already rolled for this", "tests.let_it_ride.one_roll"))
    Mara has already rolled for this [tests.let_it_ride.one_roll]
    """

    def __init__(self, what: str, rule: str) -> None:
        """Say what is refused and cite the rule that refuses it."""
        self.what = what
        self.rule = rule
        super().__init__(f"{what} [{rule}]")
