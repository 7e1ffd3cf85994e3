"""A process that appends as fast as it can until it is killed, and says what was acknowledged."""

from __future__ import annotations

import asyncio
from multiprocessing.connection import Connection

from astragal.table.store import open_store
from table.store.logs import said

CAMPAIGNS = ("a", "b", "c", "d", "e", "f")


def append_for_ever(url: str, told: Connection) -> None:
    """Append to all campaigns at once; send name and number of each acknowledged entry."""
    asyncio.run(_append_for_ever(url, told))


async def _append_for_ever(url: str, told: Connection) -> None:
    store = await open_store(url)

    async def append(campaign: str) -> None:
        known = await store.known(campaign)
        seq = known.last_seq
        while True:
            seq += 1
            await store.append(campaign, said(seq, text_of(campaign, seq), f"mark {seq}"))
            told.send((campaign, seq))

    await asyncio.gather(*(append(campaign) for campaign in CAMPAIGNS))


def text_of(campaign: str, seq: int) -> str:
    """What stands in an entry: long enough to be torn apart, if anything could be."""
    return f"{campaign} {seq} " * 100
