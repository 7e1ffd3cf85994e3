"""A ready evening: a locked cellar, a cipher, and a host who smiles too much."""

from __future__ import annotations

from astragal.games.demo import Cast, Demo, Suggestion
from astragal.play import GM

DEMO = Demo(
    title="The Lamp in the Cellar",
    premise=(
        "A lamp burns every night in Vael's cellar, and guests who go down for wine come up with "
        "new opinions. Ilse has an invitation to dinner, and Tobin has the plans of the pumps."
    ),
    characters={
        "ilse": Cast("ilse"),
        "tobin": Cast("tobin"),
        "vael": Cast("vael", seat=GM, hidden=True),
    },
    scene={"places": {"ilse": "the dining room", "vael": "the dining room", "tobin": "the cellar"}},
    suggestions=(
        Suggestion(
            "Tobin starts the old pump",
            "test",
            {
                "character": "tobin",
                "ability": "Repair",
                "task": "start a pump that nobody has touched for a generation",
                "difficulty": "Difficult",
            },
        ),
        Suggestion(
            "Ilse sees through Vael's smile",
            "opposed_test",
            {
                "sides": [
                    {"character": "ilse", "ability": "Scrutiny", "task": "watch his hands"},
                    {"character": "vael", "ability": "Deceive", "task": "talk about his vineyards"},
                ]
            },
        ),
        Suggestion(
            "Ilse breaks the cipher, page by page",
            "extended_test",
            {
                "character": "ilse",
                "ability": "Old Ciphers",
                "task": "read the cellar book",
                "title": "the cellar book",
                "tests": 3,
            },
        ),
    ),
)
