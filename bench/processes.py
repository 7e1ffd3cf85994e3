"""What a command costs with one, two and four processes on one PostgreSQL database.

``python -m bench.processes postgresql://...`` (an empty database). Each campaign is at one of the
processes, as behind a proxy that keeps it there. Processor time of the servers, because somebody
else may be using the machine.

Each process has as many tables and is offered as much, however many processes there are. With the
same for all of them together, each would have less to do the more there are: it would handle fewer
commands in one turn and append fewer entries at once, so that a command would cost more, and so
would one of the load generators, whatever the processes have to do with each other.
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
TABLES = 20
"""For each process."""
OFFERED = 100.0
"""Commands a second for each process: a few processes on few cores still have time."""
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


def main(arguments: Sequence[str]) -> int:
    """Print the figures for a database."""
    database, *rest = arguments
    for figure in figures(database, *map(float, rest)):
        print(figure.line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
