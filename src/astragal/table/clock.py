"""The time, as the log has it."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import lru_cache


def now() -> str:
    """The time, as the log has it."""
    return as_told(time.time_ns() // 1_000_000)


def as_told(milliseconds: int) -> str:
    """A time since 1970, as the log has it.

    >>> as_told(1_700_000_000_042)
    '2023-11-14T22:13:20.042+00:00'
    """
    seconds, fraction = divmod(milliseconds, 1000)
    return f"{_to_the_second(seconds)}.{fraction:03}+00:00"


@lru_cache(8)
def _to_the_second(seconds: int) -> str:
    """Within a second there may be a thousand entries, and only their milliseconds differ."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
