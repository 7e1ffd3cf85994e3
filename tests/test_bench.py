"""What the benches set up can still be played: they are run too seldom to find out themselves."""

from __future__ import annotations

import asyncio
import importlib
from pathlib import Path

import pytest

from astragal.games import games

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("path", sorted((ROOT / "bench").glob("*.py")), ids=lambda path: path.stem)
def test_a_benchmark_can_be_imported(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(ROOT))
    assert importlib.import_module(f"bench.{path.stem}").__doc__


def test_tables_of_every_game_are_ready_for_the_crowd(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.syspath_prepend(str(ROOT))
    tables = importlib.import_module("bench.tables")
    groups = asyncio.run(tables.created(f"sqlite:///{tmp_path}/bench.db", len(games())))
    assert len(groups) == len(games())
    for group in groups:
        assert set(group.tokens) == {"gm", *tables.PLAYERS}
        assert group.beginnings


@pytest.mark.slow
def test_the_evening_that_is_reviewed_has_something_to_review(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(ROOT))
    reviews = importlib.import_module("bench.reviews")
    evening = reviews.longest()
    found = reviews.review(evening.game, evening.entries)
    assert len(evening.entries) > 400
    assert found.reviewed >= 15
    assert found.decisions
