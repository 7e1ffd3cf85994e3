"""What is made of a campaign's whole log: its file, its story, the evidence of its dice, its chain.

Each is made beside the tables, part by part, so that a long log keeps nobody waiting.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

import msgspec

from astragal.play import Seat
from astragal.table.export import CampaignExport, exported, markdown
from astragal.table.fairness import Evidence, evidence
from astragal.table.log.events import LogEntry, digest_in
from astragal.table.log.state import Campaign
from astragal.table.open_campaigns import OpenCampaigns
from astragal.table.store.interface import Store, StoredImage
from astragal.table.story.document import StoryWriter, session_pictures, story
from astragal.table.story.pictures import SessionPictures

PART = 60_000
"""Bytes of a file that are made at a time."""
READ_AT_ONCE = 250
READ_WITHIN = 60.0
"""Seconds within which the store has to give that many entries of a log."""


class WholeLogs:
    """The whole logs of a store's campaigns, one of them at a time."""

    def __init__(self, store: Store) -> None:
        """Read the logs of a store."""
        self.store = store
        self.open_campaigns = OpenCampaigns(store)
        self._whole_logs = asyncio.Lock()

    async def export(self, campaign: str) -> CampaignExport:
        """The whole campaign, for its GM."""
        parts = [part async for part in self.export_parts(campaign)]
        return msgspec.json.decode(b"".join(parts), type=CampaignExport)

    def export_parts(self, campaign: str) -> AsyncIterator[bytes]:
        """The whole campaign as a file, part by part; a refusal comes before the first."""
        loop = asyncio.get_running_loop()
        return self._parts(
            campaign, lambda here, log: exported(here, log, self._images(here, loop))
        )

    async def markdown(self, campaign: str, seat: Seat) -> str:
        """The log as a seat may read it."""
        parts = [part async for part in self.markdown_parts(campaign, seat)]
        return b"".join(parts).decode()

    def markdown_parts(self, campaign: str, seat: Seat) -> AsyncIterator[bytes]:
        """The log as a seat may read it, part by part."""
        return self._parts(
            campaign, lambda here, log: (line.encode() for line in markdown(here, log, seat))
        )

    async def story(self, campaign: str, seat: Seat, writer: StoryWriter) -> str:
        """The story as a seat may read it."""
        parts = [part async for part in self.story_parts(campaign, seat, writer)]
        return b"".join(parts).decode()

    def story_parts(self, campaign: str, seat: Seat, writer: StoryWriter) -> AsyncIterator[bytes]:
        """The story as a seat may read it, part by part."""
        return self._parts(
            campaign, lambda here, log: (part.encode() for part in story(here, log, seat, writer))
        )

    async def pictures(
        self, campaign: str, seat: Seat, number: int, *, by_gm: bool = False
    ) -> SessionPictures | None:
        """The pictures of a session as a seat may see them; None where there is no such session.

        ``by_gm`` to be shown to the GM, who views the table as that seat.
        """
        here = (await self.open_campaigns.open(campaign)).campaign
        log = self._whole_log(here)
        async with self._whole_logs:
            return await asyncio.to_thread(
                lambda: session_pictures(here, log, seat, number, by_gm=by_gm)
            )

    async def evidence(self, campaign: str, seat: Seat) -> Evidence:
        """What a seat saw of the dice, for anybody to verify."""
        here = (await self.open_campaigns.open(campaign)).campaign
        log = self._whole_log(here)
        async with self._whole_logs:
            return await asyncio.to_thread(lambda: evidence(here.title, log, seat, campaign))

    async def chain(self, campaign: str, after: int) -> tuple[str, ...]:
        """The digests of the entries after one, with which a device goes on from its own head."""
        here = (await self.open_campaigns.open(campaign)).campaign
        log = self._whole_log(here, after)
        async with self._whole_logs:
            return await asyncio.to_thread(lambda: tuple(map(digest_in, log)))

    async def _parts(
        self,
        campaign: str,
        work: Callable[[Campaign, Iterator[LogEntry]], Iterator[bytes]],
    ) -> AsyncIterator[bytes]:
        """Work through a whole log beside the tables, which go on meanwhile.

        One part at a time, whoever asks: somebody who reads slowly keeps nobody waiting, and no
        log is gathered in memory.
        """
        here = (await self.open_campaigns.open(campaign)).campaign
        log = self._whole_log(here)
        lines: Iterator[bytes] | None = None

        def next_part() -> bytes:
            nonlocal lines
            if lines is None:
                lines = work(here, log)
            part, size = [], 0
            for line in lines:
                part.append(line)
                size += len(line)
                if size > PART:
                    break
            return b"".join(part)

        while True:
            async with self._whole_logs:
                part = await asyncio.to_thread(next_part)
            if not part:
                return
            yield part

    def _whole_log(self, here: Campaign, after: int = 0) -> Iterator[LogEntry]:
        """A log, read bit by bit after an entry; to be gone through in another thread."""
        return self._read_whole(here, after, asyncio.get_running_loop())

    def _read_whole(
        self, here: Campaign, seq: int, loop: asyncio.AbstractEventLoop
    ) -> Iterator[LogEntry]:
        while seq < here.seq:
            reading = self.store.entries(here.id, seq, here.seq, READ_AT_ONCE)
            some = asyncio.run_coroutine_threadsafe(reading, loop).result(READ_WITHIN)
            yield from some
            seq += READ_AT_ONCE

    def _images(self, here: Campaign, loop: asyncio.AbstractEventLoop) -> Iterator[StoredImage]:
        """The images that a campaign shows, one after the other; those forgotten are left out."""
        for id in sorted(here.images):
            reading = self.store.image(here.id, id)
            image = asyncio.run_coroutine_threadsafe(reading, loop).result(READ_WITHIN)
            if image is not None:
                yield image
