"""A small duel solved, checked by the certificate, by hand, and by OpenSpiel."""

from __future__ import annotations

import ast
import os
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import exploitability

from astragal.errors import Refusal
from astragal.lab import (
    answer_tree,
    duel_certificate,
    duel_solver,
    planned_solver,
    settling,
    solved_duel,
)
from astragal.lab.duel_certificate import certify
from astragal.lab.duel_game import Payoff, end_values
from astragal.lab.duel_solver import Mix
from astragal.lab.duel_volleys import Between, Volleys
from astragal.lab.rules_of_thumb import parse_rule
from astragal.lab.solved_duel import SolvedDuel, fingerprint, read_solution, solve_duel
from lab.duels import DEBATE, every_script, small_hall, walked


@pytest.fixture(scope="module")
def unequal() -> SolvedDuel:
    return solve_duel(DEBATE, small_hall(3, 2), Payoff.WIN, (2, 3))


@pytest.fixture(scope="module")
def equal() -> SolvedDuel:
    return solve_duel(DEBATE, small_hall(), Payoff.COMPROMISE, (3, 3))


def test_nobody_gains_by_playing_anything_else(unequal, equal):
    for solved in (unequal, equal):
        certificate = certify(solved)
        assert certificate.exploitability < 1e-8
        assert certificate.worst < 1e-8
        value = solved.values[solved.bodies[0], solved.bodies[1], 0]
        assert certificate.most == pytest.approx((value, value))
        assert certificate.least == pytest.approx((value, value))


def test_equal_sides_have_equal_chances(equal):
    for body in (1, 2, 3):
        assert equal.values[body, body, 0] == pytest.approx(0.5)
    assert equal.values[3, 1, 0] == pytest.approx(1 - equal.values[1, 3, 0])


def test_the_certificate_finds_what_a_worse_mix_gives_away(unequal):
    class Worse:
        """As published, but Ann always avoids."""

        game = unequal.game
        last_splits = staticmethod(unequal.last_splits)

        def mix(self, side, bodies, position=0):
            return Mix((0,), (1.0,)) if side == 0 else unequal.mix(side, bodies, position)

        def plans(self, side, bodies, position):
            return (
                unequal.plans(side, bodies, position)[:1]
                if side == 0
                else unequal.plans(side, bodies, position)
            )

    assert unequal.game.cards[0][0] == "avoid"
    worse = certify(Worse())
    # To avoid for ever does not lose the duel, but it never wins it.
    assert worse.least[1] < 0.05
    assert worse.exploitability > 0.3
    assert worse.most[0] == pytest.approx(unequal.values[2, 3, 0])


@pytest.mark.slow
def test_an_endless_duel_counts_as_everything_and_as_nothing_at_larger_bodies_too(unequal):
    class Avoids:
        """As published, but Ann only avoids as soon as Bob has a single point left."""

        game = unequal.game
        last_splits = staticmethod(unequal.last_splits)

        def mix(self, side, bodies, position=0):
            mix = unequal.mix(side, bodies, position)
            return Mix((0,), (1.0,)) if side == 0 and bodies[1] == 1 else mix

        def plans(self, side, bodies, position):
            many = len(self.mix(side, bodies, position).scripts)
            return unequal.plans(side, bodies, position)[:1] * many

    # With cards that only answer, Bob can neither win nor lose there.
    rule = parse_rule("never point, never dismiss, never feint, never incite, never obfuscate")
    everything, nothing = certify(Avoids(), allows=(None, rule.allows)).least
    assert nothing - everything > 0.03


@pytest.mark.slow
def test_who_hardly_ever_attacks_is_checked_as_well(unequal):
    """Once in a hundred thousand exchanges is not never: nobody can stay for ever."""

    class Waits:
        """Ann avoids, and hardly ever makes a Point."""

        game = unequal.game
        last_splits = staticmethod(unequal.last_splits)
        points = game.scripts(0).index(("point",) * 3)

        def mix(self, side, bodies, position=0):
            lost = unequal.positions[position].owed[0]
            often = Mix((0, 5 * 7 + 5 if lost else self.points), (1 - 1e-5, 1e-5))
            return often if side == 0 else unequal.mix(side, bodies, position)

        def plans(self, side, bodies, position):
            many = len(self.mix(side, bodies, position).scripts)
            return unequal.plans(side, bodies, position)[:1] * many

    assert unequal.game.cards[0][5] == "point"
    rule = parse_rule("avoid avoid avoid")
    up, low = certify(Waits(), allows=(None, rule.allows)).least
    # Bob avoids, too, so only the Points count; with them alone Ann wins.
    assert up == pytest.approx(low)
    assert up == pytest.approx(1.0, abs=1e-6)


def test_the_certificate_shares_no_code_with_the_solver():
    own = {
        node.module
        for part in (answer_tree, duel_certificate, settling)
        for node in ast.walk(ast.parse(Path(part.__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("astragal")
    }
    parts = {"astragal.lab.answer_tree", "astragal.lab.settling"}
    assert own == {"astragal.lab", "astragal.lab.duel_game", *parts}


def test_open_spiel_finds_the_same_at_the_last_points(unequal):
    """One exchange at bodies 1 and 1, its payoffs worked out volley by volley by the engine."""
    table = small_hall(3, 2)
    volleys = Volleys(DEBATE, table)
    cards = ("avoid", "dismiss", "point", "rebuttal")
    positions = {between: at for at, between in enumerate(unequal.positions)}

    @cache
    def odds(between: Between, pair: tuple[str, str]):
        shown = tuple("" if lost else card for card, lost in zip(pair, between.owed, strict=True))
        split = volleys.split(shown, volleys.loads(between, shown))
        return tuple(walked(table, between, pair, split).items())

    @cache
    def worth(between: Between, mine: tuple[str, ...], other: tuple[str, ...]) -> float:
        if not mine:
            return float(unequal.values[1, 1, positions[between]])
        total = 0.0
        for ((lost_a, lost_b), after), chance in odds(between, (mine[0], other[0])):
            if lost_a or lost_b:
                total += chance * (0.5 if lost_a and lost_b else float(not lost_a))
            else:
                total += chance * worth(after, mine[1:], other[1:])
        return total

    scripts = every_script(cards)
    payoffs = np.array([[worth(Between(), mine, other) for other in scripts] for mine in scripts])
    mixes = [dict(unequal.scripts(side, (1, 1))) for side in (0, 1)]
    assert all(set(mix) <= set(scripts) for mix in mixes), "it takes other cards, too"
    game = pyspiel.convert_to_turn_based(
        pyspiel.create_matrix_game(payoffs.tolist(), (1 - payoffs).tolist())
    )
    published = spiel_policy.TabularPolicy(game)
    for side, mix in enumerate(mixes):
        state = published.states_per_player[side][0]
        index = published.state_lookup[state]
        published.action_probability_array[index] = [mix.get(script, 0.0) for script in scripts]
    assert exploitability.nash_conv(game, published) < 1e-8
    value = sum(
        mixes[0].get(mine, 0) * mixes[1].get(other, 0) * payoffs[i, j]
        for i, mine in enumerate(scripts)
        for j, other in enumerate(scripts)
    )
    assert value == pytest.approx(unequal.values[1, 1, 0])


@pytest.mark.parametrize("planned", [False, True])
def test_values_that_do_not_settle_are_not_published(monkeypatch, planned):
    for module in (duel_solver, planned_solver):
        monkeypatch.setattr(module, "MOST_ROUNDS", 1)
    with pytest.raises(Refusal, match="do not settle"):
        solve_duel(DEBATE, small_hall(2, 1), Payoff.WIN, (1, 1), planned=planned)


def test_the_ends_of_a_duel_are_worth_what_was_conceded():
    ends = end_values(Payoff.COMPROMISE, (4, 3))
    # The winner has all 4 left, 3, half, 1: no concession, a very minor, a genuine, a major one.
    assert ends[4:0:-1, 0].tolist() == [1, 7 / 8, 6 / 8, 5 / 8]
    assert ends[0, 3] == 0
    assert ends[0, 0] == 0.5
    assert end_values(Payoff.WIN, (4, 3))[1, 0] == 1


def test_a_solution_is_read_from_the_cache_and_only_for_the_same_duel(tmp_path, monkeypatch):
    table = small_hall(1, 1)
    first = solve_duel(DEBATE, table, Payoff.WIN, (1, 1), cache=tmp_path)
    (kept,) = tmp_path.iterdir()
    monkeypatch.setattr("astragal.lab.solved_duel.solve", None)  # it cannot be solved again
    again = solve_duel(DEBATE, table, Payoff.WIN, (1, 1), cache=tmp_path)
    assert again.to_bytes() == first.to_bytes()
    assert fingerprint(DEBATE, table, Payoff.WIN, (1, 1)) in kept.name
    names = {
        fingerprint(DEBATE, table, Payoff.WIN, (1, 1)),
        fingerprint(DEBATE, table, Payoff.WIN, (1, 2)),
        fingerprint(DEBATE, table, Payoff.COMPROMISE, (1, 1)),
        fingerprint(DEBATE, small_hall(2, 1), Payoff.WIN, (1, 1)),
        fingerprint(DEBATE, table, Payoff.WIN, (1, 1), planned=True),
        fingerprint(
            DEBATE, small_hall(1, 1, duel_of_wits_obfuscate_tie="victim"), Payoff.WIN, (1, 1)
        ),
    }
    assert len(names) == 6
    kept.write_bytes(kept.read_bytes()[:-5])
    assert read_solution(kept) is None
    assert read_solution(tmp_path / "none") is None


def test_a_solution_of_another_format_is_not_read(tmp_path):
    path = tmp_path / "old.solution"
    path.write_bytes(msgspec.msgpack.encode({"format": 0}))
    assert read_solution(path) is None


def test_what_is_carried_over_is_said_in_words(unequal):
    said = [unequal.position_in_words(at) for at in range(len(unequal.positions))]
    assert said[0] == "nothing is carried over"
    assert "Ann loses the first volley" in said
    assert "Bob has +1D on the next roll" in said
    assert len({*said}) == len(said)
    sits_out = said.index("Ann loses the first volley")
    assert all(len(cards) == 2 for cards, _ in unequal.scripts(0, (1, 1), sits_out))
    assert all(len(cards) == 3 for cards, _ in unequal.scripts(1, (1, 1), sits_out))


def test_only_the_latest_solutions_are_kept(unequal, tmp_path, monkeypatch):
    monkeypatch.setattr(solved_duel, "MOST_KEPT", 3)
    (tmp_path / "other.txt").write_text("not a solution")
    for number in range(5):
        path = tmp_path / f"duel-{number}.solution"
        solved_duel._keep(path, unequal)
        os.utime(path, (number, number))
    names = sorted(each.name for each in tmp_path.iterdir())
    assert names == [*(f"duel-{number}.solution" for number in (2, 3, 4)), "other.txt"]
