"""Bearing pain with artha: on one test, or for a scene.

Shrug it Off and Grit Your Teeth are bought without a test (artha.amb.spent_without_a_roll)
and last for the scene; in the later edition pain is ignored for a single test. Bearing it by a
Health test is in ``injury/shrugging_off``, the wounds themselves in ``injury/injury``.
"""

from __future__ import annotations

import msgspec

from astragal.errors import NotAllowed
from astragal.games.game import Arguments, Procedure
from astragal.play import Line, Number, Play, Seat, Step, ask, call, confirm

from ..conditions.borne_pain import (
    PainMethod,
    PainOutcome,
    bear,
    check_gritted,
    check_superficials,
    endured,
    try_to_rise,
)
from ..conditions.lines import Lines
from ..conditions.wounds import check_wounded
from ..sheet.editions import REVISED, check_edition, edition
from ..sheet.parts import Artha
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from .on_a_roll import ArthaAtHand

# --- On one test ---------------------------------------------------------------------------


class PainLeft(msgspec.Struct, frozen=True):
    """What conditions leave on a test once pain is borne, what that cost, and what is left."""

    conditions: tuple[Lines, ...]
    hand: ArthaAtHand
    spent: Artha = Artha()


def bear_pain(
    seat: Seat, conditions: tuple[Lines, ...], held: ArthaAtHand, table: BurningTable
) -> Step[PainLeft]:
    """Buy pain off for this test alone, at no cost in time, where the edition allows it."""
    if not edition(table.options).pain_is_borne_on_the_test:
        return PainLeft(conditions, held)
    spent, left = Artha(), []
    for each in conditions:
        if each.pain:
            each, spent = yield from _bear(seat, each, held)
        left.append(each)
    held = msgspec.structs.replace(held, artha=held.artha - spent)
    return PainLeft(tuple(left), held, spent)


def _bear(seat: Seat, pain: Lines, held: ArthaAtHand) -> Step[tuple[Lines, Artha]]:
    """What is left of pain, and what it took.

    1 fate for the obstacle of Superficial wounds (gold.ob.superficial_fate), 1 persona for each
    die (gold.wounds.persona_ignore). Both count against the limits of the test, and toward an
    epiphany of Health alone (gold.amb.health_epiphany_double_count).
    """
    fate = persona = 0
    if pain.obstacle and held.artha.fate:
        fate = yield from confirm(
            seat,
            "ignore_superficial",
            "Spend 1 fate to ignore Superficial wounds on this test?",
            default=False,
            because="gold.ob.superficial_fate",
        )
        if fate:
            ignored = Line(-1, "ignored", "gold.ob.superficial_fate")
            pain = msgspec.structs.replace(pain, obstacle=(*pain.obstacle, ignored))
    if pain.lost and held.artha.persona:
        persona = yield from ask(
            seat,
            "ignore_wounds",
            f"Wounds cost {pain.lost}D. Spend persona to ignore 1D each?",
            Number(least=0, most=min(pain.lost, held.artha.persona), default=0),
            because="gold.wounds.persona_ignore",
        )
        if persona:
            ignored = Line(persona, "ignored", "gold.wounds.persona_ignore")
            pain = msgspec.structs.replace(pain, dice=(*pain.dice, ignored))
    return pain, Artha(fate=int(fate), persona=persona)


# --- For a scene ---------------------------------------------------------------------------


class ShrugItOff(Arguments, frozen=True):
    """Who shrugs off Superficial wounds, for 1 fate."""

    character: str


class GritYourTeeth(Arguments, frozen=True):
    """Who ignores 1D of which wound, counted from 1, for 1 persona."""

    character: str
    wound: int = 1


def _shruggable(character: str, table: BurningTable) -> tuple[int, ...]:
    """The wounds that fate can lift, or a refusal (artha.shrug.effect)."""
    what = "Spend fate on the test itself to ignore Superficial wounds"
    check_edition(REVISED, table.options, what, "gold.diff.shrug_off_superficial")
    sheet = table.character(character)
    if not sheet.artha.fate:
        raise NotAllowed(f"{sheet.name} has no fate to spend", "artha.shrug.effect")
    return check_superficials(sheet, "artha.amb.shrug_scope")


def shrug_it_off(arguments: ShrugItOff, table: BurningTable) -> Play[PainOutcome]:
    """Shrug off Superficial wounds for artha."""
    outcome, _ = yield from call(shrugging, arguments, table)
    return outcome


def shrugging(arguments: ShrugItOff, table: BurningTable) -> Play[tuple[PainOutcome, BurningTable]]:
    """For 1 fate the +1 Ob of one or two Superficial wounds is ignored (artha.shrug.effect).

    No Health test, and one action (artha.shrug.no_health_test); the third such wound is a die
    and can no longer be shrugged off (artha.amb.shrug_scope).
    """
    hurting = _shruggable(arguments.character, table)
    because = "artha.shrug.effect"
    table = yield from table.add(arguments.character, "artha.fate", -1, because=because)
    table = yield from bear(table, arguments.character, hurting, because=because)
    return (yield from endured(arguments.character, PainMethod.SHRUG, table)), table


def _wounded_with_persona(character: str, table: BurningTable) -> Sheet:
    """The sheet of somebody who has a wound, and persona for it (artha.grit.effect)."""
    what = "Spend persona on the test itself to ignore wounds"
    check_edition(REVISED, table.options, what, "gold.diff.grit_teeth")
    sheet = check_wounded(character, table)
    if not sheet.artha.persona:
        raise NotAllowed(f"{sheet.name} has no persona to spend", "artha.grit.effect")
    return sheet


def grit_your_teeth(arguments: GritYourTeeth, table: BurningTable) -> Play[PainOutcome]:
    """Ignore a die of a wound for artha."""
    outcome, _ = yield from call(gritting_by_persona, arguments, table)
    return outcome


def gritting_by_persona(
    arguments: GritYourTeeth, table: BurningTable
) -> Play[tuple[PainOutcome, BurningTable]]:
    """For 1 persona one die of one wound is ignored (artha.grit.effect).

    No Health test, and two actions (artha.grit.no_health_test); once for each wound
    (artha.amb.grit_repeats).
    """
    sheet = _wounded_with_persona(arguments.character, table)
    at = check_gritted(sheet, arguments.wound, "artha.amb.grit_repeats")
    because = "artha.grit.effect"
    table = yield from table.add(arguments.character, "artha.persona", -1, because=because)
    # It counts as the one attempt to get up again (injury.amb.shrug_retries).
    table = yield from try_to_rise(table, arguments.character)
    table = yield from bear(table, arguments.character, (at,), because=because)
    return (yield from endured(arguments.character, PainMethod.GRIT, table)), table


PROCEDURES = (
    Procedure("shrug_it_off", "Shrug it Off (1 fate)", ShrugItOff, shrug_it_off, check=_shruggable),
    Procedure(
        "grit_your_teeth",
        "Grit Your Teeth (1 persona)",
        GritYourTeeth,
        grit_your_teeth,
        check=_wounded_with_persona,
    ),
)
