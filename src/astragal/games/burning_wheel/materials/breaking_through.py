"""Breaking through: a Strike at somebody behind a wall or the like.

A part of the chapter on materials (``materials/materials``).
"""

from __future__ import annotations

import msgspec

from astragal.games.game import Outcome, Procedure
from astragal.play import GM, Line, Number, Play, Step, Tally, ask, call, note

from ..conditions.mounted import RiderAct
from ..sheet.scene import BurningTable
from ..sheet.weapon_tables import MeleeWeapon
from ..weapons.blows import AT_BASE, Strike, StrikeOutcome, Swing, after_strike
from ..weapons.damage import way_to_strike
from ..weapons.from_the_saddle import swung_dice, while_it_moves
from ..weapons.openings import open_location
from ..weapons.wielding import (
    aim_with,
    check_skill_left,
    hindrances,
    lighter_power,
    roll_weapon,
    take_up,
    usual_skill,
)
from .materials import Material, breached, in_the_way, mark_of, set_section

LEAST, MOST = 2, 10
"""What striking through something may add to the obstacle (materials.break.ob_penalty)."""


class BreakThrough(Strike, frozen=True):
    """A Strike at somebody behind a section, with its name in the scene and its material."""

    section: str = ""
    material: str = ""


class BreakThroughOutcome(Outcome, frozen=True):
    """Whether the attack got through, and what the Strike then did.

    ``add`` is the weapon's Add with the material's Strength; ``strike`` is none if the material
    was not breached, and ``passed`` says whether the person was hit.
    """

    passed: bool
    through: bool
    mark: str
    add: Tally = Tally()
    strike: StrikeOutcome | None = None
    breaches: int = 0
    destroyed: bool = False


def break_through(arguments: BreakThrough, table: BurningTable) -> Play[BreakThroughOutcome]:
    """Strike somebody through a wall or the like.

    The Mark must reach its Breach rating (materials.break.requirement,
    materials.amb.breaking_power_or_mark). The blow makes one Breach, hit or miss
    (materials.amb.break_damages_wall).
    """
    character = arguments.character
    sheet = table.character(character)
    carried = take_up(table, character, arguments.weapon, strikes=True)
    way = way_to_strike(carried, arguments.way, table.options)
    skill = arguments.skill or usual_skill(carried, thrown=False, options=table.options)
    check_skill_left(table, character, skill)
    section, made_of = yield from in_the_way(arguments.section, arguments.material, table)
    bonus = yield from lighter_power(character, carried, table)
    mark = mark_of(sheet, carried, way, with_bonus=bonus)
    if mark < made_of.breach:
        text = f"The {made_of.name} is too strong: Mark {mark} against Breach {made_of.breach}."
        yield from note(text, "materials.break.requirement")
        return BreakThroughOutcome(False, False, str(mark), breaches=section.breaches)
    opening = yield from open_location(arguments.target, table, attacker=character)
    against = yield from hindrances(
        "fight.table.melee_obstacles",
        f"Disadvantages ({sheet.name})",
        "weapons.strike.modifiers",
        with_others=True,
    )
    against += yield from _penalty(made_of)
    against += yield from while_it_moves(table, character, RiderAct.OTHER)
    dice = swung_dice(table, character, arguments.target, carried, way)
    aimed = yield from aim_with(arguments, carried, AT_BASE, against, table, named=True, dice=dice)
    thrown = yield from roll_weapon(aimed, table)
    section = breached(section, made_of)
    because = "materials.amb.break_damages_wall"
    table = yield from set_section(table, section, because=because)
    add = stiffened(way, made_of)
    # Meeting the obstacle is an Incidental hit at least (materials.break.minimum_incidental).
    swung = Swing(character, carried, msgspec.structs.replace(way, add=add.total), opening, bonus)
    struck = yield from call(after_strike, swung, aimed, thrown, table)
    return BreakThroughOutcome(
        passed=struck.passed,
        through=True,
        mark=str(mark),
        add=add,
        strike=struck,
        breaches=section.breaches,
        destroyed=section.destroyed,
    )


def _penalty(made_of: Material) -> Step[tuple[Line, ...]]:
    rule = "materials.break.ob_penalty"
    penalty = yield from ask(
        GM,
        "through_obstacle",
        f"Obstacle penalty for striking through the {made_of.name}",
        Number(least=LEAST, most=MOST, default=LEAST),
        because=rule,
    )
    return (Line(penalty, f"through the {made_of.name}", rule),)


def stiffened(way: MeleeWeapon, made_of: Material) -> Tally:
    """A weapon's Add when it strikes through something: the full Strength is added.

    materials.break.add_strength_to_add, for each stage (materials.amb.break_superb_cost), and VA
    does not reduce it (materials.amb.break_va).
    """
    add = Tally.of(way.add, way.name, "weapons.melee.add")
    rule = "materials.break.add_strength_to_add"
    return add + Line(made_of.strength, made_of.name, rule) if made_of.strength else add


PROCEDURES = (Procedure("break_through", "Strike through a wall", BreakThrough, break_through),)
