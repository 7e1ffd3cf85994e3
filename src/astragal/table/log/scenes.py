"""A scene in the game's own type: of its long lists, only what came to their end is read anew."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec.structs import FieldInfo, replace

from astragal.games import Game
from astragal.play.growing import GrowingList, GrowingTuple
from astragal.table.log.state import Campaign


def read_scene(game: Game, plain: dict[str, Any]) -> Any:
    """A scene from plain data; a refusal names what cannot be read."""
    long = {name: value for name, value in plain.items() if isinstance(value, GrowingList)}
    if not long:
        return game.read(plain, game.scene, "scene")
    fields = _fields(game.scene)
    short = {name: value for name, value in plain.items() if name not in long}
    try:
        scene: Any = msgspec.convert(short, game.scene, dec_hook=game.read_hook)
        return replace(
            scene,
            **{
                fields[name].name: _read_on(game, fields[name], value, scene)
                for name, value in long.items()
            },
        )
    except (msgspec.ValidationError, KeyError):
        return game.read(plain, game.scene, "scene")


def _read_on(game: Game, field: FieldInfo, entries: GrowingList, scene: Any) -> Any:
    known, upto = entries.typed or (type(getattr(scene, field.name))(), 0)
    if upto < len(entries):
        new = msgspec.convert(entries[upto:], field.type, dec_hook=game.read_hook)
        known = known.grown(*new) if isinstance(known, GrowingTuple) else (*known, *new)
        entries.typed = known, len(entries)
    return known


@cache
def _fields(scene: type[msgspec.Struct]) -> dict[str, FieldInfo]:
    return {each.encode_name: each for each in msgspec.structs.fields(scene)}


def with_long_lists(campaign: Campaign) -> Campaign:
    """A campaign that was read from a snapshot, with the lists of its scenes as they are used."""
    standing = campaign.standing
    going_on = {
        id: replace(
            each,
            scene=_with_long_lists(each.scene) or {},
            known_scene=_with_long_lists(each.known_scene),
        )
        for id, each in standing.open.items()
    }
    standing = replace(
        standing,
        scene=_with_long_lists(standing.scene) or {},
        known_scene=_with_long_lists(standing.known_scene),
        open=going_on,
    )
    return replace(campaign, standing=standing)


def _with_long_lists(scene: dict[str, Any] | None) -> dict[str, Any] | None:
    if scene is None:
        return None
    return {
        name: GrowingList(value) if isinstance(value, list) and value else value
        for name, value in scene.items()
    }
