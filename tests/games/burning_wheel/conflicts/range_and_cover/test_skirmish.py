"""The whole conflict: scripts, forfeits, groups, and how it ends."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.play import DecisionEvent, Tell
from astragal.play.views import seen_by
from games.burning_wheel.playing import play, somehow
from games.burning_wheel.skirmishing import archer, field, last_of, skirmish

STAY = ["speed_maintain"] * 3


@pytest.mark.rules(
    "range_and_cover.script.three_volleys",
    "range_and_cover.sequence.overall",
    "range_and_cover.script.secret_until_revealed",
)
def test_three_maneuvers_are_scripted_in_secret_and_shown_one_by_one():
    mine = ["speed_maintain", "perception_maintain", "speed_withdraw"]
    played = skirmish([mine, mine], [STAY, STAY], [1, 2, 0, 1, 2, 0, 1, 2, 0] * 2)
    scripts = [e for e in played.events if isinstance(e, DecisionEvent) and e.ask.key == "script"]
    assert [e.ask.question.slots for e in scripts] == [3] * 6
    assert all(e.ask.secret for e in scripts)
    for event in seen_by("bob", played.events):
        assert not (
            isinstance(event, DecisionEvent)
            and event.ask.seat == "ann"
            and event.ask.key == "script"
        )
    shown = [line for line in played.told.splitlines() if line.startswith("Volley")]
    assert [line.split(". ", 1)[1].split(";")[0] for line in shown[:3]] == [
        "Ann: Speed Maintain",
        "Ann: Perception Maintain",
        "Ann: Speed Withdraw",
    ]
    assert len(shown) == 6
    assert (played.outcome.exchanges, played.outcome.volleys) == (2, 6)


# --- Forfeits --------------------------------------------------------------------------------


@pytest.mark.rules(
    "range_and_cover.script.forfeit.trade",
    "range_and_cover.script.forfeit.cost",
    "range_and_cover.script.forfeit.only_second",
)
def test_the_third_volley_may_be_given_up_to_change_the_second():
    answers = {
        "ann/forfeit": True,
        "ann/script#2": ["speed_withdraw"],
        "ann/shoot": "hold",
        "ann/aim_dice": 2,
        "ann/cover_dice": 2,
        "bob/cover_dice": 0,
        "bob/aim_dice": 0,
    }
    played = skirmish([STAY], [STAY], [5, 1, 1, 2, 0, 3, 0], answers)
    assert "Volley 2. Ann: Speed Withdraw; Bob: Speed Maintain." in played.told
    assert "Volley 3. Ann: no action; Bob: Speed Maintain." in played.told
    assert "Bob (3) beats Ann (0)" in played.told
    assert (last_of(played).teams[0].cover, last_of(played).skirmishers[0].aim) == (0, 0)
    assert played.asked.count("forfeit") == 2  # once for each side, before the second volley
    kept = skirmish([STAY], [STAY], [1, 2, 0] * 3)
    lines = kept.told.splitlines()
    assert sum("gives up the third volley" in line for line in lines) == 0


@pytest.mark.rules("range_and_cover.script.forfeit.cost")
def test_what_was_given_up_is_over_with_the_third_volley():
    answers = {
        "ann/forfeit#1": True,
        "ann/script#2": ["speed_maintain"],
        "ann/script#3": STAY,
        "ann/shoot": "hold",
        "bob/shoot": "hold",
    }
    played = skirmish([STAY], [STAY, STAY], None, answers)
    _, first, second = played.told.split("Exchange ")[:3]
    assert "Volley 3. Ann: no action; Bob: Speed Maintain." in first
    assert second.count("Ann: Speed Maintain; Bob: Speed Maintain.") == 3


# --- The end ---------------------------------------------------------------------------------


@pytest.mark.rules("range_and_cover.use.no_body_to_reduce")
def test_it_ends_when_one_side_gives_up_or_cannot_go_on():
    gave_up = skirmish()
    assert (gave_up.outcome.settled, gave_up.outcome.winner) == ("gave_up", 1)
    both = skirmish(answers={"bob/script": ["give_up"] * 3})
    assert (both.outcome.settled, both.outcome.winner) == ("gave_up", None)
    felled = skirmish([STAY], [STAY], [3, 2, 5, [6]], {"aim": "torso"})
    assert (felled.outcome.settled, felled.outcome.winner) == ("felled", 0)
    assert felled.outcome.skirmishers[1].state == "dying"


def test_a_rehearsal_leaves_nothing_behind():
    played = skirmish([STAY], [STAY], [3, 2, 5, [6]], {"aim": "torso"}, rehearsal=True)
    assert not played.changed


# --- Groups ----------------------------------------------------------------------------------


def group(*names: str, **more):
    return {"shooters": [{"character": name} for name in names], **more}


def test_one_against_one_unless_the_table_plays_with_groups():
    at = field(cid=archer())
    with pytest.raises(BadInput, match=r"one on each side.*range_and_cover\.amb\.groups"):
        skirmish(at=at, sides=[group("ann", "cid"), group("bob")])
    assert at.options["range_and_cover_groups"] == "one_against_one"


def test_companions_help_to_position_and_each_buys_a_shot_from_one_margin():
    at = field(cid=archer(), options={"range_and_cover_groups": "shared_margin"})
    rolls = [3, 1, 0, 0, 1, 2, 0, 1, 2, 0]
    played = skirmish([STAY], [STAY], rolls, None, at, sides=[group("ann", "cid"), group("bob")])
    assert [roll.label for roll in played.rolls[2:4]] == ["Ann, Bow", "Cid, Bow"]
    assert played.rolls[0].expression.dice.total in (5, 6)
    shots = [e.ask for e in played.events if isinstance(e, DecisionEvent) and e.ask.key == "shoot"]
    assert [ask.seat for ask in shots[:2]] == ["ann", "cid"]
    assert "Ranges: Ann and Cid: optimal; Bob: optimal." in played.told
    # The other side chooses at whom it shoots.
    assert [option.key for option in shots[2].question.options] == ["ann", "cid", "hold"]


def test_a_companion_with_a_shorter_weapon_is_out_of_range_where_the_leader_is_at_extreme():
    at = field(
        archer("great bow"), archer("great bow"), cid=archer("throwing knife"),
        options={"range_and_cover_groups": "shared_margin"},
    )  # fmt: skip
    played = skirmish(
        [], [], [], None, at, "extreme/extreme", sides=[group("ann", "cid"), group("bob")]
    )
    shown = {each.character: each.range for each in last_of(played).skirmishers}
    assert shown == {"ann": "extreme", "bob": "extreme", "cid": "out of range"}


@pytest.mark.parametrize(
    ("start", "range"),
    [("out_of_range/out_of_range", "out of range"), ("out_of_range/extreme", "extreme")],
)
def test_a_companion_with_a_longer_weapon_is_at_extreme_while_anybody_can_shoot(start, range):
    options = {"range_and_cover_groups": "shared_margin"}
    at = field(archer("throwing knife"), cid=archer("great bow"), options=options)
    both = [group("ann", "cid"), group("bob")]
    played = skirmish([], [], [], None, at, start, sides=both)
    shown = {each.character: each.range for each in last_of(played).skirmishers}
    assert (shown["ann"], shown["cid"]) == ("out of range", range)


@pytest.mark.parametrize(("hit", "left"), [("cid", 2), ("ann", 0)])
def test_the_cover_of_a_side_is_lost_when_its_leader_hesitates_and_not_a_companion(hit, left):
    """Ann wins two dice of cover; then Bob wins, and hits one of them."""
    options = {"range_and_cover_groups": "shared_margin"}
    at = field(cid=archer(), options=options)
    said = {"bob/shoot#1": hit, "bob/shoot#2": "hold", "bob/aim_dice": 0, "bob/cover_dice": 0}
    said |= {f"{who}/{key}": no for who in ("ann", "cid") for key, no in NOTHING_ELSE}
    # Bob's Mark of B7 is a Midi wound, and Steel fails.
    rolls = [3, 1, 1, 3, 2, [4], 0, 0, 3]
    both = [group("ann", "cid"), group("bob")]
    played = skirmish([STAY], [STAY], rolls, said, at, sides=both)
    assert f"{hit.title()} hesitates for 1 volley." in played.told
    assert last_of(played).teams[0].cover == left


NOTHING_ELSE = (("shoot", "hold"), ("aim_dice", 0))


# --- What is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"sides": [group("ann")]}, "exactly two sides"),
        ({"sides": [group("ann"), group()]}, "at least one"),
        ({"sides": [group("ann"), group("ann")]}, "not in this yet"),
        ({"sides": [group("ann", cover="fog"), group("bob")]}, "open, reasonable, dense"),
        ({"sides": [group("ann"), group("bob")], "about": "x" * 500}, "400 characters"),
        (
            {"sides": [{"shooters": [{"character": "ann", "weapon": "bare fist"}]}, group("bob")]},
            "missile or thrown",
        ),
        (
            {"sides": [{"shooters": [{"character": "ann", "head": "soup"}]}, group("bob")]},
            "one of",
        ),
    ],
)
def test_what_cannot_be_a_skirmish_is_refused_in_one_line(arguments, words):
    with pytest.raises(BadInput, match=words) as refused:
        play("range_and_cover", arguments, field(), None, None, somehow)
    assert "\n" not in str(refused.value)


def test_a_picture_is_told_after_each_volley_that_changed_something():
    played = skirmish([STAY], [STAY], [3, 2, 0, 4, 2, 0, 4, 2, 0], {"aim_dice": 0})
    pictures = [
        e.fact
        for e in played.events
        if isinstance(e, Tell) and e.fact.sentence().startswith("Ranges:")
    ]
    assert [each.teams[0].cover for each in pictures] == [0, 1, 2]
    assert pictures[0].categories[0] == "out of range"


# --- After a fight -------------------------------------------------------------------------


@pytest.mark.rules("extended_example.leave.to_range_and_cover", "extended_example.amb.range_start")
def test_after_a_fight_the_gm_sets_the_range():
    at = field(options={"extended_example_range_after_fight": "gm_sets_range"})
    said = {"starting_range": "extreme/extreme"}
    played = skirmish(at=at, start="", answers=said, after_a_fight=True, rolls=[])
    assert played.seats["starting_range"] == "gm"
    assert last_of(played).sentence() == "Ranges: Ann: extreme; Bob: extreme."


@pytest.mark.rules("extended_example.amb.range_start")
def test_a_group_may_want_the_first_test_after_a_fight_too():
    at = field(options={"extended_example_range_after_fight": "initial_test"})
    played = skirmish(at=at, start="", after_a_fight=True, rolls=[2, 1])
    assert [roll.label for roll in played.rolls] == [
        "Ann, first positioning, Speed",
        "Bob, first positioning, Speed",
    ]
    assert played.seats["starting_range"] == "ann", "the winner names it"


@pytest.mark.rules("extended_example.leave.to_range_and_cover")
def test_those_who_only_withdraw_may_be_let_go():
    stays, leaves = ("speed_maintain",) * 3, ("speed_withdraw",) * 3
    played = skirmish([stays], [leaves], [2, 2], {"let_go": True, "tie_shot": "duck"})
    assert played.outcome.settled == "escaped"
    assert "Ann lets Bob go." in played.told
    both = skirmish([leaves], [leaves], None)
    assert "let_go" not in both.asked
