"""The roots and categories of skills: what a sheet says, else the book and the pre-made sheets.

The book leaves the full lists to the Character Burner (advancement.new_skill.root). Nearly all
martial skills are rooted in Agility (tests.stats.agility).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from astragal.games.ready import sheets_in
from astragal.rules import catalogue

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


WISE_CATEGORY = "Academic"
"""That of wises on the pre-made sheets."""


def book_category(skill: str) -> str:
    """The category of a skill, as far as the book or a pre-made sheet gives it.

    Those of a Duel of Wits are social (duel_of_wits.skill.main_list,
    duel_of_wits.skill.secondary_list).

    >>> book_category("sword"), book_category("Haggling"), book_category("Falconry")
    ('Martial', 'Social', '')
    """
    if skill.casefold().endswith(WISE):
        return WISE_CATEGORY
    return _categories().get(_key(skill), "")


@cache
def _categories() -> dict[str, str]:
    known = {_key(name): "Martial" for name in MARTIAL}
    for sheet in sheets_in(__name__.rpartition(".sheet.")[0]):
        skills: dict[str, Any] = sheet.get("skills", {})
        for name, skill in skills.items():
            if isinstance(skill, dict) and skill.get("category"):
                known[_key(name)] = skill["category"]
    speaking = catalogue().table("duel_of_wits.table.skill_roles").column("skill")
    return known | {_key(str(name)): "Social" for name in speaking}


def _key(skill: str) -> str:
    return "".join(skill.casefold().split())


def roots_of(tested: Rated) -> tuple[str, ...]:
    """The stats that a skill is based on; the sheet's own word comes first."""
    if not isinstance(tested.ability, SkillAbility):
        return ()
    return tested.ability.roots or book_roots(tested.name)
