"""The engine room of every driver: procedures as a stack of frames.

A frame is where a procedure began and the answers it has been given since. That is
all there is to know about it, so a state can be kept, compared, forked and resumed:
a generator is started again and fed the same answers. The drivers differ only in
where their answers come from.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, Generic, TypeVar

import msgspec

from astragal.errors import Refusal
from astragal.play.effects import Call, Effect, Foregone, Then, Unheard

T = TypeVar("T")


class Frame(msgspec.Struct, frozen=True):
    """A procedure and the answers given to it so far."""

    start: Then[Any]
    answers: tuple[Any, ...] = ()


State = tuple[Frame, ...]
"""Everything in progress, the innermost procedure last."""


TOO_LONG = "This can go on too long to follow every possibility; sample it instead"
TOO_MANY = "This can end in too many ways to tell them all apart; sample it instead"


class CannotWalk(Refusal):
    """A procedure cannot be followed to its end in every direction."""


class Returned(msgspec.Struct, frozen=True):
    """A procedure came to its end with this result."""

    result: Any


def opened(frame: Frame) -> tuple[Generator[Any, Any, Any], Any]:
    """The frame's generator run up to where its answers end, and what it asks for there.

    What it asks for is an effect, or :class:`Returned`, or a :class:`Then`.
    """
    if not frame.answers:
        generator = frame.start.begin()
        return generator, advance(generator, None)
    *before, last = frame.answers
    generator = reopened(frame.start, before)
    return generator, advance(generator, last)


def reopened(start: Then[Any], answers: Iterable[Any]) -> Generator[Any, Any, Any]:
    """A procedure begun again and brought to where it is known to wait for the next answer."""
    generator = start.begin()
    send = generator.send
    send(None)
    for answer in answers:
        send(answer)
    return generator


def advance(generator: Generator[Any, Any, Any], answer: Any) -> Any:
    """Send an answer in; get the next effect, a :class:`Then`, or :class:`Returned`."""
    try:
        return generator.send(answer)
    except StopIteration as stop:
        return stop.value if isinstance(stop.value, Then) else Returned(stop.value)


class Stop(msgspec.Struct, frozen=True):
    """Where an answer leads: the state, and the effect that waits there, or the result."""

    answer: Any
    state: State
    effect: Effect | None
    result: Any


class Machine(Generic[T]):
    """One procedure with those it calls, run in a straight line, effect by effect."""

    result: T

    def __init__(self, state: State) -> None:
        """Begin, or resume, at a state; the first effect is then waiting."""
        self._outer = list(state[:-1])
        self._top = state[-1]
        self.effect: Effect | None = None
        self._foreseen: list[Stop] = []
        self._beyond: Generator[Any, Any, Any] | None = None
        self._generator: Generator[Any, Any, Any] | None
        self._generator, step = opened(self._top)
        self._settle(step)

    @classmethod
    def begin(cls, start: Then[T]) -> Machine[T]:
        """A machine at the very beginning of a procedure."""
        return cls((Frame(start),))

    @property
    def state(self) -> State:
        """Where everything stands, as data."""
        return (*self._outer, self._top)

    def answer(self, answer: Any) -> None:
        """Answer the effect that is waiting; the next one is then waiting, or the end reached."""
        if self._foreseen and self._comes_as_foreseen(answer):
            return
        if self._generator is None:
            self._generator = reopened(self._top.start, self._top.answers)
        self._top = Frame(self._top.start, (*self._top.answers, answer))
        self._settle(advance(self._generator, answer))

    def follow(self, scout: Scout[T]) -> None:
        """Know the way that a scout has gone from here; it goes no further itself."""
        self._foreseen = scout.way[::-1]
        if scout.way:
            self._beyond = scout._generator
        else:
            self._generator = scout._generator

    def _comes_as_foreseen(self, answer: Any) -> bool:
        """Go where the answer is known to lead, without running the procedure again."""
        stop = self._foreseen.pop()
        if type(answer) is not type(stop.answer) or answer != stop.answer:
            self._foreseen, self._beyond = [], None
            return False
        *self._outer, self._top = stop.state
        self.effect = stop.effect
        if stop.effect is None:
            self.result = stop.result
        self._generator = None if self._foreseen else self._beyond
        return True

    def _settle(self, step: Any) -> None:
        """Follow calls, continuations and returns until somebody must answer."""
        while True:
            if isinstance(step, Call):
                self._outer.append(self._top)
                self._top = Frame(step.start)
            elif isinstance(step, Then):
                self._top = Frame(step)
            elif isinstance(step, Returned):
                if not self._outer:
                    self.effect = None
                    self.result = step.result
                    return
                caller = self._outer.pop()
                self._top = Frame(caller.start, (*caller.answers, step.result))
            elif isinstance(step, Foregone | Unheard):  # in a run, only time will tell
                self._top = Frame(self._top.start, (*self._top.answers, None))
                assert self._generator is not None, "what has stepped is open"
                step = advance(self._generator, None)
                continue
            else:
                self.effect = step
                return
            self._generator, step = opened(self._top)


class Scout(Machine[T]):
    """A machine that goes ahead of another, and remembers the way.

    The same answers lead to the same effects, always: a follower need not run again what
    the scout has run, for as long as the answers are those that the scout supposed.
    """

    def __init__(self, ahead_of: Machine[T]) -> None:
        """Begin where another machine stands, with what that one has open and knows of the way."""
        *self._outer, self._top = ahead_of.state
        self.effect = ahead_of.effect
        self._generator, ahead_of._generator = ahead_of._generator, None
        self._foreseen = ahead_of._foreseen[:]
        self._beyond, ahead_of._beyond = ahead_of._beyond, None
        self.way: list[Stop] = []

    def answer(self, answer: Any) -> None:
        """Suppose an answer."""
        super().answer(answer)
        result = self.result if self.effect is None else None
        self.way.append(Stop(answer, self.state, self.effect, result))
