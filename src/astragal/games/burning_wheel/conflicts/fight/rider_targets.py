"""Rider and mount as one target: what is open, where a blow lands, and who resists.

A section of the chapter on riding (``riding``), for Fight!.
"""

from __future__ import annotations

import msgspec

from astragal.play import GM, Step, choose, confirm

from ...riding.unhorsing import UNHORSED, push_from_saddle
from ...sheet.weapon_tables import LANCE
from ...weapons.damage import Damage
from ...weapons.locations import is_of_mount, on_the_body
from ...weapons.openings import Opening, open_location
from .clash import AttackResult, MomentRoll
from .harm import Harm
from .mounted import in_tandem, mover, on_foot
from .state import Fight, Positioning

LEGS = ("legs",)


def opening_of(fight: Fight, target: str, attackers: tuple[str, ...]) -> Step[Opening]:
    """What a fighter leaves open.

    A rider declares himself or his mount, and which part (riding.location.one_target). Who is on
    foot cannot offer the legs to a mounted opponent (riding.location.no_legs).
    """
    if fight.mount(target):
        return (yield from open_location(target, fight.table, only_unusual=True, mounted=True))
    above = any(fight.mount(fight.rider(name)) for name in attackers)
    without = LEGS if above else ()
    return (yield from open_location(target, fight.table, only_unusual=True, without=without))


def struck(fight: Fight, target: str, damage: Damage) -> tuple[str, Damage]:
    """Who is hit: the rider, or the mount if the blow was moved there.

    riding.location.rider_to_mount.
    """
    mount = fight.mount(target)
    there = msgspec.structs.replace(damage, location=on_the_body(damage.location))
    return (mount if mount and is_of_mount(damage.location) else target), there


def is_open_mount(opening: Opening | None) -> bool:
    """Whether it is the mount that is open; ducking in the saddle does not help it.

    riding.avoid.rider: it is for blows at the rider.
    """
    return opening is not None and is_of_mount(opening.offered)


def ask_shot_at(fight: Fight, shooter: str, target: str) -> Step[str]:
    """Whom a shooter aims at: the rider or the mount (riding.shoot.choose_target)."""
    mount = fight.mount(target)
    if not mount:
        return target
    return (
        yield from choose(
            fight.seat(shooter),
            "shoot_at",
            f"{fight.name(shooter)} shoots at",
            {target: fight.name(target), mount: fight.name(mount)},
            default=target,
            because="riding.shoot.choose_target",
        )
    )


# --- Natural Defenses ------------------------------------------------------------------------


def resists(fight: Fight, target: str, attacker: str) -> Step[str]:
    """Whose Natural Defenses meet an attack: in tandem the mount's.

    riding.combat.tandem_defenses; the rider's own if it is aimed at him alone, by the GM's word.
    """
    if not in_tandem(fight, target):
        return target
    at_rider = yield from ask_at_rider(fight, target, attacker)
    return target if at_rider else mover(fight, target)


def meets_charge(fight: Fight, target: str) -> Step[str]:
    """Whose positioning test meets a Charge: the mount's, if there is one.

    The rider's own if they act in tandem and it is aimed at him alone
    (riding.combat.tandem_defenses), as by somebody who drops on him from above.
    """
    if in_tandem(fight, target) and (yield from ask_at_rider(fight, target, "")):
        return target
    return mover(fight, target)


def ask_at_rider(fight: Fight, target: str, attacker: str) -> Step[bool]:
    """Whether an attack is aimed quite specifically at the rider, as a tackle from above is."""
    whose = f"{fight.name(attacker)}'s" if attacker else "The"
    return (
        yield from confirm(
            GM,
            "at_the_rider",
            f"{whose} attack: at {fight.name(target)} alone, not at the mount",
            default=False,
            because="riding.combat.tandem_defenses",
        )
    )


# --- Unhorsing -------------------------------------------------------------------------------


class LancePush(msgspec.Struct, frozen=True):
    """A rider who was hit by a lance, whose, and with how many successes left."""

    target: str
    lancer: str
    successes: int


def pushed_by_lance(
    fight: Fight, roll: MomentRoll, result: AttackResult, target: str
) -> LancePush | None:
    """The Push of a lance that has hit another rider in a charge (riding.lance.unhorse_push).

    Not that of its hilt, nor of a lance that is not couched in a Close
    (riding.lance.charge_requirements). All successes that a defence has left count, those that met
    the obstacle among them (riding.amb.unhorse_successes_to_hit).
    """
    mounted = fight.mount(roll.character) and fight.mount(target)
    charges = fight.fighter(roll.character).moves is Positioning.CLOSE
    if not mounted or not charges or roll.swing is None or roll.swing.way.name != LANCE:
        return None
    return LancePush(target, roll.character, roll.obstacle.total + result.margin)


def unhorse(fight: Fight, pushes: tuple[LancePush, ...]) -> Step[tuple[Fight, tuple[Harm, ...]]]:
    """Those whom a lance has hit try to keep the saddle."""
    harms: tuple[Harm, ...] = ()
    for push in pushes:
        mount = fight.mount(push.lancer)
        if not fight.mount(push.target) or not mount:
            continue
        can = not fight.fighter(push.target).is_hesitating  # fight.nd.none_when_hesitating
        came, table = yield from push_from_saddle(
            push.target, push.successes, mount, fight.table, defends=can
        )
        fight = fight.at(table)
        if came.result == UNHORSED:
            fight = on_foot(fight, push.target, down=True)
        if came.hit is not None:
            harms += (Harm(came.hit, push.lancer),)
    return fight, harms
