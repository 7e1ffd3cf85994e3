"""Whether something can be begun, before anybody begins it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from astragal.games import Game
from astragal.games.forms import characters_in
from astragal.play import Seat
from astragal.table.commands.commands import BeginProcedure
from astragal.table.commands.decide import CommandDecider
from astragal.table.commands.seat import SeatAt
from astragal.table.log.state import Campaign, OpenProcedure, Restorable
from astragal.table.running.dice import NoSession
from astragal.table.running.session import RunningProcedure
from astragal.table.running.votes import procedure_of


def check_begin(
    campaign: Campaign, game: Game, seat: Seat, procedure: str, arguments: Mapping[str, Any]
) -> None:
    """Refuse what would be refused if this seat began it now; nothing is rolled or written.

    Whoever begins something is seen to do so, and this can be tried in silence: so it says nothing
    that turns on a sheet this seat may not read, or on what it does not know to be there.
    """
    at = SeatAt(campaign, game, seat)
    standing = campaign.standing if at.is_gm else _as_known(at)
    begun = procedure_of(game, procedure)
    about = characters_in(game, begun, arguments, standing.characters)
    if any(seat not in at.hidden.sheets.get(key, (seat,)) for key in about):
        return

    def running(begun: OpenProcedure) -> RunningProcedure:
        return RunningProcedure(game, begun)

    # Without a session there are no dice: whatever is begun stops before the first of them.
    here = replace(campaign, standing=standing, session=None)
    with suppress(NoSession):
        CommandDecider(here, game, seat, running=running).event(
            BeginProcedure(procedure, dict(arguments))
        )


def _as_known(at: SeatAt) -> Restorable:
    """How things stand as far as a seat knows.

    Without hidden characters, what the GM has under way in secret, and what of the scene is the
    GM's alone.
    """
    standing = at.standing
    scene = standing.scene if standing.known_scene is None else standing.known_scene
    return replace(
        standing,
        characters={key: standing.characters[key] for key in at.known},
        open={id: each for id, each in standing.open.items() if at.knows_of(each)},
        scene={field: said for field, said in scene.items() if field not in at.game.secret_scene},
        known_scene=None,
    )
