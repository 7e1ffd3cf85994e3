"""How good a published solution is: what the best answer to it would gain.

A program of its own, which shares nothing with the solver but the description of the game. It
takes the mixes as they were published, for every state, and works out over the whole game the most
that either side could get against them. If both cannot get more than they were promised, the
solution is right, however it was found. *Exploitability* is what both together could gain.

An exchange in which nobody loses a point leads back to the same bodies. What a side could get by
staying there for ever is not defined; so everything is worked out twice, once as if staying were
worth everything to it (optimistic) and once as if it were worth nothing (pessimistic). Where both
come to the same, nobody can gain by staying.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, Protocol, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from astragal.lab import Progress, unheard
from astragal.lab.duel_game import DuelGame

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

SETTLED = 1e-11
"""When what a side can get at a pair of bodies changes by less, it is known."""

MOST_SWEEPS = 5000


class Published(Protocol):
    """What has to be published of a solution."""

    @property
    def game(self) -> DuelGame:
        """The game that was solved."""

    def mix(
        self, side: int, bodies: tuple[int, int], position: int = 0
    ) -> tuple[Sequence[int], Sequence[float]]:
        """The scripts of a side in a state, by number, with their weights."""


class Certificate(msgspec.Struct, frozen=True):
    """What the best answers get at the beginning of the duel, as side A counts it.

    ``most`` is what side A gets at most against B's mixes, ``least`` what B can push A down to
    against A's; each from an optimistic and a pessimistic start.
    """

    most: tuple[float, float]
    least: tuple[float, float]
    worst: float
    """The largest exploitability of all states, as if the duel began there."""

    @property
    def exploitability(self) -> float:
        """What both sides together could gain, in the worse of the two ways to count."""
        return max(self.most) - min(self.least)


Allows: TypeAlias = Callable[[tuple[str, ...]], bool] | None
"""Whether a side may write a script: the cards of the volleys that it has not lost."""


def certify(
    published: Published,
    progress: Progress = unheard,
    allows: tuple[Allows, Allows] = (None, None),
) -> Certificate:
    """Work out the best answers of both sides to a published solution.

    Where a side keeps a rule, only scripts that the rule ``allows`` are answers.
    """
    found = []
    for number, (side, start) in enumerate(((0, 1.0), (0, 0.0), (1, 1.0), (1, 0.0))):
        response = _Response(published, side, allows[side])
        found.append(response.worth(start, _part_of(progress, number, 4)))
    up, low, other_up, other_low = found
    most = np.maximum(up, low)
    least = 1.0 - np.maximum(other_up, other_low).transpose(1, 0, 2)
    gaps = (most - least)[1:, 1:]
    return Certificate(
        most=(float(up[-1, -1, 0]), float(low[-1, -1, 0])),
        least=(1.0 - float(other_up[-1, -1, 0]), 1.0 - float(other_low[-1, -1, 0])),
        worst=float(gaps.max()),
    )


def _part_of(progress: Progress, number: int, parts: int) -> Progress:
    return lambda done, total: progress(number * total + done, parts * total)


def _barred(game: DuelGame, side: int, allows: Allows) -> Floats | None:
    """What is added to the worth of every script in every position: nothing, or far too little."""
    if allows is None:
        return None
    every = list(product(game.cards[side], repeat=3))
    far_too_little = -10.0
    return np.array(
        [
            [0.0 if allows(cards[between.owed[side] :]) else far_too_little for cards in every]
            for between in game.positions
        ]
    )


class _Response:
    """The best answer of one side to the other's published mixes.

    Its tables say what a state is worth before the last volley of an exchange, by both cards;
    before the last two, by the responder's two cards and by two that the other side may hold; and
    before all three, by the responder's script, with the other side's mix.
    """

    def __init__(self, published: Published, side: int, allows: Allows = None) -> None:
        game = published.game
        self._barred = _barred(game, side, allows)
        self._published, self._side = published, side
        self._many = len(game.positions)
        self._mine, self._other = len(game.cards[side]), len(game.cards[1 - side])
        self._bodies = game.bodies if side == 0 else (game.bodies[1], game.bodies[0])
        self._ends = game.ends if side == 0 else 1.0 - game.ends.T
        links = game.links
        runs = np.repeat(np.arange(len(links.starts) - 1), np.diff(links.starts))
        position, a, b = np.unravel_index(
            runs, (self._many, len(game.cards[0]), len(game.cards[1]))
        )
        mine, other = (a, b) if side == 0 else (b, a)
        losses = (links.loss_a, links.loss_b) if side == 0 else (links.loss_b, links.loss_a)
        self._links: dict[tuple[int, int], tuple[Ints, Ints, Ints, Ints, Floats]] = {}
        self._stay: dict[tuple[int, int], Floats] = {}
        for x in range(self._mine):
            for y in range(self._other):
                at = np.flatnonzero((mine == x) & (other == y))
                lost, dealt = losses[0][at], losses[1][at]
                here, there, chance = position[at], links.position[at], links.chance[at]
                self._links[x, y] = here, lost, dealt, there, chance
                stays = (lost == 0) & (dealt == 0)
                stay = np.zeros((self._many, self._many))
                np.add.at(stay, (here[stays], there[stays]), chance[stays])
                self._stay[x, y] = stay

    def worth(self, start: float, progress: Progress) -> Floats:
        """What the responder gets in every state, where staying for ever is worth ``start``."""
        most, rival = self._bodies
        shape = most + 1, rival + 1, self._many
        states = int(np.prod(shape))
        values = np.repeat(self._ends[:, :, None], self._many, axis=2)
        flat = np.nan_to_num(values).reshape(states)
        last = np.empty((states, self._mine, self._other))
        last[:] = flat[:, None, None]
        pairs = [(a, b) for a in range(1, most + 1) for b in range(1, rival + 1)]
        every = {pair: self._mixes(*pair) for pair in pairs}
        held = {cards[1:] for mixes in every.values() for cards in mixes}
        two = {suffix: np.repeat(flat[:, None], self._mine**2, axis=1) for suffix in held}
        for done, (a, b) in enumerate(pairs, 1):
            mixes = every[a, b]
            block = slice((a * shape[1] + b) * self._many, (a * shape[1] + b + 1) * self._many)
            # Everything as it is if all positions of these bodies are worth ``start`` ...
            flat[block] = start
            follow = self._follow(a, b, shape)
            last[block] = self._before_last(follow, flat)
            for suffix, table in two.items():
                table[block] = self._before_two(follow, last, suffix)
            whole = self._whole(follow, two, mixes)
            # ... and then how it changes with them, which only concerns what stays here.
            current = np.full(self._many, start)
            for _ in range(MOST_SWEEPS):
                new = (whole if self._barred is None else whole + self._barred).max(axis=1)
                change = new - current
                if np.abs(change).max() <= SETTLED:
                    break
                current = new
                flat[block] += change
                later = self._before_last(self._stay, change)
                last[block] += later
                changed = {}
                for suffix, table in two.items():
                    changed[suffix] = self._before_two(self._stay, later, suffix)
                    table[block] += changed[suffix]
                whole += self._whole(self._stay, changed, mixes)
            values[a, b] = current
            progress(done, len(pairs))
        return values

    def _mixes(self, a: int, b: int) -> dict[tuple[int, int, int], Floats]:
        """The other side's scripts at these bodies, each with its weight in every position."""
        bodies = (a, b) if self._side == 0 else (b, a)
        found: dict[tuple[int, int, int], Floats] = {}
        for position in range(self._many):
            scripts, weights = self._published.mix(1 - self._side, bodies, position)
            assert abs(sum(weights) - 1) < 1e-9, "the weights of a mix are its chances"
            assert min(weights) >= 0, "no chance is below zero"
            for script, weight in zip(scripts, weights, strict=True):
                cards = np.unravel_index(script, (self._other,) * 3)
                key = int(cards[0]), int(cards[1]), int(cards[2])
                found.setdefault(key, np.zeros(self._many))[position] += weight
        return found

    def _follow(self, a: int, b: int, shape: tuple[int, int, int]) -> dict[tuple[int, int], Any]:
        """Where each pair of cards leads from every position of a pair of bodies."""
        size = self._many, int(np.prod(shape))
        found = {}
        for pair, (here, lost, dealt, there, chance) in self._links.items():
            left, right = np.maximum(a - lost, 0), np.maximum(b - dealt, 0)
            state = (left * shape[1] + right) * self._many + there
            found[pair] = csr_matrix((chance, (here, state)), size)
        return found

    def _before_last(self, follow: Mapping[tuple[int, int], Any], values: Floats) -> Floats:
        found = np.empty((self._many, self._mine, self._other))
        for (x, y), leads in follow.items():
            found[:, x, y] = leads @ values
        return found

    def _before_two(
        self, follow: Mapping[tuple[int, int], Any], last: Floats, suffix: tuple[int, int]
    ) -> Floats:
        y2, y3 = suffix
        found = np.empty((self._many, self._mine, self._mine))
        for x2 in range(self._mine):
            found[:, x2] = follow[x2, y2] @ last[:, :, y3]
        return found.reshape(self._many, -1)

    def _whole(
        self,
        follow: Mapping[tuple[int, int], Any],
        two: dict[tuple[int, int], Floats],
        mixes: dict[tuple[int, int, int], Floats],
    ) -> Floats:
        found = np.zeros((self._many, self._mine, self._mine**2))
        for (y1, y2, y3), weights in mixes.items():
            used = np.flatnonzero(weights)
            for x1 in range(self._mine):
                worth = follow[x1, y1][used] @ two[y2, y3]
                found[used, x1] += weights[used, None] * worth
        return found.reshape(self._many, -1)
