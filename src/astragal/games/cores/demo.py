"""A ready evening: the school paper, a locker, and a coach who would rather not be asked."""

from __future__ import annotations

from astragal.games.demo import Cast, Demo, Suggestion
from astragal.play import GM

DEMO = Demo(
    title="Locker 113",
    premise=(
        "Somebody has cleared out the trophy case, and Coach Hale wants the matter forgotten "
        "before the weekend. Robin saw who had the key, and Jo's front page is still empty."
    ),
    characters={
        "robin": Cast("robin"),
        "jo": Cast("jo"),
        "coach_hale": Cast("coach_hale", seat=GM, hidden=True),
    },
    suggestions=(
        Suggestion(
            "Robin takes the stairs by skateboard",
            "test",
            {
                "character": "robin",
                "core": "physical",
                "task": "skate down the fire stairs before the coach turns the corner",
                "rocks": ["Skating"],
                "helpers": ["jo"],
            },
        ),
        Suggestion(
            "Jo makes the coach talk",
            "opposed_test",
            {
                "acting": {
                    "character": "jo",
                    "core": "social",
                    "task": "ask about the key as if she already knew",
                    "rocks": ["Asking questions"],
                },
                "opposing": {
                    "character": "coach_hale",
                    "core": "resolve",
                    "task": "say nothing, loudly",
                },
            },
        ),
        Suggestion(
            "Everyone stares at Robin: avoid Angst",
            "avoid_angst",
            {
                "character": "robin",
                "task": "walk past the whole swim team",
                "types": ["Shame"],
                "stressors": ["being stared at"],
            },
        ),
    ),
)
