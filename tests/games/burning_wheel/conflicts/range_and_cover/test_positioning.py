"""Positioning: the first test, the dice of a maneuver, and who wins."""

from __future__ import annotations

import pytest

from astragal.dice import OpenEnded
from astragal.errors import BadInput
from astragal.play import DecisionEvent
from games.burning_wheel.skirmishing import archer, field, last_of, one_volley, skirmish

STEALTHY = {"skills": {"Stealthy": {"rating": "B3", "roots": ["Speed"]}}}
WATCHFUL = {"skills": {"Observation": {"rating": "B3", "roots": ["Perception"]}}}


def dice(played, at: int = 0) -> int:
    return played.rolls[at].expression.dice.total


def nature(played, at: int = 0):
    return played.rolls[at].expression.open_ended


# --- The first test --------------------------------------------------------------------------


def begun(rolls, answers=None, at=None, **more):
    """A skirmish that is given up when it has begun."""
    return skirmish([], [], rolls, answers, at, start="", **more)


@pytest.mark.rules(
    "range_and_cover.start.initial_test",
    "range_and_cover.start.initial_dice",
    "range_and_cover.basics.simple_pairs",
    "range_and_cover.sequence.overall",
)
def test_each_side_begins_with_speed_or_perception_and_the_extreme_dice():
    at = field(archer("great bow", {"Perception": "B6"}), archer("hunting bow", {"Speed": "B5"}))
    played = begun([5, 4], None, at)
    assert (dice(played, 0), dice(played, 1)) == (6 + 4, 5 + 2)
    assert nature(played, 0) is OpenEnded.SIXES  # Perception is open-ended
    other = begun([5, 4], {"ann/first_positioning": "Speed"}, at)
    assert dice(other, 0) == 4 + 4
    assert played.asked.index("first_positioning") < played.asked.index("script")
    assert played.before_the_dice("first_positioning")


@pytest.mark.rules("range_and_cover.start.initial_dice")
def test_skills_may_fork_into_the_first_test():
    at = field(archer(skills={"Hunting": "B3"}))
    played = begun([5, 4], {"ann/forks": ["Hunting"]}, at)
    assert dice(played) == 4 + 2 + 1


@pytest.mark.rules("range_and_cover.start.winner_picks_range")
@pytest.mark.parametrize("category", ["out of range", "extreme", "optimal"])
def test_the_winner_picks_the_range(category):
    key = f"{category}/{category}".replace(" ", "_")
    played = begun([3, 4], {"starting_range": key})
    assert played.seats["starting_range"] == "bob"
    assert played.outcome.ranges == (category, category)


@pytest.mark.rules("range_and_cover.start.default_out_of_range")
@pytest.mark.parametrize("option", ["out_of_range", "gm_names_range"])
def test_after_a_tie_they_begin_out_of_range_or_where_the_gm_says(option):
    at = field(options={"range_and_cover_initial_tie": option})
    named = option == "gm_names_range"
    answers = {"gm/starting_range": "extreme/extreme"} if named else None
    played = begun([3, 3], answers, at)
    assert played.outcome.ranges[0] == ("extreme" if named else "out of range")


LUCKY = {"name": "Lucky", "kind": "call_on", "effects": ["break_tie"]}


@pytest.mark.rules("beliefs.trait.call_on.break_tie")
@pytest.mark.parametrize(
    ("callers", "ranges"),
    [(("ann",), "optimal"), (("ann", "bob"), "out of range"), ((), "out of range")],
)
def test_a_trait_breaks_the_tie_of_the_first_test_and_two_offset_each_other(callers, ranges):
    at = field(archer(traits=[LUCKY]), archer(traits=[LUCKY]))
    answers = {f"{who}/break_tie": "Lucky" for who in callers}
    if callers == ("ann",):
        answers["ann/starting_range"] = "optimal/optimal"
    played = begun([3, 3], answers, at)
    assert played.outcome.ranges == (ranges, ranges)
    for who in ("ann", "bob"):
        (trait,) = played.table.character(who).traits
        assert trait.called_this_session is (who in callers)


@pytest.mark.rules("beliefs.trait.call_on.break_tie")
def test_a_trait_breaks_the_tie_of_a_volley_but_there_is_nothing_to_spend():
    """Ann's Close succeeds, and nobody shoots: she has no margin, and Bob has lost."""
    at = field(archer(traits=[LUCKY]))
    script = ["speed_close", "speed_maintain", "speed_maintain"]
    played = skirmish(
        [script], [["speed_maintain"] * 3], [2, 2, 1, 2, 1, 2],
        {"ann/break_tie": "Lucky", "bob/shoot": "hold", "bob/cover_dice": 0, "bob/aim_dice": 0},
        at, start="extreme/extreme",
    )  # fmt: skip
    assert played.outcome.ranges == ("optimal", "optimal")
    assert "tie_shot" not in played.asked
    assert played.table.character("ann").traits[0].called_this_session


@pytest.mark.rules("range_and_cover.hesitate.drool.opponent_wins")
def test_who_still_hesitates_loses_the_first_test():
    """Ann was surprised before the first arrow; Bob wins it without a single success."""
    scene = {"hesitating": [{"character": "ann", "heartbeats": 2, "reaction": "stand_and_drool"}]}
    played = begun([0], {"bob/starting_range": "extreme/extreme"}, field(scene=scene))
    assert played.outcome.ranges == ("extreme", "extreme")
    runs = {"hesitating": [{"character": "ann", "heartbeats": 2, "reaction": "run_screaming"}]}
    ran = begun([3, 2], {"ann/starting_range": "out_of_range/out_of_range"}, field(scene=runs))
    assert dice(ran) == 4  # no range dice
    assert dice(ran, 1) == 4 + 2


def test_the_margin_of_the_first_test_buys_nothing():
    played = begun([5, 1])
    assert "shoot" not in played.asked
    assert last_of(played).teams[0].cover == 0


@pytest.mark.rules("range_and_cover.start.default_out_of_range")
def test_the_situation_may_say_where_they_begin():
    played = skirmish([], [], [], start="extreme/extreme")
    assert "first_positioning" not in played.asked
    assert played.outcome.ranges == ("extreme", "extreme")
    with pytest.raises(BadInput, match="optimal/optimal"):
        skirmish(start="near/far")


# --- The dice of a maneuver ------------------------------------------------------------------


@pytest.mark.rules(
    "range_and_cover.dice.higher_reflexes",
    "range_and_cover.dice.higher_speed_multiplier",
    "range_and_cover.dice.pool",
)
def test_reflexes_and_the_speed_multiplier_are_a_die_each_and_add_up():
    quick = archer(attributes={"Reflexes": "B5"})
    fast = archer(attributes={"Reflexes": "B5"}, speed_multiplier=4)
    for mine, more in ((quick, 1), (fast, 2)):
        played = one_volley("speed_close", "speed_close", [3, 3, 0, 0], None, field(mine))
        assert (dice(played, 0), dice(played, 1)) == (4 + 1 + more, 4 + 1)


@pytest.mark.rules(
    "range_and_cover.position.is_versus", "range_and_cover.position.margin_is_currency"
)
def test_the_margin_is_the_difference_of_the_successes():
    played = one_volley("speed_close", "speed_withdraw", [4, 2, 0])
    assert (played.outcome.winner, played.outcome.margin) == ("ann", 2)
    other = one_volley("speed_close", "speed_withdraw", [2, 5, 0])
    assert (other.outcome.winner, other.outcome.margin) == ("bob", 3)


@pytest.mark.rules("range_and_cover.position.is_versus")
def test_wounds_take_successes_off_as_in_every_versus_test():
    hurt = archer(wounds=[{"level": "Superficial"}])
    played = one_volley("speed_close", "speed_maintain", [3, 2, 0, 0], None, field(hurt))
    assert played.outcome.winner is None


@pytest.mark.rules("range_and_cover.speed_close.test", "range_and_cover.speed_maintain.test")
@pytest.mark.parametrize("key", ["speed_close", "speed_maintain"])
def test_speed_is_rolled_plainly_with_range_and_cover_dice_and_forks(key):
    at = field(archer(stats={"Speed": "B5"}, skills={"Climbing": "B2"}))
    answers = {"ann/forks": ["Climbing"]}
    played = one_volley(key, "speed_maintain", [2, 3, 0], answers, at, one={"cover_dice": 2})
    assert dice(played) == 5 + 1 + 2 + 1
    assert nature(played) is OpenEnded.NO


@pytest.mark.rules("range_and_cover.speed_withdraw.test")
def test_running_away_is_two_dice_more():
    assert dice(one_volley("speed_withdraw", "speed_close", [2, 3, 0])) == 4 + 1 + 2


@pytest.mark.rules(
    "range_and_cover.perception_maintain.test", "range_and_cover.perception_maintain.open_ended"
)
def test_perception_is_open_ended_with_all_its_dice():
    at = field(archer(stats={"Perception": "B3"}))
    start = one_volley(
        "perception_maintain", "speed_maintain", [2, 4, 0], None, at, one={"cover_dice": 1}
    )
    assert dice(start) == 3 + 1 + 1
    assert nature(start) is OpenEnded.SIXES


@pytest.mark.rules("range_and_cover.steel.open_ended", "range_and_cover.steel_close.test")
def test_steel_is_open_ended_and_takes_all_positioning_dice_but_no_forks():
    quick = archer(attributes={"Steel": "B5", "Reflexes": "B5"}, skills={"Climbing": "B2"})
    played = one_volley(
        "steel_close", "speed_maintain", [5, 2, 0, 0], None, field(quick), one={"cover_dice": 2}
    )
    assert dice(played) == 5 + 1 + 2 + 1
    assert nature(played) is OpenEnded.SIXES
    assert "must reach 5" in played.told  # 10 less Will B5


@pytest.mark.parametrize(
    ("option", "reach"), [("plain_hesitation", 5), ("with_steel_disadvantages", 6)]
)
def test_what_a_steel_maneuver_has_to_reach_is_a_house_rule(option, reach):
    at = field(options={"range_and_cover_steel_maneuver_obstacle": option})
    answers = None if reach == 5 else {"conditions": [_shot_at()]}
    played = one_volley(
        "steel_close", "speed_maintain", [5, 2, 0] + [0] * (reach == 5), answers, at
    )
    assert played.outcome.hesitates == (reach - 5, 0)
    assert ("conditions" in played.asked) is (option == "with_steel_disadvantages")


def _shot_at() -> str:
    from astragal.games.burning_wheel.sheet.catalogue_keys import key_of
    from astragal.rules import catalogue

    rows = catalogue().table("steel.table.disadvantages").records()
    return next(key_of(row["condition"]) for row in rows if row["ob"] == 1)


# --- Stealthy --------------------------------------------------------------------------------


@pytest.mark.rules(
    "range_and_cover.stealthy_close.automatic", "range_and_cover.stealthy_close.rolled_extras"
)
@pytest.mark.parametrize("theirs", ["speed_close", "steel_withdraw", "perception_maintain"])
def test_stealthy_counts_automatically_and_only_the_extras_are_rolled(theirs):
    at = field(archer(**STEALTHY))
    rolls = [1, 5, 0, 0] if theirs == "steel_withdraw" else [1, 3, 0]
    played = one_volley("stealthy_close", theirs, rolls, None, at, one={"cover_dice": 1})
    assert dice(played) == 1 + 1  # range and cover; the three of Stealthy are not rolled
    assert "Ann adds 3 automatic successes of Stealthy." in played.told
    lead = 3 + 1 - rolls[1]
    assert played.outcome.margin == abs(lead)
    assert played.outcome.winner == ("ann" if lead > 0 else "bob")


@pytest.mark.rules(
    "range_and_cover.stealthy_close.automatic", "range_and_cover.stealthy_withdraw.test"
)
@pytest.mark.parametrize("mine", ["stealthy_close", "stealthy_withdraw"])
def test_without_extras_nothing_is_rolled_and_as_many_successes_are_a_tie(mine):
    at = field(
        archer("nothing", **STEALTHY), archer("nothing", weapons=[{"weapon": "hunting bow"}])
    )
    played = one_volley(mine, "speed_maintain", [3, 0], None, at)
    assert len(played.rolls) == 2  # Bob's positioning, and his free shot
    assert played.outcome.winner is None


def test_wounds_lower_what_stealthy_counts_and_no_fork_is_asked():
    hurt = archer(
        wounds=[{"level": "Superficial"}], skills={**STEALTHY["skills"], "Climbing": "B2"}
    )
    played = one_volley("stealthy_close", "speed_maintain", [0, 2, 0, 0], None, field(hurt))
    assert played.outcome.winner is None  # three, less one for the wound, against two
    prompts = [e.ask.prompt for e in played.events if isinstance(e, DecisionEvent)]
    assert not any(prompt.startswith("Ann, Stealthy: FoRKs") for prompt in prompts)


def test_each_die_lost_to_a_wound_is_one_automatic_success_less():
    """A Light wound takes a die: two of three are left, and a third beats them."""
    hurt = archer("nothing", wounds=[{"level": "Light"}], **STEALTHY)
    played = one_volley("stealthy_close", "speed_maintain", [3, 0], None, field(hurt))
    assert "Ann adds 2 automatic successes of Stealthy." in played.told
    assert (played.outcome.winner, played.outcome.margin) == ("bob", 1)


@pytest.mark.rules(
    "range_and_cover.stealthy_close.automatic", "range_and_cover.advance.versus_and_series"
)
@pytest.mark.parametrize(("theirs", "earned"), [(4, "routine"), (5, "difficult")])
def test_the_exponent_that_is_not_rolled_counts_for_the_class_of_the_test(theirs, earned):
    """Four of Stealthy and two for the bow are six dice: routine up to Ob 4, then difficult."""
    sneaks = archer(skills={"Stealthy": {"rating": "B4", "roots": ["Speed"]}})
    script = ["stealthy_close", "speed_maintain", "speed_maintain"]
    scripts = [script], [["speed_maintain"] * 3]
    held = {"bob/tie_shot": "duck", "ann/tie_shot": "duck"}
    if theirs == 5:  # Bob wins, and holds his fire
        held["bob/shoot"] = "hold"
    rolls = [0, theirs, 0, 0, 0, 0]
    played = skirmish(*scripts, rolls, held, field(sneaks), start="extreme/extreme")
    log = {key: value for key, value in played.changed.items() if "Stealthy.log" in key}
    assert log == {f"ann.skills.Stealthy.log.{earned}": 1}


@pytest.mark.rules("range_and_cover.stealthy_close.vs_stealthy")
def test_stealthy_against_stealthy_is_rolled_by_both():
    at = field(archer(**STEALTHY), archer(**STEALTHY))
    played = one_volley("stealthy_close", "stealthy_withdraw", [3, 1, 0], None, at)
    assert (dice(played, 0), dice(played, 1)) == (3 + 1, 3 + 1)
    assert played.outcome.margin == 2
    assert "automatic" not in played.told


@pytest.mark.rules(
    "range_and_cover.stealthy_close.vs_observation",
    "range_and_cover.perception_maintain.observation",
    "range_and_cover.perception_maintain.observation_not_open_ended",
)
def test_observation_makes_stealthy_roll_and_is_not_open_ended():
    at = field(archer(**STEALTHY), archer(**WATCHFUL))
    played = one_volley("stealthy_close", "perception_maintain", [2, 3, 0], None, at)
    assert (dice(played, 0), dice(played, 1)) == (3 + 1, 3 + 1)
    assert nature(played, 1) is OpenEnded.NO
    assert (played.outcome.winner, played.outcome.margin) == ("bob", 1)
    answers = {"watch_with": "Perception"}
    other = one_volley("stealthy_close", "perception_maintain", [0, 3, 0, 0], answers, at)
    assert dice(other, 0) == 1
    assert nature(other, 1) is OpenEnded.SIXES
    assert (
        "watch_with"
        not in one_volley("speed_close", "perception_maintain", [2, 3, 0], None, at).asked
    )


# --- Steel -----------------------------------------------------------------------------------


@pytest.mark.rules("range_and_cover.steel_close.wins", "range_and_cover.steel_withdraw.test")
@pytest.mark.parametrize(
    ("key", "range"), [("steel_close", "optimal"), ("steel_withdraw", "out of range")]
)
def test_a_steel_roll_that_is_enough_for_both_obstacles_moves(key, range):
    played = one_volley(
        key, "speed_maintain", [5, 4, 0, 0][: 3 + (key == "steel_close")], start="extreme/extreme"
    )
    assert played.outcome.winner == "ann"
    assert played.outcome.margin == 1  # all five count against both
    assert played.outcome.ranges[0] == range


@pytest.mark.rules(
    "range_and_cover.steel_close.fails_hesitation", "range_and_cover.steel_close.hesitates_volleys"
)
def test_who_falls_short_of_his_hesitation_does_not_move_whatever_the_versus_result():
    played = one_volley("steel_close", "speed_maintain", [3, 1, 0], start="extreme/extreme")
    assert played.outcome.ranges == ("extreme", "extreme")
    assert (played.outcome.winner, played.outcome.margin) == ("bob", 0)
    assert played.outcome.hesitates == (2, 0)


def test_who_beats_a_steel_roll_that_falls_short_has_passed_the_test():
    """Perception is marked only when it succeeds; it did, with fewer successes than the Steel."""
    script = ["steel_close", "speed_maintain", "speed_maintain"]
    played = skirmish(
        [script], [["perception_maintain"] + ["speed_maintain"] * 2], [4, 2, 0, 1, 2],
        {"bob/shoot": "hold"}, field(),
    )  # fmt: skip
    assert any(path.startswith("bob.") and "Perception" in path for path in played.changed)


@pytest.mark.rules("range_and_cover.advance.versus_and_series", "range_and_cover.steel_close.test")
def test_the_class_of_a_steel_maneuver_is_by_the_hesitation_where_that_is_more():
    """6 of Steel and 2 for the bow against a hesitation of 7 are difficult, against 1 routine."""
    timid = archer(stats={"Will": "B3"})
    scripts = [["steel_close", *["speed_maintain"] * 2]], [["speed_maintain"] * 3]
    held = {
        "ann/shoot": "hold",
        "bob/shoot": "hold",
        "ann/tie_shot": "duck",
        "bob/tie_shot": "duck",
    }
    played = skirmish(*scripts, [7, 1] + [0] * 4, held, field(timid), start="extreme/extreme")
    assert played.changed["ann.attributes.Steel.log.difficult"] == 1


@pytest.mark.rules("range_and_cover.advance.versus_and_series")
@pytest.mark.parametrize(("mine", "logged"), [(1, False), (2, False), (3, True)])
def test_perception_is_logged_only_if_the_test_was_won(mine, logged):
    scripts = [["perception_maintain", *["speed_maintain"] * 2]], [["speed_maintain"] * 3]
    held = {"ann/tie_shot": "duck", "bob/tie_shot": "duck"}
    if mine != 2:
        held["ann/shoot" if mine > 2 else "bob/shoot"] = "hold"
    played = skirmish(*scripts, [mine, 2] + [0] * 4, held)
    assert any("Perception.log" in path for path in played.changed) is logged


@pytest.mark.rules("range_and_cover.aim.lost", "range_and_cover.amb.steel_free_shot_aim")
def test_who_falls_short_of_his_hesitation_has_lost_his_aim_even_if_both_do():
    one = {"aim": 2}
    played = one_volley(
        "steel_close", "steel_close", [3, 4, 0, 0], one=one, start="extreme/extreme"
    )
    assert played.outcome.hesitates == (2, 1)
    assert "Ann rolls 5D = 5 Bow against Ob 3" in played.told


@pytest.mark.rules("range_and_cover.advance.versus_and_series")
def test_an_ability_that_is_rolled_again_and_again_earns_one_test():
    played = skirmish(
        [["speed_maintain"] * 3], [["speed_maintain"] * 3], [1, 2, 0, 1, 3, 0, 1, 5, 0]
    )
    logged = [path for path in played.changed if path.startswith("ann.") and "Speed" in path]
    assert len(logged) == 1, played.changed
