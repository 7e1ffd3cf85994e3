"""Epiphany: artha spent on an ability adds up, and at last shifts its shade for good."""

from __future__ import annotations

from astragal.dice import Shade
from astragal.play import GM, Step, confirm, note

from ..sheet.editions import artha_price, edition
from ..sheet.parts import AbilityKind, Artha
from ..sheet.ratings import Rating
from ..sheet.scene import BurningTable
from ..sheet.shades import follow_shade


def add_artha(
    table: BurningTable, character: str, path: str, amount: Artha, *, because: str
) -> Step[BurningTable]:
    """Add to a count of artha on the sheet, or take from it: what is held, or what was spent."""
    for kind in Artha.__struct_fields__:
        points = getattr(amount, kind)
        table = yield from table.add(character, f"{path}.{kind}", points, because=because)
    return table


def credit(
    table: BurningTable, character: str, path: str, kind: AbilityKind, spent: Artha
) -> Step[BurningTable]:
    """Count artha spent toward the shade of an ability, and let the epiphany come.

    Only what was spent on tests of that ability counts (artha.epiphany.spent_on_tests), and what
    an Aristeia took (artha.epiphany.aristeia_counts).
    """
    if spent == Artha():
        return table
    because = "artha.basics.steps_toward_epiphany"
    table = yield from add_artha(table, character, f"{path}.spent", spent, because=because)
    return (yield from _epiphany(table, character, path, kind))


def _epiphany(
    table: BurningTable, character: str, path: str, kind: AbilityKind
) -> Step[BurningTable]:
    """The moment all three totals are reached, the shade shifts for good, even in mid-scene.

    artha.epiphany.effect, artha.epiphany.immediate. The tallies then start anew; white cannot
    shift (artha.amb.epiphany_accounting). Stats and skills always shift, other abilities as the
    table has it (artha.amb.epiphany_scope); in the later edition any ability does, Health among
    them, for which pain borne is noted (gold.artha.epiphany).
    """
    sheet = table.character(character)
    rated = next(each for each in sheet.abilities() if each.path == path)
    spent, needed = rated.ability.spent, artha_price("Epiphany")
    reached = all(getattr(spent, each) >= getattr(needed, each) for each in Artha.__struct_fields__)
    if not reached or rated.rating.shade is Shade.WHITE:
        return table
    always = edition(table.options).any_ability_lightens
    if kind not in (AbilityKind.STAT, AbilityKind.SKILL) and not always:
        custom = table.options["artha_epiphany_of_other_abilities"]
        if custom == "no":
            return table
        if custom == "gm_confirms_each":
            confirmed = yield from confirm(
                GM,
                "epiphany",
                f"Epiphany: {rated.name} has reached the totals. Does its shade shift?",
                default=False,
                because="artha.amb.epiphany_scope",
            )
            if not confirmed:
                return table
    lighter = Rating(rated.rating.shade.lighter(), rated.rating.exponent)
    because = "artha.epiphany.immediate"
    table = yield from table.amend(character, f"{path}.rating", lighter, because=because)
    table = yield from table.amend(character, f"{path}.spent", Artha(), because=because)
    text = f"Epiphany: {sheet.name}'s {rated.name} becomes {lighter}."
    yield from note(text, "artha.epiphany.effect")
    return (yield from follow_shade(table, character, rated.name))
