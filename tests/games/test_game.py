"""What every game offers through the one small interface, and what it refuses."""

from __future__ import annotations

import msgspec
import pytest

from astragal.errors import BadInput
from astragal.games import game_named, games

PERCENTILE = game_named("percentile")


def sheet(name: str = "Ann"):
    return PERCENTILE.read_sheet({"name": name, "characteristics": {"Agility": 30}}, name)


def test_games_and_procedures_are_found_by_name_or_the_near_ones_named():
    assert set(games()) == {"burning_wheel", "cores", "percentile", "signs"}
    with pytest.raises(BadInput, match="found 'cors', expected one of cores"):
        game_named("cors")
    with pytest.raises(BadInput, match=r"a procedure of percentile: (.* or )?opposed_test"):
        PERCENTILE.procedure("oposed_test")


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)
def test_what_people_call_a_test_is_there(game):
    assert game.main_test in game.procedures


@pytest.mark.parametrize("name", ["scene", "gm"])
def test_the_scene_and_the_gm_are_no_characters(name):
    with pytest.raises(BadInput, match=rf"characters\.{name}.*another name"):
        PERCENTILE.table({name: sheet()})


def test_equal_tables_have_one_hash():
    one = PERCENTILE.table({"ann": sheet("Ann"), "ben": sheet("Ben")})
    two = PERCENTILE.table({"ben": sheet("Ben"), "ann": sheet("Ann")})
    assert one == two
    assert hash(one) == hash(two)
    assert one != PERCENTILE.table({"ann": sheet("Ann")})


def test_nobody_is_changed_who_is_not_there():
    table = PERCENTILE.table({"ann": sheet()})
    for step in (
        table.amend("zoe", "name", "Zoe", because="x"),
        table.add("zoe", "characteristics.Ag", 1, because="x"),
    ):
        with pytest.raises(BadInput, match="found 'zoe', expected one of ann"):
            next(step)


def test_an_amendment_is_one_change_and_none_where_nothing_changes():
    table = PERCENTILE.table({"ann": sheet()})
    (change,) = amended = list(table.amend("ann", "name", "Anna", because="x"))
    assert (change.before, change.after) == ("Ann", "Anna")
    assert table.changed(*amended).character("ann").name == "Anna"
    assert list(table.amend("ann", "name", "Ann", because="x")) == []


def ended(step):
    """What a step comes to."""
    try:
        while True:
            next(step)
    except StopIteration as end:
        return end.value


def test_the_same_amendments_lead_to_the_same_sheets_in_any_order():
    table = PERCENTILE.table({"ann": sheet(), "ben": sheet("Ben")})

    def renamed(at, who, name):
        return ended(at.amend(who, "name", name, because="x"))

    one = renamed(renamed(table, "ann", "Anna"), "ben", "Benno")
    two = renamed(renamed(table, "ben", "Benno"), "ann", "Anna")
    assert one == two
    for who, name in (("ann", "Anna"), ("ben", "Benno")):
        assert one.character(who) is two.character(who)
        assert one.character(who).name == name
    assert renamed(one, "ann", "Hanna").character("ann").name == "Hanna"
    assert table.character("ann").name == "Ann"


def test_an_amendment_may_be_to_a_mapping():
    table = PERCENTILE.table({"ann": sheet()})
    higher = {"Agility": 40}
    once, again = (ended(table.amend("ann", "characteristics", higher, because="x")) for _ in "ab")
    assert once == again != table
    assert once.character("ann").characteristics == higher


def test_a_sheet_is_a_table_with_fields():
    for raw in (None, 3, "ann", []):
        with pytest.raises(BadInput, match=r"ann: .*a sheet, with at least a name"):
            PERCENTILE.read_sheet(raw, "ann")


def test_who_sits_there_is_named_by_the_characters_that_all_know_of():
    sheets = {
        key: PERCENTILE.read_sheet({"name": name, "player": player}, key)
        for key, name, player in (
            ("ann", "Ann", "p"),
            ("spy", "Zarquon", "p"),
            ("lurk", "Lurk", "q"),
            ("boss", "The Boss", "gm"),
        )
    }
    table = PERCENTILE.table(sheets)
    assert [table.who(seat) for seat in ("p", "q", "gm")] == ["Ann and Zarquon", "Lurk", "The GM"]
    discreet = msgspec.structs.replace(table, hidden=frozenset({"spy", "lurk"}))
    (change,) = discreet.amend("ann", "name", "Anna", because="x")
    for said in (
        discreet,
        discreet.changed(),
        _after(discreet.amend("scene", "strides", (), because="x")),
    ):
        assert [said.who(seat) for seat in ("p", "q", "gm")] == ["Ann", "q", "The GM"]
    assert discreet.changed(change).who("p") == "Anna"
    assert _after(discreet.amend("ann", "name", "Anna", because="x")).who("p") == "Anna"


def _after(step):
    """The table that a step goes on with."""
    try:
        while True:
            next(step)
    except StopIteration as over:
        return over.value
