"""Tests given in plain numbers, and how quickly the drivers go through them."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest

from astragal.errors import BadInput
from astragal.games.percentile import GAME, plain_test
from astragal.play import Scripted, best, exact


def odds(**numbers):
    name, arguments, table, answers = plain_test(**numbers).parts
    return exact(GAME.procedure(name).start(arguments, table), Scripted(answers))


def passes(**numbers) -> Fraction:
    return odds(**numbers).where(lambda outcome: outcome.passed)


@pytest.mark.parametrize(
    ("numbers", "percent"),
    [
        ({"value": 45}, 45),
        ({"value": "45", "difficulty": "hard"}, 25),
        ({"value": 45, "untrained": True}, 25),
        ({"value": 45, "untrained": "true", "assistants": 1, "modifier": -5}, 30),
        ({"value": 45, "assistants": 3}, 75),
        ({"value": 45, "modifier": 100}, 99),
        ({"value": 45, "modifier": -100}, 1),
        ({"target": 53}, 53),
        ({"target": -59}, 1),
        ({"target": 160}, 99),
    ],
)
def test_plain_tests(numbers, percent: int):
    assert passes(**numbers) == Fraction(percent, 100)


def test_a_plain_target_is_the_target():
    for target in (-59, -1, 0, 1, 53, 100, 101, 160):
        assert {outcome.target.total for outcome in odds(target=target)} == {target}


def test_advice_on_a_reroll():
    """Reroll whatever failed: 45% and 55% of 45% again; with two, once more."""
    miss = Fraction(55, 100)
    for rerolls in (1, 2):
        name, arguments, table, answers = plain_test(value=45, rerolls=rerolls).parts
        start = GAME.procedure(name).start(arguments, table)
        advice = best(
            start, {"roller": lambda o: int(o.passed)}, Scripted(answers), about={"reroll"}
        )
        assert advice.worth["roller"] == 1 - miss ** (rerolls + 1)


def test_a_plain_opposed_test():
    """60 against 30: by their tens a wins all ties, so only the rolls of b below matter."""
    found = odds(value=60, against=30).map(lambda outcome: outcome.winner)
    lost = sum(
        Fraction(1, 10000)
        for mine in range(1, 101)
        for theirs in range(1, 31)
        if mine > 60 or 7 - mine // 10 < 4 - theirs // 10
    )
    assert found.chance("opponent") == lost
    assert found.chance(None) == Fraction(40 * 70, 10000)
    assert odds(value=60, against=30, against_modifier=30).map(lambda o: o.winner) != found


def test_a_plain_extended_test():
    assert odds(value=45, needed=1, tests=2).where(lambda o: o.done) == 1 - Fraction(55, 100) ** 2


@pytest.mark.parametrize(
    ("numbers", "place"),
    [
        ({}, "value"),
        ({"value": 45, "target": 45}, "value"),
        ({"value": 0}, "value"),
        ({"value": "many"}, "value"),
        ({"target": 161}, "target"),
        ({"target": 45, "modifier": 10}, "modifier"),
        ({"target": 45, "against": 10}, "against"),
        ({"value": 45, "against": 45, "needed": 4}, "needed"),
        ({"value": 45, "difficulty": "impossible"}, "difficulty"),
        ({"value": 45, "untrained": "perhaps"}, "untrained"),
        ({"value": 45, "assistant": 2}, "assistant"),
        ({"value": 45, "tests": 500}, "tests"),
    ],
)
def test_what_does_not_fit_is_named(numbers, place: str):
    with pytest.raises(BadInput) as refused:
        plain_test(**numbers)
    assert refused.value.place == place


def quickest(action, runs: int = 5) -> float:
    found = []
    for _ in range(runs):
        began = time.process_time()
        action()
        found.append(time.process_time() - began)
    return min(found) * 1000


def test_the_walks_are_quick():
    """Generous bounds in milliseconds, for a busy machine."""
    assert quickest(lambda: passes(value=45)) < 20
    assert quickest(lambda: odds(value=50, against=50)) < 200
    name, arguments, table, answers = plain_test(value=45, rerolls=3).parts
    start = GAME.procedure(name).start(arguments, table)
    goal = {"roller": lambda outcome: int(outcome.passed)}
    assert quickest(lambda: best(start, goal, Scripted(answers), about={"reroll"})) < 100
