"""Sheets at the table: bringing one, giving it to somebody, changing a value on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from astragal.errors import BadInput
from astragal.games import Game
from astragal.games.game import SCENE
from astragal.play import GM, Seat
from astragal.table.log.items import ChangedItem
from astragal.table.log.paths import value_in, with_value
from astragal.table.log.state import Restorable
from astragal.table.secrecy.audiences import audience_of, readers

MOST_ON_A_SHEET = 100_000
"""How many bytes a sheet may have; those of a long campaign have a tenth of that."""


def brought(game: Game, raw: Mapping[str, Any], seat: Seat, place: str) -> dict[str, Any]:
    """A sheet that somebody brings, checked by the game and put into its full plain form."""
    sheet = game.read_sheet({**raw, "player": seat}, place)
    plain: dict[str, Any] = game.write(sheet)
    return _bounded(plain, place)


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
