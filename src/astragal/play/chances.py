"""The chance of dice that are about to be thrown, before anybody knows what will come of it all.

A conflict goes on long after its next roll, and part of it is secret. But what the dice of this
moment are for is known: they hit, or they do not. That is walked by the driver for exact odds,
from the procedure as it is, and no farther.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import msgspec

from astragal.dice import Distribution, Seeded
from astragal.errors import Refusal
from astragal.play.answers import Answerer, checked
from astragal.play.effects import Ask, AskAll, Fact, Judging, Roll, Tell, Then
from astragal.play.exact import Exact
from astragal.play.machine import Machine, State

MOST_STEPS = 400
"""A roll whose verdict is farther away than this has none that can be named beforehand."""


class RollChance(msgspec.Struct, frozen=True):
    """A roll by its name, and the chance that it does what it is for."""

    name: str
    chance: Fraction


def chances_of_rolls(state: State, policy: Answerer) -> tuple[RollChance, ...]:
    """The chance of each roll that is thrown next, from a state in which one is.

    The dice themselves may be able to judge what comes of them (:class:`Judging`): then nothing
    else is walked, and each of several that are thrown at once is walked alone. Otherwise it is
    the first fact after them that names a verdict.
    """
    for depth in reversed(range(len(state))):
        found = _ready_dice(state[depth].start)
        if found:
            return tuple(_judged(state[depth:], found, policy))
    return tuple(_told(state, policy))


def _ready_dice(start: Then[Any]) -> tuple[Judging, ...]:
    """The dice with which a procedure began, if they can judge what comes of them."""
    first = start.args[0] if start.args else ()
    several = first if isinstance(first, tuple) else (first,)
    return several if several and all(isinstance(each, Judging) for each in several) else ()


Verdicts = tuple[tuple[str, bool], ...]


def _judged(state: State, dice: tuple[Judging, ...], policy: Answerer) -> Iterator[RollChance]:
    start = state[0].start
    is_several = isinstance(start.args[0], tuple)
    walk = Exact(policy)
    if is_several and not any(frame.answers for frame in state):
        for each in dice:
            alone = walk.walk(Then(start.procedure, ((each,), *start.args[1:])))
            yield from _named(alone, each, 0)
        return
    results = walk.walk(state)
    for at, each in enumerate(dice):
        yield from _named(results, each, at if is_several else None)


def _named(results: Distribution[Any], dice: Judging, at: int | None) -> Iterator[RollChance]:
    """The chances of these dice, whose result is the one at a place among those of several."""
    said = results.map(lambda result: dice.judged(result if at is None else result[at]))
    for name in dict.fromkeys(name for verdicts in said.weights for name, _ in verdicts):
        yield _chance(name, said)


def _chance(name: str, said: Distribution[Verdicts]) -> RollChance:
    return RollChance(name, said.where(lambda verdicts: dict(verdicts).get(name, False)))


# --- Verdicts that are told ------------------------------------------------------------------


def _told(state: State, policy: Answerer) -> Iterator[RollChance]:
    roll = Machine[Any](state).effect
    for name in _names(state, policy):
        ends = Exact(policy, until=_tells_of(name)).walk(state)
        found = _chance(name, ends.map(_verdicts))
        if isinstance(roll, Roll) and roll.label.startswith(name):  # the dice say what is tested
            found = RollChance(roll.label, found.chance)
        yield found


def _verdicts(end: Any) -> Verdicts:
    """The verdicts of a fact; whatever else a path has ended with has none."""
    return end.verdicts if isinstance(end, Fact) else ()


def _tells_of(name: str) -> Callable[[Fact], bool]:
    """Whether a fact has this verdict, or is cards that nobody may know yet."""
    return lambda fact: bool(fact.cards) or name in dict(fact.verdicts)


def _names(state: State, policy: Answerer) -> tuple[str, ...]:
    """Which rolls get a verdict before the next dice; found by throwing any dice at all."""
    machine, chance = Machine[Any](state), Seeded("which verdicts follow")
    names: dict[str, None] = {}
    try:
        for _ in range(MOST_STEPS):
            effect = machine.effect
            match effect:
                case Roll() if not names:
                    machine.answer(effect.expression.sample(chance).value)
                case Ask() if not names:
                    machine.answer(checked(effect, policy))
                case None | Roll() | Ask() | AskAll():
                    break
                case Tell(fact=fact):
                    if fact.cards:
                        break
                    names |= dict.fromkeys(name for name, _ in fact.verdicts)
                    machine.answer(None)
                case _:
                    machine.answer(None)
    except Refusal:  # these dice lead to something that is not allowed
        pass
    return tuple(names)
