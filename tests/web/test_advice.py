"""Advice over HTTP: for the seat that is asked, and one request at a time."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from astragal.client import Refused
from astragal.table.solving_process import AdvisedScript, ScriptAdvice
from astragal.web.odds import ADVICE
from web.serving import a_table, serving, sitting


def test_a_seat_asks_for_advice_and_waits_for_one_answer_at_a_time(store_url):
    found = ScriptAdvice(value=0.5, scripts=(AdvisedScript(("point",), 1.0),), drawn=("point",))
    asked: list[Any] = []

    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            async with sitting(server, people, "gm") as (gm,):
                with pytest.raises(Refused) as refused:
                    await gm.advise("p999", 0)
                assert refused.value.status == 422
                assert "open procedure" in str(refused.value)

                async def advise(*question: Any) -> ScriptAdvice:
                    asked.append(question)
                    return found

                server.app.tables.advise = advise
                assert await gm.advise("p12", 3) == found
                assert asked == [(people.campaign, "gm", "p12", 3)]
                async with server.app.routes.state.odds._lock(people.campaign, "gm", ADVICE):
                    with pytest.raises(Refused) as refused:
                        await gm.advise("p12", 3)
                assert refused.value.status == 429

    asyncio.run(play())


def test_nobody_without_a_seat_is_advised(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            async with server.http() as http:
                answer = await http.get(f"/api/t/{people.campaign}/advice/p1?step=1")
            assert answer.status_code == 401

    asyncio.run(play())
