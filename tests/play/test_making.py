"""What a plain function makes of a procedure's result, under every driver."""

from collections import Counter
from fractions import Fraction
from itertools import product

from astragal.dice import Die, Distribution, Recorded
from astragal.play import (
    Play,
    Session,
    Tell,
    best,
    by,
    confirm,
    exact,
    made_of,
    made_of_several,
    onward,
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


# --- Of several ------------------------------------------------------------------------------


def throws(names: tuple[str, ...]) -> Play[tuple[int, ...]]:
    faces: tuple[int, ...] = ()
    for name in names:
        faces += ((yield from roll(Die(6), name, name)),)
    return faces


def highest(faces: tuple[int, ...], more: int) -> int:
    return max(faces) + more


def best_of_all(names: tuple[str, ...]) -> Play[int]:
    yield from ()
    return made_of_several(highest, throws, names, 10)


def test_one_result_is_made_of_those_of_several():
    names = ("ann", "bob", "cy")
    counted = Counter(max(faces) + 10 for faces in product(range(1, 7), repeat=3))
    assert exact(then(best_of_all, names)) == Distribution.of(counted)
    assert run(then(best_of_all, names), Recorded([2, 5, 3])) == 15


# --- As much as matters ----------------------------------------------------------------------


def parity(face: int, extra: int) -> int:
    return face % 2


def as_many_again(odd: int, extra: int):
    return then(throws, ("ann",) * (1 + odd))


def both(faces: tuple[int, ...], first: int) -> tuple[int, int]:
    return first, sum(faces)


def first_then_more(extra: int) -> Play[tuple[int, int]]:
    yield from ()
    return onward(parity, as_many_again, both, then(one_die, 1), extra)


def counted_by_hand() -> Distribution[tuple[int, int]]:
    """An even face is followed by one die, an odd one by two."""
    found: Counter[tuple[int, int]] = Counter()
    for first, *rest in product(range(1, 7), repeat=3):
        found[first, sum(rest[: 1 + first % 2])] += 1
    return Distribution.of(found)


def test_what_does_not_matter_to_the_rest_is_kept_beside_it():
    assert exact(then(first_then_more, 7)) == counted_by_hand()
    assert exact(then(rehearse(first_then_more), 7)) == counted_by_hand()


def test_what_follows_is_walked_once_for_all_results_that_are_alike():
    begun: list[int] = []

    def follows(odd: int, extra: int):
        begun.append(odd)
        return as_many_again(odd, extra)

    def counts() -> Play[tuple[int, int]]:
        yield from ()
        return onward(parity, follows, both, then(one_die, 1), 7)

    exact(then(counts))
    assert sorted(begun) == [0, 1]


def test_going_onward_in_live_play_and_up_to_a_fact():
    assert run(then(first_then_more, 7), Recorded([3, 2, 6])) == (3, 8)
    assert exact(then(first_then_more, 7), until=Said).chance(Said("4")) == Fraction(1, 6)
