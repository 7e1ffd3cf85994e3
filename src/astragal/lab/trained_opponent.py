"""What a sparring partner gives away at least: an opponent is trained against it.

The partner writes scripts for practice, at the beginning of many conflicts. The opponent then tries
out *habits* (a script that it keeps to wherever the rules allow it, a temperament where they do
not) in whole conflicts against somebody who writes what the partner wrote, and drops those that do
badly. The habit that is left plays against the partner itself. What such opponents win on both
sides together, beyond one victory, the partners on both sides give away together: a bound from
below, for a better opponent would win more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any, NamedTuple, TypeAlias

import msgspec

from astragal.dice import Seeded
from astragal.errors import BadInput
from astragal.lab.fight_sparring import (
    ANY,
    GAMES,
    Cards,
    ScriptedGame,
    ScriptedPlays,
    Scripter,
    ScriptPartner,
    ScriptSearch,
)
from astragal.lab.script_search import best_by_halving
from astragal.play import Ask, Script, Seat, Session, State, Then, by

Writer: TypeAlias = Callable[[State, Ask, str], Cards]
"""Writes a script where a conflict stands, by a seed."""

HABITS = 64
"""Habits that are tried out."""

REHEARSED = 48
"""Scripts that the partner is made to write, unless somebody says otherwise."""

TRAINING = 4000
"""Whole conflicts that a habit is found with, unless somebody says otherwise."""

OPENINGS = 24
"""Beginnings of a conflict that are drawn for training."""

LONGEST = 60
"""Exchanges after which a conflict counts as undecided."""

IN_TRAINING = 12
"""The same in training, where who never attacks may meet somebody who does not either."""

SURE = 1.645
"""So many standard errors below what was counted: with 95% certainty it is at least that."""


class Habit(msgspec.Struct, frozen=True):
    """A script that is written again and again, and how one writes where it is not allowed."""

    script: Cards
    temperament: str


def kept(script: Cards, ask: Ask, otherwise: Scripter) -> Cards:
    """A script as far as there is room for it, or another where the rules do not allow it."""
    assert isinstance(ask.question, Script), "a script is asked for"
    try:
        return ask.question.check(script[-ask.question.slots :])
    except BadInput:
        return otherwise(ask)


class SparringPlayer(msgspec.Struct, frozen=True):
    """Who plays a side: a partner with a dial and a temperament, or somebody with a habit."""

    dial: int
    temperament: str = ANY
    habit: Habit | None = None


def check_player(game: str, player: SparringPlayer) -> None:
    """Refuse a dial or a temperament that the conflict does not have."""
    ScriptPartner(ScriptSearch(GAMES[game]), player.dial, player.temperament)


def writer_of(player: SparringPlayer, search: ScriptSearch) -> Writer:
    """How somebody writes, by a search that only a partner needs."""
    habit = player.habit
    if habit is None:
        return ScriptPartner(search, player.dial, player.temperament).script
    return lambda _state, ask, seed: kept(
        habit.script, ask, search.game.style(habit.temperament, Seeded(seed))
    )


# --- Training --------------------------------------------------------------------------------


class Training(msgspec.Struct, frozen=True):
    """An opponent to be trained against a partner, in one piece for a worker.

    ``seats`` are those of both sides, and ``side`` is whose opponent it is.
    """

    game: str
    start: Then[Any]
    seats: tuple[Seat, Seat]
    side: int
    partner: SparringPlayer
    samples: int
    seed: str
    rehearsed: int = REHEARSED
    conflicts: int = TRAINING


def trained(training: Training) -> Habit:
    """The habit that did best against what the partner wrote for practice."""
    game = GAMES[training.game]
    mine, theirs = training.seats[training.side], training.seats[1 - training.side]
    partner = writer_of(training.partner, ScriptSearch(game, training.samples))
    openings = [
        session
        for at in range(OPENINGS)
        if (session := up_to_scripts(game, training.start, Seeded(f"{training.seed}/{at}"))).waiting
    ]
    written: list[Cards] = []
    habits: dict[Habit, None] = {}
    chance = Seeded(f"{training.seed}/habits")
    many = len(game.styles)
    for at in range(max(training.rehearsed, 2 * HABITS)):
        session = openings[at % len(openings)]
        for ask in session.waiting:
            if ask.seat == theirs and at < training.rehearsed:
                written.append(partner(session.state, ask, f"{training.seed}/rehearsed/{at}"))
            if ask.seat == mine and len(habits) < HABITS:
                script = game.style(game.styles[at % many], chance)(ask)
                habits[Habit(script, game.styles[at // many % many])] = None
    plays = ScriptedPlays(game)

    def worth(habit: Habit, number: int) -> float:
        """What a habit gets in a whole conflict against somebody who writes what was written."""
        chance = Seeded(f"{training.seed}/conflict/{number}")
        styles = [game.style(each, chance) for each in (habit.temperament, _drawn(game, chance))]

        def rehearsed(ask: Ask) -> Cards:
            return kept(written[chance.dice(len(written), 1)[0] - 1], ask, styles[1])

        scripters = {mine: lambda ask: kept(habit.script, ask, styles[0]), theirs: rehearsed}
        opening = openings[number % len(openings)]
        won = _won(plays.go_on(opening.state, {}, scripters, chance, IN_TRAINING))
        return won if training.side == 0 else 1 - won

    return best_by_halving(list(habits), worth, training.conflicts).candidate


def _drawn(game: ScriptedGame, chance: Seeded) -> str:
    return game.styles[chance.dice(len(game.styles), 1)[0] - 1]


def up_to_scripts(game: ScriptedGame, start: Then[Any], chance: Seeded) -> Session[Any]:
    """A conflict that has come to the scripts of an exchange, or to its end."""
    answers = game.answers_of({})
    session: Session[Any] = Session(start, by(chance))
    while session.waiting and not isinstance(session.waiting[0].question, Script):
        session.answer(session.waiting[0].seat, answers(session.waiting[0]))
    return session


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
        session = up_to_scripts(game, end, chance)
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
    writers = {
        seat: writer_of(player, search)
        for seat, player in zip(match.seats, match.players, strict=True)
    }
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
