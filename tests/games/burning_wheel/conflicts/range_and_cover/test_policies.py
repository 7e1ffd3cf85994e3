"""Skirmishes by policies come to an end, also where nobody comes near anybody."""

from __future__ import annotations

import pytest

from astragal.dice import Seeded
from astragal.games.burning_wheel.conflicts.range_and_cover.policies import by_heart, simulate
from astragal.games.burning_wheel.conflicts.range_and_cover.skirmish import (
    Shooter,
    SkirmishSide,
    StartSkirmish,
)
from games.burning_wheel.in_a_fight import FIGHTER
from games.burning_wheel.playing import table

NEARLY_DOWN = {
    **FIGHTER,
    "wounds": ["light", "light", "light", "superficial"],
    "skills": {"Bow": "B5"},
    "weapons": [{"weapon": "hunting bow"}],
}
MOST = 60


class GoesOn(Exception):
    """A skirmish that ought to be over by now."""


@pytest.mark.slow
def test_those_who_only_maintain_give_up_at_last():
    written = []

    def maintain(ask):
        written.append(ask.seat)
        if len(written) > 2 * MOST:
            raise GoesOn
        return by_heart(("speed_maintain",) * 3)(ask)

    sides = tuple(SkirmishSide((Shooter(name),)) for name in ("ann", "bob"))
    start = StartSkirmish(sides, "nothing", rehearsal=True)
    at = table(ann=NEARLY_DOWN, bob=NEARLY_DOWN)
    outcome = next(simulate(start, at, {"ann": maintain, "bob": maintain}, Seeded("e")))
    assert (outcome.settled, outcome.winner) == ("gave_up", None)
