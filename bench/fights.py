"""Whole fights by policies: two swords without armor, and what the pre-made fighters make of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from astragal.dice import Seeded
from astragal.games.burning_wheel import GAME, BurningTable
from astragal.games.burning_wheel.conflicts.fight.fight import Fighter, FightSide, StartFight
from astragal.games.burning_wheel.conflicts.fight.policies import by_temperament, simulate
from bench.clock import Figure, best_of

FIGHT = StartFight(
    (FightSide((Fighter("ann"),)), FightSide((Fighter("bob"),))), "the bench", rehearsal=True
)
WARM = 600
A_BATCH = 60


def yard() -> BurningTable:
    """Two swords of equal skill, each with a seat of their own, without armor or artha."""
    stats = dict.fromkeys(("Will", "Perception", "Agility", "Speed", "Power", "Forte"), "B4")
    sheets = {}
    for name in ("ann", "bob"):
        raw = {
            "name": name,
            "stats": stats,
            "attributes": {"Steel": "B5", "Reflexes": "B4", "Health": "B4"},
            "skills": {"Sword": "B4", "Brawling": "B3"},
            "tolerances": ["B3", "B5", "B6", "B7", "B8", "B9"],
            "weapons": [{"weapon": "sword"}],
        }
        sheets[name] = GAME.read_sheet(raw, name)
    return GAME.table(sheets)


def figures() -> Iterator[Figure]:
    """Whole fights a second, from the first positioning test to the last; the bar is 300."""
    for one, other in (("fierce", "fierce"), ("careful", "sly")):
        chance = Seeded(one + other)
        scripters = {"ann": by_temperament(one, chance), "bob": by_temperament(other, chance)}
        running = simulate(FIGHT, yard(), scripters, chance)
        list(islice(running, WARM))  # what comes up again and again is worked out by then

        def batch(running: Iterator[object] = running) -> list[object]:
            return list(islice(running, A_BATCH))

        seconds = best_of(batch, 5, fresh=False) / A_BATCH
        yield Figure(f"a whole Fight!, {one} against {other}", seconds, within=1 / 300)


if __name__ == "__main__":
    for figure in figures():
        print(figure.line())
