"""Whole parts of a volley, with nothing but what they depend on, so that they can be remembered.

A section of the chapter on Fight! (``conflicts/fight/fight``). Where nobody hears what is told, a
positioning test or the deeds of a moment are played with what :func:`for_positioning` or
:func:`for_clash` leaves of the fight, and what they changed is put back into it.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import msgspec

from ...armor.block_and_strike import Stance
from ...sheet.scene import BurningTable
from .interactions import DEFENCES, NO_ACTION, is_attack, is_untouched, only_hurts
from .lost_actions import has_dice
from .making_ready import WITH_A_WEAPON, is_for_throwing
from .narrowed_tables import as_hurt, is_plain, rolled_by
from .narrowing import AVOID
from .state import (
    NOT_READY,
    Fight,
    FightDeed,
    FightingCharacter,
    Hindrance,
    Positioning,
    Posture,
    Preparation,
    in_hand,
)

THROWN = "throw_object"

MARTIAL = frozenset(
    (
        "avoid",
        "beat_and_bind",
        "block",
        "block_and_strike",
        "counterstrike",
        "disarm",
        "feint",
        "great_strike",
        "great_strike_set",
        "lock",
        "push",
        "strike",
        "throw_opponent",
    )
)
"""Actions that depend on no more of a fight than :func:`for_clash` leaves."""

PUSH = "push"

SIMPLE = ("get_up", "escape_lock", "retrieve")
"""Other cards of that kind."""


@cache
def _is_simple(card: str) -> bool:
    """Whether it is one of these cards, or a change of stance."""
    return card in SIMPLE or card.startswith("change_stance:")


def for_positioning(fight: Fight) -> Fight | None:
    """What a positioning test and all that comes of it depend on; none where that is too much.

    Nobody may charge, and no test be logged. Of wounds it is what they cost; a stance counts only
    if its dice were put into positioning.
    """
    if fight.series or not is_plain(fight):
        return None
    fighters = []
    for each in fight.fighters:
        if each.charges:
            return None
        fighters.append(
            _positioning(
                each.character,
                each.side,
                each.weapon,
                each.way,
                each.stance if each.steps else Stance.NEUTRAL,
                each.posture,
                each.hesitates > 0,
                each.reaction,
                each.moves,
                each.steps,
                each.beaten,
                each.hindrances,
                each.ready if each.ready.nocked else NOT_READY,
                _lengths(each.announced, is_for_throwing(in_hand(fight, each.character).weapon)),
                each.other_hand,
                each.out,
            )
        )
    return _whole(
        tuple(fighters), as_hurt(fight.table), fight.gaps, fight.locks, fight.fallen, fight.ground
    )


@lru_cache(4096)
def _lengths(announced: tuple[str, ...], for_throwing: bool) -> tuple[str, ...]:
    """The cards of a volley that say how long a weapon is; none where it is the usual length.

    What is ``for_throwing`` has another length in a volley in which it is not thrown.
    """
    used = [card for card in announced if card.partition(":")[0] in (*WITH_A_WEAPON, THROWN)]
    unusual = for_throwing or any(":" in card or card == THROWN for card in used)
    return tuple(sorted(set(used))) if unusual else ()


def for_clash(fight: Fight, deeds: tuple[FightDeed, ...]) -> Fight | None:
    """What the deeds of a moment depend on, up to the harm they do; none where that is too much.

    Those are deeds with weapons and bare hands, of which no test is logged. Of wounds it is what
    they cost those who may roll, and of moving whether it is quick, where that matters to a roll.
    Of somebody who does nothing, and to whom nothing but harm can be done, it is what is in sight.
    """
    if fight.series or not is_plain(fight):
        return None
    attacked, pushes = [], False
    for deed in deeds:
        if deed.by or not (deed.action in MARTIAL or _is_simple(deed.card)):
            return None
        if is_attack(deed.action):
            attacked.append(deed.target)
            pushes = pushes or deed.action == PUSH
    fighters, rolling = [], []
    for each in fight.fighters:
        if each.waits is not None:
            return None
        own = _deed_of(deeds, each.character)
        action = NO_ACTION if own is None else own.action
        free = not fight.locks
        for deed in deeds:
            free = free and only_hurts(deed.action, action)
        if free and action == NO_ACTION:
            fighters.append(
                _in_sight(
                    each.character,
                    each.side,
                    each.weapon,
                    each.way,
                    each.posture,
                    each.hesitates > 0,
                    each.charges,
                    each.out,
                )
            )
            continue
        rolls = not (free and action == "great_strike_set")
        if own is not None and action in DEFENCES and not fight.locks:
            # Nothing comes at him, so nothing is rolled; but without dice it is no defence at all.
            aimed = "" in attacked or each.character in attacked
            rolls = aimed or not has_dice(fight, own)
        if rolls:
            rolling.append(each.character)
        # Natural Defenses are no action, and but for those against a Push all the same to movers.
        moving = pushes or (rolls and own is not None)
        fighters.append(
            _clashing(
                each.character,
                each.side,
                each.weapon,
                each.way,
                each.stance,
                each.posture,
                each.hesitates > 0,
                moving and each.moves in _QUICKLY,
                each.avoids,
                each.avoided,
                each.steps,
                each.charges,
                each.beaten,
                each.hindrances,
                each.ready,
                each.announced.count(AVOID),
                each.other_hand,
                each.out,
            )
        )
    table = rolled_by(fight.table, tuple(rolling))
    return _whole(tuple(fighters), table, fight.gaps, fight.locks, fight.fallen, fight.ground)


def are_apart(fight: Fight, deeds: tuple[FightDeed, ...]) -> bool:
    """Whether the deeds of a moment come to the same one by one, up to the harm they do.

    There are two of them; neither touches the other, or does more to the other's doer than harm.
    That nobody favors a side, which makes his own deed harder, has to be known besides.
    """
    if len(deeds) != 2 or fight.locks:
        return False
    one, other = deeds
    return (
        one.character != other.character
        and (one.target != other.target or not one.target)
        and is_untouched(one.action, other.action)
        and is_untouched(other.action, one.action)
        and only_hurts(one.action, other.action)
        and only_hurts(other.action, one.action)
        and not (fight.fighter(one.character).hesitates or fight.fighter(other.character).hesitates)
    )


def is_idle(fight: Fight, deed: FightDeed) -> bool:
    """Whether a deed comes to nothing if nothing else is done: a defence at which nothing comes.

    Nothing is rolled for it, and there must be nothing that it would use up or break off.
    """
    if deed.card not in DEFENCES or deed.by or fight.locks or not is_plain(fight):
        return False
    doer = fight.fighter(deed.character)
    return (
        doer.stance is not Stance.AGGRESSIVE  # in which an Avoid is hesitation
        and doer.ready == NOT_READY
        and not doer.hindrances
        and doer.avoided is None
        and doer.waits is None
    )


_QUICK, _SLOW = Positioning.CLOSE, Positioning.MAINTAIN
_QUICKLY = tuple(each for each in Positioning if each.is_quick)


def _deed_of(deeds: tuple[FightDeed, ...], character: str) -> FightDeed | None:
    """What a fighter does in a moment, if anything."""
    for deed in deeds:
        if deed.character == character:
            return deed
    return None


# Of all fighters that are equal there is only one, which knows its hash and is found at once.


@lru_cache(65536)
def _in_sight(
    character: str,
    side: int,
    weapon: str,
    way: str,
    posture: Posture,
    hesitates: bool,
    charges: bool,
    out: str,
) -> FightingCharacter:
    """What others see of a fighter who does nothing."""
    return FightingCharacter(
        character,
        side,
        weapon,
        way,
        posture=posture,
        hesitates=int(hesitates),
        charges=charges,
        out=out,
    )


@lru_cache(65536)
def _clashing(
    character: str,
    side: int,
    weapon: str,
    way: str,
    stance: Stance,
    posture: Posture,
    hesitates: bool,
    quick: bool,
    avoids: bool,
    avoided: int | None,
    steps: bool,
    charges: bool,
    beaten: bool,
    hindrances: tuple[Hindrance, ...],
    ready: Preparation,
    avoids_announced: int,
    other_hand: str,
    out: str,
) -> FightingCharacter:
    """What matters of a fighter to the deeds of a moment."""
    return FightingCharacter(
        character,
        side,
        weapon,
        way,
        stance,
        posture,
        hesitates=int(hesitates),
        moves=_QUICK if quick else _SLOW,
        avoids=avoids,
        avoided=avoided,
        steps=steps,
        charges=charges,
        beaten=beaten,
        hindrances=hindrances,
        ready=ready,
        announced=(AVOID,) * avoids_announced,
        other_hand=other_hand,
        out=out,
    )


@lru_cache(65536)
def _positioning(
    character: str,
    side: int,
    weapon: str,
    way: str,
    stance: Stance,
    posture: Posture,
    hesitates: bool,
    reaction: str,
    moves: Positioning | None,
    steps: bool,
    beaten: bool,
    hindrances: tuple[Hindrance, ...],
    ready: Preparation,
    lengths: tuple[str, ...],
    other_hand: str,
    out: str,
) -> FightingCharacter:
    """What matters of a fighter to a positioning test."""
    return FightingCharacter(
        character,
        side,
        weapon,
        way,
        stance,
        posture,
        hesitates=int(hesitates),
        reaction=reaction,
        moves=moves,
        steps=steps,
        beaten=beaten,
        hindrances=hindrances,
        ready=ready,
        announced=lengths,
        other_hand=other_hand,
        out=out,
    )


@lru_cache(65536)
def _whole(
    fighters: tuple[FightingCharacter, ...],
    table: BurningTable,
    gaps: Any,
    locks: Any,
    fallen: Any,
    ground: Any,
) -> Fight:
    return Fight(fighters, table, gaps, locks, fallen, ground)


# --- Back into the whole -----------------------------------------------------------------------


def put_back(whole: Fight, before: Fight, after: Fight) -> Fight:
    """The whole fight with what a part of it has changed in what was left of it.

    So all that a part may set is left in it as it is, also where it is never looked at.
    """
    if after is before:
        return whole
    fighters = whole.fighters
    if after.fighters is not before.fighters and after.fighters != before.fighters:
        fighters = tuple(
            [
                each if old is new else msgspec.structs.replace(each, **_changes(old, new))
                for each, old, new in zip(fighters, before.fighters, after.fighters, strict=True)
            ]
        )
    table = whole.table
    if after.table is not before.table and after.table != before.table:
        table = _put_back(table, before.table, after.table)
    return msgspec.structs.replace(
        whole,
        fighters=fighters,
        table=table,
        gaps=whole.gaps if after.gaps == before.gaps else after.gaps,
        locks=whole.locks if after.locks == before.locks else after.locks,
        fallen=whole.fallen if after.fallen == before.fallen else after.fallen,
    )


def _put_back(table: BurningTable, before: BurningTable, after: BurningTable) -> BurningTable:
    """The table with what was paid for and the like."""
    characters = dict(table.characters)
    for name, sheet in after.characters.items():
        changes = _changes(before.characters[name], sheet)
        assert not {"wounds", "attributes"} & set(changes), "those come after what is played alone"
        if changes:
            characters[name] = msgspec.structs.replace(characters[name], **changes)
    return msgspec.structs.replace(table, characters=characters, scene=after.scene)


@lru_cache(16384)
def _changes(before: Any, after: Any) -> dict[str, Any]:
    """The fields in which something is different from what it was."""
    fields = type(after).__struct_fields__
    return {
        each: getattr(after, each)
        for each in fields
        if getattr(before, each) != getattr(after, each)
    }
