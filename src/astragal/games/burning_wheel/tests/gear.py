"""Gear: what it does to a test, and how the GM grants it.

Gear augments an ability, or takes away or brings a penalty (tests.gear.effect). It comes from
character burning, from Resources tests, or from the GM in a scene that suits it
(tests.gear.acquisition); only the last of these is here.
"""

from __future__ import annotations

import msgspec

from astragal.dice import Shade, Shaded
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Line, Play, Step, call, confirm, consent, note
from astragal.rules import Options

from ..sheet.editions import edition
from ..sheet.parts import AbilityKind, Gear, SkillAbility, for_ability
from ..sheet.reading import check
from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated, Sheet
from .circumstances import SOURCES
from .die_of_fate import fate_check
from .intent import Agreement, Context, Declaration


def gear_obstacle(gear: tuple[Gear, ...], against: tuple[Line, ...]) -> tuple[Line, ...]:
    """What gear does to the obstacle: hinder, or keep a disadvantage from counting.

    Gear takes away penalties only, never anything of what the task itself demands
    (tests.gear.effect, tests.amb.obstacle_never_decreased).
    """
    lines = tuple(
        Line(1, f"{piece.name}: {SOURCES.get(key, key)}", "tests.gear.effect")
        for piece in gear
        for key in piece.hinders
    )
    counting = [line.label for line in against]
    for piece in gear:
        for key in piece.removes:
            label = SOURCES.get(key, key)
            if label in counting:
                counting.remove(label)
                lines += (Line(-1, f"{piece.name}: no {label}", "tests.gear.effect"),)
    return lines


def gear_dice(
    gear: tuple[Gear, ...], tested: Rated, missing_skill: str = ""
) -> tuple[tuple[Line, ...], Shaded]:
    """Dice that gear adds to this ability, each at the gear's own shade (shades.gear.own_shade).

    What is good for a skill is as good for whoever tries it without having it.
    """
    lines: tuple[Line, ...] = ()
    dice = Shaded()
    for piece in gear:
        number = for_ability(piece.dice, tested.name)
        number += for_ability(piece.dice, missing_skill) if missing_skill else 0
        if number:
            lines += (Line(number, piece.name, "tests.gear.effect"),)
            dice += Shaded.of(Shade.parse(piece.shade), number)
    return lines, dice


# --- Gear granted in play ------------------------------------------------------------------


class GrantGear(Arguments, frozen=True):
    """Who gets which piece of gear."""

    character: str
    gear: Gear


class GearGrant(Outcome, frozen=True):
    """Whether the GM granted it."""

    granted: bool


def grant_gear(arguments: GrantGear, table: BurningTable) -> Play[GearGrant]:
    """The GM may grant gear in a suitable scene, without a test (tests.gear.acquisition)."""
    sheet = table.character(arguments.character)
    after = (*sheet.gear, arguments.gear)
    check(msgspec.structs.replace(sheet, gear=after))
    granted = yield from consent(
        GM,
        "grant",
        f"Grant {sheet.name} {arguments.gear.name} in this scene?",
        because="tests.gear.acquisition",
    )
    if not granted:
        return GearGrant(False)
    because = "tests.gear.acquisition"
    yield from table.amend(arguments.character, "gear", after, because=because)
    yield from note(f"{sheet.name} gets {arguments.gear.name}.", because)
    return GearGrant(True)


# --- Tools ------------------------------------------------------------------------------------


class ToolUse(msgspec.Struct, frozen=True):
    """The set of tools in hand, by name; or that a test needs tools and there are none."""

    name: str = ""
    lacking: bool = False


NO_TOOLS = ToolUse()
"""A test for which tools do not matter."""


def tools_in_hand(
    declaration: Declaration, agreed: Agreement, context: Context, table: BurningTable
) -> Step[ToolUse]:
    """Whether the test needs tools, and whether the character has them (gold.tests.tools).

    Tests of a skill that is marked so do, and of whatever a set of tools at hand is for, unless
    the GM says that this one does not; of other skills and stats the GM may say that it does. No
    attribute takes tools, and in a procedure that lays down its ability only what usually does,
    unless it is work with the hands.
    What is said in a conflict holds for all of it.
    """
    sheet = table.character(agreed.character)
    piece = _piece(sheet, declaration.tools, agreed.name)
    if not edition(table.options).tools_matter:
        return NO_TOOLS
    if context.has_tools is not None and piece is None:
        return ToolUse(lacking=not context.has_tools)
    skill = agreed.tested.ability
    marked = not agreed.missing_skill and isinstance(skill, SkillAbility) and skill.tools
    usual = marked or piece is not None
    open_to = not context.laid_down or context.may_want_tools
    might = agreed.tested.kind in (AbilityKind.SKILL, AbilityKind.STAT) and open_to
    if not (usual or might):
        return NO_TOOLS
    wants = yield from confirm(
        GM,
        "wants_tools",
        f"Does {agreed.name} need tools here?",
        default=usual,
        because="gold.tests.tools",
        kind="consent" if usual else "aside",
        standing=context.laid_down or context.lasting,
    )
    if not wants:
        return NO_TOOLS
    return ToolUse(lacking=True) if piece is None else ToolUse(piece.name)


def _piece(sheet: Sheet, named: str, ability: str) -> Gear | None:
    """The set named for the test, or else one on the sheet that is for this ability."""
    if named:
        return sheet.carried(named, "tools")
    wanted = ability.casefold()
    fitting = (g for g in sheet.gear if wanted in (each.casefold() for each in g.tools))
    return next(fitting, None)


def times_base(*, untrained: bool, lacking: bool, options: Options) -> int:
    """How many times the base obstacle counts.

    Twice for Beginner's Luck, twice without tools; the two combine (gold.tests.tools_and_luck),
    to four times or to three, as the table reads it (gold.amb.double_doubling).
    """
    if untrained and lacking:
        return 4 if options["gold_double_doubling"] == "times_4" else 3
    return 2 if untrained or lacking else 1


def no_tools(base: int, times: int, *, untrained: bool) -> tuple[Line, ...]:
    """What missing tools add to a base obstacle, beyond what Beginner's Luck does."""
    more = base * (times - (2 if untrained else 1))
    return (Line(more, "no tools", "gold.tests.tools"),) if more else ()


def wear_out(table: BurningTable, character: str, use: ToolUse) -> Step[BurningTable]:
    """See, once the test is resolved, whether the tools last (gold.tests.tools_die_of_fate).

    The first use of a fresh set is free; after that a 1 on the Die of Fate uses it up
    (gold.amb.tools_die_of_fate_result). The result of the test stays as it was.
    """
    if not use.name:
        return table
    because = "gold.tests.tools_die_of_fate"
    sheet = table.character(character)
    at = next(i for i, piece in enumerate(sheet.gear) if piece.name == use.name)
    if not sheet.gear[at].used:
        return (yield from table.amend(character, f"gear.{at}.used", True, because=because))
    gone = yield from call(
        fate_check, f"{use.name}: used up", "the tools last", sheet.seat(character)
    )
    if not gone:
        return table
    left = tuple(piece for piece in sheet.gear if piece.name != use.name)
    table = yield from table.amend(character, "gear", left, because=because)
    yield from note(f"{sheet.name} has used up the tools: {use.name}.", because)
    return table


PROCEDURES = (Procedure("grant_gear", "Grant gear", GrantGear, grant_gear, gm_only=True),)
