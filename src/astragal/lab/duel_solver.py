"""A Duel of Wits solved: in every state its value, and the best mix of scripts for both sides.

Bodies never rise, so states are solved in the order of their bodies. Exchanges in which nobody
loses a point lead back to the same pair of bodies; so all positions of one pair are solved
together: the mixes for the values assumed, then the values for these mixes, until nobody gains by
anything else. In each state a *double oracle* looks at a few scripts of each side and asks all 343
whether one of them does better; it begins with what was best at neighbouring bodies. Rebuttals are
divided in the usual way, which gains most in their volley; ``planned_solver`` makes splits a part
of the play.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from astragal.errors import Refusal
from astragal.lab import Progress, unheard
from astragal.lab.duel_game import Cards3, DuelGame
from astragal.lab.duel_volleys import Floats
from astragal.lab.matrix_game import MatrixGame

Allowed: TypeAlias = Callable[[tuple[str, ...]], bool] | None
"""Which scripts a side may write, by their cards; without it, all."""

CONTENT = 1e-10
"""A script that gains no more than this is not better."""

MOST_ROUNDS = 60
"""Of setting values and mixes for one pair of bodies in turn."""

SETTLED = 1e-7
"""By how much values may still change after all rounds."""


class Mix(NamedTuple):
    """Scripts, by number, and how likely each is."""

    scripts: tuple[int, ...]
    weights: tuple[float, ...]


class Solution(NamedTuple):
    """The value for side A and both mixes, for every pair of bodies and every position."""

    values: Floats
    mixes: dict[tuple[int, int, int], tuple[Mix, Mix]]


def solve(
    game: DuelGame, progress: Progress = unheard, allowed: tuple[Allowed, Allowed] = (None, None)
) -> Solution:
    """Solve a duel for all bodies up to the game's own, with the usual splits.

    Where a side is ``allowed`` only some scripts, it makes the best of them.
    """
    game = game.at_usual()
    solver = _Solver(game, allowed)
    solve_in_order(game, solver, progress, alike=allowed == (None, None))
    return Solution(solver.values, solver.mixes)


class BodiesSolver(Protocol):
    """Solves one pair of bodies after another."""

    def solve(self, a: int, b: int) -> None:
        """Solve all states with these bodies; those that they lead to are solved."""

    def reflect(self, a: int, b: int) -> None:
        """Take over what was solved for the same duel with the sides exchanged."""


def solve_in_order(
    game: DuelGame, solver: BodiesSolver, progress: Progress, *, alike: bool
) -> None:
    """Solve all pairs of bodies, smaller ones first, because a duel only leads to those.

    Where both sides are the same and may do ``alike``, half of the pairs follow from the others.
    """
    mirrored = game.mirror is not None and alike
    most_a, most_b = game.bodies
    pairs = [(a, b) for a in range(1, most_a + 1) for b in range(1, most_b + 1)]
    pairs.sort(key=lambda pair: (sum(pair), pair))
    for done, (a, b) in enumerate(pairs, 1):
        if mirrored and a < b:
            continue
        solver.solve(a, b)
        if mirrored and a != b:
            solver.reflect(a, b)
        progress(done, len(pairs))


def first_guess(values: Floats, a: int, b: int) -> Floats:
    """What the positions of a pair of bodies may be worth, by bodies of one point less."""
    below = [values[max(a - 1, 1), b], values[a, max(b - 1, 1)]]
    known = [each for each in below if not np.isnan(each).any()]
    if not known:
        return np.full(values.shape[-1], 0.5)
    guess: Floats = np.mean(known, axis=0)
    return guess


def check_settled(wrong: float) -> None:
    """Refuse to publish values that still change by so much."""
    if wrong > SETTLED:
        raise Refusal("This duel cannot be solved: the values of its states do not settle.")


def with_returns(again: Floats, found: Floats, values: Floats) -> Floats:
    """What positions are worth if both sides keep their mixes whenever the same bodies come again.

    ``again`` is how likely each position leads to each other one at the same bodies, ``found`` what
    they are worth once, if coming back is worth ``values``.
    """
    fixed = found - again @ values
    try:
        settled = np.linalg.solve(np.eye(len(again)) - again, fixed)
    except np.linalg.LinAlgError:
        return found
    # Mixes with which a duel never ends have no value of their own.
    sound = np.isfinite(settled).all() and settled.min() > -0.01 and settled.max() < 1.01
    return np.asarray(settled.clip(0.0, 1.0), np.float64) if sound else found


class _Scripts(NamedTuple):
    """The scripts of both sides that are looked at in a state."""

    rows: list[int]
    columns: list[int]


class _Solver:
    """The tables of all states solved so far."""

    def __init__(self, game: DuelGame, allowed: tuple[Allowed, Allowed]) -> None:
        from scipy.sparse import csr_matrix

        self._csr = csr_matrix
        self._game = game
        self._forbidden = tuple(
            tuple(_forbidden(game.cards[side], allowed[side], lost) for lost in (0, 1))
            for side in (0, 1)
        )
        links = game.links
        self._many = len(game.positions)
        self._a, self._b = len(game.cards[0]), len(game.cards[1])
        self._shape = game.bodies[0] + 1, game.bodies[1] + 1, self._many
        states = int(np.prod(self._shape))
        ends = np.repeat(game.ends[:, :, None], self._many, axis=2)
        self.values = ends.copy()
        self.mixes: dict[tuple[int, int, int], tuple[Mix, Mix]] = {}
        flat = np.nan_to_num(ends).reshape(states)
        pairs = self._a * self._b
        # What a state is worth before the last volley, by both cards; and before the last two.
        self._last = np.repeat(flat[:, None], pairs, axis=1)
        self._last_two = np.empty((states, self._a**2, self._b**2))
        self._last_two[:] = flat[:, None, None]
        # The links in the order of the second side's cards, for its columns.
        runs = np.arange(len(links.starts) - 1).reshape(self._many, self._a, self._b)
        turned = runs.transpose(0, 2, 1).ravel()
        lengths = np.diff(links.starts)[turned]
        self._column_starts = np.r_[0, np.cumsum(lengths)]
        begins = links.starts[:-1][turned]
        self._turned = np.repeat(begins - self._column_starts[:-1], lengths) + np.arange(
            int(lengths.sum())
        )
        still = (links.loss_a == 0) & (links.loss_b == 0)
        of_run = np.repeat(np.arange(len(runs.ravel())), np.diff(links.starts))
        stays = np.zeros((len(runs.ravel()), self._many))
        np.add.at(stays, (of_run[still], links.position[still]), links.chance[still])
        self._still = stays.reshape(self._many, self._a, self._b, self._many)

    # --- One pair of bodies -------------------------------------------------------------------

    def solve(self, a: int, b: int) -> None:
        """Solve all positions of a pair of bodies; all smaller bodies are solved."""
        many = self._many
        self._aim(a, b)
        values, wrong = first_guess(self.values, a, b), 0.0
        scripts = [self._warm(a, b, position) for position in range(many)]
        mixes: list[tuple[Mix, Mix]] = []
        for turn in range(MOST_ROUNDS):
            self._fill(a, b, values)
            solved = [self._oracle(position, scripts[position]) for position in range(many)]
            found = np.array([value for value, _, _ in solved])
            mixes = [(mine, other) for _, mine, other in solved]
            wrong = float(np.abs(found - values).max())
            if wrong <= CONTENT:
                break
            values = found if turn % 8 == 7 else self._evaluated(mixes, found, values)
        check_settled(wrong)
        self.values[a, b] = values
        for position, both in enumerate(mixes):
            self.mixes[a, b, position] = both

    def reflect(self, a: int, b: int) -> None:
        """What was solved for a pair of bodies, with the sides exchanged."""
        assert self._game.mirror is not None
        mirror = self._game.mirror.positions
        self.values[b, a] = 1.0 - self.values[a, b][mirror]
        for position in range(self._many):
            mine, other = self.mixes[a, b, int(mirror[position])]
            self.mixes[b, a, position] = other, mine
        here, there = self._block(a, b), self._block(b, a)
        last = self._last[here].reshape(self._many, self._a, self._b)[mirror]
        self._last[there] = 1.0 - last.transpose(0, 2, 1).reshape(self._many, -1)
        self._last_two[there] = 1.0 - self._last_two[here][mirror].transpose(0, 2, 1)

    def _block(self, a: int, b: int) -> slice:
        first = (a * self._shape[1] + b) * self._many
        return slice(first, first + self._many)

    def _aim(self, a: int, b: int) -> None:
        """The states to which the links lead from a pair of bodies."""
        links = self._game.links
        left_a, left_b = np.maximum(a - links.loss_a, 0), np.maximum(b - links.loss_b, 0)
        self._states = (left_a * self._shape[1] + left_b) * self._many + links.position
        self._column_states = self._states[self._turned]
        self._column_chances = links.chance[self._turned]
        size = (len(links.starts) - 1, int(np.prod(self._shape)))
        self._follow = self._csr((links.chance, self._states, links.starts), size)

    def _warm(self, a: int, b: int, position: int) -> _Scripts:
        rows: list[int] = []
        columns: list[int] = []
        for near in ((a - 1, b - 1), (a, b - 1), (a - 1, b)):
            both = self.mixes.get((*near, position))
            if both is not None:
                rows += [each for each in both[0].scripts if each not in rows]
                columns += [each for each in both[1].scripts if each not in columns]
        if not rows:
            rows = [self._first(position, 0)]
        if not columns:
            columns = [self._first(position, 1)]
        return _Scripts(rows, columns)

    def _first(self, position: int, side: int) -> int:
        """Any script that a side is allowed."""
        lost = int(self._game.owed[position, side])
        return int(self._forbidden[side][lost].argmin())

    def _fill(self, a: int, b: int, values: Floats) -> None:
        """The tables of this pair of bodies, for these values of its positions."""
        here = self._block(a, b)
        self.values[a, b] = values
        self._last[here] = (self._follow @ self.values.ravel()).reshape(self._many, -1)
        two = (self._follow @ self._last).reshape(self._many, *(self._a, self._b) * 2)
        shape = self._many, self._a**2, self._b**2
        self._last_two[here] = two.transpose(0, 1, 3, 2, 4).reshape(shape)

    # --- One state ----------------------------------------------------------------------------

    def _column(self, position: int, script: int) -> Floats:
        """What a script of side B gives against every script of side A."""
        first, rest = divmod(script, self._b**2)
        starts = self._column_starts[
            (position * self._b + first) * self._a : (position * self._b + first + 1) * self._a + 1
        ]
        run = slice(starts[0], starts[-1])
        table = self._last_two[self._column_states[run], :, rest]
        table *= self._column_chances[run, None]
        column: Floats = np.add.reduceat(table, starts[:-1] - starts[0]).ravel()
        return column[: self._a**2] if self._game.owed[position, 0] else column

    def _row(self, position: int, script: int) -> Floats:
        """What a script of side A gives against every script of side B."""
        first, rest = divmod(script, self._a**2)
        links = self._game.links
        starts = links.starts[
            (position * self._a + first) * self._b : (position * self._a + first + 1) * self._b + 1
        ]
        run = slice(starts[0], starts[-1])
        table = self._last_two[self._states[run], rest] * links.chance[run, None]
        row: Floats = np.add.reduceat(table, starts[:-1] - starts[0]).ravel()
        return row[: self._b**2] if self._game.owed[position, 1] else row

    def _oracle(self, position: int, scripts: _Scripts) -> tuple[float, Mix, Mix]:
        """The value of a state and both mixes, from a few scripts of each side."""
        rows, columns = scripts
        lost = self._game.owed[position].astype(int)
        no_gain = np.where(self._forbidden[0][lost[0]], -np.inf, 0.0)
        no_loss = np.where(self._forbidden[1][lost[1]], np.inf, 0.0)
        against = np.array([self._column(position, each) for each in columns])
        mine = np.array([self._row(position, each) for each in rows])
        small = MatrixGame(against[:, rows].T)
        while True:
            value, one, other = small.solve()
            gains, losses = other @ against + no_gain, one @ mine + no_loss
            best, worst = int(gains.argmax()), int(losses.argmin())
            more = False
            if gains[best] > value + CONTENT / 4 and best not in rows:
                rows.append(best)
                small.add_row(against[:, best])
                mine = np.vstack([mine, self._row(position, best)])
                more = True
            if losses[worst] < value - CONTENT / 4 and worst not in columns:
                columns.append(worst)
                against = np.vstack([against, self._column(position, worst)])
                small.add_column(against[-1, rows])
                more = True
            if not more:
                break
        mixes = _mix(rows, one), _mix(columns, other)
        rows[:], columns[:] = mixes[0].scripts, mixes[1].scripts
        return value, *mixes

    def _evaluated(self, mixes: list[tuple[Mix, Mix]], found: Floats, values: Floats) -> Floats:
        """The values if both sides keep these mixes whenever the same bodies come up again."""
        again = np.zeros((self._many, self._many))
        for position, (mine, other) in enumerate(mixes):
            for script, weight in zip(*mine, strict=True):
                x = script_cards(script, self._a)
                for rival, likely in zip(*other, strict=True):
                    y = script_cards(rival, self._b)
                    stays = self._still[position, x[0], y[0]]
                    if stays.any():
                        stays = stays @ self._still[:, x[1], y[1]] @ self._still[:, x[2], y[2]]
                        again[position] += weight * likely * stays
        return with_returns(again, found, values)


def _forbidden(cards: tuple[str, ...], allowed: Allowed, lost: int) -> NDArray[np.bool_]:
    """For every script of the volleys that are not lost, whether it is forbidden."""
    every = product(cards, repeat=3 - lost)
    found = np.array([allowed is not None and not allowed(script) for script in every])
    if found.all():
        raise Refusal("This rule forbids every script.")
    return found


def script_cards(script: int, many: int) -> Cards3:
    """The cards of a script, by number."""
    first, rest = divmod(script, many * many)
    return first, *divmod(rest, many)


def _mix(scripts: list[int], weights: Floats) -> Mix:
    both = zip(scripts, weights.tolist(), strict=True)
    kept = [(script, weight) for script, weight in both if weight > 1e-12]
    total = sum(weight for _, weight in kept)
    return Mix(tuple(s for s, _ in kept), tuple(w / total for _, w in kept))
