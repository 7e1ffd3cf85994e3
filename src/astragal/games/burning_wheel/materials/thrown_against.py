"""Thrown against the wall: the ground, or what stands on it, as the weapon of a Throw.

A part of the chapter on materials (``materials/materials``). The Throw itself, with its roll and
defence, belongs to Fight!: the successes of both are given here. Rolling horses and collisions use
:func:`throw_numbers` and :func:`stage_of_throw`.
"""

from __future__ import annotations

from functools import cache

import msgspec

from astragal.errors import BadInput, check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Line,
    Number,
    Option,
    Play,
    Step,
    Tally,
    ask,
    call,
    choose,
    confirm,
    note,
    then,
)
from astragal.rules import catalogue

from ..armor.hits import HitOutcome, IncomingHit, Protection, take_hit
from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated
from ..sheet.weapon_tables import HUGE_POWER
from ..weapons.damage import Damage, Ims, Stage, ims, sources
from ..weapons.locations import TORSO, areas
from .materials import material_named, materials

GROUND = "ground"
"""The surface that is always there (materials.amb.throw_every_time)."""

USUAL_GROUND = "hard-packed dirt road"
MOST = 99
"""More successes are a slip of the keyboard."""

# --- Surfaces --------------------------------------------------------------------------------


@cache
def grounds() -> dict[str, int]:
    """The Strength of natural ground (``materials.table.ground_strength``).

    It counts for throws, too (materials.amb.ground_strengths).

    >>> grounds()["soft earth or mud"]
    -3
    """
    rows = catalogue().table("materials.table.ground_strength").records()
    return {str(row["surface"]): row.number("strength") for row in rows}


def strength_of(surface: str) -> int:
    """The Strength of a surface, a material or natural ground."""
    known = " ".join(surface.casefold().split())
    if known in grounds():
        return grounds()[known]
    if known in materials():
        return material_named(known).strength
    names = ", ".join((GROUND, *grounds(), *materials()))
    raise BadInput("surface", surface, f"one of {names}", "materials.throw.what")


# --- What it does ----------------------------------------------------------------------------


def throw_mark(power: Rated, surface: str, strength: int) -> Tally:
    """The Mark of a Throw: the thrower's Power and the Strength of the surface.

    materials.throw.ims, materials.stat.strength.
    """
    mark = Tally.of(power.rating.exponent, "Power", "materials.throw.ims")
    return mark + Line(strength, surface, "materials.stat.strength") if strength else mark


def throw_numbers(mark: int) -> Ims | None:
    """Half of the Mark rounded up, the Mark, half as much again rounded down.

    materials.throw.ims. A Mark of zero does nothing (materials.amb.ground_strengths).

    >>> str(throw_numbers(11))
    'B6/B11/B16'
    """
    return ims(mark) if mark > 0 else None


def throw_va(power: Rated) -> Tally:
    """The VA of a throw (materials.throw.va), one more for a very strong thrower.

    materials.throw.va_power_seven.
    """
    va = Tally.of(1, "throw", "materials.throw.va")
    if power.rating.exponent >= HUGE_POWER:
        va += Line(1, f"{power.name} {power.rating}", "materials.throw.va_power_seven")
    return va


def stage_of_throw(successes: int) -> Stage | None:
    """The stage that the successes of a Throw reach, None where it has failed.

    ``materials.table.throw_result``: a Strike at Ob 1 with Add 2 (materials.throw.successes).

    >>> stage_of_throw(2), stage_of_throw(3)
    (<Stage.INCIDENTAL: 'incidental'>, <Stage.MARK: 'mark'>)
    """
    table = catalogue().table("materials.table.throw_result")
    hit = str(table.band(max(0, successes), "margin_of_throw", "hit"))
    return next((stage for stage in Stage if stage.value == hit.casefold()), None)


# --- The Throw is resolved -------------------------------------------------------------------


class ThrowAgainst(Arguments, frozen=True):
    """A Throw that was rolled: its successes, those of the defence, and against what.

    ``surface`` is a material or a kind of ground; with ``ground`` the GM chooses.
    """

    character: str
    target: str
    successes: int
    defence: int = 0
    surface: str = GROUND


class ThrowAgainstOutcome(Outcome, frozen=True):
    """How a Throw ended.

    ``paces`` is how far the victim flew, ``distances`` how many fighting distances were paid for;
    ``suffered`` is none if the surface was not used as a weapon, or did nothing.
    """

    passed: bool
    margin: int
    surface: str = ""
    paces: int = 0
    distances: int = 0
    placed: bool = False
    location: str = ""
    mark: Tally = Tally()
    ims: str = ""
    va: Tally = Tally()
    to_damage: int = 0
    suffered: HitOutcome | None = None


def throw_against(arguments: ThrowAgainst, table: BurningTable) -> Play[ThrowAgainstOutcome]:
    """A Throw has been rolled: the victim flies, lands, and may be hurt by the surface.

    materials.throw.what. Paces flown cost nothing (materials.throw.distance); successes spent on
    placing or on fighting distances do no damage (materials.amb.throw_success_uses).
    """
    for field in ("successes", "defence"):
        rule = "materials.throw.successes"
        check_between(field, getattr(arguments, field), 0, MOST, rule, unit="successes")
    table.character(arguments.target, "target")
    if arguments.target == arguments.character:
        raise BadInput("target", arguments.target, "another character", "materials.throw.what")
    thrown = yield from fly(arguments, table)
    return then(landed, arguments, thrown, table) if thrown.passed else thrown


def fly(arguments: ThrowAgainst, table: BurningTable) -> Step[ThrowAgainstOutcome]:
    """The victim flies: how far, where to, and what is left of the Throw for damage."""
    thrower = table.character(arguments.character)
    victim = table.character(arguments.target)
    surface, strength = yield from surface_struck(arguments.surface)
    margin = arguments.successes - arguments.defence
    if stage_of_throw(margin) is None:
        yield from note(f"{thrower.name}'s Throw fails.", "materials.throw.successes")
        return ThrowAgainstOutcome(False, margin, surface)
    paces = "1 pace" if margin == 1 else f"{margin} paces"
    yield from note(f"{victim.name} is thrown {paces}.", "materials.throw.distance")
    location, spent = yield from _landing(arguments, margin, table)
    distances = yield from _toss(arguments, margin - spent, table)
    power = thrower.ability("Power", "stats")
    return ThrowAgainstOutcome(
        passed=True,
        margin=margin,
        surface=surface,
        paces=margin,
        distances=distances,
        placed=bool(spent),
        location=location,
        mark=throw_mark(power, surface, strength),
        va=throw_va(power),
        to_damage=margin - spent - TOSS * distances,
    )


def surface_struck(named: str) -> Step[tuple[str, int]]:
    """The surface and its Strength; the GM says what the ground is like."""
    if named.casefold().strip() != GROUND:
        return named, strength_of(named)
    rule = "materials.amb.ground_strengths"
    options = tuple(
        Option(key=ground, label=ground.capitalize(), rule=rule, note=f"Strength {strength}")
        for ground, strength in grounds().items()
    )
    ground = yield from choose(
        GM,
        "ground",
        "What is the ground like?",
        options,
        default=USUAL_GROUND,
        because=rule,
        standing=True,
    )
    return ground, strength_of(ground)


PLACING = 1
"""What it costs to decide how the victim lands (materials.throw.placement)."""

TOSS = 2
"""What a fighting distance costs (fight.throw.toss)."""


def _landing(arguments: ThrowAgainst, margin: int, table: BurningTable) -> Step[tuple[str, int]]:
    """Where the victim lands, and what the thrower paid for it.

    By default on the back, which is the torso, unless the victim's player chooses another area
    (materials.throw.lands_on_back, materials.amb.default_location). Knowing that, the thrower may
    pay one success to decide it (materials.throw.placement), if another is left.
    """
    thrower = table.character(arguments.character)
    victim = table.character(arguments.target)
    location = yield from choose(
        victim.seat(arguments.target),
        "landing",
        f"{victim.name} lands on which area?",
        {area: area.capitalize() for area in areas()},
        default=TORSO,
        because="materials.throw.lands_on_back",
        kind="offered" if victim.armor else "aside",
    )
    if margin <= PLACING:
        return location, 0
    rule = "materials.throw.placement"
    leave = Option("leave", f"As it is: {location}", "materials.throw.lands_on_back")
    others = tuple(
        Option(key=area, label=area.capitalize(), rule=rule, cost="1 success")
        for area in areas()
        if area != location
    )
    placed = yield from choose(
        thrower.seat(arguments.character),
        "placement",
        f"Where does {victim.name} land?",
        (leave, *others),
        default=leave.key,
        because=rule,
    )
    return (location, 0) if placed == leave.key else (placed, PLACING)


def _toss(arguments: ThrowAgainst, left: int, table: BurningTable) -> Step[int]:
    """Successes spent on fighting distances; one must be left for damage.

    materials.amb.throw_success_uses.
    """
    most = (left - 1) // TOSS
    if not most:
        return 0
    distances: int = yield from ask(
        table.character(arguments.character).seat(arguments.character),
        "distances",
        f"Fighting distances ({TOSS} successes each, {left} left)",
        Number(least=0, most=most, default=0),
        because="fight.throw.toss",
    )
    return distances


def landed(
    arguments: ThrowAgainst, thrown: ThrowAgainstOutcome, table: BurningTable
) -> Play[ThrowAgainstOutcome]:
    """The surface hurts the victim: hard armor is tested, then the wound is marked."""
    thrown, hit = yield from hard_landing(arguments, thrown, table)
    if hit is None:
        return thrown
    suffered, _ = yield from call(take_hit, hit, table)
    return msgspec.structs.replace(thrown, suffered=suffered)


def hard_landing(
    arguments: ThrowAgainst, thrown: ThrowAgainstOutcome, table: BurningTable
) -> Step[tuple[ThrowAgainstOutcome, IncomingHit | None]]:
    """What a surface does to a victim, if it does anything.

    Every successful Throw may do damage, and the thrower decides whether this one does
    (materials.amb.throw_every_time).
    """
    thrower = table.character(arguments.character)
    victim = table.character(arguments.target)
    numbers = throw_numbers(thrown.mark.total)
    if numbers is None:
        text = f"{victim.name} lands softly and is not hurt."
        yield from note(text, "materials.amb.ground_strengths")
        return thrown, None
    thrown = msgspec.structs.replace(thrown, ims=str(numbers))
    hurts = yield from confirm(
        thrower.seat(arguments.character),
        "use_surface",
        f"Hurt {victim.name}? ({thrown.surface}, {numbers})",
        default=True,
        because="materials.amb.throw_every_time",
        kind="aside",
    )
    stage = stage_of_throw(thrown.to_damage)
    if not hurts or stage is None:
        return thrown, None
    number, va = numbers.at(stage), thrown.va
    damage = Damage(thrown.location, stage, numbers.shade, number, va.total, sources(va))
    by = f"Mark {thrown.mark}, IMS {numbers}; successes for damage: {thrown.to_damage}"
    yield from note(f"{victim.name} lands hard: {damage} ({by}).", "materials.throw.successes")
    chooser = thrower.seat(arguments.character) if thrown.placed else victim.seat(arguments.target)
    hit = IncomingHit(
        character=arguments.target,
        damage=damage,
        chooser=chooser,
        protection=Protection.HARD_ONLY,
        source=f"thrown against: {thrown.surface}",
        opponent=arguments.character,
    )
    return thrown, hit


PROCEDURES = (
    Procedure(
        "throw_against",
        "Throw against a wall or the ground",
        ThrowAgainst,
        throw_against,
        gm_only=True,
    ),
)
