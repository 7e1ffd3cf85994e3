"""What facts say of how they are drawn, so that a page can draw a game that it does not know."""

from __future__ import annotations

import re

import pytest

from astragal.games.burning_wheel.conflicts.duel_of_wits.bodies import BodyOfArgument
from astragal.games.burning_wheel.sheet import facts as burning_wheel
from astragal.games.cores import facts as cores
from astragal.games.percentile import facts as percentile
from astragal.games.signs import facts as signs
from astragal.play import Fact, Tally

SUM = Tally.of(4, "Sword", "some.rule")

UNFOLDED = [
    burning_wheel.DiceGathered("Ann", SUM, SUM),
    burning_wheel.DiceGathered("Ann", SUM),
    BodyOfArgument("Ann", SUM),
    cores.TestAnnounced("Ann", "skate", "Physical", SUM),
    cores.TestAnnounced("Ann", "", "Physical", None),
    cores.DiceFell("Ann", SUM),
    cores.DiceRerolled("Ann", SUM, 2),
    percentile.TestAnnounced("Ann", "Scrutiny", SUM, "read the letter"),
    signs.DiceGathered("Ann", ("2d6",), SUM, 1),
    signs.DiceGathered("Ann", ("2d6",), Tally(), 0),
]


@pytest.mark.parametrize("fact", UNFOLDED)
def test_pattern_is_the_sentence_with_its_tallies_left_open(fact: Fact) -> None:
    tallies = {
        name: value
        for name in fact.__struct_fields__
        if isinstance(value := getattr(fact, name), Tally) and value.lines
    }
    assert set(re.findall(r"\{(\w+)\}", fact.pattern)) == set(tallies)
    said = fact.sentence()
    assert all(piece in said for piece in re.split(r"\{\w+\}", fact.pattern))


@pytest.mark.parametrize(
    ("pool", "outcome"),
    [
        (
            burning_wheel.DiceGathered("Ann", SUM),
            burning_wheel.TestCame("Ann", 2, "Success.", True),
        ),
        (cores.DiceGathered("Ann", "2d8", (), SUM), cores.TestCame("Ann", 12, 9, True)),
        (
            percentile.TestAnnounced("Ann", "Scrutiny", SUM),
            percentile.TestCame("Ann", 12, 40, True, 2),
        ),
        (signs.DiceGathered("Ann", ("2d6",), SUM, 0), signs.TestCame("Ann", 1, 1, "Success.")),
    ],
    ids=["burning_wheel", "cores", "percentile", "signs"],
)
def test_each_game_tells_apart_what_is_thrown_and_how_it_came_out(
    pool: Fact, outcome: Fact
) -> None:
    assert (pool.role, pool.headline) == ("pool", "Ann")
    assert (outcome.role, outcome.cards, outcome.bars) == ("outcome", (), ())
