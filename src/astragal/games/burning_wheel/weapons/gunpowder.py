"""The gunpowder die: whether a gun fires at all.

A part of the chapter on weapons, for whoever shoots a gun
(``weapons.shooting``). The fuses of bombs have a die of the same kind, in
``weapons.bombs``.
"""

from __future__ import annotations

from enum import Enum

from astragal.games.burning_wheel.tests.die_of_fate import FATEFUL, Conditions, throw_openly
from astragal.play import Noted, Seat, Step, tell

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
    said = Conditions(f"the {gun} does not fire", "the shot goes on")
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
