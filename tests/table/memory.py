"""A store in memory for tests: it keeps the log as bytes, as a database does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from astragal.table.log.events import Entry, Retitled
from astragal.table.store.interface import (
    NOBODY,
    Conflict,
    Holder,
    Known,
    Link,
    NoCampaign,
    Repeated,
    Store,
    StoreDown,
)

encode = msgspec.json.encode
read_entry = msgspec.json.Decoder(Entry).decode


class Kept:
    """One campaign."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.log: list[bytes] = []
        self.marks: dict[str, int] = {}
        self.snapshots: dict[int, bytes] = {}


class MemoryStore(Store):
    """Campaigns in memory; several hosts may share it.

    ``fails`` makes the next append raise, before or after the entry is there.
    """

    def __init__(self) -> None:
        self.kept: dict[str, Kept] = {}
        self.seats: dict[bytes, Holder] = {}
        self.fails: str = ""

    async def create(
        self,
        campaign_id: str,
        game: str,
        title: str,
        at: str,
        entries: Sequence[Entry],
        links: Mapping[str, bytes] = NOBODY,
    ) -> None:
        self.kept[campaign_id] = Kept(Known(campaign_id, game, title, at, 0))
        for entry in entries:
            self._append(campaign_id, entry)
        for seat, digest in links.items():
            self.seats[digest] = Holder(campaign_id, seat)

    def _append(self, campaign_id: str, entry: Entry) -> None:
        if campaign_id not in self.kept:
            raise NoCampaign(campaign_id)
        kept = self.kept[campaign_id]
        if entry.mark and entry.mark in kept.marks:
            raise Repeated(campaign_id, entry.mark, kept.marks[entry.mark])
        if entry.seq != len(kept.log) + 1:
            raise Conflict(campaign_id, entry.seq, len(kept.log))
        kept.log.append(encode(entry))
        if entry.mark:
            kept.marks[entry.mark] = entry.seq
        title = entry.event.title if isinstance(entry.event, Retitled) else kept.known.title
        kept.known = msgspec.structs.replace(kept.known, title=title, last_seq=entry.seq)

    async def append(self, campaign_id: str, entry: Entry) -> None:
        fails, self.fails = self.fails, ""
        if fails == "before":
            raise StoreDown("no answer")
        self._append(campaign_id, entry)
        if fails == "after":
            raise StoreDown("no answer")

    async def campaigns(self) -> list[Known]:
        return [kept.known for kept in self.kept.values()]

    async def known(self, campaign_id: str) -> Known | None:
        return self.kept[campaign_id].known if campaign_id in self.kept else None

    async def delete(self, campaign_id: str) -> bool:
        return self.kept.pop(campaign_id, None) is not None

    async def entries(
        self, campaign_id: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[Entry]:
        return [read_entry(raw) for raw in self.kept[campaign_id].log[after:upto][:limit]]

    async def before(self, campaign_id: str, seq: int, limit: int) -> list[Entry]:
        return [read_entry(raw) for raw in self.kept[campaign_id].log[: seq - 1][-limit:]]

    async def changed(self) -> AsyncIterator[tuple[str, int]]:
        for nothing in ():
            yield nothing

    async def snapshot(self, campaign_id: str, upto: int | None = None) -> tuple[int, bytes] | None:
        kept = self.kept[campaign_id].snapshots if campaign_id in self.kept else {}
        there = [seq for seq in kept if upto is None or seq <= upto]
        return (max(there), kept[max(there)]) if there else None

    async def keep_snapshot(self, campaign_id: str, seq: int, data: bytes) -> None:
        self.kept[campaign_id].snapshots[seq] = data

    async def add_link(
        self, campaign_id: str, seat: str, digest: bytes, at: str, *, replace: bool = False
    ) -> None:
        if replace:
            await self.revoke_links(campaign_id, seat)
        self.seats[digest] = Holder(campaign_id, seat)

    async def holder(self, digest: bytes) -> Holder | None:
        return self.seats.get(digest)

    async def links(self, campaign_id: str) -> list[Link]:
        return [Link(h.seat, "") for h in self.seats.values() if h.campaign == campaign_id]

    async def revoke_links(self, campaign_id: str, seat: str) -> int:
        ended = [d for d, holder in self.seats.items() if holder == Holder(campaign_id, seat)]
        for digest in ended:
            del self.seats[digest]
        return len(ended)

    def records(self) -> AsyncIterator[Any]:
        raise NotImplementedError

    async def restore(self, records: Iterable[Any]) -> None:
        raise NotImplementedError

    async def ping(self) -> None:
        return None

    async def close(self) -> None:
        return None
