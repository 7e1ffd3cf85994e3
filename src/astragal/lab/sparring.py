"""A sparring partner for the Duel of Wits: from careless to merciless, with a temperament.

The partner plays the solved mixes as often as its *dial* says, and a habit of its own otherwise:
any script, or by temperament more of what it likes. So what it wins against the best play falls
evenly with the dial.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np

from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.duel_of_wits.state import Duel
from astragal.games.burning_wheel.conflicts.scripting import exchange
from astragal.lab.duel_draws import BestScripts
from astragal.lab.duel_game import Bodies, Ints
from astragal.lab.duel_volleys import Between, Floats
from astragal.lab.solved_duel import SolvedDuel
from astragal.play import Answer, Ask, Script, Seat, State
from astragal.play.rehearsal import Rehearsal

MERCILESS = 100
LIKED = 4
"""How many times as likely a card is that a temperament likes."""


class SpeakerTemperament(Enum):
    """What a partner likes, where it does not play its best."""

    ANY = "any"
    BOLD = "bold"
    CAREFUL = "careful"
    SLY = "sly"

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that it likes."""
        return {
            SpeakerTemperament.ANY: (),
            SpeakerTemperament.BOLD: ("point", "dismiss"),
            SpeakerTemperament.CAREFUL: ("avoid", "rebuttal"),
            SpeakerTemperament.SLY: ("feint", "obfuscate", "incite"),
        }[self]


def habit(cards: tuple[str, ...], temperament: SpeakerTemperament) -> Floats:
    """How likely each card is in each volley, by temperament alone."""
    weights = np.array([LIKED if card in temperament.cards else 1 for card in cards], float)
    return np.asarray(weights / weights.sum(), np.float64)


class SparringScripts:
    """How a partner scripts, for many duels at once."""

    def __init__(
        self,
        solved: SolvedDuel,
        side: int,
        dial: int,
        temperament: SpeakerTemperament = SpeakerTemperament.ANY,
    ) -> None:
        """Take one side of a solution, and how well it is played, from 0 to 100."""
        if not 0 <= dial <= MERCILESS:
            raise BadInput("dial", dial, "0 (careless) to 100 (merciless)")
        self._best = BestScripts(solved, side)
        self._dial = dial / MERCILESS
        self._habit = habit(solved.game.cards[side], temperament)

    def draw(self, states: Ints, chance: np.random.Generator) -> Ints:
        """A script for each of the states: the best mix, or a habit."""
        many = len(self._habit)
        first, second, third = chance.choice(many, size=(3, len(states)), p=self._habit)
        by_habit = (first * many + second) * many + third
        well = chance.random(len(states)) < self._dial
        return np.where(well, self._best.draw(states, chance), by_habit)


class SparringPartner:
    """Writes the scripts of one seat in a duel that is being played."""

    def __init__(
        self,
        seat: Seat,
        side: int,
        dial: int,
        temperament: SpeakerTemperament,
        solve: Callable[[Duel], SolvedDuel],
        seed: int | None = None,
    ) -> None:
        """Sit at a seat; ``solve`` is asked for the solution when the first script is due."""
        self.seat = seat
        self._side, self._dial, self._temperament = side, dial, temperament
        self._solve = solve
        self._chance = np.random.default_rng(seed)
        self._scripts: tuple[SolvedDuel, SparringScripts] | None = None

    def answer(self, state: State, ask: Ask) -> Answer | None:
        """A script for the exchange that begins; nothing for any other question or seat."""
        found = duel_in(state)
        if ask.seat != self.seat or not isinstance(ask.question, Script) or found is None:
            return None
        duel, owed = found
        if self._scripts is None:
            solved = self._solve(duel)
            scripts = SparringScripts(solved, self._side, self._dial, self._temperament)
            self._scripts = solved, scripts
        solved, scripts = self._scripts
        place = state_of(solved, duel, owed)
        number = int(scripts.draw(np.array([place]), self._chance)[0])
        cards = solved.game.scripts(self._side)[number]
        return cards[-ask.question.slots :]


def duel_in(state: State) -> tuple[Duel, tuple[int, ...]] | None:
    """The duel of which an exchange begins in a session, and who has lost its first volley."""
    given = arguments_of(state, exchange)
    if given is None or not isinstance(given[1], Duel):
        return None
    return given[1], given[3]


def arguments_of(state: State, wanted: Callable[..., Any]) -> tuple[Any, ...] | None:
    """What a procedure was begun with that is under way in a session; nothing if none is."""
    for frame in reversed(state):
        procedure = frame.start.procedure
        if isinstance(procedure, Rehearsal):
            procedure = procedure.procedure
        if procedure is wanted:
            return frame.start.args
    return None


def place_of(solved: SolvedDuel, duel: Duel, owed: tuple[int, ...]) -> tuple[Bodies, int]:
    """The bodies and the position of a duel's state in its solution.

    A position with more dice than the tables count is taken as one without anything carried over.
    """
    lost = (int(bool(owed[0])), int(bool(owed[1])))
    positions = solved.positions
    between = Between(duel.carried, lost)
    if between not in positions:
        between = Between((), lost)
    position = positions.index(between) if between in positions else 0
    one, other = (min(body, most) for body, most in zip(duel.bodies, solved.bodies, strict=True))
    return (one, other), position


def state_of(solved: SolvedDuel, duel: Duel, owed: tuple[int, ...]) -> int:
    """The number of a duel's state in its solution."""
    (a, b), position = place_of(solved, duel, owed)
    return (a * (solved.bodies[1] + 1) + b) * len(solved.positions) + position
