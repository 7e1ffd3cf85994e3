"""The campaigns that are in memory, and how they keep up with the store.

The log in the store is the truth; what is kept in memory is only the fold of it, and can be
dropped at any time.
"""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

import msgspec

from astragal.table.hosted import LATEST, HostedCampaign
from astragal.table.log.fold import fold
from astragal.table.log.scenes import with_long_lists
from astragal.table.log.state import Campaign
from astragal.table.running.session import with_present_questions
from astragal.table.store.interface import EVERYWHERE, NoCampaign, Store

log = logging.getLogger("astragal.table")

Given = ParamSpec("Given")
Result = TypeVar("Result")

SNAPSHOT_EVERY = 200
"""How many entries there are between two snapshots, so that no campaign takes long to open.

More where a snapshot is long, so that an entry costs the same however old the campaign is.
"""

SOME = 250
"""How many entries are read and folded at a time."""

SMALL = 200_000
"""A snapshot of no more bytes is read at once."""

READING = 2
"""How many long logs are followed at the same time."""

MOST_HOSTED = 2000
"""How many campaigns are kept in memory; the one that was idle longest goes first."""

_encode = msgspec.json.Encoder().encode
_read_campaign = msgspec.json.Decoder(Campaign).decode


def _read_snapshot(raw: bytes) -> Campaign:
    return with_long_lists(_read_campaign(raw))


class OpenCampaigns:
    """Campaigns of a store in memory, each read when it is first wanted."""

    def __init__(self, store: Store) -> None:
        """Read campaigns from a store."""
        self._store = store
        self._hosted: OrderedDict[str, HostedCampaign] = OrderedDict()
        self._opening: dict[str, asyncio.Lock] = {}
        self._openers: Counter[str] = Counter()
        """How many are waiting for a campaign that is being opened."""
        self._following: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._threads = ThreadPoolExecutor(READING, "astragal-fold")

    def start(self) -> None:
        """Begin to follow what other processes append."""
        self._following = asyncio.create_task(self._follow())

    async def close(self) -> None:
        """Tell every listener that this is the end, and finish what goes on in the background."""
        if self._following is not None:
            self._following.cancel()
        for hosted in self._hosted.values():
            for listener in hosted.listeners:
                listener.put(None)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def open(self, campaign: str) -> HostedCampaign:
        """A campaign in memory, read from the store if it is not there yet."""
        hosted = self._hosted.get(campaign)
        if hosted is not None:
            self._hosted.move_to_end(campaign)
            return hosted
        self._openers[campaign] += 1
        try:
            async with self._opening.setdefault(campaign, asyncio.Lock()):
                if campaign not in self._hosted:
                    # First, so that whatever is appended after this has been read is heard of.
                    await self._store.follow(campaign)
                    state = with_present_questions(await self.at(campaign))
                    latest = await self._store.before(campaign, state.seq + 1, LATEST)
                    self._hosted.setdefault(campaign, HostedCampaign(state, latest))
                hosted = self._hosted[campaign]
        finally:
            self._opening.pop(campaign, None)
            self._openers[campaign] -= 1
            if not self._openers[campaign]:
                del self._openers[campaign]
                if campaign not in self._hosted:  # there is none, or it could not be read
                    self._later(self._unfollow(campaign))
        self._forget_idle(hosted)
        return hosted

    def _forget_idle(self, wanted: HostedCampaign) -> None:
        """Keep memory in bounds: campaigns to which nobody listens go first."""
        for campaign in list(self._hosted):
            if len(self._hosted) <= MOST_HOSTED:
                return
            hosted = self._hosted[campaign]
            if hosted is not wanted and not hosted.listeners and not hosted.lock.locked():
                del self._hosted[campaign]
                self._later(self._unfollow(campaign))

    async def _unfollow(self, campaign: str) -> None:
        """Hear no more of a campaign that was dropped, unless it is being opened again."""
        if campaign not in self._hosted and campaign not in self._openers:
            await self._store.unfollow(campaign)

    async def at(self, campaign: str, upto: int | None = None) -> Campaign:
        """The campaign as it stood after an entry: the last snapshot, and what came after it."""
        kept = await self._store.snapshot(campaign, upto)
        if kept is None:
            known = await self._store.known(campaign)
            if known is None:
                raise NoCampaign(campaign)
            state = Campaign(campaign, known.game, known.title)
        else:
            state = await self._beside(len(kept[1]) > SMALL, _read_snapshot, kept[1])
        began = state.seq
        while entries := await self._store.entries(campaign, state.seq, upto, SOME):
            state = await self._beside(len(entries) == SOME, fold, state, entries)
        if upto is None and state.seq - began > SNAPSHOT_EVERY:
            self._later(self.keep_snapshot(campaign, state))
        return state

    async def _beside(
        self, long: bool, work: Callable[Given, Result], *given: Given.args, **named: Given.kwargs
    ) -> Result:
        """Do what takes ``long`` on a thread, so that all other tables go on meanwhile."""
        if not long:
            return work(*given, **named)
        done = partial(work, *given, **named)
        return await asyncio.get_running_loop().run_in_executor(self._threads, done)

    def snapshot_if_due(self, campaign: str, hosted: HostedCampaign) -> None:
        """Keep a snapshot now and then, in the background."""
        state = hosted.campaign
        # What years of play have left in a campaign is written less often.
        every = SNAPSHOT_EVERY * max(1, hosted.snapshot_bytes // SMALL)
        # Not after the same entry everywhere: tables that began together would write together.
        if (state.seq + zlib.crc32(campaign.encode())) % every:
            return
        self._later(self.keep_snapshot(campaign, state))

    async def keep_snapshot(self, campaign: str, state: Campaign) -> None:
        """Keep how a campaign stands, if that is possible."""
        try:
            written = _encode(state)
            if campaign in self._hosted:
                self._hosted[campaign].snapshot_bytes = len(written)
            await self._store.keep_snapshot(campaign, state.seq, written)
        except Exception:  # a snapshot only saves time
            log.warning("no snapshot of %s after %s", campaign, state.seq, exc_info=True)

    async def catch_up(self, campaign: str, hosted: HostedCampaign) -> bool:
        """Take in what others have appended; whether there was anything."""
        entries = await self._store.entries(campaign, after=hosted.campaign.seq)
        for entry in entries:
            hosted.take(entry)
        hosted.behind = False
        return bool(entries)

    def look_again(self, campaign: str, hosted: HostedCampaign) -> None:
        """Look as soon as possible what has become of an entry; those who listen stay."""
        hosted.behind = True
        self._later(self._follow_one(campaign, hosted, 0))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _follow(self) -> None:
        """Take in what other processes append to the campaigns that are open here."""
        async for campaign, seq in self._store.changed():
            hosted = self._hosted
            behind = list(hosted) if (campaign, seq) == EVERYWHERE else [campaign]
            for each in behind:
                if each in hosted:
                    await self._follow_one(each, hosted[each], seq)

    async def _follow_one(self, campaign: str, hosted: HostedCampaign, seq: int) -> None:
        async with hosted.lock:
            if 0 < seq <= hosted.campaign.seq:
                return
            try:
                await self.catch_up(campaign, hosted)
            except Exception:
                log.warning("could not catch up with %s", campaign, exc_info=True)
                hosted.behind = True
