"""Task, intent and ability, before anything else (tests.task, tests.intent, tests.ability)."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME
from games.burning_wheel.playing import a_test, declare, play, table

KNIFE = {"stats": {"Agility": "B4", "Will": "B3"}, "skills": {"Knife": "B4", "Cooking": "B3"}}


@pytest.mark.rules("tests.intent.both_declared")
@pytest.mark.parametrize("kind", ["standard_test", "open_test"])
def test_a_test_begins_with_an_ability_and_both_parts_are_asked_for(kind: str):
    said = {"intent": "he dies", "task": "stabs him"}
    obstacle = {"obstacle": 1} if kind == "standard_test" else {}
    bare = {"character": "rich", "ability": "Knife"}
    run = play(kind, bare, table(rich=KNIFE), {**said, **obstacle}, [2])
    assert run.asked[:2] == ["intent", "task"]
    assert {run.seats[key] for key in said} == {"rich"}
    assert "Rich's intent: he dies. Task: stabs him (Knife B4)." in run.told
    assert run.table.scene.rides[0].intent == "he dies"
    whole = play(kind, {**bare, **said}, table(rich=KNIFE), obstacle, [2])
    assert whole.told == run.told
    assert not set(said) & set(whole.asked)


@pytest.mark.rules("tests.intent.both_declared")
@pytest.mark.parametrize(
    ("said", "line"),
    [
        ({}, "Rich tests Knife B4."),
        ({"intent": "he dies"}, "Rich's intent: he dies (Knife B4)."),
        ({"task": "stabs him"}, "Rich: stabs him (Knife B4)."),
    ],
)
@pytest.mark.parametrize("successes", [0, 1, 2])
def test_what_is_said_at_the_table_need_not_be_written(said: dict[str, str], line: str, successes):
    bare = {"character": "rich", "ability": "Knife", **said}
    run = play("standard_test", bare, table(rich=KNIFE), {"obstacle": 1}, [successes])
    assert line in run.told
    assert run.outcome.passed is (successes > 0)
    assert not [told for told in run.told.splitlines() if ": ." in told or told.endswith(": ")]
    refused = play("standard_test", bare, table(rich=KNIFE), {"at_stake": "say_yes"}, [])
    assert f"The GM says yes: {said.get('intent') or said.get('task') or 'Knife'}." in refused.told


@pytest.mark.rules("tests.intent.both_declared")
def test_an_intent_of_more_than_a_few_lines_is_refused():
    with pytest.raises(BadInput, match=r"^intent: .*tests\.intent\.both_declared"):
        a_test(table(rich=KNIFE), "Knife", 1, intent="x" * 401)
    with pytest.raises(BadInput, match=r"^intent: "):
        a_test(table(rich=KNIFE), "Knife", 1, [], {"intent": "x" * 401}, intent="")


@pytest.mark.rules("tests.intent.both_declared")
def test_both_parts_of_a_declaration_are_told():
    run = a_test(table(rich=KNIFE), "Knife", 1, [1], intent="he dies", task="stabs him")
    assert "Rich's intent: he dies. Task: stabs him (Knife B4)." in run.told


@pytest.mark.parametrize("successes", [0, 1])
def test_an_intent_that_only_repeats_the_task_is_not_said_again(successes: int):
    run = a_test(table(rich=KNIFE), "Knife", 1, [successes], intent="Stabs him", task="stabs him")
    assert "Rich: stabs him (Knife B4)." in run.told
    assert "ntent" not in run.told
    assert run.asks["on_success"].question.default == ""
    assert run.table.scene.rides[0].intent == "Stabs him"


@pytest.mark.rules("tests.task.must_say_how", "tests.task.measurable")
def test_a_bare_result_is_asked_after_until_the_means_are_given():
    answers = {
        "task_says_how#1": False,
        "task_says_how#2": False,
        "how#1": "somehow",
        "how#2": "with the knife",
    }
    run = a_test(table(rich=KNIFE), "Knife", 1, [1], answers, task="I kill him")
    assert run.asked[:5] == ["task_says_how", "how", "task_says_how", "how", "task_says_how"]
    assert run.seats["how"] == "rich"
    assert run.seats["task_says_how"] == "gm"
    assert "Task: with the knife" in run.told
    assert "Task: I kill him" not in run.told


@pytest.mark.rules("tests.task.must_say_how")
def test_a_task_that_only_names_a_result_is_not_enough_when_it_is_asked_for():
    said = {"task": "he dies", "task_says_how#1": False, "how": "with the knife"}
    run = a_test(table(rich=KNIFE), "Knife", 1, [1], said, task=" ")
    assert run.asked[:4] == ["task", "task_says_how", "how", "task_says_how"]
    assert "Task: with the knife" in run.told
    with pytest.raises(BadInput, match="how"):
        a_test(table(rich=KNIFE), "Knife", 1, [1], {**said, "how": "  "}, task="")


@pytest.mark.rules(
    "tests.roll.fitting_ability",
    "tests.ability.chosen_from_task",
    "tests.ability.unclear_ask_first",
)
def test_an_ability_that_does_not_fit_is_not_rolled():
    """Cooking does not win a brawl: the GM refuses it, and the knife is rolled instead."""
    answers = {"fits#1": False, "fits#2": False, "ability#1": "Will", "ability#2": "Knife"}
    run = a_test(table(rich=KNIFE), "Cooking", 1, [1], answers)
    assert run.asked.count("fits") == 3
    assert run.seats["fits"] == "gm"
    assert run.seats["ability"] == "rich"
    assert run.before_the_dice("ability")
    assert [roll.label for roll in run.rolls] == ["Rich, Knife"]
    assert run.outcome.dice.total == 4


@pytest.mark.rules("tests.intent.task_picks_mechanics")
def test_the_task_picks_the_ability_and_the_intent_reads_the_result():
    run = a_test(table(rich=KNIFE), "Knife", 1, [1], intent="he is silent", task="stabs him")
    assert run.asks["fits"].prompt == "Does Knife fit the task: stabs him?"
    assert "Intent achieved: he is silent." in run.told
    lost = a_test(table(rich=KNIFE), "Knife", 1, [0], intent="he is silent", task="stabs him")
    assert "Intent failed: he is silent." in lost.told
    assert lost.table.scene.rides[0].intent == "he is silent"


# --- What is refused -----------------------------------------------------------------------


def test_a_slip_in_the_name_of_an_ability_is_answered_with_the_likely_one():
    with pytest.raises(BadInput) as refused:
        a_test(table(rich=KNIFE), "Knfie", 1)
    assert str(refused.value) == (
        "ability: found 'Knfie', expected an ability of Rich: Knife [tests.beginner.root_stat]"
    )


@pytest.mark.parametrize("ability", ["", "Perception", "Steel", "Resources", "circles", "Faith"])
def test_what_is_no_skill_and_not_on_the_sheet_cannot_be_tested(ability: str):
    with pytest.raises(BadInput, match=r"^ability: found .*Agility, Will, Knife, Cooking"):
        a_test(table(rich=KNIFE), ability, 1)


def test_an_unknown_character_is_named_with_those_who_are_there():
    with pytest.raises(BadInput, match="character: found 'ritch', expected one of rich"):
        play("standard_test", declare("ritch", "Knife"), table(rich=KNIFE))


@pytest.mark.rules("tests.amb.zero_dice")
def test_an_ability_without_dice_cannot_be_rolled_not_even_with_bonus_dice():
    at = table(
        rich={"stats": {"Agility": "B0"}, "gear": [{"name": "Glove", "dice": {"Agility": 2}}]}
    )
    with pytest.raises(NotAllowed, match=r"Agility B0 has no dice.*tests\.amb\.zero_dice"):
        a_test(at, "Agility", 1, gear=["Glove"])


def test_an_intent_that_is_a_speech_is_refused():
    with pytest.raises(BadInput, match=r"intent: .*at most 400 characters"):
        a_test(table(rich=KNIFE), "Knife", 1, intent="x" * 401)


@pytest.mark.rules("tests.amb.time_who_states")
def test_a_time_offered_that_is_none_is_refused_before_anybody_is_asked():
    with pytest.raises(BadInput, match="time: found 'soonish'"):
        a_test(table(rich=KNIFE), "Knife", 1, time="soonish")


def test_a_refusal_changes_nothing():
    at = table(rich=KNIFE)
    before = GAME.write(at.characters)
    with pytest.raises(BadInput):
        a_test(at, "Knife", 1, answers={"advantage": "He is drunk. It is dark."})
    assert GAME.write(at.characters) == before
