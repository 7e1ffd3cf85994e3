"""Missile and thrown weapons: the Die of Fate decides the stage, and successes modify it.

The numbers of a shot, as pure functions for Range and Cover, Fight! and shots through materials.
The shot itself is in ``weapons/shooting``.
"""

from __future__ import annotations

from functools import cache

import msgspec

from astragal.errors import BadInput, NotAllowed, check_one_of
from astragal.play import Fact, Line, Option, Seat, Step, Tally
from astragal.rules import Record, catalogue
from astragal.rules.bands import Band

from ..sheet.ranged_weapons import CLOSE, RangedWeapon, bomb_va, gun_va, heads, is_bomb
from ..sheet.sheet import Sheet
from ..sheet.weapon_tables import Weapon, book
from ..tests.die_of_fate import throw_openly
from .damage import Ims, Stage, shot_with, with_strength
from .locations import HEAD, LIMBS, TORSO, area_of, areas, move_cost

# --- Where it hits -------------------------------------------------------------------------

BY_SIZE = (TORSO, "legs", "arms", HEAD)
"""The locations, the largest first."""

LIMB_COST, HEAD_COST = 1, 2
"""Extra successes from the chest: weapons.shoot.move_limb, weapons.shoot.move_head."""


@cache
def default_location(hidden: tuple[str, ...], covered: str = "") -> str:
    """Where a shot hits unless it is moved: the chest; the target has no say.

    weapons.shoot.location_chest; if that is hidden, the largest location that is not
    (weapons.shoot.location_hidden). What a shield has ``covered`` comes last
    (armor.amb.covered_area_cost).

    >>> default_location(()), default_location(("torso", "head"))
    ('torso', 'legs')
    """
    for index, location in enumerate(hidden):
        check_one_of(f"hidden[{index}]", location, areas(), "weapons.location.four_areas")
    exposed = [location for location in BY_SIZE if location not in hidden]
    for location in (*(each for each in exposed if each != covered), *exposed):
        return location
    raise NotAllowed("No location of the target can be seen", "weapons.shoot.location_hidden")


def shot_cost(here: str, there: str) -> int:
    """How many extra successes it takes to move a shot.

    From elsewhere than the chest as in close combat (weapons.amb.missile_other_default).
    """
    if here == TORSO and area_of(there) in LIMBS:
        return LIMB_COST
    if here == TORSO and there == HEAD:
        return HEAD_COST
    return move_cost(here, there)


def aim_cost(there: str, hidden: tuple[str, ...], covered: str = "") -> int:
    """How many extra successes it takes to hit a location; one more if a shield covers it.

    armor.shield_missile.cover_area, armor.amb.covered_area_cost.

    >>> [aim_cost(there, (), "torso") for there in ("legs", "torso", "arms", "head")]
    [0, 1, 1, 2]
    """
    if there == default_location(hidden, covered):
        return 0
    return shot_cost(default_location(hidden), there) + (1 if there == covered else 0)


@cache
def aims(extra: int, hidden: tuple[str, ...], covered: str = "") -> tuple[Option, ...]:
    """Where a shooter may put the shot, with what it costs; the default first."""
    here = default_location(hidden, covered)
    options = []
    for there in (here, *(a for a in BY_SIZE if a != here and a not in hidden)):
        cost = aim_cost(there, hidden, covered)
        rule = "weapons.shoot.move_head" if there == HEAD else "weapons.shoot.move_limb"
        rule = rule if cost else "weapons.shoot.location_chest"
        if cost <= extra:
            options.append(Option(there, there.capitalize(), rule, cost=f"{cost} extra"))
    return tuple(options)


# --- The Die of Fate -----------------------------------------------------------------------


class FateOfHit(Fact, frozen=True, tag="fate_of_hit"):
    """What the Die of Fate of a hit decides, said before it is thrown."""

    weapon: str
    bands: tuple[str, ...]
    modifiers: Tally

    def sentence(self) -> str:
        """The weapon's own bands, and what modifies the die."""
        said = ", ".join(f"{band} {s.value}" for band, s in zip(self.bands, Stage, strict=True))
        lines = ", ".join(f"{line.amount:+d} {line.label}" for line in self.modifiers)
        return f"Die of Fate for the {self.weapon}{f' ({lines})' if lines else ''}: {said}."


def success_bonus(successes: int, aim: int, obstacle: int) -> tuple[Line, ...]:
    """What extra successes add to the Die of Fate: the best of three bonuses, never their sum.

    weapons.dof.plus_one, weapons.dof.plus_two, weapons.dof.plus_three; those that moved the shot
    are taken away first (weapons.dof.aimed_successes_excluded). The obstacle is the one rolled
    against, with its penalties (weapons.amb.dof_which_obstacle, weapons.amb.dof_at_ob_1,
    weapons.amb.dof_cumulative). They do nothing else (weapons.dof.successes_do_not_raise_stage).

    >>> [line.amount for line in success_bonus(4, 0, 2)], success_bonus(4, 2, 2)
    ([2], ())
    """
    left = successes - aim
    if left >= 3 * obstacle:
        return (_modifier("successes at least triple the obstacle", "weapons.dof.plus_three"),)
    if left >= 2 * obstacle:
        return (_modifier("successes at least double the obstacle", "weapons.dof.plus_two"),)
    if left > obstacle:
        return (_modifier("successes exceed the obstacle", "weapons.dof.plus_one"),)
    return ()


def extreme_penalty(at: str) -> tuple[Line, ...]:
    """A hit at extreme range has -1 (weapons.dof.extreme_range).

    It does not occur in Fight! (weapons.amb.dof_extreme_only_appendix).
    """
    if at != "extreme":
        return ()
    return (_modifier("extreme range", "weapons.dof.extreme_range"),)


def _modifier(condition: str, rule: str) -> Line:
    amount = book("dof_modifiers").number("modifier", condition=condition)
    return Line(amount, condition, rule)


@cache
def stage_by_fate(bands: tuple[str, str, str], result: int) -> Stage:
    """The stage of a hit by the weapon's own bands (weapons.dof.decides_stage).

    Thrown weapons use them too (weapons.thrown.dof). Above 6 counts as 6 and below 1 as 1, for a
    hit always does something (weapons.amb.dof_bounds); only materials may stop one, which
    ``materials`` reads from the result itself.

    >>> stage_by_fate(("1-2", "3-5", "6"), 3)
    <Stage.MARK: 'mark'>
    """
    shown = max(1, min(6, result))
    for stage, cell in zip(Stage, bands, strict=True):
        band = Band.parse(cell)
        if band is not None and shown in band:
            return stage
    raise LookupError(f"{bands} say nothing about {shown}")


def throw_fate(weapon: RangedWeapon, modifiers: Tally, owner: Seat) -> Step[Tally]:
    """Throw the Die of Fate for a hit and give its modified result.

    One die for the stage of a missile or thrown hit (weapons.dof.decides_stage).
    """
    said = FateOfHit(weapon.name, weapon.bands, modifiers)
    face = yield from throw_openly(said, f"the Die of Fate, {weapon.name}", owner)
    return Tally.of(face, "Die of Fate", "weapons.dof.decides_stage") + modifiers


# --- Special heads -------------------------------------------------------------------------

PLAIN = Record(head="", ims=0, va=0, dof=0, ob_to_hit=0, special="standard")
"""The row of a weapon that shoots without a head."""

BARBED = "barbed tip"
SHORTER = "mallet head"
SHORTER_BY = 10
"""By how many paces a mallet head shortens a range (weapons.amb.mallet_head_range)."""

OPTIMAL_PACES = 30
"""The end of optimal range, in paces (weapons.amb.mallet_head_range)."""


class Head(msgspec.Struct, frozen=True):
    """What the head of an arrow or bolt changes about a shot (weapons.head.modifiers)."""

    name: str
    ims: int = 0
    va: int = 0
    dof: tuple[Line, ...] = ()
    obstacle: tuple[Line, ...] = ()
    shorter: int = 0


def head_of(weapon: Weapon, name: str) -> Head:
    """The head that is shot, or the standard one (weapons.head.arrows_for_bows)."""
    fitting = heads(weapon.weapon)
    if name and name not in fitting:
        expected = f"one of {', '.join(fitting)}" if fitting else "no head for this weapon"
        raise BadInput("head", name, expected, "weapons.head.arrows_for_bows")
    row = fitting[name or next(iter(fitting))] if fitting else PLAIN
    rule = "weapons.head.modifiers"
    label = str(row["head"])
    dof, obstacle = row.number("dof"), row.number("ob_to_hit")
    return Head(
        name=label,
        ims=row.number("ims"),
        va=row.number("va"),
        dof=(Line(dof, label, rule),) if dof else (),
        obstacle=(Line(obstacle, label, rule),) if obstacle else (),
        shorter=SHORTER_BY if label == SHORTER else 0,
    )


def reach(weapon: RangedWeapon, head: Head) -> tuple[int, int]:
    """The ends of optimal and of extreme range, in paces (0: unknown).

    weapons.amb.mallet_head_range.
    """
    farthest = max(0, weapon.paces - head.shorter)
    return min(OPTIMAL_PACES - head.shorter, farthest or OPTIMAL_PACES), farthest


# --- What it does --------------------------------------------------------------------------


def numbers_of(
    sheet: Sheet, carried: Weapon, weapon: RangedWeapon, head: Head, *, with_bonus: bool = False
) -> Ims:
    """Incidental, Mark and Superb of a shot or throw, with the head's modifier."""
    return shot_with(sheet, carried, weapon, with_bonus=with_bonus).changed(head.ims)


def va_of(sheet: Sheet, weapon: RangedWeapon, head: Head, at: str) -> int:
    """The VA of a shot or throw (weapons.missile.va), never below 0 (weapons.amb.head_va_floor).

    A gun's depends on the range (weapons.gun.va_by_range), and so does a bomb's; Power counts
    only for thrown weapons (weapons.amb.power_seven_va).
    """
    if weapon.gunpowder:
        return gun_va(at)
    if is_bomb(weapon.name):
        return bomb_va(at)
    if weapon.thrown:
        return with_strength(weapon.va, sheet.ability("Power")).total
    return max(0, weapon.va + head.va)


COVERS = {
    "open": "open",
    "reasonable": "reasonable_cover",
    "dense": "dense_cover_or_fortification",
}
"""The levels of cover, from none on, each with its column in the table of obstacles."""


def check_cover(cover: str) -> None:
    """Refuse a level of cover that there is not; the column's name is one, too, in older logs."""
    if cover not in COVERS.values():
        check_one_of("cover", cover, tuple(COVERS), "weapons.shoot.range_conflict")


def obstacle_at(at: str, cover: str) -> Line:
    """The obstacle of a shot before penalties.

    At a distance range and cover set it (weapons.shoot.range_conflict); in Fight! the base is the
    same at any distance (weapons.shoot.fight_no_range).
    """
    if at == CLOSE:
        return Line(1, "base obstacle", "fight.release.base_obstacle")
    rule, column = "range_and_cover.table.shot_obstacles", COVERS.get(cover, cover)
    level = next(name for name, each in COVERS.items() if each == column)
    label = f"{at} range, {level}" + ("" if level == "open" else " cover")
    return Line(catalogue().table(rule).number(column, range=at), label, rule)


def check_may_use(sheet: Sheet, weapon: str) -> None:
    """Some weapons are only for certain characters.

    weapons.thrown.ninja_only, weapons.thrown.roden_only: by body type, concept, lifepaths and
    traits on the sheet.
    """
    rows = book("thrown_weapons").all_where(weapon=weapon)
    people = str(rows[0]["restricted_to"]) if rows else "none"
    if people == "none":
        return
    said = [sheet.body_type, sheet.concept]
    said += [path.name for path in sheet.lifepaths] + [trait.name for trait in sheet.traits]
    if not any(people.casefold() in words.casefold() for words in said):
        rule = "weapons.thrown.roden_only" if people == "Roden" else "weapons.thrown.ninja_only"
        raise NotAllowed(f"{sheet.name} cannot use {weapon}: only {people} can", rule)
