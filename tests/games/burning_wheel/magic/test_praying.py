"""Praying: who can, what is rolled, and how a prayer is answered."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.dice import OpenEnded
from astragal.errors import BadInput, NotAllowed
from games.burning_wheel.playing import play, sheet, table
from games.burning_wheel.prayers import (
    ANSELM,
    CREED,
    ROLF,
    anselm,
    at_church,
    lines,
    pray,
)

# --- Who can pray --------------------------------------------------------------------------


@pytest.mark.rules("faith.access.faithful_trait")
def test_only_the_faithful_pray_and_the_trait_costs_five_points():
    assert sheet(traits=["Faithful"]).traits[0].points == 5
    assert sheet(traits=["Stubborn"]).traits[0].points == 1
    with pytest.raises(NotAllowed, match="Faithful") as refused:
        pray(at_church(traits=["Stubborn"]), "guidance", None)
    assert refused.value.rule == "faith.access.faithful_trait"
    alike = at_church(traits=[{"name": "Touched", "situation": "Faithful"}])
    assert pray(alike, "guidance", [5]).outcome.passed


@pytest.mark.rules("faith.access.not_every_believer")
def test_a_believer_without_the_attribute_works_no_miracles():
    at = at_church(rolf={"beliefs": [CREED], "traits": ["Faithful"]})
    with pytest.raises(NotAllowed, match="Rolf does not have Faith") as refused:
        play("pray", {"character": "rolf", "prayer": "guidance"}, at)
    assert refused.value.rule == "faith.access.not_every_believer"


@pytest.mark.rules("faith.access.priest_is_shorthand")
def test_rank_does_not_matter():
    beggar = {**ANSELM, "concept": "a beggar", "lifepaths": ["Beggar"], "affiliations": []}
    at = table(beggar=beggar)
    said = {"character": "beggar", "prayer": "guidance"}
    assert play("pray", said, at, rolls=[5]).outcome.passed


@pytest.mark.rules("faith.emotional.by_stock")
def test_emotions_belong_to_stocks():
    for attribute, stock in (
        ("Faith", "Man"),
        ("Grief", "Elf"),
        ("Greed", "Dwarf"),
        ("Hatred", "Orc"),
    ):
        assert sheet(stock=stock, attributes={attribute: "B3"}).stock == stock
        for other in {"Man", "Elf", "Dwarf", "Orc"} - {stock}:
            with pytest.raises(BadInput, match=f"{stock}, to whom {attribute} belongs"):
                sheet(stock=other, attributes={attribute: "B3"})
    with pytest.raises(NotAllowed, match="Anselm is Dwarf") as refused:
        pray(at_church(body_type="Dwarf"), "guidance", None)
    assert refused.value.rule == "faith.emotional.by_stock"
    assert pray(at_church(stock="Man", body_type="Elf"), "guidance", [5]).outcome.passed


@pytest.mark.rules("faith.emotional.list")
def test_the_emotional_attributes_can_be_looked_up():
    found = dict(play("look_up_emotions", {}, table()).outcome.entries)
    assert list(found) == ["Faith", "Grief", "Greed", "Hatred"]
    assert found["Faith"] == "Man; its rules are in this chapter"
    assert found["Hatred"] == "Orc; its rules are in another book"


@pytest.mark.rules("faith.pray.no_tax", "faith.natural.no_tax_no_failure")
def test_kinds_of_magic_can_be_compared():
    found = dict(play("look_up_magic", {}, table()).outcome.entries)
    assert found["Tax"] == "sorcery yes; Faith no; natural magic no"
    assert found["failure table"] == "sorcery yes; Faith no; natural magic no"
    assert found["dice rolled"].startswith("sorcery Sorcery + Will; Faith Faith; natural magic")


# --- The Belief that states it -------------------------------------------------------------


@pytest.mark.rules("faith.belief.required")
def test_a_priest_says_once_which_belief_states_the_faith():
    at = at_church(beliefs=["The gods walk with us.", "Never lend money."])
    first = pray(at, "guidance", [5], {"creed": "1"})
    assert first.asks["creed"].kind == "needed"
    assert first.seats["states_faith"] == "gm"
    assert [(each.belief, each.faith) for each in anselm(first.table).creeds] == [(1, "the Church")]
    again = pray(first.table, "guidance", [5], intent="another way")
    assert "creed" not in again.asked


@pytest.mark.rules("faith.belief.required")
def test_without_such_a_belief_there_is_no_prayer():
    with pytest.raises(NotAllowed, match="write one that states the faith") as refused:
        pray(at_church(beliefs=[]), "guidance", None)
    assert refused.value.rule == "faith.belief.required"
    at = at_church(beliefs=["Never lend money."])
    with pytest.raises(NotAllowed, match="does not state the Church"):
        pray(at, "guidance", None, {"states_faith": False})
    ready = play("ready_for_play", {"character": "anselm"}, at).outcome
    assert "Anselm has Faith but no Belief that states it" in ready.faults
    statement = play("state_faith", {"character": "anselm", "number": 1}, at)
    assert statement.outcome.belief == anselm(at).beliefs[0].text
    stated = statement.table
    ready = play("ready_for_play", {"character": "anselm"}, stated).outcome
    assert not [fault for fault in ready.faults if "Faith" in fault]


def reword(at: Any, text: str, answers: Any = None) -> Any:
    said = {"character": "anselm", "bit": "belief", "number": 1, "text": text}
    return play("change_bit", said, at, answers)


@pytest.mark.rules("faith.belief.loss")
def test_who_changes_the_belief_loses_faith_and_keeps_the_exponent_on_record():
    changed = reword(at_church(), "There is no God.", {"same_faith": False})
    assert changed.seats["same_faith"] == "gm"
    assert "Anselm loses Faith" in changed.told
    after = anselm(changed.table)
    assert after.faith_lost
    assert after.attributes["Faith"].rating.exponent == 5
    filed = reword(at_church(), "There is no God.", {"when": "later"}).table
    bit = {"character": "anselm", "bit": "belief", "number": 1}
    released = play("release_change", bit, filed, {"when": "now", "same_faith": False})
    assert (anselm(filed).faith_lost, anselm(released.table).faith_lost) == (False, True)
    ready = play("ready_for_play", {"character": "anselm"}, changed.table).outcome
    assert not [fault for fault in ready.faults if "Faith" in fault]  # there is none to state
    with pytest.raises(NotAllowed, match="has lost Faith") as refused:
        pray(changed.table, "guidance", None)
    assert refused.value.rule == "faith.belief.loss"


def test_a_rewording_that_states_the_same_faith_loses_nothing():
    """faith.amb.lost_belief."""
    changed = reword(at_church(), "God is the mother of us all.")
    assert not anselm(changed.table).faith_lost
    assert pray(changed.table, "guidance", [5]).outcome.passed
    # another Belief that is no statement of faith is nobody's business
    said = {"character": "anselm", "bit": "belief", "number": 2, "text": "Let them starve."}
    assert "same_faith" not in play("change_bit", said, at_church()).asked


@pytest.mark.rules("faith.belief.loss")
def test_faith_returns_if_the_gm_says_so():
    """faith.amb.lost_belief."""
    lost = play("lose_faith", {"character": "anselm", "number": 1}, at_church())
    assert (lost.outcome.usable, lost.outcome.exponent) == (False, 5)
    with pytest.raises(BadInput, match="states a faith"):
        play("lose_faith", {"character": "anselm", "number": 2}, at_church())
    again = play("restore_faith", {"character": "anselm", "number": 3}, lost.table)
    assert (again.outcome.usable, again.outcome.exponent) == (True, 5)
    assert pray(again.table, "guidance", [5]).outcome.passed
    with pytest.raises(NotAllowed, match="Anselm has not lost Faith"):
        play("restore_faith", {"character": "anselm", "number": 3}, again.table)


def test_who_has_two_such_beliefs_keeps_faith_with_the_other():
    at = at_church(beliefs=[CREED, {"text": "The Church feeds me.", "faith": "the Church"}])
    assert not anselm(reword(at, "Nothing.", {"same_faith": False}).table).faith_lost


# --- The prayer ----------------------------------------------------------------------------


@pytest.mark.rules("faith.pray.spoken")
def test_a_prayer_is_spoken_aloud():
    with pytest.raises(NotAllowed, match="pray aloud") as refused:
        pray(at_church(), "guidance", None, aloud=False)
    assert refused.value.rule == "faith.pray.spoken"
    played = pray(at_church(), "guidance", [5], words="Show us the way, Lord")
    assert "prays aloud for Guidance: Show us the way, Lord" in played.told


def test_who_hesitates_cannot_pray():
    """faith.amb.prayer_interruption: wounds alone do not stop it."""
    struck = {"hesitating": [{"character": "anselm", "heartbeats": 2, "reaction": "swoon"}]}
    with pytest.raises(NotAllowed):
        pray(at_church(scene=struck), "guidance", None)
    assert pray(at_church(wounds=["Light"]), "guidance", [5]).outcome.passed


@pytest.mark.rules("faith.pray.procedure")
def test_intent_then_prayer_then_the_test():
    said = {"character": "anselm", "prayer": "guidance"}
    played = play("pray", said, at_church(), {"intent": "find the pass"}, [5])
    assert played.before_the_dice("intent")
    assert played.asks["intent"].seat == "anselm"
    assert "Anselm's intent: find the pass. Task: prays aloud for Guidance" in played.told
    assert lines(played.outcome.obstacle) == {"Guidance": 5}
    with pytest.raises(BadInput, match="one of"):
        pray(at_church(), "fireball", None)


@pytest.mark.rules("faith.pray.faith_alone", "faith.pray.open_ended", "faith.pray.no_tax")
def test_faith_alone_is_rolled_open_ended_and_nothing_is_taxed():
    played = pray(at_church(), "guidance", [5])
    assert lines(played.outcome.dice) == {"Faith": 5}  # Will 5 is not added
    assert len(played.rolls) == 1
    assert played.rolls[0].expression.open_ended is OpenEnded.SIXES
    assert not anselm(played.table).forte_tax
    assert "forks" not in played.asked  # faith.amb.forks_for_faith: though there are skills


def test_wounds_take_no_dice_from_faith():
    assert pray(at_church(wounds=["Midi"]), "guidance", [5]).outcome.dice.total == 5


@pytest.mark.rules("faith.pray.outlandish")
def test_an_outlandish_intent_raises_the_obstacle_and_the_god_may_be_angry():
    asked = {"outlandish": 4, "anger": "the roof falls in"}
    played = pray(at_church(attributes={"Faith": "B9"}), "guidance", [9], asked)
    assert lines(played.outcome.obstacle) == {"Guidance": 5, "outlandish intent": 4}
    assert played.asks["outlandish"].kind == "aside"
    assert played.outcome.passed
    assert played.outcome.wrath == "the roof falls in"
    assert "The roof falls in." in played.told
    plain = pray(at_church(), "guidance", [5])
    assert "anger" not in plain.asked
    failed = pray(at_church(), "guidance", [5], {"outlandish": 1})
    assert not failed.outcome.passed


@pytest.mark.rules("faith.pray.success", "faith.pray.mystery")
def test_enough_successes_grant_it_with_a_sign_that_nobody_can_explain():
    played = pray(at_church(), "guidance", [5], {"mystery": "birds speak in tongues"})
    assert played.outcome.passed
    assert played.outcome.answer.value == "granted"
    assert played.outcome.mystery == "birds speak in tongues"
    assert played.seats["mystery"] == "gm"
    assert "Guidance" in played.asks["mystery"].prompt
    assert "Birds speak in tongues." in played.told
    default = pray(at_church(), "guidance", [5])
    assert default.outcome.mystery  # there always is one
    with pytest.raises(BadInput, match="mystery"):
        pray(at_church(), "guidance", [5], {"mystery": ""})
    short = pray(at_church(), "guidance", [4])
    assert not short.outcome.passed
    assert "mystery" not in short.asked


@pytest.mark.rules("faith.pray.total_success")
def test_extra_successes_bring_nothing_but_for_aid():
    for extra in (0, 3):
        blessed = pray(
            at_church(attributes={"Faith": "B9"}),
            "blessing",
            [3 + extra],
            ability="Sword",
            targets=["rolf"],
        )
        assert blessed.outcome.bonus == 1
        aided = pray(at_church(attributes={"Faith": "B9"}), "aid", [4 + extra], ability="Oratory")
        assert aided.outcome.bonus == extra


@pytest.mark.rules("faith.pray.failure", "faith.pray.no_failure_table")
def test_a_failed_prayer_goes_unheard():
    played = pray(at_church(), "guidance", [4])
    assert played.outcome.answer.value == "unheard"
    assert "The prayer goes unheard." in played.told
    assert len(played.rolls) == 1  # no die of fate, no table
    assert set(played.changed) == {"scene.rides"}


@pytest.mark.rules("faith.pray.failure_intercession")
@pytest.mark.parametrize(
    ("who", "told"), [("another", "Another being answers"), ("wrath", "The angered god answers")]
)
def test_somebody_may_answer_a_failed_prayer(who: str, told: str):
    asked = {"who_answers": who, "anger": "a plague of frogs"}
    played = pray(at_church(), "guidance", [4], asked)
    assert played.seats["who_answers"] == "gm"
    assert played.asks["who_answers"].kind == "aside"
    assert played.outcome.answer.value == who
    assert played.outcome.wrath == "a plague of frogs"
    assert "A plague of frogs." in played.told
    assert not played.outcome.passed
    unsaid = pray(at_church(), "guidance", [4], {"who_answers": who})
    assert f"{told} the prayer." in unsaid.told


def test_a_prayer_rides_outside_of_conflicts():
    first = pray(at_church(), "guidance", [4], intent="the pass")
    with pytest.raises(NotAllowed, match="Let it Ride"):
        pray(first.table, "guidance", None, intent="the pass")
    fight = pray(at_church(), "guidance", [4], intent="the pass", in_script=True)
    assert pray(fight.table, "guidance", [5], intent="the pass").outcome.passed


@pytest.mark.rules("faith.emotional.advance_specially")
def test_faith_advances_as_a_skill_by_successes_alone():
    """faith.amb.advancement_table: 5 dice against Ob 5 are difficult."""
    assert pray(at_church(), "guidance", [5]).outcome.earned == "difficult"
    assert pray(at_church(), "guidance", [4]).outcome.earned == ""
    log = {"routine": 0, "difficult": 2, "challenging": 1}
    full = at_church(attributes={"Faith": {"rating": "B5", "log": log}})
    assert anselm(pray(full, "guidance", [5]).table).attributes["Faith"].rating.exponent == 6
    # of the others the book says nothing: a test is marked, and no number of them raises it
    log = {"routine": 9, "difficult": 9, "challenging": 9}
    at = table(elf={"stock": "Elf", "attributes": {"Grief": {"rating": "B5", "log": log}}})
    said = {"character": "elf", "ability": "Grief", "intent": "weep", "task": "sings"}
    after = play("standard_test", said, at, {"obstacle": 6}, [6 - 1]).table.character("elf")
    assert after.attributes["Grief"].rating.exponent == 5


# --- Believers and infidels ----------------------------------------------------------------


@pytest.mark.rules("faith.setup.believer_or_infidel")
def test_prayers_touch_everyone_or_only_believers():
    for reach, touched in (("everyone", ("rolf",)), ("believers", ())):
        at = at_church(religion={"reach": reach})
        played = pray(at, "hindrance", [4], targets=["rolf"])
        assert played.outcome.touched == touched
        assert bool(played.table.scene.hesitating) is bool(touched)
    assert "The prayer does not touch Rolf." in played.told
    for carried in (
        {"beliefs": [CREED]},
        {"traits": [{"name": "Hates priests", "faith": "The Church"}]},
    ):
        at = at_church(religion={"reach": "believers"}, rolf=carried)
        assert pray(at, "hindrance", [4], targets=["rolf"]).outcome.touched == ("rolf",)
    at = at_church(religion={"reach": "believers"})
    superstitious = pray(at, "hindrance", [4], {"believes": True}, targets=["rolf"])
    assert superstitious.outcome.touched == ("rolf",)


@pytest.mark.rules("faith.setup.believer_or_infidel")
def test_a_faith_that_is_not_settled_is_settled_at_the_first_prayer():
    at = table(anselm=ANSELM, rolf=ROLF)
    first = pray(at, "guidance", [5], {"reach": "believers"})
    assert first.seats["reach"] == "gm"
    assert first.table.scene.religions[0].reach.value == "believers"
    assert "reach" not in pray(first.table, "guidance", [5], intent="more").asked


RELIGION = {
    "name": "the Old Way",
    "idiom": "chants in the woods",
    "reach": "believers",
    "strictures": ["no iron"],
    "stigmata": ["moss on the skin", "antlers", "a green halo"],
}


@pytest.mark.rules("faith.setup.idiom")
def test_a_faith_is_settled_before_play_by_all_whom_it_concerns():
    at = at_church()
    played = play("settle_faith", {"religion": RELIGION}, at)
    assert played.seats == {"settle": "gm", "settle_player": "anselm"}
    settled = played.table.scene.religions[-1]
    assert (settled.idiom, settled.strictures) == ("chants in the woods", ("no iron",))
    for key in ("settle", "settle_player"):
        with pytest.raises(NotAllowed, match="agree on the Old Way"):
            play("settle_faith", {"religion": RELIGION}, at, {key: False})
    # Until play begins they may think better of it, and there is still one such faith.
    wider = {"religion": {**RELIGION, "name": "The old way", "reach": "everyone"}}
    again = play("settle_faith", wider, played.table).table.scene.religions
    assert [(each.name, each.reach.value) for each in again[1:]] == [("The old way", "everyone")]
    begun = play("begin_session", {}, played.table).table
    with pytest.raises(NotAllowed, match="Play has begun") as refused:
        play("settle_faith", {"religion": RELIGION}, begun)
    assert refused.value.rule == "faith.setup.idiom"
    other = {**RELIGION, "name": "the New Way"}
    assert play("settle_faith", {"religion": other}, begun).outcome.religion.name == "the New Way"


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({"name": " "}, "religion.name"),
        ({"prayers": ["fireball"]}, r"religion.prayers\[0\]"),
        ({"rites": [{"rite": "mass", "priests": 0}]}, r"religion.rites\[0\].priests"),
    ],
)
def test_a_faith_that_cannot_be_is_refused(more: dict[str, Any], place: str):
    with pytest.raises(BadInput, match=place):
        play("settle_faith", {"religion": {**RELIGION, **more}}, at_church())


@pytest.mark.rules("faith.setup.pick_prayers")
def test_a_group_picks_the_prayers_that_work():
    at = at_church(religion={"prayers": ["guidance", "Major Miracle"]})
    assert pray(at, "guidance", [5]).outcome.passed
    strong = at_church(religion={"prayers": ["Major Miracle"]}, attributes={"Faith": "B9"})
    # faith.amb.major_miracle_name: the two are one, and nine successes are too few
    assert pray(strong, "miracle", [9]).outcome.answer.value == "unheard"
    with pytest.raises(NotAllowed, match="Minor Miracle has no effect") as refused:
        pray(at, "minor_miracle", None)
    assert refused.value.rule == "faith.setup.pick_prayers"
    listed = dict(play("look_up_prayers", {}, at).outcome.entries)
    assert len(listed) == 11
    assert listed["Hindrance"].startswith("Ob 4, 5, 6;")
