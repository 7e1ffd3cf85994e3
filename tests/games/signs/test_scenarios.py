"""Every scenario of the game replays to exactly what it says."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from astragal.dice import Recorded
from astragal.games.scenarios import parse_scenario
from astragal.games.signs import GAME

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "tests/examples/signs").glob("*.toml"))
SHEETS = ROOT / "src/astragal/games/signs/sheets"


def ready_sheet(name: str) -> dict[str, Any]:
    return tomllib.loads((SHEETS / f"{name}.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_scenario_goes_as_it_says(path: Path):
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    scenario = parse_scenario(raw, ready_sheet, path.name)
    for number, result in enumerate(scenario.play(Recorded(())), start=1):
        said = "\n".join(result.differences)
        assert not result.differences, f"step {number}, {result.script.title}:\n{said}"


@pytest.mark.parametrize("path", sorted(SHEETS.glob("*.toml")), ids=lambda path: path.stem)
def test_the_ready_sheets_can_be_read(path: Path):
    sheet = GAME.read_sheet(ready_sheet(path.stem), path.stem)
    assert sheet.name.casefold() == path.stem
    assert len(sheet.scores) == 4
    assert list(sheet.all_tags())


def test_there_are_three_ready_sheets():
    assert len(list(SHEETS.glob("*.toml"))) == 3
