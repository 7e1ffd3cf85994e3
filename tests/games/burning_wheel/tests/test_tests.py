"""Standard and open tests."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel import GAME
from astragal.play import Scripted, exact
from games.burning_wheel.playing import a_test, declare, play, somehow, table

RICH = {"stats": {"Perception": "B5"}, "skills": {"Sword": "B5", "History": "B6"}}


# --- Standard tests ------------------------------------------------------------------------


@pytest.mark.rules(
    "tests.standard.pass", "tests.standard.extra_successes", "tests.dice.count_successes"
)
@pytest.mark.parametrize("obstacle", range(1, 7))
@pytest.mark.parametrize("successes", range(6))
def test_equal_or_more_passes_and_the_rest_is_extra(obstacle: int, successes: int):
    run = a_test(table(rich=RICH), "Sword", obstacle, [successes])
    assert run.outcome.passed is (successes >= obstacle)
    assert run.outcome.margin == successes - obstacle
    extra = successes - obstacle
    assert ("allocate" in run.asked) is (extra > 0)
    if extra > 0:
        assert run.asks["allocate"].question.amount == extra


@pytest.mark.rules("tests.dice.judged_singly", "tests.dice.success_black")
def test_faces_are_judged_one_by_one_and_traitors_take_nothing_away():
    for faces, successes in (
        ([6, 6, 1, 1, 1], 2),
        ([4, 3, 3, 3, 3], 1),
        ([3] * 5, 0),
        ([4] * 5, 5),
    ):
        assert a_test(table(rich=RICH), "Sword", 1, [faces]).outcome.successes == successes


@pytest.mark.rules("tests.standard.gm_sets_obstacle")
def test_the_dice_are_rolled_once():
    run = a_test(table(rich=RICH), "Sword", 3, [3])
    assert len(run.rolls) == 1
    assert run.rolls[0].owner == "rich"


@pytest.mark.rules("tests.standard.pass", "tests.exponent.dice_rolled")
@pytest.mark.parametrize(
    ("rating", "p"), [("B5", Fraction(1, 2)), ("G4", Fraction(2, 3)), ("W3", Fraction(5, 6))]
)
@pytest.mark.parametrize("obstacle", [1, 3, 5])
def test_the_odds_of_a_test_are_binomial(rating: str, p: Fraction, obstacle: int):
    at = table(rich={"skills": {"Sword": rating}})
    start = GAME.procedure("standard_test").start(
        GAME.read(declare("rich", "Sword"), GAME.procedure("standard_test").arguments, "x"), at
    )
    odds = exact(start, Scripted({"obstacle": obstacle}, somehow))
    n = int(rating[1:])
    by_hand = sum(
        (comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(obstacle, n + 1)), Fraction(0)
    )
    assert odds.where(lambda outcome: outcome.passed) == by_hand


# --- Open tests ----------------------------------------------------------------------------

CLUES = [{"rating": rating, "text": f"clue {rating}"} for rating in (1, 2, 5, 10)]


def search(successes: int, answers=None, at=None, ability="History", **more):
    arguments = declare("rich", ability, information=CLUES, **more)
    return play("open_test", arguments, at or table(rich=RICH), answers, [successes])


@pytest.mark.rules("tests.open.no_obstacle")
@pytest.mark.parametrize("successes", range(7))
def test_without_an_obstacle_the_successes_are_the_result(successes: int):
    run = search(successes)
    assert (run.outcome.successes, run.outcome.result) == (successes, successes)
    assert "obstacle" not in run.asked
    assert "on_failure" not in run.asked


@pytest.mark.rules(
    "tests.open.more_is_more", "tests.open.graded_by_obstacle_scale", "tests.amb.open_test_wording"
)
@pytest.mark.parametrize(
    ("successes", "clues", "words"),
    [
        (0, [], "nothing"),
        (1, [1], "obvious"),
        (2, [1, 2], "obvious"),
        (4, [1, 2], "obvious"),
        (5, [1, 2, 5], "expert"),
        (9, [1, 2, 5], "expert"),
        (10, [1, 2, 5, 10], "miraculous"),
        (12, [1, 2, 5, 10], "miraculous"),
    ],
)
def test_a_result_reveals_what_is_rated_so_high_or_lower(
    successes: int, clues: list[int], words: str
):
    run = search(successes, ability="Perception")
    assert run.outcome.revealed == tuple(f"clue {rating}" for rating in clues)
    assert f"Learned: {words}" in run.told
    for rating in (1, 2, 5, 10):
        assert (f"clue {rating}\n" in run.told + "\n") is (rating in clues)


@pytest.mark.rules("tests.amb.open_test_disadvantage")
@pytest.mark.parametrize(
    ("successes", "against", "result"), [(4, 1, 3), (4, 4, 0), (2, 3, 0), (0, 1, 0)]
)
def test_each_disadvantage_takes_one_off_an_open_result(successes: int, against: int, result: int):
    disadvantages = ["darkness", "smoke", "noise", "haste"][:against]
    run = search(successes, {"disadvantages": disadvantages})
    assert (run.outcome.successes, run.outcome.result) == (successes, result)
    assert len(run.outcome.revealed) == sum(rating <= result for rating in (1, 2, 5, 10))


@pytest.mark.rules("tests.amb.open_test_disadvantage")
@pytest.mark.parametrize(
    ("successes", "against", "result"), [(5, 0, 2), (4, 0, 2), (1, 0, 0), (5, 1, 1), (3, 2, 0)]
)
def test_beginners_luck_halves_an_open_result_before_that(
    successes: int, against: int, result: int
):
    at = table(rich={"stats": {"Will": "B5"}})
    answers = {"roots": ["Will"], "disadvantages": ["darkness", "smoke"][:against]}
    assert search(successes, answers, at).outcome.result == result


@pytest.mark.rules("tests.amb.open_test_disadvantage")
def test_dice_are_added_to_an_open_test_as_usual():
    assert search(0, {"advantage": "The archive is open"}).outcome.dice.total == 7


@pytest.mark.rules("tests.method.carefully_time")
def test_an_open_test_takes_its_time_too():
    assert search(2, time="2 days").outcome.seconds == 2 * 86400
    assert search(2, {"carefully": True}, time="2 days").outcome.seconds == 3 * 86400
    run = search(0, {"carefully": True, "time_complication": "the library burns"}, time="2 days")
    assert run.outcome.complication == "the library burns"


def test_a_clue_that_needs_no_success_is_refused():
    arguments = declare("rich", "History", information=[{"rating": 0, "text": "free"}])
    with pytest.raises(
        BadInput, match=r"information\[0\]\.rating: found 0, expected 1 or more.*\[tests\.open"
    ):
        play("open_test", arguments, table(rich=RICH))
