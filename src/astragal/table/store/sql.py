"""The store over SQL: everything but how a transaction is run, which differs by database."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

from sqlalchemy import Connection, text
from typing_extensions import override

from astragal.play import GM, Seat
from astragal.table.log.events import LogEntry
from astragal.table.store import statements
from astragal.table.store.backup import (
    TABLES,
    AnyRecord,
    BackupEnd,
    BackupHeader,
    Restorer,
    StoredRecord,
    chunk_of,
    some_of,
)
from astragal.table.store.group_commit import AppendResult, GroupCommit, LogRow
from astragal.table.store.interface import (
    NOBODY,
    CampaignSummary,
    ImageRoom,
    SeatHolder,
    SeatLink,
    Store,
    StoredImage,
)
from astragal.table.store.rows import as_row, fits

LAST: Final = 2**31 - 1
"""The last number that an entry can have."""

Result = TypeVar("Result")
Given = ParamSpec("Given")


class RunInTransaction(Protocol):
    """Runs a piece of work within a transaction."""

    async def __call__(self, work: Callable[[Connection], Result], /) -> Result:
        """Run it and return what it returns."""


class SqlStore(Store):
    """A store that says everything in :mod:`~astragal.table.store.statements`."""

    def __init__(self) -> None:
        self._appending = GroupCommit(self._append_rows)

    @abstractmethod
    async def _read(self, work: Callable[[Connection], Result]) -> Result:
        """Run what only reads, and raise ``StoreDown`` if the database does not answer."""

    @abstractmethod
    async def _write(self, work: Callable[[Connection], Result]) -> Result:
        """Run in one transaction; return when it is durable, or raise with nothing done."""

    @abstractmethod
    def _transaction(self, *, reading: bool) -> AbstractAsyncContextManager[RunInTransaction]:
        """One transaction for several pieces of work; a reading one sees a single moment."""

    def _appended(self, connection: Connection, ends: Mapping[str, int]) -> None:
        """Tell other workers, within the transaction, how far campaigns have come."""

    async def _append_rows(self, rows: Sequence[LogRow]) -> Sequence[AppendResult]:
        return await self._write(partial(self._append_and_tell, rows=rows))

    def _append_and_tell(
        self, connection: Connection, rows: Sequence[LogRow]
    ) -> list[AppendResult]:
        verdicts = statements.append_rows(connection, rows)
        ends = {
            row.campaign: row.seq
            for row, verdict in zip(rows, verdicts, strict=True)
            if verdict is None
        }
        if ends:
            self._appended(connection, ends)
        return verdicts

    @override
    async def create(
        self,
        campaign_id: str,
        game: str,
        title: str,
        at: str,
        entries: Sequence[LogEntry],
        links: Mapping[Seat, bytes] = NOBODY,
        images: Sequence[StoredImage] = (),
    ) -> None:
        for place, words in (("campaign", campaign_id), ("game", game), ("title", title)):
            fits(place, words)
        for seat in links:
            fits("seat", seat)
        rows = await asyncio.to_thread(_as_rows, campaign_id, entries)
        named = [row.title for row in rows if row.title is not None]
        known = CampaignSummary(campaign_id, game, (named or [title])[-1], at, len(rows))

        def found(connection: Connection) -> None:
            statements.create(connection, known, rows)
            for seat, digest in links.items():
                holder = SeatHolder(campaign_id, seat)
                statements.add_link(connection, holder, digest, at, replace=False)
            for image in images:
                statements.insert_image(connection, SeatHolder(campaign_id, GM), image, at)
            self._appended(connection, {campaign_id: len(rows)})

        await self._write(found)

    @override
    async def campaigns(self) -> list[CampaignSummary]:
        return await self._read(statements.all_campaigns)

    @override
    async def known(self, campaign_id: str) -> CampaignSummary | None:
        fits("campaign", campaign_id)
        return await self._read(_with(statements.one_campaign, campaign_id))

    @override
    async def delete(self, campaign_id: str) -> bool:
        fits("campaign", campaign_id)

        def forget(connection: Connection) -> bool:
            there = statements.forget(connection, campaign_id)
            if there:
                self._appended(connection, {campaign_id: 0})
            return there

        return await self._write(forget)

    @override
    async def append(self, campaign_id: str, entry: LogEntry, text: bytes = b"") -> None:
        await self._appending.append(as_row(campaign_id, entry, text))

    @override
    async def entries(
        self, campaign_id: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[LogEntry]:
        fits("campaign", campaign_id)
        last = LAST if upto is None else _number(upto)
        most = None if limit is None else _number(limit)
        return await self._read(_with(statements.log, campaign_id, _number(after), last, most))

    @override
    async def before(self, campaign_id: str, seq: int, limit: int) -> list[LogEntry]:
        fits("campaign", campaign_id)
        work = _with(statements.log_before, campaign_id, _number(seq), _number(limit))
        return await self._read(work)

    @override
    async def marked(self, campaign_id: str, mark: str) -> int | None:
        fits("campaign", campaign_id)
        fits("mark", mark)
        return await self._read(_with(statements.marked, campaign_id, mark))

    @override
    async def snapshot(self, campaign_id: str, upto: int | None = None) -> tuple[int, bytes] | None:
        fits("campaign", campaign_id)
        last = LAST if upto is None else _number(upto)
        return await self._read(_with(statements.latest_snapshot, campaign_id, last))

    @override
    async def keep_snapshot(self, campaign_id: str, seq: int, data: bytes) -> None:
        fits("campaign", campaign_id)
        await self._write(_with(statements.keep_snapshot, campaign_id, seq, data))

    @override
    async def keep_image(
        self, campaign_id: str, seat: Seat, image: StoredImage, at: str, room: ImageRoom
    ) -> bool:
        fits("campaign", campaign_id)
        fits("seat", seat)
        holder = SeatHolder(campaign_id, seat)
        return await self._write(_with(statements.keep_image, holder, image, at, room))

    @override
    async def image(self, campaign_id: str, image_id: str) -> StoredImage | None:
        fits("campaign", campaign_id)
        fits("image", image_id)
        return await self._read(_with(statements.image, campaign_id, image_id))

    @override
    async def image_ids(self, campaign_id: str, before: str | None = None) -> list[str]:
        fits("campaign", campaign_id)
        return await self._read(_with(statements.image_ids, campaign_id, before))

    @override
    async def forget_images(self, campaign_id: str, image_ids: Collection[str]) -> int:
        fits("campaign", campaign_id)
        return await self._write(_with(statements.forget_images, campaign_id, image_ids))

    @override
    async def add_link(
        self, campaign_id: str, seat: Seat, digest: bytes, at: str, *, replace: bool = False
    ) -> None:
        fits("campaign", campaign_id)
        fits("seat", seat)
        holder = SeatHolder(campaign_id, seat)
        await self._write(_with(statements.add_link, holder, digest, at, replace=replace))

    @override
    async def holder(self, digest: bytes) -> SeatHolder | None:
        return await self._read(_with(statements.holder, digest))

    @override
    async def links(self, campaign_id: str) -> list[SeatLink]:
        fits("campaign", campaign_id)
        return await self._read(_with(statements.open_links, campaign_id))

    @override
    async def revoke_links(self, campaign_id: str, seat: Seat) -> int:
        fits("campaign", campaign_id)
        fits("seat", seat)
        return await self._write(_with(statements.revoke_links, SeatHolder(campaign_id, seat)))

    @override
    async def records(self) -> AsyncIterator[AnyRecord]:
        yield BackupHeader()
        count = 1
        async with self._transaction(reading=True) as run:
            for kind in TABLES:
                last: StoredRecord | None = None
                while some := await run(_with(some_of, kind, last)):
                    for record in some:
                        yield record
                    count += len(some)
                    last = some[-1]
        yield BackupEnd(count)

    @override
    async def restore(self, records: Iterable[AnyRecord]) -> None:
        restoring = Restorer()
        coming = iter(records)
        async with self._transaction(reading=False) as run:
            await run(restoring.begin)
            while some := list(chunk_of(coming)):
                await run(_with(restoring.write, some))
            restoring.finish()

    @override
    async def ping(self) -> None:
        await self._read(_ping)

    @override
    async def probe(self) -> None:
        await self._write(statements.probe)


def _with(
    work: Callable[Concatenate[Connection, Given], Result],
    *given: Given.args,
    **named: Given.kwargs,
) -> Callable[[Connection], Result]:
    """Work on a connection, with everything but the connection given."""

    def on(connection: Connection) -> Result:
        return work(connection, *given, **named)

    return on


def _as_rows(campaign: str, entries: Sequence[LogEntry]) -> list[LogRow]:
    """Entries as rows; of an imported campaign there may be very many."""
    return [as_row(campaign, entry) for entry in entries]


def _number(given: int) -> int:
    """The nearest number that an entry can have."""
    return max(0, min(given, LAST))


def _ping(connection: Connection) -> Any:
    return connection.execute(text("SELECT 1")).scalar_one()
