"""Weapons at a distance: what is shot, thrown or explodes, by the lines of its tables."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from astragal.errors import BadInput
from astragal.rules import Options, Record

from .ratings import Coordinate
from .weapon_tables import FIST, book, melee_lines

GENERAL_THROWN = "thrown (general)"
CLOSE = "close"
"""The range at which Fight! is fought, and at which a gun is too close to shoot."""


class RangedWeapon(msgspec.Struct, frozen=True):
    """What a weapon is at a distance.

    The ``bands`` say what its Die of Fate means: Incidental, Mark and Superb. A missile weapon
    has fixed ``numbers`` (weapons.missile.fixed_ims) and nobody's Power counts; a thrown one has
    a ``power`` of its own beside the thrower's (weapons.thrown.power). Nothing of either kind has
    an Add (weapons.dof.no_add). ``gunpowder`` weapons have their VA by range. ``dice`` are those
    of optimal and extreme range; ``paces`` is the farthest it reaches, or 0 where that is not
    said.
    """

    name: str
    bands: tuple[str, str, str]
    va: int
    dice: tuple[int, int]
    paces: int
    numbers: tuple[int, ...] = ()
    power: int | None = None
    gunpowder: bool = False

    @property
    def thrown(self) -> bool:
        """Whether it leaves the hand."""
        return self.power is not None


@cache
def is_missile(weapon: str) -> bool:
    """Whether it is a bow, a crossbow or a gun."""
    return weapon in book("missile_weapons").column("weapon")


@cache
def is_thrown(weapon: str) -> bool:
    """Whether it is a weapon for throwing, with a line of its own."""
    return weapon in book("thrown_weapons").column("weapon")


@cache
def is_bomb(weapon: str) -> bool:
    """Whether it is an explosive."""
    return weapon in book("bomb").column("weapon")


@cache
def ranged(weapon: str, options: Options, quality: str = "") -> RangedWeapon:
    """A weapon as it is shot or thrown, by its own line or else as any thing that is thrown.

    weapons.amb.thrown_dof_general: the general bands are for what has no line of its own, with
    the Power and VA that one of this ``quality`` has in the hand. Hatchets and axes have lines
    for being thrown.
    """
    line = f"thrown {weapon.rpartition(' ')[2]}"
    weapon = line if line in book("thrown_weapons").column("weapon") else weapon
    if is_missile(weapon):
        return _missile(book("missile_weapons").where(weapon=weapon), options)
    if is_thrown(weapon):
        row = book("thrown_weapons").where(weapon=weapon)
        power, va = row.number("power"), row.number("va")
        return RangedWeapon(
            weapon, _bands(row), va, _dice(row), row.number("max_range_paces"), (), power
        )
    if is_bomb(weapon):
        row = book("bomb").where(weapon=weapon)
        va, paces = row.number("va_optimal"), row.number("max_range_paces")
        return RangedWeapon(weapon, _bands(row), va, _dice(row), paces, _fixed(row))
    lines = melee_lines(weapon, quality)
    if not lines or weapon == FIST:
        raise BadInput(
            "weapon", weapon, "something that can be shot or thrown", "weapons.thrown.dof"
        )
    general = book("dof_general").where(kind=GENERAL_THROWN)
    bands = (str(general["incidental"]), str(general["mark"]), str(general["superb"]))
    dice = _dice(book("missile_ranges").where(weapon="thrown weapons"))
    return RangedWeapon(weapon, bands, lines[0].va, dice, 0, (), lines[0].power)


def _missile(row: Record, options: Options) -> RangedWeapon:
    name = str(row["weapon"])
    by_range = row["VA"] == "by range"
    va = gun_va("optimal") if by_range else row.number("VA")
    if row["VA_is_guess"]:  # weapons.amb.heavy_crossbow_va
        va = int(options["weapons_heavy_crossbow_va"].removeprefix("va_"))
    dice = _dice(book("missile_ranges").where(weapon=name))
    paces = book("missile_ranges").number("max_range_paces", weapon=name)
    return RangedWeapon(name, _bands(row), va, dice, paces, _fixed(row), gunpowder=by_range)


def gun_va(at: str) -> int:
    """What a gun's VA is at a range (weapons.gun.va_by_range).

    >>> [gun_va(at) for at in ("close", "optimal", "extreme")]
    [4, 3, 1]
    """
    return book("gun_va_by_range").number("VA", range_code=at)


def bomb_va(at: str) -> int:
    """What a bomb's VA is at a range or fighting distance (weapons.bomb.va).

    >>> [bomb_va(at) for at in ("optimal", "lunging", "extreme")]
    [4, 2, 2]
    """
    row = book("bomb").records()[0]
    return row.number("va_optimal" if at == "optimal" else "va_lunging_or_extreme")


@cache
def shooting_actions(weapon: str) -> Record | None:
    """What it takes to make ready and to shoot in Fight!, if that is listed.

    weapons.amb.bow_action_counts: the release is one action more than the listed number.
    """
    rows = book("fight_shooting_actions").all_where(weapon=weapon)
    return rows[0] if rows else None


def is_reloaded(weapon: str) -> bool:
    """Whether it must be loaded before each shot, as crossbows and guns must."""
    row = shooting_actions(weapon)
    return row is not None and bool(row["is_reloaded"])


def _bands(row: Record) -> tuple[str, str, str]:
    return str(row["dof_incidental"]), str(row["dof_mark"]), str(row["dof_superb"])


def _fixed(row: Record) -> tuple[int, int, int]:
    incidental, mark, superb = (Coordinate.parse(row[column]).place for column in "IMS")
    return incidental, mark, superb


def _dice(row: Record) -> tuple[int, int]:
    return row.number("optimal_dice"), row.number("extreme_dice")


def heads(weapon: str) -> Mapping[str, Record]:
    """The heads that may be put on what a weapon shoots; the first is the standard one.

    weapons.head.arrows_for_bows: arrowheads for bows, bolt heads for crossbows.

    >>> list(heads("crossbow"))
    ['helmeted', 'mallet head', 'fisted bolt', 'spear tip']
    """
    table = "bolt_heads" if "crossbow" in weapon else "arrowheads" if "bow" in weapon else ""
    return {str(row["head"]): row for row in book(table).records()} if table else {}
