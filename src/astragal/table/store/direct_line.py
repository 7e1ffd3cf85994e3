"""A line of its own to PostgreSQL for the few statements that come with every command.

Each is a single statement, which is a transaction by itself: one message there and one back,
where a general layer needs six or more for the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import asyncpg  # type: ignore[import-untyped]

from astragal.table.store.group_commit import LogRow
from astragal.table.store.interface import SeatHolder
from astragal.table.store.notifications import Connect, channel_of, payload

_APPEND = """
WITH coming AS (
    SELECT * FROM unnest(
        $1::text[], $2::int[], $3::text[], $4::text[],
        $5::text[], $6::text[], $7::text[], $8::text[]
    ) AS row (campaign, seq, at, seat, mark, event, channel, payload)
), locked AS (
    SELECT id, last_seq FROM campaigns WHERE id = ANY ($1::text[]) ORDER BY id FOR NO KEY UPDATE
), advanced AS (
    UPDATE campaigns SET last_seq = coming.seq
    FROM coming JOIN locked ON locked.id = coming.campaign AND locked.last_seq = coming.seq - 1
    WHERE campaigns.id = locked.id
    RETURNING campaigns.id
), appended AS (
    INSERT INTO entries (campaign, seq, at, seat, mark, event)
    SELECT campaign, seq, at, seat, mark, event
    FROM coming JOIN advanced ON advanced.id = coming.campaign
    RETURNING campaign
)
SELECT campaign, pg_notify(channel, payload) FROM appended JOIN coming USING (campaign)
"""
"""Campaigns are locked in the order of their ids, as everywhere: nobody waits in a circle."""

_HOLDERS = (
    "SELECT digest, campaign, seat FROM links WHERE digest = ANY ($1::bytea[]) AND NOT revoked"
)

MOST_SOUGHT = 512
"""How many links are looked up by one statement."""


class DirectLine:
    """One connection, one statement at a time; it is opened when needed, and anew when lost."""

    def __init__(self, connect: Connect) -> None:
        """Say how to connect."""
        self._connect = connect
        self._connection: Any = None
        self._one_at_a_time = asyncio.Lock()
        self._sought: list[tuple[bytes, asyncio.Future[SeatHolder | None]]] = []
        self._seeking: asyncio.Task[None] | None = None

    async def append(self, rows: Sequence[LogRow], origin: str) -> set[str]:
        """Append rows that are their campaigns' next, and tell the others; to which it was done.

        Each campaign may come once. Raises an error of asyncpg if any of the rows cannot be there
        at all, and then none of them is.
        """
        columns = zip(*(row[:6] for row in rows), strict=True)
        channels = [channel_of(row.campaign) for row in rows]
        told = [payload(origin, row.campaign, row.seq) for row in rows]
        done = await self._fetch(_APPEND, *columns, channels, told)
        return {campaign for campaign, _ in done}

    async def holder(self, digest: bytes) -> SeatHolder | None:
        """Whom a link belongs to; those who ask at the same time share one statement."""
        found: asyncio.Future[SeatHolder | None] = asyncio.get_running_loop().create_future()
        self._sought.append((digest, found))
        if self._seeking is None:
            self._seeking = asyncio.create_task(self._seek())
        return await found

    async def _seek(self) -> None:
        try:
            await asyncio.sleep(0)  # others who are about to ask in this turn of the loop
            while self._sought:
                some, self._sought = self._sought[:MOST_SOUGHT], self._sought[MOST_SOUGHT:]
                await self._look_up(some)
        finally:
            self._seeking = None
            for _, found in self._sought:  # only if the loop is being torn down
                found.cancel()

    async def _look_up(
        self, sought: Sequence[tuple[bytes, asyncio.Future[SeatHolder | None]]]
    ) -> None:
        try:
            rows = await self._fetch(_HOLDERS, list({digest for digest, _ in sought}))
        except BaseException as error:
            for _, found in sought:
                if isinstance(error, Exception) and not found.done():
                    found.set_exception(error)
                found.cancel()
            if not isinstance(error, Exception):
                raise
            return
        holders = {digest: SeatHolder(campaign, seat) for digest, campaign, seat in rows}
        for digest, found in sought:
            if not found.done():
                found.set_result(holders.get(digest))

    async def _fetch(self, statement: str, *given: Any) -> Any:
        async with self._one_at_a_time:
            if self._connection is None or self._connection.is_closed():
                self._connection = await self._connect()
            try:
                return await self._connection.fetch(statement, *given)
            except asyncpg.PostgresError:
                raise
            except BaseException:  # whatever it still had to say is not for the next statement
                self._connection.terminate()
                raise

    async def close(self) -> None:
        """Let go of it."""
        if self._connection is not None:
            await self._connection.close(timeout=1)


def fit_in_one_statement(rows: Sequence[LogRow]) -> bool:
    """Whether rows can be appended by one statement."""
    campaigns = {row.campaign for row in rows}
    return len(campaigns) == len(rows) and all(row.title is None for row in rows)
