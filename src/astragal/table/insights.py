"""What decisions were worth, and advice on those to come: for each seat by what it may know."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from astragal.errors import Refusal
from astragal.play import Seat
from astragal.table.advice import ScriptAdviser, script_to_advise
from astragal.table.insight_process import InsightProcess
from astragal.table.log.state import Campaign
from astragal.table.review import Review
from astragal.table.solving_process import ScriptAdvice, SolvingProcess
from astragal.table.store.interface import Store
from astragal.table.table_images import TableImages

Result = TypeVar("Result")


class Insights(TableImages):
    """Looks at the campaigns of a store, in a process of its own."""

    def __init__(self, store: Store) -> None:
        """Look at the campaigns of a store."""
        super().__init__(store)
        self.insight = InsightProcess()
        self.solving = SolvingProcess()
        self.adviser = ScriptAdviser(self.solving)

    async def review(self, campaign: str, seat: Seat, *, by_gm: bool = False) -> Review:
        """What the decisions of a campaign were worth, as far as a seat may know.

        ``by_gm`` to be shown to the GM, who views the table as that seat.
        """
        here = (await self.open_campaigns.open(campaign)).campaign
        log = self._whole_log(here)
        async with self._whole_logs:
            entries = await asyncio.to_thread(lambda: tuple(log))
        return await self.insight.review(here, entries, seat, by_gm=by_gm)

    async def advise(self, campaign: str, seat: Seat, procedure: str, step: int) -> ScriptAdvice:
        """Advice on the script that a seat is asked for at a step, for that seat alone."""
        await self._looked_at(campaign, lambda here: script_to_advise(here, seat, procedure, step))
        here = (await self.open_campaigns.open(campaign)).campaign
        return await self.adviser.advise(here, seat, procedure, step)

    async def _looked_at(self, campaign: str, look: Callable[[Campaign], Result]) -> Result:
        """What is found in a campaign; a refusal counts only where all of the log is known.

        Another process may have appended an entry that has not arrived here yet.
        """
        hosted = await self.open_campaigns.open(campaign)
        try:
            return look(hosted.campaign)
        except Refusal:
            async with hosted.lock:
                # Nothing may be left to read: the entry may have arrived while the lock was taken.
                await self.open_campaigns.catch_up(campaign, hosted)
        return look(hosted.campaign)
