"""Everything the documentation says one can type, typed."""

import doctest
import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from astragal.cli import main
from astragal.dice import Recorded, parse
from astragal.games import games

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def commands() -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for block in re.findall(r"```console\n(.*?)```", page.read_text(), flags=re.S):
            lines = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
            found += [(page.name, line.partition("  #")[0].strip()) for line in lines]
    return found


def test_there_are_commands_and_pages():
    assert {"README.md", "scenarios.md", "architecture.md"} <= {page.name for page in PAGES}
    assert any(command.startswith("astragal test") for _, command in commands())


@pytest.mark.slow
@pytest.mark.parametrize(("page", "command"), commands())
def test_a_documented_command_runs(page, command, monkeypatch, capsys, tmp_path):
    words = shlex.split(command)
    if words[0] == "make":
        # Running the suite inside the suite would never end; that the targets exist is enough.
        done = subprocess.run(["make", "-n", *words[1:]], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return
    assert words[0] in ("astragal", "python"), f"{page}: what is {command}?"
    monkeypatch.chdir(ROOT)
    if words[0] == "python":
        done = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return
    assert main(words[1:]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_hold(page):
    failures, _ = doctest.testfile(str(page), module_relative=False)
    assert failures == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_pictures_exist(page):
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), f"{page.name} points at {target}"


def test_the_scenario_in_the_docs_plays(tmp_path, capsys):
    page = (ROOT / "docs" / "scenarios.md").read_text()
    (example,) = re.findall(r"```toml\n(.*?)```", page, flags=re.S)
    file = tmp_path / "example.toml"
    file.write_text(example)
    assert main(["play", str(file)]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)
def test_the_sheet_in_the_docs_can_be_read(game):
    page = (ROOT / "docs" / f"{game.name}.md").read_text()
    example, *_ = re.findall(r"```toml\n(.*?)```", page, flags=re.S)
    sheet = game.read_sheet(tomllib.loads(example), "example")
    assert sheet.name == tomllib.loads(example)["name"]


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)
def test_the_readme_leads_to_the_page_of_every_game(game):
    assert f"(docs/{game.name}.md)" in (ROOT / "README.md").read_text()


@pytest.mark.parametrize(
    ("notation", "faces", "value"),
    [
        ("4B open", "[6, 2, 6, 1,  6, 3,  4]", 4),  # 6 6; then 6; then 4
        ("d6!+d8", "[6, 4,  7]", 17),
        ("d6!+d8", "[3,  7]", 10),
    ],
)
def test_faces_are_read_in_the_order_that_the_docs_describe(notation, faces, value):
    assert f"`{notation}`" in (page := (ROOT / "docs" / "scenarios.md").read_text())
    assert f"`{faces}`" in page
    source = Recorded(json.loads(faces))
    rolled = parse(notation).sample(source).value
    source.finish()
    assert getattr(rolled, "successes", rolled) == value
