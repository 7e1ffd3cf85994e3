"""Mortal Wounds and the Will to Live."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.sheet.parts import Artha
from astragal.play import Change
from games.burning_wheel.hurting import blow, body, man, recover, staunch, tend, the_man, wait


def felled(answer: str | None = None, **more: Any) -> Any:
    answers = {} if answer is None else {"will_to_live": answer}
    return blow(man(**{"artha": {"persona": 1}, **more}), "B10", answers=answers)


@pytest.mark.rules("injury.mortal.drops")
def test_a_mortal_wound_drops_at_once():
    run = felled()
    assert run.outcome.condition == "dying"
    assert run.outcome.wound == 1
    assert "falls, mortally wounded" in run.told


@pytest.mark.rules("injury.will_to_live.decline")
def test_without_the_will_to_live_nobody_can_help():
    run = felled("die")
    assert the_man(run.table).dead
    assert the_man(run.table).artha.persona == 1
    for procedure in (tend, staunch):
        with pytest.raises(BadInput, match="is dead"):
            procedure(run.table, 7)


@pytest.mark.rules("injury.will_to_live.claim")
def test_to_go_on_takes_the_word_and_a_point_of_persona():
    claimed = felled("live").table
    assert the_man(claimed).artha.persona == 0
    assert the_man(claimed).attributes["Health"].spent == Artha()  # not spent on a test
    assert tend(claimed, 7).outcome.passed
    # put off until a healer begins, and paid then
    later = tend(felled("wait").table, 7)
    assert later.changed["man.artha.persona"] == 0
    assert later.before_the_dice("will_to_live")
    refused = tend(felled("wait").table, None, {"will_to_live": "die"})
    assert the_man(refused.table).dead
    assert not refused.rolls


@pytest.mark.rules("injury.will_to_live.no_persona")
def test_without_persona_the_character_dies_whatever_the_player_wishes():
    run = felled(artha={})
    assert [o.key for o in run.asks["will_to_live"].question.options] == ["wait", "die"]
    for procedure in (tend, staunch):
        tended = procedure(run.table, None)
        assert the_man(tended.table).dead
        assert not tended.outcome.passed
        assert "will_to_live" not in tended.asked
        nothing = (tended.outcome.seconds, tended.outcome.bonus, tended.outcome.quickly)
        assert (nothing, tended.outcome.condition) == ((0, 0, 0), "dead")
    # but a point awarded in the meantime may be used
    award = run.table.changed(
        Change("man", "artha.persona", 0, 1, "injury.amb.will_to_live_timing")
    )
    assert not the_man(tend(award, 7).table).dead


@pytest.mark.rules("injury.will_to_live.needs_treatment")
def test_the_will_alone_heals_nothing():
    claimed = felled("live").table
    with pytest.raises(NotAllowed, match=r"treated first \[injury\.recovery\.greater_need"):
        recover(claimed, 6)
    assert the_man(wait(claimed, "5 minutes").table).dead
    treated = tend(claimed, 7).table
    assert body(treated).condition == "unconscious"
    assert not the_man(wait(treated, "5 minutes").table).dead


def test_a_further_mortal_wound_needs_a_further_point():
    """injury.amb.will_to_live_timing."""
    claimed = felled("live", artha={"persona": 2}).table
    again = blow(claimed, "B12", answers={"will_to_live": "live"}).table
    assert the_man(again).artha.persona == 0
    assert [wound.will for wound in the_man(again).wounds] == [True, True]


@pytest.mark.parametrize(
    ("choice", "answers", "dead"),
    [
        ("dies", {}, True),
        ("gm_choice", {"npc_lives": True}, False),
        ("gm_choice", {"npc_lives": False}, True),
    ],
)
def test_the_gms_characters_without_persona(choice: str, answers: dict[str, bool], dead: bool):
    options = {"injury_npc_without_persona": choice}
    at = blow(man(options=options, npc=True), "B10").table
    tended = tend(at, None if dead else 7, answers)
    assert the_man(tended.table).dead is dead
    assert set(answers) <= set(tended.asked)
    assert dead or the_man(tended.table).wounds[0].will  # as if it had been claimed
