"""From a hit to a wound: the armor of the location is tested, and what gets through is marked.

Where the chapters on weapons, armor and injury meet. A hit comes in as the ``Damage`` of
``weapons/damage``; the result says what armor did about it, and what the wound did. Quick combat
and being thrown against a wall use it; the scripted conflicts can, too.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.dice import Shade
from astragal.play import Play, Seat, Step, call, note, then

from ..injury.injury import Location, TakeWound, WoundOutcome, wounded
from ..sheet.armor_tables import ArmorPiece, full_dice
from ..sheet.scene import BurningTable
from ..weapons.damage import Damage
from ..weapons.locations import area_of, say_location
from ..weapons.shaded_damage import roll_over
from .armor import PAIRS, ArmorOutcome, blow_of, meets_blow, pick_side


class Protection(Enum):
    """Whether armor is tested against a hit."""

    TESTED = "tested"
    HARD_ONLY = "hard armor only"
    COUNTED = "counted already"
    """Its dice were in the defence (fight.bloody.armor_dice), and are not rolled again."""


class IncomingHit(msgspec.Struct, frozen=True):
    """A hit before armor and wound.

    ``chooser`` decided the location, and picks the side of a pair; ``source`` is what hits,
    ``opponent`` who does, ``holding`` what the victim has in hand; ``in_script`` is for scripted
    conflicts, which count hesitation themselves.
    """

    character: str
    damage: Damage
    chooser: Seat
    protection: Protection = Protection.TESTED
    source: str = ""
    opponent: str = ""
    holding: str = ""
    in_script: bool = False


class HitOutcome(msgspec.Struct, frozen=True):
    """How a hit ended: ``armor`` if it was tested, ``hurt`` if anything got through."""

    damage: Damage
    armor: ArmorOutcome | None = None
    hurt: WoundOutcome | None = None

    @property
    def level(self) -> str:
        """The level of the wound, if there is one."""
        return "" if self.hurt is None else self.hurt.level


HEADGEAR_DICE = 3
"""A helmet with this many dice is hard, whatever else is worn (materials.amb.hard_armor)."""


def is_hard(piece: ArmorPiece) -> bool:
    """Whether a piece has plates, or is a helmet (materials.throw.hard_armor_only).

    Plain chainmail is not hard, nor is leather of any kind; a mail hood on the head is no helmet
    (materials.amb.hard_armor).

    >>> is_hard(ArmorPiece("torso", "plated_mail")), is_hard(ArmorPiece("head", "chainmail"))
    (True, False)
    >>> is_hard(ArmorPiece("head", "chainmail", name="sallet"))
    True
    """
    if "plate" in piece.type:  # plated leather, plated mail, full plate
        return True
    helmet = piece.location == "head" and bool(piece.name)
    return helmet and full_dice(piece) >= HEADGEAR_DICE


def take_hit(hit: IncomingHit, table: BurningTable) -> Play[tuple[HitOutcome, BurningTable]]:
    """Test the armor that may be tested, and mark what gets through."""
    armor: ArmorOutcome | None = None
    if hit.protection is not Protection.COUNTED:
        armor, table = yield from _armor(hit, table)
    if armor is not None and armor.passed:
        return HitOutcome(hit.damage, armor), table
    return then(wound_of, hit, armor, table)


def _armor(hit: IncomingHit, table: BurningTable) -> Step[tuple[ArmorOutcome | None, BurningTable]]:
    """The armor test of the one location that is struck (armor.test.when)."""
    location = hit.damage.location
    sheet = table.character(hit.character)
    if location in PAIRS:
        location = yield from pick_side(hit.chooser, location, sheet.armor)
    piece = sheet.armor.get(location)
    if hit.protection is Protection.HARD_ONLY and piece is not None and not is_hard(piece):
        text = f"{sheet.name}'s {piece.called} is too soft to help against this."
        yield from note(text, "materials.throw.hard_armor_only")
        return None, table
    stopped, table = yield from call(
        meets_blow, hit.character, location, blow_of(hit.damage), table
    )
    return stopped, table


WHERE = {"arms": Location.ARM, "legs": Location.LEG, "head": Location.HEAD}


def wound_of(
    hit: IncomingHit, armor: ArmorOutcome | None, table: BurningTable
) -> Play[tuple[HitOutcome, BurningTable]]:
    """Mark the wound at its step of the grayscale (shades.ptgs.roll_over)."""
    where = roll_over(Shade.parse(hit.damage.shade), hit.damage.number)
    taken = TakeWound(
        character=hit.character,
        at=where,
        source=hit.source or f"a hit to the {say_location(hit.damage.location)}",
        location=WHERE.get(area_of(hit.damage.location), Location.ANYWHERE),
        weapon=hit.holding,
        opponent=hit.opponent,
        in_script=hit.in_script,
    )
    hurt, table = yield from call(wounded, taken, table)
    return HitOutcome(hit.damage, armor, hurt), table
