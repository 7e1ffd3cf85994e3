"""Weapons from the saddle: what training, a heavy or curved blade and a moving beast do.

A section of the chapter on riding (``riding``), for every blow and shot. What a lance does to the
timing of a fight is in ``conflicts/fight/saddle_weapons``.
"""

from __future__ import annotations

from functools import cache

import msgspec

from astragal.errors import NotAllowed
from astragal.play import GM, Line, Step, choose, note
from astragal.rules import Record, catalogue

from ..conditions.mounted import (
    CLOSING,
    STANDING,
    WALKING,
    WITHDRAWING,
    RiderAct,
    has_harness,
    is_bowman,
    is_knight,
    mount_of,
    moving_lines,
)
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from ..sheet.weapon_tables import LANCE, MeleeWeapon, Weapon, is_hilt

SPEAR = "spear"
CURVED = ("saber", "sabre", "scimitar", "katana")
DOWNWARD = ("sword", "axe", "hatchet", "mace", "hammer", "mallet", "club", "polearm, axe", "flail")
"""What hacks, slashes or crushes with a downward stroke, by what the name contains."""


def is_trained(rider: Sheet) -> bool:
    """Whether a rider may use what the training of knights or bowmen brings."""
    return is_knight(rider) or is_bowman(rider)


def is_curved(carried: Weapon) -> bool:
    """Whether a blade is a curved one, by what it is called."""
    return any(name in carried.called.casefold() for name in CURVED)


@cache
def bonus_of(weapon: str) -> Record:
    """What a kind of weapon has from the saddle (``riding.table.mounted_weapon_bonuses``)."""
    return catalogue().table("riding.table.mounted_weapon_bonuses").where(weapon=weapon)


def may_use_height(table: BurningTable, rider: str, target: str) -> bool:
    """Whether a rider has the training, and an opponent to strike downward at.

    riding.amb.blade_bonus_training. Against another rider the group may play it differently
    (riding.amb.blade_bonus_stack).
    """
    if not mount_of(table, rider) or not is_trained(table.character(rider)):
        return False
    against_riders = table.options["riding_blade_bonus_against_riders"] == "yes"
    return against_riders or not (target and mount_of(table, target))


def blade_dice(carried: Weapon, way: MeleeWeapon) -> tuple[Line, ...]:
    """The dice of a weapon that is swung from the saddle.

    For curved blades (riding.weapon.curved_blade) and for all that strike downward
    (riding.weapon.straight_blade), never both (riding.amb.blade_bonus_stack). A hilt is neither.
    """
    if is_curved(carried) and not is_hilt(way):
        dice = bonus_of("saber, scimitar, katana").number("skill_dice")
        return (Line(dice, "curved blade from the saddle", "riding.weapon.curved_blade"),)
    if any(kind_of in way.name for kind_of in DOWNWARD):
        row = bonus_of("straight or crushing weapon used with a downward stroke")
        rule = "riding.weapon.straight_blade"
        return (Line(row.number("skill_dice"), "weight from the saddle", rule),)
    return ()


def swung_dice(
    table: BurningTable, rider: str, target: str, carried: Weapon, way: MeleeWeapon
) -> tuple[Line, ...]:
    """The dice that a blow has from the saddle; none on foot."""
    return blade_dice(carried, way) if may_use_height(table, rider, target) else ()


# --- Spears ----------------------------------------------------------------------------------


@cache
def spear_dice() -> tuple[Line, ...]:
    """The dice of a spear that is thrust while the mount Closes (riding.weapon.spear)."""
    dice = bonus_of(SPEAR).number("skill_dice")
    return (Line(dice, "spear from the saddle", "riding.weapon.spear"),)


def at_speed(way: MeleeWeapon) -> MeleeWeapon:
    """A spear that is thrust while the mount Closes: more Power and VA (riding.weapon.spear)."""
    row = bonus_of(SPEAR)
    return msgspec.structs.replace(
        way, power=way.power + row.number("power"), va=way.va + row.number("va")
    )


def rides_on_without_spear(name: str) -> Step[None]:
    """A spear that was used so is gone from the hand (riding.weapon.spear_dropped)."""
    yield from note(f"{name} rides on without the spear.", "riding.weapon.spear_dropped")


# --- Lances ----------------------------------------------------------------------------------


def no_charge(rider: Sheet, mount: Sheet | None) -> tuple[str, str] | None:
    """Why a lance cannot be used here, and by which rule, if it cannot.

    In the saddle, with saddle, harness and stirrups (riding.lance.charge_requirements); it is not
    for bowmen (riding.bowman.allowed_rules).
    """
    rule = "riding.lance.charge_requirements"
    if mount is None:
        return "a lance can only be used mounted", rule
    if not has_harness(mount):
        return "a lance needs saddle, harness and stirrups", rule
    if is_bowman(rider) and not is_knight(rider):
        return "a mounted bowman has no lance training", "riding.bowman.allowed_rules"
    return None


def check_lance(table: BurningTable, rider: str, carried: Weapon, way: str) -> None:
    """Refuse a blow with a lance by somebody who cannot charge with it.

    Another way of striking, if one is named, is no charge.
    """
    if carried.weapon != LANCE or way:
        return
    sheet = table.character(rider)
    unable = no_charge(sheet, table.characters.get(mount_of(table, rider)))
    if unable is not None:
        why, rule = unable
        raise NotAllowed(f"{sheet.name} cannot strike: {why}", rule)


# --- A single blow or shot -------------------------------------------------------------------


class Swung(msgspec.Struct, frozen=True):
    """What the saddle makes of a blow: its dice, what is against it, and how the weapon strikes.

    ``leaves_spear`` says that it is a spear that stays behind.
    """

    way: MeleeWeapon
    dice: tuple[Line, ...] = ()
    against: tuple[Line, ...] = ()
    leaves_spear: bool = False


def swung(
    table: BurningTable,
    rider: str,
    target: str,
    carried: Weapon,
    way: MeleeWeapon,
    *,
    named: bool,
) -> Step[Swung]:
    """A blow from the saddle, or on foot; the GM says what the mount does.

    Who has ``named`` a way to strike, if only that of the spear itself, does without the bonus of
    riding past, and keeps the spear (riding.weapon.spear_dropped). A lance is couched in a Close
    (riding.lance.charge_requirements).
    """
    charges = carried.weapon == LANCE and not named
    moves = yield from _how_it_moves(table, rider, CLOSING if charges else STANDING)
    if charges and moves != CLOSING:
        what = "A lance is couched in a Close: let the mount Close"
        raise NotAllowed(what, "riding.lance.charge_requirements")
    against = moving_lines(table.character(rider), moves, RiderAct.OTHER) if moves else ()
    high = may_use_height(table, rider, target)
    trained = bool(moves) and is_trained(table.character(rider))
    if moves != CLOSING or not trained or carried.weapon != SPEAR or named:
        return Swung(way, blade_dice(carried, way) if high else (), against)
    return Swung(at_speed(way), spear_dice() if high else (), against, leaves_spear=True)


def while_it_moves(table: BurningTable, rider: str, act: RiderAct) -> Step[tuple[Line, ...]]:
    """What a moving beast adds to a blow or shot of its rider; the GM says what it does.

    riding.untrained.beast_moving, riding.knight.close_withdraw, riding.bowman.shooting.
    """
    moves = yield from _how_it_moves(table, rider)
    return moving_lines(table.character(rider), moves, act) if moves else ()


def _how_it_moves(table: BurningTable, rider: str, likely: str = STANDING) -> Step[str]:
    """What the mount of a rider does meanwhile; empty for one on foot."""
    mount = mount_of(table, rider)
    if not mount:
        return ""
    return (
        yield from choose(
            GM,
            "mount_moves",
            f"{table.character(mount).name} meanwhile",
            {
                STANDING: "Stands",
                WALKING: "Walks or Maintains",
                CLOSING: "Closes",
                WITHDRAWING: "Withdraws",
            },
            default=likely,
            because="riding.untrained.beast_moving",
            kind="aside",
        )
    )
