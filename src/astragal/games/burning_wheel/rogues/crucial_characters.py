"""Crucial opposition: an opponent whom the players will not get around is burned in full."""

from __future__ import annotations

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput, check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import Play, Step, call, note, path_of

from ..artha.starting_artha import StartArtha, start_artha
from ..sheet.parts import Artha, Resources
from ..sheet.ratings import Rating
from ..sheet.reading import MOST_WEALTH
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet, stat_names
from .growing_characters import new_spell
from .one_off import check_gm_character, gm_character

# --- A full burn ---------------------------------------------------------------------------


class FullBurn(Arguments, frozen=True):
    """The opponent, and the number of lifepaths where the sheet does not list them."""

    character: str
    lifepaths: int = 0


class FullBurnOutcome(Outcome, frozen=True):
    """Whether the opponent is burned in full, what is missing, and the artha it has."""

    complete: bool
    missing: tuple[str, ...]
    artha: Artha


def crucial_opponent(arguments: FullBurn, table: BurningTable) -> Play[FullBurnOutcome]:
    """Check that a crucial opponent has everything, and give it artha.

    rogues.crucial.full_burn: all stats, skills, Beliefs, Instincts, traits and gear. It has artha
    to spend (rogues.crucial.artha), as much as the players' characters started with, but no Deeds
    (rogues.amb.crucial_artha_amount); what it has already stays.
    """
    rule = "rogues.crucial.full_burn"
    sheet = gm_character(arguments.character, table, rule)
    missing = _missing(sheet)
    for each in missing:
        yield from note(f"{sheet.name} lacks {each}.", rule)
    if not missing:
        yield from note(f"{sheet.name} is burned in full.", rule)
    has = sheet.artha
    if has == Artha():
        lifepaths = arguments.lifepaths or len(sheet.lifepaths)
        start = StartArtha(arguments.character, lifepaths)
        has = (yield from call(start_artha, start, table)).artha
        text = f"{sheet.name} has {has.fate} fate and {has.persona} persona to spend."
        yield from note(text, "rogues.crucial.artha")
    return FullBurnOutcome(not missing, missing, has)


def _missing(sheet: Sheet) -> tuple[str, ...]:
    """What a full burn has and this sheet does not."""
    stats = [stat for stat in stat_names() if stat not in sheet.stats]
    parts = {
        "skills": sheet.skills,
        "Beliefs": sheet.beliefs,
        "Instincts": sheet.instincts,
        "traits": sheet.traits,
        "gear": sheet.gear or sheet.weapons or sheet.armor,
        "tolerances": sheet.tolerances,
    }
    return (*stats, *(name for name, there in parts.items() if not there))


# --- More than the rules of burning allow --------------------------------------------------


class Strengthening(Arguments, frozen=True):
    """What is added to an opponent who still seems too weak.

    ``spell`` is one that it knows; ``money`` is in dice of cash; ``gray_stat`` is the stat that
    becomes gray.
    """

    character: str
    spell: str = ""
    money: int = 0
    gray_stat: str = ""


class StrengtheningOutcome(Outcome, frozen=True):
    """What was added."""

    added: tuple[str, ...]


def strengthen_opponent(
    arguments: Strengthening, table: BurningTable
) -> Play[StrengtheningOutcome]:
    """Add to an opponent, beyond the limits of character burning (rogues.crucial.tweak)."""
    because = "rogues.crucial.tweak"
    character = arguments.character
    sheet = gm_character(character, table, because)
    added: list[str] = []
    if arguments.spell.strip():
        spells = (*sheet.spells, new_spell(arguments.spell, sheet))
        table = yield from table.amend(character, "spells", spells, because=because)
        added.append(arguments.spell.strip())
    if arguments.money:
        table = yield from _pay(arguments, table)
        added.append(f"{arguments.money}D of cash")
    if arguments.gray_stat:
        table, said = yield from _lighten(arguments, table)
        added.append(said)
    if not added:
        raise BadInput("spell", "", "a spell, money or a gray stat to add", because)
    yield from note(f"{sheet.name} gains {', '.join(added)}.", because)
    return StrengtheningOutcome(tuple(added))


def _pay(arguments: Strengthening, table: BurningTable) -> Step[BurningTable]:
    rule = "rogues.crucial.tweak"
    wealth = table.character(arguments.character).resources or Resources(Rating(Shade.BLACK, 0))
    check_between("money", arguments.money, 1, MOST_WEALTH - wealth.cash, rule, unit="dice of cash")
    richer = msgspec.structs.replace(wealth, cash=wealth.cash + arguments.money)
    return (yield from table.amend(arguments.character, "resources", richer, because=rule))


def _lighten(arguments: Strengthening, table: BurningTable) -> Step[tuple[BurningTable, str]]:
    rule = "rogues.crucial.tweak"
    sheet = table.character(arguments.character)
    known = {stat.casefold(): stat for stat in sheet.stats}
    stat = known.get(arguments.gray_stat.strip().casefold(), "")
    if not stat or sheet.stats[stat].rating.shade is not Shade.BLACK:
        black = [name for name in sheet.stats if sheet.stats[name].rating.shade is Shade.BLACK]
        expected = f"a black stat of {sheet.name}: {', '.join(black) or 'none'}"
        raise BadInput("gray_stat", arguments.gray_stat, expected, rule)
    rating = Rating(Shade.GRAY, sheet.stats[stat].rating.exponent)
    path = path_of("stats", stat, "rating")
    table = yield from table.amend(arguments.character, path, rating, because=rule)
    return table, f"{stat} {rating}"


PROCEDURES = (
    Procedure(
        "crucial_opponent",
        "Crucial opponent: a full burn",
        FullBurn,
        crucial_opponent,
        gm_only=True,
        check=check_gm_character,
    ),
    Procedure(
        "strengthen_opponent",
        "Strengthen an opponent",
        Strengthening,
        strengthen_opponent,
        gm_only=True,
        check=check_gm_character,
    ),
)
