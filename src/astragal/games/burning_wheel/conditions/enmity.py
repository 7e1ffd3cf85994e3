"""The identity a character goes by, and enemies: what both do to a test."""

from __future__ import annotations

from astragal.errors import NotAllowed
from astragal.play import Line
from astragal.rules import catalogue

from ..sheet.parts import Contact, SkillAbility, SocialStanding
from ..sheet.scene import BurningTable, Enemy
from ..sheet.sheet import Rated, Sheet
from ..sheet.skill_roots import speaking_skills
from .lines import Lines, Tester


def own_standings(sheet: Sheet) -> tuple[SocialStanding, ...]:
    """The affiliations and reputations that count under the identity now in use.

    circles.reputation.new_identity.
    """
    both = (*sheet.affiliations, *sheet.reputations)
    return tuple(each for each in both if each.dice > 0 and each.identity == sheet.identity)


def known_names(sheet: Sheet) -> tuple[str, ...]:
    """The names of everybody on the sheet, relationships and contacts."""
    return (*(r.name for r in sheet.relationships), *(c.name for c in sheet.contacts))


def own_contacts(sheet: Sheet) -> tuple[Contact, ...]:
    """The named contacts who know the character by the identity now in use."""
    return tuple(each for each in sheet.contacts if each.identity == sheet.identity)


def check_not_barred(sheet: Sheet, table: BurningTable) -> None:
    """Under a new identity some tables bar base Circles and relationships, too.

    circles.amb.new_identity_scope.
    """
    barred = table.options["circles_new_identity"] == "base_and_relationships_barred"
    if sheet.identity and barred:
        who = f"As {sheet.identity}, {sheet.name}"
        what = f"{who} cannot use the Circles and relationships of the old life"
        raise NotAllowed(what, "circles.reputation.new_identity")


def enemy(table: BurningTable, character: str, name: str) -> Enemy | None:
    """The GM's record of an enemy, by the name or the key of a character at the table."""
    called = {name.casefold()}
    if name in table.characters:
        called.add(table.characters[name].name.casefold())
    for known in table.scene.enemies:
        if known.character == character and known.name.casefold() in called:
            return known
    return None


def hostility() -> tuple[int, int]:
    """What an enemy costs: the obstacle of social tests, and the points on his body of argument.

    >>> hostility()
    (2, 4)
    """
    row = catalogue().table("circles.table.results").where(disposition="hostile")
    return row.number("social_test_ob"), row.number("duel_body")


def enmity_on_test(tester: Tester) -> Lines:
    """What enmity does to a test whose target is an enemy."""
    return Lines(
        obstacle=social_penalty(
            tester.table, tester.character, tester.target, tester.tested, tester.missing_skill
        )
    )


def social_penalty(
    table: BurningTable, character: str, target: str, tested: Rated, missing_skill: str = ""
) -> tuple[Line, ...]:
    """What enmity adds to the obstacle of an ordinary test of a social skill.

    circles.enmity.social_penalty, gold.ob.personal_enemy: the same in both editions
    (gold.diff.personal_enemy).
    """
    if not target or enemy(table, character, target) is None:
        return ()
    if not counts_as_social(tested, missing_skill, table):
        return ()
    name = table.characters[target].name if target in table.characters else target
    return (Line(hostility()[0], f"{name} is an enemy", "circles.enmity.social_penalty"),)


def is_social(tested: Rated, missing_skill: str, table: BurningTable) -> bool:
    """Whether the test is one of a social skill, or stands in for one."""
    skills = [tested.ability]
    if missing_skill:
        found = (sheet.find(missing_skill) for sheet in table.characters.values())
        skills = [rated.ability for rated in found if rated is not None]
    return any(isinstance(s, SkillAbility) and s.category.casefold() == "social" for s in skills)


def counts_as_social(tested: Rated, missing_skill: str, table: BurningTable) -> bool:
    """Whether a skill is social, by a sheet or by the book where no sheet says what it is.

    Those of a Duel of Wits are.
    """
    if is_social(tested, missing_skill, table):
        return True
    name = missing_skill or tested.name
    sheets = table.characters.values() if missing_skill else ()
    known = [tested] if not missing_skill else [each for s in sheets if (each := s.find(name))]
    written = any(isinstance(s.ability, SkillAbility) and s.ability.category for s in known)
    return not written and name.casefold() in speaking_skills()


def may_be_social(tested: Rated) -> bool:
    """Whether an ability is a social skill, or one of which the sheet does not say what it is."""
    skill = tested.ability
    return isinstance(skill, SkillAbility) and skill.category.casefold() in ("", "social")


def enemy_body(table: BurningTable, character: str, opponent: str) -> tuple[Line, ...]:
    """What an enemy adds to the body of argument in a Duel of Wits: points, not dice to roll.

    circles.enmity.duel_bonus, circles.amb.enmity_duel_dice.
    """
    if enemy(table, character, opponent) is None:
        return ()
    return (Line(hostility()[1], "an enemy", "circles.enmity.duel_bonus"),)
