"""The fight with nothing in it but what one roll, or one script, depends on.

A section of the chapter on Fight! (``conflicts/fight/fight``). Whoever plays many fights meets the
same roll again and again, while no two fights are ever alike as a whole. Where somebody rides,
casts or prays, much depends on everything, and the fight stays as it is.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from ...conditions.wounds import pain, wound_dice
from ...sheet.parts import AbilityLog, Artha, Wound, WoundLevel
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from .footing import WITH_A_WEAPON
from .state import NOT_READY, Fight, FightDeed, FightingCharacter, Positioning

AVOID = "avoid"
THROWN = "throw_object"


def seen_by(table: BurningTable, character: str) -> BurningTable:
    """The table as it matters to what one character does: the others' wounds are their own."""
    return _seen_by(table, character, tuple(table.character(character).skills))


@lru_cache(4096)
def _seen_by(table: BurningTable, character: str, skills: tuple[str, ...]) -> BurningTable:
    """Equal sheets may list their skills in another order, in which FoRKs are offered."""
    characters = {
        name: sheet if name == character else _the_one(_unhurt(sheet))
        for name, sheet in table.characters.items()
    }
    seen: BurningTable = _the_one(msgspec.structs.replace(table, characters=characters), skills)
    return seen


def _unhurt(sheet: Sheet) -> Sheet:
    return msgspec.structs.replace(sheet, wounds=(), attributes={}, artha=Artha())


@lru_cache(4096)
def _the_one(like: Any, _skills: tuple[str, ...] = ()) -> Any:
    """Of all that are equal the first, so that they are found to be equal at once."""
    return like


def is_plain(fight: Fight) -> bool:
    """Whether all are on foot and nothing but weapons is in play."""
    if fight.reserves or fight.raised or fight.lasting:
        return False
    for each in fight.fighters:
        if each.carries or each.spell or each.prays or each.wields or each.declared:
            return False
        if each.casting is not None or each.prayer is not None:
            return False
    return True


def for_roll(fight: Fight, character: str, *others: str) -> Fight:
    """What the dice of an action depend on: who rolls, whom it is about, and how far they are.

    Of the others it is only what they have in hand. Positioning is another matter.
    """
    if not is_plain(fight):
        return fight
    own = fight.fighter(character)
    fighters = [
        FightingCharacter(
            character,
            own.side,
            own.weapon,
            own.way,
            own.stance,
            own.posture,
            moves=own.moves,
            avoids=own.avoids,
            steps=own.steps,
            charges=own.charges,
            hindrances=own.hindrances,
            announced=(AVOID,) * own.announced.count(AVOID),
        )
    ]
    for name in dict.fromkeys(others):
        other = fight.fighter(name)
        fighters.append(FightingCharacter(name, other.side, other.weapon, other.way))
    return Fight(
        tuple(fighters),
        seen_by(fight.table, character),
        tuple([gap for gap in fight.gaps if character in (gap.one, gap.other)]),
        tuple([lock for lock in fight.locks if lock.victim == character]),
        ground=fight.ground,
        series=fight.series,
    )


def for_footing(fight: Fight, character: str) -> Fight:
    """What the Speed of a fighter who positions depends on, beside the dice for doing it."""
    if not is_plain(fight):
        return fight
    own = fight.fighter(character)
    alone = FightingCharacter(
        character,
        own.side,
        stance=own.stance,
        posture=own.posture,
        hesitates=int(own.is_hesitating),
        reaction=own.reaction,
        moves=own.moves,
        steps=own.steps,
        hindrances=own.hindrances,
    )
    return Fight(
        (alone,),
        seen_by(fight.table, character),
        locks=tuple([lock for lock in fight.locks if lock.victim == character]),
        ground=fight.ground,
        series=fight.series,
    )


def for_script(fight: Fight, character: str) -> Fight:
    """What a fighter may script depends on: what is in everybody's hands, and how far they are."""
    if not is_plain(fight):
        return fight
    fighters = []
    for each in fight.fighters:
        if each.character == character:
            fighters.append(
                FightingCharacter(
                    character,
                    each.side,
                    each.weapon,
                    each.way,
                    posture=each.posture,
                    ready=each.ready,
                    readied=each.readied,
                    concealed=each.concealed,
                    announced=each.announced,
                    bound=each.bound,
                )
            )
        elif not each.out:
            fighters.append(
                FightingCharacter(
                    each.character,
                    each.side,
                    each.weapon,
                    each.way,
                    ready=each.ready,
                    announced=each.announced,  # what is thrown is a longer weapon
                )
            )
    return Fight(
        tuple(fighters),
        seen_by(fight.table, character),
        fight.gaps,
        fight.locks,
        fight.fallen,
        exchange=min(fight.exchange, 2),  # only the first is different
    )


# --- Whole parts of a volley -------------------------------------------------------------------

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

SIMPLE = ("get_up", "escape_lock", "retrieve")
"""Other cards of that kind."""


def for_positioning(fight: Fight) -> Fight | None:
    """What a positioning test and all that comes of it depend on; none where that is too much.

    Nobody may charge, and no test be logged. Of wounds it is what they cost.
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
                each.stance,
                each.posture,
                each.hesitates > 0,
                each.reaction,
                each.moves,
                each.steps,
                each.beaten,
                each.hindrances,
                each.ready if each.ready.nocked else NOT_READY,
                _lengths(each.announced),
                each.out,
            )
        )
    return _whole(
        tuple(fighters), as_hurt(fight.table), fight.gaps, fight.locks, fight.fallen, fight.ground
    )


@lru_cache(4096)
def _lengths(announced: tuple[str, ...]) -> tuple[str, ...]:
    """The cards of a volley that say how long a weapon is; none where it is the usual length."""
    used = [card for card in announced if card.partition(":")[0] in (*WITH_A_WEAPON, THROWN)]
    unusual = any(":" in card or card == THROWN for card in used)
    return tuple(sorted(set(used))) if unusual else ()


@lru_cache(16384)
def _positioning(
    character: str,
    side: int,
    weapon: str,
    way: str,
    stance: Any,
    posture: Any,
    hesitates: bool,
    reaction: str,
    moves: Any,
    steps: bool,
    beaten: bool,
    hindrances: Any,
    ready: Any,
    announced: tuple[str, ...],
    out: str,
) -> FightingCharacter:
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
        announced=announced,
        out=out,
    )


def for_clash(fight: Fight, deeds: tuple[FightDeed, ...]) -> Fight | None:
    """What the deeds of a moment depend on, up to the harm they do; none where that is too much.

    Those are deeds with weapons and bare hands, of which no test is logged. Of wounds it is what
    they cost, and of moving whether it is quick.
    """
    if fight.series or not is_plain(fight):
        return None
    for deed in deeds:
        stance = deed.card.startswith("change_stance:")
        if deed.by or not (deed.action in MARTIAL or deed.card in SIMPLE or stance):
            return None
    fighters = []
    for each in fight.fighters:
        if each.waits is not None:
            return None
        fighters.append(
            _clashing(
                each.character,
                each.side,
                each.weapon,
                each.way,
                each.stance,
                each.posture,
                each.hesitates > 0,
                each.moves is not None and each.moves.is_quick,
                each.avoids,
                each.avoided,
                each.steps,
                each.charges,
                each.beaten,
                each.hindrances,
                each.ready,
                each.announced.count(AVOID),
                each.out,
            )
        )
    return _whole(
        tuple(fighters), as_hurt(fight.table), fight.gaps, fight.locks, fight.fallen, fight.ground
    )


@lru_cache(16384)
def _clashing(
    character: str,
    side: int,
    weapon: str,
    way: str,
    stance: Any,
    posture: Any,
    hesitates: bool,
    quick: bool,
    avoids: bool,
    avoided: int | None,
    steps: bool,
    charges: bool,
    beaten: bool,
    hindrances: Any,
    ready: Any,
    avoiding: int,
    out: str,
) -> FightingCharacter:
    return FightingCharacter(
        character,
        side,
        weapon,
        way,
        stance,
        posture,
        hesitates=int(hesitates),
        moves=Positioning.CLOSE if quick else Positioning.MAINTAIN,
        avoids=avoids,
        avoided=avoided,
        steps=steps,
        charges=charges,
        beaten=beaten,
        hindrances=hindrances,
        ready=ready,
        announced=(AVOID,) * avoiding,
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


@lru_cache(4096)
def as_hurt(table: BurningTable) -> BurningTable:
    """The table with wounds that cost as much as the real ones, and say no more.

    Nor is it known how often Steel was tested.
    """
    sheets = {name: _as_hurt(sheet) for name, sheet in table.characters.items()}
    weak: BurningTable = _the_one(msgspec.structs.replace(table, characters=sheets))
    return weak


@lru_cache(4096)
def _as_hurt(sheet: Sheet) -> Sheet:
    _, hindered = pain(sheet)
    wounds = (Wound(WoundLevel.SUPERFICIAL),) * len(hindered)
    wounds += (Wound(WoundLevel.LIGHT),) * wound_dice(sheet)
    attributes = {
        name: msgspec.structs.replace(each, log=AbilityLog())
        for name, each in sheet.attributes.items()
    }
    hurt: Sheet = _the_one(msgspec.structs.replace(sheet, wounds=wounds, attributes=attributes))
    return hurt


def put_back(whole: Fight, before: Fight, after: Fight) -> Fight:
    """The whole fight with what a part of it has changed in what was left of it.

    So all that a part may set is left in it as it is, also where it is never looked at.
    """
    if after is before:
        return whole
    fighters = whole.fighters
    if after.fighters != before.fighters:
        fighters = tuple(
            [
                each if old is new else msgspec.structs.replace(each, **_changes(old, new))
                for each, old, new in zip(fighters, before.fighters, after.fighters, strict=True)
            ]
        )
    table = whole.table
    if after.table != before.table:
        table = _put_back(table, before.table, after.table)
    return msgspec.structs.replace(
        whole,
        fighters=fighters,
        table=table,
        gaps=after.gaps,
        locks=after.locks,
        fallen=after.fallen,
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
