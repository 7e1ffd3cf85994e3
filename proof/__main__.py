"""`python -m proof --kills N --messages N --inputs N`: go on up to these numbers, and print all."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from proof import inputs, kills, messages
from proof.counts import Counts, keep, read


def main(arguments: list[str] | None = None) -> int:
    chosen = _parser().parse_args(arguments)
    counts = read(chosen.counts)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    steps: dict[str, Callable[[Callable[[], None]], None]] = {
        "kills": lambda told: kills.evening(counts, chosen.kills, told),
        "messages": lambda _: messages.evening(counts),
        "inputs": lambda _: inputs.some(counts, chosen.inputs),
    }
    stderr = Console(stderr=True)
    try:
        with Progress(*columns, TimeElapsedColumn(), console=stderr) as bar:
            for what, step in steps.items():
                wanted = getattr(chosen, what)
                task = bar.add_task(what, total=wanted, completed=min(counts.of(what), wanted))
                while counts.of(what) < wanted and not counts.faults:
                    step(lambda task=task: bar.advance(task))
                    keep(counts, chosen.counts)
                    bar.update(task, completed=min(counts.of(what), wanted))
    except KeyboardInterrupt:
        stderr.print("Stopped; the same command goes on from here.")
    print(told(counts))
    return 1 if counts.faults else 0


def told(counts: Counts) -> str:
    """All that was counted, line by line, and what was wrong."""
    lines = [f"{count:>12,}  {what}" for what, count in sorted(counts.tried.items())]
    lines += [f"WRONG  {fault}" for fault in counts.faults] or ["Nothing was wrong."]
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m proof", description=__doc__)
    for what, usual in (("kills", 1000), ("messages", 1_000_000), ("inputs", 1_000_000)):
        parser.add_argument(f"--{what}", type=int, default=usual, metavar="N")
    parser.add_argument(
        "--counts",
        type=Path,
        default=Path(".proof.json"),
        metavar="FILE",
        help="where it is kept how far this has come; remove the file to begin anew",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
