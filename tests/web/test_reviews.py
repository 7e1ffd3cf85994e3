"""The review over HTTP: for a seat, and one at a time."""

from __future__ import annotations

import asyncio

import pytest

from astragal.client import Refused
from astragal.table.commands.commands import BeginProcedure
from astragal.table.insight_process import InsightProcess
from astragal.web.odds import REVIEW
from table.stores import PATIENCE
from web.serving import a_table, serving, sitting
from web.test_playing import TEST


def test_a_seat_reads_its_review_and_waits_for_one_at_a_time(store_url):
    async def play():
        async with serving(store_url) as server:
            server.app.tables.insight = InsightProcess(PATIENCE)
            people = await a_table(server)
            async with sitting(server, people, "gm") as (gm,):
                found = await gm.review()
                assert (found.reviewed, found.decisions) == (0, ())
                async with server.app.routes.state.odds._lock(people.campaign, "gm", REVIEW):
                    with pytest.raises(Refused) as refused:
                        await gm.review()
                assert refused.value.status == 429
                await gm.do(BeginProcedure("standard_test", TEST))
                await gm.wait_until(lambda view: view.open)
                assert (await gm.review()).reviewed == 0  # it is not over

    asyncio.run(play())


def test_nobody_without_a_seat_reads_a_review(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            async with server.http() as http:
                answer = await http.get(f"/api/t/{people.campaign}/review")
            assert answer.status_code == 401

    asyncio.run(play())
