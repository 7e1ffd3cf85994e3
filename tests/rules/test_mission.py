"""The mission: every rule of the catalogue implemented and tested, chapter by chapter.

`make rules` shows what a chapter lacks.
"""

from __future__ import annotations

import pytest

from astragal.rules import catalogue
from rules.coverage import Coverage


@pytest.fixture(scope="module")
def coverage() -> Coverage:
    return Coverage()


def test_every_id_written_anywhere_is_in_the_catalogue(coverage: Coverage):
    dead = coverage.dead_links()
    assert not dead, "\n".join(dead)


@pytest.mark.parametrize("name", catalogue().chapters)
def test_a_chapter_is_complete(coverage: Coverage, name: str):
    missing = coverage.chapter(name).missing()
    assert not missing, "\n".join([f"{name} is not complete:", *missing])


def test_all_code_of_the_games_is_used(coverage: Coverage):
    unused = [f"{module}.{name}" for module, name in coverage.code.unreachable()]
    assert not unused, "\n".join(["nothing but tests uses:", *unused])


def test_rules_of_structure_are_cited_by_descriptions_alone(coverage: Coverage):
    for rule, reason in coverage.structural.items():
        assert reason
        assert rule in coverage.in_descriptions, f"{rule}: no module or class describes it"
        assert rule not in coverage.in_used_code, f"{rule}: take it off structural.toml"
