"""What is seldom wanted for a roll in a fight is folded away, and says whose it is.

A section of the chapter on Fight! (``conflicts/fight/fight``). Nobody has to be waited for in each
volley because of it; artha is still offered.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from astragal.games.burning_wheel.sheet.facts import IntentDeclared
from astragal.play import Ask, Step, Tell

T = TypeVar("T")

_HOLDS = ("advantage", "forks")
"""What a player says once about a kind of roll holds for the rest of the fight."""

_NAMED = ("boon", "divine_inspiration", "allow_forks")
"""What says nothing about whose roll it is for."""


def folded(step: Step[T], name: str, occasion: str) -> Step[T]:
    """The same, folded away; one person may be asked for several fighters at once.

    The prompts name the fighter and the occasion, so that an answer holds for these alone.
    """
    try:
        effect = next(step)
        while True:
            if isinstance(effect, Ask) and effect.key in _HOLDS:
                said = f"{name}, {occasion}: {effect.prompt}"
                effect = replace(effect, prompt=said, kind="aside", standing=True)
            elif isinstance(effect, Ask) and effect.key in _NAMED:
                effect = replace(effect, prompt=f"{name}, {occasion}: {effect.prompt}")
            elif isinstance(effect, Ask) and effect.key == "disadvantages":
                effect = replace(effect, kind="aside")
            if isinstance(effect, Tell) and isinstance(effect.fact, IntentDeclared):
                effect = step.send(None)  # the cards have said it
            else:
                effect = step.send((yield effect))
    except StopIteration as end:
        result: T = end.value
        return result
