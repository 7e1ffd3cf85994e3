"""How to script a skirmish without a person: by temperament, at random, or always the same.

For simulations and for characters that nobody wants to script by hand. A *scripter* writes the
scripts; every other question gets its default (:func:`answers_of`). Nothing here sees what the
other side has scripted: a scripter gets its own question and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from astragal.dice import Chance, Seeded
from astragal.errors import BadInput, check_one_of
from astragal.play import Answer, Answerer, Ask, Play, Script, Seat, Text, defaults, then
from astragal.play.simulate import Simulation

from ...sheet.scene import BurningTable
from ...tests.simultaneous import throw_and_buy
from ..rolls import gathered
from ..scripting import VOLLEYS
from .exchange import GIVE_UP, LONG_SKIRMISH
from .maneuvers import maneuvers
from .outcome import SkirmishOutcome
from .positioning import cast, make_ready
from .shots import struck
from .skirmish import StartSkirmish, skirmish_on

Scripter: TypeAlias = Callable[[Ask], tuple[str, ...]]
"""Writes a script for the question that asks for one."""

TEMPERAMENTS: dict[str, dict[str, int]] = {
    "steady": {
        "speed_maintain": 5,
        "perception_maintain": 5,
        "stealthy_withdraw": 1,
        "speed_close": 1,
    },
    "bold": {"speed_close": 6, "steel_close": 1, "stealthy_close": 3, "speed_maintain": 2},
    "wary": {
        "speed_withdraw": 5,
        "stealthy_withdraw": 3,
        "perception_maintain": 3,
        "speed_maintain": 1,
    },
}
"""How often each maneuver comes up, against the others."""


def _question(ask: Ask) -> Script:
    assert isinstance(ask.question, Script), f"{ask.key} asks for no script"
    return ask.question


def _known(question: Script) -> tuple[str, ...]:
    """The maneuvers that somebody can script."""
    cards = [option.key for option in question.cards]
    return tuple(key for key in maneuvers() if key in cards)


def by_heart(cards: tuple[str, ...], place: str = "script") -> Scripter:
    """Always the same three maneuvers; where the first volley is lost, only the last of them."""
    if len(cards) != VOLLEYS:
        expected = f"{VOLLEYS} maneuvers, as in speed_close,speed_maintain,perception_maintain"
        raise BadInput(place, ",".join(cards), expected)
    for card in cards:
        check_one_of(place, card, maneuvers(), "range_and_cover.script.maneuver_families")
    return lambda ask: cards[-_question(ask).slots :]


def at_random(chance: Chance) -> Scripter:
    """Any maneuver in any volley, all equally likely."""

    def write(ask: Ask) -> tuple[str, ...]:
        known = _known(_question(ask))
        faces = chance.dice(len(known), _question(ask).slots)
        return tuple(known[face - 1] for face in faces)

    return write


def by_temperament(name: str, chance: Chance) -> Scripter:
    """The maneuvers that suit a temperament, each as often as its weight says."""
    return lambda ask: _drawn(name, _question(ask), chance)


def _drawn(name: str, question: Script, chance: Chance) -> tuple[str, ...]:
    weights = TEMPERAMENTS[name]
    deck = [key for key in _known(question) for _ in range(weights.get(key, 0))]
    return tuple(deck[face - 1] for face in chance.dice(len(deck), question.slots))


def suggested(question: Script, chance: Chance) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A script of each temperament for a question, if it is one of a skirmish."""
    if question.openers or not any(card.key in maneuvers() for card in question.cards):
        return ()
    return tuple((name, _drawn(name, question, chance)) for name in TEMPERAMENTS)


def _has_had_enough(question: Script) -> bool:
    """In a long skirmish everybody gives up: who never comes near would never come to an end."""
    return LONG_SKIRMISH in question.situation and question.cards[-1].key == GIVE_UP


def answers_of(scripters: Mapping[Seat, Scripter]) -> Answerer:
    """Answers for all seats: scripts by each seat's scripter, any words, and defaults.

    Whoever has had enough gives up, whatever the scripter.
    """

    def answer(ask: Ask) -> Answer:
        if isinstance(ask.question, Script):
            if _has_had_enough(ask.question):
                return (GIVE_UP,) * ask.question.slots
            return scripters[ask.seat](ask)
        if ask.question.default is None and isinstance(ask.question, Text):
            return "..."
        return defaults(ask)

    return answer


DRAWN: dict[Callable[..., Play[Any]], int] = {
    make_ready: 0,
    cast: 3,
    struck: 0,
    gathered: 0,
    throw_and_buy: 0,
}
"""What a simulation may draw instead of playing it out, after this many times."""


def simulate(
    arguments: StartSkirmish,
    table: BurningTable,
    scripters: Mapping[Seat, Scripter],
    chance: Seeded,
) -> Iterator[SkirmishOutcome]:
    """One whole skirmish after the other, without end.

    A simulation changes nothing; with a rehearsal no test is logged on the way, either.
    """
    simulation = Simulation(answers_of(scripters), DRAWN)
    start = then(skirmish_on, arguments, table)
    while True:
        outcome, _ = simulation.run(start, chance)
        yield outcome
