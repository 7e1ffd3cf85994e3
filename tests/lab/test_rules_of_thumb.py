"""Rules of thumb: which scripts they allow, and that keeping one is never better than not."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.duel_of_wits.matrix import actions
from astragal.lab.duel_certificate import certify
from astragal.lab.duel_game import Payoff
from astragal.lab.rules_of_thumb import parse_rule
from astragal.lab.solved_duel import solve_duel
from lab.duels import DEBATE, small_hall


@pytest.mark.parametrize(
    ("text", "many"),
    [
        ("point point point", 1),
        ("Point, Rebuttal, Avoid the Topic", 1),
        ("never dismiss", 6**3),
        ("always Dismiss", 7**3 - 6**3),
        ("always begin with point", 49),
        ("never end on Avoid the Topic", 6 * 49),
        ("never repeat a card", 7 * 6 * 6),
        ("never dismiss, always end on point", 36),
        # Of the 343, the pair can stand in either place; never in both.
        ("never feint after point", 7**3 - 2 * 7),
    ],
)
def test_a_rule_allows_so_many_scripts(text, many):
    rule = parse_rule(text)
    assert sum(map(rule.allows, product(actions(), repeat=3))) == many


@pytest.mark.parametrize("text", ["", "point", "point point", "never shout", "point point rest"])
def test_what_is_no_rule_is_refused(text):
    with pytest.raises(BadInput, match="--against"):
        parse_rule(text)


def test_after_a_lost_volley_a_script_by_heart_is_its_end():
    rule = parse_rule("point rebuttal dismiss")
    assert rule.allows(("rebuttal", "dismiss"))
    assert not rule.allows(("point", "rebuttal"))


def test_a_rule_costs_something_or_nothing_but_never_helps():
    table = small_hall()
    free = solve_duel(DEBATE, table, Payoff.WIN, (2, 2))
    for text in ("never dismiss", "point point point", "always begin with feint"):
        rule = parse_rule(text)
        kept = solve_duel(DEBATE, table, Payoff.WIN, (2, 2), rules=(None, rule))
        assert (kept.values - free.values)[1:, 1:].min() > -1e-9
        for a, b in product((1, 2), repeat=2):
            assert all(rule.allows(cards) for cards, _ in kept.scripts(1, (a, b)))
        mirrored = solve_duel(DEBATE, table, Payoff.WIN, (2, 2), rules=(rule, None))
        assert np.allclose(mirrored.values[2, 1, 0], 1 - kept.values[1, 2, 0])


@pytest.mark.parametrize("text", ["never dismiss", "point point point", "always begin with feint"])
def test_the_certificate_bounds_what_a_rule_gives_away(text):
    """From above by its mix, from below by its best answer that the rule allows."""
    rule = parse_rule(text)
    free = solve_duel(DEBATE, small_hall(), Payoff.WIN, (2, 2))
    kept = solve_duel(DEBATE, small_hall(), Payoff.WIN, (2, 2), rules=(None, rule))
    whole = certify(free)
    proof = certify(kept, allows=(None, rule.allows))
    assert proof.worst < 1e-8
    given = float(kept.values[2, 2, 0] - free.values[2, 2, 0])
    low, high = min(proof.least) - max(whole.most), max(proof.most) - min(whole.least)
    assert low - 1e-9 <= given <= high + 1e-9
    assert high - low < 1e-8
    # Whoever keeps a rule that costs something would gain by dropping it, and the check sees that.
    assert (certify(kept).exploitability > 1e-8) == (given > 1e-8)
