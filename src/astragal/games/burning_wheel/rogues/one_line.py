"""A character of the GM's from one line: ``guard, 4s, sword B4, steel 5, armor leather``.

Such a character needs only the few numbers that come into play (tests.record.gm_characters).
``4s`` sets all six stats, and so does the quick method (``rogues/quick_characters``): ``assassin,
expert, sword, knives, able all``. Health and Reflexes then follow from them, and the tolerances
are those of a minor character, the Mortal Wound among them (injury.amb.tolerance_placement).
Steel depends on the character's past: where it is not given, the GM is asked for it, as for stats
that are missing, when a conflict needs them (``tests/partial_records``).
"""

from __future__ import annotations

import re
from typing import Any

from astragal.games.sketching import not_understood, once, parts_of
from astragal.play import GM

from ..sheet.ratings import HIGHEST_EXPONENT, STEPS, Rating
from ..sheet.reading import normal_form, preset_tolerances
from ..sheet.sheet import attribute_names, stat_names
from ..tests.partial_records import BASE
from .quick_characters import (
    Competence,
    one_off_attributes,
    one_off_stats,
    one_off_tolerances,
    ranked_ratings,
    skill_rating,
    spelled,
)
from .ready_characters import full_name

FORM = "guard, 4s, will 5, sword B4, steel 5, armor leather, weapon spear"
EXPECTED = (
    "stats (4s), an ability with its exponent (will 5, sword B4), armor, shield, weapon, gear, "
    "trait, belief, instinct or tolerances followed by the name, or the quick method: expert, "
    "then skills without numbers; ranked sword > knives > brawling; age 60, weak speed; able all"
)

_ALL = re.compile(r"([BGWbgw]?)(\d{1,2})s")
_RATED = re.compile(r"(.*[^\s\d].*?)\s+([BGWbgw]?)\s?(\d{1,2})")
_HELD = re.compile(
    r"(armou?r|shield|weapon|with|gear|trait|belief|instinct|tolerances|concept)\s*:?\s+(.+)",
    re.IGNORECASE,
)
_QUICK = re.compile(r"(ranked|weak|able|age)\s*:?\s+(.+)", re.IGNORECASE)
_COMPETENCE = {each.value: each for each in Competence}
OLDEST = 100_000
"""Not even Elves are older; a larger number is a typing error."""


def one_line_character(line: str) -> dict[str, Any]:
    """The sheet, in the form in which people write sheets.

    >>> guard = one_line_character("guard, 4s, will 5, sword B4")
    >>> guard["stats"]["Will"], guard["stats"]["Power"], guard["skills"], guard["tolerances"]
    ('B5', 'B4', {'Sword': 'B4'}, 'B4')
    >>> one_line_character("assassin, expert, knives, stealthy")["skills"]
    {'Knives': 'B5', 'Stealthy': 'B5'}
    """
    name, parts = parts_of(line, FORM)
    sheet: dict[str, Any] = {"name": name, "npc": True, "player": GM}
    usual = ""
    quick: dict[str, Any] = {}
    unrated: list[str] = []
    for part in parts:
        if found := _ALL.fullmatch(part):
            once(part, "the usual stat", usual)
            usual = _rating(found[1], found[2], part)
        elif part.casefold() in _COMPETENCE:
            once(part, "the competence", "competence" in quick)
            quick["competence"] = _COMPETENCE[part.casefold()]
        elif found := _QUICK.fullmatch(part):
            _quick(quick, found[1].casefold(), found[2], part)
        elif found := _HELD.fullmatch(part):
            _hold(sheet, found[1].casefold(), found[2], part)
        elif found := _RATED.fullmatch(part):
            named = full_name(found[1])
            most = STEPS if named.casefold() == "mortal wound" else HIGHEST_EXPONENT
            _rate(sheet, named, _rating(found[2], found[3], part, most), part)
        else:
            unrated.append(part)
    return _made(sheet, usual, quick, unrated)


def _made(
    sheet: dict[str, Any], usual: str, quick: dict[str, Any], unrated: list[str]
) -> dict[str, Any]:
    """What the quick method adds, and what follows from the stats.

    Without any word of the method the character has only what the line says.
    """
    if unrated and "competence" not in quick:
        raise not_understood(unrated[0], EXPECTED)
    for skill in unrated:
        _rate(sheet, skill, skill_rating(quick["competence"]), skill)
    for skill, rating in ranked_ratings(quick["ranked"]).items() if "ranked" in quick else ():
        _rate(sheet, skill, rating, skill)
    if quick.get("age"):
        sheet["age"] = quick["age"]
    if not (usual or quick):
        return sheet
    base = usual or f"B{BASE}"
    stats = one_off_stats(quick.get("age", 0), quick.get("weak", ()), quick.get("able", ()), base)
    return _derive(sheet, stats)


def _rating(shade: str, exponent: str, part: str, most: int = HIGHEST_EXPONENT) -> str:
    if not 1 <= int(exponent) <= most:
        raise not_understood(part, f"an exponent from 1 to {most}")
    return f"{shade.upper() or 'B'}{int(exponent)}"


def _quick(quick: dict[str, Any], what: str, said: str, part: str) -> None:
    """A word of the quick method: the age, ranked abilities, weak and able stats."""
    once(part, what, what in quick)
    if what == "age":
        if not said.isascii() or not said.isdecimal() or not 1 <= int(said[:9]) <= OLDEST:
            raise not_understood(part, f"an age from 1 to {OLDEST}")
        quick[what] = int(said)
    elif what == "ranked":
        quick[what] = tuple(spelled(each) for each in said.split(">") if each.strip())
    else:
        quick[what] = tuple(re.split(r"\s+and\s+|\s+", said.strip()))


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
    group, written = known.get(lower, ("skills", spelled(name)))
    abilities = sheet.setdefault(group, {})
    once(part, written, written in abilities)
    abilities[written] = rating


def _hold(sheet: dict[str, Any], what: str, held: str, part: str) -> None:
    """Write down what the character carries, wears or is; nothing is there unasked.

    Gear is that of the character's station (rogues.oneoff.gear). There is no trait unless the GM
    gives one (rogues.oneoff.traits), one Belief (rogues.oneoff.belief) and one Instinct at most
    (rogues.oneoff.instinct). Tolerances may be changed to taste (rogues.oneoff.ptgs_tweak).
    """
    many = {"weapon": "weapons", "with": "weapons", "gear": "gear", "trait": "traits"}
    if what in many:
        sheet.setdefault(many[what], []).append(held)
        return
    if what in ("belief", "instinct"):
        once(part, f"a{'n' * (what == 'instinct')} {what.capitalize()}", f"{what}s" in sheet)
        sheet[f"{what}s"] = [held]
        return
    field = {"armour": "armor"}.get(what, what)
    once(part, field, field in sheet)
    sheet[field] = held
    if field == "tolerances":
        steps = held.upper().replace("/", " ").split()
        sheet[field] = steps[0] if len(steps) == 1 else steps
    normal_form({field: sheet[field]})  # refuses unknown armor and shields


def _derive(sheet: dict[str, Any], usual: dict[str, str]) -> dict[str, Any]:
    """What follows from the stats, where the line gives nothing else.

    tests.attributes.health, tests.attributes.reflexes, tests.attributes.mortal_wound; tolerances
    by Power and Forte (rogues.oneoff.ptgs), where the table has a line for them.
    """
    stats = usual | sheet.get("stats", {})
    attributes = one_off_attributes(stats)
    presets = preset_tolerances()
    power, forte = (Rating.parse(stats[stat]) for stat in ("Power", "Forte"))
    level = sheet.get("tolerances") or _level(power, forte, presets)
    if isinstance(level, list):
        attributes["Mortal Wound"] = level[-1]
    elif level in presets:
        sheet["tolerances"] = level
        attributes["Mortal Wound"] = presets[level][-1]
    sheet["stats"] = stats
    sheet["attributes"] = attributes | sheet.get("attributes", {})
    return sheet


def _level(power: Rating, forte: Rating, presets: dict[str, tuple[str, ...]]) -> str:
    """The line of the table for these stats; empty where it has none, and the GM decides later."""
    lowest, highest = (Rating.parse(level).exponent for level in (min(presets), max(presets)))
    within = lowest <= (power.exponent + forte.exponent) // 2 <= highest
    black = power.shade == forte.shade and power.shade.letter == "B"
    return one_off_tolerances(power, forte) if within and black else ""
