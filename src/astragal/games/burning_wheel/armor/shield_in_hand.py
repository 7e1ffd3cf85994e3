"""A shield on the arm: taking it up, getting rid of it, striking with it.

A section of the chapter on shields (``armor/shields``). A shield with dice left hinders nobody;
what a destroyed one costs is in ``conditions/armor_weight``.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed, check_between
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Line, Play, Tally, call, consent, note
from astragal.rules import Options, catalogue

from ..sheet.armor_tables import Shield, check_shield, normal_shield, shield_dice
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from ..sheet.weapon_tables import SHIELD_BASH, Weapon
from ..weapons.damage import struck_with

# --- Taking one up, and getting rid of it ----------------------------------------------------


class TakeUpShield(Arguments, frozen=True):
    """The shield that a character takes up, or an ``object`` to use as one."""

    character: str
    shield: Shield | None = None
    object: str = ""


class TakeUpOutcome(Outcome, frozen=True):
    """Whether the shield is on the arm, and its dice."""

    taken: bool
    dice: int


PARRYING_BLADE = "parrying_blade"


def _free_arm(character: str, table: BurningTable) -> None:
    sheet = table.character(character)
    if sheet.shield is not None:
        what = f"{sheet.name} has no free arm: drop the {sheet.shield.called} first"
        raise NotAllowed(what, "armor.shield.drop_actions")


def take_up_shield(arguments: TakeUpShield, table: BurningTable) -> Play[TakeUpOutcome]:
    """Put a shield on the arm; anything quick and strong enough works as a parrying blade.

    armor.shield.parrying_object: the GM judges.
    """
    _free_arm(arguments.character, table)
    sheet = table.character(arguments.character)
    shield, rule = arguments.shield, "armor.shield.dice"
    if (shield is None) is (not arguments.object.strip()):
        raise BadInput("object", arguments.object, "either a shield or an object", rule)
    if shield is None:
        rule = "armor.shield.parrying_object"
        serves = yield from consent(
            GM,
            "serves_as_shield",
            f"Is it quick, strong enough to parry, and usable as a weapon? {arguments.object}",
            because=rule,
        )
        if not serves:
            return TakeUpOutcome(False, 0)
        taken = arguments.object.strip()
        shield = Shield(PARRYING_BLADE, taken)
    else:
        named = {key: said for key, said in msgspec.to_builtins(shield).items() if said != ""}
        shield = Shield(**normal_shield(named))
        taken = f"the {shield.called}"
    check_shield(shield)
    yield from table.amend(arguments.character, "shield", shield, because=rule)
    yield from note(f"{sheet.name} takes up {taken}.", rule)
    return TakeUpOutcome(True, shield_dice(shield).total)


class DropShield(Arguments, frozen=True):
    """Who drops a shield, and how many actions they spend on it; 0 for all it takes."""

    character: str
    actions: int = 0


class DropOutcome(Outcome, frozen=True):
    """Actions spent, actions still to spend, and whether the shield is off."""

    spent: int
    to_go: int
    dropped: bool


def drop_actions(shield: Shield, options: Options) -> int:
    """How many actions it takes to drop a shield (armor.shield.drop_actions).

    For two kinds it is a reading (armor.amb.drop_heater_and_parrying_blade).
    """
    row = catalogue().table("armor.table.shields").where(shield=shield.kind)
    more = not row["drop_is_stated"] and options["armor_drop_actions"] == "heater_3_blade_1"
    return row.number("actions_to_drop") + int(more)


def _on_arm(character: str, table: BurningTable) -> Shield:
    """The shield to drop, or a refusal (armor.shield.drop_actions)."""
    return _shield_of(table.character(character), "armor.shield.drop_actions")


def _to_strike_with(character: str, table: BurningTable) -> Shield:
    """The shield to strike with, or a refusal (armor.shield.as_weapon)."""
    return _shield_of(table.character(character), "armor.shield.as_weapon")


def _shield_of(sheet: Sheet, rule: str) -> Shield:
    if sheet.shield is None:
        raise NotAllowed(f"{sheet.name} has no shield", rule)
    return sheet.shield


def drop_shield(arguments: DropShield, table: BurningTable) -> Play[DropOutcome]:
    """Get rid of a shield."""
    outcome, _ = yield from call(dropping_shield, arguments, table)
    return outcome


def dropping_shield(
    arguments: DropShield, table: BurningTable
) -> Play[tuple[DropOutcome, BurningTable]]:
    """Spend actions on a shield until it is off the arm (armor.shield.drop_actions)."""
    sheet = table.character(arguments.character)
    shield, rule = _on_arm(arguments.character, table), "armor.shield.drop_actions"
    to_go = max(0, drop_actions(shield, table.options) - shield.freed)
    check_between("actions", arguments.actions, 0, to_go, rule, zero="all it takes")
    spent = arguments.actions or to_go
    if spent < to_go:
        table = yield from table.add(arguments.character, "shield.freed", spent, because=rule)
        left = to_go - spent
        actions = "1 action" if left == 1 else f"{left} actions"
        yield from note(f"{sheet.name} struggles with the {shield.called}: {actions} to go.", rule)
        return DropOutcome(spent, left, False), table
    table = yield from table.amend(arguments.character, "shield", None, because=rule)
    covers = tuple(c for c in table.scene.covers if c.character != arguments.character)
    table = yield from table.amend(SCENE, "covers", covers, because=rule)
    yield from note(f"{sheet.name} drops the {shield.called}.", rule)
    return DropOutcome(spent, 0, True), table


# --- A shield as a weapon --------------------------------------------------------------------


def bash_penalty(*, inside: bool) -> tuple[Line, ...]:
    """The penalty of a shield strike on the inside, where it is still possible.

    armor.anti_shield.inside_bash.
    """
    table = catalogue().table("fight.table.inside_penalties")
    amount = table.number("ob_penalty", weapon="hilt, butt or shield strike")
    return (Line(amount, "on the inside", "armor.anti_shield.inside_bash"),) if inside else ()


class ShieldStrike(Arguments, frozen=True):
    """Who strikes with a shield, and whether ``inside`` the opponent's weapon."""

    character: str
    inside: bool = False


class ShieldStrikeOutcome(msgspec.Struct, frozen=True):
    """What a shield does as a weapon, and what it adds to the obstacle."""

    ims: str
    va: int
    add: int
    speed: str
    length: str
    obstacle: Tally


def shield_strike(arguments: ShieldStrike, table: BurningTable) -> Play[ShieldStrikeOutcome]:
    """What a shield does as a weapon (armor.shield.as_weapon)."""
    sheet = table.character(arguments.character)
    shield = _to_strike_with(arguments.character, table)
    rule, way = "armor.shield.as_weapon", SHIELD_BASH
    ims = str(struck_with(sheet, Weapon(way.name), way))
    obstacle = Tally(bash_penalty(inside=arguments.inside))
    text = f"{shield.called}: {ims}, VA {way.va}, Add {way.add}, {way.speed}, {way.length}"
    more = f", +{obstacle.total} Ob" if obstacle.total else ""
    yield from note(f"{text[:1].upper()}{text[1:]}{more}.", rule)
    return ShieldStrikeOutcome(ims, way.va, way.add, way.speed, way.length, obstacle)


PROCEDURES = (
    Procedure("take_up_shield", "Take up a shield", TakeUpShield, take_up_shield, check=_free_arm),
    Procedure("drop_shield", "Drop a shield", DropShield, drop_shield, check=_on_arm),
    Procedure("shield_strike", "Shield strike", ShieldStrike, shield_strike, check=_to_strike_with),
)
