"""Actions that come to nothing: out of reach, not allowed in the stance, or without dice.

A section of the chapter on Fight! (``conflicts/fight/fight``). They are simply lost, and the rest
is played on (fight.position.actions_out_of_reach).
"""

from __future__ import annotations

import msgspec

from ...sheet.weapon_tables import FIST
from .distance import Distance
from .eight_legs import is_near_enough, lock_abilities
from .gathering import RollKind, is_immobilized, is_usable
from .interactions import DEFENCES, HESITATING, NO_ACTION, is_attack
from .saddle_weapons import lance_lost
from .skills import fighting_skill, unarmed_skill
from .stances import is_barred
from .state import Fight, FightDeed, in_hand
from .weapon_in_hand import distance_to, way_in_hand, wielded


class LostAction(msgspec.Struct, frozen=True):
    """Why an action is lost, by which rule, and what its fighter counts as instead."""

    why: str
    rule: str
    counts_as: str = NO_ACTION


def why_lost(fight: Fight, deed: FightDeed) -> LostAction | None:
    """Why an action cannot be carried out, if it cannot."""
    if is_immobilized(fight, deed.character):
        return LostAction("locked and helpless", "fight.lock.immobilized", HESITATING)
    if is_barred(fight.fighter(deed.character).stance, deed.action):
        rule = "fight.amb.aggressive_avoid_scripted"
        return LostAction("no Avoid in Aggressive stance", rule, HESITATING)
    if is_attack(deed.action):
        return _unable_to_attack(fight, deed)
    if deed.action in DEFENCES and not has_dice(fight, deed):
        return NO_DICE
    return None


BLOWS = ("strike", "great_strike", "feint")
"""What needs the weapon to touch the target, and does nothing else."""

NO_DICE = LostAction("no dice left", "fight.lock.skill_zero")
OUT_OF_REACH = LostAction("out of reach", "fight.distance.outside.forbidden")


def _unable_to_attack(fight: Fight, deed: FightDeed) -> LostAction | None:
    if deed.target not in fight.opponents(deed.character):
        return LostAction("nobody there", "fight.position.actions_out_of_reach")
    if not in_reach(fight, deed):
        return OUT_OF_REACH
    if deed.action in BLOWS and not is_near_enough(fight, deed.character, deed.target, deed.way):
        return LostAction("only on the inside", "rogues.burned.fangs_inside")
    if deed.action == "disarm" and in_hand(fight, deed.target).weapon == FIST:
        return LostAction("nothing to knock away", "fight.disarm.success")
    unable = lance_lost(fight, deed)
    if unable is not None:
        return LostAction(*unable)
    if wielded(fight, deed.character, deed.way).broken:
        return LostAction("the weapon is broken", "weapons.balance.complication_loss")
    if sets_needed(fight, deed) > fight.fighter(deed.character).ready.sets:
        return LostAction("not set for the blow", "fight.amb.great_strike_set_gap")
    if deed.action == "great_strike" and not may_great_strike(fight, deed):
        return LostAction("not with this weapon", "fight.great_strike.weapon_allows")
    return None if has_dice(fight, deed) else NO_DICE


def sets_needed(fight: Fight, deed: FightDeed) -> int:
    """How many Set actions must stand directly before a blow.

    One before a Great Strike (fight.great_strike.two_actions), one more with an unwieldy weapon
    (fight.great_strike.unwieldy), and one before each of its Strikes (weapons.speed.unwieldy).
    """
    if deed.action not in ("strike", "great_strike", "block_and_strike"):
        return 0
    unwieldy = way_in_hand(fight, deed.character, deed.way).speed == "unwieldy"
    return int(unwieldy) + int(deed.action == "great_strike")


def may_great_strike(fight: Fight, deed: FightDeed) -> bool:
    """Whether the weapon is marked for Great Strikes, or the bare hands are allowed to.

    fight.great_strike.weapon_allows, fight.amb.great_strike_unarmed.
    """
    way = way_in_hand(fight, deed.character, deed.way)
    if way.name == FIST:
        return fight.table.options["fight_great_strike_unarmed"] == "allowed"
    return way.may_great_strike


def in_reach(fight: Fight, deed: FightDeed) -> bool:
    """Whether an attack reaches its target; what only defends needs no reach.

    Beyond his own reach a fighter may not attack (fight.distance.outside.forbidden), but defend
    (fight.distance.outside.allowed_defense), with a Block and Strike as well. Beat and Disarm are
    done to the weapon (fight.amb.outside_beat_disarm).
    """
    distance = distance_to(fight, deed.character, deed.target, deed.way)
    if distance is not Distance.OUTSIDE or deed.action == "block_and_strike":
        return True
    if deed.action not in ("beat_and_bind", "disarm"):
        return False
    allowed = fight.table.options["fight_outside_beat_and_disarm"]
    if allowed == "if_opponent_can_reach":
        return distance_to(fight, deed.target, deed.character) is not Distance.OUTSIDE
    return allowed == "always"


def has_dice(fight: Fight, deed: FightDeed) -> bool:
    """Whether a fighter has any dice of what an action is rolled with."""
    if deed.action == "lock":
        return bool(lock_abilities(fight, deed.character))
    kind = RollKind.DEFENCE if deed.action in DEFENCES else RollKind.ATTACK
    if deed.action == "avoid":
        ability = "Speed"
    elif deed.action == "push":
        ability = "Power"
    elif deed.action == "throw_opponent":
        ability = unarmed_skill(fight, deed.doer)
    else:
        ability = fighting_skill(fight, deed.doer, deed.way)
    return is_usable(fight, deed.doer, ability, kind, deed.action)
