"""Whom Circles can reach, and how hard the search is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.circles.search_obstacle import station_modifier
from astragal.games.burning_wheel.circles.searches import suggested_circles
from astragal.rules import catalogue
from games.burning_wheel.playing import sheet, table
from games.burning_wheel.seeking import at_court, knight, seek

# --- The ability ---------------------------------------------------------------------------


@pytest.mark.rules("circles.ability.one_rating")
def test_there_is_one_circles_ability_for_all_acquaintance():
    with pytest.raises(BadInput, match="circles"):
        sheet(circles=["B3", "B2"])
    with pytest.raises(BadInput, match="a unique name"):
        sheet(circles="B3", skills={"Circles": "B4"})
    assert seek(at_court(skills={"Court-wise": "B6"})).outcome.dice.total == 4


@pytest.mark.rules("circles.ability.root")
def test_circles_are_rooted_in_will_and_entered_by_hand():
    for will, circles in (("B1", 0), ("B4", 2), ("B5", 2), ("B8", 4)):
        assert suggested_circles(sheet(stats={"Will": will})) == circles
    with pytest.raises(BadInput, match=r"circles: found nothing.*as in B2 by Will"):
        seek(table(knight={"stats": {"Will": "B5"}}))


# --- Scope ---------------------------------------------------------------------------------


@pytest.mark.rules("circles.scope.lifepaths", "circles.scope.narration")
def test_a_lifepath_opens_its_own_circle_to_whoever_can_tell_how():
    run = seek(through="knight", how="rode with them in the war")
    assert run.outcome.found
    assert "Knight may know such a person: rode with them in the war." in run.told
    assert "could_know" not in run.asked
    with pytest.raises(BadInput, match=r"through: found 'Beggar', expected .*Knight, Page"):
        seek(through="Beggar")
    with pytest.raises(BadInput, match="how: found ''"):
        seek(how="")


@pytest.mark.rules("circles.scope.indirect")
def test_other_lifepaths_of_a_setting_may_be_sought():
    assert seek(through="", setting="noble court").outcome.found
    assert seek(through="Knight", setting="Noble").outcome.found


@pytest.mark.rules("circles.scope.leads")
def test_leads_decide_where_there_is_doubt_and_not_the_gm():
    run = seek(through="", setting="Outcast", rolls=[4])
    assert run.outcome.found
    assert "could_know" not in run.asked


@pytest.mark.rules("circles.scope.out_of_reach")
def test_people_without_any_connection_cannot_be_sought():
    for through in ("", "Knight"):
        with pytest.raises(NotAllowed, match=r"Nothing connects .*circles.scope.out_of_reach"):
            seek(through=through, setting="Seafaring")
    with pytest.raises(NotAllowed, match=r"circles.scope.out_of_reach"):
        seek(through="")


@pytest.mark.rules("circles.scope.out_of_reach")
def test_without_lifepaths_on_the_sheet_it_is_the_gms_word():
    at = table(knight={"circles": "B4"})
    run = seek(at, through="")
    assert run.seats["could_know"] == "gm"
    with pytest.raises(NotAllowed, match=r"circles.scope.out_of_reach"):
        seek(at, through="", answers={"could_know": False})


@pytest.mark.rules("circles.scope.out_of_reach")
@pytest.mark.parametrize(
    "said", [{"through": "Knight"}, {"through": "", "setting": "Noble"}, {"through": "The Order"}]
)
def test_the_gm_may_rule_that_nothing_leads_to_such_a_person(said: dict[str, str]):
    """A king is out of reach however the player puts it; by default nobody is."""
    at = at_court(affiliations=[{"name": "The Order", "dice": 1, "scope": "the order"}])
    sought = {**said, "sought": "the king of the sea"}
    run = seek(at, **sought)
    assert run.outcome.found
    assert run.seats["occupation"] == "gm"
    with pytest.raises(NotAllowed, match=r"Nothing connects .*circles.scope.out_of_reach"):
        seek(at, **sought, answers={"occupation": "out_of_reach"})


@pytest.mark.rules("circles.scope.leads", "circles.scope.out_of_reach")
def test_a_setting_that_is_left_out_is_that_of_the_lifepath():
    """So it is no easier to leave it out: one's own is common, a lead outside the circle."""
    assert seek(through="Knight").outcome.obstacle.total == 1
    assert seek(through="Knight", setting="Noble Court").outcome.obstacle.total == 1
    assert seek(through="Knight", setting="Outcast", rolls=[4]).outcome.obstacle.total == 4
    gm = {"occupation": "specific"}
    assert seek(through="Knight", answers=gm, rolls=[4]).outcome.obstacle.total == 4


@pytest.mark.rules("circles.infamy.opens_circles")
def test_infamy_opens_other_circles():
    infamous = [{"name": "Deserter", "dice": 2, "infamous": True, "scope": "the navy"}]
    at = at_court(reputations=infamous)
    with pytest.raises(NotAllowed, match="out_of_reach"):
        seek(at, through="", setting="Pirates")
    run = seek(at, through="Deserter", setting="Pirates", circle="pirates", occupation="common")
    assert run.outcome.found


# --- The obstacle --------------------------------------------------------------------------


@pytest.mark.rules("circles.test.base_obstacle")
def test_somebody_ordinary_is_found_at_obstacle_1():
    run = seek()
    assert [line.amount for line in run.outcome.obstacle] == [1]


@pytest.mark.rules(
    "circles.test.occupation",
    "circles.test.place",
    "circles.test.disposition",
    "circles.test.time",
)
@pytest.mark.parametrize(
    ("more", "obstacle"),
    [
        ({"occupation": "common"}, 1),
        ({"occupation": "uncommon"}, 3),
        ({"occupation": "specific"}, 4),
        ({"place": "anywhere"}, 1),
        ({"place": "local"}, 2),
        ({"place": "specific", "place_name": "the Baron's household"}, 4),
        ({"disposition": "common"}, 1),
        ({"disposition": "different"}, 3),
        ({"disposition": "specific"}, 4),
        ({"time": "eventually"}, 1),
        ({"time": "soon"}, 2),
        ({"time": "now"}, 4),
    ],
)
def test_every_row_of_the_table_adds_to_the_obstacle(more: dict[str, Any], obstacle: int):
    assert seek(**more).outcome.obstacle.total == obstacle


@pytest.mark.rules("circles.test.station")
@pytest.mark.parametrize(
    ("station", "more"),
    [
        ("same", 0),
        ("higher_1", 1),
        ("higher_2", 2),
        ("higher_3", 3),
        ("lower_1", 1),
        ("lower_2", 2),
        ("lowest", 2),
        ("highest", 3),
    ],
)
def test_station_costs_one_for_each_step_up_to_the_extremes(station: str, more: int):
    """circles.amb.station_gaps."""
    assert seek(station=station).outcome.obstacle.total == 1 + more
    assert station_modifier(station).most == more


@pytest.mark.slow
@pytest.mark.rules("circles.test.add_modifiers")
@given(
    st.sampled_from([("common", 0), ("uncommon", 2), ("specific", 3)]),
    st.sampled_from([("same", 0), ("lower_1", 1), ("lowest", 2), ("highest", 3)]),
    st.sampled_from([("anywhere", 0), ("local", 1), ("specific", 3)]),
    st.sampled_from([("common", 0), ("different", 2), ("specific", 3)]),
    st.sampled_from([("eventually", 0), ("soon", 1), ("now", 3)]),
)
def test_the_obstacle_is_one_and_all_that_applies(
    occupation: Any, station: Any, place: Any, disposition: Any, time: Any
):
    run = seek(
        occupation=occupation[0],
        station=station[0],
        place=place[0],
        place_name="the Blue Boar",
        disposition=disposition[0],
        time=time[0],
    )
    paid = [row[1] for row in (occupation, station, disposition, place, time)]
    assert run.outcome.obstacle.total == 1 + sum(paid)
    assert [line.amount for line in run.outcome.obstacle] == [1, *(p for p in paid if p)]


@pytest.mark.rules("circles.test.add_modifiers")
def test_the_gm_rules_on_who_is_sought_and_the_player_chooses_place_and_time():
    run = seek(answers={"occupation": "specific", "station": "highest", "disposition": "specific"})
    assert run.outcome.obstacle.total == 10
    assert {run.seats[key] for key in ("occupation", "station", "disposition")} == {"gm"}
    assert not {"place", "time"} & {*run.asked}


@pytest.mark.parametrize(
    ("custom", "answers", "more"),
    [
        ("plus_2_ob", {}, 2),
        ("plus_2_ob", {"how_different": 1}, 1),
        ("plus_1_ob", {}, 1),
        ("plus_1_ob", {"how_different": 2}, 2),
        ("gm_each_time", {}, 2),
        ("gm_each_time", {"how_different": 1}, 1),
    ],
)
def test_the_gm_says_how_much_a_different_mind_adds_and_a_custom_what_it_usually_is(
    custom: str, answers: Any, more: int
):
    """circles.amb.disposition_range."""
    at = at_court(options={"circles_different_disposition": custom})
    run = seek(at, disposition="different", answers=answers)
    assert run.outcome.obstacle.total == 1 + more
    assert "how_different" in run.asked
    assert "how_different" not in seek(at, disposition="specific").asked


@pytest.mark.rules("circles.test.occupation_city_village")
@pytest.mark.parametrize(
    ("own", "setting", "unlawful", "obstacle"),
    [
        ("City Dweller", "City Dweller", False, 1),
        ("City Dweller", "Villager", False, 1),
        ("Villager", "City Dweller", False, 1),
        ("Villager", "city dweller", True, 3),
        ("Noble", "Villager", False, 4),
        ("Noble", "Noble", True, 1),
    ],
)
def test_city_dwellers_and_villagers_know_each_others_trades(
    own: str, setting: str, unlawful: bool, obstacle: int
):
    paths = [{"name": "Born", "setting": own, "leads": ["Villager", "City Dweller"]}]
    at = at_court(lifepaths=paths)
    run = seek(at, through="", setting=setting, unlawful=unlawful)
    assert run.outcome.obstacle.total == obstacle


@pytest.mark.rules("circles.test.occupation_city_village")
@pytest.mark.parametrize(
    ("own", "other"), [("Villager", "City Dweller"), ("City Dweller", "Villager")]
)
def test_city_and_village_are_one_circle_without_any_lead(own: str, other: str):
    at = at_court(lifepaths=[{"name": "Born", "setting": own}])
    assert seek(at, through="", setting=other).outcome.obstacle.total == 1
    assert seek(at, through="Born", setting=other).outcome.obstacle.total == 1
    with pytest.raises(NotAllowed, match="out_of_reach"):
        seek(at, through="", setting="Noble")
    court = at_court(lifepaths=[{"name": "Born", "setting": "Noble"}])
    with pytest.raises(NotAllowed, match="out_of_reach"):
        seek(court, through="", setting=other)


@pytest.mark.rules("gold.circles.intent", "gold.diff.circles_scope")
def test_in_the_later_edition_city_and_village_are_two_settings():
    paths = [{"name": "Born", "setting": "Villager"}]
    at = at_court(options={"edition": "gold"}, lifepaths=paths)
    assert seek(at, through="", setting="Villager", rolls=[4]).outcome.found
    with pytest.raises(NotAllowed, match="out_of_reach"):
        seek(at, through="", setting="City Dweller")


@pytest.mark.rules("circles.test.occupation_city_village")
def test_a_criminal_is_uncommon_also_if_only_the_lifepath_is_named():
    at = at_court(lifepaths=[{"name": "Peddler", "setting": "City Dweller"}])
    assert seek(at, through="Peddler", unlawful=True).outcome.obstacle.total == 3
    assert seek(at, through="Peddler").outcome.obstacle.total == 1


@pytest.mark.rules("circles.test.occupation_city_village")
def test_a_master_burglar_is_specific_if_somebody_says_so():
    at = at_court(lifepaths=[{"name": "Peddler", "setting": "City Dweller"}])
    run = seek(at, through="Peddler", setting="City Dweller", unlawful=True, occupation="specific")
    assert run.outcome.obstacle.total == 4


# --- Again ---------------------------------------------------------------------------------

SMITH = {"name": "Wat", "sought": "a smith", "obstacle": 5, "place": "local", "time": "soon"}


@pytest.mark.rules("circles.naming.same_obstacle")
def test_searching_again_has_the_same_obstacle():
    at = at_court(contacts=[SMITH])
    again = {"contact": "wat", "through": "", "sought": "Wat", "place": "local", "time": "soon"}
    run = seek(at, occupation="specific", station="highest", disposition="specific", **again)
    assert run.outcome.obstacle.total == 5
    assert not {"occupation", "station", "disposition"} & {*run.asked}
    # Only another place or another time is reckoned anew.
    assert seek(at, **{**again, "time": "now"}).outcome.obstacle.total == 7
    assert seek(at, **{**again, "place": "anywhere"}).outcome.obstacle.total == 4


def test_the_table_of_modifiers_has_the_rows_that_the_code_names():
    rows = catalogue().table("circles.table.obstacle_modifiers").records()
    printed = {
        "base": [(1, 1)],
        "occupation": [(0, 0), (2, 2), (3, 3)],
        "station": [(0, 0), (1, 1), (2, 2), (3, 3)],
        "place": [(0, 0), (1, 1), (3, 3)],
        "disposition or knowledge": [(0, 0), (1, 2), (3, 3)],
        "time": [(0, 0), (1, 1), (3, 3)],
    }
    for category, obstacles in printed.items():
        found = [(r["ob_min"], r["ob_max"]) for r in rows if r["category"] == category]
        assert found == obstacles, category
    assert knight()["circles"] == "B4"


# --- Bad input -----------------------------------------------------------------------------


@pytest.mark.rules("circles.test.place_local", "circles.test.intent_and_task")
@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({"sought": " "}, "sought"),
        ({"intent": ""}, "intent"),
        ({"how": "x" * 401}, "how"),
        ({"place": "specific"}, "place_name"),
        ({"renown": 11}, "renown"),
        ({"person": "nobody"}, "person"),
        ({"about": "nobody"}, "about"),
        ({"contact": "Wat"}, "contact"),
        ({"wise": "History"}, "wise"),
        ({"quietly": 6}, "quietly"),
        ({"quietly": -1}, "quietly"),
        ({"occupation": "rare"}, "arguments.occupation"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(more: dict[str, Any], place: str):
    with pytest.raises(BadInput) as refused:
        seek(**more)
    assert refused.value.place == place
    assert "\n" not in str(refused.value)
