"""SQLite's write-ahead log goes into the file now and then, beside what is being written."""

import shutil
import sqlite3

from astragal.table.store import open_store, sqlite
from table.store.logs import found, said
from table.stores import asynchronous


@asynchronous
async def test_the_log_goes_into_the_file_after_so_many_entries(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite, "CHECKPOINT_EVERY", 5)
    file = tmp_path / "astragal.db"
    async with await open_store(f"sqlite:///{file}") as store:
        await found(store)
        for seq in range(2, 6):
            await store.append("c1", said(seq))
        assert _in_the_file(file) == 0
        await store.append("c1", said(6))
        await store._checkpointing
        assert _in_the_file(file) == 6
        assert [entry.seq for entry in await store.entries("c1")] == [1, 2, 3, 4, 5, 6]


def _in_the_file(file):
    """How many entries are in the file itself, without the log beside it."""
    alone = file.with_name("alone.db")
    shutil.copy(file, alone)
    connection = sqlite3.connect(alone)
    try:
        tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
        if ("entries",) not in tables:
            return 0
        return connection.execute("SELECT count(*) FROM entries").fetchone()[0]
    finally:
        connection.close()
