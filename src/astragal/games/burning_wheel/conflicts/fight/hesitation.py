"""Hesitation in Fight!: actions that a fighter loses, and what he does meanwhile.

A section of the chapter on Fight! (``conflicts/fight/fight``). The Steel test is in
``steel/steel``; it leaves the counting to the fight, in which every heartbeat is an action
(steel.amb.heartbeats_in_scripts).
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.play import Step, note

from ...armor.block_and_strike import Stance
from ...conditions.hesitation import FALL, RUN, STAND, SWOON, comes_round, overlapping
from ...injury.injury import WoundOutcome
from ...sheet.scene import Hesitation
from ...sheet.words import counted
from ...steel.steel import SteelOutcome
from .state import NOT_READY, FallenWeapon, Fight, HindranceUntil, Posture, in_hand


class PositioningLimit(Enum):
    """What hesitation leaves of a fighter's positioning (fight.table.hesitation_reactions)."""

    NONE = "none"
    NO_DICE = "maintain with no dice"
    MUST_WITHDRAW = "withdraw without dice for weapon or terrain"


def may_position(fight: Fight, character: str) -> PositioningLimit:
    """How a fighter may position at the top of a volley.

    Standing, lying or swooning he Maintains with no dice (fight.hesitation.zero_dice_position).
    Running he must Withdraw as long as he hesitates, without dice for weapon or terrain
    (fight.hesitation.run_withdraw); the others are his (fight.amb.run_screaming_dice). As this is
    asked at the top of a volley, he runs from the next positioning test on
    (fight.hesitation.run_delay).
    """
    fighter = fight.fighter(character)
    mount = fight.mount(character)
    if mount and fight.fighter(mount).is_hesitating:
        fighter = fight.fighter(mount)  # riding.steel.mount_reactions: it bolts, or stays put
    if not fighter.is_hesitating:
        return PositioningLimit.NONE
    if fighter.reaction == RUN:
        return PositioningLimit.MUST_WITHDRAW
    return PositioningLimit.NO_DICE


def hesitate(fight: Fight, character: str, actions: int, reaction: str = STAND) -> Fight:
    """A fighter loses actions, from his next one on (fight.hesitation.starts_next).

    If he hesitates already, the longer of the two counts, or both
    (steel.amb.tests_while_hesitating); an earlier one that lasts as long goes on as it was. The
    action that he is just losing is none of the new ones.
    Whatever he was preparing is broken off (fight.amb.great_strike_set_gap), and he is in Neutral
    stance (fight.stance.lost).
    """
    if actions <= 0:
        return fight
    fighter = fight.fighter(character)
    before, losing = None, int(fighter.loses)
    if fighter.hesitates > losing:
        before = Hesitation(character, fighter.hesitates - losing, fighter.reaction)
    total = overlapping(before, actions, fight.table.options["steel_overlapping_hesitation"])
    if before is None or total > before.heartbeats:
        fight = fight.change(character, hesitates=total + losing, reaction=reaction)
        if reaction in (FALL, SWOON):  # steel.fail.fall_prone, steel.fail.swoon
            fight = fight.change(character, posture=Posture.DOWN)
        if reaction == FALL:  # steel.fail.fall_prone_close_combat
            fight = drop_weapon(fight, character)
    return fight.change(character, stance=Stance.NEUTRAL, ready=NOT_READY)


def shorten(fight: Fight, character: str, actions: int) -> Fight:
    """A fighter loses some actions fewer, as a Command may bring about (fight.social.command)."""
    left = max(0, fight.fighter(character).hesitates - actions)
    return fight.change(
        character, hesitates=left, reaction=fight.fighter(character).reaction if left else ""
    )


def drop_weapon(fight: Fight, character: str, farther: int = 0) -> Fight:
    """What a fighter has in hand lies on the ground; bare hands cannot be dropped.

    It is picked up like one that was knocked away (steel.amb.prone_afterwards), which may have
    gone some fighting distances ``farther`` (fight.disarm.farther).
    """
    if not fight.fighter(character).weapon or fight.fighter(character).carries:
        return fight
    fallen = FallenWeapon(character, in_hand(fight, character), farther)
    fight = take_in_hand(fight, character, "")
    return msgspec.structs.replace(fight, fallen=(*fight.fallen, fallen))


def take_in_hand(fight: Fight, character: str, weapon: str) -> Fight:
    """The fight with another weapon in hand, or none.

    What a Beat has done was done to the one before (fight.beat.win, fight.beat.win_by_two).
    """
    hindrances = tuple(
        each
        for each in fight.fighter(character).hindrances
        if each.until is not HindranceUntil.WEAPON
    )
    other = fight.fighter(character).other_hand
    return fight.change(
        character,
        weapon=weapon,
        way="",
        beaten=False,
        hindrances=hindrances,
        other_hand="" if other == weapon else other,
    )


def after_steel(fight: Fight, character: str, hurt: WoundOutcome | SteelOutcome) -> Step[Fight]:
    """A Steel test was rolled, perhaps because of a wound: what it leaves the fighter in.

    Each heartbeat is an action lost (fight.hesitation.to_actions), in the way the player has
    chosen (fight.hesitation.reaction). A wound may also have felled or disarmed him
    (injury.steel.option_leg_prone, injury.steel.option_leg_kneel, injury.steel.option_arm).
    """
    steel = hurt.steel if isinstance(hurt, WoundOutcome) else hurt
    if steel is None or not steel.tested or steel.passed:
        return fight
    before = fight.fighter(character).hesitates
    fight = hesitate(fight, character, hurt.heartbeats, steel.reaction or STAND)
    fighter = fight.fighter(character)
    further = fighter.hesitates - fighter.loses
    if isinstance(hurt, WoundOutcome):
        if hurt.prone:
            fight = fight.change(character, posture=Posture.DOWN)
        elif hurt.kneeling and fighter.posture is Posture.STANDING:
            fight = fight.change(character, posture=Posture.KNEELING)
        if hurt.dropped:
            fight = drop_weapon(fight, character)
    if before and further != hurt.heartbeats:
        text = f"{fight.name(character)} hesitates for {counted(further, 'action')}."
        yield from note(text, "steel.amb.tests_while_hesitating")
    return fight


def pass_action(fight: Fight, character: str, *, chosen: bool = False) -> Step[Fight]:
    """A hesitating fighter loses an action; after the last one he recovers.

    Actions are counted through as many exchanges as it takes
    (fight.hesitation.longer_than_exchange). A swoon ends when its player says so
    (steel.fail.swoon_length); who has fallen is still down (steel.amb.prone_afterwards). From an
    action that was given up by choice nobody has to recover.
    """
    fighter = fight.fighter(character)
    left = fighter.hesitates - 1
    if left > 0:
        return fight.change(character, hesitates=left, loses=False)
    if fighter.reaction == SWOON and not (yield from comes_round(fight.table, character)):
        return fight.change(character, loses=False)
    if not chosen:
        yield from note(f"{fight.name(character)} recovers.", "fight.hesitation.to_actions")
    return fight.change(character, hesitates=0, reaction="", loses=False)
