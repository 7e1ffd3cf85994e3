"""What decisions were worth, and advice on those to come: for each seat by what it may know."""

from __future__ import annotations

import asyncio

from astragal.play import Seat
from astragal.table.advice import ScriptAdviser
from astragal.table.insight_process import InsightProcess
from astragal.table.review import Review
from astragal.table.solving_process import SolvingProcess
from astragal.table.store.interface import Store
from astragal.table.table_images import TableImages


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
