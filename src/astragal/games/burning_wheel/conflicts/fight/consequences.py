"""What an action leaves a fighter in: down, off balance, locked, disarmed, pushed away.

A section of the chapter on Fight! (``conflicts/fight/fight``). All effects of a moment are found
first, and come about when all dice are rolled (fight.simultaneous.same_slot).
"""

from __future__ import annotations

import msgspec

from astragal.play import Line, Step, note

from ...armor.block_and_strike import Stance
from ...sheet.weapon_tables import FIST
from ...sheet.words import counted
from ...weapons.damage import Damage
from .distance import INSIDE_GAP, gap_for, stepped
from .gathering import is_immobilized
from .hesitation import drop_weapon
from .state import NOT_READY, Fight, Hindrance, HindranceUntil, Lock, Posture, in_hand
from .weapon_in_hand import distance_to, way_in_hand


class MomentEffect(msgspec.Struct, frozen=True):
    """One thing that an action does to a fighter: a step of ``fight.table.interaction_effects``.

    ``by`` is who does it, ``amount`` how much of it; a hit has its ``damage``, before armor.
    """

    step: str
    character: str
    by: str = ""
    amount: int = 1
    damage: Damage | None = None


def apply_effects(fight: Fight, effects: tuple[MomentEffect, ...]) -> Step[Fight]:
    """All effects of a moment come about, in the order of the actions."""
    for effect in effects:
        fight = yield from apply_effect(fight, effect)
    return fight


def apply_effect(fight: Fight, effect: MomentEffect) -> Step[Fight]:
    """One effect comes about, and is told."""
    name, amount = fight.name(effect.character), effect.amount
    match effect.step:
        case "off_balance":
            rule = "fight.push.win_by_one"
            yield from note(f"{name} is off balance: +{amount} Ob.", rule)
            return hinder(
                fight, effect.character, HindranceUntil.ANYTHING, Line(amount, "off balance", rule)
            )
        case "down":
            yield from note(f"{name} is down.", "fight.get_up.two_actions")
            return fight.change(effect.character, posture=Posture.DOWN)
        case "moved_a_distance":
            return (yield from _moved(fight, effect))
        case "dice_lost":
            return (yield from _locked(fight, effect))
        case "no_length_dice":
            return (yield from _beaten(fight, effect))
        case "weapon_harder":
            rule = "fight.beat.win_by_two"
            line = Line(amount, "beaten aside", rule)
            yield from note(f"{name}'s next action with that weapon: +{amount} Ob.", rule)
            return hinder(fight, effect.character, HindranceUntil.WEAPON, line)
        case "weapon_away":
            return (yield from _disarmed(fight, effect))
        case "drools":  # fight.stance.lost, fight.amb.aggressive_avoid_scripted
            return fight.change(effect.character, stance=Stance.NEUTRAL, ready=NOT_READY)
        case "hesitates":
            return (yield from _drawn_out(fight, effect))
        case "great_strike_ready":
            ready = fight.fighter(effect.character).ready
            now = msgspec.structs.replace(ready, sets=ready.sets + 1)
            return fight.change(effect.character, ready=now)
        case "hit":
            by = fight.name(effect.by)
            yield from note(f"{by} hits {name}. {effect.damage}.", "fight.strike.extra")
    return fight


def hinder(fight: Fight, character: str, until: HindranceUntil, line: Line) -> Fight:
    """The fight with one more thing in a fighter's way."""
    before = fight.fighter(character).hindrances
    return fight.change(character, hindrances=(*before, Hindrance(until, line)))


def _moved(fight: Fight, effect: MomentEffect) -> Step[Fight]:
    """A target that is forced back, counted in the attacker's own distances.

    fight.push.shove_back, fight.throw.toss, fight.amb.push_distance_whose.
    """
    before = distance_to(fight, effect.by, effect.character)
    after = stepped(before, -effect.amount)
    name, by = fight.name(effect.character), fight.name(effect.by)
    text = f"{name} is forced back: {by} is at {after.value} distance."
    yield from note(text, "fight.push.shove_back")
    gap = gap_for(after, way_in_hand(fight, effect.by).length)
    locks = tuple(
        lock for lock in fight.locks if {lock.holder, lock.victim} != {effect.by, effect.character}
    )
    fight = msgspec.structs.replace(fight, locks=locks)  # fight.amb.lock_holder_withdraws
    return fight.moved(effect.by, effect.character, gap)


def _locked(fight: Fight, effect: MomentEffect) -> Step[Fight]:
    """The margin of a Lock is its rating (fight.lock.effect), added to one that holds already.

    fight.amb.lock_again. It puts both on the inside (fight.lock.inside); whom it leaves no dice of
    some physical stat is helpless (fight.lock.immobilized).
    """
    before = next(
        (
            lock
            for lock in fight.locks
            if (lock.holder, lock.victim) == (effect.by, effect.character)
        ),
        Lock(effect.by, effect.character, 0),
    )
    after = msgspec.structs.replace(before, dice=before.dice + effect.amount)
    others = tuple(lock for lock in fight.locks if lock != before)
    fight = msgspec.structs.replace(fight, locks=(*others, after))
    fight = fight.moved(effect.by, effect.character, INSIDE_GAP)
    name, by = fight.name(effect.character), fight.name(effect.by)
    yield from note(f"{by} holds {name}: {after.dice}D Lock.", "fight.lock.effect")
    if is_immobilized(fight, effect.character):
        yield from note(f"{name} cannot move.", "fight.lock.immobilized")
    return fight


def _beaten(fight: Fight, effect: MomentEffect) -> Step[Fight]:
    """A weapon that was beaten aside gives no length dice in the next positioning test.

    fight.beat.win; bare hands have no length to lose (fight.amb.beat_unarmed).
    """
    if in_hand(fight, effect.character).weapon == FIST:
        return fight
    yield from note(f"{fight.name(effect.character)}'s weapon is beaten aside.", "fight.beat.win")
    return fight.change(effect.character, beaten=True)


def _disarmed(fight: Fight, effect: MomentEffect) -> Step[Fight]:
    """A weapon is knocked away, as many distances farther as the amount says.

    fight.disarm.success, fight.disarm.farther, fight.amb.disarm_one_distance.
    """
    weapon = in_hand(fight, effect.character)
    if weapon.weapon == FIST:
        return fight
    far = f"{counted(effect.amount, 'distance')} away" if effect.amount else "away"
    text = f"{fight.name(effect.character)}'s {weapon.called} is knocked {far}."
    yield from note(text, "fight.disarm.success")
    return drop_weapon(fight, effect.character, effect.amount)


def _drawn_out(fight: Fight, effect: MomentEffect) -> Step[Fight]:
    """A Feint, or one that was useless, counts as hesitation in this action alone.

    fight.feint.success, fight.feint.useless; it costs the stance, and no further action
    (fight.amb.feint_hesitation_stance).
    """
    name = fight.name(effect.character)
    useless = effect.by == effect.character
    text = f"{name}'s Feint is useless." if useless else f"{name} is drawn out by the Feint."
    rule = "fight.feint.useless" if useless else "fight.feint.success"
    yield from note(text, rule)
    if fight.table.options["fight_feint_drops_stance"] == "no":
        return fight
    return fight.change(effect.character, stance=Stance.NEUTRAL)
