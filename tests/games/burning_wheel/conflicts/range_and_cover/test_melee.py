"""Too close to shoot: last shots, and what Fight! is told."""

from __future__ import annotations

import pytest

from astragal.play import Tell
from games.burning_wheel.playing import play, somehow
from games.burning_wheel.skirmishing import archer, field, one_volley, skirmish

STAY = ["speed_maintain"] * 3
CLOSE = ["speed_close"] * 3


@pytest.mark.rules(
    "range_and_cover.tcts.trigger",
    "range_and_cover.range.too_close.ends_volleys",
    "range_and_cover.range.too_close.meaning",
    "range_and_cover.range.too_close.shots_use_fight",
    "range_and_cover.tcts.then_melee_position",
)
def test_a_close_out_of_optimal_range_ends_the_volleys_and_fight_follows():
    played = skirmish([CLOSE], [STAY], [3, 2, 0])
    assert (played.outcome.settled, played.outcome.follows) == ("melee", "fight")
    assert (played.outcome.volleys, played.outcome.ranges[0]) == (1, "too close to shoot")
    assert "go on with Fight!, a melee positioning test first" in played.told
    (offered,) = [
        event.fact.follow_up
        for event in played.events
        if isinstance(event, Tell) and event.fact.follow_up is not None
    ]
    assert offered.procedure == "fight"
    # Ann has shot; whether Bob's bow is ready depends on the first test of the fight.
    assert offered.arguments["sides"] == [
        {"fighters": [{"character": name, "weapon": "hunting bow", "ready": ready}]}
        for name, ready in (("ann", "unloaded"), ("bob", "by_melee_positioning"))
    ]

    def give_up(ask):
        if ask.key == "script":
            spread = ask.question.spreads[0]
            return tuple(card for many in spread for card in ("stay", *["give_up"] * many))
        return somehow(ask)

    fight = play("fight", offered.arguments, played.table, None, None, give_up)
    assert "first positioning" in fight.told  # the same people go on with a positioning test
    # On a tie the one who had no last shot names the distance (range_and_cover.lastditch).
    tied = play("fight", offered.arguments, played.table, None, [1, 1], give_up)
    assert tied.seats["starting_distance"] == "bob"
    assert "Bob's hunting bow is ready." in tied.told


@pytest.mark.rules("range_and_cover.range.too_close.ends_volleys", "weapons.head.arrows_for_bows")
def test_the_heads_of_the_arrows_go_along_into_the_fight():
    played = skirmish([CLOSE], [STAY], [3, 2, 0], one={"head": "bodkin head"})
    (offered,) = [
        event.fact.follow_up
        for event in played.events
        if isinstance(event, Tell) and event.fact.follow_up is not None
    ]
    (one,), (other,) = (side["fighters"] for side in offered.arguments["sides"])
    assert (one["head"], "head" in other) == ("bodkin head", False)


@pytest.mark.rules("range_and_cover.lastditch.won_or_tied")
def test_whoever_won_has_a_last_shot_at_the_optimal_obstacle_for_a_success():
    played = skirmish([CLOSE], [STAY], [3, 2, 0])
    assert "Ann rolls 5D = 5 Bow against Ob 2 = 2 optimal range, open" in played.told
    ready = {each.character: each.ready for each in played.outcome.skirmishers}
    assert ready["ann"] == "unloaded"
    held = skirmish([CLOSE], [STAY], [3, 2], {"ann/shoot": "hold"})
    assert {each.character: each.ready for each in held.outcome.skirmishers}["ann"] == "ready"


@pytest.mark.rules("range_and_cover.lastditch.won_or_tied")
def test_two_who_run_into_each_other_both_have_a_last_shot():
    played = skirmish([CLOSE], [CLOSE], [2, 2, 0, 0], start="extreme/extreme")
    assert played.outcome.settled == "melee"
    lines = [line for line in played.told.splitlines() if "Bow against" in line]
    assert [line.split("against ")[1] for line in lines] == ["Ob 2 = 2 optimal range, open"] * 2


@pytest.mark.rules("range_and_cover.lastditch.may_prevent_melee")
def test_a_last_shot_that_fells_the_other_prevents_the_melee():
    played = skirmish([CLOSE], [STAY], [3, 2, 5, [6]], {"aim": "torso"})
    assert (played.outcome.settled, played.outcome.winner, played.outcome.follows) == (
        "felled",
        0,
        "",
    )
    assert "there is no melee" in played.told


@pytest.mark.rules(
    "range_and_cover.lastditch.lost",
    "range_and_cover.lastditch.lost_then_melee_win",
    "range_and_cover.lastditch.lost_then_melee_loss",
)
def test_whoever_lost_has_no_last_shot_and_is_ready_if_he_does_not_lose_the_melee_test():
    played = skirmish([CLOSE], [STAY], [3, 2], {"ann/shoot": "hold"})
    assert [ask.seat for ask in played.asks.values() if ask.key == "shoot"] == ["ann"]
    ready = {each.character: each.ready for each in played.outcome.skirmishers}
    assert ready["bob"] == "by_melee_positioning"
    said = "loaded and ready, unless the melee positioning test is lost"
    assert f"Bob's hunting bow: {said}." in played.told


@pytest.mark.rules("range_and_cover.lastditch.lost_then_melee_loss")
def test_whoever_has_nothing_to_shoot_with_has_nothing_ready():
    played = skirmish([CLOSE], [STAY], [3, 2], None, field(archer("nothing")))
    ready = {each.character: each.ready for each in played.outcome.skirmishers}
    assert (played.outcome.settled, ready["bob"]) == ("melee", "by_melee_positioning")
    assert ready["ann"] == ""
    assert not any(said.startswith("Ann's ") for said in played.told)


def test_a_crossbow_that_is_not_reloaded_yet_is_not_ready_for_the_melee():
    crossbowman = archer("crossbow", skills={"Crossbow": {"rating": "B5", "roots": ["Agility"]}})
    script = ["speed_maintain", "speed_close", "speed_close"]
    # She shoots in the first volley and closes in the second, before she has reloaded.
    rolls = [3, 2, 0, 3, 2]
    played = skirmish([script], [STAY], rolls, None, field(crossbowman))
    assert (played.outcome.settled, played.outcome.volleys) == ("melee", 2)
    ready = {each.character: each.ready for each in played.outcome.skirmishers}
    assert ready["ann"] == "unloaded"
    assert "Ann's crossbow: not ready." in played.told


def test_a_steel_close_from_optimal_range_still_gives_the_loser_one_shot():
    brave = archer("nothing", attributes={"Steel": "B9"})
    played = one_volley("steel_close", "speed_maintain", [6, 2, 0], None, field(brave))
    assert played.outcome.ranges[0] == "too close to shoot"
    assert "Bob rolls 5D = 5 Bow against Ob 2 = 2 optimal range, open" in played.told


# --- Mounts ----------------------------------------------------------------------------------

HORSE = {"name": "The horse", "stats": {"Speed": "B7"}, "speed_multiplier": 4}


@pytest.mark.rules(
    "range_and_cover.fort.mounts_stop_at_optimal", "range_and_cover.fort.dismount_for_last_step"
)
@pytest.mark.parametrize(
    ("start", "dice"), [("extreme/extreme", 7 + 2 + 1), ("optimal/optimal", 4 + 1)]
)
def test_against_a_prepared_position_a_rider_goes_the_last_step_on_foot(start, dice):
    at = field(horse=HORSE)
    script = ["speed_close", "speed_maintain", "speed_maintain"]
    played = skirmish(
        [script], [STAY], [1, 4, 0] * 3, {"bob/aim_dice": 0, "bob/cover_dice": 0}, at, start,
        one={"mount": "horse"}, other={"fortification": 3},
    )  # fmt: skip
    assert played.rolls[0].expression.dice.total == dice
    assert ("dismounts" in played.told) == (start == "optimal/optimal")


def test_elsewhere_a_rider_closes_as_he_likes():
    at = field(horse=HORSE)
    played = skirmish([CLOSE], [STAY], [3, 2, 0], None, at, one={"mount": "horse"})
    assert played.rolls[0].expression.dice.total == 7 + 1 + 1
    assert played.outcome.settled == "melee"
