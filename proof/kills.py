"""Evenings under troubles, one after the other, on each set-up in turn."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import astragal.client.seat
from crashes.troubles import SET_UPS, SetUp, played_through
from postgres import NoPostgres
from proof.counts import Counts
from table.stores import server_or_reason

AT_ONCE = 25
"""Troubles of one evening, which takes a while to begin and to end."""


def tried(set_up: SetUp) -> str:
    """The name under which the troubles of a set-up are counted."""
    return f"kills: {set_up.name}"


def evening(counts: Counts, wanted: int, told: Callable[[], None]) -> None:
    """One evening on the set-up that has had the fewest troubles."""
    # Nobody has all evening: people try again sooner than they usually would.
    astragal.client.seat.LONGEST_PAUSE = 0.1
    set_up = min(SET_UPS, key=lambda each: counts.of(tried(each)))
    postgres = None
    if set_up.kind == "postgresql":
        found = server_or_reason()
        if isinstance(found, str):
            raise NoPostgres(found)
        postgres = found
    troubles = min(AT_ONCE, wanted - counts.of("kills"))
    with tempfile.TemporaryDirectory() as folder:
        url = postgres.borrow_database() if postgres else f"sqlite:///{folder}/proof.db"
        seed = counts.next_seed(tried(set_up))
        came_to = played_through(set_up, url, postgres, Path(folder), troubles, seed, told=told)
        if postgres:
            postgres.give_back(url)
    counts.add(tried(set_up), came_to.troubles.total())
    for kind, many in came_to.troubles.items():
        counts.add(f"trouble: {kind}", many)
    counts.add("commands acknowledged", came_to.acknowledged)
    counts.add("views and updates compared", came_to.seen)
    counts.faults += [f"{set_up.name}, evening {seed}: {fault}" for fault in came_to.faults]
