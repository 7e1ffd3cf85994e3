"""One slot of a volley: all its actions at once, from the dice to the wounds.

A section of the chapter on Fight! (``conflicts/fight/fight``). Everything is gathered first, then
all dice are thrown (fight.roll.after_all_announced), and only then does anything come about
(fight.simultaneous.same_slot).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from astragal.play import Step, all_foregone, call, note, tell

from ...armor.shields import wear_shield
from ...sheet.facts import TestCame
from ...sheet.words import counted
from ...tests.conclusions import after_test, pay_for
from ...weapons.openings import FAVORS
from .acts import broken_off
from .casting import cast_on, take_effects
from .clash import AttackResult, Incoming, IncomingResult, MomentRoll, succeeds, throw_moment
from .consequences import MomentEffect, apply_effects
from .gathering import RollKind, spent
from .getting_ready import ESCAPE, ReadyMoment, make_ready
from .grappling import LABELS, holders_let_go, loosen, push_effects, throw_effects
from .harm import Harm, apply_harm
from .interactions import DEFENCES, NO_ACTION, is_attack, meeting
from .interruptions import after_moment
from .matching import MomentPlan, PlannedAttack, possible
from .other_actions import carry_out
from .prayers import pray_with
from .remembered_parts import are_apart, for_clash, is_idle, put_back
from .rider_targets import LancePush, pushed_by_lance, struck, unhorse
from .saddle_weapons import counters_late, lance_used, spear_left_behind
from .shots import shoot
from .stances import changes_to
from .state import Fight, FightDeed
from .strikes import blow_damage, broken_by_power, harm_of

SHOOT = "shoot_or_throw_object"


def play_moment(fight: Fight, deeds: tuple[FightDeed, ...], *, heard: bool = True) -> Step[Fight]:
    """All deeds of one slot: matched, rolled together, and then applied.

    Attacks in the same slot do not stop each other, so that both may fall
    (fight.simultaneous.both_can_succeed); a riposte is made even by one who is felled
    (fight.amb.riposte_if_felled).
    """
    before = fight
    met = yield from clash(fight, deeds) if heard else clashes(fight, deeds)
    fight = met.fight
    if met.harms:
        fight = yield from _suffer(fight, met.harms, met.late)
    return (yield from after_moment(before, fight, met.harms))


class MomentClash(msgspec.Struct, frozen=True, cache_hash=True):
    """A moment in which all is done but the harm: what that is, and whose comes ``late``."""

    fight: Fight
    harms: tuple[Harm, ...] = ()
    late: tuple[str, ...] = ()


def clashes(fight: Fight, deeds: tuple[FightDeed, ...]) -> Step[MomentClash]:
    """All deeds of a moment that nobody hears of, each with nothing but what it depends on."""
    deeds = tuple([possible(fight, deed) for deed in deeds])
    parts: tuple[tuple[FightDeed, ...], ...] = (deeds,)
    if are_apart(fight, deeds) and (yield from all_foregone(FAVORS)):
        parts = tuple([(deed,) for deed in deeds])
    parts = tuple([part for part in parts if len(part) != 1 or not is_idle(fight, part[0])])
    narrowed = [(part, for_clash(fight, part)) for part in parts]
    come = MomentClash(fight)
    for part, narrow in narrowed:
        if narrow is None:
            return (yield from clash(fight, deeds))
        met = yield from call(clash, narrow, part)
        whole = put_back(come.fight, narrow, met.fight)
        come = MomentClash(whole, come.harms + met.harms, come.late + met.late)
    return come


def clash(fight: Fight, deeds: tuple[FightDeed, ...]) -> Step[MomentClash]:
    """Everything that is done in a moment, up to the harm that comes of it."""
    fight = yield from holders_let_go(fight, deeds)
    ready = yield from call(make_ready, fight, deeds)
    before = fight
    fight = yield from cast_on(fight, ready.plan.deeds)
    fight = yield from pray_with(fight, ready.plan.deeds)
    harms: tuple[Harm, ...] = ()
    for deed in ready.plan.deeds:
        if deed.action == SHOOT:
            fight, more = yield from shoot(fight, deed)
            harms += more
    results = yield from throw_moment(ready.incoming)
    come = yield from settle(before, ready, results)
    for deed in ready.plan.deeds:
        fight = yield from _own_part(fight, deed)
    fight = yield from _log(fight, ready, results)
    fight = yield from apply_effects(fight, come.effects)
    for character, successes in escapes(ready, results):
        fight = yield from loosen(fight, character, successes)
    fight, thrown = yield from take_effects(fight, _avoids(before, ready, results))
    fight, falls = yield from unhorse(fight, come.pushes)
    harms += come.harms + thrown + falls
    return MomentClash(fight, harms, counters_late(before, ready.plan.deeds))


def _suffer(fight: Fight, harms: tuple[Harm, ...], late: tuple[str, ...]) -> Step[Fight]:
    """All harm of a moment; a lance and its damage come before the ``late`` counter.

    riding.lance.vs_counterstrike: which is left out if its maker cannot act any more.
    """
    fight = yield from apply_harm(fight, tuple(harm for harm in harms if harm.by not in late))
    for name in late:
        fighter = fight.fighter(name)
        after = tuple(harm for harm in harms if harm.by == name)
        if fighter.out or fighter.is_hesitating:
            text = f"{fight.name(name)} cannot answer the lance any more."
            yield from note(text, "riding.lance.vs_counterstrike")
        else:
            fight = yield from apply_harm(fight, after)
    return fight


def _avoids(
    fight: Fight, ready: ReadyMoment, results: tuple[IncomingResult, ...]
) -> dict[FightDeed, int | None]:
    """The Avoids of a moment, with their successes as far as they were rolled."""
    rolled = {deed.character: fight.fighter(deed.character).avoided for deed in ready.plan.deeds}
    rolled |= {
        incoming.target: result.defence
        for incoming, result in zip(ready.incoming, results, strict=True)
        if incoming.defence is not None and incoming.target not in ready.escaping
    }
    return {deed: rolled.get(deed.character) for deed in ready.plan.deeds if deed.action == "avoid"}


def _own_part(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """What a deed does by itself, and what it uses up or breaks off."""
    if deed.action == "avoid" and fight.fighter(deed.character).avoided is not None:
        fight = fight.change(deed.character, avoided=None)
    if deed.action == SHOOT:
        return fight
    if deed.card != ESCAPE and (deed.action == "non_martial" or changes_to(deed.card) is not None):
        kind = RollKind.DEFENCE if deed.action in DEFENCES else RollKind.OTHER
        fight = yield from carry_out(fight, deed)
        return spent(fight, deed.character, kind, deed.action)
    if deed.by:  # it breaks off nothing of the rider's
        return spent(fight, deed.by, RollKind.DEFENCE, deed.action)
    fight = lance_used((yield from spear_left_behind(fight, deed)), deed)
    kind = RollKind.OTHER
    if deed.action in DEFENCES:
        kind = RollKind.DEFENCE
    elif is_attack(deed.action):
        kind = RollKind.ATTACK
    sets = fight.fighter(deed.character).ready.sets
    fight = spent(broken_off(fight, deed), deed.character, kind, deed.action, deed.way)
    if deed.action == "great_strike_set":  # it stands directly before the blow, or before another
        ready = msgspec.structs.replace(fight.fighter(deed.character).ready, sets=sets)
        fight = fight.change(deed.character, ready=ready)
    return fight


# --- What comes of the dice --------------------------------------------------------------------


class MomentResult(msgspec.Struct, frozen=True):
    """What comes of a moment, before any of it is applied."""

    effects: tuple[MomentEffect, ...] = ()
    harms: tuple[Harm, ...] = ()
    pushes: tuple[LancePush, ...] = ()


def settle(
    fight: Fight, ready: ReadyMoment, results: tuple[IncomingResult, ...]
) -> Step[MomentResult]:
    """What each action does, by its line of the table and what is left of its successes."""
    come = MomentResult(_of_themselves(ready.plan))
    for attack, roll, result, target in _attacks(ready, results):
        more = yield from _done(fight, attack, roll, result, target)
        pushes = come.pushes + more.pushes
        come = MomentResult(come.effects + more.effects, come.harms + more.harms, pushes)
    return come


def _attacks(
    ready: ReadyMoment, results: tuple[IncomingResult, ...]
) -> Iterator[tuple[PlannedAttack, MomentRoll, AttackResult, str]]:
    """Each attack with its dice and how it came out."""
    by_target = {result.target: result for result in results}
    for incoming, planned in zip(ready.incoming, ready.attacks, strict=True):
        if not planned:
            continue
        came = by_target[incoming.target].attacks
        for attack, roll, result in zip(planned, incoming.attacks, came, strict=True):
            yield attack, roll, result, incoming.target


def _of_themselves(plan: MomentPlan) -> tuple[MomentEffect, ...]:
    """What comes about whatever the dice say: Feints that work or do not, and a Set.

    fight.feint.useless; the Feinter keeps his Natural Defenses (fight.feint.keeps_nd).
    """
    found = [MomentEffect("drools", each) for each in plan.drooling]
    for each in plan.attacks:
        drawn = each.met.does("hesitates")
        if drawn is not None:
            whom = each.deed.character if drawn.on_actor else each.deed.target
            found.append(MomentEffect("hesitates", whom, each.deed.character))
    found += [
        MomentEffect("great_strike_ready", deed.character, deed.character)
        for deed in plan.deeds
        if meeting(deed.action, NO_ACTION).does("great_strike_ready")
    ]
    return tuple(found)


def _done(
    fight: Fight, attack: PlannedAttack, roll: MomentRoll, result: AttackResult, target: str
) -> Step[MomentResult]:
    """What one attack does to its target."""
    deed = msgspec.structs.replace(attack.deed, character=roll.character, target=target)
    if roll.swing is not None:
        damage = yield from blow_damage(fight, roll, result)
        if damage is None:
            return MomentResult()
        whom, damage = struck(fight, target, damage)
        hit = MomentEffect("hit", whom, roll.character, damage=damage)
        push = pushed_by_lance(fight, roll, result, target) if whom == target else None
        pushes = () if push is None else (push,)
        return MomentResult((hit,), (harm_of(fight, roll, whom, damage),), pushes)
    if deed.action == "push":
        return MomentResult((yield from push_effects(fight, deed, result.margin)))
    if deed.action == "throw_opponent":
        thrown = yield from throw_effects(fight, deed, result.margin)
        return MomentResult(thrown.effects, thrown.harms)
    return MomentResult(_by_the_table(attack, deed, result.margin))


def _by_the_table(attack: PlannedAttack, deed: FightDeed, margin: int) -> tuple[MomentEffect, ...]:
    """Beat and Bind, Lock and Disarm do what their lines say.

    fight.beat.win, fight.beat.win_by_two, fight.beat.defender_wins, fight.lock.effect,
    fight.disarm.success, fight.disarm.farther.
    """
    found = []
    for step in attack.met.consequences:
        times = step.times(margin)
        if not times or step.step == "weapon_a_distance_farther":
            continue
        amount = times * step.amount
        if step.step == "weapon_away":
            farther = attack.met.does("weapon_a_distance_farther")
            amount = 0 if farther is None else farther.times(margin)
        found.append(MomentEffect(step.step, deed.target, deed.character, amount))
    return tuple(found)


def escapes(ready: ReadyMoment, results: tuple[IncomingResult, ...]) -> tuple[tuple[str, int], ...]:
    """Who struggles with a Lock, and with how many successes."""
    return tuple(
        (result.target, result.defence) for result in results if result.target in ready.escaping
    )


# --- The log -----------------------------------------------------------------------------------


def _log(fight: Fight, ready: ReadyMoment, results: tuple[IncomingResult, ...]) -> Step[Fight]:
    """Say how the rolls came out, pay for artha, log the tests, and damage shields.

    Every roll against what stood against it (advancement.versus.opponents_successes); of all
    rolls of an ability in a fight the hardest counts (fight.xref.one_test_per_fight).
    """
    by_target = {each.target: each for each in ready.incoming}
    for result in results:
        incoming = by_target[result.target]
        if not incoming.logged:  # a rehearsal: paid for, but not logged
            fight = yield from _paid(fight, incoming, result)
            continue
        for at, roll in enumerate(incoming.rolls):
            fight = yield from _logged(fight, ready, incoming, result, at, roll)
        for roll, came in zip(incoming.attacks, result.attacks, strict=True):
            fight = yield from broken_by_power(fight, roll, came)
        if result.ones and incoming.defence is not None:
            shade = incoming.defence.shade
            table, _ = yield from wear_shield(fight.table, result.target, result.ones, shade)
            fight = fight.at(table)
    return fight


def _paid(fight: Fight, incoming: Incoming, result: IncomingResult) -> Step[Fight]:
    """What was spent on rolls that are not logged is gone all the same."""
    table = fight.table
    for roll, throw in zip(incoming.rolls, result.throws, strict=False):
        table = yield from pay_for(roll.attempt, throw, table)
    return fight.at(table)


def _is_needless(incoming: Incoming, result: IncomingResult, roll: MomentRoll) -> bool:
    """Whether Natural Defenses have nothing to resist: the Lock does not meet its own penalties.

    extended_example.lock.obstacle_unmet. All dice of a moment are thrown at once, so these lie on
    the table, but they are no test.
    """
    return any(
        roll is natural
        and attack.what.endswith(f", {LABELS['lock']}")
        and came.successes < attack.obstacle.total
        for attack, natural, came in zip(
            incoming.attacks, incoming.natural, result.attacks, strict=True
        )
    )


def _verdict(roll: MomentRoll, came: AttackResult) -> str:
    """How an attack came out, with what a defence has left of it (fight.avoid.partial)."""
    if not succeeds(roll, came):
        verdict = "It fails."
    elif roll.swing is not None:
        verdict = "It hits."
    else:
        verdict = "It works." if roll.base else f"Won by {came.margin}."
    if not roll.base or not came.taken:
        return verdict
    left = max(0, came.successes - came.taken)
    return f"{verdict} {counted(left, 'success')} left after the defence."


class _Told(NamedTuple):
    """How one roll of a moment came out: what stood against it, and whether it did its part."""

    against: int
    passed: bool
    verdict: str


def _told(
    fight: Fight,
    ready: ReadyMoment,
    incoming: Incoming,
    result: IncomingResult,
    at: int,
) -> _Told:
    """The roll with that number of all that come at one fighter.

    What defences take from a Strike counts as added to its obstacle
    (extended_example.strike.defense_raises_obstacle).
    """
    roll = incoming.rolls[at]
    if at < len(incoming.attacks):
        came = result.attacks[at]
        return _Told(roll.base + came.taken, succeeds(roll, came), _verdict(roll, came))
    faced = _faced(incoming, result, at)
    against, what = max((each.successes for each in faced), default=0), "attack"
    if result.target in ready.escaping and roll is incoming.defence:
        against, what = fight.lock_on(result.target), "Lock"
    counts = roll.extra(result.throws[at].successes)
    verdict = f"Reduces the {what} by {counts}." if counts else f"Does not reduce the {what}."
    return _Told(against, counts >= against, verdict)


def _faced(incoming: Incoming, result: IncomingResult, at: int) -> tuple[AttackResult, ...]:
    """The attacks that a roll stands against, by its number: its own, or all that a defence stops.

    advancement.versus.opponents_successes.
    """
    rolled = [n for n, natural in enumerate(incoming.natural) if natural is not None]
    place = at - len(incoming.attacks)
    if place < len(rolled):
        return (result.attacks[rolled[place]],)
    both = zip(result.attacks, incoming.stops, strict=True)
    return tuple(attack for attack, stops in both if stops)


def tell_rolls(fight: Fight, ready: ReadyMoment, results: tuple[IncomingResult, ...]) -> Step[None]:
    """Say how the rolls of a moment came out, without paying for anything or logging it."""
    by_target = {each.target: each for each in ready.incoming}
    for result in results:
        incoming = by_target[result.target]
        for at, roll in enumerate(incoming.rolls):
            told = _told(fight, ready, incoming, result, at)
            successes = result.throws[at].successes
            yield from tell(TestCame(roll.what, successes, told.verdict, told.passed))


def _logged(
    fight: Fight,
    ready: ReadyMoment,
    incoming: Incoming,
    result: IncomingResult,
    at: int,
    roll: MomentRoll,
) -> Step[Fight]:
    """One roll: told, paid for and logged."""
    throw = result.throws[at]
    if _is_needless(incoming, result, roll):
        rule = "extended_example.lock.obstacle_unmet"
        yield from note(f"{roll.what}: not needed, as the Lock falls short.", rule)
        return fight.at((yield from pay_for(roll.attempt, throw, fight.table)))
    against, passed, verdict = _told(fight, ready, incoming, result, at)
    yield from tell(TestCame(roll.what, throw.successes, verdict, passed))
    rolled = msgspec.structs.replace(roll.attempt, dice=roll.attempt.dice + roll.shield.lines)
    obstacle = against + roll.obstacle.total - roll.base
    table, _ = yield from after_test(
        rolled, throw, obstacle, fight.table, passed=passed, base=max(1, against)
    )
    return fight.at(table)
