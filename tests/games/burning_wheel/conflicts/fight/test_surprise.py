"""Lying in wait for somebody."""

from __future__ import annotations

import pytest

from astragal.games.burning_wheel.conflicts.fight.surprise import ambush
from games.burning_wheel import in_a_fight
from games.burning_wheel.fighting import fight, fighter, ring, sides
from games.burning_wheel.in_a_fight import FIGHTER, run

SNEAK = {**FIGHTER, "skills": {**FIGHTER["skills"], "Stealthy": "B3"}}
WATCH = {**FIGHTER, "skills": {**FIGHTER["skills"], "Observation": "B4"}}


@pytest.mark.rules("fight.surprise.test", "fight.surprise.steel")
def test_whoever_is_surprised_tests_steel_and_loses_the_first_actions():
    at = in_a_fight.fight(ann=SNEAK, bob=WATCH)
    caught = run(ambush, at, ("ann",), rolls=[2, 1, 4])
    assert [roll.label for roll in caught.played.rolls][:2] == [
        "Ann, ambush, Stealthy",
        "Bob, notices, Observation",
    ]
    assert caught.who("bob").hesitates == 2, "hesitation 6, 4 successes"
    assert not caught.fight.table.scene.hesitating  # the fight counts it, in actions
    steady = run(ambush, at, ("ann",), rolls=[2, 1, 6])
    assert not steady.who("bob").hesitates


@pytest.mark.rules("fight.surprise.test")
@pytest.mark.parametrize(("hidden", "seen", "surprised"), [(2, 2, False), (1, 2, False)])
def test_a_tie_goes_to_the_target(hidden, seen, surprised):
    at = in_a_fight.fight(ann=SNEAK, bob=WATCH)
    after = run(ambush, at, ("ann",), rolls=[hidden, seen])
    assert ("surprises" in after.told) is surprised


@pytest.mark.rules("fight.surprise.test")
@pytest.mark.parametrize(("seen", "surprised"), [(4, False), (3, True)])
def test_against_perception_the_successes_count_double(seen, surprised):
    at = in_a_fight.fight(ann=SNEAK)
    rolls = [2, seen, 6] if surprised else [2, seen]
    after = run(ambush, at, ("ann",), rolls=rolls)
    assert "Bob, notices, Perception" in [roll.label for roll in after.played.rolls]
    assert ("surprises" in after.told) is surprised


@pytest.mark.rules("fight.surprise.test")
def test_the_better_of_two_skills_hides_unless_the_other_is_wanted():
    both = {**SNEAK, "skills": {**SNEAK["skills"], "Inconspicuous": "B5"}}
    at = in_a_fight.fight(ann=both, bob=WATCH)
    better = run(ambush, at, ("ann",), rolls=[1, 1])
    assert better.played.rolls[0].label == "Ann, ambush, Inconspicuous"
    other = run(ambush, at, ("ann",), rolls=[1, 1], answers={"hides_by": "Stealthy"})
    assert other.played.rolls[0].label == "Ann, ambush, Stealthy"


@pytest.mark.rules("fight.surprise.test")
def test_nobody_is_surprised_who_hesitates_already():
    at = in_a_fight.fight(ann=SNEAK, bob=WATCH)
    after = run(ambush, at.change("bob", hesitates=2), ("ann",))
    assert (after.who("bob").hesitates, after.played.rolls) == (2, [])


@pytest.mark.rules("fight.surprise.steel")
def test_an_ambush_opens_the_fight():
    script = ("stay", "block", "stay", "block", "stay", "block")
    skilled = {**FIGHTER, "skills": {**FIGHTER["skills"], "Stealthy": "B5"}}
    at = ring(ann=fighter(skills=skilled["skills"]))
    rolls = [5, 0, 4, 1]
    played = fight({"ann": [script]}, rolls, {}, at, ambushers=["ann"])
    assert "Ann surprises Bob" in played.told
    assert "Volley 1. Ann: Let them come; Block; Bob: hesitates" in played.told


@pytest.mark.rules("extended_example.surprise.announced")
def test_whoever_makes_himself_known_first_surprises_nobody():
    at = in_a_fight.fight(ann=SNEAK, bob=WATCH)
    after = run(ambush, at, ("ann",), answers={"announced": True})
    assert not after.played.rolls
    assert not after.who("bob").hesitates
    assert after.told == "Ann is heard before the attack: nobody is surprised."
    assert after.played.seats["announced"] == "gm"


@pytest.mark.rules("extended_example.stealth.double_perception")
def test_whoever_lacks_observation_needs_twice_the_successes_in_an_ambush_too():
    at = in_a_fight.fight(ann=SNEAK)
    assert "surprises" in run(ambush, at, ("ann",), rolls=[2, 3, 6]).told
    assert "notices Ann: 4 against 4" in run(ambush, at, ("ann",), rolls=[2, 4]).told


@pytest.mark.rules("extended_example.stealth.double_perception", "advancement.amb.versus_penalties")
@pytest.mark.parametrize(
    ("hidden", "seen", "learned", "difficult"),
    [(2, 3, 1, 0), (2, 4, 1, 0), (3, 5, 0, 0), (3, 6, 0, 1)],
)
def test_without_observation_an_ambush_is_logged_as_beginners_luck(
    hidden, seen, learned, difficult
):
    at = in_a_fight.fight(ann=SNEAK)
    rolls = [hidden, seen, 6] if seen < 2 * hidden else [hidden, seen]
    bob = run(ambush, at, ("ann",), rolls=rolls).fight.table.character("bob")
    # Against 4D the 2 successes are routine: toward Observation, pass or fail. 3 are difficult for
    # Perception, which only success earns. Doubled they would be 4 and 6.
    tests = bob.learning["Observation"].tests if bob.learning else 0
    log = bob.ability("Perception").ability.log
    assert (tests, log.difficult) == (learned, difficult)
    assert log.routine == log.challenging == 0


@pytest.mark.rules(
    "fight.surprise.test", "tests.let_it_ride.one_roll", "tests.let_it_ride.successes_carry"
)
def test_one_roll_of_an_ambusher_counts_against_everybody():
    """Three successes: Observation stops them with three, Perception needs six."""
    skills = {**FIGHTER["skills"], "Stealthy": "B3"}
    watch = {**FIGHTER["skills"], "Observation": "B4"}
    at = ring(ann=fighter(skills=skills), bob=fighter(skills=watch), cid=fighter(Perception="B6"))
    script = ("stay", "block", "stay", "block", "stay", "block")
    # Ann, Bob and Cid, and Cid's Steel; then the first positioning of all three.
    rolls = [3, 3, 5, 6, 1, 0, 0]
    scripts = {"ann": [script], "bob": [script], "cid": [script]}
    played = fight(scripts, rolls, {}, at, sides=sides("ann", "bob cid"), ambushers=["ann"])
    assert [roll.label for roll in played.rolls][:4] == [
        "Ann, ambush, Stealthy",
        "Bob, notices, Observation",
        "Cid, notices, Perception",
        "Cid, Steel",
    ]
    assert "Bob notices Ann: 3 against 3." in played.told
    assert "Ann surprises Cid: 6 against 5." in played.told
    # Five of Cid's stood against her 3D, which is challenging; three against Bob's 4D difficult.
    assert played.changed["ann.skills.Stealthy.log.challenging"] == 1
    assert played.changed["bob.skills.Observation.log.difficult"] == 1


@pytest.mark.rules("fight.surprise.test", "fight.surprise.steel")
@pytest.mark.parametrize(("both", "noticed"), [([2, 3], False), ([1, 3], True)])
def test_who_is_surprised_by_two_at_once_tests_steel_once(both, noticed):
    skills = {**FIGHTER["skills"], "Stealthy": "B3"}
    watch = {**FIGHTER["skills"], "Observation": "B4"}
    at = ring(ann=fighter(skills=skills), cid=fighter(skills=skills), bob=fighter(skills=watch))
    script = ("stay", "block", "stay", "block", "stay", "block")
    rolls = [*both, 1, 6, 0, 0, 1]
    scripts = {"ann": [script], "bob": [script], "cid": [script]}
    those = {"sides": sides("ann cid", "bob"), "ambushers": ["ann", "cid"]}
    played = fight(scripts, rolls, {}, at, **those)
    assert [roll.label for roll in played.rolls].count("Bob, Steel") == 1
    assert ("Bob notices Ann" in played.told) is noticed
