"""Everything that a side may do against published mixes at one pair of bodies.

Part of the program that checks a solution: it shares nothing with the solver but the description
of the game. Who answers has seen some cards, splits and losses, and knows how likely the published
mix still holds which cards; scripts of the other side that look alike so far are answered together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from astragal.lab.duel_game import DuelGame, SplitPlan

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


class SeenBy:
    """The tables of a game with the cards and ways of the side that answers first."""

    def __init__(self, game: DuelGame, side: int) -> None:
        """Look from this side."""
        self.game, self.side = game, side
        self.many = len(game.positions)
        self.mine, self.other = len(game.cards[side]), len(game.cards[1 - side])
        turned = (0, 1, 2) if side == 0 else (0, 2, 1)
        self.runs = game.runs.transpose(turned)
        ways = game.ways.astype(np.int64)
        self.ways = ways[..., side].transpose(turned)
        self.others = ways[..., 1 - side].transpose(turned)
        inner, one = ways[..., 1].transpose(turned), np.ones_like(self.runs)
        self.step, self.others_step = (inner, one) if side == 0 else (one, inner)
        links = game.links
        self.lost, self.dealt = (
            (links.loss_a, links.loss_b) if side == 0 else (links.loss_b, links.loss_a)
        )
        self.stays = (self.lost == 0) & (self.dealt == 0)


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


class LinkPlaces(NamedTuple):
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


class AnswerTree(NamedTuple):
    """Everything that the responder may do at a pair of bodies, in all positions.

    A *unit* is a position, a first card of each side, and a way to divide the responder's.
    ``fixed`` is what it is worth as far as somebody loses something, by the responder's other
    cards.
    """

    fixed: Floats
    staying: list[LinkPlaces]
    cards: Ints
    """The first unit of each pair of first cards, in each position."""
    firsts: Ints
    """The first of these pairs, for each position and first card of the responder."""


def answer_tree(
    seen: SeenBy,
    published: Published,
    bodies: tuple[int, int],
    two: Floats,
    rows: Ints,
    alive: NDArray[np.bool_],
) -> AnswerTree:
    """Everything that may happen at a pair of bodies, against the other's mixes there."""
    known: list[_Known] = []
    cards: list[int] = []
    firsts: list[int] = []
    units = 0
    for position in range(seen.many):
        scripts, weights = published.mix(1 - seen.side, bodies, position)
        plans = published.plans(1 - seen.side, bodies, position)
        assert abs(sum(weights) - 1) < 1e-9, "the weights of a mix are its chances"
        assert min(weights) >= 0, "no chance is below zero"
        held = [np.unravel_index(script, (seen.other,) * 3) for script in scripts]
        unfolded = [
            seen.game.unfolded(1 - seen.side, position, int(each[0]), plan.first)
            for each, plan in zip(held, plans, strict=True)
        ]
        for card in range(seen.mine):
            firsts.append(len(cards))
            for shown in sorted({int(each[0]) for each in held}):
                cards.append(units)
                ways = int(seen.ways[position, card, shown])
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
    fixed = np.zeros((units, seen.mine, seen.mine))
    nothing = two.size - two.shape[1]
    places = [
        _merged(
            [
                part
                for each in known
                for part in _places(seen, each, rows, alive, nothing, stays=stays)
            ]
        )
        for stays in (False, True)
    ]
    add_links(fixed, places[0], two)
    return AnswerTree(fixed, places[1], np.array(cards), np.array(firsts))


def _places(
    seen: SeenBy,
    known: _Known,
    rows: Ints,
    alive: NDArray[np.bool_],
    nothing: int,
    *,
    stays: bool,
) -> list[LinkPlaces]:
    """What to look up for links after which everybody stays as they are, or somebody loses.

    At ``nothing`` there is a zero.
    """
    chosen = np.flatnonzero(seen.stays[known.links] == stays)
    if not len(chosen):
        return []
    links = known.links[chosen]
    after = seen.game.links.position[links]
    base = seen.runs[after, :, known.second]
    living = alive[links].astype(np.int64)[:, None]
    table = np.arange(seen.mine) * seen.other
    ways = seen.ways[after, :, known.second]
    most = int(ways.max())
    card = int(ways.max(axis=0).argmax()) if most > 1 else None
    plain: list[Ints] = []
    divided: list[Ints] = []
    factors: list[Floats] = []
    for weight, final, plan in zip(known.weights, known.lasts, known.ways, strict=True):
        runs = base
        if len(plan):
            runs = base + plan[chosen] * seen.others_step[after, :, known.second]
        where = (rows[links][:, None] + living * runs) * (seen.mine * seen.other)
        plain.append(where[:, :, None] + table + final)
        factors.append(weight * seen.game.links.chance[links])
        if card is not None:
            way: Ints = np.minimum(np.arange(most), ways[:, card, None] - 1)
            inside = runs[:, card, None] + way * seen.step[after, card, known.second, None]
            where = (rows[links][:, None] + living * inside) * (seen.mine * seen.other)
            divided.append(where[:, :, None] + table + final)
    several = len(known.weights)
    starts = np.arange(len(links)) * several
    together = np.stack(factors, axis=1).ravel()
    at = np.stack(plain, axis=1).reshape(len(links) * several, seen.mine, seen.mine)
    units = known.units[chosen]
    if card is None:
        return [LinkPlaces(at, together, starts, units, None)]
    at[:, card] = nothing
    return [
        LinkPlaces(at, together, starts, units, None),
        LinkPlaces(
            np.stack(divided, axis=1).reshape(len(links) * several, most, seen.mine),
            together,
            starts,
            units,
            card,
        ),
    ]


def add_links(whole: Floats, parts: list[LinkPlaces], two: Floats) -> None:
    """Add to each unit what its links are worth."""
    for part in parts:
        worth = two.ravel().take(part.at) * part.factors[:, None, None]
        by_link = np.add.reduceat(worth, part.links)
        if part.card is None:
            np.add.at(whole, part.units, by_link)
        else:
            np.add.at(whole[:, part.card], part.units, by_link.max(axis=1))


def _merged(parts: list[LinkPlaces]) -> list[LinkPlaces]:
    """The same in few pieces: those for the same card and as many ways together."""
    found: dict[tuple[int | None, int], list[LinkPlaces]] = {}
    for part in parts:
        found.setdefault((part.card, part.at.shape[1]), []).append(part)
    merged = []
    for (card, _), several in found.items():
        lengths = np.array([len(part.factors) for part in several])
        shifts = np.cumsum(lengths) - lengths
        starts = [part.links + shift for part, shift in zip(several, shifts, strict=True)]
        merged.append(
            LinkPlaces(
                np.concatenate([part.at for part in several]),
                np.concatenate([part.factors for part in several]),
                np.concatenate(starts),
                np.concatenate([part.units for part in several]),
                card,
            )
        )
    return merged
