"""What is installed: every requirement has an upper end, and CI installs what the locks name."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
INSTALLED = ("lab", "dask", "dev")
LOCKS = ("build.lock", "everything.lock")


def required(*extras: str) -> list[Requirement]:
    named = [each for extra in extras for each in EXTRAS[extra]]
    return [Requirement(each) for each in (*PROJECT["project"]["dependencies"], *named)]


def locked(name: str) -> dict[str, tuple[str, list[str]]]:
    """The version and the hashes of each package in a lock."""
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    found: dict[str, tuple[str, list[str]]] = {}
    for block in re.split(r"\n(?=\S)", "\n".join(lines)):
        pin = re.fullmatch(
            r"([a-z0-9-]+)==([^ ;]+)(?: ; [^\\]+?)?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)",
            block.strip(),
        )
        assert pin is not None, block[:100]
        found[pin[1]] = (pin[2], re.findall(r"sha256:([0-9a-f]{64})", pin[3]))
    return found


def test_every_requirement_has_an_upper_end():
    everything = [*required(*EXTRAS), *map(Requirement, PROJECT["build-system"]["requires"])]
    for each in everything:
        bounds = {bound.operator for bound in each.specifier}
        assert bounds & {"<", "<=", "=="}, f"{each.name} has no upper end"


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_versions_and_hashes_and_nothing_else(name: str):
    assert all(hashes for _, hashes in locked(name).values())
    assert "://" not in (ROOT / "requirements" / name).read_text(encoding="utf-8")


def test_the_lock_has_what_the_project_requires():
    pinned = locked("everything.lock")
    for each in required(*INSTALLED):
        version, _ = pinned[canonicalize_name(each.name)]
        assert each.specifier.contains(version), f"{each.name}: {version} is not {each.specifier}"
    building = locked("build.lock")
    for each in map(Requirement, PROJECT["build-system"]["requires"]):
        assert each.specifier.contains(building[each.name][0])


def test_both_locks_name_the_same_versions():
    building, everything = map(locked, LOCKS)
    for name in building.keys() & everything.keys():
        assert building[name] == everything[name]


def test_ci_installs_from_the_locks():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for name in LOCKS:
        assert re.search(rf"--require-hashes .*-r requirements/{name}", makefile)
    runs = re.findall(r"^make .*", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    assert runs
    assert all(" LOCKED=1 " in f"{line} " for line in runs)
