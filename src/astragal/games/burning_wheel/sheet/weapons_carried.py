"""The weapons that a character carries: which one is meant, and whether it is whole."""

from __future__ import annotations

from functools import lru_cache

from astragal.errors import BadInput, NotAllowed

from .armor_tables import shield_dice
from .ranged_weapons import is_missile
from .sheet import Sheet
from .weapon_tables import FIST, SHIELD, Weapon, book

FISTS = Weapon(FIST)
"""Everybody has fists."""


def armed_with(sheet: Sheet, name: str, place: str = "weapon") -> Weapon:
    """The weapon of that name that somebody carries; without a name it is the bare fist.

    Anything that can be gripped may come to hand (weapons.found.what), so that what is not
    carried may still be one of the found weapons.
    """
    found = _among(sheet.weapons, name)
    if found is not None:
        return found
    has = ", ".join(carried.called for carried in sheet.weapons) or "bare fists"
    raise BadInput(
        place, name, f"a weapon that {sheet.name} has: {has}", "weapons.melee.attributes"
    )


def shield_to_strike_with(sheet: Sheet) -> Weapon | None:
    """The shield on somebody's arm as a weapon (armor.shield.as_weapon); none once destroyed."""
    shield = sheet.shield
    if shield is None or not shield_dice(shield).total:
        return None
    return Weapon(SHIELD, shade=shield.shade)


def to_strike_with(sheet: Sheet, name: str, place: str = "weapon") -> Weapon:
    """The weapon of that name that somebody strikes with, which may be the ``shield``.

    armor.shield.role.
    """
    shield = shield_to_strike_with(sheet) if name.casefold() == SHIELD else None
    return armed_with(sheet, name, place) if shield is None else shield


@lru_cache(1024)  # a fight looks at the same few all the time
def _among(weapons: tuple[Weapon, ...], name: str) -> Weapon | None:
    if not name.strip() or name.casefold() == FIST:
        return FISTS
    for carried in weapons:
        if name.casefold() in (carried.called.casefold(), carried.weapon.casefold()):
            return carried
    if name.casefold() in (str(found) for found in book("found_weapons").column("weapon")):
        return Weapon(name.casefold())
    return None


def check_whole(carried: Weapon) -> None:
    """A broken weapon is of no use."""
    if carried.broken:
        what = f"The {carried.called} is broken: repair it or use another weapon"
        raise NotAllowed(what, "weapons.balance.complication_loss")


def place_of(sheet: Sheet, carried: Weapon) -> str:
    """The place of a weapon on the sheet."""
    return f"weapons.{sheet.weapons.index(carried)}"


def can_shoot_far(carried: Weapon) -> bool:
    """Whether a weapon is good for anything at a distance: shot, or made to be thrown."""
    if is_missile(carried.weapon):
        return True
    thrown, bombs = (book(name).column("weapon") for name in ("thrown_weapons", "bomb"))
    return carried.weapon in (*thrown, *bombs)
