"""A Duel of Wits solved: equal sheets of 5D, bodies up to 10, with the certificate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from astragal.lab.duel_certificate import certify
from astragal.lab.duel_draws import AnyScript, BestScripts, DuelDraws, ScriptPolicy
from astragal.lab.duel_game import Payoff
from astragal.lab.solved_duel import solve_duel
from bench.clock import Figure, best_of
from bench.duels import DEBATE, hall

BODIES = (10, 10)
SECONDS = 60
GIVEN_AWAY = 1e-6
A_BATCH = 100_000


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
        solution = solve_duel(DEBATE, table, Payoff.WIN, BODIES, cache=cache)
    for policy, sides in (
        ("the best scripts", (BestScripts(solution, 0), BestScripts(solution, 1))),
        ("scripts at random", (AnyScript(7**3), AnyScript(7**3))),
    ):
        draws = DuelDraws(solution.game)
        draws.draw(1000, sides, 0)

        def batch(
            draws: DuelDraws = draws, sides: tuple[ScriptPolicy, ScriptPolicy] = sides
        ) -> object:
            return draws.draw(A_BATCH, sides, 1)

        seconds = best_of(batch, 3, fresh=False) / A_BATCH
        yield Figure(f"a duel drawn from the tables, {policy}", seconds, within=1 / 200_000)
    certificate = certify(solution)
    for name, much in (
        ("its exploitability", certificate.exploitability),
        ("its exploitability, in the worst of all states", certificate.worst),
    ):
        yield Figure(name, max(much, 0.0), within=GIVEN_AWAY, is_time=False)


if __name__ == "__main__":
    for figure in figures():
        print(figure.line(), flush=True)
