"""Heroic and supernatural mechanics: what a lighter shade means for stats, skills and gear.

There are three shades, from dark to light (shades.basic.three), and every stat, attribute, skill
and piece of equipment has its own (shades.basic.what_can_have). A shade sets the face that makes
a die a success; obstacles are the same for all (shades.obstacle.unchanged). Roots and Aptitude
are in ``advancement/new_skills``, hesitation in
``steel/dice_and_hesitation``, and which dice of a roll have which shade in
``tests/attempts``. What shades do to weapons, armor and wounds is in
``weapons/shaded_damage``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from astragal.dice import Shade
from astragal.errors import NotAllowed
from astragal.games.game import Procedure
from astragal.play import Play, Step, note, path_of
from astragal.rules import Options, Record, catalogue

from .lookups import Entries, LookUp, look_up
from .ratings import HIGHEST_EXPONENT, Coordinate, Rating
from .scene import BurningTable
from .sheet import Sheet, parents

# --- Dark to light -------------------------------------------------------------------------


def about(shade: Shade) -> Record:
    """What the table of shades has for one of the three (shades.basic.three).

    >>> str(about(Shade.GRAY)["name"]), about(Shade.WHITE)["difficulty_number"]
    ('gray, heroic', 2)
    """
    return catalogue().table("shades.table.shades").where(shade=shade.letter)


def steps_above(shade: Shade, other: Shade) -> int:
    """By how many steps one shade is lighter than another.

    >>> steps_above(Shade.WHITE, Shade.BLACK), steps_above(Shade.BLACK, Shade.GRAY)
    (2, -1)
    """
    order = tuple(catalogue().table("shades.table.shades").column("shade"))
    return order.index(shade.letter) - order.index(other.letter)


def darkest(shades: Iterable[Shade]) -> Shade:
    """The darkest of several shades (shades.root.darker)."""
    return min(shades, key=lambda shade: steps_above(shade, Shade.BLACK))


# --- Several stats together ----------------------------------------------------------------


class CombinedStats(msgspec.Struct, frozen=True):
    """Stats of which something is made: their shade, the sum of their exponents, and how many."""

    shade: Shade
    total: int
    stats: int
    mixed: bool

    @property
    def average(self) -> int:
        """The average, rounded down."""
        return self.total // self.stats


MIXED = 2
"""What is added to the sum of stats whose shades differ (shades.root.plus_two)."""


def combined(ratings: Sequence[Rating], options: Options) -> CombinedStats:
    """Stats as the roots of a skill, or as what an attribute is made of.

    They have the darkest of their shades (shades.root.darker); where the shades differ, two is
    added to the sum (shades.root.plus_two, shades.amb.root_wording), or at some tables two for
    each stat and each step above the darkest (shades.amb.mixed_white).
    """
    shade = darkest(rating.shade for rating in ratings)
    steps = sum(steps_above(rating.shade, shade) for rating in ratings)
    bonus = MIXED if steps else 0
    if options["shades_mixed_root_bonus"] == "2_per_step_and_stat":
        bonus = MIXED * steps
    total = sum(rating.exponent for rating in ratings) + bonus
    return CombinedStats(shade, total, len(ratings), mixed=steps > 0)


# --- Reflexes and the Mortal Wound ---------------------------------------------------------


def derived(sheet: Sheet, attribute: str, options: Options) -> CombinedStats | None:
    """What an attribute's stats come to; None if the sheet has not all of them.

    The attribute is gray only if all its stats are, or lighter: Power and Forte for the Mortal
    Wound (shades.mortal_wound.gray), Perception, Agility and Speed for Reflexes
    (shades.reflexes.requirement); and so for white (shades.amb.attributes_shade_math).
    """
    stats = parents(attribute)
    if not stats or any(stat not in sheet.stats for stat in stats):
        return None
    return combined([sheet.stats[stat].rating for stat in stats], options)


def reflexes(sheet: Sheet, options: Options) -> Rating | None:
    """The Reflexes on the sheet, else the average of their stats; None if neither is there.

    What was entered counts (shades.amb.attributes_shade_math).
    """
    written = sheet.find("Reflexes")
    if written is not None:
        return written.rating
    made = derived(sheet, "Reflexes", options)
    return None if made is None else Rating(made.shade, min(HIGHEST_EXPONENT, made.average))


def follow_shade(table: BurningTable, character: str, stat: str) -> Step[BurningTable]:
    """When a stat has become lighter, so do Reflexes and Mortal Wound if it was the last to.

    shades.reflexes.requirement, shades.mortal_wound.gray. The number stays as it was set.
    """
    for name in ("Reflexes", "Mortal Wound"):
        sheet = table.character(character)
        marker = sheet.attributes.get(name)
        made = derived(sheet, name, table.options)
        if marker is None or made is None or stat not in parents(name):
            continue
        if steps_above(made.shade, marker.rating.shade) <= 0:
            continue
        rule = "shades." + ("reflexes.requirement" if name == "Reflexes" else "mortal_wound.gray")
        rating = Rating(made.shade, marker.rating.exponent)
        path = f"{path_of('attributes', name)}.rating"
        table = yield from table.amend(character, path, rating, because=rule)
        table = yield from move_last_tolerance(table, sheet, character, because=rule)
        yield from note(f"{sheet.name}'s {name} is now {rating}.", rule)
    return table


def move_last_tolerance(
    table: BurningTable, before: Sheet, character: str, *, because: str
) -> Step[BurningTable]:
    """The last tolerance is the Mortal Wound and moves with it (tests.attributes.mortal_wound).

    One that was entered at another step stays where it is, and none comes down to the step of the
    one before it (injury.amb.tolerance_placement).
    """
    was = before.attributes.get("Mortal Wound")
    steps = before.tolerances
    if was is None or steps is None or str(steps.mortal) != str(was.rating):
        return table
    now = table.character(character).attributes["Mortal Wound"].rating
    step = max(Coordinate.parse(str(now)), Coordinate(steps.traumatic.place + 1))
    return (yield from table.amend(character, "tolerances.mortal", step, because=because))


# --- Skills and what they make -------------------------------------------------------------


def may_create(ability: Shade, effect: Shade) -> bool:
    """Whether an ability of one shade can create an effect of another: its own or a darker one.

    shades.skill.effects; help and FoRKs change nothing about it
    (shades.amb.creating_effects_scope).

    >>> may_create(Shade.GRAY, Shade.BLACK), may_create(Shade.GRAY, Shade.WHITE)
    (True, False)
    """
    return steps_above(ability, effect) >= 0


def check_effect(name: str, ability: Shade, effect: Shade) -> None:
    """Refuse an effect lighter than what makes it, be it a spell, a cabinet or a sword."""
    if not may_create(ability, effect):
        cannot = f"{name} is {ability.value} and cannot create a {effect.value} effect"
        what = f"{cannot}: choose a darker shade"
        raise NotAllowed(what, "shades.skill.effects")


# --- Whose shade ---------------------------------------------------------------------------


def whose_shade() -> dict[str, str]:
    """At whose shade dice are rolled, by where they come from.

    shades.amb.other_bonus_dice.

    >>> whose_shade()["FoRK"]
    'the tested skill'
    """
    rows = catalogue().table("shades.table.whose_shade").records()
    return {str(row["dice_from"]): str(row["rolled_at_shade_of"]) for row in rows}


def look_up_shades(arguments: LookUp, _: BurningTable) -> Play[Entries]:
    """Look up the shade of added dice, such as help or FoRKs (shades.amb.other_bonus_dice)."""
    return (yield from look_up(whose_shade(), arguments.entry, "shades.amb.other_bonus_dice"))


PROCEDURES = (
    Procedure("look_up_shades", "Look up the shade of added dice", LookUp, look_up_shades),
)
