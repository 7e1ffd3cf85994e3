"""The mission: every rule of the catalogue implemented and tested, chapter by chapter.

A chapter on the list in pending.toml is excused; one that is off it stays complete.
`make rules` shows how far things are.
"""

from __future__ import annotations

import pytest

from astragal.rules import catalogue
from rules.coverage import Coverage, pending
from rules.reachability import Code


@pytest.fixture(scope="module")
def coverage() -> Coverage:
    return Coverage()


def test_every_id_written_anywhere_is_in_the_catalogue(coverage: Coverage):
    dead = coverage.dead_links()
    assert not dead, "\n".join(dead)


def test_pending_names_real_chapters_once():
    assert set(pending()) <= set(catalogue().chapters)
    assert len(set(pending())) == len(pending())


@pytest.mark.parametrize("name", catalogue().chapters)
def test_a_chapter_is_complete_or_pending(coverage: Coverage, name: str):
    missing = coverage.chapter(name).missing()
    if name in pending():
        assert missing, f"{name} is complete: take it off the list in tests/rules/pending.toml"
    else:
        assert not missing, "\n".join([f"{name} is not complete:", *missing])


def test_all_code_of_the_games_is_used(coverage: Coverage):
    unused = [f"{module}.{name}" for module, name in coverage.code.unreachable()]
    assert not unused, "\n".join(["nothing but tests uses:", *unused])


def test_what_waits_for_a_chapter_is_used_by_nothing_yet(coverage: Coverage):
    assert set(coverage.waiting) <= set(pending())
    unused = {f"{module}.{name}" for module, name in Code(coverage.root / "src").unreachable()}
    waiting = {name for names in coverage.waiting.values() for name in names}
    assert waiting <= unused, "take what is used off the list in tests/rules/waiting.toml"


def test_rules_of_structure_are_cited_by_descriptions_alone(coverage: Coverage):
    for rule, reason in coverage.structural.items():
        assert reason
        assert rule in coverage.in_descriptions, f"{rule}: no module or class describes it"
        assert rule not in coverage.in_used_code, f"{rule}: take it off structural.toml"
