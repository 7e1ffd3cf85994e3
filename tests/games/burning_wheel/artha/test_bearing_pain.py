import pytest

from astragal.errors import NotAllowed
from games.burning_wheel.playing import a_test, play, table

SHRUG = {"character": "rich"}


def hurt(superficials=0, wounds=(), **more):
    raw = {
        "artha": {"fate": 1, "persona": 2},
        "skills": {"Sword": "B4"},
        "superficials": superficials,
        "wounds": wounds,
        **more,
    }
    return table(rich=raw)


def weighs(at):
    outcome = a_test(at, "Sword", 2, [0]).outcome
    return outcome.dice.total - 4, outcome.obstacle.total - 2


@pytest.mark.rules("artha.shrug.effect")
@pytest.mark.parametrize("superficials", [1, 2])
def test_shrugging_lifts_the_obstacle_of_superficial_wounds_for_the_scene(superficials):
    at = hurt(superficials)
    assert weighs(at) == (0, 1)
    shrugged = play("shrug_it_off", SHRUG, at).table
    assert weighs(shrugged) == (0, 0)
    assert shrugged.character("rich").artha.fate == 0
    assert len(shrugged.character("rich").wounds) == superficials  # the wounds stay
    assert weighs(play("end_scene", {}, shrugged).table) == (0, 1)


@pytest.mark.rules("artha.shrug.no_health_test", "artha.grit.no_health_test")
def test_artha_takes_no_test_and_half_the_time():
    shrug = play("shrug_it_off", SHRUG, hurt(1), rolls=[])
    assert (shrug.rolls, shrug.outcome.actions) == ([], 1)
    grit = play("grit_your_teeth", SHRUG, hurt(wounds=["Light"]), rolls=[])
    assert (grit.rolls, grit.outcome.actions) == ([], 2)


def test_the_third_superficial_wound_is_a_die_and_cannot_be_shrugged():
    assert weighs(hurt(3)) == (-1, 0)
    with pytest.raises(NotAllowed, match=r"artha\.amb\.shrug_scope"):
        play("shrug_it_off", SHRUG, hurt(3))


@pytest.mark.rules("artha.grit.effect")
def test_gritting_lifts_one_die_of_one_wound_for_the_scene():
    at = hurt(wounds=["Light", "Midi"])
    assert weighs(at) == (-3, 0)
    once = play("grit_your_teeth", {**SHRUG, "wound": 2}, at).table
    assert weighs(once) == (-2, 0)
    twice = play("grit_your_teeth", SHRUG, once).table
    assert weighs(twice) == (-1, 0)
    assert twice.character("rich").artha.persona == 0
    assert weighs(play("end_scene", {}, twice).table) == (-3, 0)


def test_each_wound_is_gritted_once():
    once = play("grit_your_teeth", SHRUG, hurt(wounds=["Midi"])).table
    with pytest.raises(NotAllowed, match=r"artha\.amb\.grit_repeats"):
        play("grit_your_teeth", SHRUG, once)


def test_there_must_be_something_to_bear_and_something_to_pay():
    with pytest.raises(NotAllowed, match="Rich has no Superficial wound"):
        play("shrug_it_off", SHRUG, hurt(0))
    with pytest.raises(NotAllowed, match="Rich has no fate to spend"):
        play("shrug_it_off", SHRUG, hurt(1, artha={}))
    with pytest.raises(NotAllowed, match="Rich is not wounded"):
        play("grit_your_teeth", SHRUG, hurt())
    with pytest.raises(NotAllowed, match="Rich has no persona to spend"):
        play("grit_your_teeth", SHRUG, hurt(wounds=["Light"], artha={}))


def test_wounds_that_leave_no_dice_leave_no_test():
    with pytest.raises(NotAllowed, match=r"injury\.zero\.skill"):
        a_test(hurt(wounds=["Traumatic"]), "Sword", 1, [0], {"advantage": "higher ground"})


def test_inspiration_doubles_before_wounds_are_taken_off():
    at = hurt(wounds=["Light"], artha={"deeds": 1})
    played = a_test(at, "Sword", 2, [0], {"divine_inspiration": True})
    assert played.outcome.dice.total == 4 * 2 - 1
