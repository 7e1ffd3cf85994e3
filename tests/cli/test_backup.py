"""`astragal backup` and `astragal restore`, on each store and from one to another."""

import asyncio
import gzip
import json
import threading

import pytest

from astragal.cli import main
from astragal.table.store import SeatHolder, open_store
from table.store.logs import AT, found, founding, said
from table.stores import KINDS

GM, ANNA, OLD = (bytes([number]) * 32 for number in (1, 2, 3))
LETTERS = "naïve ☂ \0 \U0001f3b2 \\ \" ' \n"


async def _fill(url):
    """Two campaigns with everything that a store can hold."""
    async with await open_store(url) as store:
        await store.create("a", "signs", "Ännchen", AT, [founding(), said(2, LETTERS, "m")])
        await found(store, "b", upto=450)
        await store.keep_snapshot("b", 200, bytes(range(256)))
        await store.keep_snapshot("b", 400, b"")
        await store.add_link("a", "gm", GM, AT)
        await store.add_link("a", "anna", OLD, AT)
        await store.add_link("a", "anna", ANNA, AT, replace=True)


async def _everything(url):
    """What can be seen of a store from outside."""
    async with await open_store(url) as store:
        campaigns = await store.campaigns()
        return (
            campaigns,
            [await store.entries(known.id) for known in campaigns],
            [await store.snapshot(known.id, upto) for known in campaigns for upto in (None, 300)],
            [await store.links(known.id) for known in campaigns],
            [await store.holder(digest) for digest in (GM, ANNA, OLD)],
        )


@pytest.mark.parametrize("source", KINDS)
@pytest.mark.parametrize("target", KINDS)
def test_what_was_backed_up_is_restored_equal(new_url_of, source, target, tmp_path, capsys):
    old, new = new_url_of(source), new_url_of(target)
    file = tmp_path / "table.jsonl.gz"
    asyncio.run(_fill(old))
    assert main(["backup", str(file), "--database", old]) == 0
    assert "2 campaigns, 452 entries, 3 links" in capsys.readouterr().out
    assert main(["restore", str(file), "--database", new]) == 0
    assert "2 campaigns, 452 entries, 3 links" in capsys.readouterr().out
    before = asyncio.run(_everything(old))
    assert asyncio.run(_everything(new)) == before
    assert before[1][0] == [founding(), said(2, LETTERS, "m")]
    assert before[4] == [SeatHolder("a", "gm"), SeatHolder("a", "anna"), None]
    asyncio.run(_go_on(new))


async def _go_on(url):
    async with await open_store(url) as store:
        await store.append("b", said(451))
        assert await store.entries("b", after=449) == [said(450), said(451)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_while_the_table_goes_on_has_all_that_was_acknowledged(
    new_url_of,
    kind,
    tmp_path,
):
    url, file = new_url_of(kind), tmp_path / "table.jsonl.gz"
    names = [f"c{number}" for number in range(8)]
    acknowledged = dict.fromkeys(names, 1)
    busy, enough = threading.Event(), threading.Event()

    async def play():
        async with await open_store(url) as store:
            for name in names:
                await found(store, name)

            async def append(name):
                while not enough.is_set():
                    seq = acknowledged[name] + 1
                    await store.append(name, said(seq))
                    acknowledged[name] = seq
                    if seq > 30:
                        busy.set()

            await asyncio.gather(*map(append, names))

    playing = threading.Thread(target=asyncio.run, args=(play(),))
    playing.start()
    try:
        assert busy.wait(60)
        after = before = dict(acknowledged)
        while after == before:  # until there is a backup during which play did go on
            assert playing.is_alive()
            before = dict(acknowledged)
            file.unlink(missing_ok=True)
            assert main(["backup", str(file), "--database", url]) == 0
            after = dict(acknowledged)
    finally:
        enough.set()
        playing.join()
    copy = new_url_of("sqlite")
    assert main(["restore", str(file), "--database", copy]) == 0

    async def check():
        async with await open_store(copy) as store:
            for name in names:
                log = await store.entries(name)
                assert before[name] <= len(log) <= after[name] + 1
                assert log == [founding(), *(said(seq) for seq in range(2, len(log) + 1))]
                assert (await store.known(name)).last_seq == len(log)

    asyncio.run(check())


@pytest.fixture
def a_backup(tmp_path):
    """A file, and its lines."""
    url = f"sqlite:///{tmp_path}/old.db"
    file = tmp_path / "table.jsonl.gz"
    asyncio.run(_fill(url))
    assert main(["backup", str(file), "--database", url]) == 0
    return file, gzip.decompress(file.read_bytes()).splitlines()


def test_a_backup_can_be_read_line_by_line_by_its_owner_alone(a_backup):
    file, lines = a_backup
    assert file.stat().st_mode & 0o077 == 0
    records = [json.loads(line) for line in lines]
    kinds = [record["record"] for record in records]
    assert kinds[0] == "astragal backup"
    assert kinds[1:3] == ["campaign", "campaign"]
    assert (kinds.count("entry"), kinds.count("link"), kinds.count("snapshot")) == (452, 3, 2)
    assert records[-1] == {"record": "end", "records": len(records) - 1}
    assert records[4]["event"] == {"event": "said", "text": LETTERS}
    assert [path.name for path in file.parent.glob(".*")] == []  # nothing unfinished is left


def _without(number):
    return lambda lines: lines[:number] + lines[number + 1 :]


def _with(number, line):
    return lambda lines: [*lines[:number], line, *lines[number + 1 :]]


@pytest.mark.parametrize(
    ("spoil", "place"),
    [
        (lambda lines: lines[:-1], "cut short"),
        (lambda lines: lines[:300], "cut short"),
        (lambda lines: [], "cut short"),
        (_without(0), "header"),
        (_without(5), "the next entry of campaign b"),
        (_without(1), "the next entry of campaign a"),
        (_without(455), "460 records before the end"),
        (lambda lines: [*lines, lines[-1]], "nothing after the end"),
        (lambda lines: [lines[0], *lines], "header"),
        (_with(4, b"{}"), "line 5"),
        (_with(4, b"what?"), "line 5"),
        (_with(0, b'{"record":"astragal backup","format":99}'), "99"),
        (
            lambda lines: [line.replace(b'"event":"said"', b'"event":"sang"') for line in lines],
            "sang",
        ),
        (
            lambda lines: [line.replace(b'"last_seq":450', b'"last_seq":451') for line in lines],
            "451 entries",
        ),
    ],
)
def test_a_damaged_backup_is_refused_and_nothing_of_it_restored(
    a_backup, tmp_path, capsys, spoil, place
):
    _, lines = a_backup
    damaged = tmp_path / "damaged.gz"
    damaged.write_bytes(gzip.compress(b"".join(line + b"\n" for line in spoil(lines))))
    url = f"sqlite:///{tmp_path}/new.db"
    assert main(["restore", str(damaged), "--database", url]) == 2
    said_so = capsys.readouterr().err
    assert said_so.count("\n") == 1
    assert place in said_so

    async def nothing():
        async with await open_store(url) as store:
            assert await store.campaigns() == []

    asyncio.run(nothing())


def test_a_torn_file_and_no_backup_at_all_are_refused(a_backup, tmp_path, capsys):
    file, _ = a_backup
    torn = tmp_path / "torn.gz"
    torn.write_bytes(file.read_bytes()[:-20])
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Anna")
    for path in (torn, letter, tmp_path / "nothing.gz", tmp_path):
        assert main(["restore", str(path), "--database", f"sqlite:///{tmp_path}/new.db"]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_backup_is_restored_into_an_empty_database_only(a_backup, tmp_path, capsys):
    file, _ = a_backup
    url = f"sqlite:///{tmp_path}/old.db"
    before = asyncio.run(_everything(url))
    assert main(["restore", str(file), "--database", url]) == 2
    assert "an empty database" in capsys.readouterr().err
    assert asyncio.run(_everything(url)) == before


def test_a_file_is_replaced_only_on_request(a_backup, tmp_path, capsys):
    file, lines = a_backup
    url = f"sqlite:///{tmp_path}/old.db"
    file.write_text("precious")
    assert main(["backup", str(file), "--database", url]) == 2
    assert "--replace" in capsys.readouterr().err
    assert file.read_text() == "precious"
    assert main(["backup", str(file), "--database", url, "--replace"]) == 0
    assert gzip.decompress(file.read_bytes()).splitlines() == lines


def test_backing_up_what_is_not_there_makes_neither_database_nor_file(tmp_path, capsys):
    file = tmp_path / "table.gz"
    for url in (f"sqlite:///{tmp_path}/none.db", "postgresql://a:b@127.0.0.1:1/x", "nonsense"):
        assert main(["backup", str(file), "--database", url]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_refused_in_one_line(a_backup, tmp_path, capsys):
    url = f"sqlite:///{tmp_path}/old.db"
    assert main(["backup", str(tmp_path / "no" / "where.gz"), "--database", url]) == 2
    said_so = capsys.readouterr().err
    assert "a file that can be written" in said_so
    assert said_so.count("\n") == 1


def test_without_a_database_the_environments_is_used(a_backup, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ASTRAGAL_DATABASE", f"sqlite:///{tmp_path}/old.db")
    assert main(["backup", str(tmp_path / "again.gz")]) == 0
    monkeypatch.delenv("ASTRAGAL_DATABASE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert main(["restore", str(tmp_path / "again.gz")]) == 0
    assert (tmp_path / "data" / "astragal" / "astragal.db").is_file()
