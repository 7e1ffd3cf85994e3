"""Artha at the end of a session: everybody's awards on one card."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.play import DecisionEvent, RollEvent
from games.burning_wheel.playing import Played, play, table

MARA: dict[str, Any] = {
    "player": "anna",
    "beliefs": ["I will find who sold my father.", "Nobody owns me."],
    "instincts": ["Always know a second way out."],
    "traits": [{"name": "Cool-headed", "kind": "call_on"}],
}
TAM: dict[str, Any] = {"player": "bert", "beliefs": ["Mara is always right."]}
GUARD: dict[str, Any] = {"npc": True, "beliefs": ["The gate stays shut."]}


def session(answers: dict[str, Any] | None = None, **more: Any) -> Played:
    at = table(mara=MARA, tam=TAM, guard=GUARD)
    return play("session_artha", more, at, answers, [])


def points(run: Played, name: str) -> tuple[int, int, int]:
    artha = run.table.character(name).artha
    return artha.fate, artha.persona, artha.deeds


@pytest.mark.rules("artha.earn.one_point_each", "artha.basics.gm_role")
def test_the_gm_ticks_what_each_character_has_earned():
    ticks = {
        "awards#1": ["belief_2", "instinct_1", "trait_1", "embodiment", "greater_goals"],
        "awards#2": ["belief_1", "humor"],
    }
    run = session(ticks)
    assert points(run, "mara") == (3, 1, 1)
    assert points(run, "tam") == (2, 0, 0)
    assert points(run, "guard") == (0, 0, 0)
    assert "Mara earns 1 fate (Belief): Nobody owns me." in run.told
    assert "Mara earns 1 fate (Instinct): Always know a second way out." in run.told
    assert "Mara earns 1 fate (Trait): Cool-headed" in run.told
    assert "Mara earns 1 deeds (Greater Goals)." in run.told
    assert run.told.endswith("Mara earns 3 fate, 1 persona and 1 deeds. Tam earns 2 fate.")
    assert [(each.character, each.award) for each in run.outcome.given][-2:] == [
        ("tam", "belief"),
        ("tam", "humor"),
    ]


def test_it_is_one_card_with_a_line_for_each():
    run = session()
    asks = [event.ask for event in run.events if isinstance(event, DecisionEvent)]
    assert [(ask.seat, ask.prompt, ask.kind) for ask in asks] == [
        ("anna", "Nominations (Mara)", "offered"),
        ("bert", "Nominations (Tam)", "offered"),
        ("gm", "Artha (Mara)", "offered"),
        ("gm", "Artha (Tam)", "offered"),
    ]
    assert not any(isinstance(event, RollEvent) for event in run.events)
    assert "No artha is awarded." in run.told
    assert points(run, "mara") == (0, 0, 0)


@pytest.mark.rules("artha.earn.nominate_players", "artha.earn.persona.vote_timing")
def test_every_entry_of_the_sheet_has_a_tick_with_its_rule_and_votes_of_a_scenario_have_none():
    options = session().asks["awards"].question.options  # type: ignore[attr-defined]  # Tam's
    assert [option.key for option in options] == [
        "belief_1",
        "humor",
        "right_skill_right_time",
        "embodiment",
        "moldbreaker",
        "personal_goals",
        "greater_goals",
        "beyond_the_call",
    ]
    rules = {option.key: (option.rule, option.note) for option in options}
    assert rules["belief_1"] == ("artha.earn.fate.belief", "Fate")
    assert rules["embodiment"] == ("artha.earn.persona.embodiment", "Persona")
    assert rules["beyond_the_call"] == ("artha.earn.deeds.beyond_the_call", "Deeds")
    said = session({"anna/nominations": "Tam for Humor, the goose"})
    assert "Mara nominates: Tam for Humor, the goose." in said.told
    assert points(said, "tam") == (0, 0, 0)  # the GM decides


@pytest.mark.rules("artha.earn.persona.moldbreaker_vote", "artha.amb.nomination_decision")
@pytest.mark.parametrize(("gm", "bert", "earned"), [("yes", "yes", 1), ("yes", "no", 0)])
def test_moldbreaker_is_voted_on_by_the_others(gm: str, bert: str, earned: int):
    run = session({"awards#1": ["moldbreaker"], "gm/moldbreaker": gm, "bert/moldbreaker": bert})
    assert points(run, "mara")[1] == earned
    assert "anna" not in [
        event.ask.seat
        for event in run.events
        if isinstance(event, DecisionEvent) and event.ask.key == "moldbreaker"
    ]


def test_only_those_who_took_part_and_nobody_who_is_not_there():
    run = session(participants=["guard"])
    assert [ask for ask in run.asked if ask == "awards"] == ["awards"]
    with pytest.raises(BadInput, match=r"participants\[0\]"):
        session(participants=["somebody"])
    with pytest.raises(BadInput, match="took part"):
        play("session_artha", {}, table(guard=GUARD), {}, [])
