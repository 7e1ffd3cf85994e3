"""Hesitation: what it costs, and what each of the four reactions means here."""

from __future__ import annotations

import pytest

from astragal.play import DecisionEvent
from astragal.rules import catalogue
from games.burning_wheel.skirmishing import archer, field, last_of, positioned_with, skirmish

STAY = ["speed_maintain"] * 3
STEEL = ["steel_close", "speed_maintain", "speed_maintain"]
SHY = archer(attributes={"Steel": "B3"})


def shaken(reaction: str, rolls, missing: int = 1, answers=None, at=None, **more):
    """Ann falls short of her hesitation of 5 in the first volley; the dice of what follows.

    Bob wins it with one success, and his free shot misses.
    """
    said = {"reaction": reaction, **(answers or {})}
    first = [5 - missing, 0, 0]
    at = at or field(SHY)
    return skirmish([STEEL], [STAY], [*first, *rolls], said, at, "extreme/extreme", **more)


def own_dice(played) -> list[int]:
    return positioned_with(played)


@pytest.mark.rules(
    "range_and_cover.hesitate.four_options", "range_and_cover.steel_close.hesitates_volleys"
)
@pytest.mark.parametrize("missing", [1, 2])
def test_a_failed_steel_maneuver_costs_as_many_volleys_as_are_missing(missing):
    rest = [0] + ([2, 3, 0] if missing == 1 else [0])
    played = shaken("stand_and_drool", rest, missing)
    assert f"Ann hesitates for {missing} volley" in played.told
    options = [option.key for option in played.asks["reaction"].question.options]
    assert (
        len(options)
        == 4
        == len(catalogue().table("range_and_cover.table.hesitation_options").records())
    )
    assert len(own_dice(played)) == 3 - missing


@pytest.mark.rules(
    "range_and_cover.hesitate.drool.opponent_wins",
    "range_and_cover.hesitate.drool.holds_ground",
    "range_and_cover.hesitate.no_action_next_volley",
)
def test_who_stands_and_drools_loses_every_test_and_stays_where_he_is():
    played = shaken(
        "stand_and_drool", [3, 0, 2, 3, 0], answers={"bob/aim_dice": 0, "bob/cover_dice": 0}
    )
    assert "Bob (3) beats Ann (0): 3 to spend." in played.told
    assert "Ann: no action" in played.told
    assert played.outcome.ranges == ("extreme", "extreme")


@pytest.mark.rules("range_and_cover.shield.only_speed_or_steel")
@pytest.mark.parametrize(("reaction", "raised"), [("stand_and_drool", 0), ("run_screaming", 1)])
def test_who_hesitates_has_no_use_of_a_shield_unless_he_runs(reaction, raised):
    """Extreme range is Ob 3 in the open; behind a shield it counts as cover, Ob 4."""
    shy = archer(attributes={"Steel": "B3"}, shield="target")
    runs = reaction == "run_screaming"
    rolls = [0, 3, 0, 2, 3, 0] if runs else [3, 0, 2, 3, 0]
    spends = {"bob/aim_dice": 0, "bob/cover_dice": 0}
    played = shaken(reaction, rolls, answers=spends, at=field(shy))
    shots = [line for line in played.told.splitlines() if "Bob rolls" in line and "Bow" in line]
    assert f"against Ob {3 + raised} = " in shots[1]


def test_with_no_success_at_all_the_opponent_still_wins_with_nothing_to_spend():
    played = shaken("stand_and_drool", [0, 2, 3, 0])
    assert "Bob (0) beats Ann (0): 0 to spend." in played.told


@pytest.mark.rules("range_and_cover.hesitate.loses_advantages")
def test_who_hesitates_loses_aim_and_cover():
    script = ["speed_maintain", "steel_withdraw", "speed_maintain"]
    answers = {
        "ann/shoot": "hold",
        "ann/aim_dice": 2,
        "ann/cover_dice": 2,
        "reaction": "stand_and_drool",
    }
    bob = archer(stats={"Speed": "B6"})
    rolls = [5, 1, 4, 6, 0, 0]
    played = skirmish([script], [STAY], rolls, answers, field(SHY, bob), "extreme/extreme")
    picture = last_of(played)
    assert picture.teams[0].cover == 0
    assert picture.skirmishers[0].aim == 0


# --- Running ---------------------------------------------------------------------------------


@pytest.mark.rules(
    "range_and_cover.hesitate.run.maneuver", "range_and_cover.hesitate.run.no_aim_no_shot"
)
@pytest.mark.parametrize(("card", "dice"), [("speed_withdraw", 4 + 2), ("steel_withdraw", 3)])
def test_who_runs_withdraws_without_cover_and_range_dice_and_does_not_shoot(card, dice):
    answers = {"reaction#1": "run_screaming", "run_with": card}
    rolls = [2, 3, 0, 2, 3, 0]
    if card == "steel_withdraw":  # two of five: she falls short again, for three volleys
        answers |= {"reaction#2": "stand_and_drool", "bob/aim_dice": 0, "bob/cover_dice": 0}
        rolls = [2, 4, 0, 0]
    played = skirmish([STEEL], [STAY], [4, 0, 0, *rolls], answers, field(SHY), "extreme/extreme")
    assert own_dice(played)[1] == dice
    shots = [roll.label for roll in played.rolls if "Bow" in roll.label]
    assert all(label.startswith("Bob") for label in shots)
    assert "runs screaming" in played.told


@pytest.mark.rules("range_and_cover.hesitate.run.escape_ends_all")
def test_whoever_runs_out_of_range_has_escaped_and_hesitates_no_longer():
    played = skirmish(
        [STEEL],
        [STAY],
        [3, 0, 0, 4, 2],
        {"reaction": "run_screaming"},
        field(SHY),
        "extreme/extreme",
    )
    assert played.outcome.settled == "escaped"
    assert played.table.scene.hesitating == ()


@pytest.mark.rules("range_and_cover.hesitate.run.escape_ends_all")
@pytest.mark.parametrize(
    ("ann", "start", "settled", "ranges"),
    [
        # Her great bow could still shoot at extreme range, but no arrow of Bob's comes so far.
        ("great bow", "optimal/extreme", "escaped", ("extreme", "out of range")),
        ("hunting bow", "optimal/optimal", "gave_up", ("extreme", "extreme")),
    ],
)
def test_whoever_runs_out_of_the_opponents_reach_has_escaped(ann, start, settled, ranges):
    shy = archer(ann, attributes={"Steel": "B3"})
    more = [] if settled == "escaped" else [0, 1]
    said = {"reaction": "run_screaming", "bob/shoot": "hold"}
    rolls = [4, 0, 3, 2, *more]  # one short of her hesitation; then she runs and wins
    played = skirmish([STEEL], [STAY], rolls, said, field(shy), start)
    assert played.outcome.settled == settled
    assert played.outcome.ranges == ranges
    assert played.table.scene.hesitating == ()
    assert ("Bob can no longer reach Ann." in played.told) == (settled == "escaped")


@pytest.mark.rules("range_and_cover.hesitate.run.escape_ends_all")
def test_who_runs_has_not_escaped_where_the_other_withdraws_out_of_his_own_reach():
    """A javelin reaches half as far as a bow: Bob cannot reach her, but it was not she who won."""
    shy = archer(attributes={"Steel": "B3"})
    bob = archer("javelin", skills={"Throwing": {"rating": "B4", "roots": ["Agility"]}})
    script = ["speed_maintain", "speed_withdraw", "speed_maintain"]
    said = {"reaction": "run_screaming", "bob/shoot": "hold"}
    rolls = [4, 0, 1, 3, 1, 0]
    at = field(shy, bob)
    played = skirmish([STEEL], [script], rolls, said | {"ann/shoot": "hold"}, at)
    assert "Bob can no longer reach Ann." not in played.told
    assert "Ranges: Ann: extreme; Bob: out of range." in played.told
    assert played.outcome.settled == "gave_up"


@pytest.mark.rules("steel.amb.hesitation_beyond_conflict")
@pytest.mark.parametrize(("option", "left"), [("runs_on", 2), ("ends_with_conflict", 0)])
def test_hesitation_outlasts_the_skirmish_or_not(option, left):
    """In the last volley she falls short by two, and then Bob gives up."""
    at = field(SHY, options={"steel_hesitation_beyond_conflict": option})
    script = ["speed_maintain", "speed_maintain", "steel_close"]
    said = {"reaction": "stand_and_drool", "bob/shoot": "hold"}
    said |= {"ann/tie_shot": "duck", "bob/tie_shot": "duck"}
    giving_up = ["give_up"] * 3
    rolls = [0, 0, 0, 0, 3, 0]
    mine = [script, ["speed_maintain"]]
    played = skirmish(mine, [STAY, giving_up], rolls, said, at, "extreme/extreme")
    assert sum(each.heartbeats for each in played.table.scene.hesitating) == left


@pytest.mark.rules("range_and_cover.hesitate.drool.opponent_wins")
def test_a_side_goes_on_as_long_as_one_of_it_does_not_hesitate():
    """Ann falls short of her hesitation by two; Cid writes no script, but leads in their place."""
    at = field(SHY, cid=archer(), options={"range_and_cover_groups": "shared_margin"})
    those = [{"shooters": [{"character": "ann"}, {"character": "cid"}]}]
    those.append({"shooters": [{"character": "bob"}]})
    said = {"reaction": "stand_and_drool", "bob/shoot": "hold", "cid/shoot": "hold"}
    rolls = [3, 0, 3, 1, 3, 1]
    played = skirmish([STEEL], [STAY], rolls, said, at, "extreme/extreme", sides=those)
    told = played.told
    assert "Cid, Speed Maintain, rolls" in told
    assert "Cid and Ann (3) beat Bob (1): 2 to spend." in told
    assert "Exchange 2." in told


def test_whoever_withdraws_with_a_clear_head_can_still_shoot():
    """Out of the other's reach, but in her own, and not running: the conflict goes on."""
    at = field(archer("great bow"))
    script = ["speed_withdraw", "speed_maintain", "speed_maintain"]
    played = skirmish([script], [STAY], [3, 2, 0, 1, 0, 1], {}, at, "optimal/extreme")
    assert played.outcome.settled == "gave_up"


# --- Falling and swooning --------------------------------------------------------------------


@pytest.mark.rules(
    "range_and_cover.hesitate.prone.loses", "range_and_cover.hesitate.prone.cover_on_recovery"
)
def test_who_falls_prone_loses_and_starts_the_next_volley_in_cover():
    played = shaken("fall_prone_and_beg_for_mercy", [1, 0, 2, 3, 0])
    assert "Bob (1) beats Ann (0)" in played.told
    row = catalogue().table("range_and_cover.table.hesitation_options").where(option="fall_prone")
    assert own_dice(played)[1] == 4 + 2 + row["cover_dice_on_recovery"] == 4 + 2 + 2


STEALTHY = archer(
    attributes={"Steel": "B3"}, skills={"Stealthy": {"rating": "B3", "roots": ["Speed"]}}
)


@pytest.mark.rules(
    "range_and_cover.hesitate.swoon.loses", "range_and_cover.hesitate.swoon.stealthy_test"
)
@pytest.mark.parametrize("successes", [0, 1])
def test_who_swoons_out_of_sight_cannot_be_shot(successes):
    shot = [] if successes else [0]
    played = shaken("swoon", [successes, 2, *shot, 2, 3, 0], at=field(STEALTHY))
    assert "Bob (2) beats Ann (0)" in played.told
    shots = [roll.label for roll in played.rolls].count("Bob, Bow")
    assert shots == 2 + (0 if successes else 1)


def test_without_the_skill_two_successes_are_needed():
    for successes, hidden in ((1, False), (2, True)):
        shot = [] if hidden else [0]
        played = shaken("swoon", [successes, 2, *shot, 2, 3, 0])
        assert ("out of sight" in played.told) == hidden


@pytest.mark.rules(
    "range_and_cover.hesitate.swoon.finding",
    "range_and_cover.hesitate.swoon.found",
    "range_and_cover.hesitate.swoon.not_found",
)
@pytest.mark.parametrize(("search", "settled"), [(1, "lost_to_sight"), (2, "melee")])
def test_whoever_comes_near_has_to_find_him_first(search, settled):
    script = ["speed_maintain", "speed_close", "speed_close"]
    said = {"reaction": "swoon"}
    rolls = [3, 0, 0, 2, 2]  # two volleys to lose; two successes of Stealthy; Bob closes
    near = [search] if settled == "lost_to_sight" else [search, 0]
    played = skirmish([STEEL], [script], [*rolls, *near], said, field(STEALTHY), "optimal/optimal")
    assert played.outcome.settled == settled
    assert "against Ob 2 = 2 out of sight" in played.told
    assert ("Ann: found." in played.told) == (settled == "melee")
    shots = [roll.label for roll in played.rolls].count("Bob, Bow")
    assert shots == (2 if settled == "melee" else 1)  # found, he may be shot


# --- Wounds ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("option", "volleys"), [("one_volley", 1), ("gm_lengthens", 2)])
def test_hesitation_from_a_wound_lasts_a_volley_or_as_long_as_the_gm_says(option, volleys):
    at = field(
        archer(attributes={"Steel": "B4"}), options={"range_and_cover_hesitation_length": option}
    )
    answers = {"gm/hesitates_for": 2} if volleys == 2 else {}
    rolls = [1, 2, 2, [3], 0]  # Bob hits for a Mark, and Ann loses her nerve
    rest = [0, 2, 3, 0] if volleys == 1 else [0, 0]
    played = skirmish([STAY], [STAY], [*rolls, *rest], answers, at)
    assert f"Ann hesitates for {volleys} volley" in played.told
    assert len(own_dice(played)) == 3 - volleys


def test_who_is_felled_by_a_wound_is_out_of_it_and_does_not_hesitate():
    """The second Midi wound leaves no dice of Power; the nerve is lost, but no volleys are."""
    strong = dict.fromkeys(("Agility", "Speed", "Forte", "Perception", "Will"), "B6")
    weak = archer(stats={**strong, "Power": "B4"}, wounds=[{"level": "Midi"}])
    played = skirmish([STAY], [STAY], [0, 1, 2, [3], 0], {"reaction": "swoon"}, field(weak))
    assert played.outcome.skirmishers[0].state != "standing"
    assert "Ann hesitates for" not in played.told
    assert played.outcome.winner == 1


# --- Shaken again ----------------------------------------------------------------------------

SOLID = dict.fromkeys(("Agility", "Speed", "Power", "Forte", "Perception", "Will"), "B6")
NERVOUS = archer(stats=SOLID, attributes={"Steel": "B4"})
"""Two Midi wounds leave two dice of each stat, and none of Steel."""


@pytest.mark.rules("range_and_cover.hesitate.no_action_next_volley")
def test_who_is_hit_in_a_lost_volley_loses_the_one_after_it_as_well():
    """The volley in which the arrow hits is lost already; the next one is lost for the new wound.

    Ann takes a Mark (Midi) in each of the first two volleys. By the second she has no Steel left.
    """
    first, second = [0, 1, 2, [3], 0], [1, 2, [3]]
    played = skirmish([STAY], [STAY], [*first, *second, 0], {}, field(NERVOUS))
    assert played.told.count("Ann hesitates for 1 volley.") == 2
    assert len(own_dice(played)) == 1


@pytest.mark.rules("range_and_cover.steel_close.hesitates_volleys")
def test_a_steel_withdraw_that_falls_short_in_flight_costs_all_the_volleys_missing():
    """Two successes of five: three more volleys, the last of this exchange and two of the next."""
    answers = {"reaction#1": "run_screaming", "run_with": "steel_withdraw"}
    answers |= {"reaction#2": "stand_and_drool", "bob/aim_dice": 0, "bob/cover_dice": 0}
    rolls = [4, 0, 0, 2, 4, 0, 0]
    played = skirmish([STEEL], [STAY], rolls, answers, field(SHY), "extreme/extreme")
    assert "Ann hesitates for 3 volleys." in played.told
    scripts = [
        event.ask.question.slots
        for event in played.events
        if isinstance(event, DecisionEvent)
        and event.ask.key == "script"
        and event.ask.seat == "ann"
    ]
    assert scripts == [3, 1]


@pytest.mark.rules("steel.amb.tests_while_hesitating")
@pytest.mark.parametrize(("option", "volleys"), [("longer", 1), ("added", 2)])
def test_two_hits_in_one_volley_cost_one_volley_or_one_each(option, volleys):
    cid = archer()
    options = {
        "range_and_cover_groups": "shared_margin",
        "steel_overlapping_hesitation": option,
    }
    both = [
        {"shooters": [{"character": "ann"}]},
        {"shooters": [{"character": "bob"}, {"character": "cid"}]},
    ]
    hits = [0, 2, 2, [3], 2, [3], 0]  # the second wound leaves no Steel to roll
    rest = [0, 3, 2, 0] if volleys == 1 else [0, 0]
    at = field(NERVOUS, options=options, cid=cid)
    played = skirmish([STAY], [STAY], [*hits, *rest], {}, at, sides=both)
    assert len(own_dice(played)) == 3 - volleys
