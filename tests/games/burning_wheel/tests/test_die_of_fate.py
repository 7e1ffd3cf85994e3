"""The Die of Fate: when it is thrown, what counts, and that nobody throws it in secret."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from astragal.dice import Die, Recorded
from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.tests.die_of_fate import (
    RULES,
    FateConditions,
    Matter,
    fate_check,
    other_use,
)
from astragal.play import EVERYONE, Change, RollEvent, Scripted, Session, Tell, by, exact, then

PEOPLE = {
    "mara": GAME.read_sheet({"name": "Mara", "player": "anna"}, "mara"),
    "tam": GAME.read_sheet({"name": "Tam", "player": "ben"}, "tam"),
}


def play(
    procedure: str,
    arguments: dict[str, Any],
    faces: tuple[int, ...] = (),
    answers: dict[str, Any] | None = None,
    options: dict[str, str] | None = None,
) -> Session[Any]:
    found = GAME.procedure(procedure)
    table = GAME.table(PEOPLE, None, options)
    start = found.start(GAME.read(arguments, found.arguments, "arguments"), table)
    session: Session[Any] = Session(start, by(Recorded(faces)))
    scripted = Scripted(answers or {})
    while session.waiting:
        ask = session.waiting[0]
        session.answer(ask.seat, scripted(ask))
    assert not scripted.unused
    return session


def wish(matter: str = "detail", **more: Any) -> dict[str, Any]:
    return {"asker": "mara", "wish": "the gate is open", "matter": matter, **more}


@pytest.mark.rules("die_of_fate.roll.one_die", "die_of_fate.roll.success_on_one")
def test_one_face_of_six_says_yes():
    for face in range(1, 7):
        session = play("die_of_fate", wish(), (face,))
        assert session.result.granted == (face == 1)
        assert [e.roll.expression for e in session.events if isinstance(e, RollEvent)] == [Die(6)]
    odds = exact(then(fate_check, "yes", "no", "gm"))
    assert odds.chance(True) == Fraction(1, 6)


@pytest.mark.rules("die_of_fate.open.in_public", "die_of_fate.open.conditions_stated")
def test_everybody_hears_what_hangs_on_it_before_the_die_falls():
    session = play("die_of_fate", wish(otherwise="you must climb"), (4,))
    thrown = next(i for i, e in enumerate(session.events) if isinstance(e, RollEvent))
    said = next(
        i
        for i, e in enumerate(session.events)
        if isinstance(e, Tell) and isinstance(e.fact, FateConditions)
    )
    assert said < thrown
    sentence = session.events[said].fact.sentence()
    assert "the gate is open" in sentence
    assert "you must climb" in sentence
    assert all(e.audience == EVERYONE for e in session.events if isinstance(e, Tell))


@pytest.mark.rules("die_of_fate.roll.when", "die_of_fate.dispute.gm_and_player")
def test_a_quarrel_with_the_gm_goes_to_the_die_and_the_player_throws():
    arguments = wish("terrain") | {"wish": "the road leads past the mill"}
    session = play("die_of_fate", arguments, (1,))
    assert session.result.rolled
    assert session.result.granted
    assert [e.roll.owner for e in session.events if isinstance(e, RollEvent)] == ["anna"]


def test_the_gm_may_settle_it_without_the_die():
    for decision, granted in (("grant", True), ("refuse", False)):
        session = play("die_of_fate", wish(item="key"), answers={"decide": decision})
        assert (session.result.granted, session.result.rolled) == (granted, False)
        changed = [e.path for e in session.events if hasattr(e, "path")]
        assert changed == (["gear"] if granted else [])


@pytest.mark.rules("die_of_fate.dispute.suitable_topics")
@pytest.mark.parametrize("topic", ["distance", "placement", "road", "terrain", "historical"])
def test_quarrels_about_such_topics_may_be_thrown_for(topic: str):
    assert topic in Matter.TERRAIN.row["question"]
    assert play("die_of_fate", wish("terrain"), (3,)).result.rolled


@pytest.mark.rules(
    "die_of_fate.scope.not_for_abilities",
    "die_of_fate.scope.gear_and_property",
    "die_of_fate.dispute.must_be_feasible",
    "die_of_fate.dispute.no_gear_mongering",
    "die_of_fate.event.needs_player_cause",
    "die_of_fate.roll.not_random_encounters",
    "die_of_fate.limit.never_only_option",
)
@pytest.mark.parametrize(
    ("matter", "rule"),
    [
        ("ability", "die_of_fate.scope.not_for_abilities"),
        ("other_rule", "die_of_fate.scope.gear_and_property"),
        ("impossible", "die_of_fate.dispute.must_be_feasible"),
        ("superior_gear", "die_of_fate.dispute.no_gear_mongering"),
        ("ordinary_hazard", "die_of_fate.event.needs_player_cause"),
        ("encounter", "die_of_fate.roll.not_random_encounters"),
        ("only_way", "die_of_fate.limit.never_only_option"),
    ],
)
def test_what_gets_no_die(matter: str, rule: str):
    session = play("die_of_fate", wish("detail"), answers={"matter": matter})
    assert (session.result.granted, session.result.rolled) == (False, False)
    assert session.result.rule == rule


@pytest.mark.rules("die_of_fate.dispute.suitable_topics", "die_of_fate.detail.embellishment")
@pytest.mark.parametrize(
    ("matter", "rule"),
    [
        ("terrain", "die_of_fate.dispute.suitable_topics"),
        ("forgotten_item", "die_of_fate.scope.gear_and_property"),
        ("detail", "die_of_fate.detail.embellishment"),
        ("strange_event", "die_of_fate.event.weird"),
    ],
)
def test_what_gets_one(matter: str, rule: str):
    result = play("die_of_fate", wish(matter), (5,)).result
    assert (result.rolled, RULES[Matter(matter)]) == (True, rule)


@pytest.mark.rules("die_of_fate.scope.gear_and_property")
def test_a_forgotten_thing_of_some_price_is_a_matter_of_resources():
    arguments = wish("forgotten_item", item="lantern")
    cheap = play("die_of_fate", arguments, (1,), {"item_obstacle": 2})
    assert cheap.result.granted
    dear = play("die_of_fate", arguments, (), {"item_obstacle": 3})
    assert (dear.result.granted, dear.result.rolled) == (False, False)
    assert dear.result.rule == "die_of_fate.amb.resources_boundary"


@pytest.mark.rules("die_of_fate.detail.gm_also_rolls", "die_of_fate.detail.embellishment")
def test_the_gm_throws_for_embellishments_too():
    for face, there in ((1, True), (6, False)):
        session = play("die_of_fate", wish() | {"asker": "gm"}, (face,))
        assert session.result.granted == there
        assert [e.roll.owner for e in session.events if isinstance(e, RollEvent)] == ["gm"]


@pytest.mark.rules("die_of_fate.detail.gm_also_rolls")
def test_the_gm_can_drop_an_embellishment_but_not_grant_it():
    mine = wish() | {"asker": "gm"}
    with pytest.raises(BadInput, match="found 'grant', expected one of roll, refuse"):
        play("die_of_fate", mine, (), {"decide": "grant"})
    dropped = play("die_of_fate", mine, (), {"decide": "refuse"})
    assert (dropped.result.granted, dropped.result.rolled) == (False, False)
    assert play("die_of_fate", wish(), (), {"decide": "grant"}).result.granted


@pytest.mark.rules("die_of_fate.limit.crucial_tests_on_abilities")
def test_what_the_game_depends_on_is_for_abilities():
    with pytest.raises(NotAllowed) as refused:
        play("die_of_fate", wish(), (1,), {"crucial": True})
    assert refused.value.rule == "die_of_fate.limit.crucial_tests_on_abilities"


@pytest.mark.rules("die_of_fate.dispute.gm_and_player")
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize(
    ("named", "owner", "open_on"), [("mara", "anna", {1}), ("tam", "ben", {2, 3, 4, 5, 6})]
)
def test_between_players_the_one_with_the_less_likely_outcome_needs_the_one(
    face: int, named: str, owner: str, open_on: set[int]
):
    """Mara says that the gate is open; Tam, that it is not."""
    dispute = wish(against="tam", item="rope")
    session = play("die_of_fate", dispute, (face,), {"needs_the_one": named})
    assert (session.result.asker, session.result.granted) == (named, face == 1)
    assert [e.roll.owner for e in session.events if isinstance(e, RollEvent)] == [owner]
    changed = {(e.target, e.path): e.after for e in session.events if isinstance(e, Change)}
    assert changed["scene", "fates"][0].granted is (face in open_on)
    assert (("mara", "gear") in changed) is (face in open_on)  # what Mara wished for is hers
    assert ("tam", "gear") not in changed


@pytest.mark.rules("die_of_fate.open.conditions_stated")
@pytest.mark.parametrize(
    ("more", "one", "otherwise"),
    [
        ({}, "not so: the gate is open", "the gate is open"),
        ({"otherwise": "it is barred"}, "it is barred", "the gate is open"),
    ],
)
def test_what_the_other_player_gets_on_a_one_is_announced(
    more: dict[str, str], one: str, otherwise: str
):
    session = play("die_of_fate", wish(against="tam", **more), (1,), {"needs_the_one": "tam"})
    facts = [e.fact for e in session.events if isinstance(e, Tell)]
    said = next(fact for fact in facts if isinstance(fact, FateConditions))
    assert said.on_one == f"{one} (the asker gets it)"
    assert said.otherwise == otherwise


@pytest.mark.rules("die_of_fate.amb.who_decides_to_roll")
@pytest.mark.parametrize(
    ("decide", "named", "has_it"),
    [
        ("grant", "mara", True),
        ("refuse", "mara", False),
        ("grant", "tam", False),
        ("refuse", "tam", True),
    ],
)
def test_what_the_gm_grants_without_a_die_is_what_the_one_named_wants(
    decide: str, named: str, has_it: bool
):
    answers = {"needs_the_one": named, "decide": decide}
    session = play("die_of_fate", wish(against="tam", item="rope"), (), answers)
    assert session.result.granted is (decide == "grant")
    assert [e.target for e in session.events if isinstance(e, Change)] == ["mara"] * has_it


@pytest.mark.rules("die_of_fate.other_uses.cross_reference")
def test_other_chapters_read_their_die_by_tables_of_their_own():
    assert other_use("bow or crossbow damage") == "1-2 Incidental, 3-4 Mark, 5-6 Superb"
    assert other_use("unwanted summoning, simple version").startswith("1 a great demon")
    with pytest.raises(BadInput, match="other_uses"):
        other_use("random encounter")


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        (wish() | {"wish": " "}, "wish"),
        (wish() | {"asker": "nobody"}, "asker"),
        (wish() | {"against": "nobody"}, "against"),
        (wish("weather"), "matter"),
        (wish() | {"luck": 1}, "luck"),
    ],
)
def test_what_does_not_fit_is_named(arguments: dict[str, Any], place: str):
    with pytest.raises(BadInput, match=place):
        play("die_of_fate", arguments)
