"""Dice thrown at the same time, and what is bought on them in turn."""

from __future__ import annotations

import pytest

from astragal.dice import Pool, Recorded, Shade, Shaded
from astragal.games.burning_wheel.artha import Hand
from astragal.games.burning_wheel.parts import Artha
from astragal.games.burning_wheel.thrown import Roller, merged, split_pool, throw_together
from astragal.play import Decided, Session, Threw, by, defaults, exact, then


def roller(seat: str, dice: int = 3, fate: int = 0, **more) -> Roller:
    pools = more.pop("pools", (("", Pool.of(dice)),))
    return Roller(seat, seat.title(), pools, Hand(Artha(fate, **more)))


def thrown(rollers: tuple[Roller, ...], faces: list[int], answers: list[tuple[str, str]]):
    session = Session(then(throw_together, rollers), by(Recorded(faces)))
    for seat, answer in answers:
        assert session.waiting[0].seat == seat
        session.answer(seat, answer)
    assert session.done
    return session


def test_without_anything_to_buy_nobody_is_asked():
    session = thrown((roller("ann"), roller("bob")), [4, 5, 1, 1, 1, 6], [])
    assert [[throw.successes for throw in mine] for mine in session.result] == [[2], [1]]


def test_all_dice_are_seen_before_anybody_buys_and_whoever_is_behind_is_asked_first():
    rollers = (roller("ann", fate=1), roller("bob", fate=1))
    faces = [4, 5, 6, 1, 1, 6, 4, 2]
    answers = [("bob", "luck"), ("ann", "luck"), ("bob", "nothing")][:2]
    session = thrown(rollers, faces, answers)
    kinds = [type(event) for event in session.events]
    assert kinds == [Threw, Threw, Decided, Threw, Decided, Threw]
    assert [mine[0].successes for mine in session.result] == [3, 2]


def test_a_purchase_may_be_answered_until_all_are_content_in_a_row():
    rollers = (roller("ann", fate=1), roller("bob", fate=1, deeds=1))
    faces = [4, 1, 1, 6, 4, 1, 5]
    answers = [("ann", "nothing"), ("bob", "luck"), ("ann", "nothing"), ("bob", "nothing")]
    session = thrown(rollers, faces, answers)
    assert [mine[0].successes for mine in session.result] == [1, 3]


def test_one_hand_is_for_all_rolls_of_a_side():
    pools = (("defence", Pool.of(2)), ("riposte", Pool.of(2)))
    session = thrown((roller("ann", fate=1, pools=pools),), [6, 1, 6, 1, 5], [("ann", "luck")])
    defence, riposte = session.result[0]
    assert (defence.successes, riposte.successes) == (2, 1)  # Luck was spent on the first
    both = merged(session.result[0])
    assert (both.successes, both.spent) == (3, Artha(fate=1))


def test_the_odds_are_those_of_the_dice():
    odds = exact(then(throw_together, (roller("ann", 2, fate=1), roller("bob", 1))), defaults)
    found = odds.map(lambda throws: tuple(mine[0].successes for mine in throws))
    assert [found.chance((n, 0)) * 8 for n in range(3)] == [1, 2, 1]


@pytest.mark.parametrize(
    ("dice", "first"), [(0, Shaded()), (2, Shaded(black=2)), (4, Shaded(3, 1))]
)
def test_a_pool_is_split_die_by_die(dice, first):
    pool = Pool(Shaded.of(Shade.BLACK, 3) + Shaded.of(Shade.GRAY, 2))
    one, other = split_pool(pool, dice)
    assert one.dice == first
    assert one.dice + other.dice == pool.dice
