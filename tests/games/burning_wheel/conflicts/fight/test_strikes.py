"""Blows, and what is done about them with weapon in hand."""

from __future__ import annotations

import msgspec
import pytest

from astragal.games.burning_wheel.armor.block_and_strike import Stance
from astragal.games.burning_wheel.conflicts.fight.distance import INSIDE_GAP
from astragal.games.burning_wheel.conflicts.fight.getting_ready import make_ready
from astragal.games.burning_wheel.conflicts.fight.lost_actions import why_lost
from astragal.games.burning_wheel.conflicts.fight.script import cards_of
from astragal.games.burning_wheel.conflicts.fight.state import (
    FightDeed,
    HindranceUntil,
    Positioning,
    Posture,
    Preparation,
)
from astragal.play import Line
from games.burning_wheel import in_a_fight
from games.burning_wheel.meeting import (
    BOTH,
    SHIELDED,
    came,
    dice,
    meet,
    moment,
    ring,
    sheet,
    with_state,
)

SHIELD = {"kind": "buckler"}
HIT = {0: [], 1: "incidental", 2: "incidental", 3: "mark", 4: "mark", 5: "superb"}


@pytest.mark.rules("fight.strike.ability", "fight.strike.obstacle", "fight.strike.miss")
@pytest.mark.rules("fight.strike.extra", "fight.ex.strike_basic")
@pytest.mark.parametrize("successes", range(6))
def test_a_strike_rolls_the_skill_against_one_and_the_rest_is_damage(successes):
    struck = meet("strike", "no_action", [successes], ann=sheet(skills={"Sword": "B5"}))
    assert dice(struck) == [5]
    assert came(struck) == ([("hit", HIT[successes])] if successes else [])


@pytest.mark.rules("fight.strike.ability", "fight.amb.unskilled")
def test_bare_hands_use_the_better_of_brawling_and_boxing_and_the_unskilled_agility():
    boxer = sheet(skills={"Boxing": "B6"})
    assert dice(meet("strike", "no_action", [1], ann=boxer, weapons=("", "sword"))) == [6]
    brawler = sheet(skills={"Boxing": "B3"})
    assert dice(meet("strike", "no_action", [1], ann=brawler, weapons=("", "sword"))) == [4]
    lubber = {**sheet(Agility="B3"), "skills": {}}
    # Agility, and the obstacle of 1 doubled.
    assert came(meet("strike", "no_action", [1], ann=lubber)) == []
    missed = meet("strike", "no_action", [2], ann=lubber)
    assert dice(missed) == [3]
    assert came(missed) == [("hit", "incidental")]


# --- Avoid -----------------------------------------------------------------------------------


@pytest.mark.rules("fight.avoid.ability", "fight.avoid.miss_if_below_ob", "fight.avoid.partial")
@pytest.mark.rules("fight.ex.avoid_vs_strike")
def test_an_avoid_takes_successes_off_and_what_is_left_decides():
    quick = sheet(Speed="B6")
    avoided = meet("strike", "avoid", [4, 3], bob=quick)
    assert dice(avoided) == [4, 6]
    assert came(avoided) == [("hit", "incidental")]  # one is left, at Ob 1
    assert came(meet("strike", "avoid", [4, 4], bob=quick)) == []
    # Five against three leaves two: a hit at Ob 2, a miss at Ob 3.
    strong = sheet(skills={"Sword": "B5"})
    at_two = meet("strike", "avoid", [5, 3], ann=strong, distance="lunging")
    assert came(at_two) == [("hit", "incidental")]
    at_three = meet("strike", "avoid", [5, 3], ann=strong, distance="lunging", ann_moves="close")
    assert came(at_three) == []


@pytest.mark.rules("fight.avoid.distance_unchanged")
def test_an_avoid_leaves_the_distance_as_it_is():
    for rolls in ([0, 4], [4, 0, 0]):  # the last is for Steel
        after = moment(ring(), "ann strike bob", "bob avoid", rolls=rolls)
        assert after.fight.gap("ann", "bob") == 2


@pytest.mark.rules("fight.avoid.penalty_other_actions", "fight.amb.avoid_penalty_when")
@pytest.mark.rules("fight.block.no_side_penalty", "fight.ex.block_compared")
def test_an_avoid_makes_the_other_actions_of_its_volley_harder_and_a_block_does_not():
    at = with_state(ring(), "ann", avoids=True)
    assert "Ob 2" in moment(at, "ann strike bob", rolls=[1]).told
    assert "Ob 1 " in moment(ring(), "ann strike bob", rolls=[0]).told
    # Nor is the Avoid itself harder.
    avoiding = moment(with_state(ring(), "bob", avoids=True), "ann strike bob", "bob avoid",
                      rolls=[1, 1])  # fmt: skip
    assert "Bob, Avoid, rolls 4D = 4 Speed\n" in f"{avoiding.told}\n"


@pytest.mark.rules("fight.avoid.moving_quickly_applies", "fight.position.moving_quickly")
@pytest.mark.rules("fight.roll.obstacle_penalty_on_versus", "fight.position.let_them_come")
@pytest.mark.parametrize(
    ("moves", "left"), [("close", 1), ("withdraw", 1), ("maintain", 0), ("stay", 0)]
)
def test_moving_quickly_takes_a_success_off_an_avoid(moves, left):
    avoided = meet("strike", "avoid", [3, 3], bob_moves=moves)
    assert came(avoided) == ([("hit", "incidental")] if left else [])


@pytest.mark.rules("fight.position.moving_quickly")
def test_moving_quickly_raises_the_obstacle_of_a_strike():
    assert came(meet("strike", "no_action", [1], ann_moves="close")) == []
    assert came(meet("strike", "no_action", [1], ann_moves="maintain")) == [("hit", "incidental")]


# --- Block -----------------------------------------------------------------------------------


@pytest.mark.rules("fight.block.ability", "fight.block.subtracts")
def test_a_block_rolls_the_skill_and_takes_successes_off():
    blocked = meet("strike", "block", [4, 1])
    assert dice(blocked) == [4, 4]
    assert came(blocked) == [("hit", "mark")]
    assert came(meet("strike", "block", [4, 4])) == []


@pytest.mark.rules("fight.block.unarmed_vs_armed")
@pytest.mark.parametrize(("weapons", "stopped"), [(("sword", ""), False), (("", ""), True)])
def test_bare_hands_block_a_blade_with_one_success_less(weapons, stopped):
    for defence in ("block", "counterstrike"):
        reaches = defence == "counterstrike" and stopped  # fists do not reach back at a sword
        rolls = [2, 2, 0] if reaches else [2, 2]
        blocked = meet("strike", defence, rolls, weapons=weapons)
        assert (came(blocked) == []) is stopped


@pytest.mark.rules("fight.block.unarmed_vs_armed")
@pytest.mark.parametrize(("lost", "harder"), [(1, False), (2, True)])
def test_a_shield_with_a_die_left_is_as_good_as_a_weapon(lost, harder):
    """A buckler of two dice, behind which there is nothing but a bare hand."""
    bob = {**BOTH, "shield": {"kind": "buckler", "lost": lost}, "training": ["Shield Training"]}
    blocked = meet("strike", "block", [2, 2], bob=bob, weapons=("sword", ""))
    assert ("bare hands" in blocked.told.casefold()) is harder


@pytest.mark.rules("fight.missile.unloaded_is_club", "fight.strike.ability")
@pytest.mark.parametrize(
    ("weapon", "rolls", "stage", "damage", "shield"),
    [
        # Power 4: a dirk has Power 1 and Add 1, a stone Power 1 and Add 2, a bow is a club of 2.
        ("throwing knife", "4D = 4 Knives", "mark", "B5", 2),
        ("palm-sized rock", "4D = 4 Brawling", "incidental", "B3", 2),
        ("javelin", "4D = 4 Spear", "incidental", "B3", 2),
        ("hunting bow", "4D = 4 Staff", "incidental", "B3", 0),
    ],
)
def test_what_is_for_throwing_strikes_as_what_is_most_like_it(weapon, rolls, stage, damage, shield):
    skills = {**BOTH["skills"], "Knives": "B4", "Spear": "B4", "Staff": "B4"}
    armed = {**SHIELDED, "skills": skills, "weapons": [{"weapon": weapon}]}
    struck = meet("strike", "no_action", [2], ann=armed, weapons=(weapon, "sword"))
    assert f"Ann, Strike, rolls {rolls}" in struck.told
    (hit,) = struck.outcome.effects
    assert (hit.stage, hit.damage) == (stage, damage)
    bob = {**BOTH, "skills": skills, "weapons": [{"weapon": "spear", "quality": "poor"}]}
    blocked = meet("block", "strike", [0, 0], ann=armed, bob=bob, weapons=(weapon, "poor spear"))
    assert dice(blocked) == [4, 4 + shield]


@pytest.mark.rules("fight.shield.defense_dice", "fight.shield.untrained", "fight.shield.inside")
def test_shield_dice_join_a_block_but_no_avoid_and_nothing_on_the_inside():
    blocked = meet("strike", "block", [4, 1], bob=SHIELDED)
    assert dice(blocked) == [4, 6]
    assert "Bob, Block, rolls 6D = 4 Sword + 2 buckler" in blocked.told
    assert dice(meet("strike", "avoid", [4, 1], bob=SHIELDED)) == [4, 4]
    inside = meet("strike", "block", [4, 1], bob=SHIELDED, distance="inside")
    assert dice(inside) == [4, 4]
    untrained = {**SHIELDED, "skills": {"Sword": "B4"}}
    assert dice(meet("strike", "block", [4, 1], bob=untrained)) == [4, 6]
    # Untrained, the shield does not help a Counterstrike: two dice defend, two strike back.
    assert dice(meet("strike", "counterstrike", [4, 1, 0], bob=untrained)) == [4, 2, 2]
    assert dice(meet("strike", "counterstrike", [4, 1, 0], bob=SHIELDED)) == [4, 4, 2]


@pytest.mark.rules("fight.great_strike.shield_exception", "fight.amb.great_strike_block")
@pytest.mark.rules("fight.block.not_great_strike")
@pytest.mark.parametrize(
    ("shield", "rolls"), [(None, [2]), ("parrying_blade", [2]), ("buckler", [2, 2])]
)
def test_only_a_true_shield_blocks_a_great_strike(shield, rolls):
    bob = BOTH if shield is None else {**BOTH, "shield": {"kind": shield}}
    struck = meet("great_strike", "block", rolls, bob=bob)
    assert bool(came(struck)) is (len(rolls) == 1)


def test_ones_on_the_shield_damage_it_in_the_fight_and_not_in_a_rehearsal():
    at = ring(bob=SHIELDED)
    after = moment(at, "ann strike bob", "bob block", rolls=[1, [1, 6], [6, 6, 1, 1]])
    assert after.fight.sheet("bob").shield.lost == 1
    assert after.fight.sheet("bob").wounds == ()


# --- Counterstrike ---------------------------------------------------------------------------


@pytest.mark.rules("fight.counterstrike.ability", "fight.counterstrike.split")
@pytest.mark.rules("fight.counterstrike.split_before_roll", "fight.counterstrike.defense_pool")
@pytest.mark.rules("fight.counterstrike.riposte_pool")
def test_a_counterstrike_is_divided_before_anybody_rolls():
    struck = meet("strike", "counterstrike", [2, 1, 3], {"split": (1, 3)})
    assert dice(struck) == [4, 1, 3]
    assert struck.before_the_dice("split")
    assert came(struck) == [("hit", "incidental")]  # 2 - 1, at Ob 1
    assert came(struck, "ann") == [("hit", "mark")]  # 3 - 1
    for split in ((0, 4), (4, 0)):
        with pytest.raises(Exception, match="numbers from 1"):
            meet("strike", "counterstrike", [2, 1, 3], {"split": split})


@pytest.mark.rules("fight.counterstrike.one_die")
@pytest.mark.parametrize("pool", ["defence", "riposte"])
def test_a_single_die_is_in_one_pool(pool):
    weak = sheet(skills={"Sword": "B1"})
    struck = meet("strike", "counterstrike", [1, 1], {"one_die": pool}, bob=weak)
    assert dice(struck) == [4, 1]
    assert bool(came(struck)) is (pool == "riposte")
    assert bool(came(struck, "ann")) is (pool == "riposte")


@pytest.mark.rules("fight.amb.riposte_if_felled", "fight.simultaneous.same_slot")
@pytest.mark.rules("fight.detailed.results_after_all_rolls", "fight.sequence.6_apply")
def test_a_riposte_is_made_even_by_one_whom_the_blow_fells():
    weak = sheet(tolerances=["B1", "B2", "B3", "B4", "B5", "B6"])
    after = moment(
        ring(bob=weak), "ann strike bob", "bob counterstrike", rolls=[4, 0, 1], answers={}
    )
    assert after.who("bob").out == "dying"
    assert len(after.fight.sheet("ann").wounds) == 1
    assert after.who("ann").out == ""


@pytest.mark.rules("fight.amb.counterstrike_unlisted")
@pytest.mark.parametrize(
    ("choice", "rolls", "hit"), [("no", [0, 1], []), ("yes", [0, 1, 2], [("hit", "incidental")])]
)
def test_a_group_may_let_a_counterstrike_answer_a_lock(choice, rolls, hit):
    options = {"fight_riposte_against_lock_and_throw": choice}
    locked = meet("lock", "counterstrike", rolls, options=options, distance="inside")
    if choice == "no":
        assert came(locked, "ann") == []
    else:  # on the inside a sword is at +3 Ob
        near = meet("throw_opponent", "counterstrike", [0, 1, 2], options=options)
        assert came(near, "ann") == hit


# --- Feint, Great Strike ---------------------------------------------------------------------


@pytest.mark.rules("fight.feint.success", "fight.feint.location", "fight.amb.feint_location")
@pytest.mark.rules("fight.block.beaten_by_feint", "fight.ex.feint_vs_counterstrike")
@pytest.mark.parametrize("defence", ["block", "counterstrike"])
def test_a_feint_strikes_freely_and_where_its_player_says(defence):
    axe = sheet(skills={"Sword": "B6"})
    struck = meet("feint", defence, [3], {"feint_location": "head"}, ann=axe)
    assert dice(struck) == [6]
    assert came(struck) == [("hesitates", 1), ("hit", "mark")]  # all of it is damage
    assert [each.location for each in struck.outcome.effects if each.stage] == ["head"]


@pytest.mark.rules("fight.feint.useless", "fight.amb.feint_hesitation_stance")
@pytest.mark.parametrize(("choice", "stance"), [("yes", Stance.NEUTRAL), ("no", Stance.AGGRESSIVE)])
def test_counting_as_hesitating_costs_the_stance_or_not(choice, stance):
    at = ring(options={"fight_feint_drops_stance": choice})
    for who in ("ann", "bob"):
        at = with_state(at, who, stance=Stance.AGGRESSIVE)
    useless = moment(at, "ann feint bob", "bob great_strike_set")
    assert useless.who("ann").stance is stance
    assert useless.who("bob").stance is Stance.AGGRESSIVE
    assert useless.played.behind("Ann's Feint is useless.") == ["fight.feint.useless"]
    taken_in = moment(at, "ann feint bob", "bob block", rolls=[0])
    assert taken_in.played.behind("Bob is drawn out by the Feint.") == ["fight.feint.success"]
    assert taken_in.who("bob").stance is stance
    assert not taken_in.who("bob").is_hesitating  # for that action only


@pytest.mark.rules("fight.amb.feint_vs_defensive_change", "fight.stance.defensive_change_blocks")
def test_changing_to_a_defensive_stance_blocks_without_its_dice_and_can_be_feinted():
    blocked = moment(ring(), "ann strike bob", "bob change_stance:defensive", rolls=[3, 3])
    assert "Bob, Block, rolls 4D" in blocked.told
    assert blocked.who("bob").stance is Stance.DEFENSIVE
    feinted = moment(ring(), "ann feint bob", "bob change_stance:defensive", rolls=[0])
    assert feinted.who("bob").stance is Stance.NEUTRAL


@pytest.mark.rules("fight.great_strike.bonus_choice", "fight.great_strike.ability")
def test_a_great_strike_does_one_more_power_or_one_more_va():
    stronger = meet("great_strike", "no_action", [3])
    assert [each.damage for each in stronger.outcome.effects] == ["B8"]  # Power 4 + 3 + 1
    assert stronger.before_the_dice("great_strike")
    sharper = meet("great_strike", "no_action", [3], {"great_strike": "va"})
    assert [each.damage for each in sharper.outcome.effects] == ["B7"]
    # One die of the shield less for the VA.
    shield = {"great_strike": "va"}
    assert dice(meet("great_strike", "block", [1, 1], shield, bob=SHIELDED)) == [4, 5]


@pytest.mark.rules("fight.great_strike.two_actions", "fight.amb.great_strike_set_gap")
@pytest.mark.rules("fight.great_strike.unwieldy")
@pytest.mark.parametrize(
    ("weapon", "sets", "works"),
    [("sword", 0, False), ("sword", 1, True), ("polearm", 1, False), ("polearm", 2, True)],
)
def test_a_great_strike_needs_its_sets_just_before(weapon, sets, works):
    fighter = sheet(weapons=[{"weapon": "polearm"}, {"weapon": "sword"}], skills={"Polearm": "B4"})
    at = with_state(ring(ann=fighter), "ann", weapon=weapon)
    for _ in range(sets):
        at = moment(at, "ann great_strike_set").fight
    assert at.fighter("ann").ready.sets == sets
    after = moment(at, "ann great_strike bob", rolls=[0] if works else [])
    assert ("lost" in after.told) is not works
    assert after.who("ann").ready.sets == (0 if works else sets)
    # Anything in between means to set again.
    between = moment(at, "ann block").fight
    assert between.fighter("ann").ready.sets == 0


@pytest.mark.rules("fight.amb.great_strike_unarmed", "fight.great_strike.weapon_allows")
@pytest.mark.parametrize("choice", ["allowed", "marked_weapons_only"])
def test_bare_hands_may_great_strike_where_the_group_allows_it(choice):
    options = {"fight_great_strike_unarmed": choice}
    allowed = choice == "allowed"
    struck = meet("great_strike", "no_action", [1] if allowed else [], options=options,
                  weapons=("", "sword"))  # fmt: skip
    assert bool(came(struck)) is allowed
    knife = sheet(weapons=[{"weapon": "dagger"}], skills={"Knives": "B4"})
    assert came(meet("great_strike", "no_action", ann=knife, weapons=("dagger", "sword"))) == []


# --- Disarm, Beat and Bind -------------------------------------------------------------------


@pytest.mark.rules("fight.disarm.ability", "fight.disarm.obstacle", "fight.ex.disarm_ob5")
@pytest.mark.rules("fight.disarm.farther", "fight.amb.disarm_one_distance")
@pytest.mark.parametrize(("successes", "farther"), [(4, None), (5, 0), (6, 0), (7, 1), (9, 2)])
def test_a_disarm_has_the_other_skill_as_its_obstacle(successes, farther):
    better = sheet(skills={"Sword": "B9"})
    good = sheet(skills={"Sword": "B5"})
    struck = meet("disarm", "no_action", [successes], ann=better, bob=good)
    assert came(struck) == ([] if farther is None else [("weapon_away", farther)])
    after = moment(ring(ann=better, bob=good), "ann disarm bob", rolls=[successes])
    assert after.who("bob").weapon == ("sword" if farther is None else "")
    assert [each.farther for each in after.fight.fallen] == ([] if farther is None else [farther])


@pytest.mark.rules("fight.disarm.obstacle", "fight.amb.disarm_rounding")
def test_without_the_skill_a_disarm_is_against_half_of_agility_rounded_up():
    lubber = {**sheet(Agility="B5"), "skills": {}}
    assert came(meet("disarm", "no_action", [2], bob=lubber)) == []
    assert came(meet("disarm", "no_action", [3], bob=lubber)) == [("weapon_away", 0)]


@pytest.mark.rules("fight.disarm.success")
def test_there_is_nothing_to_knock_out_of_bare_hands():
    assert came(meet("disarm", "no_action", weapons=("sword", ""))) == []


@pytest.mark.rules("fight.beat.ability", "fight.beat.natural_defense", "fight.beat.win")
@pytest.mark.rules("fight.beat.win_by_two", "fight.beat.defender_wins", "fight.nd.tie_foils")
@pytest.mark.parametrize(("rolls", "margin"), [([2, 2], 0), ([2, 3], 0), ([3, 2], 1), ([4, 1], 3)])
def test_a_beat_takes_the_length_away_and_by_two_hampers_the_weapon(rolls, margin):
    after = moment(ring(), "ann beat_and_bind bob", rolls=rolls)
    assert after.who("bob").beaten is (margin > 0)
    waiting = [each.until for each in after.who("bob").hindrances]
    assert waiting == ([HindranceUntil.WEAPON] if margin > 1 else [])
    assert dice(after.played) == [4, 4]


@pytest.mark.rules("fight.beat.natural_defense")
def test_without_the_skill_agility_resists_a_beat():
    lubber = {**sheet(Agility="B6"), "skills": {}}
    assert dice(meet("beat_and_bind", "no_action", [1, 1], bob=lubber)) == [4, 6]


@pytest.mark.rules("fight.block.vs_beat_twice", "fight.nd.avoid_adds", "fight.nd.versus_subtract")
@pytest.mark.parametrize("defence", ["block", "avoid"])
def test_a_block_or_an_avoid_comes_on_top_of_natural_defenses(defence):
    beaten = meet("beat_and_bind", defence, [4, 2, 1])
    assert dice(beaten) == [4, 4, 4]
    assert came(beaten) == [("no_length_dice", 0)]
    assert came(meet("beat_and_bind", defence, [4, 2, 2])) == []


@pytest.mark.rules("fight.beat.win_by_two")
def test_the_hindered_weapon_is_used_up_by_the_next_action_with_it():
    at = moment(ring(), "ann beat_and_bind bob", rolls=[4, 0]).fight
    pushing = moment(at, "bob push ann", rolls=[0, 0])
    assert "Push, rolls 4D = 4 Power\n" in pushing.told
    assert len(pushing.who("bob").hindrances) == 1
    striking = moment(at, "bob strike ann", rolls=[1])
    assert "Ob 2" in striking.told
    assert striking.who("bob").hindrances == ()
    # Natural Defenses are no action: two against two foil another Beat, and it still waits.
    again = moment(at, "ann beat_and_bind bob", rolls=[2, 2])
    assert "Ann, Beat and Bind: 2 successes. It fails." in again.told
    assert len(again.who("bob").hindrances) == 1


@pytest.mark.rules("fight.amb.beat_unarmed")
def test_bare_hands_have_no_length_to_lose():
    at = with_state(ring(), "bob", weapon="")
    after = moment(at, "ann beat_and_bind bob", rolls=[4, 0])
    assert after.who("bob").beaten is False
    assert len(after.who("bob").hindrances) == 1


# --- Block and Strike ------------------------------------------------------------------------


@pytest.mark.rules("fight.block_and_strike.split", "fight.block_and_strike.script")
def test_a_block_and_strike_divides_the_skill_and_blocks_with_the_shield():
    both = meet("block_and_strike", "strike", [1, 2, 1], {"split": (3, 1)}, ann=SHIELDED)
    # Ann's three dice of the Strike; Bob's Strike; her Block of one die and two of the shield.
    assert sorted(dice(both)) == [3, 3, 4]
    assert came(both) == [("hit", "incidental")]


@pytest.mark.rules("fight.distance.outside.forbidden", "fight.distance.outside.allowed_defense")
def test_from_outside_a_block_and_strike_blocks_and_does_no_more():
    said = "Ann, Block and Strike: the Strike is out of reach."
    spear = {**BOTH, "skills": {**BOTH["skills"], "Spear": "B4"}, "weapons": [{"weapon": "spear"}]}
    far = {"ann": SHIELDED, "bob": spear, "weapons": ("sword", "spear"), "distance": "outside"}
    both = meet("block_and_strike", "strike", [1, 2], {"split": (3, 1)}, **far)
    assert [roll.label for roll in both.rolls] == ["Bob, Strike", "Ann, Block"]
    assert said in both.told
    idle = meet("block_and_strike", "no_action", [], {"split": (3, 1)}, **far)
    assert said in idle.told
    assert said not in meet("block_and_strike", "no_action", [1], ann=SHIELDED).told


@pytest.mark.rules("fight.block_and_strike.training")
def test_without_a_shield_a_block_and_strike_is_the_strike_that_was_scripted():
    assert dice(meet("block_and_strike", "strike", [1, 1])) == [4, 4]
    spear = {**sheet(weapons=[{"weapon": "spear"}], skills={"Spear": "B4"}), "shield": SHIELD}
    both_hands = meet("block_and_strike", "no_action", [1], ann=spear, weapons=("spear", "sword"))
    assert dice(both_hands) == [4]


def test_a_destroyed_shield_leaves_bare_hands():
    broken = {**BOTH, "shield": {"kind": "buckler", "lost": 2}}
    blocked = meet("strike", "block", [2, 2], bob=broken, weapons=("sword", ""))
    assert came(blocked) == [("hit", "incidental")]


# --- On the ground and on the inside ---------------------------------------------------------


@pytest.mark.rules("fight.get_up.prone_attack", "fight.get_up.prone_defense")
@pytest.mark.rules("fight.amb.ground_duplicates", "fight.stance.allowed")
def test_from_the_ground_attacks_are_four_harder_and_defences_two():
    down = {"ann_posture": "down", "ann_stance": "aggressive"}
    strong = sheet(skills={"Sword": "B5"})
    fallen = meet("strike", "no_action", [4], ann=strong, **down)
    assert dice(fallen) == [7]  # the stance is kept
    assert came(fallen) == []
    assert came(meet("strike", "no_action", [5], ann=strong, **down)) == [("hit", "incidental")]
    blocked = meet("strike", "block", [3, 4], bob_posture="down")
    assert came(blocked) == [("hit", "incidental")]  # 3 - (4 - 2)
    pushed = meet("push", "no_action", [2, 2], bob_posture="down")
    assert came(pushed) == [("down", 1)]


@pytest.mark.rules("fight.amb.crouch")
@pytest.mark.parametrize(
    ("choice", "attack"), [("everything_plus_1_ob", []), ("defence_only", [("hit", "incidental")])]
)
def test_half_up_everything_is_one_harder_or_defences_alone(choice, attack):
    options = {"fight_crouch_penalty": choice}
    knee = {"ann_posture": Posture.KNEELING.value}
    assert came(meet("strike", "no_action", [1], options=options, **knee)) == attack
    blocked = meet("strike", "block", [2, 2], options=options, bob_posture="on one knee")
    assert came(blocked) == [("hit", "incidental")]


PENALTIES = {
    "polearm": 4, "spear": 4, "footman's axe": 4, "sword": 3, "light axe": 3, "hatchet": 3,
    "club or staff": 3, "mace": 3, "small sword": 2, "dagger": 0, "": 0,
}  # fmt: skip


@pytest.mark.rules("fight.distance.inside.weapon_penalty", "fight.table.inside_penalties")
@pytest.mark.rules("fight.amb.inside_unlisted", "fight.amb.club_length")
@pytest.mark.parametrize(("weapon", "penalty"), PENALTIES.items())
def test_on_the_inside_a_weapon_is_in_the_way_by_its_kind(weapon, penalty):
    skills = dict.fromkeys(
        ("Sword", "Spear", "Polearm", "Axe", "Mace", "Staff", "Knives", "Brawling"), "B6"
    )
    carried = [{"weapon": weapon}] if weapon else []
    ann = sheet(weapons=carried, skills=skills)
    for successes in (penalty, penalty + 1):
        rolled = meet("strike", "no_action", [successes], ann=ann, distance="inside",
                      weapons=(weapon, "sword"))  # fmt: skip
        assert bool(came(rolled)) is (successes > penalty)


@pytest.mark.rules("fight.distance.inside.weapon_penalty")
def test_the_hilt_is_of_use_on_the_inside():
    for successes in (1, 2):
        struck = meet("strike", "no_action", [successes], distance="inside",
                      ann_way="hilt or pommel")  # fmt: skip
        assert bool(came(struck)) is (successes == 2)


@pytest.mark.rules("fight.amb.inside_penalty_scope")
@pytest.mark.parametrize(("choice", "left"), [("attacks_only", 0), ("attacks_and_block", 3)])
def test_a_long_weapon_may_be_in_the_way_of_a_block_too(choice, left):
    options = {"fight_inside_penalty_scope": choice}
    knives = sheet(weapons=[{"weapon": "dagger"}], skills={"Knives": "B4"})
    blocked = meet("strike", "block", [4, 4], options=options, ann=knives, distance="inside",
                   weapons=("dagger", "sword"))  # fmt: skip
    assert bool(came(blocked)) is (left > 0)


@pytest.mark.rules("fight.amb.outside_beat_disarm")
@pytest.mark.parametrize(
    ("choice", "weapon", "allowed"),
    [
        ("if_opponent_can_reach", "spear", True),
        ("if_opponent_can_reach", "sword", False),
        ("never", "spear", False),
        ("always", "sword", True),
    ],
)
def test_beating_from_outside_is_for_weapons_that_are_near_enough(choice, weapon, allowed):
    spear = sheet(weapons=[{"weapon": "spear"}, {"weapon": "sword"}], skills={"Spear": "B4"})
    beaten = meet("beat_and_bind", "no_action", [4, 0] if allowed else [], distance="outside",
                  bob=spear, weapons=("sword", weapon),
                  options={"fight_outside_beat_and_disarm": choice})  # fmt: skip
    assert bool(came(beaten)) is allowed


@pytest.mark.rules("fight.position.actions_out_of_reach")
def test_what_is_out_of_reach_is_lost_and_the_rest_played_on():
    spear = sheet(weapons=[{"weapon": "spear"}], skills={"Spear": "B4"})
    met = meet("strike", "strike", [3], distance="outside", bob=spear, weapons=("sword", "spear"))
    assert "out of reach; the action is lost" in met.told
    assert came(met) == []
    assert came(met, "ann") == [("hit", "mark")]


@pytest.mark.rules("fight.disadvantage.melee")
def test_the_ground_makes_everybodys_actions_harder():
    mud = (Line(1, "mud", "fight.disadvantage.melee"),)
    muddy = msgspec.structs.replace(ring(), ground=mud)
    struck = moment(muddy, "ann strike bob", "bob strike ann", rolls=[1, 1])
    assert struck.told.count("1 mud") == 2
    # Natural Defenses are no action.
    assert moment(muddy, "ann push bob", rolls=[1, 1]).told.count("1 mud") == 1


@pytest.mark.rules("fight.stance.to_position")
def test_a_stance_put_into_positioning_leaves_its_penalties_and_no_dice():
    at = with_state(ring(), "ann", stance=Stance.AGGRESSIVE, steps=True)
    assert "Ann, Strike, rolls 4D = 4 Sword" in moment(at, "ann strike bob", rolls=[0]).told
    blocked = moment(at, "bob strike ann", "ann block", rolls=[1, 2])
    assert len(blocked.fight.sheet("ann").wounds) == 1


def test_readiness_is_broken_off_by_a_martial_action():
    aiming = with_state(ring(), "ann", ready=Preparation(target="bob", aimed=2, nocked=True))
    after = moment(aiming, "ann block").who("ann").ready
    assert after == Preparation(nocked=True)


@pytest.mark.rules(
    "extended_example.strike.choose_weapon_part_late", "fight.distance.inside.weapon_penalty"
)
@pytest.mark.parametrize(
    ("action", "part", "obstacle"),
    [
        ("strike", "sword", "4 = 1 base obstacle + 3 sword on the inside"),
        ("strike", "hilt_or_pommel", "2 = 1 base obstacle + 1 hilt or pommel on the inside"),
        ("feint", "hilt_or_pommel", "2 = 1 base obstacle + 1 hilt or pommel on the inside"),
        ("counterstrike", "hilt_or_pommel", "2 = 1 base obstacle + 1 hilt or pommel on the inside"),
    ],
)
def test_blade_or_hilt_is_chosen_when_both_are_inside(action, part, obstacle):
    """Slehr's sword inside: +3 Ob with the blade, +1 with the hilt, whichever was scripted."""
    other = {"strike": "push", "feint": "block", "counterstrike": "strike"}[action]
    said = {"ann/weapon_part": part}
    played = meet(action, other, None, said, distance="inside")
    assert f"against Ob {obstacle}" in played.told
    # With Bob at arm's length there is nothing to choose.
    with pytest.raises(AssertionError, match="never asked"):
        meet(action, other, None, said, distance="optimal")


@pytest.mark.rules("weapons.location.defender_declares")
@pytest.mark.parametrize(("opened", "said"), [("torso", False), ("head", True)])
def test_what_is_open_is_said_where_it_is_not_the_torso(opened, said):
    struck = meet("strike", "push", None, {"bob/open": opened})
    assert ("leaves the" in struck.told) is said


@pytest.mark.rules("fight.avoid.miss_if_below_ob")
@pytest.mark.parametrize(("avoided", "asked"), [(2, True), (3, True), (4, False)])
def test_nobody_aims_a_blow_that_misses(avoided, asked):
    """Four successes against Ob 1 and an Avoid: of four nothing is left."""
    struck = meet("strike", "avoid", [4, avoided])
    assert ("aim" in struck.asked) is asked
    assert bool(came(struck)) is asked


@pytest.mark.rules("rogues.burned.fangs_inside")
@pytest.mark.parametrize(("gap", "bites"), [(INSIDE_GAP + 1, False), (INSIDE_GAP, True)])
def test_fangs_are_of_use_only_on_the_inside(gap, bites):
    beast = {"weapons": [{"weapon": "fangs"}], "skills": {"Brawling": "B4"}}
    at = in_a_fight.fight(gap=gap, ann=beast)
    strike = next(card for card in cards_of(at, "ann") if card.key == "strike")
    assert "on the inside only" in strike.note
    deed = FightDeed("ann", "strike", "strike", "bob")
    lost = why_lost(at, deed)
    assert (lost is None) is bites
    assert bites or lost.rule == "rogues.burned.fangs_inside"


@pytest.mark.rules("extended_example.strike.defense_raises_obstacle")
def test_what_an_avoid_takes_is_part_of_the_obstacle_for_the_log():
    """With 4 dice Ob 1 is Routine; with two successes of the Avoid it is Ob 3, Difficult."""
    plain = moment(ring(), "ann strike bob", "bob avoid", rolls=[1, 0])
    assert "ann.skills.Sword.log.routine" in plain.played.changed
    avoided = moment(ring(), "ann strike bob", "bob avoid", rolls=[2, 2])
    assert "ann.skills.Sword.log.difficult" in avoided.played.changed


@pytest.mark.rules("extended_example.strike.target_movement_free")
@pytest.mark.parametrize("moves", Positioning)
def test_it_is_no_harder_to_strike_somebody_who_moves(moves):
    at = with_state(ring(), "bob", moves=moves)
    assert (
        "Ann, Strike, rolls 4D = 4 Sword against Ob 1"
        in moment(at, "ann strike bob", rolls=[0]).told
    )
    mover = with_state(ring(), "ann", moves=moves)
    harder = moves.is_quick
    assert ("moving quickly" in moment(mover, "ann strike bob", rolls=[0]).told) is harder


@pytest.mark.rules("fight.avoid.penalty_other_actions")
@pytest.mark.parametrize(
    ("cards", "harder"), [(("avoid", "block"), False), (("avoid", "avoid"), True)]
)
def test_of_two_avoids_in_a_volley_each_makes_the_other_harder(cards, harder):
    at = with_state(ring(), "bob", avoids=True, announced=cards)
    avoided = moment(at, "ann strike bob", "bob avoid", rolls=[2, 2])
    assert ("against Ob 1 = 1 Avoids in this volley" in avoided.told) is harder
    # Two successes less one leave one of the Strike's two: a hit at Ob 1.
    assert ("Ann, Strike: 2 successes. It hits." in avoided.told) is harder


@pytest.mark.rules("armor.damage.shade_immunity_gray", "armor.shield.damage_ones")
@pytest.mark.parametrize("gray", ["ann", "cat", ""])
def test_a_gray_shield_that_blocks_two_is_worn_by_a_gray_weapon_among_them(gray):
    """Whoever of the two has it: black weapons alone would do nothing to it."""
    swords = {
        who: {"weapons": [{"weapon": "sword", "shade": "G" if who == gray else "B"}]}
        for who in ("ann", "cat")
    }
    at = in_a_fight.fight(bob={"shield": {"kind": "buckler", "shade": "G"}}, **swords)
    deeds = (
        FightDeed("ann", "strike", "strike", "bob"),
        FightDeed("cat", "strike", "strike", "bob"),
        FightDeed("bob", "block", "block"),
    )
    ready = in_a_fight.run(make_ready, at, deeds).played.outcome
    assert (ready.incoming[0].defence.thing is not None) is bool(gray)
