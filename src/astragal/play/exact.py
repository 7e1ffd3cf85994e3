"""Exact: the true odds of a real procedure, by walking every outcome of every roll.

Outcomes are merged by value, never by face; every ``ask`` is answered by a policy; what a
procedure leads to from given values is worked out once. The answer is exact: integers all
the way, and one division at the end, by whoever prints it.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple, TypeVar

from astragal.dice import Distribution
from astragal.play.answers import Answerer, defaults, weighed, weighed_together
from astragal.play.effects import Ask, AskAll, Call, Change, Fact, Roll, Tell, Then
from astragal.play.machine import (
    TOO_LONG,
    CannotWalk,
    Frame,
    Returned,
    State,
    advance,
    opened,
    reopened,
)

T = TypeVar("T")


def exact(
    start: Then[T] | State,
    policy: Answerer = defaults,
    *,
    until: type[Fact] | None = None,
    verdict_only: bool = False,
) -> Distribution[Any]:
    """The distribution of what a procedure comes to, from its beginning or from a state.

    With ``until`` each path ends at the first fact of that kind, which is then its result.

    With ``verdict_only`` rolls that say how much is *enough* are told apart only up to
    there, and final rolls only by whether it is enough: quicker, where nothing but passing or
    failing is asked about.
    """
    return Exact(policy, until=until, verdict_only=verdict_only).walk(start)


class Exact:
    """A walk under one policy; what it has worked out it remembers for the next question."""

    def __init__(
        self,
        policy: Answerer = defaults,
        *,
        until: type[Fact] | None = None,
        verdict_only: bool = False,
    ) -> None:
        """Answer every question by this policy."""
        self._policy = policy
        self._until = until
        self._verdict_only = verdict_only
        self._known: dict[Then[Any], Distribution[Any]] = {}

    def walk(self, start: Then[T] | State) -> Distribution[Any]:
        """The distribution of what follows."""
        try:
            return self._walked((Frame(start),) if isinstance(start, Then) else start)
        except RecursionError:
            raise CannotWalk(TOO_LONG) from None

    def _walked(self, state: State) -> Distribution[Any]:
        results = self._from_frame(state[-1])
        for caller in reversed(state[:-1]):
            resumed = (
                (weight, self._resumed(caller, result))
                for result, weight in results.weights.items()
            )
            results = Distribution.mix(resumed, beyond=results.beyond)
        return results.map(_unwrapped)

    def _resumed(self, caller: Frame, result: Any) -> Distribution[Any]:
        if isinstance(result, _Told):
            return Distribution.certain(result)
        return self._from_frame(Frame(caller.start, (*caller.answers, result)))

    def _from_beginning(self, start: Then[Any]) -> Distribution[Any]:
        known = self._known.get(start)
        if known is None:
            known = self._known[start] = self._from_frame(Frame(start))
        return known

    def _from_frame(self, frame: Frame) -> Distribution[Any]:
        generator, step = opened(frame)
        return self._follow(generator, step, frame.start, list(frame.answers))

    def _follow(
        self, generator: Generator[Any, Any, Any], step: Any, start: Then[Any], answers: list[Any]
    ) -> Distribution[Any]:
        while True:
            if isinstance(step, Returned):
                return Distribution.certain(step.result)
            if isinstance(step, Then):
                return self._from_beginning(step)
            if self._ends_at(step):
                return Distribution.certain(_Told(step.fact))
            outcomes = self._outcomes(step)
            if len(outcomes) > 1 or outcomes.beyond:
                return self._fork(outcomes, generator, start, answers)
            (answer,) = outcomes.weights
            if isinstance(answer, _Told):
                return outcomes
            answers.append(answer)
            step = advance(generator, answer)

    def _ends_at(self, step: Any) -> bool:
        until = self._until
        return until is not None and isinstance(step, Tell) and isinstance(step.fact, until)

    def _fork(
        self,
        outcomes: Distribution[Any],
        generator: Generator[Any, Any, Any],
        start: Then[Any],
        answers: list[Any],
    ) -> Distribution[Any]:
        branches: list[tuple[int, Distribution[Any]]] = []
        running: Generator[Any, Any, Any] | None = generator
        for value, weight in outcomes.weights.items():
            if isinstance(value, _Told):  # a procedure that was called has told it already
                branches.append((weight, Distribution.certain(value)))
                continue
            if running is None:  # a generator cannot be copied, only begun again
                running = reopened(start, answers)
            followed = self._follow(running, advance(running, value), start, [*answers, value])
            branches.append((weight, followed))
            running = None
        return Distribution.mix(branches, beyond=outcomes.beyond)

    def _outcomes(self, effect: Any) -> Distribution[Any]:
        """Every answer the effect may get, with its weight."""
        match effect:
            case Roll():
                return effect.outcomes(verdict_only=self._verdict_only)
            case Ask():
                return weighed(effect, self._policy)
            case AskAll():
                return weighed_together(effect, self._policy)
            case Call(start=start):
                return self._from_beginning(start)
            case Tell() | Change():
                return _NOTHING
        raise TypeError(f"a procedure yielded {effect!r}, which is no effect")


class _Told(NamedTuple):
    """A path that ended at a fact, on its way out through those who called."""

    fact: Fact


def _unwrapped(result: Any) -> Any:
    return result.fact if isinstance(result, _Told) else result


_NOTHING: Distribution[Any] = Distribution.certain(None)
