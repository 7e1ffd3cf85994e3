import asyncio
from pathlib import Path

import msgspec
import pytest

from astragal.cli import main
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.fairness import Receipt
from astragal.table.store import open_store
from table.company import Company, table

TEST = game_named("burning_wheel").demo.suggestions[0]


async def kept(at: Company, **parts: str) -> Receipt:
    here = await at.state()
    return Receipt(at.id, "anna", ((here.seq, parts.get("head", here.head)),))


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
            early = await at.tables.evidence(at.id, GM)
            await at.gm(do.EndDiceSession())
            return {
                "early": msgspec.json.encode(early),
                "receipt": msgspec.json.encode(await kept(at)),
                "dice": msgspec.json.encode(await at.tables.evidence(at.id, "anna")),
                "campaign": msgspec.json.encode(await at.tables.export(at.id)),
                "gm": msgspec.json.encode(await at.tables.evidence(at.id, GM)),
            }

    found = {}
    for name, content in asyncio.run(play()).items():
        found[name] = folder / f"{name}.json"
        found[name].write_bytes(content)
    return found


ALONE = "Compared with no device: give a receipt with --seen"


def test_an_evening_that_fits(files, capsys):
    assert main(["verify", str(files["dice"]), "--seen", str(files["receipt"])]) == 0
    assert capsys.readouterr().out == "2 rolls match, 1 typed in, 1 device agrees.\n"
    assert main(["verify", str(files["dice"])]) == 0
    assert capsys.readouterr().out.splitlines() == [ALONE, "2 rolls match, 1 typed in."]


def test_an_exported_campaign_holds_every_throw(files, capsys):
    for name in ("campaign", "gm"):
        assert main(["verify", str(files[name]), "--seen", str(files["receipt"])]) == 0
        assert capsys.readouterr().out == "4 rolls match, 1 typed in, 1 device agrees.\n"


def test_what_cannot_be_checked_yet_is_said(files, capsys):
    assert main(["verify", str(files["early"])]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Session 1: 2 rolls could not be checked: the keys are not shown yet",
        ALONE,
        "2 rolls match, 1 typed in.",
    ]


def test_what_does_not_fit_is_told_line_by_line(files, capsys, tmp_path):
    """The faces and the sum of a roll in an exported campaign are changed."""
    seen = msgspec.json.decode(files["campaign"].read_bytes())
    (first, *_) = [e for e in seen["entries"] if e["event"]["event"] == "threw"]
    rolled = first["event"]["rolled"]
    rolled["faces"][0]["face"] = rolled["faces"][0]["face"] % 6 + 1
    spoilt = tmp_path / "spoilt.json"
    spoilt.write_bytes(msgspec.json.encode(seen))
    assert main(["verify", str(spoilt)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0] == f"WRONG  Entry {first['seq']} was changed: it does not have its hash"
    assert out[1].startswith(f"WRONG  Entry {first['seq']}: luck: ")
    assert out[-1] == "3 rolls match, 1 typed in, 2 wrong."
    assert main(["verify", str(spoilt), "--json"]) == 1
    found = msgspec.json.decode(capsys.readouterr().out)
    assert (found["fit"], found["typed"], found["unseen"]) == (3, 1, 0)
    assert [finding["wrong"] for finding in found["findings"]] == [True, True, False]


def test_another_log_than_a_device_saw(files, capsys, tmp_path):
    receipt = msgspec.json.decode(files["receipt"].read_bytes())
    for heads, said in (
        ([[20, "00" * 32]], "The device of anna saw another log up to entry 20"),
        ([[999, "00" * 32]], "The device of anna saw entry 999, but the log ends with"),
    ):
        other = tmp_path / "other.json"
        other.write_bytes(msgspec.json.encode({**receipt, "heads": heads}))
        assert main(["verify", str(files["dice"]), "--seen", str(other)]) == 1
        assert f"WRONG  {said}" in capsys.readouterr().out
    other.write_text('{"heads": 1}')
    assert main(["verify", str(files["dice"]), "--seen", str(other)]) == 2


# --- Databases -----------------------------------------------------------------------------


def stored(folder: Path, *, damage: bool = False) -> tuple[Path, Path]:
    """A database with sixty messages in it, and what a device kept of them.

    With ``damage`` it is left as a crash leaves it, and a byte of its write-ahead log changed.
    """
    database, receipt = folder / "table.db", folder / "receipt.json"
    copy = folder / "crashed.db"

    async def play() -> None:
        async with await open_store(f"sqlite:///{database}") as store, table(store=store) as at:
            await at.gm(do.ThrowDice("5d6", "luck"))
            for number in range(60):
                await at.gm(do.SendMessage(f"message {number}"))
            receipt.write_bytes(msgspec.json.encode(await kept(at)))
            if damage:
                for suffix in ("", "-wal"):
                    Path(f"{copy}{suffix}").write_bytes(Path(f"{database}{suffix}").read_bytes())

    asyncio.run(play())
    if not damage:
        return database, receipt
    wal = Path(f"{copy}-wal")
    content = bytearray(wal.read_bytes())
    content[len(content) * 2 // 3] ^= 1
    wal.write_bytes(content)
    return copy, receipt


def test_a_database_that_is_whole(capsys, tmp_path):
    database, receipt = stored(tmp_path)
    before = database.read_bytes()
    for name in (str(database), f"sqlite:///{database}"):
        assert main(["verify", name, "--seen", str(receipt)]) == 0
        assert capsys.readouterr().out.splitlines() == [
            "The Roll of Dues, 71 entries",
            "1 roll matches, 1 device agrees.",
        ]
    assert database.read_bytes() == before


def test_entries_that_a_damaged_write_ahead_log_lost(capsys, tmp_path):
    database, receipt = stored(tmp_path, damage=True)
    wal = Path(f"{database}-wal").read_bytes()
    assert main(["verify", str(database)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("WRONG  The write-ahead log is damaged at frame ")
    assert Path(f"{database}-wal").read_bytes() == wal  # nothing was repaired away
    # Once a server has opened it, nothing is left of that; but devices know.
    asyncio.run(_opened(database))
    assert main(["verify", str(database)]) == 0
    capsys.readouterr()
    assert main(["verify", str(database), "--seen", str(receipt)]) == 1
    out = capsys.readouterr().out
    assert "WRONG  The device of anna saw entry 71, but the log ends with entry " in out


async def _opened(database: Path) -> None:
    async with await open_store(f"sqlite:///{database}") as store:
        assert await store.campaigns()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DELETE FROM entries WHERE seq = 30", "Entry 30 is missing"),
        ("DELETE FROM entries WHERE seq > 30", "There were 71 entries, but the log has 30"),
        ("UPDATE entries SET event = replace(event, 'message 20', 'x')", "was changed"),
        ("UPDATE entries SET seat = 'anna' WHERE seq = 30", "Entry 30 was changed"),
        ("UPDATE entries SET event = '{' WHERE seq = 30", "Entry 30 cannot be read"),
        (
            "UPDATE entries SET event = json_remove(event, '$.seal') WHERE seq = 40",
            "Entry 40 is not in the chain",
        ),
        (
            "UPDATE entries SET event = json_set(event, '$.seal.head', '00') WHERE seq = 40",
            "Entry 40 does not follow on the one before it",
        ),
    ],
)
def test_a_database_that_somebody_has_changed(statement, said, capsys, tmp_path):
    import sqlite3

    database, _ = stored(tmp_path)
    with sqlite3.connect(database) as connection:
        connection.execute(statement)
    connection.close()
    assert main(["verify", str(database), "--json"]) == 1
    (found,) = msgspec.json.decode(capsys.readouterr().out)["campaigns"]
    assert any(said in each["text"] for each in found["report"]["findings"] if each["wrong"])


def test_a_snapshot_that_is_further_than_the_log(capsys, tmp_path):
    import sqlite3

    database, _ = stored(tmp_path)
    snapshot = msgspec.json.encode({"seq": 80, "head": "00" * 32})
    with sqlite3.connect(database) as connection:
        query = "INSERT INTO snapshots SELECT id, 60, ? FROM campaigns"
        connection.execute(query, (snapshot,))
    connection.close()
    assert main(["verify", str(database)]) == 1
    assert "There was an entry 80, but the log ends with entry 71" in capsys.readouterr().out


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
