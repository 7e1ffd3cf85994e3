"""A sparring partner at one keyboard, for the conflicts that are searched and not solved."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from astragal.errors import BadInput

if TYPE_CHECKING:
    from astragal.play import Answer, Ask, State


def sparring_partner(
    game: str,
    seats: list[str],
    dial: int,
    temperament: str,
    samples: int,
    seconds: float,
    seed: str | None,
) -> Callable[[State, Ask], Answer | None]:
    """Somebody who answers every question of these seats, the scripts as well as a dial says."""
    from secrets import token_hex

    from astragal.cli.progress import Waiting
    from astragal.lab import check_installed

    check_installed()
    from astragal.lab.fight_sparring import GAMES, ScriptPartner, ScriptSearch

    if seconds <= 0:
        raise BadInput("--think", seconds, "more than 0 seconds")
    search = ScriptSearch(GAMES[game], samples, seconds)
    player = ScriptPartner(search, dial, temperament, token_hex(16) if seed is None else seed)
    others = GAMES[game].answers_of({})

    def partner(state: State, ask: Ask) -> Answer | None:
        if ask.seat not in seats:
            return None
        with Waiting("The other side is thinking"):
            own = player.answer(state, ask)
        return others(ask) if own is None else own

    return partner
