"""What a page draws of a fight: who is how far from whom, and in which state.

A section of the chapter on Fight! (``conflicts/fight/fight``). It is told after the first test,
after each positioning test and after each moment that has changed something.
"""

from __future__ import annotations

import msgspec

from astragal.games.burning_wheel.conditions.wounds import wound_dice
from astragal.games.burning_wheel.conflicts.fight.distance import Distance
from astragal.games.burning_wheel.conflicts.fight.footing import distance_from, length_of
from astragal.games.burning_wheel.conflicts.fight.gathering import PHYSICAL
from astragal.games.burning_wheel.conflicts.fight.state import Fight, in_hand
from astragal.play import Fact, Role, Step, tell


class FighterShown(msgspec.Struct, frozen=True):
    """A fighter as everybody sees him.

    ``dice`` are those that wounds have left of the weakest physical stat, of ``of`` at full
    health: at none he is incapacitated.
    """

    character: str
    name: str
    side: int
    weapon: str
    length: str
    stance: str
    posture: str
    hesitating: bool
    dice: int
    of: int
    locked: int = 0
    waits: bool = False
    out: str = ""


class PairShown(msgspec.Struct, frozen=True):
    """Two opponents: the gap, and the fighting distance of each by his own weapon."""

    one: str
    other: str
    gap: int
    one_at: str
    other_at: str


class FightPositions(Fact, frozen=True, tag="fight_positions"):
    """Everybody's place and state, for a picture of the fight."""

    exchange: int
    volley: int
    fighters: tuple[FighterShown, ...]
    pairs: tuple[PairShown, ...]
    rule: str = "fight.distance.four"

    def sentence(self) -> str:
        """Each pair of opponents with their distances."""
        names = {each.character: each.name for each in self.fighters}
        said = []
        for pair in self.pairs:
            one, other = names[pair.one], names[pair.other]
            if pair.one_at == pair.other_at:
                said.append(f"{one} and {other}: {pair.one_at}")
            else:
                said.append(f"{one} {pair.one_at}, {other} {pair.other_at}")
        return f"Distances: {'; '.join(said)}." if said else "Nobody is left to fight."

    @property
    def role(self) -> Role:
        """It goes with what is drawn."""
        return "effect"

    @property
    def bars(self) -> tuple[tuple[str, int, int], ...]:
        """What wounds have left of everybody."""
        return tuple((each.name, each.dice, each.of) for each in self.fighters)


def show(fight: Fight, before: Fight | None = None) -> Step[None]:
    """Tell where everybody is, if that is not as it was before."""
    picture = picture_of(fight)
    if before is None or picture != picture_of(before):
        yield from tell(picture)


def picture_of(fight: Fight) -> FightPositions:
    """The picture as it is now."""
    return FightPositions(
        fight.exchange,
        fight.volley,
        tuple(_fighter(fight, each.character) for each in fight.fighters),
        tuple(
            PairShown(
                gap.one,
                gap.other,
                gap.gap,
                _at(fight, gap.one, gap.other).value,
                _at(fight, gap.other, gap.one).value,
            )
            for gap in fight.pairs()
        ),
    )


def _at(fight: Fight, one: str, other: str) -> Distance:
    return distance_from(fight, one, other)


def _fighter(fight: Fight, character: str) -> FighterShown:
    fighter, sheet = fight.fighter(character), fight.sheet(character)
    stats = [stat.exponent for name in PHYSICAL if (stat := sheet.find(name)) is not None]
    most = min(stats, default=0)
    return FighterShown(
        character=character,
        name=sheet.name,
        side=fighter.side,
        weapon=in_hand(fight, character).called,
        length=length_of(fight, character),
        stance=fighter.stance.value,
        posture=fighter.posture.value,
        hesitating=fighter.is_hesitating,
        dice=max(0, most - wound_dice(sheet)),
        of=most,
        locked=fight.lock_on(character),
        waits=fighter.waits is not None,
        out=fighter.out,
    )
