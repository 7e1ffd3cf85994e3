"""Pain as it weighs on a roll, and bearing it for a while by the strength of artha.

Shrug it Off and Grit Your Teeth are bought without a test (artha.amb.spent_without_a_roll) and
last for the scene. This is as much of wounds as artha needs: how they come about, how else they
are borne and how they heal belongs to the chapter on injury.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.facts import Noted
from astragal.games.burning_wheel.scene import BurningTable
from astragal.games.burning_wheel.sheet import Rated, Sheet
from astragal.games.game import Procedure
from astragal.play import Line, Play, Step, tell

A_DIE = 3
"""So many superficial wounds cost a die instead of an obstacle (artha.amb.shrug_scope)."""

SHRUG_ACTIONS, GRIT_ACTIONS = 1, 2
"""What each takes inside a script (artha.shrug.no_health_test, artha.grit.no_health_test)."""


def pain(sheet: Sheet) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """What wounds do to a test now: dice lost, and obstacle added."""
    dice = tuple(
        Line(-wound.dice, f"{wound.level} wound", "artha.grit.effect")
        for wound in sheet.wounds
        if wound.dice and not wound.gritted
    )
    # Gritting takes one die off what a wound costs, not the wound itself.
    dice += tuple(
        Line(1 - wound.dice, f"{wound.level} wound, gritted", "artha.grit.effect")
        for wound in sheet.wounds
        if wound.gritted and wound.dice > 1
    )
    if sheet.superficials >= A_DIE:
        return (*dice, Line(-1, "three superficial wounds", "artha.amb.shrug_scope")), ()
    if sheet.superficials and not sheet.shrugged:
        return dice, (Line(1, "superficial wounds", "artha.shrug.effect"),)
    return dice, ()


def aura_lifts(table: BurningTable, character: str, tested: Rated) -> bool:
    """Whether a Divine Aura lifts every minus in dice from a test.

    artha.aristeia.divine_aura, artha.amb.divine_aura_scope: obstacle penalties stay.
    """
    return any(
        a.character == character and a.form == "divine_aura" and a.ability == tested.name
        for a in table.scene.aristeias
    )


class Shrug(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who shrugs it off."""

    character: str


class Grit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who grits their teeth, and against which wound, counted from 1."""

    character: str
    wound: int = 1


class Endured(msgspec.Struct, frozen=True):
    """How many actions it took, and what is left of the pain."""

    actions: int
    dice: int
    obstacle: int


def shrug_it_off(arguments: Shrug, table: BurningTable) -> Play[Endured]:
    """For 1 fate the +1 Ob of one or two superficial wounds is ignored (artha.shrug.effect).

    No Health test, and one action (artha.shrug.no_health_test); the third such wound is a die
    and can no longer be shrugged off (artha.amb.shrug_scope).
    """
    sheet = table.character(arguments.character)
    if not sheet.artha.fate:
        raise BadInput("artha.fate", 0, "1 fate", "artha.shrug.effect")
    if sheet.superficials >= A_DIE:
        raise NotAllowed(
            "three superficial wounds can no longer be shrugged off", "artha.amb.shrug_scope"
        )
    if not sheet.superficials or sheet.shrugged:
        raise BadInput("superficials", sheet.superficials, "a superficial wound that still hurts")
    because = "artha.shrug.effect"
    table = yield from table.add(arguments.character, "artha.fate", -1, because=because)
    table = yield from table.amend(arguments.character, "shrugged", True, because=because)
    return (yield from _endured(arguments.character, SHRUG_ACTIONS, table))


def grit_your_teeth(arguments: Grit, table: BurningTable) -> Play[Endured]:
    """For 1 persona one die of one wound is ignored (artha.grit.effect).

    No Health test, and two actions (artha.grit.no_health_test); once for each wound
    (artha.amb.grit_repeats).
    """
    sheet = table.character(arguments.character)
    if not sheet.artha.persona:
        raise BadInput("artha.persona", 0, "1 persona", "artha.grit.effect")
    if not 1 <= arguments.wound <= len(sheet.wounds):
        raise BadInput("wound", arguments.wound, f"1 to {len(sheet.wounds)}: {sheet.name}'s wounds")
    wound = sheet.wounds[arguments.wound - 1]
    if wound.gritted or not wound.dice:
        raise NotAllowed(
            f"nothing more of the {wound.level} wound can be gritted", "artha.amb.grit_repeats"
        )
    because = "artha.grit.effect"
    table = yield from table.add(arguments.character, "artha.persona", -1, because=because)
    path = f"wounds.{arguments.wound - 1}.gritted"
    table = yield from table.amend(arguments.character, path, True, because=because)
    return (yield from _endured(arguments.character, GRIT_ACTIONS, table))


def _endured(character: str, actions: int, table: BurningTable) -> Step[Endured]:
    dice, obstacle = pain(table.character(character))
    name = table.character(character).name
    yield from tell(Noted(f"{name} bears the pain, until the scene ends.", "artha.shrug.effect"))
    return Endured(actions, sum(d.amount for d in dice), sum(o.amount for o in obstacle))


PROCEDURES = (
    Procedure("shrug_it_off", "Shrug it Off, by fate", Shrug, shrug_it_off),
    Procedure("grit_your_teeth", "Grit Your Teeth, by persona", Grit, grit_your_teeth),
)
