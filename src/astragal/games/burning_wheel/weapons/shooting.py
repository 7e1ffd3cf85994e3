"""Shooting your opponent: a shot or a throw, from the roll to the damage.

At a distance a shot belongs to Range and Cover (weapons.shoot.range_conflict), close up to
Fight!; the shot itself is the same in both. The numbers are in ``weapons/missiles``, the gunpowder
die in ``weapons/gunpowder``.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed, check_one_of
from astragal.games.game import Procedure
from astragal.play import Line, Play, Step, Tally, call, choose, note, then
from astragal.rules import catalogue

from ..artha import on_a_roll as artha
from ..conditions.mounted import RiderAct, elevation
from ..conditions.shield_cover import cover_from, shot_has_passed, shot_penalty
from ..sheet.ranged_weapons import (
    CLOSE,
    RangedWeapon,
    is_bomb,
    is_missile,
    ranged,
    shooting_actions,
)
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from ..sheet.weapon_tables import Weapon
from ..tests.attempts import TestResult
from .damage import Damage, Ims, sources, with_strength
from .from_the_saddle import while_it_moves
from .gunpowder import Misfire, gunpowder_die
from .loading import check_loaded, unload
from .missiles import (
    Head,
    aim_cost,
    aims,
    check_cover,
    check_may_use,
    default_location,
    extreme_penalty,
    head_of,
    numbers_of,
    obstacle_at,
    reach,
    stage_by_fate,
    success_bonus,
    throw_fate,
    va_of,
)
from .shaded_damage import shatters
from .wielding import (
    Attack,
    WeaponTest,
    aim_with,
    check_skill_left,
    hindrances,
    hit_or_miss,
    lighter_power,
    location_bears,
    roll_weapon,
    shatter,
    take_up,
    usual_skill,
)

RANGES = (CLOSE, "optimal", "extreme")


class Shot(Attack, frozen=True):
    """A shot or a throw.

    ``range`` is ``close`` in Fight!, else ``optimal`` or ``extreme``, and then ``cover`` counts;
    ``acquired`` says whether the shooter acquired the target, which matters only close up: a bow
    acquires it as it is drawn, unless it is a snapshot.
    ``hidden`` are the locations of the target that cannot be seen; ``paces`` is the distance, if
    it is known; ``head`` is the head of the arrow or bolt.
    """

    range: str = "optimal"
    cover: str = "open"
    acquired: bool = True
    hidden: tuple[str, ...] = ()
    paces: int = 0
    head: str = ""


class ShotOutcome(TestResult, frozen=True, kw_only=True):
    """How a shot came out; ``damage`` is before armor, and none for a miss.

    ``fate`` is the modified Die of Fate, ``ims`` the numbers of the weapon; ``misfire`` is how a
    gun failed to fire, and ``backfire`` what the shooter takes.
    """

    damage: Damage | None = None
    fate: Tally = Tally()
    ims: str = ""
    misfire: Misfire | None = None
    backfire: Damage | None = None


class ShotInFlight(msgspec.Struct, frozen=True):
    """A shot on its way: the shooter, the weapon, the range and what of the target is hidden."""

    character: str
    carried: Weapon
    weapon: RangedWeapon
    head: Head
    at: str
    hidden: tuple[str, ...]
    bonus: bool = False
    covered: str = ""
    """The area that the target's shield covers."""
    bears: bool = True
    """Whether it makes a difference what is hit."""

    def numbers(self, sheet: Sheet) -> Ims:
        """Its IMS."""
        return numbers_of(sheet, self.carried, self.weapon, self.head, with_bonus=self.bonus)

    def va(self, sheet: Sheet) -> int:
        """Its VA at this range."""
        return va_of(sheet, self.weapon, self.head, self.at)

    def damage(self, sheet: Sheet, fate: Tally, location: str) -> Damage:
        """What it does where it hits, by the Die of Fate."""
        damage = damage_by_fate(self.weapon, fate, location, self.numbers(sheet), self.va(sheet))
        if not self.weapon.thrown:
            return damage
        va = with_strength(self.weapon.va, sheet.ability("Power"))
        return msgspec.structs.replace(damage, va_by=sources(va))


NO_MATERIAL = Tally()
"""Nothing stands between a shooter and the target."""


def _has_missile_weapon(character: str, table: BurningTable) -> None:
    sheet = table.character(character)
    if not any(is_missile(each.weapon) for each in sheet.weapons):
        what = f"{sheet.name} has no bow, crossbow or gun"
        raise NotAllowed(what, "weapons.missile.fixed_ims")


def shoot(arguments: Shot, table: BurningTable) -> Play[ShotOutcome]:
    """Shoot a bow, a crossbow or a gun."""
    carried = take_up(table, arguments.character, arguments.weapon)
    if not is_missile(carried.weapon):
        expected = "a bow, a crossbow or a gun"
        raise BadInput("weapon", carried.called, expected, "weapons.missile.fixed_ims")
    return (yield from call(loose, arguments, carried, table))


def throw_weapon(arguments: Shot, table: BurningTable) -> Play[ShotOutcome]:
    """Throw a weapon, or anything else (weapons.thrown.dof)."""
    sheet = table.character(arguments.character)
    carried = take_up(table, arguments.character, arguments.weapon)
    check_may_use(sheet, carried.weapon)
    if not ranged(carried.weapon, table.options).thrown:
        expected = "a weapon that can be thrown"
        raise BadInput("weapon", carried.called, expected, "weapons.thrown.power")
    return (yield from call(loose, arguments, carried, table))


def loose(arguments: Shot, carried: Weapon, table: BurningTable) -> Play[ShotOutcome]:
    """Up to the roll, the same for shots and throws."""
    sheet = table.character(arguments.character)
    weapon = ranged(carried.weapon, table.options, carried.quality)
    head = head_of(carried, arguments.head)
    _check_shot(arguments, carried, weapon, head)
    skill = arguments.skill or usual_skill(carried, thrown=weapon.thrown, options=table.options)
    check_skill_left(table, arguments.character, skill)
    if weapon.gunpowder:
        seat = sheet.seat(arguments.character)
        misfire = yield from gunpowder_die(carried.called, seat)
        if misfire is not None:
            return then(misfired, arguments.character, carried, weapon, misfire, table)
    against = yield from against_shot(arguments.range, head, sheet, acquired=arguments.acquired)
    if arguments.range == CLOSE:  # riding.amb.bowman_shoot_maintain
        against += yield from while_it_moves(table, arguments.character, RiderAct.SHOT)
    above = elevation(table, arguments.character, arguments.target)
    shield, covered = shielded(arguments, arguments.range, weapon, head, table)
    against += shield
    bonus = False
    if weapon.thrown:
        bonus = yield from lighter_power(arguments.character, carried, table)
    base = obstacle_at(arguments.range, arguments.cover)
    named = arguments.range == CLOSE
    test = yield from aim_with(
        arguments,
        carried,
        base,
        against,
        table,
        thrown=weapon.thrown,
        named=named,
        dice=above if is_bow(carried.weapon) else (),
    )
    throw = yield from roll_weapon(test, table)
    shot = ShotInFlight(
        arguments.character,
        carried,
        weapon,
        head,
        arguments.range,
        arguments.hidden,
        bonus,
        covered,
        location_bears(arguments.target, table),
    )
    return then(after_shot, shot, test, throw, table)


def _check_shot(arguments: Shot, carried: Weapon, weapon: RangedWeapon, head: Head) -> None:
    rule = "weapons.shoot.range_conflict"
    check_range(arguments.range)
    check_cover(arguments.cover)
    default_location(arguments.hidden)
    if arguments.paces < 0:
        raise BadInput("paces", arguments.paces, "a distance in paces, or 0 if unknown", rule)
    if arguments.range != CLOSE:  # close up distance does not matter (weapons.shoot.fight_no_range)
        optimal, farthest = reach(weapon, head)
        limit = optimal if arguments.range == "optimal" else farthest
        if limit and arguments.paces > limit:
            expected = f"at most {limit} paces at {arguments.range} range"
            raise BadInput("paces", arguments.paces, expected, rule)
    check_loaded(carried, weapon)


def check_range(at: str) -> None:
    """Refuse a range that there is not."""
    check_one_of("range", at, RANGES, "weapons.shoot.range_conflict")


def against_shot(
    at: str,
    head: Head,
    sheet: Sheet,
    *,
    acquired: bool,
    without: tuple[str, ...] = (),
    lasting: bool = False,
) -> Step[tuple[Line, ...]]:
    """What raises the obstacle of this shot: the head, and close up the list of Fight!.

    ``without`` are conditions of that list which do not count here; in a fight what the GM says
    of the others is ``lasting``.
    """
    if at != CLOSE:
        return head.obstacle
    lines = yield from hindrances(
        "fight.table.missile_obstacles",
        f"Disadvantages on {sheet.name}'s shot" if lasting else f"Disadvantages ({sheet.name})",
        "fight.disadvantage.missile",
        without=(SNAPSHOT, *without),
        lasting=lasting,
        with_others=not lasting,
    )
    if not acquired:  # with a bow, too, if it is drawn an action short (fight.draw_bow.snapshot)
        lines += (snapshot(),)
    return lines + head.obstacle


def shielded(
    attack: Attack, at: str, weapon: RangedWeapon, head: Head, table: BurningTable
) -> tuple[tuple[Line, ...], str]:
    """What the target's shield adds close up, on top of all else, and the area it covers.

    armor.shield_missile.fight_stacks, armor.shield_missile.cover_area.
    """
    if at != CLOSE or not attack.target:
        return (), ""
    va = va_of(table.character(attack.character), weapon, head, at)
    cover = cover_from(table, attack.target, attack.character, va)
    lines = shot_penalty(table, attack.target, attack.character, va)
    return lines, "" if cover is None else cover.area


SNAPSHOT = "snapshot"


def snapshot() -> Line:
    """The penalty for a target that was not acquired (fight.acquire.snapshot)."""
    table = catalogue().table("fight.table.missile_obstacles")
    amount = table.number("ob_penalty", condition_code=SNAPSHOT)
    return Line(amount, SNAPSHOT, "fight.acquire.snapshot")


def is_bow(weapon: str) -> bool:
    """Whether drawing the weapon acquires the target (fight.acquire.not_for_bows).

    >>> is_bow("great bow"), is_bow("crossbow")
    (True, False)
    """
    row = shooting_actions(weapon)
    return row is not None and row["acquire"] == 0


# --- After the roll ------------------------------------------------------------------------


def shot_rolled(
    character: str,
    carried: Weapon,
    test: WeaponTest,
    throw: artha.ThrownDice,
    table: BurningTable,
    *,
    with_bonus: bool,
    logged: bool = True,
) -> Step[tuple[ShotOutcome, BurningTable]]:
    """Log the test of a shot or throw, and see what it does to the weapon."""
    result, table = yield from hit_or_miss(test, throw, table, logged=logged)
    table = yield from unload(table, character, carried, "fight.shoot.reload_totals")
    table = yield from shot_has_passed(table, character)
    if shatters(throw.successes, with_bonus=with_bonus):
        table = yield from shatter(table, character, carried)
    return ShotOutcome.of(result), table


def after_shot(
    shot: ShotInFlight, test: WeaponTest, throw: artha.ThrownDice, table: BurningTable
) -> Play[ShotOutcome]:
    """Log the test, and see whether it hits."""
    outcome, table = yield from shot_rolled(
        shot.character, shot.carried, test, throw, table, with_bonus=shot.bonus
    )
    return then(hit, shot, outcome, table) if outcome.passed else outcome


def hit(shot: ShotInFlight, outcome: ShotOutcome, table: BurningTable) -> Play[ShotOutcome]:
    """Where it hits, and the stage by the Die of Fate."""
    sheet = table.character(shot.character)
    location, fate = yield from place_and_fate(shot, outcome, table)
    damage = shot.damage(sheet, fate, location)
    ims = str(shot.numbers(sheet))
    text = f"{sheet.name} hits: {damage} (IMS {ims}; Die of Fate {fate.total})."
    yield from note(text, "weapons.dof.decides_stage")
    return msgspec.structs.replace(outcome, damage=damage, fate=fate, ims=ims)


def place_and_fate(
    shot: ShotInFlight, outcome: ShotOutcome, table: BurningTable, material: Tally = NO_MATERIAL
) -> Step[tuple[str, Tally]]:
    """Where a shot hits, and its Die of Fate with all that modifies it.

    ``material`` is what stands between the shooter and the target.
    """
    location, modifiers = yield from place_and_modify(shot, outcome, table)
    modifiers += material
    seat = table.character(shot.character).seat(shot.character)
    return location, (yield from throw_fate(shot.weapon, modifiers, seat))


def place_and_modify(
    shot: ShotInFlight, outcome: ShotOutcome, table: BurningTable
) -> Step[tuple[str, Tally]]:
    """Where a shot hits, and what shot and successes do to its Die of Fate."""
    location = default_location(shot.hidden)
    if not is_bomb(shot.weapon.name):
        location = yield from place_shot(
            shot.character, outcome.margin, shot.hidden, table, shot.covered, bears=shot.bears
        )
    aim = aim_cost(location, shot.hidden, shot.covered)
    modifiers = Tally(success_bonus(outcome.successes, aim, outcome.obstacle.total))
    return location, modifiers + (extreme_penalty(shot.at) + shot.head.dof)


def place_shot(
    character: str,
    extra: int,
    hidden: tuple[str, ...],
    table: BurningTable,
    covered: str = "",
    *,
    bears: bool,
) -> Step[str]:
    """The shooter may move the hit with extra successes; the target has no say.

    weapons.shoot.move_limb, weapons.shoot.move_head.
    """
    options = aims(extra, hidden, covered)
    default = default_location(hidden, covered)
    if len(options) < 2:
        return default
    return (
        yield from choose(
            table.character(character).seat(character),
            "aim",
            f"Location to hit ({extra} extra; default: {default})",
            options,
            default=default,
            because="weapons.shoot.move_limb",
            kind="offered" if bears else "aside",
        )
    )


def damage_by_fate(
    weapon: RangedWeapon, fate: Tally, location: str, numbers: Ims, va: int
) -> Damage:
    """What a hit does by its Die of Fate (weapons.dof.decides_stage)."""
    stage = stage_by_fate(weapon.bands, fate.total)
    return Damage(location, stage, numbers.shade, numbers.at(stage), va)


# --- A gun that does not fire --------------------------------------------------------------


def misfired(
    character: str, carried: Weapon, weapon: RangedWeapon, misfire: Misfire, table: BurningTable
) -> Play[ShotOutcome]:
    """A gun does not fire."""
    outcome, _ = yield from misfire_of(character, carried, weapon, misfire, table)
    return outcome


def misfire_of(
    character: str, carried: Weapon, weapon: RangedWeapon, misfire: Misfire, table: BurningTable
) -> Step[tuple[ShotOutcome, BurningTable]]:
    """No shot: the gun jams, or goes off in the shooter's face; either way it must be reloaded.

    weapons.gun.jam, weapons.gun.backfire; in Range and Cover the shot is spent
    (weapons.amb.gunpowder_die_in_range_conflict).
    """
    sheet = table.character(character)
    table = yield from unload(table, character, carried, "weapons.gun.jam")
    if misfire is Misfire.JAM:
        return ShotOutcome(passed=False, misfire=misfire), table
    # The plain die, without modifiers (weapons.amb.gunpowder_backfire_details).
    fate = yield from throw_fate(weapon, Tally(), sheet.seat(character))
    location = BACKFIRES[table.options["weapons_backfire_location"]]
    numbers = numbers_of(sheet, carried, weapon, head_of(carried, ""))
    va = va_of(sheet, weapon, head_of(carried, ""), CLOSE)
    damage = damage_by_fate(weapon, fate, location, numbers, va)
    yield from note(f"{sheet.name} is hit: {damage}.", "weapons.gun.backfire")
    return ShotOutcome(passed=False, misfire=misfire, backfire=damage, fate=fate), table


BACKFIRES = {"torso": "torso", "hands": "arms", "head": "head"}
"""Where a backfire hits, by the table's option (weapons.amb.gunpowder_backfire_details)."""


PROCEDURES = (
    Procedure("shoot", "Shoot a bow, crossbow or gun", Shot, shoot, check=_has_missile_weapon),
    Procedure("throw_weapon", "Throw a weapon", Shot, throw_weapon),
)
