"""The nerve of mounts in a fight: Steel at each exchange, and riders who fall.

A section of the chapter on riding (``riding``), for Fight!.
"""

from __future__ import annotations

from astragal.play import Step, call, note

from ...armor.hits import IncomingHit
from ...conditions.mounted import is_knight, mount_reaction
from ...riding.falls import mount_rolls
from ...riding.maneuvers import first_chance
from ...riding.mounts import out_of_saddle
from ...riding.nerves import NOT_HURT, rider_suffers, steady, steel_of_mount
from ...steel.steel import SteelOutcome, nerves_tried
from .hesitation import after_steel, pass_action
from .mounted import mount_actions, on_foot, scripts_itself
from .state import Fight, Posture

Shaken = tuple[Fight, tuple[IncomingHit, ...]]
"""The fight, and what hits those who have fallen."""


def mounts_tested(fight: Fight) -> Step[Shaken]:
    """At the beginning of an exchange every mount without training tests its Steel.

    riding.untrained.mount_steel; against its hesitation alone
    (riding.amb.untrained_mount_trained_rider). One that was never broken tries to throw its rider
    at the first chance (riding.test.untrained_beast).
    """
    hits: tuple[IncomingHit, ...] = ()
    for each in fight.mounts:
        fallen, table = yield from first_chance(each.carries, fight.table, in_fight=True)
        fight = fight.at(table)
        if fallen is not None and not fallen.stayed:
            fight = on_foot(fight, each.carries, down=True)
            hits += fallen.hits
            continue
        if is_knight(fight.sheet(each.character)):
            continue
        test = steel_of_mount(each.character)
        outcome, table = yield from call(nerves_tried, test, fight.table)
        fight = yield from after_steel(fight.at(table), each.character, outcome)
        fight, more = yield from shaken(fight, each.character, outcome)
        hits += more
    return fight, hits


def shaken(fight: Fight, mount: str, steel: SteelOutcome | None) -> Step[Shaken]:
    """A mount had to test its Steel: it forgets its order, and the rider may fall.

    riding.combat.last_order, riding.steel.rear_or_buck, riding.roll.stay_mounted.
    """
    if steel is None or not steel.tested or not fight.fighter(mount).carries:
        return fight, ()
    fight = fight.change(mount, order="")
    if steel.passed:
        return fight, ()
    return (yield from _rider_holds_on(fight, mount, steel.mount_reaction))


def _rider_holds_on(fight: Fight, mount: str, reaction: str) -> Step[Shaken]:
    rider = fight.fighter(mount).carries
    if not rider:
        return fight, ()
    fallen, table = yield from rider_suffers(rider, reaction, fight.table, in_fight=True)
    fight = fight.at(table)
    if fallen.stayed:
        return fight, ()
    return on_foot(fight, rider, down=True), fallen.hits


def unseated(fight: Fight) -> Step[Shaken]:
    """Whose mount has fallen goes down with it, unless he comes off well.

    To recover from a fall is a Riding test (riding.test.when, riding.roll.stay_mounted). Who was
    knocked down is out of the saddle, and a mount whose rider is out of the fight is free.
    """
    hits: tuple[IncomingHit, ...] = ()
    for each in fight.fighters:
        if not each.carries:
            continue
        rider = each.carries
        if fight.fighter(rider).out:
            rule = "riding.roll.stay_mounted"
            table = yield from out_of_saddle(fight.table, rider, rule)
            fight = on_foot(fight.at(table), rider, down=False)
        elif fight.fighter(rider).posture is Posture.DOWN:
            rule = "riding.lance.unhorse_two_paces"
            yield from note(f"{fight.name(rider)} is out of the saddle.", rule)
            table = yield from out_of_saddle(fight.table, rider, rule)
            fight = on_foot(fight.at(table), rider, down=True)
        elif each.out:
            fight = fight.change(each.character, carries="")
            fallen, table = yield from mount_rolls(rider, NOT_HURT, fight.table, in_fight=True)
            if fallen.stayed:
                name = fight.name(rider)
                rule = "riding.roll.stay_mounted"
                yield from note(f"{name} lands on their feet.", rule)
                table = yield from out_of_saddle(table, rider, rule)
            fight = on_foot(fight.at(table), rider, down=not fallen.stayed)
            hits += fallen.hits
    return fight, hits


def calm(fight: Fight, rider: str) -> Step[Shaken]:
    """An action spent on the mount's nerve: the rider chooses its reaction.

    riding.steel.rider_chooses, riding.steel.change_in_progress.
    """
    mount = fight.mount(rider)
    said, _, table = yield from steady(rider, fight.table, in_fight=True)
    fight = fight.at(table)
    if not said:
        return fight, ()
    code = mount_reaction(said).text("equivalent_code")
    fight = fight.change(mount, reaction=code)
    return (yield from _rider_holds_on(fight, mount, said))


def mounts_recover(fight: Fight) -> Step[Fight]:
    """At the end of a volley: the actions that mounts without a script have lost in it."""
    for each in fight.mounts:
        if scripts_itself(fight, each.character):
            continue
        for _ in range(mount_actions(fight, each.character)):
            if fight.fighter(each.character).is_hesitating:
                fight = yield from pass_action(fight, each.character)
    return fight
