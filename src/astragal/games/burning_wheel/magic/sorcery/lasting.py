"""How long a spell lasts: a moment, a time, as long as it is sustained, or for ever."""

from __future__ import annotations

import msgspec

from astragal.play import Play, Step, note

from ...sheet.calendar import DAY, days_in, today
from ...sheet.scene import BurningTable
from ...sheet.spells import ELAPSED, INSTANTANEOUS, PERMANENT, SUSTAINED, ActiveSpell
from ...sheet.words import counted
from .casting import DeclaredSpell
from .sustaining import end_spell, retax_interval

SECONDS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": DAY}


class LastingSpell(msgspec.Struct, frozen=True):
    """Whether a spell is sustained, and how many increments of time it lasts."""

    sustained: bool = False
    increments: int = 0


def keep_in_effect(
    declared: DeclaredSpell, effect: int, second: int, duration: int, table: BurningTable
) -> Play[tuple[LastingSpell, BurningTable]]:
    """Keep a spell with its successes for as long as it lasts (sorcery.effect.record_allocation).

    An Instantaneous one leaves only what it has done (sorcery.duration.instantaneous). A caster
    whom Tax has felled has no Forte to sustain anything with, but a spell that was cast still takes
    effect (sorcery.amb.tax_on_failed_cast).
    """
    spell, character = declared.spell, declared.arguments.character
    if spell.duration == SUSTAINED:
        kept, table = yield from _sustain(declared, effect, second, table)
        return LastingSpell(sustained=kept), table
    if spell.duration == ELAPSED:
        # One increment, and one for each success put into duration (sorcery.duration.elapsed_base).
        increments = 1 + duration
        ends = _end(spell.time_unit, increments, table)
        lasting = _lasting(declared, effect, second, duration, ends=ends)
        rule = "sorcery.duration.elapsed_base"
        lasts = counted(increments, spell.time_unit.removesuffix("s"))
        yield from note(f"{spell.name} lasts {lasts}.", rule)
        return LastingSpell(increments=increments), (yield from _add(table, character, lasting))
    if spell.duration == PERMANENT:
        # Only a counter-spell, or one that destroys Arcana, ends it: ``undoing``.
        rule = "sorcery.duration.permanent"
        yield from note(f"{spell.name} never fades.", rule)
        lasting = _lasting(declared, effect, second, duration)
        return LastingSpell(), (yield from _add(table, character, lasting))
    if spell.duration == INSTANTANEOUS:
        rule = "sorcery.duration.instantaneous"
        yield from note(f"{spell.name} is over in a moment; what it did remains.", rule)
    return LastingSpell(), table


def _sustain(
    declared: DeclaredSpell, effect: int, second: int, table: BurningTable
) -> Step[tuple[bool, BurningTable]]:
    """Set a Will die aside for the spell (sorcery.sustain.will_die).

    Where Forte leaves no hours between Tax tests it cannot be sustained
    (sorcery.sustain.retax_impossible).
    """
    spell, character = declared.spell, declared.arguments.character
    sheet = table.character(character)
    if retax_interval(sheet, declared.own.amount) <= 0:
        text = f"{sheet.name} cannot sustain {spell.name}: Forte is too low."
        yield from note(text, "sorcery.sustain.retax_impossible")
        return False, table
    lasting = _lasting(declared, effect, second, 0, taxed=table.scene.calendar.moment)
    table = yield from _add(table, character, lasting, "sorcery.sustain.will_die")
    left = sheet.ability("Will").rating.exponent - len(table.character(character).sustained)
    text = f"{sheet.name} sustains {spell.name} (Will: {left}D left)."
    yield from note(text, "sorcery.sustain.will_die")
    return True, table


def _lasting(
    declared: DeclaredSpell,
    effect: int,
    second: int,
    duration: int,
    *,
    taxed: int = 0,
    ends: int = 0,
) -> ActiveSpell:
    spell = declared.spell
    return ActiveSpell(
        name=spell.name,
        obstacle=declared.own.amount,
        lasts=spell.duration,
        effect=effect,
        second_effect=second,
        duration=duration,
        does=spell.does,
        abilities=spell.abilities,
        targets=declared.arguments.targets,
        taxed=taxed,
        ends=ends,
    )


def _add(
    table: BurningTable,
    character: str,
    lasting: ActiveSpell,
    because: str = "sorcery.effect.record_allocation",
) -> Step[BurningTable]:
    others = tuple(
        each for each in table.character(character).active_spells if each.name != lasting.name
    )
    return (yield from table.amend(character, "active_spells", (*others, lasting), because=because))


def exchange_passes(
    table: BurningTable, begun: tuple[tuple[str, str], ...], characters: tuple[str, ...]
) -> Step[tuple[BurningTable, tuple[tuple[str, str], ...]]]:
    """Spells that last for exchanges come nearer to their end, or to it, in any conflict.

    sorcery.duration.elapsed_base, sorcery.duration.elapsed_extend: one, and one for each success
    put into duration. The exchange in which a spell was cast is not a whole one: ``begun`` are
    those that were there when the last one began, and the result has those that are there now.
    """
    for character, name in begun:
        spells = table.character(character).active_spells
        at = next((at for at, each in enumerate(spells) if each.name == name), None)
        if at is None:
            continue
        left, rule = spells[at].duration, "sorcery.duration.elapsed_extend"
        if left:
            path = f"active_spells.{at}.duration"
            table = yield from table.amend(character, path, left - 1, because=rule)
        else:
            rule = "sorcery.duration.elapsed_base"
            table = yield from end_spell(table, character, name, rule)
    there = tuple(
        (character, spell.name)
        for character in characters
        for spell in table.character(character).active_spells
        if spell.for_exchanges
    )
    return table, there


def _end(unit: str, increments: int, table: BurningTable) -> int:
    """The moment at which Elapsed Time is over; exchanges are for the conflict to count."""
    now = table.scene.calendar.moment
    if unit in SECONDS:
        return now + increments * SECONDS[unit]
    if unit == "exchanges":
        return 0
    months = increments * (12 if unit == "years" else 1)
    return now + days_in(months, today(table), table) * DAY
