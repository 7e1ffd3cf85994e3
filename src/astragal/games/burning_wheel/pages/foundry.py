"""An actor exported from Foundry (its system for the Burning Wheel), as a sheet.

Whatever has a value and no place on our sheet is listed, so that nothing is lost unnoticed. Older
exports have ``data`` where newer ones have ``system``; an ability whose ``exp`` is null was never
filled in; wounds are counted as texts; a skill's name is that of its item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from astragal.games.creation import ImportedSheet

from ..sheet.parts import WoundLevel
from ..sheet.reading_weapons import known_weapons
from ..sheet.sheet import attribute_names, stat_names

ACTORS = ("character", "npc")

_SHOWN = re.compile(r"^<<$|collapse|^settings$|^editMode$|^description$|skillId$|^pointCost$")
"""What is only about how Foundry shows things; ``<<`` is a leftover of its template."""

LEVELS = {level.value.casefold(): level.value for level in WoundLevel}
STEPS = 16
_LOG = ("routine", "difficult", "challenging")
_ARTHA = ("fate", "persona", "deeds")


def from_foundry(raw: Mapping[str, Any]) -> ImportedSheet | None:
    """The sheet of an actor; None where the file is no such thing."""
    system = raw.get("system", raw.get("data"))
    items = raw.get("items")
    if not isinstance(system, Mapping) or not isinstance(items, list):
        return None
    if raw.get("type") not in ACTORS:
        return None
    return _Reader(raw, system).imported([each for each in items if isinstance(each, Mapping)])


class _Reader:
    """Takes what it knows from an actor, and keeps what is left."""

    def __init__(self, actor: Mapping[str, Any], system: Mapping[str, Any]) -> None:
        self.system = {**system}
        self.sheet: dict[str, Any] = {"name": str(actor.get("name") or "Nameless")}
        if actor.get("type") == "npc":
            self.sheet["npc"] = True
        self.unread: list[str] = []

    def imported(self, items: list[Mapping[str, Any]]) -> ImportedSheet:
        """Everything, in the order of our sheet."""
        self._who()
        for stat in stat_names():
            self._ability("stats", stat, self.system.pop(stat.casefold(), None))
        for name in ("Health", "Steel"):
            self._ability("attributes", name, self.system.pop(name.casefold(), None))
        self._reflexes()
        self._custom()
        self._wealth()
        counted = {each: _number(self.system.pop(each, 0)) for each in _ARTHA}
        self.sheet["artha"] = {each: max(0, count) for each, count in counted.items() if count}
        self._body()
        for item in items:
            self._item(item)
        self.unread += list(_left("", self.system))
        return ImportedSheet(
            {k: v for k, v in self.sheet.items() if v not in ({}, [])}, self._listed()
        )

    def _listed(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.unread))

    # --- The actor itself ------------------------------------------------------------------

    def _who(self) -> None:
        age = _number(self.system.pop("age", 0))
        if age > 0:
            self.sheet["age"] = age
        if stock := str(self.system.pop("stock", "") or ""):
            self.sheet["concept"] = stock
        paths = str(self.system.pop("lifepathString", "") or "")
        self.sheet["lifepaths"] = [each.strip() for each in paths.split(",") if each.strip()]
        self.system.pop("stride", None)  # it follows from the body

    def _ability(self, group: str, name: str, held: Any) -> None:
        rated = self._rated(name, held)
        if rated is not None:
            self.sheet.setdefault(group, {})[name] = rated

    def _rated(self, name: str, held: Any) -> dict[str, Any] | None:
        """Rating, log and artha spent; None for what was never filled in (``exp`` is null)."""
        if not isinstance(held, Mapping):
            return None
        left = {**held}
        exponent = left.pop("exp", None)
        if exponent is None or str(exponent).strip() == "":
            return None
        shade = str(left.pop("shade", "") or "B").upper()
        log = {each: _number(left.pop(each, 0)) for each in _LOG}
        spent = {each: _number(left.pop(each, 0)) for each in _ARTHA}
        left.pop("name", None)
        if left.pop("open", False) and name not in ("Steel", "Perception", "Faith"):
            self.unread.append(f"{name}: open-ended")
        self.unread += list(_left(name, left))
        made: dict[str, Any] = {"rating": f"{shade}{exponent}"}
        made |= {"log": log} if any(log.values()) else {}
        return made | ({"spent": spent} if any(spent.values()) else {})

    def _reflexes(self) -> None:
        """Of the GM's characters; those of others follow from their stats."""
        exponent = _number(self.system.pop("reflexes", 0))
        shade = str(self.system.pop("reflexesShade", "") or "B").upper()
        if exponent > 0:
            self.sheet.setdefault("attributes", {})["Reflexes"] = f"{shade}{exponent}"
        waits = self.system.pop("hesitation", None)
        if self.sheet.get("npc") and isinstance(waits, int):
            self.sheet["hesitation"] = waits

    def _custom(self) -> None:
        """Two attributes that people name themselves, as Faith."""
        known = {name.casefold(): name for name in attribute_names()}
        for key in ("custom1", "custom2"):
            held = self.system.pop(key, None)
            name = str(held.get("name") or "").strip() if isinstance(held, Mapping) else ""
            if name.casefold() in known:
                self._ability("attributes", known[name.casefold()], held)
            elif name:
                self.unread.append(f"Attribute: {name}")

    def _wealth(self) -> None:
        rated = self._rated("Resources", self.system.pop("resources", None))
        cash, fund, taxed = (
            _number(self.system.pop(each, 0)) for each in ("cash", "funds", "resourcesTax")
        )
        if rated is not None:
            self.sheet["resources"] = {
                **rated,
                **({"cash": cash} if cash else {}),
                **({"taxed": taxed} if taxed else {}),
                **({"funds": [{"name": "Fund", "dice": fund}]} if fund else {}),
            }
        circles = self._rated("Circles", self.system.pop("circles", None))
        if circles is not None:
            self.sheet["circles"] = circles

    def _body(self) -> None:
        """The grayscale: where each level begins, and the wounds at each step, in texts."""
        body = self.system.pop("ptgs", None)
        if not isinstance(body, Mapping):
            return
        begins: dict[str, str] = {}
        taken: list[tuple[str, str, int]] = []
        left = {**body}
        shade = str(left.pop("woundShade", "") or "B").upper()
        for step in range(1, STEPS + 1):
            cell = left.pop(f"wound{step}", None)
            if not isinstance(cell, Mapping):
                continue
            level = LEVELS.get(str(cell.get("threshold", "")).casefold(), "")
            if level:
                begins.setdefault(level, f"B{step}")
                taken.append((level, f"B{step}", _number(cell.get("amount", 0))))
            elif _number(cell.get("amount", 0)):
                self.unread.append(f"Wounds at step {step}, below Superficial")
        for each in WoundLevel:
            short = each.value[:2].casefold()
            at, count = left.pop(f"{short}Thresh", None), _number(left.pop(f"{short}Taken", 0))
            if at is not None:
                begins[each.value] = f"{shade}{at}"
                taken.append((each.value, f"{shade}{at}", count))
        if len(begins) == len(LEVELS):
            self.sheet["tolerances"] = [begins[each.value] for each in WoundLevel]
        elif begins:
            self.unread.append(f"Tolerances: {', '.join(f'{k} {v}' for k, v in begins.items())}")
        self._wounds(taken)
        self.unread += list(_left("Wounds", left))

    def _wounds(self, taken: list[tuple[str, str, int]]) -> None:
        light = WoundLevel.SUPERFICIAL.value
        self.sheet["wounds"] = [
            {"level": level, "at": [at]}
            for level, at, count in taken
            if level != light
            for _ in range(count)
        ]
        if scratches := sum(count for level, _, count in taken if level == light):
            self.sheet["superficials"] = scratches

    # --- Its items -------------------------------------------------------------------------

    def _item(self, item: Mapping[str, Any]) -> None:
        kind, name = str(item.get("type", "")), str(item.get("name") or "").strip()
        held = item.get("system", item.get("data"))
        system = {**held} if isinstance(held, Mapping) else {}
        match kind:
            case "belief" | "instinct":
                text = str(system.get("text") or name).strip()
                self.sheet.setdefault(f"{kind}s", []).append(text)
            case "skill":
                self._skill(name, system)
            case "trait":
                self._trait(name, system)
            case "relationship":
                note = str(system.get("description") or "")
                self._add("relationships", {"name": name, "note": note})
            case "reputation" | "affiliation":
                self._standing(f"{kind}s", name, system)
            case "melee weapon" | "ranged weapon":
                self._weapon(name)
            case "possession":
                self._add("gear", {"name": name})
            case "lifepath":
                self._add("lifepaths", name)
            case _:
                self.unread.append(f"{kind.capitalize() or 'Item'}: {name}")

    def _add(self, group: str, entry: Any) -> None:
        self.sheet.setdefault(group, []).append(entry)

    def _skill(self, name: str, system: dict[str, Any]) -> None:
        roots = [
            str(system.pop(each, "") or "").strip().capitalize() for each in ("root1", "root2")
        ]
        roots = [root for root in roots if root in stat_names()]
        category = str(system.pop("skilltype", "") or "")
        tools, learning = system.pop("tools", False), system.pop("learning", False)
        tests, training = _number(system.pop("learningProgress", 0)), system.pop("training", False)
        if learning:
            self.sheet.setdefault("learning", {})[name] = {"roots": roots, "tests": tests}
            return
        if training:
            self._add("training", name)
            return
        rated = self._rated(name, system)
        if rated is None:
            self.unread.append(f"Skill without an exponent: {name}")
            return
        made = {**rated, "roots": roots} | ({"tools": True} if tools else {})
        if category:
            made["category"] = category.replace("-", " ").title()
        self.sheet.setdefault("skills", {})[name] = made

    def _trait(self, name: str, system: dict[str, Any]) -> None:
        kind = str(system.get("traittype") or "character").replace("-", "_")
        made: dict[str, Any] = {"name": name, "kind": kind}
        for field, has, target, amount in (
            ("dice", "hasDieModifier", "dieModifierTarget", "dieModifier"),
            ("obstacle", "hasObModifier", "obModifierTarget", "obModifier"),
        ):
            if system.get(has) and _number(system.get(amount, 0)):
                named = str(system.get(target) or "").split(",")
                points = _number(system.get(amount, 0))
                made[field] = {each.strip().title(): points for each in named if each.strip()}
        if called := str(system.get("callonTarget") or "").strip():
            made["abilities"] = [each.strip().title() for each in called.split(",")]
        if text := _plain(system.get("text")):
            self.unread.append(f"Text of the trait {name}: {text}")
        self._add("traits", made)

    def _standing(self, group: str, name: str, system: Mapping[str, Any]) -> None:
        made: dict[str, Any] = {"name": name, "dice": _number(system.get("dice", 0))}
        if system.get("infamous"):
            made["infamous"] = True
        self._add(group, made)

    def _weapon(self, name: str) -> None:
        known = {each.casefold(): each for each in known_weapons()}
        if name.casefold() in known:
            self._add("weapons", known[name.casefold()])
            return
        self._add("gear", {"name": name})
        self.unread.append(f"Weapon: {name} (it is among the gear; its numbers are not)")


def _number(value: Any) -> int:
    """A count, which may be written as a text; 0 for what is none."""
    try:
        return int(str(value).strip() or 0)
    except ValueError:
        return 0


def _plain(text: Any) -> str:
    """A text without its markup."""
    return re.sub(r"<[^>]+>", " ", str(text or "")).strip()


def _left(place: str, held: Mapping[str, Any]) -> Iterator[str]:
    """What still has a value and was not taken."""
    for key, value in held.items():
        if _SHOWN.search(key):
            continue
        where = f"{place}: {_said(key)}" if place else _said(key).capitalize()
        if isinstance(value, Mapping):
            yield from _left(where, value)
        elif value not in (None, "", 0, False, "0", []):
            yield f"{where}: {_plain(value)}"


def _said(key: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z0-9])", " ", key).casefold()
