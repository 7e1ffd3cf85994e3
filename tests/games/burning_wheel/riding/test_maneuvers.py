"""Riding tests and maneuvers: the rider's skill, the animal's Speed, and what goes wrong."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.riding.maneuvers import speed_obstacle
from astragal.rules import catalogue
from games.burning_wheel.on_horseback import HORSE, RIDER, mounted_fight, ridden, volley
from games.burning_wheel.playing import Played, play, table

WILD = {**HORSE, "training": [], "gear": []}


def ride(at: Any, rolls: Any, answers: dict[str, Any] | None = None, **more: Any) -> Played:
    return play("ride", {"character": "ann", **more}, at, answers, rolls)


# --- The Riding test -----------------------------------------------------------------------


@pytest.mark.rules("riding.test.obstacle", "riding.test.when", "riding.test.rider_training")
def test_riding_is_tested_against_the_will_of_the_beast():
    bare = {**HORSE, "gear": []}
    done = ride(ridden(horse=bare), [3], task="across the ford")
    assert done.outcome.passed
    assert done.outcome.riding.obstacle.total == 3
    assert [line.rule for line in done.outcome.riding.obstacle.lines] == ["riding.test.obstacle"]
    assert done.outcome.riding.dice.total == 4
    stubborn = {**bare, "stats": {**HORSE["stats"], "Will": "B5"}}
    assert not ride(ridden(horse=stubborn), [4]).outcome.passed


@pytest.mark.rules("riding.test.difficult_maneuver")
def test_how_difficult_it_is_the_gm_says_of_each_ride_anew():
    """Only in a conflict does the word hold for what follows."""
    assert not ride(ridden(), [3]).asks["difficult_riding"].standing
    in_fight = volley(mounted_fight(gap=0), ("maintain", "order:push"), dice={"Ann, Riding": 0})
    assert in_fight.played.asks["difficult_riding"].standing


@pytest.mark.rules("riding.test.gear")
def test_gear_is_one_die_however_much_of_it_there_is():
    for gear in (["bit and bridle"], ["saddle", "stirrups", "bit", "bridle", "harness"]):
        done = ride(ridden(horse={**HORSE, "gear": gear}), [3])
        lines = [str(line.label) for line in done.outcome.riding.dice.lines]
        assert lines == ["Riding", "riding gear"]
        assert done.outcome.riding.dice.total == 5


@pytest.mark.rules("riding.test.untrained_beast", "riding.test.rider_training")
def test_a_beast_without_training_doubles_the_obstacle_and_throws_its_rider_once():
    calm = {"throws_rider": False}
    assert ride(ridden(horse=WILD), [4], calm).outcome.riding.obstacle.total == 6
    # It tries at the first chance: an Ob 2 test of its own, and only once.
    done = ride(ridden(horse=WILD), [4, 2])
    assert done.outcome.stayed
    assert "tries to throw its rider" in done.told
    assert done.table.scene.riders[0].tested
    again = ride(done.table, [4])
    assert "tries to throw" not in again.told
    thrown = ride(ridden(horse=WILD), [4, 1])
    assert (thrown.outcome.mishap, thrown.outcome.stayed) == ("throws", False)
    assert thrown.table.scene.riders == ()
    assert thrown.outcome.suffered[0].damage.stage.value == "incidental"


@pytest.mark.rules("riding.test.untrained_beast")
def test_beginners_luck_doubles_the_will_and_not_what_is_added_to_it():
    novice = {**RIDER, "skills": {}}
    done = ride(ridden(ann=novice, horse=WILD), [0], {"throws_rider": False, "roots": ["Agility"]})
    assert done.outcome.riding.obstacle.total == 3 + 3 + 3


@pytest.mark.rules("riding.test.difficult_maneuver")
def test_what_the_animal_would_shy_from_is_harder():
    for more in (1, 2):
        done = ride(ridden(), [5], {"difficult_riding": more})
        assert done.outcome.riding.obstacle.total == 3 + more
    with pytest.raises(BadInput):
        ride(ridden(), [5], {"difficult_riding": 3})


# --- The animal ----------------------------------------------------------------------------


@pytest.mark.rules("riding.maneuver.obstacles")
def test_the_obstacle_is_the_maneuver_and_everything_about_pace_and_ground():
    rows = catalogue().table("riding.table.maneuver_obstacles").records()
    bases = [row for row in rows if row["type"] == "base"]
    further = [row for row in rows if row["type"] == "modifier"]
    for base in bases:
        for one in further:
            both = speed_obstacle(base.text("item"), (one.text("item"),))
            assert both.total == base.number("obstacle") + one.number("obstacle")
    assert speed_obstacle("", ("full gallop", "broken ground")).total == 4
    assert speed_obstacle("2-pace high leap", ("full gallop", "ice")).total == 4 + 2 + 3
    with pytest.raises(BadInput, match="sharp_turns"):
        speed_obstacle("sharp turn right", ())


@pytest.mark.rules("riding.maneuver.obstacles")
def test_nothing_about_pace_and_ground_counts_twice():
    with pytest.raises(BadInput, match=r"going\[2\].*each pace and kind of ground once"):
        speed_obstacle("", ("full_gallop", "broken_ground", "full_gallop"))


@pytest.mark.rules("riding.maneuver.speed_test")
def test_the_animal_itself_has_to_do_it():
    done = ride(ridden(), [3, 2], maneuver="1_pace_high_leap")
    assert done.outcome.passed
    assert done.outcome.speed.dice.total == 5
    assert done.outcome.speed.obstacle.total == 2
    assert ride(ridden(), [3]).outcome.speed is None
    assert not ride(ridden(), [3, 1], maneuver="1_pace_high_leap").outcome.passed


@pytest.mark.rules("riding.maneuver.linked")
@pytest.mark.parametrize(("riding", "dice", "obstacle"), [(4, 6, 2), (3, 5, 2), (2, 5, 3)])
def test_the_two_tests_are_linked(riding: int, dice: int, obstacle: int):
    done = ride(ridden(), [riding, 5], maneuver="1_pace_high_leap")
    assert (done.outcome.speed.dice.total, done.outcome.speed.obstacle.total) == (dice, obstacle)
    assert done.outcome.passed


# --- When it fails -------------------------------------------------------------------------


@pytest.mark.rules("riding.maneuver.failure_mild", "riding.maneuver.failure_serious")
def test_an_easy_test_that_fails_is_no_accident():
    # Speed 5: serious from obstacle 4 on.
    mild = ride(ridden(), [3, 0], maneuver="sharp_turns", going=["snow_or_sand"])
    assert (mild.outcome.mishap, mild.outcome.stayed) == ("refuses", True)
    swerves = ride(ridden(), [3, 0], {"balks": "swerves"}, maneuver="sharp_turns")
    assert "Horse swerves." in swerves.told
    serious = ride(ridden(), [3, 0, 4], maneuver="2_pace_high_leap")
    assert serious.outcome.mishap == "roll"


@pytest.mark.rules("riding.roll.stay_mounted", "riding.maneuver.failure_serious")
def test_who_stays_in_the_saddle_of_a_rolling_horse_is_not_hurt():
    done = ride(ridden(), [3, 3, 4], maneuver="2_pace_high_leap")
    assert done.outcome.stayed
    assert done.outcome.suffered == ()
    off = ride(ridden(), [3, 3, 3], maneuver="2_pace_high_leap")
    assert not off.outcome.stayed
    assert off.table.scene.riders == ()


@pytest.mark.rules("riding.roll.damage", "riding.roll.ground_strength")
@pytest.mark.parametrize(
    ("ground", "missing", "number"),
    [
        ("hard-packed dirt road", 1, 3),  # Power 6, Strength 0: B3/B6/B9
        ("hard-packed dirt road", 4, 6),
        ("rock or pavement", 1, 5),  # 10: B5/B10/B15
        ("soft earth or mud", 1, 2),  # 3: B2/B3/B4
        ("thick grass", 1, 3),  # 5: B3/B5/B7
    ],
)
def test_a_roll_throws_the_rider_with_the_power_of_the_horse(
    ground: str, missing: int, number: int
):
    done = ride(ridden(), [3, 4 - missing, 3], {"ground": ground}, maneuver="2_pace_high_leap")
    damage = done.outcome.suffered[0].damage
    assert (damage.number, damage.va) == (number, 1)


@pytest.mark.rules("riding.roll.damage")
def test_a_very_strong_horse_throws_harder():
    strong = {**HORSE, "stats": {**HORSE["stats"], "Power": "B7"}}
    done = ride(ridden(horse=strong), [3, 3, 3], maneuver="2_pace_high_leap")
    assert done.outcome.suffered[0].damage.va == 2


@pytest.mark.rules("riding.collision.level", "riding.collision.animals", "riding.collision.power")
@pytest.mark.parametrize(
    ("missing", "stage", "number"), [(1, "incidental", 3), (3, "mark", 5), (4, "mark", 5)]
)
def test_a_collision_has_the_speed_of_the_horse(missing: int, stage: str, number: int):
    """Speed 5 against an animal, Strength 0: B3/B5/B7, for mount and animal alike."""
    at = ridden(cow={**HORSE, "name": "Cow"})
    done = ride(at, [3, 4 - missing, 4], maneuver="2_pace_high_leap", around="cow")
    assert done.outcome.mishap == "collision"
    assert done.outcome.stayed
    hits = [(hit.damage.stage.value, hit.damage.number) for hit in done.outcome.suffered]
    assert hits == [(stage, number)] * 2


@pytest.mark.rules("riding.collision.power")
def test_a_wall_is_harder_than_an_animal_and_hurts_a_rider_who_falls():
    done = ride(ridden(), [3, 3, 3], maneuver="2_pace_high_leap", around="thin wall")
    strength = (
        catalogue().table("materials.table.statistics").number("strength", material="Thin Wall")
    )
    assert strength == 1  # Speed 5 and Strength 1: B3/B6/B9
    assert [hit.damage.number for hit in done.outcome.suffered] == [3, 3]
    assert not done.outcome.stayed
    with pytest.raises(BadInput, match="a material"):
        ride(ridden(), [], around="a feeling")


@pytest.mark.rules("riding.maneuver.failure_serious")
def test_the_gm_says_whether_it_rolls_or_collides():
    answers = {"roll_or_collide": "collision", "collides_with": "another_horse_or_animal"}
    done = ride(ridden(), [3, 3, 4], answers, maneuver="2_pace_high_leap")
    assert done.outcome.mishap == "collision"
    assert "collides_with" in done.asked
    known = ride(ridden(), [3, 3, 4], maneuver="2_pace_high_leap", around="thin wall")
    assert known.outcome.mishap == "collision"
    assert "collides_with" not in known.asked  # what it passed too closely has been said


def test_who_is_on_foot_cannot_ride():
    with pytest.raises(NotAllowed, match="Ann is not in the saddle"):
        ride(table(ann=RIDER, horse=HORSE), [])
