"""What a side can get where it may come back to where it was: worked out sweep by sweep.

A *sweep* says what every position is worth now, if it is worth so much to come back to each of
them. What does not change any more by a sweep is the answer, as long as nobody can come back for
ever; otherwise it depends on what an endless duel is worth, which is where the sweeps start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Sweep: TypeAlias = Callable[[Floats], Floats]

SETTLED = 1e-13
"""When a sweep changes nothing by more, it is known."""

MOST_SWEEPS = 5000

CERTAIN = 1 - 1e-12
"""What is at least as likely counts as certain."""

REMEMBERED = 6
"""Earlier sweeps from which it is foreseen where the next ones lead."""


def can_stay(staying: Sweep, many: int) -> bool:
    """Whether somebody can come back to some of the positions for ever.

    ``staying`` is the most that coming back can be worth, if nothing else is worth anything. So
    those who are certain to come back to some of a set of positions are found by one sweep; those
    positions from which that is not certain leave the set, until it stays as it is.

    >>> can_stay(lambda worth: np.array([worth[1], 0.999 * worth[0]]), 2)
    False
    >>> can_stay(lambda worth: np.array([worth[1], max(0.5 * worth[0], worth[1])]), 2)
    True
    """
    among = np.ones(many)
    while among.any():
        certain = (among > 0) & (staying(among) >= CERTAIN)
        if certain.sum() == among.sum():
            return True
        among = certain.astype(np.float64)
    return False


def settled(sweep: Sweep, start: Floats, *, foresee: bool) -> Floats:
    """What everything comes to.

    Plain sweeps only fall from an optimistic start, and only rise from a pessimistic one, so that
    they give a bound even if they do not settle. Where somebody leaves only once in thousands of
    exchanges, they take as many; if it does not matter where they start, it can be foreseen from
    some of them where they lead (Anderson's method).

    >>> slowly = lambda worth: 0.3 * 1e-6 + (1 - 1e-6) * worth
    >>> settled(slowly, np.ones(1), foresee=True).round(6).tolist()
    [0.3]
    """
    values = start
    past: list[tuple[Floats, Floats]] = []
    for number in range(MOST_SWEEPS):
        new = sweep(values)
        wrong = new - values
        if np.abs(wrong).max() <= SETTLED:
            return new
        values = new
        if not foresee:
            continue
        past = [*past[-REMEMBERED:], (new, wrong)]
        if len(past) > 2 and number % 3 == 2:
            values = _foreseen(past)
    return values


def _foreseen(past: list[tuple[Floats, Floats]]) -> Floats:
    """The combination of earlier sweeps that would have changed least."""
    reached, wrong = (np.array(each) for each in zip(*past, strict=True))
    steps, turns = np.diff(reached, axis=0), np.diff(wrong, axis=0)
    shares = np.linalg.lstsq(turns.T, wrong[-1], rcond=1e-12)[0]
    return np.asarray((reached[-1] - shares @ steps).clip(0.0, 1.0))
