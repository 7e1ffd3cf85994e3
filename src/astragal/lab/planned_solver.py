"""A Duel of Wits solved with the splits of Rebuttals as part of the play.

The way is that of ``duel_solver``: bodies in their order, all positions of one pair together, a
double oracle in each state. What is played are scripts with plans for their splits, and the best
answer to a mix is found by ``duel_plans``. Where both sides divide, many plans have to be mixed; so
this takes much longer, and is for short duels.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from astragal.errors import Refusal
from astragal.lab import Progress, unheard
from astragal.lab.duel_game import Cards3, DuelGame, Ints, SplitPlan, Ways
from astragal.lab.duel_plans import (
    Ahead,
    PlannedScript,
    PlanTable,
    Usual,
    View,
    best_answer,
    no_ways,
)
from astragal.lab.duel_solver import (
    CONTENT,
    MOST_ROUNDS,
    Allowed,
    Mix,
    check_settled,
    first_guess,
    script_cards,
    solve_in_order,
    with_returns,
)
from astragal.lab.duel_volleys import Floats
from astragal.lab.last_volley import LastVolley, SplitMix
from astragal.lab.matrix_game import MatrixGame

HARDLY_EVER = 1e-4
"""Scripts that meet less often than this are left out where values are only foreseen."""


class PlannedSolution(NamedTuple):
    """The value for side A, both mixes and their plans, for all bodies and positions.

    ``last`` is how both sides divide a Rebuttal in the last volley of an exchange, by bodies,
    position and the other side's card. Where both do, and have to draw, that is one of the
    ``mixed``.
    """

    values: Floats
    mixes: dict[tuple[int, int, int], tuple[Mix, Mix]]
    plans: dict[tuple[int, int, int], tuple[tuple[SplitPlan, ...], tuple[SplitPlan, ...]]]
    last: tuple[Ways, Ways]
    mixed: dict[tuple[int, int, int], SplitMix]


class _Planned(NamedTuple):
    """A mix with its plans."""

    scripts: tuple[int, ...]
    weights: tuple[float, ...]
    plans: tuple[SplitPlan, ...]


def solve_planned(
    game: DuelGame, progress: Progress = unheard, allowed: tuple[Allowed, Allowed] = (None, None)
) -> PlannedSolution:
    """Solve a duel for all bodies up to the game's own.

    Where a side is ``allowed`` only some scripts, it makes the best of them.
    """
    solver = _Solver(game, allowed)
    solve_in_order(game, solver, progress, alike=allowed == (None, None))
    return solver.solution()


class _Looked(NamedTuple):
    """The plans of both sides that are looked at in a state, and what they lead to."""

    rows: list[PlanTable]
    columns: list[PlanTable]


class _Solver:
    """The tables of all states solved so far."""

    def __init__(self, game: DuelGame, allowed: tuple[Allowed, Allowed]) -> None:
        self._game = game
        self._views = View(game, 0), View(game, 1)
        self._forbidden = tuple(
            tuple(
                _forbidden(game.cards[side], allowed[side], lost, (-np.inf, np.inf)[side])
                for lost in (0, 1)
            )
            for side in (0, 1)
        )
        links = game.links
        self._many = len(game.positions)
        self._a, self._b = len(game.cards[0]), len(game.cards[1])
        self._shape = game.bodies[0] + 1, game.bodies[1] + 1, self._many
        states = int(np.prod(self._shape))
        ends = np.repeat(game.ends[:, :, None], self._many, axis=2)
        self.values = ends.copy()
        self.mixes: dict[tuple[int, int, int], tuple[_Planned, _Planned]] = {}
        self._last_volley = LastVolley(game)
        self._ways = np.zeros((states, self._b), np.uint8), np.zeros((states, self._a), np.uint8)
        self._mixed: dict[tuple[int, int, int], SplitMix] = {}
        flat = np.nan_to_num(ends).reshape(states)
        # What a state is worth before the last volley, by both cards.
        self._last = np.repeat(flat[:, None], self._a * self._b, axis=1)
        # And before the last two, by the run of the first of them and both last cards. One row is
        # enough where the duel is over.
        runs = len(links.starts) - 1
        over = np.isfinite(game.ends)
        self._rows = np.where(over, np.cumsum(over).reshape(over.shape) - 1, 0)
        self._rows += np.where(
            over, 0, over.sum() + (np.cumsum(~over).reshape(over.shape) - 1) * runs
        )
        self._alive = (~over).astype(np.int64)
        self._two = np.empty((int(over.sum() + (~over).sum() * runs), self._a * self._b))
        self._two[self._rows[over]] = game.ends[over][:, None]
        still = (links.loss_a == 0) & (links.loss_b == 0)
        self._is_still = still
        of_run = np.repeat(np.arange(runs), np.diff(links.starts))
        self._still = csr_matrix(
            (links.chance[still], (of_run[still], links.position[still])), (runs, self._many)
        ).toarray()

    def solution(self) -> PlannedSolution:
        """What has been solved."""
        shape = self._shape
        last = self._ways[0].reshape(*shape, self._b), self._ways[1].reshape(*shape, self._a)
        mixes = {
            state: (Mix(*one[:2]), Mix(*other[:2])) for state, (one, other) in self.mixes.items()
        }
        plans = {state: (one.plans, other.plans) for state, (one, other) in self.mixes.items()}
        return PlannedSolution(self.values, mixes, plans, last, self._mixed)

    # --- One pair of bodies -------------------------------------------------------------------

    def solve(self, a: int, b: int) -> None:
        """Solve all positions of a pair of bodies; all smaller bodies are solved."""
        many = self._many
        self._aim(a, b)
        values, wrong = first_guess(self.values, a, b), 0.0
        looked: list[_Looked] = []
        mixes: list[tuple[_Planned, _Planned]] = []
        for turn in range(MOST_ROUNDS):
            self._fill(a, b, values)
            if turn:
                for each in looked:
                    for table in (*each.rows, *each.columns):
                        table.refresh(self._ahead)
            else:
                looked = [self._warm(a, b, position) for position in range(many)]
            solved = [self._oracle(a, b, position, looked[position]) for position in range(many)]
            found = np.array([value for value, _, _ in solved])
            mixes = [(mine, other) for _, mine, other in solved]
            wrong = float(np.abs(found - values).max())
            if wrong <= CONTENT:
                break
            values = found if turn % 8 == 7 else self._evaluated(looked, mixes, found, values)
        check_settled(wrong)
        self.values[a, b] = values
        for position, both in enumerate(mixes):
            self.mixes[a, b, position] = both

    def reflect(self, a: int, b: int) -> None:
        """What was solved for a pair of bodies, with the sides exchanged."""
        mirror = self._game.mirror
        assert mirror is not None
        positions = mirror.positions
        self.values[b, a] = 1.0 - self.values[a, b][positions]
        here, there = self._block(a, b), self._block(b, a)
        for side in (0, 1):
            self._ways[side][there] = self._ways[1 - side][here][positions]
        for position in range(self._many):
            turned = int(positions[position])
            mine, other = self.mixes[a, b, turned]
            self.mixes[b, a, position] = (
                self._reflected(other, 0, position),
                self._reflected(mine, 1, position),
            )
            if (a, b, turned) in self._mixed:
                self._mixed[b, a, position] = self._mixed[a, b, turned].reflected()
        last = self._last[here].reshape(self._many, self._a, self._b)[positions]
        self._last[there] = 1.0 - last.transpose(0, 2, 1).reshape(self._many, -1)
        runs = len(mirror.runs)
        one, two = int(self._rows[a, b]), int(self._rows[b, a])
        turned_two = self._two[one : one + runs].reshape(runs, self._a, self._b)[mirror.runs]
        self._two[two : two + runs] = 1.0 - turned_two.transpose(0, 2, 1).reshape(runs, -1)

    def _reflected(self, mix: _Planned, side: int, position: int) -> _Planned:
        """A mix of the other side in the state that is this one with the sides exchanged."""
        mirror = self._game.mirror
        assert mirror is not None
        plans = []
        for script, plan in zip(mix.scripts, mix.plans, strict=True):
            if len(plan.second):
                card = script // self._a**2
                turned = int(mirror.positions[position])
                theirs = self._views[1 - side].unfolded(turned, card, plan.first).links
                mine = self._views[side].unfolded(position, card, plan.first).links
                places = np.argsort(theirs)
                at = places[np.searchsorted(theirs, mirror.links[mine], sorter=places)]
                plan = SplitPlan(plan.first, plan.second[at])
            plans.append(plan)
        return _Planned(mix.scripts, mix.weights, tuple(plans))

    def _block(self, a: int, b: int) -> slice:
        first = (a * self._shape[1] + b) * self._many
        return slice(first, first + self._many)

    def _aim(self, a: int, b: int) -> None:
        """The states to which the links lead from a pair of bodies."""
        links = self._game.links
        left = np.maximum(a - links.loss_a, 0), np.maximum(b - links.loss_b, 0)
        states = (left[0] * self._shape[1] + left[1]) * self._many + links.position
        self._ahead = Ahead(self._two, self._rows[left], self._alive[left], states)
        size = (len(links.starts) - 1, int(np.prod(self._shape)))
        self._follow = csr_matrix((links.chance, states, links.starts), size)

    def _warm(self, a: int, b: int, position: int) -> _Looked:
        """The scripts that were best at neighbouring bodies, with plans as for the last volley."""
        found: tuple[list[int], list[int]] = ([], [])
        for near in ((a - 1, b - 1), (a, b - 1), (a - 1, b)):
            both = self.mixes.get((*near, position))
            if both is not None:
                for side in (0, 1):
                    found[side].extend(s for s in both[side].scripts if s not in found[side])
        for side in (0, 1):
            if not found[side]:
                found[side].append(self._first(position, side))
        rows, columns = (
            [
                PlanTable(
                    self._views[side],
                    position,
                    self._plain(a, b, position, side, script),
                    self._ahead,
                )
                for script in found[side]
            ]
            for side in (0, 1)
        )
        return _Looked(rows, columns)

    def _plain(self, a: int, b: int, position: int, side: int, script: int) -> PlannedScript:
        view = self._views[side]
        cards = script_cards(script, view.own)
        ways = self._ways[side]
        first = ways[self._block(a, b)][position].copy()
        first[view.ways[position, cards[0]] == 1] = 0
        second = no_ways(view.other)
        if view.divides[cards[1]].any():
            links = view.unfolded(position, cards[0], first).links
            second = ways[self._ahead.states[links]]
        return PlannedScript(cards, SplitPlan(first, second))

    def _first(self, position: int, side: int) -> int:
        """Any script that a side is allowed."""
        lost = int(self._game.owed[position, side])
        return int(np.isfinite(self._forbidden[side][lost]).argmax())

    def _fill(self, a: int, b: int, values: Floats) -> None:
        """The tables of this pair of bodies, for these values of its positions."""
        here = self._block(a, b)
        self.values[a, b] = values
        last = self._last_volley.divide(self._follow @ self.values.ravel())
        self._last[here] = last.worth
        for side in (0, 1):
            self._ways[side][here] = last.ways[side]
        for position in range(self._many):
            self._mixed.pop((a, b, position), None)
        self._mixed.update({(a, b, position): mix for position, mix in last.mixed.items()})
        self._weights = last.weights
        self._still_last: dict[tuple[int, int], Floats] = {}
        begin = int(self._rows[a, b])
        self._two[begin : begin + self._follow.shape[0]] = self._follow @ self._last

    # --- One state ----------------------------------------------------------------------------

    def _oracle(
        self, a: int, b: int, position: int, looked: _Looked
    ) -> tuple[float, _Planned, _Planned]:
        """The value of a state and both mixes, from a few plans of each side."""
        lost = self._game.owed[position].astype(int)
        forbidden = [self._forbidden[side][lost[side]] for side in (0, 1)]
        here = self._block(a, b).start + position
        rows, columns = looked
        small = MatrixGame(np.array([[_meet(p, q) for q in columns] for p in rows]))
        while True:
            value, one, other = small.solve()
            more = False
            answers = [
                best_answer(
                    self._views[side],
                    position,
                    looked[1 - side],
                    (other, one)[side],
                    forbidden[side],
                    self._ahead,
                    Usual(self._ways[side], here),
                )
                for side in (0, 1)
            ]
            # An answer that is known already only shows how exactly the small game was solved.
            gain, loss = answers
            if gain.worth > value + CONTENT / 4 and not gain.plan.is_among(rows):
                rows.append(PlanTable(self._views[0], position, gain.plan, self._ahead))
                small.add_row(np.array([_meet(rows[-1], q) for q in columns]))
                more = True
            if loss.worth < value - CONTENT / 4 and not loss.plan.is_among(columns):
                columns.append(PlanTable(self._views[1], position, loss.plan, self._ahead))
                small.add_column(np.array([_meet(p, columns[-1]) for p in rows]))
                more = True
            if not more:
                break
        made_of = small.basic
        return value, _keep(rows, one, made_of[0]), _keep(columns, other, made_of[1])

    def _evaluated(
        self,
        looked: list[_Looked],
        mixes: list[tuple[_Planned, _Planned]],
        found: Floats,
        values: Floats,
    ) -> Floats:
        """The values if both sides keep these mixes whenever the same bodies come up again."""
        again = np.zeros((self._many, self._many))
        for position, (mine, other) in enumerate(mixes):
            rows, columns = looked[position]
            for table, weight in zip(rows, mine.weights, strict=False):
                for rival, likely in zip(columns, other.weights, strict=False):
                    if weight * likely < HARDLY_EVER:
                        continue
                    stays = self._stays(position, table, rival)
                    if stays is not None:
                        again[position] += weight * likely * stays
        return with_returns(again, found, values)

    def _stays(self, position: int, one: PlanTable, other: PlanTable) -> Floats | None:
        """How likely each position follows at the same bodies, if two plans meet."""
        game, links = self._game, self._game.links
        (x, then, last), (y, rival, end) = one.plan.cards, other.plan.cards
        i, j = int(one.plan.splits.first[y]), int(other.plan.splits.first[x])
        run = int(game.runs[position, x, y]) + i * int(game.ways[position, x, y, 1]) + j
        begin = int(links.starts[run])
        at = np.flatnonzero(self._is_still[begin : links.starts[run + 1]])
        if not len(at):
            return None
        after = links.position[begin + at]
        runs = game.runs[after, then, rival]
        if len(one.plan.splits.second):
            first = one.unfolded.starts[one.unfolded.of_card[y] + j]
            ways = one.plan.splits.second[first + at, rival].astype(np.int64)
            runs = runs + ways * game.ways[after, then, rival, 1]
        if len(other.plan.splits.second):
            first = other.unfolded.starts[other.unfolded.of_card[x] + i]
            runs = runs + other.plan.splits.second[first + at, then]
        stays: Floats = links.chance[begin + at] @ self._still[runs]
        if not stays.any():
            return None
        if (last, end) not in self._still_last:
            found = self._last_volley.still(self._weights, self._still, last, end)
            self._still_last[last, end] = found
        return np.asarray(stays @ self._still_last[last, end])


def _keep(tables: list[PlanTable], weights: Floats, made_of: Ints) -> _Planned:
    """The mix of those plans that are played at all.

    They come first among those that are looked at again, before others of which the solution is
    ``made_of``; all others are looked at no more.
    """
    played = [at for at, weight in enumerate(weights) if weight > 1e-12]
    others = [at for at in made_of.tolist() if at not in played]
    total = sum(float(weights[at]) for at in played)
    tables[:] = [tables[at] for at in (*played, *others)]
    kept, many = tables[: len(played)], tables[0].own
    return _Planned(
        tuple(script_number(table.plan.cards, many) for table in kept),
        tuple(float(weights[at]) / total for at in played),
        tuple(table.plan.splits for table in kept),
    )


def _meet(mine: PlanTable, other: PlanTable) -> float:
    """What two plans lead to."""
    return mine.against(other.plan, other.unfolded)


def _forbidden(cards: tuple[str, ...], allowed: Allowed, lost: int, far: float) -> Floats:
    """What is added to each script: nothing, or far too much where a rule forbids it.

    A volley that is lost has no card; so all scripts that differ only in it are one.
    """
    found = np.zeros(len(cards) ** 3)
    for at, script in enumerate(product(cards, repeat=3)):
        skipped = lost and script[0] != cards[0]
        if skipped or (allowed is not None and not allowed(script[lost:])):
            found[at] = far
    if not np.isfinite(found).any():
        raise Refusal("This rule forbids every script.")
    return found.reshape((len(cards),) * 3)


def script_number(cards: Cards3, many: int) -> int:
    """The number of a script."""
    return (cards[0] * many + cards[1]) * many + cards[2]
