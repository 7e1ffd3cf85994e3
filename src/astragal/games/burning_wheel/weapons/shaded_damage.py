"""Shades of damage: Power and IMS, shattering, weapons, armor, and the end of white.

A part of the chapter on shades (``sheet/shades``) for weapons, armor and injury: pure functions,
one question, and a procedure that says where a hit is marked.
"""

from __future__ import annotations

import re

from astragal.dice import Shade
from astragal.errors import BadInput
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Line, Play, Seat, Step, Tally, confirm, note
from astragal.rules import Options, catalogue

from ..sheet.parts import TraitKind
from ..sheet.ratings import STEPS, Coordinate, Rating
from ..sheet.scene import BurningTable
from ..sheet.shades import about, steps_above
from ..sheet.sheet import Sheet

# --- Power and IMS -------------------------------------------------------------------------


def power_bonus(power: Rating) -> int:
    """What a lighter Power adds when IMS is worked out: gray 2, white 3."""
    return about(power.shade).number("power_ims_bonus")


def fists(sheet: Sheet) -> Shade:
    """The shade of unarmed damage and natural weapons: black, unless a trait lightens it.

    shades.power.damage_stays_black, shades.amb.natural_and_spell_attacks: the shade of Power does
    not change it.
    """
    lightest = Shade.BLACK
    for trait in sheet.traits:
        if trait.kind is TraitKind.DIE and trait.fists:
            shade = Shade.parse(trait.fists)
            lightest = shade if steps_above(shade, lightest) > 0 else lightest
    return lightest


def unarmed_power(power: Rating, unarmed: Shade = Shade.BLACK) -> Tally:
    """Power for the IMS of bare hands and natural weapons.

    shades.power.unarmed_gray, shades.power.unarmed_white. A trait that lightens the damage takes
    the place of the bonus (shades.power.trait_replaces_bonus, shades.amb.white_fist_trait). The
    bonus comes before the three numbers are worked out, and is no part of the Power that counts
    against armor (shades.amb.power_bonus_place).

    >>> print(unarmed_power(Rating.parse("G5")))
    7 = 5 Power + 2 gray Power
    """
    tally = Tally.of(power.exponent, "Power", "weapons.ims.mark.amount")
    if not power_bonus(power) or unarmed is not Shade.BLACK:
        return tally
    rule = f"shades.power.unarmed_{power.shade.value}"
    return tally + Line(power_bonus(power), f"{power.shade.value} Power", rule)


def may_add_bonus(power: Rating, weapon: Shade) -> bool:
    """Whether a lighter Power can be added to a weapon: only to a mundane one.

    shades.power.weapon_bonus, shades.amb.shatter_thrown_and_gray; thrown weapons, too.
    """
    return bool(power_bonus(power)) and weapon is Shade.BLACK


def add_bonus(seat: Seat, power: Rating, weapon: Shade, name: str) -> Step[bool]:
    """Whether the player adds a lighter Power to this Strike, said before the roll.

    shades.power.weapon_bonus, shades.amb.shatter_conditions.
    """
    if not may_add_bonus(power, weapon):
        return False
    wanted: bool = yield from confirm(
        seat,
        "power_bonus",
        f"Add +{power_bonus(power)} to Power? Without a success the {name} shatters.",
        default=False,
        because="shades.power.weapon_bonus",
    )
    return wanted


def armed_power(power: Rating, weapon: Shade, *, with_bonus: bool) -> Tally:
    """The wielder's Power for the IMS of a weapon (shades.power.weapon_bonus)."""
    tally = Tally.of(power.exponent, "Power", "weapons.ims.mark.amount")
    if not with_bonus or not may_add_bonus(power, weapon):
        return tally
    label = f"{power.shade.value} Power"
    return tally + Line(power_bonus(power), label, "shades.power.weapon_bonus")


def shatters(successes: int, defended: int = 0, *, with_bonus: bool) -> bool:
    """Whether a weapon breaks: a lighter Power was added, and no success is left.

    shades.power.weapon_shatters; what the opponent's defence takes away counts
    (shades.power.weapon_shatters_defended). One success is enough to save it, hit or not; actions
    that deal no damage add no Power (shades.amb.shatter_conditions).

    >>> shatters(3, 3, with_bonus=True), shatters(3, 2, with_bonus=True)
    (True, False)
    """
    return with_bonus and successes - defended <= 0


# --- Weapons -------------------------------------------------------------------------------


def damage_shade(weapon: Shade | None, sheet: Sheet) -> Shade:
    """The shade of a hit is that of the weapon, not of Power (shades.weapon.damage_shade).

    None means bare hands. There is no other direct way to gray or white damage
    (shades.weapon.only_way).
    """
    return fists(sheet) if weapon is None else weapon


# --- Armor ---------------------------------------------------------------------------------

DWARVEN = ("dwarven mail", "dwarven mask", "dwarven masks")
"""The armor that is not black (shades.armor.default_black)."""

DWARVEN_MADE = "dwarven-made chainmail"


def armor_shade(name: str, options: Options) -> Shade:
    """The shade of a piece of armor by its name: black, but for Dwarven Mail and Masks.

    shades.armor.default_black. Dwarven-made chainmail is black as well, unless the table's house
    rule makes it gray (shades.amb.dwarven_armor_shade).
    """
    plain = " ".join(name.casefold().split())
    if plain == DWARVEN_MADE and options["shades_dwarven_made_chainmail"] == "gray":
        return Shade.GRAY
    return Shade.GRAY if plain in DWARVEN else Shade.BLACK


def armor_may_test(armor: Shade, weapon: Shade) -> bool:
    """Whether armor may be tested: only against weapons of its own shade or darker.

    shades.armor.which_weapons. The weapon's own shade counts, not the one that its damage rolled
    over into (shades.amb.rolled_over_damage_and_armor). Shields help a Block against any weapon
    (shades.amb.shields_vs_lighter_weapons).
    """
    return bool(_armor(armor, weapon)["armor_test_allowed"])


def ones_damage(armor: Shade, weapon: Shade) -> bool:
    """Whether ones damage armor or a shield: not those of a darker weapon."""
    return _armor(armor, weapon)["ones_damage_armor"] is True


def _armor(armor: Shade, weapon: Shade) -> dict[str, object]:
    table = catalogue().table("shades.table.armor_versus_weapon")
    return dict(table.where(armor_shade=armor.letter, weapon_shade=weapon.letter))


# --- Crossing the shades -------------------------------------------------------------------

MOST_DAMAGE = 100
"""No hit does more; a larger number is a typing error."""


LAST = Coordinate(STEPS * len(Shade))
"""W16, beyond which nothing goes."""


def parse_damage(text: str, place: str = "damage") -> tuple[Shade, int]:
    """Read the damage of a hit, which may be more than its shade has steps.

    >>> parse_damage("B18")
    (<Shade.BLACK: 'black'>, 18)
    """
    match = re.fullmatch(r"\s*([BGW])\s*(\d{1,3})\s*", text, re.IGNORECASE)
    if match is None or not 1 <= int(match[2]) <= MOST_DAMAGE:
        expected = f"a shade and a number from 1 to {MOST_DAMAGE}, such as B18"
        raise BadInput(place, text, expected, "shades.ptgs.roll_over")
    return Shade.parse(match[1]), int(match[2])


def roll_over(shade: Shade, number: int) -> Coordinate:
    """Where damage is marked: what is above 16 goes into the next shade, and on to W16 at most.

    Each shade has 16 steps (shades.ptgs.roll_over), and it goes over as often as it must
    (shades.amb.two_shade_jump); at the end of white it stays (shades.ptgs.cap).

    >>> str(roll_over(Shade.BLACK, 18)), str(roll_over(Shade.WHITE, 20))
    ('G2', 'W16')
    """
    return Coordinate(min(LAST.place, Coordinate.of(shade, 1).place + number - 1))


def mortal_wound(sheet: Sheet) -> Coordinate:
    """A character's Mortal Wound: W16 if it is unknown, for it is never beyond that.

    shades.ptgs.mortal_max.
    """
    if sheet.tolerances is not None:
        return sheet.tolerances.mortal
    rated = sheet.find("Mortal Wound")
    return LAST if rated is None or not rated.exponent else Coordinate.parse(str(rated.rating))


def is_mortal(hit: Coordinate, limit: Coordinate) -> bool:
    """Whether a hit is a Mortal Wound: W16 is one for everyone.

    shades.ptgs.w16_mortal. ``limit`` is the character's Mortal Wound.
    """
    return hit >= limit or hit == LAST


class MarkHit(Arguments, frozen=True):
    """The damage of a hit, in the shade of its weapon, on which character and armor.

    ``armor`` is what is worn where it hits, ``armor_shade`` its shade, if the name does not say.
    """

    damage: str
    character: str = ""
    armor: str = ""
    armor_shade: str = ""


class HitMark(Outcome, frozen=True):
    """Where a hit is marked, what armor may do about it, and whether it would be mortal."""

    marked: str
    armor_test: bool
    ones_damage: bool
    mortal: bool


def mark_hit(arguments: MarkHit, table: BurningTable) -> Play[HitMark]:
    """Where on the grayscale a hit is marked, and whether armor may be tested against it."""
    weapon, number = parse_damage(arguments.damage)
    hit = roll_over(weapon, number)
    limit = mortal_wound(table.character(arguments.character)) if arguments.character else LAST
    protects = wears = False
    if arguments.armor:
        worn = _worn(arguments, table.options)
        protects, wears = armor_may_test(worn, weapon), ones_damage(worn, weapon)
        allowed = "armor may be tested" if protects else "no armor test"
        yield from note(f"{arguments.armor}: {allowed}.", "shades.armor.which_weapons")
    rule = "shades.ptgs.roll_over" if number > STEPS else "shades.weapon.damage_shade"
    yield from note(f"The hit is marked at {hit}.", rule)
    return HitMark(str(hit), protects, wears, is_mortal(hit, limit))


def _worn(arguments: MarkHit, options: Options) -> Shade:
    if not arguments.armor_shade:
        return armor_shade(arguments.armor, options)
    try:
        return Shade.parse(arguments.armor_shade)
    except BadInput as bad:
        raise BadInput("armor_shade", arguments.armor_shade, bad.expected, bad.rule) from None


PROCEDURES = (Procedure("mark_hit", "Find a hit on the grayscale", MarkHit, mark_hit),)
