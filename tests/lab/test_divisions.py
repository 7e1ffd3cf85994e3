"""What planned splits say, to be read: the same dice and the same volleys as at the table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from astragal.lab.divisions import divided_scripts, last_divisions
from astragal.lab.duel_game import Bodies, Payoff
from astragal.lab.duel_volleys import Between
from astragal.lab.rules_of_thumb import parse_rule
from astragal.lab.solved_duel import SolvedDuel, solve_duel
from lab.duels import DEBATE, small_hall, walked

HALL = small_hall(4, 3)
BODIES = (2, 2)


@pytest.fixture(scope="module")
def solved() -> SolvedDuel:
    return solve_duel(DEBATE, HALL, Payoff.WIN, BODIES, planned=True)


def states(solved: SolvedDuel) -> Iterator[tuple[Bodies, int]]:
    """All states in which both write whole scripts."""
    for position, between in enumerate(solved.positions):
        for bodies in product((1, 2), repeat=2):
            if not any(between.owed):
                yield bodies, position


@pytest.fixture(scope="module")
def rebutted() -> SolvedDuel:
    """Both keep to Rebuttals, so there is much to divide."""
    always = parse_rule("rebuttal rebuttal rebuttal")
    return solve_duel(DEBATE, HALL, Payoff.WIN, BODIES, rules=(always, always), planned=True)


@pytest.mark.parametrize("side", [0, 1])
def test_a_plan_has_an_answer_for_everything_that_a_volley_may_come_to(rebutted, side):
    solved = rebutted

    @cache
    def comes_to(position: int, pair: tuple[str, str], defence: tuple[int, int]):
        return set(walked(HALL, solved.positions[position], pair, defence))

    looked_at = 0
    for bodies, position in states(solved):
        scripts = divided_scripts(solved, side, bodies, position)
        known = solved.scripts(side, bodies, position)
        assert [(each.cards, each.weight) for each in scripts] == known
        for script in scripts:
            first = {each.shown[0]: each for each in script.divisions if len(each.shown) == 1}
            second = [each for each in script.divisions if len(each.shown) == 2]
            assert bool(first) == (script.cards[0] == "rebuttal")
            assert bool(second) == (script.cards[1] == "rebuttal")
            if position == 0:
                assert {each.defence + each.riposte for each in first.values()} <= {(4, 3)[side]}
            for shown in {each.shown[0] for each in second}:
                mine = first[shown].defence if shown in first else 0
                after = [each for each in second if each.shown[0] == shown]
                for theirs in {each.other_defence for each in after}:
                    assert bool(theirs) == (shown == "rebuttal")
                    defence = (mine, theirs) if side == 0 else (theirs, mine)
                    pair = (script.cards[0], shown) if side == 0 else (shown, script.cards[0])
                    # Who has lost the second volley divides nothing in it.
                    at_table = {
                        each for each in comes_to(position, pair, defence) if not each[1].owed[side]
                    }
                    planned = {
                        (each.lost, solved.positions[each.position])
                        for each in after
                        if each.other_defence == theirs
                    }
                    assert planned == at_table
                    looked_at += 1
    assert looked_at >= 10


def test_in_the_last_volley_it_is_what_gains_most(solved):
    """At one point each, against a Point: worked out by the engine for every split."""

    def worth(defence: int) -> float:
        total = 0.0
        for ((lost_a, lost_b), after), chance in walked(
            HALL, Between(), ("rebuttal", "point"), (defence, 0)
        ).items():
            still = solved.values[1, 1, solved.positions.index(after)]
            won = 0.5 if lost_a and lost_b else float(not lost_a)
            total += chance * (won if lost_a or lost_b else float(still))
        return total

    (found,) = [each for each in last_divisions(solved, 0, (1, 1)) if each.meets == "point"]
    assert found.chance == 1
    assert found.defence == max((1, 2, 3), key=worth)
    assert found.riposte == 4 - found.defence


def test_who_has_to_draw_divides_in_several_ways(solved):
    drawn = [
        each
        for bodies, position in states(solved)
        for side in (0, 1)
        for each in last_divisions(solved, side, bodies, position)
        if each.chance < 1
    ]
    assert drawn
    assert {each.meets for each in drawn} == {"rebuttal"}
