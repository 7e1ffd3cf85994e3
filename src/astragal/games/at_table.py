"""What a game offers to people at a table, beside its rules: pages, words, and a place to begin.

A game package may have a module ``at_table`` with one value, ``AT_TABLE``. It is loaded only
when it is needed, so that odds and scenarios never load it; a game without it can still be played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from astragal.dice import Chance
from astragal.errors import BadInput
from astragal.games.about import plain_words
from astragal.games.creation import CharacterCreation
from astragal.games.demo import Demo
from astragal.games.finding import ProcedureIndex
from astragal.games.meanings import Meaning
from astragal.games.page import Page, Section
from astragal.play import Option, Script

Names = Mapping[str, str]
"""What characters are called, by the key under which they sit at the table."""


def _plain_page(sheet: Any, key: str, table: Any) -> Page:  # noqa: ARG001
    return Page(getattr(sheet, "name", key), getattr(sheet, "concept", ""))


def _no_scene(table: Any) -> tuple[Section, ...]:  # noqa: ARG001
    return ()


def _no_sketch(line: str) -> dict[str, Any]:
    raise BadInput("sketch", line, "a whole sheet: this game has no one-line sketches")


def _no_abilities(sheet: Any) -> tuple[Option, ...]:  # noqa: ARG001
    return ()


class SuggestedScript(msgspec.Struct, frozen=True):
    """A script that somebody could lock in as it is: how it fights, and its cards in order."""

    key: str
    label: str
    cards: tuple[str, ...]


def _no_scripts(question: Script, chance: Chance) -> tuple[SuggestedScript, ...]:  # noqa: ARG001
    return ()


class FirstQuestion(msgspec.Struct, frozen=True):
    """A house rule that is asked when a campaign is created: in plain words, choice by choice."""

    option: str
    question: str
    choices: Mapping[str, str]
    """What each choice means, by its key; the default first."""


class SessionCounts(msgspec.Struct, frozen=True):
    """What is counted for the pictures of a session, by the place on a sheet."""

    purse: Mapping[str, str] = {}
    """Points that are earned and spent, each with its name."""
    logged: Mapping[str, str] = {}
    """The last two parts of a place where tests are logged, each with the name of their class."""
    low_is_good: bool = False
    """Whether a low roll is a good one."""


class AtTable(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a page or a program at the table may ask of a game."""

    page: Callable[[Any, str, Any], Page] = _plain_page
    """A sheet as a page, by the sheet, its key and the table."""
    scene_page: Callable[[Any], tuple[Section, ...]] = _no_scene
    """What holds in the scene, by the table."""
    secret_scene: frozenset[str] = frozenset()
    """The fields of the scene whose changes only the GM may see."""
    scene_words: Mapping[str, tuple[str, str]] = {}
    """How an entry that comes into the scene, and one that leaves it, is put in words.

    By field of the scene; ``{name}`` stands for a value of the entry, ``{character}`` for a name.
    """
    sheet_words: Mapping[str, tuple[str, str]] = {}
    """How a change of a sheet is put in words: of what comes or is set, and of what goes.

    By place, without positions in lists and with ``*`` for a name (``skills.*.rating``).
    ``{name}`` stands for that name, ``{before}`` and ``{after}`` for the values, ``{day}`` for
    the day of a moment in seconds, any other for a value of the entry. Empty: nothing is said.
    """
    sketch: Callable[[str], dict[str, Any]] = _no_sketch
    """A character of the GM's from one line, as a sheet in plain data."""
    abilities: Callable[[Any], tuple[Option, ...]] = _no_abilities
    """What can be tested, by the sheet; keys are as the procedures take them."""
    about: Callable[[Any, Mapping[str, Any], Names], str] = plain_words
    """In a few words what an attempt is about: procedure, plain arguments, names."""
    scripts: Callable[[Script, Chance], tuple[SuggestedScript, ...]] = _no_scripts
    """Scripts for a question that asks for one, for those who would not write it themselves."""
    opening: tuple[str, ...] = ()
    """Procedures with which a session begins."""
    closing: tuple[str, ...] = ()
    """Procedures with which a session, or a story, ends."""
    meanings: Mapping[str, Meaning] = {}
    """What arguments of these names stand for, where it is not what it is everywhere."""
    demo: Demo | None = None
    """A ready campaign."""
    creation: CharacterCreation = CharacterCreation()
    """How a character is made."""
    finding: ProcedureIndex = ProcedureIndex()
    """How people find a procedure."""
    first_questions: tuple[FirstQuestion, ...] = ()
    """The few house rules that matter from the beginning."""
    has_obstacles: bool = False
    """Whether tests ask for an obstacle, which the GM can have ready before anybody asks."""
    counted: SessionCounts = SessionCounts()
    """What is counted for the pictures of a session."""

    @property
    def has_scripts(self) -> bool:
        """Whether there are conflicts in which somebody else can write a script."""
        return self.scripts is not _no_scripts
