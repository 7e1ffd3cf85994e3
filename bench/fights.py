"""Fights: whole ones by policies, and the exact odds of a single action against another."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import combinations_with_replacement, islice, product
from time import perf_counter
from typing import Any

from astragal.cli.many_runs import first_of
from astragal.dice import Seeded
from astragal.games.burning_wheel import GAME, BurningTable
from astragal.games.burning_wheel.conflicts.fight.fight import (
    ArmedFighter,
    FightSide,
    StartFight,
    fight_on,
)
from astragal.games.burning_wheel.conflicts.fight.interactions import actors, columns
from astragal.games.burning_wheel.conflicts.fight.one_action import (
    ActionSide,
    FightAction,
    fight_action,
)
from astragal.games.burning_wheel.conflicts.fight.policies import answers_of, simulate
from astragal.games.burning_wheel.conflicts.fight.scripters import by_temperament
from astragal.games.burning_wheel.conflicts.fight.temperaments import TEMPERAMENTS
from astragal.lab.workers import done_by_many
from astragal.play import Then, exact, then
from bench.clock import A_SAMPLE, DIE_BY_DIE, Figure, best_of, one_run

FIGHT = StartFight(
    (FightSide((ArmedFighter("ann"),)), FightSide((ArmedFighter("bob"),))),
    "the bench",
    rehearsal=True,
)
WARM = 1800
"""Fights by the same policies before anything is measured: the warm start.

They take five to ten seconds of processor time for each pair of policies, and what is remembered
of a pair is 40 to 90 MB. A simulation remembers no more than ``play.simulate.MOST_FORKS`` forks,
however long it goes on.
"""
A_BATCH = 60
MEASURED = 400
"""Fights that each process plays where all cores play."""
PAIRS = tuple(combinations_with_replacement(TEMPERAMENTS, 2))
"""Every temperament against every other: the bar is for the slowest of them, too."""


def yard(dice: int = 4, *rich: str, shields: bool = False) -> BurningTable:
    """Two swords of equal skill, each with a seat of their own, without armor.

    Some have artha in hand; with ``shields`` both have one, and know how to use it.
    """
    stats = dict.fromkeys(("Will", "Perception", "Agility", "Speed", "Power", "Forte"), "B4")
    sheets = {}
    for name in ("ann", "bob"):
        raw: dict[str, Any] = {
            "name": name,
            "stats": stats,
            "attributes": {"Steel": "B5", "Reflexes": "B4", "Health": "B4"},
            "skills": {"Sword": f"B{dice}", "Brawling": "B3", "Throwing": "B4"},
            "artha": {"fate": 1, "persona": 1, "deeds": 1} if name in rich else {},
            "tolerances": ["B3", "B5", "B6", "B7", "B8", "B9"],
            "weapons": [{"weapon": "sword"}],
        }
        if shields:
            raw["skills"]["Shield Training"] = {"rating": "B1"}
            raw["shield"] = {"kind": "buckler"}
        sheets[name] = GAME.read_sheet(raw, name)
    return GAME.table(sheets)


def fights() -> Iterator[Figure]:
    """Whole fights a second, from the first positioning test to the last; the bar is 300.

    From a warm start (``WARM``); beside the same fights with every die thrown.
    """
    for one, other in PAIRS:
        chance = Seeded(one + other)
        scripters = {"ann": by_temperament(one, chance), "bob": by_temperament(other, chance)}
        running = simulate(FIGHT, yard(), scripters, chance)
        list(islice(running, WARM))  # what comes up again and again is worked out by then

        def batch(running: Iterator[object] = running) -> list[object]:
            return list(islice(running, A_BATCH))

        seconds = best_of(batch, 5, fresh=False) / A_BATCH
        thrown = one_run(then(fight_on, FIGHT, yard()), answers_of(scripters))
        name = f"a whole Fight!, {one} against {other}"
        yield Figure(name, seconds, thrown, DIE_BY_DIE, within=1 / 300)


def fights_on_all_cores() -> Iterator[Figure]:
    """The time between two fights where every core plays them at once, each from a warm start.

    With processes and garbage collection as ``astragal fight --auto`` has them, by the clock on the
    wall: not to be compared with the processor time of one process above, and without a bar. What
    the command takes until it is warm, in each share of 1,000 fights, is not in it.
    """
    cores = os.cpu_count() or 1
    for pair in PAIRS:
        shares = [(*pair, f"{'/'.join(pair)}/{core}") for core in range(cores)]
        rates = done_by_many(_fights_a_second, shares)
        name = f"ON ALL {cores} CORES, wall clock: {pair[0]}/{pair[1]} Fight!"
        yield Figure(name, 1 / sum(rates))


def _fights_a_second(share: tuple[str, str, str]) -> float:
    """Whole fights a second in this process, once it is warm."""
    one, other, seed = share
    chance = Seeded(seed)
    scripters = {"ann": by_temperament(one, chance), "bob": by_temperament(other, chance)}
    running = simulate(FIGHT, yard(), scripters, chance)
    first_of(running, WARM, None)
    began = perf_counter()
    first_of(running, MEASURED, None)
    return MEASURED / (perf_counter() - began)


def actions() -> Iterator[Figure]:
    """The odds of the pair of actions that takes longest, of all 288; the bar is 20 ms.

    Beside as many runs of it as tell a chance to about one percent.
    """
    for name, at in (
        ("", yard()),
        (", with shields", yard(shields=True)),
        (", with shields, 6 dice", yard(6, shields=True)),
        (", artha in one hand", yard(4, "ann")),
    ):

        def walk(pair: tuple[str, str], at: BurningTable = at) -> object:
            return exact(_pair(pair, at))

        timed = {
            pair: best_of(lambda pair=pair: walk(pair), 3, fresh=False)
            for pair in product(actors(), columns())
        }
        slowest = max(timed, key=timed.__getitem__)
        what = f"odds of an action, {' against '.join(slowest)}{name}"
        runs = A_SAMPLE * one_run(_pair(slowest, at))
        yield Figure(what, timed[slowest], runs, f"{A_SAMPLE} runs", within=0.020)


def _pair(pair: tuple[str, str], at: BurningTable) -> Then[object]:
    one, other = (
        ActionSide(who, act, "sword") for who, act in zip(("ann", "bob"), pair, strict=True)
    )
    return then(fight_action, FightAction((one, other)), at)


def figures() -> Iterator[Figure]:
    """Everything that is measured here."""
    yield from fights()
    yield from fights_on_all_cores()
    yield from actions()


if __name__ == "__main__":
    for figure in figures():
        print(figure.line())
