"""Plans for the splits of Rebuttals as they are kept in a file and read again."""

from __future__ import annotations

import zlib
from functools import cached_property

import msgspec
import numpy as np

from astragal.lab.duel_game import DuelGame, SplitPlan, Ways
from astragal.lab.duel_volleys import Floats
from astragal.lab.planned_solver import PlannedSolution


class KeptPlans(msgspec.Struct, frozen=True):
    """How a solution divides Rebuttals.

    For each side the plans of all mixes in order, packed, and the ways of last volleys; and what
    both draw from where both rebut, by state.
    """

    plans: tuple[bytes, bytes]
    last: tuple[bytes, bytes]
    mixed: list[tuple[int, tuple[float, ...], tuple[float, ...]]]


def kept_plans(game: DuelGame, solution: PlannedSolution) -> KeptPlans:
    """The plans of a solution, ready to be written."""
    many = len(game.positions)

    def packed(side: int) -> bytes:
        every = []
        for a, b, position in np.ndindex(game.bodies[0] + 1, game.bodies[1] + 1, many):
            plans = solution.plans.get((a, b, position), ((), ()))[side]
            every.append([plan.first.tobytes() + plan.second.tobytes() for plan in plans])
        return zlib.compress(msgspec.msgpack.encode(every), 1)

    return KeptPlans(
        (packed(0), packed(1)),
        (solution.last[0].tobytes(), solution.last[1].tobytes()),
        [
            ((a * (game.bodies[1] + 1) + b) * many + position, *mix)
            for (a, b, position), mix in sorted(solution.mixed.items())
        ],
    )


class OpenedPlans:
    """Plans that were kept."""

    def __init__(self, kept: KeptPlans) -> None:
        """Read them when they are asked for."""
        self._kept = kept

    @cached_property
    def _plans(self) -> list[list[list[bytes]]]:
        return [
            msgspec.msgpack.decode(zlib.decompress(packed), type=list[list[bytes]])
            for packed in self._kept.plans
        ]

    def plans(self, side: int, state: int, cards: int) -> tuple[SplitPlan, ...]:
        """Those of a side's mix in a state, by the other side's cards."""
        return tuple(
            SplitPlan(
                np.frombuffer(plan, np.uint8, cards),
                np.frombuffer(plan, np.uint8, offset=cards).reshape(-1, cards),
            )
            for plan in self._plans[side][state]
        )

    def last_splits(self, side: int, first: int, game: DuelGame) -> Floats:
        """How likely each way is in the last volley, for all positions from a state on."""
        many, cards = len(game.positions), len(game.cards[1 - side])
        ways = np.frombuffer(self._kept.last[side], np.uint8).reshape(-1, cards)
        found = as_chances(ways[first : first + many], int(game.ways.max()))
        both = np.argwhere((game.ways > 1).all(axis=-1))
        rebuts = int(both[0, 2 - side]) if len(both) else 0
        for state, *mixes in self._kept.mixed:
            if first <= state < first + many:
                found[state - first, rebuts] = 0.0
                found[state - first, rebuts, : len(mixes[side])] = mixes[side]
        return found


def as_chances(ways: Ways, most: int) -> Floats:
    """Ways of which each is certain, as chances of all ways.

    >>> as_chances(np.array([1], np.uint8), 3).tolist()
    [[0.0, 1.0, 0.0]]
    """
    found = np.zeros((*ways.shape, most))
    np.put_along_axis(found, ways[..., None].astype(np.int64), 1.0, axis=-1)
    return found
