"""The parts of a character sheet, each a small frozen value.

Abilities and their logs; Beliefs, Instincts and traits; wealth; wounds; people; gear; learning
and practice. The sheet itself is in ``sheet/sheet``; weapons and armor have modules of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum

import msgspec

from .ratings import Coordinate, Rating


class AbilityKind(Enum):
    """What sort of thing an ability is; the rules treat each sort in its own way."""

    STAT = "stat"
    ATTRIBUTE = "attribute"
    SKILL = "skill"
    RESOURCES = "resources"
    CIRCLES = "circles"


class Difficulty(Enum):
    """The three classes of test (advancement.class.three)."""

    ROUTINE = "routine"
    DIFFICULT = "difficult"
    CHALLENGING = "challenging"


class AbilityLog(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tests earned since the ability last rose (advancement.log.tests_are_marked)."""

    routine: int = 0
    difficult: int = 0
    challenging: int = 0


def for_ability(numbers: Mapping[str, int], ability: str) -> int:
    """What is written for an ability, whatever its capitals; none where nothing is.

    >>> for_ability({"sword": 2}, "Sword"), for_ability({"Axe": 1}, "Sword")
    (2, 0)
    """
    wanted = ability.casefold()
    return sum(number for name, number in numbers.items() if name.casefold() == wanted)


def is_named(ability: str, names: Iterable[str]) -> bool:
    """Whether an ability is among some names, whatever their capitals."""
    wanted = ability.casefold()
    return any(name.casefold() == wanted for name in names)


class Artha(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """The three separate counts of artha (artha.types.three)."""

    fate: int = 0
    persona: int = 0
    deeds: int = 0

    def __add__(self, more: Artha) -> Artha:
        """Two amounts together."""
        return Artha(self.fate + more.fate, self.persona + more.persona, self.deeds + more.deeds)

    def __sub__(self, less: Artha) -> Artha:
        """What is left of an amount."""
        return Artha(self.fate - less.fate, self.persona - less.persona, self.deeds - less.deeds)


class Ability(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rating, the tests earned with it, and the artha spent on it (toward an epiphany).

    ``bonus`` are the dice of a trait that count only where the GM says so: the number in brackets
    in some stat blocks, less the exponent (rogues.amb.bracketed_values).
    """

    rating: Rating
    log: AbilityLog = AbilityLog()
    spent: Artha = Artha()
    bonus: int = 0


class SkillAbility(Ability, frozen=True, forbid_unknown_fields=True):
    """A technique or field of knowledge (tests.skills.definition), with its root stats.

    ``magical`` skills are open-ended by nature; ``category`` (Forester, Social, ...) says how
    long its tests usually take; ``patiently`` is what its own rules make of extra successes
    (tests.method.patiently_skill_rules), if they say anything; ``tools`` whether its tests
    usually call for tools (gold.tests.tools).
    """

    roots: tuple[str, ...] = ()
    magical: bool = False
    category: str = ""
    patiently: str = ""
    tools: bool = False


class Fund(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lasting wealth: property, a great sum, goods in bulk (resources.fund.bonus)."""

    name: str
    dice: int


class Loan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Borrowed dice, and for how many tests they are still good (resources.loan.test)."""

    lender: str
    dice: int
    tests: int = 1


class Debt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a character still owes to a lender (resources.debt.size)."""

    lender: str
    owed: int


class Job(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Work under way: the skill, the Taxed dice it will bring back, and on which day."""

    skill: str
    restores: int
    until: int


class Resources(Ability, frozen=True, forbid_unknown_fields=True):
    """Wealth, credit and standing together (resources.ability.every_character).

    The rating is the underlying one; ``taxed`` dice are missing for the time being
    (resources.tax.temporary). ``letters`` name those who promised their help in writing,
    ``repaid`` are dice on the next test, ``lifestyle`` is the obstacle of the way of life and
    ``fallen`` by how much it is lower for now; ``maintained`` and ``worked`` are of this cycle.
    """

    taxed: int = 0
    home: str = ""
    cash: int = 0
    funds: tuple[Fund, ...] = ()
    titles: tuple[str, ...] = ()
    loans: tuple[Loan, ...] = ()
    debts: tuple[Debt, ...] = ()
    letters: tuple[str, ...] = ()
    repaid: int = 0
    lifestyle: int = 0
    fallen: int = 0
    maintained: bool = False
    job: Job | None = None
    worked: bool = False

    @property
    def left(self) -> int:
        """The dice that tax leaves."""
        return self.rating.exponent - self.taxed


class Belief(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A belief or an instinct, with the artha spent for its sake (artha.evolve.mark).

    ``pending`` is the new wording that waits for the GM's moment (beliefs.amb.gm_delay_vs_veto);
    ``free`` is the GM's word, given when an instinct was written, whether its action inside a
    conflict costs nothing (beliefs.amb.instinct_action_limits).
    """

    text: str
    spent: Artha = Artha()
    pending: str = ""
    free: bool | None = None


class TraitKind(Enum):
    """The three kinds of trait (beliefs.trait.three_kinds)."""

    CHARACTER = "character"
    CALL_ON = "call_on"
    DIE = "die"


class CallOn(Enum):
    """What a call-on trait can do when it is invoked (beliefs.amb.call_on_effect_choice)."""

    BREAK_TIE = "break_tie"
    REROLL = "reroll"


class Trait(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A trait that was bought or voted (beliefs.trait.must_be_bought_or_voted).

    A call-on names the abilities and the situation it speaks for (none named: any), and what it
    can do. A die trait is a constant modifier (beliefs.trait.die.effect_types), or one in the
    ``situation`` that it names: ``dice`` and ``obstacle`` by ability, ``hesitation``, abilities
    made ``open_ended``. ``cosmetic`` traits
    are about looks, ``body`` traits alter the body; ``points`` is what it costs. ``fists`` is the
    shade it gives to unarmed damage (shades.power.damage_stays_black), if any; ``softens`` is by
    how many steps it lowers every wound (rogues.burned.iron_scales).
    """

    name: str
    kind: TraitKind = TraitKind.CHARACTER
    abilities: tuple[str, ...] = ()
    called_this_session: bool = False
    situation: str = ""
    effects: tuple[CallOn, ...] = (CallOn.BREAK_TIE, CallOn.REROLL)
    dice: dict[str, int] = {}
    obstacle: dict[str, int] = {}
    hesitation: int = 0
    open_ended: tuple[str, ...] = ()
    cosmetic: bool = False
    body: bool = False
    points: int = 1
    fists: str = ""
    softens: int = 0


class PrintedHesitation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hesitation that a stat block prints, which counts whatever Will gives.

    Where it has two, ``surprise`` is the one marked s and ``pain`` the one marked p
    (rogues.amb.split_hesitation).
    """

    surprise: int
    pain: int


class Lifepath(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of the character's past, with its setting and the settings it led to.

    It decides whom the character may know (circles.scope.lifepaths).
    """

    name: str
    setting: str = ""
    leads: tuple[str, ...] = ()


class WoundLevel(Enum):
    """The six tolerances, and the wounds that are named for them (injury.ptgs.six_tolerances)."""

    __hash__ = object.__hash__  # each member is there only once, and is looked up all the time

    SUPERFICIAL = "Superficial"
    LIGHT = "Light"
    MIDI = "Midi"
    SEVERE = "Severe"
    TRAUMATIC = "Traumatic"
    MORTAL = "Mortal"


class Tolerances(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The six tolerances on a character's grayscale, left to right.

    They come from the making of the character and are given (injury.ptgs.tolerance_placement).
    """

    superficial: Coordinate
    light: Coordinate
    midi: Coordinate
    severe: Coordinate
    traumatic: Coordinate
    mortal: Coordinate

    def of(self, level: WoundLevel) -> Coordinate:
        """Where a level begins."""
        step: Coordinate = getattr(self, level.value.casefold())
        return step


class Wound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One injury, marked on its own (injury.register.separate), and all that became of it.

    ``at`` is where it is marked; three superficial wounds that are ``merged`` into one light
    one have three marks. ``fresh`` is what was taken in this scene, ``borne`` what is shrugged
    off for it (of a superficial wound the obstacle, of any other one die), ``tried`` whether
    that was tried. Moments are seconds of the campaign's calendar.

    Bleeding: ``bled`` are the seconds that count toward the next level, ``held`` the moment
    until which it is held, ``staunched`` how often it has been, ``clotted`` a wound that bleeds
    no further. Treatment: ``treated``, ``failed`` (healer and skill), ``bonus`` dice for the
    Health test; ``will`` is the Will to Live paid for. Recovery: ``tested``, dice ``returned``,
    the moments at which further dice ``return``, when the wound ``closes``, and the dice
    ``lost`` for good then, from which ``stat``; ``course`` is a stage after a Mortal Wound.
    """

    level: WoundLevel
    at: tuple[Coordinate, ...] = ()
    source: str = ""
    merged: bool = False
    taken: int = 0
    fresh: bool = False
    borne: bool = False
    tried: bool = False
    bled: int = 0
    held: int = 0
    staunched: int = 0
    clotted: bool = False
    treated: bool = False
    failed: tuple[str, ...] = ()
    bonus: int = 0
    will: bool = False
    tested: bool = False
    returned: int = 0
    returns: tuple[int, ...] = ()
    closes: int = 0
    lost: int = 0
    stat: str = ""
    course: bool = False


class Relationship(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the GM's characters who matters to this one (circles.relationship.definition)."""

    name: str
    note: str = ""


class SocialStanding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reputation or an affiliation and the dice it brings.

    ``scope`` is the realm or group in which it counts, of an infamous reputation the group that
    it offends; ``lost`` are dice that may be won back, ``identity`` is the guise it belongs to,
    ``raised_in`` the scenario that raised it last.
    """

    name: str
    dice: int
    infamous: bool = False
    scope: str = ""
    lost: int = 0
    identity: str = ""
    raised_in: str = ""


class Contact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character found by Circles and written down by name (circles.naming.written).

    ``obstacle`` is that of the search, ``place`` and ``time`` what was asked for, ``taps`` how
    often the contact has been found, ``identity`` the guise in which.
    """

    name: str
    sought: str
    obstacle: int
    place: str = "anywhere"
    time: str = "eventually"
    taps: int = 0
    identity: str = ""


class Gear(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A thing carried; most of it is colour (tests.gear.acquisition).

    What weighs in the rules: dice it adds to tests of some abilities, disadvantages it keeps
    from counting, and disadvantages it brings (tests.gear.effect). A set of ``tools`` names the
    abilities it is for, and whether it was ``used`` before (gold.tests.tools_die_of_fate).
    """

    name: str
    dice: dict[str, int] = {}
    shade: str = "B"
    removes: tuple[str, ...] = ()
    hinders: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    used: bool = False


class Learning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A skill not yet opened: its roots, and the tests logged toward its Aptitude.

    A ``training`` skill has no exponent and is learned by practice and instruction alone.
    """

    roots: tuple[str, ...] = ()
    tests: int = 0
    category: str = ""
    training: bool = False
    magical: bool = False


class PracticeTime(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Days of practice toward one class of test (advancement.practice.partial_cycles).

    ``since`` is the day on which the stored time began.
    """

    ability: str
    difficulty: Difficulty
    days: int
    since: int = 0


class Use(Enum):
    """What a character's days went into."""

    PRACTICE = "practice"
    INSTRUCTION = "instruction"
    OTHER = "other"


class Stretch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Days of the campaign that are accounted for, and the hours of each."""

    first: int
    days: int
    hours: int
    use: Use = Use.OTHER
    doing: str = ""
