"""What a page draws of a skirmish: the ranges, the teams on them, and their cover.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``).
It is told after
the first test and after each volley that has changed something.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from astragal.play import DistanceLine, Fact, Figure, Lane, Picture, Step, tell

from ...armor.shield_cover import STEPS
from ...conditions.wounds import dice_to_fall, wound_dice
from ...sheet.ranged_weapons import is_reloaded
from .ranges import CATEGORIES, EXTREME, MELEE, OPTIMAL, OVER
from .state import Skirmish

WELL = {OPTIMAL: 2, EXTREME: 1}
"""How well one can shoot at a range; not at all at the others."""


class SkirmisherShown(msgspec.Struct, frozen=True):
    """Somebody as everybody sees him.

    ``range`` is the category of his own weapon, ``paces`` from where to where it lies; ``dice`` are
    those that wounds have left of the weakest stat, of ``of`` at full health.
    """

    character: str
    name: str
    side: int
    weapon: str
    range: str
    paces: tuple[int, int]
    loaded: bool
    aim: int
    hesitating: bool
    hidden: bool
    dice: int
    of: int
    out: str = ""

    def figure(self, common: str) -> Figure:
        """How a page draws him; his range is said where it is not the ``common`` one."""
        place = f"{self.range} range" if self.range in WELL else self.range
        marks = (
            place if self.range != common else "",
            "" if self.loaded or not self.weapon else "not loaded",
            f"+{self.aim}D aim" if self.aim else "",
            "hesitates" if self.hesitating else "",
            "out of sight" if self.hidden else "",
        )
        return Figure(
            key=self.character,
            name=self.name,
            side=self.side,
            left=self.dice,
            full=self.of,
            holds=self.weapon,
            pose="down" if self.hidden else "standing",
            marks=tuple(mark for mark in marks if mark),
            out=self.out,
        )


class TeamShown(msgspec.Struct, frozen=True):
    """A side: the range of its weapon, its place and its cover.

    ``ranges`` are the categories of its weapon at each distance of the two sides, the nearest
    first.
    """

    name: str
    range: str
    level: str
    cover: int
    fortification: int
    weapon: str = ""
    ranges: tuple[str, ...] = ()

    @property
    def lane(self) -> Lane:
        """How a page draws it."""
        marks = (
            f"{self.level} cover" if self.level != STEPS[0] else "",
            f"+{self.cover}D cover" if self.cover else "",
            f"prepared defences, {self.fortification}D" if self.fortification else "",
        )
        return Lane(
            self.name,
            tuple((each, WELL.get(each, 0) if self.weapon else 0) for each in self.ranges),
            self.weapon,
            STEPS.index(self.level),
            tuple(mark for mark in marks if mark),
        )


class SkirmishPositions(Fact, frozen=True, tag="skirmish_positions"):
    """The line of ranges with both teams on it, for a picture."""

    exchange: int
    volley: int
    state: str
    categories: tuple[str, ...]
    teams: tuple[TeamShown, ...]
    skirmishers: tuple[SkirmisherShown, ...]
    here: int = 0
    """The distance of the two sides, counted from the nearest."""
    rule: str = "range_and_cover.range.four_categories"
    role = "aside"

    def sentence(self) -> str:
        """Each side with its range and its cover."""
        said = []
        for team in self.teams:
            cover = f", {team.cover}D cover" if team.cover else ""
            said.append(f"{team.name}: {team.range}{cover}")
        return f"Ranges: {'; '.join(said)}."

    @property
    def bars(self) -> tuple[tuple[str, int, int], ...]:
        """What wounds have left of everybody."""
        return tuple((each.name, each.dice, each.of) for each in self.skirmishers)

    @property
    def picture(self) -> Picture:
        """Everybody, and both sides on the line of their distances."""
        one, other = self.teams
        return Picture(
            tuple(each.figure(self.teams[each.side].range) for each in self.skirmishers),
            line=DistanceLine((one.lane, other.lane), self.here),
        )


def show(skirmish: Skirmish, before: Skirmish | None = None) -> Step[None]:
    """Tell where everybody is, if that is not as it was before."""
    picture = picture_of(skirmish)
    if before is None or picture != picture_of(before):
        yield from tell(picture)


@lru_cache(64)  # what is after a volley is before the next
def picture_of(skirmish: Skirmish) -> SkirmishPositions:
    """The picture as it is now."""
    distances = (MELEE, *reversed(skirmish.ladder.states()))
    teams = tuple(
        TeamShown(
            skirmish.title(side),
            skirmish.ladder.category(skirmish.at, side),
            team.level,
            team.cover,
            team.fortification,
            _weapon(skirmish, side),
            tuple(skirmish.ladder.category(each, side) for each in distances),
        )
        for side, team in enumerate(skirmish.teams)
    )
    return SkirmishPositions(
        skirmish.exchange,
        skirmish.volley,
        skirmish.at,
        CATEGORIES,
        teams,
        tuple(_shown(skirmish, each.character) for each in skirmish.skirmishers),
        len(distances) - 1 if skirmish.at == OVER else distances.index(skirmish.at),
    )


def _weapon(skirmish: Skirmish, side: int) -> str:
    """The weapon by which the ranges of a side are counted: that of the first of it."""
    first = next(each for each in skirmish.skirmishers if each.side == side)
    carried = skirmish.carried(first.character)
    return "" if carried is None else carried.called


def _shown(skirmish: Skirmish, character: str) -> SkirmisherShown:
    one, sheet = skirmish.one(character), skirmish.sheet(character)
    carried, arm = skirmish.carried(character), skirmish.arm(character)
    most = dice_to_fall(sheet)
    return SkirmisherShown(
        character=character,
        name=sheet.name,
        side=one.side,
        weapon="" if carried is None else carried.called,
        range=skirmish.category(character),
        paces=(0, 0) if arm is None else arm.span(skirmish.category(character)),
        loaded=carried is not None and (carried.loaded or not is_reloaded(carried.weapon)),
        aim=one.aim,
        hesitating=one.is_hesitating,
        hidden=one.hidden > 0,
        dice=max(0, most - wound_dice(sheet)),
        of=most,
        out=one.out,
    )
