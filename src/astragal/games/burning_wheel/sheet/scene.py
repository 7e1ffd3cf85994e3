"""The scene, beyond any one sheet: results that ride, enemies, chases, the calendar."""

from __future__ import annotations

from functools import cached_property
from typing import TypeAlias

import msgspec

from astragal.games.game import Table

from .armor_tables import Shield
from .faiths import HolyPlace, Religion
from .parts import Difficulty, Gear
from .rides import Ride as Ride
from .rides import Rides
from .sheet import Sheet
from .weapon_tables import Weapon


class Instructions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text that somebody has read, and whether it was understood."""

    title: str
    reader: str
    understood: bool


class FateAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the Die of Fate has settled for this scene (die_of_fate.amb.reroll_same_question)."""

    wish: str
    granted: bool


class Calendar(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Game time: whole days and the seconds of this one, since the campaign began.

    ``began`` is the month and day on which it did, ``months`` how long the months are where
    they are not all alike (advancement.amb.practice_segments).
    """

    day: int = 0
    seconds: int = 0
    began: tuple[int, int] = (1, 1)
    months: tuple[int, ...] = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

    @property
    def hour(self) -> int:
        """The hour of the day."""
        return self.seconds // 3600

    @property
    def moment(self) -> int:
        """The seconds since the campaign began."""
        return self.day * 86400 + self.seconds


class SeriesTest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The one test that an ability has from a series so far, and whether it is logged already.

    With ``roots`` it goes toward a skill that is not open yet.
    """

    character: str
    ability: str
    difficulty: Difficulty
    obstacle: int
    roots: tuple[str, ...] = ()
    logged: bool = False


class Series(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A conflict or scene of repeated rolls (advancement.series.one_test)."""

    title: str
    characters: tuple[str, ...]
    tests: tuple[SeriesTest, ...] = ()


class Course(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Instruction under way: who teaches whom what, since which day, and whether it takes.

    ``quickly`` are extra successes put into speed (advancement.amb.instruction_scope).
    """

    instructor: str
    student: str
    skill: str
    since: int
    passed: bool
    quickly: int = 0


class Hesitation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character who failed a Steel test: heartbeats still to come, and the reaction.

    A character who swooned stays so until the player says how it ends; one who fell prone is on
    the ground, without the weapon, even when the heartbeats are over
    (steel.amb.prone_afterwards).
    """

    character: str
    heartbeats: int
    reaction: str
    flees_from: str = ""
    prone: bool = False
    dropped: str = ""
    kneeling: bool = False


class UnrolledSteelTest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A situation that has brought somebody an unrolled Steel test."""

    character: str
    situation: str


class SteelSource(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What has put somebody's Steel to the test in this scene (gold.steel.once_per_scene)."""

    character: str
    source: str


class Enemy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An enemy of a character, on the GM's record.

    circles.naming.gm_names_enemies.
    """

    character: str
    name: str
    grudge: str = ""


class SearchRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Circles test that others may detect, and the dice of standings it used.

    ``obstacle`` is without what was added to keep it quiet, ``hidden`` what is added for those
    who would detect it and ``traces`` the dice they gain; ``reputation_dice`` are those of the
    seeker's own reputations, ``failed`` whether nobody was found. Once held against a detection
    test it is ``compared``.
    """

    seeker: str
    sought: str
    obstacle: int
    about: str = ""
    contact: str = ""
    standings: tuple[str, ...] = ()
    reputation_dice: int = 0
    hidden: int = 0
    traces: int = 0
    compared: bool = False
    failed: bool = False


class ClosedArgument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A matter that somebody refused to debate, and must keep silent about.

    duel_of_wits.setup.walk_away_silence.
    """

    character: str
    about: str


class Aristeia(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An Aristeia, for a scene or a goal (artha.aristeia.choose_form)."""

    character: str
    form: str
    ability: str
    goal: str = ""
    opponent: str = ""


class Runner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character in a chase: how they run, and what they bring to it."""

    character: str
    how: str = "runs"
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()


class Pair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One pursuer and one quarry still running, and which of them won the test before.

    ``may_act`` is the pursuer's one action at full run, not yet taken; ``successes`` are those
    of his last test.
    """

    pursuer: str
    pursued: str
    ahead: str = ""
    may_act: bool = False
    successes: int = 0


class Pursuit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chase under way: who runs, the ground, and how far it has come.

    ``tests`` is the number the GM announced for a long chase (0: an ordinary one), ``made`` how
    many of them are over; ``lengths`` counts ties, too. Where all ride, in open country there is
    ``nowhere_to_hide``, and the smaller beast is ``suited`` to towns and forest.
    """

    runners: tuple[Runner, ...]
    pairs: tuple[Pair, ...]
    tests: int = 0
    made: int = 0
    lengths: int = 0
    nowhere_to_hide: bool = False
    suited: tuple[str, ...] = ()


class InSaddle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who rides what.

    ``half_out`` is a rider who was pushed half out of the saddle; ``tested`` says that a beast
    without Rider Training has tried to throw its rider.
    """

    rider: str
    mount: str
    half_out: bool = False
    tested: bool = False


class Cover(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shield held against a shooter, for the rest of the melee (armor.shield_missile.fight_roll).

    ``penalty`` is what the shield's dice came to, ``area`` the part of the body it covers; a
    character ``hiding`` behind a great shield may only position.
    """

    character: str
    shooter: str
    penalty: int = 0
    area: str = ""
    hiding: bool = False


class MaterialSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A door, a window, a stretch of wall: its material and its damage.

    materials.scope.sections.
    """

    name: str
    material: str
    scratches: int = 0
    breaches: int = 0
    destroyed: bool = False


class FightMoment(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """A point in a fight: the exchange, the volley in it, and the action in that, each from 1."""

    exchange: int = 1
    volley: int = 1
    action: int = 1

    def __str__(self) -> str:
        """In words."""
        return f"exchange {self.exchange}, volley {self.volley}, action {self.action}"


class BombBystander(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character near a bomb, and the fighting distance from it: optimal or lunging."""

    character: str
    distance: str


class LitBomb(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bomb whose fuse burns: whose, since when, until when, and who is near it.

    A bomb that is not ``thrown`` is in the bomber's hand. ``bonus`` is what a good throw adds to
    the Die of Fate of its ``target``, and of nobody else.
    """

    bomber: str
    bomb: Weapon
    lit: FightMoment
    due: FightMoment
    thrown: bool = False
    target: str = ""
    bonus: int = 0
    near: tuple[BombBystander, ...] = ()


class LostThing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of gear, a weapon or a shield that nobody has for now: whose it was, how it went."""

    gear: Gear | None = None
    weapon: Weapon | None = None
    shield: Shield | None = None
    owner: str = ""
    how: str = ""

    @property
    def called(self) -> str:
        """What it is called."""
        if self.gear is not None:
            return self.gear.name
        carried = self.weapon or self.shield
        return carried.called if carried is not None else ""


class GivenCycle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the GM has an ability practised that the tables leave out.

    advancement.amb.practice_missing_abilities: months for one test, and hours a day for a routine,
    a difficult and a challenging one.
    """

    ability: str
    months: int
    hours: tuple[int, int, int]


class SetUpLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What players' characters may be: how many lifepaths, and the highest exponent.

    rogues.setup.lifepath_limits; 0 is no limit.
    """

    fewest_lifepaths: int = 0
    most_lifepaths: int = 0
    highest_exponent: int = 0


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The scene as the chapters share it."""

    rides: tuple[Ride, ...] = ()
    instructions: tuple[Instructions, ...] = ()
    calendar: Calendar = Calendar()
    series: tuple[Series, ...] = ()
    courses: tuple[Course, ...] = ()
    fates: tuple[FateAnswer, ...] = ()
    aristeias: tuple[Aristeia, ...] = ()
    complications: bool = False  # whether the table plays with them
    argh_my_arm: bool = False  # whether the table plays with harsher hits on limbs and head
    warned: tuple[str, ...] = ()  # seats told that they disrupt play
    session: int = 0  # how many sessions have begun
    since_trait_vote: int = 0  # sessions since the last trait vote
    trait_votes_every: int = 0  # sessions between votes, where a faster rate was announced
    hesitating: tuple[Hesitation, ...] = ()
    harrowed: tuple[UnrolledSteelTest, ...] = ()
    shaken: tuple[SteelSource, ...] = ()
    enemies: tuple[Enemy, ...] = ()
    closed_arguments: tuple[ClosedArgument, ...] = ()
    searches: tuple[SearchRecord, ...] = ()
    chases: tuple[Pursuit, ...] = ()
    bombs: tuple[LitBomb, ...] = ()
    covers: tuple[Cover, ...] = ()
    shot_covers: tuple[Cover, ...] = ()  # for the next shot of that shooter only
    sections: tuple[MaterialSection, ...] = ()
    lost: tuple[LostThing, ...] = ()  # gear that can be found again
    cycle_began: int = 0  # the day on which this Resources cycle did
    tax_collectors: int = 0  # days between their visits, where they set the cycle
    concept: str = ""  # what the game is about, as the group agreed
    set_aside: tuple[str, ...] = ()  # parts of the rules and things that are not in this game
    limits: SetUpLimits = SetUpLimits()
    religions: tuple[Religion, ...] = ()
    holy_places: tuple[HolyPlace, ...] = ()
    riders: tuple[InSaddle, ...] = ()
    practice_cycles: tuple[GivenCycle, ...] = ()

    def __post_init__(self) -> None:
        """Keep what rides where it can be found."""
        if not isinstance(self.rides, Rides):
            msgspec.structs.force_setattr(self, "rides", Rides(self.rides))

    def __hash__(self) -> int:
        """Equal for equal scenes."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Of what rides, how much that is and what came last; worked out once."""
        _, *others = msgspec.structs.astuple(self)
        return hash((len(self.rides), self.rides[-1:], *others))

    @property
    def results(self) -> Rides:
        """What rides, with its index."""
        assert isinstance(self.rides, Rides)
        return self.rides


BurningTable: TypeAlias = Table[Sheet, Scene]
"""A table of the Burning Wheel."""
