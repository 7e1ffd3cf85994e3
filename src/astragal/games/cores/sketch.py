"""A character of the GM's from one line: ``coach, physical d8, others d6, rocks: Shouting``.

A Rock or a Suck belongs to the Core named after it, ``rocks: Shouting (social)``, or else to
the best Core there is (cores.story.rocks_belong_to_cores).
"""

from __future__ import annotations

import re
from typing import Any

from astragal.games.sketching import not_understood, once, parts_of
from astragal.play import GM

from .sheet import CoreName, ladder

FORM = "coach, physical d8, others d6, rocks: Shouting (social), factoid: Owes money"
EXPECTED = (
    "a Core with its die (physical d8), others d6 for the rest, or rocks, sucks, perk, factoid "
    "or angst, followed by the name (rocks: Shouting)"
)

_CORE = re.compile(r"(physical|mental|social|resolve|others?|all)\s+(d\d{1,2})", re.IGNORECASE)
_KNACK = re.compile(
    r"(rocks?|sucks?)\s*:?\s+(really\s+)?(.+?)"
    r"(?:\s*\((really\s+)?(physical|mental|social|resolve)\))?",
    re.IGNORECASE,
)
_HELD = re.compile(r"(perk|factoid|comfort|stressor|concept)s?\s*:?\s+(.+)", re.IGNORECASE)
_ANGST = re.compile(r"angst\s*:?\s+(.+?)\s+(\d{1,2})", re.IGNORECASE)


def sketch(line: str) -> dict[str, Any]:
    """The sheet, in the form in which people write sheets.

    >>> coach = sketch("coach, physical d8, others d6, rocks: Shouting (social)")
    >>> coach["core"]["physical"], coach["core"]["mental"], coach["rocks"]
    ('d8', 'd6', {'Shouting': 'social'})
    """
    name, parts = parts_of(line, FORM)
    sheet: dict[str, Any] = {"name": name, "gmc": True, "player": GM}
    cores: dict[str, str] = {}
    knacks: list[tuple[str, str, bool, str]] = []
    for part in parts:
        if found := _CORE.fullmatch(part):
            which = found[1].casefold()
            which = "others" if which in ("other", "all") else which
            once(part, which, which in cores)
            cores[which] = _die(found[2], part)
        elif found := _KNACK.fullmatch(part):
            group = f"{found[1].casefold().rstrip('s')}s"
            knacks.append(
                (group, found[3], bool(found[2] or found[4]), (found[5] or "").casefold())
            )
        elif found := _ANGST.fullmatch(part):
            sheet.setdefault("angst", {})[found[1]] = int(found[2])
        elif found := _HELD.fullmatch(part):
            _hold(sheet, found[1].casefold(), found[2])
        else:
            raise not_understood(part, EXPECTED)
    sheet["core"] = _all_four(cores, line)
    best = max(CoreName, key=lambda core: ladder().index(sheet["core"][core.value])).value
    for group, knack, really, core in knacks:
        belongs = f"really {core or best}" if really else core or best
        sheet.setdefault(group, {})[knack] = belongs
    return sheet


def _die(text: str, part: str) -> str:
    die = text.casefold()
    if die not in ladder()[1:]:
        raise not_understood(part, f"one of {', '.join(ladder()[1:])}")
    return die


def _hold(sheet: dict[str, Any], what: str, held: str) -> None:
    if what == "concept":
        sheet["concept"] = held
    else:
        sheet.setdefault(f"{what}s", []).append(held)


def _all_four(cores: dict[str, str], line: str) -> dict[str, str]:
    """A die for each Core: the one that was said, or that of all others."""
    usual = cores.pop("others", None)
    missing = [core.value for core in CoreName if core.value not in cores]
    if missing and usual is None:
        raise not_understood(line, f"a die for {' and '.join(missing)} too, or: others d6")
    return {core.value: cores.get(core.value) or str(usual) for core in CoreName}
