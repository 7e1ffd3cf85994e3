"""One roll of a fight as every test has it: conditions, FoRKs, help, artha.

A section of the chapter on Fight! (``conflicts/fight/fight``). It depends on the sheets and on what
is handed in, and not on the fight itself; so the same roll need not be gathered twice by those who
play many fights (``policies``).
"""

from __future__ import annotations

from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.tests.attempts import Attempt, prepare
from astragal.games.burning_wheel.tests.intent import Context, Declaration, agree
from astragal.play import Play


def gathered(said: Declaration, context: Context, table: BurningTable) -> Play[Attempt]:
    """The dice of a roll."""
    agreed = yield from agree(said, context, table)
    return (yield from prepare(said, agreed, 0, context, table))
