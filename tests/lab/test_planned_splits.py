"""Splits of Rebuttals as part of the play: certified, and counted out by hand for a tiny duel."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import exploitability

from astragal.lab import planned_solver
from astragal.lab.duel_certificate import certify
from astragal.lab.duel_game import Payoff, duel_game
from astragal.lab.duel_volleys import Between, Volleys
from astragal.lab.matrix_game import MatrixGame, Mixes, solve_matrix
from astragal.lab.rules_of_thumb import parse_rule
from astragal.lab.solved_duel import SolvedDuel, solve_duel
from astragal.lab.usual_splits import UsualSplits
from lab.duels import DEBATE, small_hall, walked

CARDS = ("point", "rebuttal")
ONLY_THESE = parse_rule("never avoid, never dismiss, never feint, never incite, never obfuscate")


@pytest.fixture(scope="module")
def planned() -> SolvedDuel:
    return solve_duel(DEBATE, small_hall(4, 3), Payoff.WIN, (2, 3), planned=True)


@pytest.fixture(scope="module")
def usual() -> SolvedDuel:
    return solve_duel(DEBATE, small_hall(4, 3), Payoff.WIN, (2, 3))


def test_nobody_gains_by_other_scripts_or_other_splits(planned):
    proof = certify(planned)
    assert proof.worst < 1e-8
    value = planned.values[2, 3, 0]
    assert proof.most == pytest.approx((value, value))
    assert proof.least == pytest.approx((value, value))


def test_sides_that_are_alike_are_solved_once_and_turned_round():
    solved = solve_duel(DEBATE, small_hall(3, 3), Payoff.COMPROMISE, (2, 2), planned=True)
    assert solved.game.mirror is not None
    assert certify(solved).worst < 1e-8
    assert solved.values[2, 1, 0] == pytest.approx(1 - solved.values[1, 2, 0])


def test_small_games_that_are_solved_inexactly_do_not_keep_it_busy_for_ever(monkeypatch):
    """Then the best answer seems to gain something, though it is looked at already."""
    asked = []

    class Inexact(MatrixGame):
        def solve(self):
            asked.append(self.payoffs.shape)
            assert max(asked[-1]) < 60, "the same plans are added again and again"
            value, rows, columns = super().solve()
            return Mixes(value - 1e-9, rows, columns)

    exact = solve_duel(DEBATE, small_hall(3, 3), Payoff.WIN, (2, 1), planned=True)
    monkeypatch.setattr(planned_solver, "MatrixGame", Inexact)
    solved = solve_duel(DEBATE, small_hall(3, 3), Payoff.WIN, (2, 1), planned=True)
    assert asked
    assert solved.values[2, 1] == pytest.approx(exact.values[2, 1], abs=1e-6)


def test_the_certificate_says_what_splits_gain_against_the_usual_ones(planned, usual):
    """Who divides with regard to the rest gains on who does not, and no more than is said."""
    bound = certify(usual)
    free = certify(UsualSplits(usual))
    assert bound.exploitability < 1e-8
    assert free.exploitability > 1e-4
    assert min(free.least) <= planned.values[2, 3, 0] <= max(free.most)


def test_a_plan_that_divides_worse_is_found_out(planned):
    class Worse:
        """As published, but Ann puts a single die into her defence in the last volley."""

        game, mix, plans = planned.game, planned.mix, planned.plans

        def last_splits(self, side, bodies):
            found = planned.last_splits(side, bodies)
            if side == 0:
                found[:] = np.eye(found.shape[-1])[0]
            return found

    assert certify(Worse()).worst > 1e-4


def test_a_solution_with_plans_is_kept_whole(planned, tmp_path):
    again = [
        solve_duel(DEBATE, small_hall(2, 3), Payoff.WIN, (1, 1), planned=True, cache=tmp_path)
        for _ in range(2)
    ]
    assert len(list(tmp_path.iterdir())) == 1
    assert again[0].to_bytes() == again[1].to_bytes()
    assert again[1].is_planned
    assert certify(again[1]).worst < 1e-8


def test_splits_have_no_say_where_there_is_nothing_to_divide():
    """With two dice there is one way to divide them; then both ways to solve it agree."""
    one, other = (
        solve_duel(
            DEBATE,
            small_hall(2, 2),
            Payoff.WIN,
            (2, 1),
            rules=(ONLY_THESE, ONLY_THESE),
            planned=each,
        )
        for each in (False, True)
    )
    assert np.nanmax(np.abs(one.values - other.values)[..., 0]) < 1e-8


def ann_plays() -> list[tuple[tuple[str, ...], dict[tuple[int | str, ...], int]]]:
    """Every script, with every way to divide three dice wherever a Rebuttal may be shown.

    In the last volley nothing is hidden any more, so only the other's last card matters.
    """
    found = []
    for script in product(CARDS, repeat=3):
        places = [
            (volley, *shown)
            for volley in (1, 2, 3)
            if script[volley - 1] == "rebuttal"
            for shown in product(CARDS, repeat=volley if volley < 3 else 1)
        ]
        found += [
            (script, dict(zip(places, ways, strict=True)))
            for ways in product((1, 2), repeat=len(places))
        ]
    return found


def test_open_spiel_finds_the_same_in_a_duel_counted_out_by_hand():
    """Bodies 1 and 1, two cards: every script of three dice with every plan, against two dice."""
    table = small_hall(3, 2)
    solved = solve_duel(
        DEBATE, table, Payoff.WIN, (1, 1), rules=(ONLY_THESE, ONLY_THESE), planned=True
    )

    @cache
    def odds(pair: tuple[str, str], split: int):
        return tuple(walked(table, Between(), pair, (split, 1)).items())

    def worth(mine, splits, other) -> float:
        total, goes_on = 0.0, 1.0
        for volley, pair in enumerate(zip(mine, other, strict=True), 1):
            seen = other[:volley] if volley < 3 else other[2:]
            split = splits.get((volley, *seen), 0)
            stays = 0.0
            for ((lost_a, lost_b), after), chance in odds(pair, split):
                if lost_a or lost_b:
                    total += goes_on * chance * (0.5 if lost_a and lost_b else float(not lost_a))
                else:
                    assert after == Between()
                    stays += chance
            goes_on *= stays
        return total + goes_on * float(solved.values[1, 1, 0])

    rows, columns = ann_plays(), list(product(CARDS, repeat=3))
    payoffs = np.array([[worth(*mine, other) for other in columns] for mine in rows])
    assert solve_matrix(payoffs).value == pytest.approx(solved.values[1, 1, 0], abs=1e-9)
    game = pyspiel.convert_to_turn_based(
        pyspiel.create_matrix_game(payoffs.tolist(), (1 - payoffs).tolist())
    )
    published = spiel_policy.TabularPolicy(game)
    chances = np.zeros(len(rows)), np.zeros(len(columns))
    whole = solved.game
    named = [whole.cards[0].index(card) for card in CARDS]
    last = solved.last_splits(0, (1, 1))[0].argmax(axis=-1)
    scripts = whole.scripts(0)
    mix = solved.mix(0, (1, 1))
    for script, weight, plan in zip(*mix, solved.plans(0, (1, 1)), strict=True):
        cards = scripts[script]
        splits: dict[tuple[int | str, ...], int] = {}
        unfolded = whole.unfolded(0, 0, whole.cards[0].index(cards[0]), plan.first)
        for y, first in zip(named, CARDS, strict=True):
            if cards[0] == "rebuttal":
                splits[1, first] = int(plan.first[y]) + 1
            run = unfolded.of_card[y]
            links = unfolded.links[unfolded.starts[run] : unfolded.starts[run + 1]]
            still = (whole.links.loss_a[links] == 0) & (whole.links.loss_b[links] == 0)
            at = int(unfolded.starts[run] + np.flatnonzero(still)[0])
            for z, second in zip(named, CARDS, strict=True):
                if cards[1] == "rebuttal":
                    splits[2, first, second] = int(plan.second[at, z]) + 1
            if cards[2] == "rebuttal":
                splits[3, first] = int(last[y]) + 1
        chances[0][rows.index((cards, splits))] += weight
    for script, weight in zip(*solved.mix(1, (1, 1)), strict=True):
        chances[1][columns.index(scripts[script])] += weight
    for side, mine in enumerate(chances):
        state = published.states_per_player[side][0]
        published.action_probability_array[published.state_lookup[state]] = 0.0
        published.action_probability_array[published.state_lookup[state], : len(mine)] = mine
    assert exploitability.nash_conv(game, published) < 1e-8


def test_usual_splits_are_one_run_for_each_meeting():
    game = duel_game(Volleys(DEBATE, small_hall(4, 3)), Payoff.WIN, (1, 1))
    usual = game.at_usual()
    assert (usual.ways == 1).all()
    assert usual.at_usual() is usual
    many = len(game.positions) * 49
    assert len(usual.links.starts) == many + 1
    sums = np.add.reduceat(usual.links.chance, usual.links.starts[:-1])
    assert sums == pytest.approx(np.ones(many))
    volleys = Volleys(DEBATE, small_hall(4, 3))
    x, y = game.cards[0].index("rebuttal"), game.cards[1].index("point")
    best = volleys.usual(Between(), ("rebuttal", "point"))[0]
    assert game.usual[0, x, y, 0] == best - 1
