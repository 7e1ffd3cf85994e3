"""What a defender leaves open to a blow before it is rolled, and what cover hides from a shot.

The attacker may move the blow from there with extra successes (``weapons/blows``).
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from astragal.play import GM, Line, Option, PickSeveral, Step, ask, choose, confirm_aside, note

from ..conditions.mounted import mount_of
from ..sheet.scene import BurningTable
from .locations import TORSO, area_of, areas, mount_areas, of_rider, say_location, sided
from .wielding import location_bears, name_of_target, seat_of_target


class Opening(msgspec.Struct, frozen=True):
    """What the defender leaves open, and between which locations the blow can be moved."""

    offered: str
    known: tuple[str, ...]
    hampered: tuple[Line, ...] = ()
    bears: bool = True
    """Whether it makes a difference what is hit."""
    mount: str = ""
    """What the defender rides, if the blow may be moved there."""


LEGS = "legs"

FAVORS = "favors_side"
"""The key of the question whether a defender favors a side; by default he does not."""


def open_location(
    target: str,
    table: BurningTable,
    *,
    only_unusual: bool = False,
    mounted: bool = False,
    without: tuple[str, ...] = (),
    attacker: str = "",
) -> Step[Opening]:
    """Before the roll the defender says what is open (weapons.location.defender_declares).

    A defender who strongly favors a side makes left and right count (weapons.location.left_right);
    if the GM finds that a hindrance, it is a disadvantage on the defender's own tests
    (weapons.location.favoring_penalty). Where blow follows blow, ``only_unusual`` is said: not
    the torso. Who is ``mounted`` may offer the mount (riding.location.one_target); ``without`` are
    areas that cannot be offered, nor the legs of one on foot to an ``attacker`` in the saddle
    (riding.location.no_legs).
    """
    if attacker and not mounted and mount_of(table, attacker):
        without = (*without, LEGS)
    seat = seat_of_target(target, table)
    name = name_of_target(target, table)
    bears = mounted or location_bears(target, table)
    rule = "weapons.location.left_right"
    favors = yield from confirm_aside(
        seat, FAVORS, f"Does {name} strongly favour a side?", because=rule
    )
    known = sided() if favors else areas()
    if mounted:
        known = (*(of_rider(each) for each in known), *mount_areas())
    rule = "weapons.location.defender_declares"
    offered = yield from choose(
        seat,
        "open",
        f"Which of {name}'s locations is open to attack?",
        _to_open(known, without),
        default=TORSO,
        because=rule,
        kind="offered" if bears else "aside",
    )
    hampered: tuple[Line, ...] = ()
    if favors:
        rule = "weapons.location.favoring_penalty"
        hampers = yield from confirm_aside(
            GM,
            "favoring_hampers",
            f"Is favouring a side a disadvantage for {name} (+1 Ob)?",
            because=rule,
        )
        hampered = (Line(1, "favours a side", rule),) if hampers else ()
    rule = "weapons.location.defender_declares"
    if offered != TORSO or not only_unusual:
        yield from note(f"{name} leaves the {say_location(offered)} open.", rule)
    return Opening(offered, known, hampered, bears, mount_of(table, target) if mounted else "")


@lru_cache(256)
def _to_open(known: tuple[str, ...], without: tuple[str, ...]) -> tuple[Option, ...]:
    """The locations that a defender may leave open."""
    rule = "weapons.location.defender_declares"
    return tuple(
        Option(key, say_location(key).capitalize(), rule)
        for key in known
        if area_of(key) not in without
    )


def hidden_by_cover(target: str, table: BurningTable) -> Step[tuple[str, ...]]:
    """Which locations of somebody behind cover cannot be seen, as the GM says for the whole time.

    weapons.shoot.location_hidden: the chest among them, and a shot hits the largest that can.
    """
    rule = "weapons.shoot.location_hidden"
    options = tuple(Option(key, say_location(key).capitalize(), rule) for key in areas())
    return (
        yield from ask(
            GM,
            "hidden_locations",
            f"What cover hides of {name_of_target(target, table)}",
            PickSeveral(options=options, most=len(options) - 1, default=()),
            because=rule,
            kind="aside",
            standing=True,
        )
    )
