"""How planned splits divide Rebuttals, as somebody can read it: by the cards that are met."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from astragal.lab.duel_game import Bodies, Cards3, SplitPlan
from astragal.lab.duel_solver import script_cards
from astragal.lab.solved_duel import SolvedDuel


class Division(NamedTuple):
    """What a plan says about a Rebuttal: which dice defend, and which are for the riposte."""

    shown: tuple[str, ...]
    """The other side's cards up to the one that the Rebuttal meets."""
    other_defence: int
    """How many dice the other side defended with before; 0 where it divided nothing."""
    lost: Bodies
    """What both sides have lost in this exchange so far."""
    position: int
    """What is carried over into the volley, by its number."""
    defence: int
    riposte: int


class DividedScript(NamedTuple):
    """A script of a mix, how likely it is, and what its plan says about its first two volleys."""

    cards: tuple[str, ...]
    weight: float
    divisions: tuple[Division, ...]


class LastDivision(NamedTuple):
    """How a Rebuttal is divided in the last volley of an exchange; it may have to be drawn."""

    meets: str
    chance: float
    defence: int
    riposte: int


def divided_scripts(
    solved: SolvedDuel, side: int, bodies: Bodies, position: int = 0
) -> list[DividedScript]:
    """The best mix of a side in a state with its plans, likeliest first."""
    known = solved.game.cards[side]
    lost = solved.positions[position].owed[side]
    found = []
    mix = solved.mix(side, bodies, position)
    plans = solved.plans(side, bodies, position)
    for script, weight, plan in zip(*mix, plans, strict=True):
        cards = script_cards(script, len(known))
        named = tuple(known[card] for card in cards)[lost:]
        divisions = (
            *_first(solved, side, position, cards, plan),
            *_second(solved, side, position, cards, plan),
        )
        found.append(DividedScript(named, weight, divisions))
    return sorted(found, key=lambda each: (-each.weight, each.cards))


def _first(
    solved: SolvedDuel, side: int, position: int, cards: Cards3, plan: SplitPlan
) -> Iterator[Division]:
    for meets, card in enumerate(solved.game.cards[1 - side]):
        ways = _ways(solved, side, position, cards[0], meets)
        if ways > 1:
            yield Division((card,), 0, (0, 0), position, *_dice(int(plan.first[meets]), ways))


def _second(
    solved: SolvedDuel, side: int, position: int, cards: Cards3, plan: SplitPlan
) -> Iterator[Division]:
    if not len(plan.second):
        return
    links, others = solved.game.links, solved.game.cards[1 - side]
    unfolded = solved.game.unfolded(side, position, cards[0], plan.first)
    starts, of_card = unfolded.starts.tolist(), unfolded.of_card.tolist()
    for run in range(len(starts) - 1):
        shown = bisect_right(of_card, run) - 1
        divides = _ways(solved, 1 - side, position, shown, cards[0]) > 1
        other_defence = run - of_card[shown] + 1 if divides else 0
        for at in range(starts[run], starts[run + 1]):
            link = int(unfolded.links[at])
            after = int(links.position[link])
            lost = int(links.loss_a[link]), int(links.loss_b[link])
            for meets, card in enumerate(others):
                ways = _ways(solved, side, after, cards[1], meets)
                if ways > 1:
                    dice = _dice(int(plan.second[at, meets]), ways)
                    yield Division((others[shown], card), other_defence, lost, after, *dice)


def last_divisions(
    solved: SolvedDuel, side: int, bodies: Bodies, position: int = 0
) -> list[LastDivision]:
    """How a side divides a Rebuttal in a state in which the last volley of an exchange is left."""
    if "rebuttal" not in solved.game.cards[side]:
        return []
    rebuttal = solved.game.cards[side].index("rebuttal")
    chances = solved.last_splits(side, bodies)[position]
    found = []
    for meets, card in enumerate(solved.game.cards[1 - side]):
        ways = _ways(solved, side, position, rebuttal, meets)
        if ways > 1:
            found += [
                LastDivision(card, float(chance), *_dice(way, ways))
                for way, chance in enumerate(chances[meets, :ways])
                if chance > 0
            ]
    return found


def _ways(solved: SolvedDuel, side: int, position: int, card: int, meets: int) -> int:
    """In how many ways a side may divide its dice: one less than there are dice to divide."""
    pair = (card, meets) if side == 0 else (meets, card)
    return int(solved.game.ways[(position, *pair, side)])


def _dice(way: int, ways: int) -> tuple[int, int]:
    """The dice that defend and those of the riposte; each has one at least."""
    return way + 1, ways - way
