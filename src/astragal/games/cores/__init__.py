"""A game of teenage drama: Cores, Rocks and Sucks, Relationships and Angst.

One module for each part of the reference sheet, in its order;
:mod:`~astragal.games.cores.tests` is the place to begin. The characters' making, Milestones
and the stories themselves are left to the group.
"""

from astragal.games.game import Game

from .plain import plain_test
from .scene import CoresTable, Scene
from .sheet import CoreName, Sheet, check, normal_form

GAME = Game(
    name="cores",
    title="Cores",
    package="astragal.games.cores",
    sheet=Sheet,
    scene=Scene,
    normal_form=normal_form,
    check=check,
)

__all__ = ["GAME", "CoreName", "CoresTable", "Scene", "Sheet", "plain_test"]
