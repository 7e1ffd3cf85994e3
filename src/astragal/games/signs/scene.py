"""What holds in the scene beyond any one sheet: what was tried, and who has offered help."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from astragal.games.game import Table

from .sheet import Sheet


class TriedGoal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Test that was made: it stands for its Scene (signs.attempt.scene)."""

    character: str
    goal: str
    successes: int
    passed: bool
    scene: int = 1


class Offer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Help that was declared beforehand (signs.help.before): whose, for whom, with which Tag."""

    helper: str
    tag: str
    character: str
    goal: str


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The scene: its number within the scenario, what was tried in it and in those before it."""

    number: int = 1
    title: str = ""
    attempts: tuple[TriedGoal, ...] = ()
    offers: tuple[Offer, ...] = ()


SignsTable: TypeAlias = Table[Sheet, Scene]
"""A table of the game of Signs."""


def same_words(one: str, other: str) -> bool:
    """Whether two goals are the same words, however they were typed."""
    return " ".join(one.casefold().split()) == " ".join(other.casefold().split())
