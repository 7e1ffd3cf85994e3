"""What a won positioning test buys, and what stays of it for later volleys."""

from __future__ import annotations

import pytest

from astragal.dice import Recorded
from astragal.errors import BadInput
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.conflicts.range_and_cover.maneuvers import maneuver
from astragal.games.burning_wheel.conflicts.range_and_cover.positioning import PositionResult
from astragal.games.burning_wheel.conflicts.range_and_cover.resolving import resolve
from astragal.games.burning_wheel.conflicts.range_and_cover.skirmish import StartSkirmish, begin
from astragal.games.burning_wheel.conflicts.range_and_cover.spending import (
    aim_limit,
    most_of_use,
    price_of,
)
from astragal.play import exact, run, then
from astragal.rules import catalogue
from games.burning_wheel.playing import sheet
from games.burning_wheel.skirmishing import (
    archer,
    field,
    last_of,
    one_volley,
    positioned_with,
    sides,
    skirmish,
)

HOLD = {"shoot": "hold"}
STAY = ["speed_maintain"] * 3


def dice(played, at: int) -> int:
    return played.rolls[at].expression.dice.total


@pytest.mark.rules(
    "range_and_cover.position.action_list", "range_and_cover.speed_withdraw.actions_cost_three"
)
@pytest.mark.parametrize("row", catalogue().table("range_and_cover.table.action_costs").records())
def test_prices_are_those_of_the_table(row):
    assert price_of(str(row["action"]), 1) == row["cost_in_successes"] == 1
    assert price_of(str(row["action"]), 3) == row["cost_under_speed_withdraw"] == 3


@pytest.mark.parametrize(
    ("key", "wounded"),
    [("speed_maintain", False), ("speed_withdraw", False), ("steel_close", True)],
)
def test_more_of_a_margin_than_can_be_used_changes_nothing(key, wounded):
    """Whatever the winner buys, he is asked the same and it comes to the same."""
    hurt = {"wounds": [{"level": "superficial"}, {"level": "light"}]} if wounded else {}
    at = field(archer(**hurt))
    said = GAME.read({"sides": sides(), "start": "optimal/optimal"}, StartSkirmish, "skirmish")
    begun = run(then(_begun, said, at), Recorded([]))
    most = most_of_use(begun, 0, price_of("shot", maneuver(key).cost))
    assert most is not None
    for wanted in ({}, {"other_action": "deed", "aim_dice": 1}, {"shoot": "hold", "cover_dice": 0}):

        def of(margin, wanted=wanted):
            asked = set()

            def answer(ask):
                asked.add((ask.key, ask.prompt, ask.question))
                return wanted.get(ask.key, ask.question.default)

            result = PositionResult(0, margin)
            keys, passive = (key, "speed_maintain"), (False, False)
            return exact(then(resolve, begun, keys, passive, result), answer), asked

        used = of(most)
        assert of(most + 1) == of(most + 9) == used
        assert of(1) != used


@pytest.mark.rules("range_and_cover.amb.other_action_price")
def test_where_the_gm_sets_the_price_any_margin_may_be_used():
    at = field(options={"range_and_cover_other_action_price": "gm_sets"})
    said = GAME.read({"sides": sides(), "start": "optimal/optimal"}, StartSkirmish, "skirmish")
    begun = run(then(_begun, said, at), Recorded([]))
    assert most_of_use(begun, 0, 1) is None


def _begun(said, at):
    return (yield from begin(said, at))


@pytest.mark.rules(
    "range_and_cover.shot.cost_one",
    "range_and_cover.basics.winner_tests_weapon_skill",
    "range_and_cover.basics.position_before_shot",
    "range_and_cover.sequence.position_then_act",
    "range_and_cover.position.intent_is_free",
)
def test_the_winner_pays_a_success_for_a_shot_and_nothing_for_the_move():
    won = one_volley("speed_close", "speed_maintain", [3, 2, 0], start="extreme/extreme")
    assert won.outcome.margin == 1
    assert won.outcome.ranges == ("optimal", "optimal")
    assert [roll.label for roll in won.rolls][2] == "Ann, Bow"
    assert not {"aim_dice", "cover_dice"} & set(won.asked)  # it is all spent


@pytest.mark.rules("range_and_cover.shot.at_resulting_range")
def test_the_winner_shoots_at_the_range_that_results():
    near = one_volley("speed_close", "speed_maintain", [3, 2, 0], start="extreme/extreme")
    assert "against Ob 2 = 2 optimal range, open" in near.told
    far = one_volley("speed_withdraw", "speed_maintain", [5, 2, 0])
    assert "against Ob 3 = 3 extreme range, open" in far.told


@pytest.mark.rules("range_and_cover.shot.once_per_volley")
def test_nobody_shoots_twice_in_a_volley():
    won = one_volley("speed_close", "speed_maintain", [5, 0, 0], start="extreme/extreme")
    assert won.asked.count("shoot") == 1
    assert len(won.rolls) == 3


@pytest.mark.rules("range_and_cover.speed_withdraw.actions_cost_three")
@pytest.mark.parametrize("margin", [2, 3, 5, 6])
def test_whoever_runs_away_pays_three_for_everything(margin):
    rolls = [7, 7 - margin, 0] if margin >= 3 else [7, 7 - margin]
    bob = archer(stats={"Speed": "B6"})
    at = field(archer(stats={"Perception": "B2"}), bob)
    won = one_volley("speed_withdraw", "speed_maintain", rolls, None, at)
    assert ("shoot" in won.asked) == (margin >= 3)
    assert ("aim_dice" in won.asked) == (margin >= 6)  # three for the shot, three for a die


@pytest.mark.rules("range_and_cover.action.none_without_margin", "range_and_cover.lose.no_actions")
def test_without_margin_there_is_no_action():
    for mine, theirs, rolls in (
        ("speed_close", "", [0]),
        ("speed_close", "speed_maintain", [1, 2, 0]),
    ):
        played = one_volley(mine, theirs, rolls)
        own = [key for key, ask in played.asks.items() if ask.seat == "ann"]
        assert not {"shoot", "aim_dice", "cover_dice", "other_action"} & set(own)


# --- Aim -------------------------------------------------------------------------------------


@pytest.mark.rules("range_and_cover.aim.cap")
@pytest.mark.parametrize(("perception", "most"), [("B1", 1), ("B4", 2), ("B5", 3), ("B6", 3)])
def test_aim_is_limited_by_half_perception_rounded_up(perception, most):
    assert aim_limit(sheet(stats={"Perception": perception})) == most


@pytest.mark.rules("range_and_cover.aim.cost", "range_and_cover.aim.carry")
def test_successes_become_aiming_dice_for_the_shot_of_the_same_volley():
    won = one_volley("speed_maintain", "speed_maintain", [4, 1, 0], {"aim_dice": 2})
    assert dice(won, 2) == 5 + 2
    held = one_volley("speed_maintain", "speed_maintain", [4, 1, 0], None, one={"aim": 1})
    assert held.asks["aim_dice"].question.most == 1  # two are all that Perception B4 can hold


@pytest.mark.rules("range_and_cover.aim.carry", "range_and_cover.aim.not_for_positioning")
def test_aim_is_carried_over_to_later_volleys_and_never_helps_positioning():
    answers = {
        "ann/shoot#1": "hold",
        "ann/aim_dice#1": 2,
        "ann/shoot#2": "hold",
        "ann/cover_dice": 0,
    }
    played = skirmish([STAY], [STAY], [3, 1, 2, 1, 3, 2, 0], answers)
    assert [dice(played, at) for at in (0, 2, 4)] == [5, 5, 5]
    assert dice(played, 6) == 5 + 2


@pytest.mark.rules("range_and_cover.aim.lost")
def test_a_lost_positioning_test_loses_the_aim():
    answers = {"ann/shoot#1": "hold", "ann/aim_dice#1": 2}
    played = skirmish([STAY], [STAY], [3, 1, 1, 2, 0, 3, 2, 0], answers)
    assert dice(played, 7) == 5


@pytest.mark.rules("range_and_cover.aim.lost")
def test_a_wound_spoils_the_aim_unless_the_gm_says_otherwise():
    """A tie does not lose it, but the arrow that comes with it may."""
    for spoiled, dice_left in ((True, 5), (False, 7)):
        answers = {
            "ann/shoot#1": "hold",
            "ann/aim_dice#1": 2,
            "ann/tie_shot": "duck",
            "aim_spoiled": spoiled,
        }
        played = skirmish([STAY], [STAY], [3, 1, 2, 2, 3, [1], 4, 2, 0], answers)
        assert "Superficial" in played.told
        assert dice(played, len(played.rolls) - 1) == dice_left


@pytest.mark.rules("range_and_cover.aim.lost")
def test_a_wound_spoils_the_aim_that_was_bought_in_the_same_volley():
    """Ann wins with Steel and aims; Bob's free shot hits her before she has shot."""
    brave = archer(attributes={"Steel": "B9"})
    script = ["steel_close", "speed_maintain", "speed_maintain"]
    for spoiled, dice_left in ((True, 5), (False, 7)):
        answers = {
            "ann/shoot#1": "hold",
            "ann/aim_dice#1": 2,
            "ann/cover_dice": 0,
            "aim_spoiled": spoiled,
        }
        rolls = [7, 4, 3, [1], 4, 2, 0, 1, 2, 0]
        played = skirmish([script], [STAY], rolls, answers, field(brave), "extreme/extreme")
        assert "Superficial" in played.told
        shots = [roll for roll in played.rolls if roll.label == "Ann, Bow"]
        assert shots[0].expression.dice.total == dice_left


@pytest.mark.rules("range_and_cover.aim.carry")
def test_aim_that_was_used_in_a_shot_cannot_be_spoiled_by_the_answer_to_it():
    answers = {"ann/shoot#1": "hold", "ann/aim_dice#1": 2}
    played = skirmish([STAY], [STAY], [3, 1, 2, 2, 0, 3, [1], 1, 2, 0], answers)
    assert "Superficial" in played.told
    assert "aim_spoiled" not in played.asked


# --- Cover -----------------------------------------------------------------------------------


@pytest.mark.rules(
    "range_and_cover.cover.dice.cost",
    "range_and_cover.cover.dice.max_two",
    "range_and_cover.cover.dice.next_volley",
)
def test_cover_is_bought_die_by_die_for_the_next_volley_and_never_more_than_two():
    played = skirmish(
        [STAY], [STAY], [5, 1, 1, 2, 0, 1, 2, 0], {"ann/shoot#1": "hold", "ann/aim_dice#1": 0}
    )
    assert played.asks["cover_dice"].question.most == 2
    assert (dice(played, 0), dice(played, 2)) == (5, 7)
    # He keeps it by maintaining, and the shot of the third volley has no cover dice in it.
    assert dice(played, 5) == 7


@pytest.mark.rules(
    "range_and_cover.cover.dice.kept_by_maintaining",
    "range_and_cover.lose.keeps_cover_if_maintained",
)
def test_cover_is_kept_by_maintaining_won_or_lost():
    played = skirmish([STAY], [STAY], [3, 2, 1, 2, 0, 1, 3, 0], {"ann/shoot#1": "hold"})
    assert last_of(played).teams[0].cover == 1
    assert [dice(played, at) for at in (2, 5)] == [6, 6]


@pytest.mark.rules(
    "range_and_cover.cover.dice.lost_by_moving",
    "range_and_cover.speed_close.cover_lost",
    "range_and_cover.steel_close.cover_lost",
)
@pytest.mark.parametrize("card", ["speed_close", "steel_close", "speed_withdraw"])
def test_cover_is_used_in_a_volley_of_moving_and_then_lost(card):
    script = ["speed_maintain", card, "speed_maintain"]
    rolls = [3, 2, 4, 6, 0, 1, 3, 0] if card != "steel_close" else [3, 2, 5, 6, 0, 1, 3, 0]
    bob = archer(stats={"Speed": "B6"})
    played = skirmish(
        [script], [STAY], rolls, {"ann/shoot#1": "hold"}, field(bob=bob), "extreme/extreme"
    )
    own = positioned_with(played)
    base = {"speed_close": 4, "steel_close": 6, "speed_withdraw": 6}[card]
    assert own == [4 + 2, base + 2 + 1, 4 + 2]


@pytest.mark.rules("range_and_cover.cover.dice.win_new_while_moving")
def test_who_wins_a_close_may_take_new_cover():
    script = ["speed_maintain", "speed_close", "speed_maintain"]
    answers = {"ann/shoot": "hold", "ann/aim_dice": 0}
    played = skirmish([script], [STAY], [4, 2, 4, 2, 1, 3, 0], answers, start="extreme/extreme")
    own = positioned_with(played)
    assert own == [4 + 2, 4 + 2 + 2, 4 + 1 + 2]  # in the last volley the range is optimal


@pytest.mark.rules(
    "range_and_cover.cover.sources",
    "range_and_cover.fort.dice",
    "range_and_cover.fort.maintain_only",
)
def test_fortification_helps_whoever_maintains_every_time_and_nobody_else():
    holds = skirmish([STAY], [STAY], [1, 2, 0] * 3, None, one={"fortification": 5})
    own = positioned_with(holds)
    assert own == [4 + 1 + 5] * 3
    watch = one_volley("perception_maintain", "speed_maintain", [1, 2, 0], one={"fortification": 3})
    assert dice(watch, 0) == 4 + 1 + 3
    for moving in ("speed_close", "speed_withdraw", "steel_close"):
        moves = one_volley(moving, "speed_maintain", [0, 5, 0], one={"fortification": 3})
        assert dice(moves, 0) == {"speed_close": 5, "speed_withdraw": 7, "steel_close": 7}[moving]


@pytest.mark.rules("range_and_cover.fort.dice")
@pytest.mark.parametrize("dice_said", [1, 2, 11])
def test_fortifications_have_three_to_ten_dice_by_the_gms_word(dice_said):
    with pytest.raises(BadInput, match=r"3 to 10 dice.*range_and_cover\.fort\.dice"):
        skirmish(one={"fortification": dice_said})
    denied = skirmish(
        [STAY], [STAY], [1, 2, 0] * 3, {"fortification": False}, one={"fortification": 3}
    )
    assert dice(denied, 0) == 5


# --- Other deeds -----------------------------------------------------------------------------


@pytest.mark.rules("range_and_cover.action.other_cost", "range_and_cover.position.action_list")
@pytest.mark.parametrize(
    ("option", "said"), [("one_success", "1 success"), ("gm_sets", "2 successes")]
)
def test_another_deed_is_bought_too_and_its_price_is_a_house_rule(option, said):
    at = field(options={"range_and_cover_other_action_price": option})
    answers = {
        "shoot": "hold",
        "aim_dice": 0,
        "cover_dice": 0,
        "other_action": "deed",
        "other_action#2": "none",
        "deed": "pries the crypt open",
    }
    if option == "gm_sets":
        answers["gm/deed_price"] = 2
    played = one_volley("speed_maintain", "speed_maintain", [4, 1], answers, at)
    assert f"Ann: pries the crypt open ({said})." in played.told
    none = one_volley("speed_maintain", "speed_maintain", [2, 1, 0])
    assert "other_action" not in none.asked  # the shot has cost the only success


@pytest.mark.rules("range_and_cover.action.other_cost", "range_and_cover.shot.once_per_volley")
def test_the_margin_buys_as_many_other_deeds_as_it_has_successes():
    answers = {
        "other_action": "deed",
        "deed": "memorizes the map",
        "deed#2": "pries the door open",
        "aim_dice": 0,
        "cover_dice": 0,
    }
    played = one_volley("speed_maintain", "speed_maintain", [4, 1, 0], answers)
    assert played.asked.count("shoot") == 1
    assert "Ann: memorizes the map (1 success)." in played.told  # three of margin less the shot
    assert "Ann: pries the door open (1 success)." in played.told
    assert played.asked.count("other_action") == 2


@pytest.mark.rules("range_and_cover.action.other_cost", "range_and_cover.crossref.other_chapters")
def test_gritting_teeth_leaves_room_for_no_other_deed_before_or_after():
    answers = {"shoot": "hold", "aim_dice": 0, "cover_dice": 0, "other_action": "grit_teeth"}
    at = field(archer(wounds=[{"level": "Light"}]))
    played = one_volley("speed_maintain", "speed_maintain", [4, 1, 4], answers, at)
    assert played.asked.count("other_action") == 1
    answers |= {"other_action": "deed", "other_action#2": "none"}
    played = one_volley("speed_maintain", "speed_maintain", [4, 1], answers, at)
    keys = [option.key for option in played.asks["other_action"].question.options]
    assert keys == ["none", "deed"]  # the last question


@pytest.mark.rules("range_and_cover.action.other_cost", "range_and_cover.crossref.other_chapters")
def test_a_wound_may_be_shrugged_off_with_margin():
    hurt = archer(wounds=[{"level": "Light"}])
    answers = {"shoot": "hold", "aim_dice": 0, "cover_dice": 0, "other_action": "grit_teeth"}
    played = one_volley("speed_maintain", "speed_maintain", [3, 1, 4], answers, field(hurt))
    assert "Health" in played.told
    busy = one_volley(
        "speed_maintain", "speed_maintain", [3, 1, 0], {"aim_dice": 0, "cover_dice": 0}, field(hurt)
    )
    keys = [option.key for option in busy.asks["other_action"].question.options]
    assert keys == ["none", "deed"]  # gritting takes the whole volley, and there are no cobwebs
    dazed = field(archer(wounds=[{"level": "Superficial"}]))
    light = one_volley(
        "speed_maintain", "speed_maintain", [5, 1, 0], {"aim_dice": 0, "cover_dice": 0}, dazed
    )
    keys = [option.key for option in light.asks["other_action"].question.options]
    assert keys == ["none", "cobwebs", "deed"]


@pytest.mark.rules("injury.grit.one_die_each_wound", "injury.amb.shrug_retries")
def test_the_wound_is_asked_by_name_and_only_where_there_are_several():
    answers = {"shoot": "hold", "aim_dice": 0, "cover_dice": 0, "other_action": "grit_teeth"}
    wounds = [{"level": "Superficial"}, {"level": "Light", "at": ["B5"]}]
    one = one_volley(
        "speed_maintain", "speed_maintain", [3, 1, 4], answers, field(archer(wounds=wounds))
    )
    assert "wound" not in one.asked
    wounds.append({"level": "Light", "at": ["B6"]})
    answers["wound"] = "3"
    two = one_volley(
        "speed_maintain", "speed_maintain", [3, 1, 0], answers, field(archer(wounds=wounds))
    )
    assert [each.key for each in two.asks["wound"].question.options] == ["2", "3"]
    assert "Light wound" in two.told
