"""Whole Duels of Wits drawn from the exact tables, many at once.

Every duel is drawn with exactly its chance: the scripts from each side's policy, then volley by
volley what follows, all duels of a batch side by side in NumPy arrays.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from astragal.lab.duel_game import DuelGame, Ints
from astragal.lab.duel_volleys import Floats
from astragal.lab.solved_duel import SolvedDuel

BATCH = 20_000
"""Duels that are drawn side by side; more would not fit into the processor's own memory."""


Seed: TypeAlias = int | tuple[int, ...]


class ScriptPolicy(Protocol):
    """How a side writes its scripts, for many duels at once."""

    def draw(self, states: Ints, chance: np.random.Generator) -> Ints:
        """A script, by number, for each of the states."""


class AnyScript(msgspec.Struct, frozen=True):
    """Any script, all equally likely."""

    many: int

    def draw(self, states: Ints, chance: np.random.Generator) -> Ints:
        """A script for each of the states."""
        return chance.integers(self.many, size=len(states))


class SameScript(msgspec.Struct, frozen=True):
    """Always the same script; where the first volley is lost, the rest of it."""

    script: int

    def draw(self, states: Ints, chance: np.random.Generator) -> Ints:  # noqa: ARG002
        """The script for each of the states."""
        return np.full(len(states), self.script)


class BestScripts:
    """The mixes of a solved duel."""

    def __init__(self, solved: SolvedDuel, side: int) -> None:
        """Take one side of a solution."""
        mixes = [
            solved.mix(side, (a, b), position)
            for a in range(solved.bodies[0] + 1)
            for b in range(solved.bodies[1] + 1)
            for position in range(len(solved.positions))
        ]
        starts = np.cumsum([0, *(len(mix.scripts) for mix in mixes)])
        weights = np.array([weight for mix in mixes for weight in mix.weights])
        self._scripts = np.array([script for mix in mixes for script in mix.scripts])
        self._ladder = _ladder(starts, weights)

    def draw(self, states: Ints, chance: np.random.Generator) -> Ints:
        """A script for each of the states, with its chance."""
        drawn: Ints = self._scripts[_climb(self._ladder, states, chance)]
        return drawn


class DrawnDuels(msgspec.Struct, frozen=True):
    """How many duels came out how: the winner by both bodies left, and how long they took."""

    runs: int
    ends: Ints
    """How often, by what is left of both bodies; a body at zero or below counts as zero."""
    exchanges: int
    volleys: int

    @property
    def wins(self) -> tuple[int, int, int]:
        """How often side A won, side B won, and nobody."""
        tied = int(self.ends[0, 0])
        return int(self.ends[:, 0].sum()) - tied, int(self.ends[0].sum()) - tied, tied

    def __add__(self, more: DrawnDuels) -> DrawnDuels:
        """Both together."""
        return DrawnDuels(
            self.runs + more.runs,
            self.ends + more.ends,
            self.exchanges + more.exchanges,
            self.volleys + more.volleys,
        )


class DuelDraws:
    """A game made ready for drawing."""

    def __init__(self, game: DuelGame) -> None:
        """Take the tables of a duel; Rebuttals are divided in the usual way."""
        self._game = game = game.at_usual()
        self._ladder = _ladder(game.links.starts, game.links.chance)

    def draw(
        self, runs: int, policies: tuple[ScriptPolicy, ScriptPolicy], seed: Seed
    ) -> DrawnDuels:
        """So many duels from the beginning to the end."""
        chance = np.random.default_rng(seed)
        done = self._batch(min(runs, BATCH), policies, chance)
        while done.runs < runs:
            done += self._batch(min(runs - done.runs, BATCH), policies, chance)
        return done

    def _batch(
        self, runs: int, policies: tuple[ScriptPolicy, ScriptPolicy], chance: np.random.Generator
    ) -> DrawnDuels:
        game, links = self._game, self._game.links
        many = len(game.positions)
        card_a, card_b = len(game.cards[0]), len(game.cards[1])
        a, b = np.full(runs, game.bodies[0]), np.full(runs, game.bodies[1])
        position = np.zeros(runs, np.int64)
        ends = np.zeros((game.bodies[0] + 1, game.bodies[1] + 1), np.int64)
        exchanges = volleys = 0
        while len(a):
            exchanges += len(a)
            states = (a * (game.bodies[1] + 1) + b) * many + position
            mine = policies[0].draw(states, chance)
            other = policies[1].draw(states, chance)
            for volley in (2, 1, 0):
                volleys += len(a)
                x, y = mine // card_a**volley % card_a, other // card_b**volley % card_b
                link = _climb(self._ladder, (position * card_a + x) * card_b + y, chance)
                a = np.maximum(a - links.loss_a[link], 0)
                b = np.maximum(b - links.loss_b[link], 0)
                position = links.position[link]
                goes_on = (a > 0) & (b > 0)
                if not goes_on.all():
                    over = ~goes_on
                    np.add.at(ends, (a[over], b[over]), 1)
                    a, b, position = a[goes_on], b[goes_on], position[goes_on]
                    mine, other = mine[goes_on], other[goes_on]
        return DrawnDuels(runs, ends, exchanges, volleys)


def _ladder(starts: NDArray[np.integer], chances: Floats) -> Floats:
    """One rising line of steps for all rows: row r has its own from r to r + 1."""
    rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    total = np.cumsum(chances)
    before = np.concatenate([[0.0], total])[starts[:-1]]
    steps = total - before[rows]
    ladder: Floats = rows + np.minimum(steps, 1.0)
    ladder[starts[1:][np.diff(starts) > 0] - 1] = rows[starts[1:][np.diff(starts) > 0] - 1] + 1.0
    return ladder


def _climb(ladder: Floats, rows: Ints, chance: np.random.Generator) -> Ints:
    """One step of each of the rows, with its chance."""
    # A hair less than 1, so that no sum is rounded up into the next row.
    place = rows + chance.random(len(rows)) * (1 - 1e-11)
    drawn: Ints = np.searchsorted(ladder, place, side="right")
    return drawn


def simulated(
    game: DuelGame, runs: int, policies: tuple[ScriptPolicy, ScriptPolicy], seed: Seed
) -> DrawnDuels:
    """So many duels of a game, in one call for a worker."""
    return DuelDraws(game).draw(runs, policies, seed)
