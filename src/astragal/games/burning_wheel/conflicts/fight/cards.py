"""The cards of a fight: what each is called, what it does, and what it is to those it meets.

A section of the chapter on Fight! (``conflicts/fight/fight``). Who may script which of them is in
``script``.
"""

from __future__ import annotations

from functools import cache

from .charge import CHARGE, CHARGES, TACKLE
from .mounted import ORDER
from .mounted_cards import ordered_action
from .spells import DROP, HOLD, INCANT, spell_called
from .stances import action_of_change, changes_to
from .state import Positioning

SET, STRIKE, GREAT = "great_strike_set", "strike", "great_strike"
DROOL = "stand_and_drool"
READY = "set_condition"
GIVE_UP, LEAVE = "give_up", "leave"
"""Cards that end a fighter's part in the fight instead of a script."""

SHOTS = ("release", "throw_object")
"""Cards that are a shot or a throw to whatever they meet."""

MANEUVERS = {
    STRIKE: ("Strike", "fight.strike.ability"),
    SET: ("Set", "fight.great_strike.two_actions"),
    GREAT: ("Great Strike", "fight.great_strike.ability"),
    "block_and_strike": ("Block and Strike", "fight.block_and_strike.script"),
    "avoid": ("Avoid", "fight.avoid.ability"),
    "block": ("Block", "fight.block.ability"),
    "counterstrike": ("Counterstrike", "fight.counterstrike.ability"),
    "feint": ("Feint", "fight.feint.ability"),
    "beat_and_bind": ("Beat and Bind", "fight.beat.ability"),
    "disarm": ("Disarm", "fight.disarm.ability"),
    "push": ("Push", "fight.push.ability"),
    "lock": ("Lock", "fight.lock.ability"),
    "throw_opponent": ("Throw", "fight.throw.ability"),
    CHARGE: ("Charge", "fight.charge.is_close"),
    TACKLE: ("Tackle", "fight.charge.tackle_inside"),
}
"""The martial actions, each one action long (fight.martial.one_action_each), and their rules.

The list is open: other deeds are physical acts (fight.action.list_is_open)."""

EFFECTS = {
    STRIKE: "a blow",
    SET: "the weapon goes up for a Great Strike",
    GREAT: "a harder blow, which no Block stops without a true shield",
    "block_and_strike": "dice divided between shield and blow",
    "avoid": "Speed against every attack; +1 Ob to your other actions",
    "block": "against Strike, Disarm, Beat and Bind",
    "counterstrike": "dice divided: defend, and strike back",
    "feint": "a free Strike at a Block or Counterstrike, useless against the rest",
    "beat_and_bind": "no length dice for them, and a slower weapon",
    "disarm": "knocks the weapon away",
    "push": "off balance, or down",
    "lock": "holds, and costs them dice",
    "throw_opponent": "to the ground",
    CHARGE: "Closes, and knocks down; the first action of a volley",
    TACKLE: "Closes to the inside; the first action of a volley",
}
"""What each of them does, in a few words for the card."""

POSITIONING = {
    Positioning.CLOSE: ("Close", "fight.position.choices"),
    Positioning.MAINTAIN: ("Maintain", "fight.position.choices"),
    Positioning.WITHDRAW: ("Withdraw", "fight.position.choices"),
    Positioning.STAY: ("Let them come", "fight.position.let_them_come"),
}


@cache
def action_of(card: str) -> str:
    """What a card is to the actions it meets: a key of ``fight.table.interactions``.

    >>> action_of("strike:hilt_or_pommel"), action_of("tackle"), action_of("get_up")
    ('strike', 'charge_tackle', 'non_martial')
    """
    kind = card.partition(":")[0]
    if changes_to(card) is not None:
        return action_of_change(card)
    if kind == ORDER:
        return ordered_action(card)
    if kind in CHARGES:
        return CHARGE
    if kind in SHOTS:
        return "shoot_or_throw_object"
    return kind if kind in MANEUVERS else "non_martial"


@cache
def label_of(card: str) -> str:
    """What a card is called.

    >>> label_of("strike:hilt_or_pommel"), label_of("get_up"), label_of("hold_spell:the_fear")
    ('Strike (hilt or pommel)', 'Get up', 'Hold The Fear')
    """
    if card == DROOL:
        return "Stand and Drool"
    kind, _, rest = card.partition(":")
    if kind in (INCANT, DROP, HOLD) and rest:
        return f"{kind.partition('_')[0].capitalize()} {spell_called(rest)}"
    named = MANEUVERS[kind][0] if kind in MANEUVERS else kind.replace("_", " ").capitalize()
    return f"{named} ({rest.replace('_', ' ')})" if rest else named
