"""Duels of Wits: whole ones by policies, and the exact odds of a single volley."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from astragal.dice import Seeded
from astragal.games.burning_wheel import GAME, BurningTable
from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import Debate, Speaker
from astragal.games.burning_wheel.conflicts.duel_of_wits.challenge import DuelSide
from astragal.games.burning_wheel.conflicts.duel_of_wits.duel import DuelOfWits, argue
from astragal.games.burning_wheel.conflicts.duel_of_wits.matrix import actions
from astragal.games.burning_wheel.conflicts.duel_of_wits.policies import (
    Scripter,
    answers_of,
    at_random,
    by_heart,
    simulate,
)
from astragal.games.burning_wheel.conflicts.duel_of_wits.volley import volley
from astragal.play import exact, then
from bench.clock import DIE_BY_DIE, Figure, best_of, one_run

SKILLS = ("Rhetoric", "Ugly Truth", "Etiquette")
DEBATE = Debate("the bench", (Speaker("ann", "Rhetoric"), Speaker("bob", "Rhetoric")))
DUEL = DuelOfWits("the bench", (DuelSide("ann"), DuelSide("bob")), rehearsal=True)
A_BATCH = 500
AN_EVENING = 20_000


def hall(*rich: str, dice: int = 5) -> BurningTable:
    """Two speakers of equal skill, each with a seat of their own; some have artha in hand."""
    sheets = {}
    for name in ("ann", "bob"):
        raw = {
            "name": name,
            "stats": {"Will": "B5"},
            "attributes": {"Steel": "B4"},
            "skills": {skill: {"rating": f"B{dice}", "roots": ["Will"]} for skill in SKILLS},
            "artha": {"fate": 1, "persona": 1, "deeds": 1} if name in rich else {},
        }
        sheets[name] = GAME.read_sheet(raw, name)
    return GAME.table(sheets)


def duels() -> Iterator[Figure]:
    """Whole duels a second, from the challenge to the last word; the bar is 2,000."""
    chance = Seeded("cold")
    cold = simulate(DUEL, hall("ann"), dict.fromkeys(("ann", "bob"), at_random(chance)), chance)
    seconds = best_of(lambda: list(islice(cold, AN_EVENING)), 1) / AN_EVENING
    name = f"one of {AN_EVENING:,} Duels of Wits from a cold start"
    yield Figure(name, seconds, within=1 / 2000)
    for name, warm in (("by heart", A_BATCH), ("at random", 20 * A_BATCH)):
        chance = Seeded(name)
        scripters: dict[str, Scripter] = {
            "ann": by_heart(("point", "rebuttal", "dismiss")),
            "bob": by_heart(("rebuttal", "incite", "point")),
        }
        if name == "at random":
            scripters = dict.fromkeys(scripters, at_random(chance))
        running = simulate(DUEL, hall(), scripters, chance)
        list(islice(running, warm))  # what comes up again and again is worked out by then

        def batch(running: Iterator[object] = running) -> list[object]:
            return list(islice(running, A_BATCH))

        seconds = best_of(batch, 5, fresh=False) / A_BATCH
        thrown = one_run(then(argue, DUEL, hall()), answers_of(scripters))
        what = f"a whole Duel of Wits, scripts {name}"
        yield Figure(what, seconds, thrown, DIE_BY_DIE, within=1 / 2000)


def volleys() -> Iterator[Figure]:
    """The exact distribution of the volley that takes longest, of all 49; the bar is 20 ms."""
    for name, at in (
        ("", hall()),
        (", artha in one hand", hall("ann")),
        (", artha in both", hall("ann", "bob")),
        (", in both, 8 dice", hall("ann", "bob", dice=8)),
    ):

        def walk(cards: tuple[str, str], at: BurningTable = at) -> object:
            return exact(then(volley, DEBATE, cards, (), at), answers_of({}))

        timed = {
            pair: best_of(lambda pair=pair: walk(pair), 3, fresh=False)
            for pair in product(actions(), repeat=2)
        }
        slowest = max(timed, key=timed.__getitem__)
        yield Figure(
            f"odds of a volley, {' against '.join(slowest)}{name}", timed[slowest], within=0.020
        )


def figures() -> Iterator[Figure]:
    """Everything that is measured here."""
    yield from duels()
    yield from volleys()


if __name__ == "__main__":
    for figure in figures():
        print(figure.line())
