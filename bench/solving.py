"""A Duel of Wits solved: equal sheets of 5D, bodies up to 10, with the certificate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from astragal.lab.duel_certificate import certify
from astragal.lab.duel_game import Payoff
from astragal.lab.solved_duel import solve_duel
from bench.clock import Figure, best_of
from bench.duels import DEBATE, hall

BODIES = (10, 10)
SECONDS = 60
GIVEN_AWAY = 1e-6


def figures() -> Iterator[Figure]:
    """From cold within a minute, from the cache at once, and nothing to gain against it."""
    table = hall()
    with TemporaryDirectory() as folder:
        cache = Path(folder)

        def solved() -> object:
            return solve_duel(DEBATE, table, Payoff.WIN, BODIES, cache=cache)

        name = f"a Duel of Wits solved, 5D, bodies {BODIES[0]}"
        yield Figure(name, best_of(solved, 1), within=SECONDS)
        yield Figure(f"{name}, from the cache", best_of(solved, 5, fresh=False), within=0.020)
        certificate = certify(solve_duel(DEBATE, table, Payoff.WIN, BODIES, cache=cache))
    for name, much in (
        ("its exploitability", certificate.exploitability),
        ("its exploitability, in the worst of all states", certificate.worst),
    ):
        yield Figure(name, max(much, 0.0), within=GIVEN_AWAY, is_time=False)


if __name__ == "__main__":
    for figure in figures():
        print(figure.line(), flush=True)
