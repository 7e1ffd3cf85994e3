"""What the d100 game offers to people at a table: which procedures, in which words."""

from __future__ import annotations

from astragal.games.at_table import AtTable, FirstQuestion, SessionCounts
from astragal.games.meanings import Meaning
from astragal.play import Option

from .creation import CREATION
from .demo import DEMO
from .finding import FINDING
from .modifiers import difficulties
from .page import abilities, page, scene_page
from .sheet import characteristics
from .sketch import sketch

MEANINGS: dict[str, Meaning] = {
    "difficulty": Meaning(
        "choice",
        choices=tuple(
            Option(name, f"{name} ({amount:+d})", "percentile.difficulty.gm")
            for name, amount in difficulties().items()
        ),
    ),
    "characteristic": Meaning(
        "choice",
        choices=tuple(Option(short, each.name) for short, each in characteristics().items()),
    ),
    "over_vox": Meaning("characters", label="Assistants over vox"),
    "skill": Meaning("text"),
    "EndRaise.why": Meaning("own", what="raise", label="Which increase"),
    "title": Meaning("text", label="Name of the Extended test"),
    "tests": Meaning("number", label="Tests to make now, at most"),
}
"""What arguments stand for in this game."""

_VALUE = "{name} goes from {before} to {after}"

SHEET_WORDS = {
    "characteristics.*": (_VALUE, _VALUE),
    "raises": ("{characteristic} +{amount}: {why}", "{characteristic} +{amount} ends: {why}"),
}
"""How changes of a sheet are put in words."""

AT_TABLE = AtTable(
    page=page,
    scene_page=scene_page,
    sketch=sketch,
    abilities=abilities,
    opening=(),
    closing=("end_session",),
    meanings=MEANINGS,
    sheet_words=SHEET_WORDS,
    demo=DEMO,
    creation=CREATION,
    finding=FINDING,
    counted=SessionCounts(low_is_good=True),
    first_questions=(
        FirstQuestion(
            "percentile_training_levels",
            "What is training beyond the first level worth?",
            {"none": "Nothing more", "plus_10_steps": "+10 for each level"},
        ),
        FirstQuestion(
            "percentile_extended_measure",
            "What completes an Extended test?",
            {
                "total_degrees": "Enough degrees of success in all",
                "successful_tests": "A number of successful tests",
                "successful_tests_in_a_row": "A number of successful tests in a row",
            },
        ),
    ),
)
