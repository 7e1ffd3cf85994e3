"""Garbled Transmission: the Wheel of Magic turns the spell into another one.

The rings are a reconstruction from the book's one example (sorcery.amb.wheel_of_magic_lost); they
are data of the catalogue.
"""

from __future__ import annotations

import msgspec

from astragal.dice import Die
from astragal.games.game import Outcome
from astragal.play import (
    GM,
    Line,
    Option,
    PickSeveral,
    Play,
    Step,
    Tally,
    Text,
    ask,
    call,
    choose,
    confirm,
    confirm_aside,
    note,
    roll,
    then,
)
from astragal.rules import catalogue

from ...armor.hits import IncomingHit, take_hit
from ...sheet.scene import BurningTable
from ...sheet.spells import (
    CASTER,
    DESTROY,
    ELAPSED,
    MEASURED,
    SINGLE,
    SUSTAINED,
    Spell,
    SpellEffect,
    facets,
)
from ...weapons.damage import Damage
from .casting import DeclaredSpell
from .damage import WHERE, skill_shade, spell_ims, throw_stage
from .lasting import keep_in_effect

RINGS = ("element", "impetus", "origin", "duration", "area")
"""The rings, from the innermost one (sorcery.garble.use_wheel)."""

SHARED = "Caster/Single Target"
HALF = "Half Measured Area"
ELAPSED_UNITS = ("seconds", "minutes", "hours", "days", "months", "years")
"""The units that a d6 decides between (sorcery.amb.wheel_elapsed_unit)."""


class GarbledSpell(Outcome, frozen=True):
    """The facets of a garbled spell, and what it was told to do.

    ``steps`` are those around each ring, clockwise where above zero; ``measure`` is the size of a
    measured area, ``unit`` that of Elapsed Time; ``damage`` what it did where it destroys.
    """

    steps: int
    element: str
    impetus: str
    origin: str
    duration: str
    area: str
    measure: str = ""
    unit: str = ""
    told: str = ""
    ims: str = ""
    damage: str = ""
    sustained: bool = False


def ring(name: str) -> tuple[str, ...]:
    """The facets of a ring, clockwise; each ring has its own size.

    sorcery.amb.wheel_same_size_rings.
    """
    rows = catalogue().table("sorcery.table.wheel_rings_default").all_where(ring=name)
    return tuple(row.text("facet") for row in rows)


def on_the_wheel(spell: Spell) -> tuple[tuple[str, str], ...]:
    """Where a spell is on the wheel: its facet on each ring; nothing where none is known."""
    found = {
        "element": spell.element,
        "impetus": spell.impetus,
        "origin": spell.origin,
        "duration": spell.duration,
        "area": SHARED if spell.area in (CASTER, SINGLE) else spell.area,
    }
    if not any(found.values()):
        return ()
    return tuple((name, found[name]) for name in RINGS)


def turned(name: str, facet: str, steps: int) -> str:
    """The facet that is so many steps around a ring.

    >>> turned("element", "Arcana", 3), turned("duration", "Sustained", 3)
    ('Fire', 'Permanent')
    """
    around = ring(name)
    start = SHARED if name == "area" and facet in (CASTER, SINGLE) else facet
    return around[(around.index(start) + steps) % len(around)]


def steps_of(dark: int, light: int) -> int:
    """How far and which way: the darker die gives the direction, the lighter the steps.

    sorcery.garble.dice: even is clockwise.

    >>> steps_of(2, 3), steps_of(5, 4)
    (3, -4)
    """
    return light if dark % 2 == 0 else -light


def garble(
    declared: DeclaredSpell, shortfall: int, table: BurningTable
) -> Play[tuple[GarbledSpell, BurningTable]]:
    """Roll two dice of different colour once for all five rings (sorcery.garble.all_rings).

    sorcery.amb.wheel_one_roll. Each ring starts at the spell's own facet
    (sorcery.garble.use_wheel).
    """
    seat = table.character(declared.arguments.character).seat(declared.arguments.character)
    starts = {}
    for name in RINGS:
        starts[name] = yield from _start(declared.spell, name)
    dark = yield from roll(Die(6), "the darker die: direction", seat)
    light = yield from roll(Die(6), "the lighter die: steps", seat)
    steps = steps_of(dark, light)
    element, impetus, origin, duration, area = found = [
        turned(name, starts[name], steps) for name in RINGS
    ]
    way = "clockwise" if steps > 0 else "counterclockwise"
    said = ", ".join(found)
    text = f"Garbled Transmission, {abs(steps)} {way} (reconstructed wheel): {said}."
    yield from note(text, "sorcery.garble.all_rings")
    new = GarbledSpell(steps, element, impetus, origin, duration, area)
    return then(settle_garbled, declared, shortfall, new, table)


def _start(spell: Spell, name: str) -> Step[str]:
    """The spell's own facet; the GM says it where neither book nor sheet does."""
    facet: str = getattr(spell, name)
    if facet:
        return facet
    rule = "sorcery.garble.use_wheel"
    options = {each: each for each in facets(name)}
    prompt = f"{spell.name}: {name}?"
    first = next(iter(options))
    return (yield from choose(GM, f"facet_{name}", prompt, options, default=first, because=rule))


def settle_garbled(
    declared: DeclaredSpell, shortfall: int, new: GarbledSpell, table: BurningTable
) -> Play[tuple[GarbledSpell, BurningTable]]:
    """Settle measure, time and meaning of the garbled spell, then let it happen."""
    character = declared.arguments.character
    seat = table.character(character).seat(character)
    if new.area in (MEASURED, HALF):
        # sorcery.garble.measured_area_die, sorcery.amb.measured_area_table_lost
        face = yield from roll(Die(6), "the size of the area", seat)
        column = "half_measured_area" if new.area == HALF else "measured_area"
        row = catalogue().table("sorcery.table.wheel_measured_area").where(d6=face)
        new = msgspec.structs.replace(new, measure=row.text(column))
        yield from note(f"Its area is {new.measure}.", "sorcery.garble.measured_area_die")
    if new.duration == ELAPSED:
        unit = yield from _unit(character, table)
        new = msgspec.structs.replace(new, unit=unit)
    told = yield from _interpreted(character, table)
    new = msgspec.structs.replace(new, told=told)
    if new.impetus == DESTROY:
        new, table = yield from call(_destroys, declared, shortfall, new, table)
    return then(_lasts, declared, new, table)


def _unit(character: str, table: BurningTable) -> Step[str]:
    """The unit of Elapsed Time: one increment, by a die or as the GM says.

    sorcery.amb.wheel_elapsed_unit.
    """
    rule = "sorcery.amb.wheel_elapsed_unit"
    if table.options["sorcery_wheel_elapsed_unit"] == "d6":
        seat = table.character(character).seat(character)
        face = yield from roll(Die(6), "the unit of time", seat)
        unit = ELAPSED_UNITS[face - 1]
    else:
        options = {each: each.capitalize() for each in ELAPSED_UNITS}
        unit = yield from choose(
            GM, "elapsed_unit", "Elapsed Time in", options, default="minutes", because=rule
        )
    yield from note(f"It lasts one {unit.removesuffix('s')}.", rule)
    return unit


def _interpreted(character: str, table: BurningTable) -> Step[str]:
    """The GM says what the garbled spell does, or lets the player.

    sorcery.garble.interpretation.
    """
    rule = "sorcery.garble.interpretation"
    sheet = table.character(character)
    seat = GM
    if sheet.seat(character) != GM:
        prompt = f"Let {sheet.name}'s player say what it does?"
        handed = yield from confirm_aside(GM, "player_interprets", prompt, because=rule)
        seat = sheet.seat(character) if handed else GM
    told = yield from ask(
        seat, "garbled_effect", "What does the garbled spell do?", Text(default=""), because=rule
    )
    if told:
        yield from note(f"The garbled spell: {told}.", rule)
    return told


def _destroys(
    declared: DeclaredSpell, shortfall: int, new: GarbledSpell, table: BurningTable
) -> Play[tuple[GarbledSpell, BurningTable]]:
    """Damage by the rules for Destroy (sorcery.garble.destroy_damage).

    Will, and 1 for each success that was missing; of an interrupted spell the Tax obstacle stands
    for them (sorcery.amb.interrupt_margin_for_destroy).
    """
    rule = "sorcery.garble.destroy_damage"
    arguments = declared.arguments
    caster = table.character(arguments.character)
    power = Tally.of(caster.ability("Will").rating.exponent, "Will", "sorcery.destroy.base_power")
    if shortfall:
        power += Line(shortfall, "missing successes", rule)
    shade = skill_shade(arguments.skill, arguments.character, table)
    stages = spell_ims(power, shade)
    yield from note(f"It destroys: {stages}.", rule)
    options = tuple(Option(key, sheet.name, rule) for key, sheet in table.characters.items())
    caught = yield from ask(
        GM,
        "garbled_victims",
        "Who is hurt by it?",
        PickSeveral(options=options, default=()),
        because=rule,
    )
    seat = caster.seat(arguments.character)
    stage, _ = yield from throw_stage("garbled spell", 0, seat)
    damage = Damage(WHERE, stage, shade, stages.at(stage), 0)
    for victim in caught:
        hit = IncomingHit(victim, damage, seat, source="a garbled spell")
        _, table = yield from call(take_hit, hit, table)
    return msgspec.structs.replace(new, ims=str(stages), damage=str(damage)), table


def _lasts(
    declared: DeclaredSpell, new: GarbledSpell, table: BurningTable
) -> Play[tuple[GarbledSpell, BurningTable]]:
    """How long it lasts; the caster may sustain it or let it end at no cost.

    sorcery.amb.wheel_sustained_result.
    """
    character = declared.arguments.character
    sheet = table.character(character)
    if new.duration == SUSTAINED:
        rule = "sorcery.amb.wheel_sustained_result"
        room = sheet.ability("Will").rating.exponent - len(sheet.sustained) > 1
        wanted = room and (
            yield from confirm(
                sheet.seat(character),
                "sustain_garbled",
                "Sustain the garbled spell?",
                default=False,
                because=rule,
            )
        )
        if not wanted:
            return new, table
    garbled = msgspec.structs.replace(
        declared.spell,
        name=f"Garbled {declared.spell.name}",
        duration=new.duration,
        time_unit=new.unit,
        second_effect="",
        does=SpellEffect.NONE,
        abilities=(),
    )
    changed = msgspec.structs.replace(declared, spell=garbled)
    kept, table = yield from call(keep_in_effect, changed, 0, 0, 0, table)
    return msgspec.structs.replace(new, sustained=kept.sustained), table
