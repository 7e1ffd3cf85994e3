"""Scripts with plans for the splits of their Rebuttals, and the best answer to a mix of them.

A side that answers knows of the other's script only what has been shown. So in the second volley it
divides its dice for all scripts together that the other may still hold, and in the first volley as
well. :class:`PlanTable` says what one plan of one side leads to, for everything that the other
side may do; from several of them, with their weights, :func:`best_answer` finds the best script
with the best plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from astragal.lab.duel_game import Cards3, DuelGame, Ints, SplitPlan, Unfolded, Ways
from astragal.lab.duel_volleys import Floats


class PlannedScript(NamedTuple):
    """A script of a side, by the numbers of its cards, with a plan for its splits."""

    cards: Cards3
    splits: SplitPlan

    def is_among(self, tables: Sequence[PlanTable]) -> bool:
        """Whether this plan is one of those that are looked at."""
        return any(
            self.cards == each.plan.cards
            and np.array_equal(self.splits.first, each.plan.splits.first)
            and np.array_equal(self.splits.second, each.plan.splits.second)
            for each in tables
        )


class View:
    """A game as one side sees it: its own cards and ways come first."""

    def __init__(self, game: DuelGame, side: int) -> None:
        """Look from this side."""
        turn = (0, 1, 2) if side == 0 else (0, 2, 1)
        self.game, self.side = game, side
        self.own, self.other = len(game.cards[side]), len(game.cards[1 - side])
        self.runs = game.runs.transpose(turn)
        ways = game.ways.astype(np.int64)
        self.ways = ways[..., side].transpose(turn)
        self.others_ways = ways[..., 1 - side].transpose(turn)
        one = np.ones_like(self.runs)
        second = ways[..., 1].transpose(turn)
        self.step, self.others_step = (second, one) if side == 0 else (one, second)
        self.divides = self.ways.max(axis=0) > 1
        """Whether a card of this side is ever divided, by the other side's card."""
        width = len(game.cards[1])
        self.thirds = [
            card * width + np.arange(width)
            if side == 0
            else np.arange(len(game.cards[0])) * width + card
            for card in range(self.own)
        ]
        self.is_still = (game.links.loss_a == 0) & (game.links.loss_b == 0)
        self._unfolded: dict[tuple[int, int, bytes], Unfolded] = {}

    def unfolded(self, position: int, card: int, first: Ways) -> Unfolded:
        """Where the first volley may lead."""
        key = position, card, first.tobytes()
        if key not in self._unfolded:
            self._unfolded[key] = self.game.unfolded(self.side, position, card, first)
        return self._unfolded[key]


class Ahead(NamedTuple):
    """What lies before a pair of bodies: where links lead, and what that is worth.

    ``two`` has what it is worth to side A before the last two volleys, one row for each run, by
    both last cards; ``rows`` and ``alive`` say which row is that of a link: ``rows`` alone where
    the duel is over, and together with the run otherwise.
    """

    two: Floats
    rows: Ints
    alive: Ints
    states: Ints
    """The state to which each link leads."""


class PlanTable:
    """What a plan leads to, as side A counts it, by what the other side does."""

    def __init__(self, view: View, position: int, plan: PlannedScript, ahead: Ahead) -> None:
        """Look at everything that the other side may do against a plan."""
        self.plan, self.own = plan, view.own
        x, then, last = plan.cards
        self.unfolded = view.unfolded(position, x, plan.splits.first)
        at = self.unfolded.links
        after = view.game.links.position[at]
        runs = view.runs[after, then]
        if len(plan.splits.second):
            runs = runs + plan.splits.second * view.step[after, then]
        begin, alive = ahead.rows[at][:, None], ahead.alive[at][:, None]
        width, thirds = ahead.two.shape[1], view.thirds[last]
        where = ((begin + alive * runs) * width)[:, :, None] + thirds
        self._chance = view.game.links.chance[at][:, None, None]
        ways = view.others_ways[after, then]
        most = int(ways.max())
        self._card = -1
        if most > 1:
            self._card = card = int(ways.max(axis=0).argmax())
            way = np.minimum(np.arange(most)[:, None], ways[:, card] - 1)
            inside = runs[:, card] + way * view.others_step[after, then, card]
            inside = (begin[:, 0] + alive[:, 0] * inside) * width
        self._still = np.flatnonzero(view.is_still[at])
        self._where = where[self._still]
        self._worth = ahead.two.ravel().take(where) * self._chance
        self.divided: tuple[int, Floats] | None = None
        """The other's card that is divided in the second volley; what comes of each of its ways."""
        if self._card >= 0:
            where = inside[:, :, None] + thirds
            self._inside = where[:, self._still]
            self.divided = self._card, ahead.two.ravel().take(where) * self._chance[:, 0]
        self._sum()

    def refresh(self, ahead: Ahead) -> None:
        """Look again, when what the same bodies are worth has changed."""
        still = self._still
        if len(still):
            two = ahead.two.ravel()
            self._worth[still] = two.take(self._where) * self._chance[still]
            if self.divided is not None:
                among = two.take(self._inside) * self._chance[still, 0]
                self.divided[1][:, still] = among
            self._sum()

    def _sum(self) -> None:
        self.sums: Floats = np.add.reduceat(self._worth, self.unfolded.starts[:-1])
        """By run, the other's second card and its last one; nothing for a card that is divided."""
        if self._card >= 0:
            self.sums[:, self._card] = 0.0

    def against(self, other: PlannedScript, unfolded: Unfolded) -> float:
        """What both plans lead to together; ``unfolded`` is the other's."""
        mine, rival = self.plan, other.cards
        run = int(self.unfolded.of_card[rival[0]] + other.splits.first[mine.cards[0]])
        if self.divided is None or self.divided[0] != rival[1]:
            return float(self.sums[run, rival[1], rival[2]])
        begin, end = self.unfolded.starts[run : run + 2]
        theirs = int(unfolded.of_card[mine.cards[0]] + mine.splits.first[rival[0]])
        first = unfolded.starts[theirs]
        ways = other.splits.second[first : first + end - begin, mine.cards[1]]
        return float(self.divided[1][ways, np.arange(begin, end), rival[2]].sum())


class Usual(NamedTuple):
    """How a side divides its dice where it does not expect the other: by state and other's card."""

    ways: Ways
    here: int
    """The state in which the exchange begins."""


class Answer(NamedTuple):
    """The best script against a mix of plans, with the best plan for it."""

    worth: float
    plan: PlannedScript


class _Alike(NamedTuple):
    """Plans that cannot be told from each other when the second volley is divided.

    They have shown the same card and divided it in the same way: always, or if the side that
    answers has shown ``card``.
    """

    card: int | None
    members: list[int]


def best_answer(
    view: View,
    position: int,
    tables: Sequence[PlanTable],
    weights: Floats,
    forbidden: Floats,
    ahead: Ahead,
    usual: Usual,
) -> Answer:
    """The best answer of a side to plans of the other; ``forbidden`` is added to its scripts."""
    best, best_at = (np.minimum, np.argmin) if view.side else (np.maximum, np.argmax)
    groups: dict[int, list[int]] = {}
    for at, weight in enumerate(weights.tolist()):
        if weight > 0.0:
            groups.setdefault(tables[at].plan.cards[0], []).append(at)
    total = np.zeros((view.own,) * 3)
    sums: dict[int, Floats] = {}
    parts: list[tuple[_Alike, Floats]] = []
    for card, members in groups.items():
        summed: Floats = sum(weights[at] * tables[at].sums for at in members)
        unfolded = tables[members[0]].unfolded
        for alike in _alike(view, tables, members):
            table = tables[alike.members[0]]
            assert table.divided is not None
            runs, links = _part(table.unfolded, alike.card)
            among = _together(tables, alike, weights)
            parts.append((alike, among))
            worth = best.reduce(among, axis=0)
            starts = table.unfolded.starts[runs][:-1] - links.start
            summed[runs.start : runs.stop - 1, table.divided[0]] += np.add.reduceat(worth, starts)
        sums[card] = summed
        total += summed if len(summed) == view.own else best.reduceat(summed, unfolded.of_card)
    scored = total + forbidden
    number = int(best_at(scored))
    script = np.unravel_index(number, total.shape)
    cards = int(script[0]), int(script[1]), int(script[2])
    first = usual.ways[usual.here].copy()
    first[view.ways[position, cards[0]] == 1] = 0
    for card, summed in sums.items():
        ways = int(view.ways[position, cards[0], card])
        if ways > 1:
            run = int(tables[groups[card][0]].unfolded.of_card[cards[0]])
            first[card] = best_at(summed[run : run + ways, cards[1], cards[2]])
    second = no_ways(view.other)
    if view.divides[cards[1]].any():
        mine = view.unfolded(position, cards[0], first)
        second = usual.ways[ahead.states[mine.links]]
        for alike, among in parts:
            table = tables[alike.members[0]]
            assert table.divided is not None
            if table.divided[0] != cards[1] or alike.card not in (None, cards[0]):
                continue
            shown = table.plan.cards[0]
            run = int(table.unfolded.of_card[cards[0]] + first[shown])
            begin, end = table.unfolded.starts[run : run + 2]
            shift = _part(table.unfolded, alike.card)[1].start
            own = int(mine.of_card[shown] + table.plan.splits.first[cards[0]])
            there = mine.starts[own]
            chosen = best_at(among[:, begin - shift : end - shift, cards[2]], axis=0)
            second[there : there + end - begin, table.plan.cards[1]] = chosen
    return Answer(float(scored[cards]), PlannedScript(cards, SplitPlan(first, second)))


def no_ways(cards: int) -> Ways:
    """The second part of a plan for a script that divides nothing there."""
    return np.zeros((0, cards), np.uint8)


def _alike(view: View, tables: Sequence[PlanTable], members: list[int]) -> list[_Alike]:
    """Those of the plans with the same first card against which the second volley is divided."""
    found = []
    by_second: dict[int, list[int]] = {}
    for at in members:
        if tables[at].divided is not None:
            by_second.setdefault(tables[at].plan.cards[1], []).append(at)
    for several in by_second.values():
        firsts = [tables[at].plan.splits.first for at in several]
        if all((each == firsts[0]).all() for each in firsts[1:]):
            found.append(_Alike(None, several))
            continue
        for card in range(view.own):
            by_way: dict[int, list[int]] = {}
            for at, first in zip(several, firsts, strict=True):
                by_way.setdefault(int(first[card]), []).append(at)
            found += [_Alike(card, each) for each in by_way.values()]
    return found


def _part(unfolded: Unfolded, card: int | None) -> tuple[slice, slice]:
    """The starts of the runs after a card, with where the last one ends, and the links of them."""
    many = len(unfolded.starts) - 1
    if card is None:
        return slice(0, many + 1), slice(0, int(unfolded.starts[-1]))
    first = int(unfolded.of_card[card])
    last = int(unfolded.of_card[card + 1]) if card + 1 < len(unfolded.of_card) else many
    return (
        slice(first, last + 1),
        slice(int(unfolded.starts[first]), int(unfolded.starts[last])),
    )


def _together(tables: Sequence[PlanTable], alike: _Alike, weights: Floats) -> Floats:
    """What comes of each way to divide, on average over plans that are alike."""
    parts = []
    for at in alike.members:
        divided = tables[at].divided
        assert divided is not None
        links = _part(tables[at].unfolded, alike.card)[1]
        parts.append(weights[at] * divided[1][:, links])
    most = min(map(len, parts))
    total: Floats = parts[0][:most]
    for part in parts[1:]:
        total += part[:most]
    return total
