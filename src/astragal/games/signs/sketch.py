"""A character of the GM's from one line: ``guard, skill d8, others d6, tag Spear d8``.

Scores that are not said are simply not there (signs.amb.npc_tests). A Tag stands under a Sign
of its own name, whose die it brings (signs.roll.tag_die).
"""

from __future__ import annotations

import re
from typing import Any

from astragal.games.sketching import not_understood, once, parts_of
from astragal.play import GM

from .sheet import SCORES
from .successes import die_names

FORM = "guard, skill d8, others d6, tag Spear d8"
EXPECTED = "a Score with its die (skill d8), others d6 for the rest, or a Tag (tag Spear d8)"

_TAG = re.compile(r"tag\s*:?\s+(.+?)\s+(d\d{1,2})", re.IGNORECASE)
_SCORE = re.compile(r"(skill|think|social|rune|others?|all)\s+(d\d{1,2})", re.IGNORECASE)
_CONCEPT = re.compile(r"concept\s*:?\s+(.+)", re.IGNORECASE)


def sketch(line: str) -> dict[str, Any]:
    """The sheet, in the form in which people write sheets.

    >>> guard = sketch("guard, skill d8, others d6, tag Spear d8")
    >>> guard["scores"]["Skill"], guard["scores"]["Rune"], guard["signs"]
    ('D8', 'D6', {'Spear': {'die': 'D8', 'tags': ['Spear']}})
    """
    name, parts = parts_of(line, FORM)
    sheet: dict[str, Any] = {"name": name, "npc": True, "player": GM}
    scores: dict[str, str] = {}
    usual = ""
    for part in parts:
        if found := _TAG.fullmatch(part):
            signs = sheet.setdefault("signs", {})
            once(part, found[1], found[1] in signs)
            signs[found[1]] = {"die": _die(found[2], part), "tags": [found[1]]}
        elif (found := _SCORE.fullmatch(part)) and found[1].capitalize() in SCORES:
            score = found[1].capitalize()
            once(part, score, score in scores)
            scores[score] = _die(found[2], part)
        elif found:
            once(part, "others", usual)
            usual = _die(found[2], part)
        elif found := _CONCEPT.fullmatch(part):
            sheet["concept"] = found[1]
        else:
            raise not_understood(part, EXPECTED)
    rest = dict.fromkeys(SCORES, usual) if usual else {}
    sheet["scores"] = {**rest, **scores}
    return sheet


def _die(text: str, part: str) -> str:
    die = text.upper()
    if die not in die_names():
        raise not_understood(part, f"one of {', '.join(die_names())}")
    return die
