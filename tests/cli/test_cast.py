"""`astragal cast`: a spell with its odds, from numbers and from a sheet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from astragal.cli import main

NUMBERS = ["--sorcery", "5", "--will", "5", "--forte", "3", "--ob", "4"]
SHEET = """
name = "Han"
stats = { Will = "B5", Forte = "B6", Perception = "B4" }
attributes = { Health = "B6", Reflexes = "B4" }
skills = { Sorcery = "B5" }
traits = ["Gifted"]
idiom = "speech"
spells = ["Magesense"]
"""


def run(capsys, *arguments: str):
    status = main(["cast", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_the_chance_to_cast_and_stay_up_is_one_number(capsys):
    status, out, _ = run(capsys, *NUMBERS, "--odds")
    assert status == 0
    assert "44.0% chance to cast it and stay on your feet" in out  # half of 88.1%
    assert "cast                   88.1%" in out
    assert "stay on your feet      50.0%" in out
    status, out, _ = run(capsys, *NUMBERS, "--odds", "--json")
    found = json.loads(out)
    assert found["cast_and_awake"] == pytest.approx(found["cast"] / 2)
    assert found["forte_lost"] == pytest.approx((3 + 3 * 3 + 3 * 2 + 1) / 8)


def test_casting_with_typed_in_faces(capsys):
    status, out, _ = run(
        capsys, *NUMBERS, "--no-ask", "--faces", "4,4,4,4,1,1,1,1,1,1", "--faces", "4,4,1",
        "--faces", "1,1,1,1", "--faces", "4,4,4,4",
    )  # fmt: skip
    assert status == 0
    assert "Caster casts The spell, losing 2D of Forte." in out


def test_a_spell_from_a_sheet(capsys, tmp_path: Path):
    path = tmp_path / "han.toml"
    path.write_text(SHEET, encoding="utf-8")
    status, out, _ = run(
        capsys, "--sheet", str(path), "--spell", "magesense", "--wider", "1", "--seed", "2",
        "--no-ask", "--json",
    )  # fmt: skip
    assert status == 0
    outcome = json.loads(out)
    assert sum(line["amount"] for line in outcome["obstacle"]["lines"]) == 5
    assert outcome["spell"] == "Magesense"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--sorcery", "5"], "will: found nothing"),
        ([*NUMBERS, "--method", "carefully", "--steps", "9"], "steps: found 9, expected 1 to 4"),
        ([*NUMBERS, "--faces", "1", "--seed", "2"], "no seed together with --faces"),
        (["--spell", "Mist"], "sorcery: found nothing"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(capsys, arguments: list[str], complaint: str):
    status, _, err = run(capsys, *arguments)
    assert status == 2
    assert complaint in err
    assert len(err.strip().splitlines()) == 1


def test_odds_of_a_casting(capsys):
    assert main(["odds", "bw", *NUMBERS]) == 0
    out = capsys.readouterr().out
    assert "44.0% chance to cast it and stay on one's feet" in out
    assert main(["odds", "bw", *NUMBERS, "--sweep", "forte", "2..5"]) == 0
    assert "44.0%" in capsys.readouterr().out
