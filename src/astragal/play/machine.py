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
from astragal.play.effects import Call, Effect, Foregone, Then

T = TypeVar("T")


class Frame(msgspec.Struct, frozen=True):
    """A procedure and the answers given to it so far."""

    start: Then[Any]
    answers: tuple[Any, ...] = ()


State = tuple[Frame, ...]
"""Everything in progress, the innermost procedure last."""


TOO_LONG = "this goes on for too long to follow every way it may take, if it ends: sample it"


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


class Machine(Generic[T]):
    """One procedure with those it calls, run in a straight line, effect by effect."""

    def __init__(self, state: State) -> None:
        """Begin, or resume, at a state; the first effect is then waiting."""
        self._outer = list(state[:-1])
        self._top = state[-1]
        self.effect: Effect | None = None
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
        self._top = Frame(self._top.start, (*self._top.answers, answer))
        self._settle(advance(self._generator, answer))

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
                    self.result: T = step.result
                    return
                caller = self._outer.pop()
                self._top = Frame(caller.start, (*caller.answers, step.result))
            elif isinstance(step, Foregone):  # in a run, only time will tell
                self._top = Frame(self._top.start, (*self._top.answers, None))
                step = advance(self._generator, None)
                continue
            else:
                self.effect = step
                return
            self._generator, step = opened(self._top)
