"""Counterstrike, and Block and Strike: actions whose dice are divided between two rolls.

A section of the chapter on Fight! (``conflicts/fight/fight``).
"""

from __future__ import annotations

import msgspec

from astragal.dice import Pool, Shaded
from astragal.play import Line, Play

from ...armor.halves import divide, divide_counterstrike, part_of
from ...armor.shields import Maneuver
from ...tests.simultaneous import split_pool
from ...weapons.blows import BASE, Swing
from ...weapons.openings import Opening
from ...weapons.wielding import lighter_power
from .clash import MomentRoll
from .distance import Distance
from .eight_legs import is_near_enough
from .gathering import BOTH_HALVES, RollKind, distance_lines, part_burdens
from .state import Fight, FightDeed
from .strikes import Answered, first_of, skill_attempt, unarmed_lines, with_shield
from .turned_aside import turned_aside_lines
from .weapon_in_hand import distance_to, way_in_hand, wielded


class BothRolls(msgspec.Struct, frozen=True):
    """The two rolls of a Counterstrike or a Block and Strike; either may have no dice."""

    defence: MomentRoll | None
    blow: MomentRoll | None


def counterstrike_rolls(
    fight: Fight,
    deed: FightDeed,
    answered: tuple[Answered, ...],
    riposte_at: str,
    opening: Opening | None,
    hampered: tuple[Line, ...],
    defends: bool,
) -> Play[BothRolls]:
    """A Counterstrike: the dice divided between defence and riposte before anybody rolls.

    fight.counterstrike.split, fight.counterstrike.split_before_roll: bonus dice go in before it,
    but shield dice all defend; an obstacle is on both (fight.amb.counterstrike_penalties). The
    riposte is a Strike (fight.counterstrike.riposte_pool), which does not reach from outside
    (fight.amb.outside_riposte).
    """
    harder = hampered + unarmed_lines(fight, deed, answered)
    attempt = yield from skill_attempt(
        fight, deed, RollKind.DEFENCE, "counterstrike", first_of(answered), harder
    )
    rule = "fight.counterstrike.split"
    total = attempt.pool.dice.total
    defending = yield from divide_counterstrike(attempt, rule, fight.name(deed.character))
    pool, riposte = split_pool(attempt.pool, defending)
    name = fight.name(deed.character)
    defence: MomentRoll | None = None
    if defends:
        part = part_of(attempt, defending, rule, first=True)
        defence = MomentRoll(deed.character, f"{name}, Counterstrike", part, pool, rule=rule)
        defence = with_shield(defence, fight, deed, Maneuver.COUNTERSTRIKE, answered)
        defence = defence if defence.has_dice else None
    reaches = bool(riposte_at) and (
        distance_to(fight, deed.character, riposte_at, deed.way) is not Distance.OUTSIDE
        and is_near_enough(fight, deed.character, riposte_at, deed.way)
    )
    if not riposte.dice or opening is None or not reaches:
        return BothRolls(defence, None)
    carried = wielded(fight, deed.character, deed.way)
    way = way_in_hand(fight, deed.character, deed.way)
    bonus = yield from lighter_power(deed.character, carried, fight.table)
    blow = MomentRoll(
        deed.character,
        f"{name}, riposte",
        part_of(attempt, total - defending, rule, first=defence is None),
        riposte,
        base=BASE,
        rule="fight.counterstrike.riposte_pool",
        harder=distance_lines(
            fight, deed.character, riposte_at, RollKind.ATTACK, "riposte", deed.way
        )
        + turned_aside_lines(fight, deed.character, riposte_at, "riposte"),
        swing=Swing(deed.character, carried, way, opening, bonus),
    )
    return BothRolls(defence, blow)


def block_and_strike_rolls(
    fight: Fight,
    deed: FightDeed,
    answered: tuple[Answered, ...],
    opening: Opening,
    hampered: tuple[Line, ...],
    blocks: bool,
) -> Play[BothRolls]:
    """A Block and Strike: skill dice to either half, shield dice to the Block.

    fight.block_and_strike.split, fight.block_and_strike.script. Each half has its own stance,
    posture and distance (fight.block_and_strike.stance). The Strike needs reach, the Block an
    attack that it stops (fight.amb.block_and_strike_block_scope).
    """
    attempt = yield from skill_attempt(fight, deed, RollKind.OTHER, BOTH_HALVES, "", hampered)
    rule, total = "armor.block_and_strike.split", attempt.pool.dice.total
    striking = total
    if total > 1:
        whose = fight.name(deed.character)
        striking, _ = yield from divide(attempt, ("strike", "block"), rule, whose)
    strike, block = split_pool(attempt.pool, striking)
    name, character = fight.name(deed.character), deed.character
    more, harder = part_burdens(
        fight, character, RollKind.ATTACK, "strike_half", deed.target, way=deed.way
    )
    blow = None
    if distance_to(fight, character, deed.target, deed.way) is not Distance.OUTSIDE:
        part = part_of(attempt, striking, rule, first=True)
        shade = attempt.agreed.tested.rating.shade
        stance = Shaded.of(shade, sum(line.amount for line in more))
        carried = wielded(fight, character)
        bonus = yield from lighter_power(character, carried, fight.table)
        way = way_in_hand(fight, character, deed.way)
        blow = MomentRoll(
            character,
            f"{name}, Strike",
            msgspec.structs.replace(part, dice=part.dice + more),
            Pool(strike.dice + stance, strike.open_ended),
            base=BASE,
            rule="fight.strike.obstacle",
            harder=harder,
            swing=Swing(character, carried, way, opening, bonus),
        )
    if not blocks:
        return BothRolls(None, blow)
    _, harder = part_burdens(fight, character, RollKind.DEFENCE, "block_half", first_of(answered))
    part = part_of(attempt, total - striking, rule, first=blow is None)
    defence = MomentRoll(character, f"{name}, Block", part, block, rule=rule, harder=harder)
    defence = with_shield(defence, fight, deed, Maneuver.BLOCK_HALF, answered)
    if not defence.has_dice:
        return BothRolls(None, blow)
    return BothRolls(defence, blow)
