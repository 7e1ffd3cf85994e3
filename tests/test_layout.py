"""The tree itself: folders say what is in them, and a name means one thing in the whole project."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "astragal"
FOLDERS = sorted(
    each.parent
    for each in (SOURCE / "games" / "burning_wheel").rglob("__init__.py")
    if each.parent.name != "burning_wheel"
)

ONE_IDEA = {
    "Attempt": "a test of a game when its dice are about to be thrown",
    "Contest": "two sides of a game that are tested against each other",
    "Declaration": "what a player says of a test",
    "DiceGathered": "the fact that dice are about to be thrown",
    "EndOutcome": "what the end of a scene or session brought",
    "EndScene": "the end of a scene, where a game has scenes",
    "OpposedOutcome": "how an opposed test came out",
    "OpposedTest": "a test against somebody who resists",
    "Scene": "what a game keeps of the scene",
    "Sheet": "a character of a game",
    "TestAnnounced": "the fact that a test is about to be made",
    "TestCame": "the fact that tells how a test came out",
    "TestOutcome": "how the ordinary test of a game came out",
    "TimePasses": "time goes by, where a game counts it",
}
"""Types that several games have, each for the same idea."""


def types_by_name() -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path.relative_to(SOURCE))
    return found


@pytest.mark.slow
def test_a_public_type_has_a_name_of_its_own():
    shared = {name: paths for name, paths in types_by_name().items() if len(paths) > 1}
    unlike = {name: paths for name, paths in shared.items() if name not in ONE_IDEA}
    assert not unlike
    for name, paths in shared.items():
        assert len({path.parts[:2] for path in paths}) == len(paths), f"two in one game: {name}"
        assert {path.parts[0] for path in paths} == {"games"}, name
    assert not {*ONE_IDEA} - {*shared}, "listed, but there is only one"


@pytest.mark.parametrize(
    "folder", FOLDERS, ids=lambda folder: str(folder.relative_to(SOURCE / "games"))
)
def test_a_folder_of_the_burning_wheel_lists_its_modules(folder: Path):
    described = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert {name for name in modules if f"``{name}``" not in (described or "")} == set()


def test_no_module_is_so_long_that_it_tells_two_stories():
    long = {
        str(path.relative_to(SOURCE)): len(path.read_text(encoding="utf-8").splitlines())
        for path in SOURCE.rglob("*.py")
    }
    assert {path: lines for path, lines in long.items() if lines > 500} == {}
