"""Nerves: what calls for a Steel test, and what a failure looks like."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.conditions.hesitation import reactions
from astragal.games.burning_wheel.steel.dice_and_hesitation import SteelTest
from astragal.play import Scripted, Tell, defaults, exact
from games.burning_wheel.frights import MOUSE, fright
from games.burning_wheel.playing import a_test, play, table

REACTIONS = ["stand_and_drool", "fall_prone_and_beg_for_mercy", "swoon", "run_screaming"]


# --- What calls for a test ----------------------------------------------------------------


@pytest.mark.rules(
    "steel.test.gm_calls",
    "steel.cause.surprise",
    "steel.cause.surprise_only_if_it_counts",
    "steel.cause.fear",
    "steel.attribute.meaning",
)
@pytest.mark.parametrize("cause", ["surprise", "fear"])
def test_the_gm_alone_says_whether_a_surprise_or_a_fright_is_tested(cause: str):
    run = fright(cause=cause)
    assert run.seats["call_for_steel"] == "gm"
    assert GAME.procedure("steel_test").gm_only
    assert run.outcome.tested
    calm = fright(cause=cause, answers={"call_for_steel": False}, rolls=())
    assert not calm.outcome.tested
    assert calm.outcome.passed
    assert "No Steel test for Mouse" in calm.told
    assert not calm.changed


@pytest.mark.rules("steel.test.gm_calls")
def test_no_player_calls_for_an_ordinary_test_of_steel():
    run = a_test(table(mouse=MOUSE), "Steel", 1, [1])
    assert run.seats["call_for_steel"] == "gm"
    assert GAME.procedure("steel_test").gm_only
    with pytest.raises(NotAllowed, match=r"Only the GM calls .*\[steel.test.gm_calls\]"):
        a_test(table(mouse=MOUSE), "Steel", 1, [1], {"call_for_steel": False})


@pytest.mark.rules("steel.test.three_causes")
def test_there_are_three_causes_and_no_other():
    for cause in ("surprise", "fear", "pain"):
        assert fright(cause=cause, wound_dice=1).outcome.tested
    with pytest.raises(BadInput, match=r"^arguments.cause: found 'boredom'"):
        fright(cause="boredom")


@pytest.mark.rules("steel.cause.pain")
def test_every_wound_of_a_die_or_more_is_tested_without_asking_and_takes_its_dice():
    run = fright(cause="pain", source="a light wound", wound_dice=2)
    assert "call_for_steel" not in run.asked
    assert run.outcome.dice.total == 1
    with pytest.raises(BadInput, match=r"wound_dice: found 0, expected .*steel.cause.pain"):
        fright(cause="pain", source="a scratch", superficial=True)


def test_what_another_chapter_forces_needs_no_call():
    assert "call_for_steel" not in fright(forced_by="an incitement").asked


def test_one_fright_is_tested_once_but_every_wound_hurts():
    """steel.amb.repeat_tests."""
    at = fright().table
    with pytest.raises(NotAllowed, match="already rolled Steel"):
        fright(at, source=" A  Cat ")
    assert fright(at, source="two cats").outcome.tested
    hurt = fright(at, cause="pain", source="a bite", wound_dice=1).table
    assert fright(hurt, cause="pain", source="a bite", wound_dice=1).outcome.tested


COOKING = {"character": "mouse", "ability": "Cooking", "intent": "a feast"}


def test_in_another_scene_the_same_thing_frightens_anew_and_other_results_still_ride():
    """steel.amb.repeat_tests: one test for each cause and scene."""
    kept = {"rides": [{**COOKING, "successes": 2, "passed": True}]}
    at = table(scene=kept, mouse={**MOUSE, "skills": {"Cooking": "B3"}})
    shaken = fright(fright(at).table, source="an owl").table
    later = play("end_scene", {}, shaken).table
    assert fright(later, rolls=[6]).outcome.passed
    assert [ride.ability for ride in later.scene.rides] == ["Cooking"]


@pytest.mark.rules("steel.situational.not_with_roll")
def test_a_fright_of_an_earlier_scene_stands_against_no_award():
    later = play("end_scene", {}, fright().table).table
    award = {"character": "mouse", "situation": "the siege", "like": ["being_stabbed"]}
    assert play("situational_steel", award, later, {}, ()).outcome.awarded


# --- Failing ------------------------------------------------------------------------------


@pytest.mark.rules("steel.fail.player_chooses_how")
@pytest.mark.parametrize("cause", ["surprise", "fear", "pain"])
def test_the_player_chooses_one_of_four_whatever_the_cause(cause: str):
    at = table(mouse={**MOUSE, "player": "anna"})
    run = fright(at, cause=cause, wound_dice=1)
    assert run.seats["reaction"] == "anna"
    assert [option.key for option in run.asks["reaction"].question.options] == REACTIONS
    assert [option.key for option in reactions()] == REACTIONS


def test_no_reaction_allows_any_defence():
    """steel.amb.defence_of_other_reactions."""
    for reaction in REACTIONS:
        assert not fright(answers={"reaction": reaction}).outcome.may_defend


@pytest.mark.rules("steel.fail.stand_and_drool", "steel.fail.stand_no_defence")
def test_standing_and_drooling_is_standing_still_without_defence_or_voice():
    run = fright(answers={"reaction": "stand_and_drool"}, rolls=[1])
    assert run.outcome.heartbeats == 5
    assert (run.outcome.may_defend, run.outcome.may_shout) == (False, False)
    assert (run.outcome.prone, run.outcome.flees_from) == (False, "")
    assert "stands and drools: no defence, no shouting" in run.told


@pytest.mark.rules("steel.fail.fall_prone")
def test_falling_prone_may_bring_one_behind_cover():
    answers = {"reaction": "fall_prone_and_beg_for_mercy"}
    run = fright(answers={**answers, "behind_cover": True})
    assert (run.outcome.prone, run.outcome.cover) == (True, True)
    assert run.seats["behind_cover"] == "gm"
    in_the_open = fright(answers=answers)
    assert (in_the_open.outcome.prone, in_the_open.outcome.cover) == (True, False)
    assert "plea" not in in_the_open.asked
    assert not in_the_open.outcome.dropped


@pytest.mark.rules("steel.fail.fall_prone_close_combat")
def test_in_close_combat_the_weapon_falls_and_the_opponent_decides():
    at = table(mouse={**MOUSE, "gear": ["needle"]}, cat={"player": "tom"})
    answers = {"reaction": "fall_prone_and_beg_for_mercy", "plea": "plays with it"}
    run = fright(at, answers=answers, opponent="cat", weapon="needle")
    assert run.outcome.dropped == "needle"
    assert run.seats["plea"] == "tom"
    assert "begs Cat for mercy" in run.told
    assert "Cat: plays with it." in run.told
    held = fright(at, answers={"reaction": "swoon"}, opponent="cat", weapon="needle")
    assert not held.outcome.dropped
    armed = {**MOUSE, "weapons": [{"weapon": "sword", "name": "Thorn"}]}
    at = table(mouse=armed, cat={"player": "tom"})
    for name in ("Thorn", "sword"):
        assert fright(at, answers=answers, opponent="cat", weapon=name).outcome.dropped == name


@pytest.mark.rules("steel.test.fail")
@pytest.mark.parametrize("posture", [{"prone": True}, {"kneeling": True}, {}])
def test_another_fright_lifts_nobody_from_the_ground(posture: dict[str, bool]):
    """steel.amb.prone_afterwards: a longer hesitation follows, and the weapon stays where it is."""
    down = {"character": "mouse", "heartbeats": 1, "reaction": "", "dropped": "needle", **posture}
    at = table({"hesitating": [down]}, mouse=MOUSE)
    (left,) = fright(at, answers={"reaction": "stand_and_drool"}).table.scene.hesitating
    assert (left.prone, left.kneeling) == ("prone" in posture, "kneeling" in posture)
    assert (left.heartbeats, left.dropped) == (6, "needle")


@pytest.mark.rules("steel.fail.swoon")
def test_a_swoon_is_a_silent_collapse():
    run = fright(answers={"reaction": "swoon"})
    assert (run.outcome.prone, run.outcome.may_shout) == (True, False)
    assert "swoons and is unaware of everything" in run.told


@pytest.mark.rules("steel.fail.run_screaming", "steel.fail.run_direction")
def test_running_is_loud_and_straight_away_from_what_the_gm_names():
    at = table(mouse={**MOUSE, "player": "anna"})
    answers = {"reaction": "run_screaming", "flees_from": "the cat's shadow", "cry": "squeaks"}
    run = fright(at, answers=answers)
    assert run.outcome.flees_from == "the cat's shadow"
    assert run.outcome.may_shout
    assert (run.seats["flees_from"], run.seats["cry"]) == ("gm", "anna")
    assert "runs at top speed and squeaks" in run.told
    assert "straight away from the cat's shadow, whatever is in the way." in run.told
    with pytest.raises(BadInput, match="flees_from"):
        fright(at, answers={**answers, "flees_from": ""})


@pytest.mark.rules("extended_example.hesitate.secret")
def test_the_others_need_not_learn_how_long_the_gms_characters_hesitate():
    for npc, audience in ((True, ("gm",)), (False, ())):
        run = fright(table(mouse={**MOUSE, "npc": npc}))
        for words in ("Hesitates", "rolls"):
            (told,) = [e for e in run.events if isinstance(e, Tell) and words in e.fact.sentence()]
            assert told.audience == audience


# --- Odds ---------------------------------------------------------------------------------


@pytest.mark.rules("steel.test.open_ended", "steel.test.pass")
def test_the_odds_are_those_of_open_ended_dice():
    """Two black dice against a hesitation of 2: counted by hand over at most four throws."""

    def at_least(needed: int, dice: int, depth: int) -> Fraction:
        if needed <= 0:
            return Fraction(1)
        if not dice or not depth:
            return Fraction(0)
        total = Fraction(0)
        for faces in product(range(1, 7), repeat=dice):
            good = sum(face >= 4 for face in faces)
            total += at_least(needed - good, faces.count(6), depth - 1)
        return total / 6**dice

    at = table(mouse={"stats": {"Will": "B8"}, "attributes": {"Steel": "B2"}})
    start = GAME.procedure("steel_test").start(
        GAME.read({"character": "mouse", "cause": "fear", "source": "a cat"}, SteelTest, "x"), at
    )
    odds = exact(start, Scripted({}, defaults))
    passed = sum((odds.chance(o) for o in odds.weights if o.passed), Fraction(0))
    assert abs(float(passed) - float(at_least(2, 2, 6))) < 1e-3


# --- Bad input ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({"source": "  "}, "source"),
        ({"source": "x" * 401}, "source"),
        ({"wound_dice": -1}, "wound_dice"),
        ({"wound_dice": 21}, "wound_dice"),
        ({"opponent": "dog"}, "opponent"),
        ({"weapon": "cannon"}, "weapon"),
        ({"character": "dog"}, "character"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(more: dict[str, Any], place: str):
    with pytest.raises(BadInput) as refused:
        fright(**more)
    assert refused.value.place == place
    assert "\n" not in str(refused.value)


def test_nobody_without_steel_can_test_it():
    with pytest.raises(BadInput, match=r"^attributes.Steel: "):
        fright(table(mouse={"stats": {"Will": "B4"}}))
