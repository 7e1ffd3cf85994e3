"""A rehearsal goes as the procedure does, and changes nothing."""

from __future__ import annotations

from astragal.dice import Die, Distribution, Recorded
from astragal.play import (
    Change,
    Frame,
    Noted,
    Play,
    Session,
    Tell,
    by,
    call,
    change,
    confirm,
    exact,
    rehearse,
    roll,
    tell,
    then,
)


def pay(points: int) -> Play[int]:
    yield from change("ann", "artha", points, points - 1, because="a.rule")
    return points - 1


def last(points: int, face: int) -> Play[tuple[int, int]]:
    yield from change("ann", "face", 0, face, because="a.rule")
    yield from tell(Noted("done", "a.rule"))
    return points, face


def whole(points: int) -> Play[tuple[int, int]]:
    left = yield from call(pay, points)
    again = yield from confirm("ann", "again", "Again?", default=False, because="a.rule")
    if again:
        left = yield from call(pay, left)
    face = yield from roll(Die(6), "the die", "ann")
    return then(last, left, face)


def play(procedure) -> Session[tuple[int, int]]:
    session = Session(then(procedure, 3), by(Recorded([4])))
    session.answer("ann", True)
    return session


def test_it_comes_to_the_same_and_makes_no_change():
    real, tried = play(whole), play(rehearse(whole))
    assert tried.result == real.result == (1, 4)
    assert [type(e) for e in tried.events] == [
        type(e) for e in real.events if not isinstance(e, Change)
    ]
    assert len([e for e in real.events if isinstance(e, Change)]) == 3
    assert [e.fact for e in tried.events if isinstance(e, Tell)] == [Noted("done", "a.rule")]


def test_its_odds_are_those_of_the_procedure():
    """A die, and a point less: from the beginning, and from where it was taken up again."""
    expected = Distribution.of({(2, face): 1 for face in range(1, 7)})
    assert exact(then(rehearse(whole), 3)) == exact(then(whole, 3)) == expected
    paid = (Frame(then(rehearse(whole), 3), (2, False)),)
    assert exact(paid) == expected
    assert rehearse(whole) == rehearse(whole)
    assert hash(then(rehearse(whole), 3)) == hash(then(rehearse(whole), 3))


def test_a_session_taken_up_again_goes_on_as_the_first_did():
    first = play(rehearse(whole))
    again = Session(then(rehearse(whole), 3), by(Recorded([4])))
    assert again.waiting[0].key == "again"
    again.answer("ann", True)
    assert again.events == first.events
