"""Shooting your opponent: a shot or a throw, from the roll to the damage.

At a distance a shot belongs to Range and Cover (weapons.shoot.range_conflict), close up to
Fight!; each of them says where the shooter stands, and what is played here is the same for both.
The numbers are in ``weapons/missiles``; guns have a die of their own, at the end of this module.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.artha import on_a_roll as artha
from astragal.games.burning_wheel.conditions.shield_cover import cover_from, shot_penalty
from astragal.games.burning_wheel.sheet.facts import TestCame
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.sheet import Sheet
from astragal.games.burning_wheel.sheet.weapon_tables import (
    CLOSE,
    RangedWeapon,
    Weapon,
    is_bomb,
    is_missile,
    is_reloaded,
    ranged,
    shooting_actions,
)
from astragal.games.burning_wheel.sheet.weapons_carried import armed_with, place_of
from astragal.games.burning_wheel.tests.attempts import after_test
from astragal.games.burning_wheel.tests.die_of_fate import FATEFUL, FateConditions, throw_openly
from astragal.games.burning_wheel.weapons.damage import Damage, Ims
from astragal.games.burning_wheel.weapons.missiles import (
    Head,
    aim_cost,
    aims,
    allowed_to,
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
from astragal.games.burning_wheel.weapons.shaded_damage import add_bonus, shatters
from astragal.games.burning_wheel.weapons.wielding import (
    Aimed,
    Attack,
    aim_with,
    hindrances,
    roll_weapon,
    shatter,
    take_up,
)
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    Line,
    Noted,
    Play,
    Seat,
    Step,
    Tally,
    call,
    choose,
    tell,
    then,
)
from astragal.rules import catalogue

RANGES = (CLOSE, "optimal", "extreme")
COVERS = ("open", "reasonable_cover", "dense_cover_or_fortification")


class Shot(Attack, frozen=True):
    """A shot or a throw at somebody.

    ``range`` is ``close`` in Fight!, else ``optimal`` or ``extreme``, and then ``cover`` counts;
    ``acquired`` says whether the target was taken aim at, which is a question close up only.
    ``hidden`` are the locations of the target that cannot be seen; ``paces`` how far away it is,
    where that is known; ``head`` what is on the arrow or bolt.
    """

    range: str = "optimal"
    cover: str = "open"
    acquired: bool = True
    hidden: tuple[str, ...] = ()
    paces: int = 0
    head: str = ""


class ShotOutcome(Outcome, frozen=True):
    """How a shot came out; ``damage`` is before armor, and none for a miss.

    ``fate`` is the modified Die of Fate; a gun's ``misfire`` says what became of the shot, and
    ``backfire`` what the shooter takes.
    """

    passed: bool
    successes: int = 0
    obstacle: Tally = Tally()
    dice: Tally = Tally()
    damage: Damage | None = None
    fate: Tally = Tally()
    earned: str = ""
    misfire: Misfire | None = None
    backfire: Damage | None = None


class Loosed(msgspec.Struct, frozen=True):
    """A shot on its way: whose, with what, where to and how far."""

    character: str
    carried: Weapon
    weapon: RangedWeapon
    head: Head
    at: str
    hidden: tuple[str, ...]
    bonus: bool = False
    covered: str = ""
    """The area that the target's shield covers."""


def shoot(arguments: Shot, table: BurningTable) -> Play[ShotOutcome]:
    """Shoot a bow, a crossbow or a gun at somebody."""
    carried = take_up(table, arguments.character, arguments.weapon)
    if not is_missile(carried.weapon):
        expected = "a bow, a crossbow or a gun"
        raise BadInput("weapon", carried.called, expected, "weapons.missile.fixed_ims")
    return (yield from call(loose, arguments, carried, table))


def throw_weapon(arguments: Shot, table: BurningTable) -> Play[ShotOutcome]:
    """Throw a weapon, or anything else, at somebody (weapons.thrown.dof)."""
    sheet = table.character(arguments.character)
    carried = take_up(table, arguments.character, arguments.weapon)
    allowed_to(sheet, carried.weapon)
    if not ranged(carried.weapon, table.options).thrown:
        expected = "something that is thrown from the hand"
        raise BadInput("weapon", carried.called, expected, "weapons.thrown.power")
    return (yield from call(loose, arguments, carried, table))


def loose(arguments: Shot, carried: Weapon, table: BurningTable) -> Play[ShotOutcome]:
    """Up to the roll, the same for shots and throws."""
    sheet = table.character(arguments.character)
    weapon = ranged(carried.weapon, table.options)
    head = head_of(carried, arguments.head)
    _check_shot(arguments, carried, weapon, head)
    if weapon.gunpowder:
        seat = sheet.seat(arguments.character)
        misfire = yield from gunpowder_die(carried.called, seat)
        if misfire is not None:
            return then(misfired, arguments.character, carried, weapon, misfire, table)
    against = yield from _against(arguments, carried, head, sheet)
    shielded, covered = _shield(arguments, weapon, head, table)
    against += shielded
    bonus = False
    if weapon.thrown:
        seat, shade = sheet.seat(arguments.character), Shade.parse(carried.shade)
        power = sheet.ability("Power", "stats").rating
        bonus = yield from add_bonus(seat, power, shade, carried.called)
    base, _ = obstacle_at(arguments.range, arguments.cover)
    aimed = yield from aim_with(arguments, carried, base, against, table, thrown=weapon.thrown)
    lying = yield from roll_weapon(aimed, table)
    loosed = Loosed(
        arguments.character,
        carried,
        weapon,
        head,
        arguments.range,
        arguments.hidden,
        bonus,
        covered,
    )
    return then(after_shot, loosed, aimed, lying, table)


def _check_shot(arguments: Shot, carried: Weapon, weapon: RangedWeapon, head: Head) -> None:
    rule = "weapons.shoot.range_conflict"
    for field, known in (("range", RANGES), ("cover", COVERS)):
        if getattr(arguments, field) not in known:
            raise BadInput(field, getattr(arguments, field), f"one of {', '.join(known)}", rule)
    default_location(arguments.hidden)
    if arguments.paces < 0:
        raise BadInput("paces", arguments.paces, "0 (not measured) or more", rule)
    if arguments.range != CLOSE:  # close up distance does not matter (weapons.shoot.fight_no_range)
        optimal, farthest = reach(weapon, head)
        limit = optimal if arguments.range == "optimal" else farthest
        if limit and arguments.paces > limit:
            expected = f"at most {limit} paces at {arguments.range} range"
            raise BadInput("paces", arguments.paces, expected, rule)
    if is_reloaded(carried.weapon) and not carried.loaded:
        what = f"the {carried.called} is not loaded"
        raise NotAllowed(
            what, "weapons.gun.jam" if weapon.gunpowder else "fight.shoot.reload_totals"
        )


def _against(arguments: Shot, carried: Weapon, head: Head, sheet: Sheet) -> Step[tuple[Line, ...]]:
    """What raises the obstacle of this shot: the head, and close up Fight!'s own list."""
    if arguments.range != CLOSE:
        return head.obstacle
    lines = yield from hindrances(
        "fight.table.missile_obstacles",
        f"What hampers {sheet.name}'s shot?",
        "fight.disadvantage.missile",
        without=(SNAPSHOT,),
    )
    if not arguments.acquired and not is_bow(carried.weapon):
        lines += (snapshot(),)
    return lines + head.obstacle


def _shield(
    arguments: Shot, weapon: RangedWeapon, head: Head, table: BurningTable
) -> tuple[tuple[Line, ...], str]:
    """What the target's shield adds close up, on top of all else, and the area it covers.

    armor.shield_missile.fight_stacks, armor.shield_missile.cover_area.
    """
    if arguments.range != CLOSE or not arguments.target:
        return (), ""
    va = va_of(table.character(arguments.character), weapon, head, arguments.range)
    cover = cover_from(table, arguments.target, arguments.character, va)
    lines = shot_penalty(table, arguments.target, arguments.character, va)
    return lines, "" if cover is None else cover.area


SNAPSHOT = "snapshot"


def snapshot() -> Line:
    """What a shot at a target costs that nobody took aim at (fight.acquire.snapshot)."""
    table = catalogue().table("fight.table.missile_obstacles")
    amount = table.number("ob_penalty", condition_code=SNAPSHOT)
    return Line(amount, SNAPSHOT, "fight.acquire.snapshot")


def is_bow(weapon: str) -> bool:
    """Whether the target is acquired in the draw, free of charge (fight.acquire.not_for_bows).

    >>> is_bow("great bow"), is_bow("crossbow")
    (True, False)
    """
    row = shooting_actions(weapon)
    return row is not None and row["acquire"] == 0


# --- With the dice seen --------------------------------------------------------------------


def after_shot(
    loosed: Loosed, aimed: Aimed, lying: artha.Throw, table: BurningTable
) -> Play[ShotOutcome]:
    """Log the test, and see whether it hits."""
    obstacle = aimed.obstacle.total
    extra = lying.successes - obstacle
    name = table.character(loosed.character).name
    verdict = "A hit." if extra >= 0 else "A miss."
    yield from tell(TestCame(name, lying.successes, verdict, extra >= 0))
    table, earned = yield from after_test(
        aimed.attempt, lying, obstacle, table, passed=extra >= 0, base=aimed.base
    )
    table = yield from unload(table, loosed.character, loosed.carried, "fight.shoot.reload_totals")
    if shatters(lying.successes, with_bonus=loosed.bonus):
        table = yield from shatter(table, loosed.character, loosed.carried)
    outcome = ShotOutcome(
        passed=extra >= 0,
        successes=lying.successes,
        obstacle=aimed.obstacle,
        dice=aimed.attempt.all_dice,
        earned=earned,
    )
    if extra < 0:
        return outcome
    return then(hit, loosed, obstacle, outcome, table)


def hit(
    loosed: Loosed, obstacle: int, outcome: ShotOutcome, table: BurningTable
) -> Play[ShotOutcome]:
    """Where it hits, and what the Die of Fate makes of it."""
    sheet = table.character(loosed.character)
    location = default_location(loosed.hidden)
    if not is_bomb(loosed.weapon.name):
        extra = outcome.successes - obstacle
        location = yield from place_shot(
            loosed.character, extra, loosed.hidden, table, loosed.covered
        )
    aim = aim_cost(location, loosed.hidden, loosed.covered)
    modifiers = Tally(success_bonus(outcome.successes, aim, obstacle))
    modifiers += extreme_penalty(loosed.at) + loosed.head.dof
    numbers = numbers_of(sheet, loosed.carried, loosed.weapon, loosed.head, with_bonus=loosed.bonus)
    va = va_of(sheet, loosed.weapon, loosed.head, loosed.at)
    seat = sheet.seat(loosed.character)
    fate = yield from throw_fate(loosed.weapon, modifiers, seat)
    damage = damage_by_fate(loosed.weapon, fate, location, numbers, va)
    yield from tell(Noted(f"{sheet.name} hits. {damage}.", "weapons.dof.decides_stage"))
    return msgspec.structs.replace(outcome, damage=damage, fate=fate)


def place_shot(
    character: str, extra: int, hidden: tuple[str, ...], table: BurningTable, covered: str = ""
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
            f"{extra} extra successes. Move the hit from the {default}?",
            options,
            default=default,
            because="weapons.shoot.move_limb",
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
    """No shot: the gun jams, or goes off in the shooter's face; either way it must be reloaded.

    weapons.gun.jam, weapons.gun.backfire; in Range and Cover the shot is spent
    (weapons.amb.gunpowder_die_in_range_conflict).
    """
    sheet = table.character(character)
    table = yield from unload(table, character, carried, "weapons.gun.jam")
    if misfire is Misfire.JAM:
        return ShotOutcome(passed=False, misfire=misfire)
    # The plain die, without modifiers (weapons.amb.gunpowder_backfire_details).
    fate = yield from throw_fate(weapon, Tally(), sheet.seat(character))
    location = BACKFIRES[table.options["weapons_backfire_location"]]
    numbers = numbers_of(sheet, carried, weapon, head_of(carried, ""))
    va = va_of(sheet, weapon, head_of(carried, ""), CLOSE)
    damage = damage_by_fate(weapon, fate, location, numbers, va)
    yield from tell(Noted(f"{sheet.name} is hit. {damage}.", "weapons.gun.backfire"))
    return ShotOutcome(passed=False, misfire=misfire, backfire=damage, fate=fate)


BACKFIRES = {"torso": "torso", "hands": "arms", "head": "head"}
"""Where a backfire hits, as the group reads it (weapons.amb.gunpowder_backfire_details)."""


# --- Loading -------------------------------------------------------------------------------


class Reload(Arguments, frozen=True):
    """Who loads what."""

    character: str
    weapon: str


class Loaded(Outcome, frozen=True):
    """How many actions of Fight! it took, Acquire Target aside."""

    actions: int


def unload(
    table: BurningTable, character: str, carried: Weapon, because: str
) -> Step[BurningTable]:
    """A crossbow or a gun that was fired, or would not fire, is empty."""
    sheet = table.character(character)
    if not is_reloaded(carried.weapon) or carried not in sheet.weapons:
        return table
    path = f"{place_of(sheet, carried)}.loaded"
    return (yield from table.amend(character, path, False, because=because))


def reload(arguments: Reload, table: BurningTable) -> Play[Loaded]:
    """Load a crossbow or a gun again, from the beginning (weapons.gun.jam)."""
    sheet = table.character(arguments.character)
    carried = armed_with(sheet, arguments.weapon)
    row = shooting_actions(carried.weapon)
    if row is None or not is_reloaded(carried.weapon) or carried.loaded:
        expected = "a crossbow or a gun that is not loaded"
        raise BadInput("weapon", carried.called, expected, "weapons.gun.jam")
    path = f"{place_of(sheet, carried)}.loaded"
    because = "fight.shoot.reload_totals"
    yield from table.amend(arguments.character, path, True, because=because)
    actions = row.number("total_listed") - row.number("acquire")
    text = f"{sheet.name} reloads the {carried.called}: {actions} actions."
    yield from tell(Noted(text, because))
    return Loaded(actions)


# --- The gunpowder die ------------------------------------------------------------------------


WORSE = 3
"""Up to this face of the second throw it is the worse of the two mishaps."""


class Misfire(Enum):
    """What becomes of a gun that does not fire (weapons.amb.gunpowder_wording)."""

    JAM = "jam"
    BACKFIRE = "backfire"


def gunpowder_die(gun: str, owner: Seat) -> Step[Misfire | None]:
    """Throw the gunpowder die before the roll to hit (weapons.gun.gunpowder_die).

    On a 1 there is no shot, and it is thrown again to see how it went wrong
    (weapons.gun.misfire_on_one): jammed on 4 to 6 (weapons.gun.jam), a backfire on 1 to 3
    (weapons.gun.backfire).
    """
    said = FateConditions(f"the {gun} does not fire", "the shot goes on")
    face = yield from throw_openly(said, f"the gunpowder die, {gun}", owner)
    if face != FATEFUL:
        return None
    rule = "weapons.gun.misfire_on_one"
    yield from tell(Noted(f"The {gun} does not fire.", rule))
    again = Noted(f"Again: on 1 to {WORSE} it backfires, else it jams.", rule)
    if (yield from throw_openly(again, f"the gunpowder die again, {gun}", owner)) > WORSE:
        text = f"The {gun} jams, and must be reloaded completely."
        yield from tell(Noted(text, "weapons.gun.jam"))
        return Misfire.JAM
    yield from tell(Noted(f"The {gun} backfires.", "weapons.gun.backfire"))
    return Misfire.BACKFIRE


PROCEDURES = (
    Procedure("shoot", "A shot with a bow, a crossbow or a gun", Shot, shoot),
    Procedure("throw_weapon", "A weapon is thrown at somebody", Shot, throw_weapon),
    Procedure("reload", "Load a crossbow or a gun", Reload, reload),
)
