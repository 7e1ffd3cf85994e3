"""What the log keeps of a fact."""

from __future__ import annotations

from astragal.games.burning_wheel.conflicts.duel_of_wits.bodies import BodyOfArgument
from astragal.games.burning_wheel.conflicts.scripting import VolleyCards
from astragal.play import Noted, Tally
from astragal.table.log.items import ToldItem
from astragal.table.running.recording import told


def test_a_fact_brings_its_cards_bars_and_numbers_along():
    sides = (("Ann", "Point"), ("Bob", "no action"))
    shown = told(VolleyCards(1, 2, sides, "some.rule"), ("gm",))
    assert shown == ToldItem(
        "Volley 2. Ann: Point; Bob: no action.",
        "shown",
        "some.rule",
        cards=sides,
        audience=("gm",),
        headline="Volley 2",
    )
    body = told(BodyOfArgument("Ann", Tally.of(5, "Will", "some.rule")), ())
    assert (body.bars, body.cards) == ((("Ann", 5, 5),), ())
    assert [number.total for number in body.numbers] == [5]
    assert (body.role, body.pattern) == ("aside", "Ann, Body of Argument: {body}")
    plain = told(Noted("Nothing more.", "some.rule"), ())
    assert (plain.cards, plain.bars, plain.numbers) == ((), (), ())
