"""Crossbows and guns are loaded before each shot."""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Play, Step, note

from ..sheet.ranged_weapons import RangedWeapon, is_reloaded, shooting_actions
from ..sheet.scene import BurningTable
from ..sheet.weapon_tables import Weapon
from ..sheet.weapons_carried import place_of
from .wielding import take_up


def check_loaded(carried: Weapon, weapon: RangedWeapon) -> None:
    """Refuse a crossbow or gun that is not loaded."""
    if is_reloaded(carried.weapon) and not carried.loaded:
        rule = "weapons.gun.jam" if weapon.gunpowder else "fight.shoot.reload_totals"
        raise NotAllowed(f"The {carried.called} is not loaded: reload it first", rule)


class Reload(Arguments, frozen=True):
    """Who reloads which weapon."""

    character: str
    weapon: str


class ReloadOutcome(Outcome, frozen=True):
    """How many actions of Fight! it took, Acquire Target aside."""

    actions: int


def unload(
    table: BurningTable, character: str, carried: Weapon, because: str
) -> Step[BurningTable]:
    """A crossbow or a gun must be reloaded after a shot or a misfire."""
    sheet = table.character(character)
    if not is_reloaded(carried.weapon) or carried not in sheet.weapons:
        return table
    path = f"{place_of(sheet, carried)}.loaded"
    return (yield from table.amend(character, path, False, because=because))


def _has_unloaded(character: str, table: BurningTable) -> None:
    sheet = table.character(character)
    if not any(is_reloaded(each.weapon) and not each.loaded for each in sheet.weapons):
        what = f"{sheet.name} has no crossbow or gun that is not loaded"
        raise NotAllowed(what, "weapons.gun.jam")


def reload(arguments: Reload, table: BurningTable) -> Play[ReloadOutcome]:
    """Reload a crossbow or a gun, from the beginning (weapons.gun.jam)."""
    sheet = table.character(arguments.character)
    carried = take_up(table, arguments.character, arguments.weapon)
    if not is_reloaded(carried.weapon) or carried.loaded:
        expected = "a crossbow or a gun that is not loaded"
        raise BadInput("weapon", carried.called, expected, "weapons.gun.jam")
    yield from load(table, arguments.character, carried)
    actions = reload_actions(carried.weapon)
    text = f"{sheet.name} reloads the {carried.called} ({actions} actions)."
    yield from note(text, "fight.shoot.reload_totals")
    return ReloadOutcome(actions)


def reload_actions(weapon: str) -> int:
    """How many actions of Fight! it takes to load a weapon again; 0 for what is not loaded.

    fight.shoot.reload_totals.

    >>> [reload_actions(each) for each in ("crossbow", "heavy crossbow", "pistol", "great bow")]
    [16, 32, 40, 0]
    """
    row = shooting_actions(weapon)
    if row is None or not is_reloaded(weapon):
        return 0
    return row.number("total_listed") - row.number("acquire")


def load(table: BurningTable, character: str, carried: Weapon) -> Step[BurningTable]:
    """A crossbow or gun is ready to shoot again."""
    path = f"{place_of(table.character(character), carried)}.loaded"
    because = "fight.shoot.reload_totals"
    return (yield from table.amend(character, path, True, because=because))


PROCEDURES = (Procedure("reload", "Reload a crossbow or gun", Reload, reload, check=_has_unloaded),)
