"""Small matrix games against published values and another solver."""

from __future__ import annotations

import numpy as np
import pytest

from astragal.lab import matrix_game
from astragal.lab.matrix_game import MatrixGame, gap, solve_matrix


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


@pytest.mark.parametrize("seed", range(30))
def test_a_game_that_grows_has_the_value_of_one_that_is_solved_anew(seed):
    """Going on from the last solution must not show, whatever is added."""
    chance = np.random.default_rng(seed)
    whole = chance.random((14, 14))
    if seed % 3 == 0:
        whole = whole.round(1)  # with many ties, and lines that are alike
    if seed % 3 == 1:
        whole[3:] = 0.5 + whole[3:] * 1e-7  # hardly to be told apart
    rows, columns = 1 + seed % 2, 1 + seed % 3
    game = MatrixGame(whole[:rows, :columns])
    while True:
        small = whole[:rows, :columns]
        assert (game.payoffs == small).all()
        solved = game.solve()
        assert gap(small, solved) < 1e-10
        assert solved.value == pytest.approx(solve_matrix(small).value, abs=1e-10)
        made_of = game.basic
        assert len(made_of[0]) == len(made_of[1])
        assert {*np.flatnonzero(solved.rows > 1e-9)} <= {*made_of[0].tolist()}
        assert {*np.flatnonzero(solved.columns > 1e-9)} <= {*made_of[1].tolist()}
        if rows == columns == len(whole):
            break
        which = chance.integers(3)  # a row, a column, or both at once
        if which != 1 and rows < len(whole):
            game.add_row(whole[rows, :columns])
            rows += 1
        if which != 0 and columns < len(whole):
            game.add_column(whole[:rows, columns])
            columns += 1


@pytest.mark.parametrize("seed", range(12))
def test_wherever_it_begins_it_comes_to_the_same_value(seed):
    """A basis that is good for another game, or for none, is only where it begins."""
    chance = np.random.default_rng(seed)
    payoffs = chance.random((7, 9))
    value = solve_matrix(payoffs).value
    for _ in range(20):
        game = MatrixGame(payoffs)
        # Some columns and some slacks: often no solution, and sometimes not even a basis.
        found = np.concatenate([np.arange(9), ~np.arange(7)])
        game._basis = chance.choice(found, 7, replace=bool(seed % 2))
        solved = game.solve()
        assert solved.value == pytest.approx(value, abs=1e-10)
        assert gap(payoffs, solved) < 1e-10


@pytest.mark.parametrize("seed", range(6))
def test_where_the_simplex_method_fails_another_solver_is_asked(seed, monkeypatch):
    payoffs = np.random.default_rng(seed).random((6, 5))
    expected = solve_matrix(payoffs)
    monkeypatch.setattr(matrix_game, "_simplex", lambda *_: None)
    solved = solve_matrix(payoffs)
    assert solved.value == pytest.approx(expected.value, abs=1e-9)
    assert gap(payoffs, solved) < 1e-9


def test_it_does_not_run_in_circles_for_ever():
    """Beale's example, on which to take the largest gain and the first of ties never ends."""
    table = np.array(
        [
            [1, 0, 0, 1 / 4, -60, -1 / 25, 9, 0],
            [0, 1, 0, 1 / 2, -90, -1 / 50, 3, 0],
            [0, 0, 1, 0, 0, 1, 0, 1],
            [0, 0, 0, -3 / 4, 150, -1 / 50, 6, 0],
        ]
    )
    basis = np.arange(3)
    assert matrix_game._optimal(table, basis)
    assert table[-1, -1] == pytest.approx(1 / 20)
    weights = dict(zip(basis.tolist(), table[:3, -1].tolist(), strict=True))
    assert weights[3] == pytest.approx(1 / 25)
    assert weights[5] == pytest.approx(1)
