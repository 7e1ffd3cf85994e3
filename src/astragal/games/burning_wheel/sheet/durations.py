"""How long things take: lengths of game time, read and written as people say them.

Exact to the second, which is finer than any rule asks. Months are thirty days and years
three hundred and sixty-five: a calendar of a campaign may know better, a test need not.
"""

from __future__ import annotations

import re
from fractions import Fraction

from astragal.errors import BadInput

_UNITS = {
    "year": 365 * 86400,
    "season": 91 * 86400,
    "month": 30 * 86400,
    "week": 7 * 86400,
    "day": 86400,
    "hour": 3600,
    "minute": 60,
    "second": 1,
}

INSTANTANEOUS = 0
"""The time that most stat and martial tests take."""


def parse_duration(text: str, place: str = "time") -> int:
    """Read a length of time in seconds.

    >>> [parse_duration(said) for said in ("2 hours", "a day and a half", "instantaneous")]
    [7200, 129600, 0]
    """
    words = text.strip().casefold()
    if words in {"", "instantaneous", "an instant", "a moment"}:
        return INSTANTANEOUS
    half = words.endswith(" and a half")
    words = words.removesuffix(" and a half")
    total = Fraction(0)
    smallest = 0
    for part in re.split(r"\s*,\s*|\s+and\s+", words):
        match = re.fullmatch(r"(a|an|half an?|\d+(?:\.\d+)?)\s+([a-z]+?)s?", part)
        if match is None or match[2] not in _UNITS:
            expected = "a length of time, as in: 2 hours; 3 days; 1 week and 2 days; instantaneous"
            raise BadInput(place, text, expected, "tests.time.stated_before_roll")
        amount = {"a": Fraction(1), "an": Fraction(1)}.get(match[1])
        if amount is None:
            amount = Fraction(1, 2) if match[1].startswith("half") else Fraction(match[1])
        smallest = _UNITS[match[2]]
        total += amount * smallest
    if half:
        total += Fraction(smallest, 2)
    return round(total)


def say_duration(seconds: int) -> str:
    """Write a length of time in the largest units that fit.

    >>> say_duration(9720), say_duration(0), say_duration(3 * 86400), say_duration(720 * 86400)
    ('2 hours and 42 minutes', 'instantaneous', '3 days', '24 months')
    """
    if seconds == INSTANTANEOUS:
        return "instantaneous"
    parts = []
    whole_months = not seconds % _UNITS["month"]
    for unit, length in _UNITS.items():
        if unit in ("season", "month") and seconds % length:
            continue  # weeks and days say it better than broken months
        if unit == "year" and whole_months and seconds % length:
            continue  # and months better than broken years
        count, seconds = divmod(seconds, length)
        if count:
            parts.append(f"{count} {unit}{'' if count == 1 else 's'}")
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
