from __future__ import annotations

from astragal.dice import Recorded
from astragal.play import (
    Ask,
    DecisionEvent,
    Fact,
    Play,
    SealedEvent,
    Session,
    Text,
    ask_all,
    asked_of,
    by,
    seen_by,
    tell,
    then,
)


class Rumour(Fact, frozen=True, tag="rumour"):
    text: str

    def sentence(self) -> str:
        return self.text


def whispers() -> Play[tuple[str, ...]]:
    said = yield from ask_all(
        Ask("ann", "word", "Your word?", Text(), "r", secret=True),
        Ask("bob", "name", "Your name?", Text(), "r"),
    )
    yield from tell(Rumour("all may hear"))
    yield from tell(Rumour("for Ann"), "ann")
    return said


def played() -> Session[tuple[str, ...]]:
    session = Session(then(whispers), by(Recorded(())))
    assert [ask.key for ask in asked_of(session, "bob")] == ["name"]
    session.answer("ann", "mellon")
    session.answer("bob", "Bob")
    return session


def test_a_secret_answer_is_seen_by_whoever_gave_it_and_sealed_for_others():
    events = played().events
    own = seen_by(events, "ann")
    assert [e.answer for e in own if isinstance(e, DecisionEvent)] == ["mellon", "Bob"]
    other = seen_by(events, "bob")
    assert other[0] == SealedEvent("ann", "word")
    assert "mellon" not in repr(other)
    assert [e.answer for e in other if isinstance(e, DecisionEvent)] == ["Bob"]


def test_a_fact_for_some_is_not_there_for_others():
    events = played().events
    assert "for Ann" in repr(seen_by(events, "ann"))
    assert "for Ann" not in repr(seen_by(events, "bob"))
    assert "all may hear" in repr(seen_by(events, "somebody else"))


def test_nobody_is_asked_anything_when_all_is_over():
    assert asked_of(played(), "ann") == ()
