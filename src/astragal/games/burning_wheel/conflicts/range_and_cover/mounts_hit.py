"""Shots at riders and their mounts in Range and Cover, and the nerve of mounts there.

A section of the chapter on riding (``riding``), for Range and Cover.
"""

from __future__ import annotations

from astragal.play import Step, call, choose

from ...armor.hits import IncomingHit
from ...conditions.mounted import is_knight, mount_of, mount_reaction, rider_of
from ...conditions.wounds import Condition, state_of
from ...injury.injury import WoundOutcome
from ...riding.falls import mount_rolls
from ...riding.maneuvers import first_chance
from ...riding.mounts import out_of_saddle
from ...riding.nerves import NOT_HURT, rider_suffers, steel_of_mount
from ...steel.steel import SteelOutcome, nerves_tried
from .hesitation import begin
from .state import Skirmish


def ask_shot_at(skirmish: Skirmish, shooter: str, target: str) -> Step[str]:
    """Whom a shooter aims at: the rider or the mount (riding.shoot.choose_target).

    The body is what is hit, as always, and moving it costs what it always does
    (riding.shoot.location, riding.amb.shoot_head_cost).
    """
    mount = mount_of(skirmish.table, target)
    if not mount:
        return target
    return (
        yield from choose(
            skirmish.seat(shooter),
            "shoot_at",
            f"{skirmish.name(shooter)} shoots at",
            {target: skirmish.name(target), mount: skirmish.name(mount)},
            default=target,
            because="riding.shoot.choose_target",
        )
    )


Shaken = tuple[Skirmish, tuple[IncomingHit, ...]]
"""The skirmish, and what hits a rider who has fallen."""


def after_mount_hit(skirmish: Skirmish, mount: str, hurt: WoundOutcome | None) -> Step[Shaken]:
    """A mount was hit: it may fall under its rider, or lose its nerve."""
    rider = rider_of(skirmish.table, mount)
    if state_of(skirmish.table, mount) is not Condition.FIT:
        fallen, table = yield from mount_rolls(rider, NOT_HURT, skirmish.table, in_fight=True)
        if fallen.stayed:
            table = yield from out_of_saddle(table, rider, "riding.roll.stay_mounted")
        return skirmish.on(table).change(rider, mount=""), fallen.hits
    return (yield from _shaken(skirmish, rider, None if hurt is None else hurt.steel))


def _shaken(skirmish: Skirmish, rider: str, steel: SteelOutcome | None) -> Step[Shaken]:
    """A mount has tested its Steel, and the rider may fall.

    riding.steel.mount_reacts: while it hesitates the rider does not get it to do anything.
    """
    if steel is None or not steel.tested or steel.passed:
        return skirmish, ()
    fallen, table = yield from rider_suffers(
        rider, steel.mount_reaction, skirmish.table, in_fight=True
    )
    skirmish = skirmish.on(table)
    if not fallen.stayed:
        return skirmish.change(rider, mount=""), fallen.hits
    reaction = mount_reaction(steel.mount_reaction).text("equivalent_code")
    return (yield from begin(skirmish, rider, 1, reaction)), ()


def mounts_tested(skirmish: Skirmish) -> Step[Shaken]:
    """At the beginning of an exchange every mount without training tests its Steel.

    riding.untrained.mount_steel: in all combat, at a distance as well. One that was never broken
    tries to throw its rider at the first chance (riding.test.untrained_beast).
    """
    hits: tuple[IncomingHit, ...] = ()
    for each in (*skirmish.active(0), *skirmish.active(1)):
        rider, mount = each.character, each.mount
        if not mount or mount_of(skirmish.table, rider) != mount:
            continue
        fallen, table = yield from first_chance(rider, skirmish.table, in_fight=True)
        skirmish = skirmish.on(table)
        if fallen is not None and not fallen.stayed:
            skirmish = skirmish.change(rider, mount="")
            hits += fallen.hits
            continue
        if is_knight(skirmish.sheet(mount)):
            continue
        outcome, table = yield from call(nerves_tried, steel_of_mount(mount), skirmish.table)
        skirmish, more = yield from _shaken(skirmish.on(table), rider, outcome)
        hits += more
    return skirmish, hits
