"""Social skills: what the sheets say, else what the book and the pre-made sheets say."""

from __future__ import annotations

from .parts import SkillAbility
from .scene import BurningTable
from .sheet import Rated
from .skill_roots import book_category

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
    return book_category(missing_skill or tested.name).casefold() == SOCIAL


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
