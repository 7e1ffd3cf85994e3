"""The d100 game: characteristics, skills, and tests rolled under a target number.

One module for each theme of the chapter: :mod:`~astragal.games.percentile.tests` is the place
to begin.
"""

from typing import Any

from astragal.games.game import Game

from .extended import ExtendedOutcome
from .opposed import OpposedOutcome
from .plain import plain_test
from .scene import PercentileTable, Scene
from .sheet import Sheet, check, normal_form
from .tests import TestOutcome


def wanted(outcome: Any) -> bool | None:
    """Whether a test came out as the player who began it hoped."""
    match outcome:
        case TestOutcome():
            return outcome.passed
        case ExtendedOutcome():
            return outcome.done
        case OpposedOutcome():
            return outcome.winner == outcome.sides[0]
    return None


GAME = Game(
    name="percentile",
    title="The d100 game",
    package="astragal.games.percentile",
    sheet=Sheet,
    scene=Scene,
    normal_form=normal_form,
    check=check,
    wanted=wanted,
)

__all__ = ["GAME", "PercentileTable", "Scene", "Sheet", "plain_test"]
