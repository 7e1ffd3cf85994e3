"""A fantasy game of Exploration Scores, Signs, Tags and Runes: two dice, each 6 or more a Success.

:mod:`~astragal.games.signs.tests` is the place to begin; the modules in the order of the text
are ``successes``, ``verdicts``, ``one_attempt``, ``tests`` (with ``wager``), ``modifiers``,
``groups``, ``attacks``, ``helping`` and ``boons``. ``before_the_roll`` and ``rolling`` are
what every roll has in common.
"""

from astragal.games.game import Game

from .plain import plain_test
from .scene import Scene, SignsTable
from .sheet import Sheet, check, normal_form

GAME = Game(
    name="signs",
    title="Signs",
    package="astragal.games.signs",
    sheet=Sheet,
    scene=Scene,
    normal_form=normal_form,
    check=check,
    main_test="rules_test",
)

__all__ = ["GAME", "Scene", "Sheet", "SignsTable", "plain_test"]
