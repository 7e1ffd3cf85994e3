"""Rehearsal: a procedure that goes its whole way and changes nothing.

Dice are thrown, people decide and facts are told as ever, and inside it goes on with what would
have changed; but no change leaves it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeVar

import msgspec

from astragal.play.effects import Call, Change, Play, Then

T = TypeVar("T")


class Rehearsal(msgspec.Struct, frozen=True):
    """A procedure without its changes; two of the same procedure are equal, as walks need it."""

    procedure: Callable[..., Generator[Any, Any, Any]]

    def __call__(self, *args: Any) -> Generator[Any, Any, Any]:
        """Begin it: all that it calls, and all that it goes on with, is a rehearsal, too."""
        running, answer = self.procedure(*args), None
        while True:
            try:
                effect = running.send(answer)
            except StopIteration as stop:
                result = stop.value
                return _rehearsed(result) if isinstance(result, Then) else result
            answer = None
            if isinstance(effect, Call):
                answer = yield Call(_rehearsed(effect.start), effect.apart)
            elif not isinstance(effect, Change):
                answer = yield effect


def _rehearsed(start: Then[T]) -> Then[T]:
    return Then(Rehearsal(start.procedure), start.args)


def itself(start: Then[T]) -> Then[T]:
    """What a rehearsal is of, for drivers in which no change leaves anything anyway."""
    if isinstance(start.procedure, Rehearsal):
        return Then(start.procedure.procedure, start.args)
    return start


def rehearse(procedure: Callable[..., Play[T]]) -> Callable[..., Play[T]]:
    """A procedure that goes its whole way and changes nothing."""
    return Rehearsal(procedure)
