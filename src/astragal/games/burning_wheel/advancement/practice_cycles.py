"""Practice cycles: how many months and how many hours a day one test of an ability takes."""

from __future__ import annotations

import msgspec

from astragal.errors import NotAllowed
from astragal.games.game import SCENE
from astragal.play import GM, Number, Step, ask, choose, path_of
from astragal.rules import Record, catalogue

from ..sheet.parts import AbilityKind, Difficulty, Learning, SkillAbility
from ..sheet.scene import BurningTable, GivenCycle
from ..sheet.skill_roots import book_category
from .new_skills import learning_of
from .requirements import advances_as

MOST_HOURS = 20
"""Nobody practises more in a day, whatever the Will (advancement.practice.max_absolute)."""


class PracticeCycle(msgspec.Struct, frozen=True):
    """How one ability is practised: months for one test, and hours a day by class."""

    months: int
    hours: dict[Difficulty, int]


def cycle_of(
    table: BurningTable, character: str, ability: str
) -> Step[tuple[PracticeCycle, BurningTable]]:
    """How long and how many hours a day an ability must be practised.

    advancement.practice.cycle_and_hours: stats and attributes by name, skills by category. What
    the tables leave out cannot be practised, unless the GM says how
    (advancement.amb.practice_missing_abilities).
    """
    sheet = table.character(character)
    rated = sheet.find(ability)
    if rated is None or rated.kind is AbilityKind.SKILL:
        category = yield from category_of(table, character, ability)
        table = yield from _note_category(table, character, ability, category)
        rows = catalogue().table("advancement.table.practice_skills")
        return _cycle(rows.where(skill_category=category)), table
    rows = catalogue().table("advancement.table.practice_stats")
    if found := rows.all_where(stat_or_attribute=rated.name):
        return _cycle(found[0]), table
    rule = "advancement.amb.practice_missing_abilities"
    marker = advances_as(rated).startswith("recalculated")
    option = table.options["advancement_practice_missing_abilities"]
    if marker or option == "not_practisable":
        raise NotAllowed(f"{rated.name} cannot be practised", rule)
    for given in table.scene.practice_cycles:
        if given.ability == rated.name:
            return _given(given), table
    given = yield from _from_the_gm(rated.name)
    cycles = (*table.scene.practice_cycles, given)
    table = yield from table.amend(SCENE, "practice_cycles", cycles, because=rule)
    return _given(given), table


def _given(cycle: GivenCycle) -> PracticeCycle:
    return PracticeCycle(cycle.months, dict(zip(Difficulty, cycle.hours, strict=True)))


def _from_the_gm(ability: str) -> Step[GivenCycle]:
    """What the tables leave out, said once for the whole campaign."""
    rule = "advancement.amb.practice_missing_abilities"
    months = yield from ask(
        GM,
        "cycle_months",
        f"Practice cycle of {ability}, in months",
        Number(least=1, most=120),
        because=rule,
    )
    hours: list[int] = []
    for each in Difficulty:
        said = yield from ask(
            GM,
            f"{each.value}_hours",
            f"Hours a day for a {each.value} test of {ability}",
            Number(least=max(hours, default=1), most=MOST_HOURS),
            because=rule,
        )
        hours.append(said)
    routine, difficult, challenging = hours
    return GivenCycle(ability, months, (routine, difficult, challenging))


def _note_category(
    table: BurningTable, character: str, skill: str, category: str
) -> Step[BurningTable]:
    """Write the category of a skill on the sheet, so that it need not be said again."""
    sheet = table.character(character)
    found = sheet.find(skill)
    name, learning = learning_of(sheet, skill)
    known = found.ability if found is not None else learning
    if not isinstance(known, SkillAbility | Learning) or known.category:
        return table
    where = path_of("learning", name) if found is None else path_of("skills", found.name)
    after = msgspec.structs.replace(known, category=category)
    rule = "advancement.practice.cycle_and_hours"
    return (yield from table.amend(character, where, after, because=rule))


def _cycle(row: Record) -> PracticeCycle:
    hours = {each: row.number(f"{each.value}_hours") for each in Difficulty}
    return PracticeCycle(row.number("cycle_months"), hours)


def category_of(table: BurningTable, character: str, skill: str) -> Step[str]:
    """The category of a skill, from somebody's sheet, or else from the GM.

    By default it is what the book and the pre-made sheets say, where they do.
    """
    names = [
        str(name)
        for name in catalogue().table("advancement.table.practice_skills").column("skill_category")
    ]
    sheets = [table.character(character), *table.characters.values()]
    for sheet in sheets:
        found = sheet.find(skill)
        _, learning = learning_of(sheet, skill)
        known = found.ability if found is not None else learning
        written = known.category if isinstance(known, SkillAbility | Learning) else ""
        for name in names:
            if written and written.casefold() in (name.casefold(), *name.casefold().split("/")):
                return name
    return (
        yield from choose(
            GM,
            "category",
            f"What kind of skill is {skill}?",
            {name: name for name in names},
            default=book_category(skill) or None,
            because="advancement.practice.cycle_and_hours",
        )
    )
