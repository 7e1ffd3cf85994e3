"""A character that is being made: checked as often as anybody likes, and written nowhere.

All that is wrong with a sheet is found at once: what the game's own check refuses is noted, taken
out, and the rest checked again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from astragal.errors import BadInput
from astragal.games import Game
from astragal.games.creation import (
    CreationPart,
    DerivedValue,
    Finished,
    Remark,
    fields_of,
    fits,
    plain_values,
    sheet_from,
    values_from,
)
from astragal.games.ready import ready_sheet
from astragal.table.commands.edits import sheet_in_file
from astragal.table.log.state import Restorable

MOST_FAULTS = 40
PLACE = "sheet"

_NOT_ITS_OWN = ("player", "npc", "gmc")
"""Who plays a character is said when it joins, not on its sheet."""


class SheetFault(msgspec.Struct, frozen=True):
    """What cannot be: its place on the sheet, what is expected there, and the rule behind it."""

    path: str
    line: str
    expected: str
    rule: str


class CharacterDraft(msgspec.Struct, frozen=True):
    """A character as far as it is made.

    ``parts`` is the form and ``values`` what is in it, by path; ``base`` is the sheet it began
    with; ``sheet`` is what would be brought to the table. ``programs`` are the other programs whose
    files can be read.
    """

    parts: tuple[CreationPart, ...]
    values: dict[str, Any]
    base: dict[str, Any]
    sheet: dict[str, Any]
    faults: tuple[SheetFault, ...]
    follows: tuple[DerivedValue, ...]
    remarks: tuple[Remark, ...]
    unread: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()


def started(game: Game, standing: Restorable, ready: str = "", file: str = "") -> CharacterDraft:
    """A new draft: from nothing, from a pre-made sheet, or from a file."""
    table = _table(game, standing)
    unread: tuple[str, ...] = ()
    raw: Mapping[str, Any] = {}
    if ready:
        raw = ready_sheet(game, ready)
    elif file:
        raw = sheet_in_file(file)
        imported = game.at_table.creation.imports(raw)
        if imported is not None:
            raw, unread = imported.sheet, imported.unread
    base = {key: value for key, value in raw.items() if key not in _NOT_ITS_OWN}
    if file:
        base, faults = _without_faults(game, base)
        unread += tuple(f"{fault.path}: expected {fault.expected}" for fault in faults)
    creation = game.at_table.creation
    parts = creation.parts(table)
    full = _in_full(game, base) if base else {}
    if full or not base:
        return _draft(game, table, parts, values_from(creation, parts, full), full, unread)
    # Something that every sheet has is missing: the form has what it can show.
    values = plain_values(parts, base)
    shown = {path.partition(".")[0] for path in values}
    unread += tuple(f"{key}: it does not fit yet" for key in base if key not in shown)
    return _draft(game, table, parts, values, {}, unread)


def checked(
    game: Game, standing: Restorable, values: Mapping[str, Any], base: Mapping[str, Any]
) -> CharacterDraft:
    """A draft as it was filled in so far."""
    table = _table(game, standing)
    parts = game.at_table.creation.parts(table)
    known = {field.path: field for field in fields_of(parts)}
    for path, value in values.items():
        if path not in known or not fits(known[path], value):
            expected = f"a value of the field {path}" if path in known else "a field of the form"
            raise BadInput(f"values.{path}", value, expected)
    whole = _in_full(game, base) if base else {}
    if base and not whole:
        raise BadInput("base", "something else", "the sheet with which the draft began")
    return _draft(game, table, parts, dict(values), whole, ())


def _draft(
    game: Game,
    table: Any,
    parts: tuple[CreationPart, ...],
    values: dict[str, Any],
    base: dict[str, Any],
    unread: tuple[str, ...],
) -> CharacterDraft:
    creation = game.at_table.creation
    made: Finished = creation.finish(sheet_from(creation, parts, values, base), table)
    sheet = made.sheet
    faults: list[SheetFault] = []
    if not str(sheet.get("name") or "").strip():
        faults.append(SheetFault("name", "Name: enter a name.", "a name", ""))
        sheet = {**sheet, "name": "Nameless"}
    faults += _without_faults(game, sheet)[1]
    return CharacterDraft(
        parts,
        values,
        base,
        made.sheet,
        tuple(faults),
        made.follows,
        made.remarks,
        unread,
        creation.programs,
    )


def _table(game: Game, standing: Restorable) -> Any:
    """The campaign's characters and house rules, for what depends on them."""
    characters = {
        key: game.read_sheet(held.sheet, key)
        for key, held in standing.characters.items()
        if not held.hidden
    }
    return game.table(characters, options=standing.options)


def _in_full(game: Game, raw: Mapping[str, Any]) -> dict[str, Any]:
    """A sheet in its full plain form, with lists as they are sent; nothing if it cannot be read."""
    try:
        full = game.write(game.read_sheet({"name": "", **raw}, PLACE))
    except BadInput:
        return {}
    own = {key: value for key, value in full.items() if key not in _NOT_ITS_OWN}
    return msgspec.json.decode(msgspec.json.encode(own), type=dict[str, Any])


def _without_faults(game: Game, raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[SheetFault]]:
    """A sheet without what cannot be, and all of that."""
    left: dict[str, Any] = dict(raw)
    faults: list[SheetFault] = []
    for _ in range(MOST_FAULTS):
        try:
            game.read_sheet({"name": "Nameless", **left}, PLACE)
        except BadInput as bad:
            path = bad.place.removeprefix(f"{PLACE}.")
            if all(fault.path != path for fault in faults):
                faults.append(SheetFault(path, str(bad), bad.expected, bad.rule or ""))
            rest = _without(left, _steps(path))
            if rest is None:
                break
            left = rest
        else:
            break
    return left, faults


def _steps(path: str) -> list[str]:
    return [step for step in re.split(r"[.\[\]]", path) if step]


def _without(here: Any, steps: list[str]) -> Any:
    """Plain data without what is at the end of a path, or the nearest to it; None: nothing is."""
    first, *rest = steps
    if isinstance(here, Mapping):
        # A name may have a dot in it.
        keys = [".".join(steps[: count + 1]) for count in range(len(steps))]
        key = next((each for each in keys if each in here), None)
        if key is None:
            return None
        further = steps[key.count(".") + 1 :]
        inner = _without(here[key], further) if further else None
        if inner is None:
            return {name: each for name, each in here.items() if name != key}
        return {**here, key: inner}
    if isinstance(here, list) and first.isdecimal() and int(first) < len(here):
        at = int(first)
        inner = _without(here[at], rest) if rest else None
        return [*here[:at], *([] if inner is None else [inner]), *here[at + 1 :]]
    return None
