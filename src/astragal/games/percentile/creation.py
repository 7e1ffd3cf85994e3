"""A new character of the d100 game: the form, and a sheet as the form shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.games.creation import (
    WHO,
    CharacterCreation,
    CreationField,
    CreationPart,
    SuggestedName,
)

from .scene import PercentileTable
from .sheet import TRAINED, TRAINING_STEP, UNTRAINED_PENALTY, characteristics


def parts(table: PercentileTable) -> tuple[CreationPart, ...]:
    """What is asked: the characteristics, and the skills with what governs them."""
    known = {
        name: skill.characteristic
        for sheet in table.characters.values()
        for name, skill in sheet.skills.items()
    }
    values = tuple(
        CreationField(
            f"characteristics.{short}",
            f"{about.name} ({short})",
            "number",
            rule="percentile.char.base",
        )
        for short, about in characteristics().items()
    )
    return (
        CreationPart("Who", WHO),
        CreationPart("Characteristics", values),
        CreationPart(
            "Skills",
            (
                CreationField(
                    "skills",
                    "Skills",
                    "picks",
                    help="A name and its characteristic; +10 for each further level of training.",
                    rule="percentile.skill.governed",
                    suggestions=tuple(SuggestedName(name, by) for name, by in known.items()),
                    example="Dodge: Ag +10",
                ),
            ),
        ),
    )


def shorthand(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """A sheet in full as people would write it."""
    short = dict(sheet)
    short["skills"] = {name: _skill(each) for name, each in (sheet.get("skills") or {}).items()}
    return short


def _skill(skill: Any) -> Any:
    if not isinstance(skill, Mapping):
        return skill
    level = skill.get("training", TRAINED)
    worth = -UNTRAINED_PENALTY if level < TRAINED else TRAINING_STEP * (level - TRAINED)
    return f"{skill['characteristic']} {worth:+d}" if worth else skill["characteristic"]


CREATION = CharacterCreation(parts, shorthand)
"""How a character of the d100 game is made."""
