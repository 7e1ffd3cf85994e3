"""Boons and Banes: given, limited, used up, lapsed, and used after the fact."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.signs.sheet import Bane, Boon
from games.signs.playing import Played, play, rules_test, table_of

ANA = {"scores": "D8 D6 D6 D6", "signs": {"Stag": "D6: Climber"}}


def names(played: Played, kind: str = "boons", character: str = "ana") -> list[str]:
    return [each.name for each in getattr(played.table.character(character), kind)]


# --- Boons ---------------------------------------------------------------------------------


@pytest.mark.rules("signs.boon.grant", "signs.boon.conditions", "signs.boon_bane.other_rolls")
def test_the_gm_grants_a_boon_with_whatever_limits():
    table = table_of(ana=ANA)
    plain = play(table, "grant_boon", character="ana", name="a map")
    assert plain.table.character("ana").boons == (Boon("a map"),)
    assert "Ana gains the Boon “a map”" in plain.told
    limited = play(
        plain.table,
        "grant_boon",
        character="ana",
        name="the moon's favour",
        condition="by night",
        until="dawn",
        other_rolls=True,
    )
    granted = Boon("the moon's favour", "by night", "dawn", True)
    assert limited.table.character("ana").boons == (Boon("a map"), granted)


@pytest.mark.rules("signs.boon.grant", "signs.bane.impose")
@pytest.mark.parametrize("procedure", ["grant_boon", "impose_bane"])
def test_only_player_characters_get_any_and_each_has_a_name_of_its_own(procedure: str):
    table = table_of(ana=ANA, guard={"npc": True})
    with pytest.raises(NotAllowed, match=r"signs\.amb\.npc_tests"):
        play(table, procedure, character="guard", name="a map")
    for bad in ("", "  ", "none"):
        with pytest.raises(BadInput, match="a name for it"):
            play(table, procedure, character="ana", name=bad)
    twice = play(table, procedure, character="ana", name="a map").table
    twice = play(twice, procedure, character="ana", name="A map").table
    sheet = twice.character("ana")
    assert [each.name for each in sheet.boons + sheet.banes] == ["a map", "A map (2)"]


@pytest.mark.rules("signs.boon.effect")
def test_a_boon_waits_until_the_player_wants_it_and_is_then_gone():
    table = table_of(ana={**ANA, "boons": ["a map"]})
    kept = rules_test(table, [[1, 1]], goal="first")
    assert names(kept) == ["a map"]
    used = rules_test(kept.table, [[1, 1], [6]], {"boon": "a map"}, goal="second")
    assert used.outcome.modifiers.total == 1
    assert used.outcome.successes == 1
    assert names(used) == []
    assert "boon" not in rules_test(used.table, [[1, 1]], goal="third").keys


@pytest.mark.rules("signs.boon.one_per_test")
@pytest.mark.parametrize(
    "answers", [{"boon": "a map"}, {"boon_after": "a map", "boon_die": "score"}]
)
def test_one_boon_a_test_before_and_after_the_roll_together(answers: dict[str, Any]):
    """signs.amb.boon_one_per_test_conditional."""
    table = table_of(ana={**ANA, "boons": ["a map", "new boots", "a song"]})
    played = rules_test(table, [[1, 1], [1]], answers)
    assert names(played) == ["new boots", "a song"]
    assert played.keys.count("boon") == 1
    assert played.keys.count("boon_after") == ("boon_after" in answers)


@pytest.mark.rules("signs.boon.conditions")
@pytest.mark.parametrize("holds", [True, False])
def test_a_boon_with_conditions_can_be_used_only_when_they_hold(holds: bool):
    boon = {"name": "the moon's favour", "condition": "by night"}
    table = table_of(ana={**ANA, "boons": [boon]})
    answers = {"boon_conditions": ["the moon's favour"] if holds else []}
    played = rules_test(table, [[1, 1]], answers)
    assert ("boon" in played.keys) == holds
    assert [ask.seat for ask in played.asked if ask.key == "boon_conditions"] == ["gm"]
    # What was said about the circumstances is what the GM is offered.
    said = rules_test(table, [[1, 1]], circumstances=["By Night"] if holds else ["at noon"])
    assert ("boon" in said.keys) == holds


@pytest.mark.rules("signs.boon.expiry", "signs.bane.limits")
def test_what_has_no_time_limit_stays_and_what_has_one_lapses():
    given = ["for good", {"name": "for the scene", "until": "scene"}]
    given += [{"name": "till dawn", "until": "dawn"}, {"name": "this time", "until": "scenario"}]
    table = table_of(ana={**ANA, "boons": given, "banes": given}, bo={"boons": given})
    scene = play(table, "end_scene")
    for kind, who in (("boons", "ana"), ("banes", "ana"), ("boons", "bo")):
        assert names(scene, kind, who) == ["for good", "till dawn", "this time"]
    assert scene.outcome.lapsed == ("ana: for the scene", "ana: for the scene", "bo: for the scene")
    dawn = play(table, "time_passes", reached=" Dawn")
    assert names(dawn) == names(dawn, "banes") == ["for good", "for the scene", "this time"]
    assert "“till dawn” lapses for Ana" in dawn.told
    over = play(table, "end_scenario")
    assert names(over) == names(over, "banes") == ["for good", "till dawn"]
    nothing = play(table, "time_passes", reached="the tide")
    assert nothing.table == table
    with pytest.raises(BadInput, match="the moment reached"):
        play(table, "time_passes", reached="")


@pytest.mark.rules("signs.boon.expiry")
def test_a_boon_without_a_time_limit_outlasts_any_number_of_scenes():
    table = table_of(ana={**ANA, "boons": ["a map"]})
    for name in ("end_scene", "end_scene", "end_scenario"):
        table = play(table, name).table
    assert [boon.name for boon in table.character("ana").boons] == ["a map"]


@pytest.mark.rules("signs.boon.retroactive")
def test_after_the_result_a_boon_rerolls_one_die():
    table = table_of(ana={**ANA, "boons": [{"name": "a map", "until": "dawn"}]})
    played = rules_test(
        table, [[3, 5], [6]], {"boon_after": "a map", "boon_die": "tag"}, tags=["Climber"]
    )
    assert played.rolled == ["(d8, d6)", "d6"]
    assert (played.outcome.successes, played.outcome.boon_used) == (1, "a map")
    assert names(played) == []
    # No Advantage was cancelled or gained by it: it is a reroll and nothing else.
    assert played.outcome.modifiers.total == 0


@pytest.mark.rules("signs.boon.retroactive")
def test_the_new_face_of_a_boon_stands_as_any_reroll_does():
    table = table_of(ana={**ANA, "boons": ["a map"]})
    answers = {"boon_after": "a map", "boon_die": "score"}
    assert rules_test(table, [[8, 1], [2]], answers).outcome.successes == 0


@pytest.mark.rules("signs.boon.retroactive")
def test_a_die_that_was_rerolled_is_not_rerolled_by_a_boon():
    """signs.amb.boon_after_adv."""
    table = table_of(ana={**ANA, "boons": ["a map"]})
    one = rules_test(
        table, [[1, 1], [1], [1]], {"reroll": "score", "boon_after": "a map"}, advantages=["a rope"]
    )
    assert one.rolled == ["(d8, d4)", "d8", "d4"]
    assert "boon_die" not in one.keys  # only one die is left to choose
    both = rules_test(
        table,
        [[1, 1], [1], [1]],
        {"reroll#1": "score", "reroll#2": "tag"},
        advantages=["a rope", "daylight"],
    )
    assert "boon_after" not in both.keys
    assert names(both) == ["a map"]


@pytest.mark.rules("signs.boon.retroactive")
@pytest.mark.parametrize(
    ("hindered", "rolled"), [(["rain"], ["d8", "d8"]), (["rain", "darkness"], ["d6", "d6"])]
)
def test_after_a_roll_with_disadvantage_the_one_die_rolled_is_rerolled(
    hindered: list[str], rolled: list[str]
):
    """signs.amb.boon_after_dis: the die taken away stays away."""
    table = table_of(ana={**ANA, "boons": ["a map"]})
    played = rules_test(table, [[1], [6]], {"boon_after": "a map"}, disadvantages=hindered)
    assert played.rolled == rolled
    assert played.outcome.successes == 1


@pytest.mark.rules("signs.boon.effect", "signs.mod.cancel")
def test_before_the_roll_a_boon_brings_back_the_die_that_disadvantage_would_take():
    table = table_of(ana={**ANA, "boons": ["a map"]})
    played = rules_test(table, [[1, 1]], {"boon": "a map"}, disadvantages=["rain"])
    assert played.rolled == ["(d8, d4)"]


# --- Banes ---------------------------------------------------------------------------------


@pytest.mark.rules("signs.bane.impose", "signs.bane.limits", "signs.boon_bane.other_rolls")
def test_the_gm_imposes_a_bane_with_whatever_limits():
    imposed = play(
        table_of(ana=ANA),
        "impose_bane",
        character="ana",
        name="a fever",
        condition="in the cold",
        until="dawn",
        other_rolls=True,
    )
    assert imposed.table.character("ana").banes == (Bane("a fever", "in the cold", "dawn", True),)
    assert "Ana suffers the Bane “a fever” (when: in the cold), until dawn" in imposed.told


@pytest.mark.rules("signs.bane.effect")
def test_a_bane_is_forced_on_the_next_test_and_nobody_is_asked():
    table = table_of(ana={**ANA, "banes": ["no sleep"]})
    played = rules_test(table, [[1]])
    assert played.outcome.banes_used == ("no sleep",)
    assert played.outcome.modifiers.total == -1
    assert not any("bane" in key for key in played.keys if key != "failure_bane")
    assert names(played, "banes") == []
    assert rules_test(played.table, [[1, 1]], goal="next").outcome.modifiers.total == 0


@pytest.mark.rules("signs.bane.limits")
def test_banes_whose_conditions_are_not_met_wait():
    """signs.amb.many_banes: all that count, count at once."""
    banes = ["no sleep", {"name": "a fever", "condition": "in the cold"}]
    table = table_of(ana={**ANA, "banes": banes})
    warm = rules_test(table, [[1]], goal="first")
    assert warm.outcome.modifiers.total == -1
    assert names(warm, "banes") == ["a fever"]
    cold = rules_test(warm.table, [[1]], goal="second", circumstances=["in the cold"])
    assert cold.outcome.banes_used == ("a fever",)
    assert names(cold, "banes") == []
    both = rules_test(table, [[1]], {"bane_conditions": ["a fever"]}, goal="third")
    assert both.outcome.modifiers.total == -2
    assert names(both, "banes") == []


@pytest.mark.rules("signs.bane.effect")
def test_a_helpers_bane_is_not_touched():
    friend = {"signs": {"Owl": "D6: Lookout"}, "banes": ["cold"], "boons": ["a map"]}
    table = table_of(ana=ANA, bo=friend)
    played = rules_test(table, [[1, 1], [1]], {"bo/help": "Lookout"}, helpers=["bo"])
    assert played.outcome.modifiers.total == 1
    assert played.table.character("bo") == table.character("bo")
