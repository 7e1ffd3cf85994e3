"""Print every figure, its peer, the ratio, the bar, and whether it holds."""

from __future__ import annotations

import platform
import sys

import bench.cards
import bench.dice
import bench.duels
import bench.fairness
import bench.fights
import bench.page
import bench.play
import bench.reviews
import bench.skirmishes
import bench.solving
import bench.tables

MODULES = (
    bench.dice,
    bench.play,
    bench.duels,
    bench.solving,
    bench.fights,
    bench.skirmishes,
    bench.cards,
    bench.reviews,
    bench.fairness,
    bench.tables,
    bench.page,
)


def main() -> int:
    """Run everything."""
    print(f"Python {platform.python_version()} on {platform.machine()}, one core\n")
    failed = []
    for module in MODULES:
        for figure in module.figures():
            print(figure.line(), flush=True)
            if figure.holds is False:
                failed.append(figure.name)
    print("\nThe odds beside a million runs of the same procedure")
    for line in bench.play.frequencies():
        print(line, flush=True)
    print(
        f"\n{len(failed)} bars do not hold: {', '.join(failed)}" if failed else "\nAll bars hold."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
