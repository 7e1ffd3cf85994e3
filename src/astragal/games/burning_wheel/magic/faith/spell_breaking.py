"""Prayer against sorcery: stripping a sustained spell, and breaking off a casting."""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.play import GM, Step, call, consent, note

from ...sheet.scene import BurningTable
from ..sorcery.interruption import InterruptSpell, interrupted
from ..sorcery.sustaining import end_spell, sustained_spell
from .prayer_tables import HINDRANCE, MINOR_MIRACLE

RESTRAINED = "restrained"
"""Physically or magically restrained: a listed cause (sorcery.interrupt.causes)."""


def check_spell_breaking(
    spell: str,
    castings: tuple[InterruptSpell, ...],
    targets: tuple[str, ...],
    prayer: str,
    table: BurningTable,
) -> None:
    """Refuse spells where the prayer cannot break any, and castings of others than its targets.

    faith.conflict.spellbreaker: a Minor Miracle works on one spell. A Hindrance breaks off the
    castings of those it restrains (faith.amb.hindrance_state).
    """
    rule = "faith.conflict.spellbreaker"
    if spell and prayer != MINOR_MIRACLE:
        raise BadInput("spell", spell, "none: only a Minor Miracle strips a spell", rule)
    if castings and prayer not in (MINOR_MIRACLE, HINDRANCE):
        raise BadInput("castings", len(castings), "none with this prayer", rule)
    if prayer == MINOR_MIRACLE and len(castings) + bool(spell) > 1:
        raise BadInput("castings", len(castings), "one spell in all", rule)
    if spell:
        if not targets:
            raise BadInput("targets", [], "the wizard who sustains the spell", rule)
        sustained_spell(table.character(targets[0]), spell)
    for at, each in enumerate(castings):
        if each.casting.character not in targets:
            place = f"castings[{at}].casting.character"
            raise BadInput(place, each.casting.character, "a target of the prayer", rule)


def allow_spell_breaking() -> Step[None]:
    """The GM may not play with it (faith.conflict.spellbreaker)."""
    rule = "faith.conflict.spellbreaker"
    prompt = "May a Minor Miracle break spells?"
    if not (yield from consent(GM, "spellbreaker", prompt, because=rule)):
        raise NotAllowed("A Minor Miracle breaks no spells in this game", rule)


def strip_spell(target: str, spell: str, table: BurningTable) -> Step[BurningTable]:
    """Strip a wizard of the one sustained spell named, without backlash.

    faith.conflict.spellbreaker, faith.amb.spellbreaker_backlash.
    """
    found = sustained_spell(table.character(target), spell)
    rule = "faith.conflict.spellbreaker"
    return (yield from end_spell(table, target, found.name, rule))


def break_casting(
    casting: InterruptSpell, table: BurningTable, *, neutral: bool = False
) -> Step[BurningTable]:
    """A casting under way is broken off: a Spell Interrupt, with its Tax and Failed Casting.

    A prayer that only neutralises it does the caster no harm (faith.amb.spellbreaker_backlash).
    """
    if neutral:
        name = table.character(casting.casting.character).name
        text = f"{name}'s {casting.casting.spell} comes to nothing."
        yield from note(text, "faith.amb.spellbreaker_backlash")
        return table
    broken = msgspec.structs.replace(casting, cause=RESTRAINED)
    _, table = yield from call(interrupted, broken, table)
    return table
