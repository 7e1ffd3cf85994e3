"""Within reach: which actions the distance leaves, and whom they can be aimed at.

A section of the chapter on Fight! (``conflicts/fight/fight``). What the new distance makes
impossible is lost (fight.position.actions_out_of_reach).
"""

from __future__ import annotations

from functools import cache

from astragal.games.burning_wheel.conflicts.fight.distance import Distance
from astragal.games.burning_wheel.conflicts.fight.footing import named_way
from astragal.games.burning_wheel.conflicts.fight.gathering import distance_to
from astragal.games.burning_wheel.conflicts.fight.state import Fight
from astragal.rules import catalogue

AT_OPPONENTS = (
    "strike",
    "great_strike",
    "block_and_strike",
    "charge_tackle",
    "feint",
    "push",
    "lock",
    "throw_opponent",
)
"""What nobody can do from outside his own striking distance (fight.distance.outside.forbidden)."""

AT_WEAPONS = ("beat_and_bind", "disarm")
"""What is done to the opponent's weapon (fight.amb.outside_beat_disarm)."""

SHOT = "shoot_or_throw_object"


@cache
def _only_defends(distance: Distance) -> bool:
    """Whether a distance leaves only defences (``fight.table.fighting_distances``).

    From outside one may still Avoid, Block and Counterstrike
    (fight.distance.outside.allowed_defense).
    """
    row = catalogue().table("fight.table.fighting_distances").where(distance=distance.value)
    return bool(row["own_actions_code"] == "defences")


def needs_target(action: str) -> bool:
    """Whether an action is aimed at somebody."""
    return action in AT_OPPONENTS or action in AT_WEAPONS or action == SHOT


def can_reach(fight: Fight, character: str, action: str, card: str, target: str) -> bool:
    """Whether the distance allows an action against an opponent."""
    if action not in AT_OPPONENTS and action not in AT_WEAPONS:
        return True
    if target not in fight.opponents(character):
        return False
    way = named_way(fight, character, card)
    if not _only_defends(distance_to(fight, character, target, way)):
        return True
    if action not in AT_WEAPONS:
        return False
    played = fight.table.options["fight_outside_beat_and_disarm"]
    if played == "if_opponent_can_reach":
        return not _only_defends(distance_to(fight, target, character))
    return played == "always"


def reachable(fight: Fight, character: str, action: str, card: str) -> tuple[str, ...]:
    """The opponents whom an action can be aimed at, the nearest first."""
    able = [
        other
        for other in fight.opponents(character)
        if can_reach(fight, character, action, card, other)
    ]
    return tuple(sorted(able, key=lambda other: fight.gap(character, other)))
