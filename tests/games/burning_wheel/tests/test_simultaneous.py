"""Dice thrown at the same time, and what is bought on them in turn."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from astragal.dice import Distribution, Pool, Recorded, Shade, Shaded
from astragal.games.burning_wheel.artha.on_a_roll import ArthaAtHand
from astragal.games.burning_wheel.sheet.parts import Artha
from astragal.games.burning_wheel.tests.simultaneous import (
    RollingSide,
    merged,
    split_pool,
    throw_together,
)
from astragal.play import Ask, DecisionEvent, RollEvent, Session, by, defaults, exact, then


def roller(seat: str, dice: int = 3, fate: int = 0, **more) -> RollingSide:
    pools = more.pop("pools", (("", Pool.of(dice)),))
    return RollingSide(seat, seat.title(), pools, ArthaAtHand(Artha(fate, **more)))


def thrown(rollers: tuple[RollingSide, ...], faces: list[int], answers: list[tuple[str, str]]):
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
    assert kinds == [RollEvent, RollEvent, DecisionEvent, RollEvent, DecisionEvent, RollEvent]
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


def lucky(ask: Ask) -> str:
    """Takes whatever is offered first as long as it does anything."""
    offered = [option for option in ask.question.options[1:] if "no effect" not in option.note]
    return offered[0].key if offered else "nothing"


def spiteful(ask: Ask) -> str:
    """Buys only what has no effect."""
    return next((o.key for o in ask.question.options if "no effect" in o.note), "nothing")


def in_order(ask: Ask) -> str:
    """Luck on the first roll, and only without Luck a Saving Grace on the second."""
    keys = [option.key for option in ask.question.options]
    if "(first)" in ask.prompt:
        return "luck" if "luck" in keys else "nothing"
    return "saving_grace" if "luck" not in keys and "saving_grace" in keys else "nothing"


@pytest.mark.slow
@pytest.mark.parametrize("policy", [defaults, lucky, spiteful, in_order])
@pytest.mark.parametrize("deeds", [0, 1])
def test_the_short_walk_comes_to_the_same_as_all_dice_in_sight(policy, deeds):
    """A distribution of one answer is as good as the answer, but nobody can know it beforehand."""
    pools = (("first", Pool.of(1)), ("second", Pool.of(2)))
    calling = msgspec.structs.replace(roller("bob", 1), hand=ArthaAtHand(call_ons=("Stubborn",)))
    rollers = (roller("ann", fate=1, deeds=deeds, pools=pools), calling)
    start = then(throw_together, rollers)
    odds = exact(start, policy)
    assert odds == exact(start, lambda ask: Distribution.certain(policy(ask)))
    spends = odds.where(lambda throws: any(t.spent != Artha() for mine in throws for t in mine))
    assert (spends > 0) is (policy is not defaults)


def test_dice_that_nobody_will_touch_are_told_apart_by_their_successes_alone():
    """As many questions as there are kinds of dice, not as many as there are pairs of them."""
    pools = (("first", Pool.of(8)), ("second", Pool.of(8)))
    asked: Counter[str] = Counter()

    def counting(ask: Ask) -> str:
        asked[ask.key] += 1
        return "nothing"

    odds = exact(then(throw_together, (roller("ann", fate=1, pools=pools),)), counting)
    assert len(odds) == 9 * 9
    assert asked["after_roll"] < 45 * 45


@pytest.mark.parametrize(
    ("dice", "first"), [(0, Shaded()), (2, Shaded(black=2)), (4, Shaded(3, 1))]
)
def test_a_pool_is_split_die_by_die(dice, first):
    pool = Pool(Shaded.of(Shade.BLACK, 3) + Shaded.of(Shade.GRAY, 2))
    one, other = split_pool(pool, dice)
    assert one.dice == first
    assert one.dice + other.dice == pool.dice


def test_what_nobody_will_use_changes_nothing():
    """A policy of which it is known, against one that has to be asked each time."""
    rollers = (
        roller("ann", 3, fate=1, deeds=1),
        roller("bob", pools=(("defence", Pool.of(2)), ("riposte", Pool.of(1))), fate=1),
        roller("cy", 2),
    )
    known = exact(then(throw_together, rollers))
    asked = exact(then(throw_together, rollers), lambda ask: defaults(ask))
    assert known == asked
    assert len(known) == 4 * 3 * 2 * 3
