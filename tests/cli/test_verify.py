import asyncio
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from astragal.cli import main
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.fairness import Receipt
from astragal.table.store import open_store
from astragal.table.store.backup import EntryRecord, StoredRecord
from astragal.table.store.default_path import file_of
from table.company import Company, table
from table.stores import postgres_server

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


async def _sixty_messages(at: Company) -> Receipt:
    await at.gm(do.ThrowDice("5d6", "luck"))
    for number in range(60):
        await at.gm(do.SendMessage(f"message {number}"))
    return await kept(at)


def stored(url: str, folder: Path) -> Path:
    """Put sixty messages into a database; what a device kept of them."""

    async def play() -> Receipt:
        async with await open_store(url) as store, table(store=store) as at:
            return await _sixty_messages(at)

    receipt = folder / "receipt.json"
    receipt.write_bytes(msgspec.json.encode(asyncio.run(play())))
    return receipt


def read(url: str) -> list[StoredRecord]:
    """Everything in a database."""

    async def records() -> list[StoredRecord]:
        async with await open_store(url) as store:
            return [each async for each in store.records()]

    return asyncio.run(records())


def run_statements(url: str, statements: str) -> None:
    """What somebody does who has got at the database itself."""
    if url.startswith("sqlite:"):
        with closing(sqlite3.connect(file_of(url))) as connection:
            connection.executescript(statements)
    else:
        postgres_server().run(statements, url)


def test_a_database_that_is_whole(store_url, capsys, tmp_path):
    receipt = stored(store_url, tmp_path)
    before = read(store_url)
    assert main(["verify", store_url, "--seen", str(receipt)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "The Roll of Dues, 71 entries",
        "1 roll matches, 1 device agrees.",
    ]
    assert read(store_url) == before


def test_a_file_is_not_touched_by_checking_it(new_url_of, capsys, tmp_path):
    url = new_url_of("sqlite")
    receipt = stored(url, tmp_path)
    database = file_of(url)
    before = database.read_bytes()
    for name in (str(database), url):
        assert main(["verify", name, "--seen", str(receipt)]) == 0
        assert "1 roll matches, 1 device agrees." in capsys.readouterr().out
    assert database.read_bytes() == before


def crashed(folder: Path) -> tuple[Path, Path]:
    """A database as a crash leaves it, with a byte of its write-ahead log changed; a receipt."""
    database, receipt = folder / "table.db", folder / "receipt.json"
    copy = folder / "crashed.db"

    async def play() -> None:
        async with await open_store(f"sqlite:///{database}") as store, table(store=store) as at:
            receipt.write_bytes(msgspec.json.encode(await _sixty_messages(at)))
            for suffix in ("", "-wal"):
                Path(f"{copy}{suffix}").write_bytes(Path(f"{database}{suffix}").read_bytes())

    asyncio.run(play())
    wal = Path(f"{copy}-wal")
    content = bytearray(wal.read_bytes())
    content[len(content) * 2 // 3] ^= 1
    wal.write_bytes(content)
    return copy, receipt


def test_entries_that_a_damaged_write_ahead_log_lost(capsys, tmp_path):
    database, receipt = crashed(tmp_path)
    wal = Path(f"{database}-wal").read_bytes()
    assert main(["verify", str(database)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("WRONG  The write-ahead log is damaged at frame ")
    assert Path(f"{database}-wal").read_bytes() == wal  # nothing was repaired away
    # Once a server has opened it, nothing is left of that; but devices know.
    assert read(f"sqlite:///{database}")
    assert main(["verify", str(database)]) == 0
    capsys.readouterr()
    assert main(["verify", str(database), "--seen", str(receipt)]) == 1
    out = capsys.readouterr().out
    assert "WRONG  The device of anna saw entry 71, but the log ends with entry " in out


CHANGED = {
    "removed": ("DELETE FROM entries WHERE seq = 30", "Entry 30 is missing"),
    "cut off": ("DELETE FROM entries WHERE seq > 30", "There were 71 entries, but the log has 30"),
    "put in": (
        "INSERT INTO entries SELECT campaign, 72, at, seat, '', event FROM entries WHERE seq = 71;"
        "UPDATE campaigns SET last_seq = 72",
        "Entry 72 does not follow on the one before it",
    ),
    "another text": (
        "UPDATE entries SET event = replace(event, 'message 20', 'x')",
        "Entry 32 was changed",
    ),
    "another seat": ("UPDATE entries SET seat = 'anna' WHERE seq = 30", "Entry 30 was changed"),
    "another time": ("UPDATE entries SET at = replace(at, '2', '1')", "Entry 2 was changed"),
    "swapped": (
        "UPDATE entries SET seq = 0 WHERE seq = 30; UPDATE entries SET seq = 30 WHERE seq = 31;"
        "UPDATE entries SET seq = 31 WHERE seq = 0",
        "Entry 30 does not follow on the one before it",
    ),
    "no JSON": ("UPDATE entries SET event = '{' WHERE seq = 30", "Entry 30 cannot be read"),
    "no seal": (
        "UPDATE entries SET event = replace(event, ',\"seal\":SEAL', '') WHERE seq = 40",
        "Entry 40 is not in the chain",
    ),
    "another head": (
        "UPDATE entries SET event = replace(event, 'HEAD', '00') WHERE seq = 40",
        "Entry 40 does not follow on the one before it",
    ),
}


@pytest.mark.parametrize(("statements", "said"), CHANGED.values(), ids=CHANGED)
def test_a_database_that_somebody_has_changed(statements, said, store_url, capsys, tmp_path):
    stored(store_url, tmp_path)
    (sealed,) = [
        each for each in read(store_url) if isinstance(each, EntryRecord) and each.seq == 40
    ]
    seal = msgspec.json.decode(sealed.event)["seal"]
    text = msgspec.json.encode(seal).decode()
    run_statements(store_url, statements.replace("SEAL", text).replace("HEAD", seal["head"]))
    assert main(["verify", store_url, "--json"]) == 1
    (found,) = msgspec.json.decode(capsys.readouterr().out)["campaigns"]
    assert any(said in each["text"] for each in found["report"]["findings"] if each["wrong"])


def test_a_snapshot_that_is_further_than_the_log(store_url, capsys, tmp_path):
    stored(store_url, tmp_path)

    async def keep() -> None:
        async with await open_store(store_url) as store:
            (campaign,) = await store.campaigns()
            snapshot = msgspec.json.encode({"seq": 80, "head": "00" * 32})
            await store.keep_snapshot(campaign.id, 60, snapshot)

    asyncio.run(keep())
    assert main(["verify", store_url]) == 1
    assert "There was an entry 80, but the log ends with entry 71" in capsys.readouterr().out


def played_with_a_snapshot(url: str, change: Callable[[Any], None]) -> None:
    """A test in the middle, with a snapshot of it in which something is changed."""

    async def play() -> None:
        async with await open_store(url) as store:
            async with table(store=store) as at:
                await at.sit("anna", plays="mara")
                test = await at.begin("anna", TEST.procedure, **TEST.arguments)
                await at.play_on(test, until="boon")
                taken = msgspec.json.decode(msgspec.json.encode(await at.state()))
                change(taken)
                await at.play_on(test)
            # The table writes snapshots of its own in the background: this one replaces them.
            await store.keep_snapshot(at.id, taken["seq"], msgspec.json.encode(taken))

    asyncio.run(play())


def richer(taken: Any) -> None:
    taken["standing"]["characters"]["mara"]["sheet"]["artha"]["fate"] = 9


def with_another_seed(taken: Any) -> None:
    taken["evening"]["seed"] = "00" * 32


def of_another_kind(taken: Any) -> None:
    taken["standing"] = "nothing"


def test_a_snapshot_is_what_the_log_comes_to(store_url, capsys):
    played_with_a_snapshot(store_url, lambda taken: None)
    assert main(["verify", store_url]) == 0
    assert "WRONG" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (richer, "is not what the log comes to: gm, anna would see something else"),
        (with_another_seed, "is not what the log comes to"),
        (of_another_kind, "cannot be opened"),
    ],
)
def test_a_snapshot_that_says_something_else(change, said, new_url_of, capsys):
    url = new_url_of("sqlite")
    played_with_a_snapshot(url, change)
    assert main(["verify", url]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "WRONG The snapshot after entry " in out
    assert f" {said}" in out


def test_a_log_that_leads_nowhere(new_url_of, capsys, tmp_path):
    """An entry that can be read, but is not about anything that is there."""
    url = new_url_of("sqlite")
    stored(url, tmp_path)
    spoilt = '{"event":"withdrawn","procedure":"p999"}'
    run_statements(url, f"UPDATE entries SET event = '{spoilt}' WHERE seq = 30")
    assert main(["verify", url]) == 1
    out = capsys.readouterr().out
    # From one snapshot of the table's own, if there is one, to the next.
    (found,) = re.findall(r"WRONG  The log cannot be followed from entry (\d+) to (\d+)", out)
    assert int(found[0]) <= 30 <= int(found[1])


def test_another_title_in_the_list(new_url_of, capsys, tmp_path):
    url = new_url_of("sqlite")
    stored(url, tmp_path)
    run_statements(url, "UPDATE campaigns SET title = 'Mine'")
    assert main(["verify", url]) == 1
    said = "WRONG  The list says 'Mine', but the campaign is called 'The Roll of Dues'"
    assert said in capsys.readouterr().out


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
