"""A hit on the grayscale: marks, pain, Steel, and harsher hits."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.conditions.hesitation import hesitation_of
from astragal.games.burning_wheel.injury.injury import TakeWound
from astragal.games.burning_wheel.sheet.parts import WoundLevel
from astragal.games.burning_wheel.sheet.ratings import Coordinate
from astragal.play import Scripted, defaults, exact, run
from games.burning_wheel.hurting import MAN, STATS, STEP, blow, body, hit, man, the_man
from games.burning_wheel.playing import a_test, play, table

STEELY = {**MAN, "attributes": {"Health": "B5", "Reflexes": "B4", "Steel": "B5"}}


def steely(scene: Any = None, options: Any = None, **more: Any) -> Any:
    return table(scene=scene, options=options, man={**STEELY, **more})


# --- Marks ---------------------------------------------------------------------------------


@pytest.mark.rules("injury.ptgs.wound_is_coordinate", "injury.register.separate")
def test_every_wound_is_a_mark_of_its_own():
    at = hit(man(stats={}), "B3", "B5", "B5")
    marks = [[str(step) for step in wound.at] for wound in the_man(at).wounds]
    assert marks == [["B3"], ["B5"], ["B5"]]
    assert [w.level for w in the_man(at).wounds] == [
        WoundLevel.SUPERFICIAL,
        WoundLevel.LIGHT,
        WoundLevel.LIGHT,
    ]


@pytest.mark.rules("injury.register.left_of_superficial")
def test_a_scratch_leaves_nothing_behind():
    run = blow(man(), "B2")
    assert run.outcome.level == ""
    assert run.changed == {}
    assert "only scratched" in run.told


@pytest.mark.rules("injury.ptgs.tolerance_placement")
def test_without_tolerances_the_gm_says_where_they_lie():
    at = table(man={"npc": True})
    run = blow(at, "B6", answers={"tolerances": "B3"})
    assert run.outcome.level == "Midi"
    assert str(the_man(run.table).tolerances.midi) == "B6"
    assert "tolerances" not in blow(run.table, "B6").asked


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"at": "B17"}, "arguments.at"),
        ({"at": "three"}, "arguments.at"),
        ({"character": "nobody"}, "character"),
        ({"location": "nose"}, "arguments.location"),
    ],
)
def test_what_is_no_wound_is_refused(wrong: dict[str, Any], place: str):
    with pytest.raises(BadInput) as refused:
        play("take_wound", {"character": "man", "at": "B5", **wrong}, man())
    assert refused.value.place == place


def test_the_dead_are_past_hurting():
    with pytest.raises(BadInput, match="is dead"):
        blow(man(dead=True), "B5")


# --- Steel and pain ------------------------------------------------------------------------


@pytest.mark.rules("injury.steel.trigger")
@pytest.mark.parametrize("level", ["Superficial", "Light", "Midi", "Severe"])
def test_a_wound_that_costs_a_die_calls_for_steel(level: str):
    run = blow(steely(), STEP[level], rolls=None)
    assert (run.outcome.steel is not None) == (level != "Superficial")


@pytest.mark.rules("injury.steel.trigger")
def test_neither_the_first_nor_the_second_superficial_wound_does():
    at = steely()
    for _ in range(2):
        run = blow(at, "B3")
        assert run.outcome.steel is None
        at = run.table


@pytest.mark.rules("injury.steel.third_superficial")
@pytest.mark.parametrize("before", [2, 5, 8])
def test_the_last_of_a_set_of_three_does(before: int):
    at = steely(stats={"Will": "B9"}, superficials=before)
    run = blow(at, "B4", rolls=[1] if before < 8 else [0])
    assert run.outcome.steel.tested
    # one die less for each set, the new one among them; and no obstacle is left
    assert run.outcome.steel.dice.total == 5 - (before + 1) // 3
    assert run.outcome.steel.obstacle.total == 1


@pytest.mark.rules("injury.steel.severity_subtracted")
def test_the_new_wound_comes_off_steel_once_beside_the_old_ones():
    at = steely(wounds=["Light"])
    run = blow(at, "B7", rolls=[0])
    assert run.outcome.steel.dice.total == 5 - 1 - 2
    # what is shrugged off is not taken off (injury.amb.steel_severity)
    borne = steely(wounds=[{"level": "Light", "borne": True}])
    assert blow(borne, "B7", rolls=[0]).outcome.steel.dice.total == 5 - 2
    # never below none: then the full hesitation is lost
    weak = steely(attributes={"Steel": "B2"})
    lost = blow(weak, "B8", rolls=[]).outcome
    assert (lost.steel.dice.total, lost.heartbeats) == (0, 6)


def test_a_standing_superficial_wound_lengthens_hesitation():
    """injury.amb.steel_hesitation_and_wounded_will: 10 less Will 4, and 1."""
    run = blow(steely(superficials=1), "B5", rolls=[0])
    assert run.outcome.steel.obstacle.total == 7
    assert run.outcome.heartbeats == 7


@pytest.mark.rules("injury.steel.hesitation_immediate")
def test_hesitation_from_pain_begins_at_once():
    run = blow(steely(), "B5", rolls=[4], answers={"reaction": "stand_and_drool"})
    assert run.outcome.heartbeats == 2
    assert hesitation_of(run.table, "man").heartbeats == 2
    with pytest.raises(Exception, match="hesitates for 2 heartbeats"):
        a_test(run.table, "Power", 1, [0])
    # a script counts the lost actions itself
    scripted = blow(steely(), "B5", rolls=[4], in_script=True)
    assert scripted.outcome.heartbeats == 2
    assert hesitation_of(scripted.table, "man") is None


def test_a_mortal_wound_calls_for_no_steel():
    """injury.amb.steel_on_bleeding_or_mortal."""
    assert blow(steely(), "B10").outcome.steel is None


def test_the_later_edition_tests_every_wound():
    at = steely(options={"edition": "gold"})
    assert blow(at, "B3", rolls=[0]).outcome.steel.tested


def test_whoever_begs_for_mercy_drops_what_was_in_hand():
    """steel.fail.fall_prone_close_combat: gear or weapon of the sheet, as it is called there."""
    armed = {"gear": ["torch"], "weapons": ["sword"]}
    at = table(man={**STEELY, **armed}, foe={"npc": True})
    for held, dropped in (("sword", "sword"), ("torch", "torch"), ("chair", "")):
        answers = {"reaction": "fall_prone_and_beg_for_mercy"}
        run = blow(at, "B5", [4], answers, weapon=held, opponent="foe")
        assert run.outcome.dropped == dropped
        assert run.outcome.prone


# --- Argh, my arm! -------------------------------------------------------------------------

ARGH = {"argh_my_arm": True}


def struck(location: str, successes: int, reaction: str = "stand_and_drool", **more: Any) -> Any:
    """Struck at Light with hesitation 6, so that 6 less the successes are lost."""
    at = steely(scene=more.pop("scene", ARGH), stats={**STATS, "Will": "B4"})
    answers = {} if successes >= 6 else {"reaction": reaction}
    return blow(at, "B5", [successes], answers, location=location, **more)


@pytest.mark.rules("injury.steel.option_arm")
def test_a_failing_arm_drops_what_it_holds():
    assert struck("arm", 4, weapon="sword").outcome.dropped == "sword"
    kept = struck("arm", 4, weapon="sword")
    assert hesitation_of(kept.table, "man").dropped == "sword"
    assert struck("arm", 4, weapon="shield", strapped=True).outcome.dropped == ""
    assert struck("leg", 4, weapon="sword").outcome.dropped == ""
    assert struck("arm", 4, weapon="sword", scene={}).outcome.dropped == ""  # only by agreement


@pytest.mark.rules("injury.steel.option_leg_kneel", "injury.steel.option_leg_prone")
def test_a_failing_leg_kneels_or_falls():
    one = struck("leg", 5).outcome
    assert (one.heartbeats, one.kneeling, one.prone) == (1, True, False)
    two = struck("leg", 4).outcome
    assert (two.heartbeats, two.kneeling, two.prone) == (2, False, True)
    kept = struck("leg", 5)
    later = play("heartbeats", {"count": 1}, kept.table).table
    assert hesitation_of(later, "man").kneeling  # still on the knee, when master of himself
    assert hesitation_of(play("get_up", {"character": "man"}, later).table, "man") is None


def test_who_kneels_goes_on_kneeling_when_hit_elsewhere():
    kneels = {"character": "man", "heartbeats": 0, "reaction": "", "kneeling": True}
    run = struck("arm", 4, scene={**ARGH, "hesitating": [kneels]})
    left = hesitation_of(run.table, "man")
    assert (left.heartbeats, left.kneeling) == (2, True)


@pytest.mark.rules("injury.steel.option_leg_run")
def test_running_on_a_failing_leg_is_withdrawing_from_the_ground():
    assert struck("leg", 4, "run_screaming").outcome.withdraw == 2
    assert struck("leg", 4, "swoon").outcome.withdraw == 0
    assert struck("arm", 4, "run_screaming").outcome.withdraw == 0


@pytest.mark.rules("injury.steel.option_head")
def test_a_ringing_head_hesitates_one_action_more():
    run = struck("head", 4)
    assert run.outcome.heartbeats == 3
    assert hesitation_of(run.table, "man").heartbeats == 3
    assert struck("head", 4, scene={}).outcome.heartbeats == 2


@pytest.mark.rules("injury.steel.option_leg_prone", "injury.steel.option_head")
def test_only_the_new_test_says_how_hard_a_hit_was():
    """Hesitating for 5 already, and 1 success short on top of that: 5 is still the longer one."""
    longer = {"character": "man", "heartbeats": 5, "reaction": "stand_and_drool"}
    stats = {**STATS, "Will": "B4"}

    def hit_again(location: str, successes: int, **options: str) -> Any:
        at = steely(scene={**ARGH, "hesitating": [longer]}, stats=stats, options=options)
        return blow(at, "B5", [successes], location=location).outcome

    leg = hit_again("leg", 5)
    assert (leg.heartbeats, leg.kneeling, leg.prone) == (5, True, False)
    assert hit_again("leg", 4).prone
    assert hit_again("head", 5).heartbeats == 5
    assert hit_again("head", 1).heartbeats == 6  # 5 short, and one more
    added = {"steel_overlapping_hesitation": "added"}
    assert hit_again("head", 5, **added).heartbeats == 5 + 1 + 1


def test_harsher_hits_are_agreed_on():
    on = play("play_with_argh_my_arm", {}, steely())
    assert on.table.scene.argh_my_arm
    assert not play("play_with_argh_my_arm", {"allowed": False}, on.table).table.scene.argh_my_arm


# --- Order ---------------------------------------------------------------------------------


@pytest.mark.rules("injury.register.effects_add")
def test_the_order_of_wounds_does_not_matter():
    for order in permutations(["B3", "B5", "B3", "B7", "B4"]):
        shown = body(hit(man(stats={}), *order))
        assert (shown.dice, shown.obstacle) == (-4, 0), order


def test_the_odds_of_a_wound_are_walked():
    """A light wound: Steel B5 less one die against the hesitation of Will B9, which is 1."""
    at = steely(stats={"Will": "B9"})
    start = GAME.procedure("take_wound").start(TakeWound("man", Coordinate.parse("B5")), at)
    steady = exact(start, defaults).map(lambda hurt: hurt.heartbeats == 0)
    # Four dice, one success needed: all four must fail to lose it.
    assert steady.chance(False) == pytest.approx(1 / 16)


def test_the_same_wound_in_two_runs_is_the_same():
    start = GAME.procedure("take_wound").start(TakeWound("man", Coordinate.parse("B7")), steely())
    outcomes = {repr(run(start, Seeded("pain"), Scripted({}, defaults))) for _ in range(2)}
    assert len(outcomes) == 1
