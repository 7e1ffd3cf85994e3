"""Positioning: who is how far from whom, tested at the top of every volley.

A section of the chapter on Fight! (``conflicts/fight/fight``). Everybody tests at once; the dice
are in ``footing``, Charges in ``charge``. With more than
two fighters each pair of opponents compares its results (fight.amb.many_fighters).
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from astragal.play import Line, Step, call, choose, note, tell, unheard

from ...sheet.facts import DiceGathered
from ...tests.tests import open_result
from .after_missiles import sets_distance, settle_missiles
from .charge import (
    Charge,
    ability_against,
    avoided_of,
    charged,
    chargers,
    gather_charge,
    into_neutral,
    share_avoids,
)
from .distance import Distance, distance_at, gap_for, stepped
from .fallen_weapons import LONGEST_STEP, reach_for_weapons, wants_to_win
from .first_weapons import bind_first_weapons, name_first_weapons
from .footing import FootingDice, distance_from, footing_dice, gather_footing, length_of, log_roll
from .footing_rolls import FootingRoll, only_dice, ready_footing, throw_footing, with_moves
from .gathering import RollKind, is_immobilized, is_usable, spent
from .hesitation import PositioningLimit, may_position
from .mounted import mover
from .mounted_footing import gather_mover
from .remembered_parts import for_positioning, put_back
from .rider_targets import meets_charge
from .saddle_weapons import outran
from .state import Fight, Gap, Positioning

# --- The first test --------------------------------------------------------------------------


def engage(fight: Fight) -> Step[Fight]:
    """The one test before any script is written sets the distances at which they begin.

    fight.position.start.test, fight.position.start.then_script. Whoever wins names the distance
    for his own weapon, from each opponent who has fewer successes.
    """
    fight = yield from name_first_weapons(fight)
    fight = _all_outside(fight)
    dice = yield from footing_dice(fight, at_start=True)
    rolls = [FootingRoll(each.character, Positioning.CLOSE) for each in fight.standing]
    rolls, fight = yield from _throw(fight, rolls, dice, {}, "first positioning")
    by_name = {roll.character: roll for roll in rolls}
    pairs = tuple((by_name[gap.one], by_name[gap.other]) for gap in fight.pairs())
    yield from _tell_winners(fight, pairs)
    for each in sorted(rolls, key=lambda roll: -roll.counts):
        beaten = tuple(
            other for other in fight.opponents(each.character) if each.beats(by_name[other])
        )
        if beaten:
            fight = yield from _name_distance(fight, each.character, beaten)
    for gap in tuple(fight.pairs()):
        one, other = by_name[gap.one], by_name[gap.other]
        if not (one.beats(other) or other.beats(one)):
            fight = yield from _tied_start(fight, gap)
    fight = bind_first_weapons(fight, dice)
    lost = {o for each in rolls for o in fight.opponents(each.character) if each.beats(by_name[o])}
    fight = yield from settle_missiles(fight, lost)
    return msgspec.structs.replace(fight, engaged=in_reach(fight))


def _all_outside(fight: Fight) -> Fight:
    """Everybody out of everybody's reach; pairs that have a gap already keep it."""
    gaps = {frozenset((gap.one, gap.other)): gap for gap in fight.gaps}
    for each in fight.standing:
        for other in fight.opponents(each.character):
            lengths = [length_of(fight, name) for name in (each.character, other)]
            far = max(gap_for(Distance.OUTSIDE, length) for length in lengths)
            pair = frozenset((each.character, other))
            gaps.setdefault(pair, Gap(each.character, other, far))
    return msgspec.structs.replace(fight, gaps=tuple(gaps.values()))


def join_outside(fight: Fight) -> Fight:
    """The fight with those who have joined it out of everybody's reach."""
    return _all_outside(fight)


def _name_distance(fight: Fight, winner: str, beaten: tuple[str, ...]) -> Step[Fight]:
    """Outside, lunging or optimal, never inside (fight.position.start.not_inside)."""
    rule = "fight.position.start.not_inside"
    name = fight.name(winner)
    chosen = yield from choose(
        fight.seat(winner),
        "starting_distance",
        f"{name}: starting distance",
        {
            distance.value: distance.value.capitalize()
            for distance in (Distance.OPTIMAL, Distance.LUNGING, Distance.OUTSIDE)
        },
        default=Distance.OPTIMAL.value,
        because=rule,
    )
    gap = gap_for(Distance(chosen), length_of(fight, winner))
    for other in beaten:
        fight = fight.moved(winner, other, gap)
    return fight


def _tied_start(fight: Fight, gap: Gap) -> Step[Fight]:
    """After a tie both start outside, or at lunging by house rule (fight.amb.start_tie).

    Lunging is that of the longer weapon. A bowman who has lost the last test at range names it.
    """
    for one, other in ((gap.one, gap.other), (gap.other, gap.one)):
        if sets_distance(fight, one) and not sets_distance(fight, other):
            return (yield from _name_distance(fight, one, (other,)))
    both = f"{fight.name(gap.one)} and {fight.name(gap.other)} tie"
    if fight.table.options["fight_start_tie"] == "outside":
        yield from note(f"{both}: they begin outside striking distance.", "fight.amb.start_tie")
        return fight
    lengths = [length_of(fight, name) for name in (gap.one, gap.other)]
    far = max(gap_for(Distance.LUNGING, length) for length in lengths)
    yield from note(f"{both}: they begin at lunging distance.", "fight.amb.start_tie")
    return fight.moved(gap.one, gap.other, far)


# --- At the top of a volley ------------------------------------------------------------------


def position(fight: Fight, *, heard: bool = True) -> Step[Fight]:
    """The positioning test of a volley, played with what it depends on where nobody hears it."""
    narrow = None if heard else for_positioning(fight)
    if narrow is None:
        return (yield from positioned(fight))
    return put_back(fight, narrow, (yield from call(positioned, narrow)))


def positioned(fight: Fight) -> Step[Fight]:
    """The positioning test of a volley, and what it does to the distances.

    Before any other action of the volley (fight.position.when, fight.sequence.4_position), among
    all who fight (fight.position.versus_all). Everybody's choice is in ``moves``. The penalty of
    an Avoid and of moving quickly is on actions, not on this test.
    """
    fight = yield from _bound(fight)
    charges = yield from chargers(fight)
    dice = yield from footing_dice(fight)
    gathered: dict[str, Charge] = {}
    for character, target, tackles in charges:
        fight = into_neutral(fight, character)
        first = all(each.target != target or each.avoid is None for each in gathered.values())
        gathered[character] = yield from gather_charge(
            fight, character, target, dice[character], tackles=tackles, avoids=first
        )
    rolls = [FootingRoll(each.character, _moves(fight, each.character)) for each in fight.standing]
    rolls, fight = yield from _throw(fight, rolls, dice, gathered, "positioning")
    by_name = {roll.character: roll for roll in rolls}
    for each in fight.standing:  # hindrances that wait for a positioning test are used up
        if by_name[each.character].attempt is not None:
            fight = spent(fight, each.character, RollKind.POSITION)
        if each.beaten:
            fight = fight.change(each.character, beaten=False)
    fight = yield from _settle_charges(fight, by_name, gathered)
    won = {name: 1 for name in gathered if not fight.fighter(name).is_hesitating}
    for name, charge in gathered.items():
        if by_name[charge.target].beats(by_name[name]):  # with the positioning test alone
            won[charge.target] = _margin(by_name[charge.target], by_name[name])
        fight = yield from _outmaneuvered(fight, by_name[charge.target], by_name[name], gathered)
    others = [gap for gap in fight.pairs() if not _is_charge(gap, gathered)]
    yield from _tell_winners(fight, [(by_name[gap.one], by_name[gap.other]) for gap in others])
    for gap in tuple(fight.pairs()):
        if not _is_charge(gap, gathered):
            one, other = by_name[gap.one], by_name[gap.other]
            fight, winner = yield from _compare(fight, one, other)
            loser = gap.other if winner == gap.one else gap.one
            if winner:
                margin = _margin(by_name[winner], by_name[loser])
                won[winner] = max(margin, won.get(winner, 0))
            fight = outran(fight, winner, loser)
    return (yield from reach_for_weapons(fight, won))


def _moves(fight: Fight, character: str) -> Positioning:
    moves = fight.fighter(character).moves
    return Positioning.MAINTAIN if moves is None else moves


def _bound(fight: Fight) -> Step[Fight]:
    """What hesitation and Locks leave of everybody's choice.

    fight.hesitation.zero_dice_position, fight.hesitation.run_withdraw. A victim of a Lock cannot
    Withdraw (fight.lock.inside); a holder who does lets go (fight.amb.lock_holder_withdraws).
    """
    for each in fight.standing:
        limit = may_position(fight, each.character)
        if limit is PositioningLimit.NO_DICE:
            fight = fight.change(each.character, moves=Positioning.MAINTAIN)
        elif limit is PositioningLimit.MUST_WITHDRAW:
            fight = fight.change(each.character, moves=Positioning.WITHDRAW)
        if _moves(fight, each.character) is not Positioning.WITHDRAW:
            continue
        if fight.lock_on(each.character):
            text = f"{fight.name(each.character)} is held and cannot withdraw."
            yield from note(text, "fight.lock.inside")
            fight = fight.change(each.character, moves=Positioning.MAINTAIN)
        elif any(lock.holder == each.character for lock in fight.locks):
            text = f"{fight.name(each.character)} withdraws and lets go."
            yield from note(text, "fight.amb.lock_holder_withdraws")
            locks = tuple(lock for lock in fight.locks if lock.holder != each.character)
            fight = msgspec.structs.replace(fight, locks=locks)
    return fight


def _throw(
    fight: Fight,
    rolls: list[FootingRoll],
    dice: dict[str, FootingDice],
    charges: dict[str, Charge],
    what: str,
) -> Step[tuple[list[FootingRoll], Fight]]:
    """Gather everybody's dice and throw them together; the tests are logged.

    Whoever has dice throws them, unless nobody is there to be tested against.
    """
    charged_at = {charge.target for charge in charges.values()}
    for at, roll in enumerate(rolls):
        if roll.character in charges:
            rolls[at] = msgspec.structs.replace(roll, attempt=charges[roll.character].attempt)
        elif _throws(fight, roll, rolls):
            lines = _lines(fight, roll.character, dice[roll.character])
            ability = "Speed"
            on_foot = False
            if roll.character in charged_at:
                who = yield from meets_charge(fight, roll.character)
                ability = yield from ability_against(fight, roll.character, who)
                on_foot = who == roll.character
            if on_foot and fight.mount(roll.character):  # the rider alone, without the mount's dice
                lines = dice[roll.character].further
                attempt = yield from call(gather_footing, fight, roll.character, ability, lines)
            else:
                attempt, fight = yield from gather_mover(fight, roll.character, ability, lines)
            rolls[at] = msgspec.structs.replace(roll, attempt=attempt)
    avoids = [charge.avoid for charge in charges.values() if charge.avoid is not None]
    attempts = [roll.attempt for roll in rolls if roll.attempt is not None]
    quiet = yield from unheard()
    if not quiet:
        for each in (*attempts, *avoids):
            against = each.penalties if each.penalties.lines else None
            name = fight.name(each.agreed.character)
            yield from tell(DiceGathered(f"{name}, {what},", each.all_dice, against))
    bare = quiet and not fight.series and not charges  # all that come to the same are one case
    thrown_rolls = tuple(map(only_dice, rolls) if bare else rolls)
    result = yield from call(throw_footing, ready_footing(fight, thrown_rolls, charges, what))
    rolls = with_moves(result.rolls, rolls) if bare else list(result.rolls)
    thrown = iter(result.avoids)
    for charger, charge in charges.items():
        if charge.avoid is not None:
            successes = next(thrown)
            charges[charger] = msgspec.structs.replace(charge, avoided=successes)
            stood = next(roll.counts for roll in rolls if roll.character == charger)
            passed = open_result(successes.successes, charge.avoid) >= stood
            fight = yield from log_roll(fight, charge.avoid, successes, stood, passed=passed)
    for roll in rolls:
        if roll.attempt is not None and roll.thrown is not None:
            rivals = [other for other in rolls if _are_rivals(fight, roll, other)]
            best = max((other.counts for other in rivals), default=0)
            if roll.character in charges:  # an Avoid stands against it as well
                met = next(o.counts for o in rolls if o.character == charges[roll.character].target)
                best = max(best, met + avoided_of(charges[roll.character], charges))
            passed = roll.counts > best or (roll.counts == best and bool(roll.over))
            fight = yield from log_roll(fight, roll.attempt, roll.thrown, best, passed=passed)
    return rolls, fight


def _throws(fight: Fight, roll: FootingRoll, rolls: list[FootingRoll]) -> bool:
    """Whether a fighter rolls: he positions, has dice, and somebody has not let him come.

    To Maintain against those who have no dice nothing is rolled: nobody changes the distance
    (extended_example.hesitate.auto_maintain).
    """
    if roll.declines or not _has_dice(fight, roll):
        return False
    rivals = [other for other in rolls if _are_rivals(fight, roll, other) and not other.declines]
    if roll.moves is not Positioning.MAINTAIN or wants_to_win(fight, roll.character):
        return bool(rivals)
    return any(_has_dice(fight, other) for other in rivals)


def _has_dice(fight: Fight, roll: FootingRoll) -> bool:
    """Whether a fighter has dice for a positioning test.

    None who hesitates (fight.hesitation.zero_dice_position) or is held and helpless
    (fight.lock.immobilized); one who charges has them anyway.
    """
    if roll.attempt is not None:
        return True
    if may_position(fight, roll.character) is PositioningLimit.NO_DICE:
        return False
    if is_immobilized(fight, roll.character):
        return False
    return is_usable(fight, mover(fight, roll.character), "Speed", RollKind.POSITION)


def _are_rivals(fight: Fight, roll: FootingRoll, other: FootingRoll) -> bool:
    return fight.fighter(roll.character).side != fight.fighter(other.character).side


def _lines(fight: Fight, character: str, dice: FootingDice) -> tuple[Line, ...]:
    """The dice of a fighter; running screaming leaves those for body and Reflexes.

    fight.hesitation.run_withdraw, fight.amb.run_screaming_dice.
    """
    runs = may_position(fight, character) is PositioningLimit.MUST_WITHDRAW
    return dice.own if runs else dice.lines


# --- What comes of it ------------------------------------------------------------------------


def _is_charge(gap: Gap, charges: dict[str, Charge]) -> bool:
    return any(gap.has(charge.character, charge.target) for charge in charges.values())


def _settle_charges(
    fight: Fight, rolls: dict[str, FootingRoll], charges: dict[str, Charge]
) -> Step[Fight]:
    """Each Charge against the target's positioning and Avoid; two Charges against each other.

    Natural Defenses take successes away, and as many foil it (fight.nd.versus_subtract,
    fight.nd.tie_foils). Who hesitates or lets them come has none (fight.nd.none_when_hesitating,
    fight.amb.let_come_charge). Of two who charge each other the one with more succeeds, and the
    other has failed (fight.amb.mutual_charge).
    """
    needs = {
        name: max(0, rolls[name].counts - rolls[charge.target].counts)
        for name, charge in charges.items()
    }
    avoided, fight = yield from share_avoids(fight, tuple(charges.values()), needs)
    for charge in charges.values():
        resisted = rolls[charge.target].counts + avoided.get(charge.character, 0)
        margin = rolls[charge.character].counts - resisted
        if not margin and charge.target in rolls[charge.character].over:
            margin = 1  # beliefs.trait.call_on.break_tie
        fight = yield from charged(fight, charge, margin)
    return fight


def _outmaneuvered(
    fight: Fight, target: FootingRoll, charger: FootingRoll, charges: dict[str, Charge]
) -> Step[Fight]:
    """The target of a Charge who has won with the positioning test alone has his way.

    A Charge is a positioning test, and its loser has no say (fight.charge.is_close,
    fight.position.lose). So may a lance win its Close.
    """
    if not target.beats(charger):
        return fight
    fight = outran(fight, target.character, charger.character)
    back = charges.get(target.character)
    if back is not None and back.target == charger.character:  # his own Charge has settled it
        return fight
    margin = _margin(target, charger)
    return (yield from _take_effect(fight, target, charger.character, margin))


def _compare(fight: Fight, one: FootingRoll, other: FootingRoll) -> Step[tuple[Fight, str]]:
    """Two opponents: the winner's intent takes effect, and the loser has no say.

    fight.position.lose. A tie leaves the distance as it was (fight.position.tie). Who declines
    lets the other's intent succeed (fight.position.let_them_come); if both do, nothing changes
    (fight.amb.let_come_charge). The winner is empty where there is none.
    """
    if one.declines and other.declines:
        return fight, ""
    if one.declines or other.declines:
        comer, waiter = (other, one) if one.declines else (one, other)
        return (yield from _take_effect(fight, comer, waiter.character, 1)), comer.character
    for winner, loser in ((one, other), (other, one)):
        if winner.beats(loser):
            margin = _margin(winner, loser)
            moved = yield from _take_effect(fight, winner, loser.character, margin)
            return moved, winner.character
    return fight, ""


def _tell_winners(fight: Fight, pairs: Iterable[tuple[FootingRoll, FootingRoll]]) -> Step[None]:
    """Who wins a positioning test against whom: the successes, less penalties, that are compared.

    fight.position.versus_all. Who lets the others come has lost without a roll. Against somebody
    without dice a roll has to cover its own penalties (fight.hesitation.zero_dice_position).
    """
    if (yield from unheard()):
        return
    said = []
    for one, other in pairs:
        if one.attempt is other.attempt is None or one.declines or other.declines:
            continue
        won, lost = (other, one) if other.beats(one) else (one, other)
        does = "ties with"
        if won.beats(lost):
            does = "wins against"
        elif won.attempt is None or lost.attempt is None:
            won, lost = (other, one) if one.attempt is None else (one, other)
            does = "falls short of the penalties against"
        by = f"{won.counts} to {lost.counts}" if lost.attempt is not None else "who has no dice"
        said.append(f"{fight.name(won.character)} {does} {fight.name(lost.character)}, {by}")
    if said:
        yield from note(f"Position: {'; '.join(said)}.", "fight.position.versus_all")


def _margin(winner: FootingRoll, loser: FootingRoll) -> int:
    """By how much a test was won: by one at least, as after a tie that a trait has broken.

    Who lets the other come is beaten by no more than that (fight.position.let_them_come).
    """
    return 1 if loser.declines else max(1, winner.counts - loser.counts)


def _take_effect(fight: Fight, winner: FootingRoll, loser: str, margin: int) -> Step[Fight]:
    """The winner comes nearer, goes back or keeps the distance, counted for his own weapon.

    fight.position.win.close, fight.position.win.withdraw, fight.position.win.maintain,
    fight.position.win.own_weapon, fight.amb.one_step_or_optimal.
    """
    if winner.moves is Positioning.MAINTAIN:
        return fight
    one = winner.character
    length = length_of(fight, one)
    now = distance_at(fight.gap(one, loser), length)
    sign = 1 if winner.moves is Positioning.CLOSE else -1
    steps = yield from _steps(fight, one, loser, now, sign, margin)
    new = stepped(now, sign * steps)
    if new is now:  # already as near or as far as can be
        return fight
    return fight.moved(one, loser, gap_for(new, length))


def _steps(
    fight: Fight, winner: str, loser: str, now: Distance, sign: int, margin: int
) -> Step[int]:
    """One step, or up to two after winning by two or more (fight.position.win_by_two)."""
    one, two = stepped(now, sign), stepped(now, 2 * sign)
    if margin < LONGEST_STEP or one is two:
        return 1
    rule = "fight.position.win_by_two"
    default = 1 if one is Distance.OPTIMAL else 2
    said = yield from choose(
        fight.seat(winner),
        "steps",
        f"{fight.name(winner)} against {fight.name(loser)}: how far?",
        {"1": f"One step: {one.value}", "2": f"Two steps: {two.value}"},
        default=str(default),
        because=rule,
    )
    return int(said)


def in_reach(fight: Fight) -> bool:
    """Whether anybody is within his own striking distance of an opponent.

    fight.amb.fight_over_who.
    """
    for each in fight.standing:
        for other in fight.opponents(each.character):
            if distance_from(fight, each.character, other) is not Distance.OUTSIDE:
                return True
    return False
