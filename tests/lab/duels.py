"""Small duels for the laboratory's tests: two dice each, and only a few points to lose."""

from __future__ import annotations

from itertools import product

from astragal.games.burning_wheel import GAME, BurningTable
from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import Debate, Speaker
from astragal.games.burning_wheel.conflicts.duel_of_wits.exchange import play
from astragal.games.burning_wheel.conflicts.duel_of_wits.policies import answers_of
from astragal.games.burning_wheel.conflicts.duel_of_wits.state import Duel, DuelTerms
from astragal.games.burning_wheel.conflicts.scripting import Volley
from astragal.lab.duel_volleys import Between
from astragal.play import Answer, Ask, Play, Split, exact, then

SKILLS = ("Rhetoric", "Ugly Truth", "Etiquette")
DEBATE = Debate("it", (Speaker("ann", "Rhetoric"), Speaker("bob", "Rhetoric")))


def small_hall(
    ann: int = 2, bob: int = 2, wills: tuple[int, int] = (1, 1), **options: str
) -> BurningTable:
    sheets = {}
    for name, dice, will in (("ann", ann, wills[0]), ("bob", bob, wills[1])):
        raw = {
            "name": name.capitalize(),
            "stats": {"Will": f"B{will}"},
            "attributes": {"Steel": "B4"},
            "skills": {skill: {"rating": f"B{dice}", "roots": ["Will"]} for skill in SKILLS},
        }
        sheets[name] = GAME.read_sheet(raw, name)
    return GAME.table(sheets, options=options)


FAR = 1000


def one_volley(
    duel: Duel, cards: tuple[tuple[str, ...], ...]
) -> Play[tuple[tuple[int, int], Between]]:
    after, lost = yield from play(duel, Volley(1, 1, cards))
    losses = (FAR - after.bodies[0], FAR - after.bodies[1])
    return losses, Between(after.carried, (lost[0], lost[1]))


def walked(
    table: BurningTable, between: Between, cards: tuple[str, str], defence: tuple[int, int] = (0, 0)
) -> dict[tuple[tuple[int, int], Between], float]:
    """A whole volley by the exact driver; the number of dice that defend, where it matters."""
    terms = DuelTerms("", "")
    duel = Duel(
        DEBATE, (terms, terms), (), "", (FAR, FAR), (FAR, FAR), table, carried=between.carried
    )
    shown = tuple(() if lost else (card,) for card, lost in zip(cards, between.owed, strict=True))

    def answer(ask: Ask) -> Answer:
        if isinstance(ask.question, Split):
            side = 0 if ask.prompt.startswith("Ann") else 1
            if defence[side]:
                return defence[side], ask.question.amount - defence[side]
        return answers_of({})(ask)

    odds = exact(then(one_volley, duel, shown), answer)
    return {what: weight / odds.total for what, weight in odds.weights.items()}


def every_script(cards: tuple[str, ...]) -> list[tuple[str, ...]]:
    return list(product(cards, repeat=3))
