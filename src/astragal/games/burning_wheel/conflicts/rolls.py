"""One roll of a scripted conflict as every test has it: conditions, FoRKs, help, artha.

It depends on the sheets and on what is handed in, and not on the conflict itself; so the same roll
need not be gathered twice by those who play many of them.
"""

from __future__ import annotations

from astragal.play import Ask, Play, defaults

from ..sheet.scene import BurningTable
from ..tests.attempts import Attempt, agree_and_prepare
from ..tests.intent import Context, Declaration


def gathered(
    said: Declaration, context: Context, without: tuple[str, ...], table: BurningTable
) -> Play[Attempt]:
    """The dice of a roll; questions ``without`` which it is rolled get their default unasked."""
    step = agree_and_prepare(said, context, table)
    if not without:
        return (yield from step)
    try:
        effect = next(step)
        while True:
            if isinstance(effect, Ask) and effect.key in without:
                effect = step.send(defaults(effect))
            else:
                effect = step.send((yield effect))
    except StopIteration as end:
        result: Attempt = end.value
        return result
