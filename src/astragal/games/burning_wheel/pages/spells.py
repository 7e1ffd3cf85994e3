"""Spells on the page: what is known, what is kept up, and what Tax has taken.

Available Will, Will set aside and the spell that each die serves are in view
(sorcery.sustain.will_dice_marker).
"""

from __future__ import annotations

from astragal.games.page import Pen, Row, Section, Tap

from ..conditions.spell_tax import will_left
from ..magic.sorcery.spell_tables import NOT_GIVEN, SKILLS, say_obstacle, say_spell
from ..sheet.durations import say_duration
from ..sheet.sheet import Sheet
from ..sheet.spells import ActiveSpell, Spell, SpellStage
from ..sheet.words import counted


def spell_badges(sheet: Sheet) -> tuple[Row, ...]:
    """What Tax and sustained spells cost, where they do."""
    found = []
    if sheet.forte_tax:
        rule = "sorcery.tax.reduced_forte_rolls"
        found.append(Row("Tax", f"-{len(sheet.forte_tax)}D Forte", rule=rule))
    if sheet.sustained:
        names = ", ".join(spell.name for spell in sheet.sustained)
        cost = f"-{len(sheet.sustained)}D Will"
        found.append(Row("Sustains", cost, note=names, rule="sorcery.sustain.will_die"))
    if sheet.distractions:
        found.append(Row("Spells threatened", "test Will", rule="sorcery.sustain.may_not"))
    return tuple(found)


def spell_sections(pen: Pen) -> tuple[Section, ...]:
    """The spells on a sheet, those in effect, and the dice that will return."""
    sheet: Sheet = pen.sheet
    known = tuple(row for at, spell in enumerate(sheet.spells) for row in _known(pen, at, spell))
    casts = any(sheet.find(skill) is not None for skill in SKILLS)
    active = tuple(_active(pen, at, spell) for at, spell in enumerate(sheet.active_spells))
    note = ""
    if sheet.sustained and sheet.find("Will"):
        note = f"Will: {will_left(sheet)}D free, {len(sheet.sustained)}D set aside"
    dice = tuple(
        Row(
            f"Die {at}",
            f"returns after {say_duration(die.seconds)}",
            rule="sorcery.sickness.per_die",
        )
        for at, die in enumerate(sheet.forte_tax, 1)
    )
    return (
        Section("Spells", "list", known, add="spells" if casts else "", example="White Fire"),
        Section("Spells in effect", "list", active, note=note),
        Section("Forte lost to Tax", "list", dice),
    )


def _known(pen: Pen, at: int, spell: Spell) -> tuple[Row, ...]:
    """A spell, and beneath it what the book leaves out of most: obstacle and actions.

    An obstacle is edited in words: ``4``, ``2-5`` or ``target's Will``
    (sorcery.obstacle.target_stat).
    """
    stage = ""
    if spell.stage is not SpellStage.MASTERED:
        done = counted(spell.practicals, "Practical")
        stage = "not read yet" if spell.stage is SpellStage.UNREAD else f"{done} done"
    named = pen.row(
        spell.name,
        "spells",
        at,
        "name",
        value=stage,
        note=say_spell(spell),
        rule="sorcery.facet.list",
        tap=Tap("cast_spell", {"spell": spell.name}),
    )
    obstacle = pen.row(
        f"{spell.name}: obstacle",
        "spells",
        at,
        "obstacle",
        value=say_obstacle(spell),
        note="such as 4, 2-5 or target's Will",
        rule="sorcery.obstacle.range",
        quiet=True,
    )
    actions = pen.number(
        f"{spell.name}: actions",
        "spells",
        at,
        "actions",
        value=f"{'x' if spell.times_obstacle else ''}{spell.actions}"
        if spell.actions
        else NOT_GIVEN,
        rule="sorcery.actions.unit",
        quiet=True,
    )
    each = pen.row(
        f"{spell.name}: actions for each point of the obstacle",
        "spells",
        at,
        "times_obstacle",
        kind="yes_no",
        rule="sorcery.actions.x_actions",
        quiet=True,
    )
    return named, obstacle, actions, each


def _active(pen: Pen, at: int, spell: ActiveSpell) -> Row:
    successes = [
        f"{label} {amount}"
        for label, amount in (
            ("effect", spell.effect),
            ("second effect", spell.second_effect),
            ("duration", spell.duration),
        )
        if amount
    ]
    return pen.row(
        spell.name,
        "active_spells",
        at,
        "effect",
        value=spell.lasts,
        kind="number",
        note=", ".join((f"Ob {spell.obstacle}", *successes)),
        rule="sorcery.effect.record_allocation",
    )
