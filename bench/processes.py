"""What a command costs with one, two and four processes on one PostgreSQL database.

``python -m bench.processes postgresql://...`` (an empty database). Each campaign is at one of the
processes, as behind a proxy that keeps it there. Processor time of the servers, because somebody
else may be using the machine.

Each process has as many tables and is offered as much, however many processes there are. With the
same for all of them together, each would have less to do the more there are: it would handle fewer
commands in one turn and append fewer entries at once, so that a command would cost more, and so
would one of the load generators, whatever the processes have to do with each other.

Where all of them together want more than the cores have, a command costs more only because of
that. So it is also measured what a process pays for an entry that another one appends to a campaign
which the first does not have: this is what they cost each other, on a busy machine, too.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

import msgspec

from astragal.play import GM
from astragal.table.commands.commands import SendMessage
from astragal.table.host import Tables
from astragal.table.store import open_store
from bench.clock import Figure
from bench.crowd import Evening, Report, cpu_of
from bench.tables import created, serving, told

PROCESSES = (1, 2, 4)
TABLES = 20
"""For each process."""
OFFERED = 100.0
"""Commands a second for each process: a few processes on few cores still have time."""
ELSEWHERE = 2000
"""Entries that another process appends."""
MOST_ELSEWHERE = 60e-6
"""Seconds: with three for each command of its own, a tenth of what a command takes."""
REST = 5.0
WARM_UP, SECONDS = 10.0, 15.0
"""What a process looks up again and again is worked out before anything counts."""


def played(database: str, processes: int, offered: float, seconds: float) -> list[Report]:
    """One evening at so many processes, each with its own tables."""
    groups = asyncio.run(created(database, TABLES * processes))
    with ExitStack() as stack:
        crowds = []
        for number in range(processes):
            port, server = stack.enter_context(serving(database, 1))
            theirs = groups[number::processes]
            evening = Evening(port, server, theirs, offered, WARM_UP, seconds)
            crowds.append((stack.enter_context(_crowd()), msgspec.json.encode(evening)))
        for crowd, evening in crowds:  # all begin before anybody waits for one of them
            assert crowd.stdin is not None
            crowd.stdin.write(evening)
            crowd.stdin.close()
        said = [crowd.stdout.read() for crowd, _ in crowds if crowd.stdout is not None]
    return [msgspec.json.decode(each, type=Report) for each in said]


def _crowd() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "bench.crowd"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def figures(database: str, offered: float = OFFERED, seconds: float = SECONDS) -> Iterator[Figure]:
    """The servers' time for a command, beside one process alone."""
    alone: float | None = None
    for processes in PROCESSES:
        reports = played(database, processes, offered, seconds)
        for report in reports:
            print(told(report), flush=True)
        acknowledged = sum(report.acknowledged for report in reports)
        each = sum(report.server_cpu for report in reports) / acknowledged
        name = f"a command at {processes} process{'' if processes == 1 else 'es'}"
        if alone is None:
            alone = each
            yield Figure(name, each)
        else:
            yield Figure(name, each, alone, peer="at one", times=1 / 1.1)


async def _appended_elsewhere(database: str, server: int) -> float:
    """Seconds that a server pays for each entry that is appended here."""
    async with await open_store(database) as store:
        host = Tables(store)
        campaign, _ = await host.create("signs", "")
        await asyncio.sleep(REST)
        began, spent = time.monotonic(), cpu_of(server)
        await asyncio.sleep(REST)
        idle = (cpu_of(server) - spent) / (time.monotonic() - began)
        began, spent, entries = time.monotonic(), cpu_of(server), 0
        while entries < ELSEWHERE:
            await host.do(campaign, GM, SendMessage("somewhere else"))
            entries += 1
            await asyncio.sleep(1 / OFFERED)
        spent = cpu_of(server) - spent - idle * (time.monotonic() - began)
        await host.close()
    return max(spent, 0.01) / entries  # the system counts in hundredths


def elsewhere(database: str) -> Figure:
    """What a process pays for an entry of a campaign that only another one has."""
    with serving(database, 1) as (_, server):
        each = asyncio.run(_appended_elsewhere(database, server))
    return Figure("an entry elsewhere, at each other process", each, within=MOST_ELSEWHERE)


def main(arguments: Sequence[str]) -> int:
    """Print the figures for a database."""
    database, *rest = arguments
    print(elsewhere(database).line(), flush=True)
    for figure in figures(database, *map(float, rest)):
        print(figure.line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
