"""The target number: difficulty, circumstances, training, and the limit on their sum."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput
from astragal.games.percentile.modifiers import difficulties, final_modifier
from astragal.play import Line
from astragal.rules import catalogue
from games.percentile.playing import a_test, table_of


def target(table, **said):
    return a_test(table, 50, **said).outcome.target.total


# --- Difficulty -------------------------------------------------------------------------------


@pytest.mark.rules("percentile.difficulty.gm")
def test_the_ladder_is_the_catalogues_and_the_gm_sets_it_before_the_roll():
    rows = catalogue().table("percentile.table.difficulty").rows
    assert tuple(difficulties().items()) == rows
    table = table_of(a={"S": 40})
    for name, modifier in rows:
        played = a_test(table, 50, ability="S", answers={"difficulty": name})
        assert played.outcome.target.total == 40 + modifier
        kinds = [type(event).__name__ for event in played.events]
        asked = [getattr(getattr(e, "ask", None), "key", "") for e in played.events]
        assert asked.index("difficulty") < kinds.index("RollEvent")
        (ask,) = [ask for ask in played.asked if ask.key == "difficulty"]
        assert ask.seat == "gm"


@pytest.mark.rules("percentile.difficulty.gm")
def test_where_the_rules_state_a_difficulty_the_gm_is_not_asked():
    played = a_test(table_of(a={"S": 40}), 50, ability="S", difficulty="very hard")
    assert played.outcome.target.total == 10
    assert "difficulty" not in played.keys


@pytest.mark.rules("percentile.difficulty.default")
def test_with_nothing_said_a_test_is_challenging():
    played = a_test(table_of(a={"S": 40}), 50, ability="S")
    (ask,) = [ask for ask in played.asked if ask.key == "difficulty"]
    assert ask.question.default == "Challenging"
    assert played.outcome.target.total == 40
    assert "percentile.difficulty.default" in played.outcome.target.rules


# --- Circumstances ------------------------------------------------------------------------------


@pytest.mark.rules("percentile.core.modifiers", "percentile.difficulty.combine")
def test_the_gm_strikes_and_adds_and_all_of_it_is_one_sum():
    table = table_of(a={"S": 40})
    brought = [{"label": "a crowbar", "amount": 10}, {"label": "a headache", "amount": -5}]
    assert target(table, ability="S", modifiers=brought) == 45
    answers = {"modifiers": ["a crowbar", "smoke -20", "good notes +10"]}
    assert target(table, ability="S", modifiers=brought, answers=answers) == 40
    answers = {"modifiers": ["rain", "wind"], "worth#1": -10, "worth#2": 3}
    assert target(table, ability="S", modifiers=brought, answers=answers) == 33
    assert target(table, ability="S", difficulty="Easy", modifiers=brought) == 75


def test_a_circumstance_may_be_larger_than_the_limit_but_not_absurd():
    table = table_of(a={"S": 40})
    large = [{"label": "a giant", "amount": 100}, {"label": "drunk", "amount": -70}]
    assert target(table, ability="S", modifiers=large) == 70
    with pytest.raises(BadInput, match=r"modifiers\[0\].amount"):
        target(table, ability="S", modifiers=[{"label": "x", "amount": 5000}])
    with pytest.raises(BadInput, match="different for each modifier"):
        target(table, ability="S", modifiers=large + large)


# --- The limit ----------------------------------------------------------------------------------


@pytest.mark.rules("percentile.difficulty.cap", "percentile.difficulty.combine")
@given(st.lists(st.integers(-200, 200), max_size=8))
def test_the_limit_is_on_the_sum(amounts: list[int]):
    tally = final_modifier(tuple(Line(amount, "x", "") for amount in amounts))
    total = sum(amounts)
    assert tally.total == (60 if total > 60 else -60 if total < -60 else total)
    assert [line.amount for line in tally.lines][: len(amounts)] == amounts


@pytest.mark.rules("percentile.difficulty.cap")
def test_the_final_modifier_goes_from_minus_60_to_plus_60():
    table = table_of(a={"S": 40})
    for amount, wanted in ((59, 99), (60, 100), (61, 100), (-59, -19), (-60, -20), (-61, -20)):
        said = [{"label": "x", "amount": amount}]
        assert target(table, ability="S", modifiers=said) == wanted


def test_the_penalty_for_no_training_is_inside_the_limit():
    """Hellish -60 and untrained -20 are -80, held at -60; with +30 they are -50."""
    table = table_of(a={"Ag": 70})
    assert target(table, ability="Dodge", difficulty="Hellish") == 10
    helped = [{"label": "x", "amount": 30}]
    assert target(table, ability="Dodge", difficulty="Hellish", modifiers=helped) == 20


def test_assistance_is_inside_the_limit():
    table = table_of(a={"S": 20}, b={"S": 1}, c={"S": 1})
    said = {"ability": "S", "assistants": ["b", "c"]}
    assert target(table, difficulty="Elementary", **said) == 80
    assert target(table, difficulty="Simple", **said) == 80
    assert target(table, difficulty="Easy", **said) == 70


# --- Skills and training --------------------------------------------------------------------------


@pytest.mark.rules(
    "percentile.core.skill_value", "percentile.skill.test", "percentile.skill.governed"
)
def test_a_trained_skill_starts_from_the_characteristic_that_governs_it():
    sheet = {"characteristics": {"Ag": 38, "Per": 47}, "skills": {"Dodge": "Ag", "Scrutiny": "Per"}}
    table = table_of(a=sheet)
    assert target(table, ability="Dodge") == 38
    assert target(table, ability="Scrutiny", difficulty="Hard") == 27


@pytest.mark.rules("percentile.skill.untrained_penalty", "percentile.skill.untrained_allowed")
def test_without_training_any_skill_is_at_minus_20_on_top_of_the_rest():
    table = table_of(
        a={"characteristics": {"Ag": 38}, "skills": {"Stealth": "Ag -20"}},
        b={"skills": {"Acrobatics": "Ag"}},
    )
    assert target(table, ability="Dodge") == 18
    assert target(table, ability="Stealth", difficulty="Difficult") == 8
    assert target(table, ability="Acrobatics") == 18
    assert target(table, ability="Juggling", answers={"governed_by": "Ag"}) == 18


@pytest.mark.rules("percentile.charactest.test")
def test_a_characteristic_test_has_no_untrained_penalty():
    assert target(table_of(a={"Ag": 38}), ability="Agility") == 38


@pytest.mark.rules("percentile.skill.governed")
def test_one_characteristic_governs_a_skill_and_no_other():
    table = table_of(a={"characteristics": {"S": 38, "Ag": 30}, "skills": {"Dodge": "S"}})
    with pytest.raises(BadInput) as refused:
        target(table, ability="Dodge")
    assert refused.value.rule == "percentile.skill.governed"


@pytest.mark.parametrize(("choice", "wanted"), [("none", 38), ("plus_10_steps", 58)])
def test_levels_of_training_count_if_the_table_says_so(choice: str, wanted: int):
    sheet = {"characteristics": {"Ag": 38}, "skills": {"Dodge": "Ag +20"}}
    table = table_of({"percentile_training_levels": choice}, a=sheet)
    assert target(table, ability="Dodge") == wanted


def test_levels_of_training_are_outside_the_limit():
    sheet = {"characteristics": {"Ag": 38}, "skills": {"Dodge": "Ag +20"}}
    table = table_of({"percentile_training_levels": "plus_10_steps"}, a=sheet)
    assert target(table, ability="Dodge", difficulty="Trivial") == 118


@pytest.mark.rules("percentile.core.value")
@pytest.mark.parametrize(
    ("agility", "wanted"), [(79, 99), (80, 100), (81, 100), (95, 100), (100, 100)]
)
def test_a_value_never_passes_100_whatever_the_training(agility: int, wanted: int):
    sheet = {"characteristics": {"Ag": agility}, "skills": {"Dodge": "Ag +20"}}
    table = table_of({"percentile_training_levels": "plus_10_steps"}, a=sheet)
    assert target(table, ability="Dodge") == wanted
    assert target(table, ability="Dodge", difficulty="Easy") == wanted + 30
