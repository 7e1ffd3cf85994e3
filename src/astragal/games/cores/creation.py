"""A new character of the game of Cores: the form, and a sheet as the form shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.games.creation import WHO, CharacterCreation, CreationField, CreationPart, Finished

from .scene import CoresTable
from .sheet import CoreName, grades, ladder


def parts(table: CoresTable) -> tuple[CreationPart, ...]:  # noqa: ARG001
    """What is asked: the four Cores, what rocks and sucks, and who matters."""
    cores = tuple(
        CreationField(
            f"core.{name.value}",
            str(name),
            "choice",
            rule="cores.test.core_die",
            choices=ladder()[1:],
        )
        for name in CoreName
    )
    named = ", ".join(name.value for name in CoreName)
    knack = f"A name and its Core ({named}). Put “really” before the Core of a stronger one."
    return (
        CreationPart("Who", WHO),
        CreationPart("Cores", cores),
        CreationPart(
            "Rocks and Sucks",
            (
                CreationField(
                    "rocks",
                    "Rocks",
                    "picks",
                    help=knack,
                    rule="cores.mod.rock",
                    example="Skating: really physical",
                ),
                CreationField(
                    "sucks", "Sucks", "picks", rule="cores.mod.suck", example="Small talk: social"
                ),
                CreationField("perks", "Perks", "list", rule="cores.mod.perk"),
            ),
        ),
        CreationPart(
            "People and feelings",
            (
                CreationField(
                    "relationships",
                    "Relationships",
                    "picks",
                    help=f"A name and a grade: {', '.join(grades())}.",
                    rule="cores.mod.relationship",
                    example="Grandma: A",
                ),
                CreationField("stressors", "Stressors", "list", rule="cores.angst.stressor"),
                CreationField("comforts", "Comforts", "list", rule="cores.angst.comfort_limit"),
                CreationField("factoids", "Factoids", "list", rule="cores.mod.factoid"),
            ),
        ),
        CreationPart(
            "Points",
            (
                CreationField("story_points", "Story Points", "number"),
                CreationField(
                    "life_experience", "Life Experience", "number", rule="cores.life.refresh"
                ),
            ),
        ),
    )


def shorthand(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """A sheet in full as people would write it."""
    short = dict(sheet)
    short["core"] = {
        name: each["die"] if isinstance(each, Mapping) else each
        for name, each in (sheet.get("core") or {}).items()
    }
    for group in ("rocks", "sucks"):
        short[group] = {name: _knack(each) for name, each in (sheet.get(group) or {}).items()}
    short["perks"] = list(sheet.get("perks") or ())
    life = sheet.get("life_experience")
    short["life_experience"] = life["full"] if isinstance(life, Mapping) else life
    return short


def _knack(knack: Any) -> Any:
    if not isinstance(knack, Mapping):
        return knack
    return f"really {knack['core']}" if knack.get("really") else knack["core"]


def finish(sheet: dict[str, Any], table: CoresTable) -> Finished:  # noqa: ARG001
    """Perks that were there before keep what they are; new ones are system Perks."""
    perks = sheet.get("perks")
    if isinstance(perks, list):
        sheet = {**sheet, "perks": {name: {} for name in perks if isinstance(name, str)}}
    return Finished(sheet)


CREATION = CharacterCreation(parts, shorthand, finish)
"""How a character of the game of Cores is made."""
