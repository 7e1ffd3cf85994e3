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
        self,
        campaign: str,
        seat: str,
        procedure: str,
        supposing: Mapping[str, Any] = NOTHING,
        seen_as: str | None = None,
    ) -> Foresight:
        """The odds, after those that this seat asked for before; the GM may look as another."""
        async with self._lock(campaign, seat):
            if seen_as is None:
                return await self._tables.foresee(campaign, seat, procedure, supposing)
            await self._tables.check_seat(campaign, seen_as)
            return await self._tables.foresee(campaign, seen_as, procedure, supposing, by_gm=True)

    async def review(self, campaign: str, seat: str, seen_as: str | None = None) -> Review:
        """What decisions were worth, or a refusal while this seat waits for one already.

        The GM may look as another seat.
        """
        lock = self._lock(campaign, seat, REVIEW)
        if lock.locked():
            raise TooMany(1)
        async with lock:
            if seen_as is None:
                return await self._tables.review(campaign, seat)
            await self._tables.check_seat(campaign, seen_as)
            return await self._tables.review(campaign, seen_as, by_gm=True)

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
