"""What a script or a split was worth: against the solution, and against the exact driver."""

from __future__ import annotations

import pytest

from astragal.lab.duel_game import Payoff
from astragal.lab.duel_review import _whole, _Worths
from astragal.lab.duel_volleys import Between, Volleys
from astragal.lab.solved_duel import SolvedDuel, solve_duel
from lab.duels import DEBATE, every_script, small_hall, walked


@pytest.fixture(scope="module")
def solved() -> SolvedDuel:
    return solve_duel(DEBATE, small_hall(), Payoff.WIN, (3, 3))


@pytest.mark.parametrize("position", [0, 1, 5])
@pytest.mark.parametrize("side", [0, 1])
def test_against_the_best_mix_no_script_is_worth_more_than_the_state(solved, position, side):
    bodies = (2, 3)
    worths = _Worths(solved)
    mix = solved.scripts(1 - side, bodies, position)
    against = [(_whole(script, solved, 1 - side), weight) for script, weight in mix]
    lost = solved.positions[position].owed[side]
    scripts = {script[lost:]: script for script in every_script(solved.game.cards[side])}
    worth = {
        written: worths.of(bodies, position, side, whole, against)
        for written, whole in scripts.items()
    }
    value = float(solved.values[(*bodies, position)])
    mine = value if side == 0 else 1 - value
    assert max(worth.values()) == pytest.approx(mine, abs=1e-8)
    for script, _ in solved.scripts(side, bodies, position):
        assert worth[script] == pytest.approx(mine, abs=1e-8)
    assert min(worth.values()) < mine - 0.05


@pytest.mark.parametrize("cards", [("rebuttal", "point"), ("rebuttal", "dismiss")])
@pytest.mark.parametrize("defence", [1, 2, 3])
def test_a_split_leads_to_what_the_exact_driver_says(cards, defence):
    hall = small_hall(ann=4)
    found = Volleys(DEBATE, hall).divided(Between(), cards, 0, defence, 4)
    told = walked(hall, Between(), cards, (defence, 0))
    assert found == pytest.approx(told)


def test_dice_that_came_from_elsewhere_are_divided_as_well():
    cards = ("rebuttal", "point")
    more = Volleys(DEBATE, small_hall(ann=3)).divided(Between(), cards, 0, 2, 4)
    assert more == pytest.approx(walked(small_hall(ann=4), Between(), cards, (2, 0)))
