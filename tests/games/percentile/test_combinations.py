"""Several rules on one test, worked out by hand from the text."""

from __future__ import annotations

import pytest

from games.percentile.playing import d100, play, table_of


@pytest.mark.rules(
    "percentile.skill.untrained_penalty",
    "percentile.difficulty.cap",
    "percentile.core.natural_one",
    "percentile.degrees.failure_more",
)
@pytest.mark.parametrize(
    ("rolled", "passed", "degrees"),
    [(1, True, 1), (2, False, 3), (100, False, 13), (99, False, 12)],
)
def test_an_untrained_try_at_something_hellish(rolled: int, passed: bool, degrees: int):
    """35 with -60 and -20 is 35 - 60 = -25; 2 against it is 1 + (0 + 2), 100 is 1 + (10 + 2)."""
    table = table_of(ann={"WP": 35})
    said = {"governed_by": "WP"}
    given = {"ability": "Psyniscience", "difficulty": "Hellish", "task": "listen"}
    played = play(table, "test", d100(rolled), said, character="ann", **given)
    assert played.outcome.target.total == -25
    assert (played.outcome.passed, played.outcome.degrees) == (passed, degrees)


@pytest.mark.rules(
    "percentile.opposed.both_succeed", "percentile.opposed.tie_bonus", "percentile.opposed.tie_roll"
)
@pytest.mark.parametrize(
    ("ann", "rolls", "winner", "said"),
    [
        (47, (23, 41), "ann", "Ann wins: equal degrees and bonuses, and the lower roll, 23."),
        (39, (13, 41), "ben", "Ben wins: equal degrees, and the higher characteristic bonus, 4."),
        (47, (13, 41), "ann", "Ann wins: more degrees of success, 4."),
        (47, (48, 62), "ben", "Ben wins: the only success."),
    ],
)
def test_what_decides_an_opposed_test_is_told_with_its_number(ann, rolls, winner, said):
    """Ben has 42 and +20. 41 against 62 is 3 degrees; 23 against 47 is 3, and 13 against 39 too."""
    table = table_of(ann={"Ag": ann}, ben={"Per": 42})
    sides = [
        {"character": "ann", "ability": "Ag", "difficulty": "Challenging"},
        {"character": "ben", "ability": "Per", "difficulty": "Routine"},
    ]
    played = play(table, "opposed_test", d100(*rolls), {}, sides=sides)
    assert played.outcome.winner == winner
    assert said in played.told


@pytest.mark.rules(
    "percentile.dice.d5", "percentile.dice.fixed_modifier", "percentile.dice.floor_zero"
)
@pytest.mark.parametrize(
    ("dice", "digits", "said", "total"),
    [
        ("2d5", [7, 0], "2d5: 4 + 5 = 9.", 9),
        ("1d5\u20133", [2], "1d5-3: 1 - 3 = -2, which counts as 0.", 0),
        ("2d10+5", [3, 4], "2d10+5: 3 + 4 + 5 = 12.", 12),
        ("d100", [0, 7], "d100: 7.", 7),
        ("d100-10", [0, 7], "d100-10: 7 - 10 = -3, which counts as 0.", 0),
        ("1d10-3", [3], "1d10-3: 3 - 3 = 0.", 0),
    ],
)
def test_dice_read_off_the_table_are_told_one_by_one(dice, digits, said, total):
    played = play(table_of(ann={"S": 30}), "read_dice", dice=dice, digits=digits)
    assert (played.told, played.outcome.total) == (said, total)
    kept = play(
        table_of(ann={"S": 30}), "read_dice", dice="1d5-3", digits=[2], below_zero="a curse"
    )
    assert (kept.told, kept.outcome.total) == ("1d5-3: 1 - 3 = -2.", -2)


@pytest.mark.rules("percentile.math.round_up")
@pytest.mark.parametrize(
    ("value", "by", "rounding", "said"),
    [
        (9, 4, "up", "9 divided by 4 is 2 1/4, rounded up to 3."),
        (9, 3, "up", "9 divided by 3 is 3."),
        (1, 3, "up", "1 divided by 3 is 1/3, rounded up to 1."),
        (9, 4, "down", "9 divided by 4 is 2 1/4, rounded down to 2 (the Traits)."),
        (9, 2, "nearest", "9 divided by 2 is 4 1/2, rounded up to 5 (the Traits)."),
    ],
)
def test_a_fraction_is_told_before_it_is_rounded(value, by, rounding, said):
    says = "" if rounding == "up" else "the Traits"
    given = {"value": value, "by": by, "rounding": rounding, "says": says}
    assert play(table_of(ann={"S": 30}), "divide", **given).told == said


@pytest.mark.rules("percentile.auto.success", "percentile.auto.failure", "percentile.core.when")
@pytest.mark.parametrize(
    ("called", "said"),
    [
        ("automatic_success", "Ann succeeds without a roll (S)."),
        ("automatic_failure", "Ann fails without a roll (S)."),
    ],
)
def test_what_needs_no_roll_is_told(called: str, said: str):
    given = {"character": "ann", "ability": "S"}
    table = table_of(ann={"S": 30})
    assert play(table, "test", answers={"called_for": called}, **given).told == said
    assert "without a roll" not in play(table, "test", d100(20), **given).told
    named = play(table, "test", answers={"called_for": called}, **given, task="lift the bar").told
    assert named == said.replace("(S)", "(lift the bar)")


@pytest.mark.rules("percentile.assist.adjacent")
@pytest.mark.parametrize("ends", ["end_scene", "end_session"])
def test_places_are_forgotten_with_the_scene_and_with_the_session(ends: str):
    table = table_of(ann={"S": 30}, ben={"S": 30}, scene={"places": {"ann": "yard", "ben": "hall"}})
    assert play(table, ends).table.scene.places == {}
