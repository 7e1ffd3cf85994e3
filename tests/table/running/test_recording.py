"""What the log keeps of a fact and of a change."""

from __future__ import annotations

import msgspec

from astragal.games import game_named
from astragal.games.burning_wheel.conflicts.duel_of_wits.bodies import BodyOfArgument
from astragal.games.burning_wheel.conflicts.scripting import VolleyCards
from astragal.games.burning_wheel.sheet.scene import Series
from astragal.games.game import SCENE
from astragal.play import Change, Noted, Tally
from astragal.table.log.items import ChangedItem, ToldItem
from astragal.table.log.state import Restorable
from astragal.table.running.recording import changed, told
from astragal.table.secrecy.audiences import Readers
from astragal.table.secrecy.known_scene import openly


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


def test_a_change_among_things_with_lists_of_their_own_is_made_to_what_all_know():
    """One of two open series ends, while a third is the GM's secret."""
    game = game_named("burning_wheel")
    kept, ends = Series("The siege", ("mara", "jon")), Series("The trial", ("mara",))
    secret = Series("The plot", ("jon",))
    plain = [msgspec.json.decode(msgspec.json.encode(each)) for each in (kept, ends, secret)]
    change = changed(
        Change(SCENE, "series", (kept, ends, secret), (kept, secret), "rule"),
        game,
        Readers({}, frozenset()),
    )
    standing = Restorable(scene={"series": plain}, known_scene={"series": plain[:2]})
    (told,) = openly(standing, (change,), game, ())
    assert isinstance(told, ChangedItem)
    assert told.known == (plain[:2], plain[:1])
