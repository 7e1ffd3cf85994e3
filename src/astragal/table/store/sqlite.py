"""The store in one SQLite file: for a group whose table runs on one machine.

Reading and writing happen on threads of their own through SQLAlchemy's plain engine: a whole
transaction is one hop to a thread and back, where an asynchronous driver hops for each statement
(with 200 appenders about a fifth fewer appends a second).
Readers see the last commit and never wait for the writer (write-ahead log);
``synchronous=FULL`` has every commit on the disk before it is acknowledged.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from typing_extensions import override

from astragal.errors import BadInput
from astragal.table.store import statements
from astragal.table.store.default_path import file_of
from astragal.table.store.group_commit import AppendResult, LogRow
from astragal.table.store.interface import StoreDown, StoreFull
from astragal.table.store.migrate import migrate
from astragal.table.store.private_files import make_private_folder, mend, open_private
from astragal.table.store.sql import RunInTransaction, SqlStore

Result = TypeVar("Result")
Given = ParamSpec("Given")

READERS = 4
CHECKPOINT_EVERY = 1_000
"""Entries after which the write-ahead log goes into the file: many pages are written over by then.

That takes a tenth of a second at times, so it happens on a thread beside the writer, for whom
nothing waits.
"""
MOST_PAGES = 16_000
"""Pages in the write-ahead log after which the writer does it: only it can begin the log anew
while there is always something to write. Most of them are in the file by then.
"""
LEAST_FREE = 1_000_000
"""Bytes that have to be free on the disk: with less, the next long entry may not fit."""
PATIENCE = 10.0
"""Seconds to wait for another process that is writing."""


async def open_sqlite(url: str) -> SqliteStore:
    """Open the file that an address names, letter for letter."""
    store = SqliteStore(file_of(url))
    await store.open()
    return store


class SqliteStore(SqlStore):
    """Campaigns in a file; several processes may read it, one server plays on it."""

    def __init__(self, path: Path) -> None:
        """Name the file; :meth:`open` makes it ready."""
        super().__init__()
        self._path = path
        self._reading = _engine(path, reading=True)
        self._writing = _engine(path, reading=False)
        self._readers = ThreadPoolExecutor(READERS, "astragal-read")
        self._writer = ThreadPoolExecutor(1, "astragal-write")
        self._closed = False
        self._since_checkpoint = 0
        self._checkpointing: asyncio.Future[None] | None = None

    async def open(self) -> None:
        """Make the file and its folder if need be, and bring its tables up to date."""
        try:
            await asyncio.get_running_loop().run_in_executor(self._writer, self._prepare)
        except BaseException:
            await self.close()
            raise

    def _prepare(self) -> None:
        try:
            make_private_folder(self._path.parent)
            os.close(open_private(self._path))  # the log holds secrets
            for beside in ("-wal", "-shm"):
                mend(self._path.with_name(self._path.name + beside))
            _use_write_ahead_log(self._path)
            with self._writing.begin() as connection:
                migrate(connection)
        except (OSError, sqlite3.Error, DBAPIError) as error:
            why = error.orig if isinstance(error, DBAPIError) else error
            expected = f"a file that can be opened as a database ({why})"
            raise BadInput("database", str(self._path), expected) from None

    @override
    async def _read(self, work: Callable[[Connection], Result]) -> Result:
        return await self._run(self._readers, self._reading, work)

    @override
    async def _write(self, work: Callable[[Connection], Result]) -> Result:
        return await self._run(self._writer, self._writing, work)

    async def _run(
        self, threads: ThreadPoolExecutor, engine: Engine, work: Callable[[Connection], Result]
    ) -> Result:
        if self._closed:
            raise StoreDown("The store is closed.")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(threads, partial(_answering, _in_one_go, engine, work))

    @override
    async def _append_rows(self, rows: Sequence[LogRow]) -> Sequence[AppendResult]:
        # Waiting for Python's lock after each statement takes longer than the disk does.
        try:
            await self._write(partial(statements.append_nexts, rows=rows))
        except statements.NotAllNext:
            return await super()._append_rows(rows)
        self._checkpoint_if_due(len(rows))
        return [None] * len(rows)

    def _checkpoint_if_due(self, appended: int) -> None:
        self._since_checkpoint += appended
        is_running = self._checkpointing is not None and not self._checkpointing.done()
        if self._since_checkpoint < CHECKPOINT_EVERY or is_running or self._closed:
            return
        self._since_checkpoint = 0
        loop = asyncio.get_running_loop()
        self._checkpointing = loop.run_in_executor(self._readers, _checkpoint, self._reading)

    @override
    def _transaction(self, *, reading: bool) -> AbstractAsyncContextManager[RunInTransaction]:
        return self._open_transaction(reading)

    @asynccontextmanager
    async def _open_transaction(self, reading: bool) -> AsyncIterator[RunInTransaction]:
        engine = self._reading if reading else self._writing
        loop = asyncio.get_running_loop()
        # A thread of its own: what takes long keeps nobody else from a turn.
        with ThreadPoolExecutor(1, "astragal-long") as thread:

            async def run(work: Callable[[Connection], Result]) -> Result:
                return await loop.run_in_executor(thread, partial(_answering, work, connection))

            connection = await loop.run_in_executor(thread, partial(_answering, engine.connect))
            try:
                yield run
                await run(Connection.commit)
            finally:
                await loop.run_in_executor(thread, connection.close)

    @override
    async def changed(self) -> AsyncIterator[tuple[str, int]]:
        others: tuple[tuple[str, int], ...] = ()
        for told in others:
            yield told

    @override
    async def follow(self, campaign_id: str) -> None:
        pass  # nobody else appends

    @override
    async def unfollow(self, campaign_id: str) -> None:
        pass

    @override
    async def probe(self) -> None:
        free = shutil.disk_usage(self._path.parent).free
        if free < LEAST_FREE:
            raise StoreFull(f"The disk of the database is full ({free} bytes are left)")
        await super().probe()

    @override
    async def close(self) -> None:
        await self._appending.close()
        self._closed = True
        self._readers.shutdown()
        self._writer.shutdown()
        self._reading.dispose()
        self._writing.dispose()


def _in_one_go(engine: Engine, work: Callable[[Connection], Result]) -> Result:
    with engine.begin() as connection:
        return work(connection)


def _checkpoint(engine: Engine) -> None:
    """Put what is in the write-ahead log into the file, without keeping anybody from writing."""
    with suppress(sqlite3.Error, DBAPIError, NoConnectionFree):  # the writer's turn then
        connection = engine.raw_connection()
        try:
            connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        finally:
            connection.close()


def _answering(work: Callable[Given, Result], *given: Given.args, **named: Given.kwargs) -> Result:
    try:
        return work(*given, **named)
    except (DBAPIError, NoConnectionFree) as error:
        why = error.orig if isinstance(error, DBAPIError) else error
        if getattr(why, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            raise StoreFull(f"The disk of the database is full ({why})") from error
        raise StoreDown(f"The database does not answer ({why})") from error


def _engine(path: Path, *, reading: bool) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        pool_size=READERS + 1 if reading else 1,
        max_overflow=0,
        hide_parameters=True,  # they would go into the server's log, sheets and all
        connect_args={"timeout": PATIENCE, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        # Transactions are begun by us, not by the driver's guesses.
        connection.isolation_level = None
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA fullfsync=ON")  # a disk's own cache counts for nothing
        connection.execute("PRAGMA checkpoint_fullfsync=ON")
        connection.execute("PRAGMA foreign_keys=ON")
        # What a statement would take back lies in memory: a file for it would be made each time.
        connection.execute("PRAGMA temp_store=MEMORY")
        connection.execute(f"PRAGMA wal_autocheckpoint={MOST_PAGES}")
        if reading:
            connection.execute("PRAGMA query_only=ON")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A writer locks at once: what it looks up must still hold when it writes.
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine


def _use_write_ahead_log(path: Path) -> None:
    """Switch the file over, once; SQLite does not wait for others here, so we do."""
    until = time.monotonic() + PATIENCE
    while True:
        connection = sqlite3.connect(path, timeout=PATIENCE)
        try:
            (mode,) = connection.execute("PRAGMA journal_mode=WAL").fetchone()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.02)
            continue
        finally:
            connection.close()
        if mode != "wal":
            raise OSError(f"no write-ahead log is possible there, only {mode}")
        return
