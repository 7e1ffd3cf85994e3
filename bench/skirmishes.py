"""Skirmishes of Range and Cover: whole ones by policies, and the odds of a single volley."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from astragal.dice import Seeded
from astragal.games.burning_wheel import GAME, BurningTable
from astragal.games.burning_wheel.conflicts.range_and_cover.maneuvers import maneuvers
from astragal.games.burning_wheel.conflicts.range_and_cover.policies import (
    answers_of,
    by_temperament,
    simulate,
)
from astragal.games.burning_wheel.conflicts.range_and_cover.rehearsal import (
    ManeuverSide,
    RehearseManeuvers,
    rehearse_maneuvers,
)
from astragal.games.burning_wheel.conflicts.range_and_cover.skirmish import (
    Shooter,
    SkirmishSide,
    StartSkirmish,
    skirmish_on,
)
from astragal.play import Then, exact, then
from bench.clock import A_SAMPLE, DIE_BY_DIE, Figure, best_of, one_run

NAMES = ("ann", "bob")
SKIRMISH = StartSkirmish(
    tuple(SkirmishSide((Shooter(name),)) for name in NAMES), "the bench", rehearsal=True
)
WARM = 600
A_BATCH = 60


def wood(dice: int = 5, *rich: str) -> BurningTable:
    """Two archers of equal skill, each with a seat of their own; some have artha in hand."""
    stats = dict.fromkeys(("Will", "Perception", "Agility", "Speed", "Power", "Forte"), "B4")
    sheets = {}
    for name in NAMES:
        raw = {
            "name": name,
            "stats": stats,
            "attributes": {"Steel": "B6", "Reflexes": "B4", "Health": "B4"},
            "skills": {"Bow": {"rating": f"B{dice}", "roots": ["Agility"]}},
            "artha": {"fate": 1, "persona": 1, "deeds": 1} if name in rich else {},
            "tolerances": ["B3", "B5", "B6", "B7", "B8", "B9"],
            "weapons": [{"weapon": "hunting bow"}],
        }
        sheets[name] = GAME.read_sheet(raw, name)
    return GAME.table(sheets)


def skirmishes() -> Iterator[Figure]:
    """Whole skirmishes a second, beside the same ones with every die thrown; the bar is 300."""
    chance = Seeded("skirmish")
    scripters = {name: by_temperament("bold", chance) for name in NAMES}
    running = simulate(SKIRMISH, wood(), scripters, chance)
    list(islice(running, WARM))  # what comes up again and again is worked out by then
    seconds = best_of(lambda: list(islice(running, A_BATCH)), 5, fresh=False) / A_BATCH
    thrown = one_run(then(skirmish_on, SKIRMISH, wood()), answers_of(scripters))
    name = "a whole skirmish of Range and Cover"
    yield Figure(name, seconds, thrown, DIE_BY_DIE, within=1 / 300)


def volleys() -> Iterator[Figure]:
    """The odds of the pair of maneuvers that takes longest, shots and all; the bar is 20 ms.

    Beside as many runs of it as tell a chance to about one percent.
    """
    for name, at in (("", wood()), (", artha in one hand", wood(5, "ann"))):

        def walk(pair: tuple[str, str], at: BurningTable = at) -> object:
            return exact(_volley(pair, at))

        timed = {
            pair: best_of(lambda pair=pair: walk(pair), 3, fresh=False)
            for pair in product(maneuvers(), repeat=2)
        }
        slowest = max(timed, key=timed.__getitem__)
        what = f"odds of a volley, {' against '.join(slowest)}{name}"
        runs = A_SAMPLE * one_run(_volley(slowest, at))
        yield Figure(what, timed[slowest], runs, f"{A_SAMPLE} runs", within=0.020)


def _volley(pair: tuple[str, str], at: BurningTable) -> Then[object]:
    sides = tuple(ManeuverSide(*each) for each in zip(NAMES, pair, strict=True))
    return then(rehearse_maneuvers, RehearseManeuvers(sides), at)


def figures() -> Iterator[Figure]:
    """Everything that is measured here."""
    yield from skirmishes()
    yield from volleys()


if __name__ == "__main__":
    for figure in figures():
        print(figure.line())
