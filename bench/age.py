"""What a test costs in a campaign that has had ten thousand of them, beside one that is new.

``python -m bench.age`` prints this figure alone. Both campaigns are in one process and take turns,
so that whatever else the machine does weighs on both alike.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence

from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.host import Tables
from astragal.table.hosted import Subscription
from astragal.table.store import open_store
from bench.clock import Figure
from bench.crowd import usual

OLD, YOUNG = 10_000, 60
"""Tests before those that are measured; the page of a scene has all its lines after thirty."""
MEASURED = 60
EVENING = 200
"""Tests; then another session of dice begins, because a session has a limit."""
SEATS = (GM, "anna", "bo")


class AgeingTable:
    """A campaign of the Burning Wheel, at which one test after the other is made."""

    def __init__(self, host: Tables) -> None:
        """A new campaign."""
        self._host = host
        self._tests = 0
        self._listening: list[Subscription] = []

    async def begin(self) -> None:
        """Take seats, and listen."""
        self._campaign, _ = await self._host.create("burning_wheel", "", demo=True)
        for seat in SEATS[1:]:
            await self._host.do(self._campaign, GM, do.ChangeSeat(seat, seat.title()))
        for seat in SEATS:
            self._listening.append(await self._host.subscribe(self._campaign, seat))

    async def test(self) -> None:
        """One test from beginning to end, each with an intent of its own."""
        self._tests += 1
        demo = game_named("burning_wheel").at_table.demo
        assert demo is not None
        suggested = demo.suggestions[0]
        told = {name: f"{name} ({self._tests})" for name in ("intent", "task")}
        arguments = {**suggested.arguments, **told}
        await self._do(GM, do.BeginProcedure(suggested.procedure, arguments))
        while going_on := (await self._host.campaign(self._campaign)).standing.open:
            (procedure,) = going_on.values()
            asked = procedure.questions[0]
            answer = do.AnswerQuestion(procedure.id, asked.step, usual(asked.question))
            await self._do(asked.seat, answer)
        if self._tests % EVENING == 0:
            await self._do(GM, do.EndDiceSession())
            await self._do(GM, do.BeginDiceSession())

    async def _do(self, seat: str, command: do.AnyCommand) -> None:
        await self._host.do(self._campaign, seat, command)
        for listener in self._listening:
            while listener.has_news:
                await listener.next()


async def seconds_for_a_test(old: int = OLD, measured: int = MEASURED) -> tuple[float, float]:
    """Processor time for a test after so many others, and among the first hundred: medians."""
    with tempfile.TemporaryDirectory() as folder:
        async with await open_store(f"sqlite:///{folder}/astragal.db") as store:
            host = Tables(store)
            tables = [AgeingTable(host), AgeingTable(host)]
            for table, many in zip(tables, (old, YOUNG), strict=True):
                await table.begin()
                for _ in range(many):
                    await table.test()
            spent: tuple[list[float], list[float]] = ([], [])
            for _ in range(measured):
                for table, times in zip(tables, spent, strict=True):
                    began = time.process_time()
                    await table.test()
                    times.append(time.process_time() - began)
            await host.close()
    aged, young = (sorted(times)[len(times) // 2] for times in spent)
    return aged, young


def figures(old: int = OLD) -> Iterator[Figure]:
    """An old campaign beside a young one."""
    aged, young = asyncio.run(seconds_for_a_test(old))
    name = f"a test after {old} others"
    yield Figure(name, aged, young, peer="a new campaign", times=1 / 1.2)


def main(arguments: Sequence[str]) -> int:
    """Print the figure; with a number, after so many tests."""
    for figure in figures(*map(int, arguments)):
        print(figure.line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
