"""Every action against every other, at each distance and in each stance, with a second referee.

The referee below is written from what each maneuver's own text says of it, and counts coins: every
die of these fighters is a success half of the time. It never looks at the table of interactions,
nor at anything that the fight computes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import NamedTuple

import pytest

from astragal.games.burning_wheel.armor.block_and_strike import Stance
from astragal.games.burning_wheel.conflicts.fight.distance import Distance
from astragal.games.burning_wheel.conflicts.fight.one_action import (
    ActionSide,
    FightAction,
    fight_action,
)
from astragal.play import exact, then
from games.burning_wheel.playing import table

SKILL, BRAWLING, POWER, SPEED, SHIELD = 3, 2, 2, 3, 2

BOTH = {
    "stats": {"Agility": "B3", "Speed": "B3", "Power": "B2", "Forte": "B3", "Perception": "B3"},
    "attributes": {"Reflexes": "B4", "Steel": "B4", "Health": "B4"},
    "skills": {
        "Sword": "B3",
        "Brawling": "B2",
        "Throwing": "B2",
        "Shield Training": {"rating": "B1"},
    },
    "weapons": [{"weapon": "sword"}],
    "shield": {"kind": "buckler"},
}
RING = table(ann=BOTH, bob=BOTH)

ACTORS = (
    "avoid", "beat_and_bind", "block", "charge_tackle", "counterstrike", "disarm", "feint",
    "great_strike_set", "great_strike", "lock", "push", "strike", "throw_opponent",
    "block_and_strike", "shoot_or_throw_object", "non_martial",
)  # fmt: skip
COLUMNS = (*ACTORS, "hesitating", "no_action")

Effects = frozenset[tuple[str, str, object]]
Odds = dict[Effects, Fraction]
NOTHING: Odds = {frozenset(): Fraction(1)}

# --- Dice ----------------------------------------------------------------------------------


class Pool(NamedTuple):
    """Some dice, and what comes off their successes."""

    dice: int
    less: int = 0


def thrown(pool: Pool) -> Counter[int]:
    """How often a pool gives so many successes that count, out of 2 ** dice."""
    counts: Counter[int] = Counter()
    for successes in range(pool.dice + 1):
        counts[max(0, successes - pool.less)] += comb(pool.dice, successes)
    return counts


def margins(attack: Pool, against: list[Pool]) -> Iterator[tuple[int, Fraction]]:
    """Successes of an attack that are left, each with its probability; may be negative."""
    rolls = [thrown(Pool(attack.dice)), *(thrown(pool) for pool in against)]
    for faces in product(*(roll.items() for roll in rolls)):
        weight = Fraction(1)
        for roll, (_, count) in zip(rolls, faces, strict=True):
            weight *= Fraction(count, roll.total())
        successes, *taken = [number for number, _ in faces]
        yield successes - sum(taken), weight


# --- The referee ---------------------------------------------------------------------------


class Side(NamedTuple):
    name: str
    action: str
    stance: str = "neutral"


ATTACKS = (
    "strike", "great_strike", "block_and_strike", "feint", "disarm", "beat_and_bind", "lock",
    "push", "throw_opponent",
)  # fmt: skip
STRIKES = ("strike", "great_strike", "block_and_strike")


def done(side: Side, distance: str) -> str:
    """What a fighter really does: nobody attacks from outside, nor Avoids when aggressive."""
    if side.action in ATTACKS and distance == "outside":
        return "no_action"
    if side.action == "avoid" and side.stance == "aggressive":
        return "hesitating"
    return side.action


def halves(dice: int) -> tuple[int, int]:
    return dice - dice // 2, dice // 2


def stance_of_defence(stance: str) -> tuple[int, int]:
    """Dice and penalty of Avoid, Block and Counterstrike."""
    return {"defensive": (2, 0), "aggressive": (0, 2)}.get(stance, (0, 0))


def defences(attack: str, me: Side, act: str, distance: str, feinted: bool) -> list[Pool]:
    """All that a fighter has against an attack: what he scripted, and what comes by nature."""
    pools = []
    shield = 0 if distance == "inside" else SHIELD
    more, less = stance_of_defence(me.stance)
    blockable = attack in ("strike", "block_and_strike", "disarm", "beat_and_bind", "riposte")
    blockable = blockable or (attack == "great_strike" and shield > 0)
    if not feinted:
        if act == "avoid":
            pools.append(Pool(SPEED + more, less))
        elif act == "block" and blockable:
            pools.append(Pool(SKILL + more + shield, less))
        elif act == "counterstrike" and (
            attack in STRIKES or attack in ("disarm", "beat_and_bind", "push")
        ):
            pools.append(Pool(halves(SKILL + more)[0] + shield, less))
        elif act == "block_and_strike" and blockable:
            pools.append(Pool(halves(SKILL)[1] + shield, 2 if me.stance == "aggressive" else 0))
    if act != "hesitating" and not (feinted and act != "block_and_strike"):
        on_his_feet = Pool(SPEED, 2 if me.stance == "aggressive" else 0)
        natural = {
            "lock": Pool(POWER),
            "push": on_his_feet,
            "throw_opponent": on_his_feet,
            "beat_and_bind": Pool(SKILL),
        }
        pools += [natural[attack]] if attack in natural else []
    return pools


def stage(extra: int) -> str:
    """With an Add of 2."""
    return ["incidental", "mark", "superb"][min(2, extra // 2)]


def come(attack: str, pool: Pool, against: list[Pool], victim: str) -> Odds:
    """What an attack does to its victim, with its probability."""
    found: Odds = {}
    for margin, weight in margins(pool, against):
        # What has no obstacle cannot lose more than it has before defences come off it.
        left = margin - pool.less
        if attack in ("lock", "push", "throw_opponent", "beat_and_bind"):
            left = 0 if left < 1 else left
        effects: list[tuple[str, object]] = []
        if attack in ("strike", "great_strike", "block_and_strike", "riposte", "feint"):
            effects = [("hit", stage(left))] if left >= 0 else []
        elif attack == "disarm":
            effects = [("weapon_away", left // 2)] if left >= 0 else []
        elif attack == "beat_and_bind":
            effects = [("no_length_dice", 0)] * (left > 0) + [("weapon_harder", 1)] * (left > 1)
        elif attack == "lock":
            effects = [("dice_lost", left)] * (left > 0)
        elif attack == "push":
            effects = [("down", 1)] if left > 1 else [("off_balance", 1)] * (left > 0)
        elif attack == "throw_opponent" and left > 0:
            effects = [("down", 1), ("hit", stage(left - 1))]
        key = frozenset((victim, name, amount) for name, amount in effects)
        found[key] = found.get(key, Fraction(0)) + weight
    return found


def pool_of(attack: str, me: Side, distance: str, more: int = 0) -> Pool:
    """The dice of an attack, and its obstacle."""
    reach = {"lunging": 1, "inside": 3}.get(distance, 0)
    grip = {"lunging": 4, "optimal": 2}.get(distance, 0)
    if attack == "lock":
        return Pool(POWER, grip)
    if attack == "push":
        return Pool(POWER, 0 if distance == "inside" else reach)
    if attack == "throw_opponent":
        return Pool(BRAWLING, grip)
    if attack == "beat_and_bind":
        return Pool(SKILL, reach)
    if attack == "disarm":
        return Pool(SKILL, SKILL + reach)
    if attack == "feint":
        return Pool(SKILL, 1 + reach)
    dice, less = {"aggressive": (2, 0), "defensive": (0, 2)}.get(me.stance, (0, 0))
    if attack == "block_and_strike":
        return Pool(halves(SKILL)[0] + dice, 1 + reach + less)
    return Pool(SKILL + dice, 1 + reach + less)


def at_each_other(one: Side, other: Side, distance: str) -> Odds:
    """What both actions come to."""
    acts = {side.name: done(side, distance) for side in (one, other)}
    parts: list[Odds] = []
    for me, foe in ((one, other), (other, one)):
        mine, theirs = acts[me.name], acts[foe.name]
        i_feint = mine == "feint" and theirs in ("block", "counterstrike", "block_and_strike")
        they_feint = theirs == "feint" and mine in ("block", "counterstrike", "block_and_strike")
        if mine == "great_strike_set":
            parts.append({frozenset({(me.name, "great_strike_ready", 1)}): Fraction(1)})
        if mine == "feint" and not i_feint:
            parts.append({frozenset({(me.name, "hesitates", 1)}): Fraction(1)})
        if i_feint and theirs != "block_and_strike":
            parts.append({frozenset({(foe.name, "hesitates", 1)}): Fraction(1)})
        if (mine in ATTACKS and mine != "feint") or i_feint:
            against = defences(mine, foe, theirs, distance, i_feint)
            parts.append(come(mine, pool_of(mine, me, distance), against, foe.name))
        answers = (*STRIKES, "disarm", "beat_and_bind", "push")
        reaches = distance != "outside" and not they_feint
        if mine == "counterstrike" and theirs in answers and reaches:
            more, less = stance_of_defence(me.stance)
            reach = {"lunging": 1, "inside": 3}.get(distance, 0)
            pool = Pool(halves(SKILL + more)[1], 1 + reach + less)
            against = []
            if theirs == "block_and_strike":
                against = defences("riposte", foe, theirs, distance, feinted=False)
            parts.append(come("riposte", pool, against, foe.name))
    total = NOTHING
    for part in parts:
        joint: Odds = {}
        for (had, p), (new, q) in product(total.items(), part.items()):
            joint[had | new] = joint.get(had | new, Fraction(0)) + p * q
        total = joint
    return total


# --- Beside what is played -----------------------------------------------------------------


def played(one: Side, other: Side, distance: str) -> Odds:
    sides = tuple(
        ActionSide(side.name, side.action, "sword", stance=Stance(side.stance))
        for side in (one, other)
    )
    outcomes = exact(then(fight_action, FightAction(sides, Distance(distance)), RING))
    total = sum(outcomes.weights.values())
    shooting = {
        foe.name for me, foe in ((one, other), (other, one)) if me.action == "shoot_or_throw_object"
    }
    found: Odds = {}
    for outcome, weight in outcomes.weights.items():
        key = frozenset(
            (each.character, each.effect, each.stage or each.amount)
            for each in outcome.effects
            if each.character not in shooting and each.effect != "drools"
        )
        found[key] = found.get(key, Fraction(0)) + Fraction(weight, total)
    return found


NEUTRAL = ("neutral", "neutral")
PLACES = [("optimal", stances) for stances in product(("aggressive", "defensive"), repeat=2)]
PLACES += [(distance, NEUTRAL) for distance in ("outside", "lunging", "optimal", "inside")]


@pytest.mark.slow
@pytest.mark.rules(
    "fight.roll.versus_or_standard",
    "fight.simultaneous.both_can_succeed",
    "fight.simultaneous.defenses_not_rolled",
    "fight.simultaneous.unmatched_action",
    "fight.avoid.defends_all",
    "fight.block.defends",
    "fight.block.not_great_strike",
    "fight.counterstrike.defends",
    "fight.counterstrike.vs_feint",
    "fight.great_strike.countered_by",
    "fight.strike.countered_by",
    "fight.disarm.countered_by",
    "fight.beat.countered_by",
    "fight.lock.countered_by",
    "fight.push.countered_by",
    "fight.feint.ability",
    "fight.feint.success",
    "fight.feint.useless",
    "fight.feint.keeps_nd",
    "fight.feint.countered_by_strike",
    "fight.nd.by_maneuver",
    "fight.nd.avoid_adds",
    "fight.nd.none_when_hesitating",
    "fight.nd.when",
    "fight.table.interactions",
    "fight.table.interaction_effects",
    "fight.table.interaction_obstacles",
    "fight.table.natural_defenses",
    "fight.table.stance_effects",
    "fight.table.fighting_distances",
    "fight.distance.outside.forbidden",
    "fight.distance.outside.allowed_defense",
    "fight.distance.lunging.penalty",
    "fight.distance.lunging.defense_exempt",
    "fight.distance.optimal.no_penalty",
    "fight.stance.favored",
    "fight.stance.neutral_moves",
    "fight.stance.aggressive_defense",
    "fight.stance.aggressive_speed_nd",
    "fight.stance.defensive_attack",
    "fight.amb.aggressive_avoid_scripted",
    "fight.amb.feint_free_strike",
    "fight.amb.feint_vs_block_and_strike",
    "fight.amb.lock_base",
    "fight.amb.outside_riposte",
    "fight.amb.counterstrike_unlisted",
    "fight.amb.counterstrike_nd_beat",
    "fight.amb.counterstrike_penalties",
    "fight.amb.push_vs_push_nd",
    "fight.amb.block_and_strike_block_scope",
    "fight.amb.block_and_strike_defensive",
    "fight.amb.great_strike_block",
    "fight.block_and_strike.counts_as_strike",
    "fight.block_and_strike.vs_feint",
    "fight.block_and_strike.stance",
)
@pytest.mark.parametrize("actor", ACTORS)
def test_every_action_does_what_its_text_says_against_every_other(actor):
    for opponent, (distance, stances) in product(COLUMNS, PLACES):
        shots = "shoot_or_throw_object" in (actor, opponent)
        if shots and (distance, stances) != ("optimal", NEUTRAL):
            continue  # where he stands and how changes nothing about them
        one, other = Side("ann", actor, stances[0]), Side("bob", opponent, stances[1])
        expected = at_each_other(one, other, distance)
        if shots:
            expected = without_shots(expected, one, other)
        assert played(one, other, distance) == expected, (opponent, distance, stances)


def without_shots(odds: Odds, one: Side, other: Side) -> Odds:
    """What is not about somebody who is shot at: the shot itself is told elsewhere."""
    shot = {
        foe.name for me, foe in ((one, other), (other, one)) if me.action == "shoot_or_throw_object"
    }
    found: Odds = {}
    for effects, weight in odds.items():
        key = frozenset(each for each in effects if each[0] not in shot)
        found[key] = found.get(key, Fraction(0)) + weight
    return found
