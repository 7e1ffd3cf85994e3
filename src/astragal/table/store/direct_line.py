"""A line of its own to PostgreSQL for the few statements that come with every command.

Each is a single statement, which is a transaction by itself: one message there and one back,
where a general layer needs six or more for the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import msgspec

from astragal.table.store.group_commit import LogRow
from astragal.table.store.interface import SeatHolder
from astragal.table.store.notifications import CHANNEL, MOST_BYTES, Connect

_APPEND = """
WITH coming AS (
    SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[])
        AS row (campaign, seq, at, seat, mark, event)
), locked AS (
    SELECT id, last_seq FROM campaigns WHERE id = ANY ($1::text[]) ORDER BY id FOR NO KEY UPDATE
), advanced AS (
    UPDATE campaigns SET last_seq = coming.seq
    FROM coming JOIN locked ON locked.id = coming.campaign AND locked.last_seq = coming.seq - 1
    WHERE campaigns.id = locked.id
    RETURNING campaigns.id
), appended AS (
    INSERT INTO entries (campaign, seq, at, seat, mark, event)
    SELECT coming.* FROM coming JOIN advanced ON advanced.id = coming.campaign
    RETURNING campaign, seq
)
SELECT
    array_agg(campaign),
    pg_notify($7, json_build_array($8::text, json_agg(json_build_array(campaign, seq)))::text)
FROM appended HAVING count(*) > 0
"""
"""Campaigns are locked in the order of their ids, as everywhere: nobody waits in a circle."""

_HOLDER = "SELECT campaign, seat FROM links WHERE digest = $1 AND NOT revoked"


class DirectLine:
    """One connection, one statement at a time; it is opened when needed, and anew when lost."""

    def __init__(self, connect: Connect) -> None:
        """Say how to connect."""
        self._connect = connect
        self._connection: Any = None
        self._one_at_a_time = asyncio.Lock()

    async def append(self, rows: Sequence[LogRow], origin: str) -> set[str]:
        """Append rows that are their campaigns' next, and tell the others; to which it was done.

        Each campaign may come once. Raises an error of asyncpg if any of the rows cannot be there
        at all, and then none of them is.
        """
        columns = list(zip(*(row[:6] for row in rows), strict=True))
        done = await self._fetch_row(_APPEND, *columns, CHANNEL, origin)
        return set() if done is None else set(done[0])

    async def holder(self, digest: bytes) -> SeatHolder | None:
        """Whom a link belongs to."""
        found = await self._fetch_row(_HOLDER, digest)
        return None if found is None else SeatHolder(*found)

    async def _fetch_row(self, statement: str, *given: Any) -> Any:
        async with self._one_at_a_time:
            if self._connection is None or self._connection.is_closed():
                self._connection = await self._connect()
            try:
                return await self._connection.fetchrow(statement, *given)
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
    """Whether rows can be appended, and told to others, by one statement."""
    campaigns = {row.campaign for row in rows}
    if len(campaigns) < len(rows) or any(row.title is not None for row in rows):
        return False
    return sum(len(msgspec.json.encode(each)) + 20 for each in campaigns) <= MOST_BYTES
