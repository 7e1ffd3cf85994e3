"""What a page draws of a fight: who is how far from whom, and in which state.

A section of the chapter on Fight! (``conflicts/fight/fight``). It is told after the first test,
after each positioning test and after each moment that has changed something.
"""

from __future__ import annotations

import msgspec

from astragal.play import Fact, Figure, Picture, Span, Step, tell, unheard

from ...armor.block_and_strike import Stance
from ...conditions.wounds import dice_to_fall, pain, wound_dice
from .distance import distance_at, rank
from .footing import length_of
from .state import Fight, Posture, in_hand

POSES = {
    Posture.STANDING: "standing",
    Posture.KNEELING: "kneeling",
    Posture.DOWN: "down",
}


class FighterShown(msgspec.Struct, frozen=True):
    """A fighter as everybody sees him.

    ``dice`` are those that wounds have left of the weakest stat, of ``of`` at full
    health: at none he is incapacitated. ``hurt`` is what wounds add to obstacles.
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
    hurt: int = 0
    mount: str = ""

    @property
    def figure(self) -> Figure:
        """How a page draws him."""
        marks = (
            f"{self.stance} stance" if self.stance != Stance.NEUTRAL.value else "",
            "" if self.posture == Posture.STANDING.value else self.posture,
            f"wounded, +{self.hurt} Ob" if self.hurt else "",
            "hesitates" if self.hesitating else "",
            f"locked, {self.locked}D" if self.locked else "",
            "waits" if self.waits else "",
            f"on {self.mount}" if self.mount else "",
        )
        return Figure(
            key=self.character,
            name=self.name,
            side=self.side,
            left=self.dice,
            full=self.of,
            holds=self.weapon,
            reach=rank(self.length),
            pose=POSES[Posture(self.posture)],
            marks=tuple(mark for mark in marks if mark),
            out=self.out,
        )


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
    role = "aside"

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
        return f"Distances: {'; '.join(said)}." if said else "No opponents are left."

    @property
    def bars(self) -> tuple[tuple[str, int, int], ...]:
        """What wounds have left of everybody."""
        return tuple((each.name, each.dice, each.of) for each in self.fighters)

    @property
    def picture(self) -> Picture:
        """Everybody with the weapon in hand, and how far apart opponents are."""
        return Picture(
            tuple(each.figure for each in self.fighters),
            tuple(
                Span(pair.one, pair.other, pair.gap, pair.one_at, pair.other_at)
                for pair in self.pairs
            ),
        )


def show(fight: Fight, before: Fight | None = None) -> Step[None]:
    """Tell where everybody is, if that is not as it was before."""
    if before is not None and _drawn(before) == _drawn(fight):
        return
    if (yield from unheard()):
        return
    picture = picture_of(fight)
    if before is None or picture != picture_of(before):
        yield from tell(picture)


def _drawn(fight: Fight) -> tuple[object, ...]:
    """All that a picture is drawn from."""
    return fight.exchange, fight.volley, fight.fighters, fight.gaps, fight.locks, fight.table


def picture_of(fight: Fight) -> FightPositions:
    """The picture as it is now."""
    shown = [each for each in fight.fighters if not each.carries]
    lengths = {each.character: length_of(fight, each.character) for each in shown}
    return FightPositions(
        fight.exchange,
        fight.volley,
        tuple(_fighter(fight, name, length) for name, length in lengths.items()),
        tuple(
            PairShown(
                gap.one,
                gap.other,
                gap.gap,
                distance_at(gap.gap, lengths[gap.one]).value,
                distance_at(gap.gap, lengths[gap.other]).value,
            )
            for gap in fight.pairs()
        ),
    )


def _fighter(fight: Fight, character: str, length: str) -> FighterShown:
    fighter, sheet = fight.fighter(character), fight.sheet(character)
    most = dice_to_fall(sheet)
    return FighterShown(
        character=character,
        name=sheet.name,
        side=fighter.side,
        weapon=in_hand(fight, character).called,
        length=length,
        stance=fighter.stance.value,
        posture=fighter.posture.value,
        hesitating=fighter.is_hesitating,
        dice=max(0, most - wound_dice(sheet)),
        of=most,
        locked=fight.lock_on(character),
        waits=fighter.waits is not None,
        out=fighter.out,
        hurt=sum(line.amount for line in pain(sheet)[1]),
        mount=fight.name(mount) if (mount := fight.mount(character)) else "",
    )
