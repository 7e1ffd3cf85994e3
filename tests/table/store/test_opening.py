"""Opening a store: its file, its tables, and what is refused in one line."""

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from astragal.errors import BadInput
from astragal.table.store import EVERYWHERE, StoreDown, StoreFull, database_url, open_store, sqlite
from astragal.table.store.default_path import data_folder
from astragal.table.store.migrate import MIGRATIONS, revision
from astragal.table.store.schema import SCHEMA, metadata
from table.store.logs import found, said
from table.stores import PATIENCE, asynchronous

OPEN_AND_CLOSE = """
import asyncio, sys
from astragal.table.store import open_store
async def main():
    async with await open_store(sys.argv[1]) as store:
        await store.ping()
print("ready", flush=True)
sys.stdin.readline()
asyncio.run(main())
"""


def test_the_latest_migration_is_the_one_that_the_tables_name():
    assert ScriptDirectory(str(MIGRATIONS)).get_heads() == [SCHEMA]


@asynchronous
async def test_the_migrations_make_the_tables_as_they_are_described(store_url):
    def differences(connection):
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return compare_metadata(context, metadata)

    async with await open_store(store_url) as store:
        assert await store._read(differences) == []
        assert await store._read(revision) == SCHEMA


@asynchronous
async def test_a_database_of_a_newer_version_is_refused_in_one_line(store_url):
    async with await open_store(store_url) as store:
        await store._write(
            lambda connection: connection.execute(
                text("UPDATE alembic_version SET version_num = '9999'")
            )
        )
    with pytest.raises(BadInput, match=r"9999.*newer version of Astragal") as refused:
        await open_store(store_url)
    assert "\n" not in str(refused.value)


def test_several_processes_may_open_a_new_database_at_once(store_url):
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN_AND_CLOSE, store_url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdout.readline() == b"ready\n"
    for process in processes:
        process.stdin.write(b"\n")
        process.stdin.flush()
    ends = [(process.communicate(timeout=60)[1], process.returncode) for process in processes]
    assert ends == [(b"", 0)] * 3


@asynchronous
async def test_several_workers_may_find_the_tables_missing_at_once(store_url):
    stores = await asyncio.gather(*(open_store(store_url) for _ in range(6)))
    for store in stores:
        assert await store._read(revision) == SCHEMA
        await store.close()


@asynchronous
async def test_several_new_databases_may_be_opened_side_by_side(new_url):
    urls = [new_url() for _ in range(3)]
    for store in await asyncio.gather(*map(open_store, urls)):
        assert await store._read(revision) == SCHEMA
        await store.close()


@asynchronous
async def test_a_migration_can_be_taken_back(store_url):
    def back(connection):
        context = MigrationContext.configure(connection, opts={"fn": down})
        context.run_migrations(op=Operations(context))
        return inspect(connection).get_table_names()

    def down(current, _):
        return scripts._downgrade_revs("base", current)

    scripts = ScriptDirectory(str(MIGRATIONS))
    async with await open_store(store_url) as store:
        await found(store)
        assert await store._write(back) == ["alembic_version"]
    async with await open_store(store_url) as store:
        assert await store.campaigns() == []


@asynchronous
async def test_every_commit_to_a_file_is_synced_and_readers_do_not_write(tmp_path):
    def settings(connection):
        names = ("journal_mode", "synchronous", "foreign_keys", "query_only", "busy_timeout")
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]

    async with await open_store(f"sqlite:///{tmp_path}/a.db") as store:
        full = 2
        assert await store._write(settings) == ["wal", full, 1, 0, 10_000]
        assert await store._read(settings) == ["wal", full, 1, 1, 10_000]


@asynchronous
async def test_a_commit_to_postgresql_is_synced_whatever_the_server_is_used_to(new_url_of):
    url = new_url_of("postgresql")
    name = url.rpartition("/")[2]
    async with await open_store(url) as store:
        off = text(f"ALTER DATABASE {name} SET synchronous_commit = off")
        await store._read(lambda connection: connection.execute(off))
    try:
        async with await open_store(url) as store:
            show = text("SHOW synchronous_commit")
            assert await store._write(lambda c: c.execute(show).scalar()) == "on"
    finally:
        async with await open_store(url) as store:
            reset = text(f"ALTER DATABASE {name} RESET synchronous_commit")
            await store._read(lambda connection: connection.execute(reset))


@asynchronous
async def test_a_file_is_made_with_its_folder_for_its_owner_alone(tmp_path):
    path = tmp_path / "deep" / "down" / "a b%20c.db"
    async with await open_store(f"sqlite:///{path}") as store:
        await found(store)
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0


@asynchronous
async def test_a_relative_path_and_a_home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for url, path in (("sqlite:///here.db", "here.db"), ("sqlite:///~/there.db", "home/there.db")):
        async with await open_store(url) as store:
            await found(store)
        assert (tmp_path / path).is_file()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nonsense",
        "mysql://localhost/x",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///a.db?mode=ro",
        "sqlite:////proc/nowhere/a.db",
        "sqlite:////",
        "postgresql://nobody:secret@127.0.0.1:1/x",
        "postgresql://nobody:secret@127.0.0.1:1/x?nonsense=1",
        "postgresql://nobody:secret@127.0.0.1:port/x",
        "postgresql://nobody:secret@127.0.0.1:1/x?sslmode=nonsense",
        "postgresql://nobody:secret@no.such.host.invalid/x",
    ],
)
@asynchronous
async def test_what_cannot_be_opened_is_refused_in_one_line(url):
    with pytest.raises(BadInput, match="database: found") as refused:
        await open_store(url)
    assert "\n" not in str(refused.value)


@asynchronous
async def test_a_password_is_not_repeated(new_url_of):
    right = new_url_of("postgresql")
    user, at, rest = right.rpartition("@")
    wrong = user.rpartition(":")[0] + ":opensesame" + at + rest
    with pytest.raises(BadInput) as refused:
        await open_store(wrong)
    assert "opensesame" not in str(refused.value)
    assert "password" in str(refused.value)


@pytest.mark.parametrize(
    ("scheme", "query"),
    [
        ("postgres", ""),
        ("postgresql+asyncpg", ""),
        ("postgresql", "?sslmode=prefer"),
        ("postgresql", "?sslmode=disable&application_name=mine"),
    ],
)
@asynchronous
async def test_addresses_as_other_programs_write_them(new_url_of, scheme, query):
    url = new_url_of("postgresql").replace("postgresql", scheme, 1) + query
    async with await open_store(url) as store:
        await found(store)
        changes = store.changed()
        assert await asyncio.wait_for(anext(changes), PATIENCE) == EVERYWHERE
        await changes.aclose()


@asynchronous
async def test_a_server_without_encryption_is_refused_to_whom_wants_it(new_url_of):
    with pytest.raises(BadInput, match="SSL"):
        await open_store(new_url_of("postgresql") + "?sslmode=require")


@asynchronous
async def test_postgresql_by_its_socket(own_postgres):
    async with await open_store(own_postgres.socket_url) as store:
        await found(store)
    async with await open_store(own_postgres.url) as store:
        assert len(await store.campaigns()) == 1


@asynchronous
async def test_a_file_that_is_no_database_is_left_as_it_was(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear Anna, " * 100)
    with pytest.raises(BadInput, match="not a database"):
        await open_store(f"sqlite:///{path}")
    assert path.read_text() == "Dear Anna, " * 100


@asynchronous
async def test_a_file_that_another_program_keeps_locked_is_down_until_it_lets_go(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(sqlite, "PATIENCE", 0.2)
    async with await open_store(f"sqlite:///{tmp_path}/a.db") as store:
        log = await found(store)
        other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        results = await asyncio.gather(
            *(store.append("c1", said(seq)) for seq in (2, 3)), return_exceptions=True
        )
        assert [type(result) for result in results] == [StoreDown, StoreDown]
        assert "locked" in str(results[0])
        assert await store.entries("c1") == log
        other.execute("ROLLBACK")
        other.close()
        await store.append("c1", said(2))
        assert (await store.known("c1")).last_seq == 2


@asynchronous
async def test_a_full_disk_is_down_and_loses_nothing(tmp_path):
    async with await open_store(f"sqlite:///{tmp_path}/a.db") as store:
        log = await found(store)

        def pages(connection, most):
            connection.exec_driver_sql(f"PRAGMA max_page_count={most}")

        await store._write(lambda connection: pages(connection, 1))  # no more than there are
        long = [said(seq, "x" * 100_000) for seq in (2, 3)]
        results = await asyncio.gather(
            *(store.append("c1", entry) for entry in long), return_exceptions=True
        )
        assert [type(result) for result in results] == [StoreFull, StoreFull]
        assert "full" in str(results[0])
        assert await store.entries("c1") == log
        await store._write(lambda connection: pages(connection, 10_000))
        for entry in long:
            await store.append("c1", entry)
        assert await store.entries("c1") == log + long


@asynchronous
async def test_a_closed_store_says_so(store_url):
    store = await open_store(store_url)
    await found(store)
    await store.close()
    await store.close()
    with pytest.raises(StoreDown):
        await store.append("c1", said(2))


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {}, "/home/ann/.local/share/astragal"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/astragal"),
        ("linux", {"XDG_DATA_HOME": "data"}, "/home/ann/.local/share/astragal"),
        ("darwin", {"XDG_DATA_HOME": "/data"}, "/home/ann/Library/Application Support/astragal"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/astragal"),
        ("win32", {}, "/home/ann/AppData/Local/astragal"),
    ],
)
def test_where_the_users_data_belongs(platform, environment, folder):
    assert data_folder(platform, environment, Path("/home/ann")).as_posix() == folder


def test_the_database_that_is_given_comes_first_then_the_environments(monkeypatch):
    monkeypatch.setenv("ASTRAGAL_DATABASE", "postgresql://there/db")
    assert database_url("sqlite:///here.db") == "sqlite:///here.db"
    assert database_url(None) == "postgresql://there/db"
    monkeypatch.setenv("ASTRAGAL_DATABASE", "")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setattr(sys, "platform", "linux")
    assert database_url() == "sqlite:////data/astragal/astragal.db"
