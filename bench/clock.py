"""Measuring: the best of several fresh repeats, and a table of figures with their bars."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import astragal.dice
from astragal.dice import Seeded
from astragal.play import Answerer, Then, defaults, run


def _memories() -> Iterator[Callable[[], None]]:
    for info in pkgutil.iter_modules(astragal.dice.__path__):
        module = importlib.import_module(f"astragal.dice.{info.name}")
        for value in vars(module).values():
            if hasattr(value, "cache_clear") and value.__name__ not in TABLES:
                yield value.cache_clear


TABLES = ("_faces", "_compiled")
"""What is not worked out for a roll but laid down once, like the faces that a byte stands for."""
MEMORIES = list(_memories())


def best_of(work: Callable[[], object], repeats: int = 7, *, fresh: bool = True) -> float:
    """Seconds of processor time for one piece of work, the best of several repeats.

    With ``fresh`` the dice package forgets everything before each repeat. Processor time,
    because somebody else may be using the machine.
    """
    best = float("inf")
    gc.collect()
    gc.disable()
    for _ in range(repeats):
        if fresh:
            for forget in MEMORIES:
                forget()
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    gc.enable()
    return best


DIE_BY_DIE = "die by die"
"""The peer of what is drawn or counted: the same procedure, run with every die thrown."""


A_SAMPLE = 2500
"""Runs that tell a chance to about one percent."""


def one_run(start: Then[Any], policy: Answerer = defaults, runs: int = 20) -> float:
    """Seconds for one run of a procedure from beginning to end, with every die thrown."""
    chance = Seeded("die by die")
    return best_of(lambda: [run(start, chance, policy) for _ in range(runs)], 3, fresh=False) / runs


@dataclass(frozen=True)
class Figure:
    """One line of the table: ours, a peer's where there is one, and the bar."""

    name: str
    ours: float
    theirs: float | None = None
    peer: str = ""
    times: float | None = None
    """The bar as a ratio: at least so many times faster than the peer."""
    within: float | None = None
    """The bar as a time: at most so many seconds."""
    is_time: bool = True
    """Whether it is measured in seconds at all, and not just a number."""

    @property
    def holds(self) -> bool | None:
        if self.times is not None and self.theirs is not None:
            return self.theirs / self.ours >= self.times
        return None if self.within is None else self.ours < self.within

    def line(self) -> str:
        spoken = _spoken if self.is_time else "{:.1e}".format
        theirs = "" if self.theirs is None else f"{self.peer} {spoken(self.theirs)}"
        ratio = "" if self.theirs is None else f"{self.theirs / self.ours:.1f}x"
        bar = f">= {self.times:g}x" if self.times else ""
        bar = f"< {spoken(self.within)}" if self.within else bar
        verdict = {True: "holds", False: "DOES NOT HOLD", None: ""}[self.holds]
        return f"{self.name:<58}{spoken(self.ours):>10}{theirs:>20}{ratio:>9}  {bar:<10} {verdict}"


def _spoken(seconds: float) -> str:
    """A time with a fitting unit."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
