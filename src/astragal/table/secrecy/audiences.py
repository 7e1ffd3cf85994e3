"""Who may see what: the readers of each sheet, and the audience of a change."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from astragal.games import Game
from astragal.games.game import SCENE
from astragal.play import GM, Seat
from astragal.play.changes import split_path
from astragal.table.log.state import Restorable


class Readers(msgspec.Struct, frozen=True):
    """Who may read each sheet that not everybody sees, and which characters are hidden."""

    sheets: dict[str, tuple[Seat, ...]]
    hidden: frozenset[str]


def readers(standing: Restorable) -> Readers:
    """Who may read the sheets that not everybody sees: the GM, and who plays a hidden one."""
    there = standing.characters
    return Readers(
        {
            key: tuple(dict.fromkeys((GM, str(each.sheet["player"]))))
            for key, each in there.items()
            if each.hidden or each.sheet["player"] == GM
        },
        frozenset(key for key, each in there.items() if each.hidden),
    )


def mentions(plain: Any, keys: Collection[str]) -> bool:
    """Whether plain data names one of these characters by its key."""
    if not keys:
        return False
    text = msgspec.json.encode(plain)  # a name that is in it is in there between quotes
    return any(msgspec.json.encode(key) in text for key in keys) and _names_one(plain, keys)


def _names_one(plain: Any, keys: Collection[str]) -> bool:
    if isinstance(plain, Mapping):
        return any(key in keys or _names_one(each, keys) for key, each in plain.items())
    if isinstance(plain, list | tuple):
        return any(_names_one(each, keys) for each in plain)
    return isinstance(plain, str) and plain in keys


def audience_of(
    target: str, path: str, game: Game, hidden: Readers, *values: Any
) -> tuple[Seat, ...]:
    """Who may see that something changed there, from one value to another; empty for everybody."""
    field = split_path(path)[0]
    if target == SCENE and (
        field in game.secret_scene or mentions((split_path(path), values), hidden.hidden)
    ):
        return (GM,)
    return hidden.sheets.get(target, ())
