from fractions import Fraction
from itertools import product

import pytest

from astragal.dice import Die, Distribution
from astragal.play import (
    CannotWalk,
    Exact,
    Frame,
    Play,
    Scripted,
    Unanswered,
    call,
    exact,
    roll,
    then,
)
from play.toys import (
    Said,
    d6_at_least,
    nim,
    pool_then,
    press_your_luck,
    secret_fingers,
    two_calls,
)


def test_a_single_die_is_counted_by_value():
    for wanted in range(1, 8):
        odds = exact(then(d6_at_least, wanted))
        assert odds.chance(True) == Fraction(max(0, 7 - wanted), 6)


def test_a_called_procedure_is_a_chance_event_like_any_other():
    odds = exact(then(two_calls, 5))
    assert [odds.chance(n) for n in range(3)] == [Fraction(4, 9), Fraction(4, 9), Fraction(1, 9)]


@pytest.mark.slow
@pytest.mark.parametrize(("dice", "need"), list(product(range(1, 5), range(1, 5))))
def test_checkpoints_agree_with_counting_every_face(dice, need):
    passing = total = 0
    for faces in product(range(1, 7), repeat=dice):
        hits = sum(face >= 4 for face in faces)
        missing, failed = max(0, need - hits), dice - hits
        weight = 6 ** (dice - failed)  # every first throw counts the same, however many rerolls
        for again in product(range(1, 7), repeat=failed):
            total += weight
            passing += weight * (sum(face >= 4 for face in again) >= missing)
    expected = Fraction(passing, total)
    assert exact(then(pool_then, dice, need)).chance(True) == expected
    assert exact(then(pool_then, dice, need), verdict_only=True).chance(True) == expected


def test_a_policy_answers_every_question():
    keep = exact(then(press_your_luck, 6))
    again = exact(then(press_your_luck, 6), Scripted({"again": True}))
    assert keep == again == Distribution.of(dict.fromkeys(range(1, 7), 1))

    def only_if_low(ask):
        return int(ask.prompt[0]) <= 3

    assert exact(then(press_your_luck, 6), only_if_low).mean() == Fraction(17, 4)


def test_a_policy_may_mix_its_answers():
    half = Distribution.of({True: 1, False: 1})
    odds = exact(then(press_your_luck, 6), lambda ask: half)
    assert odds.chance(6) == Fraction(1, 6)
    assert odds.total % 2 == 0


def test_a_question_without_default_or_answer_is_named():
    with pytest.raises(Unanswered, match=r"fingers.*how many"):
        exact(then(secret_fingers))


def test_the_walk_can_begin_in_the_middle():
    rolled_two = (Frame(then(press_your_luck, 6), (2,)),)
    assert exact(rolled_two).chance(2) == 1
    assert exact(rolled_two, Scripted({"again": True})).chance(6) == Fraction(1, 6)
    inside_a_call = (Frame(then(two_calls, 5), (True,)), Frame(then(d6_at_least, 5)))
    assert exact(inside_a_call).chance(2) == Fraction(1, 3)


def test_until_ends_at_the_first_fact_of_a_kind_even_inside_a_call():
    odds = exact(then(two_calls, 5), until=Said)
    assert odds.where(lambda fact: fact.won) == Fraction(1, 3)
    assert {fact.text for fact in odds.weights} == {f"it shows {face}" for face in range(1, 7)}
    inside_a_call = (Frame(then(two_calls, 5), (True,)), Frame(then(d6_at_least, 5)))
    assert exact(inside_a_call, until=Said).where(lambda fact: fact.won) == Fraction(1, 3)


def test_what_was_worked_out_is_remembered():
    asked = []

    def counting(ask):
        asked.append(ask.key)
        return 1

    walk = Exact(counting)
    walk.walk(then(nim, 4, 0))
    once = len(asked)
    walk.walk(then(nim, 4, 0))
    assert len(asked) == once + 1  # the first frame is run again; what follows is known


def test_a_cut_tail_is_reported():
    from astragal.dice import OpenEnded, Pool
    from astragal.play import Play, roll

    def open_ended() -> Play[int]:
        count = yield from roll(Pool.of(2, open_ended=OpenEnded.SIXES), "open", "ann", enough=2)
        return count.successes

    whole = exact(then(open_ended))
    assert 0 < Fraction(whole.beyond, whole.total) < Fraction(1, 10**9)
    verdict = exact(then(open_ended), verdict_only=True)
    assert verdict.beyond == 0
    assert verdict.at_least(2) == whole.at_least(2)


def faces(dice: int, thrown: list[int] | None = None) -> Play[tuple[int, ...]]:
    seen: tuple[int, ...] = ()
    for _ in range(dice):
        seen += ((yield from roll(Die(6), "a die", "ann")),)
    if thrown is not None:
        thrown.append(len(seen))
    return seen


def how_many_sixes(dice: int) -> Play[int]:
    return (yield from call(faces, dice)).count(6)


def test_a_walk_with_too_many_results_is_given_up():
    for dice in range(1, 4):
        enough = Exact(most=6**dice).walk(then(faces, dice))
        assert enough == exact(then(faces, dice))
        with pytest.raises(CannotWalk, match="too many ways"):
            Exact(most=6**dice - 1).walk(then(faces, dice))


def test_what_a_called_procedure_comes_to_counts_as_well():
    assert len(Exact(most=36).walk(then(how_many_sixes, 2))) == 3
    with pytest.raises(CannotWalk):
        Exact(most=35).walk(then(how_many_sixes, 2))
    halfway = (Frame(then(faces, 2), (4,)),)
    assert len(Exact(most=6).walk(halfway)) == 6
    with pytest.raises(CannotWalk):
        Exact(most=5).walk(halfway)


def test_a_walk_is_given_up_as_soon_as_it_has_too_many_results():
    ended: list[int] = []

    def counting() -> Play[tuple[int, ...]]:
        return (yield from faces(5, ended))

    with pytest.raises(CannotWalk):
        Exact(most=100).walk(then(counting))
    assert 100 < len(ended) <= 100 + 6**3  # of 6**5
