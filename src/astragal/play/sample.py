"""Sample: many seeded runs of a procedure, for what is too large to walk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from astragal.dice import Chance, Distribution, Seeded
from astragal.play.answers import Answerer, defaults
from astragal.play.effects import Ask, AskAll, Roll, Then
from astragal.play.machine import Machine

T = TypeVar("T", bound=Hashable)


def run(start: Then[T], chance: Chance, policy: Answerer = defaults) -> T:
    """One run from beginning to end, keeping nothing but the result."""
    machine: Machine[T] = Machine.begin(start)
    answer: Any
    while (effect := machine.effect) is not None:
        match effect:
            case Roll(expression=expression):
                answer = expression.sample(chance).value
            case Ask():
                answer = policy(effect)
            case AskAll(asks=asks):
                answer = tuple(policy(ask) for ask in asks)
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
    progress: Callable[[int], None] | None = None,
) -> Distribution[T]:
    """How often each result came up in so many runs; the same seed gives the same answer."""
    chance = Seeded(seed)
    seen: Counter[T] = Counter()
    for done in range(runs):
        seen[run(start, chance, policy)] += 1
        if progress is not None:
            progress(done + 1)
    return Distribution.of(seen)
