"""Whether something can be begun, before anybody begins it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from astragal.games import Game
from astragal.games.forms import characters_in, named_in
from astragal.play import GM, Seat
from astragal.table.commands.commands import BeginProcedure
from astragal.table.commands.decide import CommandDecider
from astragal.table.log.state import Campaign, OpenProcedure
from astragal.table.running.dice import NoSession
from astragal.table.running.session import RunningProcedure
from astragal.table.running.votes import procedure_of
from astragal.table.secrecy.audiences import readers


def check_begin(
    campaign: Campaign, game: Game, seat: Seat, procedure: str, arguments: Mapping[str, Any]
) -> None:
    """Refuse what would be refused if this seat began it now; nothing is rolled or written.

    Whoever begins something is seen to do so, and this can be tried in silence: so it says nothing
    that turns on a sheet this seat may not read, or on what the GM did to the scene in secret.
    """
    standing = campaign.standing
    if seat != GM:
        if not _reads_all(campaign, game, seat, procedure, arguments):
            return
        if standing.known_scene is not None:
            standing = replace(standing, scene=standing.known_scene, known_scene=None)

    def running(begun: OpenProcedure) -> RunningProcedure:
        return RunningProcedure(game, begun)

    # Without a session there are no dice: whatever is begun stops before the first of them.
    at = replace(campaign, standing=standing, session=None)
    with suppress(NoSession):
        CommandDecider(at, game, seat, running=running).event(
            BeginProcedure(procedure, dict(arguments))
        )


def _reads_all(
    campaign: Campaign, game: Game, seat: Seat, procedure: str, arguments: Mapping[str, Any]
) -> bool:
    """Whether a seat may read the sheets of all whom this is about."""
    begun, there = procedure_of(game, procedure), campaign.standing.characters
    named = {name for name, _ in named_in(game, begun, arguments)}
    read_by = readers(campaign.standing).sheets
    about = named.union(characters_in(game, begun, arguments, there))
    return all(seat in read_by.get(key, (seat,)) for key in about)
