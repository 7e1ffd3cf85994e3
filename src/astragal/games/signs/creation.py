"""A new character of the game of Signs: the form, and a sheet as the form shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.games.creation import WHO, CharacterCreation, CreationField, CreationPart

from .scene import SignsTable
from .sheet import SCORES
from .successes import die_names


def parts(table: SignsTable) -> tuple[CreationPart, ...]:  # noqa: ARG001
    """What is asked: the four Scores, and the Signs with their Tags."""
    scores = tuple(
        CreationField(
            f"scores.{name}", name, "choice", rule="signs.roll.scores", choices=die_names()
        )
        for name in SCORES
    )
    return (
        CreationPart("Who", WHO),
        CreationPart("Exploration Scores", scores),
        CreationPart(
            "Signs",
            (
                CreationField(
                    "signs",
                    "Signs",
                    "picks",
                    help="A name, its die, and after a colon its Tags.",
                    rule="signs.roll.tag_die",
                    example="Owl: D6: Night Eyes",
                ),
            ),
        ),
        CreationPart(
            "Boons and Banes",
            (
                CreationField("boons", "Boons", "list", rule="signs.boon.effect"),
                CreationField("banes", "Banes", "list", rule="signs.bane.effect"),
            ),
        ),
    )


def shorthand(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """A sheet in full as people would write it."""
    short = dict(sheet)
    short["signs"] = {name: _sign(each) for name, each in (sheet.get("signs") or {}).items()}
    for group in ("boons", "banes"):
        held = sheet.get(group) or ()
        short[group] = [each["name"] if isinstance(each, Mapping) else each for each in held]
    return short


def _sign(sign: Any) -> Any:
    if not isinstance(sign, Mapping):
        return sign
    return ": ".join(filter(None, (sign["die"], ", ".join(sign.get("tags", ())))))


CREATION = CharacterCreation(parts, shorthand)
"""How a character of the game of Signs is made."""
