"""What a number of Successes means for the goal.

The text explains only two or more Successes; what one and none mean are readings
(signs.amb.one_success_missing, signs.amb.no_success_missing).
"""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """The answers to "is the goal reached?"."""

    YES_AND = "yes_and"
    """Two or more: reached with no trouble, and perhaps more (signs.success.two_or_more)."""
    YES = "yes"
    """One, where nothing speaks of a complication (signs.amb.one_success_missing)."""
    YES_BUT = "yes_but"
    """One, with a cost or complication (signs.amb.one_success_missing)."""
    NO = "no"
    """None: the goal is missed and the penalty falls due (signs.amb.no_success_missing)."""

    def __str__(self) -> str:
        """As it is said at the table."""
        return self.value.replace("_", ", ").capitalize()


def verdict_of(successes: int, *, complicated: bool) -> Verdict:
    """The verdict; ``complicated`` says whether a single Success brings a complication.

    >>> [verdict_of(n, complicated=True).value for n in (0, 1, 2, 4)]
    ['no', 'yes_but', 'yes_and', 'yes_and']
    """
    if successes >= 2:
        return Verdict.YES_AND
    if successes == 1:
        return Verdict.YES_BUT if complicated else Verdict.YES
    return Verdict.NO
