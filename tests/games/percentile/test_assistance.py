"""Who may assist, how many, and what it brings."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games import game_named
from astragal.play import Session
from games.percentile.playing import a_test, play, table_of

PERCENTILE = game_named("percentile")
REPAIR = {"characteristics": {"Int": 35}, "skills": {"Repair": "Int"}}
TRAINED = {"player": "p", "skills": {"Repair": "Int"}}


def group(scene=None, **others):
    everybody = {"b": TRAINED, "c": TRAINED, "d": TRAINED, "e": TRAINED, **others}
    return table_of(None, scene, a=REPAIR, **everybody)


def target(table, rolled=50, **said):
    return a_test(table, rolled, ability="Repair", difficulty="Challenging", **said)


@pytest.mark.rules("percentile.assist.bonus", "percentile.assist.one_roller")
def test_each_assistant_gives_10_and_only_the_tester_rolls():
    for names, wanted in ((["b"], 45), (["b", "c"], 55)):
        played = target(group(), assistants=names)
        assert played.outcome.target.total == wanted
        assert [roll.owner for roll in played.rolls] == ["a"]


@pytest.mark.rules("percentile.assist.limit")
def test_two_at_most_unless_the_gm_allows_more():
    everybody = ["b", "c", "d", "e"]
    first = target(group(), assistants=everybody)
    assert first.outcome.target.total == 55
    assert "B assists" in first.told
    assert "E assists" not in first.told
    chosen = target(group(), assistants=everybody, answers={"assistants": ["d"]})
    assert chosen.outcome.target.total == 45
    assert "D assists" in chosen.told
    with pytest.raises(BadInput, match="0 to 2 choices"):
        target(group(), assistants=everybody, answers={"assistants": ["b", "c", "d"]})
    more = target(group(), assistants=everybody, answers={"more_than_two": True})
    assert more.outcome.target.total == 75
    assert [ask.seat for ask in more.asked if ask.key == "more_than_two"] == ["gm"]


@pytest.mark.rules("percentile.assist.request")
def test_it_takes_the_gms_leave_and_the_assistants_will():
    denied = target(group(), assistants=["b", "c"], answers={"allow_assistance": ["c"]})
    assert denied.outcome.target.total == 45
    nothing = target(group(), assistants=["b", "c"], answers={"allow_assistance": []})
    assert nothing.outcome.target.total == 35
    unwilling = target(group(), assistants=["b"], answers={"p/assist": False})
    assert unwilling.outcome.target.total == 35
    assert "allow_assistance" not in unwilling.keys
    assert [ask.seat for ask in denied.asked if ask.key == "allow_assistance"] == ["gm"]


@pytest.mark.rules("percentile.assist.trained")
def test_assisting_with_a_skill_takes_training_in_that_very_skill():
    for skills in ({}, {"Repair": "Int -20"}, {"Tinkering": "Int"}):
        table = group(b={"characteristics": {"Int": 90}, "skills": skills})
        with pytest.raises(NotAllowed) as refused:
            target(table, assistants=["b"])
        assert refused.value.rule == "percentile.assist.trained"
        with pytest.raises(NotAllowed) as refused:
            target(table, over_vox=["b"])
        assert refused.value.rule == "percentile.assist.trained"


@pytest.mark.rules("percentile.assist.trained")
def test_who_cannot_help_with_what_the_gm_picks_is_left_out():
    said = {"ability": "Int", "assistants": ["b", "c"]}
    table = group(c={"skills": {"Tinkering": "Int"}})
    played = a_test(table, 50, **said, answers={"ability": "Repair"})
    assert "c/assist" not in [f"{ask.seat}/{ask.key}" for ask in played.asked]
    assert "C is not trained in Repair and cannot assist with it." in played.told
    assert "B assists" in played.told
    assert "C assists" not in played.told


def test_help_that_cannot_be_given_is_refused_before_anybody_is_asked():
    places = {"places": {"a": "the roof", "b": "the cellar"}}
    untrained = {"skills": {}}
    for table, said in (
        (group(places), {"assistants": ["b"]}),
        (group(b=untrained), {"assistants": ["b"]}),
        (group(b=untrained), {"over_vox": ["b"]}),
        (group(), {"assistants": ["b"], "action": "reaction"}),
        (group(), {"assistants": ["b"], "resists": "fear"}),
    ):
        declared = {"character": "a", "ability": "Repair", "task": "mend it", **said}
        other = {"character": "e", "ability": "Repair", "task": "mend it first"}
        for procedure, arguments in (
            ("test", declared),
            ("extended_test", {**declared, "title": "the engine"}),
            ("opposed_test", {"sides": [other, declared]}),
        ):
            what = PERCENTILE.procedure(procedure)
            read = PERCENTILE.read(arguments, what.arguments, "arguments")
            with pytest.raises(NotAllowed):
                Session(what.start(read, table), None)


def test_an_untrained_character_may_be_assisted_and_a_characteristic_by_anybody():
    table = table_of(a={"Int": 35}, b=TRAINED, c={"S": 20})
    assert target(table, assistants=["b"]).outcome.target.total == 35 - 20 + 10
    played = a_test(table, 50, ability="Int", assistants=["b", "c"])
    assert played.outcome.target.total == 55


@pytest.mark.rules("percentile.assist.adjacent")
def test_whoever_is_elsewhere_cannot_help_but_over_vox_with_the_gms_leave():
    table = group({"places": {"a": "the roof", "b": "the cellar", "c": "the roof"}})
    with pytest.raises(NotAllowed, match="not beside") as refused:
        target(table, assistants=["b"])
    assert refused.value.rule == "percentile.assist.adjacent"
    assert target(table, assistants=["c", "d"]).outcome.target.total == 55
    assert target(table, over_vox=["b"]).outcome.target.total == 35
    allowed = target(table, over_vox=["b"], answers={"allow_assistance": ["b"]})
    assert allowed.outcome.target.total == 45
    both = target(table, assistants=["c"], over_vox=["b"], answers={"allow_assistance": ["c"]})
    asked = next(ask for ask in both.asked if ask.key == "allow_assistance")
    behind = {option.key: (option.rule, option.note) for option in asked.question.options}
    assert behind == {
        "c": ("percentile.assist.bonus", ""),
        "b": ("percentile.assist.adjacent", "over vox"),
    }
    moved = play(table, "go_to", characters=["b"], place="the roof").table
    assert target(moved, assistants=["b"]).outcome.target.total == 45
    parted = play(moved, "go_to", characters=["b"], place="the yard").table
    assert parted.scene.places == {"a": "the roof", "b": "the yard", "c": "the roof"}
    with pytest.raises(NotAllowed):
        target(parted, assistants=["b"])


@pytest.mark.rules("percentile.assist.no_reactions")
@pytest.mark.parametrize("action", ["reaction", "free_action"])
def test_nobody_assists_a_reaction_or_a_free_action(action: str):
    with pytest.raises(NotAllowed) as refused:
        target(group(), assistants=["b"], action=action)
    assert refused.value.rule == "percentile.assist.no_reactions"
    assert target(group(), action=action).outcome.target.total == 35


@pytest.mark.rules("percentile.assist.no_resistance")
@pytest.mark.parametrize("what", ["disease", "poison", "fear"])
def test_nobody_assists_resistance(what: str):
    with pytest.raises(NotAllowed) as refused:
        a_test(group(), 50, ability="Int", assistants=["b"], resists=what)
    assert refused.value.rule == "percentile.assist.no_resistance"
    assert a_test(group(), 30, ability="Int", resists=what).outcome.passed


def test_assistants_are_others_each_once():
    for said in (
        {"assistants": ["a"]},
        {"assistants": ["b", "b"]},
        {"assistants": ["b"], "over_vox": ["b"]},
        {"assistants": ["zora"]},
    ):
        with pytest.raises(BadInput, match=r"(assistants|over_vox)\[\d\]"):
            target(group(), **said)
