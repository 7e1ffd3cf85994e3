"""A test from plain numbers, as a game's ``plain_test`` makes it: ready to be played or counted.

Each game package has a module ``plain`` with a function ``plain_test`` that takes numbers by name.
What it gives says all that odds and advice need to know of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from astragal.play import Answer, Ask, Fact, Seat, State


class Situation(msgspec.Struct, frozen=True, order=True):
    """What somebody sees when a decision comes: how much is missing, and what shows beside it."""

    short: int
    """What is missing, 0 or less if nothing is."""
    sixes: int
    """Sixes that could be rolled on, where the game has them."""
    words: str


class PlainTest(msgspec.Struct, frozen=True, kw_only=True):
    """A procedure with its arguments, the table and what is said beforehand."""

    procedure: str
    arguments: msgspec.Struct
    table: Any
    answers: Mapping[str, Any] = {}
    """Answers to questions, by their keys."""
    title: str = ""
    seat: Seat = ""
    """Whose odds they are; by default those of the character named first."""
    rival: Seat | None = None
    until: type[Fact] | None = None
    """The fact that tells the verdict, where the rest of the procedure cannot change it."""
    reads_fact: bool = False
    """Whether the odds are read from that fact: everything after it only follows from it."""
    hope: str = "chance of success"
    """What the chance is a chance of, in words."""
    about: frozenset[str] | None = None
    """The decisions that bear on the verdict; None for all that the seat is asked."""
    points: Mapping[str, int] = {}
    """What is in hand to be spent, by the name of its number."""
    all_asked: bool = False
    """Whether everything that was said must be asked for in the test."""
    say: Callable[[Ask, Answer], str] | None = None
    """An answer as players of the game would say it."""
    see: Callable[[State, Ask], Situation] | None = None
    """What is seen when a question comes."""

    @property
    def parts(self) -> tuple[str, Any, Any, dict[str, Any]]:
        """The procedure's name, its arguments, the table, and the answers."""
        return self.procedure, self.arguments, self.table, dict(self.answers)
