"""The duels of a log reviewed, by what the laboratory finds (:mod:`~astragal.lab.duel_review`)."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from astragal.errors import Refusal
from astragal.games import Game
from astragal.lab import missing_packages
from astragal.play import OutOfStep
from astragal.table.finished import record_in
from astragal.table.log.items import ToldItem
from astragal.table.log.state import OpenProcedure
from astragal.table.running.partners import SCRIPT
from astragal.table.running.session import RunningProcedure

if TYPE_CHECKING:
    from astragal.lab.duel_review import ReviewedDuel

CARDS_SHOWN = "shown"
"""The kind of fact with the cards of a volley."""


def shown_cards(procedure: OpenProcedure) -> list[tuple[tuple[str, str], ...]]:
    """The cards of two sides, volley by volley, as everybody saw them."""
    told = (item for item in procedure.story if isinstance(item, ToldItem))
    return [item.cards for item in told if item.kind == CARDS_SHOWN and len(item.cards) == 2]


class DuelReviews:
    """Reviews duels by their solutions, for as long as there is time to solve them."""

    def __init__(self, seconds: float) -> None:
        """Have so many seconds for all of them."""
        self.unsolved = 0
        self._ends = monotonic() + seconds

    def reviewed(self, game: Game, procedure: OpenProcedure) -> ReviewedDuel | None:
        """A duel by its solution; nothing where there is none, or it is another conflict."""
        if not shown_cards(procedure):
            return None
        if missing_packages():
            self.unsolved += 1
            return None
        from astragal.lab.duel_review import review_duel
        from astragal.lab.solved_duel import solution_within

        def find(duel: Any) -> Any:
            found = solution_within(self._ends - monotonic(), duel.debate, duel.table, duel.started)
            self.unsolved += found is None
            return found

        start = RunningProcedure(game, procedure).start()
        record = record_in(procedure, without="" if procedure.given else SCRIPT)
        with suppress(OutOfStep, Refusal):
            shown = shown_cards(procedure)
            return review_duel(start, record, shown, find, has_scripts=bool(procedure.given))
        return None
