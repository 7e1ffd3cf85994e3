"""Materials: what doors, windows and walls withstand, and how their sections are damaged.

A material is hurt much as a character is, but no dice are rolled for it. Every section that has
been damaged is kept in the scene. Hacking at a section is in ``materials/hacking``, a Strike
through one in ``materials/breaking_through``, a shot in ``materials/shooting_through``, being
thrown against it in ``materials/thrown_against``. The rules for riding use its Strength.
"""

from __future__ import annotations

import difflib
from functools import cache

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput, NotAllowed
from astragal.games.game import SCENE
from astragal.play import GM, Step, consent
from astragal.rules import catalogue

from ..sheet.ratings import Coordinate
from ..sheet.scene import BurningTable, MaterialSection
from ..sheet.sheet import Sheet
from ..sheet.weapon_tables import MeleeWeapon, Weapon
from ..weapons.damage import struck_with
from ..weapons.shaded_damage import roll_over

# --- What things are made of -----------------------------------------------------------------


class Material(msgspec.Struct, frozen=True):
    """What a material withstands: five statistics (materials.stat.five).

    Three are steps of the grayscale: from ``surface`` on it is scratched
    (materials.stat.surface), from ``breach`` on it has a hole (materials.stat.breach), from
    ``destroyed`` on it is wrecked (materials.stat.destroyed). ``integrity`` is how many holes one
    section takes (materials.stat.integrity), ``strength`` how stiff it is
    (materials.stat.strength).
    """

    name: str
    surface: Coordinate
    breach: Coordinate
    destroyed: Coordinate
    integrity: int
    strength: int


@cache
def materials() -> dict[str, Material]:
    """Every material of ``materials.table.statistics``, by its name in small letters.

    >>> materials()["heavy door"].integrity
    2
    """
    found = {}
    for row in catalogue().table("materials.table.statistics").records():
        name = str(row["material"]).casefold()
        surface, breach, destroyed = (
            Coordinate.parse(row[column]) for column in ("surface", "breach", "destroyed")
        )
        integrity, strength = row.number("integrity"), row.number("strength")
        found[name] = Material(name, surface, breach, destroyed, integrity, strength)
    return found


def material_named(name: str, place: str = "material") -> Material:
    """The material of that name."""
    found = materials().get(" ".join(name.casefold().split()))
    if found is None:
        near = difflib.get_close_matches(name.casefold(), materials(), n=3) or materials()
        raise BadInput(place, name, f"a material: {', '.join(near)}", "materials.stat.five")
    return found


# --- A section -------------------------------------------------------------------------------


def find_section(table: BurningTable, name: str) -> MaterialSection | None:
    """The section of that name, if anybody has damaged it yet."""
    wanted = name.casefold().strip()
    return next((s for s in table.scene.sections if s.name.casefold() == wanted), None)


def in_the_way(
    name: str, material: str, table: BurningTable
) -> Step[tuple[MaterialSection, Material]]:
    """The section that is attacked, and what it is made of.

    Once it has been damaged the scene knows it by its ``name``; before that its ``material`` is
    enough. It is something that one character could sensibly attack, not a whole building
    (materials.scope.sections): the GM judges.
    """
    known = find_section(table, name or material)
    if known is None:
        made_of = material_named(material)
        new = MaterialSection(name.strip() or made_of.name, made_of.name)
        rule = "materials.scope.sections"
        sensible = yield from consent(
            GM,
            "one_section",
            f"Could one character attack it? ({new.name})",
            because=rule,
        )
        if not sensible:
            raise NotAllowed(f"One character cannot attack {new.name}: name a section of it", rule)
        return new, made_of
    made_of = material_named(known.material, f"scene.sections.{known.name}.material")
    if material and material_named(material) != made_of:
        expected = f"{made_of.name}, which {known.name} is made of"
        raise BadInput("material", material, expected, "materials.stat.five")
    if known.destroyed:
        what = f"Nothing is left of {known.name}: it is already destroyed"
        raise NotAllowed(what, "materials.hack.destroyed_outright")
    return known, made_of


def set_section(
    table: BurningTable, section: MaterialSection, *, because: str
) -> Step[BurningTable]:
    """Keep in the scene what a section has suffered."""
    before = table.scene.sections
    known = find_section(table, section.name)
    if known is None:
        after: tuple[MaterialSection, ...] = (*before, section)
    else:
        after = tuple(section if each == known else each for each in before)
    return (yield from table.amend(SCENE, "sections", after, because=because))


def breached(section: MaterialSection, made_of: Material) -> MaterialSection:
    """One Breach more; as many as its Integrity destroy it (materials.hack.integrity_spent).

    materials.stat.integrity.
    """
    breaches = section.breaches + 1
    destroyed = breaches >= made_of.integrity
    return msgspec.structs.replace(section, breaches=breaches, destroyed=destroyed)


# --- What attacks it --------------------------------------------------------------------------


def mark_of(
    sheet: Sheet, carried: Weapon, way: MeleeWeapon, *, with_bonus: bool = False, more: int = 0
) -> Coordinate:
    """The Mark of a blow as a step of the grayscale, on which materials are rated."""
    numbers = struck_with(sheet, carried, way, with_bonus=with_bonus)
    return roll_over(Shade.parse(numbers.shade), numbers.mark + more)
