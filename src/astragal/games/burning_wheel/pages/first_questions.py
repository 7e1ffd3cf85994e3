"""What is asked when a campaign begins: the few house rules that a group notices at once."""

from __future__ import annotations

from astragal.games.at_table import FirstQuestion

FIRST_QUESTIONS = (
    FirstQuestion(
        "edition",
        "Which book is on your table?",
        {"revised": "The Burning Wheel, Revised", "gold": "The Burning Wheel Gold"},
    ),
    FirstQuestion(
        "artha_starting_points",
        "How much artha do new characters start with?",
        {
            "gritty": "Little: a gritty game",
            "medium": "Some",
            "by_lifepath": "By number of lifepaths",
            "one_shot": "Plenty: for a single evening",
        },
    ),
    FirstQuestion(
        "tests_helpers_share_failure",
        "If a helped test fails, do the helpers share the consequences?",
        {"only_if_stated": "Only if the GM said so", "always": "Always"},
    ),
    FirstQuestion(
        "resources_cycle",
        "How often is maintenance due?",
        {
            "half_year": "Every six months",
            "year": "Every year",
            "month": "Every month",
            "tax_collectors": "Whenever the tax collectors come",
        },
    ),
)
"""Asked in the lobby; all other house rules have their defaults and can be changed later."""
