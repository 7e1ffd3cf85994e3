"""Riders in Range and Cover: whose Speed it is, and keeping the mount in hand.

A section of the chapter on riding (``riding``), for Range and Cover. The penalties of a moving
beast are for Fight! alone (riding.amb.bowman_shoot_maintain).
"""

from __future__ import annotations

from astragal.play import Line, Step, note

from ...conditions.mounted import is_knight, mount_of
from ...conditions.reflexes import actions_in_exchange
from ...movement.movement import positioning_dice
from ...riding.mounts import into_saddle
from ...riding.riding_tests import ask_difficulty, command
from ...sheet.scene import BurningTable
from ...tests.attempts import TestResult
from ...tests.linked import link_effect, link_of_margin
from .maneuvers import Tested, maneuver
from .state import Skirmish

STEALTHY = "Stealthy"


def in_saddle(table: BurningTable, rider: str, mount: str, place: str) -> Step[BurningTable]:
    """Who is said to ride a beast is in its saddle, if it can be ridden at all."""
    beast = table.character(mount, place)
    whole = all(beast.find(name) is not None for name in ("Will", "Speed", "Power"))
    if not whole or mount_of(table, rider) == mount:
        return table
    return (yield from into_saddle(table, rider, mount, place))


def quickness(skirmish: Skirmish, character: str, mount: str) -> int:
    """The Reflexes that count: the mount's, if higher (riding.combat.position_reflexes)."""
    own = actions_in_exchange(skirmish.table, character).total
    if not mount or skirmish.sheet(mount).find("Reflexes") is None:
        return own
    return max(own, actions_in_exchange(skirmish.table, mount).total)


BONUS = 1
"""range_and_cover.dice.higher_reflexes."""


def edges(skirmish: Skirmish) -> Step[tuple[tuple[Line, ...], tuple[Line, ...]]]:
    """What the quicker side has: a die for Reflexes, and one for the Speed multiplier.

    range_and_cover.dice.higher_reflexes, range_and_cover.dice.higher_speed_multiplier: both add
    up. Nobody has them where they are equal (range_and_cover.amb.reflexes_equal).
    """
    leaders = [skirmish.leader(side) for side in (0, 1)]
    movers = [each.mount or each.character for each in leaders]
    faster = yield from positioning_dice(
        (movers[0], movers[1]), skirmish.table, "range_and_cover.dice.higher_speed_multiplier"
    )
    quick = [quickness(skirmish, each.character, each.mount) for each in leaders]
    found = []
    for side in (0, 1):
        lines: tuple[Line, ...] = ()
        if quick[side] > quick[1 - side]:
            lines += (Line(BONUS, "higher Reflexes", "range_and_cover.dice.higher_reflexes"),)
        if movers[side] in faster:
            lines += (faster[movers[side]],)
        found.append(lines)
    return found[0], found[1]


def who_tests(skirmish: Skirmish, rider: str, mount: str, tested: Tested) -> str:
    """Whose ability is rolled: the mount's Speed, or its Stealthy for a trained rider.

    riding.combat.position_mount_speed; whichever of the two is better at not being seen. Steel is
    the rider's own (riding.combat.position_steel).
    """
    if not mount or tested is Tested.STEEL:
        return rider
    if tested is Tested.SPEED:
        return mount
    if tested.ability != STEALTHY or not is_knight(skirmish.sheet(rider)):
        return rider
    beast, own = (skirmish.sheet(name).find(STEALTHY) for name in (mount, rider))
    better = beast is not None and (own is None or beast.exponent > own.exponent)
    return mount if better else rider


# --- The Riding test -------------------------------------------------------------------------


def rein_in(skirmish: Skirmish, side: int, card: str) -> Step[tuple[str, Skirmish]]:
    """What a rider has to test before his mount positions; an empty card if it does not obey.

    For a Steel Close or Withdraw everybody tests Riding, with all that makes it harder
    (riding.combat.position_steel); if that fails the animal bolts or shies
    (riding.combat.position_steel_fail). Who is not trained as a knight tests it before every use of
    the mount's Speed, too, and it is linked to that (riding.amb.untrained_positioning).
    """
    leader = skirmish.leader(side)
    rider = leader.character
    if not card or not leader.mount or mount_of(skirmish.table, rider) != leader.mount:
        return card, skirmish
    does = maneuver(card)
    knows = is_knight(skirmish.sheet(rider))
    if does.is_stealthy or (knows and not does.is_steel):
        return card, skirmish
    result, skirmish = yield from _keeps_in_hand(skirmish, rider)
    if does.is_steel:
        if result.passed:
            return card, skirmish
        name = skirmish.name(leader.mount)
        text = f"{name} bolts or shies, and does not obey."
        yield from note(text, "riding.combat.position_steel_fail")
        # He has left his cover all the same (range_and_cover.cover.dice.lost_by_moving).
        return "", skirmish.with_team(side, cover=0)
    return card, _cued(skirmish, rider, result)


def cue_first(skirmish: Skirmish, side: int) -> Step[Skirmish]:
    """The Riding test of the untrained before the mount's Speed sets the starting range.

    riding.test.when, riding.amb.untrained_positioning: as before every other use of it.
    """
    leader = skirmish.leader(side)
    rider = leader.character
    rides = bool(leader.mount) and mount_of(skirmish.table, rider) == leader.mount
    if not rides or is_knight(skirmish.sheet(rider)):
        return skirmish
    result, skirmish = yield from _keeps_in_hand(skirmish, rider)
    return _cued(skirmish, rider, result)


def _keeps_in_hand(skirmish: Skirmish, rider: str) -> Step[tuple[TestResult, Skirmish]]:
    harder = yield from ask_difficulty(lasting=True)
    result, table = yield from command(
        rider, "keeps the mount in hand", skirmish.table, harder, in_fight=True
    )
    return result, skirmish.on(table)


def _cued(skirmish: Skirmish, rider: str, result: TestResult) -> Skirmish:
    """What a Riding test brings the mount's Speed, as one test that is linked to another."""
    link = link_effect(link_of_margin(result.margin))
    cue = sum(line.amount for line in link.dice) - sum(line.amount for line in link.obstacle)
    return skirmish.change(rider, cue=cue)


def cue_lines(skirmish: Skirmish, side: int, tested: Tested) -> tuple[Line, ...]:
    """The die that a Riding test has brought (riding.amb.untrained_positioning)."""
    cue = skirmish.leader(side).cue
    if cue <= 0 or tested is not Tested.SPEED:
        return ()
    return (Line(cue, "Riding", "riding.amb.untrained_positioning"),)


def cue_obstacle(skirmish: Skirmish, side: int, tested: Tested) -> tuple[Line, ...]:
    """The obstacle that a failed Riding test has left (riding.amb.untrained_positioning)."""
    cue = skirmish.leader(side).cue
    if cue >= 0 or tested is not Tested.SPEED:
        return ()
    return (Line(-cue, "Riding", "riding.amb.untrained_positioning"),)
