"""The procedures of the game of Cores in groups, and the words by which people look for them."""

from __future__ import annotations

from astragal.games.finding import ProcedureIndex, by_name

GROUPS = {
    "Tests": ("test", "opposed_test"),
    "Crucial tests": ("crucial_test", "opposed_crucial_test"),
    "Angst": ("avoid_angst", "purge_angst", "story_purge"),
    "Session": ("begin_session", "begin_scene", "new_day", "time_passes"),
}
"""Every procedure, under its group."""

WORDS: dict[str, tuple[str, ...]] = {
    "test": ("roll", "try", "core", "rock", "suck", "perk", "tap", "relationship", "difficulty"),
    "opposed_test": ("against", "versus", "vs", "contest", "oppose", "argue", "sneak past"),
    "crucial_test": ("fight", "combat", "attack", "danger", "taken out", "hurt", "harm", "death"),
    "opposed_crucial_test": ("fight", "combat", "attack", "duel", "taken out", "against", "versus"),
    "avoid_angst": ("stress", "stressor", "threat", "fear", "guilt", "trauma"),
    "purge_angst": ("comfort", "heal", "recover", "relax", "milestone", "rest"),
    "story_purge": ("heal", "recover", "spend"),
    "begin_session": ("start", "evening", "story points"),
    "begin_scene": ("start", "who is there", "present"),
    "new_day": ("sleep", "morning", "comfort", "rest"),
    "time_passes": ("heal", "recovery", "wound", "wait", "days", "downtime", "rest"),
}
"""What else people call these."""

AGAINST = {
    "opposed_test": ("acting", "opposing"),
    "opposed_crucial_test": ("acting", "opposing"),
}

FINDING = ProcedureIndex(by_name(GROUPS), tuple(GROUPS), WORDS, AGAINST)
"""How a procedure of the game of Cores is found."""
