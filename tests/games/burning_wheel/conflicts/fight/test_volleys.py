"""Short fights of two or three with given scripts and successes, reckoned by hand from the rules.

Stats, skills and swords of B4, one action in each volley. The first two or three dice are those of
the first positioning test, which Ann wins, so that all begin at optimal distance.
"""

from __future__ import annotations

import pytest

from games.burning_wheel.fighting import fight, fighter, ring, sides

REST = ("stay", "block", "stay", "block")
"""Two volleys in which nothing happens if the other blocks, too."""


def told(ann: str, bob: str, rolls: list, answers=None, at=None) -> str:
    """One volley of Ann's against Bob's, as "close strike"; then both Block."""
    scripts = {"ann": [(*ann.split(), *REST)], "bob": [(*bob.split(), *REST)]}
    return fight(scripts, [2, 1, *rolls], answers or {}, at).told


@pytest.mark.rules("fight.position.moving_quickly", "fight.position.win.close")
def test_closing_to_strike_is_harder_and_a_sword_is_in_the_way_inside():
    """3 against 1: inside. Ob 1 + 1 for moving + 3 for the sword; 4 successes miss, 5 hit."""
    for successes, hits in ((4, False), (5, True)):
        at = ring(ann=fighter(skills={"Sword": "B5"}))
        said = told("close strike", "maintain push", [3, 1, successes, 0, 4], {}, at)
        assert "against Ob 5 = 1 base obstacle + 3 sword on the inside + 1 moving quickly" in said
        assert ("Ann hits Bob" in said) is hits


@pytest.mark.rules("fight.lock.distance_penalty", "fight.lock.effect", "fight.lock.inside")
def test_a_lock_from_optimal_costs_two_successes_and_drags_its_victim_inside():
    """4 less 2, against a Power of 0: a Lock of two dice, and a Strike of 4D - 2D afterwards."""
    scripts = {
        "ann": [("stay", "lock", "stay", "strike:hilt_or_pommel", "stay", "block")],
        "bob": [("stay", "block", "stay", "strike", "stay", "block")],
    }
    said = fight(scripts, [2, 1, 4, 0, 0, 0]).told
    assert "Ann holds Bob: 2D Lock." in said
    assert "Distances: Ann and Bob: inside." in said
    assert "Bob, Strike, rolls 2D = 4 Sword - 2 Lock against Ob 4" in said


@pytest.mark.rules("fight.push.divide", "fight.amb.push_cost", "fight.push.natural_defense")
def test_a_push_by_four_puts_down_and_back():
    said = told("stay push", "stay feint", [4, 0], {"ann/push": "down1_back1"})
    assert "Bob, Natural Defenses: 0 successes. Does not reduce the attack." in said
    assert "Bob is down." in said
    assert "Bob is forced back: Ann is at lunging distance." in said


@pytest.mark.rules("fight.charge.win_by_two", "fight.get_up.prone_attack")
def test_who_is_charged_down_strikes_from_the_ground():
    """Charge 3 against 1: down. The Strike of the same volley is at Ob 1 + 4, and 4 miss."""
    said = told("close charge_tackle", "maintain strike", [3, 1, 4])
    assert "Ann's charge succeeds by 2. Bob goes down." in said
    assert "Bob, Strike, rolls 4D = 4 Sword against Ob 5 = 1 base obstacle + 4 down" in said
    assert "Bob, Strike: 4 successes. It fails." in said


@pytest.mark.rules("fight.charge.win_by_one")
def test_who_is_staggered_by_a_charge_has_it_on_the_next_action_only():
    scripts = {
        "ann": [("close", "charge_tackle", *REST)],
        "bob": [("maintain", "strike", "stay", "push", "stay", "block")],
    }
    said = fight(scripts, [2, 1, 2, 1, 0, 0, 0]).told
    assert "Bob is off balance: +1 Ob to the next action." in said
    assert "against Ob 2 = 1 base obstacle + 1 off balance" in said
    assert said.count("off balance") == 2


@pytest.mark.rules("fight.throw.distance_penalty", "fight.throw.win")
def test_a_throw_from_optimal_needs_three_against_nothing():
    for successes, down in ((2, False), (3, True)):
        said = told("stay throw_opponent", "stay block", [successes, 0])
        assert ("Bob is down." in said) is down


@pytest.mark.rules("fight.great_strike.countered_by", "fight.block.not_great_strike")
def test_a_block_is_not_rolled_against_a_great_strike():
    scripts = {
        "ann": [("stay", "great_strike_set", "stay", "great_strike", "stay", "block")],
        "bob": [("stay", "block", "stay", "block", "stay", "block")],
    }
    played = fight(scripts, [2, 1, 0])
    assert [roll.label for roll in played.rolls[2:]] == ["Ann, Great Strike"]


@pytest.mark.rules("fight.disarm.obstacle", "fight.disarm.farther", "fight.position.moving_quickly")
@pytest.mark.parametrize(
    ("successes", "away"), [(4, ""), (5, "knocked away."), (7, "knocked 1 distance away.")]
)
def test_a_disarm_while_withdrawing(successes, away):
    """Bob's Sword B4 and one for moving: Ob 5; two more knock it a distance farther."""
    at = ring(ann=fighter(skills={"Sword": "B8"}))
    said = told("withdraw disarm", "maintain push", [0, 1, successes, 0, 0], {}, at)
    assert f"Bob's sword is {away}" in said if away else "is knocked" not in said


@pytest.mark.rules(
    "fight.beat.win", "fight.block.vs_beat_twice", "fight.position.bonus.longer_weapon"
)
def test_a_beaten_spear_gives_no_dice_once():
    """Beat 4 against Block 1 and skill 1: by two. The spear's +1D is back a volley later."""
    scripts = {
        "ann": [("stay", "beat_and_bind", "close", "block", "close", "block")],
        "bob": [("stay", "block", "maintain", "block", "maintain", "block")],
    }
    said = fight(scripts, [2, 1, 4, 1, 1, 1, 1, 1, 1], {}, ring(bob=fighter("spear"))).told
    assert "Bob's next action with that weapon: +1 Ob." in said
    volleys = said.split("Volley ")
    assert "Bob, positioning, rolls 4D = 4 Speed\n" in volleys[2]
    assert "Bob, positioning, rolls 5D = 4 Speed + 1 longest weapon" in volleys[3]


@pytest.mark.rules("fight.nd.none_when_hesitating", "fight.push.win_by_one")
def test_one_success_pushes_somebody_who_stands_and_drools_off_balance():
    said = told("stay push", "stay stand_and_drool", [1])
    assert "Ann, Push: 1 success. Won by 1." in said
    assert "Bob is off balance: +1 Ob." in said


@pytest.mark.rules("fight.amb.many_fighters", "fight.avoid.partial")
@pytest.mark.parametrize(("split", "hit_by"), [([3, 1], ["Cid"]), ([2, 2], ["Bob"])])
def test_one_avoid_is_divided_among_two_strikes(split, hit_by):
    """Strikes of 3 and 2 at Ob 1 against an Avoid of 4: to stop both would take 5."""
    strikes = ("stay", "strike", *REST)
    scripts = {"ann": [("stay", "avoid", *REST)], "bob": [strikes], "cid": [strikes]}
    said = fight(
        scripts,
        [2, 1, 1, 3, 2, 4],
        {"ann/divide_defence": split},
        ring(cid=fighter()),
        sides=sides("ann", "bob cid"),
    ).told
    assert [name for name in ("Bob", "Cid") if f"{name} hits Ann" in said] == hit_by


@pytest.mark.rules("fight.feint.success", "fight.nd.none_when_hesitating")
def test_one_feints_and_the_other_pushes_a_blocker():
    """Drawn out by the Feint she has no Natural Defenses: a Push of two successes fells her."""
    scripts = {
        "ann": [("stay", "block", *REST)],
        "bob": [("stay", "feint", *REST)],
        "cid": [("stay", "push", *REST)],
    }
    played = fight(scripts, [2, 1, 1, 0, 2], {}, ring(cid=fighter()), sides=sides("ann", "bob cid"))
    assert [roll.label for roll in played.rolls[3:]] == ["Bob, Feint", "Cid, Push"]
    assert "Ann is down." in played.told


@pytest.mark.rules("fight.stance.aggressive_speed_nd", "fight.push.natural_defense")
def test_an_aggressive_fighter_who_closes_has_only_a_hampered_speed_against_a_push():
    """3 successes of Speed less 2: a Push of 3 wins by two."""
    scripts = {
        "ann": [("stay", "block", "maintain", "push", "stay", "block")],
        "bob": [("stay", "change_stance:aggressive", "close", "strike", "stay", "block")],
    }
    said = fight(scripts, [2, 1, 1, 1, 3, 0, 3]).told
    assert "Bob, Natural Defenses, rolls 4D = 4 Speed against Ob 2 = 2 Aggressive stance" in said
    assert "Bob is down." in said
    assert "Bob, Strike, rolls 6D = 4 Sword + 2 Aggressive stance" in said


@pytest.mark.rules("fight.forfeit.voluntary_hesitate")
def test_nobody_recovers_from_an_action_that_was_given_up():
    quick = ring(ann=fighter(Reflexes="B4"))
    scripts = {
        "ann": [("stay", "block", "stand_and_drool", *REST)],
        "bob": [("stay", "block", *REST)],
    }
    assert "recovers" not in fight(scripts, [2, 1], {}, quick).told


@pytest.mark.rules("fight.strike.ability", "fight.block.unarmed_vs_armed")
def test_bare_hands_against_a_sword():
    """Two successes of a Block count as one: a Strike of one misses, one of two still hits."""
    for successes, hits in ((1, False), (2, True)):
        said = told("stay block", "stay strike", [successes, 2], {}, ring(ann=fighter("")))
        assert "Ann, Block, rolls 4D = 4 Brawling against Ob 1 = 1 bare hands" in said
        assert "Ann, Block: 2 successes. Reduces the attack by 1." in said
        assert ("Bob hits Ann" in said) is hits


@pytest.mark.rules("fight.feint.location", "armor.amb.four_targets_six_locations")
@pytest.mark.parametrize(
    ("card", "answers", "seat"),
    [
        ("feint", {"feint_location": "arms"}, "ann"),
        ("strike", {"bob/open": "arms"}, "bob"),
        ("strike", {"ann/aim": "arms"}, "ann"),
    ],
)
def test_who_had_the_last_word_on_the_limb_picks_its_side(card, answers, seat):
    """A Feint names the arms, or Bob leaves them open, or Ann moves a Strike there for one."""
    mailed = fighter(armor={"right_arm": "chainmail", "left_arm": "leather"})
    scripts = {
        "ann": [("stay", card, *REST)],
        "bob": [("stay", "block" if card == "feint" else "push", *REST)],
    }
    rolls = [2, 1, 2] if card == "feint" else [2, 1, 2, 0, 0]
    at = ring(bob={**mailed, "training": ["Armor Training"]})
    played = fight(scripts, [*rolls, [4, 4, 4, 4]], {**answers, f"{seat}/side": "right_arm"}, at)
    assert played.seats["side"] == seat


@pytest.mark.rules("fight.counterstrike.split", "fight.block_and_strike.split")
def test_where_divided_dice_come_from_is_said_before_they_are_divided():
    """Sword B5 less a Light wound and two of the stance are six dice, and four without it."""
    bob = fighter(
        skills={"Sword": "B5"},
        wounds=["Light"],
        shield="buckler",
        training=["Shield Training"],
        Reflexes="B4",
    )
    scripts = {
        "ann": [("stay", "block", "stay", "strike", "stay", "strike:hilt_or_pommel")],
        "bob": [
            ("stay", "change_stance:defensive", "stay", "counterstrike", "stay", "block_and_strike")
        ],
    }
    said = {"bob/split#1": [4, 2], "bob/split#2": [1, 3]}
    told = fight(scripts, None, said, ring(bob=bob)).told
    whole = "5 Sword - 1 Light wound"
    assert f"Bob divides 6D = {whole} + 2 Defensive stance" in told
    assert "Bob, Counterstrike, rolls 6D = 4 Sword + 2 buckler" in told
    assert f"Bob divides 4D = {whole}" in told


@pytest.mark.rules("fight.counterstrike.split", "fight.amb.unskilled")
def test_without_the_skill_it_is_agility_that_is_divided():
    scripts = {
        "ann": [("stay", "strike", "stay", "block", "stay", "block")],
        "bob": [("stay", "counterstrike", "stay", "block", "stay", "block")],
    }
    at = ring(bob=fighter("mace", skills={"Brawling": "B4"}))
    played = fight(scripts, None, {"bob/split": [3, 1]}, at)
    assert "divides" not in played.told, "all from one source"
    assert "Bob, Counterstrike, rolls 3D = 3 Agility" in played.told
    assert "Bob, riposte, rolls 1D = 1 Agility against Ob 2" in played.told


@pytest.mark.rules("fight.distance.outside.fight_over", "fight.amb.fight_over_who")
@pytest.mark.parametrize(("start", "volleys"), [("outside", 3), ("optimal", 1)])
def test_a_fight_ends_out_of_reach_only_after_somebody_was_in_it(start, volleys):
    """Who begins outside has an exchange to come near; who withdraws by two is out at once."""
    away = "maintain" if start == "outside" else "withdraw"
    scripts = {
        "ann": [(away, "block", "maintain", "block", "maintain", "block")],
        "bob": [("maintain", "block", "maintain", "block", "maintain", "block")],
    }
    said = {"starting_distance": start, "out_of_reach": "over"}
    rolls = [2, 1, *([3, 1] if start == "optimal" else [1, 1] * 3)]
    played = fight(scripts, rolls, said)
    assert played.outcome.settled == "apart"
    assert [f"Volley {n}." in played.told for n in (1, 2, 3)] == [n <= volleys for n in (1, 2, 3)]


@pytest.mark.rules("fight.charge.tackle_inside", "fight.get_up.two_actions")
def test_who_tackles_can_script_to_get_up_again():
    """3 against 1: both go down, and both are on their feet again two actions later."""
    scripts = {
        "ann": [("close", "tackle", "stay", "get_up", "stay", "get_up")],
        "bob": [("maintain", "push", "stay", "get_up", "stay", "get_up")],
    }
    said = fight(scripts, [2, 1, 3, 1, 0, 0]).told
    assert "Both go down, on the inside." in said
    volleys = said.split("Volley ")
    assert all(f"{who} gets up to one knee." in volleys[2] for who in ("Ann", "Bob"))
    assert all(f"{who} gets to their feet." in volleys[3] for who in ("Ann", "Bob"))


@pytest.mark.rules("fight.lock.immobilized", "fight.lock.effect", "fight.lock.resist_full_power")
@pytest.mark.parametrize("over", [True, False])
def test_whoever_holds_the_last_opponent_helpless_may_say_that_it_is_over(over):
    """4 less 2 against 0, then 3 against 1 with full Power: 4D of 4, and Bob scripts no more."""
    scripts = {
        "ann": [("stay", "lock", "stay", "lock", *REST[2:])],
        "bob": [("stay", "block", *REST)],
    }
    answers: dict[str, object] = {"ann/at_mercy": over}
    if over:
        answers["ann/mercy"] = "ties him up"
    else:  # who does not want to hurt him has to let go, or to give up
        scripts["ann"].append(("stay", "give_up") * 3)
    played = fight(scripts, [2, 1, 4, 0, 3, 1], answers)
    assert "Bob, Natural Defenses, rolls 4D = 4 Power" in played.told.split("Volley ")[2]
    assert "Bob cannot move." in played.told
    states = [each.state for each in played.outcome.fighters]
    if over:
        assert (played.outcome.winner, played.outcome.settled) == (0, "felled")
        assert states == ["standing", "helpless"]
    else:
        assert states == ["gave up", "standing"]
