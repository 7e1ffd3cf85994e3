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

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import NamedTuple, Protocol, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from astragal.lab import Progress, unheard
from astragal.lab.duel_game import DuelGame, SplitPlan
from astragal.lab.settling import can_stay, settled

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


class Published(Protocol):
    """What has to be published of a solution."""

    @property
    def game(self) -> DuelGame:
        """The game that was solved."""

    def mix(
        self, side: int, bodies: tuple[int, int], position: int = 0
    ) -> tuple[Sequence[int], Sequence[float]]:
        """The scripts of a side in a state, by number, with their weights."""

    def plans(self, side: int, bodies: tuple[int, int], position: int) -> Sequence[SplitPlan]:
        """How these scripts divide their Rebuttals."""

    def last_splits(self, side: int, bodies: tuple[int, int]) -> Floats:
        """How likely a side divides a Rebuttal in each way in the last volley of an exchange.

        By position, the other side's card, and the way.
        """


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


class _Known(NamedTuple):
    """Scripts of the other side that look alike so far, at links after the first volley.

    ``units`` says for each link to which choice of the responder it belongs; the others have one
    entry for each script: its weight, its last card, and its ways in the second volley, by link and
    the responder's card.
    """

    units: Ints
    links: Ints
    second: int
    weights: list[float]
    lasts: list[int]
    ways: list[Ints]


class _Places(NamedTuple):
    """Entries of the table of two volleys that are weighed and added up for each link."""

    at: Ints
    """By entry, way to divide and last card."""
    factors: Floats
    links: Ints
    """The first entry of each link."""
    units: Ints
    """The unit of each link."""
    card: int | None
    """The responder's second card, where it is divided; all others together otherwise."""


class _Tree(NamedTuple):
    """Everything that the responder may do at a pair of bodies, in all positions.

    A *unit* is a position, a first card of each side, and a way to divide the responder's.
    ``fixed`` is what it is worth as far as somebody loses something, by the responder's other
    cards.
    """

    fixed: Floats
    staying: list[_Places]
    cards: Ints
    """The first unit of each pair of first cards, in each position."""
    firsts: Ints
    """The first of these pairs, for each position and first card of the responder."""


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
        self._many = len(game.positions)
        self._mine, self._other = len(game.cards[side]), len(game.cards[1 - side])
        self._bodies = game.bodies if side == 0 else (game.bodies[1], game.bodies[0])
        self._ends = game.ends if side == 0 else 1.0 - game.ends.T
        turned = (0, 1, 2) if side == 0 else (0, 2, 1)
        self._runs = game.runs.transpose(turned)
        ways = game.ways.astype(np.int64)
        self._ways = ways[..., side].transpose(turned)
        self._others = ways[..., 1 - side].transpose(turned)
        inner, one = ways[..., 1].transpose(turned), np.ones_like(self._runs)
        self._step, self._others_step = (inner, one) if side == 0 else (one, inner)
        links = game.links
        self._lost, self._dealt = (
            (links.loss_a, links.loss_b) if side == 0 else (links.loss_b, links.loss_a)
        )
        self._stays = (self._lost == 0) & (self._dealt == 0)
        of_run = np.repeat(np.arange(len(links.starts) - 1), np.diff(links.starts))
        still = self._stays
        size = len(links.starts) - 1, self._many
        self._still = csr_matrix(
            (links.chance[still], (of_run[still], links.position[still])), size
        )
        self._last_runs()

    def _last_runs(self) -> None:
        """The runs of every meeting in the order of the responder's ways, then the other's."""
        runs, position, card, way, begins = [], [], [], [], []
        for at in np.ndindex(self._runs.shape):
            mine, others = np.arange(int(self._ways[at]))[:, None], np.arange(int(self._others[at]))
            inside = self._runs[at] + mine * self._step[at] + others * self._others_step[at]
            begins.append(np.full(inside.shape[0], inside.shape[1]))
            runs.append(inside.ravel())
            position.append(np.full(inside.size, at[0]))
            card.append(np.full(inside.size, at[1]))
            way.append(np.broadcast_to(others, inside.shape).ravel())
        widths = np.concatenate(begins)
        self._meant = np.concatenate(runs)
        self._meant_at = np.concatenate(position), np.concatenate(card), np.concatenate(way)
        self._meant_starts = np.cumsum(widths) - widths
        mine = self._ways.ravel()
        self._meeting_starts = np.cumsum(mine) - mine
        self._is_divided = self._others.ravel() > 1
        self._chosen = np.repeat(self._is_divided, mine * self._others.ravel())

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
        two = np.zeros((many + 1, self._mine * self._other))
        two[rows[over]] = self._ends[over][:, None]
        flat = np.nan_to_num(values).ravel()
        last = np.repeat(flat[:, None], self._mine * self._other, axis=1)
        chances = np.where(self._stays, 0.0, links.chance)
        pairs = [(a, b) for a in range(1, most + 1) for b in range(1, rival + 1)]
        may_stay = False
        for done, (a, b) in enumerate(pairs, 1):
            bodies = (a, b) if self._side == 0 else (b, a)
            left = np.maximum(a - self._lost, 0), np.maximum(b - self._dealt, 0)
            states = (left[0] * shape[1] + left[1]) * self._many + links.position
            loses = csr_matrix((chances, states, links.starts), (runs, len(flat)))
            tree = self._tree(bodies, two, rows[left], ~over[left])
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
                tree: _Tree = tree,
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

    def _best(self, tree: _Tree, fixed: Floats, two: Floats) -> Floats:
        """What each position is worth with the best script and the best splits."""
        whole = fixed.copy()
        self._add(whole, tree.staying, two)
        cards = np.maximum.reduceat(whole, tree.cards)
        scripts = np.add.reduceat(cards, tree.firsts).reshape(self._many, -1)
        return np.asarray((scripts + self._barred).max(axis=1))

    def _add(self, whole: Floats, parts: list[_Places], two: Floats) -> None:
        """Add to each unit what its links are worth."""
        for part in parts:
            worth = two.ravel().take(part.at) * part.factors[:, None, None]
            by_link = np.add.reduceat(worth, part.links)
            if part.card is None:
                np.add.at(whole, part.units, by_link)
            else:
                np.add.at(whole[:, part.card], part.units, by_link.max(axis=1))

    # --- What the other side may do -------------------------------------------------------------

    def _tree(
        self, bodies: tuple[int, int], two: Floats, rows: Ints, alive: NDArray[np.bool_]
    ) -> _Tree:
        """Everything that may happen at a pair of bodies, against the other's mixes there."""
        known: list[_Known] = []
        cards: list[int] = []
        firsts: list[int] = []
        units = 0
        for position in range(self._many):
            scripts, weights = self._published.mix(1 - self._side, bodies, position)
            plans = self._published.plans(1 - self._side, bodies, position)
            assert abs(sum(weights) - 1) < 1e-9, "the weights of a mix are its chances"
            assert min(weights) >= 0, "no chance is below zero"
            held = [np.unravel_index(script, (self._other,) * 3) for script in scripts]
            unfolded = [
                self._game.unfolded(1 - self._side, position, int(each[0]), plan.first)
                for each, plan in zip(held, plans, strict=True)
            ]
            for card in range(self._mine):
                firsts.append(len(cards))
                for shown in sorted({int(each[0]) for each in held}):
                    cards.append(units)
                    ways = int(self._ways[position, card, shown])
                    groups: dict[tuple[int, int], list[int]] = {}
                    for number, each in enumerate(held):
                        if each[0] == shown:
                            key = int(plans[number].first[card]), int(each[1])
                            groups.setdefault(key, []).append(number)
                    for (_, second), members in groups.items():
                        first = unfolded[members[0]]
                        run = int(first.of_card[card])
                        begin, end = int(first.starts[run]), int(first.starts[run + ways])
                        lengths = np.diff(first.starts[run : run + ways + 1])
                        divided = []
                        for number in members:
                            own = unfolded[number].starts[run]
                            plan = plans[number].second[own : own + end - begin]
                            divided.append(plan.astype(np.int64))
                        known.append(
                            _Known(
                                units + np.repeat(np.arange(ways), lengths),
                                first.links[begin:end],
                                second,
                                [weights[number] for number in members],
                                [int(held[number][2]) for number in members],
                                divided,
                            )
                        )
                    units += ways
        fixed = np.zeros((units, self._mine, self._mine))
        nothing = two.size - two.shape[1]
        places = [
            _merged(
                [
                    part
                    for each in known
                    for part in self._places(each, rows, alive, nothing, stays=stays)
                ]
            )
            for stays in (False, True)
        ]
        self._add(fixed, places[0], two)
        return _Tree(fixed, places[1], np.array(cards), np.array(firsts))

    def _places(
        self,
        known: _Known,
        rows: Ints,
        alive: NDArray[np.bool_],
        nothing: int,
        *,
        stays: bool,
    ) -> list[_Places]:
        """What to look up for links after which everybody stays as they are, or somebody loses.

        At ``nothing`` there is a zero.
        """
        chosen = np.flatnonzero(self._stays[known.links] == stays)
        if not len(chosen):
            return []
        links = known.links[chosen]
        after = self._game.links.position[links]
        base = self._runs[after, :, known.second]
        living = alive[links].astype(np.int64)[:, None]
        table = np.arange(self._mine) * self._other
        ways = self._ways[after, :, known.second]
        most = int(ways.max())
        card = int(ways.max(axis=0).argmax()) if most > 1 else None
        plain: list[Ints] = []
        divided: list[Ints] = []
        factors: list[Floats] = []
        for weight, final, plan in zip(known.weights, known.lasts, known.ways, strict=True):
            runs = base
            if len(plan):
                runs = base + plan[chosen] * self._others_step[after, :, known.second]
            where = (rows[links][:, None] + living * runs) * (self._mine * self._other)
            plain.append(where[:, :, None] + table + final)
            factors.append(weight * self._game.links.chance[links])
            if card is not None:
                way: Ints = np.minimum(np.arange(most), ways[:, card, None] - 1)
                inside = runs[:, card, None] + way * self._step[after, card, known.second, None]
                where = (rows[links][:, None] + living * inside) * (self._mine * self._other)
                divided.append(where[:, :, None] + table + final)
        several = len(known.weights)
        starts = np.arange(len(links)) * several
        together = np.stack(factors, axis=1).ravel()
        at = np.stack(plain, axis=1).reshape(len(links) * several, self._mine, self._mine)
        units = known.units[chosen]
        if card is None:
            return [_Places(at, together, starts, units, None)]
        at[:, card] = nothing
        return [
            _Places(at, together, starts, units, None),
            _Places(
                np.stack(divided, axis=1).reshape(len(links) * several, most, self._mine),
                together,
                starts,
                units,
                card,
            ),
        ]


def _merged(parts: list[_Places]) -> list[_Places]:
    """The same in few pieces: those for the same card and as many ways together."""
    found: dict[tuple[int | None, int], list[_Places]] = {}
    for part in parts:
        found.setdefault((part.card, part.at.shape[1]), []).append(part)
    merged = []
    for (card, _), several in found.items():
        lengths = np.array([len(part.factors) for part in several])
        shifts = np.cumsum(lengths) - lengths
        starts = [part.links + shift for part, shift in zip(several, shifts, strict=True)]
        merged.append(
            _Places(
                np.concatenate([part.at for part in several]),
                np.concatenate([part.factors for part in several]),
                np.concatenate(starts),
                np.concatenate([part.units for part in several]),
                card,
            )
        )
    return merged
