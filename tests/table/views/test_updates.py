"""Updates: one that several seats share is what each of them would have been sent alone."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.views.updates import SeatUpdates
from table.company import table
from table.random_play import RandomPlay

STEPS = 60


@pytest.mark.parametrize("game", ["burning_wheel", "cores", "signs", "percentile"])
def test_seats_that_share_an_update_would_each_have_been_sent_the_same(
    game: str, monkeypatch: pytest.MonkeyPatch
):
    real, sent = SeatUpdates.update, []

    def update(self: SeatUpdates, seat: str) -> bytes:
        shared = real(self, seat)
        alone = SeatUpdates(self._before, self._after, self._entry)._update(seat)
        assert shared == alone
        sent.append(seat)
        return shared

    monkeypatch.setattr(SeatUpdates, "update", update)

    async def play() -> None:
        async with table(game, demo=True) as company:
            played = RandomPlay(company, game_named(game), Random(f"shared {game}"))
            await played.gather()
            for _ in range(STEPS):
                await played.step()

    asyncio.run(play())
    assert len(sent) > STEPS


def test_a_hidden_opponent_costs_no_update_of_its_own_for_each_seat(
    monkeypatch: pytest.MonkeyPatch,
):
    made: list[str] = []
    real = SeatUpdates._update

    def update(self: SeatUpdates, seat: str) -> bytes:
        made.append(seat)
        return real(self, seat)

    async def play() -> dict[str, Any]:
        async with table("cores", demo=True) as company:
            state = await company.state()
            hidden = next(key for key, each in state.standing.characters.items() if each.hidden)
            demo = game_named("cores").at_table.demo
            assert demo is not None
            test = next(s for s in demo.suggestions if hidden in str(s.arguments))
            for seat in ("anna", "ben", "cem"):
                await company.sit(seat)
            for client in company.clients.values():
                await client.hear()
            monkeypatch.setattr(SeatUpdates, "_update", update)
            await company.gm(do.BeginProcedure(test.procedure, test.arguments))
            heard = {seat: await client.hear() for seat, client in company.clients.items()}
            (going_on,) = (await company.state()).standing.open.values()
            asked = {question.seat for question in going_on.questions}
            return {"heard": heard, "asked": asked}

    seen = asyncio.run(play())
    others = [seat for seat in seen["heard"] if seat != GM and seat not in seen["asked"]]
    assert len(others) > 1
    assert len([seat for seat in made if seat in others]) == 1
    assert len({tuple(seen["heard"][seat]) for seat in others}) == 1
