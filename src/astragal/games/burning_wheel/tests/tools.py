"""Tools: a test that calls for them is twice as hard without, and use wears them out.

A procedure of the later edition only; in the Revised one a GM can do no more than add a
disadvantage (gold.diff.tools_double), and nothing wears tools out (gold.diff.tools_die_of_fate).
"""

from __future__ import annotations

import msgspec

from astragal.games.burning_wheel.sheet.editions import edition
from astragal.games.burning_wheel.sheet.parts import Gear, Kind, Skill
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.sheet import Sheet
from astragal.games.burning_wheel.tests.die_of_fate import fate_check
from astragal.games.burning_wheel.tests.intent import Agreed, Declaration, Link
from astragal.play import GM, Line, Noted, Step, YesNo, ask, call, tell
from astragal.rules import Options


class ToolUse(msgspec.Struct, frozen=True):
    """The set of tools in hand, by name; or that a test wants tools and there are none."""

    name: str = ""
    lacking: bool = False


NO_TOOLS = ToolUse()
"""A test for which tools do not matter."""


def tools_in_hand(
    declaration: Declaration, agreed: Agreed, link: Link, table: BurningTable
) -> Step[ToolUse]:
    """Whether the test calls for tools, and whether the character has them (gold.tests.tools).

    The GM says whether it does; most tests of a skill that is marked so do. No attribute takes
    tools, and in a procedure that lays down its ability only what usually does.
    """
    sheet = table.character(agreed.character)
    piece = _piece(sheet, declaration.tools, agreed.name)
    if not edition(table.options).tools_matter:
        return NO_TOOLS
    skill = agreed.tested.ability
    marked = not agreed.missing_skill and isinstance(skill, Skill) and skill.tools
    usual = marked or piece is not None
    might = agreed.tested.kind in (Kind.SKILL, Kind.STAT) and not link.laid_down
    if not (usual or might):
        return NO_TOOLS
    wants = yield from ask(
        GM,
        "wants_tools",
        f"Does this call for tools? {agreed.name}: {agreed.task}",
        YesNo(default=usual),
        because="gold.tests.tools",
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
        fate_check,
        f"{use.name}: used up",
        "the tools last",
        sheet.seat(character),
    )
    if not gone:
        return table
    left = tuple(piece for piece in sheet.gear if piece.name != use.name)
    table = yield from table.amend(character, "gear", left, because=because)
    yield from tell(Noted(f"{sheet.name} has used up the tools: {use.name}.", because))
    return table
