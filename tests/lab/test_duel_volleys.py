"""The tables of a volley beside whole volleys, walked by the exact driver."""

from __future__ import annotations

from itertools import product

import pytest

from astragal.games.burning_wheel.conflicts.duel_of_wits.matrix import actions
from astragal.games.burning_wheel.conflicts.scripting import CarriedEffect, Until
from astragal.lab.duel_volleys import Between, Load, Volleys
from astragal.play import Line
from lab.duels import DEBATE, small_hall, walked


def waits(side: int, amount: int, until: Until, is_obstacle: bool = False) -> CarriedEffect:
    label = {(Until.ROLL, False): "failed Incite", (Until.ACTION, True): "Obfuscate"}
    return CarriedEffect(
        side,
        until,
        Line(amount, label.get((until, is_obstacle), "lost Obfuscate"), ""),
        is_obstacle,
    )


POSITIONS = {
    "nothing": Between(),
    "dice and an obstacle": Between(
        (waits(0, 2, Until.ROLL), waits(1, 1, Until.ACTION, True)), (0, 0)
    ),
    "both have dice": Between((waits(0, 1, Until.ACTION), waits(1, 2, Until.ROLL)), (0, 0)),
    "Ann sits out": Between((waits(0, 1, Until.ROLL),), (1, 0)),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_every_pair_of_cards_leads_to_what_the_whole_volley_leads_to(name):
    table, between = small_hall(3, 2, (2, 1)), POSITIONS[name]
    volleys = Volleys(DEBATE, table)
    for cards in product(actions(), repeat=2):
        shown = tuple("" if lost else card for card, lost in zip(cards, between.owed, strict=True))
        usual = volleys.usual(between, cards)
        assert usual == volleys.split(shown, volleys.loads(between, shown))
        found = volleys.outcomes(between, cards, usual)
        expected = walked(table, between, cards, usual)
        assert found == pytest.approx(expected), cards


def test_a_rebuttal_may_be_divided_in_every_way():
    table = small_hall(4, 3)
    volleys = Volleys(DEBATE, table)
    for cards, ways in {
        ("rebuttal", "point"): ([1, 2, 3], [0]),
        ("rebuttal", "rebuttal"): ([1, 2, 3], [1, 2]),
        ("rebuttal", "incite"): ([0], [0]),
        ("feint", "rebuttal"): ([0], [0]),
    }.items():
        assert volleys.ways(Between(), cards) == ways
        for split in product(*ways):
            expected = walked(table, Between(), cards, split)
            assert volleys.outcomes(Between(), cards, split) == pytest.approx(expected), split
    # A die more waits for the next roll, and who sits out shows no card.
    more = Between((waits(0, 1, Until.ROLL),))
    assert volleys.ways(more, ("rebuttal", "dismiss")) == ([1, 2, 3, 4], [0])
    assert volleys.ways(Between((), (0, 1)), ("rebuttal", "point")) == ([0], [0])


def test_a_rebuttal_is_divided_where_it_gains_most():
    table = small_hall(5, 4)
    volleys = Volleys(DEBATE, table)
    nothing = Load(), Load()

    def gain(cards: tuple[str, str], defence: int) -> float:
        odds = walked(table, Between(), cards, (defence, 0))
        return sum(chance * (losses[1] - losses[0]) for (losses, _), chance in odds.items())

    for card in ("point", "dismiss", "obfuscate"):
        best, _ = volleys.split(("rebuttal", card), nothing)
        gains = {defence: gain(("rebuttal", card), defence) for defence in range(1, 5)}
        assert gains[best] == pytest.approx(max(gains.values())), card


def test_dice_beyond_the_most_are_not_counted():
    volleys = Volleys(DEBATE, small_hall())  # Will 1, so at most 4
    much = Between((waits(0, 4, Until.ROLL),))
    for _, after in volleys.outcomes(much, ("feint", "incite"), (0, 0)):
        assert all(each.line.amount <= 4 for each in after.carried)
