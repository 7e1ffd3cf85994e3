"""The skills that the catalogue and the sheets at the table name, with their roots.

What is known of a skill's roots is on the sheets of those who have it (advancement.new_skill.root)
and in ``sheet/skill_roots``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from astragal.games.creation import SuggestedName
from astragal.rules import catalogue

from ..magic.sorcery.spell_tables import SKILLS as CASTING_SKILLS
from ..sheet.scene import BurningTable
from ..sheet.skill_roots import (
    WISE,
    WISE_ROOTS,
    book_roots,
    rooted_skills,
    skills_of_ready_sheets,
)

_RATED = re.compile(r"(.+?) [BGW]\d+(?:\(\d+\))?")


@cache
def book_skills() -> dict[str, tuple[str, ...]]:
    """Every skill that the catalogue or a ready sheet names, with its roots where known.

    >>> skills = book_skills()
    >>> skills["Persuasion"], skills["Sword"], skills["Beer-wise"], skills["Falconry"]
    (('Will',), ('Agility',), ('Perception',), ())
    """
    known: dict[str, tuple[str, ...]] = dict.fromkeys(_in_the_catalogue(), ())
    known |= dict.fromkeys((name for name, _ in skills_of_ready_sheets()), ())
    known |= rooted_skills()
    for name in known:
        if name.endswith(WISE):
            known[name] = WISE_ROOTS
    return dict(sorted(known.items()))


def skill_list(table: BurningTable) -> dict[str, tuple[str, ...]]:
    """The skills of the book and those of the campaign's own sheets."""
    known = dict(book_skills())
    for sheet in table.characters.values():
        known |= {name: skill.roots for name, skill in sheet.skills.items() if skill.roots}
    return dict(sorted(known.items()))


def roots_of(skill: str, table: BurningTable) -> tuple[str, ...]:
    """The roots of a skill, whatever its capitals; none where nobody knows them."""
    known = {name.casefold(): roots for name, roots in skill_list(table).items()}
    return known.get(skill.casefold(), ()) or book_roots(skill)


def suggestions(table: BurningTable) -> tuple[SuggestedName, ...]:
    """The skills to choose from, each with its roots."""
    return tuple(
        SuggestedName(name, f"root {' and '.join(roots)}" if roots else "")
        for name, roots in skill_list(table).items()
    )


def _in_the_catalogue() -> Iterator[str]:
    for row in catalogue().table("rogues.table.skills").records():
        for written in row.texts("skills"):
            found = _RATED.fullmatch(written)
            yield found[1] if found else written
    for table in ("slehr_skills", "widow_skills"):
        for name in catalogue().table(f"extended_example.table.{table}").column("skill"):
            yield str(name)
    for name in catalogue().table("duel_of_wits.table.skill_roles").column("skill"):
        yield str(name)
    yield from CASTING_SKILLS
