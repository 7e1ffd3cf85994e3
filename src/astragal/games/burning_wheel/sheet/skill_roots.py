"""The roots of skills: what a sheet says, else what the book and the pre-made sheets say.

The book leaves the full lists to the Character Burner (advancement.new_skill.root). Nearly all
martial skills are rooted in Agility (tests.stats.agility).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from astragal.games.ready import sheets_in

from .parts import SkillAbility
from .sheet import Rated

WISE, WISE_ROOTS = "-wise", ("Perception",)
"""What wises have in common on every sheet of the book."""

MARTIAL = (
    "Axe",
    "Bow",
    "Brawling",
    "Crossbow",
    "Firearms",
    "Hammer",
    "Knives",
    "Lance",
    "Mace",
    "Polearm",
    "Spear",
    "Sword",
    "Throwing",
)
"""The skills of those who fight with weapons; all have one root."""

BLACK_METAL_ARTIFICE = ("Black-Metal Artifice", ("Will", "Agility"))
"""The one skill whose record is in the book (faith.natural.black_metal.record)."""


@cache
def rooted_skills() -> dict[str, tuple[str, ...]]:
    """Skills with their roots, as far as the book or a pre-made sheet gives them."""
    known: dict[str, tuple[str, ...]] = dict.fromkeys(MARTIAL, ("Agility",))
    known |= (BLACK_METAL_ARTIFICE,)
    for name, roots in skills_of_ready_sheets():
        if roots:
            known[name] = roots
    return known


def skills_of_ready_sheets() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every skill on a pre-made sheet, with its roots if they are noted there."""
    for sheet in sheets_in(__name__.rpartition(".sheet.")[0]):
        skills: dict[str, Any] = sheet.get("skills", {})
        for name, skill in skills.items():
            yield name, tuple(skill.get("roots", ())) if isinstance(skill, dict) else ()


def book_roots(skill: str) -> tuple[str, ...]:
    """The roots of a skill whatever its capitals and spaces; none where the book is silent.

    >>> book_roots("Lock pick"), book_roots("beer-wise"), book_roots("Falconry")
    (('Agility',), ('Perception',), ())
    """
    if skill.casefold().endswith(WISE):
        return WISE_ROOTS
    return _by_key().get(_key(skill), ())


@cache
def _by_key() -> dict[str, tuple[str, ...]]:
    return {_key(name): roots for name, roots in rooted_skills().items()}


def _key(skill: str) -> str:
    return "".join(skill.casefold().split())


def roots_of(tested: Rated) -> tuple[str, ...]:
    """The stats that a skill is based on; the sheet's own word comes first."""
    if not isinstance(tested.ability, SkillAbility):
        return ()
    return tested.ability.roots or book_roots(tested.name)
