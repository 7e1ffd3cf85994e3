"""One volley: everything is announced, then everybody positions, then slot follows slot.

A section of the chapter on Fight! (``conflicts/fight/fight``), in the order of its sequence. What
the actions of one slot do to each other is in ``moment``.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from astragal.play import Step, unheard

from .acts import lost as lose
from .announcing import STRIKES, announce, keeps_defenses, name_targets
from .cards import DROOL, READY, action_of
from .casting import take_effects
from .charge import CHARGES
from .footing import named_way
from .forfeits import Scripts, plan_for, react
from .harm import apply_harm
from .hesitation import hesitate, pass_action
from .initiative import before_positioning
from .interactions import is_attack
from .interruptions import after_moment, forget_unbegun, ruled_out, without_a_break
from .moment import SHOOT, play_moment
from .mount_nerves import mounts_recover, unseated
from .mounted import ORDER, is_order
from .mounted import acting as who_acts
from .mounted_cards import CHARGE_ORDER
from .narrowed_tables import is_plain
from .orders import arranged, obey, order_avoids, order_charges, own_deed, repeated
from .picture import show
from .positioning import in_reach, position
from .prayers import pray_without_action
from .readied import act_now, go_on_after, has_happened, set_action, wait_on
from .reflexes import in_order
from .saddle_weapons import after_volley, in_turn
from .spells import HOLD, INCANT, declare_spells
from .stances import ask_footwork
from .state import Fight, FightDeed, FightingCharacter, in_hand
from .strike_cards import slow_strike
from .tandem_actions import speak


def play_volley(fight: Fight, scripts: Scripts, at: int) -> Step[tuple[Fight, Scripts]]:
    """Announce, position, and carry out everything in order (fight.script.order_is_binding).

    All of it before the next volley begins (fight.volley.finish_before_next).
    """
    shown, heard = fight, not (yield from unheard())
    fight = yield from announce(fight, scripts, at, heard=heard)
    simple = is_simple(fight)
    if not simple:
        fight = yield from ruled_out(fight)
        fight = yield from declare_spells(fight)
    fight = yield from speak(fight)
    simple = simple and is_plain(fight)  # nobody has begun to pray
    fight = yield from ask_footwork(fight)
    fight = yield from name_targets(fight)
    quick = fight.quick if _is_first(scripts, fight, at) else ""
    if fight.is_quick_volley != bool(quick):
        fight = msgspec.structs.replace(fight, is_quick_volley=bool(quick))
    early = bool(quick) and _may_be_early(fight, quick) and (yield from before_positioning(fight))
    if early:
        fight, scripts = yield from _first_of_all(fight, scripts, at, quick, heard=heard)
    if not simple:
        fight, scripts = yield from order_charges(fight, scripts, at)
        fight, scripts = yield from order_avoids(fight, scripts, at)
    before = fight
    fight = yield from position(fight, heard=heard)
    if not simple:
        fight, _ = yield from unseated(fight)  # whom a Charge has knocked down
        fight = yield from after_moment(before, fight)
    if not fight.engaged and in_reach(fight):
        fight = msgspec.structs.replace(fight, engaged=True)
    if heard:
        yield from show(fight, msgspec.structs.replace(shown, exchange=fight.exchange, volley=at))
    if quick and not early:
        fight, scripts = yield from _first_of_all(fight, scripts, at, quick, heard=heard)
    slots = {name: plan[at - 1].slots for name, plan in scripts}
    most = max([len(slots[each.character]) for each in fight.standing], default=0)
    for slot in range(1, most + 1):
        if is_settled(fight):
            break
        fight, scripts = yield from _play_slot(fight, scripts, at, slot, quick, heard=heard)
    if not simple:
        fight = yield from mounts_recover(fight)
        fight = yield from _settle_magic(fight)
    return _after(after_volley(fight)), scripts


def is_simple(fight: Fight) -> bool:
    """Whether nobody rides, casts, prays or keeps up a spell in a volley that was announced.

    Then much that may happen in a volley cannot, and need not be looked for.
    """
    if not is_plain(fight):
        return False
    for each in fight.fighters:
        sheet = fight.table.characters[each.character]
        if sheet.active_spells or sheet.distractions or not _are_simple(each.announced):
            return False
    return True


@lru_cache(4096)
def _are_simple(cards: tuple[str, ...]) -> bool:
    """Whether none of the cards is for a spell or an order to a mount."""
    return not any(card.startswith((INCANT, HOLD, ORDER)) for card in cards)


def _settle_magic(fight: Fight) -> Step[Fight]:
    """Spells that still wait take effect with the end of the volley, and prayers are rolled."""
    before = fight
    fight = yield from pray_without_action(fight)
    fight, harms = yield from take_effects(fight, {}, at_end=True)
    fight = yield from apply_harm(fight, harms)
    return forget_unbegun((yield from after_moment(before, fight, harms)))


def is_settled(fight: Fight) -> bool:
    """Whether fewer than two sides are left, or nobody does anything any more.

    The exchange ends at once when everybody hesitates, flees or is down (fight.sequence.9_end).
    """
    standing = fight.standing
    several = acts = False
    for each in standing:
        several = several or each.side != standing[0].side
        acts = acts or not each.hesitates
    return not (several and acts)


def _slots(scripts: Scripts, fighter: FightingCharacter, at: int) -> tuple[tuple[str, ...], ...]:
    return plan_for(scripts, fighter.character)[at - 1].slots


# --- The quick action ------------------------------------------------------------------------


def _is_first(scripts: Scripts, fight: Fight, at: int) -> bool:
    """Whether a volley has the first action that the winner of the bidding has in the exchange.

    fight.initiative.effect; he may have struck those of the first volley for his bid.
    """
    if not fight.quick or fight.fighter(fight.quick).out:
        return False
    fighter = fight.fighter(fight.quick)
    return all(not _first_slot(scripts, fighter, before) for before in range(1, at)) and bool(
        _first_slot(scripts, fighter, at)
    )


def _may_be_early(fight: Fight, quick: str) -> bool:
    """A Charge is the positioning of its volley, so there is nothing to choose.

    fight.amb.initiative_charge.
    """
    return not fight.fighter(quick).charges


def _first_of_all(
    fight: Fight, scripts: Scripts, at: int, quick: str, *, heard: bool
) -> Step[tuple[Fight, Scripts]]:
    """The first action of whoever has won the bidding comes before all others.

    fight.initiative.effect; against it the others have Natural Defenses alone
    (fight.initiative.nd).
    """
    first = _first_slot(scripts, fight.fighter(quick), at)
    if not first or fight.fighter(quick).is_hesitating:
        return fight, scripts
    for number, card in enumerate(_slots(scripts, fight.fighter(quick), at)[first - 1]):
        if fight.fighter(quick).out or is_settled(fight):
            break
        deed, fight, scripts = yield from _deed(fight, scripts, quick, at, first, number, card)
        if deed is not None:
            fight = yield from play_moment(fight, (deed,), heard=heard)
    return fight, scripts


def _first_slot(scripts: Scripts, fighter: FightingCharacter, at: int) -> int:
    """The first action of a volley that was not given up for a bid, from 1; 0 without one."""
    slots = _slots(scripts, fighter, at)
    return next((slot for slot, cards in enumerate(slots, 1) if DROOL not in cards), 0)


# --- Slot by slot ----------------------------------------------------------------------------


def _play_slot(
    fight: Fight, scripts: Scripts, at: int, slot: int, quick: str, *, heard: bool
) -> Step[tuple[Fight, Scripts]]:
    """Everything that happens at the same moment; results apply before the next slot.

    fight.simultaneous.same_slot, fight.simultaneous.match_by_number, fight.sequence.5_match. Who
    has no action here has only Natural Defenses (fight.simultaneous.unmatched_action). With
    lighter Reflexes the maneuvers of an action follow each other within it
    (fight.xref.gray_reflexes).
    """
    fight = start = msgspec.structs.replace(fight, action=slot)
    slots = {name: plan[at - 1].slots for name, plan in scripts}
    acting = [
        name
        for name in who_acts(fight)
        if len(slots[name]) >= slot
        and not (name == quick and slot == _first_slot(scripts, fight.fighter(name), at))
    ]
    charged, lost, waiting = [], [], []
    for name in acting:
        fighter = fight.fighter(name)
        # A Charge has been rolled by now; if it has failed, the action after it is lost.
        if slot == 1 and fighter.charges:
            charged.append(name)
        elif fighter.hesitates:
            lost.append(name)
        if fighter.waits is not None:
            waiting.append(name)
    planned, gave_up = [], []
    for name in acting:
        cards = slots[name][slot - 1]
        if (DROOL in cards or name in waiting) and fight.fighter(name).struck:
            fight = fight.change(name, struck="")
        if name in lost or name in waiting:
            cards = ()
        elif DROOL in cards:
            cards = ()
            if not keeps_defenses(
                fight
            ):  # all rules of hesitation apply (fight.forfeit.voluntary_hesitate)
                fight = hesitate(fight, name, 1)
                lost.append(name)
                gave_up.append(name)
        planned.append(cards)
    for name in lost:
        fight = fight.change(name, loses=True, struck="")
    for name in tuple(waiting):
        if (yield from has_happened(fight, name)):
            fight, card = yield from act_now(fight, name)
            scripts = go_on_after(name, scripts, at, slot, card)
            planned[acting.index(name)] = (card,)
            waiting.remove(name)
    for number, match in enumerate(_matches(tuple(planned))):
        deeds = []
        for name, each in zip(acting, match, strict=True):
            if each is None or fight.fighter(name).out:
                continue
            threatened = False
            if fight.may_react:
                opponents = fight.opponents(name)
                threatened = any(
                    card is not None and other in opponents and _threatens(card)
                    for other, card in zip(acting, match, strict=True)
                )
            deed, fight, scripts = yield from _deed(
                fight, scripts, name, at, slot, number, each, threatened=threatened
            )
            if deed is not None:
                deeds.append(deed)
        if not number:
            deeds += yield from repeated(fight, slot)
        for part in in_turn(fight, arranged(tuple(deeds))):
            part = still_able(fight, part, charged)
            if part and not is_settled(fight):
                before = fight
                fight = yield from play_moment(fight, part, heard=heard)
                if heard:
                    yield from show(fight, before)
    fight = yield from without_a_break(start, fight, acting)
    for name in lost:  # hesitation that begins here starts with the next action
        if not fight.fighter(name).out:
            fight = yield from pass_action(fight, name, chosen=name in gave_up)
    for name in waiting:
        if not fight.fighter(name).out and fight.fighter(name).waits is not None:
            fight = yield from wait_on(fight, name)
    return fight, scripts


@lru_cache(4096)
def _matches(planned: tuple[tuple[str, ...], ...]) -> tuple[tuple[str | None, ...], ...]:
    """Which cards of an action meet, as everybody has planned it."""
    return in_order(*[(cards,) for cards in planned])


def still_able(
    fight: Fight, deeds: tuple[FightDeed, ...], charged: list[str]
) -> tuple[FightDeed, ...]:
    """The deeds of those who can still act, after what a lance has done in the same moment.

    riding.lance.vs_shorter_first. Who hesitates after a failed Charge has acted already.
    """
    able = []
    for deed in deeds:
        doer = fight.fighter(deed.doer)
        if not doer.out and (deed.character in charged or not doer.hesitates):
            able.append(deed)
    return tuple(able)


def _threatens(card: str) -> bool:
    """Whether an Avoid or a Block could be of use against a card."""
    action = action_of(card)
    return is_attack(action) or action == SHOOT


def _deed(
    fight: Fight,
    scripts: Scripts,
    name: str,
    at: int,
    slot: int,
    number: int,
    card: str,
    *,
    threatened: bool = False,
) -> Step[tuple[FightDeed | None, Fight, Scripts]]:
    """A card as it is carried out; what cannot be is lost in the moment itself.

    Strikes name their victim there, just before the roll; all others have named theirs.
    """
    fighter = fight.fighter(name)
    if card == CHARGE_ORDER:  # rolled with the positioning test, if the mount obeyed
        charge = FightDeed(name, action_of(card), card) if fighter.charges else None
        return charge, fight, scripts
    if fighter.hesitates and card not in CHARGES:  # it began within this action
        return None, fight, scripts
    if card == READY:
        fight = fight.change(name, struck="")
        return None, (yield from set_action(fight, name, scripts, at, slot)), scripts
    if threatened and fight.may_react:  # there is something for which to give up an action
        card, scripts = yield from react(fight, name, card, scripts, at, slot)
    if card == "avoid" and not fighter.avoids:
        # By the optional rule, or readied (fight.avoid.penalty_other_actions).
        fight = fight.change(name, avoids=True)
    slow = slow_strike(fight, name, card)
    if slow != fighter.struck:
        fight = fight.change(name, struck=slow)
    elif slow:
        fight = fight.change(name, struck="")
        why = f"a second Strike in a row, and the {in_hand(fight, name).called} is slow"
        return None, (yield from lose(fight, name, why, "weapons.speed.slow")), scripts
    target, opponents = _named(fighter, at, slot, number, scripts), fight.opponents(name)
    if target not in opponents:
        near = sorted(opponents, key=lambda other: fight.gap(name, other))
        late = action_of(card) in STRIKES
        target = "" if late else next(iter(near), "")
    if is_order(card):
        return (yield from obey(fight, name, card, target, scripts, at, slot))
    if fighter.carries:
        return own_deed(fight, name, card, target, slot), fight, scripts
    way = named_way(fight, name, card)
    return FightDeed(name, action_of(card), card, target, way), fight, scripts


def _named(fighter: FightingCharacter, at: int, slot: int, number: int, scripts: Scripts) -> str:
    """The target that was named for a card of this volley, if it was."""
    sizes = [len(cards) for cards in _slots(scripts, fighter, at)]
    missing = sum(sizes) - len(fighter.announced)
    at_place = sum(sizes[: slot - 1]) + number - missing
    return fighter.targets[at_place] if 0 <= at_place < len(fighter.targets) else ""


def _after(fight: Fight) -> Fight:
    """The fight between two volleys: what was for this one only is over."""
    fighters = [
        each
        if each.out or each.carries
        else msgspec.structs.replace(
            each,
            moved=each.moves,
            moves=None,
            avoids=False,
            avoided=None,
            steps=False,
            charges=False,
            announced=(),
            targets=(),
        )
        for each in fight.fighters
    ]
    return msgspec.structs.replace(fight, fighters=tuple(fighters), action=0)
