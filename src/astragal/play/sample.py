"""Sample: many seeded runs of a procedure, for what is too large to walk.

Runs that have come to the same point go on together: a procedure is a function of its
answers, so what lies between two rolls is worked out once for all of them. Each roll is
still thrown once for every run that comes to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from enum import Enum
from typing import Any, TypeVar

from astragal.dice import Chance, Distribution, Seeded, draw
from astragal.errors import BadInput
from astragal.play.answers import Answerer, defaults, weighed, weighed_together
from astragal.play.effects import Ask, AskAll, Effect, Roll, Then
from astragal.play.machine import Frame, Machine, State

T = TypeVar("T", bound=Hashable)


class Throwing(Enum):
    """How a sample throws."""

    FACES = "faces"
    """Every die of every roll is thrown."""
    VALUES = "values"
    """What a roll comes to is drawn from its exact distribution: the same odds, far sooner."""


def run(start: Then[T], chance: Chance, policy: Answerer = defaults) -> T:
    """One run from beginning to end, keeping nothing but the result."""
    machine: Machine[T] = Machine.begin(start)
    answer: Any
    while (effect := machine.effect) is not None:
        match effect:
            case Roll(expression=expression):
                answer = expression.sample(chance).value
            case Ask(question=question, key=key):
                answer = question.check(policy(effect), key)
            case AskAll(asks=asks):
                answer = tuple(ask.question.check(policy(ask), ask.key) for ask in asks)
            case _:
                answer = None
        machine.answer(answer)
    return machine.result


def sample(
    start: Then[T],
    runs: int,
    seed: str | int | bytes,
    policy: Answerer = defaults,
    *,
    throwing: Throwing = Throwing.FACES,
    progress: Callable[[int], None] | None = None,
) -> Distribution[T]:
    """How often each result came up in a number of runs; the same seed gives the same answer."""
    if runs < 1:
        raise BadInput("runs", runs, "at least one run")
    chance = Seeded(seed)
    seen: Counter[T] = Counter()
    waiting: list[tuple[State, int]] = [((Frame(start),), runs)]
    done = 0
    while waiting:
        state, here = waiting.pop()
        machine: Machine[T] = Machine(state)
        while (effect := machine.effect) is not None:
            (answer, going_on), *others = _answers(effect, here, chance, policy, throwing).items()
            *outer, top = machine.state
            for other, count in others:
                waiting.append(((*outer, Frame(top.start, (*top.answers, other))), count))
            machine.answer(answer)
            here = going_on
        seen[machine.result] += here
        if progress is not None:
            for _ in range(here):
                done += 1
                progress(done)
    return Distribution.of(seen)


def _answers(
    effect: Effect, runs: int, chance: Seeded, policy: Answerer, throwing: Throwing
) -> Counter[Any]:
    """How many of the runs that have come to an effect get which answer."""
    match effect:
        case Roll(expression=expression) if throwing is Throwing.FACES:
            return Counter(expression.sample(chance).value for _ in range(runs))
        case Roll():
            return draw(effect.outcomes(verdict_only=False), chance, runs)
        case Ask():
            return draw(weighed(effect, policy), chance, runs)
        case AskAll():
            return draw(weighed_together(effect, policy), chance, runs)
        case _:
            return Counter({None: runs})
