"""The quick method for characters who appear once: one number for all skills, one for all stats.

Nobody burns ten guards. What is worked out here is written on a sheet by ``rogues/one_off``, from
a line of text by ``rogues/one_line``, and ability by ability by ``rogues/growing_characters``.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum

from astragal.errors import BadInput
from astragal.rules import Options, catalogue

from ..sheet.parts import Ability
from ..sheet.ratings import HIGHEST_EXPONENT, Rating
from ..sheet.reading import preset_tolerances
from ..sheet.shades import derived
from ..sheet.sheet import Sheet, stat_names
from ..tests.partial_records import BASE

# --- Skills --------------------------------------------------------------------------------


class Competence(Enum):
    """How good a one-off character is at all that matters (rogues.oneoff.skill_level)."""

    ORDINARY = "ordinary"
    PROFESSIONAL = "professional"
    EXPERT = "expert"


ROWS = {
    Competence.ORDINARY: "ordinary person, any skill",
    Competence.PROFESSIONAL: "trained professional, any skill",
    Competence.EXPERT: "expert, any skill",
}
RANKS = ("hierarchy: specialty", "hierarchy: second ability", "hierarchy: third ability")
FEWEST_RANKED, MOST_RANKED = 3, 4


def skill_rating(competence: Competence) -> str:
    """The one exponent for every skill of such a character (rogues.oneoff.skill_level).

    >>> [skill_rating(each) for each in Competence]
    ['B3', 'B4', 'B5']
    """
    table = catalogue().table("rogues.table.one_off_skills")
    return f"B{table.number('exponent', who=ROWS[competence])}"


def ranked_ratings(abilities: tuple[str, ...], place: str = "ranked") -> dict[str, str]:
    """Three or four abilities in their order, the specialty first (rogues.oneoff.skill_hierarchy).

    A fourth is like the third (rogues.amb.fourth_ability).

    >>> ranked_ratings(("Sorcery", "Persuasion", "Falsehood", "Riding"))
    {'Sorcery': 'B5', 'Persuasion': 'B4', 'Falsehood': 'B3', 'Riding': 'B3'}
    """
    rule = "rogues.oneoff.skill_hierarchy"
    if not FEWEST_RANKED <= len(set(abilities)) == len(abilities) <= MOST_RANKED:
        expected = f"{FEWEST_RANKED} or {MOST_RANKED} abilities, each once, the best first"
        raise BadInput(place, ", ".join(abilities), expected, rule)
    table = catalogue().table("rogues.table.one_off_skills")
    by_rank = [table.number("exponent", who=row) for row in RANKS]
    by_rank.append(by_rank[-1])
    return {name: f"B{rank}" for name, rank in zip(abilities, by_rank, strict=False)}


# --- Stats ---------------------------------------------------------------------------------

WEAK, ABLE = 3, 5
"""The stats of one-off characters who are very old or very young (rogues.oneoff.stats_age), and
of the gifted (rogues.oneoff.stats_able)."""

OLD, GROWN = 50, 15
"""From this age on people are very old; below that one they are very young."""

ALL = "all"


def one_off_stats(
    age: int = 0, weak: Collection[str] = (), able: Collection[str] = (), base: str = f"B{BASE}"
) -> dict[str, str]:
    """The six stats: all at 4, some lowered for age, some raised for talent.

    rogues.oneoff.stats_base, rogues.oneoff.stats_age, rogues.oneoff.stats_able. ``age`` is 0
    where it does not matter; ``all`` stands for every stat.

    >>> one_off_stats(age=70, weak=("Speed",), able=("Will",))["Speed"]
    'B3'
    """
    lowered, raised = _stats(weak, "weak"), _stats(able, "able")
    if lowered and (age == 0 or GROWN <= age < OLD):
        expected = f"no stats at {WEAK}: they are for the age of {OLD} and more, or under {GROWN}"
        raise BadInput("weak", ", ".join(lowered), expected, "rogues.oneoff.stats_age")
    both = sorted(lowered & raised)
    if both:
        expected = "each stat only once"
        raise BadInput("able", ", ".join(both), expected, "rogues.oneoff.stats_able")
    return {
        stat: f"B{WEAK}" if stat in lowered else f"B{ABLE}" if stat in raised else base
        for stat in stat_names()
    }


def _stats(named: Collection[str], place: str) -> set[str]:
    known = {stat.casefold(): stat for stat in stat_names()}
    found: set[str] = set()
    for name in named:
        if name.casefold() == ALL:
            found |= set(stat_names())
        elif name.casefold() in known:
            found.add(known[name.casefold()])
        else:
            expected = f"{ALL}, or one of {', '.join(stat_names())}"
            raise BadInput(place, name, expected, f"rogues.oneoff.stats_{_RULES[place]}")
    return found


_RULES = {"weak": "age", "able": "able"}


# --- Tolerances and attributes -------------------------------------------------------------


def one_off_tolerances(power: Rating, forte: Rating) -> str:
    """The level by which the tolerances are read from the table (rogues.oneoff.ptgs).

    Where the two differ it is the average of Power and Forte, rounded down
    (rogues.amb.one_off_ptgs_mixed).

    >>> one_off_tolerances(Rating.parse("B5"), Rating.parse("B4"))
    'B4'
    """
    level = f"{power.shade.letter}{(power.exponent + forte.exponent) // 2}"
    presets = preset_tolerances()
    if level not in presets:
        expected = f"Power and Forte that average {', '.join(presets)}, or six tolerances"
        raise BadInput("tolerances", level, expected, "rogues.amb.one_off_ptgs_mixed")
    return level


def one_off_attributes(stats: dict[str, str]) -> dict[str, str]:
    """Health and Reflexes, which follow from the stats.

    tests.attributes.health, tests.attributes.reflexes.

    >>> one_off_attributes(one_off_stats(able=("all",)))
    {'Health': 'B5', 'Reflexes': 'B5'}
    """
    body = Sheet("", stats={stat: Ability(Rating.parse(text)) for stat, text in stats.items()})
    options = Options.of("burning_wheel", {})
    found: dict[str, str] = {}
    for name in ("Health", "Reflexes"):
        made = derived(body, name, options)
        if made is not None:
            found[name] = str(Rating(made.shade, min(made.average, HIGHEST_EXPONENT)))
    return found


# --- Where an ability belongs --------------------------------------------------------------


def spelled(skill: str) -> str:
    """A skill as sheets write it: ugly truth is Ugly Truth, harbour-wise is Harbour-wise.

    >>> spelled("ugly truth")
    'Ugly Truth'
    """
    return " ".join(word[:1].upper() + word[1:] for word in skill.split())
