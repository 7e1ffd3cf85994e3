"""The character sheet (tests.record.character_sheet, tests.character.components).

One frozen value holds everything a character is: stats, attributes and skills; beliefs,
instincts and traits; Resources, Circles, relationships, reputations and affiliations; gear;
artha. Any part may be missing, because the GM's characters need only the few numbers that
come into play (tests.record.gm_characters). The sheet says what *is*; what it *does* is in
the chapters.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Any

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput
from astragal.games.burning_wheel.arms import Weapon
from astragal.games.burning_wheel.carried import check_weapons, weapon_form
from astragal.games.burning_wheel.harness import (
    Piece,
    Shield,
    check_harness,
    normal_armor,
    normal_shield,
)
from astragal.games.burning_wheel.ratings import HIGHEST_EXPONENT, Coordinate, Rating
from astragal.play import GM, Seat
from astragal.rules import catalogue


class Kind(Enum):
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


class Log(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tests earned since the ability last rose (advancement.log.tests_are_marked)."""

    routine: int = 0
    difficult: int = 0
    challenging: int = 0


class Artha(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """The three separate counts of artha (artha.types.three)."""

    fate: int = 0
    persona: int = 0
    deeds: int = 0


class Ability(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rating, the tests earned with it, and the artha spent on it (toward an epiphany)."""

    rating: Rating
    log: Log = Log()
    spent: Artha = Artha()


class Skill(Ability, frozen=True, forbid_unknown_fields=True):
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
    """What is still owed to a lender (resources.debt.size)."""

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
    can do. A die trait is a constant modifier (beliefs.trait.die.effect_types): ``dice`` and
    ``obstacle`` by ability, ``hesitation``, abilities made ``open_ended``. ``cosmetic`` traits
    are about looks, ``body`` traits alter the body; ``points`` is what it costs. ``fists`` is the
    shade it gives to unarmed damage (shades.power.damage_stays_black), if any.
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


class Lifepath(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of the character's past, with its setting and the settings it led to.

    It decides whom the character may know (circles.scope.lifepaths).
    """

    name: str
    setting: str = ""
    leads: tuple[str, ...] = ()


class Level(Enum):
    """The six tolerances, and the wounds that are named for them (injury.ptgs.six_tolerances)."""

    SUPERFICIAL = "Superficial"
    LIGHT = "Light"
    MIDI = "Midi"
    SEVERE = "Severe"
    TRAUMATIC = "Traumatic"
    MORTAL = "Mortal"


class Tolerances(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the six tolerances lie on a character's grayscale, left to right.

    They come from the making of the character and are given (injury.ptgs.tolerance_placement).
    """

    superficial: Coordinate
    light: Coordinate
    midi: Coordinate
    severe: Coordinate
    traumatic: Coordinate
    mortal: Coordinate

    def of(self, level: Level) -> Coordinate:
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

    level: Level
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


class Standing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
    """Somebody found by Circles and written down by name (circles.naming.written).

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


class Practised(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


MOST_GEAR_DICE = 10
"""No piece of gear brings more; a larger number is a slip of the keyboard."""


MOST_FUND = 10
"""The largest fund (resources.fund.bonus)."""

MOST_WEALTH = 60
"""More dice, tests or debt than this is a slip of the keyboard."""


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character of the Burning Wheel."""

    name: str
    player: Seat = ""
    concept: str = ""
    age: int = 0  # in years, where it is known
    body_type: str = "Man"  # a row of movement.table.multipliers
    speed_multiplier: float = 0  # of a body that no row is for; 0 where one is
    stats: dict[str, Ability] = {}
    attributes: dict[str, Ability] = {}
    skills: dict[str, Skill] = {}
    beliefs: tuple[Belief, ...] = ()
    instincts: tuple[Belief, ...] = ()
    traits: tuple[Trait, ...] = ()
    resources: Resources | None = None
    circles: Ability | None = None
    lifepaths: tuple[Lifepath, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    contacts: tuple[Contact, ...] = ()
    identity: str = ""
    reputations: tuple[Standing, ...] = ()
    affiliations: tuple[Standing, ...] = ()
    gear: tuple[Gear, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    armor: dict[str, Piece] = {}  # what is worn, by location
    packed: tuple[Piece, ...] = ()  # armor that is carried, not worn
    clumsy_boots: bool = False  # heavily armored or badly made
    shield: Shield | None = None
    artha: Artha = Artha()
    tolerances: Tolerances | None = None
    wounds: tuple[Wound, ...] = ()
    staggered: bool = False  # the one attempt to get up again while incapacitated is used
    scars: tuple[str, ...] = ()
    caps: dict[str, int] = {}  # stats that can never be higher again
    comatose: bool = False
    dead: bool = False
    npc: bool = False
    learning: dict[str, Learning] = {}
    training: tuple[str, ...] = ()
    practice: tuple[Practised, ...] = ()
    days: tuple[Stretch, ...] = ()

    def __hash__(self) -> int:
        """Cheap, and equal for equal sheets: comparing does the rest."""
        return hash((self.name, self.artha))

    def seat(self, character: str) -> Seat:
        """Whoever plays the character: one player each, and the GM all others.

        tests.roles.player, tests.roles.gm.
        """
        return self.player or (GM if self.npc else character)

    def abilities(self) -> Iterator[Rated]:
        """Everything on the sheet that has a rating, in the order of the sheet."""
        for kind, group in (
            (Kind.STAT, self.stats),
            (Kind.ATTRIBUTE, self.attributes),
            (Kind.SKILL, self.skills),
        ):
            for name, ability in group.items():
                yield Rated(name, kind, ability)
        if self.resources is not None:
            yield Rated("Resources", Kind.RESOURCES, self.resources)
        if self.circles is not None:
            yield Rated("Circles", Kind.CIRCLES, self.circles)

    def find(self, name: str) -> Rated | None:
        """The ability of that name, whatever its capitals, or None."""
        if name in self.skills:  # as it is spelled on the sheet, mostly
            return Rated(name, Kind.SKILL, self.skills[name])
        if name in self.stats:
            return Rated(name, Kind.STAT, self.stats[name])
        if name in self.attributes:
            return Rated(name, Kind.ATTRIBUTE, self.attributes[name])
        wanted = name.casefold()
        return next((a for a in self.abilities() if a.name.casefold() == wanted), None)

    def ability(self, name: str, place: str = "ability") -> Rated:
        """The ability of that name, or a refusal that knows what the sheet has."""
        found = self.find(name)
        if found is None:
            names = [ability.name for ability in self.abilities()]
            near = difflib.get_close_matches(name, names, n=3) or names
            raise BadInput(place, name, f"an ability of {self.name}: {', '.join(near) or 'none'}")
        return found

    def has_in_hand(self, name: str) -> bool:
        """Whether there is a weapon or a piece of gear of that name to be held."""
        things = {gear.name.casefold() for gear in self.gear}
        for weapon in self.weapons:
            things |= {weapon.called.casefold(), weapon.weapon.casefold()}
        return name.casefold() in things

    def carried(self, name: str, place: str = "gear") -> Gear:
        """The piece of gear of that name."""
        for gear in self.gear:
            if gear.name.casefold() == name.casefold():
                return gear
        has = ", ".join(gear.name for gear in self.gear) or "nothing"
        raise BadInput(place, name, f"gear that {self.name} carries: {has}")


class Rated(msgspec.Struct, frozen=True):
    """An ability as a test needs it: what it is called, what sort it is, and what it has."""

    name: str
    kind: Kind
    ability: Ability

    @property
    def rating(self) -> Rating:
        """Shade and exponent."""
        return self.ability.rating

    @property
    def exponent(self) -> int:
        """The number of dice it brings (tests.exponent.dice_rolled).

        Tax lowers it for the time being (resources.tax.temporary); the rating stays.
        """
        if isinstance(self.ability, Resources):
            return self.ability.rating.exponent - self.ability.taxed
        return self.ability.rating.exponent

    @property
    def path(self) -> str:
        """Where it stands on the sheet."""
        if self.kind in (Kind.RESOURCES, Kind.CIRCLES):
            return str(self.kind.value)
        return f"{self.kind.value}s.{self.name}"

    def __str__(self) -> str:
        """As it is spoken of: Sword B4."""
        return f"{self.name} {self.rating}"


def stat_names() -> tuple[str, ...]:
    """The six stats (tests.stats.six)."""
    return tuple(str(name) for name in catalogue().table("tests.table.stats").column("stat"))


def about_stat(name: str) -> str:
    """What a stat covers.

    tests.stats.will, tests.stats.perception, tests.stats.agility, tests.stats.speed,
    tests.stats.power, tests.stats.forte: the words are the catalogue's.

    >>> about_stat("Power")
    'strength: pushing, grappling'
    """
    record = catalogue().table("tests.table.stats").where(stat=name)
    return f"{record['covers']}: {record['typical_tests']}"


def emotional_attributes() -> tuple[str, ...]:
    """The emotional attributes (tests.attributes.emotional), which are also forms of magic
    (tests.magic.forms).

    >>> emotional_attributes()
    ('Faith', 'Grief', 'Greed', 'Hatred')
    """
    for name in catalogue().table("tests.table.attributes").column("attribute"):
        label, _, names = str(name).partition(" (")
        if label == "Emotional":
            return tuple(n for n in names.rstrip(")").split(", ") if n != "...")
    raise LookupError("tests.table.attributes has no row for emotional attributes")


def attribute_names() -> tuple[str, ...]:
    """The attributes that have names of their own, the emotional ones among them.

    >>> attribute_names()
    ('Health', 'Reflexes', 'Steel', 'Mortal Wound', 'Faith', 'Grief', 'Greed', 'Hatred')
    """
    rows = catalogue().table("tests.table.attributes").column("attribute")
    plain = tuple(str(name) for name in rows if "(" not in str(name))
    return plain + emotional_attributes()


def parents(attribute: str) -> tuple[str, ...]:
    """The stats an attribute is worked out from (tests.attributes.derived).

    tests.attributes.health, tests.attributes.reflexes, tests.attributes.mortal_wound:

    >>> parents("Health"), parents("Mortal Wound")
    (('Will', 'Forte'), ('Power', 'Forte'))
    """
    record = catalogue().table("tests.table.attributes").where(attribute=attribute)
    stats = stat_names()
    return tuple(part for part in str(record["derived_from"]).split(", ") if part in stats)


def body_types() -> tuple[str, ...]:
    """The bodies whose Speed multiplier is known (movement.rate.multiplier_others)."""
    rows = catalogue().table("movement.table.multipliers").column("body_type")
    return tuple(str(body) for body in rows)


@cache
def dice_of(level: Level) -> int:
    """The dice that a wound of a level takes; none where it takes other things.

    injury.effect.light, injury.effect.midi, injury.effect.severe, injury.effect.traumatic.

    >>> [dice_of(level) for level in Level]
    [0, 1, 2, 3, 4, 0]
    """
    effects = catalogue().table("injury.table.wound_effects")
    penalty = effects.value("dice_penalty", wound=level.value)
    return -penalty if isinstance(penalty, int) else 0


@cache
def superficials_in_a_set() -> int:
    """How many superficial wounds make a light one (injury.superficial.three).

    >>> superficials_in_a_set()
    3
    """
    rows = catalogue().table("injury.table.superficial_count").records()
    return min(int(str(row["unrecovered_superficials"])) for row in rows if row["dice"] == -1)


def preset_tolerances() -> dict[str, tuple[str, ...]]:
    """The tolerances of the GM's characters of no great account, by their usual stat.

    injury.amb.tolerance_placement.

    >>> preset_tolerances()["B4"]
    ('B3', 'B5', 'B7', 'B8', 'B9', 'B10')
    """
    rows = catalogue().table("injury.table.one_off_npc_tolerances").rows
    return {str(row[0]): tuple(str(step) for step in row[1:]) for row in rows}


MOST_MULTIPLIER = 20
"""Nothing runs faster than this; a larger multiplier is a slip of the keyboard."""


def _check_body(sheet: Sheet) -> None:
    """A body with a Speed multiplier, by its type or of its own."""
    rule = "movement.rate.multiplier_others"
    if not 0 <= sheet.speed_multiplier <= MOST_MULTIPLIER:
        expected = f"0 (by the body type) to {MOST_MULTIPLIER}"
        raise BadInput("speed_multiplier", sheet.speed_multiplier, expected, rule)
    if not sheet.speed_multiplier and sheet.body_type not in body_types():
        expected = f"one of {', '.join(body_types())}, or a speed_multiplier beside it"
        raise BadInput("body_type", sheet.body_type, expected, rule)


def normal_form(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """A sheet file as people like to write it, with shorthand written out.

    ``Sword = "B4"`` is ``Sword = {rating = "B4"}``; a belief, trait, relationship or piece of
    gear that is only a text is just its text or name; stats and attributes may be written in
    any case. Six tolerances may be a list, or one rating of a character of no great account; a
    wound may be just its level, and ``superficials`` a number of them.
    """

    def spelled(value: Any, field: str) -> Any:
        return {field: value} if isinstance(value, str) else value

    normal: dict[str, Any] = dict(raw)
    for group in ("stats", "attributes", "skills"):
        if isinstance(raw.get(group), Mapping):
            normal[group] = {n: spelled(v, "rating") for n, v in raw[group].items()}
    body = raw.get("body_type")
    if isinstance(body, str):
        normal["body_type"] = {b.casefold(): b for b in body_types()}.get(body.casefold(), body)
    for group, names in (("stats", stat_names()), ("attributes", attribute_names())):
        if isinstance(normal.get(group), Mapping):
            official = {name.casefold(): name for name in names}
            official["hate"] = "Hatred"  # advancement.amb.hate_name
            normal[group] = {official.get(n.casefold(), n): v for n, v in normal[group].items()}
    for single in ("resources", "circles"):
        if single in raw:
            normal[single] = spelled(raw[single], "rating")
    _spell_wounds(raw, normal)
    for group, field in (
        ("beliefs", "text"),
        ("instincts", "text"),
        ("traits", "name"),
        ("lifepaths", "name"),
        ("relationships", "name"),
        ("gear", "name"),
    ):
        if isinstance(raw.get(group), list | tuple):
            normal[group] = [spelled(value, field) for value in raw[group]]
    if isinstance(raw.get("weapons"), list | tuple):
        normal["weapons"] = [weapon_form(value) for value in raw["weapons"]]
    if "armor" in raw:
        normal["armor"] = normal_armor(raw["armor"])
    if "shield" in raw:
        normal["shield"] = normal_shield(raw["shield"])
    return normal


def _spell_wounds(raw: Mapping[str, Any], normal: dict[str, Any]) -> None:
    """Tolerances and wounds written out."""
    tolerances = raw.get("tolerances")
    if isinstance(tolerances, str):
        presets = preset_tolerances()
        if tolerances not in presets:
            expected = f"six steps, or one of {', '.join(presets)} for a character of the GM's"
            rule = "injury.ptgs.tolerance_placement"
            raise BadInput("tolerances", tolerances, expected, rule)
        tolerances = presets[tolerances]
    if isinstance(tolerances, list | tuple):
        if len(tolerances) != len(Level):
            expected = f"{len(Level)} steps, from Superficial to Mortal"
            rule = "injury.ptgs.six_tolerances"
            raise BadInput("tolerances", list(tolerances), expected, rule)
        fields = (level.value.casefold() for level in Level)
        normal["tolerances"] = dict(zip(fields, tolerances, strict=True))
    levels = {level.value.casefold(): level.value for level in Level}

    def spelled(wound: Any) -> Any:
        if isinstance(wound, str):
            wound = {"level": wound}
        if not isinstance(wound, Mapping):
            return wound
        full = dict(wound)
        if isinstance(full.get("at"), str):
            full["at"] = [full["at"]]
        if isinstance(full.get("level"), str):
            full["level"] = levels.get(full["level"].casefold(), full["level"])
        return full

    if isinstance(raw.get("wounds"), list | tuple):
        normal["wounds"] = [spelled(wound) for wound in raw["wounds"]]
    count = normal.pop("superficials", 0)
    if not isinstance(count, int) or not 0 <= count <= MOST_WOUNDS:
        expected = f"0 to {MOST_WOUNDS} superficial wounds"
        raise BadInput("superficials", count, expected, "injury.superficial.further_sets")
    if count:
        sets, left = divmod(count, superficials_in_a_set())
        merged = {"level": Level.LIGHT.value, "merged": True}
        further = [merged] * sets + [{"level": Level.SUPERFICIAL.value}] * left
        normal["wounds"] = [*normal.get("wounds", ()), *further]


def check(sheet: Sheet) -> None:
    """What the types cannot say: real stats, roots that are stats, names of their own, counts."""
    stats = stat_names()
    for name in sheet.stats:
        if name not in stats:
            raise BadInput(f"stats.{name}", name, f"one of {', '.join(stats)}", "tests.stats.six")
    for name, skill in sheet.skills.items():
        for root in skill.roots:
            if root not in stats:
                expected = f"one of {', '.join(stats)}"
                raise BadInput(f"skills.{name}.roots", root, expected, "tests.beginner.root_stat")
    if sheet.age < 0:
        raise BadInput("age", sheet.age, "0 (unknown) or more years")
    seen: dict[str, str] = {}
    for tested in sheet.abilities():
        first = seen.setdefault(tested.name.casefold(), tested.path)
        if first != tested.path:
            raise BadInput(tested.path, tested.name, f"a name of its own ({first} has it too)")
    _check_growth(sheet, seen)
    _check_body(sheet)
    _check_wounds(sheet)
    for index, trait in enumerate(sheet.traits):
        if trait.fists:
            _check_shade(trait.fists, f"traits[{index}].fists")
    for index, gear in enumerate(sheet.gear):
        _check_gear(gear, f"gear[{index}]")
    check_weapons(sheet.weapons)
    check_harness(sheet.armor, sheet.packed, sheet.shield)
    if sheet.resources is not None:
        _check_resources(sheet.resources)
    _check_standings(sheet)
    _check_counts(sheet.artha, "artha")
    for tested in sheet.abilities():
        _check_counts(tested.ability.log, f"{tested.path}.log")
        _check_counts(tested.ability.spent, f"{tested.path}.spent")


MOST_WOUNDS = 100
"""Nobody survives more; a larger number is a slip of the keyboard."""


def _check_wounds(sheet: Sheet) -> None:
    """Exponents within the scale, tolerances in order, and wounds that can be what they say."""
    for rated in sheet.abilities():
        if rated.name != "Mortal Wound" and rated.rating.exponent > HIGHEST_EXPONENT:
            expected = f"an exponent up to {HIGHEST_EXPONENT}"
            rule = "tests.exponent.scale"
            raise BadInput(f"{rated.path}.rating", str(rated.rating), expected, rule)
    if sheet.tolerances is not None:
        steps = [sheet.tolerances.of(level) for level in Level]
        for level, left, right in zip(list(Level)[1:], steps, steps[1:], strict=False):
            if not left < right:
                place = f"tolerances.{level.value.casefold()}"
                expected = f"a step to the right of {left}"
                raise BadInput(place, str(right), expected, "injury.amb.tolerance_placement")
    if len(sheet.wounds) > MOST_WOUNDS:
        raise BadInput("wounds", len(sheet.wounds), f"at most {MOST_WOUNDS}")
    for index, wound in enumerate(sheet.wounds):
        _check_wound(wound, f"wounds[{index}]")
    single = [w for w in sheet.wounds if w.level is Level.SUPERFICIAL and not w.course]
    most = superficials_in_a_set() - 1
    if len(single) > most:
        expected = f"at most {most} single ones: three are one light wound (merged = true)"
        raise BadInput("wounds", f"{len(single)} Superficial", expected, "injury.superficial.three")
    for stat, cap in sheet.caps.items():
        known = stat in sheet.stats
        if not known or not 1 <= cap <= HIGHEST_EXPONENT:
            expected = f"a stat on the sheet, and 1 to {HIGHEST_EXPONENT}"
            raise BadInput(f"caps.{stat}", cap, expected, "injury.fail.mortal_soft")
        if sheet.stats[stat].rating.exponent > cap:
            found = str(sheet.stats[stat].rating)
            raise BadInput(f"stats.{stat}", found, f"at most {cap}", "injury.fail.mortal_soft")


def _check_wound(wound: Wound, place: str) -> None:
    marks = superficials_in_a_set() if wound.merged else 1
    limits = [
        ("at", len(wound.at), marks, "injury.register.separate"),
        ("returned", wound.returned, dice_of(wound.level), "injury.treatment.both_succeed"),
        ("lost", wound.lost, dice_of(wound.level), "injury.fail.recovery_greater_half"),
    ]
    for field, found, most, rule in limits:
        if not 0 <= found <= most:
            raise BadInput(f"{place}.{field}", found, f"0 to {most}", rule)
    for field in ("taken", "bled", "held", "staunched", "bonus", "closes"):
        if getattr(wound, field) < 0:
            raise BadInput(f"{place}.{field}", getattr(wound, field), "0 or more")
    if wound.merged and wound.level is not Level.LIGHT:
        expected = "Light: that is what three superficial wounds are"
        found = wound.level.value
        raise BadInput(f"{place}.level", found, expected, "injury.superficial.three_is_light")
    if wound.stat and wound.stat not in stat_names():
        expected = f"one of {', '.join(stat_names())}"
        raise BadInput(f"{place}.stat", wound.stat, expected, "injury.amb.fitting_stat")


def _check_resources(wealth: Resources) -> None:
    """Tax within the exponent; funds of 1 to 10 dice; no loan or debt of nothing."""
    base = wealth.rating.exponent
    limits = [("taxed", wealth.taxed, 0, base, "resources.tax.temporary")]
    limits += [
        (field, getattr(wealth, field), 0, MOST_WEALTH, "resources.cash.bonus")
        for field in ("cash", "repaid", "fallen")
    ]
    highest = len(catalogue().table("resources.table.lifestyle").rows)
    rule = "resources.lifestyle.test_each_cycle"
    limits.append(("lifestyle", wealth.lifestyle, 0, highest, rule))
    for at, fund in enumerate(wealth.funds):
        limits.append((f"funds[{at}].dice", fund.dice, 1, MOST_FUND, "resources.fund.bonus"))
    for at, loan in enumerate(wealth.loans):
        rule = "resources.loan.test"
        limits.append((f"loans[{at}].dice", loan.dice, 1, MOST_WEALTH, rule))
        limits.append((f"loans[{at}].tests", loan.tests, 1, MOST_WEALTH, rule))
    for at, debt in enumerate(wealth.debts):
        limits.append((f"debts[{at}].owed", debt.owed, 1, MOST_WEALTH, "resources.debt.size"))
    if wealth.job is not None:
        limits.append(("job.restores", wealth.job.restores, 0, base, "resources.job.recover_one"))
    for place, found, least, most, rule in limits:
        if not least <= found <= most:
            raise BadInput(f"resources.{place}", found, f"{least} to {most}", rule)


def _check_growth(sheet: Sheet, abilities: Mapping[str, str]) -> None:
    """Skills being learned have roots and are not known yet; days are real days."""
    stats = stat_names()
    for name, learning in sheet.learning.items():
        place = f"learning.{name}"
        if name.casefold() in abilities or name in sheet.training:
            rule = "advancement.new_skill.opens_at_aptitude"
            raise BadInput(place, name, f"a skill that {sheet.name} does not have yet", rule)
        roots = learning.roots
        if not roots or len(set(roots)) < len(roots) or not set(roots) <= set(stats):
            expected = f"one or more of {', '.join(stats)}, each once"
            raise BadInput(f"{place}.roots", list(roots), expected, "advancement.new_skill.root")
        if learning.tests < 0:
            raise BadInput(f"{place}.tests", learning.tests, "0 or more")
    for index, practised in enumerate(sheet.practice):
        if practised.days < 0:
            raise BadInput(f"practice[{index}].days", practised.days, "0 or more")
    for index, stretch in enumerate(sheet.days):
        if stretch.days < 1:
            raise BadInput(f"days[{index}].days", stretch.days, "1 or more")
        if not 0 <= stretch.hours <= 24:
            raise BadInput(f"days[{index}].hours", stretch.hours, "0 to 24 hours of a day")


MOST_STANDING_DICE = 10
"""No reputation or affiliation is worth more; a larger number is a slip of the keyboard."""


def _check_standings(sheet: Sheet) -> None:
    """Standings and contacts have names of their own, and dice as they should be.

    A reputation without dice is struck (circles.amb.reputation_minimum); an affiliation may be
    won back (circles.affiliation.regain).
    """
    names: set[str] = set()
    for group, least in (("reputations", 1), ("affiliations", 0)):
        for index, standing in enumerate(getattr(sheet, group)):
            place = f"{group}[{index}]"
            if not least <= standing.dice <= MOST_STANDING_DICE:
                expected = f"{least} to {MOST_STANDING_DICE} dice"
                rule = "circles.ability.bonus_dice_sources"
                raise BadInput(f"{place}.dice", standing.dice, expected, rule)
            if standing.lost < 0:
                raise BadInput(f"{place}.lost", standing.lost, "0 or more")
            if standing.name.casefold() in names:
                raise BadInput(f"{place}.name", standing.name, "a name of its own")
            names.add(standing.name.casefold())
    known: set[str] = set()
    for group in ("relationships", "contacts"):
        for index, somebody in enumerate(getattr(sheet, group)):
            if somebody.name.casefold() in known:
                raise BadInput(f"{group}[{index}].name", somebody.name, "a name of its own")
            known.add(somebody.name.casefold())
    for index, contact in enumerate(sheet.contacts):
        place = f"contacts[{index}]"
        if contact.obstacle < 1:
            raise BadInput(f"{place}.obstacle", contact.obstacle, "1 or more")
        if contact.taps < 0:
            raise BadInput(f"{place}.taps", contact.taps, "0 or more")


def _check_shade(letter: str, place: str) -> None:
    try:
        Shade.parse(letter)
    except BadInput as bad:
        raise BadInput(place, letter, bad.expected, bad.rule) from None


def _check_gear(gear: Gear, place: str) -> None:
    _check_shade(gear.shade, f"{place}.shade")
    for ability, dice in gear.dice.items():
        if not 1 <= dice <= MOST_GEAR_DICE:
            expected = f"1 to {MOST_GEAR_DICE} dice"
            raise BadInput(f"{place}.dice.{ability}", dice, expected, "tests.gear.effect")


def _check_counts(counts: Log | Artha, place: str) -> None:
    for field in counts.__struct_fields__:
        if getattr(counts, field) < 0:
            raise BadInput(f"{place}.{field}", getattr(counts, field), "0 or more")
