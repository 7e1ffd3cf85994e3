"""How good a published solution is: what the best answer to it would gain.

A program of its own, which shares nothing with the solver but the description of the game. It
takes the mixes as they were published, for every state, and works out over the whole game the most
that either side could get against them. If both cannot get more than they were promised, the
solution is right, however it was found. *Exploitability* is what both together could gain.

Who answers chooses a script and divides its Rebuttals, each time as well as possible by what it
knows then: the cards, splits and losses so far, and how likely the published mix still holds which
cards.

An exchange in which nobody loses a point leads back to the same bodies. What a side gets if that
goes on for ever is not defined; so it is counted once as everything (the optimistic start) and once
as nothing (the pessimistic one). At each pair of bodies it is found out whether the side that
answers can stay there for ever at all. If it cannot anywhere, what it gets follows from the duels
that end, and both starts come to the same. Otherwise the whole duel is worked out from either
start, each upon its own values for smaller bodies.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import NamedTuple, TypeAlias

import msgspec
import numpy as np
from scipy.sparse import csr_matrix

from astragal.lab import Progress, unheard
from astragal.lab.answer_tree import (
    AnswerTree,
    Floats,
    Published,
    SeenBy,
    add_links,
    answer_tree,
)
from astragal.lab.duel_game import DuelGame
from astragal.lab.settling import can_stay, settled


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
    (up, low), (other_up, other_low) = (
        _Response(published, side, allows[side]).worth(_part_of(progress, side, 2))
        for side in (0, 1)
    )
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


def _barred(game: DuelGame, side: int, allows: Allows) -> Floats:
    """What is added to the worth of every script in every position: nothing, or far too little.

    Who has lost the first volley shows no card in it, which is written as the first of all cards.
    """
    far_too_little = -10.0
    shown = game.cards[side][0]
    every = list(product(game.cards[side], repeat=3))
    return np.array(
        [
            [
                0.0
                if (not between.owed[side] or cards[0] == shown)
                and (allows is None or allows(cards[between.owed[side] :]))
                else far_too_little
                for cards in every
            ]
            for between in game.positions
        ]
    )


class _Ends(NamedTuple):
    """What an exchange is worth as far as somebody loses something in it.

    In its last volley, by runs; in its last two, by runs and last cards; and in all three, by units
    and the responder's other cards.
    """

    last: Floats
    two: Floats
    exchange: Floats


class _Response:
    """The best answer of one side to the other's published mixes.

    Its tables say what a state is worth before the last volley of an exchange, by both cards; and
    before the last two, by both cards and splits of the first of them and both last cards.
    """

    def __init__(self, published: Published, side: int, allows: Allows = None) -> None:
        game = published.game
        self._barred = _barred(game, side, allows)
        self._published, self._side, self._game = published, side, game
        self._seen = SeenBy(game, side)
        self._many = self._seen.many
        self._bodies = game.bodies if side == 0 else (game.bodies[1], game.bodies[0])
        self._ends = game.ends if side == 0 else 1.0 - game.ends.T
        links = game.links
        of_run = np.repeat(np.arange(len(links.starts) - 1), np.diff(links.starts))
        still = self._seen.stays
        size = len(links.starts) - 1, self._many
        self._still = csr_matrix(
            (links.chance[still], (of_run[still], links.position[still])), size
        )
        self._last_runs()

    def _last_runs(self) -> None:
        """The runs of every meeting in the order of the responder's ways, then the other's."""
        runs, position, card, way, begins = [], [], [], [], []
        for at in np.ndindex(self._seen.runs.shape):
            mine, others = (
                np.arange(int(self._seen.ways[at]))[:, None],
                np.arange(int(self._seen.others[at])),
            )
            inside = (
                self._seen.runs[at]
                + mine * self._seen.step[at]
                + others * self._seen.others_step[at]
            )
            begins.append(np.full(inside.shape[0], inside.shape[1]))
            runs.append(inside.ravel())
            position.append(np.full(inside.size, at[0]))
            card.append(np.full(inside.size, at[1]))
            way.append(np.broadcast_to(others, inside.shape).ravel())
        widths = np.concatenate(begins)
        self._meant = np.concatenate(runs)
        self._meant_at = np.concatenate(position), np.concatenate(card), np.concatenate(way)
        self._meant_starts = np.cumsum(widths) - widths
        mine = self._seen.ways.ravel()
        self._meeting_starts = np.cumsum(mine) - mine
        self._is_divided = self._seen.others.ravel() > 1
        self._chosen = np.repeat(self._is_divided, mine * self._seen.others.ravel())

    def worth(self, progress: Progress) -> tuple[Floats, Floats]:
        """What the responder gets in every state, from the optimistic and the pessimistic start."""
        optimistic, may_stay = self._from(1.0, progress)
        if not may_stay:
            return optimistic, optimistic
        return optimistic, self._from(0.0, progress)[0]

    def _from(self, start: float, progress: Progress) -> tuple[Floats, bool]:
        """What the responder gets if an endless duel is worth this; whether it can have one."""
        most, rival = self._bodies
        shape = most + 1, rival + 1, self._many
        links = self._game.links
        runs = len(links.starts) - 1
        values = np.repeat(self._ends[:, :, None], self._many, axis=2)
        over = np.isfinite(self._ends)
        rows = np.where(over, np.cumsum(over).reshape(over.shape) - 1, 0)
        rows += np.where(over, 0, over.sum() + (np.cumsum(~over).reshape(over.shape) - 1) * runs)
        # One row for each end, one for each run of every other pair of bodies, and one of nothing.
        many = int(over.sum()) + int((~over).sum()) * runs
        two = np.zeros((many + 1, self._seen.mine * self._seen.other))
        two[rows[over]] = self._ends[over][:, None]
        flat = np.nan_to_num(values).ravel()
        last = np.repeat(flat[:, None], self._seen.mine * self._seen.other, axis=1)
        chances = np.where(self._seen.stays, 0.0, links.chance)
        pairs = [(a, b) for a in range(1, most + 1) for b in range(1, rival + 1)]
        may_stay = False
        for done, (a, b) in enumerate(pairs, 1):
            bodies = (a, b) if self._side == 0 else (b, a)
            left = np.maximum(a - self._seen.lost, 0), np.maximum(b - self._seen.dealt, 0)
            states = (left[0] * shape[1] + left[1]) * self._many + links.position
            loses = csr_matrix((chances, states, links.starts), (runs, len(flat)))
            tree = answer_tree(self._seen, self._published, bodies, two, rows[left], ~over[left])
            splits = self._published.last_splits(1 - self._side, bodies)
            likely = np.where(self._chosen, splits[self._meant_at], 1.0)
            here = slice((a * shape[1] + b) * self._many, (a * shape[1] + b + 1) * self._many)
            mine = slice(int(rows[a, b]), int(rows[a, b]) + runs)

            def sweep(
                current: Floats,
                ends: _Ends,
                here: slice = here,
                mine: slice = mine,
                likely: Floats = likely,
                tree: AnswerTree = tree,
            ) -> Floats:
                last[here] = self._before_last(ends.last + self._still @ current, likely)
                two[mine] = ends.two + self._still @ last[here]
                return self._best(tree, ends.exchange, two)

            nothing = _Ends(np.zeros(runs), np.zeros(1), np.zeros_like(tree.fixed))
            ends = _Ends(loses @ flat, loses @ last, tree.fixed)
            stays = can_stay(partial(sweep, ends=nothing), self._many)
            may_stay = may_stay or stays
            found = settled(
                partial(sweep, ends=ends), np.full(self._many, start), foresee=not stays
            )
            values[a, b] = flat[here] = found
            progress(done, len(pairs))
        return values, may_stay

    def _before_last(self, worth: Floats, chance: Floats) -> Floats:
        """What all positions are worth before the last volley: the best way against the other's."""
        ways = np.add.reduceat(worth[self._meant] * chance, self._meant_starts)
        best = np.maximum.reduceat(ways, self._meeting_starts)
        return np.asarray(best.reshape(self._many, -1))

    def _best(self, tree: AnswerTree, fixed: Floats, two: Floats) -> Floats:
        """What each position is worth with the best script and the best splits."""
        whole = fixed.copy()
        add_links(whole, tree.staying, two)
        cards = np.maximum.reduceat(whole, tree.cards)
        scripts = np.add.reduceat(cards, tree.firsts).reshape(self._many, -1)
        return np.asarray((scripts + self._barred).max(axis=1))
