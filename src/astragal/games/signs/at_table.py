"""What the game of Signs offers to people at a table: which procedures, in which words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.games.about import plain_words
from astragal.games.at_table import AtTable, FirstQuestion
from astragal.games.game import Procedure
from astragal.games.meanings import Meaning

from .creation import CREATION
from .demo import DEMO
from .finding import FINDING
from .page import abilities, page, scene_page
from .sketch import sketch

MEANINGS: dict[str, Meaning] = {
    "score": Meaning("ability", what="ability"),
    "tags": Meaning("owns", what="tag"),
    "tag": Meaning("own", what="tag", of="helper"),
    "goal": Meaning("long", label="Goal"),
    "gain": Meaning("text", label="On a Success", seldom=False),
    "cost": Meaning("text", label="On a failure", seldom=False),
    "target": Meaning("character", free=True),
    "next": Meaning("text", label="Title of the next"),
    "until": Meaning("text", help="When it lapses, such as dawn or session"),
}
"""What arguments stand for in this game."""

SHEET_WORDS = {
    "boons": ("a Boon: {name}", "no longer a Boon: {name}"),
    "banes": ("a Bane: {name}", "no longer a Bane: {name}"),
}
"""How changes of a sheet are put in words."""


def about_attempt(
    procedure: Procedure, arguments: Mapping[str, Any], names: Mapping[str, str]
) -> str:
    """What an attempt is about; for an attack also who or what is attacked."""
    words = plain_words(procedure, arguments, names)
    target = str(arguments.get("target") or "").strip()
    return f"{words} against {names.get(target, target)}" if target else words


AT_TABLE = AtTable(
    page=page,
    about=about_attempt,
    scene_page=scene_page,
    sketch=sketch,
    abilities=abilities,
    opening=(),
    closing=("end_scene", "end_scenario", "time_passes"),
    meanings=MEANINGS,
    sheet_words=SHEET_WORDS,
    demo=DEMO,
    creation=CREATION,
    finding=FINDING,
    first_questions=(
        FirstQuestion(
            "signs_one_success",
            "What does exactly one Success mean?",
            {"yes_but": "Yes, but at a price", "plain_yes": "Simply yes"},
        ),
        FirstQuestion(
            "signs_second_attempt",
            "Can a character try the same goal again?",
            {
                "gm_may_allow_in_later_scene": "In a later scene, if the GM allows it",
                "never_in_the_scenario": "Not in the same scenario",
            },
        ),
    ),
)
