"""Small matrix games: the value, and the best mix of both sides.

The row side wants much, the column side little. :func:`solve_matrix` is a simplex method on a dense
table, which for a dozen scripts is quicker than handing a program to a library; where rounding has
spoilt its answer, SciPy's HiGHS solves the same program, and the best of the answers is taken.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

EXACT_ENOUGH = 1e-11
"""By how much an answer may be wrong before it is computed in another way."""


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
    saddle = _saddle(payoffs)
    if saddle is not None:
        return saddle
    found = _simplex(payoffs)
    if found is not None and gap(payoffs, found) <= EXACT_ENOUGH:
        return found
    tries = [found, _by_highs(payoffs, 1e-10), _by_highs(payoffs, 1e-7)]
    known = [each for each in tries if each is not None]
    known += [better for each in known if (better := _polished(payoffs, each)) is not None]
    return min(known, key=lambda each: gap(payoffs, each))


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


def _simplex(payoffs: Floats) -> Mixes | None:
    """Maximise the sum of z with (payoffs + shift) z <= 1; the dual gives the other mix."""
    many, wide = payoffs.shape
    shift = 1.0 - float(payoffs.min())
    table = np.zeros((many + 1, wide + many + 1))
    table[:many, :wide] = payoffs + shift
    table[:many, wide : wide + many] = np.eye(many)
    table[:many, -1] = 1.0
    table[many, :wide] = -1.0
    basis = np.arange(wide, wide + many)
    for turn in range(20 * (many + wide)):
        costs = table[many, :-1]
        # After many turns the first improving column, which cannot run in circles.
        if turn < 6 * (many + wide):
            enter = int(costs.argmin())
        else:
            improving = np.flatnonzero(costs < -1e-12)
            enter = int(improving[0]) if len(improving) else 0
        if costs[enter] >= -1e-12:
            break
        column = table[:many, enter]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(column > 1e-12, table[:many, -1] / column, np.inf)
        leave = int(ratios.argmin())
        if not np.isfinite(ratios[leave]):
            return None
        table[leave] /= table[leave, enter]
        factors = table[:, enter].copy()
        factors[leave] = 0.0
        table -= factors[:, None] * table[leave]
        basis[leave] = enter
    else:
        return None
    columns = np.zeros(wide + many)
    columns[basis] = table[:many, -1]
    columns = columns[:wide].clip(0.0)
    rows = table[many, wide : wide + many].clip(0.0)
    if not columns.sum() or not rows.sum():
        return None
    columns, rows = columns / columns.sum(), rows / rows.sum()
    return Mixes(float(rows @ payoffs @ columns), rows, columns)


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
