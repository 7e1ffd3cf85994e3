"""The core mechanic against independent answers: digits as text, icepool, hand-made numbers."""

from __future__ import annotations

from collections import Counter

import icepool
import pytest

from astragal.dice import Percentile
from astragal.errors import BadInput, NotAllowed
from astragal.games.percentile.degrees import judged, whole_tens
from astragal.play import RollEvent
from games.percentile.playing import a_test, odds, play, table_of

LADDER = {
    "Trivial": 60,
    "Elementary": 50,
    "Simple": 40,
    "Easy": 30,
    "Routine": 20,
    "Ordinary": 10,
    "Challenging": 0,
    "Difficult": -10,
    "Hard": -20,
    "Very Hard": -30,
    "Arduous": -40,
    "Punishing": -50,
    "Hellish": -60,
}


def tens_by_digits(number: int, *, below_zero_is_zero: bool = False) -> int:
    """The tens as they are written: everything but the last digit, with its sign."""
    if number < 0 and below_zero_is_zero:
        return 0
    digits = str(abs(number))[:-1] or "0"
    return int(digits) * (-1 if number < 0 else 1)


def by_the_book(rolled: int, target: int, *, below_zero_is_zero: bool = False) -> tuple[bool, int]:
    passed = rolled <= target
    if rolled in (1, 100):
        passed = rolled == 1
    of_target = tens_by_digits(target, below_zero_is_zero=below_zero_is_zero)
    steps = of_target - tens_by_digits(rolled)
    return passed, max(1, 1 + steps if passed else 1 - steps)


# --- The whole range ------------------------------------------------------------------------


@pytest.mark.rules(
    "percentile.core.success",
    "percentile.core.failure",
    "percentile.core.natural_one",
    "percentile.core.natural_hundred",
    "percentile.degrees.success_first",
    "percentile.degrees.success_more",
    "percentile.degrees.failure_first",
    "percentile.degrees.failure_more",
)
@pytest.mark.parametrize("sign", [True, False])
def test_every_roll_against_every_target(sign: bool):
    for target in range(-70, 171):
        for rolled in range(1, 101):
            result = judged(rolled, target, sign=sign)
            wanted = by_the_book(rolled, target, below_zero_is_zero=not sign)
            assert (result.passed, result.degrees) == wanted, (rolled, target)


@pytest.mark.rules("percentile.core.target", "percentile.core.target_range")
@pytest.mark.parametrize("value", [1, 9, 10, 37, 50, 99, 100])
@pytest.mark.parametrize("difficulty", LADDER)
def test_the_odds_of_a_test_are_icepools(value: int, difficulty: str):
    found = odds(
        table_of(a={"S": value}), "test", character="a", ability="S", difficulty=difficulty
    )
    target = value + LADDER[difficulty]
    oracle = icepool.d(100).map(lambda rolled: by_the_book(rolled, target))
    assert found.total % 100 == 0
    mine = Counter()
    for outcome, weight in found.weights.items():
        mine[outcome.passed, outcome.degrees] += weight * 100 // found.total
        assert outcome.target.total == target
    assert mine == dict(oracle.items())


@pytest.mark.rules("percentile.dice.d100")
def test_the_d100_is_two_ten_sided_dice_with_digits():
    digit = icepool.z(10)  # 0 to 9
    oracle = (digit * 10 + digit).map(lambda number: number or 100)
    assert dict(Percentile().distribution().weights) == dict(oracle.items())


def test_hand_made_results():
    """Each worked out on paper from the text: (roll, target) to (passed, degrees)."""
    for rolled, target, wanted in (
        (39, 39, (True, 1)),
        (30, 39, (True, 1)),
        (40, 39, (False, 2)),
        (1, 39, (True, 4)),
        (100, 39, (False, 8)),
        (100, 5, (False, 11)),
        (1, 0, (True, 1)),
        (2, 0, (False, 1)),
        (99, 160, (True, 8)),
        (100, 160, (False, 1)),
    ):
        result = judged(rolled, target, sign=True)
        assert (result.passed, result.degrees) == wanted, (rolled, target)


# --- Step by step ---------------------------------------------------------------------------


@pytest.mark.rules("percentile.core.when", "percentile.core.value")
def test_the_player_of_the_character_makes_one_roll_and_the_gm_picks_what_is_tested():
    table = table_of(a={"player": "anna", "characteristics": {"S": 30, "Ag": 45}})
    played = a_test(table, 40, ability="S", answers={"ability": "Ag"})
    (roll,) = played.rolls
    assert roll.owner == "anna"
    assert roll.expression.notation == "d100"
    assert played.outcome.passed
    assert played.outcome.target.total == 45
    (ask,) = [ask for ask in played.asked if ask.key == "ability"]
    assert ask.seat == "gm"
    assert ask.question.default == "S"


@pytest.mark.rules("percentile.core.when")
def test_the_gm_rolls_for_the_gms_characters():
    table = table_of(guard={"npc": True, "characteristics": {"S": 30}})
    assert a_test(table, 30, ability="S").rolls[0].owner == "gm"


def test_without_a_proposal_the_gm_must_say_what_is_tested():
    with pytest.raises(BadInput, match="ability"):
        a_test(table_of(a={"S": 30}), 30, task="lifts the gate")


@pytest.mark.rules("percentile.core.when")
def test_a_test_that_nobody_described_is_asked_for_first():
    at = table_of(a={"S": 30}, b={"S": 20})
    with pytest.raises(BadInput, match=r"Task \(A\)"):
        a_test(at, 30, answers={"ability": "S"}, task="  ")
    played = a_test(at, 30, answers={"task": "lifts the gate", "ability": "S"})
    assert played.asked[0].seat == "a"
    assert "A tests Strength (lifts the gate): target" in played.told
    # An ability says enough: what is done with it may be said at the table.
    named = a_test(at, 30, ability="S")
    assert (named.asked[0].key, named.asked[0].kind) == ("task", "offered")
    assert "A tests Strength: target" in named.told
    assert "task" not in a_test(at, 30, ability="S", task="lifts the gate").keys
    with pytest.raises(BadInput, match=r"Task \(B\)"):
        play(
            at,
            "opposed_test",
            sides=[{"character": "a", "ability": "S"}, {"character": "b"}],
        )


@pytest.mark.rules("percentile.core.natural_one", "percentile.core.target_range")
def test_a_one_succeeds_against_a_target_below_one():
    table = table_of(a={"S": 20})
    lucky = a_test(table, 1, ability="S", difficulty="Hellish").outcome
    assert lucky.target.total == -40
    assert (lucky.passed, lucky.degrees) == (True, 1)
    assert not a_test(table, 2, ability="S", difficulty="Hellish").outcome.passed


@pytest.mark.rules("percentile.degrees.modified")
def test_degrees_are_counted_from_the_target_not_from_the_characteristic():
    table = table_of(a={"S": 40})
    assert a_test(table, 12, ability="S", difficulty="Easy").outcome.degrees == 7
    assert a_test(table, 45, ability="S", difficulty="Hard").outcome.degrees == 3


@pytest.mark.rules("percentile.degrees.ones_ignored")
def test_ones_digits_never_matter():
    for ones in range(10):
        assert judged(30 + ones, 39, sign=True).degrees == 1
        assert judged(20 + ones, 59, sign=True).degrees == 4
        assert judged(70 + ones, 40 + ones, sign=True).degrees == 4


@pytest.mark.rules("percentile.auto.success", "percentile.auto.failure")
@pytest.mark.parametrize(
    ("called", "passed"), [("automatic_success", True), ("automatic_failure", False)]
)
def test_the_gm_may_do_without_a_roll(called: str, passed: bool):
    played = a_test(table_of(a={"S": 30}), ability="S", answers={"called_for": called})
    assert played.outcome.passed is passed
    assert played.outcome.rolled is None
    assert played.keys == ["task", "called_for"]
    rules = [event.fact.rule for event in played.events if hasattr(event, "fact")]
    assert rules == ["percentile.auto.success" if passed else "percentile.auto.failure"]
    assert not [event for event in played.events if isinstance(event, RollEvent)]


@pytest.mark.rules("percentile.auto.failure")
def test_what_fails_without_a_roll_gives_no_chance_of_a_lucky_one():
    found = odds(
        table_of(a={"S": 30}),
        "test",
        {"called_for": "automatic_failure"},
        character="a",
        ability="S",
    )
    assert found.where(lambda outcome: outcome.passed) == 0


# --- Tens below zero: the two choices --------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "degrees"), [("towards_zero_with_sign", 9), ("below_0_counts_as_0", 6)]
)
def test_tens_of_a_target_below_zero(choice: str, degrees: int):
    """Target -35, rolled 52: 1 + 5 + 3, or 1 + 5."""
    table = table_of({"percentile_negative_tens": choice}, a={"S": 25})
    outcome = a_test(table, 52, ability="S", difficulty="Hellish").outcome
    assert outcome.target.total == -35
    assert outcome.degrees == degrees


def test_whole_tens():
    numbers = (-35, -30, -29, -5, 0, 9, 10, 99, 100, 115)
    assert [whole_tens(number, sign=True) for number in numbers] == [
        *(-3, -3, -2, 0, 0, 0, 1, 9, 10, 11)
    ]


# --- What does not fit ------------------------------------------------------------------------


def test_refusals_are_one_line_and_name_the_place():
    table = table_of(a={"S": 30})
    for said, place in (
        ({"character": "nobody"}, "character"),
        ({"ability": "Ag"}, "ability"),
        ({"ability": "S", "difficulty": "Impossible"}, "difficulty"),
        ({"ability": "S", "colour": "red"}, "arguments.colour"),
        ({"ability": "S", "assistants": ["a"]}, "assistants[0]"),
        ({"ability": "S", "rerolls": ["x", "x"]}, "rerolls"),
        ({"ability": "S", "modifiers": [{"label": " ", "amount": 1}]}, "modifiers[0].label"),
    ):
        with pytest.raises(BadInput) as refused:
            a_test(table, 30, **said)
        assert refused.value.place == place
        assert "\n" not in str(refused.value)


def test_faces_that_no_ten_sided_die_has_are_refused():
    table = table_of(a={"S": 30})
    for faces in ((0, 5), (11, 5), (3,), (3, 4, 5)):
        with pytest.raises(BadInput, match="faces of A, Strength"):
            play(table, "test", [faces], character="a", ability="S")


@pytest.mark.rules("percentile.extended.stated")
def test_one_test_of_a_skill_that_needs_several_is_refused_by_its_rule():
    scene = {"skills": {"Repair": {"characteristic": "Int", "extended": True}}}
    table = table_of(None, scene, a={"Int": 30})
    with pytest.raises(NotAllowed, match="Extended test") as refused:
        a_test(table, 5, ability="Repair")
    assert refused.value.rule == "percentile.extended.stated"
