"""A casting to wonder about, from plain numbers or from a sheet: the spell, its Tax, and both.

What is asked for is the chance to cast the spell and to stay on one's feet. The numbers are written
onto a sheet, so that they go through the very procedure that a group would play.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from astragal.errors import BadInput, check_between, check_one_of
from astragal.games.plain_test import PlainTest

from . import GAME
from .magic.sorcery.methods import CastingMethod
from .magic.sorcery.raising import SpellRaised
from .magic.sorcery.spell_tables import spell_of
from .sheet.ratings import HIGHEST_EXPONENT
from .sheet.sheet import Sheet
from .sheet.spells import MOST_OBSTACLE

CASTER, SPELL = "caster", "The spell"
AVERAGE = 4
"""The Health of somebody of whom only the magic is told; it has no bearing on the odds."""


class CastingNumbers(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be said of a casting beforehand.

    Either ``sorcery``, ``will`` and ``forte`` with ``ob``, or ``sheets`` (the first one casts) with
    ``spell``. ``taxed`` dice of Forte are lost already and ``sustained`` spells kept up.
    """

    sorcery: int | None = None
    will: int | None = None
    forte: int | None = None
    shade: str = "B"
    sheets: Mapping[str, Sheet] = {}
    spell: str = ""
    ob: int | None = None
    targets: tuple[str, ...] = ()
    intent: str = ""
    wider: int = 0
    """Increments of area, each +1 Ob to the casting alone."""
    method: str = "normally"
    steps: int = 0
    actions: int = 0
    taxed: int = 0
    sustained: int = 0
    disadvantages: int = 0
    advantage: bool = False
    boon: int = 0
    """Persona spent on dice of the casting."""


def is_casting(numbers: Mapping[str, Any]) -> bool:
    """Whether numbers are about a casting.

    >>> is_casting({"sorcery": 5}), is_casting({"dice": 5})
    (True, False)
    """
    return "sorcery" in numbers or "spell" in numbers


def casting_test(**numbers: Any) -> PlainTest:
    """A casting of the Burning Wheel with its Tax, from what :class:`CastingNumbers` lists.

    >>> casting_test(sorcery=5, will=5, forte=6, ob=3).title
    'Sorcery 5, Will 5, Forte 6 against Ob 3, with Tax'
    """
    unknown = [name for name in numbers if name not in CastingNumbers.__struct_fields__]
    if unknown:
        known = ", ".join(CastingNumbers.__struct_fields__)
        raise BadInput(unknown[0], numbers[unknown[0]], f"one of {known}")
    said = CastingNumbers(**numbers)
    _check(said)
    characters, title = _caster(said)
    who = next(iter(characters))
    sheet = characters[who]
    seat = sheet.seat(who)
    answers: dict[str, Any] = {}
    if said.disadvantages:
        names = tuple(f"disadvantage {number + 1}" for number in range(said.disadvantages))
        answers["disadvantages"] = names
    if said.advantage:
        answers[f"{seat}/advantage"] = "a good position"
    if said.boon:
        answers[f"{seat}/boon"] = said.boon
    arguments = {
        "character": who,
        "spell": said.spell or SPELL,
        "targets": list(said.targets),
        "intent": said.intent,
        "obstacle": (said.ob or 0) if said.spell else 0,
        "wider": said.wider,
        "method": said.method,
        "steps": said.steps,
    }
    return PlainTest(
        procedure="cast_spell",
        arguments=GAME.read(arguments, GAME.procedure("cast_spell").arguments, "casting"),
        table=GAME.table(characters),
        title=title,
        answers=answers,
        seat=seat,
        until=SpellRaised,
        reads_fact=True,
        hope="chance to cast it and stay on one's feet",
        about=frozenset({"divine_inspiration", "boon", "after_roll"}),
    )


def _caster(said: CastingNumbers) -> tuple[dict[str, Sheet], str]:
    if said.sheets:
        sheet = next(iter(said.sheets.values()))
        known = spell_of(sheet, said.spell)
        return dict(said.sheets), f"{sheet.name} casts {known.name}, with Tax"
    area = {"area": "Paces"} if said.wider else {}
    spell = {"name": SPELL, "obstacle": said.ob, "actions": said.actions, **area}
    kept = [
        {"name": f"spell {n}", "obstacle": 1, "lasts": "Sustained"} for n in range(said.sustained)
    ]
    raw = {
        "name": "Caster",
        "stats": {"Will": f"B{said.will}", "Forte": f"B{said.forte}"},
        "attributes": {"Health": f"B{AVERAGE}"},
        "skills": {"Sorcery": f"{said.shade}{said.sorcery}"},
        "traits": ["Gifted"],
        "idiom": "speech",
        "spells": [spell],
        "active_spells": kept,
        "forte_tax": [{"seconds": 3600}] * said.taxed,
        "artha": {"persona": said.boon},
    }
    title = f"Sorcery {said.sorcery}, Will {said.will}, Forte {said.forte} against Ob {said.ob}"
    return {CASTER: GAME.read_sheet(raw, "caster")}, f"{title}, with Tax"


def _check(said: CastingNumbers) -> None:
    if said.sheets:
        if not said.spell:
            raise BadInput("spell", "", "the spell that is cast", "sorcery.sequence.declare")
        return
    for name in ("sorcery", "will", "forte", "ob"):
        value = getattr(said, name)
        most = MOST_OBSTACLE if name == "ob" else HIGHEST_EXPONENT
        if value is None or not 1 <= value <= most:
            raise BadInput(name, value, f"1 to {most}", "sorcery.cast.pool")
    if said.spell:
        raise BadInput("spell", said.spell, "a sheet that has the spell")
    ways = [method.value for method in CastingMethod]
    check_one_of("method", said.method, ways, "sorcery.method.five")
    for name, most in (("disadvantages", 10), ("boon", 3), ("taxed", 9), ("sustained", 9)):
        value = getattr(said, name)
        check_between(name, value, 0, most)
