"""A ready evening: a drowned bell tower, three who go in, and not much night left."""

from __future__ import annotations

from astragal.games.demo import Cast, Demo, Suggestion

DEMO = Demo(
    title="The Bell Below",
    premise=(
        "The bell that kept the river quiet has gone down with its tower, and the water rises a "
        "step every night. Ysolde knows the roofs, Bram knows the bell, and Ikka knows the song "
        "that it was cast to."
    ),
    characters={"ysolde": Cast("ysolde"), "bram": Cast("bram"), "ikka": Cast("ikka")},
    scene={"title": "The tower roof, past midnight"},
    suggestions=(
        Suggestion(
            "Ysolde goes in over the roofs",
            "called_test",
            {
                "character": "ysolde",
                "score": "Skill",
                "tags": ["Rooftops"],
                "goal": "reach the belfry window before the moon is out",
                "helpers": ["bram"],
                "wager": {
                    "gain": "she is inside, and nobody has seen her",
                    "cost": "a slate falls, and the watch looks up",
                },
            },
        ),
        Suggestion(
            "Ikka reads the runes on the bell's yoke",
            "rules_test",
            {
                "character": "ikka",
                "score": "Rune",
                "tags": ["Old Songs"],
                "goal": "read the runes on the yoke",
                "success": "the first line of the song comes back to her",
                "failure": "the runes answer, and the water stirs",
                "circumstances": ["under an open sky"],
            },
        ),
        Suggestion(
            "All three lift the bell",
            "group_test",
            {
                "goal": "raise the bell out of the water",
                "members": [
                    {"character": "ysolde", "score": "Skill"},
                    {"character": "bram", "score": "Skill", "tags": ["Strong Arms"]},
                    {"character": "ikka", "score": "Think"},
                ],
            },
        ),
    ),
)
