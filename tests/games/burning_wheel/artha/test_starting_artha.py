import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.artha.starting_artha import starting_artha
from astragal.games.burning_wheel.sheet.parts import Artha
from games.burning_wheel.playing import play, table


def start(method, at=None, **more):
    at = at or {"rich": {}}
    options = {"artha_starting_points": method, **more.pop("options", {})}
    arguments = {"character": next(iter(at)), **more}
    return play("start_artha", arguments, table(options=options, **at))


@pytest.mark.rules("artha.start.gritty", "artha.start.medium", "artha.start.one_shot")
@pytest.mark.parametrize(
    ("method", "artha"),
    [("gritty", Artha(1, 0, 0)), ("medium", Artha(1, 1, 1)), ("one_shot", Artha(3, 2, 1))],
)
def test_what_each_method_gives(method, artha):
    assert start(method).table.character("rich").artha == artha


@pytest.mark.rules("artha.start.by_lifepath")
def test_lifepaths_go_round_in_fives():
    kinds = "ffppdffppdffppd"
    for lifepaths in range(1, len(kinds) + 1):
        expected = Artha(*(kinds[:lifepaths].count(kind) for kind in "fpd"))
        assert starting_artha("by_lifepath", lifepaths) == expected
        assert start("by_lifepath", lifepaths=lifepaths).outcome.artha == expected
    with pytest.raises(BadInput, match="lifepaths: found 0"):
        start("by_lifepath")


@pytest.mark.rules("artha.start.by_lifepath")
def test_the_lifepaths_on_the_sheet_count_unless_a_number_is_given():
    walked = {"rich": {"lifepaths": [{"name": each} for each in ("Page", "Squire", "Knight")]}}
    assert start("by_lifepath", walked).outcome.artha == Artha(2, 1, 0)
    assert start("by_lifepath", walked, lifepaths=5).outcome.artha == Artha(2, 2, 1)


@pytest.mark.rules("artha.npc.starting")
@pytest.mark.parametrize(("custom", "deeds"), [("none", 0), ("as_player_characters", 1)])
def test_the_gms_characters_begin_without_deeds_unless_the_table_says_so(custom, deeds):
    npc = {"villain": {"npc": True}}
    options = {"artha_npc_starting_deeds": custom}
    assert start("one_shot", npc, options=options).outcome.artha == Artha(3, 2, deeds)
    more = start("one_shot", npc, options=options, extra={"fate": 1, "persona": 1})
    assert more.outcome.artha == Artha(4, 3, deeds)
    with pytest.raises(NotAllowed, match=r"artha\.npc\.starting"):
        start("one_shot", extra={"fate": 1})


@pytest.mark.rules("artha.convert.old")
@pytest.mark.parametrize(
    ("old", "buys", "fits"),
    [
        (6, {"fate": 6}, True),
        (6, {"fate": 1, "persona": 1, "deeds": 1}, True),
        (6, {"deeds": 2}, True),
        (6, {"persona": 2}, False),
        (6, {"deeds": 3}, False),
    ],
)
def test_artha_of_the_older_edition_is_exchanged(old, buys, fits):
    at = table(rich={"artha": {"fate": 1}})
    arguments = {"character": "rich", "old": old, "buys": buys}
    if not fits:
        with pytest.raises(BadInput, match="exactly 6 old points"):
            play("convert_artha", arguments, at)
        return
    before = at.character("rich").artha
    after = play("convert_artha", arguments, at).table.character("rich").artha
    gained = (after.fate - before.fate, after.persona - before.persona, after.deeds - before.deeds)
    assert gained == tuple(buys.get(kind, 0) for kind in ("fate", "persona", "deeds"))


@pytest.mark.rules("artha.convert.old", "artha.npc.starting")
def test_nobody_begins_with_less_than_no_points():
    at = table(rich={}, villain={"npc": True})
    traded = {"character": "rich", "old": 1, "buys": {"fate": -1, "persona": 1}}  # worth 1 in all
    with pytest.raises(BadInput, match=r"buys\.fate: found -1, expected 0 or more"):
        play("convert_artha", traded, at)
    with pytest.raises(BadInput, match=r"extra\.persona: found -1, expected 0 or more"):
        play("start_artha", {"character": "villain", "extra": {"persona": -1}}, at)
