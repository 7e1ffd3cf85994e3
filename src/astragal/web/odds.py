"""Odds on request: one at a time for each seat, since they can be a lot of work."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from astragal.table.foresight.odds import NOTHING
from astragal.web.rate_limits import TooMany

if TYPE_CHECKING:
    from astragal.table.host import Tables
    from astragal.table.views.types import Foresight


class OddsRequests:
    """Asks the tables for odds; each seat has one request in progress at most."""

    def __init__(self, tables: Tables) -> None:
        """Ask these tables."""
        self._tables = tables
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

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

    def _lock(self, campaign: str, seat: str) -> asyncio.Lock:
        lock = self._locks.get((campaign, seat))
        if lock is None:
            lock = self._locks[campaign, seat] = asyncio.Lock()
        return lock
