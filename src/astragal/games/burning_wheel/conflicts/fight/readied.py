"""Readied actions: one that waits until something happens.

A section of the chapter on Fight! (``conflicts/fight/fight``). To set it costs an action
(fight.condition.set). The card after it in the script is the one that waits, and those after that
are what its player will do when it has been carried out (fight.condition.script_after).
"""

from __future__ import annotations

import msgspec

from astragal.play import Step, Text, ask, confirm, note

from ...sheet.words import as_sentence
from .cards import DROOL, READY, label_of
from .forfeits import Scripts, plan_for, with_plan
from .hesitation import hesitate
from .script import Plan
from .state import Fight, ReadiedAction


def cards_after(plan: Plan, at: int, slot: int) -> tuple[str, ...]:
    """All cards of a script after one place (volley and action counted from 1)."""
    return tuple(
        card
        for volley, planned in enumerate(plan, 1)
        for place, cards in enumerate(planned.slots, 1)
        for card in cards
        if (volley, place) > (at, slot)
    )


def set_action(fight: Fight, character: str, scripts: Scripts, at: int, slot: int) -> Step[Fight]:
    """Somebody readies the next action of the script, and names what it waits for.

    fight.condition.trigger. With nothing left to ready the action is lost.
    """
    after = cards_after(plan_for(scripts, character), at, slot)
    name = fight.name(character)
    waiting = next((card for card in after if card not in (READY, DROOL)), "")
    if not waiting:
        yield from note(f"{name} has no action left to set.", "fight.condition.script_after")
        return fight
    trigger = yield from ask(
        fight.seat(character),
        "trigger",
        f"{name} sets an action: what does it wait for?",
        Text(default="what was said at the table", required=True, longest=200),
        because="fight.condition.trigger",
    )
    yield from note(as_sentence(f"{name} waits: {trigger}"), "fight.condition.trigger")
    return fight.change(character, waits=ReadiedAction(trigger, waiting))


def has_happened(fight: Fight, character: str) -> Step[bool]:
    """Whether what somebody waits for occurs in this moment."""
    waits = fight.fighter(character).waits
    assert waits is not None
    return (
        yield from confirm(
            fight.seat(character),
            "triggered",
            f"{fight.name(character)}: act? ({waits.trigger})",
            default=False,
            because="fight.condition.set",
        )
    )


def wait_on(fight: Fight, character: str) -> Step[Fight]:
    """Another action goes by; who has waited as long as Will allows hesitates for the next one.

    fight.condition.limit, fight.amb.set_condition_hesitation. Meanwhile he may only position and
    speak (fight.condition.while_waiting).
    """
    waits = fight.fighter(character).waits
    assert waits is not None
    waited = waits.waited + 1
    will = fight.sheet(character).find("Will")
    if waited < (will.exponent if will is not None else 0):
        return fight.change(character, waits=msgspec.structs.replace(waits, waited=waited))
    text = f"{fight.name(character)} cannot wait any longer and hesitates for an action."
    yield from note(text, "fight.condition.limit")
    return hesitate(fight.change(character, waits=None), character, 1)


def go_on_after(character: str, scripts: Scripts, at: int, slot: int, card: str) -> Scripts:
    """The scripts when a readied action has been carried out in a slot of a volley.

    Only the actions that are left of the exchange are played, with what was scripted after it
    (fight.condition.play_rest).
    """
    plan = plan_for(scripts, character)
    cards = [each for planned in plan for each in planned.cards]
    if READY not in cards:  # it was set in an earlier exchange: this script is what comes after
        return scripts
    rest = cards[cards.index(READY) + 1 :]
    rest = rest[rest.index(card) + 1 :] if card in rest else []
    new = []
    for volley, planned in enumerate(plan, 1):
        slots = []
        for place, old in enumerate(planned.slots, 1):
            if (volley, place) <= (at, slot):
                slots.append(old)
                continue
            slots.append((*rest[: len(old)], *(DROOL,) * len(old))[: len(old)])
            rest = rest[len(old) :]
        new.append(msgspec.structs.replace(planned, slots=tuple(slots)))
    return with_plan(scripts, character, tuple(new))


def act_now(fight: Fight, character: str) -> Step[tuple[Fight, str]]:
    """What was waited for occurs: the fight in which he acts, and his card."""
    waits = fight.fighter(character).waits
    assert waits is not None
    yield from note(f"{fight.name(character)} acts: {label_of(waits.card)}.", "fight.condition.set")
    return fight.change(character, waits=None), waits.card
