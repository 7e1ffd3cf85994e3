"""One roll of a fight as every test has it: conditions, FoRKs, help, artha.

A section of the chapter on Fight! (``conflicts/fight/fight``). It depends on the sheets and on what
is handed in, and not on the fight itself; so the same roll need not be gathered twice by those who
play many fights (``policies``).
"""

from __future__ import annotations

import msgspec

from astragal.games.burning_wheel.sheet.facts import IntentDeclared
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.tests.attempts import Attempt, prepare
from astragal.games.burning_wheel.tests.intent import Context, Declaration, agree
from astragal.play import Ask, Play, Step, Tell


def gathered(
    said: Declaration, context: Context, folded: str, table: BurningTable
) -> Play[Attempt]:
    """The dice of a roll; what is seldom wanted may be ``folded`` away, by its occasion."""
    if folded:
        return (yield from _folded(_prepared(said, context, table), folded))
    return (yield from _prepared(said, context, table))


def _prepared(said: Declaration, context: Context, table: BurningTable) -> Step[Attempt]:
    agreed = yield from agree(said, context, table)
    return (yield from prepare(said, agreed, 0, context, table))


_HOLDS = ("advantage", "forks")
"""What a player says once about a folded roll holds for the rest of the fight."""


def _folded(step: Step[Attempt], occasion: str) -> Step[Attempt]:
    """The same, with what is seldom wanted folded away.

    Nobody has to be waited for; artha is still offered. The prompts name the fighter and the
    occasion, so that an answer holds for these alone.
    """
    try:
        effect = next(step)
        while True:
            if isinstance(effect, Ask) and effect.key in _HOLDS:
                said = f"{occasion}: {effect.prompt}"
                effect = msgspec.structs.replace(effect, prompt=said, kind="aside", standing=True)
            elif isinstance(effect, Ask) and effect.key == "disadvantages":
                effect = msgspec.structs.replace(effect, kind="aside")
            if isinstance(effect, Tell) and isinstance(effect.fact, IntentDeclared):
                effect = step.send(None)  # the cards have said it
            else:
                effect = step.send((yield effect))
    except StopIteration as end:
        result: Attempt = end.value
        return result
