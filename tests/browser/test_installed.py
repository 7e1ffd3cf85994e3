"""What is installed from a wheel or from an sdist is the whole app: it serves, and one plays.

The packages are built from the source as it lies here. The wheel is installed, with what it
requires, into an environment in which nothing else is; of the sdist the very same wheel is made.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, expect

from browser.people import People
from browser.server import Server

ROOT = Path(__file__).parent.parent.parent
CORE = ROOT / "packaging" / "core"

PIP = sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"

LIBRARY = """
from importlib.util import find_spec
from astragal.games.burning_wheel import GAME
from astragal.play import Scripted, exact

table = GAME.table({"mara": GAME.read_sheet({"name": "Mara", "skills": {"Sword": "B5"}}, "mara")})
test = GAME.procedure("standard_test")
said = {"character": "mara", "intent": "get past", "task": "fights", "ability": "Sword"}
arguments = GAME.read(said, test.arguments, "arguments")
odds = exact(test.start(arguments, table), Scripted({"obstacle": 3, "on_failure": "captured"}))
print(odds.where(lambda outcome: outcome.passed))
print([each for each in ("typer", "rich", "litestar", "sqlalchemy", "httpx") if find_spec(each)])
"""


def run(*command: str | Path, **more: str) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, capture_output=True, text=True, env=clean, check=False, **more)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def build(project: Path, kind: str, folder: Path) -> Path:
    run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", folder, cwd=str(project))
    (built,) = folder.iterdir()
    return built


def content(wheel: Path) -> dict[str, bytes]:
    """The files of a wheel; its own list of them has their hashes."""
    with ZipFile(wheel) as files:
        return {name: files.read(name) for name in files.namelist()}


def install(package: Path, folder: Path) -> Path:
    """An environment with this package and what it requires; where its programs are."""
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    # What is imported is compiled then: it is a small part of all that is installed.
    run(*PIP, "--python", folder / "bin" / "python", "install", "--no-compile", package)
    return folder / "bin"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(wheel, tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="module")
def server(
    browser: Browser, programs: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    program = [str(programs / "astragal")]
    server = Server(tmp_path_factory.mktemp("server"), program=program)
    yield server
    server.stop()


def test_the_page_opens_and_a_test_is_played(people: People, programs: Path) -> None:
    gus = people.sits(people.server.create("burning_wheel"), "gm")
    gus.suggestion("Mara looks for the smugglers' door")
    people.play_out(gus)
    expect(gus.page.get_by_role("region", name="Result")).to_contain_text("success")
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert run(programs / "astragal", "--version") == f"astragal {version}\n"
    assert "65.6%" in run(programs / "astragal", "odds", "bw", "--dice", "6", "--ob", "3")


def test_from_an_sdist_the_same_is_installed(wheel: Path, tmp_path: Path) -> None:
    """An installer makes a wheel of it, with what the sdist says that it needs for that."""
    sdist = build(ROOT, "sdist", tmp_path / "dist")
    run(*PIP, "wheel", "--no-deps", "--wheel-dir", tmp_path / "wheels", sdist)
    (made,) = (tmp_path / "wheels").iterdir()
    assert made.name == wheel.name
    assert content(made) == content(wheel)


def test_the_library_alone_needs_msgspec_and_nothing_else(tmp_path: Path) -> None:
    wheel = build(CORE, "wheel", tmp_path / "dist")
    programs = install(wheel, tmp_path / "env")
    assert run(programs / "python", "-c", LIBRARY, cwd=str(tmp_path)) == "1/2\n[]\n"
    packages = {Path(name).parts[1] for name in ZipFile(wheel).namelist() if "astragal/" in name}
    assert packages == {
        *("__init__.py", "py.typed", "errors.py"),
        *("dice", "play", "rules", "games", "odds"),
    }


def test_app_and_library_have_one_version_and_require_the_same_msgspec() -> None:
    app, core = (
        tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
        for folder in (ROOT, CORE)
    )
    assert core["version"] == app["version"]
    assert set(core["dependencies"]) < set(app["dependencies"])
