"""A process of its own that solves duels, and searches for the scripts of other conflicts.

It works in the background. Every question is answered at once: with scripts where there are any, or
else with how far it has come. Solutions are kept as the command line keeps them, so a duel is
solved only once.
"""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from astragal.errors import Refusal
from astragal.games import games
from astragal.table.finished import DUEL
from astragal.table.foresight.helper_process import HelperProcess
from astragal.table.log.state import TablePartner
from astragal.table.script_due import ScriptToWrite

ANSWERS_WITHIN = 60.0
"""Seconds for one answer; nothing is solved while somebody waits for it."""

SOLVES_WITHIN = 240.0
"""Seconds that a duel may take to be solved."""

SEARCHES_WITHIN = 4.0
"""Seconds that a script of another conflict may be searched for."""

LEFT_OUT = (
    "Artha, help and FoRKs are left out. Both sides are assumed to divide a Rebuttal in the way "
    "that gains most in its volley."
)
"""What advice does not count in."""

UNSOLVED = "This duel cannot be solved."
"""What is said where there is no reason to name, or none that somebody may know."""


class AdvisedScript(msgspec.Struct, frozen=True):
    """A script of the best mix, and how often it should be played."""

    cards: tuple[str, ...]
    share: float


class ScriptAdvice(msgspec.Struct, frozen=True):
    """The best mix of scripts, its value, and one script drawn from it, for one seat alone.

    While the duel is being solved there are no scripts, and ``progress`` is less than 1. A partner
    gets a drawn script alone; if there is none in the end, it plays by temperament.
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
    desks = _Desks()
    while True:
        try:
            raw, partner, seconds = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            asked = msgspec.json.decode(raw, type=ScriptToWrite)
            given = msgspec.json.decode(partner, type=TablePartner) if partner else None
            pipe.send(msgspec.json.encode(desks.answer(asked, given, seconds)))
        except Refusal as refusal:
            pipe.send(str(refusal))
        except Exception:
            pipe.send("This cannot be worked out.")


class _Desks:
    """The desk for duels and that for other conflicts, each from its first question on.

    They are imported there alone: they need NumPy and SciPy.
    """

    def __init__(self) -> None:
        self._duels: Any = None
        self._searches: Any = None

    def answer(
        self, asked: ScriptToWrite, partner: TablePartner | None, seconds: float
    ) -> ScriptAdvice:
        if partner is not None and asked.procedure.name != DUEL:
            if self._searches is None:
                from astragal.table.search_desk import SearchDesk

                self._searches = SearchDesk()
            found: ScriptAdvice = self._searches.answer(asked, partner, seconds)
            return found
        if self._duels is None:
            from astragal.table.duel_desk import DuelDesk

            self._duels = DuelDesk()
        advice: ScriptAdvice = self._duels.answer(asked, partner, seconds)
        return advice


class SolvingProcess(HelperProcess):
    """Asks the other process."""

    def __init__(
        self, seconds: float = SOLVES_WITHIN, searches_within: float = SEARCHES_WITHIN
    ) -> None:
        """Let each duel take this many seconds to be solved, and each search so many."""
        super().__init__(ANSWERS_WITHIN)
        self._solves_within, self._searches_within = seconds, searches_within

    def target(self) -> Callable[[Connection], None]:
        """Duels are solved and scripts searched for there."""
        return serve

    async def advise(
        self, asked: ScriptToWrite, partner: TablePartner | None = None
    ) -> ScriptAdvice:
        """The mix for one side; for a partner only a script drawn as that partner plays."""
        given = b"" if partner is None else msgspec.json.encode(partner)
        is_duel = asked.procedure.name == DUEL
        seconds = self._solves_within if is_duel else self._searches_within
        question = (msgspec.json.encode(asked), given, seconds)
        return msgspec.json.decode(await self.answered(question), type=ScriptAdvice)
