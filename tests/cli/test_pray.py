"""`astragal pray`: a prayer with its odds, from numbers and from a sheet."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from astragal.cli import main

SHEET = """
name = "Anselm"
stats = { Will = "B5" }
attributes = { Faith = "B4", Health = "B4" }
traits = ["Faithful"]
beliefs = [{ text = "God is the father of us all.", faith = "the Church" }]
"""


def run(capsys, *arguments: str):
    status = main(["pray", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def open_ended(dice: int, wanted: int) -> float:
    """The chance of so many successes of open-ended dice, counted here die by die.

    A die gives n successes, each 6 rolled again: 1/2 fail; 4 and 5 are one; a 6 is one and goes on.
    """
    most = 40
    one = [Fraction(0)] * (most + 1)
    one[0] = Fraction(1, 2)
    for n in range(1, most + 1):
        one[n] = Fraction(1, 6) * one[n - 1] + (Fraction(1, 3) if n == 1 else 0)
    whole = [Fraction(1)] + [Fraction(0)] * most
    for _ in range(dice):
        whole = [
            sum((whole[k] * one[n - k] for k in range(n + 1)), Fraction(0)) for n in range(most + 1)
        ]
    return float(1 - sum(whole[:wanted]))


@pytest.mark.parametrize(
    ("prayer", "more", "dice", "ob"),
    [("blessing", [], 5, 3), ("hindrance", ["--foes", "2"], 5, 5), ("aid", [], 4, 4)],
)
def test_the_chance_that_a_prayer_is_granted(capsys, prayer, more, dice, ob):
    status, out, _ = run(capsys, prayer, "--faith", str(dice), *more, "--odds", "--json")
    assert status == 0
    assert json.loads(out)["granted"] == pytest.approx(open_ended(dice, ob), abs=1e-6)


def test_praying_with_typed_in_faces(capsys):
    status, out, _ = run(capsys, "hindrance", "--faith", "5", "--no-ask", "--faces", "4,4,4,4,1")
    assert status == 0
    assert "chance that the prayer is granted" in out
    assert "Other 1 can neither move nor act for 2 actions." in out


def test_a_prayer_from_a_sheet_and_refusals(capsys, tmp_path: Path):
    path = tmp_path / "anselm.toml"
    path.write_text(SHEET, encoding="utf-8")
    status, out, _ = run(
        capsys, "aid", "--sheet", str(path), "--ability", "Will", "--seed", "2", "--no-ask",
        "--json",
    )  # fmt: skip
    assert status == 0
    outcome = json.loads(out)
    assert sum(line["amount"] for line in outcome["dice"]["lines"]) == 4
    status, _, err = run(capsys, "aid", "--faith", "11")
    assert status != 0
    assert "faith: found 11, expected 1 to" in err
    status, _, err = run(capsys, "rain", "--faith", "4")
    assert status != 0
    assert "faith.pray.procedure" in err
