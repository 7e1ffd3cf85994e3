"""Spells and their facets: what is on a sheet, what the book names, and how a record is read."""

from __future__ import annotations

import difflib

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Procedure
from astragal.play import Play

from ...sheet.lookups import Entries, LookUp, look_up
from ...sheet.scene import BurningTable
from ...sheet.sheet import Rated, Sheet
from ...sheet.spells import ELAPSED, MEASURED, Spell, known_spells

SKILLS = ("Sorcery", "Summoning", "Enchanting")
"""The skills that cast in this way (sorcery.scope.sibling_skills)."""

NOT_GIVEN = "not given"
GIFTED = "gifted"
"""The trait without which nobody casts (sorcery.gifted.required_to_cast)."""


def spell_of(sheet: Sheet, name: str, place: str = "spell") -> Spell:
    """A spell on somebody's sheet, whatever its capitals."""
    for spell in sheet.spells:
        if spell.name.casefold() == name.strip().casefold():
            return spell
    names = [spell.name for spell in sheet.spells]
    near = difflib.get_close_matches(name, names, n=3) or names
    expected = f"a spell of {sheet.name}: {', '.join(near) or 'none'}"
    raise BadInput(place, name, expected, "sorcery.learn.precondition")


def casting_skill(sheet: Sheet, name: str) -> Rated:
    """The skill that a spell is cast with (sorcery.scope.sibling_skills)."""
    skills = {skill.casefold(): skill for skill in SKILLS}
    if name.casefold() not in skills:
        expected = f"one of {', '.join(SKILLS)}"
        raise BadInput("skill", name, expected, "sorcery.scope.sibling_skills")
    return sheet.ability(skills[name.casefold()], "skill")


def casts_with(sheet: Sheet) -> str:
    """The skill that somebody casts with: the first of them on the sheet."""
    return next((skill for skill in SKILLS if sheet.find(skill) is not None), SKILLS[0])


def check_gifted(sheet: Sheet) -> None:
    """Only the Gifted cast (sorcery.gifted.required_to_cast).

    A trait that the group declared equivalent says so in its situation.
    """
    for trait in sheet.traits:
        if GIFTED in (trait.name.casefold(), trait.situation.casefold()):
            return
    what = f"{sheet.name} is not Gifted and cannot cast spells, only read and research them"
    raise NotAllowed(what, "sorcery.gifted.required_to_cast")


def say_obstacle(spell: Spell) -> str:
    """The obstacle as a record has it, with a caret for an up spell.

    sorcery.obstacle.up_spell, sorcery.obstacle.flat_spell.
    """
    up = "^" if spell.up else ""
    if spell.caster_stat:
        return f"caster's {spell.caster_stat}{up}"
    if spell.target_stat:
        return f"target's {spell.target_stat}{up}"
    numbers = spell.obstacle
    if not numbers:
        return f"{NOT_GIVEN}{up}"
    return f"{numbers[0]}{up}" if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}{up}"


def say_spell(spell: Spell) -> str:
    """A record in one line: the eight facets, and the cost in Resource Points.

    sorcery.facet.list; the points are for character burning alone (sorcery.facet.resource_points).
    What it does in the end comes of impetus, element, intent and successes (sorcery.facet.effect).
    """
    actions = f"{'x' if spell.times_obstacle else ''}{spell.actions}" if spell.actions else ""
    area = spell.unit if spell.area == MEASURED else spell.area
    duration = spell.time_unit if spell.duration == ELAPSED else spell.duration
    facets = {
        "Element": spell.element,
        "Impetus": spell.impetus,
        "Origin": spell.origin,
        "Duration": duration,
        "Area of Effect": area,
        "Obstacle": say_obstacle(spell),
        "Actions": actions,
        "Effect": ", or ".join(filter(None, (spell.effect, spell.second_effect.strip()))),
    }
    if spell.resource_points:
        facets["Resource Points"] = str(spell.resource_points)
    return "; ".join(f"{facet} {value or NOT_GIVEN}" for facet, value in facets.items())


def look_up_spells(arguments: LookUp, _: BurningTable) -> Play[Entries]:
    """Say what the book says of the spells it names (sorcery.facet.list)."""
    known = {spell.name: say_spell(spell) for spell in known_spells().values()}
    return (yield from look_up(known, arguments.entry, "sorcery.facet.list"))


PROCEDURES = (Procedure("look_up_spells", "Spells of the book", LookUp, look_up_spells),)
