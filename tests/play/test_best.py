from fractions import Fraction

import pytest

from astragal.play import Best, CannotAdvise, Frame, Scripted, best, exact, then
from play.toys import (
    Said,
    nim,
    pool_then,
    press_your_luck,
    raise_or_fold,
    secret_fingers,
    two_calls,
)


def test_one_seat_rolls_again_exactly_when_it_should():
    value = best(then(press_your_luck, 0), {"ann": lambda face: face})
    # keep 4, 5, 6; reroll the rest for 3.5 on average
    assert value.worth["ann"] == Fraction(4 + 5 + 6, 6) + Fraction(1, 2) * Fraction(7, 2)
    walk = Best({"ann": lambda face: face})
    for first in range(1, 7):
        advice = walk.advise((Frame(then(press_your_luck, 0), (first,)),))
        assert advice.ask is not None
        assert advice.ask.key == "again"
        assert advice.best is (first < 4)
        assert dict(advice.choices) == {False: first, True: Fraction(7, 2)}


def test_opposed_seats_play_nim_perfectly():
    goals = {"ann": lambda winner: int(winner == 0), "ben": lambda winner: int(winner == 1)}
    walk = Best(goals)
    for stones in range(1, 22):
        advice = walk.advise(then(nim, stones, 0))
        assert advice.worth["ann"] == int(stones % 4 != 0)
        assert advice.worth["ben"] == int(stones % 4 == 0)
        if stones % 4:
            assert advice.best == stones % 4


def test_a_seat_that_moves_second_answers_what_it_sees():
    goals = {"ann": lambda pay: pay[0], "ben": lambda pay: pay[1]}
    # Ben calls only where calling beats losing 1: ann shows 1 or 2.
    expected = Fraction(0)
    for mine in range(1, 7):
        ben_wins = Fraction(6 - mine, 6)
        call = 3 * ben_wins - 3 * (1 - ben_wins)
        expected += max(Fraction(-1), call) / 6
    assert best(then(raise_or_fold), goals).worth["ben"] == expected


def test_equal_worth_keeps_the_default():
    advice = best(then(press_your_luck, 0), {"ann": lambda face: 1})
    assert advice.best is None  # the roll comes first: no single answer there
    at_question = best((Frame(then(press_your_luck, 0), (6,)),), {"ann": lambda face: 1})
    assert at_question.best is False


def test_seats_without_a_goal_follow_their_policy():
    goals = {"ann": lambda winner: int(winner == 0)}
    greedy = Scripted({"take": 1})
    assert best(then(nim, 4, 0), goals, greedy).worth["ann"] == 1  # perfect play would beat ann


def test_questions_not_asked_about_follow_the_policy_too():
    value = best(then(press_your_luck, 0), {"ann": lambda face: face}, about={"something else"})
    assert value.worth["ann"] == Fraction(7, 2)


def test_without_decisions_worth_is_the_exact_chance():
    odds = exact(then(pool_then, 4, 3)).chance(True)
    advice = best(then(pool_then, 4, 3), {"ann": int})
    assert advice.worth["ann"] == odds
    assert advice.ask is None
    assert best(then(two_calls, 4), {"ann": lambda n: Fraction(n, 2)}).worth["ann"] == Fraction(
        1, 2
    )


def test_until_values_the_fact():
    advice = best(then(two_calls, 5), {"ann": lambda fact: int(fact.won)}, until=Said)
    assert advice.worth["ann"] == Fraction(1, 3)


def test_secret_choices_have_no_single_best_answer():
    with pytest.raises(CannotAdvise, match="in secret"):
        best(then(secret_fingers), {"ann": lambda result: int(result == "even")})
