"""How to script a duel without a person: at random, with fixed cards, or greedily.

For simulations. A *scripter* writes the scripts; every other question gets its default
(:func:`answers_of`). Nothing here sees what the other side has scripted: a scripter gets its own
question and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, TypeAlias

from astragal.dice import Chance, Seeded
from astragal.errors import BadInput, check_one_of
from astragal.play import (
    Answer,
    Answerer,
    Ask,
    Play,
    Script,
    Seat,
    Step,
    Text,
    defaults,
    exact,
    run,
    then,
)
from astragal.play.simulate import Simulation

from ...sheet.scene import BurningTable
from ...steel.steel import nerves_tried
from ...tests.simultaneous import throw_and_buy
from ..scripting import VOLLEYS
from .actions import Debate, Speaker
from .challenge import choose_skill
from .duel import DuelOfWits, argue, challenge
from .matrix import NOTHING, actions
from .state import DuelOutcome
from .volley import make_ready, volley

Scripter: TypeAlias = Callable[[Ask], tuple[str, ...]]
"""Writes a script for the question that asks for one."""

DRAWN: dict[Callable[..., Play[Any]], int] = {
    challenge: 0,
    volley: 30,
    make_ready: 0,
    throw_and_buy: 0,
    nerves_tried: 3,
}
"""What a simulation may draw instead of playing it out, after this many times."""


def by_heart(cards: tuple[str, ...], place: str = "script") -> Scripter:
    """Always the same three cards; where the first volley is lost, only the last of them."""
    if len(cards) != VOLLEYS:
        raise BadInput(place, ",".join(cards), f"{VOLLEYS} actions, as in point,rebuttal,dismiss")
    for card in cards:
        check_one_of(place, card, actions(), "duel_of_wits.actions.seven")
    return lambda ask: cards[-_slots(ask) :]


def at_random(chance: Chance) -> Scripter:
    """Any verbal action in any volley, all equally likely."""
    known = actions()
    return lambda ask: tuple(known[face - 1] for face in chance.dice(len(known), _slots(ask)))


def greedily(debate: Debate, side: int, table: BurningTable) -> Scripter:
    """The script that gains most, on average, against somebody who scripts at random.

    By the exact odds of every pair of actions. Of all that carries over to later volleys it only
    counts that a Dismiss costs the next one.
    """
    gains = _gains(debate, side, table)
    best = {
        slots: max(product(actions(), repeat=slots), key=lambda cards: _worth(cards, gains))
        for slots in range(1, VOLLEYS + 1)
    }
    return lambda ask: best[_slots(ask)]


def greedy_for(arguments: DuelOfWits, side: int, table: BurningTable) -> Scripter:
    """The greedy scripter of one side, as the arguments of a duel describe it."""
    return greedily(debate_of(arguments, table), side, table)


def debate_of(arguments: DuelOfWits, table: BurningTable) -> Debate:
    """The debate that the arguments describe; where a skill is not named, the duel's default."""
    speakers = []
    for at, each in enumerate(arguments.sides):
        choosing = choose_skill(each, f"sides[{at}]", table)
        skill = run(then(_whole, choosing), Seeded(""), answers_of({}))
        speakers.append(Speaker(each.character, skill, each.helpers))
    return Debate(arguments.about, (speakers[0], speakers[1]))


def _whole(step: Step[str]) -> Play[str]:
    return (yield from step)


def _gains(debate: Debate, side: int, table: BurningTable) -> dict[str, float]:
    """What each action gains on average: the other side's losses less its own."""
    answers = answers_of({})
    gains = dict.fromkeys((*actions(), NOTHING), 0.0)
    for mine, other in product(gains, actions()):
        cards = (mine, other) if side == 0 else (other, mine)
        odds = exact(then(volley, debate, cards, (), table), answers)
        gain = odds.map(lambda clash: clash.losses[1 - side] - clash.losses[side])
        gains[mine] += float(sum(value * gain.chance(value) for value in gain.weights))
    return {card: gain / len(actions()) for card, gain in gains.items()}


def _worth(cards: tuple[str, ...], gains: Mapping[str, float]) -> float:
    total, lost = 0.0, False
    for card in (*cards, NOTHING):
        total += gains[NOTHING] if lost else gains[card]
        lost = card == "dismiss" and not lost
    return total


def _slots(ask: Ask) -> int:
    assert isinstance(ask.question, Script), f"{ask.key} asks for no script"
    return ask.question.slots


def answers_of(scripters: Mapping[Seat, Scripter]) -> Answerer:
    """Answers for all seats: scripts by each seat's scripter, any words, and defaults."""

    def answer(ask: Ask) -> Answer:
        question = ask.question
        if question.default is not None:
            return defaults(ask)
        if isinstance(question, Script):
            return scripters[ask.seat](ask)
        if isinstance(question, Text):
            return "..."
        if ask.key == "roots":  # most social skills are a matter of Will
            return ("Will",)
        return defaults(ask)

    return answer


def simulate(
    arguments: DuelOfWits,
    table: BurningTable,
    scripters: Mapping[Seat, Scripter],
    chance: Seeded,
    *,
    body: str = "",
) -> Iterator[DuelOutcome]:
    """One whole duel after the other, without end; ``body`` is how the bodies are set.

    A simulation changes nothing; with a rehearsal no test is logged on the way, either.
    """
    others = answers_of(scripters)

    def answer(ask: Ask) -> Answer:
        if body and ask.key == "body_method":
            method: Answer = ask.question.check(body, ask.key)
            return method
        return others(ask)

    simulation = Simulation(answer, DRAWN)
    start = then(argue, arguments, table)
    while True:
        outcome, _ = simulation.run(start, chance)
        yield outcome
