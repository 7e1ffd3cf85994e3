"""What is read out at the top of a volley: everybody's cards, and whom each is for.

A section of the chapter on Fight! (``conflicts/fight/fight``).
"""

from __future__ import annotations

import msgspec

from astragal.play import Option, Step, choose, tell

from ..scripting import VolleyCards
from .cards import DROOL, POSITIONING, action_of, label_of
from .charge import ANY_CHARGE
from .forfeits import Scripts, plan_for
from .hesitation import hesitate
from .interactions import is_attack
from .moment import SHOOT
from .mounted import acting as who_acts
from .mounted import with_riders
from .script import VolleyPlan
from .state import Fight, FightingCharacter

STRIKES = ("strike", "great_strike", "block_and_strike")
"""What may name its victim just before the roll (fight.strike.target_at_roll)."""


def announce(fight: Fight, scripts: Scripts, at: int, *, heard: bool = True) -> Step[Fight]:
    """Everybody reads out the whole volley; nothing is changed from here on, and nothing rolled.

    fight.sequence.3_announce, fight.roll.after_all_announced. What a hesitating fighter had
    scripted for actions that are lost is not read out (extended_example.hesitate.secret).
    """
    plans = {name: plan_for(scripts, name)[at - 1] for name in who_acts(fight)}
    for name, plan in plans.items():
        fight = _drooling(fight, name, plan.slots)
    fighters = [
        _with_cards(each, plans[each.character]) if each.character in plans else each
        for each in fight.fighters
    ]
    fight = msgspec.structs.replace(fight, fighters=tuple(fighters), volley=at, action=0)
    if heard:
        sides = [
            (fight.name(name), _said(fight, name, len(plan.slots))) for name, plan in plans.items()
        ]
        shown = VolleyCards(fight.exchange, at, tuple(sides), "fight.sequence.3_announce")
        yield from tell(shown)
    return with_riders(fight)


def _with_cards(fighter: FightingCharacter, plan: VolleyPlan) -> FightingCharacter:
    """A fighter who has read out his cards."""
    heard = () if fighter.waits is not None else plan.slots[fighter.hesitates :]
    cards = tuple([card for slot in heard for card in slot])
    begins = bool(cards) and cards[0] in ANY_CHARGE
    return msgspec.structs.replace(
        fighter,
        moves=plan.moves,
        announced=cards,
        targets=(),
        avoids="avoid" in cards,
        charges=begins and not fighter.is_hesitating,
    )


def _drooling(fight: Fight, character: str, slots: tuple[tuple[str, ...], ...]) -> Fight:
    """Who does nothing but Stand and Drool in a volley hesitates from its top on.

    He does not position then (fight.forfeit.no_position_if_only, fight.initiative.slots_lost);
    with another action in the volley he does.
    """
    if slots and all(DROOL in slot for slot in slots) and not keeps_defenses(fight):
        return hesitate(fight, character, max(0, len(slots) - fight.fighter(character).hesitates))
    return fight


def keeps_defenses(fight: Fight) -> bool:
    """Whether a forfeited action leaves Natural Defenses (fight.amb.forfeit_nd)."""
    return fight.table.options["fight_forfeited_slot_natural_defenses"] == "kept"


def _said(fight: Fight, character: str, slots: int) -> str:
    fighter = fight.fighter(character)
    said = [label_of(card) for card in fighter.announced]
    if fighter.waits is not None:
        said = ["waits"]
    elif fighter.is_hesitating and slots:
        said = ["hesitates", *said]
    moves = "" if fighter.moves is None or fighter.is_hesitating else POSITIONING[fighter.moves][0]
    return "; ".join(part for part in (moves, ", ".join(said) or "no action") if part)


def name_targets(fight: Fight) -> Step[Fight]:
    """Whoever has several opponents names whom each action is for, but for Strikes.

    fight.amb.target_choice. What takes several actions is for one opponent.
    """
    named: dict[str, tuple[str, ...]] = {}
    for name in who_acts(fight):
        each = fight.fighter(name)
        if not each.announced:
            continue
        opponents = fight.opponents(name)
        if len(opponents) == 1:
            named[name] = opponents * len(each.announced)
            continue
        targets: list[str] = []
        for at, card in enumerate(each.announced):
            earlier = each.announced.index(card)
            if not _names_a_target(card):
                targets.append("")
            elif card in TAKE_LONGER and earlier < at:
                targets.append(targets[earlier])
            else:
                targets.append((yield from _target(fight, each.character, card, opponents)))
        named[name] = tuple(targets)
    fighters = [
        msgspec.structs.replace(each, targets=named[each.character])
        if each.character in named
        else each
        for each in fight.fighters
    ]
    return msgspec.structs.replace(fight, fighters=tuple(fighters))


TAKE_LONGER = ("draw_bow", "intimidate")
"""Cards for a target of which there is one for each action."""


def _names_a_target(card: str) -> bool:
    action = action_of(card)
    if action in STRIKES:
        return False
    aims = card in ("acquire_target", *TAKE_LONGER)
    return aims or is_attack(action) or action == SHOOT or card in ANY_CHARGE


def _target(fight: Fight, character: str, card: str, among: tuple[str, ...]) -> Step[str]:
    near = sorted(among, key=lambda other: fight.gap(character, other))
    acquired = fight.fighter(character).ready.target
    rule = "fight.amb.target_choice"
    return (
        yield from choose(
            fight.seat(character),
            "target",
            f"{fight.name(character)}, {label_of(card)}: against",
            tuple(Option(other, fight.name(other), rule) for other in near),
            default=acquired if acquired in near else near[0],
            because=rule,
        )
    )
