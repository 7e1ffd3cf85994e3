"""The character sheet: ten characteristics, and skills with their training.

The sheet says what a character *is*: the values, what has raised them for a time, and who
plays it. Any characteristic may be missing, because a minor character needs only the few that
come into play. What a test makes of the numbers is in
:mod:`~astragal.games.percentile.tests`; wounds, gear and experience are not in this game's text
and not here.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any

import msgspec

from astragal.errors import BadInput, check_at_least, check_between, check_one_of
from astragal.play import GM, Line, Seat, Tally
from astragal.rules import catalogue

LOWEST, HIGHEST = 1, 100
"""The scale of every characteristic (percentile.char.range)."""

TRAINED = 1
"""The level of a skill that was learned at all; 0 is none (percentile.amb.training_levels)."""

MOST_TRAINING = 10
"""More levels of training than this are a slip of the keyboard."""


# --- The ten characteristics ---------------------------------------------------------------


class Characteristic(msgspec.Struct, frozen=True):
    """One of the ten characteristics, as the catalogue lists it (percentile.char.range)."""

    name: str
    abbreviation: str
    bonus: str
    measures: str
    other_name: str = ""


@cache
def characteristics() -> dict[str, Characteristic]:
    """All ten, by their abbreviation, which is also how a sheet keeps them.

    >>> list(characteristics())
    ['WS', 'BS', 'S', 'T', 'Ag', 'Int', 'Per', 'WP', 'Fel', 'Inf']
    >>> characteristics()["Ag"].bonus
    'AgB'
    """
    found = {}
    for row in catalogue().table("percentile.table.characteristics").records():
        # percentile.char.bonus_abbreviation: the table has the bonus's own name too.
        one = row.as_struct(Characteristic)
        found[one.abbreviation] = one
    return found


@cache
def _by_any_name() -> dict[str, str]:
    names = {}
    for short, one in characteristics().items():
        for name in (short, one.name, one.other_name):
            if name:
                names[name.casefold()] = short
    return names


def characteristic_named(text: str) -> str | None:
    """The abbreviation of a characteristic given by any of its names, or None.

    >>> [characteristic_named(name) for name in ("agility", "Infamy", "Luck")]
    ['Ag', 'Inf', None]
    """
    return _by_any_name().get(" ".join(text.split()).casefold())


def parse_characteristic(text: str, place: str = "characteristic") -> str:
    """The abbreviation of a characteristic, or a refusal that lists all ten."""
    found = characteristic_named(text)
    if found is None:
        raise BadInput(
            place, text, f"one of {', '.join(characteristics())}", "percentile.char.range"
        )
    return found


def whole_tens_of(value: int) -> int:
    """The tens digit of a value on the scale; 100 has ten whole tens.

    percentile.char.bonus, percentile.amb.tens_digit_large.

    >>> [whole_tens_of(value) for value in (7, 10, 39, 42, 100)]
    [0, 1, 3, 4, 10]
    """
    return value // 10


# --- The sheet -----------------------------------------------------------------------------


class RaiseDuration(Enum):
    """How long a raised characteristic stays raised (percentile.char.base)."""

    SCENE = "scene"
    SESSION = "session"
    UNTIL_ENDED = "until_ended"
    FOR_GOOD = "for_good"

    @property
    def in_words(self) -> str:
        """How long that is, as people say it."""
        return _IN_WORDS[self]


_IN_WORDS = {
    RaiseDuration.SCENE: "for the scene",
    RaiseDuration.SESSION: "for the session",
    RaiseDuration.UNTIL_ENDED: "until it ends",
    RaiseDuration.FOR_GOOD: "for good",
}


class Raise(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What raises a characteristic for a time (percentile.char.base)."""

    characteristic: str
    amount: int
    why: str
    lasts: RaiseDuration = RaiseDuration.SCENE


class Skill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A skill: the one characteristic that governs it, and the training.

    percentile.skill.governed. ``training`` 0 is none, 1 is trained; what higher levels are worth
    is an option of the table.
    """

    characteristic: str
    training: int = TRAINED


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character of the d100 game."""

    name: str
    player: Seat = ""
    concept: str = ""
    characteristics: dict[str, int] = {}
    skills: dict[str, Skill] = {}
    raises: tuple[Raise, ...] = ()
    evil: bool = False
    npc: bool = False

    def __hash__(self) -> int:
        """Cheap, and equal for equal sheets: comparing does the rest."""
        return hash((self.name, self.raises))

    def seat(self, character: str) -> Seat:
        """The seat that controls the character, and so rolls for it (percentile.core.when)."""
        return self.player or (GM if self.npc else character)

    def called(self, characteristic: str) -> str:
        """What a characteristic is called here: Influence is Infamy for the evil.

        percentile.char.infamy: another name for the same thing.
        """
        one = characteristics()[characteristic]
        return one.other_name if self.evil and one.other_name else one.name

    def value(self, characteristic: str, place: str = "ability") -> Tally:
        """A characteristic's value with whatever raises it for now (percentile.char.base)."""
        if characteristic not in self.characteristics:
            has = ", ".join(self.characteristics) or "none"
            name = self.called(characteristic)
            raise BadInput(place, name, f"a characteristic that {self.name} has: {has}")
        rule = "percentile.char.base"
        value = Tally.of(
            self.characteristics[characteristic],
            self.called(characteristic),
            "percentile.core.value",
        )
        return value + tuple(
            Line(each.amount, each.why, rule)
            for each in self.raises
            if each.characteristic == characteristic
        )

    def bonus(self, characteristic: str, place: str = "ability") -> int:
        """A characteristic's bonus: the tens of its value (percentile.char.bonus)."""
        return whole_tens_of(self.value(characteristic, place).total)

    def find_skill(self, name: str) -> tuple[str, Skill] | None:
        """The skill of that name as the sheet spells it, whatever the capitals, or None."""
        wanted = name.casefold()
        for own, skill in self.skills.items():
            if own.casefold() == wanted:
                return own, skill
        return None

    def is_trained(self, skill: str) -> bool:
        """Whether the character has training in that very skill."""
        found = self.find_skill(skill)
        return found is not None and found[1].training >= TRAINED


# --- Reading and checking ------------------------------------------------------------------

_SHORT_EXPECTED = 'a characteristic, as in "Ag", "Ag +10" or "Ag -20"'
_SHORT_SKILL = re.compile(r"\s*([^+-]*[^+\s-])\s*([+-]\s*\d+)?\s*")


def normal_form(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """A sheet file as people like to write it, with shorthand written out.

    Characteristics go by any of their names; ``Dodge = "Ag"`` is a trained skill governed by
    Agility, ``"Ag +10"`` one with a further level of training, ``"Ag -20"`` one without any.
    """
    normal: dict[str, Any] = dict(raw)
    values = raw.get("characteristics")
    if isinstance(values, Mapping):
        spelled: dict[str, Any] = {}
        for name, value in values.items():
            short = characteristic_named(str(name)) or str(name)
            if short in spelled:
                raise BadInput(f"characteristics.{name}", name, f"{short} only once")
            spelled[short] = value
        normal["characteristics"] = spelled
    if isinstance(raw.get("skills"), Mapping):
        normal["skills"] = {name: _skill(value, name) for name, value in raw["skills"].items()}
    if isinstance(raw.get("raises"), list | tuple):
        normal["raises"] = [_with_short_name(each) for each in raw["raises"]]
    return normal


def _skill(value: Any, name: str) -> Any:
    if isinstance(value, Mapping):
        return _with_short_name(value)
    if not isinstance(value, str):
        return value
    match = _SHORT_SKILL.fullmatch(value)
    if match is None:
        raise BadInput(f"skills.{name}", value, _SHORT_EXPECTED, "percentile.skill.governed")
    characteristic = characteristic_named(match[1]) or match[1]
    if match[2] is None:
        return {"characteristic": characteristic}
    worth = int(match[2].replace(" ", ""))
    if worth == -UNTRAINED_PENALTY:
        return {"characteristic": characteristic, "training": 0}
    if worth < 0 or worth % TRAINING_STEP:
        raise BadInput(f"skills.{name}", value, _SHORT_EXPECTED, "percentile.amb.training_levels")
    return {"characteristic": characteristic, "training": TRAINED + worth // TRAINING_STEP}


def _with_short_name(value: Any) -> Any:
    if isinstance(value, Mapping) and isinstance(value.get("characteristic"), str):
        short = characteristic_named(value["characteristic"]) or value["characteristic"]
        return {**value, "characteristic": short}
    return value


UNTRAINED_PENALTY = 20
"""What having no training costs (percentile.skill.untrained_penalty)."""

TRAINING_STEP = 10
"""What each level of training beyond the first is worth, where levels count at all
(percentile.amb.training_levels)."""


def check(sheet: Sheet) -> None:
    """What the types cannot say: real characteristics on the scale, and names that are unique."""
    known, scale = characteristics(), f"a whole number, {LOWEST} to {HIGHEST}"
    for name, value in sheet.characteristics.items():
        place = f"characteristics.{name}"
        check_one_of(place, name, known, "percentile.char.range")
        if not LOWEST <= value <= HIGHEST:
            raise BadInput(place, value, scale, "percentile.char.range")
    for index, each in enumerate(sheet.raises):
        _check_raise(sheet, each, f"raises[{index}]")
    for name in sheet.characteristics:
        value = sheet.value(name).total
        if value > HIGHEST:
            raise BadInput(f"raises ({name})", value, scale, "percentile.char.range")
    seen: dict[str, str] = {}
    for name, skill in sheet.skills.items():
        place = f"skills.{name}"
        rule = "percentile.skill.governed"
        check_one_of(f"{place}.characteristic", skill.characteristic, known, rule)
        rule = "percentile.amb.training_levels"
        check_between(f"{place}.training", skill.training, 0, MOST_TRAINING, rule, zero="untrained")
        if not name.strip() or characteristic_named(name) is not None:
            raise BadInput(place, name, "a skill name that is not the name of a characteristic")
        first = seen.setdefault(name.casefold(), name)
        if first != name:
            raise BadInput(place, name, f"a different name ({first} is on the sheet too)")


def _check_raise(sheet: Sheet, each: Raise, place: str) -> None:
    if each.characteristic not in sheet.characteristics:
        has = ", ".join(sheet.characteristics) or "none"
        raise BadInput(
            f"{place}.characteristic", each.characteristic, f"a characteristic on the sheet: {has}"
        )
    if each.characteristic == characteristic_named("Influence"):
        raise BadInput(
            f"{place}.characteristic",
            each.characteristic,
            "another characteristic: Influence changes only by deeds",
            "percentile.char.influence_change",
        )
    check_at_least(f"{place}.amount", each.amount, 1, "percentile.char.base")
    if each.lasts is RaiseDuration.FOR_GOOD:
        raise BadInput(
            f"{place}.lasts",
            "for_good",
            "a limited time: a permanent increase belongs in the value",
        )


def near(name: str, known: list[str]) -> str:
    """What somebody may have meant, or all there is."""
    return ", ".join(difflib.get_close_matches(name, known, n=3) or known) or "none"
