"""A prayer to wonder about, from plain numbers or from a sheet: the chance that it is granted.

The numbers are written onto a sheet, so that they go through the very procedure that a group would
play.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from astragal.errors import BadInput, check_between
from astragal.games.plain_test import PlainTest

from . import GAME
from .magic.faith.prayer_tables import AID, BLESSING, BOON, CONSECRATION, HINDRANCE, prayer_named
from .sheet.facts import TestCame
from .sheet.ratings import HIGHEST_EXPONENT
from .sheet.sheet import Sheet

PRIEST, OTHER, RELIGION = "priest", "other", "the faith"
MOST_FOES = 10


class PrayerNumbers(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be said of a prayer beforehand.

    Either ``faith`` is an exponent, or the first of the ``sheets`` prays; ``prayer`` is one of the
    list. ``foes`` are how many a Hindrance shall hold, where there are no ``targets``.
    """

    faith: int | None = None
    shade: str = "B"
    sheets: Mapping[str, Sheet] = {}
    prayer: str = ""
    targets: tuple[str, ...] = ()
    ability: str = ""
    foes: int = 1
    intent: str = ""
    disadvantages: int = 0
    advantage: bool = False
    boon: int = 0
    """Persona spent on dice of the prayer."""


def is_praying(numbers: Mapping[str, Any]) -> bool:
    """Whether numbers are about a prayer.

    >>> is_praying({"faith": 5, "prayer": "aid"}), is_praying({"dice": 5})
    (True, False)
    """
    return "prayer" in numbers


def prayer_test(**numbers: Any) -> PlainTest:
    """A prayer of the Burning Wheel, from what :class:`PrayerNumbers` lists.

    >>> prayer_test(faith=5, prayer="minor miracle").title
    'Faith 5, Minor Miracle'
    """
    unknown = [name for name in numbers if name not in PrayerNumbers.__struct_fields__]
    if unknown:
        known = ", ".join(PrayerNumbers.__struct_fields__)
        raise BadInput(unknown[0], numbers[unknown[0]], f"one of {known}")
    said = PrayerNumbers(**numbers)
    kind = prayer_named(said.prayer)
    for name, least, most in (("disadvantages", 0, 10), ("boon", 0, 3), ("foes", 1, MOST_FOES)):
        value = getattr(said, name)
        check_between(name, value, least, most)
    characters, title = _priest(said)
    who = next(iter(characters))
    seat = characters[who].seat(who)
    answers: dict[str, Any] = {}
    if said.disadvantages:
        names = tuple(f"disadvantage {number + 1}" for number in range(said.disadvantages))
        answers["disadvantages"] = names
    if said.advantage:
        answers[f"{seat}/advantage"] = "a good position"
    if said.boon:
        answers[f"{seat}/boon"] = said.boon
    arguments: dict[str, Any] = {
        "character": who,
        "prayer": kind.code,
        "intent": said.intent or kind.name,
        "targets": list(said.targets),
        "ability": said.ability,
    }
    if not said.targets and not said.sheets:
        arguments |= _plain_details(kind.code, said.foes)
    if kind.code == CONSECRATION:
        arguments["place"] = "this place"
    religions = [{"name": RELIGION}] if not said.sheets else []
    return PlainTest(
        procedure="pray",
        arguments=GAME.read(arguments, GAME.procedure("pray").arguments, "prayer"),
        table=GAME.table(characters, GAME.read({"religions": religions}, GAME.scene, "scene")),
        title=f"{title}, {kind.name}",
        answers=answers,
        seat=seat,
        until=TestCame,
        hope="chance that the prayer is granted",
        about=frozenset({"divine_inspiration", "boon", "after_roll"}),
    )


def _plain_details(code: str, foes: int) -> dict[str, Any]:
    """For whom a prayer of plain numbers is: foes, somebody else, or the priest."""
    if code == HINDRANCE:
        return {"targets": [f"{OTHER}{number}" for number in range(foes)]}
    if code == BLESSING:
        return {"targets": [f"{OTHER}0"], "ability": "Will"}
    return {"ability": "Will"} if code in (AID, BOON) else {}


def _priest(said: PrayerNumbers) -> tuple[dict[str, Sheet], str]:
    if said.sheets:
        return dict(said.sheets), f"{next(iter(said.sheets.values())).name} prays"
    rule = "faith.pray.faith_alone"
    if said.faith is None or not 1 <= said.faith <= HIGHEST_EXPONENT:
        raise BadInput("faith", said.faith, f"1 to {HIGHEST_EXPONENT}", rule)
    priest = {
        "name": "Priest",
        "stats": {"Will": "B4"},
        "attributes": {"Faith": f"{said.shade}{said.faith}"},
        "traits": ["Faithful"],
        "beliefs": [{"text": "I believe.", "faith": RELIGION}],
        "artha": {"persona": said.boon},
    }
    found = {PRIEST: GAME.read_sheet(priest, PRIEST)}
    for number in range(said.foes):
        raw = {"name": f"Other {number + 1}", "npc": True, "stats": {"Will": "B4"}}
        found[f"{OTHER}{number}"] = GAME.read_sheet(raw, OTHER)
    return found, f"Faith {said.faith}"
