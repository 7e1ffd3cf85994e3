"""A store in memory for tests: it keeps the log as bytes, as a database does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from astragal.table.log.events import LogEntry, TitleChanged
from astragal.table.store.interface import (
    NOBODY,
    AppendConflict,
    CampaignSummary,
    ImageRoom,
    NoCampaign,
    RepeatedCommand,
    SeatHolder,
    SeatLink,
    Store,
    StoredImage,
    StoreDown,
)

encode = msgspec.json.encode
read_entry = msgspec.json.Decoder(LogEntry).decode


class Kept:
    """One campaign."""

    def __init__(self, known: CampaignSummary) -> None:
        self.known = known
        self.log: list[bytes] = []
        self.marks: dict[str, int] = {}
        self.snapshots: dict[int, bytes] = {}
        self.images: dict[str, tuple[StoredImage, str, str]] = {}


class MemoryStore(Store):
    """Campaigns in memory; several hosts may share it.

    ``fails`` makes the next append raise, before or after the entry is there.
    """

    def __init__(self) -> None:
        self.kept: dict[str, Kept] = {}
        self.seats: dict[bytes, SeatHolder] = {}
        self.fails: str = ""

    async def create(
        self,
        campaign_id: str,
        game: str,
        title: str,
        at: str,
        entries: Sequence[LogEntry],
        links: Mapping[str, bytes] = NOBODY,
        images: Sequence[StoredImage] = (),
    ) -> None:
        self.kept[campaign_id] = Kept(CampaignSummary(campaign_id, game, title, at, 0))
        self.kept[campaign_id].images = {each.id: (each, "gm", at) for each in images}
        for entry in entries:
            self._append(campaign_id, entry)
        for seat, digest in links.items():
            self.seats[digest] = SeatHolder(campaign_id, seat)

    def _append(self, campaign_id: str, entry: LogEntry) -> None:
        if campaign_id not in self.kept:
            raise NoCampaign(campaign_id)
        kept = self.kept[campaign_id]
        if entry.mark and entry.mark in kept.marks:
            raise RepeatedCommand(campaign_id, entry.mark, kept.marks[entry.mark])
        if entry.seq != len(kept.log) + 1:
            raise AppendConflict(campaign_id, entry.seq, len(kept.log))
        kept.log.append(encode(entry))
        if entry.mark:
            kept.marks[entry.mark] = entry.seq
        title = entry.event.title if isinstance(entry.event, TitleChanged) else kept.known.title
        kept.known = msgspec.structs.replace(kept.known, title=title, last_seq=entry.seq)

    async def append(self, campaign_id: str, entry: LogEntry, text: bytes = b"") -> None:
        fails, self.fails = self.fails, ""
        if fails == "before":
            raise StoreDown("no answer")
        self._append(campaign_id, entry)
        if fails == "after":
            raise StoreDown("no answer")

    async def campaigns(self) -> list[CampaignSummary]:
        return [kept.known for kept in self.kept.values()]

    async def known(self, campaign_id: str) -> CampaignSummary | None:
        return self.kept[campaign_id].known if campaign_id in self.kept else None

    async def delete(self, campaign_id: str) -> bool:
        return self.kept.pop(campaign_id, None) is not None

    async def entries(
        self, campaign_id: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[LogEntry]:
        return [read_entry(raw) for raw in self.kept[campaign_id].log[after:upto][:limit]]

    async def before(self, campaign_id: str, seq: int, limit: int) -> list[LogEntry]:
        return [read_entry(raw) for raw in self.kept[campaign_id].log[: seq - 1][-limit:]]

    async def marked(self, campaign_id: str, mark: str) -> int | None:
        return self.kept[campaign_id].marks.get(mark)

    async def changed(self) -> AsyncIterator[tuple[str, int]]:
        for nothing in ():
            yield nothing

    async def follow(self, campaign_id: str) -> None:
        pass

    async def unfollow(self, campaign_id: str) -> None:
        pass

    async def snapshot(self, campaign_id: str, upto: int | None = None) -> tuple[int, bytes] | None:
        kept = self.kept[campaign_id].snapshots if campaign_id in self.kept else {}
        there = [seq for seq in kept if upto is None or seq <= upto]
        return (max(there), kept[max(there)]) if there else None

    async def keep_snapshot(self, campaign_id: str, seq: int, data: bytes) -> None:
        self.kept[campaign_id].snapshots[seq] = data

    async def keep_image(
        self, campaign_id: str, seat: str, image: StoredImage, at: str, room: ImageRoom
    ) -> bool:
        kept = self.kept[campaign_id].images
        if image.id in kept:
            return True
        sizes = [(len(each.data), owner) for each, owner, _ in kept.values()]
        size = len(image.data)
        in_all = sum(taken for taken, _ in sizes) + size
        own = sum(taken for taken, owner in sizes if owner == seat) + size
        if len(sizes) >= room.images or in_all > room.bytes or own > room.bytes_each:
            return False
        kept[image.id] = (image, seat, at)
        return True

    async def image(self, campaign_id: str, image_id: str) -> StoredImage | None:
        found = self.kept[campaign_id].images.get(image_id)
        return None if found is None else found[0]

    async def image_ids(self, campaign_id: str, before: str | None = None) -> list[str]:
        kept = self.kept[campaign_id].images
        return sorted(id for id, (_, _, at) in kept.items() if before is None or at < before)

    async def forget_images(self, campaign_id: str, image_ids: Collection[str]) -> int:
        kept = self.kept[campaign_id].images
        return sum(kept.pop(id, None) is not None for id in image_ids)

    async def add_link(
        self, campaign_id: str, seat: str, digest: bytes, at: str, *, replace: bool = False
    ) -> None:
        if replace:
            await self.revoke_links(campaign_id, seat)
        self.seats[digest] = SeatHolder(campaign_id, seat)

    async def holder(self, digest: bytes) -> SeatHolder | None:
        return self.seats.get(digest)

    async def links(self, campaign_id: str) -> list[SeatLink]:
        return [SeatLink(h.seat, "") for h in self.seats.values() if h.campaign == campaign_id]

    async def revoke_links(self, campaign_id: str, seat: str) -> int:
        ended = [d for d, holder in self.seats.items() if holder == SeatHolder(campaign_id, seat)]
        for digest in ended:
            del self.seats[digest]
        return len(ended)

    def records(self) -> AsyncIterator[Any]:
        raise NotImplementedError

    async def restore(self, records: Iterable[Any]) -> None:
        raise NotImplementedError

    async def ping(self) -> None:
        return None

    async def probe(self) -> None:
        return None

    async def close(self) -> None:
        return None
