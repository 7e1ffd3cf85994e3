"""Characters of the GM's with only a few numbers: the others, when a scene needs them.

Such a record has what comes into play (tests.record.gm_characters). What is missing is filled in
once and stays on the sheet: stats as those of a one-off character, what follows from them, and
Steel, for which there is no rule but the GM's word.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from astragal.play import GM, Number, Step, ask
from astragal.rules import Options

from ..sheet.parts import Ability
from ..sheet.ratings import HIGHEST_EXPONENT, Rating
from ..sheet.scene import BurningTable
from ..sheet.shades import derived
from ..sheet.sheet import Sheet, parents, stat_names
from ..sheet.skill_roots import book_roots

BASE = 4
"""The stats of a one-off character (rogues.oneoff.stats_base)."""

STEEL = "Steel"
RULE = "tests.record.gm_characters"


def missing(sheet: Sheet, needed: tuple[str, ...]) -> list[str]:
    """What a character of the GM's lacks of this; a player's character is complete."""
    return [name for name in needed if sheet.npc and sheet.find(name) is None]


def supposed(table: BurningTable, names: Iterable[str], needed: tuple[str, ...]) -> BurningTable:
    """The table as it is going to be if the GM has nothing else to say, for checks in advance."""
    characters = dict(table.characters)
    for name in names:
        sheet = characters.get(name)
        if sheet is not None and sheet.npc:
            characters[name] = _filled(sheet, needed, BASE, BASE, table.options)
    return msgspec.structs.replace(table, characters=characters)


def complete(
    table: BurningTable, names: Iterable[str], needed: tuple[str, ...]
) -> Step[BurningTable]:
    """Fill in what the GM's characters still lack for what is about to happen.

    Stats are all alike (rogues.oneoff.stats_base), unless they are on the sheet; Health and
    Reflexes follow from them (tests.attributes.derived).
    """
    for name in names:
        sheet = table.character(name)
        if not missing(sheet, needed):
            continue
        stats = steel = BASE
        if _lacks_stats(sheet, needed):
            stats = yield from ask(
                GM,
                "missing_stats",
                f"All stats of {sheet.name} (not on the sheet yet)",
                Number(least=1, most=HIGHEST_EXPONENT, default=BASE),
                because="rogues.oneoff.stats_base",
            )
        if STEEL in needed and sheet.find(STEEL) is None:
            steel = yield from ask(
                GM,
                "missing_steel",
                f"Steel of {sheet.name} (not on the sheet yet)",
                Number(least=1, most=HIGHEST_EXPONENT, default=BASE),
                because=RULE,
            )
        after = _filled(sheet, needed, stats, steel, table.options)
        if after.stats != sheet.stats:
            because = "rogues.oneoff.stats_base"
            table = yield from table.amend(name, "stats", after.stats, because=because)
        if after.attributes != sheet.attributes:
            table = yield from table.amend(name, "attributes", after.attributes, because=RULE)
    return table


def complete_for(table: BurningTable, names: Iterable[str], skill: str) -> Step[BurningTable]:
    """Fill in the roots of a skill for those of the GM's characters who do not have it.

    So that they can try it by Beginner's Luck (tests.beginner.root_stat).
    """
    untrained = tuple(name for name in names if table.character(name).find(skill) is None)
    return (yield from complete(table, untrained, book_roots(skill)))


def _lacks_stats(sheet: Sheet, needed: tuple[str, ...]) -> bool:
    """Whether a stat is missing, or one of those from which a missing attribute follows."""
    missing = [name for name in needed if sheet.find(name) is None and name != STEEL]
    stats = {stat for name in missing for stat in ((name,) if _is_stat(name) else parents(name))}
    return any(stat not in sheet.stats for stat in stats)


def _is_stat(name: str) -> bool:
    return name in stat_names()


def _filled(
    sheet: Sheet, needed: tuple[str, ...], stats: int, steel: int, options: Options
) -> Sheet:
    """A sheet with what is needed, at these exponents; what is on it stays."""
    if _lacks_stats(sheet, needed):
        usual = Ability(Rating.parse(f"B{stats}"))
        whole = {stat: sheet.stats.get(stat, usual) for stat in stat_names()}
        sheet = msgspec.structs.replace(sheet, stats=whole)
    attributes = dict(sheet.attributes)
    for name in needed:
        if sheet.find(name) is not None:
            continue
        if name == STEEL:
            attributes[name] = Ability(Rating.parse(f"B{steel}"))
        elif (made := derived(sheet, name, options)) is not None:
            rating = Rating(made.shade, min(HIGHEST_EXPONENT, made.average))
            attributes[name] = Ability(rating)
    return msgspec.structs.replace(sheet, attributes=attributes)
