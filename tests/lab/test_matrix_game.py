"""Small matrix games against published values and another solver."""

from __future__ import annotations

import numpy as np
import pytest

from astragal.lab.matrix_game import gap, solve_matrix


@pytest.mark.parametrize(
    ("payoffs", "value", "rows"),
    [
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, [1 / 3] * 3),  # rock, paper, scissors
        ([[3, -1], [-2, 1]], 1 / 7, [3 / 7, 4 / 7]),
        ([[5, 3], [2, 1]], 3, [1, 0]),  # a saddle point
    ],
)
def test_games_with_known_values(payoffs, value, rows):
    solved = solve_matrix(np.array(payoffs, float))
    assert solved.value == pytest.approx(value)
    assert solved.rows == pytest.approx(rows)


@pytest.mark.parametrize("seed", range(40))
def test_whatever_the_game_it_has_the_value_that_another_solver_finds(seed):
    chance = np.random.default_rng(seed)
    payoffs = chance.random((chance.integers(1, 12), chance.integers(1, 12)))
    if seed % 3 == 0:
        payoffs = payoffs.round(1)  # with many ties
    solved = solve_matrix(payoffs)
    many, wide = payoffs.shape
    # The row side's own program: the highest floor under what every column leaves it.
    from scipy.optimize import linprog  # takes long to import

    program = linprog(
        [*[0] * many, -1],
        A_ub=np.c_[-payoffs.T, np.ones(wide)],
        b_ub=np.zeros(wide),
        A_eq=[[*[1] * many, 0]],
        b_eq=[1],
        bounds=[(0, 1)] * many + [(None, None)],
    )
    assert solved.value == pytest.approx(-program.fun, abs=1e-9)
    assert gap(payoffs, solved) < 1e-10
    for mix in (solved.rows, solved.columns):
        assert mix.min() >= 0
        assert mix.sum() == pytest.approx(1)


def test_payoffs_that_hardly_differ_are_solved_too():
    """With rows and columns so alike a first answer is spoilt by rounding."""
    chance = np.random.default_rng(5)
    near = 0.5 + chance.random((9, 11)) * 1e-7
    near[:3] = chance.random((3, 11))
    near[:, :2] = chance.random((9, 2))
    solved = solve_matrix(near)
    assert gap(near, solved) < 1e-10
