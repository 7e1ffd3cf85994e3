"""Treatment and stopping the bleeding: who can do what, how hard, how long, and what goes wrong."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.injury.treatment import (
    medical_skills,
    minutes_for,
    obstacle_for,
)
from astragal.games.burning_wheel.sheet.parts import WoundLevel
from games.burning_wheel.hurting import (
    MAN,
    STATS,
    body,
    man,
    recover,
    staunch,
    tend,
    the_man,
    wait,
)
from games.burning_wheel.playing import play, table

MIDI = ["Midi"]


def levels(at: Any) -> list[str]:
    return [wound.level.value for wound in the_man(at).wounds]


def with_healer(wound: Any, options: Any = None, **skills: str) -> Any:
    wounds = wound if isinstance(wound, list) else [wound]
    named = {name.replace("_", " "): rating for name, rating in skills.items()}
    stats = {name: named.pop(name) for name in ("Perception", "Agility") if name in named}
    healer = {"skills": named, "stats": stats}
    he = {**MAN, "stats": dict.fromkeys(STATS, "B7"), "wounds": wounds, "artha": {"persona": 3}}
    return table(options=options, man=he, healer=healer)


# --- Who, how hard, how long ---------------------------------------------------------------


@pytest.mark.rules("injury.treatment.skills", "injury.staunch.skills")
def test_seven_skills_can_help():
    assert sorted(medical_skills()) == [
        "Apothecary",
        "Bloodletting",
        "Field Dressing",
        "Herbalism",
        "Khirurgy",
        "Song of Soothing",
        "Surgery",
    ]
    for skill in medical_skills():
        at = with_healer("Midi", **{skill.replace(" ", "_"): "B8"})
        assert tend(at, 4, skill=skill).outcome.passed
        assert staunch(at, 3, skill=skill).outcome.passed
    at = with_healer("Midi", Sword="B8", Surgery="B2")
    for procedure in (tend, staunch):
        with pytest.raises(BadInput, match=r"skill: found 'Sword'.*Surgery"):
            procedure(at, 5, skill="Sword")


@pytest.mark.rules(
    "injury.treatment.obstacles",
    "injury.treatment.equivalents",
    "injury.staunch.obstacles",
    "injury.staunch.equivalents",
)
@pytest.mark.parametrize(
    ("level", "treatment", "staunching"),
    [
        ("Superficial", (2, 1, 1, 1), (None, None, None, None)),
        ("Light", (4, 2, 2, 2), (None, None, None, None)),
        ("Midi", (8, 4, 4, 3), (6, 3, 3, 2)),
        ("Severe", (None, None, 5, 4), (8, 4, 4, 3)),
        ("Traumatic", (None, None, 6, 5), (12, 6, 5, 4)),
        ("Mortal", (None, None, 10, 7), (20, 10, 10, 5)),
    ],
)
def test_obstacles_by_wound_and_skill(level: str, treatment: Any, staunching: Any):
    columns = (
        ("Perception", "Agility"),
        ("Field Dressing", "Bloodletting", "Apothecary"),
        ("Herbalism", "Song of Soothing"),
        ("Surgery", "Khirurgy"),
    )
    for what, wanted in (("treatment", treatment), ("stop_bleeding", staunching)):
        for skills, points in zip(columns, wanted, strict=True):
            assert {obstacle_for(what, WoundLevel(level), skill) for skill in skills} == {points}


@pytest.mark.rules("injury.treatment.time", "injury.staunch.time")
def test_minutes_for_each_point_of_the_obstacle():
    skills = ("Field Dressing", "Bloodletting", "Apothecary", "Herbalism", "Song of Soothing")
    skills += ("Surgery", "Khirurgy", "Perception", "Agility")
    treatment = [minutes_for("treatment", skill) for skill in skills]
    assert treatment == [10, 10, 10, 15, 15, 20, 20, 10, 10]
    staunching = [minutes_for("stop_bleeding", skill) for skill in skills]
    assert staunching == [10, 10, 10, 10, 10, 5, 5, 10, 10]
    at = with_healer("Midi", Surgery="B8", Herbalism="B8")
    assert tend(at, 3).outcome.seconds == 3 * 20 * 60
    assert tend(at, 4, skill="Herbalism").outcome.seconds == 4 * 15 * 60
    assert staunch(at, 2).outcome.seconds == 2 * 5 * 60
    assert staunch(at, 4, {"quickly": 2}).outcome.seconds == 2 * 5 * 60 * 8 // 10


@pytest.mark.rules("injury.treatment.field_dressing_limit")
@pytest.mark.parametrize("level", ["Severe", "Traumatic", "Mortal"])
@pytest.mark.parametrize("skill", ["Field_Dressing", "Bloodletting", "Apothecary", "Perception"])
def test_the_worst_wounds_are_beyond_a_dressing(level: str, skill: str):
    at = with_healer(level, **{skill: "B6"})
    with pytest.raises(NotAllowed, match=r"cannot treat.*\[injury\.treatment\.field_dressing_lim"):
        tend(at, None, skill=skill.replace("_", " "))


@pytest.mark.rules("injury.treatment.unskilled")
def test_without_a_medical_skill_a_bare_stat_may_try():
    for level, points in (("Superficial", 2), ("Light", 4), ("Midi", 8)):
        at = with_healer(level, Perception="B8", Agility="B8")
        for stat in ("Perception", "Agility"):
            run = tend(at, 8, skill=stat, answers={})
            assert run.outcome.obstacle.total == points  # doubled already, not again
            assert [each.rule for each in run.outcome.obstacle.lines] == [
                "injury.treatment.unskilled"
            ]
            assert run.outcome.seconds == points * 10 * 60
    at = with_healer("Light", Perception="B8", Agility="B8")
    hampered = tend(at, 8, {"disadvantages": ["darkness"]}, skill="Agility")
    assert hampered.outcome.obstacle.total == 4 + 1
    skilled = with_healer("Light", Perception="B8", Surgery="B1")
    with pytest.raises(BadInput, match="can treat with: Surgery"):
        tend(skilled, 4, skill="Perception")
    with pytest.raises(BadInput, match=r"can treat with: none.*injury\.treatment\.unskilled"):
        tend(with_healer("Light"), 4)


@pytest.mark.rules("injury.staunch.all_can_try_any")
@pytest.mark.parametrize("level", ["Midi", "Severe", "Traumatic", "Mortal"])
@pytest.mark.parametrize("skill", ["Field_Dressing", "Perception", "Herbalism", "Surgery"])
def test_everybody_can_try_to_stop_any_bleeding(level: str, skill: str):
    at = with_healer(level, **{skill: "B6"})
    assert staunch(at, 0, skill=skill.replace("_", " ")).outcome.obstacle.total > 0


# --- What it brings ------------------------------------------------------------------------


@pytest.mark.rules("injury.treatment.extra_successes_dice", "injury.treatment.special_link")
def test_every_extra_success_is_a_die_for_the_patient():
    at = with_healer("Light", Surgery="B8")
    run = tend(at, 5)
    assert run.outcome.bonus == 3  # all of them, unless the healer wants otherwise
    test = recover(run.table, 2)
    assert test.outcome.dice.total == 5 + 3
    assert test.outcome.obstacle.total == 2
    # a bare success is none, where a linked test would be nothing too; a failure adds no obstacle
    assert recover(tend(at, 2).table, 2).outcome.dice.total == 5
    assert recover(tend(at, 0).table, 2).outcome.obstacle.total == 2


@pytest.mark.rules("injury.treatment.extra_successes_time")
def test_or_saves_a_tenth_of_the_treatment():
    at = with_healer("Light", Surgery="B8")
    run = tend(at, 5, {"quickly": 2})
    assert (run.outcome.bonus, run.outcome.quickly) == (1, 2)
    assert run.outcome.seconds == 2 * 20 * 60 * 8 // 10
    with pytest.raises(BadInput, match=r"quickly: found 4.*0 to 3"):
        tend(at, 5, {"quickly": 4})


@pytest.mark.rules("injury.treatment.lesser_wounds")
def test_a_lesser_wound_may_be_treated_first():
    at = with_healer("Superficial", Surgery="B8")
    run = tend(at, 3)
    assert run.outcome.bonus == 2
    assert body(run.table).obstacle == 1  # it hurts until the Health test
    with pytest.raises(NotAllowed, match="No further treatment"):
        tend(run.table, 3)


@pytest.mark.parametrize(("level", "left"), [("Midi", -1), ("Severe", -2), ("Traumatic", -3)])
def test_the_first_die_comes_back_with_the_treatment(level: str, left: int):
    """injury.amb.first_die_when."""
    run = tend(with_healer(level, Surgery="B9"), 5, {})
    assert body(run.table).dice == left
    assert levels(wait(run.table, "100 hours").table) == [level]  # and it bleeds no more


# --- What goes wrong -----------------------------------------------------------------------


@pytest.mark.rules("injury.fail.treatment_lesser")
@pytest.mark.parametrize("level", ["Superficial", "Light"])
def test_a_lesser_wound_is_none_the_worse(level: str):
    failed = tend(with_healer(level, Surgery="B8"), 0)
    assert not failed.outcome.passed
    test = recover(failed.table, 2)
    assert (test.outcome.passed, test.outcome.dice.total) == (True, 5)


@pytest.mark.rules("injury.fail.treatment_greater_blocks", "injury.fail.treatment_midi")
def test_a_midi_wound_badly_treated_costs_a_die_for_good():
    answers = {"fitting_stat": "Agility", "recovery_time": 4}
    failed = tend(with_healer("Midi", Surgery="B8"), 0, answers)
    assert failed.seats["fitting_stat"] == "gm"
    assert str(the_man(failed.table).stats["Agility"].rating) == "B6"
    assert body(failed.table).dice == -1  # the other die
    with pytest.raises(NotAllowed, match="has been made"):
        recover(failed.table, 3)
    with pytest.raises(NotAllowed, match=r"\[injury\.fail\.treatment_midi"):
        tend(failed.table, 3)  # nobody undoes it
    assert body(wait(failed.table, "27 days").table).dice == -1
    after = wait(failed.table, "28 days").table
    assert the_man(after).wounds == ()
    assert str(the_man(after).stats["Agility"].rating) == "B6"


@pytest.mark.parametrize(("choice", "after"), [("no", "Midi"), ("yes", "Severe")])
def test_whether_it_still_bleeds_is_for_the_table(choice: str, after: str):
    options = {"injury_failed_midi_still_bleeds": choice}
    at = with_healer("Midi", options, Surgery="B8")
    failed = tend(at, 0, {"fitting_stat": "Agility", "recovery_time": 4}).table
    assert levels(wait(failed, "14 hours").table) == [after]


@pytest.mark.rules("injury.fail.treatment_greater_blocks", "injury.fail.treatment_severe_traumatic")
@pytest.mark.parametrize("level", ["Severe", "Traumatic"])
def test_worse_wounds_bleed_on(level: str):
    failed = tend(with_healer(level, Surgery="B8"), 0)
    with pytest.raises(NotAllowed, match=r"\[injury\.fail\.treatment_greater_blocks"):
        recover(failed.table, 5)
    assert levels(wait(failed.table, "9 hours").table) != [level]


def test_another_healer_or_skill_may_try():
    """injury.amb.retry_treatment."""
    at = man(wounds=["Severe"])
    failed = tend(at, 0).table
    with pytest.raises(NotAllowed, match="use another healer or skill"):
        tend(failed, 4)
    assert tend(failed, 5, skill="Herbalism").outcome.passed
    assert tend(failed, 4, healer="other", skill="Khirurgy").outcome.passed


@pytest.mark.rules("injury.fail.mortal_hard", "injury.fail.mortal_soft")
@pytest.mark.parametrize("variant", ["hard", "soft"])
def test_a_mortal_wound_badly_treated_kills_either_way(variant: str):
    at = with_healer("Mortal", {"injury_mortal_variant": variant}, Surgery="B8")
    failed = tend(at, 0)
    assert the_man(failed.table).dead
    assert failed.outcome.condition == "dead"


def test_the_dead_and_the_felled():
    with pytest.raises(BadInput, match=r"patient: found 'man'.*is dead"):
        tend(man(dead=True, wounds=["Light"]), 2)
    at = table(man={"wounds": ["Light"]}, healer={"skills": {"Surgery": "B6"}, "comatose": True})
    with pytest.raises(NotAllowed, match="comatose"):
        tend(at, 2)


def test_a_stage_after_a_mortal_wound_may_be_treated_for_dice():
    """injury.amb.mortal_stage_treatment."""
    stage = {"level": "Severe", "treated": True, "will": True, "course": True}
    at = with_healer(stage, Surgery="B8")
    run = tend(at, 6)
    assert run.outcome.bonus == 2
    assert body(run.table).dice == -3  # no die comes back with it
    assert recover(run.table, 4, {"recovery_time": 1}).outcome.dice.total == 7
    failed = tend(at, 0).table
    assert recover(failed, 4, {"recovery_time": 1}).outcome.passed
    # success without a die for the patient is no reason to roll again, nor is success with one
    for successes, why in ((0, "another healer"), (4, "another healer"), (6, "No further")):
        with pytest.raises(NotAllowed, match=why):
            tend(tend(at, successes).table, 6)


@pytest.mark.rules("injury.treatment.special_link")
def test_a_treatment_that_fails_in_a_later_stage_spoils_nothing():
    """A Midi would lose a die; the Midi stage of a Mortal wound only has no dice of it."""
    stage = {"level": "Midi", "treated": True, "will": True, "course": True}
    failed = tend(with_healer(stage, Surgery="B8"), 0).table
    assert the_man(failed).wounds[0].lost == 0
    assert recover(failed, 3, {"recovery_time": 2}).outcome.dice.total == 5


@pytest.mark.rules("injury.treatment.lesser_wounds", "injury.recovery.greater_need_treatment")
@pytest.mark.parametrize(("level", "needed"), [("Light", 2), ("Midi", 3), ("Severe", 4)])
def test_a_wound_is_treated_once(level: str, needed: int):
    """Success is success, whether or not it brought dice for the patient."""
    at = with_healer(level, Surgery="B8")
    for extra in (0, 2):
        well = tend(at, needed + extra).table
        with pytest.raises(NotAllowed, match=r"No further treatment.*injury\.treatment"):
            tend(well, 6)


# --- Stop the bleeding ---------------------------------------------------------------------


@pytest.mark.rules("injury.staunch.renew", "injury.staunch.duration")
def test_when_it_runs_out_those_may_try_again_who_had_failed_before():
    failed = staunch(man(wounds=["Traumatic"]), 0).table
    with pytest.raises(NotAllowed, match="another healer or skill"):
        staunch(failed, 4)
    stopped = staunch(failed, 4, healer="other", skill="Khirurgy").table
    assert staunch(wait(stopped, "6 hours").table, 4).outcome.passed


@pytest.mark.rules("injury.staunch.purpose", "injury.staunch.duration")
def test_the_flow_stops_for_health_hours():
    at = man(wounds=["Traumatic"])  # bleeds for 2 hours; Health 5
    run = staunch(at, 4)
    assert run.outcome.seconds == 4 * 5 * 60
    assert "Man's bleeding stops for 5 hours; the wound must still be treated." in run.told
    held = wait(run.table, "20 minutes").table
    assert levels(wait(held, "5 hours").table) == ["Traumatic"]
    assert levels(wait(held, "6 hours and 59 minutes").table) == ["Traumatic"]
    assert levels(wait(held, "7 hours").table) == ["Mortal"]
    assert body(held).dice == -4  # it is no treatment
    with pytest.raises(NotAllowed, match="must be treated first"):
        recover(held, 5)
    assert tend(held, 5).outcome.passed  # which may follow


@pytest.mark.rules("injury.staunch.renew")
def test_then_it_must_be_done_again():
    """injury.amb.staunch_clock: the clock starts afresh."""
    at = wait(man(wounds=["Traumatic"]), "1 hour").table
    first = staunch(at, 4).table
    with pytest.raises(NotAllowed, match=r"stopped for another .* \[injury\.staunch\.renew"):
        staunch(first, 4)
    over = wait(first, "5 hours and 20 minutes")
    assert "bleeds again" in over.told
    again = staunch(over.table, 4).table
    assert levels(wait(again, "5 hours and 20 minutes").table) == ["Traumatic"]
    failed = staunch(over.table, 3)  # the healer's 20 minutes, then two hours from the beginning
    assert not failed.outcome.passed
    assert levels(wait(failed.table, "2 hours and 19 minutes").table) == ["Traumatic"]
    assert levels(wait(failed.table, "2 hours and 20 minutes").table) == ["Mortal"]
    with pytest.raises(NotAllowed, match="another healer or skill"):
        staunch(wait(failed.table, "30 minutes").table, 4)


@pytest.mark.rules("injury.staunch.limit")
def test_it_can_be_stopped_health_times():
    at = man(wounds=["Severe"], attributes={"Health": "B2"})
    for _ in range(2):
        at = wait(staunch(at, 3).table, "2 hours and 15 minutes").table
    with pytest.raises(NotAllowed, match=r"2 times.*\[injury\.staunch\.limit"):
        staunch(at, 3)
    # each wound has its own count
    two = man(wounds=[{"level": "Severe", "staunched": 5}, "Severe"])
    assert staunch(two, 3, wound=2).outcome.passed


@pytest.mark.rules("injury.staunch.treatment_still_needed")
@pytest.mark.parametrize("choice", ["bleeds_on", "midi_loses_one_die"])
def test_treatment_must_follow_in_the_end(choice: str):
    options = {"injury_staunched_never_treated": choice}
    at = man(options=options, wounds=[{"level": "Midi", "staunched": 4}])
    last = staunch(at, 2).table
    if choice == "bleeds_on":
        later = wait(last, "5 hours and 10 minutes")
        assert levels(wait(later.table, "8 hours").table) == ["Severe"]
        return
    answers = {"fitting_stat": "Speed", "recovery_time": 2}
    later = wait(last, "5 hours and 10 minutes", answers)
    assert str(the_man(later.table).stats["Speed"].rating) == "B3"
    assert levels(wait(later.table, "8 hours").table) == ["Midi"]
    assert the_man(wait(later.table, "14 days").table).wounds == ()


def test_only_what_bleeds_is_staunched():
    for wounds in (["Light"], ["Superficial"], [{"level": "Severe", "clotted": True}]):
        with pytest.raises(NotAllowed, match="no bleeding to stop"):
            staunch(man(wounds=wounds), None)


@pytest.mark.rules("artha.aristeia.minor_epiphany_effects")
def test_a_minor_epiphany_of_the_healers_skill_helps():
    epiphany = {"character": "healer", "form": "minor_epiphany", "ability": "Surgery"}
    he = {**MAN, "stats": dict.fromkeys(STATS, "B7"), "wounds": ["midi"]}
    for scene, passed in (({"aristeias": [epiphany]}, True), ({}, False)):
        at = table(scene, man=he, healer={"skills": {"Surgery": "B7"}})
        care = {"healer": "healer", "patient": "man", "skill": "Surgery"}
        rolls = [[3] * 7] if passed else [[3] * 7, [1, 1]]  # then the weeks that it takes
        assert play("treat", care, at, {}, rolls).outcome.passed is passed
