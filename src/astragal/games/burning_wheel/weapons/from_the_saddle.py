"""Weapons from the saddle: what training, a heavy or curved blade and a moving beast do.

A section of the chapter on riding (``riding``), for every blow and shot; the spear, which takes a
Close, and the lance are in ``conflicts/fight/saddle_weapons``.
"""

from __future__ import annotations

from functools import cache

from astragal.play import GM, Line, Step, choose
from astragal.rules import Record, catalogue

from ..conditions.mounted import (
    CLOSING,
    STANDING,
    WALKING,
    WITHDRAWING,
    RiderAct,
    is_bowman,
    is_knight,
    mount_of,
    moving_lines,
)
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from ..sheet.weapon_tables import MeleeWeapon, Weapon

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
    (riding.weapon.straight_blade), never both (riding.amb.blade_bonus_stack).
    """
    if is_curved(carried):
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


def while_it_moves(table: BurningTable, rider: str, act: RiderAct) -> Step[tuple[Line, ...]]:
    """What a moving beast adds to a blow or shot of its rider; the GM says what it does.

    riding.untrained.beast_moving, riding.knight.close_withdraw, riding.bowman.shooting.
    """
    mount = mount_of(table, rider)
    if not mount:
        return ()
    moves = yield from choose(
        GM,
        "mount_moves",
        f"{table.character(mount).name} meanwhile",
        {
            STANDING: "Stands",
            WALKING: "Walks or Maintains",
            CLOSING: "Closes",
            WITHDRAWING: "Withdraws",
        },
        default=STANDING,
        because="riding.untrained.beast_moving",
        kind="aside",
    )
    return moving_lines(table.character(rider), moves, act)
