"""Stances: which actions they do not allow, putting them into footwork, changing them.

A section of the chapter on Fight! (``conflicts/fight/fight``). What they do to the dice of an
action is in ``gathering``; ``hesitation`` says when a fighter loses his.
"""

from __future__ import annotations

from functools import cache

from astragal.play import Option, Step, confirm_aside, note
from astragal.rules import catalogue

from ...armor.block_and_strike import Stance
from .state import Fight, FightDeed

CHANGE = "change_stance"
"""The card with which a stance is changed is this with the stance named (fight.stance.change)."""


def is_barred(stance: Stance, action: str) -> bool:
    """Whether a stance does not allow an action: nobody Avoids in Aggressive stance.

    fight.stance.aggressive_defense; an Avoid that was scripted is lost
    (fight.amb.aggressive_avoid_scripted).

    >>> is_barred(Stance.AGGRESSIVE, "avoid"), is_barred(Stance.DEFENSIVE, "avoid")
    (True, False)
    """
    if stance is Stance.NEUTRAL or action != "avoid":
        return False
    row = catalogue().table("fight.table.stance_effects").where(action="Avoid")
    return row[f"{stance.value}_code"] == "forbidden"


# --- Putting it into positioning -----------------------------------------------------------


def ask_footwork(fight: Fight) -> Step[Fight]:
    """Who has a stance may put its dice into positioning, as the volley starts.

    fight.stance.to_position.
    """
    for each in fight.fighters:
        if each.steps:
            fight = fight.change(each.character, steps=False)
    for each in fight.standing:
        if each.stance is Stance.NEUTRAL or each.is_hesitating:
            continue
        steps = yield from confirm_aside(
            fight.seat(each.character),
            "stance_to_position",
            f"{fight.name(each.character)}: stance dice to positioning",
            because="fight.stance.to_position",
        )
        if steps:
            fight = fight.change(each.character, steps=True)
    return fight


# --- Changing it ---------------------------------------------------------------------------


def changes_to(card: str) -> Stance | None:
    """The stance that a card changes to, if it is such a card.

    >>> changes_to("change_stance:defensive"), changes_to("strike")
    (<Stance.DEFENSIVE: 'defensive'>, None)
    """
    kind, _, stance = card.partition(":")
    return Stance(stance) if kind == CHANGE else None


def action_of_change(card: str) -> str:
    """What a change of stance is to the action it meets.

    Changing to Defensive counts as Blocking (fight.stance.defensive_change_blocks), also for a
    Feint (fight.amb.feint_vs_defensive_change).

    >>> action_of_change("change_stance:defensive"), action_of_change("change_stance:aggressive")
    ('block', 'non_martial')
    """
    return "block" if changes_to(card) is Stance.DEFENSIVE else "non_martial"


def between_stances(fight: Fight, deed: FightDeed) -> Fight:
    """The fight in which an action is rolled: one who changes his stance has none meanwhile.

    The Block that comes with it has no stance bonus (fight.stance.defensive_change_blocks).
    """
    if changes_to(deed.card) is None:
        return fight
    return fight.change(deed.character, stance=Stance.NEUTRAL)


@cache
def stance_cards() -> tuple[Option, ...]:
    """The changes of stance that can be scripted (fight.stance.three); one action each.

    All of them, because the stance may be another by the time a card is played.
    """
    return tuple(
        Option(
            f"{CHANGE}:{stance.value}",
            f"{stance.value.capitalize()} stance",
            "fight.stance.change",
        )
        for stance in Stance
    )


def change_stance(fight: Fight, deed: FightDeed) -> Step[Fight]:
    """A fighter takes another stance, in one action (fight.stance.change)."""
    stance = changes_to(deed.card)
    assert stance is not None
    text = f"{fight.name(deed.character)} changes to {stance.value.capitalize()} stance."
    yield from note(text, "fight.stance.change")
    return fight.change(deed.character, stance=stance)
