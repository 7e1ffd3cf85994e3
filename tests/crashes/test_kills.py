"""Whatever the server has acknowledged survives its sudden end, at any moment, on any store."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Coroutine
from pathlib import Path

import httpx
import pytest

from astragal.client import Client
from crashes.checking import check
from crashes.evening import PATIENCE, Evening
from crashes.serving import House
from table.stores import eventually

KILLS = 52
SEED = 7
DUEL = "duel_of_wits"


class Party:
    """A house, the tables in it, and somebody with a dagger."""

    def __init__(self, house: House, *evenings: Evening) -> None:
        self.house = house
        self.evenings = evenings

    @property
    def acknowledged(self) -> int:
        return sum(len(evening.acknowledged) for evening in self.evenings)

    async def sit_down(self) -> None:
        self.house.start()
        async with Client(self.house.url) as client:
            await until_it_answers(client)
            for evening in self.evenings:
                await evening.sit_down(client)
        for evening in self.evenings:
            evening.begin()

    async def play_some(self, chance: random.Random) -> None:
        """Until a few more commands are acknowledged, or just for a moment."""
        if chance.random() < 0.15:
            await asyncio.sleep(chance.uniform(0, 1))
            return
        wanted = self.acknowledged + chance.randrange(1, 30)
        until = time.monotonic() + PATIENCE
        while self.acknowledged < wanted:
            if time.monotonic() > until:
                waiting = "\n".join(map(Evening.stands, self.evenings))
                pytest.fail(f"nobody gets an answer: {waiting}\n{self.house.last_words()}")
            for evening in self.evenings:
                evening.check_alive()
            await asyncio.sleep(0.01)

    async def end(self) -> None:
        await asyncio.gather(*(evening.end() for evening in self.evenings))
        for evening in self.evenings:
            assert len(evening.acknowledged) > 20
            await check(self.house.database, self.house.url, evening)

    async def close(self) -> None:
        for evening in self.evenings:
            await evening.close()
        self.house.stop()


async def until_it_answers(client: Client) -> None:
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await client.health()
            except httpx.TransportError:
                await asyncio.sleep(0.02)
            else:
                return


Raid = Callable[[Party, random.Random], Coroutine[None, None, None]]


def an_evening_of_kills(parties: list[Party], raid: Raid) -> None:
    async def all_of_it() -> None:
        try:
            await asyncio.gather(*(party.sit_down() for party in parties))
            chance = random.Random(SEED)
            each = [random.Random(chance.random()) for _ in parties]
            await asyncio.gather(*map(raid, parties, each))
            await asyncio.gather(*(party.end() for party in parties))
        finally:
            for party in parties:
                await party.close()

    asyncio.run(all_of_it())


async def kill_and_start_again(party: Party, chance: random.Random) -> None:
    while party.house.kills < KILLS // 2:
        await party.play_some(chance)
        assert not party.house.has_ended(), party.house.said()
        party.house.kill()
        party.house.start()


async def kill_workers_and_now_and_then_all(party: Party, chance: random.Random) -> None:
    house = party.house
    while house.kills < KILLS:
        await party.play_some(chance)
        assert not house.has_ended(), house.said()
        if house.kills % 10 == 9:
            house.kill()
            house.start()
        else:
            house.kill_worker(chance.randrange(house.workers))


def evenings(chance: random.Random, *games: str) -> list[Evening]:
    """Tables of these games; in the Burning Wheel they have words first."""
    return [Evening(game, random.Random(chance.random()), DUEL) for game in games]


@pytest.fixture(autouse=True)
def quickly_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has all evening: people try again sooner than they usually would."""
    monkeypatch.setattr("astragal.client.seat.LONGEST", 0.2)


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(new_url_of, tmp_path: Path):
    chance = random.Random(SEED)
    parties = [
        Party(House(new_url_of("sqlite"), tmp_path / f"{number}.log"), *evenings(chance, *games))
        for number, games in enumerate((("burning_wheel", "signs"), ("percentile", "cores")))
    ]
    an_evening_of_kills(parties, kill_and_start_again)
    assert sum(party.house.kills for party in parties) >= 50


def test_nothing_acknowledged_is_lost_when_workers_at_one_file_are_killed(new_url_of, tmp_path):
    chance = random.Random(SEED)
    house = House(new_url_of("sqlite"), tmp_path / "log", workers=2)
    tables = evenings(chance, "burning_wheel", "signs", "percentile", "cores")
    an_evening_of_kills([Party(house, *tables)], kill_workers_and_now_and_then_all)
    assert house.kills >= 50


def test_nothing_acknowledged_is_lost_when_workers_are_killed(new_url_of, tmp_path: Path):
    chance = random.Random(SEED)
    house = House(new_url_of("postgresql"), tmp_path / "log", workers=2)
    tables = evenings(chance, "burning_wheel", "signs", "percentile", "cores")
    an_evening_of_kills([Party(house, *tables)], kill_workers_and_now_and_then_all)
    assert house.kills >= 50


def test_workers_do_not_outlive_whoever_started_them(new_url_of, tmp_path: Path):
    house = House(new_url_of("postgresql"), tmp_path / "log", workers=2)

    async def all_of_it() -> None:
        house.start()
        async with Client(house.url) as client:
            await until_it_answers(client)
        await eventually(lambda: len(house.worker_ids()) == 2)
        workers = house.worker_ids()
        house.kill_starter()
        await eventually(lambda: not any(Path(f"/proc/{each}").exists() for each in workers))

    try:
        asyncio.run(all_of_it())
    finally:
        house.stop()
