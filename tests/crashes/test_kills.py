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
from crashes.serving import ServerProcess
from table.stores import eventually

KILLS = 52
SEED = 7
DUEL = "duel_of_wits"


class Trial:
    """A server that is killed again and again, and the evenings that are played on it."""

    def __init__(self, server: ServerProcess, *evenings: Evening) -> None:
        self.server = server
        self.evenings = evenings

    @property
    def acknowledged(self) -> int:
        return sum(len(evening.acknowledged) for evening in self.evenings)

    async def sit_down(self) -> None:
        self.server.start()
        async with Client(self.server.url) as client:
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
        known, until = self.acknowledged, time.monotonic() + PATIENCE
        while self.acknowledged < wanted:
            if self.acknowledged > known:
                known, until = self.acknowledged, time.monotonic() + PATIENCE
            if time.monotonic() > until:
                waiting = "\n".join(map(Evening.stands, self.evenings))
                pytest.fail(f"nobody gets an answer: {waiting}\n{self.server.last_words()}")
            for evening in self.evenings:
                evening.check_alive()
            await asyncio.sleep(0.01)

    async def end(self) -> None:
        await asyncio.gather(*(evening.end() for evening in self.evenings))
        for evening in self.evenings:
            assert len(evening.acknowledged) > 20
            await check(self.server.database, self.server.url, evening)

    async def close(self) -> None:
        for evening in self.evenings:
            await evening.close()
        self.server.stop()


async def until_it_answers(client: Client) -> None:
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await client.health()
            except httpx.TransportError:
                await asyncio.sleep(0.02)
            else:
                return


Killing = Callable[[Trial, random.Random], Coroutine[None, None, None]]


def play_through_kills(trials: list[Trial], killing: Killing) -> None:
    async def all_of_it() -> None:
        try:
            await asyncio.gather(*(trial.sit_down() for trial in trials))
            chance = random.Random(SEED)
            each = [random.Random(chance.random()) for _ in trials]
            await asyncio.gather(*map(killing, trials, each))
            await asyncio.gather(*(trial.end() for trial in trials))
        finally:
            for trial in trials:
                await trial.close()

    asyncio.run(all_of_it())


async def kill_and_start_again(trial: Trial, chance: random.Random) -> None:
    while trial.server.kills < KILLS // 2:
        await trial.play_some(chance)
        assert not trial.server.has_ended(), trial.server.said()
        trial.server.kill()
        trial.server.start()


async def kill_workers_and_now_and_then_all(trial: Trial, chance: random.Random) -> None:
    server = trial.server
    while server.kills < KILLS:
        await trial.play_some(chance)
        assert not server.has_ended(), server.said()
        if server.kills % 10 == 9:
            server.kill()
            server.start()
        else:
            server.kill_worker(chance.randrange(server.workers))


def evenings(chance: random.Random, *games: str) -> list[Evening]:
    """Tables of these games; in the Burning Wheel they have words first."""
    return [Evening(game, random.Random(chance.random()), DUEL) for game in games]


@pytest.fixture(autouse=True)
def quickly_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has all evening: people try again sooner than they usually would."""
    monkeypatch.setattr("astragal.client.seat.LONGEST_PAUSE", 0.1)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_nothing_acknowledged_is_lost_when_the_server_is_killed(kind, new_url_of, tmp_path: Path):
    chance = random.Random(SEED)
    trials = [
        Trial(
            ServerProcess(new_url_of(kind), tmp_path / f"{number}.log"), *evenings(chance, *games)
        )
        for number, games in enumerate((("burning_wheel", "signs"), ("percentile", "cores")))
    ]
    play_through_kills(trials, kill_and_start_again)
    assert sum(trial.server.kills for trial in trials) >= 50


def test_nothing_acknowledged_is_lost_when_workers_are_killed(new_url_of, tmp_path: Path):
    chance = random.Random(SEED)
    server = ServerProcess(new_url_of("postgresql"), tmp_path / "log", workers=2)
    tables = evenings(chance, "burning_wheel", "signs", "percentile", "cores")
    play_through_kills([Trial(server, *tables)], kill_workers_and_now_and_then_all)
    assert server.kills >= 50


def test_workers_do_not_outlive_their_parent(new_url_of, tmp_path: Path):
    server = ServerProcess(new_url_of("postgresql"), tmp_path / "log", workers=2)

    async def all_of_it() -> None:
        server.start()
        async with Client(server.url) as client:
            await until_it_answers(client)
        await eventually(lambda: len(server.worker_ids()) == 2)
        workers = server.worker_ids()
        server.kill_parent()
        await eventually(lambda: not any(Path(f"/proc/{each}").exists() for each in workers))

    try:
        asyncio.run(all_of_it())
    finally:
        server.stop()
