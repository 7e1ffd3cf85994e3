"""House rules flipped: every option is tried, and what moves is told."""

from __future__ import annotations

from itertools import product
from math import comb

import pytest

from astragal.lab import readings
from astragal.lab.readings import Flip, FlippedMeasure, measure, moved_by, option_flips
from astragal.rules import catalogue
from astragal.rules.options import Options


def test_every_option_is_flipped_to_each_choice_but_its_default():
    flips = option_flips()
    specs = catalogue().options("burning_wheel")
    assert {flip.option for flip in flips} == {spec.name for spec in specs}
    assert len(flips) == sum(len(spec.choices) - 1 for spec in specs)
    assert {flip.option.partition("_of_wits")[0] for flip in option_flips("duel_of_wits")} == {
        "duel"
    }


@pytest.fixture(scope="module")
def measured():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readings, "duel_numbers", lambda options: {})
        return readings.measure_usual()


def test_what_is_measured_are_the_chances_of_the_procedures(measured):
    usual = measured.numbers
    titles = {what.partition(": ")[0] for what in usual}
    assert titles == {each.title for each in readings.BATTERY}, "one cannot be played"
    assert usual["a test of 4D at Ob 3"] == (comb(4, 3) + 1) / 16
    assert usual["a test of 4D at Ob 3: counts as difficult"] == 1
    # Two FoRKs are two dice; the helper is asked and does not help.
    assert (
        usual["the same with help and two FoRKs"]
        == sum(sum(dice) >= 3 for dice in product((0, 1), repeat=6)) / 2**6
    )
    # Five dice against five: a Strike has to have more successes than the Block.
    more = sum(comb(5, one) * comb(5, other) for one in range(6) for other in range(one))
    assert usual["a Strike against a Block: hits"] == more / 2**10
    assert usual["a Strike against a Block: is hit"] == 0


@pytest.mark.parametrize(
    ("option", "choice", "title", "dice", "obs"),
    [
        ("armor_boots_penalty", "plus_1_ob", "a Speed test in clumsy boots at Ob 2", 5, (2, 3)),
        (
            "injury_superficial_ob_scope",
            "every_test",
            "a Health test with a Superficial wound at Ob 2",
            3,
            (2, 3),
        ),
        (
            "armor_helmet_affects",
            "also_sight_and_hearing_skills",
            "a skill of sight in a bascinet at Ob 2",
            4,
            (2, 4),
        ),
        (
            "armor_untrained_helmet_alone",
            "penalty",
            "another skill in a bascinet, untrained, at Ob 2",
            4,
            (2, 4),
        ),
    ],
)
def test_what_characters_wear_and_suffer_counts(measured, option, choice, title, dice, obs):
    usual, flipped = (
        sum(comb(dice, successes) for successes in range(ob, dice + 1)) / 2**dice for ob in obs
    )
    assert measured.numbers[title] == usual
    assert measure(FlippedMeasure(Flip(option, choice), (title,)))[title] == flipped


def test_a_flip_is_only_tried_where_its_option_is_read(measured):
    asks = measured.reads["a Circles test, unlike the character"]
    assert "circles_different_disposition" in asks
    assert "fight_inside_penalty_scope" not in asks
    assert "fight_inside_penalty_scope" in measured.reads["a Block against a Strike, inside"]
    # Whatever does not read an option stays as it is.
    title = "a test of 4D at Ob 3"
    unread = [flip for flip in option_flips() if flip.option not in measured.reads[title]]
    for flip in unread[::12]:
        found = measure(FlippedMeasure(flip, (title,)))
        assert found == {what: measured.numbers[what] for what in found}
        assert found


def test_only_what_moves_by_more_than_a_hundredth_is_told():
    usual = {"a": 0.5, "b": 0.505, "c": 0.5, "d": 0.1}
    flipped = {"a": 0.52, "b": 0.5, "c: counts as routine": 1.0, "c": 0.5}
    (a, c) = moved_by(Flip("edition", "gold"), usual, flipped)
    assert (a.what, a.before, a.after) == ("a", 0.5, 0.52)
    assert (c.what, c.before, c.after) == ("c: counts as routine", 0.0, 1.0)


@pytest.mark.slow
def test_of_a_duel_its_value_and_the_cards_of_the_best_scripts_are_measured():
    numbers = readings.duel_numbers(Options.of("burning_wheel"))
    title = "a duel at bodies 3 and 3"
    # Both speakers have the same dice; at three points the best script is Dismiss, Avoid, Dismiss.
    assert numbers[title] == pytest.approx(0.5)
    assert numbers[f"{title}, one point ahead"] > 0.55
    assert numbers[f"{title}: how often dismiss"] == pytest.approx(2 / 3)
    assert numbers[f"{title}: how often avoid"] == pytest.approx(1 / 3)
