"""Target locations: where a blow can land, and what it takes to move it.

A part of the chapter on weapons, for blows, shots and explosions alike.
"""

from __future__ import annotations

from functools import cache

from astragal.errors import check_one_of
from astragal.rules import catalogue

from ..sheet.weapon_tables import book

TORSO = "torso"
HEAD = "head"
LIMBS = ("arms", "legs")

MOUNT, RIDER = "mount", "rider"
RIDER_HEAD = f"{RIDER}_{HEAD}"
MOUNT_WORDS = {TORSO: "body", HEAD: HEAD, "legs": "haunches"}
"""The parts of a mount, from the areas of a body."""

LEG_TO_LEG, ARM_TO_ARM = 1, 2
"""From one side to the other (weapons.location.move_leg_to_leg,
weapons.location.move_arm_to_arm)."""


def areas() -> tuple[str, ...]:
    """The four target locations (weapons.location.four_areas).

    >>> areas()
    ('torso', 'arms', 'legs', 'head')
    """
    return tuple(str(area) for area in book("location_move_cost").column("from"))


def sided() -> tuple[str, ...]:
    """The locations when one side is strongly favored (weapons.location.left_right).

    >>> sided()
    ('torso', 'left_arm', 'right_arm', 'left_leg', 'right_leg', 'head')
    """
    found: list[str] = []
    for area in areas():
        limb = area.removesuffix("s")
        found += [f"left_{limb}", f"right_{limb}"] if area in LIMBS else [area]
    return tuple(found)


@cache
def area_of(location: str) -> str:
    """Which of the four areas a location belongs to.

    >>> area_of("left_leg"), area_of("head")
    ('legs', 'head')
    """
    side, _, limb = location.partition("_")
    if side in (MOUNT, RIDER):
        return limb
    return f"{limb}s" if limb else side


@cache
def say_location(location: str) -> str:
    """A location in words.

    >>> say_location("left_leg"), say_location("mount_legs")
    ('left leg', "mount's haunches")
    """
    if is_of_mount(location):
        return f"mount's {MOUNT_WORDS[area_of(location)]}"
    return location.removeprefix(f"{RIDER}_").replace("_", " ")


@cache
def move_cost(here: str, there: str) -> int:
    """How many extra successes it takes to move a blow from one location to another.

    weapons.location.move_from_torso_or_arms, weapons.location.move_legs_head and the readings
    that fill the table (weapons.amb.location_gaps). With sides in play only the way from a limb
    to the other is added (weapons.amb.location_sides_arms).
    """
    if here == there:
        return 0
    if is_of_mount(here) or is_of_mount(there) or there == RIDER_HEAD:
        return _mounted_cost(here, there)
    if area_of(here) == area_of(there):
        return LEG_TO_LEG if area_of(here) == "legs" else ARM_TO_ARM
    row = book("location_move_cost").where(**{"from": area_of(here)})
    return row.number(f"to_{area_of(there)}")


def check_location(location: str, known: tuple[str, ...], place: str) -> str:
    """Refuse anything but one of the known locations."""
    check_one_of(place, location, known, "weapons.location.four_areas")
    return location


def moving_rule(here: str, there: str) -> str:
    """The rule by which a blow is moved from one location to another."""
    if here != there and (is_of_mount(here) or is_of_mount(there) or there == RIDER_HEAD):
        return _mounted_rule(here, there)
    if area_of(here) == area_of(there):
        if here == there:
            return "weapons.location.defender_declares"
        leg = area_of(here) == "legs"
        return f"weapons.location.move_{'leg_to_leg' if leg else 'arm_to_arm'}"
    if {area_of(here), area_of(there)} == {HEAD, "legs"}:
        return "weapons.location.move_legs_head"
    return "weapons.location.move_from_torso_or_arms"


# --- Riders and their mounts -----------------------------------------------------------------


def mount_areas() -> tuple[str, ...]:
    """The parts of a mount that a blow can land on, from its body to its haunches."""
    return tuple(f"{MOUNT}_{area}" for area in MOUNT_WORDS)


def of_rider(location: str) -> str:
    """A location of somebody in the saddle: the head has a price of its own.

    riding.location.rider_head.
    """
    return RIDER_HEAD if location == HEAD else location


@cache
def is_of_mount(location: str) -> bool:
    """Whether a location is one of the mount's.

    >>> is_of_mount("mount_head"), is_of_mount("head")
    (True, False)
    """
    return location.startswith(f"{MOUNT}_")


def on_the_body(location: str) -> str:
    """A location of rider or mount, as it is one of that body alone.

    >>> on_the_body("mount_legs"), on_the_body("rider_head"), on_the_body("left_arm")
    ('legs', 'head', 'left_arm')
    """
    return location.removeprefix(f"{MOUNT}_").removeprefix(f"{RIDER}_")


def _shift(words: str) -> int:
    return catalogue().table("riding.table.hit_location_costs").number("successes", shift=words)


def _mounted_cost(here: str, there: str) -> int:
    """What it takes to move a blow between rider and mount, or along the mount.

    From rider to mount one (riding.location.rider_to_mount), and more to a part of it other than
    the body; along its length two (riding.location.along_mount); to the rider's head two
    (riding.location.rider_head), and from the mount to anything else of his one
    (riding.amb.mount_to_rider_cost).
    """
    along = _shift("melee: along the length of the mount")
    if is_of_mount(there):
        if is_of_mount(here):
            return along
        body = area_of(there) == TORSO
        return _shift("melee: rider to mount") + (0 if body else along)
    if there == RIDER_HEAD:
        return _shift("melee: to the rider's head")
    return _shift("melee: rider to mount")


def _mounted_rule(here: str, there: str) -> str:
    if there == RIDER_HEAD:
        return "riding.location.rider_head"
    if is_of_mount(here) and is_of_mount(there):
        return "riding.location.along_mount"
    return "riding.location.rider_to_mount"
