"""Spells as a sheet has them: the record with its facets, what is in effect, and what Tax took.

The spells that the book names are rows of the catalogue; where it leaves a facet out, the sheet
has to say it. What casting does is in ``magic/sorcery``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any

import msgspec

from astragal.errors import BadInput, check_between
from astragal.rules import Record, catalogue

PERSONAL, PRESENCE, SIGHT = "Personal", "Presence", "Sight"
SUSTAINED, ELAPSED, PERMANENT, INSTANTANEOUS = (
    "Sustained",
    "Elapsed Time",
    "Permanent",
    "Instantaneous",
)
CASTER, SINGLE, MULTIPLE = "Caster", "Single Target", "Multiple Targets"
MEASURED, NATURAL = "Measured Area", "Natural Effect"
DESTROY, TAX, CONTROL = "Destroy", "Tax", "Control"
ARCANA = "Arcana"
TIME_UNITS = ("seconds", "exchanges", "minutes", "hours", "days", "months", "years")
MOST_OBSTACLE = 20
"""No spell is so hard; a larger number is a typing error."""


class SpellStage(Enum):
    """How far a spell is learned (sorcery.learn.three_steps)."""

    UNREAD = "unread"
    PRACTICALS = "practicals"
    MASTERED = "mastered"


class SpellEffect(Enum):
    """What a spell does, as far as the rules count it; the rest is told."""

    NONE = "none"
    BONUS_DICE = "bonus_dice"
    ATTACK_OBSTACLE = "attack_obstacle"
    SIGHT = "sight"
    SHIELD = "shield"
    STEEL = "steel"
    DAMAGE = "damage"


class Idiom(Enum):
    """How a caster casts: by speech or by gesture, fixed before play (sorcery.idiom.choice)."""

    UNKNOWN = ""
    SPEECH = "speech"
    GESTURE = "gesture"


class Spell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A spell record with its eight facets (sorcery.facet.list).

    ``obstacle`` is one number, or several from which the caster picks; or it is a ``caster_stat``
    or a ``target_stat``. An ``up`` spell makes use of successes over the obstacle. ``actions`` may
    be ``times_obstacle``; 0 where they are not known. A Measured Area has a ``unit``, Elapsed Time
    a ``time_unit``. ``effect`` is told in words, and so is a ``second_effect``, if there is one, to
    which extra successes can go instead; what of the first is counted is ``does``: dice for
    ``abilities``, or damage from Will (``half_will`` or all of it) and ``power``, with +1 Power
    for each ``per`` successes. ``counters`` names spells that it counters whatever their facets,
    ``uncountered`` one that nothing counters. ``stage`` and ``practicals`` are how far it is
    learned.
    """

    name: str
    obstacle: tuple[int, ...] = ()
    caster_stat: str = ""
    target_stat: str = ""
    up: bool = False
    actions: int = 0
    times_obstacle: bool = False
    origin: str = ""
    element: str = ""
    impetus: str = ""
    area: str = ""
    unit: str = ""
    duration: str = ""
    time_unit: str = ""
    resource_points: int = 0
    effect: str = ""
    second_effect: str = ""
    does: SpellEffect = SpellEffect.NONE
    abilities: tuple[str, ...] = ()
    half_will: bool = False
    power: int = 0
    per: int = 1
    counters: tuple[str, ...] = ()
    uncountered: bool = False
    stage: SpellStage = SpellStage.MASTERED
    practicals: int = 0

    @property
    def harms(self) -> bool:
        """Whether it does damage: what destroys does, unless it has another effect."""
        return self.does is SpellEffect.DAMAGE or (
            self.impetus == DESTROY and self.does is SpellEffect.NONE
        )


class ActiveSpell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A spell that lasts, with the successes in its effects and its duration.

    ``obstacle`` is that of the spell itself. ``lasts`` is its duration: a Sustained one has a Will
    die set aside and was ``taxed`` last at a moment of the calendar, one of Elapsed Time ``ends``
    at one (0: not counted in time).
    """

    name: str
    obstacle: int
    lasts: str
    effect: int = 0
    second_effect: int = 0
    duration: int = 0
    does: SpellEffect = SpellEffect.NONE
    abilities: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    taxed: int = 0
    ends: int = 0

    @property
    def sustained(self) -> bool:
        """Whether a Will die is set aside for it."""
        return self.lasts == SUSTAINED

    @property
    def for_exchanges(self) -> bool:
        """Whether it lasts for exchanges of a conflict, which no clock counts."""
        return self.lasts == ELAPSED and not self.ends


class TaxedDie(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A die of Forte lost to Tax, and the seconds until it returns, once those before it have.

    sorcery.sickness.per_die, sorcery.amb.recovery_sequence.
    """

    seconds: int


# --- The spells that the book names --------------------------------------------------------


@cache
def known_spells() -> dict[str, Spell]:
    """The spells that the book names, as far as it describes them, by their name in small letters.

    Firebreath and Breath of Fire are one spell under two names (sorcery.amb.firebreath_name).
    """
    rows = catalogue().table("sorcery.table.known_spells").records()
    return {row.text("spell").casefold(): _spell(row) for row in rows}


def _spell(row: Record) -> Spell:
    def facet(column: str) -> str:
        code = row.text(column)
        return "" if code in ("unknown", "several", "none") else code

    points = row.text("resource_points")
    return Spell(
        name=row.text("spell"),
        obstacle=_numbers(row, "ob_codes"),
        up=row["up_code"] == "up",
        actions=sum(_numbers(row, "actions_codes")),
        times_obstacle=row["actions_code"] == "each",
        origin=facet("origin_code"),
        element=facet("element_code"),
        impetus=facet("impetus_code"),
        area=facet("area_code"),
        unit=facet("unit_code"),
        duration=facet("duration_code"),
        resource_points=int(points) if points.isdigit() else 0,
        effect=row.text("effect"),
        does=SpellEffect(row.text("does_code")),
        abilities=row.texts("ability_codes"),
        half_will=row["power_code"] == "half_will",
        per=sum(_numbers(row, "per_codes")),
        counters=row.texts("counters_codes"),
        uncountered=row["counter_code"] == "none",
    )


@cache
def of_a_dark_impetus() -> frozenset[str]:
    """The spells of which the book says only that they destroy or tax, in small letters.

    sorcery.shield.blocks lists them among those that an Eldritch Shield stops.

    >>> sorted(of_a_dark_impetus())[0], "breath of wind" in of_a_dark_impetus()
    ('choking hand', False)
    """
    rows = catalogue().table("sorcery.table.known_spells").all_where(impetus=f"{DESTROY} or {TAX}")
    return frozenset(row.text("spell").casefold() for row in rows)


def _numbers(row: Record, column: str) -> tuple[int, ...]:
    return tuple(map(int, row.texts(column)))


def spell_by_name(name: str) -> Spell:
    """A spell of the book, or one of which only the name is known."""
    return known_spells().get(name.strip().casefold()) or Spell(name.strip())


# --- Facets --------------------------------------------------------------------------------


@cache
def facets(ring: str) -> tuple[str, ...]:
    """The facets of one kind: element, impetus, origin, duration or area.

    sorcery.element.definition, sorcery.impetus.definition, sorcery.origin.definition,
    sorcery.duration.kinds.

    >>> facets("origin"), len(facets("element")), len(facets("impetus"))
    (('Personal', 'Presence', 'Sight'), 8, 6)
    """
    if ring == "area":  # sorcery.area.kinds
        return (CASTER, SINGLE, MULTIPLE, PRESENCE, MEASURED, NATURAL)
    rows = catalogue().table("sorcery.table.wheel_rings_default").all_where(ring=ring)
    return tuple(row.text("facet") for row in rows)


@cache
def units() -> tuple[str, ...]:
    """The measures of an area, the smallest first."""
    rows = catalogue().table("sorcery.table.wheel_measured_area").records()
    return tuple(row.text("measured_area") for row in rows)


_DEFINED_BY = {
    "element": "sorcery.element.definition",
    "impetus": "sorcery.impetus.definition",
    "origin": "sorcery.origin.definition",
    "duration": "sorcery.duration.kinds",
    "area": "sorcery.area.kinds",
}


def check_spell(spell: Spell, place: str) -> None:
    """Refuse a record that no spell can have: facets that are not there, obstacles out of range."""
    for ring, rule in _DEFINED_BY.items():
        facet = getattr(spell, ring)
        if facet and facet not in facets(ring):
            raise BadInput(f"{place}.{ring}", facet, f"one of {', '.join(facets(ring))}", rule)
    stats = (spell.caster_stat, spell.target_stat)
    if sum((bool(spell.obstacle), *map(bool, stats))) > 1:
        expected = "a number, a range, a stat of the caster or a stat of the target: one of them"
        raise BadInput(f"{place}.obstacle", list(spell.obstacle), expected, "sorcery.facet.list")
    limits = [
        *((f"obstacle[{at}]", ob, 1, MOST_OBSTACLE) for at, ob in enumerate(spell.obstacle)),
        ("actions", spell.actions, 0, 1000),
        ("per", spell.per, 1, 10),
        ("power", spell.power, -10, 20),
        ("practicals", spell.practicals, 0, 10),
        ("resource_points", spell.resource_points, 0, 1000),
    ]
    for field, found, least, most in limits:
        check_between(f"{place}.{field}", found, least, most, "sorcery.facet.list")
    if bool(spell.unit) != (spell.area == MEASURED) or (spell.unit and spell.unit not in units()):
        expected = f"one of {', '.join(units())}, for a Measured Area alone"
        raise BadInput(f"{place}.unit", spell.unit, expected, "sorcery.area.kinds")
    timed = spell.duration == ELAPSED
    if bool(spell.time_unit) != timed or (timed and spell.time_unit not in TIME_UNITS):
        expected = f"one of {', '.join(TIME_UNITS)}, for Elapsed Time alone"
        raise BadInput(f"{place}.time_unit", spell.time_unit, expected, "sorcery.duration.kinds")


# --- Reading a sheet -----------------------------------------------------------------------


def spell_form(value: Any) -> Any:
    """A spell as people write it, written out.

    A name alone is a spell of the book, and what is said beside the name goes before the book.
    ``obstacle = 4``, ``"2-5"``, ``"2, 4"`` or ``"caster's Will"``, with a caret for an up spell
    (``"4^"``); ``actions = "x4"``; a measure for an area (``"10s of Paces"``), a unit of time for a
    duration (``"minutes"``).
    """
    if isinstance(value, str):
        value = {"name": value}
    if not isinstance(value, Mapping):
        return value
    said = dict(value)
    _spell_obstacle(said)
    if isinstance(said.get("actions"), str):
        each, many = said["actions"].startswith("x"), said["actions"].removeprefix("x").strip()
        if many.isdecimal() and len(many) <= 3:
            said |= {"actions": int(many), "times_obstacle": each}
    if isinstance(said.get("area"), str) and said["area"] in units():
        said |= {"area": MEASURED, "unit": said["area"]}
    if isinstance(said.get("duration"), str) and said["duration"].casefold() in TIME_UNITS:
        said |= {"duration": ELAPSED, "time_unit": said["duration"].casefold()}
    known = known_spells().get(str(said.get("name", "")).casefold())
    if known is None:
        return said
    whole: dict[str, Any] = {**msgspec.to_builtins(known), **said, "name": known.name}
    if said.get("caster_stat") or said.get("target_stat"):
        whole["obstacle"] = said.get("obstacle", [])
    if said.get("area", MEASURED) != MEASURED:
        whole["unit"] = ""
    return whole


def active_spell_forms(values: Sequence[Any], spells: Any) -> list[Any]:
    """Spells in effect as people write them, written out.

    What one does, for which abilities, how long it lasts and its obstacle are those of its record,
    as far as nothing else is said: of the one among the ``spells`` of the sheet, or of the book's.
    """
    own = {
        str(each.get("name", "")).strip().casefold(): each
        for each in (spells if isinstance(spells, list) else ())
        if isinstance(each, Mapping)
    }
    return [_active_spell_form(value, own) for value in values]


def _active_spell_form(value: Any, own: Mapping[str, Mapping[str, Any]]) -> Any:
    if isinstance(value, str):
        value = {"name": value}
    if not isinstance(value, Mapping):
        return value
    name = str(value.get("name", "")).strip().casefold()
    book = known_spells().get(name)
    record = own.get(name) or (None if book is None else msgspec.to_builtins(book))
    if record is None:
        return value
    filled = {field: record[field] for field in ("does", "abilities") if record.get(field)}
    if record.get("duration") and record.get("time_unit", "") in ("", "exchanges"):
        filled["lasts"] = record["duration"]  # when other Elapsed Time ends has to be said
    obstacle = record.get("obstacle")
    if isinstance(obstacle, list | tuple) and len(obstacle) == 1:
        filled["obstacle"] = obstacle[0]
    return {**filled, **value}


def _spell_obstacle(said: dict[str, Any]) -> None:
    obstacle = said.get("obstacle")
    if isinstance(obstacle, int) and not isinstance(obstacle, bool):
        said["obstacle"] = [obstacle]
    if isinstance(obstacle, list) and obstacle and all(isinstance(ob, str) for ob in obstacle):
        obstacle = ", ".join(obstacle)
    if not isinstance(obstacle, str):
        return
    text, up = obstacle.strip().removesuffix("^").strip(), obstacle.strip().endswith("^")
    if found := re.fullmatch(r"(\d{1,2})\s*-\s*(\d{1,2})", text):
        numbers = list(range(int(found[1]), int(found[2]) + 1))
    elif re.fullmatch(r"\d{1,2}(\s*,\s*\d{1,2})*", text):
        numbers = [int(number) for number in text.split(",")]
    elif found := re.fullmatch(r"(caster|target)'s (\w+)", text):
        numbers = []
    else:
        return
    said |= {"obstacle": numbers, "caster_stat": "", "target_stat": ""}
    said |= {"up": True} if up else {}
    if found and not numbers:
        said[f"{found[1]}_stat"] = found[2]
