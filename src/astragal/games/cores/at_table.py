"""What the game of Cores offers to people at a table: which procedures, in which words."""

from __future__ import annotations

from astragal.games.at_table import AtTable, FirstQuestion
from astragal.games.meanings import Meaning

from .creation import CREATION
from .demo import DEMO
from .finding import FINDING
from .page import abilities, page, scene_page
from .sketch import sketch

MEANINGS: dict[str, Meaning] = {
    "rocks": Meaning("owns", what="rock"),
    "sucks": Meaning("owns", what="suck"),
    "perks": Meaning("owns", what="perk"),
    "relationship": Meaning("own", what="relationship"),
    "tap": Meaning("own", what="tap", label="Tap Angst"),
    "angst": Meaning("own", what="angst", label="Type of Angst"),
    "comfort": Meaning("own", what="comfort"),
    "stressors": Meaning("owns", what="stressor"),
    "types": Meaning("owns", what="angst", free=True, label="Types of Angst"),
    "task": Meaning("long", label="Task"),
    "what": Meaning("long", label="Scene"),
}
"""What arguments stand for in this game."""

_POINTS = "Story Points go from {before} to {after}"
_LIFE = "Life Experience goes from {before} to {after}"
_DIE = "{name}: die types lost: {after}"

SHEET_WORDS = {
    "angst.*": ("Angst: {name} is now {after}", "Angst: no {name} is left"),
    "comforts_used": ("Comfort used today: {after}", "Comfort ready again: {after}"),
    "story_points": (_POINTS, _POINTS),
    "story_purge_used": (
        "Story Points have purged Angst, once in this session",
        "Story Points can purge Angst again",
    ),
    "life_experience.left": (_LIFE, _LIFE),
    **{f"core.*.{each}": (_DIE, _DIE) for each in ("lowered", "lowered_deadly", "lasting")},
    "core.*.hours": ("", ""),  # counts towards the next step, which is told when it comes
    "dead": ("dead", "alive"),
}
"""How changes of a sheet are put in words."""

AT_TABLE = AtTable(
    page=page,
    scene_page=scene_page,
    sketch=sketch,
    abilities=abilities,
    opening=("begin_session", "begin_scene"),
    closing=("story_purge", "time_passes"),
    meanings=MEANINGS,
    sheet_words=SHEET_WORDS,
    demo=DEMO,
    creation=CREATION,
    finding=FINDING,
    first_questions=(
        FirstQuestion(
            "cores_relationship_grades",
            "Do relationship grades have a plus and a minus?",
            {"plain": "No: A, B, C, D, F", "plus_and_minus": "Yes: A+, A, A- and so on"},
        ),
    ),
)
