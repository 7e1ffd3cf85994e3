"""What a condition knows of a test, and what it adds: lines of dice and of obstacle."""

from __future__ import annotations

import msgspec

from astragal.play import Line

from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated, Sheet


class Tester(msgspec.Struct, frozen=True):
    """Who is about to test what: all that a condition may look at.

    A stat may stand in for a ``missing_skill``; ``target`` is whom it is done to, if anybody.
    ``for_goal`` says that it serves the goal of a Divine Aura, where there is one. Die traits whose
    situation it is not are ``idle``.
    """

    character: str
    tested: Rated
    table: BurningTable
    missing_skill: str = ""
    target: str = ""
    for_goal: bool = True
    idle: tuple[str, ...] = ()

    @property
    def sheet(self) -> Sheet:
        """The sheet of the character who tests."""
        return self.table.character(self.character)

    @property
    def name(self) -> str:
        """What the test is called: the ability, or the skill that its root stands in for."""
        return self.missing_skill or self.tested.name


class Lines(msgspec.Struct, frozen=True):
    """What a condition does to a test: dice given or taken, obstacle added.

    ``cause`` and ``rule`` are for the refusal if it leaves no dice at all. What is ``pain`` may be
    borne at a price.
    """

    dice: tuple[Line, ...] = ()
    obstacle: tuple[Line, ...] = ()
    cause: str = ""
    rule: str = "tests.amb.zero_dice"
    pain: bool = False

    @property
    def lost(self) -> int:
        """How many dice it takes away."""
        return max(0, -sum(line.amount for line in self.dice))
