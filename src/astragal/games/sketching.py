"""Reading a character of the GM's from one line: a name and a few numbers, set off by commas."""

from __future__ import annotations

import re

from astragal.errors import BadInput

LONGEST = 500
"""A line longer than this is no sketch."""


_NO_NAME = re.compile(r"[^a-z]*|[bgw]?\d+s?", re.IGNORECASE)


def parts_of(line: str, form: str) -> tuple[str, tuple[str, ...]]:
    """The name and what comes after it; ``form`` is what such a line may look like.

    >>> parts_of("guard, 4s,  sword B4", "guard, 4s")
    ('Guard', ('4s', 'sword B4'))
    >>> parts_of("guard 2", "guard, 4s")
    ('Guard 2', ())
    """
    name, *parts = (" ".join(part.split()) for part in line.split(","))
    if _NO_NAME.fullmatch(name) or len(line) > LONGEST:
        raise BadInput("sketch", line[:LONGEST], f"a name first, as in {form!r}")
    return name[:1].upper() + name[1:], tuple(part for part in parts if part)


def not_understood(part: str, form: str) -> BadInput:
    """The refusal of a part that says nothing about a character; ``form`` is what it may be."""
    return BadInput("sketch", part, form)


def once(part: str, place: str, taken: object) -> None:
    """Refuse to be told the same thing twice."""
    if taken:
        raise BadInput("sketch", part, f"{place} only once")
