"""Runs in which known parts are drawn must go exactly as runs in which they are played."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from astragal.dice import Die, Distribution, Pool, Recorded, Seeded
from astragal.play import (
    Option,
    PickOne,
    Play,
    Session,
    ask,
    by,
    call,
    exact,
    rehearse,
    roll,
    run,
    then,
)
from astragal.play.simulate import Simulation


def part(bonus: int) -> Play[int]:
    """A roll with a question on it."""
    count = yield from roll(Pool.of(2), "part", "ann")
    if count.successes == 2:
        return then(more, bonus)
    return count.successes + bonus


def more(bonus: int) -> Play[int]:
    face = yield from roll(Die(4), "more", "ann")
    return face + bonus


def whole() -> Play[int]:
    options = tuple(Option(key=key, label=key) for key in ("low", "high"))
    pick = yield from ask("ann", "bonus", "?", PickOne(options=options, default="low"), because="r")
    total = 0
    for _ in range(3):
        total += yield from call(part, 10 if pick == "high" else 0)
    return total


def frequencies(results: list[int]) -> dict[int, float]:
    return {value: count / len(results) for value, count in Counter(results).items()}


def close(found: dict[int, float], odds: Distribution[int]) -> bool:
    worst = max(abs(found.get(value, 0) - float(odds.chance(value))) for value in odds.weights)
    return set(found) <= set(odds.weights) and worst < 0.03


def test_drawn_or_played_the_odds_are_the_same():
    odds = exact(then(whole))
    for drawn in ({}, {part: 0}, {part: 50}, {part: 0, more: 0}):
        simulation = Simulation(drawn=drawn)
        chance = Seeded("drawn")
        assert close(
            frequencies([simulation.run(then(whole), chance) for _ in range(4000)]), odds
        ), drawn


def test_the_same_seed_gives_the_same_runs():
    one, other = (Simulation(drawn={part: 2}) for _ in range(2))
    first = [one.run(then(whole), chance) for chance in [Seeded(1)] for _ in range(50)]
    second = [other.run(then(whole), chance) for chance in [Seeded(1)] for _ in range(50)]
    assert first == second


def test_a_policy_may_answer_with_odds_of_its_own():
    mixed = Distribution.of({"low": 1, "high": 3})
    simulation = Simulation(lambda ask: mixed, {part: 0})
    chance = Seeded("mixed")
    results = [simulation.run(then(whole), chance) for _ in range(2000)]
    high = Fraction(sum(result >= 30 for result in results), len(results))
    assert abs(high - Fraction(3, 4)) < Fraction(4, 100)


def test_every_value_has_exactly_its_chance_however_odd_the_total():
    third = Distribution.of({"a": 1, "b": 2})
    simulation = Simulation(lambda ask: third)

    def only() -> Play[str]:
        either = (Option("a", "a"), Option("b", "b"))
        return (yield from ask("x", "k", "?", PickOne(options=either, default="a"), because="r"))

    chance = Seeded("thirds")
    found = Counter(simulation.run(then(only), chance) for _ in range(6000))
    assert abs(found["a"] - 2000) < 4 * (6000 * 2 / 9) ** 0.5


def test_a_run_keeps_nothing_of_the_run_before():
    chance = Seeded("again")
    simulation = Simulation(drawn={part: 0})
    assert {simulation.run(then(whole), chance) for _ in range(200)} <= set(
        exact(then(whole)).weights
    )
    assert run(then(whole), chance) in exact(then(whole)).weights


def test_answers_are_checked_as_they_would_be_at_the_table():
    from astragal.errors import BadInput
    from play.toys import press_your_luck, secret_fingers

    with pytest.raises(BadInput, match="again: found 'maybe'"):
        Simulation(lambda ask: "maybe").run(then(press_your_luck, 0), Seeded(1))
    with pytest.raises(BadInput, match="fingers: found 3"):
        Simulation(lambda ask: 3).run(then(secret_fingers), Seeded(1))


def two_parts(before: int) -> Play[int]:
    face = yield from roll(Die(6), "first", "ann")
    options = tuple(Option(key=key, label=key) for key in ("low", "high"))
    pick = yield from ask("ann", "bonus", "?", PickOne(options=options), because="r")
    return then(more, before + face * (10 if pick == "high" else 1))


def around() -> Play[int]:
    return 1000 + (yield from call(two_parts, 100))


def test_a_run_begins_where_a_session_stands_and_ends_with_all_that_had_called_it():
    session = Session(then(around), by(Recorded((5,))))
    simulation = Simulation(lambda ask: "high", {})
    chance = Seeded("from here")
    found = {simulation.run_from(session.state, chance) for _ in range(200)}
    assert found == {1000 + 100 + 50 + face for face in (1, 2, 3, 4)}


def test_a_run_stops_where_a_procedure_would_begin_also_in_a_rehearsal():
    for start in (then(two_parts, 7), then(rehearse(two_parts), 7)):
        session = Session(start, by(Recorded((3,))))
        simulation = Simulation(lambda ask: "low", {})
        assert simulation.run_from(session.state, Seeded(1), until=more) == then(more, 10)
