"""A fight without bloodshed: when one versus test will do, and who must have spoken first."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.sheet.facts import IntentDeclared
from astragal.play import RollEvent, Tell
from games.burning_wheel.playing import Played, play, table

ACTS = {
    "character": "a",
    "intent": "knock him into the mud",
    "task": "shoves him",
    "ability": "Brawling",
}
STANDS = {
    "character": "b",
    "intent": "stay on the boards",
    "task": "plants his feet",
    "ability": "Power",
}
SHEETS: dict[str, Any] = {
    "a": {"skills": {"Brawling": "B4"}},
    "b": {"stats": {"Power": "B4"}, "tolerances": "B4"},
}


def conflict(
    *sides: dict[str, Any], rolls: Any = None, answers: dict[str, Any] | None = None
) -> Played:
    return play("martial_conflict", {"sides": sides}, table(**SHEETS), answers, rolls)


@pytest.mark.rules("fight.simple.when_single_versus")
def test_where_no_life_is_at_stake_one_plain_versus_test_decides():
    played = conflict(ACTS, STANDS, rolls=[3, 1])
    assert (played.outcome.winner, played.outcome.margin) == ("a", 2)
    assert len(played.rolls) == 2
    assert not played.table.character("b").wounds
    assert played.seats["lives_at_stake"] == "gm"
    # the tie is the defender's, and the loser may not insist on another roll
    assert conflict(ACTS, STANDS, rolls=[2, 2]).outcome.winner == "b"
    with pytest.raises(NotAllowed) as refused:
        play("martial_conflict", {"sides": [ACTS, STANDS]}, played.table)
    assert refused.value.rule == "tests.let_it_ride.one_roll"


@pytest.mark.rules("fight.simple.declare_then_roll")
@pytest.mark.parametrize("missing", ["intent", "ability"])
def test_who_acts_says_what_for_and_by_which_ability(missing: str):
    with pytest.raises(BadInput, match="the intent of the acting character, and an ability"):
        conflict({**ACTS, missing: " "}, STANDS, rolls=[])


@pytest.mark.rules("fight.simple.when_single_versus")
@pytest.mark.parametrize("answers", [{"lives_at_stake": True}, {"both_aware": False}])
def test_where_it_will_not_do_nothing_is_rolled(answers: dict[str, Any]):
    with pytest.raises(NotAllowed) as refused:
        conflict(ACTS, STANDS, rolls=[], answers=answers)
    assert refused.value.rule == "fight.simple.when_single_versus"


@pytest.mark.rules("fight.simple.declare_then_roll")
def test_whoever_is_acted_against_is_asked_before_any_dice():
    said = {
        "answer_intent": "stay on the boards",
        "answer_task": "plants his feet",
        "answer_ability": "Power",
    }
    played = conflict(ACTS, {"character": "b"}, rolls=[1, 2], answers=said)
    assert {played.seats[key] for key in said} == {"b"}
    assert all(played.asks[key].question.required for key in ("answer_intent", "answer_task"))
    assert all(played.before_the_dice(key) for key in said)
    kinds = [
        "said" if isinstance(event, Tell) and isinstance(event.fact, IntentDeclared) else "rolled"
        for event in played.events
        if isinstance(event, RollEvent)
        or (isinstance(event, Tell) and isinstance(event.fact, IntentDeclared))
    ]
    assert kinds == ["said", "said", "rolled", "rolled"]
    assert "Power" in played.outcome.abilities
    assert not {"answer_intent", "answer_task"} & set(conflict(ACTS, STANDS, rolls=[1, 2]).asked)


@pytest.mark.rules("gold.tests.ability")
@pytest.mark.parametrize(("edition", "seat"), [("revised", "b"), ("gold", "gm")])
def test_who_names_the_ability_of_the_one_acted_against(edition: str, seat: str):
    at = table(options={"edition": edition}, **SHEETS)
    sides = [ACTS, {"character": "b", "intent": "stay", "task": "plants his feet"}]
    played = play("martial_conflict", {"sides": sides}, at, {"answer_ability": "Power"}, [1, 2])
    assert played.seats["answer_ability"] == seat


@pytest.mark.rules("fight.simple.declare_then_roll")
def test_the_acting_player_begins_with_an_intent():
    for missing in ("intent", "ability"):
        with pytest.raises(BadInput) as refused:
            conflict({**ACTS, missing: " "}, STANDS)
        assert refused.value.rule == "fight.simple.declare_then_roll"


def test_two_sides_that_there_are():
    with pytest.raises(BadInput):
        conflict(ACTS)
    with pytest.raises(BadInput) as refused:
        conflict(ACTS, {**STANDS, "character": "c"})
    assert refused.value.place == "sides[1].character"
