"""How a campaign begins: the game, the GM, and the characters of a demo."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.games import Game
from astragal.games.ready import ready_sheet
from astragal.play import GM
from astragal.rules import Options
from astragal.table.commands.edits import brought
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent
from astragal.table.log.state import Chair, Character, Role


def first_events(
    game: Game,
    title: str,
    options: Mapping[str, object] | None,
    name: str,
    *,
    demo: bool,
) -> list[AnyEvent]:
    """The first entries of a campaign: the game, the GM, ready characters.

    A session begins with the first test.
    """
    offered = game.at_table.demo if demo else None
    chosen = Options.of(game.name, dict(options or {})).changed
    scene = game.scene() if offered is None else game.read(offered.scene, game.scene, "scene")
    title = title.strip() or (offered.title if offered else game.title)
    events: list[AnyEvent] = [
        happened.CampaignCreated(game.name, title, chosen, game.write(scene)),
        happened.SeatChanged(Chair(GM, name.strip() or "GM", Role.GM)),
    ]
    if offered is None:
        return events
    # Until others join and are given a character, the GM of the demo plays them all.
    for key, cast in offered.characters.items():
        sheet = brought(game, ready_sheet(game, cast.ready), GM, key)
        events.append(happened.CharacterJoined(key, Character(sheet, cast.hidden)))
    return events
