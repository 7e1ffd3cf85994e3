"""One roll of a scripted conflict as every test has it: conditions, FoRKs, help, artha.

It depends on the sheets and on what is handed in, and not on the conflict itself; so the same roll
need not be gathered twice by those who play many of them.
"""

from __future__ import annotations

import msgspec

from astragal.games.burning_wheel.sheet.facts import IntentDeclared
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.tests.attempts import Attempt, prepare
from astragal.games.burning_wheel.tests.intent import Context, Declaration, agree
from astragal.play import Ask, Play, Step, Tell, defaults

_HOLDS = ("advantage", "forks")
"""What a player says once about such a roll holds for the rest of the conflict."""


def gathered(
    said: Declaration,
    context: Context,
    occasion: str,
    without: tuple[str, ...],
    table: BurningTable,
) -> Play[Attempt]:
    """The dice of a roll, with what is seldom wanted folded away.

    Nobody has to be waited for; artha is still offered. The prompts name the ``occasion``, so that
    an answer holds for it alone. Questions ``without`` which it is rolled get their
    default unasked.
    """
    step = _prepared(said, context, table)
    try:
        effect = next(step)
        while True:
            if isinstance(effect, Tell) and isinstance(effect.fact, IntentDeclared):
                effect = step.send(None)  # the cards have said it
                continue
            if isinstance(effect, Ask) and effect.key in without:
                effect = step.send(defaults(effect))
                continue
            if isinstance(effect, Ask) and effect.key in _HOLDS:
                prompt = f"{occasion}: {effect.prompt}"
                effect = msgspec.structs.replace(effect, prompt=prompt, kind="aside", standing=True)
            elif isinstance(effect, Ask) and effect.key == "disadvantages":
                effect = msgspec.structs.replace(effect, kind="aside")
            effect = step.send((yield effect))
    except StopIteration as end:
        result: Attempt = end.value
        return result


def _prepared(said: Declaration, context: Context, table: BurningTable) -> Step[Attempt]:
    agreed = yield from agree(said, context, table)
    return (yield from prepare(said, agreed, 0, context, table))
