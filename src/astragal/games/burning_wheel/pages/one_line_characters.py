"""A character of the GM's from one line: ``guard, 4s, sword B4, steel 5, armor leather``.

Such a character needs only the few numbers that come into play (tests.record.gm_characters).
``4s`` sets all six stats; Health and Reflexes then follow from them, and the tolerances are
those of a minor character, the Mortal Wound among them (injury.amb.tolerance_placement). Steel
depends on the character's past, and is there only if it is given.
"""

from __future__ import annotations

import re
from typing import Any

from astragal.games.burning_wheel.sheet.parts import Ability
from astragal.games.burning_wheel.sheet.ratings import HIGHEST_EXPONENT, STEPS, Rating
from astragal.games.burning_wheel.sheet.reading import normal_form, preset_tolerances
from astragal.games.burning_wheel.sheet.shades import derived
from astragal.games.burning_wheel.sheet.sheet import Sheet, attribute_names, stat_names
from astragal.games.sketching import not_understood, once, parts_of
from astragal.play import GM
from astragal.rules import Options

FORM = "guard, 4s, will 5, sword B4, steel 5, armor leather, weapon spear"
EXPECTED = (
    "stats (4s), an ability with its exponent (will 5, sword B4), or armor, shield, weapon, "
    "gear, trait or tolerances, followed by the name"
)

_ALL = re.compile(r"([BGWbgw]?)(\d{1,2})s")
_RATED = re.compile(r"(.*[^\s\d].*?)\s+([BGWbgw]?)\s?(\d{1,2})")
_HELD = re.compile(
    r"(armou?r|shield|weapon|with|gear|trait|tolerances|concept)\s*:?\s+(.+)", re.IGNORECASE
)


def one_line_character(line: str) -> dict[str, Any]:
    """The sheet, in the form in which people write sheets.

    >>> guard = one_line_character("guard, 4s, will 5, sword B4")
    >>> guard["stats"]["Will"], guard["stats"]["Power"], guard["skills"], guard["tolerances"]
    ('B5', 'B4', {'Sword': 'B4'}, 'B4')
    """
    name, parts = parts_of(line, FORM)
    sheet: dict[str, Any] = {"name": name, "npc": True, "player": GM}
    usual = ""
    for part in parts:
        if found := _ALL.fullmatch(part):
            once(part, "the usual stat", usual)
            usual = _rating(found[1], found[2], part)
        elif found := _HELD.fullmatch(part):
            _hold(sheet, found[1].casefold(), found[2], part)
        elif found := _RATED.fullmatch(part):
            most = STEPS if found[1].casefold() == "mortal wound" else HIGHEST_EXPONENT
            _rate(sheet, found[1], _rating(found[2], found[3], part, most), part)
        else:
            raise not_understood(part, EXPECTED)
    return _derive(sheet, usual) if usual else sheet


def _rating(shade: str, exponent: str, part: str, most: int = HIGHEST_EXPONENT) -> str:
    if not 1 <= int(exponent) <= most:
        raise not_understood(part, f"an exponent from 1 to {most}")
    return f"{shade.upper() or 'B'}{int(exponent)}"


def _rate(sheet: dict[str, Any], name: str, rating: str, part: str) -> None:
    """Write an ability where it belongs: what is no stat or attribute is a skill."""
    known = {
        **{stat.casefold(): ("stats", stat) for stat in stat_names()},
        **{attribute.casefold(): ("attributes", attribute) for attribute in attribute_names()},
    }
    lower = name.casefold()
    if lower in ("resources", "circles"):
        once(part, name, lower in sheet)
        sheet[lower] = rating
        return
    group, spelled = known.get(lower, ("skills", _spelled(name)))
    abilities = sheet.setdefault(group, {})
    once(part, spelled, spelled in abilities)
    abilities[spelled] = rating


def _spelled(skill: str) -> str:
    """A skill as sheets write it: ugly truth is Ugly Truth, harbour-wise is Harbour-wise."""
    return " ".join(word[:1].upper() + word[1:] for word in skill.split())


def _hold(sheet: dict[str, Any], what: str, held: str, part: str) -> None:
    """Write down what the character carries, wears or is."""
    many = {"weapon": "weapons", "with": "weapons", "gear": "gear", "trait": "traits"}
    if what in many:
        sheet.setdefault(many[what], []).append(held)
        return
    field = {"armour": "armor"}.get(what, what)
    once(part, field, field in sheet)
    sheet[field] = held.upper() if field == "tolerances" else held
    normal_form({field: sheet[field]})  # refuses unknown armor and shields


def _derive(sheet: dict[str, Any], usual: str) -> dict[str, Any]:
    """What follows from the stats, where the line gives nothing else.

    tests.attributes.health, tests.attributes.reflexes, tests.attributes.mortal_wound.
    """
    stats = dict.fromkeys(stat_names(), usual) | sheet.get("stats", {})
    presets = preset_tolerances()
    attributes: dict[str, str] = {}
    body = Sheet("", stats={stat: Ability(Rating.parse(text)) for stat, text in stats.items()})
    options = Options.of("burning_wheel", {})
    for name in ("Health", "Reflexes"):
        made = derived(body, name, options)
        if made is not None:
            attributes[name] = str(Rating(made.shade, min(made.average, HIGHEST_EXPONENT)))
    tolerances = sheet.get("tolerances", usual)
    if tolerances in presets:
        sheet["tolerances"] = tolerances
        attributes["Mortal Wound"] = presets[tolerances][-1]
    sheet["stats"] = stats
    sheet["attributes"] = attributes | sheet.get("attributes", {})
    return sheet
