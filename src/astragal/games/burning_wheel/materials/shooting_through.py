"""Shooting through something at somebody behind it.

A part of the chapter on materials (``materials/materials``). Up to the Die of Fate it is a shot
like any other (materials.shoot.normal_roll); the numbers are those of ``weapons/missiles``.
"""

from __future__ import annotations

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput, check_one_of
from astragal.games.game import Outcome, Procedure
from astragal.play import Line, Play, Tally, call, note, then
from astragal.rules import catalogue

from ..artha import on_a_roll as artha
from ..conditions.mounted import RiderAct, elevation
from ..sheet.ranged_weapons import CLOSE, is_bomb, ranged
from ..sheet.scene import BurningTable, MaterialSection
from ..weapons.damage import Ims
from ..weapons.from_the_saddle import while_it_moves
from ..weapons.gunpowder import gunpowder_die
from ..weapons.loading import check_loaded
from ..weapons.locations import areas
from ..weapons.missiles import check_may_use, head_of, obstacle_at
from ..weapons.shaded_damage import roll_over
from ..weapons.shooting import (
    ShotInFlight,
    ShotOutcome,
    against_shot,
    check_range,
    is_bow,
    misfired,
    place_and_fate,
    shielded,
    shot_rolled,
)
from ..weapons.wielding import (
    Attack,
    WeaponTest,
    aim_with,
    check_skill_left,
    lighter_power,
    location_bears,
    roll_weapon,
    take_up,
    usual_skill,
)
from .materials import Material, breached, in_the_way, set_section

BEHIND_COVER = "behind_cover"
HIDDEN = "hidden"
"""The codes of the two rows for cover (materials.amb.shoot_ob_stack)."""


class ShootThrough(Attack, frozen=True):
    """A shot or throw at somebody behind a section, with its name in the scene and its material.

    ``unseen`` says that the target is known to be there but not seen at all; if it is seen, a part
    of it is hidden: ``hidden`` says which locations, if not all. ``range``, ``acquired`` and
    ``head`` are as in any shot.
    """

    section: str = ""
    material: str = ""
    unseen: bool = False
    hidden: tuple[str, ...] = ()
    range: str = CLOSE
    acquired: bool = True
    head: str = ""


class ShootThroughOutcome(Outcome, frozen=True):
    """Whether the weapon can get through at all, and what the shot then did.

    ``penalty`` is what the material subtracts from the Die of Fate; ``shot`` is none where no shot
    is possible, and ``passed`` says whether the target was hit, even if without damage.
    """

    passed: bool
    through: bool
    mark: str
    penalty: Tally = Tally()
    shot: ShotOutcome | None = None
    breaches: int = 0
    destroyed: bool = False


class PiercingShot(msgspec.Struct, frozen=True):
    """A shot, and what it goes through; the target is hidden where the material is not."""

    shot: ShotInFlight
    numbers: Ims
    va: int
    section: MaterialSection
    made_of: Material

    @property
    def mark(self) -> str:
        """Its Mark, as it is marked on the grayscale."""
        return str(roll_over(Shade.parse(self.numbers.shade), self.numbers.mark))

    @property
    def penalty(self) -> Tally:
        """What the material subtracts from the Die of Fate."""
        return fate_penalty(self.made_of, self.va)


# --- Whether it can, and how hard it is ------------------------------------------------------


def goes_through(numbers: Ims, made_of: Material) -> bool:
    """Whether a missile's Mark reaches the Breach rating; equal is enough.

    materials.shoot.requirement.
    """
    return roll_over(Shade.parse(numbers.shade), numbers.mark) >= made_of.breach


def cover_penalty(*, unseen: bool) -> Line:
    """+2 Ob for a hidden part (materials.shoot.ob_partial), +3 for somebody unseen.

    materials.shoot.ob_unseen: one or the other, and in place of any other penalty for cover
    (materials.amb.shoot_ob_stack). The numbers are those of Fight!.

    >>> cover_penalty(unseen=False).amount, cover_penalty(unseen=True).amount
    (2, 3)
    """
    table = catalogue().table("fight.table.missile_obstacles")
    row = table.where(condition_code=HIDDEN if unseen else BEHIND_COVER)
    rule = "materials.shoot.ob_unseen" if unseen else "materials.shoot.ob_partial"
    return Line(row.number("ob_penalty"), str(row["condition"]), rule)


def fate_penalty(made_of: Material, va: int) -> Tally:
    """What a material subtracts from the Die of Fate: its Strength (materials.shoot.dof_penalty).

    The weapon's VA reduces that (materials.shoot.va_offsets), and never helps beyond it
    (materials.amb.va_above_strength).
    """
    if not made_of.strength:
        return Tally()
    penalty = Tally.of(-made_of.strength, made_of.name, "materials.shoot.dof_penalty")
    offset = min(va, made_of.strength)
    return penalty + Line(offset, "VA", "materials.shoot.va_offsets") if offset else penalty


def shoot_through(arguments: ShootThrough, table: BurningTable) -> Play[ShootThroughOutcome]:
    """Shoot through a door or the like, or throw something through it.

    Up to the Die of Fate it is a shot like any other (materials.shoot.normal_roll).
    """
    character = arguments.character
    sheet = table.character(character)
    carried = take_up(table, character, arguments.weapon)
    check_may_use(sheet, carried.weapon)
    check_range(arguments.range)
    if is_bomb(carried.weapon):
        expected = "a missile or thrown weapon, not a bomb"
        raise BadInput("weapon", carried.called, expected, "materials.shoot.requirement")
    weapon = ranged(carried.weapon, table.options, carried.quality)
    head = head_of(carried, arguments.head)
    check_loaded(carried, weapon)
    elsewhere = _elsewhere(arguments)
    skill = arguments.skill or usual_skill(carried, thrown=weapon.thrown, options=table.options)
    check_skill_left(table, character, skill)
    section, made_of = yield from in_the_way(arguments.section, arguments.material, table)
    bonus = False
    if weapon.thrown:
        bonus = yield from lighter_power(character, carried, table)
    bears = location_bears(arguments.target, table)
    shot = ShotInFlight(
        character, carried, weapon, head, arguments.range, elsewhere, bonus, bears=bears
    )
    piercing = PiercingShot(shot, shot.numbers(sheet), shot.va(sheet), section, made_of)
    if not goes_through(piercing.numbers, made_of):
        needs = f"Mark {piercing.mark} against Breach {made_of.breach}"
        text = f"The {carried.called} cannot shoot through the {made_of.name}: {needs}."
        yield from note(text, "materials.shoot.requirement")
        return ShootThroughOutcome(False, False, piercing.mark, breaches=section.breaches)
    if weapon.gunpowder:
        misfire = yield from gunpowder_die(carried.called, sheet.seat(character))
        if misfire is not None:
            outcome = yield from call(misfired, character, carried, weapon, misfire, table)
            return _outcome(piercing, outcome)
    against = yield from against_shot(
        arguments.range,
        head,
        sheet,
        acquired=arguments.acquired,
        without=(BEHIND_COVER, HIDDEN),
    )
    against = (cover_penalty(unseen=arguments.unseen), *against)
    above: tuple[Line, ...] = ()
    if arguments.range == CLOSE:  # riding.amb.bowman_shoot_maintain
        against += yield from while_it_moves(table, character, RiderAct.SHOT)
    if is_bow(carried.weapon):
        above = elevation(table, character, arguments.target)
    shield, covered = shielded(arguments, arguments.range, weapon, head, table)
    against += shield
    if covered:
        piercing = msgspec.structs.replace(
            piercing, shot=msgspec.structs.replace(piercing.shot, covered=covered)
        )
    base = obstacle_at(arguments.range, "open")  # materials.amb.shoot_ob_stack
    named = arguments.range == CLOSE
    aimed = yield from aim_with(
        arguments, carried, base, against, table, thrown=weapon.thrown, named=named, dice=above
    )
    thrown = yield from roll_weapon(aimed, table)
    return then(after_piercing, piercing, aimed, thrown, table)


def _elsewhere(arguments: ShootThrough) -> tuple[str, ...]:
    """The locations that are not behind the material, where this shot cannot hit."""
    for index, location in enumerate(arguments.hidden):
        check_one_of(f"hidden[{index}]", location, areas(), "weapons.location.four_areas")
    if arguments.unseen or not arguments.hidden:
        return ()
    return tuple(area for area in areas() if area not in arguments.hidden)


# --- With the dice seen ----------------------------------------------------------------------


def after_piercing(
    piercing: PiercingShot, aimed: WeaponTest, thrown: artha.ThrownDice, table: BurningTable
) -> Play[ShootThroughOutcome]:
    """Log the test, leave a hole, and see whether it hits."""
    shot, table = yield from shot_rolled(
        piercing.shot.character,
        piercing.shot.carried,
        aimed,
        thrown,
        table,
        with_bonus=piercing.shot.bonus,
    )
    if table.options["materials_missile_hole_counts"] == "yes":
        # Else the hole is too small to count (materials.amb.break_damages_wall).
        section = breached(piercing.section, piercing.made_of)
        because = "materials.amb.break_damages_wall"
        table = yield from set_section(table, section, because=because)
        piercing = msgspec.structs.replace(piercing, section=section)
    if not shot.passed:
        return _outcome(piercing, shot)
    return then(pierced, piercing, shot, table)


def pierced(
    piercing: PiercingShot, shot: ShotOutcome, table: BurningTable
) -> Play[ShootThroughOutcome]:
    """Where it hits, and what the Die of Fate and the material leave of the damage."""
    shooter = piercing.shot
    sheet = table.character(shooter.character)
    location, fate = yield from place_and_fate(shooter, shot, table, piercing.penalty)
    shot = msgspec.structs.replace(shot, fate=fate)
    if fate.total <= 0:
        # The die with all that modifies it (materials.amb.dof_total).
        text = f"{sheet.name} hits, but the {piercing.made_of.name} has taken all the force."
        yield from note(text, "materials.shoot.dof_zero")
        return _outcome(piercing, shot)
    damage = shooter.damage(sheet, fate, location)
    yield from note(f"{sheet.name} hits: {damage}.", "weapons.dof.decides_stage")
    return _outcome(piercing, msgspec.structs.replace(shot, damage=damage))


def _outcome(piercing: PiercingShot, shot: ShotOutcome) -> ShootThroughOutcome:
    return ShootThroughOutcome(
        passed=shot.passed,
        through=True,
        mark=piercing.mark,
        penalty=piercing.penalty,
        shot=shot,
        breaches=piercing.section.breaches,
        destroyed=piercing.section.destroyed,
    )


PROCEDURES = (
    Procedure("shoot_through", "Shoot through a door or wall", ShootThrough, shoot_through),
)
