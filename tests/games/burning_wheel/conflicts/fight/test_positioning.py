"""Positioning: who wins, and what that does to the distances."""

from __future__ import annotations

import msgspec
import pytest

from astragal.games.burning_wheel.armor.block_and_strike import Stance
from astragal.games.burning_wheel.conditions.hesitation import RUN, STAND
from astragal.games.burning_wheel.conflicts.fight.footing import distance_from
from astragal.games.burning_wheel.conflicts.fight.hesitation import drop_weapon
from astragal.games.burning_wheel.conflicts.fight.positioning import engage, in_reach, position
from astragal.games.burning_wheel.conflicts.fight.state import (
    FallenWeapon,
    Gap,
    Hindrance,
    HindranceUntil,
    Lock,
    Positioning,
    Posture,
    in_hand,
)
from astragal.play import Line
from astragal.rules import catalogue
from games.burning_wheel.in_a_fight import FIGHTER, fight, run

CLOSE, MAINTAIN, WITHDRAW, STAY = Positioning
RANK = {"longest": 4, "longer": 3, "long": 2, "short": 1, "shortest": 0}


def armed(weapon: str, **more):
    return {**FIGHTER, "weapons": [{"weapon": weapon}] if weapon else [], **more}


def moving(at, ann=MAINTAIN, bob=MAINTAIN):
    return at.change("ann", moves=ann).change("bob", moves=bob)


def at_distances(at) -> tuple[str, str]:
    return distance_from(at, "ann", "bob").value, distance_from(at, "bob", "ann").value


# --- The first test ------------------------------------------------------------------------


@pytest.mark.rules(
    "fight.position.start.test", "fight.position.start.not_inside", "fight.sequence.1_engage"
)
def test_the_winner_of_the_first_test_names_the_distance_for_his_own_weapon():
    at = fight(gaps=(), ann=armed("sword"), bob=armed("knife or shiv"))
    began = run(engage, at, rolls=[3, 1])
    assert at_distances(began.fight) == ("optimal", "outside")
    asked = began.played.asks["starting_distance"]
    assert asked.seat == began.fight.seat("ann")
    assert [option.key for option in asked.question.options] == ["optimal", "lunging", "outside"]
    far = run(engage, at, rolls=[1, 3], answers={"starting_distance": "lunging"})
    assert at_distances(far.fight) == ("optimal", "lunging")


@pytest.mark.rules("fight.amb.start_tie")
@pytest.mark.parametrize(("played", "at"), [("outside", "outside"), ("lunging", "lunging")])
def test_after_a_tie_nobody_sets_the_distance(played, at):
    begun = fight({"fight_start_tie": played}, gaps=(), ann=armed("sword"), bob=armed("sword"))
    tied = run(engage, begun, rolls=[2, 2])
    assert at_distances(tied.fight) == (at, at)
    assert "starting_distance" not in tied.played.asked


@pytest.mark.rules("fight.position.start.test")
def test_who_still_hesitates_has_no_say_in_the_first_test():
    at = fight(gaps=()).change("bob", hesitates=2, reaction=STAND)
    assert at_distances(run(engage, at, rolls=[1]).fight) == ("optimal", "optimal")


# --- Winning, losing, tying ----------------------------------------------------------------


@pytest.mark.rules(
    "fight.position.win.close",
    "fight.position.win.withdraw",
    "fight.position.win.maintain",
    "fight.position.win.own_weapon",
    "fight.amb.one_step_or_optimal",
    "fight.amb.relative_distance_unstated",
    "fight.table.relative_distance",
    "fight.relative.same_length",
    "fight.relative.longer_optimal_next_shorter",
    "fight.relative.longer_optimal_two_shorter",
    "fight.relative.shorter_optimal",
    "fight.relative.inside",
    "fight.distance.inside.shared",
    "fight.distance.four",
)
@pytest.mark.parametrize("other", ["spear", "polearm", "sword", "hatchet", "knife or shiv"])
@pytest.mark.parametrize("own", ["spear", "sword", "knife or shiv"])
@pytest.mark.parametrize("now", ["outside", "lunging", "optimal", "inside"])
@pytest.mark.parametrize("moves", [CLOSE, MAINTAIN, WITHDRAW])
def test_the_winner_moves_one_step_in_his_own_distances(own, other, now, moves):
    lengths = {"spear": "longest", "polearm": "longer", "sword": "long", "hatchet": "short"}
    mine, theirs = lengths.get(own, "shortest"), lengths.get(other, "shortest")
    gap = -1 if now == "inside" else RANK[mine] + {"outside": 2, "lunging": 1, "optimal": 0}[now]
    at = moving(fight(gap=gap, ann=armed(own), bob=armed(other)), moves)
    after = run(position, at, rolls=[2, 1]).fight
    order = ["outside", "lunging", "optimal", "inside"]
    step = {CLOSE: 1, MAINTAIN: 0, WITHDRAW: -1}[moves]
    expected = order[max(0, min(3, order.index(now) + step))]
    relative = catalogue().table("fight.table.relative_distance")
    if expected != now or step:
        other_at = relative.value(
            "other_distance", setter_length=mine, setter_distance=expected, other_length=theirs
        )
        assert at_distances(after) == (expected, other_at)
    else:
        assert after.gap("ann", "bob") == gap


@pytest.mark.rules("fight.position.lose", "fight.position.versus_all")
def test_the_loser_has_no_say():
    at = moving(fight(gap=3), WITHDRAW, CLOSE)
    assert at_distances(run(position, at, rolls=[1, 2]).fight) == ("optimal", "optimal")


@pytest.mark.rules("fight.position.tie")
def test_a_tie_leaves_the_distance_as_it_was():
    at = moving(fight(gap=3), CLOSE, WITHDRAW)
    assert run(position, at, rolls=[2, 2]).fight.gap("ann", "bob") == 3


@pytest.mark.rules("fight.position.win_by_two")
@pytest.mark.parametrize(("steps", "gap"), [("1", 2), ("2", -1)])
def test_winning_by_two_lets_one_move_two_steps(steps, gap):
    at = moving(fight(gap=3), CLOSE)
    moved = run(position, at, rolls=[3, 1], answers={"steps": steps})
    assert moved.fight.gap("ann", "bob") == gap
    by_one = run(position, at, rolls=[2, 1])
    assert "steps" not in by_one.played.asked


@pytest.mark.rules("fight.position.let_them_come", "fight.amb.let_come_charge")
def test_who_declines_lets_the_other_come():
    at = moving(fight(gap=3), STAY, CLOSE)
    come = run(position, at)
    assert come.fight.gap("ann", "bob") == 2
    assert not come.played.rolls, "nothing is rolled for it"
    both = run(position, moving(fight(gap=3), STAY, STAY))
    assert both.fight.gap("ann", "bob") == 3


@pytest.mark.rules("fight.roll.obstacle_penalty_on_versus", "fight.get_up.prone_defense")
def test_penalties_take_successes_off_a_positioning_test():
    at = moving(fight(gap=3), CLOSE, WITHDRAW).change("ann", posture=Posture.DOWN)
    tied = run(position, at, rolls=[3, 1])
    assert tied.fight.gap("ann", "bob") == 3, "3 - 2 against 1: tied"
    assert "Position: Ann ties with Bob, 1 to 1." in tied.played.told
    # On 4D 3 would be difficult; with the 2 of lying down it is challenging.
    assert "ann.stats.Speed.log.challenging" in run(position, at, rolls=[3, 3]).played.changed
    standing = moving(fight(gap=3), CLOSE, WITHDRAW)
    assert "ann.stats.Speed.log.difficult" in run(position, standing, rolls=[3, 3]).played.changed


@pytest.mark.rules("fight.position.ability", "fight.position.tandem", "fight.position.when")
def test_it_is_a_test_of_speed_with_forks_that_fit():
    nimble = {**FIGHTER, "skills": {**FIGHTER["skills"], "Acrobatics": "B4"}}
    at = moving(fight(gap=3, ann=nimble), CLOSE)
    answers = {"forks#1": ["Acrobatics"]}
    moved = run(position, at, rolls=[3, 1], answers=answers)
    assert [roll.label for roll in moved.played.rolls] == [
        "Ann, positioning, Speed",
        "Bob, positioning, Speed",
    ]
    assert "rolls 5D = 4 Speed + 1 FoRK: Acrobatics" in moved.told
    assert moved.played.asks["forks"].kind == "aside"
    assert moved.played.asks["forks"].standing


@pytest.mark.rules("fight.stance.to_position", "fight.table.positioning_dice")
def test_the_dice_of_a_stance_may_go_into_positioning():
    at = moving(fight(gap=3), CLOSE).change("ann", stance=Stance.AGGRESSIVE, steps=True)
    assert "rolls 6D" in run(position, at, rolls=[3, 1]).told


# --- Hesitation and Locks ------------------------------------------------------------------


@pytest.mark.rules(
    "fight.hesitation.zero_dice_position",
    "fight.amb.no_position_or_zero",
    "fight.table.hesitation_reactions",
)
@pytest.mark.parametrize(
    ("rolled", "gap", "said"),
    [
        (0, 3, "falls short of the penalties against Bob, who has no dice"),
        (1, 3, "falls short of the penalties against Bob, who has no dice"),
        (2, 2, "wins against Bob, who has no dice"),
        (3, 2, "wins against Bob, who has no dice"),
    ],
)
def test_against_somebody_who_drools_it_is_enough_to_cover_ones_penalties(rolled, gap, said):
    at = moving(fight(gap=3), CLOSE, CLOSE).change("bob", hesitates=2, reaction=STAND)
    down = at.change("ann", posture=Posture.DOWN)
    come = run(position, down, rolls=[rolled])
    assert come.fight.gap("ann", "bob") == gap
    assert f"Position: Ann {said}." in come.told


@pytest.mark.rules("fight.hesitation.zero_dice_position")
def test_without_penalties_nobody_can_stop_it():
    at = moving(fight(gap=3), CLOSE, CLOSE).change("bob", hesitates=2, reaction=STAND)
    moved = run(position, at, rolls=[0])
    assert moved.fight.gap("ann", "bob") == 2
    assert moved.who("bob").moves is MAINTAIN


@pytest.mark.rules("fight.hesitation.zero_dice_position")
@pytest.mark.parametrize("lies_there", [False, True])
def test_to_maintain_against_somebody_without_dice_nothing_is_rolled(lies_there):
    """Nobody changes the distance; only a weapon on the ground makes it worth to win."""
    at = moving(fight(gap=3), MAINTAIN, CLOSE).change("bob", hesitates=2, reaction=STAND)
    if lies_there:
        at = drop_weapon(at, "ann")
    kept = run(position, at, rolls=[0] if lies_there else [])
    assert kept.fight.gap("ann", "bob") == 3
    assert all(fallen.reached for fallen in kept.fight.fallen)


@pytest.mark.rules("fight.lock.immobilized")
def test_who_is_locked_and_helpless_has_no_positioning_dice():
    """Power B1 is gone in a Lock of one die; Speed B4 does not help any more."""
    weak = {**FIGHTER, "stats": {**FIGHTER["stats"], "Power": "B1"}}
    locked = msgspec.structs.replace(fight(gap=-1, bob=weak), locks=(Lock("ann", "bob", 1),))
    run(position, moving(locked, MAINTAIN, MAINTAIN), rolls=[])


@pytest.mark.rules("fight.hesitation.run_withdraw", "fight.amb.run_screaming_dice")
def test_who_runs_screaming_withdraws_without_dice_for_weapon_and_ground():
    fast = {**FIGHTER, "attributes": {**FIGHTER["attributes"], "Reflexes": "B5"}}
    long = {**fast, "weapons": [{"weapon": "spear"}]}
    at = moving(fight(gap=4, bob=long), CLOSE, CLOSE).change("bob", hesitates=2, reaction=RUN)
    ran = run(position, at, rolls=[1, 2], answers={"better_ground": ["bob"]})
    assert "Bob, positioning, rolls 5D = 4 Speed + 1 higher Reflexes" in ran.told
    assert ran.fight.gap("ann", "bob") == 5
    assert ran.who("bob").moves is WITHDRAW


@pytest.mark.rules("fight.lock.inside", "fight.amb.lock_holder_withdraws")
def test_a_lock_holds_its_victim_and_not_its_holder():
    locked = msgspec.structs.replace(fight(gap=-1), locks=(Lock("bob", "ann", 1),))
    held = run(position, moving(locked, WITHDRAW, MAINTAIN), rolls=[3, 1])
    assert held.fight.gap("ann", "bob") == -1
    assert held.fight.locks
    assert "is held and cannot withdraw" in held.told
    free = run(position, moving(locked, MAINTAIN, WITHDRAW), rolls=[1, 2])
    assert free.fight.gap("ann", "bob") == 2
    assert not free.fight.locks


@pytest.mark.rules("fight.push.win_by_one")
def test_a_hindrance_that_waits_for_positioning_is_used_up_by_it():
    line = Line(1, "off balance", "fight.push.win_by_one")
    waiting = (Hindrance(HindranceUntil.ANYTHING, line), Hindrance(HindranceUntil.ACTION, line))
    at = moving(fight(gap=3), CLOSE).change("ann", hindrances=waiting, beaten=True)
    after = run(position, at, rolls=[2, 1]).who()
    assert after.hindrances == (Hindrance(HindranceUntil.ACTION, line),)
    assert not after.beaten


@pytest.mark.rules("fight.disarm.farther", "fight.position.win_by_two")
@pytest.mark.parametrize(
    ("farther", "rolls", "left"),
    [(0, [2, 1], 0), (1, [2, 1], 1), (1, [3, 1], 0), (2, [3, 1], 1), (2, [4, 1], 1)],
)
def test_a_weapon_that_lies_farther_away_takes_more_steps(farther, rolls, left):
    """A step for each test won, two for one won by two; one more than the distances farther."""
    at = drop_weapon(moving(fight(gap=3), ann=MAINTAIN, bob=CLOSE), "ann", farther)
    played = run(position, at, rolls=rolls)
    (fallen,) = played.fight.fallen
    assert fallen.reached is not bool(left)
    assert (f"{left} distance to go" in played.told) is bool(left)
    again = run(position, moving(played.fight, ann=MAINTAIN, bob=CLOSE), rolls=[2, 1])
    (fallen,) = again.fight.fallen
    assert fallen.reached


@pytest.mark.rules("fight.disarm.retrieve_needs_position")
@pytest.mark.parametrize(("rolls", "reached"), [([2, 1], True), ([1, 2], False)])
def test_a_fallen_weapon_can_be_reached_after_winning(rolls, reached):
    at = moving(fight(gap=3), MAINTAIN)
    fallen = (FallenWeapon("ann", in_hand(at, "ann")),)
    at = msgspec.structs.replace(at.change("ann", weapon=""), fallen=fallen)
    after = run(position, at, rolls=rolls)
    assert after.fight.fallen[0].reached is reached
    assert ("Ann can pick up the sword." in after.told) is reached


# --- Several fighters ----------------------------------------------------------------------


def three(gap: int = 3):
    """Ann against Bob and Cat."""
    at = fight(gap=gap, cat={})
    at = at.put(msgspec.structs.replace(at.fighter("cat"), side=1))
    gaps = (Gap("ann", "bob", gap), Gap("ann", "cat", gap))
    return msgspec.structs.replace(at, gaps=gaps)


@pytest.mark.rules("fight.amb.many_fighters", "fight.position.versus_all")
def test_each_pair_of_opponents_compares_its_results():
    at = moving(three(), CLOSE, MAINTAIN).change("cat", moves=WITHDRAW)
    ran = run(position, at, rolls=[2, 1, 3])
    after = ran.fight
    assert (after.gap("ann", "bob"), after.gap("ann", "cat")) == (2, 4)
    told = "Position: Ann wins against Bob, 2 to 1; Cat wins against Ann, 3 to 2."
    assert told in ran.played.told


@pytest.mark.rules("fight.amb.many_fighters")
def test_who_wins_the_first_test_sets_the_distance_to_all_he_has_beaten():
    at = msgspec.structs.replace(three(), gaps=())
    after = run(engage, at, rolls=[3, 1, 3], answers={"starting_distance": "lunging"}).fight
    assert (after.gap("ann", "bob"), after.gap("ann", "cat")) == (3, 4), "Cat's is a tie: outside"


@pytest.mark.rules("fight.amb.fight_over_who")
def test_in_reach_is_by_anybodys_own_weapon():
    assert in_reach(fight(gap=3))
    assert not in_reach(fight(gap=4))
    assert in_reach(fight(gap=4, bob=armed("spear")))
    gone = fight(gap=2).change("bob", out="gave up")
    assert not in_reach(gone)


def test_positioning_is_logged_unless_it_is_a_rehearsal():
    at = moving(fight(gap=3), CLOSE)
    marks = [path for path in run(position, at, rolls=[2, 1]).played.changed if ".log." in path]
    assert marks == ["ann.stats.Speed.log.routine", "bob.stats.Speed.log.routine"]
    practice = msgspec.structs.replace(at, series="")
    assert not run(position, practice, rolls=[2, 1]).played.changed


def test_a_newcomer_without_a_gap_is_outside():
    at = three()
    began = run(engage, msgspec.structs.replace(at, gaps=(Gap("ann", "bob", 2),)), rolls=[1, 1, 1])
    assert began.fight.gap("ann", "cat") == 4


def test_nobody_waits_for_artha_before_a_positioning_test():
    """A Boon may go into it, but it is not asked for in each volley of a fight."""
    rich = {**FIGHTER, "artha": {"persona": 2, "deeds": 1}}
    at = moving(fight(gap=3, ann=rich), CLOSE)
    moved = run(position, at, rolls=[1, 3], answers={"ann/boon": 1})
    assert "Ann, positioning, rolls 5D = 4 Speed + 1 Boon" in moved.told
    kinds = {moved.played.asks[key].kind for key in ("boon", "divine_inspiration")}
    assert kinds == {"aside"}
    assert moved.fight.sheet("ann").artha.persona == 1


@pytest.mark.rules("extended_example.position.inside_is_limit")
@pytest.mark.parametrize("margin", [1, 2, 4])
def test_nobody_comes_nearer_than_inside(margin):
    at = moving(fight(ann=armed("sword"), bob=armed("sword")), ann=CLOSE)
    after = run(position, at, rolls=[margin, 0])
    assert at_distances(after.fight) == ("inside", "inside")
    assert "steps" not in after.played.asked, "there is only one step to take"


@pytest.mark.rules("extended_example.position.wound_penalty")
def test_a_wound_takes_a_success_off_each_positioning_test():
    hurt = armed("sword", wounds=[{"level": "Superficial"}])
    at = moving(fight(ann=hurt, bob=armed("sword")), ann=CLOSE)
    assert at_distances(run(position, at, rolls=[3, 2]).fight) == ("optimal", "optimal")
    assert at_distances(run(position, at, rolls=[4, 2]).fight) == ("inside", "inside")


@pytest.mark.rules("fight.position.let_them_come", "fight.disarm.farther")
@pytest.mark.parametrize(("bob", "reached"), [(STAY, False), (MAINTAIN, True)])
def test_who_lets_them_come_is_beaten_by_no_more_than_one(bob, reached):
    """Ann ties with Cat at 3. Against Bob, who rolls 1, she wins by two; if he declines, by one."""
    at = moving(three(), CLOSE, bob).change("cat", moves=WITHDRAW)
    away = FallenWeapon("ann", in_hand(at, "ann"), farther=1)
    at = msgspec.structs.replace(at, fallen=(away,))
    rolls = [3, 3] if bob is STAY else [3, 1, 3]
    (fallen,) = run(position, at, rolls=rolls).fight.fallen
    assert fallen.reached is reached
