import asyncio
from pathlib import Path

import msgspec
import pytest

from astragal.cli import main
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from table.company import table

TEST = game_named("burning_wheel").demo.suggestions[0]


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, Path]:
    """What Anna saw of the dice of an evening, and the campaign as its GM took it home."""
    folder = tmp_path_factory.mktemp("evening")

    async def play() -> dict[str, bytes]:
        async with table() as at:
            await at.sit("anna", plays="mara")
            await at.sit("ben", plays="tam")
            await at.gm(do.ThrowDice("5d6", "luck"))
            await at.do("anna", do.UseOwnDice(True))
            test = await at.begin("anna", TEST.procedure, **TEST.arguments)
            await at.play_on(test)
            await at.gm(do.ThrowDice("1d6", "hush", secret=True))
            await at.gm(do.ThrowDice("2d6", "hush", secret=True))
            await at.gm(do.ThrowDice("4d10", "luck"))
            early = await at.tables.evidence(at.id, "anna")
            await at.gm(do.EndDiceSession())
            return {
                "early": msgspec.json.encode(early),
                "dice": msgspec.json.encode(await at.tables.evidence(at.id, "anna")),
                "campaign": msgspec.json.encode(await at.tables.export(at.id)),
                "gm": msgspec.json.encode(await at.tables.evidence(at.id, GM)),
            }

    found = {}
    for name, content in asyncio.run(play()).items():
        found[name] = folder / f"{name}.json"
        found[name].write_bytes(content)
    return found


def test_an_evening_that_fits(files, capsys):
    assert main(["verify", str(files["dice"])]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out == [
        "Session 1: 2 throws were made in secret and cannot be seen here",
        "2 rolls match, 1 typed in, 2 secret.",
    ]


def test_an_exported_campaign_holds_every_throw(files, capsys):
    assert main(["verify", str(files["campaign"])]) == 0
    assert capsys.readouterr().out == "4 rolls match, 1 typed in.\n"
    assert main(["verify", str(files["gm"])]) == 0
    assert capsys.readouterr().out == "4 rolls match, 1 typed in.\n"


def test_what_cannot_be_checked_yet_is_said(files, capsys):
    assert main(["verify", str(files["early"])]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Session 1: its seed is not known yet, so nothing was checked",
        "0 rolls match.",
    ]


def test_what_does_not_fit_is_told_line_by_line(files, capsys, tmp_path):
    seen = msgspec.json.decode(files["dice"].read_bytes())
    throws = seen["sessions"][0]["throws"]
    throws[0]["faces"][0] = throws[0]["faces"][0] % 6 + 1
    throws.append(throws[-1])
    spoilt = tmp_path / "spoilt.json"
    spoilt.write_bytes(msgspec.json.encode(seen))
    assert main(["verify", str(spoilt)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith(f"WRONG  Entry {throws[0]['entry']}: luck shows ")
    assert "twice" in out[1]
    assert out[-1] == "1 roll matches, 1 typed in, 2 secret, 2 wrong."
    assert main(["verify", str(spoilt), "--json"]) == 1
    found = msgspec.json.decode(capsys.readouterr().out)
    assert (found["fit"], found["typed"], found["unseen"]) == (1, 1, 2)
    assert [finding["wrong"] for finding in found["findings"]] == [True, True, False]


@pytest.mark.parametrize(
    "content",
    ["", "[]", "nonsense", '{"title": "x"}', '{"astragal": 1}', '{"title": "x", "sessions": [{}]}'],
)
def test_a_file_that_is_something_else_is_refused(content, capsys, tmp_path):
    file = tmp_path / "other.json"
    file.write_text(content)
    assert main(["verify", str(file)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert main(["verify", str(tmp_path / "missing.json")]) == 2
