"""Stances: what they do for and against each action, putting them into footwork, changing them.

A section of the chapter on Fight! (``conflicts/fight/fight``). The numbers are those of
``fight.table.stance_effects``. A fighter may hold a stance whatever else befalls him: locked, on
the inside, on his back, riding or unskilled (fight.stance.allowed); ``hesitation`` says when he
loses it.
"""

from __future__ import annotations

from functools import cache

import msgspec

from astragal.games.burning_wheel.armor.block_and_strike import Stance
from astragal.games.burning_wheel.conflicts.fight.state import Combatant, Deed, Fight
from astragal.play import Line, Noted, Option, Step, confirm, tell
from astragal.rules import catalogue

CHANGE = "change_stance"
"""The card with which a stance is changed is this with the stance named (fight.stance.change)."""

ROWS = {
    "avoid": "Avoid",
    "block": "Block",
    "counterstrike": "Counterstrike",
    "strike": "Strike",
    "great_strike": "Great Strike",
    "block_and_strike": "Block and Strike: Strike half",
    "block_half": "Block and Strike: Block half",
    "natural_speed": "Natural Defenses with Speed",
    "natural": "Natural Defenses otherwise",
    "charge_tackle": "Charge/Tackle",
    "positioning": "Positioning",
}
"""The rows of the table by action; the neutral maneuvers have none (fight.stance.neutral_moves)."""


class StanceEffect(msgspec.Struct, frozen=True):
    """What a stance does to an action: dice, an obstacle, or it does not allow it."""

    dice: int = 0
    obstacle: int = 0
    barred: bool = False


@cache
def effect_of(stance: Stance, action: str) -> StanceEffect:
    """What a stance does to an action (fight.stance.three).

    Neutral does nothing (fight.stance.start_neutral), nor does any stance to a neutral maneuver
    (fight.stance.neutral_moves).

    >>> effect_of(Stance.DEFENSIVE, "avoid"), effect_of(Stance.AGGRESSIVE, "avoid").barred
    (StanceEffect(dice=2, obstacle=0, barred=False), True)
    """
    if stance is Stance.NEUTRAL or action not in ROWS:
        return StanceEffect()
    row = catalogue().table("fight.table.stance_effects").where(action=ROWS[action])
    return StanceEffect(
        row.number(f"{stance.value}_dice"),
        row.number(f"{stance.value}_ob"),
        row[f"{stance.value}_code"] == "forbidden",
    )


def stance_lines(
    fighter: Combatant, action: str, card: str = ""
) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The dice and the obstacle that a fighter's stance gives an action.

    Favored actions have two dice (fight.stance.favored); to defend when Aggressive
    (fight.stance.aggressive_defense, fight.stance.aggressive_speed_nd) and to strike when
    Defensive (fight.stance.defensive_attack) is harder. Who has put his stance into his
    positioning has no dice for his actions, but the penalties stay (fight.stance.to_position).
    The Block that comes with a change of stance has neither (fight.stance.defensive_change_blocks).
    """
    if changes_to(card) is not None:
        return (), ()
    effect = effect_of(fighter.stance, action)
    label = f"{fighter.stance.value} stance"
    dice = effect.dice if fighter.steps is (action == "positioning") else 0
    return (
        (Line(dice, label, _rule_of_dice(action)),) if dice else (),
        (Line(effect.obstacle, label, _rule_of_obstacle(action)),) if effect.obstacle else (),
    )


def _rule_of_dice(action: str) -> str:
    return "fight.stance.to_position" if action == "positioning" else "fight.stance.favored"


def _rule_of_obstacle(action: str) -> str:
    if action == "natural_speed":
        return "fight.stance.aggressive_speed_nd"
    if action in ("block", "counterstrike", "block_half"):
        return "fight.stance.aggressive_defense"
    return "fight.stance.defensive_attack"


def is_barred(stance: Stance, action: str) -> bool:
    """Whether a stance does not allow an action: nobody Avoids in Aggressive stance.

    fight.stance.aggressive_defense; an Avoid that was scripted is lost
    (fight.amb.aggressive_avoid_scripted).
    """
    return effect_of(stance, action).barred


# --- Putting it into positioning -----------------------------------------------------------


def ask_footwork(fight: Fight) -> Step[Fight]:
    """Who has a stance may put its dice into positioning, as the volley starts.

    fight.stance.to_position.
    """
    fight = _nobody_steps(fight)
    for each in fight.standing:
        if each.stance is Stance.NEUTRAL or each.is_hesitating:
            continue
        steps = yield from confirm(
            fight.seat(each.character),
            "stance_to_position",
            f"{fight.name(each.character)}: stance dice to positioning",
            default=False,
            because="fight.stance.to_position",
            kind="aside",
        )
        if steps:
            fight = fight.change(each.character, steps=True)
    return fight


def _nobody_steps(fight: Fight) -> Fight:
    for each in fight.fighters:
        if each.steps:
            fight = fight.change(each.character, steps=False)
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
    """
    return "block" if changes_to(card) is Stance.DEFENSIVE else "non_martial"


@cache
def stance_cards() -> tuple[Option, ...]:
    """The changes of stance that can be scripted; one action each (fight.stance.change).

    All three, because the stance may be another by the time a card is played.
    """
    return tuple(
        Option(
            f"{CHANGE}:{stance.value}", f"{stance.value.capitalize()} stance", "fight.stance.change"
        )
        for stance in Stance
    )


def change_stance(fight: Fight, deed: Deed) -> Step[Fight]:
    """A fighter takes another stance (fight.stance.change)."""
    stance = changes_to(deed.card)
    assert stance is not None
    text = f"{fight.name(deed.character)} takes {_article(stance)} {stance.value} stance."
    yield from tell(Noted(text, "fight.stance.change"))
    return fight.change(deed.character, stance=stance)


def _article(stance: Stance) -> str:
    return "an" if stance is Stance.AGGRESSIVE else "a"
