"""Every scenario of the game replays to exactly what it says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from astragal.dice import Recorded
from astragal.games.cores import GAME
from astragal.games.scenarios import parse_scenario

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "tests/examples/cores").glob("*.toml"))
SHEETS = ROOT / "src/astragal/games/cores/sheets"


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
    assert sheet.name
    assert sheet.rocks
    assert GAME.read_sheet(GAME.write(sheet), path.stem) == sheet


def test_there_are_three_ready_sheets():
    assert len(list(SHEETS.glob("*.toml"))) == 3


def test_the_sheet_in_the_docs_can_be_read():
    page = (ROOT / "docs/cores.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, flags=re.S)
    sheet = GAME.read_sheet(tomllib.loads(example), "example")
    assert sheet.core.resolve.now == "d6"


def test_the_docs_name_every_procedure_option_and_argument():
    page = (ROOT / "docs/cores.md").read_text(encoding="utf-8")
    named = [*GAME.procedures, *GAME.table({}).options]
    for procedure in GAME.procedures.values():
        named += procedure.arguments.__struct_fields__
    assert [name for name in named if f"`{name}`" not in page] == []
