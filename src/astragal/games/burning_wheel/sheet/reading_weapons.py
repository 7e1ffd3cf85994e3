"""Weapons as they are written on a sheet: shorthand, and what must hold of each.

The weapons themselves are in ``sheet/weapon_tables``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from astragal.dice import Shade
from astragal.errors import BadInput, check_between, check_one_of

from .weapon_lengths import lengths
from .weapon_tables import (
    SUPERIOR,
    Weapon,
    book,
    is_natural,
    melee_lines,
    melee_rows,
    natural_weapons,
    pommels,
    speeds,
    takes_a_beak,
)

MOST_BALANCE = 5
"""No weapon has more; a larger number is a typing error."""


def known_weapons() -> Iterator[str]:
    """Every name under which the tables have a weapon."""
    for _, line in melee_rows():
        yield line.name.partition(", ")[0]
    for table in ("found_weapons", "missile_weapons", "thrown_weapons", "bomb"):
        yield from (str(name) for name in book(table).column("weapon"))
    yield from natural_weapons()


def qualities() -> tuple[str, ...]:
    """The qualities in which melee weapons come.

    >>> qualities()
    ('basic', 'poor', 'run of the mill', 'superior')
    """
    return tuple(dict.fromkeys(str(q) for q in book("melee_weapons").column("quality")))


def weapon_form(raw: Any) -> Any:
    """A weapon as people like to write it: ``"superior sword"`` is quality and kind."""
    if not isinstance(raw, str):
        return raw
    for quality in qualities():
        if raw.casefold().startswith(f"{quality} "):
            return {"weapon": raw[len(quality) + 1 :].strip(), "quality": quality}
    return {"weapon": raw}


def check_weapons(weapons: tuple[Weapon, ...]) -> None:
    """Weapons that exist, each with a unique name and with fittings that fit."""
    seen: set[str] = set()
    for index, carried in enumerate(weapons):
        place = f"weapons[{index}]"
        _check_weapon(carried, place)
        if carried.called.casefold() in seen:
            raise BadInput(f"{place}.name", carried.called, "a unique name")
        seen.add(carried.called.casefold())


def _check_weapon(carried: Weapon, place: str) -> None:
    names = tuple(dict.fromkeys(known_weapons()))
    check_one_of(f"{place}.weapon", carried.weapon, names)
    if carried.quality:
        at_hand = melee_lines(carried.weapon, carried.quality)
        distant = carried.quality == SUPERIOR and not melee_lines(carried.weapon)
        if not (at_hand or distant):
            expected = f"a quality in which the {carried.weapon} is listed"
            raise BadInput(f"{place}.quality", carried.quality, expected)
    try:
        Shade.parse(carried.shade)
    except BadInput as bad:
        raise BadInput(f"{place}.shade", carried.shade, bad.expected, bad.rule) from None
    rule = "weapons.balance.who_has_them"
    check_between(f"{place}.balance", carried.balance, 0, MOST_BALANCE, rule, unit="dice")
    for field, choices, rule in (
        ("pommel", pommels(), "weapons.gear.one_pommel"),
        ("size", ("small", "heavy"), "weapons.amb.club_length"),
        ("speed", speeds(), "weapons.speed.three_classes"),
        ("length", lengths(), "weapons.melee.length_use"),
    ):
        value = getattr(carried, field)
        if value and value not in choices:
            raise BadInput(f"{place}.{field}", value, f"one of {', '.join(choices)}", rule)
    if carried.pommel and (is_natural(carried.weapon) or not melee_lines(carried.weapon)):
        expected = "no pommel: only what is held by a hilt or haft has one"
        raise BadInput(f"{place}.pommel", carried.pommel, expected, "weapons.gear.one_pommel")
    if carried.beak and not takes_a_beak(carried.weapon):
        expected = "no beak: it is mounted on polearms, axes and spears"
        raise BadInput(f"{place}.beak", True, expected, "weapons.gear.beak_mount")
