"""Parts of the rules that a group has set aside for its game (rogues.setup.pick_mechanics)."""

from __future__ import annotations

from astragal.errors import NotAllowed
from astragal.games.game import Procedure

from ..sheet.scene import BurningTable

PARTS = {
    "circles": "Circles",
    "duel_of_wits": "Duel of Wits",
    "faith": "Faith and emotional magic",
    "fight": "Fight!",
    "quick_combat": "Bloody Versus",
    "range_and_cover": "Range and Cover",
    "resources": "Resources",
    "riding": "Riding",
    "sorcery": "Sorcery",
}
"""The chapters that a game can do without, by the folder of their procedures."""


def part_of(procedure: Procedure) -> str:
    """The part of the rules to which a procedure belongs; empty where no game can do without."""
    folders = procedure.run.__module__.split(".")
    return next((folder for folder in folders if folder in PARTS), "")


def check_in_use(part: str, table: BurningTable) -> None:
    """Refuse what the group has set aside (rogues.setup.pick_mechanics)."""
    if part and part in table.scene.set_aside:
        what = f"{PARTS[part]} is not in use in this game"
        again = "the GM can bring it back with “Choose the mechanics in use”"
        raise NotAllowed(f"{what}; {again}", "rogues.setup.pick_mechanics")
