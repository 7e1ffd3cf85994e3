"""Maneuvers: the rider commands, and the animal has to do it.

A section of the chapter on riding (``riding``). A Riding test, linked to a test of the animal's
Speed; a bad failure is a roll or a collision (``riding/falls``).
"""

from __future__ import annotations

from functools import cache

import msgspec

from astragal.errors import BadInput
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Line, Option, Play, Step, Tally, choose, confirm, note
from astragal.rules import catalogue

from ..armor.hits import HitOutcome
from ..conditions.mounted import RIDING, check_seated, saddle_of, seated
from ..materials.materials import materials
from ..materials.thrown_against import strength_of
from ..sheet.catalogue_keys import check_key, key_of
from ..sheet.scene import BurningTable
from ..tests.attempts import TestResult
from ..tests.intent import LONGEST_WORDS, Declaration
from ..tests.linked import link_effect, link_of_margin
from ..tests.partial_records import complete_for
from .falls import ANIMAL, Fallen, apply_hits, mount_collides, mount_rears, mount_rolls
from .mounts import change_saddle
from .riding_tests import ask_difficulty, called_test, command, unbroken

MILD = {"stumbles": "Stumbles", "swerves": "Swerves", "refuses": "Refuses"}
COLLISION, ROLL = "collision", "roll"


class RideManeuver(Arguments, frozen=True):
    """What a rider has the animal do.

    ``maneuver`` is a turn or a leap, or none; ``going`` are pace and ground, as
    ``full_gallop`` and ``broken_ground``. ``around`` is what the animal tries to get past: a
    material, another animal, or a character.
    """

    character: str
    maneuver: str = ""
    going: tuple[str, ...] = ()
    around: str = ""
    task: str = ""
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()


class RideOutcome(Outcome, frozen=True):
    """How it came out: the rider's test, the animal's if there was one, and what followed.

    ``passed`` says that the animal did it. ``mishap`` is what it did instead: stumbles, swerves,
    refuses, roll, collision or throws; ``stayed`` whether the rider is still in the saddle, and
    ``saddle`` the Riding test that it took, if any.
    """

    passed: bool
    riding: TestResult
    speed: TestResult | None = None
    mishap: str = ""
    stayed: bool = True
    suffered: tuple[HitOutcome, ...] = ()
    saddle: TestResult | None = None


# --- The obstacle ----------------------------------------------------------------------------


@cache
def known(kind: str) -> dict[str, tuple[str, int]]:
    """Maneuvers (``base``) or pace and ground (``modifier``), by key (riding.maneuver.obstacles).

    >>> known("base")["2_pace_high_leap"]
    ('2-pace high leap', 4)
    """
    rows = catalogue().table("riding.table.maneuver_obstacles").all_where(type=kind)
    return {key_of(row["item"]): (row.text("item"), row.number("obstacle")) for row in rows}


def speed_obstacle(maneuver: str, going: tuple[str, ...]) -> Tally:
    """The maneuver and everything about pace and ground that applies (riding.maneuver.obstacles).

    Without a maneuver it begins at 0 (riding.amb.no_base_maneuver).
    """
    rule = "riding.maneuver.obstacles"
    tally = Tally()
    if maneuver:
        words, obstacle = known("base")[check_key(maneuver, known("base"), "maneuver", rule)]
        tally += Line(obstacle, words, rule)
    for index, each in enumerate(going):
        key = check_key(each, known("modifier"), f"going[{index}]", rule)
        if each in going[:index]:
            raise BadInput(f"going[{index}]", each, "each pace and kind of ground once", rule)
        words, obstacle = known("modifier")[key]
        tally += (Line(obstacle, words, rule),) if obstacle else ()
    return tally


# --- Riding ----------------------------------------------------------------------------------


def ride(arguments: RideManeuver, table: BurningTable) -> Play[RideOutcome]:
    """Riding, and then the animal's Speed (riding.maneuver.speed_test).

    For difficult ground and whatever else the animal is made to do (riding.test.when). Where its
    obstacle is 0 the animal needs no test (riding.amb.no_base_maneuver), and does as it is told if
    the Riding test says so.
    """
    seat = seated(table, arguments.character)
    speed = speed_obstacle(arguments.maneuver, arguments.going)
    surface, struck = _around(arguments.around, table)
    if len(arguments.task) > LONGEST_WORDS:
        expected = f"the task in at most {LONGEST_WORDS} characters"
        raise BadInput("task", arguments.task, expected, "riding.test.when")
    table = yield from complete_for(table, (arguments.character,), RIDING)
    task = arguments.task.strip() or "rides"
    harder = yield from ask_difficulty()
    riding, table = yield from command(
        arguments.character, task, table, harder, arguments.helpers, arguments.gear
    )
    bucked, table = yield from first_chance(arguments.character, table)
    if bucked is not None and not bucked.stayed:
        suffered, _ = yield from apply_hits(bucked.hits, table)
        return RideOutcome(False, riding, None, "throws", False, suffered, bucked.test)
    saddle = None if bucked is None else bucked.test
    if not speed.total:
        return RideOutcome(riding.passed, riding, saddle=saddle)
    run, table = yield from _run(seat.mount, task, riding, speed, table)
    outcome = RideOutcome(run.passed, riding, run, saddle=saddle)
    if run.passed:
        return outcome
    return (yield from _botched(arguments.character, outcome, run, surface, struck, table))


def _around(named: str, table: BurningTable) -> tuple[tuple[str, int] | None, str]:
    """What the animal tries to get past: its name and Strength, and the character it is.

    Animals have Strength 0 (riding.collision.animals).
    """
    if not named.strip():
        return None, ""
    if named in table.characters:
        return (table.character(named).name, strength_of(ANIMAL)), named
    what = ANIMAL if named.casefold() in ("animal", "horse") else named
    try:
        return (what, strength_of(what)), ""
    except BadInput:
        expected = f"a material ({', '.join(materials())}), animal, or a character"
        raise BadInput("around", named, expected, "riding.collision.power") from None


def first_chance(
    rider: str, table: BurningTable, *, in_fight: bool = False
) -> Step[tuple[Fallen | None, BurningTable]]:
    """A beast without Rider Training tries to throw its rider, once.

    riding.test.untrained_beast: at the first chance, which the GM sees.
    """
    seat = saddle_of(table, rider)
    if seat is None or seat.tested or not unbroken(table, seat.mount):
        return None, table
    rule = "riding.test.untrained_beast"
    name = table.character(seat.mount).name
    tries = yield from confirm(
        GM,
        "throws_rider",
        f"{name} tries to throw the rider",
        default=True,
        because=rule,
        kind="consent",
    )
    if not tries:
        return None, table
    table = yield from change_saddle(table, rider, rule, tested=True)
    yield from note(f"{name} tries to throw its rider.", rule)
    return (yield from mount_rears(rider, table, in_fight=in_fight))


def _run(
    mount: str, task: str, riding: TestResult, speed: Tally, table: BurningTable
) -> Step[tuple[TestResult, BurningTable]]:
    """The animal's Speed, with what the Riding test before it brings (riding.maneuver.linked)."""
    link = link_effect(link_of_margin(riding.margin))
    rule = "riding.maneuver.linked"
    dice = tuple(msgspec.structs.replace(line, rule=rule) for line in link.dice)
    harder = tuple(msgspec.structs.replace(line, rule=rule) for line in link.obstacle)
    base, *rest = speed.lines
    said = Declaration(character=mount, task=task, ability="Speed")
    return (yield from called_test(said, base, table, dice=dice, obstacle=(*rest, *harder)))


# --- When it fails ---------------------------------------------------------------------------


def is_serious(speed: int, obstacle: int) -> bool:
    """Whether the test was Difficult or Challenging for the animal.

    riding.maneuver.failure_serious: an obstacle one less than its Speed, or higher, whatever the
    classes of advancement say (riding.amb.difficult_definition).

    >>> is_serious(5, 3), is_serious(5, 4)
    (False, True)
    """
    return obstacle >= speed - 1


def _botched(
    rider: str,
    outcome: RideOutcome,
    run: TestResult,
    surface: tuple[str, int] | None,
    struck: str,
    table: BurningTable,
) -> Step[RideOutcome]:
    """The animal has failed: it does something else, or it rolls or collides."""
    seat = seated(table, rider)
    name = table.character(seat.mount).name
    speed = table.character(seat.mount).ability("Speed", f"{seat.mount}.stats.Speed")
    if not is_serious(speed.exponent, run.obstacle.total):
        rule = "riding.maneuver.failure_mild"
        does = yield from choose(
            GM, "balks", f"{name} fails", MILD, default="refuses", because=rule, kind="aside"
        )
        yield from note(f"{name} {does}.", rule)
        return msgspec.structs.replace(outcome, mishap=does)
    mishap = yield from _which(surface)
    margin = -run.margin
    if mishap == ROLL:
        fallen, table = yield from mount_rolls(rider, margin, table)
    else:
        against = surface or (yield from _run_into())
        fallen, table = yield from mount_collides(rider, margin, against, struck, table)
    suffered, _ = yield from apply_hits(fallen.hits, table)
    return msgspec.structs.replace(
        outcome, mishap=mishap, stayed=fallen.stayed, suffered=suffered, saddle=fallen.test
    )


def _which(surface: tuple[str, int] | None) -> Step[str]:
    """A collision if there was something solid to pass, otherwise a roll.

    riding.maneuver.failure_serious, riding.amb.roll_or_collide.
    """
    rule = "riding.maneuver.failure_serious"
    return (
        yield from choose(
            GM,
            "roll_or_collide",
            "The animal",
            {ROLL: "Stumbles and rolls", COLLISION: "Collides"},
            default=ROLL if surface is None else COLLISION,
            because=rule,
            kind="consent",
        )
    )


def _run_into() -> Step[tuple[str, int]]:
    """What the animal runs into, by the GM's word."""
    rule = "riding.collision.power"
    strengths = {name: strength_of(name) for name in (ANIMAL, *materials())}
    what = yield from choose(
        GM,
        "collides_with",
        "It runs into",
        tuple(
            Option(key_of(name), name.capitalize(), rule, note=f"Strength {strength}")
            for name, strength in strengths.items()
        ),
        default=key_of(ANIMAL),
        because=rule,
    )
    name = next(each for each in strengths if key_of(each) == what)
    return name, strengths[name]


PROCEDURES = (Procedure("ride", "Ride", RideManeuver, ride, check=check_seated),)
