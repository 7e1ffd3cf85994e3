"""Prayer in conflicts: its length and dice in positioning, its time, and when it may be spoken.

The conflicts call these functions; the procedures say what comes of them.
"""

from __future__ import annotations

from enum import Enum
from math import ceil

from astragal.errors import BadInput, check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Line, Play, Tally, note
from astragal.rules import Options, catalogue

from ...sheet.scene import BurningTable
from .faithful import may_pray
from .prayer_tables import PrayerKind, prayer_named

LONGEST = "longest"
MISSILE = "missile"
DISTANCES = ("outside", "lunging", "optimal", "inside")
LENGTHS = ("", "shortest", "short", "long", "longer", LONGEST, MISSILE)
SYLLABLES = 8
"""What can be said in one volley of a Fight! (fight.tandem.speech)."""


class PrayerConflict(Enum):
    """The conflicts in which the Faithful position."""

    FIGHT = "fight"
    RANGE_AND_COVER = "range_and_cover"


def prayer_length_dice(length: str, distance: str) -> tuple[Line, ...]:
    """The dice for the longer weapon: Faith is always the longest (faith.conflict.fight_length).

    Against missile weapons, too (faith.amb.fight_length_vs_missiles); a loaded one still has its
    own dice.
    """
    rule = "faith.conflict.fight_length"
    if length == MISSILE:
        return (Line(1, "longer than a missile weapon", rule),)
    rows = catalogue().table("fight.table.length_dice")
    found = rows.all_where(own_length=LONGEST, opponent_length=length)
    dice = found[0].number(f"dice_{distance}") if found else 0
    return (Line(dice, "longest weapon", rule),) if dice else ()


def prayer_range_dice(kind: PrayerKind) -> tuple[Line, ...]:
    """The positioning dice of a prayer in Range and Cover (faith.conflict.rc_dice)."""
    dice = kind.range_dice
    return (Line(dice, kind.name, "faith.conflict.rc_dice"),) if dice else ()


def keeps_fortifications(options: Options) -> bool:
    """Whether opponents keep the dice of fortifications (faith.amb.rc_no_cover_scope)."""
    return options["faith_rc_fortification_dice"] == "kept"


def prayer_volleys(syllables: int) -> int:
    """How many volleys of a Fight! a prayer takes, rolled in the last of them.

    faith.amb.prayer_timing_in_fight: one, if its words fit the speech limit.

    >>> [prayer_volleys(syllables) for syllables in (0, 8, 9, 24)]
    [1, 1, 2, 3]
    """
    return max(1, ceil(syllables / SYLLABLES))


class PositionPrayer(Arguments, frozen=True):
    """Whose prayer, in which conflict, against a weapon of which ``length`` at which distance.

    ``syllables`` are those of the prayer as it is spoken.
    """

    character: str
    prayer: str
    conflict: PrayerConflict
    length: str = ""
    distance: str = "outside"
    syllables: int = 0


class PrayerPosition(Outcome, frozen=True):
    """The dice of a prayer in positioning, and how long it takes.

    ``cover`` says whether opponents may use or gain cover dice, ``fortifications`` whether they
    keep those of fortifications.
    """

    length: str
    dice: Tally
    volleys: int
    cover: bool = True
    fortifications: bool = True


def position_prayer(arguments: PositionPrayer, table: BurningTable) -> Play[PrayerPosition]:
    """What a prayer adds to a positioning test, and what it takes from the opponents.

    In Range and Cover they may take no cover dice against a battle prayer
    (faith.conflict.rc_no_cover): neither old ones nor new (faith.amb.rc_no_cover_scope).
    """
    sheet = table.character(arguments.character)
    may_pray(arguments.character, table)
    kind = prayer_named(arguments.prayer)
    rule = "faith.conflict.fight_length"
    for place, found, known in (
        ("distance", arguments.distance, DISTANCES),
        ("length", arguments.length, LENGTHS),
    ):
        if found not in known:
            raise BadInput(place, found, f"one of {', '.join(filter(None, known))}", rule)
    check_between("syllables", arguments.syllables, 0, 1000, rule, unit="syllables")
    if arguments.conflict is PrayerConflict.FIGHT:
        dice = Tally(prayer_length_dice(arguments.length, arguments.distance))
        return PrayerPosition(LONGEST, dice, prayer_volleys(arguments.syllables))
    dice = Tally(prayer_range_dice(kind))
    if not kind.range_dice:
        return PrayerPosition("", dice, 1)
    rule = "faith.conflict.rc_no_cover"
    yield from note(f"Nobody takes cover from {sheet.name}'s {kind.name}.", rule)
    return PrayerPosition("", dice, 1, False, keeps_fortifications(table.options))


class PrayerAfterPositioning(Arguments, frozen=True):
    """Who positioned in which conflict, and by how many successes: below zero for a defeat."""

    character: str
    conflict: PrayerConflict
    margin: int


class PrayerChance(Outcome, frozen=True):
    """Whether a prayer may be spoken, the successes it costs, and those left for other actions."""

    may_pray: bool
    cost: int = 0
    left: int = 0


def prayer_chance(conflict: PrayerConflict, margin: int) -> PrayerChance:
    """Who may pray after positioning: in Range and Cover as for a shot.

    faith.amb.rc_use: one success of the margin, one prayer a volley; on a tie both may act. In a
    Fight! a prayer goes with any action.
    """
    if conflict is PrayerConflict.FIGHT or not margin:
        return PrayerChance(True, 0, 0)
    return PrayerChance(True, 1, margin - 1) if margin > 0 else PrayerChance(False)


def prayer_after_positioning(
    arguments: PrayerAfterPositioning, table: BurningTable
) -> Play[PrayerChance]:
    """Whether a priest may pray after the positioning test (faith.amb.rc_use)."""
    name = table.character(arguments.character).name
    chance = prayer_chance(arguments.conflict, arguments.margin)
    text = f"{name} may pray." if chance.may_pray else f"{name} may not pray in this volley."
    yield from note(text, "faith.amb.rc_use")
    return chance


PROCEDURES = (
    Procedure(
        "position_prayer",
        "A prayer in positioning",
        PositionPrayer,
        position_prayer,
        check=may_pray,
    ),
    Procedure(
        "prayer_after_positioning",
        "Praying after positioning",
        PrayerAfterPositioning,
        prayer_after_positioning,
        gm_only=True,
    ),
)
