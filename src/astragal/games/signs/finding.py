"""The procedures of the game of Signs in groups, and the words by which people look for them."""

from __future__ import annotations

from astragal.games.finding import ProcedureIndex, by_name

GROUPS = {
    "Tests": ("rules_test", "called_test", "group_test", "attack_roll"),
    "Help": ("offer_help",),
    "Boons and Banes": ("grant_boon", "impose_bane", "time_passes"),
    "Scene": ("standing_result", "end_scene", "end_scenario"),
}
"""Every procedure, under its group."""

WORDS: dict[str, tuple[str, ...]] = {
    "rules_test": ("roll", "try", "score", "tag", "climb", "sneak", "search", "wager"),
    "called_test": ("ask for a test", "GM", "roll", "resist", "notice"),
    "group_test": ("together", "all", "everyone", "party", "sneak"),
    "attack_roll": ("fight", "combat", "hit", "strike", "shoot"),
    "offer_help": ("assist", "aid", "together", "advantage", "tag"),
    "grant_boon": ("reward", "bonus", "advantage", "blessing"),
    "impose_bane": ("penalty", "disadvantage", "curse", "harm", "wound", "hurt"),
    "time_passes": ("expire", "lapse", "dawn", "rest", "wait", "heal"),
    "standing_result": ("again", "retry", "second attempt", "already tried"),
    "end_scene": ("new scene", "next"),
    "end_scenario": ("end of the story", "finish", "session"),
}
"""What else people call these."""

FINDING = ProcedureIndex(by_name(GROUPS), tuple(GROUPS), WORDS)
"""How a procedure of the game of Signs is found."""
