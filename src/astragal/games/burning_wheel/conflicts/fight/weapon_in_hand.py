"""What a fighter has in hand, as it is used, how far it reaches, and when it is in the way.

A section of the chapter on Fight! (``conflicts/fight/fight``).
"""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec

from astragal.play import Line
from astragal.rules import Options, catalogue

from ...sheet.weapon_tables import MeleeWeapon, Weapon, ways
from ...weapons.damage import way_to_strike
from .distance import Distance, distance_at
from .state import Fight, in_hand


def wielded(fight: Fight, character: str) -> Weapon:
    """What a fighter has in hand, as it is used in melee.

    What is no melee weapon, such as a bow, counts as a club (fight.missile.unloaded_is_club).
    """
    return in_melee(in_hand(fight, character), fight.table.options)


def in_melee(weapon: Weapon, options: Options) -> Weapon:
    """A weapon as it is used in melee."""
    if ways(weapon, options):
        return weapon
    return msgspec.structs.replace(weapon, weapon="club or staff", quality="", skill="")


def way_in_hand(fight: Fight, character: str, way: str = "") -> MeleeWeapon:
    """How a fighter uses what he has in hand: as the action says, or else as he has it."""
    named = way or fight.fighter(character).way
    return way_in_melee(in_hand(fight, character), named, fight.table.options)


@lru_cache(1024)  # a fight looks at the same few all the time
def way_in_melee(weapon: Weapon, way: str, options: Options) -> MeleeWeapon:
    """How a weapon is used: in the way of that name, or in the first one."""
    return way_to_strike(in_melee(weapon, options), way, options)


def distance_to(fight: Fight, character: str, target: str, way: str = "") -> Distance:
    """The fighting distance of a fighter from an opponent, with what he has in hand."""
    return distance_at(fight.gap(character, target), way_in_hand(fight, character, way).length)


_KINDS = {
    "polearm": "pole weapons",
    "spear": "pole weapons",
    "lance": "pole weapons",
    "beak": "axes",
    "hatchet": "axes",
    "axe": "axes",
    "small sword": "small swords",
    "sword": "swords",
    "club or staff": "clubs",
    "mace": "clubs",
    "hammer": "clubs",
    "mallet": "clubs",
    "pick": "axes",
    "chair": "clubs",
    "branch": "clubs",
    "broomhandle": "clubs",
    "shield": "hilt, butt or shield strike",
    "pommel": "hilt, butt or shield strike",
}
"""Kinds of weapon by what their names contain; all others are as knives and fists.

fight.amb.inside_unlisted: the nearest listed kind; by kind and not by length
(fight.amb.club_length)."""


@cache
def inside_lines(way: MeleeWeapon) -> tuple[Line, ...]:
    """What a weapon adds to the obstacle on the inside, by its kind.

    fight.distance.inside.weapon_penalty.
    """
    kind = next((kind for part, kind in _KINDS.items() if part in way.name), "")
    if kind == "axes" and way.two_handed:
        kind = "two-handed axes"
    if not kind:
        return ()
    amount = catalogue().table("fight.table.inside_penalties").number("ob_penalty", weapon=kind)
    label = f"{way.name} on the inside"
    return (Line(amount, label, "fight.distance.inside.weapon_penalty"),)
