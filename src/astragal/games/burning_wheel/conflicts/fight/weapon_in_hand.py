"""What a fighter has in hand, as it is used, how far it reaches, and when it is in the way.

A section of the chapter on Fight! (``conflicts/fight/fight``).
"""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec

from astragal.play import Line
from astragal.rules import Options, catalogue

from ...sheet.catalogue_keys import key_of
from ...sheet.weapon_tables import FIST, MeleeWeapon, Weapon, ways
from ...sheet.weapons_carried import FISTS, armed_with, shield_to_strike_with
from ...weapons.damage import way_to_strike
from .distance import Distance, distance_at
from .state import Fight, in_hand


def wielded(fight: Fight, character: str, way: str = "") -> Weapon:
    """What a fighter has in hand, as it is used in melee; or what he strikes with beside it.

    What is no melee weapon, such as a bow, counts as a club (fight.missile.unloaded_is_club).
    """
    beside = beside_it(fight, character, way)
    if beside is not None:
        return beside
    return in_melee(in_hand(fight, character), fight.table.options)


# --- Beside the weapon in hand ---------------------------------------------------------------


def others_at_hand(fight: Fight, character: str) -> dict[str, Weapon]:
    """What a fighter on foot can Strike with beside the weapon in hand, by the key of its card.

    The weapon in the other hand and the shield (weapons.speed.slow_filler, armor.shield.role), as
    long as that hand is free, and fists and feet in any case (fight.strike.ability,
    weapons.amb.other_hand).
    """
    carried = in_hand(fight, character)
    if fight.mount(character) or fight.fighter(character).carries:
        return {}
    found: dict[str, Weapon] = {}
    sheet, other = fight.sheet(character), fight.fighter(character).other_hand
    if way_in_hand(fight, character).takes_a_shield:
        shield = shield_to_strike_with(sheet)
        second = armed_with(sheet, other) if other else None
        found |= {
            key_of(each.called): each
            for each in (second, shield)
            if each is not None and not each.broken
        }
    return found if carried.weapon == FIST else found | {key_of(FIST): FISTS}


def beside_it(fight: Fight, character: str, way: str) -> Weapon | None:
    """What a Strike is made with that is not made with the weapon in hand, by its way."""
    if not way:
        return None
    return next(
        (each for each in others_at_hand(fight, character).values() if each.called == way), None
    )


IN_THE_HAND = {
    "throwing knife": ("dirk", ""),
    "roden knives": ("dagger", "superior"),
    "darts, barbs, spikes": ("spike or nail", ""),
    "shuriken": ("spike or nail", ""),
    "palm-sized rock": ("stone", ""),
    "large rock or brick": ("stone", ""),
    "javelin": ("spear", ""),
    "thrown hatchet": ("hatchet", ""),
    "thrown axe": ("light axe", ""),
}
"""What is for throwing, as the nearest weapon of the melee tables, with its quality."""


def in_melee(weapon: Weapon, options: Options) -> Weapon:
    """A weapon as it is used in melee.

    What is for throwing is used as what is most like it; a bow or a gun is a club
    (fight.missile.unloaded_is_club).
    """
    if ways(weapon, options):
        return weapon
    if weapon.weapon in IN_THE_HAND:
        kind, quality = IN_THE_HAND[weapon.weapon]
        return msgspec.structs.replace(
            weapon, weapon=kind, quality=quality, skill="", name=weapon.called, two_handed=False
        )
    return msgspec.structs.replace(weapon, weapon="club or staff", quality="", skill="")


def way_in_hand(fight: Fight, character: str, way: str = "") -> MeleeWeapon:
    """How a fighter uses what he has in hand: as the action says, or else as he has it."""
    beside = beside_it(fight, character, way)
    if beside is not None:
        return way_in_melee(beside, "", fight.table.options)
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
