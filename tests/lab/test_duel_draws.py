"""Duels drawn from the tables beside duels that the engine plays out, and beside the solution."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import msgspec
import numpy as np
import pytest

from astragal.dice import Seeded
from astragal.games.burning_wheel.conflicts.duel_of_wits.challenge import DuelSide
from astragal.games.burning_wheel.conflicts.duel_of_wits.duel import DuelOfWits
from astragal.games.burning_wheel.conflicts.duel_of_wits.policies import at_random, simulate
from astragal.games.game import Table
from astragal.lab.duel_draws import AnyScript, BestScripts, DuelDraws, SameScript
from astragal.lab.duel_game import Payoff, duel_game
from astragal.lab.duel_volleys import Splits, Volleys
from astragal.lab.solved_duel import solve_duel
from lab.duels import DEBATE, small_hall

PLAYED = 4000


def test_drawn_duels_end_as_those_that_the_engine_plays():
    table = small_hall(3, 2, (2, 1))
    game = duel_game(Volleys(DEBATE, table, Splits.EVEN), Payoff.WIN, (5, 3))
    drawn = DuelDraws(game).draw(400_000, (AnyScript(7**3), AnyScript(7**3)), 7)
    alone = {
        name: msgspec.structs.replace(sheet, player=name)
        for name, sheet in table.characters.items()
    }
    arguments = DuelOfWits(
        "it", (DuelSide("ann", "Rhetoric"), DuelSide("bob", "Rhetoric")), rehearsal=True
    )
    chance = Seeded("chi-square")
    scripters = dict.fromkeys(("ann", "bob"), at_random(chance))
    room = Table(alone, table.scene, table.options)
    # A Big Deal: Will and skill are the bodies, 2 + 3 and 1 + 2.
    duels = list(islice(simulate(arguments, room, scripters, chance, body="big_deal"), PLAYED))
    assert {duel.started for duel in duels} == {(5, 3)}
    played = np.zeros_like(drawn.ends)
    for (a, b), times in Counter(duel.bodies for duel in duels).items():
        played[max(a, 0), max(b, 0)] += times
    cells = drawn.ends.ravel() > 400_000 * 10 / PLAYED  # at least ten are to be expected
    counts = np.array([drawn.ends.ravel()[cells], played.ravel()[cells]])
    assert cells.sum() >= 6
    from scipy.stats import chi2_contingency  # takes long to import

    assert chi2_contingency(counts).pvalue > 0.001
    for mine, theirs in (
        (drawn.volleys / drawn.runs, [duel.volleys for duel in duels]),
        (drawn.exchanges / drawn.runs, [duel.exchanges for duel in duels]),
    ):
        error = np.std(theirs) / PLAYED**0.5
        assert abs(mine - np.mean(theirs)) < 4 * error


def test_the_best_scripts_win_as_often_as_the_solution_says():
    solved = solve_duel(DEBATE, small_hall(3, 2), Payoff.WIN, (2, 3))
    best = BestScripts(solved, 0), BestScripts(solved, 1)
    draws = DuelDraws(solved.game)
    drawn = draws.draw(300_000, best, 3)
    assert sum(drawn.wins) == drawn.runs == drawn.ends.sum() == 300_000
    mean = (drawn.wins[0] + drawn.wins[2] / 2) / drawn.runs
    assert mean == pytest.approx(solved.values[2, 3, 0], abs=4 * 0.5 / 300_000**0.5)
    # Against the best scripts nothing wins more than the value, however it is written.
    for worse in (AnyScript(7**3), SameScript(0), SameScript(342)):
        lost = draws.draw(20_000, (worse, best[1]), 3)
        assert (lost.wins[0] + lost.wins[2] / 2) / lost.runs < mean + 0.015


def test_the_same_seed_draws_the_same_duels_and_another_one_others():
    game = duel_game(Volleys(DEBATE, small_hall(1, 1)), Payoff.WIN, (2, 2))
    policies = AnyScript(7**3), AnyScript(7**3)
    first, again, other = (DuelDraws(game).draw(500, policies, seed) for seed in (1, 1, (1, 2)))
    assert (first.ends == again.ends).all()
    assert (first.ends != other.ends).any()
