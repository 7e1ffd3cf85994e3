"""A shield on the arm: taking it up, getting rid of it, striking with it.

A section of the chapter on shields (``armor/shields``). While it works
a shield hinders nobody; what a destroyed one costs is in
``conditions/armor_weight``.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput
from astragal.games.burning_wheel.sheet.armor_tables import (
    Shield,
    check_shield,
    normal_shield,
    shield_dice,
)
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.weapon_tables import Melee, Weapon
from astragal.games.burning_wheel.weapons.damage import struck_with
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Line, Noted, Play, Tally, confirm, tell
from astragal.rules import Options, catalogue

# --- Taking one up, and getting rid of it ----------------------------------------------------


class TakeUp(Arguments, frozen=True):
    """A shield that somebody takes up; or an ``object`` that is to serve as one."""

    character: str
    shield: Shield | None = None
    object: str = ""


class OnArm(Outcome, frozen=True):
    """The dice of the shield that is on the arm now, if it is."""

    taken: bool
    dice: int


PARRYING_BLADE = "parrying_blade"


def take_up_shield(arguments: TakeUp, table: BurningTable) -> Play[OnArm]:
    """Put a shield on the arm; anything quick and strong enough may serve as a parrying blade.

    armor.shield.parrying_object: the GM judges.
    """
    sheet = table.character(arguments.character)
    if sheet.shield is not None:
        expected = f"an arm without a shield: drop the {sheet.shield.called} first"
        raise BadInput("character", arguments.character, expected, "armor.shield.drop_actions")
    shield, rule = arguments.shield, "armor.shield.dice"
    if (shield is None) is (not arguments.object.strip()):
        raise BadInput("object", arguments.object, "either a shield or an object", rule)
    if shield is None:
        rule = "armor.shield.parrying_object"
        serves = yield from confirm(
            GM,
            "serves_as_shield",
            f"Is it quick in the hand, strong enough, and a weapon? {arguments.object}",
            default=True,
            because=rule,
        )
        if not serves:
            return OnArm(False, 0)
        shield = Shield(PARRYING_BLADE, arguments.object.strip())
    else:
        named = {key: said for key, said in msgspec.to_builtins(shield).items() if said != ""}
        shield = Shield(**normal_shield(named))
    check_shield(shield)
    yield from table.amend(arguments.character, "shield", shield, because=rule)
    yield from tell(Noted(f"{sheet.name} takes up the {shield.called}.", rule))
    return OnArm(True, shield_dice(shield).total)


class Drop(Arguments, frozen=True):
    """Who spends how many actions on getting rid of a shield; 0 for all it takes."""

    character: str
    actions: int = 0


class Dropped(Outcome, frozen=True):
    """Actions spent now, actions still to spend, and whether the shield is off."""

    spent: int
    to_go: int
    dropped: bool


def drop_actions(shield: Shield, options: Options) -> int:
    """How many actions it takes to get rid of a shield (armor.shield.drop_actions).

    Two kinds are a reading (armor.amb.drop_heater_and_parrying_blade).
    """
    row = catalogue().table("armor.table.shields").where(shield=shield.kind)
    more = not row["drop_is_stated"] and options["armor_drop_actions"] == "heater_3_blade_1"
    return row.number("actions_to_drop") + int(more)


def drop_shield(arguments: Drop, table: BurningTable) -> Play[Dropped]:
    """Spend actions on a shield until it is off the arm (armor.shield.drop_actions)."""
    sheet = table.character(arguments.character)
    shield, rule = sheet.shield, "armor.shield.drop_actions"
    if shield is None:
        raise BadInput("character", arguments.character, "somebody with a shield", rule)
    to_go = max(0, drop_actions(shield, table.options) - shield.freed)
    if not 0 <= arguments.actions <= to_go:
        raise BadInput("actions", arguments.actions, f"0 (all it takes) to {to_go}", rule)
    spent = arguments.actions or to_go
    if spent < to_go:
        table = yield from table.add(arguments.character, "shield.freed", spent, because=rule)
        text = f"{sheet.name} struggles with the {shield.called}: {to_go - spent} actions to go."
        yield from tell(Noted(text, rule))
        return Dropped(spent, to_go - spent, False)
    table = yield from table.amend(arguments.character, "shield", None, because=rule)
    covers = tuple(c for c in table.scene.covers if c.character != arguments.character)
    yield from table.amend(SCENE, "covers", covers, because=rule)
    yield from tell(Noted(f"{sheet.name} is rid of the {shield.called}.", rule))
    return Dropped(spent, 0, True)


# --- A shield as a weapon --------------------------------------------------------------------


SHIELD_BASH = Melee("shield", 2, 2, "slow", 0, "short", False, False)
"""armor.shield.as_weapon; the Add is a reading (armor.amb.shield_weapon_add)."""


def bash_penalty(*, inside: bool) -> tuple[Line, ...]:
    """What a shield strike costs on the inside, where it is still possible.

    armor.anti_shield.inside_bash.
    """
    table = catalogue().table("fight.table.inside_penalties")
    amount = table.number("ob_penalty", weapon="hilt, butt or shield strike")
    return (Line(amount, "on the inside", "armor.anti_shield.inside_bash"),) if inside else ()


class ShieldStrike(Arguments, frozen=True):
    """Who strikes with the shield on the arm, and whether ``inside`` the opponent's weapon."""

    character: str
    inside: bool = False


class Bash(Outcome, frozen=True):
    """What a shield does as a weapon, and what is added to the obstacle."""

    ims: str
    va: int
    add: int
    speed: str
    length: str
    obstacle: Tally


def shield_strike(arguments: ShieldStrike, table: BurningTable) -> Play[Bash]:
    """Work out what a shield does when somebody strikes with it (armor.shield.as_weapon)."""
    sheet = table.character(arguments.character)
    rule, way = "armor.shield.as_weapon", SHIELD_BASH
    if sheet.shield is None:
        raise BadInput("character", arguments.character, "somebody with a shield", rule)
    ims = str(struck_with(sheet, Weapon(way.name), way))
    obstacle = Tally(bash_penalty(inside=arguments.inside))
    text = f"{sheet.shield.called}: {ims}, VA {way.va}, Add {way.add}, {way.speed}, {way.length}"
    more = f", +{obstacle.total} Ob" if obstacle.total else ""
    yield from tell(Noted(f"{text[:1].upper()}{text[1:]}{more}.", rule))
    return Bash(ims, way.va, way.add, way.speed, way.length, obstacle)


PROCEDURES = (
    Procedure("take_up_shield", "Somebody takes up a shield", TakeUp, take_up_shield),
    Procedure("drop_shield", "Get rid of a shield", Drop, drop_shield),
    Procedure("shield_strike", "What a shield does as a weapon", ShieldStrike, shield_strike),
)
