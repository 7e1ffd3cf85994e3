"""The Burning Wheel: the Revised edition, with the later Gold procedures as an edition.

One folder for each chapter of the book, on the floors that ``docs/architecture.md`` shows:
``sheet`` and ``conditions`` at the bottom, then the Hub and the Spokes (``tests``, ``artha``,
``advancement``, ``beliefs``), then the Rim. ``tests/tests.py`` is the place to begin.
"""

from typing import Any

from astragal.games.game import Game

from .conditions.who_can_act import gated
from .sheet.ratings import Rating, read_hook, write_hook
from .sheet.reading import check, normal_form
from .sheet.scene import BurningTable, Scene
from .sheet.sheet import Sheet


def wanted(outcome: Any) -> bool | None:
    """Whether a test came out as the character who began it wanted."""
    if hasattr(outcome, "sides"):
        return bool(outcome.winner == outcome.sides[0])
    passed = getattr(outcome, "passed", getattr(outcome, "all_passed", None))
    if passed and not getattr(outcome, "awake", True):
        return False  # cast, but the caster fell unconscious
    return None if passed is None else bool(passed)


GAME = Game(
    name="burning_wheel",
    title="The Burning Wheel",
    package="astragal.games.burning_wheel",
    sheet=Sheet,
    scene=Scene,
    read_hook=read_hook,
    write_hook=write_hook,
    normal_form=normal_form,
    check=check,
    gate=gated,
    main_test="standard_test",
    wanted=wanted,
)

__all__ = ["GAME", "BurningTable", "Rating", "Scene", "Sheet"]
