"""What the hits of a moment do: armor, wounds, Steel, and who can fight no longer.

A section of the chapter on Fight! (``conflicts/fight/fight``).
"""

from __future__ import annotations

import msgspec

from astragal.play import Step, call, note, unheard

from ...armor.block_and_strike import Stance
from ...armor.hits import HitOutcome, IncomingHit, take_hit
from ...conditions.wounds import Condition, state_of
from ...sheet.scene import BurningTable
from .hesitation import after_steel
from .mount_nerves import shaken, unseated
from .narrowed_tables import for_harm, put_harm_back
from .state import NOT_READY, Fight


class Harm(msgspec.Struct, frozen=True):
    """A hit on its way to a fighter, and who dealt it."""

    hit: IncomingHit
    by: str = ""


def apply_harm(fight: Fight, harms: tuple[Harm, ...]) -> Step[Fight]:
    """All hits of a moment, when all dice are rolled (fight.detailed.results_after_all_rolls).

    Everything is settled before the next action: wounds, Steel, incapacity, death
    (fight.simultaneous.same_slot, fight.sequence.6_apply). Pain breaks off what was being done
    (fight.xref.pain_interrupts), though not what happens in the same moment.
    """
    falls: tuple[IncomingHit, ...] = ()
    for harm in harms:
        victim = harm.hit.character
        if fight.sheet(victim).dead:
            continue
        hit = msgspec.structs.replace(
            harm.hit,
            in_script=True,
            opponent=harm.hit.opponent or harm.by,
            holding=harm.hit.holding or fight.fighter(victim).weapon,
        )
        outcome, table = yield from _hit(fight, hit)
        fight = fight.at(table)
        if outcome.hurt is not None:
            fight = yield from after_steel(fight, victim, outcome.hurt)
            fight, more = yield from shaken(fight, victim, outcome.hurt.steel)
            falls += more
    for character in dict.fromkeys(harm.hit.character for harm in harms):
        fight = yield from leave_if_felled(fight, character)
    if any(each.carries for each in fight.fighters):
        fight, more = yield from unseated(fight)
        falls += more
    if falls:
        fight = yield from apply_harm(fight, tuple(Harm(hit) for hit in falls))
    return fight


def _hit(fight: Fight, hit: IncomingHit) -> Step[tuple[HitOutcome, BurningTable]]:
    """A hit, played with what it depends on where nobody hears it."""
    narrow = for_harm(fight, hit.character) if (yield from unheard()) else None
    if narrow is None:
        return (yield from call(take_hit, hit, fight.table))
    outcome, after = yield from call(take_hit, hit, narrow)
    return outcome, put_harm_back(fight.table, narrow, after, hit.character)


def leave_if_felled(fight: Fight, character: str) -> Step[Fight]:
    """Who is incapacitated or dead takes no further part, and holds nobody.

    fight.sequence.6_apply; the stance is lost with the rest (fight.stance.lost).
    """
    state = state_of(fight.table, character)
    if state is Condition.FIT or fight.fighter(character).out:
        return fight
    text = f"{fight.name(character)} is out of the fight: {state.value}."
    yield from note(text, "fight.sequence.6_apply")
    locks = tuple(lock for lock in fight.locks if character not in (lock.holder, lock.victim))
    fight = msgspec.structs.replace(fight, locks=locks)
    return fight.change(character, out=state.value, stance=Stance.NEUTRAL, ready=NOT_READY)
