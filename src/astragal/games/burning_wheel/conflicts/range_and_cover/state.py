"""The state of a skirmish between two volleys: who shoots with what, and from which range.

A section of the chapter on Range and Cover (``conflicts/range_and_cover/skirmish``).
"""

from __future__ import annotations

import msgspec

from astragal.play import Seat

from ...magic.faith.requests import Pray
from ...magic.sorcery.casting import DeclaredSpell
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...sheet.weapon_tables import Weapon
from ...sheet.weapons_carried import armed_with
from .ranges import OUT, TOO_CLOSE, Ladder, RangedArm, arm_of

MOST_COVER = 2
"""range_and_cover.cover.dice.max_two."""


class SpellAtRange(msgspec.Struct, frozen=True, cache_hash=True):
    """A spell that is cast over volleys: ``before`` of Maintain, of which some are ``done``."""

    declared: DeclaredSpell
    before: int = 0
    done: int = 0

    @property
    def name(self) -> str:
        """What the spell is called."""
        return self.declared.spell.name

    @property
    def left(self) -> int:
        """How many volleys of Maintain it still takes before the one in which it is cast."""
        return self.before - self.done


class Skirmisher(msgspec.Struct, frozen=True, cache_hash=True):
    """Somebody in a skirmish, as he is between two volleys.

    ``weapon`` is what he shoots or throws with, by name (nothing: empty), ``head`` that of his
    arrows. ``aim`` are dice for his next shot. ``fired`` says that he shot in the volley just
    before. ``hesitates`` is how many volleys he still loses, by ``reaction``; ``hidden`` are the
    successes with which a swooning one has dropped out of sight. ``mount`` is what he rides,
    ``cue`` what his Riding test has brought it in this volley, ``ready`` how he begins a melee.
    ``casting`` is a spell that he has begun, ``prayer`` what he prays for in this volley. ``out``
    says why he no longer takes part.
    """

    character: str
    side: int
    weapon: str = ""
    head: str = ""
    aim: int = 0
    fired: bool = False
    hesitates: int = 0
    reaction: str = ""
    hidden: int = 0
    mount: str = ""
    cue: int = 0
    ready: str = ""
    casting: SpellAtRange | None = None
    prayer: Pray | None = None
    out: str = ""

    @property
    def is_hesitating(self) -> bool:
        """Whether he loses the next volley."""
        return self.hesitates > 0


class Team(msgspec.Struct, frozen=True):
    """What a whole side has: cover dice, the cover of its place, and prepared defences."""

    cover: int = 0
    level: str = "open"
    fortification: int = 0


class Skirmish(msgspec.Struct, frozen=True, cache_hash=True):
    """A skirmish under way. Changes are made with the methods that give a new one."""

    skirmishers: tuple[Skirmisher, ...]
    teams: tuple[Team, Team]
    ladder: Ladder
    at: str
    """The joint state of both sides' weapons."""
    table: BurningTable
    series: str = ""
    """The series in which its tests are logged; empty in a rehearsal, where none are."""
    sits_out: tuple[str, ...] = ()
    """Who hesitates in the volley that is being played."""
    exchange: int = 0
    volley: int = 0
    settled: str = ""
    winner: int | None = None
    lasting: tuple[tuple[str, str], ...] = ()
    """Spells that last for exchanges, by caster and name, and were there when this one began."""

    # --- Who ----------------------------------------------------------------------------

    def one(self, character: str) -> Skirmisher:
        """A skirmisher by the key of the character."""
        return next(each for each in self.skirmishers if each.character == character)

    def active(self, side: int) -> tuple[Skirmisher, ...]:
        """Those of a side who still take part, in the order in which they were named."""
        return tuple(each for each in self.skirmishers if each.side == side and not each.out)

    def leader(self, side: int) -> Skirmisher:
        """Who tests for a side: the first who can act, or else the first."""
        there = self.active(side) or tuple(e for e in self.skirmishers if e.side == side)
        return next((each for each in there if not each.is_hesitating), there[0])

    def is_passive(self, side: int) -> bool:
        """Whether all of a side hesitate."""
        return all(each.is_hesitating for each in self.active(side))

    def sheet(self, character: str) -> Sheet:
        """The sheet of somebody."""
        return self.table.character(character)

    def name(self, character: str) -> str:
        """What somebody is called."""
        return self.table.character(character).name

    def seat(self, character: str) -> Seat:
        """The player of somebody."""
        return self.table.character(character).seat(character)

    def title(self, side: int) -> str:
        """What a side is called: its leader, and who or how many are with him."""
        leader = self.leader(side).character
        others = [each.character for each in self.active(side) if each.character != leader]
        if not others:
            return self.name(leader)
        with_him = self.name(others[0]) if len(others) == 1 else f"{len(others)} others"
        return f"{self.name(leader)} and {with_him}"

    def are_several(self, side: int) -> bool:
        """Whether a side is spoken of as several: they win, where one alone wins."""
        return len(self.active(side)) > 1

    # --- With what, and how far ---------------------------------------------------------

    def carried(self, character: str) -> Weapon | None:
        """What somebody shoots or throws with."""
        weapon = self.one(character).weapon
        return armed_with(self.sheet(character), weapon) if weapon else None

    def arm(self, character: str) -> RangedArm | None:
        """The same, as it counts for ranges."""
        carried = self.carried(character)
        if carried is None:
            return None
        return arm_of(carried, self.table.options, self.one(character).head)

    def category(self, character: str, at: str = "") -> str:
        """The range at which somebody's weapon is, now or in another state.

        range_and_cover.range.per_weapon. Companions stand where the first of their side does; with
        a longer or shorter weapon their category follows from his.
        """
        at = at or self.at
        side = self.one(character).side
        mine = self.ladder.category(at, side)
        arm = self.arm(character)
        first = next(each for each in self.skirmishers if each.side == side)
        reference = self.arm(first.character)
        if arm is None or reference is None or arm.paces == reference.paces or mine == TOO_CLOSE:
            return mine
        theirs_can = self.ladder.category(at, 1 - side) != OUT
        return self.ladder.other_category(
            mine, longer=arm.paces > reference.paces, theirs_can=theirs_can
        )

    # --- Changes ------------------------------------------------------------------------

    def change(self, character: str, **fields: object) -> Skirmish:
        """The skirmish with some fields of a skirmisher changed."""
        changed = tuple(
            msgspec.structs.replace(each, **fields) if each.character == character else each
            for each in self.skirmishers
        )
        return msgspec.structs.replace(self, skirmishers=changed)

    def with_team(self, side: int, **fields: object) -> Skirmish:
        """The skirmish with something about a side changed."""
        team = msgspec.structs.replace(self.teams[side], **fields)
        teams = (team, self.teams[1]) if side == 0 else (self.teams[0], team)
        return msgspec.structs.replace(self, teams=teams)

    def on(self, table: BurningTable) -> Skirmish:
        """The skirmish with the table after something has happened on it."""
        return msgspec.structs.replace(self, table=table)

    def moved(self, at: str) -> Skirmish:
        """The skirmish at another range."""
        return msgspec.structs.replace(self, at=at)

    def ended(self, how: str, winner: int | None = None) -> Skirmish:
        """The skirmish when it is over; the first reason counts."""
        if self.settled:
            return self
        return msgspec.structs.replace(self, settled=how, winner=winner)
