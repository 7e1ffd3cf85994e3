"""Evenings of whatever people may do, and every message to a seat searched for others' secrets."""

from __future__ import annotations

import asyncio

from astragal.games import games
from proof.counts import Counts
from table.test_campaigns import play

STEPS = 70
FIRST_SEED = 1000
"""The tests themselves play those before it."""


def evening(counts: Counts) -> None:
    """One evening at a game, the games in turn."""
    seed = counts.next_seed("messages")
    names = sorted(games())
    game = names[seed % len(names)]
    try:
        played = asyncio.run(play(game, FIRST_SEED + seed, STEPS))
    except AssertionError as fault:
        counts.faults.append(f"messages, {game}, evening {seed}: {str(fault)[:500]}")
        return
    counts.add("messages", played.inspected)
    counts.add("commands at random", played.done.total())
