"""A sparring partner for Fight! and Range and Cover: its scripts are improved by search.

Neither is solved. The partner draws scripts as people of every temperament would write them, and
tries them out with the engine's own driver against what the others may write; it knows what is on
the table, and nobody's script. The one that does best is played as often as the *dial* says, and a
script of the partner's own temperament otherwise. That is good play and no more:
``trained_opponent`` says how much it gives away at least.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from math import inf
from time import monotonic
from typing import Any, TypeAlias

import msgspec

from astragal.dice import Chance, Seeded
from astragal.errors import BadInput
from astragal.games.burning_wheel.conditions.wounds import wound_dice
from astragal.games.burning_wheel.conflicts import scripting
from astragal.games.burning_wheel.conflicts.fight import exchange as fight_exchange
from astragal.games.burning_wheel.conflicts.fight import policies as fight_policies
from astragal.games.burning_wheel.conflicts.fight import scripters as fight_scripters
from astragal.games.burning_wheel.conflicts.fight.temperaments import TEMPERAMENTS
from astragal.games.burning_wheel.conflicts.range_and_cover import policies as skirmish_policies
from astragal.lab.script_search import FoundBest, best_by_halving
from astragal.lab.sparring import MERCILESS
from astragal.play import Answer, Answerer, Ask, Play, Script, Seat, Simulation, State, Then
from astragal.play.machine import Frame
from astragal.play.rehearsal import itself

Cards: TypeAlias = tuple[str, ...]
Scripter: TypeAlias = Callable[[Ask], Cards]

ANY = "any"
"""The temperament of those who write anything."""

SAMPLES = 240
"""Plays that a script is searched with, unless somebody says otherwise."""

CANDIDATES = 16
"""Scripts that are tried out."""

WOUND_DIE = 0.1
"""What a wound die is worth that one side has more than the other, in victories."""

OUT = 5
"""Those who are out of it count as if they had so many wound dice."""


class ScriptedGame(msgspec.Struct, frozen=True):
    """A conflict with scripts: where its exchanges begin, and what its policies offer.

    ``place`` is that of the conflict's state among the arguments of an exchange, ``people`` the
    field of those who take part, in it and in its outcome; ``ahead`` is how many exchanges a play
    looks at.
    """

    name: str
    people: str
    exchange: Callable[..., Play[Any]]
    place: int
    ahead: int
    temperaments: Collection[str]
    by_temperament: Callable[[str, Chance], Scripter]
    at_random: Callable[[Chance], Scripter]
    answers_of: Callable[[Mapping[Seat, Scripter]], Answerer]
    drawn: Mapping[Callable[..., Play[Any]], int]
    remembered: Collection[Callable[..., Play[Any]]] = ()

    def style(self, name: str, chance: Chance) -> Scripter:
        """Somebody who writes by a temperament, or anything."""
        return self.at_random(chance) if name == ANY else self.by_temperament(name, chance)

    @property
    def styles(self) -> tuple[str, ...]:
        """All ways in which people write."""
        return (*self.temperaments, ANY)

    def begins(self, state: State) -> Then[Any] | None:
        """The exchange of which the scripts are being written, if one is."""
        start = itself(state[-1].start)
        return start if start.procedure is self.exchange else None


FIGHT = ScriptedGame(
    "fight",
    "fighters",
    fight_exchange.exchange,
    0,
    2,
    TEMPERAMENTS,
    fight_scripters.by_temperament,
    fight_scripters.at_random,
    fight_policies.answers_of,
    fight_policies.DRAWN,
    fight_policies.REMEMBERED,
)
SKIRMISH = ScriptedGame(
    "skirmish",
    "skirmishers",
    scripting.exchange,
    1,
    3,
    skirmish_policies.TEMPERAMENTS,
    skirmish_policies.by_temperament,
    skirmish_policies.at_random,
    skirmish_policies.answers_of,
    skirmish_policies.DRAWN,
)
GAMES = {game.name: game for game in (FIGHT, SKIRMISH)}


# --- What a play comes to ------------------------------------------------------------------


def worth_to(game: ScriptedGame, side: int, end: Any) -> float:
    """What a play is worth to a side: 1 for a victory, 0 for a defeat, otherwise by wounds.

    ``end`` is the result of the conflict, or the exchange at which the play was stopped.
    """
    if isinstance(end, Then):
        conflict = end.args[game.place]
        hurt = [
            (each.side, OUT if each.out else min(wound_dice(conflict.sheet(each.character)), OUT))
            for each in getattr(conflict, game.people)
        ]
    else:
        outcome = end[0] if isinstance(end, tuple) else end
        if outcome.winner is not None:
            return float(outcome.winner == side)
        hurt = [
            (each.side, OUT if each.state != "standing" else min(each.wound_dice, OUT))
            for each in getattr(outcome, game.people)
        ]
    mine = _mean(dice for whose, dice in hurt if whose == side)
    others = _mean(dice for whose, dice in hurt if whose != side)
    return 0.5 + WOUND_DIE * (others - mine)


def _mean(numbers: Iterable[int]) -> float:
    found = list(numbers)
    return sum(found) / len(found)


def side_of(game: ScriptedGame, state: State, ask: Ask) -> int:
    """The side of whoever is asked for a script."""
    begun = game.begins(state)
    assert begun is not None, "no exchange begins here"
    conflict = begun.args[game.place]
    mine = [
        each for each in getattr(conflict, game.people) if conflict.seat(each.character) == ask.seat
    ]
    # Whoever has several characters there is told which of them it is about.
    named = [each for each in mine if ask.prompt.startswith(f"{conflict.name(each.character)}:")]
    side: int = (named or mine)[0].side
    return side


# --- The search ----------------------------------------------------------------------------


class _AnySeat(dict[Seat, Scripter]):
    """The same scripter at every seat."""

    def __init__(self, scripter: Scripter) -> None:
        super().__init__()
        self._scripter = scripter

    def __missing__(self, _seat: Seat) -> Scripter:
        return self._scripter


class ScriptedPlays:
    """Plays of a conflict from where it stands, the first scripts of some of them given."""

    def __init__(self, game: ScriptedGame) -> None:
        """Play this conflict; what was worked out once is kept for all plays."""
        self._game = game
        self._given: dict[Ask, Cards] = {}
        self._styles: Mapping[Seat, Scripter] = {}
        answers = game.answers_of(_AnySeat(self._write))
        self._simulation = Simulation(answers, game.drawn, game.remembered)

    def _write(self, ask: Ask) -> Cards:
        given = self._given.pop(ask, None)
        return self._styles[ask.seat](ask) if given is None else given

    def go_on(
        self,
        state: State,
        given: Mapping[Ask, Cards],
        others: Mapping[Seat, Scripter],
        chance: Seeded,
        exchanges: int = 1,
    ) -> Any:
        """Play so many exchanges; the result is the next one as it would begin, or the end."""
        self._given, self._styles = dict(given), others
        end: Any = None
        for _ in range(exchanges):
            end = self._simulation.run_from(state, chance, self._game.exchange)
            if not isinstance(end, Then):
                break
            state = (Frame(end),)
        return end


class ScriptSearch:
    """Looks for a good script: in so many plays, and within so many seconds."""

    def __init__(self, game: ScriptedGame, samples: int = SAMPLES, seconds: float = inf) -> None:
        """Search with so many samples; the time only limits it."""
        if samples < 1:
            raise BadInput("--samples", samples, "1 or more")
        self.game = game
        self._samples, self._seconds = samples, seconds
        self._plays = ScriptedPlays(game)

    def best(self, state: State, ask: Ask, seed: str) -> FoundBest[Cards]:
        """The best script that was found, by what it is worth to the side of whoever is asked.

        What the others write is drawn from every temperament.
        """
        game, side = self.game, side_of(self.game, state, ask)
        state = _for_practice(game, state)
        until = monotonic() + self._seconds

        def worth(cards: Cards, number: int) -> float:
            chance = Seeded(f"{seed}/{number}")
            styles = game.styles
            drawn = [styles[face - 1] for face in chance.dice(len(styles), 2)]
            mine, theirs = (game.style(style, chance) for style in drawn)
            others = _AnySeat(theirs)
            others[ask.seat] = mine
            end = self._plays.go_on(state, {ask: cards}, others, chance, game.ahead)
            return worth_to(game, side, end)

        found = self._candidates(ask, seed)
        return best_by_halving(found, worth, self._samples, lambda: monotonic() > until)

    def _candidates(self, ask: Ask, seed: str) -> list[Cards]:
        """Different scripts, drawn from every temperament in turn."""
        chance = Seeded(f"{seed}/candidates")
        scripters = [self.game.style(style, chance) for style in self.game.styles]
        found: dict[Cards, None] = {}
        for at in range(4 * CANDIDATES):
            found[scripters[at % len(scripters)](ask)] = None
            if len(found) == CANDIDATES:
                break
        return list(found)


def _for_practice(game: ScriptedGame, state: State) -> State:
    """The same exchange without the log of its tests, where nothing has been decided in it yet."""
    start = game.begins(state)
    assert start is not None, "no exchange begins here"
    if any(answer is not None for answer in state[-1].answers):
        return state
    args = list(start.args)
    args[game.place] = msgspec.structs.replace(args[game.place], series="")
    return (Frame(Then(start.procedure, tuple(args))),)


# --- The partner ---------------------------------------------------------------------------


class ScriptPartner:
    """Writes scripts as well as a dial says; what it writes follows from its seed alone."""

    def __init__(
        self, search: ScriptSearch, dial: int, temperament: str = ANY, seed: str = "astragal"
    ) -> None:
        """Search as often as the dial says, from 0 (never) to 100 (always)."""
        if not 0 <= dial <= MERCILESS:
            raise BadInput("--spar", dial, "0 (careless) to 100 (merciless)")
        if temperament not in search.game.styles:
            known = ", ".join(search.game.styles)
            raise BadInput("--temperament", temperament, f"one of {known}")
        self._search, self._dial, self._temperament = search, dial, temperament
        self._seed, self._written = seed, 0

    def answer(self, state: State, ask: Ask) -> Answer | None:
        """A script for the exchange that begins; nothing for any other question."""
        if not isinstance(ask.question, Script) or self._search.game.begins(state) is None:
            return None
        self._written += 1
        return self.script(state, ask, f"{self._seed}/{self._written}")

    def script(self, state: State, ask: Ask, seed: str) -> Cards:
        """The script that it writes, by a seed."""
        chance = Seeded(seed)
        if chance.dice(MERCILESS, 1)[0] <= self._dial:
            return self._search.best(state, ask, seed).candidate
        return self._search.game.style(self._temperament, chance)(ask)
