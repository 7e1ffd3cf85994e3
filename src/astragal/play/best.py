"""Best: advice, by the same walk as the odds, taking at each ``ask`` what is best for that seat.

Every seat with a *goal* plays as well as it can, in turn, knowing what has been rolled so
far; seats without one follow a policy. Two seats with opposed interests are two goals that
pull apart. What several seats choose secretly at the same time has no single best answer
and is refused here: that takes a mixed strategy.

Where two answers are worth the same, the question's default wins, then the earlier option,
so that nothing is ever spent for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Any, NamedTuple, TypeVar

import msgspec

from astragal.dice import Distribution
from astragal.errors import Refusal
from astragal.play.answers import Answerer, defaults
from astragal.play.effects import (
    Ask,
    AskAll,
    Call,
    Change,
    Fact,
    Foregone,
    Roll,
    Seat,
    Tell,
    Then,
    Unheard,
)
from astragal.play.machine import TOO_LONG, Frame, Returned, State, advance, opened, reopened

T = TypeVar("T")

Goal = Callable[[T], int | Fraction]
"""What a result is worth to a seat: 1 for what it wants and 0 for what it does not, say."""


class CannotAdvise(Refusal):
    """There is no single best answer to give here."""


class Choice(NamedTuple):
    """One answer, and what it is worth to the seat that gives it if all play well from there."""

    answer: Any
    worth: Fraction


class Advice(NamedTuple):
    """The decision that comes first, its answers with what each is worth, and the best."""

    ask: Ask | None
    choices: tuple[Choice, ...]
    best: Any
    worth: Mapping[Seat, Fraction]


def best(
    start: Then[Any] | State,
    goals: Mapping[Seat, Goal[Any]],
    policy: Answerer = defaults,
    *,
    about: Collection[str] | None = None,
    until: type[Fact] | None = None,
    verdict_only: bool = True,
) -> Advice:
    """What to answer to the next question that a seat with a goal is asked, and its worth."""
    walk = Best(goals, policy, about=about, until=until, verdict_only=verdict_only)
    return walk.advise(start)


class _Worth(msgspec.Struct, frozen=True):
    """What a position is worth to each seat with a goal, over one denominator."""

    over: int
    each: tuple[int, ...]


class _Caller(msgspec.Struct, frozen=True):
    """A procedure that waits for the result of the one it called, and its own caller."""

    frame: Frame
    caller: int


_NOBODY = -1


class Best:
    """A walk towards given goals; what it has worked out it remembers for the next question."""

    def __init__(
        self,
        goals: Mapping[Seat, Goal[Any]],
        policy: Answerer = defaults,
        *,
        about: Collection[str] | None = None,
        until: type[Fact] | None = None,
        verdict_only: bool = True,
    ) -> None:
        """Take the goals of the seats that think, and a policy for everything else.

        ``about`` names the questions to think about, by key; without it, all of them.
        ``until`` ends each path at the first fact of that kind, which is then the result.
        """
        self._seats = tuple(goals)
        self._goals = tuple(goals.values())
        self._policy = policy
        self._about = about
        self._until = until
        self._verdict_only = verdict_only
        # What is worked out is kept for the beginnings of procedures, and for the results
        # with which callers go on; callers have numbers, so that they are compared only once.
        self._begun: dict[tuple[int, Then[Any]], _Worth] = {}
        self._resumed: dict[tuple[int, Any], _Worth] = {}
        self._callers: list[_Caller] = []
        self._numbers: dict[_Caller, int] = {}
        self._first: list[Advice] = []

    def advise(self, start: Then[Any] | State) -> Advice:
        """The advice at the first decision from here; without a decision just the worth."""
        state: State = (Frame(start),) if isinstance(start, Then) else start
        caller = _NOBODY
        for frame in state[:-1]:
            caller = self._number(frame, caller)
        self._first.clear()
        try:
            worth = self._follow(*opened(state[-1]), state[-1], caller, True)
        except RecursionError:
            raise CannotAdvise(TOO_LONG) from None
        values = {
            seat: Fraction(value, worth.over)
            for seat, value in zip(self._seats, worth.each, strict=True)
        }
        if not self._first:
            return Advice(None, (), None, values)
        return self._first[0]._replace(worth=values)

    def worth(self, start: Then[Any] | State) -> Mapping[Seat, Fraction]:
        """What the position is worth to each seat with a goal, if all play well."""
        return self.advise(start).worth

    def _number(self, frame: Frame, caller: int) -> int:
        """A number for a waiting procedure, the same for equal ones."""
        waiting = _Caller(frame, caller)
        number = self._numbers.get(waiting)
        if number is None:
            number = self._numbers[waiting] = len(self._callers)
            self._callers.append(waiting)
        return number

    def _begin(self, start: Then[Any], caller: int, first: bool) -> _Worth:
        key = (caller, start)
        known = None if first else self._begun.get(key)
        if known is None:
            generator = start.begin()
            step = advance(generator, None)
            known = self._follow(generator, step, Frame(start), caller, first)
            self._begun[key] = known
        return known

    def _resume(self, caller: int, result: Any, first: bool) -> _Worth:
        key = (caller, result)
        known = None if first else self._resumed.get(key)
        if known is None:
            waiting = self._callers[caller]
            after = Frame(waiting.frame.start, (*waiting.frame.answers, result))
            known = self._follow(*opened(after), after, waiting.caller, first)
            self._resumed[key] = known
        return known

    def _ended(self, result: Any, caller: int, first: bool) -> _Worth:
        """What follows when a procedure has come to its end, or goes on with another."""
        if isinstance(result, Then):
            return self._begin(result, caller, first)
        if caller == _NOBODY:
            return self._valued(result)
        return self._resume(caller, result, first)

    def _follow(
        self,
        generator: Generator[Any, Any, Any],
        step: Any,
        frame: Frame,
        caller: int,
        first: bool = False,
    ) -> _Worth:
        answer: Any
        while True:
            # In the order of how often each comes, for this is where the time goes.
            if isinstance(step, Then):
                return self._begin(step, caller, first)
            if isinstance(step, Returned):
                return self._ended(step.result, caller, first)
            if isinstance(step, Roll):
                outcomes = step.outcomes(verdict_only=self._verdict_only)
                if len(outcomes) > 1:
                    return self._expect(outcomes, generator, frame, caller)
                (answer,) = outcomes.weights
            elif isinstance(step, Ask):
                if self._thinks_about(step):
                    return self._decide(step, generator, frame, caller, first)
                answer = step.question.check(self._policy(step), step.key)
            elif isinstance(step, Tell):
                if self._until is not None and isinstance(step.fact, self._until):
                    return self._valued(step.fact)
                answer = None
            elif isinstance(step, Change | Foregone | Unheard):
                answer = None
            elif isinstance(step, Call):
                return self._begin(step.start, self._number(frame, caller), first)
            elif isinstance(step, AskAll):
                answer = self._simultaneous(step.asks)
            else:
                raise TypeError(f"a procedure yielded {step!r}, which is not an effect")
            frame = Frame(frame.start, (*frame.answers, answer))
            step = advance(generator, answer)

    def _thinks_about(self, ask: Ask) -> bool:
        return ask.seat in self._seats and (self._about is None or ask.key in self._about)

    def _valued(self, result: Any) -> _Worth:
        values = [goal(result) for goal in self._goals]
        over = lcm(*[value.denominator for value in values])
        return _Worth(over, tuple([int(value * over) for value in values]))

    def _expect(
        self,
        outcomes: Distribution[Any],
        generator: Generator[Any, Any, Any],
        frame: Frame,
        caller: int,
    ) -> _Worth:
        followed = self._each(outcomes.weights, generator, frame, caller)
        return _expected(
            list(zip(outcomes.weights.values(), followed, strict=True)), outcomes.total
        )

    def _each(
        self,
        answers: Iterable[Any],
        generator: Generator[Any, Any, Any],
        frame: Frame,
        caller: int,
    ) -> list[_Worth]:
        """What each answer to the effect that is waiting leads to."""
        worths: list[_Worth] = []
        running: Generator[Any, Any, Any] | None = generator
        for answer in answers:
            if running is None:  # a generator cannot be copied, only begun again
                running = reopened(frame.start, frame.answers)
            try:
                step = running.send(answer)
            except StopIteration as end:  # as most often, for that is what checkpoints are for
                worths.append(self._ended(end.value, caller, False))
            else:
                after = Frame(frame.start, (*frame.answers, answer))
                worths.append(self._follow(running, step, after, caller))
            running = None
        return worths

    def _decide(
        self,
        ask: Ask,
        generator: Generator[Any, Any, Any],
        frame: Frame,
        caller: int,
        first: bool,
    ) -> _Worth:
        mine = self._seats.index(ask.seat)
        answers = ask.question.every_answer()
        choices = list(zip(answers, self._each(answers, generator, frame, caller), strict=True))
        if not choices:
            raise CannotAdvise(f"{ask.key}: it has too many answers, or they cannot be listed")
        answer, worth = choices[0]
        for other, value in choices[1:]:
            if value.each[mine] * worth.over > worth.each[mine] * value.over:
                answer, worth = other, value
        if first:
            priced = tuple(Choice(a, Fraction(w.each[mine], w.over)) for a, w in choices)
            self._first.append(Advice(ask, priced, answer, {}))
        return worth

    def _simultaneous(self, asks: tuple[Ask, ...]) -> tuple[Any, ...]:
        if any(self._thinks_about(ask) for ask in asks):
            raise CannotAdvise("Choices made in secret at the same time have no single best answer")
        return tuple(ask.question.check(self._policy(ask), ask.key) for ask in asks)


def _expected(weighed: list[tuple[int, _Worth]], total: int) -> _Worth:
    over = lcm(*[worth.over for _, worth in weighed])
    scaled = [(weight * (over // worth.over), worth.each) for weight, worth in weighed]
    seats = range(len(weighed[0][1].each))
    sums = [sum([scale * each[seat] for scale, each in scaled]) for seat in seats]
    over *= total
    common = gcd(over, *sums)
    return _Worth(over // common, tuple(value // common for value in sums))
