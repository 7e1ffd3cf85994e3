"""A Duel of Wits as a stochastic game: its states, its scripts, and how it goes on.

A *position* is what lasts between two volleys beside the bodies of argument: effects that wait, and
who has lost the coming volley. With both bodies it is a state. In every state in which an exchange
begins, each side writes a script of three cards at once with the other; what follows comes volley
by volley from :mod:`~astragal.lab.duel_volleys`.

Who shows a Rebuttal divides its dice when the cards of the volley lie open. What is known then are
the cards, splits and losses of the exchange so far, and one's own cards to come; not those of the
other side. So a side that scripts has a *plan* as well (:class:`SplitPlan`). Before the last volley
nothing is hidden any more, and the best split follows from the state alone. If both sides rebut,
they divide their dice at once.
"""

from __future__ import annotations

from enum import Enum
from functools import cached_property
from itertools import product
from typing import NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import (
    CONCEDE,
    OTHER,
    Speaker,
    cards,
)
from astragal.games.burning_wheel.conflicts.duel_of_wits.compromise import concession, concessions
from astragal.games.burning_wheel.conflicts.scripting import CarriedEffect
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.lab import Progress, unheard
from astragal.lab.duel_volleys import Between, Floats, Volleys

Ints: TypeAlias = NDArray[np.int64]
Ways: TypeAlias = NDArray[np.uint8]
Bodies: TypeAlias = tuple[int, int]
Cards3: TypeAlias = tuple[int, int, int]
"""A script by the numbers of its cards."""


class Payoff(Enum):
    """What the sides want: to win, or to win and concede little."""

    WIN = "win"
    COMPROMISE = "compromise"


class VolleyLinks(msgspec.Struct, frozen=True):
    """What follows from each volley: a run of links for each position, pair of cards and splits.

    ``starts`` has the first link of each run, in the order of positions, first cards, second
    cards, splits of the first side, splits of the second, and the number of links at its end.
    """

    starts: Ints
    loss_a: Ints
    loss_b: Ints
    position: Ints
    chance: Floats


class SplitPlan(NamedTuple):
    """How a side divides its Rebuttals in the first two volleys of an exchange.

    A way to divide is a number: how many dice defend, less one. ``first`` has one for each card
    that the other side may show in the first volley. ``second`` has, for every link to which the
    first volley may lead (:meth:`DuelGame.unfolded`), one for each card that it may show in the
    second; it is empty for a script without a Rebuttal there.
    """

    first: Ways
    second: Ways


class Unfolded(NamedTuple):
    """Where the first volley may lead a side that plays a card and divides its dice by a plan.

    One run for each card of the other side and each of its splits, in this order.
    """

    links: Ints
    """The links of all these runs, one after the other."""
    starts: Ints
    """Where each run begins among them, and how many there are."""
    of_card: Ints
    """The number of the first run of each card of the other side."""


class DuelGame(msgspec.Struct, frozen=True, dict=True):
    """The duel of two speakers, ready to be solved."""

    cards: tuple[tuple[str, ...], tuple[str, ...]]
    """The verbal actions that each side may script."""
    positions: tuple[Between, ...]
    """The first of them is that at the beginning of a duel: nothing waits."""
    ways: Ways
    """In how many ways each side may divide its dice, by position, both cards and side."""
    usual: Ways
    """Which of them gains most if only the volley counts."""
    links: VolleyLinks
    payoff: Payoff
    bodies: Bodies

    @cached_property
    def runs(self) -> Ints:
        """The first run of links of each position and pair of cards."""
        many = self.ways.astype(np.int64).prod(axis=-1)
        firsts: Ints = np.cumsum(many).reshape(many.shape) - many
        return firsts

    def unfolded(self, side: int, position: int, card: int, first: Ways) -> Unfolded:
        """Where a side may be after the first volley of an exchange."""
        turn = (lambda table: table) if side == 0 else np.transpose
        many = turn(self.ways[position, :, :, 1 - side])[card].astype(np.int64)
        base = turn(self.runs[position])[card]
        others = turn(self.ways[position, :, :, 1])[card].astype(np.int64)
        step_own, step_other = (others, 1) if side == 0 else (1, others)
        of_card = np.cumsum(many) - many
        way = np.arange(int(many.sum())) - np.repeat(of_card, many)
        begin = np.repeat(base + first * step_own, many) + way * np.repeat(
            np.broadcast_to(step_other, many.shape), many
        )
        lengths = self.links.starts[begin + 1] - self.links.starts[begin]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        links = np.repeat(self.links.starts[begin] - starts[:-1], lengths) + np.arange(starts[-1])
        return Unfolded(links, starts, of_card)

    def at_usual(self) -> DuelGame:
        """The same duel if both sides divide every Rebuttal in the usual way."""
        if (self.ways == 1).all():
            return self
        usual = self.usual.astype(np.int64)
        runs = (self.runs + usual[..., 0] * self.ways[..., 1] + usual[..., 1]).ravel()
        links = self.links
        lengths = links.starts[runs + 1] - links.starts[runs]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        kept = np.repeat(links.starts[runs] - starts[:-1], lengths) + np.arange(starts[-1])
        return msgspec.structs.replace(
            self,
            ways=np.ones_like(self.ways),
            usual=np.zeros_like(self.usual),
            links=VolleyLinks(
                starts,
                links.loss_a[kept],
                links.loss_b[kept],
                links.position[kept],
                links.chance[kept],
            ),
        )

    @cached_property
    def owed(self) -> NDArray[np.bool_]:
        """For each position, who has lost the coming volley."""
        return np.array([between.owed for between in self.positions], dtype=bool)

    @cached_property
    def ends(self) -> Floats:
        """What the end of a duel is worth to side A, by both bodies; 0 stands for less, too."""
        return end_values(self.payoff, self.bodies)

    @cached_property
    def mirror(self) -> Mirror | None:
        """The game with the sides exchanged, if both sides are alike."""
        return _mirror(self)

    def scripts(self, side: int) -> tuple[tuple[str, ...], ...]:
        """All scripts of a side, in the order in which they are numbered."""
        return tuple(product(self.cards[side], repeat=3))


def end_values(payoff: Payoff, bodies: Bodies) -> Floats:
    """What it is worth to side A when a body is gone; where neither is, nothing is said.

    A victory is 1 and a tie a half. With compromises each size of a concession takes an eighth
    off: to win with a major concession is still more than a tie.
    """
    values = np.full((bodies[0] + 1, bodies[1] + 1), np.nan)
    for a in range(bodies[0] + 1):
        values[a, 0] = _won(payoff, bodies[0], a)
    for b in range(bodies[1] + 1):
        values[0, b] = 1.0 - _won(payoff, bodies[1], b)
    values[0, 0] = 0.5
    return values


def _won(payoff: Payoff, started: int, left: int) -> float:
    if payoff is Payoff.WIN or not left:
        return 1.0
    return 1.0 - concessions().index(concession(started, left)) / 8


def duel_game(
    volleys: Volleys,
    payoff: Payoff,
    bodies: Bodies,
    progress: Progress = unheard,
) -> DuelGame:
    """Find every position that can come up, and what follows from each pair of cards in it."""
    speakers = volleys.debate.speakers
    mine = scriptable(speakers[0], volleys.table), scriptable(speakers[1], volleys.table)
    numbers = {Between(): 0}
    positions = [Between()]
    starts, links = [0], []
    ways, usual = [], []
    at = 0
    while at < len(positions):
        between = positions[at]
        for pair in product(*mine):
            choices = volleys.ways(between, pair)
            ways.append([len(each) for each in choices])
            if ways[-1] == [1, 1]:
                usual.append((0, 0))
            else:
                best = volleys.usual(between, pair)
                usual.append((choices[0].index(best[0]), choices[1].index(best[1])))
            for split in product(*choices):
                for (losses, after), chance in volleys.outcomes(between, pair, split).items():
                    if after not in numbers:
                        numbers[after] = len(positions)
                        positions.append(after)
                    links.append((*losses, numbers[after], chance))
                starts.append(len(links))
        at += 1
        progress(at, len(positions))
    whole = np.array([link[:3] for link in links], np.int64).T
    chances = np.array([link[3] for link in links])
    shape = len(positions), len(mine[0]), len(mine[1]), 2
    return DuelGame(
        mine,
        tuple(positions),
        np.array(ways, np.uint8).reshape(shape),
        np.array(usual, np.uint8).reshape(shape),
        VolleyLinks(np.array(starts), whole[0], whole[1], whole[2], chances),
        payoff,
        bodies,
    )


def scriptable(speaker: Speaker, table: BurningTable) -> tuple[str, ...]:
    """The verbal actions that a speaker may script.

    To concede is never better than to speak, as the winner's body can only get smaller. What else
    somebody may do in a volley is left out.
    """
    sheet = table.character(speaker.character)
    known = [option.key for option in cards(speaker, sheet, table.options)]
    return tuple(card for card in known if card not in (OTHER, CONCEDE))


class Mirror(NamedTuple):
    """Where each position, run and link is to be found with the sides exchanged."""

    positions: Ints
    runs: Ints
    links: Ints


def _mirror(game: DuelGame) -> Mirror | None:
    if game.cards[0] != game.cards[1] or game.bodies[0] != game.bodies[1]:
        return None
    numbers = {between: at for at, between in enumerate(game.positions)}
    swapped = []
    for between in game.positions:
        carried = [msgspec.structs.replace(each, side=1 - each.side) for each in between.carried]
        turned = Between(tuple(sorted(carried, key=_order)), (between.owed[1], between.owed[0]))
        at = numbers.get(turned)
        if at is None:
            return None
        swapped.append(at)
    mirror = np.array(swapped)
    if (game.ways[mirror].transpose(0, 2, 1, 3)[..., ::-1] != game.ways).any():
        return None
    links = game.links
    many = len(game.cards[0])
    runs = np.empty(len(links.starts) - 1, np.int64)
    for position, x, y in product(range(len(mirror)), range(many), range(many)):
        one, other = (int(each) for each in game.ways[position, x, y])
        swapped_ways = np.arange(one * other).reshape(other, one).T.ravel()
        first = game.runs[position, x, y]
        runs[first : first + one * other] = game.runs[mirror[position], y, x] + swapped_ways
    other_way = np.empty(len(links.chance), np.int64)
    for run, there in enumerate(runs):
        mine = slice(links.starts[run], links.starts[run + 1])
        rival = slice(links.starts[there], links.starts[there + 1])
        listed = _listed(links.loss_a[mine], links.loss_b[mine], links.position[mine])
        rivals = _listed(links.loss_b[rival], links.loss_a[rival], mirror[links.position[rival]])
        if listed.shape != rivals.shape or (listed[0] != rivals[0]).any():
            return None
        chances = links.chance[mine][listed[1]], links.chance[rival][rivals[1]]
        if np.abs(chances[0] - chances[1]).max(initial=0.0) > 1e-12:
            return None
        other_way[mine.start + listed[1]] = rival.start + rivals[1]
    return Mirror(mirror, runs, other_way)


def _listed(a: Ints, b: Ints, position: Ints) -> NDArray[np.int64]:
    keys = (a * 4096 + b) * 4096 + position
    order = np.argsort(keys)
    return np.array([keys[order], order])


def _order(carried: CarriedEffect) -> tuple[int, str, str, bool]:
    return carried.side, carried.until.value, carried.line.label, carried.is_obstacle
