"""Lock, Push and Throw Opponent, and the Natural Defenses against them."""

from __future__ import annotations

import msgspec
import pytest

from astragal.games.burning_wheel.conflicts.fight.distance import INSIDE_GAP
from astragal.games.burning_wheel.conflicts.fight.gathering import (
    RollKind,
    burdens,
    is_immobilized,
    is_usable,
)
from astragal.games.burning_wheel.conflicts.fight.script import cards_of
from astragal.games.burning_wheel.conflicts.fight.state import (
    Fight,
    HindranceUntil,
    Lock,
    Positioning,
    Posture,
)
from astragal.games.burning_wheel.sheet.facts import DiceGathered
from astragal.play import Tell
from games.burning_wheel import in_a_fight
from games.burning_wheel.meeting import came, dice, meet, moment, ring, sheet, with_state


def locked(dice: int, at: Fight | None = None) -> Fight:
    """Ann holds Bob."""
    found: Fight = msgspec.structs.replace(
        at or ring(gap=INSIDE_GAP), locks=(Lock("ann", "bob", dice),)
    )
    return found


# --- Natural Defenses ------------------------------------------------------------------------


@pytest.mark.rules("fight.nd.free", "fight.nd.when", "fight.simultaneous.both_can_succeed")
@pytest.mark.rules("fight.ex.push_elf")
def test_natural_defenses_cost_nothing_whatever_else_is_done():
    elf = sheet(Speed="B5")
    pushed = meet("push", "strike", [4, 1, 3], {"weight": True}, ann=sheet(Power="B6"), bob=elf,
                  bob_moves="close")  # fmt: skip
    # Seven dice of the Push, the Strike of four, Speed of five.
    assert sorted(dice(pushed)) == [4, 5, 7]


@pytest.mark.rules("fight.push.natural_defense", "fight.amb.push_not_positioned")
@pytest.mark.parametrize(
    ("moves", "abilities"),
    [
        ("close", {"Speed"}),
        ("withdraw", {"Speed"}),
        ("maintain", {"Power", "Speed"}),
        ("stay", {"Power", "Speed"}),
        (None, {"Power", "Speed"}),
    ],
)
def test_against_a_push_one_who_moves_has_only_speed(moves, abilities):
    bob = sheet(Power="B6", Speed="B3")
    moved = {} if moves is None else {"bob_moves": moves}
    pushed = meet("push", "no_action", [1, 1], bob=bob, **moved)
    chosen = {"natural_defense"} & set(pushed.asked)
    assert bool(chosen) is (len(abilities) > 1)
    assert dice(pushed) == [4, 6 if "Power" in abilities else 3]  # the better by default
    if len(abilities) > 1:
        other = meet("push", "no_action", [1, 1], {"natural_defense": "Speed"}, bob=bob, **moved)
        assert dice(other) == [4, 3]


@pytest.mark.rules("fight.throw.natural_defense", "fight.throw.ability")
def test_a_throw_is_of_brawling_against_speed_boxing_or_brawling():
    bob = sheet(Speed="B2", skills={"Boxing": "B5", "Brawling": "B3"})
    ann = sheet(skills={"Brawling": "B6"})
    thrown = meet("throw_opponent", "no_action", [1, 1], ann=ann, bob=bob)
    assert dice(thrown) == [6, 5]
    for ability, many in (("Speed", 2), ("Brawling", 3)):
        answers = {"natural_defense": ability}
        resisted = meet("throw_opponent", "no_action", [1, 1], answers, ann=ann, bob=bob)
        assert dice(resisted) == [6, many]


@pytest.mark.rules("fight.nd.tie_foils", "fight.lock.ability", "fight.push.ability")
@pytest.mark.parametrize("action", ["push", "lock", "throw_opponent"])
def test_as_many_successes_foil_it(action):
    for rolls in ([2, 2], [2, 3]):
        assert came(meet(action, "no_action", rolls, distance="inside")) == []


# --- Push ------------------------------------------------------------------------------------


@pytest.mark.rules("fight.push.win_by_one", "fight.ex.push_elf")
@pytest.mark.parametrize("first", ["action", "positioning"])
def test_off_balance_is_until_the_next_action_or_positioning(first):
    after = moment(ring(), "ann push bob", rolls=[4, 3])
    assert "push" not in after.played.asked  # there is only one way to spend a single success
    (hindrance,) = after.who("bob").hindrances
    assert hindrance.until is HindranceUntil.ANYTHING
    kind = RollKind.ATTACK if first == "action" else RollKind.POSITION
    _, harder = burdens(after.fight, "bob", kind, "strike" if first == "action" else "", "")
    assert [line.amount for line in harder] == [1]
    # It does not weigh on Natural Defenses, which are not used up either.
    _, natural = burdens(after.fight, "bob", RollKind.NATURAL, "push", "ann")
    assert natural == ()
    struck = moment(after.fight, "bob strike ann", rolls=[1])
    assert "Ob 2" in struck.told
    assert struck.who("bob").hindrances == ()


@pytest.mark.rules("fight.push.win_by_two", "fight.ex.push_elf_down")
def test_by_two_the_target_goes_down():
    after = moment(ring(), "ann push bob", rolls=[4, 2])
    assert after.who("bob").posture is Posture.DOWN
    assert after.who("bob").hindrances == ()


@pytest.mark.rules("fight.push.shove_back", "fight.push.divide", "fight.amb.push_cost")
@pytest.mark.rules("fight.amb.push_distance_whose")
@pytest.mark.parametrize(
    ("margin", "choice", "down", "off", "gap"),
    [
        (2, "down0_back1", False, False, 3),
        (3, "down1_back0", True, False, 2),
        (3, "down0_back1", False, True, 3),
        (4, "down1_back1", True, False, 3),
        (4, "down0_back2", False, False, 4),
    ],
)
def test_a_larger_margin_is_divided_each_success_once(margin, choice, down, off, gap):
    strong = sheet(Power="B6")
    after = moment(ring(ann=strong), "ann push bob", rolls=[margin, 0], answers={"push": choice})
    bob = after.who("bob")
    assert (bob.posture is Posture.DOWN) is down
    assert bool(bob.hindrances) is off
    assert after.fight.gap("ann", "bob") == gap  # from optimal with a sword, step by step


@pytest.mark.rules("fight.push.divide")
def test_what_cannot_be_paid_for_is_not_offered():
    pushed = moment(ring(), "ann push bob", rolls=[3, 0], answers={"push": "down1_back0"})
    offered = {option.key for option in pushed.played.asks["push"].question.options}
    assert offered == {"down1_back0", "down0_back1"}


# --- Lock ------------------------------------------------------------------------------------


@pytest.mark.rules("fight.lock.distance_penalty", "fight.throw.distance_penalty")
@pytest.mark.parametrize("action", ["lock", "throw_opponent"])
@pytest.mark.parametrize(("distance", "penalty"), [("inside", 0), ("optimal", 2), ("lunging", 4)])
def test_gripping_somebody_is_harder_from_afar(action, distance, penalty):
    strong = sheet(Power="B6", skills={"Brawling": "B6"})
    missed = meet(action, "no_action", [penalty, 0], ann=strong, distance=distance)
    assert came(missed) == []
    held = meet(action, "no_action", [penalty + 1, 0], ann=strong, distance=distance)
    assert came(held) != []
    rule = {"lock": "fight.lock.distance_penalty", "throw_opponent": "fight.throw.distance_penalty"}
    gathered = [event.fact for event in held.events if isinstance(event, Tell)]
    against = [fact.obstacle for fact in gathered if isinstance(fact, DiceGathered)]
    said = [(each.amount, each.rule) for tally in against if tally for each in tally.lines]
    assert said == ([(penalty, rule[action])] if penalty else [])


@pytest.mark.rules("fight.lock.effect", "fight.lock.inside", "fight.ex.lock_margin_two")
@pytest.mark.rules("fight.amb.lock_again")
def test_the_margin_of_a_lock_is_dice_lost_and_a_second_one_adds_to_it():
    strong = sheet(Power="B6")
    after = moment(ring(gap=2, ann=strong), "ann lock bob", rolls=[4, 0])
    assert after.fight.locks == (Lock("ann", "bob", 2),)  # +2 Ob at optimal
    assert after.fight.gap("ann", "bob") == INSIDE_GAP
    again = moment(after.fight, "ann lock bob", rolls=[2, 1])
    assert again.fight.locks == (Lock("ann", "bob", 3),)


@pytest.mark.rules("fight.lock.penalty_on_actions", "fight.ex.lock_block_penalty")
@pytest.mark.rules("fight.lock.effect", "fight.lock.act_while_holding")
def test_a_lock_costs_dice_of_every_action_defences_among_them():
    struck = moment(locked(1), "ann strike bob", "bob block", rolls=[1, 0])
    assert "Bob, Block, rolls 3D = 4 Sword - 1 Lock" in struck.told
    for card in ("strike", "push", "avoid"):
        rolls = {"strike": [0], "push": [0, 0], "avoid": [0]}[card]
        done = moment(locked(1), f"bob {card} ann", rolls=rolls)
        assert "rolls 3D" in done.told
    assert struck.fight.locks == (Lock("ann", "bob", 1),)  # the holder strikes and holds on


@pytest.mark.rules("fight.lock.resist_full_power", "fight.lock.escape_full_power")
def test_a_new_lock_is_resisted_with_full_power_and_nothing_else_is():
    held = moment(locked(2), "ann lock bob", rolls=[0, 0])
    assert "Bob, Natural Defenses, rolls 4D = 4 Power" in held.told
    pushed = moment(locked(2), "ann push bob", rolls=[0, 0])
    assert "Bob, Natural Defenses, rolls 2D = 4 Power - 2 Lock" in pushed.told
    own = moment(locked(2), "bob lock ann", rolls=[0, 0])  # to hold somebody is not to resist
    assert "Bob, Lock, rolls 2D = 4 Power - 2 Lock" in own.told


@pytest.mark.rules("fight.lock.attributes_safe")
def test_a_lock_leaves_attributes_and_the_mind_alone():
    at = locked(2)
    for ability, dice_lost in (("Steel", 0), ("Will", 0), ("Speed", -2), ("Sword", -2)):
        lines, _ = burdens(at, "bob", RollKind.OTHER, ability=ability)
        assert sum(line.amount for line in lines) == dice_lost


@pytest.mark.rules("fight.lock.skill_zero", "fight.lock.immobilized")
def test_a_skill_without_dice_cannot_be_used_and_without_a_stat_one_is_helpless():
    weak = sheet(skills={"Sword": "B2"})
    at = locked(2, ring(gap=INSIDE_GAP, bob=weak))
    assert not is_usable(at, "bob", "Sword", RollKind.ATTACK)
    assert is_usable(at, "bob", "Brawling", RollKind.ATTACK)
    assert "no dice left; the action is lost" in moment(at, "bob strike ann").told
    assert not is_immobilized(at, "bob")
    held = locked(4)
    assert is_immobilized(held, "bob")
    helpless = moment(held, "ann push bob", "bob strike ann", rolls=[1])
    assert "locked and helpless; the action is lost" in helpless.told
    assert len(helpless.who("bob").hindrances) == 1  # and no Natural Defenses


@pytest.mark.rules("fight.lock.escape", "fight.lock.escape_full_power", "fight.ex.lock_escape")
@pytest.mark.rules("fight.lock.duration")
@pytest.mark.parametrize(("successes", "left"), [(0, 3), (2, 1), (3, 0), (4, 0)])
def test_each_success_of_an_escape_takes_a_die_off_the_lock(successes, left):
    after = moment(locked(3), "bob escape_lock", rolls=[successes])
    assert "Bob, Escape, rolls 4D = 4 Power" in after.told
    assert after.fight.lock_on("bob") == left
    assert bool(after.fight.locks) is bool(left)


@pytest.mark.rules("fight.lock.escape", "fight.amb.lock_escape_avoid")
def test_an_avoid_loosens_a_lock_or_stops_an_attack_with_reduced_speed():
    alone = moment(locked(2), "bob avoid", rolls=[1])
    assert "Bob, Avoid, rolls 2D = 4 Speed - 2 Lock" in alone.told
    assert alone.fight.lock_on("bob") == 1
    at = locked(2)
    defending = moment(at, "ann push bob", "bob avoid", rolls=[1, 0, 1])
    assert defending.fight.lock_on("bob") == 2
    assert defending.who("bob").hindrances == ()
    freeing = moment(
        at, "ann push bob", "bob avoid", rolls=[1, 0, 1], answers={"avoid_use": "escape"}
    )
    assert freeing.fight.lock_on("bob") == 1
    assert len(freeing.who("bob").hindrances) == 1


@pytest.mark.rules("fight.lock.duration")
def test_the_holder_may_let_go():
    free = moment(locked(2), "ann block", answers={"let_go": True})
    assert free.fight.locks == ()
    held = moment(locked(2), "ann block")
    assert held.fight.lock_on("bob") == 2


@pytest.mark.rules("fight.push.shove_back", "fight.lock.duration")
def test_pushing_somebody_back_frees_him_of_ones_own_lock_alone():
    """Ann holds Bob and Cat; she pushes Bob a distance away, and Cat stays held."""
    at = ring(gap=INSIDE_GAP, cat=sheet())
    at = msgspec.structs.replace(at, locks=(Lock("ann", "bob", 1), Lock("ann", "cat", 2)))
    pushed = moment(at, "ann push bob", rolls=[3, 1], answers={"push": "down0_back1"})
    assert [(lock.holder, lock.victim) for lock in pushed.fight.locks] == [("ann", "cat")]
    # Bob is held by Cat as well, who does not let go of him.
    foes = msgspec.structs.replace(at, locks=(Lock("ann", "bob", 1), Lock("cat", "bob", 1)))
    pushed = moment(foes, "ann push bob", rolls=[3, 1], answers={"push": "down0_back1"})
    assert [(lock.holder, lock.victim) for lock in pushed.fight.locks] == [("cat", "bob")]


# --- Throw -----------------------------------------------------------------------------------


@pytest.mark.rules("fight.throw.win", "fight.ex.throw_by_one")
def test_a_throw_by_one_lays_the_target_on_the_ground():
    after = moment(ring(gap=INSIDE_GAP), "ann throw_opponent bob", rolls=[3, 2])
    assert after.who("bob").posture is Posture.DOWN
    # Incidental of Power 4: half of it, B2, is less than any wound of his.
    assert after.fight.sheet("bob").wounds == ()


@pytest.mark.rules("fight.throw.walls", "fight.amb.throw_successes")
def test_the_ground_hurts_and_hard_ground_more():
    ann = sheet(skills={"Brawling": "B6"})
    after = moment(
        ring(gap=INSIDE_GAP, ann=ann),
        "ann throw_opponent bob",
        rolls=[3, 0, 4],  # by three: a Mark; the last is Steel
        answers={"ground": "rock or pavement"},
    )
    (wound,) = after.fight.sheet("bob").wounds
    assert [str(step) for step in wound.at] == ["B8"]  # Power 4 and Strength 4


@pytest.mark.rules("fight.throw.toss")
def test_two_further_successes_toss_the_target_a_distance():
    ann = sheet(skills={"Brawling": "B6"})
    after = moment(
        ring(gap=INSIDE_GAP, ann=ann),
        "ann throw_opponent bob",
        rolls=[3, 0],
        answers={"distances": 1},
    )
    assert after.fight.gap("ann", "bob") == 2  # from inside to optimal, with a sword
    assert after.fight.sheet("bob").wounds == ()  # one is left: an Incidental hit of B2


# --- Weight ----------------------------------------------------------------------------------


@pytest.mark.rules("fight.advantage.weight", "fight.amb.weight_on_push")
@pytest.mark.parametrize("action", ["push", "lock", "throw_opponent"])
@pytest.mark.parametrize(
    ("choice", "distance", "asked"),
    [
        ("any_distance", "optimal", True),
        ("any_distance", "inside", True),
        ("inside_only", "optimal", False),
        ("inside_only", "inside", True),
    ],
)
def test_weight_gives_a_die_where_the_group_says_so(action, choice, distance, asked):
    answers = {"weight": True} if asked else {}
    pushed = meet(action, "no_action", [0, 0], answers, distance=distance,
                  options={"fight_weight_dice": choice})  # fmt: skip
    assert dice(pushed)[0] == 4 + asked


@pytest.mark.rules("fight.stance.neutral_moves", "fight.ex.stance_push")
@pytest.mark.parametrize("stance", ["aggressive", "defensive", "neutral"])
def test_no_stance_changes_a_push(stance):
    pushed = meet("push", "no_action", [2, 1], ann_stance=stance)
    assert dice(pushed) == [4, 4]
    assert came(pushed) == [("off_balance", 1)]


@pytest.mark.rules("fight.amb.charge_other_actions")
@pytest.mark.parametrize(("choice", "ob"), [("charge_only", 2), ("whole_volley", 1)])
def test_what_else_a_charger_does_is_moving_quickly_or_not(choice, ob):
    at = ring(options={"fight_charge_volley_exemption": choice})
    charging = with_state(at, "ann", charges=True, moves=Positioning.CLOSE)
    assert f"Ob {ob} " in moment(charging, "ann strike bob", rolls=[0]).told


# --- Another's help --------------------------------------------------------------------------


@pytest.mark.rules("fight.lock.immobilized", "fight.lock.escape")
def test_a_friend_frees_who_is_held_and_helpless():
    """A Lock of four dice on a Power of 4: Ann is helpless. Cat's three successes leave one die."""
    held = in_a_fight.fight(cat={}, locks=(Lock("bob", "ann", 4),))
    keys = {card.key for card in cards_of(held, "cat")}
    assert "free:ann" in keys
    assert not {"free:cat", "free:bob"} & keys
    assert "free:ann" not in {card.key for card in cards_of(held, "bob")}
    pulled = in_a_fight.do(held, "free:ann", by="cat", rolls=[3])
    assert pulled.fight.lock_on("ann") == 1
    assert "Ann is held by 1D." in pulled.told
    free = in_a_fight.do(held, "free:ann", by="cat", rolls=[4])
    assert "Ann is free of the Lock." in free.told
    assert "the action is lost" in in_a_fight.do(free.fight, "free:ann", by="cat").told


# --- Great Spiders ---------------------------------------------------------------------------

SPIDER = {**sheet(Agility="B5"), "body_type": "Great Spider", "traits": ["Eight-Legged"]}


@pytest.mark.rules(
    "extended_example.trait.spider_lock_agility", "extended_example.trait.eight_legged"
)
def test_a_great_spider_locks_with_agility_and_eight_legs():
    locks = meet("lock", "no_action", [3, 1], ann=SPIDER)
    assert dice(locks)[0] == 7, "5 of Agility, 2 for eight legs"
    strong = meet("lock", "no_action", [3, 1], {"lock_ability": "Power"}, ann=SPIDER)
    assert dice(strong)[0] == 6
    man = meet("lock", "no_action", [3, 1], ann=sheet(Agility="B5"))
    assert dice(man)[0] == 4
    assert "lock_ability" not in man.asked
    assert dice(meet("push", "no_action", [3, 1], ann=SPIDER))[0] == 4, "a Push is of Power"


@pytest.mark.rules("extended_example.lock.obstacle_unmet")
@pytest.mark.parametrize(("successes", "tested"), [(3, False), (4, True)])
def test_a_lock_that_does_not_meet_its_penalties_is_resisted_by_nobody(successes, tested):
    """At lunging a Lock is at +4 Ob (fight.table.fighting_distances)."""
    at = with_state(ring(gap=3), "bob", moves=Positioning.MAINTAIN)
    after = moment(at, "ann lock bob", rolls=[successes, 1])
    assert any(path.startswith("bob.stats.") for path in after.played.changed) is tested
    assert ("not needed, as the Lock falls short" in after.told) is not tested
    assert ("Reduces the attack by 1" in after.told) is tested
    assert not after.fight.lock_on("bob")


@pytest.mark.rules("gold.amb.health_epiphany_double_count", "extended_example.lock.obstacle_unmet")
@pytest.mark.parametrize("successes", [3, 4])
def test_pain_borne_counts_for_health_although_nothing_had_to_be_resisted(successes):
    """2 of Bob's persona: one against his wound, one for a die, which is noted beside Power."""
    hurt = sheet(wounds=[{"level": "Light", "at": ["B5"]}], artha={"persona": 2})
    at = with_state(
        ring(gap=3, options={"edition": "gold"}, bob=hurt), "bob", moves=Positioning.MAINTAIN
    )
    said = {"bob/ignore_wounds": 1, "bob/boon": 1}
    after = moment(at, "ann lock bob", rolls=[successes, 1], answers=said).fight.sheet("bob")
    assert after.artha.persona == 0
    assert after.attributes["Health"].spent.persona == 1
    stats = sum(stat.spent.persona for stat in after.stats.values())
    assert stats == 1


@pytest.mark.rules("rogues.burned.fangs_inside")
@pytest.mark.parametrize("action", ["strike", "feint"])
def test_fangs_bite_on_the_inside_alone(action):
    fangs = {**SPIDER, "weapons": ["fangs"]}
    near = with_state(ring(gap=0, ann=fangs), "ann", weapon="fangs")
    lost = moment(near, f"ann {action} bob", "bob block")
    assert "Ann: only on the inside; the action is lost." in lost.told
    assert not lost.played.rolls
    inside = with_state(ring(gap=INSIDE_GAP, ann=fangs), "ann", weapon="fangs")
    assert moment(inside, f"ann {action} bob", "bob avoid" if action == "strike" else "bob block",
                  rolls=[0, 0] if action == "strike" else [0]).played.rolls  # fmt: skip


@pytest.mark.rules("rogues.burned.fangs_inside")
@pytest.mark.parametrize(("gap", "bites"), [(0, False), (INSIDE_GAP, True)])
def test_a_riposte_with_fangs_needs_the_inside_too(gap, bites):
    fangs = {**SPIDER, "weapons": ["fangs"]}
    at = with_state(ring(gap=gap, ann=fangs), "ann", weapon="fangs")
    rolls = [0, 0, 0] if bites else [0, 0]
    after = moment(at, "bob strike ann", "ann counterstrike", rolls=rolls)
    assert any("riposte" in roll.label for roll in after.played.rolls) is bites
