"""Set-ups of servers and databases, and the troubles they are put to while people play."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import msgspec

from astragal.client import Client
from astragal.table.store import open_store
from crashes.checking import check
from crashes.evening import PATIENCE
from crashes.histories import RecordedEvening, faults
from crashes.serving import ServerProcess
from crashes.test_kills import DUEL, Trial, until_it_answers
from postgres import Server

LONGEST_PAUSE = 1.5
CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


class SetUp(msgspec.Struct, frozen=True):
    """Which database, and how many servers with how many workers each."""

    name: str
    kind: str
    servers: int = 1
    workers: int = 1


SET_UPS = (
    SetUp("SQLite, one process", "sqlite"),
    SetUp("PostgreSQL, one process", "postgresql"),
    SetUp("PostgreSQL, two workers", "postgresql", workers=2),
    SetUp("PostgreSQL, two servers", "postgresql", servers=2),
)


class Round(msgspec.Struct):
    """What one evening under troubles came to."""

    troubles: Counter[str] = msgspec.field(default_factory=Counter)
    acknowledged: int = 0
    seen: int = 0
    faults: list[str] = []


class TroubledTrial(Trial):
    """Servers on one database, each with troubles of its own; seats sit at any of them."""

    def __init__(
        self,
        servers: Sequence[ServerProcess],
        evenings: Sequence[RecordedEvening],
        postgres: Server | None,
    ) -> None:
        super().__init__(servers[0], *evenings)
        self.servers = servers
        self.postgres = postgres
        self.round = Round()

    async def sit_down(self) -> None:
        async with AsyncExitStack() as stack:
            clients = []
            for server in self.servers:
                server.start()
                client = await stack.enter_async_context(Client(server.url))
                await until_it_answers(client)
                clients.append(client)
            for evening in self.evenings:
                await evening.sit_at(clients)
        for evening in self.evenings:
            evening.begin()

    async def trouble(self, chance: random.Random) -> None:
        """One trouble, whichever this set-up can have."""
        server = chance.choice(self.servers)
        assert not server.has_ended(), server.said()
        kinds = ["kill", "kill", "pause"]
        kinds += ["kill a worker"] * 4 if server.workers > 1 else []
        kinds += ["cut the connections"] * 2 if self.postgres is not None else []
        kind = chance.choice(kinds)
        match kind:
            case "kill":
                server.kill()
                server.start()
            case "kill a worker":
                server.kill_worker(chance.randrange(server.workers))
            case "cut the connections":
                assert self.postgres is not None
                await asyncio.to_thread(self.postgres.run, CUT, server.database)
            case _:
                await self._pause(server, chance)
        self.round.troubles[kind] += 1

    async def _pause(self, server: ServerProcess, chance: random.Random) -> None:
        """Stop a process as a busy or suspended machine does, and let it go on."""
        assert server._process is not None
        several = server.worker_ids() or [server._process.pid]
        process = chance.choice(several)
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGSTOP)
        await asyncio.sleep(chance.uniform(0.05, LONGEST_PAUSE))
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)

    async def finish(self) -> Round:
        """Play to the end, and compare what everybody recorded with the log."""
        await asyncio.gather(*(evening.end() for evening in self.evenings))
        for evening in self.evenings:
            await check(self.server.database, self.server.url, evening)
            async with await open_store(self.server.database) as store:
                log = await store.entries(evening.campaign)
            self.round.faults += faults(evening.history, log)
            self.round.acknowledged += len(evening.history.sent)
            self.round.seen += len(evening.history.seen)
        return self.round

    async def close(self) -> None:
        for server in self.servers:
            with suppress(ProcessLookupError):
                for each in server.worker_ids():
                    os.kill(each, signal.SIGCONT)
        await super().close()
        for server in self.servers:
            server.stop()


def played_through(
    set_up: SetUp,
    database: str,
    postgres: Server | None,
    folder: Path,
    troubles: int,
    seed: int,
    games: Sequence[str] = ("burning_wheel", "signs", "percentile", "cores"),
    told: Callable[[], None] = lambda: None,
) -> Round:
    """An evening with so many troubles; ``told`` is called after each."""
    chance = random.Random(seed)
    servers = [
        ServerProcess(database, folder / f"{number}.log", set_up.workers)
        for number in range(set_up.servers)
    ]
    evenings = [RecordedEvening(game, random.Random(chance.random()), DUEL) for game in games]
    trial = TroubledTrial(servers, evenings, postgres)

    async def all_of_it() -> Round:
        try:
            await trial.sit_down()
            for _ in range(troubles):
                await trial.play_some(chance)
                await trial.trouble(chance)
                told()
            return await trial.finish()
        finally:
            async with asyncio.timeout(PATIENCE):
                await trial.close()

    return asyncio.run(all_of_it())
