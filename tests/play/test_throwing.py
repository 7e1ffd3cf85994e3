"""Samples by face and by value, final rolls, and mixed strategies: the odds stay the same."""

from __future__ import annotations

import pytest

from astragal.dice import Distribution, OpenEnded, Pool
from astragal.play import Play, Throwing, YesNo, ask, exact, roll, sample, then
from play.toys import pool_then, press_your_luck, two_calls


def bare_pool(dice: int, need: int, final: bool) -> Play[tuple[int, bool]]:
    pool = Pool.of(dice, open_ended=OpenEnded.SIXES)
    count = yield from roll(pool, "pool", "ann", enough=need, final=final)
    return count.successes, count.successes >= need


def guess() -> Play[bool]:
    return (yield from ask("ann", "guess", "heads?", YesNo(default=False), because="a.b.c"))


@pytest.mark.slow
@pytest.mark.parametrize("throwing", Throwing)
@pytest.mark.parametrize(
    "start", [then(two_calls, 5), then(pool_then, 5, 3)], ids=["calls", "pool"]
)
def test_both_ways_to_throw_agree_with_the_exact_walk(start, throwing):
    runs = 30_000
    odds = exact(start)
    seen = sample(start, runs, "agree", throwing=throwing)
    assert seen.total == runs
    for value in odds:
        chance = float(odds.chance(value))
        spread = (chance * (1 - chance) / runs) ** 0.5
        assert abs(float(seen.chance(value)) - chance) < 4.5 * spread


@pytest.mark.parametrize("throwing", Throwing)
def test_runs_that_part_and_meet_again_are_all_counted(throwing):
    heard = []
    seen = sample(
        then(press_your_luck, 0),
        500,
        3,
        lambda ask: int(ask.prompt[0]) <= 3,
        throwing=throwing,
        progress=heard.append,
    )
    assert seen.total == 500
    assert heard == list(range(1, 501))


def test_a_mixed_strategy_is_mixed_in_a_sample_too():
    mixed = Distribution.of({True: 3, False: 1})
    assert exact(then(guess), lambda ask: mixed).chance(True) == mixed.chance(True)
    seen = sample(then(guess), 20_000, "mixed", lambda ask: mixed)
    assert abs(float(seen.chance(True)) - 0.75) < 0.015


@pytest.mark.parametrize("need", [1, 3, 6])
def test_final_dice_have_the_odds_of_any_others(need):
    plain = exact(then(bare_pool, 5, need, False))
    final = exact(then(bare_pool, 5, need, True))
    assert plain == final
    verdict = exact(then(bare_pool, 5, need, True), verdict_only=True)
    assert len(verdict) == 2
    assert verdict.where(lambda result: result[1]) == plain.where(lambda result: result[1])
