"""What a command costs with one, two and four processes on one PostgreSQL database.

``python -m bench.processes postgresql://...`` (an empty database). Each campaign is at one of the
processes, as behind a proxy that keeps it there; all processes together are offered the same.
Processor time of the servers, because somebody else may be using the machine.

What counts is how things go on, not how they begin: each process reads its campaigns, and works
out once what it looks up again and again. So several processes warm up for as many times as long
as one, until each of them has carried out as many commands.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

import msgspec

from bench.clock import Figure
from bench.crowd import Evening, Report
from bench.tables import created, serving, told

PROCESSES = (1, 2, 4)
TABLES = 80
OFFERED = 400.0
"""Commands a second at all tables together: a few processes on few cores still have time."""
WARM_UP, SECONDS = 6.0, 15.0
"""The first for one process."""


def played(database: str, processes: int, offered: float, seconds: float) -> list[Report]:
    """One evening at so many processes, each with its share of the tables."""
    groups = asyncio.run(created(database, TABLES))
    with ExitStack() as stack:
        crowds = []
        for number in range(processes):
            port, server = stack.enter_context(serving(database, 1))
            theirs = groups[number::processes]
            warm_up = WARM_UP * processes
            evening = Evening(port, server, theirs, offered / processes, warm_up, seconds)
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


def main(arguments: Sequence[str]) -> int:
    """Print the figures for a database."""
    database, *rest = arguments
    for figure in figures(database, *map(float, rest)):
        print(figure.line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
