"""Weapons from the saddle: blades, spears and lances.

A section of the chapter on riding (``riding``), for Fight!. Bonuses are for the trained: knights,
and bowmen, who may use all but the lance (riding.bowman.allowed_rules).
"""

from __future__ import annotations

from functools import cache

from astragal.play import Line, Step
from astragal.rules import catalogue

from ...sheet.weapon_tables import LANCE, MeleeWeapon
from ...weapons.from_the_saddle import (
    SPEAR,
    at_speed,
    blade_dice,
    is_trained,
    no_charge,
    rides_on_without_spear,
    spear_dice,
)
from .distance import rank
from .hesitation import drop_weapon
from .state import Fight, FightDeed, Positioning, in_hand
from .weapon_in_hand import way_in_hand

AGAINST_OPPONENTS = (
    "strike",
    "great_strike",
    "block_and_strike",
    "feint",
    "counterstrike",
    "disarm",
    "beat_and_bind",
)
"""What a weapon does to an opponent with its skill; a Block strikes nobody."""


def saddle_dice(fight: Fight, deed: FightDeed, target: str, way: MeleeWeapon) -> tuple[Line, ...]:
    """The dice that the skill with a weapon has from the saddle.

    For a spear while Closing (riding.weapon.spear), and for blades as everywhere. For trained
    riders (riding.amb.blade_bonus_training). Against another rider the group may play them
    differently.
    """
    rider = deed.character
    if not fight.mount(rider) or not is_trained(fight.sheet(rider)):
        return ()
    if deed.action not in AGAINST_OPPONENTS:
        return ()
    against_riders = fight.table.options["riding_blade_bonus_against_riders"] == "yes"
    if target and fight.mount(target) and not against_riders:
        return ()
    if uses_spear(fight, deed):
        return spear_dice()
    return blade_dice(in_hand(fight, rider), way)


# --- Spears ----------------------------------------------------------------------------------


KEEPS_SPEAR = f"strike:{SPEAR}"
"""The card of a Strike with the spear that is not for the bonus of riding past."""


def may_use_spear(fight: Fight, rider: str) -> bool:
    """Whether a rider has a spear, and the training to thrust it from the saddle."""
    if not fight.mount(rider) or not is_trained(fight.sheet(rider)):
        return False
    return in_hand(fight, rider).weapon == SPEAR


def uses_spear(fight: Fight, deed: FightDeed) -> bool:
    """Whether a blow is a spear thrust from a mount that Closes (riding.weapon.spear).

    Who names a way to strike, if only that of the spear itself, does without the bonus and keeps
    the spear (riding.weapon.spear_dropped).
    """
    rider = deed.character
    if deed.action not in ("strike", "great_strike") or deed.way or not may_use_spear(fight, rider):
        return False
    return fight.fighter(rider).moves is Positioning.CLOSE


def spear_way(fight: Fight, deed: FightDeed, way: MeleeWeapon) -> MeleeWeapon:
    """A spear thrust at speed has more Power and VA (riding.weapon.spear)."""
    if not uses_spear(fight, deed):
        return way
    return at_speed(way)


def spear_left_behind(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """A spear that was used so is gone from the hand (riding.weapon.spear_dropped)."""
    if not uses_spear(fight, deed):
        return fight
    yield from rides_on_without_spear(fight.name(deed.character))
    return drop_weapon(fight, deed.character)


# --- Lances ----------------------------------------------------------------------------------


def has_lance(fight: Fight, character: str) -> bool:
    """Whether a fighter holds a lance."""
    return in_hand(fight, character).weapon == LANCE


def cannot_charge(fight: Fight, character: str) -> tuple[str, str] | None:
    """Why a fighter cannot use a lance here, and by which rule, if so."""
    mount = fight.mount(character)
    return no_charge(fight.sheet(character), fight.sheet(mount) if mount else None)


def lance_lost(fight: Fight, deed: FightDeed) -> tuple[str, str] | None:
    """Why a blow with a lance comes to nothing: no Close, or no Withdraw since the last one.

    riding.lance.charge_requirements, riding.lance.reposition.
    """
    if deed.action != "strike" or not has_lance(fight, deed.character) or deed.way:
        return None
    unable = cannot_charge(fight, deed.character)
    if unable is not None:
        return unable
    fighter = fight.fighter(deed.character)
    if fighter.moves is not Positioning.CLOSE:
        return "a lance is couched in a Close", "riding.lance.charge_requirements"
    if fighter.lanced:
        return "withdraw before the next charge", "riding.lance.reposition"
    return None


def lance_used(fight: Fight, deed: FightDeed) -> Fight:
    """The fight after a charge with a lance (riding.lance.reposition)."""
    if deed.action == "strike" and has_lance(fight, deed.character) and not deed.way:
        return fight.change(deed.character, lanced=True)
    return fight


def after_volley(fight: Fight) -> Fight:
    """The fight after a volley: who has Withdrawn may charge again (riding.lance.reposition)."""
    for each in fight.standing:
        if each.lanced and each.moves is Positioning.WITHDRAW:
            fight = fight.change(each.character, lanced=False)
        if each.outran:
            fight = fight.change(each.character, outran=())
    return fight


def outran(fight: Fight, winner: str, loser: str) -> Fight:
    """The fight in which a lancer has won a Close against a shorter weapon.

    riding.lance.vs_shorter_first; if he has lost it, timing is as always
    (riding.lance.lost_positioning).
    """
    if not winner or not has_lance(fight, winner) or cannot_charge(fight, winner) is not None:
        return fight
    fighter = fight.fighter(winner)
    if fighter.moves is not Positioning.CLOSE:
        return fight
    if rank(way_in_hand(fight, loser).length) >= rank(way_in_hand(fight, winner).length):
        return fight
    return fight.change(winner, outran=(*fighter.outran, loser))


@cache
def timing(action: str) -> str:
    """When a lance comes that has won its Close: a code of ``riding.table.lance_timing``.

    First against a Strike and its like (riding.lance.vs_shorter_first, riding.amb.lance_list), with
    Block and Avoid at the same moment (riding.lance.vs_block_avoid).

    >>> timing("great_strike"), timing("counterstrike"), timing("great_strike_set")
    ('first', 'before_counter', 'standard')
    """
    rows = catalogue().table("riding.table.lance_timing").all_where(action_code=action)
    return rows[0].text("won_code") if rows else "standard"


def is_lance_first(fight: Fight, deed: FightDeed, against: FightDeed, code: str) -> bool:
    """Whether a lance comes before what its target does, in the way of this code."""
    if deed.action != "strike" or deed.way or not has_lance(fight, deed.character):
        return False
    aimed = deed.target or against.character
    if aimed != against.character or aimed not in fight.fighter(deed.character).outran:
        return False
    return timing(against.action) == code


def in_turn(fight: Fight, deeds: tuple[FightDeed, ...]) -> tuple[tuple[FightDeed, ...], ...]:
    """The deeds of a moment, those of lancers who come first before the others.

    riding.lance.vs_shorter_first.
    """
    if len(deeds) < 2 or not any(each.outran for each in fight.fighters):
        return (deeds,)
    first = tuple(
        deed
        for deed in deeds
        if any(is_lance_first(fight, deed, other, "first") for other in deeds if other is not deed)
        and _has_set(fight, deed)
    )
    rest = tuple(deed for deed in deeds if deed not in first)
    return (first, rest) if first else (deeds,)


def _has_set(fight: Fight, deed: FightDeed) -> bool:
    """An unwieldy weapon needs a Set before the blow (riding.amb.lance_unwieldy)."""
    return fight.fighter(deed.character).ready.sets > 0 and lance_lost(fight, deed) is None


def counters_late(fight: Fight, deeds: tuple[FightDeed, ...]) -> tuple[str, ...]:
    """Those whose counter comes after the lance that they answer.

    riding.lance.vs_counterstrike.
    """
    return tuple(
        other.character
        for other in deeds
        if any(
            is_lance_first(fight, deed, other, "before_counter")
            for deed in deeds
            if deed is not other
        )
    )
