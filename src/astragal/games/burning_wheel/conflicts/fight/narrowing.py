"""The fight with nothing in it but what one roll, or one script, depends on.

A section of the chapter on Fight! (``conflicts/fight/fight``). Whoever plays many fights meets the
same roll again and again, while no two fights are ever alike as a whole. Where somebody rides,
casts or prays, much depends on everything, and the fight stays as it is.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from ...sheet.parts import Artha
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from .state import Fight, FightingCharacter

AVOID = "avoid"


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


def _is_plain(fight: Fight) -> bool:
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
    if not _is_plain(fight):
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
    if not _is_plain(fight):
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
    if not _is_plain(fight):
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
