"""Shooting through something at somebody behind it.

A part of the chapter on materials (``materials/materials``). Up to the Die of Fate it is a shot
like any other (materials.shoot.normal_roll); the numbers are those of ``weapons/missiles``.
"""

from __future__ import annotations

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput
from astragal.games.burning_wheel.artha import on_a_roll as artha
from astragal.games.burning_wheel.materials.materials import (
    Material,
    breached,
    check_loaded,
    in_the_way,
    lighter_power,
    set_section,
)
from astragal.games.burning_wheel.sheet.scene import BurningTable, MaterialSection
from astragal.games.burning_wheel.sheet.sheet import Sheet
from astragal.games.burning_wheel.sheet.weapon_tables import (
    CLOSE,
    RangedWeapon,
    Weapon,
    is_bomb,
    ranged,
)
from astragal.games.burning_wheel.sheet.weapons_carried import armed_with, check_whole
from astragal.games.burning_wheel.weapons.damage import Ims
from astragal.games.burning_wheel.weapons.locations import areas
from astragal.games.burning_wheel.weapons.missiles import (
    Head,
    check_may_use,
    default_location,
    extreme_penalty,
    head_of,
    numbers_of,
    obstacle_at,
    shot_cost,
    success_bonus,
    throw_fate,
    va_of,
)
from astragal.games.burning_wheel.weapons.shaded_damage import roll_over
from astragal.games.burning_wheel.weapons.shooting import (
    RANGES,
    SNAPSHOT,
    ShotOutcome,
    damage_by_fate,
    gunpowder_die,
    is_bow,
    misfired,
    place_shot,
    shot_rolled,
    snapshot,
)
from astragal.games.burning_wheel.weapons.wielding import (
    Attack,
    WeaponTest,
    aim_with,
    hindrances,
    location_bears,
    roll_weapon,
)
from astragal.games.game import Outcome, Procedure
from astragal.play import Line, Noted, Play, Step, Tally, call, tell, then
from astragal.rules import catalogue

BEHIND_COVER = "behind_cover"
HIDDEN = "hidden"
"""The codes of the two rows for cover (materials.amb.shoot_ob_stack)."""


class ShootThrough(Attack, frozen=True):
    """A shot or throw at somebody behind a section, with its name in the scene and its material.

    ``unseen`` says that the target is known to be there but not seen at all; if it is seen, a part
    of it is hidden: ``hidden`` says which locations, if not all. ``range``, ``acquired`` and
    ``head`` are those of any shot.
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
    """A shot through something; ``elsewhere`` are the locations that are not behind it."""

    character: str
    carried: Weapon
    weapon: RangedWeapon
    head: Head
    numbers: Ims
    va: int
    at: str
    elsewhere: tuple[str, ...]
    section: MaterialSection
    made_of: Material
    bonus: bool = False
    bears: bool = True
    """Whether it makes a difference what is hit."""

    @property
    def mark(self) -> str:
        """Its Mark, as it is marked on the grayscale."""
        return str(roll_over(Shade.parse(self.numbers.shade), self.numbers.mark))


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
    carried = armed_with(sheet, arguments.weapon)
    check_whole(carried)
    check_may_use(sheet, carried.weapon)
    _check(arguments, carried)
    weapon, head = ranged(carried.weapon, table.options), head_of(carried, arguments.head)
    elsewhere = _elsewhere(arguments)
    section, made_of = yield from in_the_way(arguments.section, arguments.material, table)
    bonus = False
    if weapon.thrown:
        bonus = yield from lighter_power(character, carried, table)
    piercing = PiercingShot(
        character=character,
        carried=carried,
        weapon=weapon,
        head=head,
        numbers=numbers_of(sheet, carried, weapon, head, with_bonus=bonus),
        va=va_of(sheet, weapon, head, arguments.range),
        at=arguments.range,
        elsewhere=elsewhere,
        section=section,
        made_of=made_of,
        bonus=bonus,
        bears=location_bears(arguments.target, table),
    )
    if not goes_through(piercing.numbers, made_of):
        needs = f"Mark {piercing.mark} against Breach {made_of.breach}"
        text = f"The {carried.called} cannot shoot through the {made_of.name}: {needs}."
        yield from tell(Noted(text, "materials.shoot.requirement"))
        return ShootThroughOutcome(False, False, piercing.mark, breaches=section.breaches)
    if weapon.gunpowder:
        misfire = yield from gunpowder_die(carried.called, sheet.seat(character))
        if misfire is not None:
            shot = yield from call(misfired, character, carried, weapon, misfire, table)
            return _outcome(piercing, shot)
    against = yield from _against(arguments, carried, head, sheet)
    base, _ = obstacle_at(arguments.range, "open")  # materials.amb.shoot_ob_stack
    aimed = yield from aim_with(arguments, carried, base, against, table, thrown=weapon.thrown)
    thrown = yield from roll_weapon(aimed, table)
    return then(after_piercing, piercing, aimed, thrown, table)


def _check(arguments: ShootThrough, carried: Weapon) -> None:
    if arguments.range not in RANGES:
        expected = f"one of {', '.join(RANGES)}"
        raise BadInput("range", arguments.range, expected, "weapons.shoot.range_conflict")
    if is_bomb(carried.weapon):
        expected = "a missile or thrown weapon, not a bomb"
        raise BadInput("weapon", carried.called, expected, "materials.shoot.requirement")
    check_loaded(carried)


def _elsewhere(arguments: ShootThrough) -> tuple[str, ...]:
    """The locations that are not behind the material, where this shot cannot hit."""
    for index, location in enumerate(arguments.hidden):
        if location not in areas():
            expected = f"one of {', '.join(areas())}"
            rule = "weapons.location.four_areas"
            raise BadInput(f"hidden[{index}]", location, expected, rule)
    if arguments.unseen or not arguments.hidden:
        return ()
    return tuple(area for area in areas() if area not in arguments.hidden)


def _against(
    arguments: ShootThrough, carried: Weapon, head: Head, sheet: Sheet
) -> Step[tuple[Line, ...]]:
    """All that raises the obstacle, as with any shot, and the cover."""
    lines: tuple[Line, ...] = (cover_penalty(unseen=arguments.unseen), *head.obstacle)
    if arguments.range != CLOSE:
        return lines
    lines += yield from hindrances(
        "fight.table.missile_obstacles",
        f"Disadvantages on {sheet.name}'s shot",
        "fight.disadvantage.missile",
        without=(SNAPSHOT, BEHIND_COVER, HIDDEN),
    )
    if not arguments.acquired and not is_bow(carried.weapon):
        lines += (snapshot(),)
    return lines


# --- With the dice seen ----------------------------------------------------------------------


def after_piercing(
    piercing: PiercingShot, aimed: WeaponTest, thrown: artha.ThrownDice, table: BurningTable
) -> Play[ShootThroughOutcome]:
    """Log the test, leave a hole, and see whether it hits."""
    shot, table = yield from shot_rolled(
        piercing.character, piercing.carried, aimed, thrown, table, with_bonus=piercing.bonus
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
    sheet = table.character(piercing.character)
    location = yield from place_shot(
        piercing.character, shot.margin, piercing.elsewhere, table, bears=piercing.bears
    )
    aim = shot_cost(default_location(piercing.elsewhere), location)
    modifiers = Tally(success_bonus(shot.successes, aim, shot.obstacle.total))
    modifiers += extreme_penalty(piercing.at) + piercing.head.dof
    modifiers += fate_penalty(piercing.made_of, piercing.va)
    fate = yield from throw_fate(piercing.weapon, modifiers, sheet.seat(piercing.character))
    shot = msgspec.structs.replace(shot, fate=fate)
    if fate.total <= 0:
        # The die with all that modifies it (materials.amb.dof_total).
        text = f"{sheet.name} hits, but the {piercing.made_of.name} has taken all the force."
        yield from tell(Noted(text, "materials.shoot.dof_zero"))
        return _outcome(piercing, shot)
    damage = damage_by_fate(piercing.weapon, fate, location, piercing.numbers, piercing.va)
    yield from tell(Noted(f"{sheet.name} hits. {damage}.", "weapons.dof.decides_stage"))
    return _outcome(piercing, msgspec.structs.replace(shot, damage=damage))


def _outcome(piercing: PiercingShot, shot: ShotOutcome) -> ShootThroughOutcome:
    return ShootThroughOutcome(
        passed=shot.passed,
        through=True,
        mark=piercing.mark,
        penalty=fate_penalty(piercing.made_of, piercing.va),
        shot=shot,
        breaches=piercing.section.breaches,
        destroyed=piercing.section.destroyed,
    )


PROCEDURES = (
    Procedure("shoot_through", "Shoot through a door or wall", ShootThrough, shoot_through),
)
