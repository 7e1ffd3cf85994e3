"""Forfeits: changing a script between volleys, and giving up actions for it.

A section of the chapter on Fight! (``conflicts/fight/fight``). What has been announced cannot be
changed, so the question comes before the GM calls the next volley.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput
from astragal.play import GM, CardLimit, CardRule, Option, Script, Step, all_foregone, ask, choose

from ..scripting import VOLLEYS
from .cards import DROOL, GIVE_UP, LEAVE, label_of
from .first_weapons import without_required
from .script import Plan, VolleyPlan, per_action, plan_of, rules_of, script_for
from .state import Fight

Scripts = tuple[tuple[str, Plan], ...]
"""The scripts of all fighters, by character."""


FORFEIT = "forfeit"
"""The key of the question for another script of the rest; its default is to change nothing."""


def plan_for(scripts: Scripts, character: str) -> Plan:
    """The script of a fighter."""
    for name, plan in scripts:
        if name == character:
            return plan
    raise LookupError(f"{character!r} has no script")


def with_plan(scripts: Scripts, character: str, plan: Plan) -> Scripts:
    """The scripts with another one for a fighter."""
    return tuple((name, plan if name == character else old) for name, old in scripts)


# --- Who is asked ----------------------------------------------------------------------------


def wants_changes(fight: Fight, character: str) -> Step[bool]:
    """Whether bids and forfeits are laid out for a fighter, folded away and with their default.

    Players have them in every volley; the GM, who has many fighters, says once whether to.
    """
    seat = fight.seat(character)
    if seat != GM:
        return True
    said = yield from choose(
        seat,
        "bids_and_forfeits",
        f"{fight.name(character)}: bids and forfeits",
        {"ask": "Ask me before each volley", "play_on": "Play on without asking"},
        default="play_on",
        because="fight.forfeit.gm_call_closes",
        kind="aside",
        standing=True,
    )
    return said == "ask"


def may_change(fight: Fight, character: str, plan: Plan, at: int) -> bool:
    """Whether a fighter could still change something, before volley ``at``.

    Never in the first (fight.forfeit.not_volley_one). After it anything in the others
    (fight.forfeit.after_volley_one), after the
    second only if there are two actions in the third (fight.forfeit.stuck). Actions that are lost
    already pay for nothing; who waits for something changes nothing.
    """
    fighter = fight.fighter(character)
    if at == 1 or fighter.waits is not None:
        return False
    left = [cards for volley in plan[at - 1 :] for cards in volley.slots]
    free = [cards for cards in left[fighter.hesitates :] if DROOL not in cards]
    return len(free) >= 2 and all(left)


# --- The change ------------------------------------------------------------------------------


def offer_forfeits(fight: Fight, scripts: Scripts, at: int) -> Step[Scripts]:
    """Everybody may change what is left of his script, in secret.

    Before the second volley (fight.sequence.7_second_volley) and before the third
    (fight.sequence.8_third_volley); once it is called it is too late
    (fight.forfeit.gm_call_closes), for what is announced stands (fight.forfeit.not_announced).
    The GM forfeits for NPCs by the same rules (extended_example.forfeit.gm_too).
    """
    if (yield from all_foregone(FORFEIT)):  # what stands there stays, whoever is asked
        return scripts
    for each in fight.standing:
        plan = plan_for(scripts, each.character)
        if not may_change(fight, each.character, plan, at):
            continue
        if (yield from wants_changes(fight, each.character)):
            rest = yield from _ask_rest(fight, each.character, plan, at)
            scripts = with_plan(scripts, each.character, rest)
    return scripts


def _ask_rest(fight: Fight, character: str, plan: Plan, at: int) -> Step[Plan]:
    """The rest of a script as its player wants it from here on; as it is, unless he says so.

    For each action that is changed another becomes Stand and Drool (fight.forfeit.cost), in any
    volley that is left (fight.forfeit.where).
    """
    lost = fight.fighter(character).hesitates
    left = _lost_first(plan[at - 1 :], lost)
    cards, opening = _choices(fight, character, left)
    default = tuple(part for volley in left for part in (volley.moves.value, *volley.cards))
    script = Script(
        cards=cards,
        slots=len(default),
        openers=opening,
        spreads=(tuple(len(volley.cards) for volley in left),),
        rules=kept_rules(fight, character, (*plan[: at - 1], *left), at, cards),
        default=default,
    )
    name = fight.name(character)
    volleys = " and ".join(str(volley) for volley in range(at, VOLLEYS + 1))
    answer = yield from ask(
        fight.seat(character),
        FORFEIT,
        f"{name}: change volley{'s' if at < VOLLEYS else ''} {volleys}? "
        "Each change costs an action (Stand and Drool).",
        script,
        because="fight.forfeit.cost",
        secret=True,
        kind="aside",
    )
    new = plan_of(script, answer, per_action(fight, character))
    check_forfeit(left, new)
    return (*plan[: at - 1], *_lost_first(new, lost, plan[at - 1 :]))


def _lost_first(left: Plan, lost: int, instead: Plan = ()) -> Plan:
    """The rest of a script with its first actions, which hesitation takes, as lost.

    Or as they are in another one.
    """
    found = []
    for volley, kept in zip(left, instead or left, strict=True):
        slots = tuple(
            (old if instead else (DROOL,) * len(cards)) if at < lost else cards
            for at, (cards, old) in enumerate(zip(volley.slots, kept.slots, strict=True))
        )
        lost = max(0, lost - len(slots))
        found.append(msgspec.structs.replace(volley, slots=slots))
    return tuple(found)


def _choices(
    fight: Fight, character: str, left: Plan
) -> tuple[tuple[Option, ...], tuple[Option, ...]]:
    """The cards and openers for the rest of a script; what stands there can always be kept."""
    whole = script_for(fight, character)
    cards, opening = (
        tuple(card for card in those if card.key not in (GIVE_UP, LEAVE))
        for those in (whole.cards, whole.openers)
    )
    there = {card.key for card in cards}
    old = dict.fromkeys(card for volley in left for card in volley.cards if card not in there)
    cards += tuple(Option(card, label_of(card)) for card in old)
    kept = {volley.moves.value for volley in left} - {opener.key for opener in opening}
    return cards, opening + tuple(Option(moves, moves.capitalize()) for moves in sorted(kept))


def kept_rules(
    fight: Fight, character: str, plan: Plan, at: int, cards: tuple[Option, ...]
) -> tuple[CardRule, ...]:
    """The limits on the rest of a script, but for those that what stands there does not keep to.

    What was lost meanwhile may have broken some. The action before counts, too: a slow weapon does
    not strike again at once (weapons.speed.slow).
    """
    left = plan[at - 1 :]
    played = [card for volley in plan[: at - 1] for card in volley.cards]
    rules = [
        msgspec.structs.replace(rule, carried=1)
        if rule.limit is CardLimit.NOT_TWICE and played[-1:] and played[-1] in rule.cards
        else rule
        for rule in without_required(rules_of(fight, character, cards))
    ]
    return tuple(rule for rule in rules if _is_kept(left, rule))


def _is_kept(left: Plan, rule: CardRule) -> bool:
    before: list[str] = []
    for volley in left:
        for at, card in enumerate(volley.cards):
            if not rule.allows(volley.moves.value, before, volley.cards[:at], card):
                return False
            before.append(card)
    return True


def check_forfeit(old: Plan, new: Plan) -> None:
    """Refuse changes that are not paid for.

    Turning an action into Stand and Drool is free (fight.forfeit.voluntary_hesitate); each that
    becomes something else costs one of these. Positioning goes with the action that is changed
    (fight.forfeit.tandem_changed), also where the lost one is in the same volley
    (fight.forfeit.same_volley); to change nothing else costs as much
    (fight.amb.forfeit_only_position, extended_example.forfeit.position_only). What went with the
    lost action alone is lost with it (fight.forfeit.tandem_lost), as ``volley`` sees when it finds
    no other action there (fight.forfeit.no_position_if_only).
    """
    lost = changed = 0
    for before, after in zip(old, new, strict=True):
        pairs = tuple(zip(before.slots, after.slots, strict=True))
        newly = sum(DROOL in then and DROOL not in was for was, then in pairs)
        others = sum(then != was and DROOL not in then for was, then in pairs)
        lost += newly
        changed += others or int(after.moves is not before.moves)
    if changed > lost:
        one = changed - lost == 1
        expected = (
            f"{changed - lost} more action{'' if one else 's'} given up as Stand and Drool, "
            "one for each change"
        )
        raise BadInput(
            "forfeit", f"{changed} changed, {lost} given up", expected, "fight.forfeit.cost"
        )


# --- An announced action ---------------------------------------------------------------------

REACTIONS = {"keep": "Keep it", "avoid": "Avoid", "block": "Block"}


def react(
    fight: Fight, character: str, card: str, scripts: Scripts, at: int, slot: int
) -> Step[tuple[str, Scripts]]:
    """By the optional rule, give up a later action to turn the present one into a defence.

    fight.forfeit.oh_option: an Avoid or a Block. The last action of the exchange is given up.
    """
    plan = plan_for(scripts, character)
    later = [
        (volley, place)
        for volley in range(at, VOLLEYS + 1)
        for place, cards in enumerate(plan[volley - 1].slots, 1)
        if (volley, place) > (at, slot) and DROOL not in cards
    ]
    if not fight.may_react or not later or card in ("avoid", "block", DROOL):
        return card, scripts
    said = yield from choose(
        fight.seat(character),
        "react",
        f"{fight.name(character)}: give up a later action for an Avoid or a Block?",
        REACTIONS,
        default="keep",
        because="fight.forfeit.oh_option",
    )
    if said == "keep":
        return card, scripts
    volley, place = later[-1]
    return said, with_plan(scripts, character, without_action(plan, volley, place))


def without_action(plan: Plan, volley: int, place: int) -> Plan:
    """A script with one action given up: Stand and Drool in its place (both counted from 1)."""
    old = plan[volley - 1]
    lost = (DROOL,) * len(old.slots[place - 1])
    slots = (*old.slots[: place - 1], lost, *old.slots[place:])
    new: VolleyPlan = msgspec.structs.replace(old, slots=slots)
    return (*plan[: volley - 1], new, *plan[volley:])
