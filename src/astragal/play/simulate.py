"""Simulate: whole runs, one after the other, in which known parts are drawn and not played.

Where a procedure calls another that comes up again and again with the same values (a volley of
the same two cards, say), that part need not be played each time. There are two ways:

* A part may be *drawn*: what it comes to is worked out exactly, once, and from then on drawn from
  that distribution.
* A part may be *remembered*: under a policy it depends on its values and on what is drawn in it,
  and on nothing else. So its runs are a tree, in which each fork is something to draw and each
  end a result. A run draws its way along the tree, and only where nobody has been before is the
  procedure played, which adds to the tree.

A run is still a run: every result has exactly the chance it would have with every die thrown, but
there are no faces and no facts of the parts that were drawn or remembered.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Protocol, TypeVar

from astragal.dice import Distribution, Seeded
from astragal.play.answers import Answerer, defaults, draws_itself, leaves
from astragal.play.effects import Ask, AskAll, Call, Foregone, Roll, Tell, Then, Unheard
from astragal.play.exact import Exact
from astragal.play.machine import Frame, State, reopened
from astragal.play.rehearsal import itself

T = TypeVar("T")

Procedure = Callable[..., Generator[Any, Any, Any]]

MOST_FORKS = 400_000
"""How many forks are remembered, so that a long simulation does not fill the memory."""


class Simulation:
    """Runs under one policy; ``drawn`` are the procedures to be drawn wherever they are called.

    Working one out costs many runs of it, so each has a number: only a call that was met more
    often than that with the same values is worked out. Runs of those that are ``remembered`` are
    remembered from the first one on; their values and results can be compared and hashed.

    The policy must answer the questions of those procedures always alike (or with a
    distribution); elsewhere it may do as it pleases. What it draws by chance of its own it may
    answer in remembered ones, too, if it says so (:func:`~astragal.play.answers.draws_itself`).
    """

    def __init__(
        self,
        policy: Answerer = defaults,
        drawn: Mapping[Procedure, int] | None = None,
        remembered: Collection[Procedure] = (),
    ) -> None:
        """Answer by this policy; draw each of these procedures once it was met more often."""
        self._policy = policy
        self._drawn = dict(drawn or {})
        self._remembered = frozenset(remembered)
        self._runs: dict[Any, _Node] = {}
        self._ends: dict[Any, _End] = {}
        self._forks = 0
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
        drawn, remembered = self._drawn, self._remembered
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
                procedure = effect.start.procedure
                if procedure in remembered:
                    answer = self._one_run(effect.start, chance)
                    continue
                known = self.worked_out(effect) if procedure in drawn else None
                if known is not None:
                    answer = _sum_of(known, chance)
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

    # --- Remembered runs -----------------------------------------------------------------

    def _one_run(self, start: Then[Any], chance: Seeded) -> Any:
        """What a remembered procedure comes to this time."""
        ways: dict[Any, _Node] = self._runs
        key: Any = start
        given = []
        node = ways.get(key)
        while type(node) is _Fork:
            key = node.of.one(chance)
            given.append(key)
            ways = node.ways
            node = ways.get(key)
        if type(node) is _End:
            return node.result
        return self._explore(start, given, None if node is _OPEN else ways, key, chance)

    def _explore(
        self,
        start: Then[Any],
        given: list[Any],
        ways: dict[Any, _Node] | None,
        key: Any,
        chance: Seeded,
    ) -> Any:
        """Play a procedure with what was drawn already, and then on to its end.

        All that is new is remembered from ``key`` of the last ``ways`` on, if there are any.
        """
        remembered, drawn = self._remembered, self._drawn
        callers: list[Generator[Any, Any, Any]] = []
        running, answer = start.begin(), None
        drawn_before = iter(given)
        while True:
            try:
                effect = running.send(answer)
            except StopIteration as stop:
                answer = stop.value
                if isinstance(answer, Then):
                    running, answer = answer.begin(), None
                elif callers:
                    running = callers.pop()
                else:
                    if ways is not None and self._forks < MOST_FORKS:
                        ways[key] = self._ends.setdefault((type(answer), answer), _End(answer))
                    return answer
                continue
            kind = type(effect)
            answer = None
            choices: Sequence[_Choice | _Certain] = ()
            if kind is Roll:
                choices = [self._draw(effect.expression, effect)]
            elif kind is Call:
                procedure = effect.start.procedure
                if procedure in remembered:
                    end = self._certain(effect.start, chance)
                    if end is not None:
                        answer = end.result
                        continue
                    choices = [_Found(self._one_run, effect.start)]
                elif procedure in drawn:
                    choices = [_Called(self, effect)]
                else:
                    callers.append(running)
                    running = effect.start.begin()
                    continue
            elif kind is Ask:
                choices = [self._choice(effect)]
            elif kind is AskAll:
                choices = [self._choice(ask) for ask in effect.asks]
            elif kind is Foregone:
                answer = bool(effect.key) and not effect.asks and leaves(self._policy, effect.key)
            elif kind is Unheard:
                answer = True
            answers = []
            for of in choices:
                if isinstance(of, _Certain):
                    answers.append(of.value)
                    continue
                value = next(drawn_before, _NEW)
                if value is _NEW:
                    value = of.one(chance)
                    if ways is not None and isinstance(of, _Found) and of.ends_memory:
                        ways[key] = _OPEN
                        ways = None
                    if ways is not None and self._forks < MOST_FORKS:
                        self._forks += 1
                        fork = ways[key] = _Fork(of)
                        ways, key = fork.ways, value
                    else:
                        ways = None
                answers.append(value)
            if choices:
                answer = tuple(answers) if kind is AskAll else answers[0]

    def _certain(self, start: Then[Any], chance: Seeded) -> _End | None:
        """The end of a remembered procedure in which nothing is drawn."""
        node = self._runs.get(start)
        if node is None and self._forks < MOST_FORKS:
            self._one_run(start, chance)  # only to find out; what it came to is not used
            node = self._runs.get(start)
        return node if type(node) is _End else None

    def _choice(self, ask: Ask) -> _Choice | _Certain:
        """How a question is answered in a remembered run."""
        if draws_itself(self._policy, ask):
            return _Found(self._answer, ask, ends_memory=True)
        given: Any = self._policy(ask)
        if isinstance(given, Distribution):
            return _Draw(given.map(lambda each: ask.question.check(each, ask.key)))
        return _Certain(ask.question.check(given, ask.key))

    # --- What is drawn -------------------------------------------------------------------

    def _draw(self, key: Any, roll: Roll) -> _Draw:
        key = (key, roll.final)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = _Draw(roll.outcomes(verdict_only=False))
        return known

    def worked_out(self, call: Call) -> tuple[_Draw, ...] | None:
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


class _Choice(Protocol):
    """Something in a run that may go one way or another."""

    def one(self, chance: Seeded) -> Any:
        """Which way it goes this time."""


class _Fork:
    """A place in remembered runs at which something is drawn, and where each value leads."""

    __slots__ = ("of", "ways")

    def __init__(self, of: _Choice) -> None:
        self.of = of
        self.ways: dict[Any, _Node] = {}


class _End:
    """The end of remembered runs, and what they come to."""

    __slots__ = ("result",)

    def __init__(self, result: Any) -> None:
        self.result = result


class _Open:
    """A place from which on runs cannot be remembered."""


_OPEN = _Open()
_NEW = object()
"""In place of something that was not drawn before."""
_Node = _Fork | _End | _Open


class _Certain:
    """An answer that is always the same."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class _Found:
    """What is found each time anew: an answer, or what another procedure comes to.

    If it ``ends_memory``, a policy draws it by chance of its own, and what follows is not
    remembered.
    """

    __slots__ = ("_find", "_of", "ends_memory")

    def __init__(
        self, find: Callable[[Any, Seeded], Any], of: Ask | Then[Any], *, ends_memory: bool = False
    ) -> None:
        self._find = find
        self._of = of
        self.ends_memory = ends_memory

    def one(self, chance: Seeded) -> Any:
        return self._find(self._of, chance)


class _Called:
    """What a procedure that may be drawn comes to: played until it has been worked out."""

    __slots__ = ("_call", "_pieces", "_simulation")

    def __init__(self, simulation: Simulation, call: Call) -> None:
        self._simulation = simulation
        self._call = call
        self._pieces: tuple[_Draw, ...] | None = None

    def one(self, chance: Seeded) -> Any:
        pieces = self._pieces
        if pieces is None:
            pieces = self._pieces = self._simulation.worked_out(self._call)
            if pieces is None:
                return self._simulation.run(self._call.start, chance)
        return _sum_of(pieces, chance)


def _sum_of(pieces: tuple[_Draw, ...], chance: Seeded) -> Any:
    """One value of what was worked out in pieces."""
    first, *others = pieces
    value = first.one(chance)
    for other in others:
        value += other.one(chance)
    return value


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
