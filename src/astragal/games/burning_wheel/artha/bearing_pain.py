"""Pain as it weighs on a roll, and bearing it for a while by the strength of artha.

Shrug it Off and Grit Your Teeth are bought without a test (artha.amb.spent_without_a_roll) and
last for the scene; in the later edition pain is borne on the one test that it would spoil. How
else pain is borne is in ``injury/shrugging_off``, what it comes from in
``injury/injury``.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput
from astragal.games.burning_wheel.artha.on_a_roll import Hand
from astragal.games.burning_wheel.conditions.borne_pain import (
    PainMethod,
    PainOutcome,
    bear,
    check_gritted,
    check_superficials,
    endured,
    try_to_rise,
)
from astragal.games.burning_wheel.conditions.lines import Lines
from astragal.games.burning_wheel.sheet.editions import REVISED, check_edition, edition
from astragal.games.burning_wheel.sheet.parts import Artha
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.game import Arguments, Procedure
from astragal.play import Line, Number, Play, Seat, Step, ask, confirm

# --- On one test ---------------------------------------------------------------------------


class Borne(msgspec.Struct, frozen=True):
    """What conditions leave on a test once pain is borne, what that cost, and the hand after it."""

    conditions: tuple[Lines, ...]
    hand: Hand
    spent: Artha = Artha()


def bear_pain(
    seat: Seat, conditions: tuple[Lines, ...], held: Hand, table: BurningTable
) -> Step[Borne]:
    """Buy pain off for this test alone, at no cost in time, where the edition allows it."""
    if not edition(table.options).pain_is_borne_on_the_test:
        return Borne(conditions, held)
    spent, left = Artha(), []
    for each in conditions:
        if each.pain:
            each, spent = yield from _bear(seat, each, held)
        left.append(each)
    artha = msgspec.structs.replace(
        held.artha,
        fate=held.artha.fate - spent.fate,
        persona=held.artha.persona - spent.persona,
    )
    return Borne(tuple(left), msgspec.structs.replace(held, artha=artha), spent)


def _bear(seat: Seat, pain: Lines, held: Hand) -> Step[tuple[Lines, Artha]]:
    """What is left of pain, and what it took.

    1 fate for the obstacle of superficial wounds (gold.ob.superficial_fate), 1 persona for each
    die (gold.wounds.persona_ignore). Both count against the limits of the test, and toward an
    epiphany of Health alone (gold.amb.health_epiphany_double_count).
    """
    fate = persona = 0
    if pain.obstacle and held.artha.fate:
        fate = yield from confirm(
            seat,
            "ignore_superficial",
            "Spend 1 fate to ignore superficial wounds on this test?",
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
            f"Wounds cost {pain.lost}D. Spend persona to ignore one die each?",
            Number(least=0, most=min(pain.lost, held.artha.persona), default=0),
            because="gold.wounds.persona_ignore",
        )
        if persona:
            ignored = Line(persona, "ignored", "gold.wounds.persona_ignore")
            pain = msgspec.structs.replace(pain, dice=(*pain.dice, ignored))
    return pain, Artha(fate=int(fate), persona=persona)


# --- For a scene ---------------------------------------------------------------------------


class Shrug(Arguments, frozen=True):
    """Who shrugs it off."""

    character: str


class Grit(Arguments, frozen=True):
    """Who grits their teeth, and against which wound, counted from 1."""

    character: str
    wound: int = 1


def shrug_it_off(arguments: Shrug, table: BurningTable) -> Play[PainOutcome]:
    """For 1 fate the +1 Ob of one or two superficial wounds is ignored (artha.shrug.effect).

    No Health test, and one action (artha.shrug.no_health_test); the third such wound is a die
    and can no longer be shrugged off (artha.amb.shrug_scope).
    """
    what = "superficial wounds are ignored by fate on the test itself"
    check_edition(REVISED, table.options, what, "gold.diff.shrug_off_superficial")
    sheet = table.character(arguments.character)
    if not sheet.artha.fate:
        raise BadInput("artha.fate", 0, "1 fate", "artha.shrug.effect")
    hurting = check_superficials(sheet, "artha.amb.shrug_scope")
    because = "artha.shrug.effect"
    table = yield from table.add(arguments.character, "artha.fate", -1, because=because)
    table = yield from bear(table, arguments.character, hurting, because=because)
    return (yield from endured(arguments.character, PainMethod.SHRUG, table))


def grit_your_teeth(arguments: Grit, table: BurningTable) -> Play[PainOutcome]:
    """For 1 persona one die of one wound is ignored (artha.grit.effect).

    No Health test, and two actions (artha.grit.no_health_test); once for each wound
    (artha.amb.grit_repeats).
    """
    what = "wounds are ignored by persona on the test itself"
    check_edition(REVISED, table.options, what, "gold.diff.grit_teeth")
    sheet = table.character(arguments.character)
    if not sheet.artha.persona:
        raise BadInput("artha.persona", 0, "1 persona", "artha.grit.effect")
    at = check_gritted(sheet, arguments.wound, "artha.amb.grit_repeats")
    because = "artha.grit.effect"
    table = yield from table.add(arguments.character, "artha.persona", -1, because=because)
    # It counts as the one attempt to get up again (injury.amb.shrug_retries).
    table = yield from try_to_rise(table, arguments.character)
    table = yield from bear(table, arguments.character, (at,), because=because)
    return (yield from endured(arguments.character, PainMethod.GRIT, table))


PROCEDURES = (
    Procedure("shrug_it_off", "Shrug it Off, by fate", Shrug, shrug_it_off),
    Procedure("grit_your_teeth", "Grit Your Teeth, by persona", Grit, grit_your_teeth),
)
