"""The gunpowder die: whether a gun fires, and what happens if it does not.

A part of the chapter on weapons; the shot is in ``weapons/shooting``.
"""

from __future__ import annotations

from enum import Enum

from astragal.play import Noted, Seat, Step, note

from ..tests.die_of_fate import FATEFUL, FateConditions, throw_openly

WORSE = 3
"""Up to this face of the second die it is the worse of the two mishaps."""


class Misfire(Enum):
    """How a gun fails to fire (weapons.amb.gunpowder_wording)."""

    JAM = "jam"
    BACKFIRE = "backfire"


def gunpowder_die(gun: str, owner: Seat) -> Step[Misfire | None]:
    """Throw the gunpowder die before the roll to hit (weapons.gun.gunpowder_die).

    On a 1 there is no shot, and it is thrown again to see how it went wrong
    (weapons.gun.misfire_on_one): jammed on 4 to 6 (weapons.gun.jam), a backfire on 1 to 3
    (weapons.gun.backfire).
    """
    said = FateConditions(f"the {gun} does not fire", "it fires")
    face = yield from throw_openly(said, f"the gunpowder die, {gun}", owner)
    if face != FATEFUL:
        return None
    rule = "weapons.gun.misfire_on_one"
    yield from note(f"The {gun} does not fire.", rule)
    again = Noted(f"Second die: 1-{WORSE} backfire, otherwise jammed.", rule)
    if (yield from throw_openly(again, f"the second gunpowder die, {gun}", owner)) > WORSE:
        text = f"The {gun} jams and must be reloaded from the beginning."
        yield from note(text, "weapons.gun.jam")
        return Misfire.JAM
    yield from note(f"The {gun} backfires.", "weapons.gun.backfire")
    return Misfire.BACKFIRE
