"""The character sheet: four Exploration Scores, Signs with their Tags, Boons and Banes.

The sheet says what *is*; what it *does* is in the other modules. Sheets of the GM's characters
may leave out any Score that never comes into play, and hold no Boons or Banes, which are for
player characters (signs.amb.npc_tests).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from astragal.dice import Die
from astragal.errors import BadInput, check_one_of
from astragal.games.about import listed
from astragal.play import GM, Seat

from .successes import die_named, die_names

SCORES = ("Skill", "Think", "Social", "Rune")
"""The four Exploration Scores (signs.roll.scores)."""


NOTHING = "none"
"""How a question is told that nothing is wanted; so no Tag, Boon or Bane can be called that."""


def is_name(text: str) -> bool:
    """Whether a Tag, a Boon or a Bane may be called that."""
    return bool(text.strip()) and text.strip().casefold() != NOTHING


class Influence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a Boon and a Bane have in common: a name, and the limits that the GM gave it.

    ``condition`` ties it to circumstances (signs.boon.conditions, signs.bane.limits); ``until``
    says when it lapses, and is empty for what never does (signs.boon.expiry); ``other_rolls``
    is the GM's ruling that it also goes for rolls that are no Tests
    (signs.boon_bane.other_rolls).
    """

    name: str
    condition: str = ""
    until: str = ""
    other_rolls: bool = False


class Boon(Influence, frozen=True, forbid_unknown_fields=True):
    """A stored Advantage (signs.boon.effect)."""


class Bane(Influence, frozen=True, forbid_unknown_fields=True):
    """A Disadvantage that waits for the next Test (signs.bane.effect)."""


class Sign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Sign: its die, and the Tags that belong to it (signs.roll.tag_die)."""

    die: str
    tags: tuple[str, ...] = ()


class Tag(NamedTuple):
    """A Tag as a roll needs it: its name, its Sign and that Sign's die."""

    name: str
    sign: str
    die: Die


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A character of the game of Signs."""

    name: str
    player: Seat = ""
    concept: str = ""
    scores: dict[str, str] = {}
    signs: dict[str, Sign] = {}
    boons: tuple[Boon, ...] = ()
    banes: tuple[Bane, ...] = ()
    npc: bool = False

    def __hash__(self) -> int:
        """Cheap, and equal for equal sheets: comparing does the rest."""
        return hash((self.name, self.boons, self.banes))

    def seat(self, character: str) -> Seat:
        """The seat that plays the character: its player, or the GM."""
        return self.player or (GM if self.npc else character)

    def score(self, name: str, place: str = "score") -> tuple[str, Die]:
        """An Exploration Score by its name, whatever its capitals, and its die."""
        for known, die in self.scores.items():
            if known.casefold() == name.casefold():
                return known, die_named(die)
        expected = f"an Exploration Score of {self.name}: {', '.join(self.scores) or 'none'}"
        raise BadInput(place, name, expected, "signs.roll.scores")

    def all_tags(self) -> Iterator[Tag]:
        """Every Tag on the sheet, each with the die of the Sign it belongs to."""
        for sign, held in self.signs.items():
            for name in held.tags:
                yield Tag(name, sign, die_named(held.die))

    def tag(self, name: str, place: str = "tags") -> Tag:
        """A Tag by its name, or a refusal that knows what the sheet has."""
        tags = {tag.name.casefold(): tag for tag in self.all_tags()}
        if found := tags.get(name.casefold()):
            return found
        names = [tag.name for tag in tags.values()]
        near = difflib.get_close_matches(name, names, n=3) or names
        raise BadInput(place, name, f"a Tag of {self.name}: {', '.join(near) or 'none'}")


# --- Files ---------------------------------------------------------------------------------


def normal_form(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """A sheet file as people like to write it, with shorthand written out.

    Dice may be ``"d8"`` or ``8``. The Scores may be one text in their order, ``"D8 D6 D10 D4"``.
    A Sign may be one text, ``"D8: Lockpicks, Rooftops"``. A Boon or Bane that is only a text is
    just its name.

    >>> normal_form({"name": "Ysolde", "signs": {"Raven": "d8: Lockpicks, Rooftops"}})["signs"]
    {'Raven': {'die': 'D8', 'tags': ['Lockpicks', 'Rooftops']}}
    """
    normal: dict[str, Any] = dict(raw)
    scores = raw.get("scores")
    if isinstance(scores, str):
        dice = scores.split()
        if len(dice) != len(SCORES):
            expected = f"four dice, for {', '.join(SCORES)}"
            raise BadInput("scores", scores, expected, "signs.roll.scores")
        scores = dict(zip(SCORES, dice, strict=True))
    if isinstance(scores, Mapping):
        official = {name.casefold(): name for name in SCORES}
        normal["scores"] = {
            official.get(str(name).casefold(), name): _die(die) for name, die in scores.items()
        }
    if isinstance(raw.get("signs"), Mapping):
        normal["signs"] = {name: _sign(sign) for name, sign in raw["signs"].items()}
    for group in ("boons", "banes"):
        if isinstance(raw.get(group), list | tuple):
            normal[group] = [
                {"name": each} if isinstance(each, str) else each for each in raw[group]
            ]
    return normal


def _die(raw: Any) -> Any:
    if isinstance(raw, int) and not isinstance(raw, bool):
        return f"D{raw}"
    return raw.strip().upper() if isinstance(raw, str) else raw


def _sign(raw: Any) -> Any:
    if isinstance(raw, Mapping):
        return {**raw, "die": _die(raw["die"])} if "die" in raw else raw
    if not isinstance(raw, str):
        return raw
    die, _, tags = raw.partition(":")
    return {"die": _die(die), "tags": [tag.strip() for tag in tags.split(",") if tag.strip()]}


def check(sheet: Sheet) -> None:
    """What the types cannot say: real Scores and dice, names that are unique, no NPC's Boons."""
    for name, die in sheet.scores.items():
        check_one_of(f"scores.{name}", name, SCORES, "signs.roll.scores")
        die_named(die, f"scores.{name}")
    missing = [name for name in SCORES if name not in sheet.scores]
    if missing and not sheet.npc:
        expected = f"a die for {listed(missing)}: one of {', '.join(die_names())}"
        raise BadInput("scores", dict(sheet.scores), expected, "signs.roll.scores")
    seen: dict[str, str] = {}
    for sign, held in sheet.signs.items():
        die_named(held.die, f"signs.{sign}.die")
        for tag in held.tags:
            # A Tag belongs to one Sign, whose die it brings.
            if not is_name(tag) or tag.casefold() in seen:
                owner = seen.get(tag.casefold())
                taken = f" ({owner} already has this one)" if owner else ""
                expected = f"a Tag with a name of its own{taken}"
                raise BadInput(f"signs.{sign}.tags", tag, expected, "signs.roll.tag_die")
            seen[tag.casefold()] = sign
    for group, held_ones in (("boons", sheet.boons), ("banes", sheet.banes)):
        names = [influence.name.casefold() for influence in held_ones]
        for name in names:
            if not is_name(name) or names.count(name) > 1:
                raise BadInput(group, name, f"names without repeats, and not {NOTHING!r}")
        if names and sheet.npc:
            expected = "an empty list: only player characters have Boons and Banes"
            raise BadInput(group, names, expected, "signs.amb.npc_tests")
