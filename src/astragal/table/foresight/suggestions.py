"""Scripts that the game suggests to whoever has to write one.

They are written from the question alone, which says what may be scripted here. So they cannot tell
anything about the scripts of others.
"""

from __future__ import annotations

from astragal.dice import Secure
from astragal.errors import BadInput
from astragal.games import Game, SuggestedScript
from astragal.play import Script, Seat
from astragal.table.log.state import OpenProcedure


def suggested_scripts(
    game: Game, procedure: OpenProcedure, seat: Seat, step: int
) -> tuple[SuggestedScript, ...]:
    """Scripts for the question that is open at this step, each time others."""
    asked = (each for each in procedure.questions if each.seat == seat and each.step == step)
    question = next((each.question for each in asked), None)
    if not isinstance(question, Script):
        raise BadInput("step", step, "a script that you are asked for")
    return game.at_table.scripts(question, Secure())
