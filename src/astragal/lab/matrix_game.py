"""Small matrix games: the value, and the best mix of both sides.

The row side wants much, the column side little. A :class:`MatrixGame` is solved by a simplex method
on a dense table, which for a few dozen scripts is quicker than handing a program to a library. When
a script is added, it goes on from the scripts that were best before, and needs only a few steps
more. Where rounding has spoilt the answer, SciPy's HiGHS solves the same program, and the best of
the answers is taken.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

EXACT_ENOUGH = 1e-11
"""By how much an answer may be wrong before it is computed in another way."""

TINY = 1e-12
"""What counts as zero in a table."""


class Mixes(NamedTuple):
    """A solved matrix game."""

    value: float
    rows: Floats
    columns: Floats


def solve_matrix(payoffs: Floats) -> Mixes:
    """The value of a game and a best mix for each side.

    >>> value, rows, columns = solve_matrix(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> round(value, 9), rows.round(9).tolist(), columns.round(9).tolist()
    (0.5, [0.5, 0.5], [0.5, 0.5])
    """
    return MatrixGame(payoffs).solve()


class MatrixGame:
    """A game to which scripts can be added, and which can be solved after each of them."""

    def __init__(self, payoffs: Floats) -> None:
        """Begin with these scripts of both sides."""
        self.payoffs = payoffs
        many, wide = payoffs.shape
        # For each row, what it is solved for: a column, or the slack of a row (~row). As many rows
        # as columns are often those of which a solution was made before (``basic``).
        self._basis = np.arange(many) if many == wide else _slacks(many)

    @property
    def basic(self) -> tuple[Ints, Ints]:
        """The rows and columns of which the last solution is made, as many of each.

        Some may have no weight. A game of these alone, with payoffs much like those of this one,
        is solved in a few steps.
        """
        rows = np.setdiff1d(np.arange(len(self.payoffs)), ~self._basis[self._basis < 0])
        return rows, self._basis[self._basis >= 0]

    def add_row(self, row: Floats) -> None:
        """One more script of the row side, against all columns."""
        self._basis = np.append(self._basis, ~len(self.payoffs))
        self.payoffs = np.vstack([self.payoffs, row])

    def add_column(self, column: Floats) -> None:
        """One more script of the column side, against all rows."""
        self.payoffs = np.column_stack([self.payoffs, column])

    def solve(self) -> Mixes:
        """The value of the game, and a best mix for each side."""
        payoffs = self.payoffs
        saddle = _saddle(payoffs)
        if saddle is not None:
            self._basis = _slacks(len(payoffs))
            self._basis[saddle.rows.argmax()] = saddle.columns.argmax()
            return saddle
        tries = []
        for basis in (self._basis, _slacks(len(payoffs))):
            solved = _simplex(payoffs, basis)
            if solved is not None:
                mixes, self._basis = solved
                if gap(payoffs, mixes) <= EXACT_ENOUGH:
                    return mixes
                tries.append(mixes)
        more = (_by_highs(payoffs, 1e-10), _by_highs(payoffs, 1e-7))
        tries += [each for each in more if each is not None]
        tries += [better for each in tries if (better := _polished(payoffs, each)) is not None]
        return min(tries, key=lambda each: gap(payoffs, each))


def gap(payoffs: Floats, mixes: Mixes) -> float:
    """What both sides together could gain by playing something else."""
    most = float((payoffs @ mixes.columns).max())
    least = float((mixes.rows @ payoffs).min())
    return most - least


def _saddle(payoffs: Floats) -> Mixes | None:
    worst, best = payoffs.min(axis=1), payoffs.max(axis=0)
    row, column = int(worst.argmax()), int(best.argmin())
    if worst[row] < best[column]:
        return None
    rows, columns = np.zeros(len(worst)), np.zeros(len(best))
    rows[row] = columns[column] = 1.0
    return Mixes(float(payoffs[row, column]), rows, columns)


def _slacks(many: int) -> Ints:
    """The basis in which nothing is played yet."""
    found: Ints = ~np.arange(many)
    return found


def _simplex(payoffs: Floats, basis: Ints) -> tuple[Mixes, Ints] | None:
    """Maximise the sum of z with (payoffs + shift) z <= 1; the dual gives the other mix.

    Begins with a basis and returns that of the solution; none where it does not come to an end.
    """
    many, wide = payoffs.shape
    program = np.hstack([payoffs - payoffs.min() + 1.0, np.eye(many), np.ones((many, 1))])
    basis = np.where(basis < 0, wide + ~basis, basis)
    table = np.empty((many + 1, wide + many + 1))
    try:
        table[:many] = np.linalg.solve(program[:, basis], program)
    except np.linalg.LinAlgError:
        return None
    table[many] = table[:many][basis < wide].sum(axis=0)
    table[many, :wide] -= 1.0
    if not (_feasible(table, basis) and _optimal(table, basis)):
        return None
    # What was rounded on the way is forgotten: only the basis counts.
    try:
        inverse = np.linalg.inv(program[:, basis])
    except np.linalg.LinAlgError:
        return None
    weights = np.zeros(wide + many)
    weights[basis] = inverse.sum(axis=1)
    columns = weights[:wide].clip(0.0)
    rows = inverse[basis < wide].sum(axis=0).clip(0.0)
    if not columns.sum() or not rows.sum():
        return None
    columns, rows = columns / columns.sum(), rows / rows.sum()
    mixes = Mixes(float(rows @ payoffs @ columns), rows, columns)
    return mixes, np.where(basis < wide, basis, ~(basis - wide))


def _feasible(table: Floats, basis: Ints) -> bool:
    """Turn the table until no weight is below zero, as after a new row; by the dual method."""
    many = len(basis)
    for _ in range(4 * table.shape[1]):
        leave = int(table[:many, -1].argmin())
        if table[leave, -1] >= -TINY:
            return True
        row, costs = table[leave, :-1], table[many, :-1]
        usable = (row < -TINY) & (costs > -TINY)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(usable, costs / -row, np.inf)
        enter = int(ratios.argmin())
        if not usable[enter]:
            return False
        _pivot(table, basis, leave, enter)
    return False


def _optimal(table: Floats, basis: Ints) -> bool:
    """Turn the table until no further script improves it, as after a new column."""
    many, width = len(basis), table.shape[1]
    for turn in range(20 * width):
        costs = table[many, :-1]
        if costs.min() >= -TINY:
            return True
        # After many turns always the first of all that would do, which cannot run in circles.
        is_patient = turn >= 6 * width
        enter = int((costs < -TINY).argmax() if is_patient else costs.argmin())
        column = table[:many, enter]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(column > TINY, table[:many, -1] / column, np.inf)
        leave = int(ratios.argmin())
        if not np.isfinite(ratios[leave]):
            return False
        if is_patient:
            tied = np.flatnonzero(ratios <= ratios[leave] + TINY)
            leave = int(tied[basis[tied].argmin()])
        _pivot(table, basis, leave, enter)
    return False


def _pivot(table: Floats, basis: Ints, leave: int, enter: int) -> None:
    table[leave] /= table[leave, enter]
    factors = table[:, enter].copy()
    factors[leave] = 0.0
    table -= factors[:, None] * table[leave]
    basis[leave] = enter


def _polished(payoffs: Floats, near: Mixes) -> Mixes | None:
    """The mixes of the same scripts that leave the other side indifferent between its own."""
    rows, columns = np.flatnonzero(near.rows > 1e-9), np.flatnonzero(near.columns > 1e-9)
    if len(rows) != len(columns):
        return None
    among = payoffs[np.ix_(rows, columns)]
    try:
        mine = np.linalg.solve(_bordered(among.T), np.r_[np.zeros(len(rows)), 1.0])
        other = np.linalg.solve(_bordered(among), np.r_[np.zeros(len(rows)), 1.0])
    except np.linalg.LinAlgError:
        return None
    if mine[:-1].min() < 0 or other[:-1].min() < 0:
        return None
    one, two = np.zeros(payoffs.shape[0]), np.zeros(payoffs.shape[1])
    one[rows], two[columns] = mine[:-1], other[:-1]
    return Mixes(float(one @ payoffs @ two), one, two)


def _bordered(among: Floats) -> Floats:
    """Every line gives the same value, and the weights are one together."""
    many = len(among)
    table = np.zeros((many + 1, many + 1))
    table[:many, :many] = among
    table[:many, -1] = -1.0
    table[-1, :many] = 1.0
    return table


def _by_highs(payoffs: Floats, tolerance: float) -> Mixes | None:
    from scipy.optimize import linprog

    many, wide = payoffs.shape
    # Variables: the mix of the columns, and the value that no row exceeds.
    result = linprog(
        np.r_[np.zeros(wide), 1.0],
        A_ub=np.c_[payoffs, -np.ones(many)],
        b_ub=np.zeros(many),
        A_eq=np.r_[np.ones(wide), 0.0][None],
        b_eq=[1.0],
        bounds=[(0, None)] * wide + [(None, None)],
        method="highs",
        options={
            "primal_feasibility_tolerance": tolerance,
            "dual_feasibility_tolerance": tolerance,
        },
    )
    if result.x is None:
        return None
    columns = result.x[:wide].clip(0.0)
    rows = -result.ineqlin.marginals.clip(None, 0.0)
    columns, rows = columns / columns.sum(), rows / rows.sum()
    return Mixes(float(rows @ payoffs @ columns), rows, columns)
