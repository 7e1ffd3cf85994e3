"""What a page draws of a skirmish: the ranges, the teams on them, and their cover.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``).
It is told after
the first test and after each volley that has changed something.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from astragal.games.burning_wheel.conditions.wounds import wound_dice
from astragal.games.burning_wheel.conflicts.range_and_cover.ranges import CATEGORIES
from astragal.games.burning_wheel.conflicts.range_and_cover.state import Skirmish
from astragal.games.burning_wheel.sheet.weapon_tables import is_reloaded
from astragal.play import Fact, Role, Step, tell

PHYSICAL = ("Agility", "Speed", "Power", "Forte")


class SkirmisherShown(msgspec.Struct, frozen=True):
    """Somebody as everybody sees him.

    ``range`` is the category of his own weapon, ``paces`` from where to where it lies; ``dice`` are
    those that wounds have left of the weakest physical stat, of ``of`` at full health.
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


class TeamShown(msgspec.Struct, frozen=True):
    """A side: the range of its weapon, its place and its cover."""

    name: str
    range: str
    level: str
    cover: int
    fortification: int


class SkirmishPositions(Fact, frozen=True, tag="skirmish_positions"):
    """The line of ranges with both teams on it, for a picture."""

    exchange: int
    volley: int
    state: str
    categories: tuple[str, ...]
    teams: tuple[TeamShown, ...]
    skirmishers: tuple[SkirmisherShown, ...]
    rule: str = "range_and_cover.range.four_categories"

    def sentence(self) -> str:
        """Each side with its range and its cover."""
        said = []
        for team in self.teams:
            cover = f", {team.cover}D cover" if team.cover else ""
            said.append(f"{team.name}: {team.range}{cover}")
        return f"Ranges: {'; '.join(said)}."

    @property
    def role(self) -> Role:
        """It goes with what is drawn."""
        return "effect"

    @property
    def bars(self) -> tuple[tuple[str, int, int], ...]:
        """What wounds have left of everybody."""
        return tuple((each.name, each.dice, each.of) for each in self.skirmishers)


def show(skirmish: Skirmish, before: Skirmish | None = None) -> Step[None]:
    """Tell where everybody is, if that is not as it was before."""
    picture = picture_of(skirmish)
    if before is None or picture != picture_of(before):
        yield from tell(picture)


@lru_cache(64)  # what is after a volley is before the next
def picture_of(skirmish: Skirmish) -> SkirmishPositions:
    """The picture as it is now."""
    teams = tuple(
        TeamShown(
            skirmish.title(side),
            skirmish.ladder.category(skirmish.at, side),
            team.level,
            team.cover,
            team.fortification,
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
    )


def _shown(skirmish: Skirmish, character: str) -> SkirmisherShown:
    one, sheet = skirmish.one(character), skirmish.sheet(character)
    carried, arm = skirmish.carried(character), skirmish.arm(character)
    stats = [stat.exponent for name in PHYSICAL if (stat := sheet.find(name)) is not None]
    most = min(stats, default=0)
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
