"""The procedures by the chapters of the book, and the words by which people look for them."""

from __future__ import annotations

from astragal.games.finding import ProcedureIndex
from astragal.games.game import Procedure

PACKAGE = __name__.rpartition(".pages.")[0]

CHAPTERS = {
    "tests": "Tests",
    "steel": "Tests",
    "movement": "Tests",
    "conditions": "Tests",
    "conflicts": "Conflicts",
    "weapons": "Conflicts",
    "armor": "Conflicts",
    "materials": "Conflicts",
    "injury": "Harm",
    "magic": "Magic",
    "resources": "Money",
    "circles": "People",
    "advancement": "Growth",
    "artha": "Growth",
    "beliefs": "Growth",
    "sheet": "Look up",
    "pages": "Look up",
    "rogues": "GM",
}
"""The group of each folder."""

SESSION = (
    "begin_session",
    "announce_vote_rate",
    "ready_for_play",
    "fits_the_game",
    "session_artha",
    "scenario_votes",
    "trait_vote",
    "reputation_vote",
    "review_tests",
    "vote",
)
HARM = ("shrug_it_off", "grit_your_teeth", "let_time_pass", "fatal_fall")
LOOKED_UP = ("armory", "harness")

GROUPS = (
    "Tests",
    "Conflicts",
    "Harm",
    "Magic",
    "Money",
    "People",
    "Growth",
    "Session",
    "GM",
    "Look up",
)

WORDS: dict[str, tuple[str, ...]] = {
    "standard_test": (
        "roll",
        "skill",
        "stat",
        "try",
        "beginner's luck",
        "FoRK",
        "working carefully",
        "climb",
        "sneak",
        "search",
    ),
    "versus_test": ("against", "oppose", "contest", "sneak past", "vs"),
    "open_test": ("degree of success",),
    "linked_tests": ("chain", "prepare"),
    "graduated_test": ("degree of success",),
    "steel_test": ("fear", "hesitate", "shock", "surprise", "pain"),
    "settle_intent": ("let it ride",),
    "harder_later": ("let it ride",),
    "next_portion": ("let it ride",),
    "die_of_fate": ("luck", "chance"),
    "sprint": ("run",),
    "chase": ("pursue", "flee", "hunt"),
    "get_up": ("hesitation", "stand up"),
    "duel_of_wits": ("argue", "debate", "convince", "persuade"),
    "fight": ("combat", "melee", "attack", "battle"),
    "range_and_cover": ("shoot", "archery", "skirmish", "bow"),
    "bloody_versus": ("quick fight", "combat", "brawl"),
    "martial_conflict": ("quick fight", "combat"),
    "bloody_pools": ("quick fight", "combat"),
    "strike": ("attack", "hit"),
    "shoot": ("attack", "bow", "crossbow"),
    "take_wound": ("hurt", "injury", "damage"),
    "treat": ("heal", "medicine", "first aid", "surgery", "healer"),
    "stop_bleeding": ("heal", "bandage", "staunch"),
    "recover": ("recovery", "heal", "health test", "rest"),
    "let_time_pass": ("heal", "recovery", "days", "rest", "bleed", "downtime", "wait", "calendar"),
    "cling_to_life": ("will to live", "dying", "mortal wound"),
    "shrug_it_off": ("ignore wounds", "pain"),
    "grit_your_teeth": ("ignore wounds", "pain"),
    "clear_the_cobwebs": ("wake", "unconscious"),
    "cast_spell": ("sorcery", "magic"),
    "read_spell": ("learn a spell", "first reading"),
    "pray": ("faith", "miracle", "prayer"),
    "purchase": ("buy", "shop", "pay", "cost", "money"),
    "haggle": ("buy", "sell", "bargain"),
    "auction": ("buy", "bid"),
    "make_cash": ("sell", "money"),
    "make_fund": ("sell", "money"),
    "get_a_job": ("work", "earn", "taxed"),
    "maintenance": ("lifestyle", "upkeep", "resources cycle"),
    "lend": ("loan", "borrow", "debt"),
    "circles_test": ("find somebody", "contact", "know", "search"),
    "buy_affiliation": ("join",),
    "practise": ("practice", "train", "exercise", "downtime"),
    "instruct": ("teach", "lesson", "training"),
    "taught": ("teach", "lesson", "learn"),
    "ask_for_test": ("advancement", "log"),
    "correct_log": ("advancement", "tests"),
    "award_artha": ("fate", "persona", "deeds"),
    "session_artha": ("fate", "persona", "deeds", "award", "end of session"),
    "enter_aristeia": ("aristeia", "heroic"),
    "change_bit": ("belief", "instinct", "rewrite"),
    "instinct_triggers": ("instinct",),
    "scenario_votes": ("MVP", "workhorse", "artha", "end of session"),
    "trait_vote": ("traits", "end of the story"),
    "begin_session": ("start",),
    "one_off_character": ("NPC", "character"),
    "grant_gear": ("equipment", "item"),
}
"""What else people call these."""


def group(procedure: Procedure) -> str:
    """The group of a procedure: its chapter, but for a few that belong elsewhere.

    >>> from astragal.games.burning_wheel import GAME
    >>> [group(GAME.procedure(name)) for name in ("versus_test", "treat", "purchase", "fight")]
    ['Tests', 'Harm', 'Money', 'Conflicts']
    """
    if procedure.name in SESSION:
        return "Session"
    if procedure.name in HARM:
        return "Harm"
    if procedure.name in LOOKED_UP or procedure.name.startswith("look_up_"):
        return "Look up"
    module = procedure.arguments.__module__.removeprefix(f"{PACKAGE}.")
    return CHAPTERS.get(module.partition(".")[0], "Session")


AGAINST = {"versus_test": ("sides",)}

FINDING = ProcedureIndex(group, GROUPS, WORDS, AGAINST)
"""How a procedure of the Burning Wheel is found."""
