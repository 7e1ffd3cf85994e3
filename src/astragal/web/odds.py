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


class Odds:
    """Asks the tables for odds, in turn."""

    def __init__(self, tables: Tables) -> None:
        """Ask these tables."""
        self._tables = tables
        self._turns: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    def turn(self, campaign: str, seat: str) -> asyncio.Lock:
        """Whose turn it is at a seat."""
        turn = self._turns.get((campaign, seat))
        if turn is None:
            turn = self._turns[campaign, seat] = asyncio.Lock()
        return turn

    async def foresee(self, campaign: str, seat: str, procedure: str) -> Foresight:
        """The odds now, or a refusal while this seat has others worked out."""
        turn = self.turn(campaign, seat)
        if turn.locked():
            raise TooMany(1)
        return await self.in_turn(campaign, seat, procedure)

    async def in_turn(
        self, campaign: str, seat: str, procedure: str, supposing: Mapping[str, Any] = NOTHING
    ) -> Foresight:
        """The odds, when it is this request's turn."""
        async with self.turn(campaign, seat):
            return await self._tables.foresee(campaign, seat, procedure, supposing)
