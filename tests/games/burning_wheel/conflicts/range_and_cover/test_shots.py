"""Shots: obstacles by range and cover, shields, ties, crossbows and guns."""

from __future__ import annotations

import pytest

from astragal.play import DecisionEvent, Tell
from astragal.rules import catalogue
from games.burning_wheel.skirmishing import archer, field, one_volley, positioned_with, skirmish

STAY = ["speed_maintain"] * 3
CROSSBOW = {"skills": {"Crossbow": {"rating": "B3", "roots": ["Agility"]}}}
GUN = {"skills": {"Firearms": {"rating": "B3", "roots": ["Agility"]}}}


def obstacle(played) -> int:
    """The obstacle of the first shot, from what was told."""
    (line, *_) = [
        line for line in played.told.splitlines() if " range, " in line.partition("against Ob")[2]
    ]
    return int(line.split("against Ob ")[1].split(" ")[0])


def rules_of_ranges(played) -> list[str]:
    """The rules behind what range and cover make of the obstacles."""
    return [
        line.rule
        for event in played.events
        if isinstance(event, Tell) and getattr(event.fact, "obstacle", None) is not None
        for line in event.fact.obstacle.lines
        if " range, " in line.label
    ]


def tie_options(played, seat: str) -> list[str]:
    """What somebody could choose on a tie."""
    (asked,) = [
        event.ask
        for event in played.events
        if isinstance(event, DecisionEvent)
        and (event.ask.key, event.ask.seat) == ("tie_shot", seat)
    ]
    return [option.key for option in asked.question.options]


COLUMNS = ("open", "reasonable_cover", "dense_cover_or_fortification")


@pytest.mark.rules(
    "range_and_cover.range.extreme.ob_open",
    "range_and_cover.range.extreme.ob_reasonable_cover",
    "range_and_cover.range.extreme.ob_dense_cover",
    "range_and_cover.range.optimal.ob_open",
    "range_and_cover.range.optimal.ob_reasonable_cover",
    "range_and_cover.range.optimal.ob_dense_cover",
    "range_and_cover.cover.three_levels",
    "range_and_cover.cover.level_from_setting",
)
@pytest.mark.parametrize("category", ["optimal", "extreme"])
@pytest.mark.parametrize(
    ("level", "column"), list(zip(("open", "reasonable", "dense"), COLUMNS, strict=True))
)
def test_obstacles_are_those_of_the_table(category, level, column):
    row = catalogue().table("range_and_cover.table.shot_obstacles").where(range=category)
    start = f"{category}/{category}"
    by_argument = one_volley(
        "speed_maintain", "speed_maintain", [3, 2, 0], None, None, start, other={"cover": level}
    )
    assert obstacle(by_argument) == row[column]
    said = {"open": "open", "reasonable": "reasonable_cover", "dense": "dense_cover"}[level]
    assert rules_of_ranges(by_argument) == [f"range_and_cover.range.{category}.ob_{said}"]
    by_the_gm = one_volley(
        "speed_maintain", "speed_maintain", [3, 2, 0], {"gm/cover_level#2": level}, None, start
    )
    assert obstacle(by_the_gm) == row[column]


@pytest.mark.rules(
    "range_and_cover.penalty.only_wounds_weather_light",
    "range_and_cover.penalty.no_movement_range_cover",
    "range_and_cover.cover.dice.next_volley",
)
def test_only_wounds_weather_and_light_and_the_shooters_own_gear_raise_it():
    for theirs in ("speed_maintain", "speed_close", "speed_withdraw"):
        plain = one_volley(
            "speed_close", theirs, [4, 3, 0], None, None, "extreme/extreme", other={"cover_dice": 2}
        )
        assert obstacle(plain) == 2  # neither movement nor cover dice are in it
    dim = one_volley(
        "speed_maintain", "speed_maintain", [3, 2, 0], {"weather_and_light": ["dim_light_lantern"]}
    )
    assert obstacle(dim) == 3
    rain = one_volley(
        "speed_maintain",
        "speed_maintain",
        [3, 2, 0],
        {"weather_and_light": ["driving_rain_or_snow"]},
    )
    listed = catalogue().table("fight.table.melee_obstacles")
    assert obstacle(rain) == 2 + listed.number("ob_penalty", condition="driving rain or snow")
    hurt = field(archer(wounds=[{"level": "Superficial"}]))
    assert obstacle(one_volley("speed_maintain", "speed_maintain", [4, 2, 0], None, hurt)) == 3
    untrained = field(archer("crossbow"))
    assert obstacle(one_volley("speed_maintain", "speed_maintain", [4, 2, 0], None, untrained)) == 4


@pytest.mark.rules("range_and_cover.range.out_of_range.meaning")
def test_out_of_range_nobody_shoots():
    at = field(archer("great bow"))
    both = one_volley(
        "speed_maintain", "speed_maintain", [2, 2, 0], None, at, "extreme/out_of_range"
    )
    assert tie_options(both, "bob") == ["duck", "neither"]
    lost = one_volley("speed_maintain", "speed_maintain", [2, 3], None, at, "extreme/out_of_range")
    assert "shoot" not in lost.asked


# --- Shields ---------------------------------------------------------------------------------

SHIELD = {"shield": "target"}


@pytest.mark.rules(
    "range_and_cover.shield.raises_cover_one_step", "range_and_cover.shield.only_speed_or_steel"
)
@pytest.mark.parametrize(
    ("theirs", "raised"),
    [
        ("speed_maintain", 1),
        ("speed_close", 1),
        ("steel_close", 1),
        ("perception_maintain", 0),
        ("", 0),  # who hesitates has no use of it
    ],
)
def test_a_shield_is_one_step_of_cover_for_speed_and_steel(theirs, raised):
    at = field(bob=archer(**SHIELD, skills={"Stealthy": "B2"}))
    rolls = {"steel_close": [5, 1, 0], "": [4, 0]}.get(theirs, [4, 2, 0])
    played = one_volley("speed_maintain", theirs, rolls, None, at)
    assert obstacle(played) == 2 + raised


@pytest.mark.rules("range_and_cover.shield.only_speed_or_steel")
def test_a_shield_does_not_help_whoever_sneaks():
    at = field(bob=archer(**SHIELD, skills={"Stealthy": "B2"}))
    played = one_volley("speed_maintain", "stealthy_close", [4, 0, 0], None, at)
    assert obstacle(played) == 2


@pytest.mark.rules("range_and_cover.shield.raises_cover_one_step")
def test_dense_cover_is_not_raised_further():
    at = field(bob=archer(**SHIELD))
    for level, found in (("reasonable", 4), ("dense", 4)):
        played = one_volley(
            "speed_maintain", "speed_maintain", [4, 2, 0], None, at, other={"cover": level}
        )
        assert obstacle(played) == found


@pytest.mark.rules("range_and_cover.shield.not_while_shooting")
def test_a_shield_does_not_help_whoever_shoots_back():
    at = field(bob=archer(**SHIELD))
    for said, found in (("ann", 2), ("duck", 2 + 1 + 1)):
        rolls = [2, 2, 0] if said == "duck" else [2, 2, 0, 0]
        played = one_volley("speed_maintain", "speed_maintain", rolls, {"bob/tie_shot": said}, at)
        assert obstacle(played) == found


@pytest.mark.rules("range_and_cover.shield.dice_must_exceed_va")
def test_a_shield_helps_only_if_it_has_more_dice_than_the_va():
    at = field(archer("arquebus", **GUN), archer(**SHIELD))  # a target has 3D; a gun VA 3, then 1
    near = one_volley("speed_maintain", "speed_maintain", [4, 2, [2], 0], None, at)
    assert obstacle(near) == 2
    distant = field(archer("arquebus", **GUN), archer("nothing", **SHIELD))
    extreme = one_volley(
        "speed_maintain", "speed_maintain", [4, 2, [2], 0], None, distant, "extreme/extreme"
    )
    assert obstacle(extreme) == 3 + 1


# --- Ties ------------------------------------------------------------------------------------


@pytest.mark.rules(
    "range_and_cover.tie.shot.choice",
    "range_and_cover.tie.shot.free",
    "range_and_cover.tie.shot.duck",
)
def test_on_a_tie_each_shoots_for_nothing_or_ducks():
    played = one_volley(
        "speed_maintain",
        "speed_maintain",
        [2, 2, 0],
        {"ann/tie_shot": "bob", "bob/tie_shot": "duck"},
    )
    assert obstacle(played) == 2 + 1
    assert len(played.rolls) == 3
    assert all(ask.secret for ask in played.asks.values() if ask.key == "tie_shot")
    nobody = one_volley("speed_maintain", "speed_maintain", [2, 2], {"tie_shot": "duck"})
    assert len(nobody.rolls) == 2


@pytest.mark.rules("range_and_cover.tie.shot.obstacle")
def test_a_shot_on_a_tie_is_at_the_range_before_the_move():
    both = one_volley("speed_withdraw", "speed_withdraw", [2, 2, 0, 0])
    assert both.outcome.ranges == ("out of range", "out of range")
    assert obstacle(both) == 2


@pytest.mark.rules("range_and_cover.tie.shot.simultaneous")
def test_both_shots_of_a_tie_are_made_even_if_one_kills():
    deadly = [2, 2, 5, [6], 5, [6]]
    played = skirmish([STAY], [STAY], deadly, {"aim": "torso"})
    assert [each.state for each in played.outcome.skirmishers] == ["dying", "dying"]
    assert (played.outcome.settled, played.outcome.winner) == ("felled", None)


@pytest.mark.rules("range_and_cover.steel_close.opponent_won_extras")
def test_whoever_beats_a_steel_maneuver_turns_his_whole_margin_into_aim():
    played = one_volley("speed_maintain", "steel_close", [4, 0, 0], {"aim_dice": 2})
    assert played.outcome.margin == 4
    assert played.rolls[2].expression.dice.total == 5 + 2
    assert played.asks["cover_dice"].question.most == 2  # four, of which two went into aim


@pytest.mark.rules("range_and_cover.steel_close.opponent_shot_free")
def test_the_loser_against_steel_shoots_free_without_aim_at_the_range_before():
    at = field(archer(attributes={"Steel": "B9"}))
    played = one_volley(
        "steel_close",
        "speed_maintain",
        [6, 2, 0, 0],
        {"ann/aim_dice": 0},
        at,
        "extreme/extreme",
        other={"aim": 2},
    )
    lines = [line for line in played.told.splitlines() if "against Ob" in line]
    assert lines[1] == "Bob rolls 5D = 5 Bow against Ob 3 = 3 extreme range, open"


# --- Crossbows and guns ----------------------------------------------------------------------


def crossbowman(**more):
    return archer("crossbow", **CROSSBOW, **more)


@pytest.mark.rules(
    "range_and_cover.reload.lose_range_dice",
    "range_and_cover.reload.one_volley",
    "range_and_cover.reload.conditions",
)
def test_a_crossbow_has_no_range_dice_after_a_shot_and_is_loaded_again_in_that_volley():
    played = skirmish(
        [STAY],
        [STAY],
        [3, 2, 0, 3, 2, 3, 2, 0],
        {"aim_dice": 0, "cover_dice": 0},
        field(crossbowman()),
    )
    own = positioned_with(played)
    assert own == [4 + 2, 4, 4 + 2]
    assert played.asked.count("shoot") == 2  # in the first and the third volley
    assert played.told.count("reloads the crossbow") == 1


@pytest.mark.rules("range_and_cover.reload.loser_may_reload")
def test_a_loser_may_reload():
    played = skirmish([STAY], [STAY], [3, 2, 0, 1, 2, 0, 3, 2, 0], None, field(crossbowman()))
    assert "Ann reloads the crossbow" in played.told
    assert [r.label for r in played.rolls].count("Ann, Crossbow") == 2


@pytest.mark.rules("range_and_cover.reload.others_free")
def test_bows_need_no_reloading():
    played = skirmish([STAY], [STAY], [3, 2, 0] * 3)
    own = positioned_with(played)
    assert own == [5, 5, 5]
    assert "reloads" not in played.told


def test_an_unloaded_crossbow_has_no_free_shot_but_its_owner_ducks():
    empty = archer(**CROSSBOW, weapons=[{"weapon": "crossbow", "loaded": False}])
    played = one_volley("speed_maintain", "speed_maintain", [2, 2, 0], None, field(empty))
    assert tie_options(played, "ann") == ["duck", "neither"]
    assert obstacle(played) == 2 + 1


def test_nobody_reloads_while_hesitating():
    empty = archer(**CROSSBOW, weapons=[{"weapon": "crossbow", "loaded": False}])
    shaken = {"hesitating": [{"character": "ann", "heartbeats": 1, "reaction": "stand_and_drool"}]}
    rolls = [1, 0, 2, 3, 0, 2, 3, 0]
    played = skirmish([STAY[1:]], [STAY], rolls, None, field(empty, scene=shaken))
    lines = played.told.splitlines()
    (loaded,) = [at for at, line in enumerate(lines) if "reloads" in line]
    second = next(at for at, line in enumerate(lines) if line.startswith("Volley 2"))
    third = next(at for at, line in enumerate(lines) if line.startswith("Volley 3"))
    assert second < loaded < third


def test_a_gun_that_jams_has_used_up_its_shot():
    at = field(archer("arquebus", **GUN))
    played = skirmish([STAY], [STAY], [3, 2, [1], [5], 3, 2, 3, 2, [4], 0], {"cover_dice": 0}, at)
    assert "jams" in played.told
    assert "Ann reloads the arquebus" in played.told


def test_a_bomb_has_its_own_dice_and_may_go_off_in_the_hand_of_a_loser():
    at = field(archer("iron-cased bomb", skills={"Throwing": "B3"}), archer("throwing knife"))
    won = one_volley(
        "speed_maintain", "speed_maintain", [3, 2, 0], None, at, other={"cover_dice": 2}
    )
    assert [roll.expression.dice.total for roll in won.rolls[:2]] == [4 + 2, 4 + 1 + 1]
    tied = one_volley("speed_maintain", "speed_maintain", [2, 2, [1], [3], 0], None, at)
    assert tied.outcome.hit[0]


@pytest.mark.rules("weapons.amb.bomb_rc_cover", "weapons.bomb.rc.negates_cover")
@pytest.mark.parametrize(("cover", "fort", "left"), [(0, 3, 2), (1, 3, 3), (2, 3, 4), (2, 0, 1)])
def test_a_bomb_takes_a_die_of_cover_or_else_of_prepared_defences(cover, fort, left):
    at = field(archer("iron-cased bomb", skills={"Throwing": "B3"}), archer("throwing knife"))
    behind = {"cover_dice": cover, "fortification": fort}
    played = one_volley("speed_maintain", "speed_maintain", [3, 2, 0], None, at, other=behind)
    assert played.rolls[1].expression.dice.total == 4 + 1 + left


@pytest.mark.rules("weapons.shoot.location_hidden")
@pytest.mark.parametrize(("cover", "asked"), [("open", False), ("dense", True)])
def test_of_somebody_in_cover_the_gm_says_what_is_hidden(cover, asked):
    """Four against Ob 2 or 4; with chest and legs out of sight the arms cost nothing."""
    answers = {"ann/aim_dice": 0, **({"hidden_locations": ["torso", "legs"]} if asked else {})}
    rolls = [3, 1, 4, [3]]
    played = one_volley("speed_maintain", "speed_maintain", rolls, answers, other={"cover": cover})
    (hit,) = played.outcome.hits
    assert hit.location == ("arms" if asked else "torso")
    assert ("hidden_locations" in played.asked) is asked
    if asked:
        assert played.seats["hidden_locations"] == "gm"
