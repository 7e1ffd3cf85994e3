"""The script of a fighter: which cards there are, how they are spread, and what limits them.

A section of the chapter on Fight! (``conflicts/fight/fight``). Before each exchange everybody
writes down, in secret, the positioning and the actions of three volleys; order and volley are
binding.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations
from typing import cast

import msgspec

from astragal.errors import NotAllowed
from astragal.play import Ask, CardLimit, CardRule, Option, Script

from ...armor.block_and_strike import check_block_and_strike
from ...conditions.reflexes import actions_in_exchange
from ...conditions.wounds import wound_dice
from ...sheet.weapon_tables import FIST
from ..scripting import VOLLEYS
from .card_runs import runs_of
from .cards import (
    DROOL,
    EFFECTS,
    GIVE_UP,
    GREAT,
    LEAVE,
    MANEUVERS,
    POSITIONING,
    READY,
    SET,
    STRIKE,
)
from .charge import CHARGE, CHARGES
from .distance import FAR_TO_NEAR, Distance
from .first_weapons import bound_cards
from .footing import distance_from, length_of
from .mounted_cards import (
    may_script,
    mounted_cards,
    mounted_rules,
    no_lance,
    own_openers,
)
from .narrowing import LONG, for_script, long_so_far
from .other_actions import other_cards
from .reflexes import maneuvers
from .spells import HOLD, INCANT, barred_spells
from .state import Fight, Positioning, Posture
from .strike_cards import known_ways, may_great_strike, needs_set, strike_cards, strike_rules

WOUNDED = "wounded"
LONG_FIGHT = dict(zip(LONG, ("long_fight", "very_long_fight"), strict=True))
"""Codes in the situation of a fighter: what there is to say for ending it."""
OPENING = "opening"
"""The code for an opponent who is at a disadvantage."""
DOWN = "down"
"""The code for a fighter who is not on his feet."""

# --- How many actions, and where -------------------------------------------------------------


@cache
def spreads(actions: int) -> tuple[tuple[int, ...], ...]:
    """The ways to divide actions among the volleys, level by level (fight.reflexes.even_division).

    Where they do not divide evenly, the player chooses (fight.reflexes.player_chooses_spread);
    with fewer than three some volleys have none (fight.reflexes.volley_without_action,
    ``fight.table.reflexes_division``).

    >>> spreads(4), spreads(6)
    (((2, 1, 1), (1, 2, 1), (1, 1, 2)), ((2, 2, 2),))
    """
    level, more = divmod(actions, VOLLEYS)
    return tuple(
        tuple(level + (at in extra) for at in range(VOLLEYS))
        for extra in combinations(range(VOLLEYS), more)
    )


def actions_of(fight: Fight, character: str) -> int:
    """How many actions a fighter has in an exchange: Reflexes, less armor and wounds.

    fight.reflexes.actions_per_exchange, fight.xref.wounded_reflexes.
    """
    return actions_in_exchange(fight.table, character).total


def per_action(fight: Fight, character: str) -> int:
    """How many maneuvers each action of a fighter has (fight.xref.gray_reflexes)."""
    rating = fight.sheet(character).ability("Reflexes", "attributes.Reflexes").rating
    return maneuvers(rating, fight.table.options)


# --- Which cards -----------------------------------------------------------------------------


def openers(fight: Fight, character: str) -> tuple[Option, ...]:
    """What a fighter may do about the distance; who is held cannot Withdraw (fight.lock.inside).

    Who has no action left has no other place to say that he gives up, or leaves.
    """
    held = bool(fight.lock_on(character))
    distance, length = standing_at(fight, character)
    note = f"{distance}, {length} weapon"
    if fight.fighter(character).carries:
        return own_openers(note)
    moving = tuple(
        Option(moves.value, label, rule, note=note)
        for moves, (label, rule) in POSITIONING.items()
        if not (held and moves is Positioning.WITHDRAW)
    )
    return moving if actions_of(fight, character) else (*moving, *_endings(fight, character))


def standing_at(fight: Fight, character: str) -> tuple[str, str]:
    """How near the nearest opponent is, and the length of the weapon: what a move begins from."""
    near = [distance_from(fight, character, other) for other in fight.opponents(character)]
    at = max(near, key=FAR_TO_NEAR.index, default=Distance.OUTSIDE)
    return at.value, length_of(fight, character)


def situation_of(fight: Fight, character: str) -> tuple[str, ...]:
    """Where a fighter stands, and what there is to say for ending it, as codes.

    First the distance and the length of the weapon, then ``down``, ``wounded``, whether there is
    an ``opening`` and how long it has lasted; last the cards that belong together (``card_runs``).
    """
    down = (DOWN,) if fight.fighter(character).posture is not Posture.STANDING else ()
    hurt = (WOUNDED,) if wound_dice(fight.sheet(character)) else ()
    hampered = any(is_hampered(fight, other) for other in fight.opponents(character))
    lasted = long_so_far(fight)
    runs = runs_of(
        fight,
        character,
        actions=actions_of(fight, character) * per_action(fight, character),
        far=is_out_of_reach(fight, character),
    )
    return (
        *standing_at(fight, character),
        *down,
        *hurt,
        *((OPENING,) if hampered else ()),
        *((LONG_FIGHT[lasted],) if lasted else ()),
        *(run.code for run in runs),
    )


def is_hampered(fight: Fight, character: str) -> bool:
    """Whether everybody sees a fighter at a disadvantage: down, held, disarmed, or hesitating."""
    fighter = fight.fighter(character)
    disarmed = not fighter.weapon and any(each.owner == character for each in fight.fallen)
    down = fighter.posture is not Posture.STANDING
    return down or disarmed or fighter.is_hesitating or bool(fight.lock_on(character))


def cards_of(fight: Fight, character: str) -> tuple[Option, ...]:
    """Every card that a fighter may script here, the martial ones first.

    Shooting and its preparation take as many cards as they take actions
    (fight.action.break_into_actions, fight.shoot.costs_only_in_melee).
    """
    known = known_ways(fight, character)
    cards = []
    for card, (label, rule) in MANEUVERS.items():
        if not may_script(fight, character, card):
            continue
        if card == "block_and_strike" and not _may_block_and_strike(fight, character):
            continue
        if card == "throw_opponent" and not _wrestles(fight, character):
            continue
        if card == SET and not needs_set(fight, known):
            continue
        if card in (STRIKE, GREAT):
            cards += strike_cards(fight, character, card)
            continue
        cards.append(Option(card, label, rule, note=EFFECTS[card]))
    if fight.lock_on(character):
        note = "win dice back from the Lock"
        cards.append(Option("escape_lock", "Escape the Lock", "fight.lock.escape", note=note))
    cards += mounted_cards(fight, character)
    cards += other_cards(fight, character)
    cards += [
        Option(READY, "Set an action to wait", "fight.condition.set"),
        Option(DROOL, "Stand and Drool", "fight.forfeit.voluntary_hesitate"),
    ]
    return (*cards, *(_endings(fight, character) if actions_of(fight, character) else ()))


def _endings(fight: Fight, character: str) -> tuple[Option, ...]:
    """How a fighter may end it for himself, with what there is to say for it."""
    because = []
    if dice := wound_dice(fight.sheet(character)):
        because.append(f"your wounds: -{dice}D")
    if number := long_so_far(fight):
        because.append(f"in exchange {number} or later")
    note = ", ".join(because)
    give_up = Option(GIVE_UP, "Give up", "fight.sequence.9_end", note=note)
    if not is_out_of_reach(fight, character):
        return (give_up,)
    rule = "fight.distance.outside.fight_over"
    return give_up, Option(LEAVE, "Leave the fight", rule, note=note)


def barred_of(fight: Fight, character: str) -> tuple[Option, ...]:
    """Cards that a fighter cannot script here, each with the reason as its note."""
    known = known_ways(fight, character)
    found = []
    if fight.lock_on(character):
        found.append((Positioning.WITHDRAW.value, "Withdraw", "you are held", "fight.lock.inside"))
    if not any(may_great_strike(fight, way) for way in known):
        why, rule = f"not with a {known[0].name}", "fight.great_strike.weapon_allows"
        if known[0].name == FIST:
            why, rule = "not with bare hands", "fight.amb.great_strike_unarmed"
        found.append((GREAT, MANEUVERS[GREAT][0], why, rule))
    lance = no_lance(fight, character)
    if lance is not None:
        found.append((STRIKE, MANEUVERS[STRIKE][0], *lance))
    if fight.mount(character):
        why, rule = "the mount charges: Order: Charge", "riding.combat.tandem_mount_stats"
        found.append((CHARGE, MANEUVERS[CHARGE][0], why, rule))
    try:
        check_block_and_strike(fight.sheet(character))
    except NotAllowed as refused:
        label = MANEUVERS["block_and_strike"][0]
        found.append(("block_and_strike", label, refused.what, refused.rule or ""))
    if not is_out_of_reach(fight, character):
        why, rule = "somebody is within reach", "fight.distance.outside.fight_over"
        found.append((LEAVE, "Leave the fight", why, rule))
    barred = tuple(Option(card, label, rule, note=why) for card, label, why, rule in found)
    return (*barred, *barred_spells(fight.sheet(character)))


def _may_block_and_strike(fight: Fight, character: str) -> bool:
    """fight.block_and_strike.training."""
    try:
        check_block_and_strike(fight.sheet(character))
    except NotAllowed:
        return False
    return True


def _wrestles(fight: Fight, character: str) -> bool:
    """A Throw is one of Brawling or Boxing, or of the Agility that stands in for them."""
    names = ("Brawling", "Boxing", "Agility")
    return any(fight.sheet(character).find(name) is not None for name in names)


def is_out_of_reach(fight: Fight, character: str) -> bool:
    """Whether nobody can reach a fighter, nor he anybody."""
    return all(
        distance_from(fight, character, other) is Distance.OUTSIDE
        and distance_from(fight, other, character) is Distance.OUTSIDE
        for other in fight.opponents(character)
    )


# --- What limits them ------------------------------------------------------------------------


def rules_of(fight: Fight, character: str, cards: tuple[Option, ...]) -> tuple[CardRule, ...]:
    """What a script may not do: weapon speed, Great Strikes, Charges and casting."""
    there = {card.key for card in cards}
    rules = strike_rules(fight, character, there)
    rules += mounted_rules(fight, character, there, (STRIKE,) if STRIKE in there else ())
    charges = tuple(card for card in CHARGES if card in there)
    rules += [
        CardRule(
            CardLimit.FIRST,
            charges,
            "a Charge or Tackle as the first action of its volley only",
            "fight.charge.first_action_once",
        ),
        CardRule(
            CardLimit.OPENED_BY,
            charges,
            "a Charge or Tackle in a volley in which the fighter Closes",
            "fight.charge.is_close",
            (Positioning.CLOSE.value,),
        ),
    ]
    incants = tuple(key for key in there if key.partition(":")[0] in (INCANT, HOLD))
    if incants:
        rules.append(
            CardRule(
                CardLimit.OPENED_BY,
                tuple(sorted(incants)),
                "casting in a volley in which the fighter Maintains or lets them come",
                "fight.magic.casting_positioning",
                (Positioning.MAINTAIN.value, Positioning.STAY.value),
            )
        )
    rules += bound_cards(fight, character, cards, (GIVE_UP, LEAVE))
    return tuple(rule for rule in rules if rule.cards)


# --- The question ----------------------------------------------------------------------------


class VolleyPlan(msgspec.Struct, frozen=True, cache_hash=True):
    """What one fighter has scripted for one volley: positioning, and the cards in order.

    Each slot holds the maneuvers of one action: one card, or more with lighter Reflexes.
    """

    moves: Positioning
    slots: tuple[tuple[str, ...], ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards in order."""
        return tuple(card for slot in self.slots for card in slot)


Plan = tuple[VolleyPlan, ...]
"""The script of one fighter for an exchange."""


def ask_script(fight: Fight, character: str) -> Ask:
    """The question for a script; the same in every exchange that is so far alike."""
    return _asked(for_script(fight, character), character)


def script_for(fight: Fight, character: str) -> Script:
    """What a fighter may script."""
    return cast(Script, ask_script(fight, character).question)


@lru_cache(2048)
def _asked(fight: Fight, character: str) -> Ask:
    """The question for a script; only its writer knows the answer.

    Intents are spoken, tasks are not (fight.detailed.public_intent_secret_tasks).
    """
    each, many = per_action(fight, character), actions_of(fight, character)
    said = f"{many} action{'' if many == 1 else 's'}"
    if each > 1:
        said = f"{said}, {each} maneuvers in each"
    prompt = f"{fight.name(character)}: script three volleys ({said})."
    rule, cards = "fight.script.definition", cards_of(fight, character)
    script = Script(
        cards=cards,
        slots=VOLLEYS + many * each,
        openers=openers(fight, character),
        spreads=tuple(tuple(n * each for n in spread) for spread in spreads(many)),
        rules=rules_of(fight, character, cards),
        barred=barred_of(fight, character),
        situation=situation_of(fight, character),
    )
    return Ask(fight.seat(character), "script", prompt, script, rule, secret=True, kind="needed")


def plan_of(script: Script, answer: tuple[str, ...], each: int) -> Plan:
    """A script as it was written, volley by volley, with so many maneuvers in each action.

    Each action has its volley and its number there, and keeps them
    (fight.script.order_is_binding); each volley has one positioning (fight.position.choices).
    """
    return tuple([_planned(volley, each) for volley in script.volleys(answer)])


@lru_cache(4096)
def _planned(volley: tuple[str, ...], each: int) -> VolleyPlan:
    if volley[0] in (GIVE_UP, LEAVE):
        return VolleyPlan(Positioning.MAINTAIN, (volley[:1],))
    slots = tuple(volley[at : at + each] for at in range(1, len(volley), each))
    return VolleyPlan(Positioning(volley[0]), slots)
