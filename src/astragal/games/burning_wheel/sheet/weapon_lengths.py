"""Weapon lengths: their order, and the positioning dice that a longer weapon is worth."""

from __future__ import annotations

from functools import cache

from astragal.rules import catalogue


def lengths() -> tuple[str, ...]:
    """The weapon lengths, the longest first.

    >>> lengths()
    ('longest', 'longer', 'long', 'short', 'shortest')
    """
    return tuple(str(x) for x in catalogue().table("fight.table.weapon_lengths").column("length"))


@cache
def length_dice(own: str, opponent: str, distance: str = "optimal") -> int:
    """The positioning dice that length is worth at a fighting distance.

    weapons.melee.length_use.

    >>> [length_dice("longest", other) for other in ("shortest", "long", "longest")]
    [2, 1, 0]
    """
    table = catalogue().table("fight.table.length_dice")
    return table.number(f"dice_{distance}", own_length=own, opponent_length=opponent)
