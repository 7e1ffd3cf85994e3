"""What the game of Signs offers to people at a table: which procedures, in which words."""

from __future__ import annotations

from astragal.games.at_table import AtTable
from astragal.games.meanings import Meaning
from astragal.games.signs.demo import DEMO
from astragal.games.signs.page import abilities, page, scene_page
from astragal.games.signs.sketch import sketch

MEANINGS: dict[str, Meaning] = {
    "score": Meaning("ability", what="ability"),
    "tags": Meaning("owns", what="tag"),
    "tag": Meaning("own", what="tag", of="helper"),
    "goal": Meaning("long", label="What they want to reach"),
    "gain": Meaning("text", label="What a Success brings", seldom=False),
    "cost": Meaning("text", label="What a failure costs", seldom=False),
    "target": Meaning("character", free=True),
    "next": Meaning("text", label="The next one"),
    "until": Meaning("text", help="The moment at which it lapses, as in dawn or session"),
}
"""What arguments stand for in this game."""


AT_TABLE = AtTable(
    page=page,
    scene_page=scene_page,
    sketch=sketch,
    abilities=abilities,
    opening=(),
    closing=("end_scene", "end_scenario", "time_passes"),
    meanings=MEANINGS,
    demo=DEMO,
)
