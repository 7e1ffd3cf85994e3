"""Target locations: where a blow can land, and what it takes to move it.

A part of the chapter on weapons, for blows, shots and explosions alike.
"""

from __future__ import annotations

from astragal.errors import BadInput
from astragal.games.burning_wheel.sheet.weapon_tables import book

TORSO = "torso"
HEAD = "head"
LIMBS = ("arms", "legs")

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


def area_of(location: str) -> str:
    """Which of the four areas a location belongs to.

    >>> area_of("left_leg"), area_of("head")
    ('legs', 'head')
    """
    side, _, limb = location.partition("_")
    return f"{limb}s" if limb else side


def say_location(location: str) -> str:
    """A location in words.

    >>> say_location("left_leg")
    'left leg'
    """
    return location.replace("_", " ")


def move_cost(here: str, there: str) -> int:
    """How many extra successes it takes to move a blow from one location to another.

    weapons.location.move_from_torso_or_arms, weapons.location.move_legs_head and the readings
    that fill the table (weapons.amb.location_gaps). With sides in play only the way from a limb
    to the other is added (weapons.amb.location_sides_arms).
    """
    if here == there:
        return 0
    if area_of(here) == area_of(there):
        return LEG_TO_LEG if area_of(here) == "legs" else ARM_TO_ARM
    row = book("location_move_cost").where(**{"from": area_of(here)})
    return row.number(f"to_{area_of(there)}")


def check_location(location: str, known: tuple[str, ...], place: str) -> str:
    """Refuse anything but one of the known locations."""
    if location not in known:
        rule = "weapons.location.four_areas"
        raise BadInput(place, location, f"one of {', '.join(known)}", rule)
    return location


def moving_rule(here: str, there: str) -> str:
    """The rule by which a blow is moved from one location to another."""
    if area_of(here) == area_of(there):
        if here == there:
            return "weapons.location.defender_declares"
        leg = area_of(here) == "legs"
        return f"weapons.location.move_{'leg_to_leg' if leg else 'arm_to_arm'}"
    if {area_of(here), area_of(there)} == {HEAD, "legs"}:
        return "weapons.location.move_legs_head"
    return "weapons.location.move_from_torso_or_arms"
