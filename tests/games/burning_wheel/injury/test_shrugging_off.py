"""Shrugging it off: Clearing the Cobwebs and Gritting Your Teeth, by a test of Health."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.conditions.borne_pain import PainMethod, bearable, takes
from games.burning_wheel.hurting import STATS, blow, body, hit, man, wait
from games.burning_wheel.playing import Played, play

MAN = {"character": "man"}


def clear(at: Any, successes: int = 2) -> Played:
    return play("clear_the_cobwebs", MAN, at, rolls=[successes])


def grit(at: Any, successes: int = 4, wound: int = 1) -> Played:
    return play("grit_teeth", {**MAN, "wound": wound}, at, rolls=[successes])


def next_scene(at: Any) -> Any:
    return play("end_scene", {}, at).table


# --- Clearing the Cobwebs ------------------------------------------------------------------


@pytest.mark.rules("injury.cobwebs.test")
@pytest.mark.parametrize("wounds", [1, 2])
def test_health_ob_2_lifts_the_obstacle(wounds: int):
    at = man(superficials=wounds)
    assert body(at).obstacle == 1
    passed = clear(at, 2)
    assert passed.outcome.passed
    assert body(passed.table).obstacle == 0
    failed = clear(at, 1)
    assert not failed.outcome.passed
    assert body(failed.table).obstacle == 1


@pytest.mark.rules("injury.cobwebs.actions", "injury.grit.time")
def test_what_bearing_pain_takes_in_a_conflict():
    """Actions of Fight!, volleys of a duel, actions bought in Range and Cover, and none beside."""
    cost = {m: takes(m) for m in PainMethod}
    assert [cost[m].actions for m in PainMethod] == [2, 1, 4, 2]
    assert [cost[m].volleys for m in PainMethod] == [1, 0, 1, 1]
    assert [cost[m].bought for m in PainMethod] == [1, 1, 1, 1]
    assert [cost[m].no_other for m in PainMethod] == [False, False, True, False]
    assert clear(man(superficials=1)).outcome.actions == 2
    assert grit(man(wounds=["Light"])).outcome.actions == 4


@pytest.mark.rules("injury.cobwebs.duration", "injury.shrug.not_recovery")
def test_it_lasts_until_the_scene_ends():
    cleared = clear(man(superficials=1)).table
    assert body(wait(cleared, "10 minutes").table).obstacle == 0
    over = next_scene(cleared)
    assert body(over).obstacle == 1
    # and the wound needs its recovery as before
    assert body(over).wounds[0].stops.startswith("Health Ob 1")


@pytest.mark.rules("injury.cobwebs.duration", "artha.shrug.effect")
@pytest.mark.parametrize("way", ["by artha", "by a test", "by a test that fails"])
def test_whoever_bears_the_pain_is_told_to_ignore_it_until_the_scene_ends(way: str):
    at = man(superficials=1, artha={"fate": 1})
    played = (
        play("shrug_it_off", MAN, at) if way == "by artha" else clear(at, 2 * ("fails" not in way))
    )
    assert played.outcome.passed is ("fails" not in way)
    assert ("Man ignores the pain until the scene ends." in played.told) is played.outcome.passed
    assert played.outcome.obstacle == (0 if played.outcome.passed else 1)


@pytest.mark.rules("injury.cobwebs.wound_stays")
def test_the_wound_still_counts_toward_three():
    cleared = clear(man(superficials=1)).table
    assert body(hit(cleared, "B3", "B3")).dice == -1


@pytest.mark.rules("injury.cobwebs.not_after_three")
def test_three_that_have_become_a_die_cannot_be_cleared():
    with pytest.raises(NotAllowed, match=r"\[injury\.cobwebs\.not_after_three"):
        clear(man(superficials=3))
    # a fourth one beside them can
    assert clear(man(superficials=4)).outcome.obstacle == 0
    with pytest.raises(NotAllowed, match="Man has no Superficial wound that still hurts"):
        clear(man())


@pytest.mark.rules("injury.cobwebs.new_superficial")
def test_another_one_brings_the_obstacle_back():
    assert body(hit(clear(man(superficials=1)).table, "B3")).obstacle == 1


def test_what_is_cleared_already_is_not_cleared_again():
    """injury.cobwebs.test, artha.shrug.effect: there is no +1 Ob left to remove."""
    cleared = clear(man(superficials=2, artha={"fate": 1})).table
    with pytest.raises(NotAllowed, match="Man has no Superficial wound that still hurts"):
        clear(cleared)
    with pytest.raises(NotAllowed, match="Man has no Superficial wound that still hurts"):
        play("shrug_it_off", {"character": "man"}, cleared)


def test_one_test_for_each_wound_and_scene():
    """injury.amb.shrug_retries."""
    failed = clear(man(superficials=1), 0).table
    with pytest.raises(NotAllowed, match="has tried that"):
        clear(failed)
    assert (
        bearable(failed.character("man"), PainMethod.COBWEBS) == {}
    )  # nor is it offered in a conflict
    assert list(bearable(failed.character("man"), PainMethod.SHRUG)) == [
        "1"
    ]  # artha is another way
    assert clear(hit(failed, "B3")).outcome.obstacle == 0  # a new wound, a new test
    assert clear(next_scene(failed)).outcome.passed
    gritted = grit(man(wounds=["Light"]), 0).table
    with pytest.raises(NotAllowed, match="has tried that"):
        grit(gritted)


# --- Gritting Your Teeth -------------------------------------------------------------------


@pytest.mark.rules("injury.grit.test")
@pytest.mark.parametrize(
    ("level", "left"), [("Light", 0), ("Midi", -1), ("Severe", -2), ("Traumatic", -3)]
)
def test_health_ob_4_lifts_one_die_of_any_wound(level: str, left: int):
    at = man(stats={}, wounds=[level])
    passed = grit(at, 4)
    assert (passed.outcome.passed, passed.outcome.dice) == (True, left)
    failed = grit(at, 3)
    assert (failed.outcome.passed, failed.outcome.dice) == (False, left - 1)


@pytest.mark.rules("injury.recovery.health_unwounded")
def test_wounds_do_not_weigh_on_health():
    at = man(stats={}, wounds=["Severe", "Superficial"])
    told = grit(at).told
    assert "Man rolls 5D = 5 Health against Ob 4 = 4 gritting teeth" in told


@pytest.mark.rules("injury.grit.one_die_each_wound")
def test_at_most_one_die_of_each_wound():
    once = grit(man(stats={}, wounds=["Midi", "Light", "Superficial"])).table
    assert body(once).dice == -2
    with pytest.raises(NotAllowed, match=r"\[injury\.grit\.one_die_each_wound"):
        grit(once)
    assert grit(once, wound=2).outcome.dice == -1  # but several wounds, a die each
    with pytest.raises(NotAllowed, match="Nothing more"):
        grit(once, wound=3)  # a superficial wound costs no die
    with pytest.raises(BadInput, match=r"wound: found 4.*1 Midi wound, one die ignored"):
        grit(once, wound=4)


def test_a_set_of_three_is_a_wound_to_be_borne():
    """injury.amb.fourth_superficial."""
    assert grit(man(superficials=3)).outcome.dice == 0


@pytest.mark.rules("injury.grit.incapacitated")
def test_the_felled_may_stagger_up_once():
    down = man(stats={**STATS, "Power": "B2"}, wounds=["Midi"])
    assert body(down).condition == "helpless"
    up = grit(down)
    assert body(up.table).condition == "fit"
    assert "comes to" in up.told
    stays = grit(down, 3).table
    assert body(stays).condition == "helpless"
    for again in (stays, next_scene(stays)):
        with pytest.raises(NotAllowed, match=r"\[injury\.grit\.incapacitated"):
            grit(again)
    # not by persona either, which counts as the attempt
    with pytest.raises(NotAllowed, match=r"\[injury\.grit\.incapacitated"):
        play("grit_your_teeth", MAN, man(**_down(staggered=True, artha={"persona": 1})))
    bought = play("grit_your_teeth", MAN, man(**_down(artha={"persona": 1})))
    assert body(bought.table).condition == "fit"


def _down(**more: Any) -> dict[str, Any]:
    return {"stats": {**STATS, "Power": "B2"}, "wounds": ["Midi"], **more}


def test_another_fall_is_another_attempt():
    """injury.amb.shrug_retries: one for each time of being incapacitated."""
    up = grit(man(**_down())).table
    down = blow(up, "B5").table
    assert body(down).condition == "helpless"
    assert grit(down, wound=2).outcome.passed


@pytest.mark.rules("injury.grit.duration", "injury.shrug.not_recovery")
def test_teeth_are_gritted_until_the_scene_ends():
    """injury.amb.grit_scene_end: and then he falls again."""
    up = grit(man(**_down())).table
    assert body(wait(up, "1 hour").table).condition == "fit"
    over = play("end_scene", {}, up)
    assert body(over.table).dice == -2
    assert body(over.table).condition == "helpless"
    assert "helpless, but awake" in over.told


def test_the_unconscious_may_try_as_well_and_the_dying_may_not():
    out = man(stats={**STATS, "Will": "B2"}, wounds=["Midi"])
    assert body(grit(out).table).condition == "fit"
    with pytest.raises(NotAllowed, match="is dying"):
        grit(man(stats={}, wounds=["Mortal", "Light"]), wound=2)
    with pytest.raises(NotAllowed, match="is helpless"):
        clear(man(**_down(superficials=1)))
