"""How a fight goes on without people: somebody scripts for each seat, and the rest is as usual.

For simulations and for characters that nobody wants to script by hand. The scripts are those of
``scripters``; every other question gets its default (:func:`answers_of`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from astragal.dice import Seeded
from astragal.play import (
    Answer,
    Answerer,
    Ask,
    Number,
    PickOne,
    Play,
    Script,
    Seat,
    Text,
    defaults,
    then,
)
from astragal.play.simulate import Simulation

from ...armor.hits import take_hit
from ...magic.faith.in_conflict import NO_PRAYER, PRAYER
from ...sheet.scene import BurningTable
from ...tests.simultaneous import throw_all
from ...weapons.openings import FAVORS
from ..rolls import gathered
from .cards import GIVE_UP, LEAVE
from .clash import throw_clusters
from .divided_actions import block_and_strike_rolls, counterstrike_rolls
from .fight import StartFight, fight_on, opened
from .footing import gather_footing
from .footing_rolls import throw_footing
from .forfeits import FORFEIT
from .grappling import grip_roll
from .initiative import BID
from .moment import clash
from .natural_defenses import natural_roll
from .outcome import FightOutcome
from .positioning import positioned
from .script import LONG_FIGHT, WOUNDED
from .scripters import AtRandom, Scripter
from .strikes import avoid_roll, block_roll, blow_roll, weapon_roll
from .tandem_actions import SPEECH

# --- Having had enough ---------------------------------------------------------------------


def stopped(question: Script) -> tuple[str, ...] | None:
    """The script of somebody who has had enough, or None for those who fight on.

    A fighter whose wounds leave no more than one action leaves if nobody is in reach. In a long
    fight the wounded stop, in a very long one the others do, too: they leave, or give up. Without
    this, fighters who cannot hurt each other would never come to an end.
    """
    situation = question.situation
    hurt = WOUNDED in situation
    long, very_long = [code in situation for code in LONG_FIGHT.values()]
    if not (hurt or very_long):
        return None
    many = sum(question.spreads[0])
    far = any(card.key == LEAVE for card in (question.cards[-1:] if many else question.openers))
    if not (very_long or (hurt and (long or (far and many <= 1)))):
        return None
    card = LEAVE if far else GIVE_UP
    if not many:
        return question.check((card,) * len(question.spreads[0]))
    move = question.openers[0].key
    return question.check(
        tuple(each for volley in question.spreads[0] for each in (move, *(card,) * volley))
    )


# --- All other answers ---------------------------------------------------------------------


class FightAnswers:
    """Answers for all seats: scripts by each seat's scripter, any words, and defaults.

    Whoever has had enough stops, whatever the scripter (:func:`stopped`).
    """

    def __init__(self, scripters: Mapping[Seat, Scripter]) -> None:
        """Take somebody to script for each seat."""
        self._scripters = scripters

    def __call__(self, ask: Ask) -> Answer:
        """The answer to a question."""
        question = ask.question
        if ask.key == "bids_and_forfeits":
            return "play_on"
        if ask.key == PRAYER and isinstance(question, PickOne):
            return self._prayer(ask.seat, question)
        if question.default is not None:
            return defaults(ask)
        if isinstance(question, Script):
            return stopped(question) or self._scripters[ask.seat](ask)
        if isinstance(question, Text):
            return "..."
        if isinstance(question, Number):
            return max(question.least, min(3, question.most))
        return defaults(ask)

    def _prayer(self, seat: Seat, question: PickOne) -> Answer:
        """What a scripter prays for in a volley, if it knows to pray."""
        scripter = self._scripters.get(seat)
        return scripter.prays(question) if isinstance(scripter, AtRandom) else NO_PRAYER

    def leaves(self, key: str) -> bool:
        """Scripts are never changed again; nobody bids, says anything, or favors a side."""
        return key in (FORFEIT, BID, SPEECH, FAVORS)

    def draws_itself(self, ask: Ask) -> bool:
        """Scripters may write by chance of their own, and pray."""
        return ask.key == PRAYER or (
            isinstance(ask.question, Script) and ask.question.default is None
        )


def answers_of(scripters: Mapping[Seat, Scripter]) -> Answerer:
    """Answers for all seats, with these scripts."""
    return FightAnswers(scripters)


# --- Whole fights --------------------------------------------------------------------------

DRAWN: dict[Callable[..., Play[Any]], int] = {
    throw_clusters: 10,
}
"""What a simulation may draw instead of playing it out, after this many times."""

REMEMBERED: tuple[Callable[..., Play[Any]], ...] = (
    opened,
    clash,
    positioned,
    take_hit,
    gathered,
    blow_roll,
    weapon_roll,
    grip_roll,
    avoid_roll,
    block_roll,
    counterstrike_rolls,
    block_and_strike_rolls,
    natural_roll,
    gather_footing,
    throw_footing,
    throw_all,
)
"""What a simulation remembers the runs of."""


def simulate(
    arguments: StartFight, table: BurningTable, scripters: Mapping[Seat, Scripter], chance: Seeded
) -> Iterator[FightOutcome]:
    """One whole fight after the other, without end.

    A simulation changes nothing; with a rehearsal no test is logged on the way, either.
    """
    simulation = Simulation(answers_of(scripters), DRAWN, REMEMBERED)
    start = then(fight_on, arguments, table)
    while True:
        outcome, _ = simulation.run(start, chance)
        yield outcome
