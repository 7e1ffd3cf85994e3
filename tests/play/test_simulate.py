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
    note,
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


@pytest.mark.slow
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


# --- Remembered runs -------------------------------------------------------------------------


def of_parts(bonus: int) -> Play[tuple[int, str]]:
    """Parts in a part, one of them without dice, with a decision between them."""
    total = yield from call(part, bonus)
    options = tuple(Option(key=key, label=key) for key in ("stop", "on"))
    said = yield from ask("ann", "on", "?", PickOne(options=options, default="on"), because="r")
    if said == "on":
        total += (yield from call(more, 0)) + (yield from call(twice, bonus))
    return total, said


def twice(bonus: int) -> Play[int]:
    yield from note("nothing is rolled", "r")
    return 2 * bonus


def all_parts() -> Play[tuple[int, str]]:
    face = yield from roll(Die(4), "which", "ann")
    return (yield from call(of_parts, face))


def chi_square(found: Counter, odds: Distribution) -> float:
    many = found.total()
    return sum(
        (found[value] - many * float(odds.chance(value))) ** 2 / (many * float(odds.chance(value)))
        for value in odds.weights
    )


def far_out(odds: Distribution) -> float:
    """What chi-square exceeds once in about ten thousand times (by Wilson and Hilferty)."""
    free = len(odds.weights) - 1
    return free * (1 - 2 / (9 * free) + 3.72 * (2 / (9 * free)) ** 0.5) ** 3


MIXED = Distribution.of({"stop": 1, "on": 2})
SIMULATED = {
    "nothing": ((), {}),
    "the inner parts": ((part, more, twice), {}),
    "the outer part alone": ((of_parts,), {}),
    "all of them": ((of_parts, part, more, twice), {}),
    "some are drawn": ((of_parts, twice), {part: 20, more: 0}),
}


@pytest.mark.parametrize("which", SIMULATED)
@pytest.mark.parametrize("policy", [lambda ask: "on", lambda ask: MIXED], ids=["pure", "mixed"])
def test_remembered_runs_have_exactly_the_odds_of_those_that_are_played(which, policy):
    remembered, drawn = SIMULATED[which]
    odds = exact(then(all_parts), policy)
    simulation, chance = Simulation(policy, drawn, remembered), Seeded(which)
    found = Counter(simulation.run(then(all_parts), chance) for _ in range(6000))
    assert set(found) <= set(odds.weights)
    assert chi_square(found, odds) < far_out(odds)


def test_what_is_remembered_is_not_played_again():
    begun = Counter()

    def counted(bonus: int) -> Play[int]:
        begun[bonus] += 1
        face = yield from roll(Die(4), "it", "ann")
        return face + bonus

    def outer() -> Play[int]:
        return (yield from call(counted, 10))

    simulation, chance = Simulation(remembered=(counted,)), Seeded("once")
    assert {simulation.run(then(outer), chance) for _ in range(100)} == {11, 12, 13, 14}
    assert begun == {10: 4}


class Whimsical:
    """Somebody who stops or goes on as a coin of their own says, and may say that it is so."""

    def __init__(self, says: bool) -> None:
        self._coin = Seeded("whim")
        self._says = says

    def __call__(self, ask):
        return ("stop", "on")[self._coin.dice(2, 1)[0] - 1]

    def draws_itself(self, ask):
        return self._says


def test_a_policy_may_use_chance_of_its_own_where_it_says_so():
    odds = exact(then(all_parts), lambda ask: Distribution.of({"stop": 1, "on": 1}))
    for remembered in ((of_parts,), (of_parts, part, more, twice)):
        simulation, chance = Simulation(Whimsical(True), {}, remembered), Seeded("coin")
        found = Counter(simulation.run(then(all_parts), chance) for _ in range(6000))
        assert set(found) == set(odds.weights)
        assert chi_square(found, odds) < far_out(odds)


def test_what_cannot_be_remembered_any_more_is_played(monkeypatch):
    from astragal.play import simulate

    monkeypatch.setattr(simulate, "MOST_FORKS", 4)
    odds = exact(then(all_parts))
    simulation, chance = Simulation(remembered=(of_parts, part, more, twice)), Seeded("full")
    found = Counter(simulation.run(then(all_parts), chance) for _ in range(6000))
    assert simulation._forks <= 4
    assert chi_square(found, odds) < far_out(odds)


def test_secret_answers_are_drawn_one_by_one_in_what_is_remembered():
    from play.toys import secret_fingers

    def outer() -> Play[object]:
        return (yield from call(secret_fingers))

    mixed = Distribution.of({1: 1, 2: 2})

    def policy(ask):
        return mixed

    odds = exact(then(outer), policy)
    simulation, chance = Simulation(policy, remembered=(secret_fingers,)), Seeded("fingers")
    found = Counter(simulation.run(then(outer), chance) for _ in range(4000))
    assert set(found) == set(odds.weights)
    assert chi_square(found, odds) < far_out(odds)
