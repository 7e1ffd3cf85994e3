"""The procedures of the d100 game in groups, and the words by which people look for them."""

from __future__ import annotations

from astragal.games.finding import ProcedureIndex, by_name

GROUPS = {
    "Tests": ("test", "opposed_test", "extended_test"),
    "Characteristics": ("bonuses", "raise_characteristic", "end_raise", "change_influence"),
    "Movement": ("movement", "go_to"),
    "Dice and numbers": ("roll_dice", "read_dice", "divide", "multiply"),
    "Scene": ("describe_skill", "end_scene", "end_session"),
}
"""Every procedure, under its group."""

WORDS: dict[str, tuple[str, ...]] = {
    "test": ("roll", "try", "skill", "characteristic", "d100", "percentile", "check", "difficulty"),
    "opposed_test": ("against", "versus", "vs", "contest", "oppose", "sneak past", "haggle"),
    "extended_test": ("long task", "research", "repair", "craft", "degrees", "progress"),
    "bonuses": ("strength bonus", "unnatural"),
    "raise_characteristic": ("increase", "drug", "boost", "power"),
    "end_raise": ("drug", "boost", "wears off"),
    "change_influence": ("infamy", "reputation", "fame"),
    "movement": ("run", "walk", "charge", "half move", "full move", "distance", "agility"),
    "go_to": ("place", "where", "together", "travel"),
    "roll_dice": ("damage", "random", "d10", "d5", "throw"),
    "read_dice": ("own dice", "physical dice", "tens", "units"),
    "divide": ("half", "round"),
    "multiply": ("double", "times"),
    "describe_skill": ("new skill", "own skill", "house rule"),
    "end_scene": ("new scene", "next"),
    "end_session": ("evening", "finish", "end the session", "wears off"),
}
"""What else people call these."""

FINDING = ProcedureIndex(by_name(GROUPS), tuple(GROUPS), WORDS, {"opposed_test": ("sides",)})
"""How a procedure of the d100 game is found."""
