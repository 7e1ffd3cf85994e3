"""Rolls, collisions and falls: what they do to rider and beast.

A section of the chapter on riding (``riding``). All of them are Throws against something
(``materials/thrown_against``). What is found here are the hits; ``apply_hits`` lets them land, and
a fight does that in its own way.
"""

from __future__ import annotations

import msgspec

from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Line, Play, Step, Tally, call, choose, note
from astragal.rules import catalogue

from ..armor.hits import HitOutcome, IncomingHit, Protection, take_hit
from ..conditions.mounted import check_seated, mount_of, mount_reaction, seated
from ..materials.thrown_against import GROUND, surface_struck, throw_numbers, throw_va
from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated
from ..tests.attempts import TestResult
from ..weapons.damage import Damage, Stage, sources
from ..weapons.locations import TORSO, areas
from .mounts import out_of_saddle
from .riding_tests import hold_on

REAR, ROLL = "rear", "roll"
ANIMAL = "another horse or animal"


class Fallen(msgspec.Struct, frozen=True):
    """What came of a mishap in the saddle: whether the rider stayed on, and who is hit.

    ``test`` is the Riding test that said so, if there was one.
    """

    stayed: bool
    hits: tuple[IncomingHit, ...] = ()
    test: TestResult | None = None


Mishap = tuple[Fallen, BurningTable]


def level_of(margin: int) -> Stage:
    """How bad it is, by the successes that were missing (riding.collision.level).

    A roll has the same levels (riding.amb.roll_successes).

    >>> [level_of(missing).value for missing in (1, 2, 3, 5)]
    ['incidental', 'incidental', 'mark', 'superb']
    """
    table = catalogue().table("riding.table.collision_level")
    said = str(table.band(max(1, margin), "margin_of_failure", "damage_level"))
    return Stage(said.casefold())


def holding_on(why: str) -> Line:
    """The obstacle of staying in the saddle: 4 if the mount rolls, 2 if it rears or bucks.

    riding.roll.stay_mounted, riding.steel.rear_or_buck.
    """
    rule = "riding.steel.rear_or_buck" if why == REAR else "riding.roll.stay_mounted"
    label = "a rearing mount" if why == REAR else "a falling mount"
    return Line(mount_reaction(why).number("rider_ob"), label, rule)


# --- What hits whom --------------------------------------------------------------------------


def thrown_hit(
    victim: str,
    power: Rated,
    surface: tuple[str, int],
    stage: Stage,
    table: BurningTable,
    rule: str,
    location: str = TORSO,
) -> Step[IncomingHit | None]:
    """The hit of a body that is thrown against a surface; none if it lands softly.

    A roll: the Power of the horse, and the ground as the weapon (riding.roll.damage,
    riding.roll.ground_strength). A collision: its Speed, and what it runs into
    (riding.collision.power), where animals have Strength 0 (riding.collision.animals).
    """
    what, strength = surface
    sheet = table.character(victim)
    mark = Tally.of(power.exponent, power.name, rule) + Line(strength, what, rule)
    numbers = throw_numbers(mark.total)
    if numbers is None:
        yield from note(f"{sheet.name} lands softly and is not hurt.", rule)
        return None
    va = throw_va(power)
    number = numbers.at(stage)
    damage = Damage(location, stage, numbers.shade, number, va.total, sources(va))
    yield from note(f"{sheet.name} hits {what}. {damage}.", rule)
    return IncomingHit(
        character=victim,
        damage=damage,
        chooser=sheet.seat(victim),
        protection=Protection.HARD_ONLY,
        source=f"thrown against: {what}",
    )


def landing(victim: str, table: BurningTable) -> Step[str]:
    """Where a rider lands: on the back, unless the player says otherwise.

    materials.throw.lands_on_back.
    """
    sheet = table.character(victim)
    return (
        yield from choose(
            sheet.seat(victim),
            "landing",
            f"{sheet.name} lands on",
            {area: area.capitalize() for area in areas()},
            default=TORSO,
            because="materials.throw.lands_on_back",
            kind="offered" if sheet.armor else "aside",
        )
    )


def thrown_off(
    rider: str, mount: str, stage: Stage, table: BurningTable, rule: str, surface: str = GROUND
) -> Step[Mishap]:
    """A rider falls to the ground: out of the saddle, and hurt as by a Throw of the horse's Power.

    riding.roll.damage, riding.amb.thrown_consequences.
    """
    name = table.character(rider).name
    yield from note(f"{name} is thrown from the saddle.", rule)
    table = yield from out_of_saddle(table, rider, rule)
    struck = yield from surface_struck(surface)
    power = table.character(mount).ability("Power", f"{mount}.stats.Power")
    location = yield from landing(rider, table)
    hit = yield from thrown_hit(rider, power, struck, stage, table, rule, location)
    return Fallen(stayed=False, hits=() if hit is None else (hit,)), table


# --- The mishaps -----------------------------------------------------------------------------


def mount_rolls(
    rider: str, margin: int, table: BurningTable, surface: str = GROUND, *, in_fight: bool = False
) -> Step[Mishap]:
    """The mount stumbles and rolls: Riding to stay on, or hurt by the ground.

    riding.roll.stay_mounted; who stays on is not hurt (riding.amb.roll_successes).
    """
    mount = mount_of(table, rider)
    result, table = yield from hold_on(rider, holding_on(ROLL), table, in_fight=in_fight)
    if result.passed:
        return Fallen(stayed=True, test=result), table
    stage, rule = level_of(margin), "riding.roll.damage"
    fallen, table = yield from thrown_off(rider, mount, stage, table, rule, surface)
    return msgspec.structs.replace(fallen, test=result), table


def mount_rears(
    rider: str, table: BurningTable, surface: str = GROUND, *, in_fight: bool = False
) -> Step[Mishap]:
    """The mount rears or bucks: Riding, or the rider is thrown (riding.steel.rear_or_buck).

    How badly is said by how far the Riding test has failed (riding.amb.thrown_consequences).
    """
    mount = mount_of(table, rider)
    result, table = yield from hold_on(rider, holding_on(REAR), table, in_fight=in_fight)
    if result.passed:
        return Fallen(stayed=True, test=result), table
    stage, rule = level_of(-result.margin), "riding.steel.rear_or_buck"
    fallen, table = yield from thrown_off(rider, mount, stage, table, rule, surface)
    return msgspec.structs.replace(fallen, test=result), table


def mount_collides(
    rider: str, margin: int, surface: tuple[str, int], struck: str, table: BurningTable
) -> Step[Mishap]:
    """The mount runs into something: both are hurt, and the rider if he does not stay on.

    riding.collision.power, riding.amb.collision_victims: the mount takes the damage, an animal
    that is ``struck`` the same, and so does a rider who fails the Riding test.
    """
    mount, rule = mount_of(table, rider), "riding.collision.power"
    speed = table.character(mount).ability("Speed", f"{mount}.stats.Speed")
    stage = level_of(margin)
    result, table = yield from hold_on(rider, holding_on(ROLL), table)
    victims = [mount, struck] if struck else [mount]
    if not result.passed:
        text = f"{table.character(rider).name} is thrown from the saddle."
        yield from note(text, "riding.roll.stay_mounted")
        table = yield from out_of_saddle(table, rider, "riding.roll.stay_mounted")
        victims.append(rider)
    hits = []
    for victim in victims:
        location = (yield from landing(victim, table)) if victim == rider else TORSO
        hit = yield from thrown_hit(victim, speed, surface, stage, table, rule, location)
        hits += [] if hit is None else [hit]
    return Fallen(stayed=result.passed, hits=tuple(hits), test=result), table


def apply_hits(
    hits: tuple[IncomingHit, ...], table: BurningTable
) -> Step[tuple[tuple[HitOutcome, ...], BurningTable]]:
    """Let hits land, one after the other: hard armor, wounds, Steel."""
    suffered: tuple[HitOutcome, ...] = ()
    for hit in hits:
        outcome, table = yield from call(take_hit, hit, table)
        suffered += (outcome,)
    return suffered, table


# --- By the GM's word ------------------------------------------------------------------------


class StayInSaddle(Arguments, frozen=True):
    """Whose mount rears, bucks or goes down; ``surface`` is what is beneath, or the GM chooses."""

    character: str
    surface: str = GROUND


class SaddleTest(Outcome, frozen=True):
    """Whether the rider stayed on, and what the fall did; ``test`` is the Riding test."""

    passed: bool
    suffered: tuple[HitOutcome, ...] = ()
    test: TestResult | None = None


def stay_in_saddle(arguments: StayInSaddle, table: BurningTable) -> Play[SaddleTest]:
    """A mount rears or bucks, or goes down under its rider.

    riding.steel.rear_or_buck, riding.roll.stay_mounted. A roll without a
    Speed test behind it is Incidental.
    """
    seated(table, arguments.character)
    said = yield from choose(
        GM,
        "mount_does",
        "The mount",
        {REAR: "Rears or bucks", ROLL: "Goes down"},
        default=REAR,
        because="riding.steel.rear_or_buck",
    )
    if said == REAR:
        fallen, table = yield from mount_rears(arguments.character, table, arguments.surface)
    else:
        fallen, table = yield from mount_rolls(arguments.character, 1, table, arguments.surface)
    suffered, _ = yield from apply_hits(fallen.hits, table)
    return SaddleTest(fallen.stayed, suffered, fallen.test)


PROCEDURES = (
    Procedure(
        "stay_in_saddle",
        "Stay in the saddle",
        StayInSaddle,
        stay_in_saddle,
        gm_only=True,
        check=check_seated,
    ),
)
