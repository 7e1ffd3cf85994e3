"""What a rider may script: orders to the mount, and what the saddle and a lance limit.

A section of the chapter on riding (``riding``), for Fight!. How orders are carried out is in
``orders``.
"""

from __future__ import annotations

from astragal.play import CardLimit, CardRule, Option

from ...conditions.mounted import limits, saddle_of
from .mounted import AVOID_ORDER, ORDER, is_horse
from .saddle_weapons import KEEPS_SPEAR, cannot_charge, has_lance, may_use_spear
from .state import Fight, Positioning

STEADY, RESEAT = "steady_mount", "reseat"

ORDERS = {
    "bite": ("strike", "Bite", "the mount strikes with its natural weapon"),
    "push": ("push", "Push", "the mount's Power: off balance, or down"),
    "lock": ("lock", "Lock", "the mount holds them"),
    "charge": ("charge_tackle", "Charge", "the mount's Power, in a Close; first in a volley"),
    "avoid": ("avoid", "Avoid", "the mount's Speed, for both"),
    "throw": ("throw_opponent", "Throw", "the mount throws them to the ground"),
}
"""Orders by the end of their card: the action, its name, and what it does."""

CHARGE_ORDER = f"{ORDER}:charge"


def ordered_action(card: str) -> str:
    """The action that an order is about.

    >>> ordered_action("order:bite")
    'strike'
    """
    return ORDERS[card.partition(":")[2]][0]


def may_be_ordered(fight: Fight, mount: str) -> tuple[str, ...]:
    """The orders that a mount can be given.

    A horse does not throw (riding.combat.horse_limits), and no mount is told to Counterstrike: a
    horse cannot, and the others script it themselves.
    """
    throws = limits(fight.sheet(mount).body_type)["throw"] == "yes"
    return tuple(order for order in ORDERS if throws or order != "throw")


def mounted_cards(fight: Fight, rider: str) -> tuple[Option, ...]:
    """The cards that a rider has beside the usual ones (riding.combat.command_cost)."""
    mount = fight.mount(rider)
    if not mount:
        return ()
    cards = [
        Option(f"{ORDER}:{order}", f"Order: {name}", "riding.combat.command_cost", note=note)
        for order in may_be_ordered(fight, mount)
        for _, name, note in [ORDERS[order]]
    ]
    rule, note = "riding.steel.rider_chooses", "choose how a frightened mount reacts"
    cards.append(Option(STEADY, "Steady the mount", rule, cost="1 action", note=note))
    if may_use_spear(fight, rider):
        rule, note = "riding.weapon.spear_dropped", "without the bonus for riding past"
        cards.append(Option(KEEPS_SPEAR, "Strike (keep the spear)", rule, note=note))
    saddle = saddle_of(fight.table, rider)
    if saddle is not None and saddle.half_out:
        rule = "riding.lance.unhorse_one_pace"
        cards.append(Option(RESEAT, "Back into the saddle", rule, cost="1 action"))
    return tuple(cards)


def own_openers(note: str) -> tuple[Option, ...]:
    """What a mount with its own script has to say about the distance: nothing.

    It obeys the rider's movement (riding.script.wolves_spiders, riding.combat.positioning_free).
    """
    rule = "riding.script.wolves_spiders"
    return (Option(Positioning.MAINTAIN.value, "As the rider moves", rule, note=note),)


def may_script(fight: Fight, character: str, card: str) -> bool:
    """Whether a martial card is one for this fighter, as far as riding goes.

    A rider has no Charge of his own: the mount charges (riding.combat.tandem_mount_stats). A horse
    without a rider has no Counterstrike and no Throw (riding.combat.horse_limits).
    """
    if fight.mount(character):
        return card not in ("charge_tackle", "tackle")
    fighter = fight.fighter(character)
    if fighter.carries:
        return card not in ("charge_tackle", "tackle", "block_and_strike")
    if not is_horse(fight, character):
        return True
    row = limits(fight.sheet(character).body_type)
    return {"throw_opponent": row["throw"], "counterstrike": row["counterstrike"]}.get(
        card, "yes"
    ) == "yes"


def mounted_rules(
    fight: Fight, rider: str, there: set[str], strikes: tuple[str, ...]
) -> tuple[CardRule, ...]:
    """What limits a rider's script: when a horse Avoids, when it charges, when a lance is used.

    riding.avoid.horse_limit; wolves and spiders Avoid whenever they like
    (riding.avoid.wolves_spiders).
    """
    mount = fight.mount(rider)
    close = (Positioning.CLOSE.value,)
    rules = []
    if mount:
        order = AVOID_ORDER
        if limits(fight.sheet(mount).body_type)["avoid_code"] != "always" and order in there:
            words = "an Avoid of the horse in a volley in which it Closes or Withdraws"
            quick = (*close, Positioning.WITHDRAW.value)
            rule = "riding.avoid.horse_limit"
            rules.append(CardRule(CardLimit.OPENED_BY, (order,), words, rule, quick))
        words = "a Charge of the mount first in a volley in which it Closes"
        rules += [
            CardRule(CardLimit.FIRST, (CHARGE_ORDER,), words, "fight.charge.first_action_once"),
            CardRule(CardLimit.OPENED_BY, (CHARGE_ORDER,), words, "fight.charge.is_close", close),
        ]
    if has_lance(fight, rider) and cannot_charge(fight, rider) is None and strikes:
        words = "a Strike with the lance in a volley in which the mount Closes"
        rule = "riding.lance.charge_requirements"
        rules.append(CardRule(CardLimit.OPENED_BY, strikes, words, rule, close))
        words = "a Withdraw before the next charge with the lance"
        rule, back = "riding.lance.reposition", (Positioning.WITHDRAW.value,)
        lanced = int(fight.fighter(rider).lanced)
        rules.append(CardRule(CardLimit.APART, strikes, words, rule, back, carried=lanced))
    return tuple(rules)


def no_lance(fight: Fight, character: str) -> tuple[str, str] | None:
    """Why a Strike with the lance in hand is out of the question, if it is, and by which rule."""
    return cannot_charge(fight, character) if has_lance(fight, character) else None
