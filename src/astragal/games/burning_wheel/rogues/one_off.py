"""A one-off character at the table: the quick method, written on the sheet of one of the GM's.

A character that was added by name only is filled in: skills, stats, tolerances, one Belief.
"""

from __future__ import annotations

from typing import Any

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, Text, ask, note

from ..sheet.parts import Ability, Belief, SkillAbility, Tolerances, Trait, WoundLevel
from ..sheet.ratings import Coordinate, Rating
from ..sheet.reading import check, preset_tolerances
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from .quick_characters import (
    Competence,
    one_off_attributes,
    one_off_stats,
    one_off_tolerances,
    ranked_ratings,
    skill_rating,
    spelled,
)

LONGEST_BIT = 300
"""A Belief or Instinct of such a character is simple, and short."""


class OneOff(Arguments, frozen=True):
    """One of the GM's characters, and what the quick method says of them.

    ``competence`` is how good they are at their ``skills``; ``ranked`` are three or four abilities,
    the best first; ``weak`` are the stats at 3, ``able`` those at 5; ``tolerances`` are six steps
    where the table's are changed.
    """

    character: str
    competence: Competence = Competence.PROFESSIONAL
    skills: tuple[str, ...] = ()
    ranked: tuple[str, ...] = ()
    age: int = 0
    weak: tuple[str, ...] = ()
    able: tuple[str, ...] = ()
    tolerances: tuple[Coordinate, ...] = ()
    trait: str = ""


class OneOffOutcome(Outcome, frozen=True):
    """What is on the sheet: stats and skills with their ratings, and the tolerances."""

    stats: tuple[tuple[str, str], ...]
    skills: tuple[tuple[str, str], ...]
    tolerances: tuple[str, ...]
    belief: str
    instinct: str


def check_gm_character(character: str, table: BurningTable) -> Sheet:
    """One of the GM's characters, or a refusal."""
    return gm_character(character, table, "rogues.oneoff.improvise")


def gm_character(character: str, table: BurningTable, rule: str) -> Sheet:
    """One of the GM's characters, or a refusal."""
    sheet = table.character(character)
    if not sheet.npc:
        raise NotAllowed(f"{sheet.name} is a player's character, not one of the GM's", rule)
    return sheet


def one_off_character(arguments: OneOff, table: BurningTable) -> Play[OneOffOutcome]:
    """Give a one-off character its numbers, as play goes along or before (rogues.oneoff.improvise).

    What is on the sheet already stays, unless the method has another number for it.
    """
    character = arguments.character
    sheet = gm_character(character, table, "rogues.oneoff.improvise")
    skills = {spelled(name): skill_rating(arguments.competence) for name in arguments.skills}
    if arguments.ranked:
        skills |= ranked_ratings(tuple(spelled(name) for name in arguments.ranked))
    stats = one_off_stats(arguments.age, arguments.weak, arguments.able)
    steps = _tolerances(arguments, stats)
    attributes = one_off_attributes(stats) | {"Mortal Wound": str(steps.mortal)}
    written: dict[str, tuple[Any, str]] = {
        "stats": (
            {**sheet.stats, **{n: Ability(Rating.parse(r)) for n, r in stats.items()}},
            "rogues.oneoff.stats_base",
        ),
        "attributes": (
            {**sheet.attributes, **{n: Ability(Rating.parse(r)) for n, r in attributes.items()}},
            "rogues.oneoff.ptgs",
        ),
        "skills": (
            {**sheet.skills, **{n: SkillAbility(Rating.parse(r)) for n, r in skills.items()}},
            "rogues.oneoff.skill_hierarchy" if arguments.ranked else "rogues.oneoff.skill_level",
        ),
        "tolerances": (steps, "rogues.oneoff.ptgs"),
    }
    if arguments.age:
        written["age"] = (arguments.age, "rogues.oneoff.stats_age")
    if arguments.trait.strip():
        # None by default; the GM may give one (rogues.oneoff.traits).
        traits = (*sheet.traits, Trait(arguments.trait.strip()))
        written["traits"] = (traits, "rogues.oneoff.traits")
    for path, (after, because) in written.items():
        table = yield from table.amend(character, path, after, because=because)
    belief, instinct, table = yield from _bits(character, table)
    check(table.character(character))
    return OneOffOutcome(
        stats=tuple(stats.items()),
        skills=tuple(skills.items()),
        tolerances=tuple(str(steps.of(level)) for level in WoundLevel),
        belief=belief,
        instinct=instinct,
    )


def _tolerances(arguments: OneOff, stats: dict[str, str]) -> Tolerances:
    """The row of the table, or what the GM makes of it (rogues.oneoff.ptgs_tweak)."""
    if arguments.tolerances:
        if len(arguments.tolerances) != len(WoundLevel):
            expected = f"{len(WoundLevel)} steps, from Superficial to Mortal, or none"
            found = ", ".join(str(step) for step in arguments.tolerances)
            raise BadInput("tolerances", found, expected, "rogues.oneoff.ptgs_tweak")
        return Tolerances(*arguments.tolerances)
    level = one_off_tolerances(Rating.parse(stats["Power"]), Rating.parse(stats["Forte"]))
    return Tolerances(*(Coordinate.parse(step) for step in preset_tolerances()[level]))


def _bits(character: str, table: BurningTable) -> Step[tuple[str, str, BurningTable]]:
    """Exactly one Belief (rogues.oneoff.belief), and at most one Instinct (rogues.oneoff.instinct).

    The Belief is about the scene at hand; an Instinct is left out if nothing comes to mind.
    """
    name = table.character(character).name
    belief: str = yield from ask(
        GM,
        "one_belief",
        f"{name}'s one Belief, about this scene",
        Text(required=True, longest=LONGEST_BIT),
        because="rogues.oneoff.belief",
    )
    because = "rogues.oneoff.belief"
    table = yield from table.amend(character, "beliefs", (Belief(belief),), because=because)
    instinct: str = yield from ask(
        GM,
        "one_instinct",
        f"{name}'s Instinct (empty: none)",
        Text(default="", longest=LONGEST_BIT),
        because="rogues.oneoff.instinct",
    )
    instincts = (Belief(instinct),) if instinct else ()
    because = "rogues.oneoff.instinct"
    table = yield from table.amend(character, "instincts", instincts, because=because)
    yield from note(f"{name} is ready for the scene: {belief}", "rogues.oneoff.belief")
    return belief, instinct, table


PROCEDURES = (
    Procedure(
        "one_off_character",
        "One-off character: the quick method",
        OneOff,
        one_off_character,
        gm_only=True,
        check=check_gm_character,
    ),
)
