"""Spells that destroy: Power from Will, three stages of damage, and one Die of Fate."""

from __future__ import annotations

from astragal.play import Line, Seat, Step, Tally
from astragal.rules import catalogue

from ...artha.aristeia import lightened
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...sheet.spells import Spell
from ...tests.die_of_fate import throw_openly
from ...weapons.damage import Ims, Stage, ims
from ...weapons.locations import TORSO
from ...weapons.missiles import FateOfHit

MOST_BONUS = 3
"""How many extra successes the Die of Fate takes (sorcery.dof.bonus)."""

WHERE = TORSO
"""Where a spell hits, as missiles do (sorcery.amb.destroy_hit_and_armor)."""


def spell_power(spell: Spell, caster: Sheet, effect: int) -> Tally:
    """The Mark of a spell: base Power and what extra successes add (sorcery.destroy.base_power).

    Will is the base; a spell may take a fraction of it, rounded down, and add or subtract
    (sorcery.destroy.spell_modifies_base, sorcery.amb.half_will_rounding). Each success in effect
    adds +1, or every two do, as the spell says (sorcery.destroy.power_per_success).
    """
    will = caster.ability("Will", "stats.Will").rating.exponent
    base = will // 2 if spell.half_will else will
    label = "half of Will" if spell.half_will else "Will"
    power = Tally.of(base, label, "sorcery.destroy.base_power")
    if spell.power:
        power += Line(spell.power, spell.name, "sorcery.destroy.spell_modifies_base")
    if effect // spell.per:
        power += Line(effect // spell.per, "successes", _per_success(spell))
    return power


def _per_success(spell: Spell) -> str:
    """The rule behind the Power of successes: some spells have one of their own.

    sorcery.spell.firebreath, sorcery.spell.shards.
    """
    if spell.per > 1:
        return "sorcery.spell.shards"
    return "sorcery.destroy.power_per_success"


def spell_ims(power: Tally, shade: str) -> Ims:
    """The three stages from a Mark (sorcery.destroy.ims), in the shade of the skill.

    sorcery.amb.mixed_shades. A spell has some Power at least.
    """
    return ims(max(1, power.total), shade)


def throw_stage(name: str, bonus: int, owner: Seat) -> Step[tuple[Stage, Tally]]:
    """One Die of Fate for the stage of every spell (sorcery.dof.table).

    ``bonus`` are the extra successes put into it before it is rolled (sorcery.dof.bonus,
    sorcery.amb.dof_spend_timing).
    """
    table = catalogue().table("sorcery.table.spell_die_of_fate")
    bands = tuple(str(cell) for cell in table.column("die_of_fate_total"))
    modifiers = Tally((Line(bonus, "successes", "sorcery.dof.bonus"),)) if bonus else Tally()
    said = FateOfHit(name, bands, modifiers)
    face = yield from throw_openly(said, f"the Die of Fate, {name}", owner)
    total = Tally.of(face, "Die of Fate", "sorcery.dof.table") + modifiers
    return stage_of(total.total), total


def stage_of(total: int) -> Stage:
    """The stage that a Die of Fate decides.

    >>> [stage_of(total).value for total in (1, 3, 5, 9)]
    ['incidental', 'mark', 'superb', 'superb']
    """
    table = catalogue().table("sorcery.table.spell_die_of_fate")
    return Stage(str(table.band(total, "die_of_fate_total", "result")).casefold())


def skill_shade(skill: str, character: str, table: BurningTable) -> str:
    """The shade of spell damage: that of the skill (sorcery.amb.mixed_shades).

    A Minor Epiphany of the skill lightens it, too (artha.aristeia.minor_epiphany_effects).
    """
    rated = lightened(table, character, table.character(character).ability(skill))
    return rated.rating.shade.letter
