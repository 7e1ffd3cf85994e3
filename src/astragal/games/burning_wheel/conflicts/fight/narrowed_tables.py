"""The table with nothing on it but what one roll, or one hit, in a fight depends on.

A section of the chapter on Fight! (``conflicts/fight/fight``); ``conflicts/fight/narrowing`` does
the same with the fight.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from ...conditions.wounds import pain, wound_dice
from ...sheet.parts import AbilityLog, Artha, Wound, WoundLevel
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from .state import Fight


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


@lru_cache(4096)
def as_hurt(table: BurningTable) -> BurningTable:
    """The table with wounds that cost as much as the real ones, and say no more.

    Nor is it known how often Steel was tested.
    """
    return rolled_by(table, tuple(table.characters))


@lru_cache(16384)
def rolled_by(table: BurningTable, rolling: tuple[str, ...]) -> BurningTable:
    """The table as it matters to the rolls of these characters."""
    sheets = {
        name: _as_hurt(sheet) if name in rolling else _the_one(_unhurt(sheet))
        for name, sheet in table.characters.items()
    }
    weak: BurningTable = _the_one(msgspec.structs.replace(table, characters=sheets))
    return weak


@lru_cache(4096)
def _as_hurt(sheet: Sheet) -> Sheet:
    _, hindered = pain(sheet)
    return _with_wounds(sheet, len(hindered), wound_dice(sheet))


def _with_wounds(sheet: Sheet, superficial: int, dice: int) -> Sheet:
    """A sheet with so many Superficial wounds, and others that cost so many dice."""
    wounds = (Wound(WoundLevel.SUPERFICIAL),) * superficial + (Wound(WoundLevel.LIGHT),) * dice
    attributes = {
        name: msgspec.structs.replace(each, log=AbilityLog())
        for name, each in sheet.attributes.items()
    }
    hurt: Sheet = _the_one(msgspec.structs.replace(sheet, wounds=wounds, attributes=attributes))
    return hurt


# --- Harm --------------------------------------------------------------------------------------


def for_harm(fight: Fight, character: str) -> BurningTable | None:
    """What a hit, and all that comes of it, depends on; none where that is too much.

    Of wounds that were only just taken it is what they cost, and how many are Superficial.
    """
    if fight.series or not is_plain(fight):
        return None
    return _for_harm(fight.table, character)


@lru_cache(16384)
def _for_harm(table: BurningTable, character: str) -> BurningTable | None:
    sheet = table.character(character)
    superficial = 0
    for wound in sheet.wounds:
        taken = Wound(
            wound.level,
            wound.at,
            wound.source,
            merged=wound.merged,
            taken=wound.taken,
            fresh=wound.fresh,
        )
        if wound != taken or wound.level is WoundLevel.MORTAL:
            return None
        superficial += wound.level is WoundLevel.SUPERFICIAL
    hurt = _with_wounds(sheet, superficial, wound_dice(sheet))
    characters = {**table.characters, character: hurt}
    return seen_by(msgspec.structs.replace(table, characters=characters), character)


def put_harm_back(
    table: BurningTable, before: BurningTable, after: BurningTable, character: str
) -> BurningTable:
    """The table after a hit; of the wounds before it no more is known than they cost."""
    for name, sheet in after.characters.items():
        was = before.characters[name]
        assert name == character or sheet is was or sheet == was, "a hit is one character's own"
    characters = {**table.characters, character: after.characters[character]}
    harmed: BurningTable = _the_one(
        msgspec.structs.replace(table, characters=characters, scene=after.scene)
    )
    return harmed
