"""What the commands for conflicts share: who is on which side, and what players are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from astragal.errors import BadInput

if TYPE_CHECKING:
    from astragal.play import Ask


def sides_of(sheets: list[str], sides: list[str], ready: tuple[str, str]) -> list[list[str]]:
    """Who is against whom: two sheets, or sides of several, or the two that are there."""
    if sides and sheets:
        raise BadInput("sheets", ", ".join(sheets), "either two sheets, or --side for each side")
    if sides:
        if len(sides) < 2:
            raise BadInput("--side", sides[0], "two sides or more")
        return [[name.strip() for name in text.split(",")] for text in sides]
    if not sheets:
        return [[name] for name in ready]
    if len(sheets) != 2:
        expected = "two sheets, one for each side (for more, --side)"
        raise BadInput("sheets", ", ".join(sheets), expected)
    return [[name] for name in sheets]


def seated(sides: list[list[str]]) -> tuple[list[list[str]], dict[str, Any]]:
    """The keys of everybody, by side, and their sheets, each with a seat of its own.

    Two may share a player, and the same sheet may come more than once.
    """
    characters: dict[str, Any] = {}
    return [[_seat(name, characters) for name in names] for names in sides], characters


def _seat(name: str, characters: dict[str, Any], player: str = "") -> str:
    """Add a sheet to the characters, and give its key; it has a seat of its own, or a player's."""
    import msgspec

    from astragal.cli.files import find_sheet, read_raw
    from astragal.games.burning_wheel import GAME

    path = find_sheet(name, GAME)
    key = path.stem
    if key in characters:
        key = f"{key}_{sum(each.startswith(path.stem) for each in characters) + 1}"
    sheet = GAME.read_sheet(read_raw(path), key)
    if key != path.stem:
        sheet = msgspec.structs.replace(sheet, name=f"{sheet.name} {key.rpartition('_')[2]}")
    characters[key] = msgspec.structs.replace(sheet, player=player or key)
    return key


def with_mounts(mounts: dict[str, Any], characters: dict[str, Any]) -> dict[str, str]:
    """Add the beasts that some of them ride, each played by its rider; their keys by rider."""
    return {rider: _seat(str(sheet), characters, rider) for rider, sheet in mounts.items()}


def often_wanted(ask: Ask) -> bool:
    """Whether a question is for a player, and one that is often wanted."""
    from astragal.play import GM

    return ask.seat != GM and ask.kind in ("needed", "offered")
