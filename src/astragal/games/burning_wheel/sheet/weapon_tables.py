"""Weapons: the lines of the weapon tables, and what sets a carried weapon apart.

The tables of the chapter on weapons are read here and in ``ranged_weapons`` and nowhere else, and
every number that a weapon has is decided there, the group's readings among them. What weapons do is
in ``weapons/damage`` and the modules it names. This module knows no sheet,
so that the sheet can hold weapons.
"""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec

from astragal.errors import BadInput
from astragal.rules import Options, RuleTable, catalogue

from .ratings import Coordinate, Rating
from .weapon_lengths import lengths

FIST = "bare fist"
ORDINARY = "run of the mill"
SUPERIOR = "superior"
POMMEL = "hilt or pommel"
BEAK = "beak"

HUGE_POWER = 7
"""From this exponent on, Power adds to VA (armor.va.power_seven)."""


class Weapon(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """A weapon that somebody carries: a line of the tables, and what sets this one apart.

    ``skill`` is what it is used with where that is not the usual one. ``balance`` are dice that
    its maker gave it (weapons.balance.who_has_them), until they are ``balance_lost``. A
    ``pommel`` or a ``beak`` is fitted to it; ``size`` is ``small`` for a club that is, ``heavy``
    for such a mallet. ``speed``, ``length``, ``two_handed`` and ``great_strike`` are the GM's
    word about this one where the tables say something else or nothing. A bomb is ``badly_made``
    if its maker failed (weapons.amb.skill_for_explosives).
    """

    weapon: str
    quality: str = ""
    name: str = ""
    skill: str = ""
    shade: str = "B"
    balance: int = 0
    balance_lost: bool = False
    pommel: str = ""
    beak: bool = False
    size: str = ""
    speed: str = ""
    length: str = ""
    two_handed: bool | None = None
    great_strike: bool | None = None
    loaded: bool = True
    badly_made: bool = False
    broken: bool = False

    @property
    def called(self) -> str:
        """What it is called: by its own name, or by quality and kind."""
        return self.name or f"{self.quality} {self.weapon}".strip()


class MeleeWeapon(msgspec.Struct, frozen=True, cache_hash=True):
    """What a weapon is in close combat (weapons.melee.attributes).

    Its Power, Add, speed, VA and length; whether it takes both hands and then no shield
    (weapons.melee.note_two_handed), and whether it may be used for a Great Strike
    (weapons.melee.note_great_strike). What is ``inside_only`` needs an opponent so close.
    """

    name: str
    power: int
    add: int
    speed: str
    va: int
    length: str
    two_handed: bool
    may_great_strike: bool
    inside_only: bool = False

    @property
    def takes_a_shield(self) -> bool:
        """Whether the other hand is free for a shield (weapons.melee.note_two_handed)."""
        return not self.two_handed


def book(name: str) -> RuleTable:
    """One of the chapter's tables."""
    return catalogue().table(f"weapons.table.{name}")


def speeds() -> tuple[str, ...]:
    """The three weapon speeds (weapons.speed.three_classes).

    >>> speeds()
    ('fast', 'slow', 'unwieldy')
    """
    return tuple(sorted({str(speed) for speed in book("melee_weapons").column("speed")}))


# --- In close combat -----------------------------------------------------------------------


@cache
def melee_rows() -> tuple[tuple[str, MeleeWeapon], ...]:
    """Every line of the melee table with its quality (``weapons.table.melee_weapons``).

    A dash there is no Power and no VA (weapons.amb.bare_fist_dash, weapons.amb.dash_is_zero).
    The lance has a table of its own.
    """
    listed = tuple(
        (
            str(row["quality"]),
            MeleeWeapon(
                name=str(row["weapon"]),
                power=row.number("power"),
                add=row.number("add"),
                speed=str(row["speed"]),
                va=row.number("va"),
                length=str(row["length"]),
                two_handed=bool(row["two_handed"]),
                may_great_strike=bool(row["may_great_strike"]),
            ),
        )
        for row in book("melee_weapons").records()
    )
    return (*listed, (ORDINARY, _lance()))


LANCE = "lance"


def _lance() -> MeleeWeapon:
    """The lance, couched under one arm (riding.lance.stats, riding.amb.lance_add)."""
    row = catalogue().table("riding.table.lance").where(weapon=LANCE)
    return MeleeWeapon(
        name=LANCE,
        power=row.number("power"),
        add=row.number("add"),
        speed=row.text("weapon_speed").casefold(),
        va=row.number("va"),
        length=row.text("length").casefold(),
        two_handed=False,
        may_great_strike=False,
    )


SHIELD = "shield"
SHIELD_BASH = MeleeWeapon(SHIELD, 2, 2, "slow", 0, "short", False, False)
"""armor.shield.as_weapon; the Add is a reading (armor.amb.shield_weapon_add)."""


SHORTEST_FINDS = ("bedknob", "spike or nail", "bottle")
"""Found things with which one must come quite close (weapons.amb.found_length)."""


@cache
def _found_rows() -> tuple[MeleeWeapon, ...]:
    """Things that come to hand (weapons.found.what).

    All have Add 2 (weapons.found.add) and all but the pick no VA (weapons.found.va); lengths are
    a reading, and none is for a Great Strike (weapons.amb.found_length).
    """
    return tuple(
        MeleeWeapon(
            name=str(row["weapon"]),
            power=row.number("power"),
            add=row.number("add"),
            speed=str(row["speed"]),
            va=row.number("va"),
            length="shortest" if row["weapon"] in SHORTEST_FINDS else "short",
            two_handed=False,
            may_great_strike=False,
        )
        for row in book("found_weapons").records()
    )


@cache
def is_found(weapon: str) -> bool:
    """Whether it is a thing that was never made as a weapon."""
    return any(row.name == weapon for row in _found_rows())


@cache
def _natural_rows() -> tuple[MeleeWeapon, ...]:
    """Fangs, bites, jaws and the like, with numbers of their own (rogues.burned.natural_weapons).

    What a stat block prints holds for the Power of its owner, and with what such a Power adds to
    VA (armor.va.power_seven); here is what the weapon itself brings.
    """
    stats = catalogue().table("rogues.table.stats")
    found = []
    for row in catalogue().table("rogues.table.weapons").records():
        if row["use_code"] not in ("body", "inside"):
            continue
        power = Rating.parse(stats.value("power", id=row["id"])).exponent
        found.append(
            MeleeWeapon(
                name=str(row["weapon"]),
                power=Coordinate.parse(row["mark"]).place - power,
                add=row.number("add"),
                speed=str(row["speed"]).casefold(),
                va=row.number("va") - (power >= HUGE_POWER),
                length=str(row["length"]).casefold(),
                two_handed=False,
                may_great_strike=False,
                inside_only=row["use_code"] == "inside",
            )
        )
    return tuple(found)


def natural_weapons() -> tuple[str, ...]:
    """The names of the natural weapons that characters of the book have."""
    return tuple(row.name for row in _natural_rows())


def is_natural(weapon: str) -> bool:
    """Whether a weapon is part of the body, as fists and fangs are.

    >>> is_natural("fangs"), is_natural("sword")
    (True, False)
    """
    return weapon == FIST or weapon in natural_weapons()


@cache
def melee_lines(weapon: str, quality: str = "") -> tuple[MeleeWeapon, ...]:
    """The lines of the tables for a weapon: more than one for what strikes in several ways.

    Without a quality it is the ordinary one, or the only one there is.

    >>> [line.name for line in melee_lines("polearm")]
    ['polearm, axe strike', 'polearm, thrust']
    """
    unlisted = (*_found_rows(), *_natural_rows(), SHIELD_BASH)
    found = tuple(line for line in unlisted if line.name == weapon and not quality)
    listed = [
        (of, line)
        for of, line in melee_rows()
        if line.name == weapon or line.name.startswith(f"{weapon}, ")
    ]
    qualities = list(dict.fromkeys(of for of, _ in listed))
    wanted = quality or (ORDINARY if ORDINARY in qualities else qualities[0] if qualities else "")
    return found or tuple(line for of, line in listed if of == wanted)


@lru_cache(1024)  # a fight looks at the same few all the time
def ways(carried: Weapon, options: Options) -> tuple[MeleeWeapon, ...]:
    """All the ways in which a carried weapon can strike: as itself, by the hilt, by the beak."""
    own = tuple(_as_carried(carried, line, options) for line in _lines_of(carried))
    if not own or is_natural(carried.weapon) or carried.weapon == SHIELD:
        return own
    fitted = [_pommel(carried)] + ([_beak(own[0])] if carried.beak else [])
    return (*own, *fitted)


def _lines_of(carried: Weapon) -> tuple[MeleeWeapon, ...]:
    return melee_lines(carried.weapon, carried.quality)


def _as_carried(carried: Weapon, line: MeleeWeapon, options: Options) -> MeleeWeapon:
    """A line of the tables as this one of its kind has it."""
    speed, length, both_hands = line.speed, line.length, line.two_handed
    small = carried.size == "small" and line.name == "club or staff"
    if small and options["weapons_small_club"] == "short_one_handed":
        length, both_hands = "short", False  # weapons.amb.club_length
    heavy = carried.size == "heavy" and line.name == "mallet"
    if heavy:  # slow or unwieldy, as the group reads it (weapons.amb.mallet_speed)
        speed = options["weapons_heavy_mallet"]
    gm_sets_each = options["weapons_found_lengths"] == "gm_sets_each"
    if is_found(line.name) and gm_sets_each and not carried.length:
        expected = f"the length that the GM gives it: {', '.join(lengths())}"
        place = f"weapons.{carried.called}.length"
        raise BadInput(place, "", expected, "weapons.amb.found_length")
    great = carried.great_strike
    return msgspec.structs.replace(
        line,
        speed=carried.speed or speed,
        length=carried.length or length,
        two_handed=both_hands if carried.two_handed is None else carried.two_handed,
        may_great_strike=line.may_great_strike if great is None else great,
    )


def _pommel(carried: Weapon) -> MeleeWeapon:
    """Every weapon can strike with its hilt, by the hilt's own numbers (weapons.gear.hilt).

    It has one at a time: plain, spiked or weighted (weapons.gear.one_pommel).
    """
    return _fitting(carried.pommel or POMMEL, "")


def _beak(weapon: MeleeWeapon) -> MeleeWeapon:
    """A beak is as long as what it is mounted on, and takes as many hands."""
    beak = _fitting(BEAK, weapon.length)
    return msgspec.structs.replace(beak, two_handed=weapon.two_handed)


@cache
def _fitting(item: str, length: str) -> MeleeWeapon:
    """A line of ``weapons.table.weapon_gear``; none of these is for a Great Strike."""
    row = book("weapon_gear").where(item=item)
    return MeleeWeapon(
        name=item,
        power=row.number("power"),
        add=row.number("add"),
        speed=str(row["speed"]),
        va=row.number("va"),
        length=length or str(row["length"]),
        two_handed=False,
        may_great_strike=False,
    )


def pommels() -> tuple[str, ...]:
    """What may be fitted in place of the plain pommel.

    >>> pommels()
    ('spiked pommel', 'weighted pommel')
    """
    return tuple(str(i) for i in book("weapon_gear").column("item") if i not in (POMMEL, BEAK))


ARTICULATED = ("flail", "three-section staff")


def is_articulated(carried: Weapon) -> bool:
    """Whether a weapon strikes round a shield, by what it is called.

    armor.anti_shield.articulated.

    >>> is_articulated(Weapon("mace", name="Old Flail")), is_articulated(Weapon("mace"))
    (True, False)
    """
    return any(name in carried.called.casefold() for name in ARTICULATED)


def is_hilt(way: MeleeWeapon) -> bool:
    """Whether a weapon is used by its hilt or pommel (weapons.gear.hilt)."""
    return way.name in (POMMEL, *pommels())


def takes_a_beak(weapon: str) -> bool:
    """Whether a beak can be mounted: on polearms, axes and spears only (weapons.gear.beak_mount).

    >>> takes_a_beak("footman's axe"), takes_a_beak("sword")
    (True, False)
    """
    return any(kind in weapon for kind in ("polearm", "axe", "spear"))


def balance_dice(carried: Weapon, options: Options) -> int:
    """The dice that a weapon of exceptional make adds (weapons.balance.who_has_them).

    One for what is shot or thrown, if it is of superior quality (weapons.balance.missile_superior),
    as the throwing knives of the two Roden are (rogues.burned.roden_knives);
    for a superior weapon of close combat only where the group reads it so
    (weapons.amb.balance_melee_superior). What is lost is lost (weapons.balance.loss_permanent).
    """
    if carried.balance_lost:
        return 0
    dice = carried.balance
    if not dice and carried.quality == "superior":
        at_hand = bool(melee_lines(carried.weapon))
        if not at_hand or options["weapons_superior_melee_balance"] == "yes":
            dice = 1
    return dice
