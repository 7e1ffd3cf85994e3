"""The mission: every rule of the catalogue implemented and tested, chapter by chapter.

A chapter on the list in pending.toml is excused; one that is off it stays complete.
`make rules` shows how far things are.
"""

from __future__ import annotations

import pytest

from astragal.rules import catalogue
from rules.coverage import Coverage, pending


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
