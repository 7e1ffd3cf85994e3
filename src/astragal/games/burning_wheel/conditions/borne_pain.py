"""Shrugging it off: pain that is ignored until the scene ends, and what that takes.

It is not recovery (injury.shrug.not_recovery): everything comes back with the end of the scene,
and the wound needs its test and treatment as before. Who may do so by artha is in
``artha/bearing_pain``, by a test in
``injury/shrugging_off``.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from astragal.errors import NotAllowed
from astragal.play import Step, note
from astragal.rules import catalogue

from ..sheet.parts import WoundLevel
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from .wounds import (
    dice_left,
    find_wound,
    is_incapacitated,
    name_of,
    note_condition,
    pain,
    set_wound,
)


class PainMethod(Enum):
    """The ways to bear pain, as injury.table.shrug_off has them."""

    COBWEBS = "Clearing the Cobwebs"
    SHRUG = "Shrug it Off"
    GRITTING = "Gritting Your Teeth"
    GRIT = "Grit Your Teeth (artha)"


class PainCost(msgspec.Struct, frozen=True):
    """What bearing pain takes inside a conflict.

    ``actions`` of an exchange, ``volleys`` of a Duel of Wits, and in Range and Cover ``bought``
    actions, after which there may be ``no_other`` in that volley.
    """

    actions: int
    volleys: int
    bought: int
    no_other: bool


def takes(method: PainMethod) -> PainCost:
    """What a method takes (injury.cobwebs.actions, injury.grit.time).

    artha.shrug.no_health_test, artha.grit.no_health_test: artha takes half the time of a test.
    Outside conflicts all of them take a moment (injury.amb.cobwebs_outside_fight).

    >>> takes(PainMethod.GRITTING)
    PainCost(actions=4, volleys=1, bought=1, no_other=True)
    """
    row = catalogue().table("injury.table.shrug_off").where(method=method.value)
    return PainCost(
        actions=row.number("fight_actions"),
        volleys=row.number("duel_of_wits_volleys"),
        bought=row.number("range_and_cover_actions"),
        no_other=bool(row["no_other_action"]),
    )


class PainOutcome(msgspec.Struct, frozen=True):
    """What bearing it took, and what is left of the pain."""

    actions: int
    dice: int
    obstacle: int
    takes: PainCost
    passed: bool = True


def endured(
    character: str, method: PainMethod, table: BurningTable, *, passed: bool = True
) -> Step[PainOutcome]:
    """Announce it, and work out what is left of the pain."""
    sheet = table.character(character)
    dice, obstacle = pain(sheet)
    rule = "injury.cobwebs.duration" if method in SUPERFICIAL else "injury.grit.duration"
    if passed:
        yield from note(f"{sheet.name} ignores the pain until the scene ends.", rule)
    left = sum(line.amount for line in dice), sum(line.amount for line in obstacle)
    return PainOutcome(takes(method).actions, *left, takes(method), passed)


SUPERFICIAL = (PainMethod.COBWEBS, PainMethod.SHRUG)


def check_superficials(sheet: Sheet, merged_rule: str) -> tuple[int, ...]:
    """The superficial wounds whose obstacle still hurts, by their place on the sheet.

    Three that have become a light wound are none any more (injury.cobwebs.not_after_three).
    """
    hurting = tuple(
        at
        for at, wound in enumerate(sheet.wounds)
        if wound.level is WoundLevel.SUPERFICIAL and not wound.borne
    )
    if hurting:
        return hurting
    if any(wound.merged for wound in sheet.wounds):
        what = "Three Superficial wounds are a Light wound and cannot be shrugged off"
        raise NotAllowed(what, merged_rule)
    what = f"{sheet.name} has no Superficial wound that still hurts"
    raise NotAllowed(what, "injury.cobwebs.test")


def bearable(sheet: Sheet, method: PainMethod) -> dict[str, str]:
    """The wounds whose pain can be borne in a way, by their number, with what they are called.

    A die of each wound at most (injury.grit.one_die_each_wound), or the obstacle of superficial
    ones; by a test only where none has failed yet (injury.amb.shrug_retries).
    """
    by_test = method in (PainMethod.COBWEBS, PainMethod.GRITTING)
    if by_test and sheet.find("Health") is None:
        return {}
    if method not in SUPERFICIAL and is_incapacitated(sheet) and sheet.staggered:
        return {}
    return {
        str(number): name_of(wound)
        for number, wound in enumerate(sheet.wounds, 1)
        if not wound.borne
        and not (by_test and wound.tried)
        and (wound.level is WoundLevel.SUPERFICIAL if method in SUPERFICIAL else dice_left(wound))
    }


def check_gritted(sheet: Sheet, number: int, again_rule: str) -> int:
    """The place of a wound of which a die can be borne: any level, and one die at most.

    injury.grit.one_die_each_wound. An incapacitated character has one attempt to get up, and if
    it fails no other until dice have come back (injury.grit.incapacitated,
    injury.amb.shrug_retries).
    """
    wound = find_wound(sheet, number)
    if wound.borne or not dice_left(wound):
        raise NotAllowed(f"Nothing more of the {name_of(wound)} can be ignored", again_rule)
    if is_incapacitated(sheet) and sheet.staggered:
        what = f"{sheet.name} has already tried to get up and stays down until dice come back"
        raise NotAllowed(what, "injury.grit.incapacitated")
    return number - 1


def try_to_rise(table: BurningTable, character: str) -> Step[BurningTable]:
    """Use up the one attempt of an incapacitated character (injury.grit.incapacitated)."""
    if not is_incapacitated(table.character(character)):
        return table
    rule = "injury.grit.incapacitated"
    return (yield from table.amend(character, "staggered", True, because=rule))


def bear(
    table: BurningTable, character: str, indexes: tuple[int, ...], *, because: str
) -> Step[BurningTable]:
    """Bear what can be borne of some wounds; they themselves stay (injury.cobwebs.wound_stays)."""
    before = table.character(character)
    for at in indexes:
        table = yield from set_wound(table, character, at, because=because, borne=True)
    return (yield from note_condition(before, character, table))


def pain_returns(table: BurningTable, character: str) -> Step[BurningTable]:
    """The scene is over: all that was borne hurts again, and may be tried again.

    injury.shrug.not_recovery, injury.cobwebs.duration, injury.grit.duration. A character who
    stood up only by gritting teeth falls again (injury.amb.grit_scene_end). After this the wounds
    of the scene may heal (injury.amb.when_to_test_recovery).
    """
    before = table.character(character)
    for at in range(len(before.wounds)):
        rule = "injury.shrug.not_recovery"
        table = yield from set_wound(
            table, character, at, because=rule, borne=False, tried=False, fresh=False
        )
    return (yield from note_condition(before, character, table))
