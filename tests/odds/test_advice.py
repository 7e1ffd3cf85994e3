"""Advice against a search through every policy, and against values derived by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.errors import BadInput
from astragal.odds import advise, odds, plain
from odds.by_hand import at_least, best_chance

HANDS = [(fate, persona, deeds) for fate in (0, 1) for persona in (0, 2) for deeds in (0, 1, 2)]


@pytest.mark.parametrize(("fate", "persona", "deeds"), HANDS)
@pytest.mark.parametrize(("dice", "ob"), [(1, 1), (1, 3), (2, 2), (3, 2), (4, 5)])
@pytest.mark.rules("artha.luck.open_end", "artha.saving_grace.effect", "artha.boon.effect")
def test_the_plan_is_worth_what_the_best_of_all_policies_is(dice, ob, fate, persona, deeds):
    plan = advise(plain("burning_wheel", dice=dice, ob=ob, fate=fate, persona=persona, deeds=deeds))
    assert plan.exact_chance == best_chance(dice, ob, fate, persona, deeds)
    assert plan.exact_unspent == at_least(dice, "black", ob, False)


def test_three_dice_one_fate_one_persona_by_hand():
    plan = advise(plain("burning_wheel", dice=3, ob=2, fate=1, persona=1))
    # Four dice: two successes 11/16; just one 4/16, a six in 1 of 3, and then 1 in 2.
    assert plan.exact_chance == Fraction(11, 16) + Fraction(4, 16) * Fraction(1, 3) * Fraction(1, 2)
    assert plan.words == "1 persona before the roll; if 1 short with a six: 1 fate (Luck)"
    assert [(option.words, option.exact_chance) for option in plan.before[0].options] == [
        ("no persona", Fraction(1, 2) + Fraction(3, 8) * Fraction(1, 6)),
        ("1 persona", plan.exact_chance),
    ]
    # How likely it is to be just short with a six: one of four dice succeeds, by a six.
    responses = {response.situation.words: response for response in plan.after}
    assert responses["1 short, 1 six"].likely == pytest.approx(4 / 16 / 3)
    assert responses["1 short, 1 six"].spends
    assert not responses["2 short"].spends


def test_each_point_has_its_gain():
    plan = advise(plain("burning_wheel", dice=3, ob=2, persona=2))
    alone = [gain.alone for gain in plan.gains]
    chances = [float(at_least(dice, "black", 2, False)) for dice in (3, 4, 5)]
    assert alone == pytest.approx([chances[1] - chances[0], chances[2] - chances[1]])
    assert [gain.beside_the_rest for gain in plan.gains] == pytest.approx(alone)
    both = advise(plain("burning_wheel", dice=3, ob=2, fate=1, persona=1))
    assert {gain.kind: gain.point for gain in both.gains} == {"fate": 1, "persona": 1}
    whole = float(both.exact_chance)
    without_fate = float(at_least(4, "black", 2, False))
    assert both.gains[0].beside_the_rest == pytest.approx(whole - without_fate)


def test_luck_comes_before_grace_and_opens_it():
    plan = advise(plain("burning_wheel", dice=4, ob=4, fate=1, persona=3, deeds=1))
    assert plan.words == (
        "3 persona before the roll; if the roll fails: 1 fate (Luck), then 1 deeds (Saving Grace)"
    )


def test_an_open_ended_roll_takes_luck_for_one_failed_die():
    plan = advise(plain("burning_wheel", dice=2, ob=2, open_ended=True, fate=1))
    short = at_least(2, "black", 1, True) - at_least(2, "black", 2, True)
    assert plan.exact_chance == at_least(2, "black", 2, True) + short / 2
    assert plan.words == "if 1 short: 1 fate (Luck)"


def test_nothing_in_hand_is_nothing_to_plan():
    plan = advise(plain("burning_wheel", dice=3, ob=2))
    assert plan.words == "spend nothing: it would not help"
    assert plan.exact_chance == plan.exact_unspent == Fraction(1, 2)
    assert not plan.gains


@pytest.mark.rules("artha.amb.versus_after_roll_sequence")
def test_a_contest_against_a_rival_who_waits_by_hand():
    plan = advise(plain("burning_wheel", dice=1, versus=1, fate=1))
    # A success against none; or a six against a success, and then one more.
    assert plan.exact_chance == pytest.approx(
        Fraction(1, 4) + Fraction(1, 6) * Fraction(1, 2) * Fraction(1, 2), abs=1e-9
    )


@pytest.mark.slow
@pytest.mark.rules("artha.amb.versus_after_roll_sequence")
def test_a_contest_against_a_rival_who_plays_by_hand():
    trial = plain("burning_wheel", dice=1, versus=1, fate=1, versus_fate=1)
    plan = advise(trial, rival_plays=True)
    # As above against a success that is no six; two sixes go on as two open-ended dice, of
    # which ours must show more: 2/7.
    expected = Fraction(1, 4) + Fraction(1, 6) * Fraction(1, 3) * Fraction(1, 2)
    expected += Fraction(1, 36) * Fraction(2, 7)
    assert plan.exact_chance == pytest.approx(expected, abs=1e-9)
    waits = advise(trial)
    assert waits.exact_chance > plan.exact_chance > plan.exact_unspent


def test_a_rival_is_needed_for_a_rival_who_plays():
    with pytest.raises(BadInput, match="with another side"):
        advise(plain("burning_wheel", dice=3, ob=2), rival_plays=True)


def test_advice_in_the_other_games():
    reroll = advise(plain("percentile", target=43, rerolls=1))
    assert reroll.exact_chance == 1 - Fraction(57, 100) ** 2
    assert reroll.words.startswith("if the roll fails: re-roll")
    boon = advise(plain("signs", score=8, tag=6, boons=1))
    assert boon.exact_chance > odds(plain("signs", score=8, tag=6, boons=1)).exact_chance
    story = advise(plain("cores", core="d8", dn=9, life_experience=1))
    # One more on the total: 8 or more of d6 + d8 instead of 9.
    assert story.exact_chance == Fraction(27, 48)


def test_a_plan_as_data_and_in_a_notebook():
    plan = advise(plain("burning_wheel", dice=3, ob=2, fate=1, persona=1))
    data = plan.as_data()
    assert data["exact"] == "35/48"
    assert data["plan"] == plan.words
    assert data["before"][0]["best"] == "1 persona"
    shown = plan._repr_html_()
    assert "1 persona before the roll" in shown
    assert shown.count("<table>") == 2
