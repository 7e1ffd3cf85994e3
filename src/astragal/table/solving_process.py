"""A process of its own that solves duels in the background and looks up scripts meanwhile.

Every question is answered at once: with scripts where the duel is solved, or else with how far it
has come. Solutions are kept as the command line keeps them, so a duel is solved only once.
"""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from astragal.errors import Refusal
from astragal.games import games
from astragal.play import Seat
from astragal.table.foresight.helper_process import HelperProcess
from astragal.table.log.state import OpenProcedure, TablePartner

ANSWERS_WITHIN = 60.0
"""Seconds for one answer; nothing is solved while somebody waits for it."""

SOLVES_WITHIN = 240.0
"""Seconds that a duel may take to be solved."""

UNSOLVED = "This duel cannot be solved."
"""What is said where there is no reason to name, or none that somebody may know."""


class DuelToSolve(msgspec.Struct, frozen=True):
    """A script that is due in a duel, and what its writer may know."""

    game: str
    procedure: OpenProcedure
    """Without the scripts that others have written for this exchange."""
    seat: Seat
    prompt: str
    """Of the question for the script."""
    reads: tuple[str, ...]
    """The characters whose sheets this seat may read."""


class AdvisedScript(msgspec.Struct, frozen=True):
    """A script of the best mix, and how often it should be played."""

    cards: tuple[str, ...]
    share: float


class ScriptAdvice(msgspec.Struct, frozen=True):
    """The best mix of scripts, its value, and one script drawn from it, for one seat alone.

    While the duel is being solved there are no scripts, and ``progress`` is less than 1.
    """

    progress: float = 1.0
    value: float = 0.0
    """The chance to win; a tie counts for a half."""
    scripts: tuple[AdvisedScript, ...] = ()
    drawn: tuple[str, ...] = ()
    based_on: str = ""
    """What was known of the other side, and what was assumed."""


def serve(pipe: Connection) -> None:
    """Answer questions until the pipe is closed; say first that one is there."""
    for game in games().values():
        assert game.procedures
    pipe.send(None)
    desk: Any = None
    while True:
        try:
            raw, partner, seconds = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            if desk is None:
                from astragal.table.duel_desk import DuelDesk

                desk = DuelDesk()
            duel = msgspec.json.decode(raw, type=DuelToSolve)
            given = partner and msgspec.json.decode(partner, type=TablePartner)
            pipe.send(msgspec.json.encode(desk.answer(duel, given or None, seconds)))
        except Refusal as refusal:
            pipe.send(str(refusal))
        except Exception:
            pipe.send("This cannot be worked out.")


class SolvingProcess(HelperProcess):
    """Asks the other process."""

    def __init__(self, seconds: float = SOLVES_WITHIN) -> None:
        """Let each duel take this many seconds to be solved."""
        super().__init__(ANSWERS_WITHIN)
        self._solves_within = seconds

    def target(self) -> Callable[[Connection], None]:
        """Duels are solved there."""
        return serve

    async def advise(self, duel: DuelToSolve, partner: TablePartner | None = None) -> ScriptAdvice:
        """The mix for one side; for a partner only a script drawn as that partner plays."""
        given = b"" if partner is None else msgspec.json.encode(partner)
        question = (msgspec.json.encode(duel), given, self._solves_within)
        return msgspec.json.decode(await self.answered(question), type=ScriptAdvice)
