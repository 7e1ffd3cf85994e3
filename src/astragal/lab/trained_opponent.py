"""What a sparring partner gives away at least: an opponent is trained against it.

The trained opponent knows how the partner thinks, though not what it has written: before each
exchange it has the partner write scripts for practice, and looks for the best answer to those by
the partner's own search. What such opponents win on both sides together, beyond one victory, the
partners on both sides give away together: a bound from below, for a better opponent would win
more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any, NamedTuple, TypeAlias

import msgspec

from astragal.dice import Seeded
from astragal.lab.fight_sparring import (
    ANY,
    GAMES,
    Cards,
    ScriptedGame,
    ScriptedPlays,
    ScriptPartner,
    ScriptSearch,
)
from astragal.play import Ask, AskAll, Script, Seat, Session, State, Then, by
from astragal.play.machine import Machine

Writer: TypeAlias = Callable[[State, Ask, str], Cards]
"""Writes a script where a conflict stands, by a seed."""

REHEARSED = 4
"""Scripts that the partner is made to write before each exchange."""

LONGEST = 60
"""Exchanges after which a conflict counts as undecided."""

SURE = 1.645
"""So many standard errors below what was counted: with 95% certainty it is at least that."""


class TrainedOpponent:
    """Looks for the best answer to what a partner would write."""

    def __init__(self, search: ScriptSearch, partner: Writer, rehearsed: int = REHEARSED) -> None:
        """Have the partner write so many scripts for practice before each exchange."""
        self._search, self._partner, self._rehearsed = search, partner, rehearsed

    def script(self, state: State, ask: Ask, seed: str) -> Cards:
        """The best answer that was found."""
        effect = Machine[Any](state).effect
        asks = effect.asks if isinstance(effect, AskAll) else ()
        expected = {
            each: tuple(
                self._partner(state, each, f"{seed}/rehearsed/{each.seat}/{at}")
                for at in range(self._rehearsed)
            )
            for each in asks
            if each != ask
        }
        return self._search.best(state, ask, seed, expected).candidate


# --- Whole conflicts ---------------------------------------------------------------------------


def play_out(
    plays: ScriptedPlays,
    game: ScriptedGame,
    start: Then[Any],
    writers: Mapping[Seat, Writer],
    seed: str,
) -> Any:
    """A whole conflict, exchange by exchange, with somebody to write at each seat.

    The result is that of the conflict, or the exchange that would have been one too many.
    """
    chance = Seeded(seed)
    answers = game.answers_of({})
    end: Any = start
    for number in range(LONGEST):
        session: Session[Any] = Session(end, by(chance))
        while session.waiting and not isinstance(session.waiting[0].question, Script):
            session.answer(session.waiting[0].seat, answers(session.waiting[0]))
        if not session.waiting:
            return session.result
        given = {
            ask: writers[ask.seat](session.state, ask, f"{seed}/{number}/{ask.seat}")
            for ask in session.waiting
        }
        end = plays.go_on(session.state, given, {}, chance)
        if not isinstance(end, Then):
            return end
    return end


class SparringPlayer(msgspec.Struct, frozen=True):
    """Who plays a side: a partner with a dial and a temperament, or who is trained against one."""

    dial: int
    temperament: str = ANY
    is_trained: bool = False


def check_player(game: str, player: SparringPlayer) -> None:
    """Refuse a dial or a temperament that the conflict does not have."""
    ScriptPartner(ScriptSearch(GAMES[game]), player.dial, player.temperament)


class SparringMatch(msgspec.Struct, frozen=True):
    """Conflicts between two players, in one piece for a worker."""

    game: str
    start: Then[Any]
    seats: tuple[Seat, Seat]
    players: tuple[SparringPlayer, SparringPlayer]
    samples: int
    seeds: tuple[str, ...]


def worths(match: SparringMatch) -> list[float]:
    """What each conflict of a match was worth to side 1: a victory 1, a defeat 0, else a half."""
    game = GAMES[match.game]
    plays, search = ScriptedPlays(game), ScriptSearch(game, match.samples)
    partners = [ScriptPartner(search, each.dial, each.temperament) for each in match.players]
    writers: dict[Seat, Writer] = {}
    for side, seat in enumerate(match.seats):
        writers[seat] = partners[side].script
        if match.players[side].is_trained:
            writers[seat] = TrainedOpponent(search, partners[1 - side].script).script
    return [_won(play_out(plays, game, match.start, writers, seed)) for seed in match.seeds]


def _won(end: Any) -> float:
    """A victory of side 1 is 1, a defeat 0, anything else a half."""
    if isinstance(end, Then):
        return 0.5
    winner = (end[0] if isinstance(end, tuple) else end).winner
    return 0.5 if winner is None else float(winner == 0)


class GivenAway(NamedTuple):
    """What partners on both sides give away together, in victories."""

    counted: float
    at_least: float
    """What it is at least, with 95% certainty."""


def given_away(one: list[float], other: list[float]) -> GivenAway:
    """What trained opponents won as side 1 and as side 2, each from its own point of view.

    If both sides played perfectly, both together would get exactly one victory.

    >>> given_away([1.0] * 400, [0.5] * 400)
    GivenAway(counted=0.5, at_least=0.5)
    """
    error = sqrt(_spread(one) / len(one) + _spread(other) / len(other))
    counted = _mean(one) + _mean(other) - 1
    return GivenAway(counted, max(0.0, counted - SURE * error))


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


def _spread(numbers: list[float]) -> float:
    middle = _mean(numbers)
    return sum((each - middle) ** 2 for each in numbers) / max(1, len(numbers) - 1)
