"""Simulate: whole runs, one after the other, in which known parts are drawn and not played.

Where a procedure calls another that comes up again and again with the same values (a volley of
the same two cards, say), what it comes to is worked out exactly, once, and from then on drawn
from that distribution. A run is still a run: every result has exactly the chance it would have
with every die thrown, but there are no faces and no facts of the parts that were drawn.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from itertools import accumulate
from typing import Any, TypeVar

from astragal.dice import Distribution, Seeded
from astragal.play.answers import Answerer, defaults, leaves
from astragal.play.effects import Ask, AskAll, Call, Foregone, Roll, Tell, Then, Unheard
from astragal.play.exact import Exact
from astragal.play.machine import Frame, State, reopened
from astragal.play.rehearsal import itself

T = TypeVar("T")


class Simulation:
    """Runs under one policy; ``drawn`` are the procedures to be drawn wherever they are called.

    Working one out costs many runs of it, so each has a number: only a call that was met more
    often than that with the same values is worked out.

    The policy must answer the questions of those procedures always alike (or with a
    distribution); elsewhere it may do as it pleases.
    """

    def __init__(
        self,
        policy: Answerer = defaults,
        drawn: Mapping[Callable[..., Generator[Any, Any, Any]], int] | None = None,
    ) -> None:
        """Answer by this policy; draw each of these procedures once it was met more often."""
        self._policy = policy
        self._drawn = dict(drawn or {})
        self._exact = Exact(policy)
        self._known: dict[Any, _Draw] = {}
        self._called: dict[Then[Any], tuple[_Draw, ...]] = {}
        self._met: Counter[Any] = Counter()

    def run(self, start: Then[T], chance: Seeded) -> T:
        """One run from beginning to end, keeping nothing but the result."""
        result: T = self.run_from((Frame(start),), chance)
        return result

    def run_from(
        self,
        state: State,
        chance: Seeded,
        until: Callable[..., Generator[Any, Any, Any]] | None = None,
    ) -> Any:
        """One run from where a session stands to its end, or until a procedure would begin.

        Then the result is how it would begin.
        """
        drawn = self._drawn
        *outer, top = state
        callers = [reopened(frame.start, frame.answers) for frame in outer]
        running, answer = top.start.begin(), None
        if top.answers:
            running, answer = reopened(top.start, top.answers[:-1]), top.answers[-1]
        while True:
            try:
                effect = running.send(answer)
            except StopIteration as stop:
                answer = stop.value
                if isinstance(answer, Then):
                    if until is not None and itself(answer).procedure is until:
                        return itself(answer)
                    running, answer = answer.begin(), None
                elif callers:
                    running = callers.pop()
                else:
                    return answer
                continue
            kind = type(effect)
            if kind is Tell:
                answer = None
            elif kind is Ask:
                answer = self._answer(effect, chance)
            elif kind is Roll:
                answer = self._draw(effect.expression, effect).one(chance)
            elif kind is Call:
                known = self._call(effect) if effect.start.procedure in drawn else None
                if known is not None:
                    first, *others = known
                    answer = first.one(chance)
                    for other in others:
                        answer += other.one(chance)
                else:
                    callers.append(running)
                    running, answer = effect.start.begin(), None
            elif kind is AskAll:
                answer = tuple([self._answer(ask, chance) for ask in effect.asks])
            elif kind is Foregone:
                answer = bool(effect.key) and not effect.asks and leaves(self._policy, effect.key)
            else:
                answer = True if kind is Unheard else None

    def _answer(self, ask: Ask, chance: Seeded) -> Any:
        """The policy's answer, checked as live play would; of a mixed one, one that is drawn."""
        given: Any = self._policy(ask)
        if isinstance(given, Distribution):
            checked = given.map(lambda each: ask.question.check(each, ask.key))
            return _Draw(checked).one(chance)
        return ask.question.check(given, ask.key)

    def _draw(self, key: Any, roll: Roll) -> _Draw:
        key = (key, roll.final)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = _Draw(roll.outcomes(verdict_only=False))
        return known

    def _call(self, call: Call) -> tuple[_Draw, ...] | None:
        """What a call comes to, in its pieces, once it was met so often that it is worth it."""
        start = call.start
        known = self._called.get(start)
        if known is None:
            self._met[start] += 1
            if self._met[start] <= self._drawn[start.procedure]:
                return None
            del self._met[start]
            known = self._called[start] = tuple(map(_Draw, self._exact.called(call)))
        return known


class _Draw:
    """A distribution made ready for drawing one value at a time, each with exactly its chance."""

    __slots__ = ("_bytes", "_fair", "_sums", "_total", "_values")

    def __init__(self, distribution: Distribution[Any]) -> None:
        self._values = list(distribution.weights)
        self._sums = list(accumulate(distribution.weights.values()))
        self._total = self._sums[-1]
        self._bytes = (self._total.bit_length() + 7) // 8 + 1
        whole = 1 << (8 * self._bytes)
        self._fair = whole - whole % self._total

    def one(self, chance: Seeded) -> Any:
        if len(self._values) == 1:
            return self._values[0]
        while (number := int.from_bytes(chance.take(self._bytes), "big")) >= self._fair:
            pass
        return self._values[bisect_right(self._sums, number % self._total)]
