"""The last volley of an exchange: nothing is hidden any more, so splits follow from the state.

Where one side divides a Rebuttal, it takes what is best for it. Where both do, at once and without
knowing each other's split, that is a small game of its own, in which it may be best to draw.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from astragal.lab.duel_game import DuelGame, Ints, Ways
from astragal.lab.duel_volleys import Floats
from astragal.lab.matrix_game import solve_matrix

SURE = 1e-13
"""Where nobody gains more than this by another split, nobody has to draw one."""


class SplitMix(NamedTuple):
    """How likely both sides divide a Rebuttal in each way, where both rebut."""

    one: tuple[float, ...]
    other: tuple[float, ...]

    def reflected(self) -> SplitMix:
        """With the sides exchanged."""
        return SplitMix(self.other, self.one)


class Divided(NamedTuple):
    """The last volley in all positions: what it is worth, by both cards, and how it is divided."""

    worth: Floats
    weights: Floats
    """How likely each run of links is, among those of the same cards."""
    ways: tuple[Ways, Ways]
    """By position and the other side's card; where it is drawn, the safest way."""
    mixed: dict[int, SplitMix]
    """By position, where both rebut and draw."""


class LastVolley:
    """Divides the Rebuttals of last volleys."""

    def __init__(self, game: DuelGame) -> None:
        """Take the tables of a duel."""
        self._firsts = game.runs.ravel()
        self._shape = game.runs.shape
        ways = game.ways.reshape(-1, 2).astype(np.int64)
        self._many = ways.prod(axis=1)
        self._meetings: list[tuple[int, int, Ints]] = []
        for one, other in sorted({(int(a), int(b)) for a, b in ways}):
            if one * other > 1:
                at = np.flatnonzero((ways[:, 0] == one) & (ways[:, 1] == other))
                self._meetings.append((one, other, at))
        self._simple = np.zeros(len(game.links.starts) - 1)
        self._simple[self._firsts[ways.prod(axis=1) == 1]] = 1.0

    def divide(self, worth: Floats) -> Divided:
        """Divide the dice in every position, if the runs of links are worth so much to side A."""
        many, a, b = self._shape
        weights = self._simple.copy()
        ways = np.zeros((many, b), np.uint8), np.zeros((many, a), np.uint8)
        mixed: dict[int, SplitMix] = {}
        for one, other, at in self._meetings:
            firsts = self._firsts[at]
            inside = np.arange(one * other).reshape(one, other)
            games = worth[firsts[:, None, None] + inside]
            least, most = games.min(axis=2), games.max(axis=1)
            mine, rival = least.argmax(axis=1), most.argmin(axis=1)
            position, x, y = np.unravel_index(at, self._shape)
            if one > 1:
                ways[0][position, y] = mine
            if other > 1:
                ways[1][position, x] = rival
            weights[firsts + mine * other + rival] = 1.0
            gaps = most.min(axis=1) - least.max(axis=1)
            for number in np.flatnonzero(gaps > SURE):
                first = firsts[number]
                solved = solve_matrix(games[number])
                joint = np.outer(solved.rows, solved.columns).ravel()
                weights[first : first + one * other] = joint
                mixed[int(position[number])] = SplitMix(
                    tuple(solved.rows.tolist()), tuple(solved.columns.tolist())
                )
        total = np.add.reduceat(weights * worth, self._firsts).reshape(many, -1)
        return Divided(total, weights, ways, mixed)

    def still(self, weights: Floats, stays: Floats, one: int, other: int) -> Floats:
        """How likely each position follows without a loss from each, if two cards meet."""
        _, a, b = self._shape
        meetings = np.arange(self._shape[0]) * (a * b) + one * b + other
        firsts, many = self._firsts[meetings], self._many[meetings]
        starts = np.cumsum(many) - many
        runs = np.repeat(firsts - starts, many) + np.arange(int(many.sum()))
        return np.asarray(np.add.reduceat(weights[runs, None] * stays[runs], starts))
