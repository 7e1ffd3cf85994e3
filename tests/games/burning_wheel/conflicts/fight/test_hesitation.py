"""Hesitation in Fight!: actions lost, and what a fighter does meanwhile."""

from __future__ import annotations

import pytest

from astragal.games.burning_wheel.armor.block_and_strike import Stance
from astragal.games.burning_wheel.conditions.hesitation import FALL, RUN, STAND, SWOON
from astragal.games.burning_wheel.conflicts.fight.hesitation import (
    PositioningLimit,
    after_steel,
    hesitate,
    may_position,
    pass_action,
)
from astragal.games.burning_wheel.conflicts.fight.state import Positioning, Posture, Preparation
from astragal.games.burning_wheel.injury.injury import Location, TakeWound, wounded
from astragal.games.burning_wheel.sheet.ratings import Coordinate
from astragal.play import call
from games.burning_wheel.fighting import fight as whole_fight
from games.burning_wheel.fighting import fighter, ring
from games.burning_wheel.hurting import STATS
from games.burning_wheel.in_a_fight import fight, run


def hurt(at, successes, answers=None, location=Location.ANYWHERE, step="B5"):
    """Ann takes a Light wound in the fight, and rolls so many successes of Steel."""

    def wound(fight):
        taken = TakeWound(
            "ann",
            Coordinate.parse(step),
            "a blow",
            location,
            "sword",
            opponent="bob",
            in_script=True,
        )
        outcome, table = yield from call(wounded, taken, fight.table)
        return (yield from after_steel(fight.at(table), "ann", outcome))

    return run(wound, at, answers=answers, rolls=[successes])


def waits(at, count, answers=None):
    for _ in range(count - 1):
        at = run(pass_action, at, "ann").fight
    return run(pass_action, at, "ann", answers=answers)


@pytest.mark.rules("fight.hesitation.to_actions", "fight.hesitation.starts_next")
@pytest.mark.parametrize(("successes", "actions"), [(0, 6), (1, 5), (4, 2)])
def test_each_heartbeat_is_an_action_from_the_next_one_on(successes, actions):
    after = hurt(fight(), successes)
    assert after.who().hesitates == actions
    still = waits(after.fight, actions - 1) if actions > 1 else after
    assert still.who().hesitates == 1
    recovered = waits(after.fight, actions)
    assert not recovered.who().is_hesitating
    assert "recovers" in recovered.told


def test_who_passes_the_steel_test_loses_nothing():
    steady = {"stats": {**STATS, "Will": "B7"}}  # hesitation 3
    begun = fight(ann=steady).change("ann", stance=Stance.AGGRESSIVE)
    after = hurt(begun, 3).who()
    assert (after.hesitates, after.stance) == (0, Stance.AGGRESSIVE)
    assert hurt(begun, 2).who().hesitates == 1


@pytest.mark.rules("fight.hesitation.reaction")
@pytest.mark.parametrize("reaction", [STAND, FALL, SWOON, RUN])
def test_the_player_picks_one_of_the_four_reactions(reaction):
    after = hurt(fight(), 2, {"reaction": reaction})
    assert after.who().reaction == reaction
    assert after.played.seats["reaction"] == "ann"


@pytest.mark.rules("fight.stance.lost")
def test_hesitating_ends_the_stance_and_whatever_was_being_prepared():
    begun = fight().change("ann", stance=Stance.DEFENSIVE, ready=Preparation(nocked=True, sets=1))
    after = hesitate(begun, "ann", 1).fighter("ann")
    assert (after.stance, after.ready) == (Stance.NEUTRAL, Preparation())
    other = hesitate(begun, "bob", 1).fighter("ann")
    assert other.stance is Stance.DEFENSIVE


@pytest.mark.rules("fight.hesitation.zero_dice_position", "fight.hesitation.run_withdraw")
def test_positioning_while_hesitating():
    begun = fight()
    assert may_position(begun, "ann") is PositioningLimit.NONE
    for reaction in (STAND, FALL, SWOON):
        held = hesitate(begun, "ann", 2, reaction)
        assert may_position(held, "ann") is PositioningLimit.NO_DICE
    assert may_position(hesitate(begun, "ann", 2, RUN), "ann") is PositioningLimit.MUST_WITHDRAW
    assert may_position(hesitate(begun, "ann", 2, RUN), "bob") is PositioningLimit.NONE


@pytest.mark.rules("fight.hesitation.run_delay")
def test_running_begins_with_the_next_positioning_test():
    at = fight().change("ann", moves=Positioning.CLOSE)  # this volley's test is over
    runs = hesitate(at, "ann", 3, RUN)
    assert runs.fighter("ann").moves is Positioning.CLOSE
    assert runs.gaps == at.gaps
    later = waits(runs, 2).fight
    assert may_position(later, "ann") is PositioningLimit.MUST_WITHDRAW


def test_falling_prone_lays_one_down_without_the_weapon_and_swooning_keeps_it():
    fallen = hesitate(fight(), "ann", 3, FALL)
    assert fallen.fighter("ann").posture is Posture.DOWN
    assert fallen.fighter("ann").weapon == ""
    assert [(each.owner, each.weapon.weapon) for each in fallen.fallen] == [("ann", "sword")]
    swoon = hesitate(fight(), "ann", 3, SWOON)
    assert (swoon.fighter("ann").posture, swoon.fighter("ann").weapon) == (Posture.DOWN, "sword")
    stands = hesitate(fight(), "ann", 3, STAND)
    assert stands.fighter("ann").posture is Posture.STANDING
    assert waits(fallen, 3).who().posture is Posture.DOWN


@pytest.mark.rules("steel.amb.tests_while_hesitating")
@pytest.mark.parametrize(
    ("reading", "left", "new", "after", "reaction"),
    [
        ("longer", 2, 3, 3, RUN),
        ("longer", 4, 3, 4, STAND),
        ("longer", 3, 3, 3, STAND),
        ("added", 2, 3, 5, RUN),
    ],
)
def test_hesitating_again_while_hesitating(reading, left, new, after, reaction):
    begun = hesitate(fight({"steel_overlapping_hesitation": reading}), "ann", left, STAND)
    now = hesitate(begun, "ann", new, RUN).fighter("ann")
    assert (now.hesitates, now.reaction) == (after, reaction)


@pytest.mark.rules("fight.hesitation.longer_than_exchange")
def test_actions_are_counted_on_through_later_exchanges():
    at = hesitate(fight(exchange=1), "ann", 5)
    at = waits(at, 4).fight
    assert may_position(at, "ann") is PositioningLimit.NO_DICE
    assert not waits(at, 1).who().is_hesitating


def test_a_swoon_ends_when_its_player_says_so():
    at = hesitate(fight(), "ann", 1, SWOON)
    still = run(pass_action, at, "ann", answers={"come_round": ""})
    assert still.who().is_hesitating
    assert (
        not run(pass_action, still.fight, "ann", answers={"come_round": "with a start"})
        .who()
        .is_hesitating
    )


@pytest.mark.parametrize(
    ("location", "successes", "posture", "weapon", "actions"),
    [
        (Location.LEG, 4, Posture.DOWN, "sword", 2),
        (Location.LEG, 5, Posture.KNEELING, "sword", 1),
        (Location.ARM, 4, Posture.STANDING, "", 2),
        (Location.HEAD, 4, Posture.STANDING, "sword", 3),
    ],
)
def test_hits_on_limbs_and_head_where_the_table_plays_with_them(
    location, successes, posture, weapon, actions
):
    ann = {"attributes": {"Health": "B5", "Reflexes": "B4", "Steel": "B6"}}
    begun = fight(scene={"argh_my_arm": True}, ann=ann)
    after = hurt(begun, successes, location=location).who()
    assert (after.posture, after.weapon, after.hesitates) == (posture, weapon, actions)


@pytest.mark.rules("injury.steel.option_leg_kneel")
@pytest.mark.parametrize("posture", [Posture.DOWN, Posture.KNEELING])
def test_a_hit_on_the_leg_raises_nobody_who_lies_on_the_ground(posture):
    ann = {"attributes": {"Health": "B5", "Reflexes": "B4", "Steel": "B6"}}
    begun = fight(scene={"argh_my_arm": True}, ann=ann).change("ann", posture=posture)
    assert hurt(begun, 5, location=Location.LEG).who().posture is posture


@pytest.mark.rules("fight.hesitation.starts_next", "steel.amb.tests_while_hesitating")
@pytest.mark.parametrize(
    ("reading", "left", "new", "further"),
    [
        ("longer", 1, 3, 3),  # the Red Widow: the last action of one, then three of the next
        ("longer", 3, 3, 3),
        ("longer", 4, 2, 3),
        ("added", 2, 3, 4),
    ],
)
def test_the_action_that_is_being_lost_is_none_of_a_new_hesitation(reading, left, new, further):
    begun = hesitate(fight({"steel_overlapping_hesitation": reading}), "ann", left)
    now = hesitate(begun.change("ann", loses=True), "ann", new)
    assert waits(now, 1).who().hesitates == further


@pytest.mark.rules("fight.hesitation.starts_next", "fight.forfeit.voluntary_hesitate")
def test_hurt_while_standing_and_drooling_one_loses_all_actions_of_the_steel_test():
    """Hesitation 6 less four successes: both actions of the second volley, and none of the third.

    Bob gives up his only action of the first volley, in which he is hit.
    """
    tough = fighter(Reflexes="B4", Steel="B6")
    scripts = {
        "ann": [("stay", "strike", "stay", "block", "stay", "block")],
        "bob": [
            ("stay", "stand_and_drool", "stay", "strike", "strike:hilt_or_pommel", "stay", "push")
        ],
    }
    played = whole_fight(scripts, [2, 1, 3, 4, 0, 0], {}, ring(bob=tough))
    assert "Volley 2. Ann: Let them come; Block; Bob: hesitates." in played.told
    assert "Volley 3. Ann: Let them come; Block; Bob: Let them come; Push." in played.told


@pytest.mark.rules("fight.hesitation.starts_next", "fight.stance.lost")
def test_no_hesitation_changes_nothing_and_a_single_action_costs_the_stance():
    at = fight().change("ann", stance=Stance.AGGRESSIVE, ready=Preparation(sets=1))
    assert hesitate(at, "ann", 0) == at
    after = hesitate(at, "ann", 1).fighter("ann")
    assert (after.hesitates, after.stance, after.ready.sets) == (1, Stance.NEUTRAL, 0)
