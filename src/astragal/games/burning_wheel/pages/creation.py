"""A new character of the Burning Wheel: the form, and what follows from the six stats.

How lifepaths make a character is in another book; here the numbers are entered, and the rules of
this one say what they come to (tests.attributes.derived) and what cannot be.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from astragal.errors import BadInput
from astragal.games.creation import (
    WHO,
    CharacterCreation,
    CreationField,
    CreationPart,
    DerivedValue,
    Finished,
    Remark,
    SuggestedName,
)

from ..beliefs.beliefs import Bit
from ..beliefs.ready_for_play import wanted_at_start
from ..rogues.quick_characters import one_off_attributes, one_off_tolerances
from ..sheet.editions import edition
from ..sheet.parts import Ability, PrintedHesitation, WoundLevel
from ..sheet.ratings import Rating
from ..sheet.reading import preset_tolerances
from ..sheet.reading_weapons import known_weapons
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet, about_stat, attribute_names, stat_names
from ..sheet.words import as_sentence
from ..steel.dice_and_hesitation import hesitation
from .foundry import from_foundry
from .skill_list import roots_of, suggestions

_RATING = re.compile(r"([BGWbgw]?)\s*(\d{1,3})(?:\s+\(?(.+?)\)?)?")
"""4, B4, and for a skill with its root: 4 Will, B4 (Will and Agility)."""

LINES = {
    "beliefs": (Bit.BELIEF, "beliefs.belief.count_three", "I will …"),
    "instincts": (Bit.INSTINCT, "beliefs.instinct.count_three", "Always …, Never …, If …"),
}


def parts(table: BurningTable) -> tuple[CreationPart, ...]:
    """What is asked, in the order in which people think of a character."""
    lines = tuple(
        CreationField(
            path, path.capitalize(), "lines", rule=rule, count=wanted_at_start(bit), example=example
        )
        for path, (bit, rule, example) in LINES.items()
    )
    stats = tuple(
        CreationField(
            f"stats.{stat}",
            stat,
            "rating",
            help=as_sentence(about_stat(stat)),
            rule=f"tests.stats.{stat.casefold()}",
            example="4",
        )
        for stat in stat_names()
    )
    return (
        CreationPart("Who", WHO),
        CreationPart("Beliefs and Instincts", lines),
        CreationPart("Stats", stats, help="A number is a black exponent; G5 is gray, W5 white."),
        CreationPart(
            "Attributes",
            (
                _attribute("Health"),
                _attribute("Reflexes"),
                _attribute("Steel", help="Depends on the character's past."),
                CreationField("circles", "Circles", "rating", rule="circles.ability.root"),
                CreationField("resources", "Resources", "rating", rule=_RESOURCES),
                CreationField(
                    "tolerances",
                    "Tolerances",
                    "list",
                    help="Six steps, from Superficial to Mortal.",
                    rule="injury.ptgs.six_tolerances",
                    example="B3, B5, B7, B8, B9, B10",
                ),
            ),
            help="What follows from the stats is filled in. Type over it to change it.",
        ),
        CreationPart(
            "Skills",
            (
                CreationField(
                    "skills",
                    "Skills",
                    "picks",
                    help="Names and exponents, comma-separated. For a skill of your own, add its "
                    "root: Falconry 3 Will.",
                    rule="tests.skills.definition",
                    suggestions=suggestions(table),
                    example="Sword 4, Persuasion 3",
                ),
            ),
        ),
        CreationPart(
            "Traits, people and things",
            (
                CreationField(
                    "traits", "Traits", "list", rule="beliefs.trait.must_be_bought_or_voted"
                ),
                CreationField(
                    "relationships",
                    "Relationships",
                    "list",
                    help="Who they are comes after a colon, as in Tam: her brother.",
                    rule="circles.relationship.definition",
                ),
                CreationField("gear", "Gear", "list", rule="tests.gear.acquisition"),
                CreationField(
                    "weapons",
                    "Weapons",
                    "list",
                    rule="weapons.ims.three_stages",
                    suggestions=tuple(
                        SuggestedName(name) for name in dict.fromkeys(known_weapons())
                    ),
                    example="sword, dagger",
                ),
            ),
        ),
    )


_RESOURCES = "resources.ability.every_character"


def _attribute(name: str, help: str = "") -> CreationField:
    rule = f"tests.attributes.{name.casefold()}"
    return CreationField(f"attributes.{name}", name, "rating", help=help, rule=rule)


# --- A sheet as the form shows it ----------------------------------------------------------


def shorthand(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """A sheet in full, or as people write it, in the shortest words."""
    short: dict[str, Any] = dict(sheet)
    for group in ("stats", "attributes", "skills"):
        short[group] = {name: _inner(each, "rating") for name, each in _of(sheet, group).items()}
    for single in ("resources", "circles"):
        short[single] = _inner(sheet.get(single), "rating")
    for group, field in (
        ("beliefs", "text"),
        ("instincts", "text"),
        ("traits", "name"),
        ("gear", "name"),
    ):
        short[group] = [_inner(each, field) for each in sheet.get(group) or ()]
    short["relationships"] = [_person(each) for each in sheet.get("relationships") or ()]
    short["weapons"] = [
        _inner(each, "name") or _inner(each, "weapon") for each in sheet.get("weapons") or ()
    ]
    tolerances = sheet.get("tolerances")
    if isinstance(tolerances, Mapping):
        short["tolerances"] = [str(step) for step in tolerances.values()]
    return short


def _of(sheet: Mapping[str, Any], group: str) -> Mapping[str, Any]:
    held = sheet.get(group)
    return held if isinstance(held, Mapping) else {}


def _inner(value: Any, field: str) -> Any:
    return value.get(field) if isinstance(value, Mapping) else value


def _person(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return ": ".join(filter(None, (value.get("name", ""), value.get("note", ""))))


# --- What was filled in, as a sheet --------------------------------------------------------


def finish(sheet: dict[str, Any], table: BurningTable) -> Finished:
    """Numbers as ratings, skills with their roots, and what follows where nothing was entered."""
    made = {key: value for key, value in sheet.items() if value is not None}
    for group in ("stats", "attributes"):
        if _of(made, group):
            made[group] = {name: _rated(each) for name, each in made[group].items()}
    for single in ("resources", "circles"):
        if single in made:
            made[single] = _rated(made[single])
    if _of(made, "skills"):
        made["skills"] = {name: _skill(name, each, table) for name, each in made["skills"].items()}
    if isinstance(made.get("relationships"), list):
        made["relationships"] = [_known(each) for each in made["relationships"]]
    follows = _consequences(made, table)
    for each in follows:
        _fill_in(made, each)
    return Finished(made, follows, _remarks(made))


def _rated(value: Any) -> Any:
    """A number as a black exponent; what is no rating is left for the check to refuse."""
    if isinstance(value, Mapping):
        return {**value, "rating": _rated(value.get("rating"))}
    found = _RATING.fullmatch(str(value).strip()) if isinstance(value, str | int) else None
    return value if found is None or found[3] else f"{found[1].upper() or 'B'}{int(found[2])}"


def _skill(name: str, value: Any, table: BurningTable) -> Any:
    """A skill with its roots: those written behind it, else those that the list knows."""
    if isinstance(value, Mapping):
        rated = _rated(value)
        return rated if value.get("roots") else {**rated, "roots": list(roots_of(name, table))}
    found = _RATING.fullmatch(str(value).strip())
    if found is None:
        return value
    said = re.split(r"\s+and\s+|[,/\s]+", found[3]) if found[3] else roots_of(name, table)
    stats = {stat.casefold(): stat for stat in stat_names()}
    roots = [stats.get(root.casefold(), root) for root in said]
    return {"rating": f"{found[1].upper() or 'B'}{int(found[2])}", "roots": roots}


def _known(value: Any) -> Any:
    """Somebody, with what they are behind a colon."""
    if not isinstance(value, str):
        return value
    name, _, note = value.partition(":")
    return {"name": name.strip(), "note": note.strip()}


def _consequences(sheet: Mapping[str, Any], table: BurningTable) -> tuple[DerivedValue, ...]:
    """What the rules know from the stats, as far as they are there and can be."""
    stats = _ratings(sheet)
    found: list[DerivedValue] = []
    if will := stats.get("Will"):
        alone = Sheet("", stats={"Will": Ability(will)}, hesitation=_printed_hesitation(sheet))
        if waits := hesitation(alone, edition(table.options)):
            found.append(DerivedValue("hesitation", "Hesitation", str(waits.amount), waits.rule))
        half = f"{will.shade.letter}{max(1, will.exponent // 2)}"
        found.append(DerivedValue("circles", "Circles", half, "circles.ability.root"))
    if len(stats) < len(stat_names()):
        return tuple(found)
    made = one_off_attributes({name: str(each) for name, each in stats.items()})
    found += [
        DerivedValue(f"attributes.{name}", name, value, f"tests.attributes.{name.casefold()}")
        for name, value in made.items()
    ]
    try:
        steps = preset_tolerances()[one_off_tolerances(stats["Power"], stats["Forte"])]
    except BadInput:
        return tuple(found)  # outside the table: the group decides
    said = ", ".join(steps)
    rule = "injury.amb.tolerance_placement"
    found.append(DerivedValue("tolerances", "Tolerances", said, rule))
    rule = "tests.attributes.mortal_wound"
    found.append(DerivedValue("attributes.Mortal Wound", "Mortal Wound", steps[-1], rule))
    return tuple(found)


def _printed_hesitation(sheet: Mapping[str, Any]) -> PrintedHesitation | None:
    """The one of a stat block, which counts whatever Will gives (rogues.burned.hesitation)."""
    try:
        return msgspec.convert(sheet.get("hesitation"), PrintedHesitation | None)
    except msgspec.ValidationError:
        return None  # named where the sheet is checked


def _ratings(sheet: Mapping[str, Any]) -> dict[str, Rating]:
    """The stats that are ratings."""
    found = {}
    for name, value in _of(sheet, "stats").items():
        try:
            found[name] = Rating.parse(str(_inner(value, "rating")))
        except BadInput:
            continue
    return {name: each for name, each in found.items() if name in stat_names()}


def _fill_in(sheet: dict[str, Any], follows: DerivedValue) -> None:
    """Write down what follows, unless something else was entered; hesitation is never written."""
    group, _, name = follows.path.partition(".")
    if group == "tolerances":
        sheet.setdefault(group, follows.value.split(", "))
    elif group == "circles":
        sheet.setdefault(group, follows.value)
    elif group == "attributes":
        steps = sheet.get("tolerances")
        is_last = (
            name == "Mortal Wound" and isinstance(steps, list) and len(steps) == len(WoundLevel)
        )
        value = str(steps[-1]) if is_last and isinstance(steps, list) else follows.value
        held = {name: value, **_of(sheet, group)}
        order = {each: at for at, each in enumerate(attribute_names())}
        sheet[group] = dict(sorted(held.items(), key=lambda pair: order.get(pair[0], len(order))))


def _remarks(sheet: Mapping[str, Any]) -> tuple[Remark, ...]:
    """What is unusual, but allowed (beliefs.amb.number_of_beliefs_and_instincts)."""
    found = []
    for path, (bit, rule, _) in LINES.items():
        count, wanted = len(sheet.get(path) or ()), wanted_at_start(bit)
        if count != wanted:
            text = f"{count or 'None'} so far; a new character has {wanted}."
            found.append(Remark(path, text, rule))
    if not sheet.get("traits"):
        found.append(Remark("traits", "None so far.", "beliefs.bits.mandatory"))
    if "Steel" not in _of(sheet, "attributes"):
        text = "None so far. Needed for Steel tests and Duels of Wits."
        found.append(Remark("attributes.Steel", text, "duel_of_wits.lose.steel_test"))
    unknown = [
        name for name, each in _of(sheet, "skills").items() if not (_inner(each, "roots") or ())
    ]
    if unknown:
        text = f"Root unknown: {', '.join(unknown)}. Write it after the number, as in 3 Will."
        found.append(Remark("skills", text, "tests.beginner.root_stat"))
    return tuple(found)


CREATION = CharacterCreation(parts, shorthand, finish, from_foundry, ("Foundry",))
"""How a character of the Burning Wheel is made."""
