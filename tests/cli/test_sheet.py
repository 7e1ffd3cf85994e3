import json
from pathlib import Path

import pytest

from astragal.cli import main

RICH = """
name = "Rich"
concept = "a sell-sword"
tolerances = "B4"
wounds = [{ level = "Midi", at = "B7", source = "an arrow" }, "Superficial"]
stats = { Power = "B5", Forte = "B4" }
attributes = { Health = "B5", "Mortal Wound" = "B10" }
skills.Sword = "B6"
circles = "B3"
weapons = ["sword"]
armor = { torso = "chainmail" }
shield = "target"
"""


@pytest.fixture
def rich(tmp_path: Path) -> str:
    file = tmp_path / "rich.toml"
    file.write_text(RICH)
    return str(file)


def test_a_whole_sheet_with_what_wounds_leave_of_it(rich: str, capsys: pytest.CaptureFixture[str]):
    assert main(["sheet", rich]) == 0
    page = " ".join(capsys.readouterr().out.split())
    assert page.startswith("Rich: a sell-sword")
    for words in (
        "Power B5 -> 3D",
        "Sword B6 -> 4D",
        "Health B5 Mortal Wound B10",  # wounds spare them
        "Circles B3",
        "Weapons sword Armor and shield torso: chainmail, 5D target, 3D",
        "Grayscale: fit, -2D, +1 Ob",
        "1. Midi wound at B7 (an arrow): -2D; bleeding: worse in 8 hours;",
        "2. Superficial wound: +1 Ob; hurts; Health Ob 1, or 6 hours.",
    ):
        assert words in page


def test_ready_sheets_have_names(capsys: pytest.CaptureFixture[str]):
    assert main(["sheet", "mara"]) == 0
    page = capsys.readouterr().out
    assert page.startswith("Mara: Smuggler's daughter")
    assert "Cool-headed (call-on)" in page
    assert "Wounds" not in page


def test_the_grayscale_as_a_picture(rich: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    picture = tmp_path / "rich.svg"
    assert main(["sheet", rich, "--svg", str(picture)]) == 0
    assert picture.read_text().startswith("<svg ")
    capsys.readouterr()
    assert main(["sheet", rich, "--svg", str(tmp_path / "no" / "where.svg")]) == 2
    assert "--svg" in capsys.readouterr().err


def test_as_json(rich: str, capsys: pytest.CaptureFixture[str]):
    assert main(["sheet", rich, "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert written["sheet"]["name"] == "Rich"
    assert written["body"]["dice"] == -2


def test_bad_sheets_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for words, expected in (
        ('name = "X"\nwounds = ["Awful"]', "wounds[0].level"),
        ('name = "X"\ntolerances = ["B3"]', "injury.ptgs.six_tolerances"),
    ):
        file = tmp_path / "x.toml"
        file.write_text(words)
        assert main(["sheet", str(file)]) == 2
        error = capsys.readouterr().err
        assert expected in error
        assert len(error.splitlines()) == 1
    assert main(["sheet", "nobody"]) == 2
    assert main(["sheet", "mara", "--time", "soon"]) == 2
