"""Odds, reviews and advice on request: one at a time for each seat, since they take work."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from astragal.table.foresight.odds import NOTHING
from astragal.web.rate_limits import TooMany

if TYPE_CHECKING:
    from astragal.table.host import Tables
    from astragal.table.review import Review
    from astragal.table.solving_process import ScriptAdvice
    from astragal.table.views.types import Foresight


REVIEW = "review"
ADVICE = "advice"


class OddsRequests:
    """Asks the tables for odds, reviews and advice; a seat has one request of each kind."""

    def __init__(self, tables: Tables) -> None:
        """Ask these tables."""
        self._tables = tables
        self._locks: WeakValueDictionary[tuple[str, str, str], asyncio.Lock] = WeakValueDictionary()

    async def now(self, campaign: str, seat: str, procedure: str) -> Foresight:
        """The odds, or a refusal while this seat waits for others."""
        if self._lock(campaign, seat).locked():
            raise TooMany(1)
        return await self.in_turn(campaign, seat, procedure)

    async def in_turn(
        self, campaign: str, seat: str, procedure: str, supposing: Mapping[str, Any] = NOTHING
    ) -> Foresight:
        """The odds, after those that this seat asked for before."""
        async with self._lock(campaign, seat):
            return await self._tables.foresee(campaign, seat, procedure, supposing)

    async def review(self, campaign: str, seat: str) -> Review:
        """What decisions were worth, or a refusal while this seat waits for one already."""
        lock = self._lock(campaign, seat, REVIEW)
        if lock.locked():
            raise TooMany(1)
        async with lock:
            return await self._tables.review(campaign, seat)

    async def advise(self, campaign: str, seat: str, procedure: str, step: int) -> ScriptAdvice:
        """Advice on a script, or a refusal while this seat waits for some already."""
        lock = self._lock(campaign, seat, ADVICE)
        if lock.locked():
            raise TooMany(1)
        async with lock:
            return await self._tables.advise(campaign, seat, procedure, step)

    def _lock(self, campaign: str, seat: str, what: str = "odds") -> asyncio.Lock:
        lock = self._locks.get((campaign, seat, what))
        if lock is None:
            lock = self._locks[campaign, seat, what] = asyncio.Lock()
        return lock
