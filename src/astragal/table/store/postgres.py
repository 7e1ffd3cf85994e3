"""The store in PostgreSQL: for groups that have outgrown one machine.

Any number of workers may use it. Each appends optimistically, and tells the others within the
same transaction (NOTIFY), so that nobody hears of an entry that is not there.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Any, Final, TypeVar

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import URL, Connection, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from typing_extensions import override

from astragal.errors import BadInput
from astragal.table.store.default_path import without_password
from astragal.table.store.direct_line import DirectLine, fit_in_one_statement
from astragal.table.store.group_commit import AppendResult, LogRow
from astragal.table.store.interface import SeatHolder, StoreDown, StoreFull
from astragal.table.store.migrate import migrate, revision
from astragal.table.store.notifications import Connect, Listener, NewsQueue, channel_of, payload
from astragal.table.store.schema import SCHEMA
from astragal.table.store.sql import RunInTransaction, SqlStore

Result = TypeVar("Result")

LOCK: Final = 0x6173_7472_6167_616C
"""The advisory lock for migrations: the letters of the name."""

DISK_FULL: Final = "53100"
"""PostgreSQL's own code for it."""

_FAILURES = (
    DBAPIError,
    NoConnectionFree,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # a connection that was cut while nothing was asked of it
    OSError,
)
_notify = text(
    "SELECT pg_notify(channel, payload) "
    "FROM unnest(CAST(:channels AS text[]), CAST(:payloads AS text[])) AS told (channel, payload)"
)


async def open_postgres(url: URL) -> PostgresStore:
    """Connect to the database that an address names."""
    try:
        store = PostgresStore(url)
        try:
            await store.open()
        except BaseException:
            await store.close()
            raise
    except (StoreDown, TypeError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        # Any other error may repeat what it could not read, which may be the password.
        why = str(error) if isinstance(error, StoreDown) else type(error).__name__
        raise BadInput(
            "database",
            without_password(url.render_as_string(hide_password=False)),
            f"a database that answers ({why})",
        ) from None
    return store


class PostgresStore(SqlStore):
    """Campaigns in a PostgreSQL database."""

    def __init__(self, url: URL) -> None:
        """Name the database; :meth:`open` makes it ready."""
        super().__init__()
        self._connect = _connecting(url)
        self._engine = _engine(self._connect)
        self._alone = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._origin = secrets.token_hex(8)
        self._followed: set[str] = set()
        """The channels of the campaigns that are open here."""
        self._listeners: set[Listener] = set()
        # Looking up a link does not wait until an entry is on the disk.
        self._for_entries, self._for_links = DirectLine(self._connect), DirectLine(self._connect)

    async def open(self) -> None:
        """Bring the tables up to date; of several workers who start at once, one does it."""
        if await self._read(revision) != SCHEMA:
            await self._write(_migrate_alone)

    @override
    async def _read(self, work: Callable[[Connection], Result]) -> Result:
        with _answering():
            async with self._alone.connect() as connection:
                return await connection.run_sync(work)

    @override
    async def _write(self, work: Callable[[Connection], Result]) -> Result:
        try:
            with _answering():
                async with self._engine.begin() as connection:
                    return await connection.run_sync(work)
        except StoreDown:
            self._look_everywhere()
            raise

    def _look_everywhere(self) -> None:
        """What was lost may have been written all the same, and then nobody else would tell us."""
        for listener in self._listeners:
            listener.heard.everywhere()

    @override
    def _transaction(self, *, reading: bool) -> AbstractAsyncContextManager[RunInTransaction]:
        return self._open_transaction(reading)

    @asynccontextmanager
    async def _open_transaction(self, reading: bool) -> AsyncIterator[RunInTransaction]:
        engine = self._engine
        if reading:
            engine = engine.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        connection = engine.connect()

        async def run(work: Callable[[Connection], Result]) -> Result:
            with _answering():
                return await connection.run_sync(work)

        with _answering():
            await connection.start()
        try:
            yield run
            with _answering():
                await connection.commit()
        finally:
            with contextlib.suppress(*_FAILURES):
                await connection.close()

    @override
    async def _append_rows(self, rows: Sequence[LogRow]) -> Sequence[AppendResult]:
        if not fit_in_one_statement(rows):
            return await super()._append_rows(rows)
        try:
            with _answering(asyncpg.IntegrityConstraintViolationError, asyncpg.DataError):
                done = await self._for_entries.append(rows, self._origin)
        except (asyncpg.IntegrityConstraintViolationError, asyncpg.DataError):
            return await super()._append_rows(rows)  # which finds out which of them it was
        except StoreDown:
            self._look_everywhere()
            raise
        left = [row for row in rows if row.campaign not in done]
        verdicts = iter(await super()._append_rows(left) if left else ())
        return [None if row.campaign in done else next(verdicts) for row in rows]

    @override
    async def holder(self, digest: bytes) -> SeatHolder | None:
        with _answering():
            return await self._for_links.holder(digest)

    @override
    def _appended(self, connection: Connection, ends: Mapping[str, int]) -> None:
        told = [payload(self._origin, *end) for end in ends.items()]
        connection.execute(_notify, {"channels": list(map(channel_of, ends)), "payloads": told})

    @override
    async def changed(self) -> AsyncIterator[tuple[str, int]]:
        listener = Listener(self._connect, NewsQueue(self._origin), self._followed)
        self._listeners.add(listener)
        try:
            async with listener.listening():
                while (told := await listener.heard.next()) is not None:
                    yield told
        finally:
            self._listeners.discard(listener)

    @override
    async def follow(self, campaign_id: str) -> None:
        self._followed.add(channel_of(campaign_id))
        await self._settle(campaign_id)

    @override
    async def unfollow(self, campaign_id: str) -> None:
        self._followed.discard(channel_of(campaign_id))
        await self._settle(campaign_id)

    async def _settle(self, campaign_id: str) -> None:
        for listener in tuple(self._listeners):
            await listener.settle(channel_of(campaign_id))

    @override
    async def close(self) -> None:
        await self._appending.close()
        for listener in self._listeners:
            listener.heard.end()
        for line in (self._for_entries, self._for_links):
            with contextlib.suppress(*_FAILURES):
                await line.close()
        with contextlib.suppress(*_FAILURES):
            await self._engine.dispose()


def _connecting(url: URL) -> Connect:
    """How to connect: asyncpg reads the whole address, with everything that libpq knows."""
    address = url.set(drivername="postgresql").render_as_string(hide_password=False)

    async def connect() -> Any:
        return await asyncpg.connect(
            address,
            timeout=10,
            command_timeout=60,
            # What is acknowledged is on the disk, whatever the server's habit.
            server_settings={"synchronous_commit": "on", "application_name": "astragal"},
        )

    return connect


def _engine(connect: Connect) -> AsyncEngine:
    return create_async_engine(
        "postgresql+asyncpg://",
        async_creator=connect,
        pool_size=5,
        max_overflow=5,
        pool_timeout=10,
        hide_parameters=True,  # they would go into the server's log, sheets and all
        pool_pre_ping=True,  # a server that was restarted meanwhile goes unnoticed
    )


def _migrate_alone(connection: Connection) -> None:
    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    migrate(connection)


@contextmanager
def _answering(*but: type[Exception]) -> Iterator[None]:
    """Failures as the store tells them; ``but`` these, which the caller knows how to take."""
    try:
        yield
    except _FAILURES as error:
        if isinstance(error, but):
            raise
        why = error.orig if isinstance(error, DBAPIError) else error
        line = " ".join(str(why).split()) or type(why).__name__
        if getattr(why, "sqlstate", "") == DISK_FULL:
            raise StoreFull(f"The disk of the database is full ({line})") from error
        raise StoreDown(f"The database does not answer ({line})") from error
