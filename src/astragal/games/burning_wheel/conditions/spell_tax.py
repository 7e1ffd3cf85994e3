"""What spells do to every test: dice lost to Tax and set aside for sustaining, and their effects.

What threatens a sustained spell is noted here, by the chapters in which it happens; the Will tests
are in ``magic/sorcery/sustaining``.
"""

from __future__ import annotations

from astragal.play import Line, Step, note

from ..sheet.editions import edition
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from ..sheet.spells import ActiveSpell, SpellEffect
from ..sheet.words import counted
from .armor_weight import is_fighting
from .lines import Lines, Tester
from .wounds import in_aura


def spells_on_test(tester: Tester) -> Lines:
    """What Tax, sustained spells and spells in effect do to a test."""
    sheet, name = tester.sheet, tester.tested.name
    dice: tuple[Line, ...] = ()
    if name == "Forte":
        dice = tax_lines(tester)
    elif name == "Will":
        dice = will_set_aside(sheet)
    return Lines(
        dice + _bonus(sheet, tester.name),
        _against(tester),
        cause="Spells leave",
        rule="sorcery.tax.reduced_forte_rolls" if name == "Forte" else "sorcery.sustain.will_die",
    )


def tax_lines(tester: Tester) -> tuple[Line, ...]:
    """Forte dice lost to Tax stay lost until they are recovered (sorcery.tax.reduced_forte_rolls).

    A Divine Aura lifts this minus, too (artha.amb.divine_aura_scope); the later edition's does not.
    """
    lost = len(tester.sheet.forte_tax)
    lifted = tester.for_goal and in_aura(tester.table, tester.character)
    if lifted and not edition(tester.table.options).aura_is_for_the_goal:
        lost = 0
    return (Line(-lost, "Tax", "sorcery.tax.reduced_forte_rolls"),) if lost else ()


def will_set_aside(sheet: Sheet) -> tuple[Line, ...]:
    """One Will die for each sustained spell, barred from every use of Will.

    sorcery.sustain.will_die, sorcery.amb.sustain_die_typo.
    """
    return tuple(Line(-1, each.name, "sorcery.sustain.will_die") for each in sheet.sustained)


def dice_gone(tester: Tester) -> dict[str, int]:
    """By how many dice an exponent is lower for the time, by the ability.

    Forte by what Tax has taken, Will by what is set aside for sustained spells.
    """
    lines = {"Forte": tax_lines(tester), "Will": will_set_aside(tester.sheet)}
    return {name: -sum(line.amount for line in gone) for name, gone in lines.items() if gone}


def will_left(sheet: Sheet) -> int:
    """The Will dice that are not set aside, whatever wounds do."""
    return sheet.ability("Will", "stats.Will").exponent - len(sheet.sustained)


def _bonus(sheet: Sheet, ability: str) -> tuple[Line, ...]:
    """Dice from spells in effect, as of Arcane Kindness (sorcery.spell.arcane_kindness)."""
    return tuple(
        Line(spell.effect, spell.name, "sorcery.spell.arcane_kindness")
        for spell in sheet.active_spells
        if spell.does is SpellEffect.BONUS_DICE and spell.effect and ability in spell.abilities
    )


def _against(tester: Tester) -> tuple[Line, ...]:
    """What the target's spells add to the obstacle of an attack (:func:`turned_aside`)."""
    target = tester.table.characters.get(tester.target)
    if target is None or not is_fighting(tester.tested, tester.missing_skill):
        return ()
    return turned_aside(target)


TURNED_ASIDE = "sorcery.spell.turn_aside_the_blade"
"""The rule of what hinders attacks on somebody, and nothing else."""


def turned_aside(target: Sheet) -> tuple[Line, ...]:
    """What somebody's spells add to the obstacle of every attack on them.

    sorcery.spell.turn_aside_the_blade.
    """
    return tuple(
        Line(spell.effect, spell.name, TURNED_ASIDE)
        for spell in target.active_spells
        if spell.does is SpellEffect.ATTACK_OBSTACLE and spell.effect
    )


def shield_of(sheet: Sheet) -> ActiveSpell | None:
    """The Eldritch Shield that a character has raised, if it has any dice left."""
    shields = (s for s in sheet.active_spells if s.does is SpellEffect.SHIELD and s.effect)
    return next(shields, None)


def threaten_spells(table: BurningTable, character: str, event: str) -> Step[BurningTable]:
    """Note that something threatens every sustained spell (sorcery.sustain.may_not).

    ``event`` is a code of sorcery.table.may_nots_and_interrupts. The Will tests come before
    anything else that the sorcerer does (``magic/sorcery/sustaining``).
    """
    sheet = table.character(character)
    if not sheet.sustained or event in sheet.distractions:
        return table
    rule = "sorcery.sustain.may_not"
    spells = counted(len(sheet.sustained), "spell")
    yield from note(f"{sheet.name} must test Will to keep up {spells}.", rule)
    pending = (*sheet.distractions, event)
    return (yield from table.amend(character, "distractions", pending, because=rule))
