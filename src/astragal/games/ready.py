"""The sheets and scenarios that come with a game, read from the package itself."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from astragal.errors import BadInput
from astragal.games.game import Game
from astragal.games.scenarios import Scenario, parse_scenario


def ready_paths(game: Game) -> dict[str, Path]:
    """Where the pre-made sheets of a game are, by name."""
    return dict(_paths_in(game.package))


@cache
def _paths_in(package: str) -> Mapping[str, Path]:
    folder = Path(str(files(package))) / "sheets"
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def sheets_in(package: str) -> tuple[Mapping[str, Any], ...]:
    """The pre-made sheets in the package of a game, for what the game itself learns from them."""
    return tuple(map(_parsed, _paths_in(package).values()))


@cache
def _parsed(path: Path) -> Mapping[str, Any]:
    """A file of the package, which stays as it is: what is added to a table is read often."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def ready_sheet(game: Game, name: str, place: str = "ready") -> Mapping[str, Any]:
    """One pre-made sheet as plain data, in the form in which people write sheets."""
    paths = ready_paths(game)
    if name not in paths:
        raise BadInput(place, name, f"a pre-made sheet: {', '.join(paths) or 'there is none'}")
    return _parsed(paths[name])


def ready_sheets(game: Game) -> dict[str, Mapping[str, Any]]:
    """All pre-made sheets of a game as plain data, by name."""
    return {name: ready_sheet(game, name) for name in ready_paths(game)}


def scenario_paths(game: Game) -> dict[str, Path]:
    """Where the scenarios that come with a game are, by name."""
    folder = Path(str(files(game.package))) / "scenarios"
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def ready_scenario(game: Game, name: str, place: str = "scenario") -> Scenario:
    """One of the scenarios that come with a game; its characters are pre-made or written there."""
    paths = scenario_paths(game)
    if name not in paths:
        expected = f"a scenario of {game.title}: {', '.join(paths) or 'there is none'}"
        raise BadInput(place, name, expected)
    return parse_scenario(_parsed(paths[name]), lambda sheet: ready_sheet(game, sheet), name)
