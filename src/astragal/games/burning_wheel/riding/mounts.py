"""Mounts: into the saddle, out of it, and what beasts there are.

A section of the chapter on riding (``riding``). A mount is a character with a sheet of its own;
some are ready to be used (``sheets``). Its ``training`` says whether it can be ridden, its
``gear`` what it wears.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import Play, Step, note
from astragal.rules import catalogue

from ..conditions.mounted import check_seated, limits, mount_of, rider_of, saddle_of, seated
from ..movement.movement import multiplier
from ..sheet.lookups import Entries, LookUp, look_up
from ..sheet.scene import BurningTable, InSaddle

HORSE = "Horse"


class MountUp(Arguments, frozen=True):
    """Who gets into the saddle of which beast."""

    character: str
    mount: str


class SaddleOutcome(Outcome, frozen=True):
    """Who rides what; nothing after dismounting."""

    rider: str
    mount: str


def mount_up(arguments: MountUp, table: BurningTable) -> Play[SaddleOutcome]:
    """Get into the saddle of a beast, trained for it or not (riding.test.rider_training)."""
    table = yield from into_saddle(table, arguments.character, arguments.mount, "mount")
    return SaddleOutcome(arguments.character, arguments.mount)


def into_saddle(
    table: BurningTable, rider: str, mount: str, place: str = "mount"
) -> Step[BurningTable]:
    """The table with somebody in the saddle, or a refusal."""
    check_mount(table, rider, mount, place)
    riders = (*table.scene.riders, InSaddle(rider, mount))
    rule = "riding.test.rider_training"
    table = yield from table.amend(SCENE, "riders", riders, because=rule)
    yield from note(f"{table.character(rider).name} rides {table.character(mount).name}.", rule)
    return table


def check_mount(table: BurningTable, rider: str, mount: str, place: str) -> None:
    """Refuse a beast that cannot be ridden, or is ridden already."""
    rule = "riding.test.rider_training"
    beast = table.character(mount, place)
    if mount == rider:
        raise BadInput(place, mount, "another character", rule)
    _may_mount(rider, table)
    if rider_of(table, mount) or mount_of(table, mount):
        raise NotAllowed(f"{beast.name} is in use: nobody else can ride it", rule)
    for ability in ("Will", "Speed", "Power"):
        beast.ability(ability, f"{place}.{ability}")


def _may_mount(rider: str, table: BurningTable) -> None:
    """Refuse somebody who rides already, or carries a rider."""
    sheet, rule = table.character(rider), "riding.test.rider_training"
    if mount_of(table, rider):
        raise NotAllowed(f"{sheet.name} is in the saddle already: dismount first", rule)
    if rider_of(table, rider):
        raise NotAllowed(f"{sheet.name} carries a rider", rule)


class Dismount(Arguments, frozen=True):
    """Who gets out of the saddle."""

    character: str


def dismount(arguments: Dismount, table: BurningTable) -> Play[SaddleOutcome]:
    """Get out of the saddle, in one's own time."""
    seated(table, arguments.character)
    yield from out_of_saddle(table, arguments.character, "riding.test.rider_training")
    text = f"{table.character(arguments.character).name} dismounts."
    yield from note(text, "riding.test.rider_training")
    return SaddleOutcome(arguments.character, "")


def out_of_saddle(table: BurningTable, rider: str, because: str) -> Step[BurningTable]:
    """The table with a rider on foot."""
    riders = tuple(each for each in table.scene.riders if each.rider != rider)
    return (yield from table.amend(SCENE, "riders", riders, because=because))


def change_saddle(
    table: BurningTable, rider: str, because: str, **fields: object
) -> Step[BurningTable]:
    """The table with something about a rider's seat changed."""
    riders = tuple(
        msgspec.structs.replace(each, **fields) if each.rider == rider else each
        for each in table.scene.riders
    )
    return (yield from table.amend(SCENE, "riders", riders, because=because))


def _half_out(rider: str, table: BurningTable) -> InSaddle:
    """The saddle that a rider is half out of, or a refusal."""
    seat = seated(table, rider)
    if not seat.half_out:
        what = f"{table.character(rider).name} sits firmly in the saddle"
        raise NotAllowed(what, "riding.lance.unhorse_one_pace")
    return seat


def reseat(arguments: Dismount, table: BurningTable) -> Play[SaddleOutcome]:
    """Get back into a saddle that one is half out of; in a fight it costs an action.

    riding.lance.unhorse_one_pace.
    """
    seat = _half_out(arguments.character, table)
    yield from sit_firmly(table, arguments.character)
    return SaddleOutcome(arguments.character, seat.mount)


def sit_firmly(table: BurningTable, rider: str) -> Step[BurningTable]:
    """A rider is back in the saddle (riding.lance.unhorse_one_pace)."""
    rule = "riding.lance.unhorse_one_pace"
    seat = saddle_of(table, rider)
    if seat is None or not seat.half_out:
        return table
    yield from note(f"{table.character(rider).name} sits firmly in the saddle again.", rule)
    return (yield from change_saddle(table, rider, rule, half_out=False))


# --- What beasts there are -------------------------------------------------------------------


def beasts() -> dict[str, str]:
    """What is known of each kind of mount: the multiplier, and what it may do in a fight.

    A horse's multiplier is 8 (riding.horse.multiplier), which the table of its movement has worked
    out for every Speed (``riding.table.horse_movement``).

    >>> beasts()["Great Wolf"]
    'Speed multiplier x7; Avoid always, Counterstrike yes, Throw yes, Lock normal'
    """
    kinds = catalogue().table("riding.table.mount_action_limits").column("mount")
    found = {}
    for kind in kinds:
        body = HORSE if kind == "horse" else str(kind)
        times = catalogue().table("movement.table.multipliers").value("multiplier", body_type=body)
        row = limits(body)
        found[body] = (
            f"Speed multiplier x{float(str(times)):g}; Avoid {row['avoid']}, "
            f"Counterstrike {row['counterstrike']}, Throw {row['throw']}, Lock {row['lock']}"
        )
    paces = catalogue().table("riding.table.horse_movement").records()
    said = ", ".join(f"{row['speed']} {row['paces_in_one_exchange']}" for row in paces)
    return found | {"Horse, paces in an exchange": said}


def look_up_mounts(arguments: LookUp, table: BurningTable) -> Play[Entries]:
    """What is known of mounts: the kinds of the book, and those at this table."""
    here = {
        f"{sheet.name}, ridden by {table.character(each.rider).name}": (
            f"Speed multiplier x{float(multiplier(sheet)):g}"
        )
        for each in table.scene.riders
        if (sheet := table.characters.get(each.mount)) is not None
    }
    return (yield from look_up(beasts() | here, arguments.entry, "riding.horse.multiplier"))


PROCEDURES = (
    Procedure("mount_up", "Mount up", MountUp, mount_up, check=_may_mount),
    Procedure("dismount", "Dismount", Dismount, dismount, check=check_seated),
    Procedure("reseat", "Back into the saddle", Dismount, reseat, check=_half_out),
    Procedure("look_up_mounts", "Look up mounts", LookUp, look_up_mounts),
)
