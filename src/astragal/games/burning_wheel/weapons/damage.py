"""Weapons: one roll for hit and damage, and the three stages of damage.

Successes decide the stage of a hit, Power how much that is. The tables of weapons are in
``sheet/weapon_tables``; the Strike, with its location, is in ``weapons/blows``; how often a weapon
may Strike in ``weapons/speed``; shots and throws, and the Die of Fate that decides their stage, in
``weapons/missiles`` and ``weapons/shooting``; explosives in ``weapons/bombs``. A hit is only
worked out here, as a :class:`Damage`; armor and injury say what it does.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Line, Play, Tally, note
from astragal.rules import Options

from ..sheet.ranged_weapons import RangedWeapon, is_bomb, ranged
from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated, Sheet
from ..sheet.weapon_tables import (
    HUGE_POWER,
    MeleeWeapon,
    Weapon,
    balance_dice,
    book,
    is_natural,
    melee_lines,
    ways,
)
from ..sheet.weapons_carried import FISTS
from .locations import say_location
from .shaded_damage import armed_power, damage_shade, fists, unarmed_power

# --- Three stages --------------------------------------------------------------------------


class Stage(Enum):
    """How good a hit is (weapons.ims.three_stages); there is nothing above Superb.

    weapons.ims.superb_is_limit.
    """

    INCIDENTAL = "incidental"
    MARK = "mark"
    SUPERB = "superb"


class Ims(msgspec.Struct, frozen=True):
    """Incidental, Mark and Superb damage, and its shade."""

    incidental: int
    mark: int
    superb: int
    shade: str = "B"

    def at(self, stage: Stage) -> int:
        """The number of one stage."""
        return int(getattr(self, stage.value))

    def changed(self, by: int) -> Ims:
        """Each of the three numbers by the same amount (weapons.amb.head_ims_meaning)."""
        return Ims(self.incidental + by, self.mark + by, self.superb + by, self.shade)

    def __str__(self) -> str:
        """As it is written on a sheet: B4/B8/B12."""
        return "/".join(f"{self.shade}{self.at(stage)}" for stage in Stage)


class Damage(msgspec.Struct, frozen=True):
    """A hit before armor: location, stage, shade and number, and VA.

    Shade and number name a step of the wound scale (injury.ptgs.wound_is_coordinate). ``va_by``
    says where the VA is from, if it is not the weapon's alone.
    """

    location: str
    stage: Stage
    shade: str
    number: int
    va: int
    va_by: Tally = Tally()

    def __str__(self) -> str:
        """In one line: Mark, B8 to the torso, VA 1."""
        where = f"{self.shade}{self.number} to the {say_location(self.location)}"
        return f"{self.stage.value.capitalize()}, {where}, VA {self.va}"


def ims(mark: int, shade: str = "B") -> Ims:
    """The three numbers that go with a Mark.

    Incidental is half of it, rounded up (weapons.ims.incidental.amount), Superb half as much
    again, rounded down (weapons.ims.superb.amount). The table ends at the last step of a shade.

    >>> str(ims(9)), str(ims(17))
    ('B5/B9/B13', 'B9/B17/B25')
    """
    rows = book("ims_by_mark").all_where(mark=mark)
    if not rows:
        return Ims((mark + 1) // 2, mark, mark * 3 // 2, shade)
    return Ims(rows[0].number("incidental"), mark, rows[0].number("superb"), shade)


def mark(power: Tally, weapon_power: int, name: str) -> Tally:
    """The Mark of a weapon that uses its wielder's Power (weapons.ims.mark.amount).

    The weapon's Power is added to the wielder's before anything else is worked out
    (weapons.melee.weapon_power). Wounds do not lower it.

    >>> print(mark(Tally.of(5, "Power", "weapons.ims.mark.amount"), 3, "sword"))
    8 = 5 Power + 3 sword
    """
    if not weapon_power:
        return power
    return power + Line(weapon_power, name, "weapons.melee.weapon_power")


def needed(stage: Stage, add: int) -> int:
    """How many successes above the obstacle a stage takes.

    None for an Incidental hit (weapons.ims.incidental.need), the Add for a Mark
    (weapons.ims.mark.need), twice the Add for a Superb one (weapons.ims.superb.need).

    >>> [needed(stage, 2) for stage in Stage]
    [0, 2, 4]
    """
    return list(Stage).index(stage) * add


def stage_of(to_damage: int, add: int) -> Stage:
    """The stage that extra successes on damage reach (weapons.melee.add).

    Superb is the highest, however many there are (weapons.ims.superb_is_limit).

    >>> stage_of(3, 2)
    <Stage.MARK: 'mark'>
    """
    return [stage for stage in Stage if to_damage >= needed(stage, add)][-1]


def with_strength(va: int, power: Rated) -> Tally:
    """The VA of a weapon that uses its wielder's Power: in the hand, or thrown.

    weapons.melee.va, armor.va.power_seven, weapons.amb.power_seven_va.
    """
    lines = Tally.of(va, "weapon", "weapons.melee.va")
    if power.rating.exponent >= HUGE_POWER:
        lines += Line(1, f"Power {power.rating}", "armor.va.power_seven")
    return lines


def sources(va: Tally) -> Tally:
    """Where a VA is from, if it is from more than one thing.

    >>> sources(Tally.of(1, "weapon", "weapons.melee.va")).lines
    ()
    """
    lines = tuple(line for line in va.lines if line.amount)
    alone = len(lines) == 1 and lines[0].rule == "weapons.melee.va"
    return Tally() if alone else Tally(lines)


# --- In a character's hands ----------------------------------------------------------------


@lru_cache(1024)  # a fight looks at the same few all the time
def way_to_strike(carried: Weapon, way: str, options: Options) -> MeleeWeapon:
    """One of the ways in which a weapon strikes; the first, unless another is named."""
    found = ways(carried, options)
    if not found:
        expected = "a melee weapon"
        raise BadInput("weapon", carried.called, expected, "weapons.melee.attributes")
    for one in found:
        if not way or way in (one.name, one.name.partition(", ")[2]):
            return one
    names = ", ".join(one.name for one in found)
    raise BadInput("way", way, f"one of {names}", "weapons.gear.hilt")


def struck_with(
    sheet: Sheet, carried: Weapon, way: MeleeWeapon, *, with_bonus: bool = False
) -> Ims:
    """What a weapon does in a character's hands, in the weapon's shade.

    A lighter Power counts for bare hands and natural weapons, and for any other weapon where the
    player adds it (shades.power.weapon_bonus).
    """
    power = sheet.ability("Power").rating
    if is_natural(carried.weapon):
        unarmed = fists(sheet)
        return ims(mark(unarmed_power(power, unarmed), way.power, way.name).total, unarmed.letter)
    shade = Shade.parse(carried.shade)
    strength = armed_power(power, shade, with_bonus=with_bonus)
    hit = damage_shade(shade, sheet)
    return ims(mark(strength, way.power, way.name).total, hit.letter)


def fixed(carried: Weapon, at_range: RangedWeapon) -> Ims:
    """The damage of a weapon that is the same for every user (weapons.missile.fixed_ims)."""
    incidental, middle, superb = at_range.numbers
    return Ims(incidental, middle, superb, Shade.parse(carried.shade).letter)


def shot_with(
    sheet: Sheet, carried: Weapon, at_range: RangedWeapon, *, with_bonus: bool = False
) -> Ims:
    """What a weapon does that is shot or thrown.

    A missile weapon does the same for every shooter (weapons.ims.missile_fixed_power,
    weapons.missile.fixed_ims); a thrown weapon adds the thrower's Power (weapons.thrown.power).
    """
    if at_range.power is None:
        return fixed(carried, at_range)
    shade = Shade.parse(carried.shade)
    strength = armed_power(sheet.ability("Power").rating, shade, with_bonus=with_bonus)
    return ims(mark(strength, at_range.power, at_range.name).total, shade.letter)


# --- The damage of a character's weapons ---------------------------------------------------


class Armory(Arguments, frozen=True):
    """Whose weapons to work out."""

    character: str


class WeaponCard(msgspec.Struct, frozen=True):
    """A weapon in a character's hands, as it is written on a sheet."""

    weapon: str
    way: str
    ims: str
    va: int
    add: int | None = None
    speed: str = ""
    length: str = ""
    two_handed: bool = False
    may_great_strike: bool = False
    die_of_fate: tuple[str, ...] = ()
    balance: int = 0
    range_dice: tuple[int, ...] = ()
    paces: int = 0
    actions: int | None = None

    def __str__(self) -> str:
        """In one line: sword: B4/B8/B12, VA 1, Add 2, slow, long."""
        name = self.weapon if self.way in self.weapon else f"{self.weapon}, {self.way}"
        parts = [self.ims, f"VA {self.va}"]
        if self.add is not None:
            parts += [f"Add {self.add}", self.speed, self.length]
        if self.die_of_fate:
            parts += [f"Die of Fate {'/'.join(self.die_of_fate)}"]
        if self.balance:
            parts += [f"+{self.balance}D balance"]
        return f"{name}: {', '.join(parts)}."


class WeaponCards(Outcome, frozen=True):
    """All of them, bare fists first."""

    cards: tuple[WeaponCard, ...]


def armory(arguments: Armory, table: BurningTable) -> Play[WeaponCards]:
    """Work out what each of a character's weapons does in these hands; nothing is rolled."""
    sheet = table.character(arguments.character)
    found: tuple[WeaponCard, ...] = ()
    for carried in (FISTS, *sheet.weapons):
        found += cards_of(sheet, carried, table.options)
    for card in found:
        yield from note(str(card), "weapons.ims.three_stages")
    return WeaponCards(found)


def cards_of(sheet: Sheet, carried: Weapon, options: Options) -> tuple[WeaponCard, ...]:
    """Each way in which one weapon can do damage."""
    found = tuple(
        WeaponCard(
            weapon=carried.called,
            way=way.name,
            ims=str(struck_with(sheet, carried, way)),
            va=with_strength(way.va, sheet.ability("Power")).total,
            add=way.add,
            speed=way.speed,
            length=way.length,
            two_handed=way.two_handed,
            may_great_strike=way.may_great_strike,
            balance=balance_dice(carried, options),
        )
        for way in ways(carried, options)
    )
    if not melee_lines(carried.weapon):
        found += (_at_a_distance(sheet, carried, options),)
    return found


def _at_a_distance(sheet: Sheet, carried: Weapon, options: Options) -> WeaponCard:
    """A missile or thrown weapon, which has no Add (weapons.dof.no_add)."""
    shot = ranged(carried.weapon, options)
    va = with_strength(shot.va, sheet.ability("Power")).total if shot.thrown else shot.va
    return WeaponCard(
        weapon=carried.called,
        way="thrown" if shot.thrown or is_bomb(carried.weapon) else "shot",
        ims=str(shot_with(sheet, carried, shot)),
        va=va,
        die_of_fate=shot.bands,
        balance=balance_dice(carried, options),
        range_dice=shot.dice,
        paces=shot.paces,
        actions=actions_to_shot(carried.weapon),
    )


def actions_to_shot(weapon: str) -> int | None:
    """How many actions of Fight! a shot takes, if that is listed.

    weapons.amb.bow_action_counts, weapons.amb.bomb_actions.

    >>> actions_to_shot("hunting bow"), actions_to_shot("javelin")
    (6, None)
    """
    rows = book("fight_shooting_actions").all_where(weapon=weapon)
    return rows[0].number("total_to_shot") if rows else None


# --- Balance dice --------------------------------------------------------------------------

MELEE_MANEUVERS = ("Strike", "Great Strike", "Block", "Counterstrike", "Feint", "Disarm")
"""Where balance dice count in close combat (weapons.balance.melee_use); not in positioning
(weapons.amb.balance_positioning)."""


def balance_for(carried: Weapon, maneuver: str, options: Options) -> Line | None:
    """The balance dice for a melee maneuver, if they count for it."""
    dice = balance_dice(carried, options)
    if not dice or maneuver not in MELEE_MANEUVERS:
        return None
    return Line(dice, f"balance: {carried.called}", "weapons.balance.melee_use")


PROCEDURES = (Procedure("armory", "IMS of a character's weapons", Armory, armory),)
