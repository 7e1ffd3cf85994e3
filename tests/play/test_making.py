"""What a plain function makes of a procedure's result, under every driver."""

from fractions import Fraction

from astragal.dice import Die, Recorded
from astragal.play import (
    Play,
    Session,
    Tell,
    best,
    by,
    confirm,
    exact,
    made_of,
    rehearse,
    roll,
    run,
    sample,
    tell,
    then,
)
from play.toys import Said


def one_die(again: int) -> Play[int]:
    face = yield from roll(Die(6), "a die", "ann")
    yield from tell(Said(str(face)))
    if face < again and (yield from confirm("ann", "again", "?", default=True, because="")):
        face = yield from roll(Die(6), "again", "ann")
    return face


def doubled(face: int, times: int, more: int) -> int:
    return min(6, times * face) + more


def whole(again: int) -> Play[int]:
    yield from ()
    return made_of(doubled, then(one_die, again), 2, 10)


def test_every_result_is_made_with_the_chance_that_it_has():
    """A 1 or 2 is rolled again, and only a 1 or 2 stays below 6 when doubled."""
    odds = exact(then(whole, 3))
    ones = Fraction(2, 6) * Fraction(1, 6)
    expected = {12: ones, 14: ones, 16: 1 - 2 * ones}
    assert {value: odds.chance(value) for value in odds} == expected


def test_a_walk_that_ends_at_a_fact_gives_the_fact():
    odds = exact(then(whole, 3), until=Said)
    assert odds.chance(Said("4")) == Fraction(1, 6)


def test_live_play_carries_on_and_comes_to_the_same():
    session = Session(then(whole, 3), by(Recorded([2, 1])))
    session.answer("ann", True)
    assert session.result == 12
    assert [event.fact.sentence() for event in session.events if isinstance(event, Tell)]


def test_a_rehearsal_a_sample_and_advice_know_it():
    assert exact(then(rehearse(whole), 3)) == exact(then(whole, 3))
    assert run(then(whole, 3), Recorded([5])) == 16
    seen = sample(then(whole, 3), 200, "seed")
    assert set(seen) <= {12, 14, 16}
    assert best(then(whole, 3), {"ann": lambda value: value}).worth["ann"] > 14
