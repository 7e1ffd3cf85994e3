"""Live and replay: one procedure played in a straight line, and its record.

A :class:`Session` runs until somebody must answer, then waits, for a heartbeat or for a
week. Its ``record`` (faces thrown and answers given, in order) is all that has to be kept:
a session begun again with the same procedure and the same record stands at the same point
with the same effects behind it. That one property gives recovery, undo and worked examples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from astragal.dice import Chance, Recorded, Rolled, TooFewFaces
from astragal.errors import BadInput, Refusal
from astragal.play.answers import Answerer, check_answer
from astragal.play.effects import Ask, AskAll, Change, Roll, Seat, Tell, Then
from astragal.play.machine import Machine, Scout, State
from astragal.play.questions import Answer

T = TypeVar("T")


class ThrowRecord(msgspec.Struct, frozen=True, tag="thrown"):
    """In the record: the faces of one roll."""

    faces: tuple[int, ...]


class AnswerRecord(msgspec.Struct, frozen=True, tag="answered"):
    """In the record: one seat's answer."""

    seat: Seat
    answer: Any


RecordEntry = ThrowRecord | AnswerRecord
SessionRecord = tuple[RecordEntry, ...]


class RollEvent(msgspec.Struct, frozen=True):
    """It happened: a roll, its value and its faces."""

    roll: Roll
    rolled: Rolled[Any]


class DecisionEvent(msgspec.Struct, frozen=True):
    """It happened: a seat decided."""

    ask: Ask
    answer: Any


SessionEvent = RollEvent | DecisionEvent | Tell | Change


_TOLD = (Tell, Change)
"""Effects that need no answer."""

Thrower: TypeAlias = Callable[[Roll], Rolled[Any]]
"""What throws the dice: a source of chance, a script, or people with real dice."""


def by(chance: Chance) -> Thrower:
    """Let a source of chance throw the dice."""
    return lambda effect: effect.expression.sample(chance)


class OutOfStep(Refusal):
    """A record does not belong to the procedure it is replayed into."""


class Session(Generic[T]):
    """One procedure being played, with everything that has happened in it."""

    def __init__(
        self,
        start: Then[T],
        thrower: Thrower,
        record: Iterable[RecordEntry] = (),
        witness: Callable[[SessionEvent], None] | None = None,
    ) -> None:
        """Begin (or, with a record, resume) and run up to the first open question.

        A ``witness`` is told of every event when it happens, also of those that a refusal takes
        back again.
        """
        self._machine: Machine[T] = Machine.begin(start)
        self._witness = witness
        self.thrower = thrower
        self._sealed: dict[int, Answer] = {}
        self.record: list[RecordEntry] = []
        self.events: list[SessionEvent] = []
        self._run(list(record))

    @property
    def waiting(self) -> tuple[Ask, ...]:
        """The open questions; empty when the procedure has come to its end."""
        effect = self._machine.effect
        if isinstance(effect, Ask):
            return (effect,)
        if isinstance(effect, AskAll):
            return tuple(a for index, a in enumerate(effect.asks) if index not in self._sealed)
        return ()

    @property
    def sealed(self) -> int:
        """How many of several seats that decide at once have done so already."""
        return len(self._sealed)

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each open question among those that are asked at once."""
        effect = self._machine.effect
        if isinstance(effect, AskAll):
            return tuple(index for index in range(len(effect.asks)) if index not in self._sealed)
        return (0,) if isinstance(effect, Ask) else ()

    @property
    def done(self) -> bool:
        """Whether the procedure has come to its end."""
        return self._machine.effect is None

    @property
    def result(self) -> T:
        """What the procedure came to."""
        if not self.done:
            asked = self.waiting[0]
            raise Refusal(f"not finished: {asked.seat} is still to answer {asked.key!r}")
        return self._machine.result

    @property
    def state(self) -> State:
        """Where the procedure stands, for drivers that look ahead from here."""
        return self._machine.state

    def scout(self) -> Scout[T]:
        """Somebody who goes ahead from here, supposing answers."""
        return Scout(self._machine)

    def follow(self, scout: Scout[T]) -> None:
        """Go where a scout has gone from here, for as long as it is answered as supposed."""
        self._machine.follow(scout)

    def answer(self, seat: Seat, answer: object) -> None:
        """Take a seat's answer to its first open question.

        Whatever goes wrong on the way to the next one, the session then stands where it stood.
        """
        for ask in self.waiting:
            if ask.seat == seat:
                checked = check_answer(ask, answer)
                stood = self._machine.state, dict(self._sealed), len(self.record), len(self.events)
                try:
                    self._take(ask, checked)
                    self._run([])
                except BaseException:  # a refusal by the procedure, or no dice were thrown
                    self._machine = Machine(stood[0])
                    self._sealed = stood[1]
                    del self.record[stood[2] :], self.events[stood[3] :]
                    raise
                return
        asked = ", ".join(ask.seat for ask in self.waiting) or "nobody"
        raise BadInput("seat", seat, f"somebody who is being asked now: {asked}")

    def _take(self, ask: Ask, answer: Answer) -> None:
        self.record.append(AnswerRecord(ask.seat, answer))
        effect = self._machine.effect
        if isinstance(effect, AskAll):
            # One seat may speak for several sides: what is sealed is the question, not the seat.
            places = (i for i, each in enumerate(effect.asks) if each == ask)
            self._sealed[next(i for i in places if i not in self._sealed)] = answer
            if len(self._sealed) < len(effect.asks):
                return
            # Only now, with every answer in, does any of them become an event.
            answers = tuple(self._sealed[index] for index in range(len(effect.asks)))
            for asked, given in zip(effect.asks, answers, strict=True):
                self._happens(DecisionEvent(asked, given))
            self._sealed = {}
            self._machine.answer(answers)
        else:
            self._happens(DecisionEvent(ask, answer))
            self._machine.answer(answer)

    def _run(self, recorded: list[RecordEntry]) -> None:
        """Go on until a question is open that the record does not answer."""
        recorded.reverse()
        while (effect := self._machine.effect) is not None:
            if isinstance(effect, _TOLD):
                self._happens(effect)
                self._machine.answer(None)
            elif isinstance(effect, Roll):
                rolled = self._throw(effect, recorded)
                self.record.append(ThrowRecord(rolled.faces))
                self._happens(RollEvent(effect, rolled))
                self._machine.answer(rolled.value)
            elif recorded:
                self._take_recorded(recorded.pop())
            else:
                return
        if recorded:
            raise OutOfStep(f"the record goes on after the end: {recorded[-1]}")

    def _happens(self, event: SessionEvent) -> None:
        self.events.append(event)
        if self._witness is not None:
            self._witness(event)

    def _throw(self, effect: Roll, recorded: list[RecordEntry]) -> Rolled[Any]:
        if not recorded:
            return self.thrower(effect)
        entry = recorded.pop()
        if not isinstance(entry, ThrowRecord):
            raise OutOfStep(f"{effect.label} is rolled here, but the record has {entry}")
        return rolled_from(effect, entry.faces)

    def _take_recorded(self, entry: RecordEntry) -> None:
        waiting: dict[Seat, Ask] = {}
        for open_question in self.waiting:
            waiting.setdefault(open_question.seat, open_question)
        if not isinstance(entry, AnswerRecord) or entry.seat not in waiting:
            asked = ", ".join(f"{ask.seat} ({ask.key})" for ask in self.waiting)
            raise OutOfStep(f"{asked} is asked here, but the record has {entry}")
        ask = waiting[entry.seat]
        self._take(ask, check_answer(ask, entry.answer))


def rolled_from(effect: Roll, faces: Sequence[int]) -> Rolled[Any]:
    """The roll as given faces make it, checked for number and range."""
    source = Recorded(faces)
    try:
        rolled = effect.expression.sample(source)
        source.finish()
    except TooFewFaces as short:
        expected = f"{short.needed} more for {effect.expression.notation}"
        raise BadInput(f"faces of {effect.label}", list(faces), expected) from None
    except BadInput as bad:
        raise BadInput(f"faces of {effect.label}", bad.value, bad.expected) from None
    return rolled


def live(start: Then[T], chance: Chance, answerer: Answerer) -> Session[T]:
    """Play a procedure to its end, asking one answerer for every seat."""
    session = Session(start, by(chance))
    while session.waiting:
        ask = session.waiting[0]
        session.answer(ask.seat, answerer(ask))
    return session


def replay(
    start: Then[T], record: Iterable[RecordEntry], chance: Chance | None = None
) -> Session[T]:
    """The session that a record leads to; without a source of chance nothing new is rolled."""
    return Session(start, by(chance or Recorded(())), record)
