"""The bands in which tables give numbers: "1-4", "5+", "-2 or less".

Only the notations that the catalogue's tables use are read; a cell that is no
band (a word, a dash, a dice expression) simply has none.
"""

from __future__ import annotations

import re
from functools import cache

import msgspec

_NOTATIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), shape)
    for pattern, shape in (
        (r"(?P<low>[+-]?\d+)\+", "open above"),
        (r"(?P<low>[+-]?\d+)(?:-\d+)? (?:or|and) (?:more|above)", "open above"),
        (r"at least (?P<low>[+-]?\d+)", "open above"),
        (r"(?P<high>[+-]?\d+) or (?:less|fewer)", "open below"),
        (r"at most (?P<high>[+-]?\d+)", "open below"),
        (r"less than (?P<beyond>[+-]?\d+)", "below"),
        (r"(?P<low>\d+)-(?P<high>\d+)", "closed"),
        (r"(?P<low>[+-]?\d+)", "single"),
        (r"any\b.*", "any"),
    )
)


class Band(msgspec.Struct, frozen=True):
    """A run of whole numbers, open at an end that is None.

    >>> 3 in Band.parse("1-4"), 7 in Band.parse("5+"), -3 in Band.parse("-2 or less")
    (True, True, True)
    >>> Band.parse("not stated") is None
    True
    """

    low: int | None = None
    high: int | None = None

    def __contains__(self, number: int) -> bool:
        return (self.low is None or self.low <= number) and (
            self.high is None or number <= self.high
        )

    @classmethod
    def parse(cls, cell: object) -> Band | None:
        """Read a table's cell as a band, or say that it is none."""
        if isinstance(cell, bool) or not isinstance(cell, int | str):
            return None
        return cls(cell, cell) if isinstance(cell, int) else _parsed(cell)


@cache
def _parsed(cell: str) -> Band | None:
    """The band in words: there are few of them, and tests look at them again and again."""
    for pattern, shape in _NOTATIONS:
        if found := pattern.fullmatch(cell.strip()):
            ends = {end: int(digits) for end, digits in found.groupdict().items()}
            if shape == "below":
                return Band(None, ends["beyond"] - 1)
            if shape == "single":
                return Band(ends["low"], ends["low"])
            return Band(ends.get("low"), ends.get("high"))
    return None
