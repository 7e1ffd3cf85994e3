"""Eight legs: what the body of a Great Spider does in a fight.

A section of the chapter on Fight! (``conflicts/fight/fight``), from the extended example.
"""

from __future__ import annotations

from astragal.play import Line, Step, choose

from ...sheet.sheet import Sheet
from .distance import INSIDE_GAP
from .gathering import RollKind, is_usable
from .state import Fight
from .weapon_in_hand import way_in_hand

EIGHT_LEGGED = "Eight-Legged"
GREAT_SPIDER = "Great Spider"
CLOSING, LOCKING = 1, 2
"""The dice of the trait."""


def _is_eight_legged(sheet: Sheet) -> bool:
    return any(trait.name.casefold() == EIGHT_LEGGED.casefold() for trait in sheet.traits)


def closing_dice(sheet: Sheet) -> tuple[Line, ...]:
    """A die to Close with, and to Charge (extended_example.trait.eight_legged).

    To Maintain or Withdraw there is none (extended_example.amb.eight_legged).
    """
    rule = "extended_example.trait.eight_legged"
    return (Line(CLOSING, EIGHT_LEGGED, rule),) if _is_eight_legged(sheet) else ()


def lock_dice(sheet: Sheet) -> tuple[Line, ...]:
    """Two dice to hold somebody with (extended_example.trait.eight_legged)."""
    rule = "extended_example.trait.eight_legged"
    return (Line(LOCKING, EIGHT_LEGGED, rule),) if _is_eight_legged(sheet) else ()


def lock_ability(fight: Fight, character: str) -> Step[str]:
    """What a fighter Locks with: Power, but a Great Spider may use Agility.

    fight.lock.ability, extended_example.trait.spider_lock_agility.
    """
    sheet = fight.sheet(character)
    able = [sheet.ability(name) for name in lock_abilities(fight, character)]
    if len(able) < 2:
        return able[0].name if able else "Power"
    return (
        yield from choose(
            fight.seat(character),
            "lock_ability",
            f"{sheet.name} locks with",
            {each.name: str(each) for each in able},
            default=max(able, key=lambda each: each.exponent).name,
            because="extended_example.trait.spider_lock_agility",
            kind="aside",
            standing=True,
        )
    )


def lock_abilities(fight: Fight, character: str) -> tuple[str, ...]:
    """What a fighter may Lock with and has dice of.

    extended_example.trait.spider_lock_agility.
    """
    spider = fight.sheet(character).body_type.casefold() == GREAT_SPIDER.casefold()
    return tuple(
        ability
        for ability in (("Agility", "Power") if spider else ("Power",))
        if is_usable(fight, character, ability, RollKind.ATTACK, "lock")
    )


def is_near_enough(fight: Fight, character: str, target: str, way: str = "") -> bool:
    """Whether a weapon that is for the inside alone, as fangs are, is there.

    rogues.burned.fangs_inside.
    """
    inside = fight.gap(character, target) == INSIDE_GAP
    return inside or not way_in_hand(fight, character, way).inside_only
