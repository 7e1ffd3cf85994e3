"""A fight that follows on Range and Cover: whose missile weapon is ready, and who names what."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from games.burning_wheel.fighting import fight, fighter, ring
from games.burning_wheel.skirmishing import archer, field, skirmish

BLOCKS = ("stay", "block") * 3


def come(ready: str, rolls: list, weapon: str = "hunting bow", **more):
    """Ann comes with a bow that was ready, or not; the first test has these successes."""
    people = [
        {"fighters": [{"character": "ann", "weapon": weapon, "ready": ready}]},
        {"fighters": [{"character": "bob"}]},
    ]
    blocks = {"ann": [BLOCKS], "bob": [BLOCKS]}
    return fight(blocks, rolls, more, ring(ann=fighter(weapon)), sides=people)


@pytest.mark.rules("range_and_cover.lastditch.won_or_tied")
@pytest.mark.parametrize(("ready", "said"), [("ready", "ready"), ("unloaded", "not ready")])
def test_what_was_ready_at_range_is_ready_in_the_melee(ready, said):
    told = come(ready, [1, 2]).told
    assert f"Ann's hunting bow is {said}." in told


@pytest.mark.rules(
    "range_and_cover.lastditch.lost_then_melee_win",
    "range_and_cover.lastditch.lost_then_melee_loss",
    "range_and_cover.tcts.then_melee_position",
)
@pytest.mark.parametrize(
    ("rolls", "ready"), [([2, 1], True), ([1, 1], True), ([1, 2], False)], ids=str
)
def test_who_lost_at_range_is_ready_unless_the_melee_test_is_lost_too(rolls, ready):
    played = come("by_melee_positioning", rolls)
    assert ("Ann's hunting bow is ready." in played.told) is ready
    # Who wins or ties names the distance himself.
    assert played.seats["starting_distance"] == ("ann" if ready else "bob")


def test_a_crossbow_that_is_not_ready_is_not_loaded():
    played = come("by_melee_positioning", [1, 2], "crossbow")
    assert not played.table.character("ann").weapons[0].loaded
    kept = come("by_melee_positioning", [2, 1], "crossbow")
    assert kept.table.character("ann").weapons[0].loaded


def test_who_wins_the_melee_test_begins_loaded_even_after_an_earlier_shot():
    spent = fighter("crossbow", weapons=[{"weapon": "crossbow", "loaded": False}])
    people = [
        {"fighters": [{"character": "ann", "weapon": "crossbow", "ready": "by_melee_positioning"}]},
        {"fighters": [{"character": "bob"}]},
    ]
    blocks = {"ann": [BLOCKS], "bob": [BLOCKS]}
    for rolls, loaded in (([2, 1], True), ([1, 2], False)):
        played = fight(blocks, rolls, {}, ring(ann=spent), sides=people)
        assert played.table.character("ann").weapons[0].loaded is loaded


@pytest.mark.rules("range_and_cover.use.any_shooter")
def test_who_throws_names_the_distance_after_a_tie_as_a_bowman_does():
    played = come("by_melee_positioning", [1, 1], "throwing knife")
    assert played.seats["starting_distance"] == "ann"
    assert "ready" not in played.told.split("first positioning")[-1].split("starting")[0]


def test_an_arrow_that_was_held_is_on_the_string_in_the_first_test():
    """A loaded bow is a longest weapon and gives two dice (fight.missile.loaded_bow_length)."""
    held, shot = come("ready", [1, 2]), come("unloaded", [1, 2])
    dice = [each.rolls[0].expression.dice.total for each in (held, shot)]
    assert "hunting bow" in held.told.split("Ann's hunting bow is ready.")[0]
    assert dice[0] == 4 + 2
    assert dice[1] < dice[0]


def test_the_outcome_of_a_skirmish_is_what_a_fight_takes():
    """Field by field: character, weapon and ready of everybody who goes on into the melee."""
    close = ["speed_close"] * 3
    stay = ["speed_maintain"] * 3
    answers = {"ann/shoot": "hold"}
    at = field(archer(), archer())
    played = skirmish([close], [stay], [3, 0], answers, at)
    assert (played.outcome.settled, played.outcome.follows) == ("melee", "fight")
    people = [
        {"fighters": [{"character": e.character, "weapon": e.weapon, "ready": e.ready}]}
        for e in played.outcome.skirmishers
    ]
    assert {e.ready for e in played.outcome.skirmishers} == {"ready", "by_melee_positioning"}
    # Her bow has helped in the first test, so she does something with it.
    shoots = ("stay", "draw_bow", "draw_bow", "stay", "release", "stay", "block")
    went_on = fight({"ann": [shoots]}, [2, 1, 0], {}, played.table, sides=people)
    assert "Ann's hunting bow is ready." in went_on.told
    assert "Bob's hunting bow is not ready." in went_on.told


def test_another_word_is_refused():
    with pytest.raises(BadInput, match="by_melee_positioning"):
        come("perhaps", [1, 2])
