"""A character of the GM's from one line: ``guard, 35s, WS 40, Dodge 30, Climb (S) +10``.

A skill is as good as the characteristic that governs it (percentile.skill.governed): a number
after a skill is that characteristic's, unless the line says something else.
"""

from __future__ import annotations

import re
from typing import Any

from astragal.games.sketching import not_understood, once, parts_of
from astragal.play import GM

from .scene import Scene
from .sheet import HIGHEST, LOWEST, characteristic_named, characteristics

FORM = "guard, 35s, WS 40, Dodge 30, Climb (S) +10"
EXPECTED = (
    "all characteristics (35s), one of them (WS 40), or a skill with what governs it "
    "(Dodge 30, Climb (S) +10, Swim (S) -20)"
)

_ALL = re.compile(r"(\d{1,3})s")
_VALUE = re.compile(r"([^\d()]+?)\s+(\d{1,3})")
_SKILL = re.compile(r"([^\d()+-]+?)(?:\s*\(([^()]+)\))?\s*(?:([+-]\s?\d{1,3})|\s(\d{1,3}))?")
_CONCEPT = re.compile(r"concept\s*:?\s+(.+)", re.IGNORECASE)


def sketch(line: str) -> dict[str, Any]:
    """The sheet, in the form in which people write sheets.

    >>> guard = sketch("guard, 35s, WS 40, Dodge 30")
    >>> [guard["characteristics"][short] for short in ("WS", "BS", "Ag")], guard["skills"]
    ([40, 35, 30], {'Dodge': 'Ag'})
    """
    name, parts = parts_of(line, FORM)
    usual: int | None = None
    values: dict[str, int] = {}
    skills: dict[str, str] = {}
    sheet: dict[str, Any] = {"name": name, "npc": True, "player": GM}
    for part in parts:
        if found := _ALL.fullmatch(part):
            once(part, "the usual characteristic", usual)
            usual = _value(found[1], part)
        elif found := _CONCEPT.fullmatch(part):
            sheet["concept"] = found[1]
        elif (found := _VALUE.fullmatch(part)) and (short := characteristic_named(found[1])):
            _settle(values, short, _value(found[2], part), part)
        elif found := _SKILL.fullmatch(part):
            skill, governing = _skill(found[1], found[2], part)
            once(part, skill, skill in skills)
            if found[4]:
                _settle(values, governing, _value(found[4], part), part)
            training = (found[3] or "").replace(" ", "")
            skills[skill] = f"{governing} {training}".strip()
        else:
            raise not_understood(part, EXPECTED)
    rest = {} if usual is None else dict.fromkeys(characteristics(), usual)
    return {**sheet, "characteristics": {**rest, **values}, "skills": skills}


def _value(text: str, part: str) -> int:
    if not LOWEST <= int(text) <= HIGHEST:
        raise not_understood(part, f"a value from {LOWEST} to {HIGHEST}")
    return int(text)


def _settle(values: dict[str, int], short: str, value: int, part: str) -> None:
    if values.setdefault(short, value) != value:
        raise not_understood(part, f"{short} {values[short]}, as the line has it already")


def _skill(name: str, governing: str | None, part: str) -> tuple[str, str]:
    """A skill and what governs it: as it is said, or as the text has it."""
    known = Scene().find_skill(name)
    if governing is None:
        if known is None:
            raise not_understood(part, f"{EXPECTED}: what governs {name!r}?")
        return known[0], known[1].characteristic
    short = characteristic_named(governing)
    if short is None:
        raise not_understood(part, f"one of {', '.join(characteristics())} in the brackets")
    return (name[:1].upper() + name[1:], short)
