"""The list of prayers: names, obstacles, and what extra successes do."""

from __future__ import annotations

from functools import cache

import msgspec

from astragal.games.game import Procedure
from astragal.play import Play
from astragal.rules import catalogue

from ...sheet.catalogue_keys import check_key
from ...sheet.lookups import Entries, LookUp, look_up
from ...sheet.scene import BurningTable

BLESSING, AID, HINDRANCE, BOON = "blessing", "aid", "hindrance", "boon"
GUIDANCE, MINOR_MIRACLE, PURIFICATION = "guidance", "minor_miracle", "purification"
CONSECRATION, INSPIRATION = "consecration", "inspiration"
INTERCESSION, MIRACLE = "intercession", "miracle"
MAJOR_MIRACLE = "major_miracle"


class PrayerKind(msgspec.Struct, frozen=True):
    """One of the prayers: obstacles by the number of foes, if it has several.

    ``range_dice`` are those it has in Range and Cover, ``extras_are_dice`` is true of Aid alone.
    """

    code: str
    name: str
    obstacles: tuple[int, ...]
    effect: str
    extras_are_dice: bool
    range_dice: int

    @property
    def rule(self) -> str:
        """The rule of the prayer."""
        hindering = self.code == HINDRANCE
        return "faith.prayer.hindrance_obstacle" if hindering else f"faith.prayer.{self.code}"


@cache
def prayers() -> dict[str, PrayerKind]:
    """The prayers of the list, by their codes.

    >>> [kind.name for kind in prayers().values() if kind.extras_are_dice]
    ['Aid']
    """
    meanings = catalogue().table("faith.table.prayers").codes["prayer_code"]
    found = {}
    for row in catalogue().table("faith.table.prayers").records():
        code = row.text("prayer_code")
        found[code] = PrayerKind(
            code=code,
            name=meanings[code],
            obstacles=tuple(map(int, row.texts("ob_codes"))),
            effect=row.text("effect"),
            extras_are_dice=row["extra_code"] == "dice",
            range_dice=row.number("range_and_cover_dice"),
        )
    return found


def prayer_named(name: str, place: str = "prayer") -> PrayerKind:
    """A prayer of the list; a Major Miracle is a Miracle (faith.amb.major_miracle_name)."""
    known = {**prayers(), MAJOR_MIRACLE: prayers()[MIRACLE]}
    return known[check_key(name, known, place, "faith.pray.procedure")]


def look_up_prayers(arguments: LookUp, _: BurningTable) -> Play[Entries]:
    """Look up the prayers and their obstacles (faith.setup.pick_prayers)."""
    said = {
        kind.name: f"Ob {', '.join(map(str, kind.obstacles))}; {kind.effect}"
        for kind in prayers().values()
    }
    return (yield from look_up(said, arguments.entry, "faith.setup.pick_prayers"))


PROCEDURES = (Procedure("look_up_prayers", "List of prayers", LookUp, look_up_prayers),)
