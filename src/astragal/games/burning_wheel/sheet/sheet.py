"""The character sheet (tests.record.character_sheet, tests.character.components).

One frozen value has everything about a character: stats, attributes and skills; beliefs,
instincts and traits; Resources, Circles, relationships, reputations and affiliations; gear;
artha. Any part may be missing, because the GM's characters need only the few numbers that
come into play (tests.record.gm_characters). What the parts do is in the chapters.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from functools import cache, cached_property

import msgspec

from astragal.errors import BadInput
from astragal.play import GM, Seat
from astragal.rules import catalogue

from .armor_tables import ArmorPiece, Shield
from .faiths import AnsweredPrayer, Creed, Stigma
from .parts import (
    Ability,
    AbilityKind,
    Artha,
    Belief,
    Contact,
    Gear,
    Learning,
    Lifepath,
    PracticeTime,
    PrintedHesitation,
    Relationship,
    Resources,
    SkillAbility,
    SocialStanding,
    Stretch,
    Tolerances,
    Trait,
    Wound,
    WoundLevel,
)
from .ratings import Rating
from .spells import ActiveSpell, Idiom, Spell, TaxedDie
from .weapon_tables import Weapon

_known_logs: dict[int, tuple[Mapping[str, Ability], int]] = {}
MOST_KNOWN = 1000


def _tested(abilities: Mapping[str, Ability]) -> int:
    """A hash of the tests logged; sheets that were made of each other share their abilities."""
    known, tested = _known_logs.get(id(abilities), (None, 0))
    if known is not abilities:
        # In any order: sheets are equal however their skills were listed.
        tested = hash(frozenset((name, ability.log) for name, ability in abilities.items()))
        if len(_known_logs) >= MOST_KNOWN:
            _known_logs.clear()
        _known_logs[id(abilities)] = abilities, tested
    return tested


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A character of the Burning Wheel."""

    name: str
    player: Seat = ""
    concept: str = ""
    age: int = 0  # in years, where it is known
    body_type: str = "Man"  # a row of movement.table.multipliers
    speed_multiplier: float = 0  # of a body that no row is for; 0 where one is
    stats: dict[str, Ability] = {}
    attributes: dict[str, Ability] = {}
    hesitation: PrintedHesitation | None = None  # where it is not worked out from Will
    skills: dict[str, SkillAbility] = {}
    beliefs: tuple[Belief, ...] = ()
    instincts: tuple[Belief, ...] = ()
    traits: tuple[Trait, ...] = ()
    resources: Resources | None = None
    circles: Ability | None = None
    lifepaths: tuple[Lifepath, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    contacts: tuple[Contact, ...] = ()
    identity: str = ""
    reputations: tuple[SocialStanding, ...] = ()
    affiliations: tuple[SocialStanding, ...] = ()
    gear: tuple[Gear, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    armor: dict[str, ArmorPiece] = {}  # what is worn, by location
    packed: tuple[ArmorPiece, ...] = ()  # armor that is carried, not worn
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
    practice: tuple[PracticeTime, ...] = ()
    days: tuple[Stretch, ...] = ()
    spells: tuple[Spell, ...] = ()
    idiom: Idiom = Idiom.UNKNOWN
    active_spells: tuple[ActiveSpell, ...] = ()  # in the order in which they were cast
    forte_tax: tuple[TaxedDie, ...] = ()
    distractions: tuple[str, ...] = ()  # what threatens sustained spells, not yet tested for
    stock: str = ""  # whose lifepaths, where it matters: Man, Elf, Dwarf, Orc
    creeds: tuple[Creed, ...] = ()  # which Beliefs and traits are about a faith
    prayers: tuple[AnsweredPrayer, ...] = ()  # in effect, in the order in which they were answered
    stigmata: tuple[Stigma, ...] = ()
    faith_lost: bool = False  # with the Belief that stated it; the exponent stays on record
    transcended: bool = False  # gone from the world for good

    def __hash__(self) -> int:
        """Cheap, and equal for equal sheets: comparing does the rest.

        With what changes in a fight, for there are many like this one in those, and with what
        every test changes: in years of play there are thousands of those.
        """
        return self._hash

    @cached_property
    def _hash(self) -> int:
        worn = frozenset(self.armor.items())
        tested = _tested(self.skills), _tested(self.stats)
        return hash((self.name, self.artha, self.wounds, self.shield, worn, tested))

    def seat(self, character: str) -> Seat:
        """The seat that plays the character: one player each, and the GM all others.

        tests.roles.player, tests.roles.gm.
        """
        return self.player or (GM if self.npc else character)

    def abilities(self) -> Iterator[Rated]:
        """Everything on the sheet that has a rating, in the order of the sheet."""
        for kind, group in (
            (AbilityKind.STAT, self.stats),
            (AbilityKind.ATTRIBUTE, self.attributes),
            (AbilityKind.SKILL, self.skills),
        ):
            for name, ability in group.items():
                yield Rated(name, kind, ability)
        if self.resources is not None:
            yield Rated("Resources", AbilityKind.RESOURCES, self.resources)
        if self.circles is not None:
            yield Rated("Circles", AbilityKind.CIRCLES, self.circles)

    def find(self, name: str) -> Rated | None:
        """The ability of that name, whatever its capitals, or None."""
        if name in self.skills:  # as it is spelled on the sheet, mostly
            return Rated(name, AbilityKind.SKILL, self.skills[name])
        if name in self.stats:
            return Rated(name, AbilityKind.STAT, self.stats[name])
        if name in self.attributes:
            return Rated(name, AbilityKind.ATTRIBUTE, self.attributes[name])
        return self._by_name.get(name.casefold())

    @cached_property
    def _by_name(self) -> dict[str, Rated]:
        """The abilities by name without capitals; of two that are alike the first."""
        return {each.name.casefold(): each for each in reversed(tuple(self.abilities()))}

    def ability(self, name: str, place: str = "ability") -> Rated:
        """The ability of that name, or a refusal that knows what the sheet has."""
        found = self.find(name)
        if found is None:
            names = [ability.name for ability in self.abilities()]
            near = difflib.get_close_matches(name, names, n=3) or names
            raise BadInput(place, name, f"an ability of {self.name}: {', '.join(near) or 'none'}")
        return found

    @property
    def sustained(self) -> tuple[ActiveSpell, ...]:
        """The spells that are kept up, in the order in which they were cast."""
        if not self.active_spells:
            return ()
        return tuple(spell for spell in self.active_spells if spell.sustained)

    @property
    def forte_left(self) -> int:
        """Forte without the dice lost to Tax, whatever wounds do (sorcery.amb.tax_and_wounds)."""
        forte = self.stats.get("Forte")
        return 0 if forte is None else max(0, forte.rating.exponent - len(self.forte_tax))

    @property
    def is_taxed_out(self) -> bool:
        """Whether Tax has brought Forte to zero (sorcery.tax.zero_unconscious)."""
        return bool(self.forte_tax) and not self.forte_left

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
    kind: AbilityKind
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
            return self.ability.left
        return self.ability.rating.exponent

    @property
    def path(self) -> str:
        """Its place on the sheet."""
        if self.kind in (AbilityKind.RESOURCES, AbilityKind.CIRCLES):
            return str(self.kind.value)
        return f"{self.kind.value}s.{self.name}"

    def __str__(self) -> str:
        """The name and the rating: Sword B4; of Resources also what Tax has left."""
        if isinstance(self.ability, Resources) and self.ability.taxed:
            return f"{self.name} {self.rating}, taxed to {self.exponent}"
        return f"{self.name} {self.rating}"


def stat_names() -> tuple[str, ...]:
    """The six stats (tests.stats.six)."""
    return tuple(str(name) for name in catalogue().table("tests.table.stats").column("stat"))


@cache
def about_stat(name: str) -> str:
    """What a stat covers.

    tests.stats.will, tests.stats.perception, tests.stats.agility, tests.stats.speed,
    tests.stats.power, tests.stats.forte: the words are the catalogue's.

    >>> about_stat("Power")
    'strength: pushing, grappling'
    """
    record = catalogue().table("tests.table.stats").where(stat=name)
    return f"{record['covers']}: {record['typical_tests']}"


@cache
def emotional_attributes() -> tuple[str, ...]:
    """The emotional attributes (tests.attributes.emotional), which are also forms of magic
    (tests.magic.forms).

    >>> emotional_attributes()
    ('Faith', 'Grief', 'Greed', 'Hatred')
    """
    return catalogue().table("tests.table.attributes").where(attribute="Emotional").texts("such_as")


def attribute_names() -> tuple[str, ...]:
    """The attributes that have names of their own, the emotional ones among them.

    >>> attribute_names()
    ('Health', 'Reflexes', 'Steel', 'Mortal Wound', 'Faith', 'Grief', 'Greed', 'Hatred')
    """
    rows = catalogue().table("tests.table.attributes").records()
    plain = tuple(row.text("attribute") for row in rows if not row.texts("such_as"))
    return plain + emotional_attributes()


def parents(attribute: str) -> tuple[str, ...]:
    """The stats an attribute is worked out from (tests.attributes.derived).

    tests.attributes.health, tests.attributes.reflexes, tests.attributes.mortal_wound:

    >>> parents("Health"), parents("Mortal Wound")
    (('Will', 'Forte'), ('Power', 'Forte'))
    """
    return catalogue().table("tests.table.attributes").where(attribute=attribute).texts("stats")


def body_types() -> tuple[str, ...]:
    """The bodies whose Speed multiplier is known (movement.rate.multiplier_others)."""
    rows = catalogue().table("movement.table.multipliers").column("body_type")
    return tuple(str(body) for body in rows)


@cache
def dice_of(level: WoundLevel) -> int:
    """The dice that a wound of a level takes; none where it takes other things.

    injury.effect.light, injury.effect.midi, injury.effect.severe, injury.effect.traumatic.

    >>> [dice_of(level) for level in WoundLevel]
    [0, 1, 2, 3, 4, 0]
    """
    effects = catalogue().table("injury.table.wound_effects")
    return -effects.number("dice_penalty", wound=level.value)


@cache
def superficials_in_a_set() -> int:
    """How many superficial wounds make a light one (injury.superficial.three).

    >>> superficials_in_a_set()
    3
    """
    rows = catalogue().table("injury.table.superficial_count").records()
    return min(row.number("unrecovered_superficials") for row in rows if row["dice"] == -1)


def gear_in_use(sheet: Sheet, names: tuple[str, ...]) -> tuple[Gear, ...]:
    """The pieces of gear that the player says are used, each once."""
    pieces: list[Gear] = []
    for index, name in enumerate(names):
        piece = sheet.carried(name, f"gear[{index}]")
        if piece not in pieces:
            pieces.append(piece)
    return tuple(pieces)
