"""The laboratory: conflicts solved, many of them drawn at once, house rules compared.

It needs NumPy and SciPy (``pip install 'astragal[lab]'``); nothing else of the project does.

In the order of the work: ``duel_volleys`` (exact odds as tables), ``duel_game`` (the states of a
duel), ``matrix_game`` and ``duel_solver`` (its value and the best mixes), ``last_volley``,
``duel_plans`` and ``planned_solver`` (the same with splits of Rebuttals as part of the play),
``solved_duel`` and ``kept_plans`` (a solution as it is kept in a file and read again),
``divisions`` (how its Rebuttals are divided, to be read),
``answer_tree``, ``settling`` and ``duel_certificate`` (a second program that checks it),
``usual_splits`` (a solution as it looks to somebody who divides more cleverly), ``rules_of_thumb``
(what players hand on, and what it gives away), ``duel_draws`` (many duels drawn at once),
``workers`` (the same work on several processes or machines), ``readings`` (what house rules
change), ``sparring`` (a partner who plays as well as a dial says), ``duel_review`` (what the
scripts and splits of a finished duel were worth), ``duel_advice`` (the best mix for one side, from
what that side may know of the other).

Of conflicts that are not solved: ``script_search`` (the best of many candidates, by trying them
out), ``fight_sparring`` (a partner for Fight! and Range and Cover), ``trained_opponent`` (what it
gives away at least).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import TypeAlias

from astragal.errors import Refusal

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how much is done, of how much."""


def unheard(_done: int, _total: int) -> None:
    """Where nobody wants to know how far it has come."""


def missing_packages() -> list[str]:
    """The packages that the laboratory needs and that are not installed."""
    return [name for name in ("numpy", "scipy") if find_spec(name) is None]


@cache
def can_solve() -> bool:
    """Whether all of them are installed."""
    return not missing_packages()


def check_installed() -> None:
    """Refuse to go on without the packages that the laboratory needs, in one line."""
    missing = missing_packages()
    if missing:
        raise Refusal(f"This needs {' and '.join(missing)}: pip install 'astragal[lab]'.")
