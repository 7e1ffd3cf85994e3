"""Black-Metal Artifice: the household metalwork of the Dwarves."""

from __future__ import annotations

from functools import cache

import msgspec

from astragal.errors import NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Line, Play, Step, call, consent, note
from astragal.rules import Record, catalogue

from ...sheet.catalogue_keys import check_key, key_of
from ...sheet.editions import edition
from ...sheet.lookups import Entries, LookUp, look_up
from ...sheet.parts import Gear
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...sheet.skill_roots import BLACK_METAL_ARTIFICE
from ...sheet.words import as_sentence
from ...tests.intent import Declaration
from ...tests.results import StandardOutcome
from .emotional_attributes import check_stock
from .set_obstacles import roll_against


class CraftRecord(msgspec.Struct, frozen=True):
    """A skill as the book describes it: its roots, FoRKs and type, and whether it takes tools."""

    name: str
    roots: tuple[str, ...]
    forks: tuple[str, ...]
    category: str
    tools: bool


BLACK_METAL = CraftRecord(
    name=BLACK_METAL_ARTIFICE[0],
    roots=BLACK_METAL_ARTIFICE[1],
    forks=("White-Metal Artifice", "War Art"),
    category="Craftsman",
    tools=True,
)
"""The record of the skill; its two roots are averaged like any (faith.amb.black_metal_root)."""


@cache
def products() -> dict[str, Record]:
    """What is made, by key (faith.natural.black_metal.obstacle)."""
    rows = catalogue().table("faith.table.black_metal_artifice").records()
    return {key_of(row["product"]): row for row in rows}


def look_up_black_metal(arguments: LookUp, _: BurningTable) -> Play[Entries]:
    """Look up the skill and its obstacles (faith.natural.black_metal.record)."""
    said = {
        "roots": " and ".join(BLACK_METAL.roots),
        "FoRKs": ", ".join(BLACK_METAL.forks),
        "type": BLACK_METAL.category,
        "tools": "yes" if BLACK_METAL.tools else "no",
    }
    for row in products().values():
        special = row.number("obstacle_for_plus_1d_tools")
        said[row.text("product")] = f"Ob {row.number('obstacle')}; Ob {special} for +1D"
    rule = "faith.natural.black_metal.record"
    return (yield from look_up(said, arguments.entry, rule))


class BlackMetal(Arguments, frozen=True):
    """Who makes what with Black-Metal Artifice; ``special`` tools give +1D.

    ``skills`` are those that the product serves besides the listed ones.
    """

    character: str
    product: str
    special: bool = False
    skills: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    tools: str = ""
    time: str = ""


class CraftOutcome(Outcome, frozen=True):
    """How the work came out, what was made, and the skills to which it gives a die."""

    passed: bool
    test: StandardOutcome
    made: str = ""
    helps: tuple[str, ...] = ()


def _is_dwarf(character: str, table: BurningTable) -> None:
    check_stock(table.character(character), "Dwarf", BLACK_METAL.name, "faith.natural.what")


def black_metal(arguments: BlackMetal, table: BurningTable) -> Play[CraftOutcome]:
    """Make a set of tools; like ordinary smithing, but open-ended.

    faith.natural.black_metal.obstacle, faith.natural.black_metal.open_ended. Without the skill
    one of its roots is tested, Will or Agility (faith.natural.black_metal.record).
    """
    sheet = table.character(arguments.character)
    _is_dwarf(arguments.character, table)
    rule = "faith.natural.black_metal.obstacle"
    row = products()[check_key(arguments.product, products(), "product", rule)]
    tools = yield from _has_tools(arguments, sheet, table)
    name = row.text("product")
    said = Declaration(
        character=arguments.character,
        intent=f"make {'special ' if arguments.special else ''}{name}",
        task="works at the forge",
        ability=BLACK_METAL.name,
        helpers=arguments.helpers,
        gear=arguments.gear,
        tools=arguments.tools,
        time=arguments.time,
    )
    base = Line(row.number("obstacle"), name, rule)
    if arguments.special:
        # +2 Ob for the product's own die (faith.natural.black_metal.bonus_tools)
        special = row.number("obstacle_for_plus_1d_tools")
        base = Line(special, f"special {name}", "faith.natural.black_metal.bonus_tools")
    test, table = yield from call(
        roll_against, said, base, "the metal is spoiled", None, BLACK_METAL.roots, table, tools
    )
    if not test.passed:
        return CraftOutcome(False, test)
    made = _product(arguments, row)
    yield from note(as_sentence(f"{sheet.name} has made {made.name}"), rule)
    gear = (*table.character(arguments.character).gear, made)
    yield from table.amend(arguments.character, "gear", gear, because=rule)
    return CraftOutcome(True, test, made.name, tuple(made.dice))


def _product(arguments: BlackMetal, row: Record) -> Gear:
    """The tools, for the skills they serve; special ones give +1D to every test with them.

    faith.natural.black_metal.bonus_tools.
    """
    skills = tuple(dict.fromkeys((*row.texts("skill_codes"), *arguments.skills)))
    name = row.text("product")
    if not arguments.special:
        return Gear(name, tools=skills)
    return Gear(f"special {name}", dice=dict.fromkeys(skills, 1), tools=skills)


def _has_tools(arguments: BlackMetal, sheet: Sheet, table: BurningTable) -> Step[bool]:
    """The work takes tools of its own (faith.natural.black_metal.record).

    In the later edition it can be tried without, at a doubled obstacle (gold.tests.tools).
    """
    if arguments.tools or any(BLACK_METAL.name in piece.tools for piece in sheet.gear):
        return True
    rule = "faith.natural.black_metal.record"
    prompt = f"Does {sheet.name} have the tools for {BLACK_METAL.name}?"
    has: bool = yield from consent(GM, "has_tools", prompt, because=rule)
    if not has and not edition(table.options).tools_matter:
        raise NotAllowed(f"{BLACK_METAL.name} needs tools, and {sheet.name} has none", rule)
    return has


PROCEDURES = (
    Procedure("black_metal", "Black-Metal Artifice", BlackMetal, black_metal, check=_is_dwarf),
    Procedure(
        "look_up_black_metal", "Black-Metal Artifice: the skill", LookUp, look_up_black_metal
    ),
)
