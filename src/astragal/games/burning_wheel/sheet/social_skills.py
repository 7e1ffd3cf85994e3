"""Social skills: what the sheets say, else what the book and the pre-made sheets say.

The book leaves the full lists to the Character Burner; which skills can be used to argue is in its
chapter on the Duel of Wits (duel_of_wits.skill.main_list, duel_of_wits.skill.secondary_list).
"""

from __future__ import annotations

from functools import cache

from astragal.games.ready import sheets_in
from astragal.rules import catalogue

from .parts import SkillAbility
from .scene import BurningTable
from .sheet import Rated

SOCIAL = "social"


def is_social(tested: Rated, missing_skill: str, table: BurningTable) -> bool:
    """Whether the test is one of a social skill, or stands in for one.

    What is written on a sheet comes first; without a word there, the book's skills are social.
    """
    written = _written(tested, missing_skill, table)
    if written:
        return SOCIAL in written
    if not missing_skill and not isinstance(tested.ability, SkillAbility):
        return False
    return (missing_skill or tested.name).casefold() in _of_the_book()


def is_noted_as_social(tested: Rated, missing_skill: str, table: BurningTable) -> bool:
    """Whether a sheet says so: a missing skill may be on somebody else's."""
    return SOCIAL in _written(tested, missing_skill, table)


def _written(tested: Rated, missing_skill: str, table: BurningTable) -> tuple[str, ...]:
    skills = [tested.ability]
    if missing_skill:
        found = (sheet.find(missing_skill) for sheet in table.characters.values())
        skills = [rated.ability for rated in found if rated is not None]
    known = (skill.category for skill in skills if isinstance(skill, SkillAbility))
    return tuple(category.casefold() for category in known if category)


@cache
def _of_the_book() -> frozenset[str]:
    names = {
        str(name) for name in catalogue().table("duel_of_wits.table.skill_roles").column("skill")
    }
    for sheet in sheets_in(__name__.rpartition(".sheet.")[0]):
        for name, skill in sheet.get("skills", {}).items():
            if isinstance(skill, dict) and skill.get("category", "").casefold() == SOCIAL:
                names.add(name)
    return frozenset(name.casefold() for name in names)
