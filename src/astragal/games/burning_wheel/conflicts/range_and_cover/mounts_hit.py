"""Shots at riders and their mounts in Range and Cover, and what a mount does that is hit.

A section of the chapter on riding (``riding``), for Range and Cover.
"""

from __future__ import annotations

from astragal.games.burning_wheel.conditions.mounted import mount_of, mount_reaction, rider_of
from astragal.games.burning_wheel.conditions.wounds import Condition, state_of
from astragal.games.burning_wheel.conflicts.range_and_cover.hesitation import begin
from astragal.games.burning_wheel.conflicts.range_and_cover.state import Skirmish
from astragal.games.burning_wheel.injury.injury import WoundOutcome
from astragal.games.burning_wheel.riding.falls import apply_hits, mount_rolls
from astragal.games.burning_wheel.riding.mounts import out_of_saddle
from astragal.games.burning_wheel.riding.nerves import NOT_HURT, rider_suffers
from astragal.play import Step, choose


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


def after_mount_hit(skirmish: Skirmish, mount: str, hurt: WoundOutcome | None) -> Step[Skirmish]:
    """A mount was hit: it may fall under its rider, or lose its nerve.

    riding.steel.mount_reacts: while it hesitates the rider does not get it to do anything.
    """
    rider = rider_of(skirmish.table, mount)
    if state_of(skirmish.table, mount) is not Condition.FIT:
        fallen, table = yield from mount_rolls(rider, NOT_HURT, skirmish.table, in_fight=True)
        if fallen.stayed:
            table = yield from out_of_saddle(table, rider, "riding.roll.stay_mounted")
        _, table = yield from apply_hits(fallen.hits, table)
        return skirmish.on(table).change(rider, mount="")
    steel = None if hurt is None else hurt.steel
    if steel is None or not steel.tested or steel.passed:
        return skirmish
    fallen, table = yield from rider_suffers(
        rider, steel.mount_reaction, skirmish.table, in_fight=True
    )
    _, table = yield from apply_hits(fallen.hits, table)
    skirmish = skirmish.on(table)
    if not fallen.stayed:
        return skirmish.change(rider, mount="")
    reaction = mount_reaction(steel.mount_reaction).text("equivalent_code")
    return (yield from begin(skirmish, rider, 1, reaction))
