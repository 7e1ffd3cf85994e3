"""Best: advice, by the same walk as the odds, taking at each ``ask`` what is best for that seat.

Every seat with a *goal* plays as well as it can, in turn, knowing what has been rolled so
far; seats without one follow a policy. Two seats with opposed interests are two goals that
pull apart. What several seats choose secretly at the same time has no single best answer
and is refused here: that takes a mixed strategy.

Where two answers are worth the same, the question's default wins, then the earlier option,
so that nothing is ever spent for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Hashable, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Any, Generic, NamedTuple, TypeVar

from astragal.dice import Distribution
from astragal.errors import Refusal
from astragal.play.answers import Answerer, defaults
from astragal.play.effects import Ask, AskAll, Call, Change, Fact, Roll, Seat, Tell, Then
from astragal.play.machine import Frame, Returned, State, advance, opened

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

Goal = Callable[[T], int | Fraction]
"""What a result is worth to a seat: 1 for what it wants and 0 for what it does not, say."""


class CannotAdvise(Refusal):
    """There is no single best answer to give here."""


class Choice(NamedTuple):
    """One answer, and what it is worth to whoever gives it if all play well from there."""

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


class _Worth(NamedTuple):
    """What a position is worth to each seat with a goal, over one denominator."""

    over: int
    each: tuple[int, ...]


class _Place(NamedTuple):
    """A point in a procedure: its number, the answers since it began, and who waits for it."""

    procedure: int
    answers: tuple[Any, ...]
    caller: int

    def after(self, answer: Any) -> _Place:
        """The point one answer further on."""
        return _Place(self.procedure, (*self.answers, answer), self.caller)


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
        # Procedures and callers are numbered, so that what they hold is compared only once.
        self._starts = _Numbered[Then[Any]]()
        self._callers = _Numbered[_Place]()
        self._known: dict[_Place, _Worth] = {}
        self._first: list[Advice] = []

    def advise(self, start: Then[Any] | State) -> Advice:
        """The advice at the first decision from here; without a decision just the worth."""
        state: State = (Frame(start),) if isinstance(start, Then) else start
        caller = _NOBODY
        for frame in state[:-1]:
            caller = self._callers.number(
                _Place(self._starts.number(frame.start), frame.answers, caller)
            )
        top = _Place(self._starts.number(state[-1].start), state[-1].answers, caller)
        self._first.clear()
        worth = self._follow(*opened(state[-1]), top, first=True)
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

    def _begun(self, start: Then[Any], caller: int, *, first: bool) -> _Worth:
        return self._at(_Place(self._starts.number(start), (), caller), first=first)

    def _at(self, place: _Place, *, first: bool = False) -> _Worth:
        known = None if first else self._known.get(place)
        if known is None:
            known = self._known[place] = self._follow(*self._opened(place), place, first=first)
        return known

    def _opened(self, place: _Place) -> tuple[Generator[Any, Any, Any], Any]:
        return opened(Frame(self._starts.items[place.procedure], place.answers))

    def _follow(
        self, generator: Generator[Any, Any, Any], step: Any, place: _Place, *, first: bool = False
    ) -> _Worth:
        answer: Any
        while True:
            # In the order of how often each comes, for this is where the time goes.
            if isinstance(step, Then):
                return self._begun(step, place.caller, first=first)
            if isinstance(step, Roll):
                cut = step.enough if self._verdict_only else None
                outcomes = step.expression.distribution(enough=cut)
                if len(outcomes) > 1:
                    return self._expect(outcomes, generator, place)
                (answer,) = outcomes.weights
            elif isinstance(step, Ask):
                if self._thinks_about(step):
                    return self._decide(step, generator, place, first=first)
                answer = step.question.check(self._policy(step), step.key)
            elif isinstance(step, Returned):
                if place.caller == _NOBODY:
                    return self._valued(step.result)
                waiting = self._callers.items[place.caller]
                return self._at(waiting.after(step.result), first=first)
            elif isinstance(step, Tell):
                if self._until is not None and isinstance(step.fact, self._until):
                    return self._valued(step.fact)
                answer = None
            elif isinstance(step, Change):
                answer = None
            elif isinstance(step, Call):
                return self._begun(step.start, self._callers.number(place), first=first)
            elif isinstance(step, AskAll):
                answer = self._simultaneous(step.asks)
            else:
                raise TypeError(f"a procedure yielded {step!r}, which is no effect")
            place = place.after(answer)
            step = advance(generator, answer)

    def _thinks_about(self, ask: Ask) -> bool:
        return ask.seat in self._seats and (self._about is None or ask.key in self._about)

    def _valued(self, result: Any) -> _Worth:
        values = [goal(result) for goal in self._goals]
        over = lcm(*(value.denominator for value in values))
        scaled = (value.numerator * (over // value.denominator) for value in values)
        return _Worth(over, tuple(scaled))

    def _expect(
        self, outcomes: Distribution[Any], generator: Generator[Any, Any, Any], place: _Place
    ) -> _Worth:
        running: Generator[Any, Any, Any] | None = generator
        weighed: list[tuple[int, _Worth]] = []
        for value, weight in outcomes.weights.items():
            if running is None:  # a generator cannot be copied, only begun again
                running, _ = self._opened(place)
            step = advance(running, value)
            weighed.append((weight, self._follow(running, step, place.after(value))))
            running = None
        return _expected(weighed, outcomes.total)

    def _decide(
        self, ask: Ask, generator: Generator[Any, Any, Any], place: _Place, *, first: bool
    ) -> _Worth:
        mine = self._seats.index(ask.seat)
        running: Generator[Any, Any, Any] | None = generator
        choices: list[tuple[Any, _Worth]] = []
        for answer in ask.question.every_answer():
            if running is None:
                running, _ = self._opened(place)
            step = advance(running, answer)
            choices.append((answer, self._follow(running, step, place.after(answer))))
            running = None
        if not choices:
            raise CannotAdvise(f"{ask.key}: there are too many answers to weigh them all")
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
            raise CannotAdvise("what is chosen secretly and at once has no single best answer")
        return tuple(ask.question.check(self._policy(ask), ask.key) for ask in asks)


class _Numbered(Generic[K]):
    """Things that have a number each, the same for equal things."""

    def __init__(self) -> None:
        self.items: list[K] = []
        self._numbers: dict[K, int] = {}

    def number(self, item: K) -> int:
        """The number of a thing, new or known."""
        number = self._numbers.setdefault(item, len(self.items))
        if number == len(self.items):
            self.items.append(item)
        return number


def _expected(weighed: list[tuple[int, _Worth]], total: int) -> _Worth:
    over = lcm(*(worth.over for _, worth in weighed))
    sums = [0] * len(weighed[0][1].each)
    for weight, worth in weighed:
        scale = weight * (over // worth.over)
        for index, value in enumerate(worth.each):
            sums[index] += scale * value
    over *= total
    common = gcd(over, *sums)
    return _Worth(over // common, tuple(value // common for value in sums))
