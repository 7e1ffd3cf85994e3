"""The state of a Fight! between two moments: who stands where, how, and with what in hand.

A section of the chapter on Fight! (``conflicts/fight/fight``).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

import msgspec

from astragal.play import Line, Seat

from ...armor.block_and_strike import Stance
from ...magic.faith.requests import Pray
from ...magic.sorcery.casting import DeclaredSpell
from ...magic.sorcery.raising import RaisedSpell
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...sheet.weapon_tables import Weapon
from ...sheet.weapons_carried import armed_with
from .distance import Distance, distance_at


class Posture(Enum):
    """Whether a fighter stands, is half up, or lies on the ground (fight.get_up.two_actions)."""

    __hash__ = object.__hash__  # each member is there only once, and is looked up all the time

    STANDING = "standing"
    KNEELING = "on one knee"
    DOWN = "down"


class Positioning(Enum):
    """What a fighter does about the distance in a volley (fight.position.choices).

    ``STAY`` declines to position (fight.position.let_them_come).
    """

    __hash__ = object.__hash__  # each member is there only once, and is looked up all the time

    CLOSE = "close"
    MAINTAIN = "maintain"
    WITHDRAW = "withdraw"
    STAY = "stay"

    @property
    def is_quick(self) -> bool:
        """Whether it makes all actions of the volley harder (fight.position.moving_quickly)."""
        return self in (Positioning.CLOSE, Positioning.WITHDRAW)


class HindranceUntil(Enum):
    """What a hindrance waits for, and is used up by."""

    __hash__ = object.__hash__  # each member is there only once, and is looked up all the time

    ACTION = "next action"
    WEAPON = "next action with that weapon"
    ANYTHING = "next action or positioning test"


class Hindrance(msgspec.Struct, frozen=True, cache_hash=True):
    """An obstacle that a fighter has coming."""

    until: HindranceUntil
    line: Line


class Preparation(msgspec.Struct, frozen=True, cache_hash=True):
    """How far a fighter has come with a shot, a blow or a longer act.

    ``nocked`` an arrow, ``drawn`` a bow for so many actions so far; ``target`` is whom he has
    acquired, and ``aimed`` the dice for it; ``sets`` are the Set actions just before, ``done`` the
    actions already spent on ``act``, the key of a longer act.
    """

    nocked: bool = False
    drawn: int = 0
    target: str = ""
    aimed: int = 0
    sets: int = 0
    act: str = ""
    done: int = 0


NOT_READY = Preparation()


class ReadiedAction(msgspec.Struct, frozen=True):
    """An action that waits for something: for what, with which card, and for how many actions.

    fight.condition.set.
    """

    trigger: str
    card: str
    waited: int = 0


class SpellUnderway(msgspec.Struct, frozen=True, cache_hash=True):
    """A spell that is cast action by action (sorcery.time.fight).

    ``done`` of its actions are spent, ``held`` is for how many more its end has been withheld;
    ``counters`` is whose spell it shall counter.
    """

    declared: DeclaredSpell
    done: int = 0
    held: int = 0
    counters: str = ""

    @property
    def name(self) -> str:
        """What the spell is called."""
        return self.declared.spell.name

    @property
    def left(self) -> int:
        """How many actions it still takes."""
        return self.declared.method.actions - self.done

    @property
    def is_begun(self) -> bool:
        """Whether any action was spent on it: on casting it, or on holding its end."""
        return bool(self.done or self.held)


class WaitingSpell(msgspec.Struct, frozen=True, cache_hash=True):
    """A spell that was rolled and is about to take effect, and whose spell it shall counter."""

    raised: RaisedSpell
    counters: str = ""

    @property
    def character(self) -> str:
        """Who has cast it."""
        return self.raised.declared.arguments.character


class PrayerUnderway(msgspec.Struct, frozen=True, cache_hash=True):
    """A prayer that is being spoken, and how many volleys its words still take, this one too."""

    prayer: Pray
    volleys: int = 1


class FightingCharacter(msgspec.Struct, frozen=True, cache_hash=True):
    """A fighter, as he is between two moments.

    ``weapon`` is what he has in hand, by name (bare hands: empty), and ``way`` how he uses it where
    that is not the first; ``side`` are those who fight together. ``hesitates`` is how many actions
    he still loses, by ``reaction``; ``loses`` says that the action of this moment is the first of
    them. ``moves`` is his positioning in this volley, ``moved`` that of
    the last; ``avoids`` says that he has an Avoid in this volley, ``steps`` that he has put his
    stance into positioning, ``beaten`` that his weapon gives no length dice next time.
    ``readied`` and ``concealed`` are weapons that he has at hand, or hidden on him, ``other_hand``
    is the one in his other hand, ``head`` that of his arrows or bolts, ``struck`` the slow weapon
    with which the last action of the exchange was a Strike; ``spell`` is the form of the one that
    he casts in this volley, ``prays`` says that he prays in it.
    ``casting`` is the spell that he is casting, ``declared`` are those that he begins in this
    volley, and ``wields`` names the one that he positions with; ``prayer`` is what he prays for.
    ``charges`` says that a Charge is his positioning in this volley. ``announced`` are the cards
    of this volley, which everybody has heard, and ``targets`` whom he has named for them;
    ``waits`` is an action that he has readied. ``out`` says why he no longer takes part.

    A mount ``carries`` its rider, and is where he is; ``order`` is the last one that it was given,
    ``obeyed`` the slot of this volley in which it obeyed one, and ``early`` what came of one that
    was given with the positioning test: obeyed or refused. A lancer who has ``lanced`` has to
    Withdraw before he charges again; ``outran`` are those against whom he has won a Close in this
    volley.
    """

    character: str
    side: int
    weapon: str = ""
    way: str = ""
    stance: Stance = Stance.NEUTRAL
    posture: Posture = Posture.STANDING
    hesitates: int = 0
    reaction: str = ""
    loses: bool = False
    moves: Positioning | None = None
    moved: Positioning | None = None
    avoids: bool = False
    avoided: int | None = None
    """What is left of an Avoid that was rolled against a Charge, until its own moment is over."""
    steps: bool = False
    beaten: bool = False
    charges: bool = False
    hindrances: tuple[Hindrance, ...] = ()
    ready: Preparation = NOT_READY
    readied: tuple[str, ...] = ()
    concealed: tuple[str, ...] = ()
    other_hand: str = ""
    spell: str = ""
    prays: bool = False
    casting: SpellUnderway | None = None
    declared: tuple[SpellUnderway, ...] = ()
    wields: str = ""
    missile: str = ""
    """How a missile weapon has come out of Range and Cover, until the first test."""
    prayer: PrayerUnderway | None = None
    announced: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    waits: ReadiedAction | None = None
    bound: str = ""
    """What helped in the first positioning test: the weapon, or a spell by its key."""
    out: str = ""
    carries: str = ""
    order: str = ""
    obeyed: int = 0
    early: str = ""
    lanced: bool = False
    outran: tuple[str, ...] = ()
    head: str = ""
    struck: str = ""

    @property
    def is_hesitating(self) -> bool:
        """Whether he loses his next action."""
        return self.hesitates > 0


class Lock(msgspec.Struct, frozen=True):
    """Who holds whom, and how many dice that costs the victim (fight.lock.effect)."""

    holder: str
    victim: str
    dice: int


class FallenWeapon(msgspec.Struct, frozen=True):
    """A weapon that was knocked away, and how many fighting distances (fight.disarm.farther)."""

    owner: str
    weapon: Weapon
    farther: int = 0
    reached: bool = False
    """Whether its owner has won a positioning test since (fight.disarm.retrieve_needs_position)."""


class Gap(msgspec.Struct, frozen=True, cache_hash=True):
    """Two opponents, and how far apart they are."""

    one: str
    other: str
    gap: int

    def has(self, a: str, b: str) -> bool:
        """Whether it lies between these two."""
        return (a == self.one and b == self.other) or (a == self.other and b == self.one)


class Fight(msgspec.Struct, frozen=True, cache_hash=True):
    """A fight under way. Changes are made with the methods that give a new one."""

    fighters: tuple[FightingCharacter, ...]
    table: BurningTable
    gaps: tuple[Gap, ...] = ()
    locks: tuple[Lock, ...] = ()
    fallen: tuple[FallenWeapon, ...] = ()
    ground: tuple[Line, ...] = ()
    """What makes everybody's actions harder here (fight.disadvantage.melee)."""
    series: str = ""
    """The series in which its tests are logged; empty in a rehearsal, where none are."""
    exchange: int = 0
    volley: int = 0
    action: int = 0
    """The slot of the volley that is played, from 1; 0 between them."""
    reserves: tuple[FightingCharacter, ...] = ()
    """Those who may still join it."""
    quick: str = ""
    """Who goes first in this exchange (fight.initiative.effect)."""
    is_quick_volley: bool = False
    """Whether that first action is one of this volley."""
    engaged: bool = False
    """Whether anybody has been within striking distance since they engaged."""
    may_react: bool = False
    """Whether an announced action may still become an Avoid or a Block.

    fight.forfeit.oh_option."""
    lasting: tuple[tuple[str, str], ...] = ()
    """Spells that last for exchanges, by caster and name, and were there when this one began."""
    raised: tuple[WaitingSpell, ...] = ()
    """Spells that were rolled in this volley and wait for a counter-spell, or for their spell."""

    # --- Who ----------------------------------------------------------------------------

    def fighter(self, character: str) -> FightingCharacter:
        """A fighter by the key of the character."""
        for fighter in self.fighters:
            if fighter.character == character:
                return fighter
        raise LookupError(f"{character!r} is not in this fight")

    def sheet(self, character: str) -> Sheet:
        """The sheet of a fighter."""
        return self.table.character(character)

    def name(self, character: str) -> str:
        """What a fighter is called."""
        return self.table.character(character).name

    def seat(self, character: str) -> Seat:
        """The player of a fighter."""
        return self.table.character(character).seat(character)

    @property
    def standing(self) -> tuple[FightingCharacter, ...]:
        """All who still take part, and not as somebody's mount."""
        for fighter in self.fighters:
            if fighter.out or fighter.carries:
                there = [each for each in self.fighters if not each.out and not each.carries]
                return tuple(there)
        return self.fighters

    @property
    def mounts(self) -> tuple[FightingCharacter, ...]:
        """All mounts that carry somebody."""
        for fighter in self.fighters:
            if fighter.carries:
                return tuple([each for each in self.fighters if each.carries and not each.out])
        return ()

    def mount(self, rider: str) -> str:
        """What a fighter rides; empty for one on foot."""
        for each in self.fighters:
            if each.carries == rider and not each.out:
                return each.character
        return ""

    def rider(self, character: str) -> str:
        """Where a fighter is: a mount is where its rider is."""
        return self.fighter(character).carries or character

    def opponents(self, character: str) -> tuple[str, ...]:
        """The fighters of other sides who still take part, in the order in which they joined."""
        side = self.fighter(character).side
        return tuple(
            [
                each.character
                for each in self.fighters
                if each.side != side and not each.out and not each.carries
            ]
        )

    def pairs(self) -> Iterator[Gap]:
        """The gaps between opponents who both still take part."""
        there = {fighter.character for fighter in self.standing}
        return (gap for gap in self.gaps if gap.one in there and gap.other in there)

    # --- Where --------------------------------------------------------------------------

    def gap(self, a: str, b: str) -> int:
        """The gap between two opponents."""
        for gap in self.gaps:
            if gap.has(a, b):
                return gap.gap
        return self.gap(self.rider(a), self.rider(b))

    def distance(self, a: str, b: str, length: str) -> Distance:
        """The fighting distance of *a* from *b*, with a weapon of a length."""
        return distance_at(self.gap(a, b), length)

    def lock_on(self, victim: str) -> int:
        """How many dice Locks cost a fighter, all together."""
        if not self.locks:
            return 0
        return sum(lock.dice for lock in self.locks if lock.victim == victim)

    # --- Changes ------------------------------------------------------------------------

    def put(self, fighter: FightingCharacter) -> Fight:
        """The fight with a fighter in the place of what he was before."""
        name = fighter.character
        fighters = tuple([fighter if each.character == name else each for each in self.fighters])
        return msgspec.structs.replace(self, fighters=fighters)

    def change(self, character: str, **fields: object) -> Fight:
        """The fight with some fields of a fighter changed."""
        fighters = self.fighters
        for at, fighter in enumerate(fighters):
            if fighter.character == character:
                changed = msgspec.structs.replace(fighter, **fields)
                fighters = (*fighters[:at], changed, *fighters[at + 1 :])
                return msgspec.structs.replace(self, fighters=fighters)
        raise LookupError(f"{character!r} is not in this fight")

    def at(self, table: BurningTable) -> Fight:
        """The fight with the table after something has happened on it."""
        return msgspec.structs.replace(self, table=table)

    def moved(self, a: str, b: str, gap: int) -> Fight:
        """The fight with another gap between two opponents."""
        if not any(each.has(a, b) for each in self.gaps):
            a, b = self.rider(a), self.rider(b)
        gaps = tuple(
            Gap(each.one, each.other, gap) if each.has(a, b) else each for each in self.gaps
        )
        return msgspec.structs.replace(self, gaps=gaps)


def in_hand(fight: Fight, character: str) -> Weapon:
    """What a fighter has in hand: a weapon, or the bare fist."""
    return armed_with(fight.table.characters[character], fight.fighter(character).weapon)


class FightDeed(msgspec.Struct, frozen=True, cache_hash=True):
    """An action as it is carried out: by whom, which, and at whom.

    ``action`` is a key of ``fight.table.interactions`` (``strike``, ``non_martial``, ...), ``card``
    that of the card it was scripted with (``strike``, ``get_up``, ...); ``way`` is how a weapon is
    used where that is not its first, such as the hilt. ``by`` is the mount that does it for its
    rider, who is defended by it.
    """

    character: str
    action: str
    card: str
    target: str = ""
    way: str = ""
    by: str = ""

    @property
    def doer(self) -> str:
        """Who rolls for it."""
        return self.by or self.character
