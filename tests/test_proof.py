"""`make proof` in short: it counts what it tries, goes on from its counts, and tells of faults."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))


def run(*arguments: str) -> int:
    return importlib.import_module("proof.__main__").main(list(arguments))


@pytest.mark.slow
def test_messages_and_inputs_are_counted_and_gone_on_with(tmp_path: Path, capsys):
    counts = tmp_path / "counts.json"
    options = ("--kills", "0", "--counts", str(counts))
    assert run(*options, "--messages", "50", "--inputs", "50") == 0
    first = capsys.readouterr().out
    assert "Nothing was wrong." in first
    kept = importlib.import_module("proof.counts").read(counts)
    assert kept.of("messages") >= 50
    assert kept.of("inputs") >= 50
    assert kept.seeds == {"messages": 1, "inputs": 1}
    assert run(*options, "--messages", "1", "--inputs", "1") == 0
    assert capsys.readouterr().out == first


def test_a_fault_is_told_and_ends_the_run(tmp_path: Path, capsys, monkeypatch):
    async def leaks(*_: object) -> None:
        raise AssertionError("ben was sent zq0001qz")

    monkeypatch.setattr(importlib.import_module("proof.messages"), "play", leaks)
    options = ("--kills", "0", "--inputs", "0", "--messages", "9")
    assert run(*options, "--counts", str(tmp_path / "counts.json")) == 1
    assert "evening 1: ben was sent zq0001qz" in capsys.readouterr().out


def test_an_input_that_fails_is_told_and_ends_the_run(tmp_path: Path, capsys, monkeypatch):
    async def fails(*_: object) -> tuple[int, bytes]:
        return 500, b"Something went wrong"

    line = importlib.import_module("proof.plain_http").Line
    monkeypatch.setattr(line, "request", fails)
    options = ("--kills", "0", "--inputs", "9", "--messages", "0")
    assert run(*options, "--counts", str(tmp_path / "counts.json")) == 1
    assert "WRONG  inputs, seed 1: (" in capsys.readouterr().out
