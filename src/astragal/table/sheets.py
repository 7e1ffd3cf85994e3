"""Sheets at the table: bringing one, giving it to somebody, changing a value on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from astragal.errors import BadInput
from astragal.games import Game
from astragal.games.game import SCENE
from astragal.play import GM, Seat
from astragal.table.plain import value_in, with_value
from astragal.table.state import Standing
from astragal.table.story import Changed
from astragal.table.telling import audience_of


def brought(game: Game, raw: Mapping[str, Any], seat: Seat, place: str) -> dict[str, Any]:
    """A sheet that somebody brings, checked by the game and put into its full plain form."""
    sheet = game.read_sheet({**raw, "player": seat}, place)
    plain: dict[str, Any] = game.write(sheet)
    return plain


def readers(standing: Standing) -> dict[str, tuple[Seat, ...]]:
    """Who may see the sheets that are not for all: the GM, and who plays a hidden character."""
    return {
        key: tuple(dict.fromkeys((GM, str(each.sheet["player"]))))
        for key, each in standing.characters.items()
        if each.hidden or each.sheet["player"] == GM
    }


def checked_key(key: str, place: str = "character") -> str:
    """A key that a character may have."""
    if key in (SCENE, GM):
        raise BadInput(place, key, "another name: this one is taken by the table itself")
    return key


def _as_kept(plain: Any) -> Any:
    """Plain data as the log gives it back: lists, never tuples, so that it can be compared."""
    return msgspec.json.decode(msgspec.json.encode(plain))


def amended(
    game: Game,
    standing: Standing,
    target: str,
    path: str,
    value: Any,
    place: str,
) -> tuple[Changed, ...]:
    """What setting one value changes, or a refusal; nothing if it stands there already.

    The value may be written as people write it (``"B4"``): the game puts it into its full form.
    """
    if target == SCENE:
        before = _as_kept(standing.scene)
        wanted = with_value(game.scene, before, path, value, place)
        after = _as_kept(game.write(game.read(wanted, game.scene, place)))
    else:
        if target not in standing.characters:
            known = ", ".join(standing.characters) or "nobody"
            raise BadInput("target", target, f"one of {known}, or scene")
        before = _as_kept(standing.characters[target].sheet)
        wanted = with_value(game.sheet, before, path, value, place)
        after = _as_kept(game.write(game.read_sheet(wanted, place)))
        if after["player"] != before["player"]:
            raise BadInput(place, after["player"], "another way: the GM gives characters to seats")
    if after == before:
        return ()
    audience = audience_of(target, path, game, readers(standing))
    new = value_in(after, path)
    alone = with_value(game.sheet if target != SCENE else game.scene, before, path, new)
    if alone == after:
        return (Changed(target, path, value_in(before, path), new, "", audience),)
    # The game put more in order than the one value: tell it field by field.
    return tuple(
        Changed(target, field, before[field], after[field], "", audience)
        for field in after
        if before[field] != after[field]
    )
