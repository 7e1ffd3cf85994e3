"""Exact: the true odds of a real procedure, by walking every outcome of every roll.

Outcomes are merged by value, never by face; every ``ask`` is answered by a policy; what a
procedure leads to from given values is worked out once. The answer is exact: integers all
the way, and one division at the end, where it is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import reduce
from operator import add
from typing import Any, NamedTuple, TypeVar

from astragal.dice import Distribution
from astragal.errors import BadInput
from astragal.play.answers import Answerer, checked, defaults, leaves, weighed_together
from astragal.play.effects import (
    Ask,
    AskAll,
    Call,
    Change,
    Fact,
    Foregone,
    Roll,
    Tell,
    Then,
    Unheard,
)
from astragal.play.machine import (
    TOO_LONG,
    TOO_MANY,
    CannotWalk,
    Frame,
    Returned,
    State,
    advance,
    opened,
    reopened,
)
from astragal.play.making import Making, Onward
from astragal.play.rehearsal import itself

T = TypeVar("T")

Until = type[Fact] | Callable[[Fact], bool]
"""The facts at which a path ends: those of a kind, or those of which something is true."""


def exact(
    start: Then[T] | State,
    policy: Answerer = defaults,
    *,
    until: Until | None = None,
    verdict_only: bool = False,
) -> Distribution[Any]:
    """The distribution of what a procedure comes to, from its beginning or from a state.

    With ``until`` each path ends at the first such fact, which is then its result.

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
        until: Until | None = None,
        verdict_only: bool = False,
        most: int | None = None,
    ) -> None:
        """Answer every question by this policy.

        With ``most`` the walk is given up (:class:`CannotWalk`) as soon as the procedure, or one
        that it calls, is known to have more results than that.
        """
        self._policy = self._given = policy
        self._most = most
        self._until = _as_test(until)
        self._verdict_only = verdict_only
        self._known: dict[Then[Any], Distribution[Any]] = {}
        self._apart: Exact | None = None

    def walk(self, start: Then[T] | State) -> Distribution[Any]:
        """The distribution of what follows."""
        try:
            return self._walked((Frame(itself(start)),) if isinstance(start, Then) else start)
        except RecursionError:
            raise CannotWalk(TOO_LONG) from None

    def called(self, call: Call) -> tuple[Distribution[Any], ...]:
        """The distribution of what a call gives, or of each of its pieces where they are apart."""
        try:
            return self._parts(call)
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
            self._count(results, set())
        return results if self._until is None else results.map(_unwrapped)

    def _resumed(self, caller: Frame, result: Any) -> Distribution[Any]:
        if isinstance(result, _Told):
            return Distribution.certain(result)
        return self._from_frame(Frame(caller.start, (*caller.answers, result)))

    def _count(self, branch: Distribution[Any], found: set[Any]) -> None:
        """Add what a branch comes to, to what others came to; refuse if that is too much."""
        found.update(branch.weights)
        if self._most is not None and len(found) > self._most:
            raise CannotWalk(TOO_MANY)

    def _from_beginning(self, start: Then[Any]) -> Distribution[Any]:
        known = self._known.get(start)
        if known is None:
            begun = itself(start)
            if isinstance(begun.procedure, Making):
                known = self._made(begun.procedure, *begun.args)
            elif isinstance(begun.procedure, Onward) and self._until is None:
                known = self._onward(begun.procedure, *begun.args)
            else:
                known = self._from_frame(Frame(begun))
            self._known[start] = known
        return known

    def _made(self, making: Making, start: Then[Any], *values: Any) -> Distribution[Any]:
        """What a function makes of every result of a procedure."""
        make = making.make
        results = self._call(Call(start, making.apart))
        if self._until is None:
            return results.map(make, *values)
        return results.map(lambda r: r if isinstance(r, _Told) else make(r, *values))

    def _onward(self, going: Onward, start: Then[Any], *values: Any) -> Distribution[Any]:
        """What follows from every result of a procedure, walked once for all that are alike."""
        results = self._from_beginning(start)
        alike: dict[Any, dict[Any, int]] = {}
        for result, weight in results.weights.items():
            alike.setdefault(going.matters(result, *values), {})[result] = weight
        parts = [
            (group, self._from_beginning(going.follows(matters, *values)))
            for matters, group in alike.items()
        ]
        came = Distribution.mix_with(parts, going.make, beyond=results.beyond)
        self._count(came, set())
        return came

    def _from_frame(self, frame: Frame) -> Distribution[Any]:
        generator, step = opened(frame)
        return self._follow(generator, step, frame.start, list(frame.answers))

    def _follow(
        self, generator: Generator[Any, Any, Any], step: Any, start: Then[Any], answers: list[Any]
    ) -> Distribution[Any]:
        answer: Any
        until = self._until
        while True:
            if isinstance(step, Returned):
                return Distribution.certain(step.result)
            if isinstance(step, Then):
                return self._from_beginning(step)
            if isinstance(step, Tell | Change):
                if until is not None and isinstance(step, Tell) and until(step.fact):
                    return Distribution.certain(_Told(step.fact))
                answer = None
            else:
                answer = self._answer(step)
                if isinstance(answer, Distribution):
                    if len(answer) > 1 or answer.beyond:
                        return self._fork(answer, generator, start, answers)
                    (answer,) = answer.weights
                    if isinstance(answer, _Told):
                        return Distribution.certain(answer)
            answers.append(answer)
            step = advance(generator, answer)

    def _fork(
        self,
        outcomes: Distribution[Any],
        generator: Generator[Any, Any, Any],
        start: Then[Any],
        answers: list[Any],
    ) -> Distribution[Any]:
        branches: list[tuple[int, Distribution[Any]]] = []
        branch: Distribution[Any]
        found: set[Any] = set()
        running: Generator[Any, Any, Any] | None = generator
        for value, weight in outcomes.weights.items():
            if isinstance(value, _Told):  # a procedure that was called has told it already
                branch = Distribution.certain(value)
            else:
                if running is None:  # a generator cannot be copied, only begun again
                    running = reopened(start, answers)
                step = advance(running, value)
                if isinstance(step, Then):  # as most often, for that is what checkpoints are for
                    branch = self._from_beginning(step)
                else:
                    branch = self._follow(running, step, start, [*answers, value])
                running = None
            branches.append((weight, branch))
            if self._most is not None:
                self._count(branch, found)
        return Distribution.mix(branches, beyond=outcomes.beyond)

    def _answer(self, effect: Any) -> Any:
        """The answer the effect gets, or every answer it may get, with its weight."""
        if isinstance(effect, Ask):
            return checked(effect, self._policy)
        if isinstance(effect, Roll):
            return effect.outcomes(verdict_only=self._verdict_only)
        if isinstance(effect, Call):
            return self._call(effect)
        if isinstance(effect, AskAll):
            return weighed_together(effect, self._policy)
        if isinstance(effect, Foregone):
            if effect.key and not leaves(self._given, effect.key):
                return False
            return all(map(self._takes_default, effect.asks))
        if isinstance(effect, Unheard):
            return self._until is None
        raise TypeError(f"a procedure yielded {effect!r}, which is not an effect")

    def _takes_default(self, ask: Ask) -> bool:
        default = ask.question.default
        try:
            return default is not None and bool(checked(ask, self._policy) == default)
        except BadInput:  # it has no answer to what may never be asked
            return False

    def _call(self, call: Call) -> Distribution[Any]:
        """What a call gives."""
        return reduce(lambda joint, part: joint.combine(part, add), self._parts(call))

    def _parts(self, call: Call) -> tuple[Distribution[Any], ...]:
        """What a call comes to, for each of several by himself if that is the same.

        It is not where a policy mixes its answers, for in sight of others somebody may be asked
        again; nor where the walk ends at a fact, for then it matters which comes first.
        """
        start = call.start
        if not call.apart:
            return (self._from_beginning(start),)
        if self._apart is None:
            self._apart = Exact(
                self._unmixed,
                until=self._until,
                verdict_only=self._verdict_only,
                most=self._most,
            )
            self._apart._given = self._given
        alone = self._apart._from_beginning
        try:
            parts = tuple([alone(Then(start.procedure, ((each,),))) for each in start.args[0]])
        except _Mixed:
            return (self._from_beginning(start),)
        if self._until is not None and any(isinstance(r, _Told) for p in parts for r in p.weights):
            return (self._from_beginning(start),)
        return parts

    def _unmixed(self, ask: Ask) -> Any:
        answer: Any = self._policy(ask)
        if isinstance(answer, Distribution):
            raise _Mixed
        return answer


def _as_test(until: Until | None) -> Callable[[Fact], bool] | None:
    if not isinstance(until, type):
        return until
    kind = until
    return lambda fact: isinstance(fact, kind)


class _Told(NamedTuple):
    """A path that ended at a fact, on its way out through those who called."""

    fact: Fact


class _Mixed(Exception):
    """A policy has answered with a distribution."""


def _unwrapped(result: Any) -> Any:
    return result.fact if isinstance(result, _Told) else result
