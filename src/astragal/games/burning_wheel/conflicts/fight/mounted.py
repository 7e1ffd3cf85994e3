"""Mounted fighters: what a mount and its rider are in a fight, and what the saddle costs.

A section of the chapter on riding (``riding``), for Fight!. A mount is a fighter of its own that
is where its rider is; it is nobody's target by itself, for the two are one
(``conflicts/fight/rider_targets``).
"""

from __future__ import annotations

import msgspec

from astragal.play import Line

from ...conditions.armor_weight import MISSILE_SKILLS, is_fighting
from ...conditions.mounted import (
    CLOSING,
    STANDING,
    WALKING,
    WITHDRAWING,
    RiderAct,
    bareback,
    has_own_mind,
    limits,
    moving_lines,
    own_avoid_line,
    untrained_line,
)
from ...conditions.reflexes import actions_in_exchange
from ...riding.mounts import HORSE
from ..scripting import VOLLEYS
from .state import Fight, Gap, Positioning, Posture

_PACE = {
    None: STANDING,
    Positioning.STAY: STANDING,
    Positioning.MAINTAIN: WALKING,
    Positioning.CLOSE: CLOSING,
    Positioning.WITHDRAW: WITHDRAWING,
}
"""How a beast moves in a volley (riding.amb.standing_vs_maintaining)."""

ORDER = "order"
"""The first part of every card that is an order to the mount."""


AVOID_ORDER = f"{ORDER}:avoid"

OBEYED, REFUSED = "obeyed", "refused"
"""What came of an order that was given with the positioning test."""


def is_order(card: str) -> bool:
    """Whether a card is an order to the mount (riding.combat.command_cost)."""
    return card.partition(":")[0] == ORDER


def scripts_itself(fight: Fight, mount: str) -> bool:
    """Whether a mount writes its own script (riding.script.wolves_spiders).

    The others wait for orders while they move (riding.script.conditions).
    """
    return has_own_mind(fight.sheet(mount))


def acting(fight: Fight) -> tuple[str, ...]:
    """Everybody with a script: those who fight, and mounts with a mind of their own."""
    there = tuple([each.character for each in fight.standing])
    for each in fight.mounts:
        if scripts_itself(fight, each.character):
            there += (each.character,)
    return there


def mover(fight: Fight, character: str) -> str:
    """Whose Speed positions a fighter: the mount's, if he rides."""
    return fight.mount(character) or character


def quickness(fight: Fight, character: str) -> int:
    """The Reflexes that count in positioning: the mount's, if they are higher.

    riding.combat.position_reflexes.
    """
    own = actions_in_exchange(fight.table, character).total
    mount = fight.mount(character)
    return max(own, actions_in_exchange(fight.table, mount).total) if mount else own


def mount_actions(fight: Fight, mount: str) -> int:
    """How many actions a mount has in this volley, by its own Reflexes.

    riding.amb.mount_actions_count; spread as early as they can be.
    """
    level, more = divmod(actions_in_exchange(fight.table, mount).total, VOLLEYS)
    return level + (fight.volley <= more)


def in_tandem(fight: Fight, rider: str) -> bool:
    """Whether rider and mount act together in this volley: by an order, new or repeated."""
    mount = fight.mount(rider)
    if not mount:
        return False
    ordered = any(is_order(card) for card in fight.fighter(rider).announced)
    return ordered or bool(fight.fighter(mount).order)


# --- What it costs ---------------------------------------------------------------------------


MELEE, SHOT = ("attack", "defence"), "shot"
"""Kinds of roll (``gathering``) that riding tells apart."""


def saddle_lines(
    fight: Fight, rider: str, ability: str, action: str, kind: str
) -> tuple[Line, ...]:
    """What the saddle adds to an action of a rider.

    In place of what moving quickly costs those on foot (riding.amb.penalties_stack). The penalty
    of the untrained is on tests of weapon skills anyway (``conditions/mounted``), so it is added
    here where a maneuver is of something else.
    """
    sheet = fight.sheet(rider)
    act = RiderAct.SHOT if kind == SHOT else RiderAct.OTHER
    lines = moving_lines(sheet, _PACE[fight.fighter(rider).moves], act)
    rated = sheet.find(ability)
    skilled = rated is None or is_fighting(rated)
    if kind in MELEE and not skilled:
        lines += untrained_line(sheet)
    if action == "avoid":
        lines += own_avoid_line()
    return lines


def command_lines(fight: Fight, rider: str) -> tuple[Line, ...]:
    """What a moving beast adds to the Riding test of an order, which is an action of its rider.

    riding.untrained.beast_moving, riding.knight.close_withdraw, riding.bowman.other_actions.
    """
    moves = _PACE[fight.fighter(rider).moves]
    return moving_lines(fight.sheet(rider), moves, RiderAct.OTHER)


def doublings(fight: Fight, rider: str, ability: str, kind: str) -> tuple[Line, ...]:
    """What fighting without saddle and stirrups doubles, where the test itself does not know.

    riding.combat.saddle_stirrups; tests of weapon skills know it.
    """
    if kind not in MELEE or not fight.mount(rider):
        return ()
    rated = fight.sheet(rider).find(ability)
    known = rated is None or (is_fighting(rated) and ability not in MISSILE_SKILLS)
    return () if known else bareback(fight.table, rider)


def lock_lines_of(fight: Fight, mount: str, action: str) -> tuple[Line, ...]:
    """What a Lock costs a horse (riding.combat.horse_limits); neither wolves nor spiders."""
    if action != "lock" or not (fight.fighter(mount).carries or is_horse(fight, mount)):
        return ()
    more = limits(fight.sheet(mount).body_type).number("lock_ob")
    return (Line(more, "a horse's Lock", "riding.combat.horse_limits"),) if more else ()


def is_horse(fight: Fight, character: str) -> bool:
    """Whether a fighter is a horse."""
    return fight.sheet(character).body_type == HORSE


# --- Out of the saddle -----------------------------------------------------------------------


def on_foot(fight: Fight, rider: str, *, down: bool) -> Fight:
    """The fight with a rider out of the saddle, perhaps on the ground.

    A horse without a rider is gone; a mount with a mind of its own fights on beside him.
    """
    mount = fight.mount(rider)
    if down:
        fight = fight.change(rider, posture=Posture.DOWN)
    if not mount:
        return fight
    gaps = tuple(
        Gap(mount, gap.other if gap.one == rider else gap.one, gap.gap)
        for gap in fight.gaps
        if rider in (gap.one, gap.other)
    )
    fights_on = scripts_itself(fight, mount)
    if fights_on:
        fight = msgspec.structs.replace(fight, gaps=fight.gaps + gaps)
    return fight.change(mount, carries="", order="", out="" if fights_on else "riderless")


def with_riders(fight: Fight) -> Fight:
    """The fight at the top of a volley: mounts move as their riders do, and have obeyed nothing."""
    for each in fight.mounts:
        moves, avoids = fight.fighter(each.carries).moves, avoids_of(fight, each.character) > 0
        fight = fight.change(each.character, moves=moves, avoids=avoids, obeyed=0, early="")
    return fight


def avoids_of(fight: Fight, character: str) -> int:
    """How many Avoids a fighter has in this volley; a mount those that it is ordered, too.

    riding.avoid.command_mount.
    """
    fighter = fight.fighter(character)
    own = fighter.announced.count("avoid")
    if not fighter.carries:
        return own
    return own + fight.fighter(fighter.carries).announced.count(AVOID_ORDER)


def is_avoiding(fight: Fight, target: str, victim: str) -> bool:
    """Whether a target that is shot at has an Avoid in this volley.

    That of a mount is for both, who are one target (riding.amb.mount_avoid_test); a rider ducks
    for himself alone (riding.avoid.rider).
    """
    mount = fight.mount(target)
    for_both = bool(mount) and fight.fighter(mount).avoids
    return for_both or (victim != mount and fight.fighter(target).avoids)
