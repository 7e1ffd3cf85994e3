"""Every scenario under tests/examples replays to exactly what it states."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from astragal.cli.files import find_sheet
from astragal.dice import Seeded
from astragal.games.game import game_named
from astragal.games.scenarios import Scenario, parse_scenario
from astragal.rules import catalogue
from rules.coverage import examples_in

EXAMPLES = Path(__file__).with_name("examples")
FILES = sorted(EXAMPLES.rglob("*.toml"))
NAMES = [str(path.relative_to(EXAMPLES)) for path in FILES]
SEEDS = ("first", "second", "third")


def read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def scenario(path: Path) -> Scenario:
    """The scenario of a file; sheets that it names lie beside it or come with the game."""
    raw = read(path)
    game = game_named(raw.get("game"))
    return parse_scenario(raw, lambda name: read(find_sheet(name, game, path.parent)), path.stem)


def is_scenario(path: Path) -> bool:
    """Whether it has steps; a file that cannot be read at all fails in its own test."""
    return "[[step]]" in path.read_text(encoding="utf-8")


SCENARIOS = [path for path in FILES if is_scenario(path)]


def misfiled(path: Path, example: str) -> str | None:
    """Why a worked example does not belong where its file lies, or None.

    Files lie in a folder for the game and one for the chapter; a game that is a single
    chapter needs only the one.
    """
    game, *folders, _ = path.relative_to(EXAMPLES).parts
    chapter = folders[0] if folders else game
    entry = catalogue().example(example)
    if entry.chapter != chapter:
        return f"{path.name} replays {entry.id}, which is not of the chapter {chapter}"
    if catalogue().chapter(entry.chapter).system != game:
        return f"{path.name} replays {entry.id}, which is not of {game}"
    return None


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "path", SCENARIOS, ids=[str(path.relative_to(EXAMPLES)) for path in SCENARIOS]
)
def test_a_scenario_comes_out_as_it_says(path: Path, seed: str):
    chance = Seeded(seed)
    found = [
        f"step {number} ({result.script.title or result.script.procedure}): {difference}"
        for number, result in enumerate(scenario(path).play(chance), 1)
        for difference in result.differences
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_a_worked_example_is_real_and_lies_with_its_chapter(path: Path):
    raw = read(path)
    for example in examples_in(raw):
        assert misfiled(path, example) is None
    for step in (raw, *raw.get("step", ())):
        for rule in step.get("rules", ()):
            assert rule in catalogue(), f"{path.name} cites {rule}"


def test_no_worked_example_is_replayed_by_two_files():
    replayed = [example for raw in map(read, FILES) for example in examples_in(raw)]
    assert len(set(replayed)) == len(replayed)


def test_a_scenario_in_the_wrong_folder_is_found_out():
    stray = EXAMPLES / "burning_wheel" / "artha" / "stray.toml"
    assert "not of the chapter artha" in (misfiled(stray, "tests.ex.five_dice") or "")
    foreign = EXAMPLES / "cores" / "tests" / "stray.toml"
    assert "not of cores" in (misfiled(foreign, "tests.ex.five_dice") or "")
