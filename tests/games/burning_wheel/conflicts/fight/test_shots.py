"""Shots and throws in a fight: the obstacle, the dice, and what becomes of the weapon."""

from __future__ import annotations

import pytest

from astragal.games.burning_wheel.conflicts.fight.distance import INSIDE_GAP
from astragal.games.burning_wheel.conflicts.fight.hesitation import hesitate
from astragal.games.burning_wheel.conflicts.fight.state import (
    Hindrance,
    HindranceUntil,
    Positioning,
    Preparation,
)
from astragal.games.burning_wheel.conflicts.fight.surroundings import conditions
from astragal.games.burning_wheel.sheet.facts import DiceGathered
from astragal.play import Line, Tell
from games.burning_wheel.in_a_fight import do, fight

SKILLS = {"Bow": "B4", "Crossbow": "B4", "Throwing": "B4", "Firearms": "B4"}


AT_BOB = Preparation(target="bob")


def shooter(weapon="crossbow", ready=AT_BOB, bob=None, **more):
    begun = fight(ann={"weapons": [{"weapon": weapon}], "skills": SKILLS}, bob=bob, **more)
    return begun.change("ann", ready=ready)


def bowman(drawn=2, target="bob"):
    return shooter("hunting bow", Preparation(nocked=True, drawn=drawn, target=target))


def gathered(moment):
    facts = [e.fact for e in moment.played.events if isinstance(e, Tell)]
    return next(fact for fact in facts if isinstance(fact, DiceGathered))


def obstacle(at, card="release", **more):
    """The obstacle of a shot that misses."""
    return gathered(do(at, card, rolls=[0], **more)).obstacle.total


@pytest.mark.rules("fight.release.base_obstacle", "fight.release.one_action")
def test_a_shot_at_an_acquired_target_is_against_one():
    shot = do(shooter(), "release", rolls=[1, [3]])
    assert gathered(shot).obstacle.total == 1
    assert gathered(shot).dice.total == 4
    (harm,) = shot.given
    assert (harm.hit.character, harm.by) == ("bob", "ann")
    assert harm.hit.damage.location == "torso"
    assert do(shooter(), "release", rolls=[0]).given == ()


@pytest.mark.rules("weapons.head.modifiers", "weapons.head.arrows_for_bows")
@pytest.mark.parametrize(
    ("weapon", "ready", "head", "obstacle", "damage", "va"),
    [
        ("hunting bow", Preparation(nocked=True, drawn=2, target="bob"), "frog crotch", 2, "B8", 0),
        ("crossbow", AT_BOB, "spear tip", 1, "B7", 3),
        ("crossbow", AT_BOB, "bodkin head", 1, "B8", 2),  # arrows are no bolts
        ("crossbow", AT_BOB, "", 1, "B8", 2),
    ],
)
def test_the_head_of_an_arrow_counts_where_it_fits(weapon, ready, head, obstacle, damage, va):
    """A 3, or a 2 and one more for the frog crotch, is a Mark."""
    at = shooter(weapon, ready).change("ann", head=head)
    shot = do(at, "release", rolls=[obstacle, [2 if head == "frog crotch" else 3]])
    assert gathered(shot).obstacle.total == obstacle
    (harm,) = shot.given
    hit = harm.hit.damage
    assert (f"{hit.shade}{hit.number}", hit.va) == (damage, va)


@pytest.mark.rules("weapons.shoot.location_hidden", "fight.release.target_cover")
@pytest.mark.parametrize(
    ("key", "asked"),
    [
        ("target_behind_cover", True),
        ("known_target_fully_hidden_behind_cover", True),
        ("target_smaller_than_a_man", False),
    ],
)
def test_of_somebody_behind_cover_the_gm_says_what_is_hidden(key, asked):
    answers = {"hindrances": [key]} | ({"hidden_locations": ["torso", "legs"]} if asked else {})
    shot = do(shooter(), "release", rolls=[4, [3]], answers=answers)
    (harm,) = shot.given
    assert harm.hit.damage.location == ("arms" if asked else "torso")
    assert ("hidden_locations" in shot.played.asked) is asked
    if asked:
        assert shot.played.seats["hidden_locations"] == "gm"


@pytest.mark.rules("fight.acquire.snapshot")
def test_a_target_that_was_not_acquired_is_harder_by_two():
    assert obstacle(shooter(ready=Preparation())) == 3


@pytest.mark.rules("fight.draw_bow.snapshot", "fight.draw_bow.cost")
def test_a_bow_one_action_short_of_drawn_shoots_at_plus_two_and_shorter_not_at_all():
    assert obstacle(bowman(2)) == 1
    assert obstacle(bowman(1, target="")) == 3
    too_soon = do(bowman(0, target=""), "release")
    assert "the action is lost" in too_soon.told
    assert too_soon.who().ready.nocked


@pytest.mark.rules("fight.release.own_movement", "fight.position.move_and_shoot")
@pytest.mark.parametrize(
    ("moves", "penalty"),
    [
        (Positioning.STAY, 0),
        (Positioning.MAINTAIN, 1),
        (Positioning.CLOSE, 2),
        (Positioning.WITHDRAW, 2),
    ],
)
def test_the_shooters_own_movement(moves, penalty):
    assert obstacle(shooter().change("ann", moves=moves)) == 1 + penalty


@pytest.mark.rules("fight.release.target_movement")
@pytest.mark.parametrize(
    ("moves", "penalty"),
    [
        (Positioning.STAY, 0),
        (Positioning.MAINTAIN, 0),
        (Positioning.CLOSE, 1),
        (Positioning.WITHDRAW, 1),
    ],
)
def test_the_targets_movement(moves, penalty):
    assert obstacle(shooter().change("bob", moves=moves)) == 1 + penalty


@pytest.mark.rules("fight.release.target_avoiding", "fight.avoid.not_vs_missiles")
def test_a_target_with_an_avoid_in_the_volley_is_harder_by_one():
    assert obstacle(shooter().change("bob", avoids=True)) == 2


@pytest.mark.rules("fight.release.target_cover", "fight.disadvantage.missile")
def test_the_gm_says_what_else_makes_it_harder_once_for_the_whole_fight():
    answers = {"hindrances": ["target_behind_cover", "smoke_or_haze"]}
    shot = do(shooter(), "release", rolls=[0], answers=answers)
    assert gathered(shot).obstacle.total == 5
    asked = shot.played.asks["hindrances"]
    assert (asked.seat, asked.kind, asked.standing) == ("gm", "aside", True)
    offered = {option.key for option in asked.question.options}
    known = {"shooting_while_maintaining", "target_closing_or_withdrawing", "snapshot"}
    assert not {key for key in offered if any(key.startswith(each) for each in known)}


@pytest.mark.rules("fight.release.base_obstacle", "fight.disadvantage.missile")
@pytest.mark.parametrize(
    ("key", "harder"),
    [
        ("driving_rain_or_snow", 1),
        ("dim_light_lantern_or_bad_visibility", 1),
        ("poor_visibility_candlelight_heavy_rain", 2),
        ("near_darkness", 3),
        ("mud_ice_unstable_rocks_or_water_underfoot", 0),
        ("narrow_or_restricted_quarters", 0),
    ],
)
def test_weather_and_light_of_the_place_are_in_the_way_of_a_shot_and_mud_is_not(key, harder):
    words, penalty = conditions()[key]
    at = shooter(ground=(Line(penalty, words, "fight.disadvantage.melee"),))
    assert obstacle(at) == 1 + harder


@pytest.mark.rules("fight.amb.lunging_for_missiles")
@pytest.mark.parametrize("gap", [0, 2, 3, 6])
def test_the_distance_does_not_matter(gap):
    assert obstacle(shooter(gap=gap)) == 1


@pytest.mark.rules("fight.missile.not_inside")
def test_only_a_pistol_can_be_used_on_the_inside():
    for at, card in (
        (shooter(gap=INSIDE_GAP), "release"),
        (shooter("throwing knife", gap=INSIDE_GAP), "throw_object"),
    ):
        after = do(at, card)
        assert "too close" in after.told
        assert after.given == ()
    pistol = do(shooter("pistol", gap=INSIDE_GAP), "release", rolls=[[6], 1, [3]])
    assert len(pistol.given) == 1


@pytest.mark.rules("fight.aim.bonus")
def test_aiming_adds_its_dice_to_the_shot():
    at = shooter(ready=Preparation(target="bob", aimed=2))
    assert gathered(do(at, "release", rolls=[0])).dice.total == 6
    other = shooter(ready=Preparation(target="", aimed=2))
    assert gathered(do(other, "release", rolls=[0])).dice.total == 4


def test_a_crossbow_is_unloaded_by_the_shot_and_cannot_shoot_again():
    shot = do(shooter(), "release", rolls=[0])
    assert not shot.fight.sheet("ann").weapons[0].loaded
    assert "not loaded" in do(shot.fight, "release").told


def test_after_a_shot_the_next_arrow_has_to_be_nocked():
    assert do(bowman(), "release", rolls=[0]).who().ready == Preparation()


@pytest.mark.rules("fight.throw_object.thrown_weapon_rules")
def test_what_is_thrown_leaves_the_hand_and_a_stone_does_not_come_from_it():
    thrown = do(fight(ann={"skills": SKILLS}), "throw_object", rolls=[3, [2]])
    assert thrown.who().weapon == ""
    assert [(each.owner, each.weapon.weapon) for each in thrown.fight.fallen] == [("ann", "sword")]
    assert gathered(thrown).obstacle.total == 3  # not acquired
    stone = do(fight(ann={"skills": SKILLS}), "throw_object:palm-sized rock", rolls=[3, [2]])
    assert stone.who().weapon == "sword"
    assert gathered(stone).dice.lines[0].label == "Throwing"
    none = do(fight(), "throw_object:chair", answers={"lies_about": False})
    assert "the action is lost" in none.told


def test_bare_hands_throw_nothing():
    after = do(fight().change("ann", weapon=""), "throw_object")
    assert "nothing to throw" in after.told


def test_a_gun_may_jam_or_hurt_its_shooter():
    jam = do(shooter("pistol"), "release", rolls=[[1], [5]])
    assert (jam.given, jam.fight.sheet("ann").weapons[0].loaded) == ((), False)
    (harm,) = do(shooter("pistol"), "release", rolls=[[1], [2], [4]]).given
    assert harm.hit.character == "ann"


@pytest.mark.rules("armor.shield_missile.fight_roll")
def test_a_shield_in_the_way_makes_a_shot_harder_once_rolled_for_each_shooter():
    bob = {"shield": {"kind": "target"}}  # 3D
    at = shooter("hunting bow", Preparation(nocked=True, drawn=2, target="bob"), bob=bob)
    shot = do(at, "release", rolls=[2, 0])  # the shield's dice first
    assert gathered_all(shot)[-1].obstacle.total == 2
    again = shot.fight.change("ann", ready=Preparation(nocked=True, drawn=2, target="bob"))
    assert gathered_all(do(again, "release", rolls=[0]))[-1].obstacle.total == 2
    lowered = do(at, "release", rolls=[0], answers={"raise_shield": False})
    assert gathered_all(lowered)[-1].obstacle.total == 1
    hesitating = hesitate(at, "bob", 1)
    assert gathered_all(do(hesitating, "release", rolls=[0]))[-1].obstacle.total == 1


@pytest.mark.rules("armor.shield.damage_ones", "armor.shield_missile.fight_roll")
def test_a_die_lost_in_the_roll_of_the_shield_does_not_help_the_shooter():
    bob = {"shield": {"kind": "target"}}
    at = shooter("hunting bow", Preparation(nocked=True, drawn=2, target="bob"), bob=bob)
    shot = do(at, "release", rolls=[[1, 5, 5], 0])
    assert gathered_all(shot)[-1].obstacle.total == 2
    assert shot.fight.table.scene.covers == shot.fight.table.scene.shot_covers == ()
    again = shot.fight.change("ann", ready=Preparation(nocked=True, drawn=2, target="bob"))
    second = do(again, "release", rolls=[0, 0])  # with the two dice that are left
    assert gathered_all(second)[0].dice.total == 2


@pytest.mark.rules("armor.shield_missile.great_shield_hide", "armor.shield_missile.hide_limits")
@pytest.mark.parametrize(
    ("kind", "announced", "hides"),
    [
        ("great_shield", (), True),
        ("great_shield", ("stand_and_drool",), True),
        ("great_shield", ("strike",), False),
        ("great_shield", ("stand_and_drool", "assess:longer"), False),
        ("heater", (), False),
    ],
)
def test_who_only_positions_may_hide_behind_a_great_shield(kind, announced, hides):
    ready = Preparation(nocked=True, drawn=2, target="bob")
    at = shooter("hunting bow", ready, bob={"shield": {"kind": kind}})
    at = at.change("bob", announced=announced)
    if not hides:
        assert "hide_behind_shield" not in do(at, "release", rolls=[0, 0]).played.asked
        return
    shot = do(at, "release", rolls=[0], answers={"hide_behind_shield": True})
    assert gathered_all(shot)[-1].obstacle.total == 1 + 3
    # For this shot alone: in the next volley he may act.
    assert shot.fight.table.scene.covers == shot.fight.table.scene.shot_covers == ()
    rolled = do(at, "release", rolls=[3, 0])
    assert gathered_all(rolled)[-1].obstacle.total == 1 + 2


def gathered_all(moment):
    facts = [e.fact for e in moment.played.events if isinstance(e, Tell)]
    return [fact for fact in facts if isinstance(fact, DiceGathered)]


def test_being_off_balance_is_used_up_by_a_shot():
    line = Line(1, "off balance", "fight.push.win_by_one")
    at = shooter().change("ann", hindrances=(Hindrance(HindranceUntil.ACTION, line),))
    shot = do(at, "release", rolls=[0])
    assert gathered(shot).obstacle.total == 2
    assert shot.who().hindrances == ()


def test_a_rehearsal_logs_no_test():
    logged = do(shooter(), "release", rolls=[0]).played.changed
    assert "ann.skills.Crossbow.log.routine" in logged
    rehearsed = do(shooter(series=""), "release", rolls=[0]).played.changed
    assert list(rehearsed) == ["ann.weapons.0.loaded"]
