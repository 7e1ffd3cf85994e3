"""A Duel of Wits as a stochastic game: its states, its scripts, and how it goes on.

A *position* is what lasts between two volleys beside the bodies of argument: effects that wait, and
who has lost the coming volley. With both bodies it is a state. In every state in which an exchange
begins, each side writes a script of three cards at once with the other; what follows comes volley
by volley from :mod:`~astragal.lab.duel_volleys`.
"""

from __future__ import annotations

from enum import Enum
from functools import cached_property
from itertools import product
from typing import TypeAlias

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
Bodies: TypeAlias = tuple[int, int]


class Payoff(Enum):
    """What the sides want: to win, or to win and concede little."""

    WIN = "win"
    COMPROMISE = "compromise"


class VolleyLinks(msgspec.Struct, frozen=True):
    """What follows from each volley: a run of links for each position and pair of cards.

    ``starts`` has the first link of each run, in the order of positions, first cards, second
    cards, and the number of links at its end.
    """

    starts: Ints
    loss_a: Ints
    loss_b: Ints
    position: Ints
    chance: Floats


class DuelGame(msgspec.Struct, frozen=True, dict=True):
    """The duel of two speakers, ready to be solved."""

    cards: tuple[tuple[str, ...], tuple[str, ...]]
    """The verbal actions that each side may script."""
    positions: tuple[Between, ...]
    """The first of them is that at the beginning of a duel: nothing waits."""
    links: VolleyLinks
    payoff: Payoff
    bodies: Bodies

    @cached_property
    def owed(self) -> NDArray[np.bool_]:
        """For each position, who has lost the coming volley."""
        return np.array([between.owed for between in self.positions], dtype=bool)

    @cached_property
    def ends(self) -> Floats:
        """What the end of a duel is worth to side A, by both bodies; 0 stands for less, too."""
        return end_values(self.payoff, self.bodies)

    @cached_property
    def mirror(self) -> Ints | None:
        """The position of each position with the sides exchanged, if both sides are alike."""
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
    at = 0
    while at < len(positions):
        between = positions[at]
        for pair in product(*mine):
            for (losses, after), chance in volleys.outcomes(between, pair).items():
                if after not in numbers:
                    numbers[after] = len(positions)
                    positions.append(after)
                links.append((*losses, numbers[after], chance))
            starts.append(len(links))
        at += 1
        progress(at, len(positions))
    whole = np.array([link[:3] for link in links], np.int64).T
    chances = np.array([link[3] for link in links])
    return DuelGame(
        mine,
        tuple(positions),
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


def _mirror(game: DuelGame) -> Ints | None:
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
    many = len(game.cards[0])
    links = game.links
    for row, (position, x, y) in enumerate(product(range(len(mirror)), range(many), range(many))):
        other = (int(mirror[position]) * many + y) * many + x
        mine = slice(links.starts[row], links.starts[row + 1])
        rival = slice(links.starts[other], links.starts[other + 1])
        one = _listed(links.loss_a[mine], links.loss_b[mine], links.position[mine])
        two = _listed(links.loss_b[rival], links.loss_a[rival], mirror[links.position[rival]])
        if one.shape != two.shape or (one[0] != two[0]).any():
            return None
        here, there = links.chance[mine][one[1]], links.chance[rival][two[1]]
        if np.abs(here - there).max(initial=0.0) > 1e-12:
            return None
    return mirror


def _listed(a: Ints, b: Ints, position: Ints) -> NDArray[np.int64]:
    keys = (a * 4096 + b) * 4096 + position
    order = np.argsort(keys)
    return np.array([keys[order], order])


def _order(carried: CarriedEffect) -> tuple[int, str, str, bool]:
    return carried.side, carried.until.value, carried.line.label, carried.is_obstacle
