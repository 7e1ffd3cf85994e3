"""Sheets at the table: bringing one, giving it to somebody, changing a value on it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

import msgspec

from astragal.errors import BadInput, Refusal
from astragal.games import Game
from astragal.games.game import SCENE
from astragal.play import GM, Seat
from astragal.play.changes import path_of, split_path
from astragal.table.log.items import ChangedItem
from astragal.table.log.paths import NEXT, found_again, placed, value_in, with_value
from astragal.table.log.state import Proposal, Restorable
from astragal.table.secrecy.audiences import audience_of, readers

MOST_ON_A_SHEET = 100_000
"""How many bytes a sheet may have; those of a long campaign have a tenth of that."""

DEEPEST = 20
"""How deep a sheet in a file may be nested."""


def brought(game: Game, raw: Mapping[str, Any], seat: Seat, place: str) -> dict[str, Any]:
    """A sheet that somebody brings, checked by the game and put into its full plain form.

    What a player plays is a player's character, also where the GM sketched it as an NPC:
    readiness, awards and starting artha depend on it.
    """
    whose: dict[str, Any] = {"player": seat}
    if seat != GM and raw.get("npc"):
        whose["npc"] = False
    sheet = game.read_sheet({**raw, **whose}, place)
    plain: dict[str, Any] = game.write(sheet)
    return _bounded(plain, place)


def sheet_in_file(text: str) -> dict[str, Any]:
    """The sheet in a file that was exported, or written by hand: TOML, or JSON."""
    expected = "a sheet in TOML or JSON"
    start = f"{text.strip()[:30]}..."
    try:
        if text.lstrip().startswith("{"):
            sheet = msgspec.json.decode(text, type=dict[str, Any])
        else:
            sheet = tomllib.loads(text)
    except (msgspec.MsgspecError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInput("file", start, f"{expected} ({error})") from None
    if _is_deep(sheet):
        raise BadInput("file", start, f"{expected}, at most {DEEPEST} levels deep")
    return sheet


def _is_deep(plain: Any) -> bool:
    """Whether something is nested too deeply; a name with dots can have any depth in TOML."""
    level: list[Any] = [plain]
    for _ in range(DEEPEST):
        inner = [each.values() if isinstance(each, dict) else each for each in level]
        level = [one for each in inner for one in each if isinstance(one, dict | list)]
        if not level:
            return False
    return True


def checked_key(key: str, place: str = "character") -> str:
    """A key that a character may have."""
    if key in (SCENE, GM):
        raise BadInput(place, key, "another name: this one is reserved")
    return key


def _bounded(plain: dict[str, Any], place: str) -> dict[str, Any]:
    """A sheet that is not too much for a page: everybody at the table is sent it, often."""
    size = len(msgspec.json.encode(plain))
    if size > MOST_ON_A_SHEET:
        raise BadInput(place, f"{size} bytes", f"a sheet of at most {MOST_ON_A_SHEET} bytes")
    return plain


def _as_kept(plain: Any) -> Any:
    """Plain data as the log gives it back: lists, never tuples, so that it can be compared."""
    return msgspec.json.decode(msgspec.json.encode(plain))


def amended(
    game: Game,
    standing: Restorable,
    target: str,
    path: str,
    value: Any,
    place: str,
) -> tuple[ChangedItem, ...]:
    """What setting one value changes, or a refusal; nothing if it is already set.

    The value may be written as people write it (``"B4"``): the game puts it into its full form.
    A path that ends in ``+`` adds an entry to a list.
    """
    if target == SCENE:
        before = _as_kept(standing.scene)
        path = placed(before, path)
        wanted = with_value(game.scene, before, path, value, place)
        after = _as_kept(game.write(game.read(wanted, game.scene, place)))
    else:
        if target not in standing.characters:
            known = ", ".join(standing.characters) or "nobody"
            raise BadInput("target", target, f"one of {known}, or scene")
        before = _as_kept(standing.characters[target].sheet)
        path = placed(before, path)
        wanted = with_value(game.sheet, before, path, value, place)
        after = _as_kept(_bounded(game.write(game.read_sheet(wanted, place)), place))
        if after["player"] != before["player"]:
            raise BadInput(
                place, after["player"], "the same player: the GM gives characters to players"
            )
    if after == before:
        return ()
    hidden = readers(standing)
    old, new = value_in(before, path), value_in(after, path)
    alone = with_value(game.sheet if target != SCENE else game.scene, before, path, new)
    if alone == after:
        audience = audience_of(target, path, game, hidden, old, new)
        return (ChangedItem(target, path, old, new, "", audience),)
    # The game put more in order than the one value: tell it field by field.
    return tuple(
        ChangedItem(target, field, was, now, "", audience_of(target, field, game, hidden, was, now))
        for field, now in after.items()
        if (was := before[field]) != now
    )


def place_of(proposal: Proposal, sheet: dict[str, Any]) -> str:
    """Where a proposed edit goes on the sheet as it is by now."""
    *outer, last = split_path(proposal.path)
    if last == NEXT:
        return proposal.path
    if proposal.before is None and last.isdecimal() and outer:
        # An addition in a log of an earlier version, which wrote down the position.
        is_list = isinstance(value_in(sheet, path_of(*outer)), list | tuple)
        return path_of(*outer, NEXT) if is_list else proposal.path
    path = found_again(sheet, proposal.path, proposal.before)
    if path is None:
        raise Refusal(
            "The entry that this edit is about has changed since it was proposed. "
            "Reject the edit, and ask for a new one."
        )
    return path
