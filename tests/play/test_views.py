from astragal.dice import Seeded
from astragal.play import (
    Ask,
    Decided,
    Play,
    Sealed,
    Session,
    Tell,
    YesNo,
    asked_of,
    by,
    seen_by,
    tell,
    then,
)
from play.toys import Said, secret_fingers


def whispers() -> Play[bool]:
    """Something is said aloud, something to Ann; then Ben decides something for himself."""
    yield from tell(Said("aloud"))
    yield from tell(Said("for Ann"), "ann")
    secret: bool = yield Ask("ben", "plan", "betray them?", YesNo(), "a.b.c", secret=True)
    yield Ask("ben", "smile", "smile?", YesNo(), "a.b.c")
    return secret


def told(events, seat):
    return [event.fact.text for event in seen_by(events, seat) if isinstance(event, Tell)]


def test_a_fact_is_seen_by_its_audience_alone():
    session = Session(then(whispers), by(Seeded(1)))
    assert told(session.events, "ann") == ["aloud", "for Ann"]
    assert told(session.events, "ben") == ["aloud"]
    assert told(session.events, "gm") == ["aloud"]


def test_a_secret_answer_is_seen_by_whoever_gave_it_and_known_to_the_others():
    session = Session(then(whispers), by(Seeded(1)))
    session.answer("ben", True)
    session.answer("ben", False)
    plan, smile = (event for event in session.events if isinstance(event, Decided))
    assert seen_by(session.events, "ben")[-2:] == (plan, smile)
    assert seen_by(session.events, "ann")[-2:] == (Sealed("ben", "plan"), smile)


def test_a_seat_sees_its_own_open_questions_only():
    session = Session(then(secret_fingers), by(Seeded(1)))
    assert [ask.seat for ask in asked_of(session, "ann")] == ["ann"]
    session.answer("ann", 1)
    assert asked_of(session, "ann") == ()
    assert [ask.seat for ask in asked_of(session, "ben")] == ["ben"]
    assert seen_by(session.events, "ben") == ()  # not even that Ann has answered
