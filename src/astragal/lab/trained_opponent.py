"""What a sparring partner gives away at least: an opponent is trained against it.

The trained opponent knows how the partner thinks, though not what it has written. Conflicts begin
in a few ways only: for each of these openings the partner writes many scripts for practice, and
the best answer to them that a long search finds is learnt once (a *lesson*). Before every later
exchange the partner writes a few more, and the answer to those is searched as the partner searches.
What such opponents win on both sides together, beyond one victory, the partners on both sides give
away together: a bound from below, for a better opponent would win more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any, NamedTuple, TypeAlias

import msgspec

from astragal.dice import Seeded
from astragal.lab.fight_sparring import (
    ANY,
    CANDIDATES,
    GAMES,
    Cards,
    ScriptedGame,
    ScriptedPlays,
    ScriptPartner,
    ScriptSearch,
    for_practice,
)
from astragal.play import Ask, AskAll, Script, Seat, Session, State, Then, by
from astragal.play.machine import Machine

Writer: TypeAlias = Callable[[State, Ask, str], Cards]
"""Writes a script where a conflict stands, by a seed."""

REHEARSED = 4
"""Scripts that the partner is made to write before each later exchange."""

HURRY = 4
"""So many times quicker than its own scripts the partner writes those: with fewer plays."""

IN_A_LESSON = 48
"""Scripts that the partner is made to write for each opening, unless somebody says otherwise."""

LONGER = 16
"""So many times as many plays, per script tried, an answer is searched with in a lesson."""

OPENINGS = 32
"""Beginnings that are drawn to find the different ones."""

LONGEST = 60
"""Exchanges after which a conflict counts as undecided."""

SURE = 1.645
"""So many standard errors below what was counted: with 95% certainty it is at least that."""


Lessons: TypeAlias = Mapping[tuple[Then[Any], Seat], Cards]
"""The script that was learnt for each opening, by the seat that writes it."""


class SparringPlayer(msgspec.Struct, frozen=True):
    """Who plays a side: a partner with a dial and a temperament, or who is trained against one."""

    dial: int
    temperament: str = ANY
    is_trained: bool = False


class TrainedOpponent:
    """Looks for the best answer to what a partner would write."""

    def __init__(
        self,
        search: ScriptSearch,
        partner: Writer,
        rehearsed: int = REHEARSED,
        lessons: Lessons | None = None,
    ) -> None:
        """Have the partner write so many scripts for practice, where nothing was learnt before."""
        self._search, self._partner, self._rehearsed = search, partner, rehearsed
        self._lessons: Lessons = lessons or {}

    def script(self, state: State, ask: Ask, seed: str) -> Cards:
        """What was learnt, or the best answer that was found."""
        opening = self._search.game.begins(for_practice(self._search.game, state))
        assert opening is not None, "no exchange begins here"
        if (opening, ask.seat) in self._lessons:
            return self._lessons[opening, ask.seat]
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


# --- Lessons ---------------------------------------------------------------------------------


def openings(game: ScriptedGame, start: Then[Any], seed: str) -> tuple[Then[Any], ...]:
    """The different ways in which a conflict begins, of those that were drawn."""
    found: dict[Then[Any], None] = {}
    for number in range(OPENINGS):
        session = _up_to_scripts(game, start, Seeded(f"{seed}/opening/{number}"))
        if session.waiting:
            opening = game.begins(for_practice(game, session.state))
            assert opening is not None, "a script is asked for where an exchange begins"
            found[opening] = None
    return tuple(found)


class LessonToLearn(msgspec.Struct, frozen=True):
    """An opening to be answered by one seat, in one piece for a worker."""

    game: str
    opening: Then[Any]
    seat: Seat
    partner: SparringPlayer
    samples: int
    seed: str
    rehearsed: int = IN_A_LESSON


def learnt(lesson: LessonToLearn) -> Cards:
    """The best answer that was found to what the partner writes in an opening."""
    game = GAMES[lesson.game]
    session = _up_to_scripts(game, lesson.opening, Seeded(lesson.seed))
    (ask,) = [each for each in session.waiting if each.seat == lesson.seat]
    partner = ScriptPartner(
        ScriptSearch(game, lesson.samples), lesson.partner.dial, lesson.partner.temperament
    )
    tried = 2 * CANDIDATES
    search = ScriptSearch(game, LONGER * tried * tried.bit_length(), candidates=tried)
    opponent = TrainedOpponent(search, partner.script, lesson.rehearsed)
    return opponent.script(session.state, ask, lesson.seed)


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
    end: Any = start
    for number in range(LONGEST):
        session = _up_to_scripts(game, end, chance)
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


def _up_to_scripts(game: ScriptedGame, start: Then[Any], chance: Seeded) -> Session[Any]:
    """A conflict that has come to the scripts of an exchange, or to its end."""
    answers = game.answers_of({})
    session: Session[Any] = Session(start, by(chance))
    while session.waiting and not isinstance(session.waiting[0].question, Script):
        session.answer(session.waiting[0].seat, answers(session.waiting[0]))
    return session


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
    lessons: tuple[tuple[Then[Any], Seat, Cards], ...] = ()
    """What the trained ones have learnt."""


def worths(match: SparringMatch) -> list[float]:
    """What each conflict of a match was worth to side 1: a victory 1, a defeat 0, else a half."""
    game = GAMES[match.game]
    plays, search = ScriptedPlays(game), ScriptSearch(game, match.samples)
    hurried = ScriptSearch(game, max(1, match.samples // HURRY))
    lessons = {(opening, seat): cards for opening, seat, cards in match.lessons}
    writers: dict[Seat, Writer] = {}
    for side, seat in enumerate(match.seats):
        player, other = match.players[side], match.players[1 - side]
        writers[seat] = ScriptPartner(search, player.dial, player.temperament).script
        if player.is_trained:
            partner = ScriptPartner(hurried, other.dial, other.temperament)
            writers[seat] = TrainedOpponent(search, partner.script, lessons=lessons).script
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
