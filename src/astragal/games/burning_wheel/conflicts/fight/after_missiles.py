"""Out of Range and Cover into a fight: how missile weapons begin it.

A section of the chapter on Fight! (``conflicts/fight/fight``). What was ready there comes as plain
data, the ``ready`` of each skirmisher; what the last test there has left open is settled by the
first one here.
"""

from __future__ import annotations

import msgspec

from astragal.play import Step, note

from ...sheet.ranged_weapons import is_missile, is_reloaded
from ...sheet.weapon_tables import Weapon
from ...weapons.loading import load, unload
from ...weapons.shooting import is_bow
from .state import NOT_READY, Fight, Preparation, in_hand

READY, UNLOADED, BY_POSITION = "ready", "unloaded", "by_melee_positioning"
STATES = ("", READY, UNLOADED, BY_POSITION)
"""How a missile weapon may come into a fight."""


def held_arrow(ready: str, carried: Weapon) -> Preparation:
    """The arrow that was held ready is on the string in the first test already.

    range_and_cover.amb.lastditch_won_then_melee.
    """
    held = ready == READY and is_bow(carried.weapon)
    return msgspec.structs.replace(NOT_READY, nocked=held)


def sets_distance(fight: Fight, character: str) -> bool:
    """Whether somebody names the distance after a tie, too.

    range_and_cover.lastditch.lost_then_melee_win: one who lost the test that ended too close to
    shoot.
    """
    return fight.fighter(character).missile == BY_POSITION


def settle_missiles(fight: Fight, lost: set[str]) -> Step[Fight]:
    """After the first test: whose missile weapon is ready, and whose is not.

    Who won or tied the last test at range and held his shot is ready
    (range_and_cover.amb.lastditch_won_then_melee). Who lost it is so if he does not lose this one
    as well, loaded even after an earlier shot (range_and_cover.lastditch.lost_then_melee_win,
    range_and_cover.lastditch.lost_then_melee_loss).
    """
    for each in fight.standing:
        state, name = each.missile, each.character
        if not state:
            continue
        carried = in_hand(fight, name)
        if not is_missile(carried.weapon):  # what is thrown is neither loaded nor nocked
            fight = fight.change(name, missile="")
            continue
        rule = "range_and_cover.lastditch.won_or_tied"
        if state == BY_POSITION:
            won = name not in lost
            state = READY if won else UNLOADED
            rule = f"range_and_cover.lastditch.lost_then_melee_{'win' if won else 'loss'}"
        if state == READY and is_bow(carried.weapon):
            fight = fight.change(name, ready=held_arrow(state, carried))
        if state == READY and is_reloaded(carried.weapon) and not carried.loaded:
            fight = fight.at((yield from load(fight.table, name, carried)))
        if state == UNLOADED and is_reloaded(carried.weapon) and carried.loaded:
            fight = fight.at((yield from unload(fight.table, name, carried, rule)))
        said = "ready" if state == READY else "not ready"
        yield from note(f"{fight.name(name)}'s {carried.called} is {said}.", rule)
        fight = fight.change(name, missile="")
    return fight
